package web_test

import (
	"net/url"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
	"golang.org/x/net/html"

	"personal-workspace/sns"
)

// showing is the article of a post in a deck.
func showing(t *testing.T, w *workspace, p sns.Post) *html.Node {
	t.Helper()
	w.net.set("social.example", sns.KindLocal, p)
	w.deck("Morning", local(w.connect("social.example")))
	w.fill()
	return one(t, document(t, w.get("/decks/d").body), tag("article"))
}

func TestPostsLeadOn(t *testing.T) {
	w := newWorkspace(t, nil)

	article := showing(t, w, post(990, "Hello", func(p *sns.Post) {
		p.EntryID = "77" // a boost
		p.BoostedBy = &sns.Boost{ID: "77", Author: sns.Author{Handle: "@dee@social.example"}}
		p.ReplyTo = &sns.ReplyTo{ID: "980"}
		p.Quote = &sns.Quote{State: sns.QuoteAvailable, Post: &sns.Post{ID: "960", Text: "Quoted"}}
	}))

	list, err := w.posts.ListConnections(t.Context())
	if err != nil {
		t.Fatal(err)
	}
	account := "/posts/" + list[0].ID + "/"
	for says, want := range map[string]string{
		"Open": account + "990?column=c1&deck=d", "At source": "https://social.example/@ana/990",
		"Replying to an earlier post": account + "980?column=c1&deck=d", "Open the quoted post": account + "960?column=c1&deck=d",
	} {
		if got := linkTo(article, says); got != want {
			t.Errorf("%q leads to %q, want %q", says, got, want)
		}
	}
	if has(one(t, article, tag("a"), func(n *html.Node) bool { return has(n, "data-open") }), "target") {
		t.Error("the post's page opens in another window")
	}
	if got := text(one(t, article, func(n *html.Node) bool { return has(n, "data-copy-link") })); got != "Copy link" {
		t.Errorf("the copy button says %q", got)
	}
}

// TestPostsAreNamedAndDescribed: what a screen reader says of a post that gets
// the focus is who wrote it and what, but not what a warning hides.
func TestPostsAreNamedAndDescribed(t *testing.T) {
	cases := map[string]struct {
		change    func(*sns.Post)
		described string
	}{
		"a text":           {func(*sns.Post) {}, "Hello"},
		"behind a warning": {func(p *sns.Post) { p.ContentWarning = "food" }, "food"},
		"no text":          {func(p *sns.Post) { p.Text = "" }, ""},
		"folded":           {func(p *sns.Post) { p.Filter = &sns.Filter{Action: "warn"} }, ""},
	}
	for name, c := range cases {
		t.Run(name, func(t *testing.T) {
			article := showing(t, newWorkspace(t, nil), post(990, "Hello", c.change))

			if attr(article, "tabindex") != "-1" {
				t.Error("the post cannot have the focus")
			}
			if got, want := text(one(t, article, with("id", attr(article, "aria-labelledby")))), "Ana Lima @ana@social.example"; got != want {
				t.Errorf("name = %q, want %q", got, want)
			}
			got := ""
			if id := attr(article, "aria-describedby"); id != "" {
				got = text(one(t, article, with("id", id)))
			}
			if got != c.described {
				t.Errorf("description = %q, want %q", got, c.described)
			}
		})
	}
}

func TestNotificationWithoutAPostHasNoPage(t *testing.T) {
	article := showing(t, newWorkspace(t, nil), sns.Post{
		EntryID: "5", Notification: &sns.Notification{Type: "follow", Actors: []sns.Author{{DisplayName: "Bo"}}},
	})

	if got := linkTo(article, "Open"); got != "" {
		t.Errorf("a follow has a page at %q, want none", got)
	}
}

func TestLongPostsAreFolded(t *testing.T) {
	w := newWorkspace(t, nil)
	words := strings.Repeat("word ", 600) + "end"

	article := showing(t, w, post(990, words))

	rest := one(t, article, tag("details"), class("rest"))
	if got, want := text(one(t, rest, tag("summary"))), "Show more Show less"; got != want {
		t.Errorf("the line says %q, want %q", got, want)
	}
	parts := texts(all(article, class("text")))
	if len(parts) != 2 || len(parts[0]) < 600 || len(parts[0]) > 700 || strings.Join(parts, " ") != words {
		t.Errorf("the text stands in %d parts, want a beginning and the rest", len(parts))
	}
}

func TestEndlessPostsAreCut(t *testing.T) {
	article := showing(t, newWorkspace(t, nil), post(990, strings.Repeat("word ", 6000)))

	if got := linkTo(article, "Read all of it"); !strings.HasSuffix(got, "/990?column=c1&deck=d") {
		t.Errorf("the whole text is at %q, want the post's page", got)
	}
	if n := len(strings.Join(texts(all(article, class("text"))), " ")); n > 7000 {
		t.Errorf("the column has %d bytes of the text, want at most 7000", n)
	}
}

// TestFoldingKeepsEveryLetter cuts texts of many lines, scripts and links.
func TestFoldingKeepsEveryLetter(t *testing.T) {
	for name, words := range map[string]string{
		"lines":        strings.Repeat("a\n", 60),
		"japanese":     strings.Repeat("海の見える町で暮らしています。", 60),
		"one word":     strings.Repeat("x", 3000),
		"only a link":  "https://news.example/" + strings.Repeat("x", 1500),
		"many emoji":   strings.Repeat("🌿", 1500),
		"white space":  strings.Repeat(" ", 3000) + "end",
		"tags to fold": strings.Repeat("#rain ", 400),
	} {
		t.Run(name, func(t *testing.T) {
			article := showing(t, newWorkspace(t, nil), post(990, words, func(p *sns.Post) { p.Hashtags = []string{"rain"} }))

			squeeze := func(s string) string { return strings.Join(strings.Fields(s), "") }
			if got := squeeze(strings.Join(texts(all(article, class("text"))), "")); got != squeeze(words) {
				t.Errorf("%d bytes of the text are shown, want %d", len(got), len(squeeze(words)))
			}
		})
	}
}

func TestCustomEmoji(t *testing.T) {
	cat := []sns.Emoji{{Shortcode: "cat", URL: "https://files.example/cat.gif", StaticURL: "https://files.example/cat.png"}}
	dog := []sns.Emoji{{Shortcode: "dog", URL: "http://files.example/dog.png"}}
	cases := map[string]struct {
		emojis []sns.Emoji
		media  string
		// waiting are pictures that wait to be asked for, drawn those on the page.
		waiting, drawn []string
	}{
		"wait to be asked for": {cat, "", []string{"https://files.example/cat.png"}, []string{}},
		"come when preferred":  {cat, "at-once", []string{}, []string{"https://files.example/cat.png"}},
		"need https":           {dog, "at-once", []string{}, []string{}},
	}
	for name, c := range cases {
		t.Run(name, func(t *testing.T) {
			w := newWorkspace(t, nil)
			w.post("/settings/reading", url.Values{"media": {c.media}})

			article := showing(t, w, post(990, "Look: :cat::dog: at 10:30:00", func(p *sns.Post) {
				p.Emojis = c.emojis
				p.Author.DisplayName, p.Author.Emojis = "Ana :cat:", c.emojis
			}))

			sources := func(nodes []*html.Node, name string) []string {
				out := []string{}
				for _, n := range nodes {
					out = append(out, attr(n, name))
				}
				return out
			}
			double := func(list []string) []string { return append(append([]string{}, list...), list...) }
			waiting := sources(all(article, func(n *html.Node) bool { return has(n, "data-emoji") }), "data-emoji")
			if diff := cmp.Diff(double(c.waiting), waiting); diff != "" {
				t.Errorf("waiting in name and text (-want +got):\n%s", diff)
			}
			drawn := all(article, tag("img"))
			if diff := cmp.Diff(double(c.drawn), sources(drawn, "src")); diff != "" {
				t.Errorf("drawn in name and text (-want +got):\n%s", diff)
			}
			for _, img := range drawn {
				if attr(img, "alt") != ":cat:" || attr(img, "loading") != "lazy" || attr(img, "referrerpolicy") != "no-referrer" {
					t.Errorf("the picture has alt %q, loading %q, referrer %q", attr(img, "alt"), attr(img, "loading"), attr(img, "referrerpolicy"))
				}
			}
			asks := all(article, func(n *html.Node) bool { return has(n, "data-show-emoji") })
			if got, want := len(asks) > 0, len(c.waiting) > 0; got != want {
				t.Errorf("the reader can ask for emoji: %v, want %v", got, want)
			}
		})
	}
}

func TestMediaThatCannotBeShownSaysSo(t *testing.T) {
	cases := map[string]struct {
		media sns.Media
		loads bool
		note  string
	}{
		"https":              {sns.Media{Type: "image", URL: "https://files.example/1.png"}, true, ""},
		"plain http":         {sns.Media{Type: "image", URL: "http://files.example/1.png", PreviewURL: "http://files.example/2.png"}, false, "It cannot be shown here because its server has no https. The link opens it."},
		"preview over https": {sns.Media{Type: "image", URL: "http://files.example/1.png", PreviewURL: "https://files.example/2.png"}, true, ""},
		"film over http":     {sns.Media{Type: "video", URL: "http://files.example/1.mp4", PreviewURL: "https://files.example/2.png"}, false, "It cannot be shown here because its server has no https. The link opens it."},
		"unknown kind":       {sns.Media{Type: "unknown", URL: "https://files.example/1.zip"}, false, ""},
		"no address":         {sns.Media{Type: "image", URL: "javascript:alert(1)"}, false, ""},
	}
	for name, c := range cases {
		t.Run(name, func(t *testing.T) {
			article := showing(t, newWorkspace(t, nil), post(990, "Look", func(p *sns.Post) { p.Media = []sns.Media{c.media} }))

			box := one(t, article, func(n *html.Node) bool { return has(n, "data-media-box") })
			if got := len(all(box, func(n *html.Node) bool { return has(n, "data-media") })) == 1; got != c.loads {
				t.Errorf("it can be loaded: %v, want %v", got, c.loads)
			}
			if got := strings.Join(texts(all(box, class("note"))), ""); got != c.note {
				t.Errorf("note = %q, want %q", got, c.note)
			}
		})
	}
}

func TestMediaAtOnce(t *testing.T) {
	w := newWorkspace(t, nil)
	w.post("/settings/reading", url.Values{"media": {"at-once"}})

	article := showing(t, w, post(990, "Look", func(p *sns.Post) {
		p.Media = []sns.Media{
			{Type: "image", URL: "https://files.example/1.png", PreviewURL: "https://files.example/small.png", Alt: "A wet street", Width: 4, Height: 3},
			{Type: "gif", URL: "https://files.example/2.mp4"},
			{Type: "audio", URL: "https://files.example/3.ogg"},
		}
	}))

	img := one(t, article, tag("img"))
	if attr(img, "src") != "https://files.example/small.png" || attr(img, "alt") != "A wet street" || attr(img, "width") != "4" || attr(img, "loading") != "lazy" {
		t.Errorf("the picture has src %q, alt %q, width %q", attr(img, "src"), attr(img, "alt"), attr(img, "width"))
	}
	if got := attr(img.Parent, "href"); got != "https://files.example/1.png" {
		t.Errorf("the picture leads to %q, want the larger one", got)
	}
	if got := attr(one(t, article, tag("video")), "aria-label"); got != "Moving picture without a description" {
		t.Errorf("the film is called %q", got)
	}
	if got := attr(one(t, article, tag("audio")), "preload"); got != "none" {
		t.Errorf("the sound is loaded as %q, want none before it is played", got)
	}
}

func TestReadingPreferences(t *testing.T) {
	w := newWorkspace(t, nil)
	w.post("/settings/reading", url.Values{"warnings": {"open"}, "counts": {"hidden"}})

	article := showing(t, w, post(990, "Soup", func(p *sns.Post) {
		p.ContentWarning = "food"
		p.Counts = &sns.Counts{Likes: new(int64(3))}
	}))

	if !has(one(t, article, tag("details")), "open") {
		t.Error("the warning is folded, want it open")
	}
	if n := len(all(article, class("count"))); n != 0 {
		t.Errorf("%d counts are shown, want none", n)
	}
}

func TestLinkPreviewsShowTheirHost(t *testing.T) {
	article := showing(t, newWorkspace(t, nil), post(990, "Look", func(p *sns.Post) {
		p.Card = &sns.Card{
			URL: "https://evil.example/login", Title: "Your bank", Description: "Sign in", Provider: "bank.example",
			ImageURL: "https://files.example/card.png",
		}
	}))

	card := one(t, article, class("card"))
	if got, want := text(one(t, card, class("card-link"))), "Your bank Sign in evil.example"; got != want {
		t.Errorf("card = %q, want %q", got, want)
	}
	if got := attr(one(t, card, with("data-media", "image")), "href"); got != "https://files.example/card.png" {
		t.Errorf("the picture waits at %q", got)
	}
	if n := len(all(card, tag("img"))); n != 0 {
		t.Error("the picture is loaded before anybody asked")
	}
}
