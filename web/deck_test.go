package web_test

import (
	"fmt"
	"net/http"
	"strings"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"
	"golang.org/x/net/html"

	"personal-workspace/decks"
	"personal-workspace/internal/fault"
	"personal-workspace/sns"
	"personal-workspace/web"
)

func TestDeckShowsEveryColumnFromTheStore(t *testing.T) {
	w := newWorkspace(t, nil)
	c := w.connect("social.example")
	w.net.set("social.example", sns.KindLocal, post(990, "Hello from here"))
	w.net.set("social.example", sns.KindFederated, post(991, "Hello from afar"))
	federated := decks.Column{Title: "Everywhere", ConnectionID: c.ID, Source: sns.Source{Kind: sns.KindFederated}}
	w.deck("Morning", local(c), federated)
	w.fill()

	a := w.get("/decks/d")

	page := document(t, a.body)
	if got, want := text(one(t, page, tag("h1"))), "Morning"; got != want {
		t.Errorf("h1 = %q, want %q", got, want)
	}
	if diff := cmp.Diff([]string{"Local", "Everywhere"}, texts(all(page, tag("h2")))); diff != "" {
		t.Errorf("columns (-want +got):\n%s", diff)
	}
	if diff := cmp.Diff([]string{"Hello from here", "Hello from afar"}, texts(all(page, tag("div"), class("text")))); diff != "" {
		t.Errorf("posts (-want +got):\n%s", diff)
	}
	if diff := cmp.Diff([]string{"Updated 13:50", "Updated 13:50"}, texts(all(page, class("state")))); diff != "" {
		t.Errorf("states (-want +got):\n%s", diff)
	}
}

func TestDeckStructureIsThatOfFeeds(t *testing.T) {
	w := newWorkspace(t, nil)
	w.net.set("social.example", sns.KindLocal, timeline(30)...)
	w.deck("Morning", local(w.connect("social.example")))
	w.fill()

	page := document(t, w.get("/decks/d").body)

	section := one(t, page, tag("section"), class("column"))
	heading := one(t, section, tag("h2"))
	if attr(section, "aria-labelledby") != attr(heading, "id") {
		t.Errorf("the column is labelled by %q, its heading is %q", attr(section, "aria-labelledby"), attr(heading, "id"))
	}
	feed := one(t, section, with("role", "feed"))
	for c := range feed.ChildNodes() {
		if c.Type == html.ElementNode && c.Data != "article" {
			t.Errorf("the feed holds a <%s>, want articles alone", c.Data)
		}
	}
	articles := all(feed, tag("article"))
	if len(articles) != 20 {
		t.Errorf("%d posts, want 20", len(articles))
	}
	for _, article := range articles {
		label := one(t, article, tag("h3"))
		if attr(article, "aria-labelledby") != attr(label, "id") || attr(label, "id") == "" {
			t.Errorf("a post is labelled by %q, its heading is %q", attr(article, "aria-labelledby"), attr(label, "id"))
		}
	}
	scroller := one(t, section, class("scroller"))
	if attr(scroller, "tabindex") != "0" || attr(scroller, "aria-label") != "Posts of Local" {
		t.Errorf("the scroller cannot be reached by name: %v", scroller.Attr)
	}
}

func TestDeckFiltersHideOrFold(t *testing.T) {
	boosted := func(p *sns.Post) {
		p.BoostedBy = &sns.Boost{ID: "b", Author: sns.Author{Handle: "@dee@social.example"}}
	}
	cases := map[string]struct {
		filters *decks.Filters
		posts   []sns.Post
		shown   int
		says    string
	}{
		"hidden posts are counted": {
			filters: &decks.Filters{HideBoosts: true},
			posts:   []sns.Post{post(990, "a"), post(989, "b", boosted)}, shown: 1,
			says: "1 post is hidden by this column's filters.",
		},
		"folded posts keep their place": {
			filters: &decks.Filters{HideBoosts: true, Action: "fold"},
			posts:   []sns.Post{post(990, "a"), post(989, "b", boosted)}, shown: 2,
			says: "Folded by this column's filters",
		},
		"all posts hidden is said": {
			filters: &decks.Filters{HideBoosts: true},
			posts:   []sns.Post{post(990, "a", boosted), post(989, "b", boosted)}, shown: 0,
			says: "All 2 posts here are hidden by this column's filters.",
		},
	}
	for name, c := range cases {
		t.Run(name, func(t *testing.T) {
			w := newWorkspace(t, nil)
			w.net.set("social.example", sns.KindLocal, c.posts...)
			column := local(w.connect("social.example"))
			column.Filters = c.filters
			w.deck("Morning", column)
			w.fill()

			a := w.get("/decks/d")

			if got := len(all(document(t, a.body), tag("article"))); got != c.shown {
				t.Errorf("%d posts, want %d", got, c.shown)
			}
			if !strings.Contains(html.UnescapeString(a.body), c.says) {
				t.Errorf("the page does not say %q", c.says)
			}
		})
	}
}

func TestDeckNamesEveryStateInWords(t *testing.T) {
	retry := start.Add(15 * time.Minute)
	cases := map[string]struct {
		fails       error
		state, says string
	}{
		"limited":      {fault.New(fault.RateLimited, "Wait.").RetryAt(retry), "Limited until 14:05", "Wait. The posts below are from 13:48."},
		"own budget":   {fault.New(fault.BudgetExhausted, "Wait.").RetryAt(retry), "Limited until 14:05", "Limited until 14:05"},
		"unauthorized": {fault.New(fault.Unauthorized, "No."), "Sign in again", "social.example no longer accepts this account's sign-in Until that is mended nothing new is read; columns and posts stay. The posts below are from 13:48."},
		"gone":         {fault.Missing("list", "The list is gone."), "Source gone", "The source is gone"},
		"forbidden":    {fault.New(fault.Forbidden, "Not for you."), "Not available", "Not for you."},
		"offline":      {fault.New(fault.UpstreamUnavailable, "It is down; try again later."), "Offline since 13:50", "social.example cannot be read right now It is down. It is asked again at 13:51."},
		"no answer":    {fault.New(fault.Timeout, "It is slow; try again later.").RetryAt(retry), "Offline since 13:50", "No answer from social.example It is slow. It is asked again at 14:05."},
		"outdated":     {fault.New(fault.UpstreamUnavailable, "Its id is old. Wait until 13:04:00 UTC, or name a newer catalogue.").RetryAt(retry), "Offline since 13:50", "social.example cannot be read right now Its id is old. Wait until 14:04, or name a newer catalogue."},
		"changed":      {fault.New(fault.UpstreamChanged, "Strange answer."), "Failed at 13:50", "Strange answer."},
	}
	for name, c := range cases {
		t.Run(name, func(t *testing.T) {
			w := newWorkspace(t, nil)
			w.net.set("social.example", sns.KindLocal, timeline(3)...)
			conn := w.connect("social.example")
			w.deck("Morning", local(conn))
			w.pass(-2 * time.Minute)
			w.fill()
			w.pass(2 * time.Minute)
			w.net.breakWith(c.fails)
			w.posts.Refresh(t.Context(), conn.ID, sns.Source{Kind: sns.KindLocal}) // it fails on purpose

			a := w.get("/decks/d")

			page := document(t, a.body)
			if got := text(one(t, page, class("state"))); got != c.state {
				t.Errorf("state = %q, want %q", got, c.state)
			}
			if got := text(one(t, page, class("panel"))); !strings.Contains(got, c.says) {
				t.Errorf("panel = %q, want it to say %q", got, c.says)
			}
			if got := len(all(page, tag("article"))); got != 3 {
				t.Errorf("%d stored posts are shown, want 3", got)
			}
			if len(all(page, func(n *html.Node) bool { return has(n, "hx-get") && class("loader")(n) })) != 0 {
				t.Error("the page asks again at once, want it to wait")
			}
		})
	}
}

// TestWhatIsWrongStaysSaidWhileItIsTriedAgain: without script the page stands as it
// was printed.
func TestWhatIsWrongStaysSaidWhileItIsTriedAgain(t *testing.T) {
	w := newWorkspace(t, nil)
	conn := w.connect("social.example")
	w.deck("Morning", local(conn))
	w.net.breakWith(fault.Missing("list", "The list is gone."))
	w.posts.Refresh(t.Context(), conn.ID, sns.Source{Kind: sns.KindLocal}) // it fails on purpose
	w.pass(10 * time.Minute)

	page := document(t, w.get("/decks/d").body)

	one(t, page, func(n *html.Node) bool { return has(n, "hx-get") && class("loader")(n) }) // it is tried again
	if got := text(one(t, page, class("state"))); got != "Source gone" {
		t.Errorf("state = %q, want %q", got, "Source gone")
	}
}

func TestDeckWithARemovedAccount(t *testing.T) {
	w := newWorkspace(t, nil)
	w.net.set("social.example", sns.KindLocal, timeline(3)...)
	c := w.connect("social.example")
	w.deck("Morning", local(c))
	w.fill()
	if err := w.posts.RemoveConnection(t.Context(), c.ID); err != nil {
		t.Fatal(err)
	}

	for _, path := range []string{"/decks/d", "/decks/d/columns/c1"} {
		a := w.get(path)
		if a.StatusCode != http.StatusOK {
			t.Fatalf("%s answers %d, want 200", path, a.StatusCode)
		}
		page := document(t, a.body)
		if got, want := text(one(t, page, class("state"))), "Account removed"; got != want {
			t.Errorf("%s: state = %q, want %q", path, got, want)
		}
		if got, want := text(one(t, page, class("panel"))), "Its posts were forgotten with it."; !strings.Contains(got, want) {
			t.Errorf("%s: panel = %q, want it to say %q", path, got, want)
		}
	}
}

func TestDeckNotYetLoaded(t *testing.T) {
	w := newWorkspace(t, nil)
	w.deck("Morning", local(w.connect("social.example")))

	page := document(t, w.get("/decks/d").body)

	if got, want := text(one(t, page, class("state"))), "Loading from social.example"; got != want {
		t.Errorf("state = %q, want %q", got, want)
	}
	loader := one(t, page, class("loader"))
	if got, want := attr(loader, "hx-get"), "/decks/d/columns/c1?fresh=1&of="; !strings.HasPrefix(got, want) {
		t.Errorf("the loader asks for %q, want %q", got, want)
	}
	if len(all(page, class("skeleton"))) != 1 {
		t.Error("no empty rows are drawn")
	}
	if len(w.net.requests()) != 0 {
		t.Errorf("the page waited for the network: %v", w.net.requests())
	}
}

func TestDeckColumnWithoutPosts(t *testing.T) {
	w := newWorkspace(t, nil)
	w.deck("Morning", local(w.connect("social.example")))
	w.fill()

	page := document(t, w.get("/decks/d").body)

	if got, want := text(one(t, page, class("panel"))), "Nothing here yet Last looked at 13:50."; got != want {
		t.Errorf("panel = %q, want %q", got, want)
	}
}

func TestDeckAsksForNewsOnlyOfOldColumns(t *testing.T) {
	w := newWorkspace(t, nil)
	w.net.set("social.example", sns.KindLocal, timeline(3)...)
	w.deck("Morning", local(w.connect("social.example")))
	w.fill()
	loads := func() int {
		return len(all(document(t, w.get("/decks/d").body), class("loader"), func(n *html.Node) bool { return has(n, "hx-get") }))
	}

	if got := loads(); got != 0 {
		t.Errorf("a column of this minute has %d loaders, want none", got)
	}
	w.pass(time.Minute)
	if got := loads(); got != 1 {
		t.Errorf("a column of the minute before has %d loaders, want 1", got)
	}
}

func TestDeckBudgets(t *testing.T) {
	w := newWorkspace(t, nil)
	var columns []decks.Column
	for i := range decks.MaxColumns {
		host := fmt.Sprintf("s%d.example", i)
		w.net.set(host, sns.KindLocal, varied(i, 20)...)
		columns = append(columns, local(w.connect(host)))
	}
	w.deck("Morning", columns...)
	w.fill()

	zipped := w.get("/decks/d", "Accept-Encoding", "gzip")
	page := document(t, w.get("/decks/d").body)

	if len(all(page, tag("article"))) != 120 {
		t.Fatalf("%d posts, want 120", len(all(page, tag("article"))))
	}
	nodes := 0
	for range page.Descendants() {
		nodes++
	}
	t.Logf("6×20 posts: %d bytes gzip, %d nodes", len(zipped.body), nodes)
	if len(zipped.body) > 60_000 {
		t.Errorf("the page has %d bytes gzip, want at most 60000", len(zipped.body))
	}
	if nodes > 9000 {
		t.Errorf("the page has %d nodes, want at most 9000", nodes)
	}
}

// varied is a timeline whose texts do not repeat, with something attached to
// most posts.
func varied(seed, n int) []sns.Post {
	var list []sns.Post
	r := uint32(seed*2654435761 + 1)
	word := func() string {
		r = r*1664525 + 1013904223
		return fmt.Sprintf("%s%s%s", []string{"ka", "no", "mi", "ter", "sol", "ban", "que", "lo"}[r>>8%8], []string{"ra", "shi", "ven", "do", "tu", "ef", "ix", "um"}[r>>16%8], []string{"", "n", "s", "to", "ya", "le", "k", "os"}[r>>24%8])
	}
	words := func(n int) string {
		var b strings.Builder
		for range n {
			b.WriteString(word() + " ")
		}
		return b.String()
	}
	for i := range n {
		list = append(list, post(999-i, words(30+int(r>>20%40)), func(p *sns.Post) {
			p.ID = fmt.Sprintf("%d%d", 999-i, seed)
			p.EntryID = fmt.Sprint(999 - i)
			p.Author = sns.Author{Handle: "@" + word() + "@" + word() + ".example", DisplayName: words(2), URL: "https://" + word() + ".example/@" + word()}
			p.Counts = &sns.Counts{Replies: new(int64(i)), Boosts: new(int64(r >> 20)), Likes: new(int64(r >> 18))}
			p.Media = []sns.Media{{Type: "image", URL: "https://files.example/" + word() + word() + ".png", PreviewURL: "https://files.example/" + word() + word() + ".jpg", Alt: words(15), Width: 1200, Height: 800}}
			switch i % 4 {
			case 0:
				p.Poll = &sns.Poll{Options: []sns.PollOption{{Title: word(), Votes: new(int64(4))}, {Title: word(), Votes: new(int64(5))}}, Votes: 9}
			case 1:
				p.BoostedBy = &sns.Boost{ID: "b" + p.ID, Author: sns.Author{DisplayName: words(2), Handle: "@" + word()}}
				p.ContentWarning = words(3)
			case 2:
				p.Quote = &sns.Quote{State: sns.QuoteAvailable, Post: &sns.Post{ID: "q", Text: words(20), Author: sns.Author{DisplayName: word(), Handle: word()}}}
			}
		}))
	}
	return list
}

// TestWhatIsNotFoundHasAName: a page that says so names it, and leads on.
func TestWhatIsNotFoundHasAName(t *testing.T) {
	for path, want := range map[string]string{
		"/decks/nothing":                      "Deck not found There is no such deck; it may have been deleted. Go to Home Go to your decks",
		"/activities/nothing":                 "Task or reply not found There is no such activity; it may have been erased. Go to Home",
		"/connections/nothing":                "Account not found There is no such account. It may have been disconnected, or the link is wrong. Go to Home",
		"/posts/c/nothing":                    "Account not found The account that this post was read with is not connected any more. Go to Home",
		"/nothing":                            "Page not found There is nothing at this address. It may have been deleted, or the link is wrong. Go to Home",
		"/setup/0000000000000000000000000000": "Not found This set-up link is not valid any more.",
	} {
		w := newWorkspace(t, nil)

		a := w.get(path)

		page := one(t, document(t, a.body), tag("main"))
		if got := strings.TrimPrefix(text(page), "Personal Workspace "); a.StatusCode != http.StatusNotFound || !strings.HasPrefix(got, want) {
			t.Errorf("%s is answered %d: %q, want %q", path, a.StatusCode, got, want)
		}
		if home := attr(all(page, tag("a"))[0], "href"); home != "/" {
			t.Errorf("%s leads to %s, want Home", path, home)
		}
	}
}

func TestDemoIsSaidOnEveryPage(t *testing.T) {
	w := newWorkspace(t, func(c *web.Config) { c.Demo = true })
	w.deck("Morning", local(w.connect("social.example")))

	for _, path := range []string{"/decks", "/decks/d", "/decks/d/columns/c1", "/nothing"} {
		page := document(t, w.get(path).body)
		if got, want := text(one(t, page, tag("header"), class("banner"))), "Demo: built-in sample accounts; nothing is kept."; got != want {
			t.Errorf("%s: banner = %q, want %q", path, got, want)
		}
	}
}
