package web_test

import (
	"fmt"
	"net/http"
	"strings"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"
	"golang.org/x/net/html"

	"personal-workspace/sns"
	"personal-workspace/web"
)

func TestDeckAnatomyOfAPost(t *testing.T) {
	w := newWorkspace(t, nil)
	at := start.Add(-2 * time.Hour)
	p := post(990, "Look at this #rain https://news.example/rain @bo", func(p *sns.Post) {
		p.Language = "en-GB"
		p.ContentWarning = "weather"
		p.Visibility = sns.Unlisted
		p.ReplyTo = &sns.ReplyTo{ID: "5", AuthorHandle: "@cy@far.example"}
		p.BoostedBy = &sns.Boost{ID: "77", Author: sns.Author{Handle: "@dee@social.example", DisplayName: "Dee"}, At: &at}
		p.Links = []sns.Link{{Text: "https://news.example/rain", URL: "https://news.example/rain"}}
		p.Mentions = []sns.Mention{{Text: "@bo", Handle: "@bo@social.example", URL: "https://social.example/@bo"}}
		p.Hashtags = []string{"rain"}
		p.Media = []sns.Media{{Type: "image", URL: "https://files.example/1.png", Alt: "A wet street", Width: 4, Height: 3}, {Type: "video", URL: "https://files.example/2.mp4", DurationMs: 61_000}}
		p.Poll = &sns.Poll{Options: []sns.PollOption{{Title: "Umbrella", Votes: new(int64(3))}, {Title: "Hat", Votes: new(int64(1))}}, Votes: 4, Expired: true}
		p.Quote = &sns.Quote{State: sns.QuoteAvailable, Post: &sns.Post{ID: "6", Text: "It will rain.", Author: sns.Author{Handle: "@met@social.example", DisplayName: "Met"}}}
		p.Card = &sns.Card{URL: "https://news.example/rain", Title: "Rain", Provider: "News"}
		p.Counts = &sns.Counts{Replies: new(int64(1)), Boosts: new(int64(1200)), Likes: new(int64(0))}
	})
	w.net.set("social.example", sns.KindLocal, p)
	w.deck("Morning", local(w.connect("social.example")))
	w.fill()

	article := one(t, document(t, w.get("/decks/d").body), tag("article"))

	for name, want := range map[string]string{
		"lead": "Dee boosted 2 h", "context": "Replying to @cy@far.example", "visibility": "Unlisted",
		"card": "Rain news.example", "poll": "Umbrella 75% Hat 25% 4 votes, closed",
	} {
		if got := text(one(t, article, class(name))); got != want {
			t.Errorf("%s = %q, want %q", name, got, want)
		}
	}
	if got, want := text(one(t, article, tag("h3"))), "Ana Lima @ana@social.example"; got != want {
		t.Errorf("author = %q, want %q", got, want)
	}
	if got, want := text(one(t, article, tag("summary"))), "weather"; got != want {
		t.Errorf("content warning = %q, want %q", got, want)
	}
	if diff := cmp.Diff([]string{"Picture", "A wet street", "Video 1:01", "No description given"}, texts(all(one(t, article, tag("ul"), class("media")), tag("span"), func(n *html.Node) bool { return text(n) != "" }))); diff != "" {
		t.Errorf("media (-want +got):\n%s", diff)
	}
	body := all(article, tag("div"), class("text"))[0]
	if attr(body, "lang") != "en-GB" || attr(body, "dir") != "auto" {
		t.Errorf("text has lang %q and dir %q, want en-GB and auto", attr(body, "lang"), attr(body, "dir"))
	}
	var links []string
	for _, a := range all(body, tag("a")) {
		links = append(links, attr(a, "class")+" "+attr(a, "href"))
		if attr(a, "rel") != "noopener noreferrer nofollow" {
			t.Errorf("a link has rel %q", attr(a, "rel"))
		}
	}
	want := []string{"tag https://social.example/tags/rain", "link https://news.example/rain", "mention https://social.example/@bo"}
	if diff := cmp.Diff(want, links); diff != "" {
		t.Errorf("links (-want +got):\n%s", diff)
	}
	if diff := cmp.Diff([]string{"1 1 reply", "1.2k 1200 boosts"}, texts(all(article, class("count")))); diff != "" {
		t.Errorf("counts (-want +got):\n%s", diff)
	}
	if got, want := text(one(t, article, tag("blockquote"))), "Met @met@social.example It will rain. Open the quoted post"; got != want {
		t.Errorf("quote = %q, want %q", got, want)
	}
}

func TestDeckMakesHostileContentInert(t *testing.T) {
	const evil = `</div></article><script>alert(1)</script><img src=x onerror=alert(1)>"' onmouseover="alert(1)`
	w := newWorkspace(t, nil)
	c := w.connect("social.example")
	w.net.set("social.example", sns.KindLocal, post(990, evil, func(p *sns.Post) {
		p.EntryID, p.ID = "9.9:0~x", "990"
		p.URL, p.ContentWarning, p.Language = "javascript:alert(1)", evil, `en" onload="alert(1)`
		p.Author = sns.Author{DisplayName: evil, Handle: evil, URL: "javascript:alert(1)"}
		p.BoostedBy = &sns.Boost{Author: p.Author}
		p.ReplyTo = &sns.ReplyTo{AuthorHandle: evil}
		p.Links = []sns.Link{{Text: "script", URL: "javascript:alert(1)"}, {Text: "alert", URL: "data:text/html,x"}}
		p.Mentions = []sns.Mention{{Text: "img", URL: "vbscript:x"}}
		p.Hashtags = []string{`"><script>`}
		p.Media = []sns.Media{{Type: evil, URL: "javascript:alert(1)", PreviewURL: "data:image/svg+xml,x", Alt: evil}}
		p.Poll = &sns.Poll{Options: []sns.PollOption{{Title: evil, Votes: new(int64(-9))}}, Votes: -1}
		p.Quote = &sns.Quote{State: sns.QuoteAvailable, URL: "javascript:alert(1)", Post: &sns.Post{Text: evil, Author: p.Author, URL: "javascript:alert(1)"}}
		p.Card = &sns.Card{URL: "https://news.example/" + evil, Title: evil, Description: evil, Provider: evil}
		p.Filter = &sns.Filter{Action: "warn", Titles: []string{evil}}
	}))
	column := local(c)
	column.Title = `<script>alert(1)</script>"x`
	w.deck(`<img src=x onerror=alert(1)>`, column)
	w.fill()

	for _, path := range []string{"/decks/d", "/decks", "/decks/d/columns/c1"} {
		page := document(t, w.get(path).body)
		for _, n := range all(page) {
			if n.Data == "script" && attr(n, "src") == "" || n.Data == "img" {
				t.Errorf("%s has a <%s> from a post", path, n.Data)
			}
			for _, a := range n.Attr {
				if strings.HasPrefix(a.Key, "on") || a.Key == "style" {
					t.Errorf("%s has the attribute %s on a <%s>", path, a.Key, n.Data)
				}
				if (a.Key == "href" || a.Key == "src") && !isSafeTarget(a.Val) {
					t.Errorf("%s leads to %q", path, a.Val)
				}
			}
		}
	}
}

func isSafeTarget(u string) bool {
	return strings.HasPrefix(u, "/") && !strings.HasPrefix(u, "//") || strings.HasPrefix(u, "#") ||
		strings.HasPrefix(u, "https://") || strings.HasPrefix(u, "http://")
}

func TestTimesAreToldFromNow(t *testing.T) {
	cases := map[string]struct {
		at          time.Time
		short, full string
	}{
		"ahead of us":     {start.Add(time.Hour), "now", "Mon 30 Nov 2026, 14:50"},
		"just now":        {start.Add(-59 * time.Second), "now", "Mon 30 Nov 2026, 13:49"},
		"minutes":         {start.Add(-59 * time.Minute), "59 min", "Mon 30 Nov 2026, 12:51"},
		"hours":           {start.Add(-23 * time.Hour), "23 h", "Sun 29 Nov 2026, 14:50"},
		"days":            {start.Add(-6 * 24 * time.Hour), "6 d", "Tue 24 Nov 2026, 13:50"},
		"this year":       {start.Add(-8 * 24 * time.Hour), "22 Nov", "Sun 22 Nov 2026, 13:50"},
		"another year":    {start.AddDate(-1, 0, 0), "30 Nov 2025", "Sun 30 Nov 2025, 13:50"},
		"before all time": {time.Date(1, 1, 2, 0, 0, 0, 0, time.UTC), "2 Jan 0001", "Tue 2 Jan 0001, 01:00"},
	}
	for name, c := range cases {
		t.Run(name, func(t *testing.T) {
			w := newWorkspace(t, nil)
			w.net.set("social.example", sns.KindLocal, post(990, "Hello", func(p *sns.Post) { p.CreatedAt = new(c.at.UTC()) }))
			w.deck("Morning", local(w.connect("social.example")))
			w.fill()

			at := one(t, document(t, w.get("/decks/d").body), tag("time"), func(n *html.Node) bool { return has(n, "data-relative") })

			if text(at) != c.short || attr(at, "title") != c.full || attr(at, "datetime") != c.at.In(start.Location()).Format(time.RFC3339) {
				t.Errorf("time = %q %q %q, want %q %q", text(at), attr(at, "title"), attr(at, "datetime"), c.short, c.full)
			}
		})
	}
}

func TestAuthorsHaveNamesAndInitials(t *testing.T) {
	cases := map[string]struct {
		author         sns.Author
		name, initials string
	}{
		"two words":        {sns.Author{DisplayName: "ana lima", Handle: "@a@x.example"}, "ana lima", "AL"},
		"three words":      {sns.Author{DisplayName: "Ana B. Lima", Handle: "@a@x.example"}, "Ana B. Lima", "AB"},
		"one word":         {sns.Author{DisplayName: "Ana", Handle: "@a@x.example"}, "Ana", "A"},
		"no name":          {sns.Author{Handle: "@bo_b@x.example"}, "bo_b@x.example", "BB"},
		"japanese":         {sns.Author{DisplayName: "田中 愛子", Handle: "@a@x.example"}, "田中 愛子", "田"},
		"custom emoji":     {sns.Author{DisplayName: ":cat: Ana :dog:", Handle: "@a@x.example"}, ":cat: Ana :dog:", "A"},
		"emoji alone":      {sns.Author{DisplayName: "🌿", Handle: "@joon@x.example"}, "🌿", "JX"},
		"nothing at all":   {sns.Author{}, "Unknown author", "?"},
		"said to be so":    {sns.Author{Unknown: true, Handle: "@a@x.example"}, "Unknown author", "?"},
		"cyrillic":         {sns.Author{DisplayName: "анна каренина", Handle: "@a@x.example"}, "анна каренина", "АК"},
		"white space only": {sns.Author{DisplayName: "  ", Handle: "@ana@x.example"}, "ana@x.example", "AX"},
	}
	for name, c := range cases {
		t.Run(name, func(t *testing.T) {
			w := newWorkspace(t, nil)
			w.net.set("social.example", sns.KindLocal, post(990, "Hello", func(p *sns.Post) { p.Author = c.author }))
			w.deck("Morning", local(w.connect("social.example")))
			w.fill()

			page := document(t, w.get("/decks/d").body)

			if got := text(all(one(t, page, tag("h3")), tag("bdi"))[0]); got != c.name {
				t.Errorf("name = %q, want %q", got, c.name)
			}
			if got := text(one(t, page, class("avatar"))); got != c.initials {
				t.Errorf("initials = %q, want %q", got, c.initials)
			}
		})
	}
}

func TestNotificationsSayWhatHappened(t *testing.T) {
	three := []sns.Author{{DisplayName: "Ana"}, {DisplayName: "Bo"}, {DisplayName: "Cy"}, {DisplayName: "Dee"}}
	cases := map[string]struct {
		notification sns.Notification
		says         string
	}{
		"one actor":        {sns.Notification{Type: "like", Actors: three[:1], ActorCount: 1}, "Ana liked your post"},
		"two actors":       {sns.Notification{Type: "boost", Actors: three[:2], ActorCount: 2}, "Ana , Bo boosted your post"},
		"many actors":      {sns.Notification{Type: "like", Actors: three, ActorCount: 12}, "Ana , Bo , Cy and 9 others liked your post"},
		"one more":         {sns.Notification{Type: "follow", Actors: three, ActorCount: 4}, "Ana , Bo , Cy and 1 other followed you"},
		"an unknown kind":  {sns.Notification{Type: "other", RawType: "severed", Actors: three[:1]}, "Ana sent a notification"},
		"nobody in it":     {sns.Notification{Type: "poll"}, "Ana Lima has a poll that ended"},
		"one's own poll":   {sns.Notification{Type: "poll", Actors: []sns.Author{{Handle: "@Owner@social.example"}}}, "Your poll has ended"},
		"a follow request": {sns.Notification{Type: "follow_request", Actors: three[:1]}, "Ana asked to follow you"},
	}
	for name, c := range cases {
		t.Run(name, func(t *testing.T) {
			w := newWorkspace(t, nil)
			w.net.set("social.example", sns.KindLocal, post(990, "Hello", func(p *sns.Post) { p.Notification = &c.notification }))
			w.deck("Morning", local(w.login("social.example")))
			w.fill()

			body := w.get("/decks/d").body

			if got := text(one(t, document(t, body), class("lead"))); got != c.says {
				t.Errorf("the line above says %q, want %q", got, c.says)
			}
			if strings.Contains(body, "</bdi> ,") {
				t.Error("a comma stands apart from the name before it")
			}
		})
	}
}

func TestDemoMediaComesFromTheWorkspace(t *testing.T) {
	w := newWorkspace(t, func(c *web.Config) {
		c.DemoMedia = map[string]http.Handler{"127.0.0.1:4001": http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
			fmt.Fprintf(w, "%s cookies %d", r.URL, len(r.Cookies()))
		})}
	})
	w.net.set("social.example", sns.KindLocal, post(990, "Look", func(p *sns.Post) {
		p.Media = []sns.Media{
			{Type: "image", URL: "http://127.0.0.1:4001/pictures/scene/tea.svg", PreviewURL: "http://127.0.0.1:4001/pictures/scene/small.svg", Alt: "Tea"},
			{Type: "image", URL: "http://127.0.0.1:4002/pictures/scene/tea.svg", Alt: "Elsewhere"},
		}
	}))
	w.deck("Morning", local(w.connect("social.example")))
	w.fill()

	page := document(t, w.get("/decks/d").body)

	const own = "/demo/media/127.0.0.1:4001/pictures/scene/"
	if got := one(t, page, tag("a"), with("data-media", "image"), with("data-preview", own+"small.svg"), with("href", own+"tea.svg")); text(got) != "Picture Tea" {
		t.Errorf("the picture's link is %q, want Picture Tea", text(got))
	}
	if got, want := linkTo(page, "Picture Elsewhere"), "http://127.0.0.1:4002/pictures/scene/tea.svg"; got != want {
		t.Errorf("the picture of another server is at %q, want %q", got, want)
	}
	w.cookies = []*http.Cookie{{Name: "session", Value: "x"}}
	if got, want := w.get(own+"tea.svg").body, "/pictures/scene/tea.svg cookies 0"; got != want {
		t.Errorf("the file = %q, want %q", got, want)
	}
	if got := w.get("/demo/media/127.0.0.1:4002/pictures/scene/tea.svg").StatusCode; got != http.StatusNotFound {
		t.Errorf("a file of another server answers %d, want 404", got)
	}
}

func TestElementIdsOfPostsAreDistinct(t *testing.T) {
	w := newWorkspace(t, nil)
	ids := []string{"a.b", "x612e62", "2-3", "2_3"}
	var posts []sns.Post
	for i, id := range ids {
		posts = append(posts, post(900-i, "A post", func(p *sns.Post) { p.ID, p.EntryID = id, id }))
	}
	w.net.set("social.example", sns.KindLocal, posts...)
	w.deck("Morning", local(w.connect("social.example")))
	w.fill()

	seen := map[string]bool{}
	for _, n := range all(document(t, w.get("/decks/d").body), tag("article")) {
		seen[attr(n, "id")] = true
	}

	if len(seen) != len(ids) {
		t.Errorf("%d posts have %d element ids: %v", len(ids), len(seen), seen)
	}
}

func TestContentWarningsHaveAName(t *testing.T) {
	for name, c := range map[string]struct{ warning, want string }{
		"words":            {"food", "food"},
		"a picture":        {"🍜", "🍜"},
		"a zero-width one": {"\u200b\u2060", "Content warning"},
		"blanks":           {" \u00a0\u3000", "Content warning"},
		"fillers":          {"\u3164\u2800", "Content warning"},
		"joiners":          {"\u200d\ufe0f", "Content warning"},
	} {
		t.Run(name, func(t *testing.T) {
			w := newWorkspace(t, nil)
			w.net.set("social.example", sns.KindLocal, post(900, "Text", func(p *sns.Post) {
				p.ContentWarning = c.warning
				p.Quote = &sns.Quote{State: sns.QuoteAvailable, Post: &sns.Post{ID: "6", Text: "Soup", ContentWarning: c.warning}}
			}))
			w.deck("Morning", local(w.connect("social.example")))
			w.fill()

			got := texts(all(one(t, document(t, w.get("/decks/d").body), tag("article")), tag("summary")))

			if diff := cmp.Diff([]string{c.want, c.want}, got); diff != "" {
				t.Errorf("warnings of the post and its quote (-want +got):\n%s", diff)
			}
		})
	}
}
