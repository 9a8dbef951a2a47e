package web_test

import (
	"net/http"
	"net/url"
	"slices"
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

func TestFreshColumnWaitsForTheNetwork(t *testing.T) {
	w := newWorkspace(t, nil)
	w.net.set("social.example", sns.KindLocal, post(990, "New"))
	w.deck("Morning", local(w.connect("social.example")), decks.Column{ConnectionID: w.connect("other.example").ID, Source: sns.Source{Kind: sns.KindLocal}})

	a := w.fragment("/decks/d/columns/c1?fresh=1")

	page := document(t, a.body)
	section := one(t, page, tag("section"))
	if attr(section, "id") != "column-c1" {
		t.Errorf("the fragment is %q, want column-c1", attr(section, "id"))
	}
	if diff := cmp.Diff([]string{"New"}, texts(all(section, tag("div"), class("text")))); diff != "" {
		t.Errorf("posts (-want +got):\n%s", diff)
	}
	if got := attr(one(t, section, class("skip")), "href"); got != "#column-c2" {
		t.Errorf("the next column is %q, want #column-c2", got)
	}
	if len(all(page, tag("h1"))) != 0 {
		t.Error("the fragment is a whole page")
	}
}

func TestFreshColumnAsksAgainWhenTheNetworkIsSlow(t *testing.T) {
	w := newWorkspace(t, func(c *web.Config) { c.RefreshWait = time.Millisecond })
	w.net.block = make(chan struct{})
	defer close(w.net.block)
	w.deck("Morning", local(w.connect("social.example")))

	second := document(t, w.fragment("/decks/d/columns/c1?fresh=1").body)
	last := document(t, w.fragment("/decks/d/columns/c1?fresh=3").body)

	loader := one(t, second, class("loader"))
	if got, want := attr(loader, "hx-get"), "/decks/d/columns/c1?fresh=2&of="; !strings.HasPrefix(got, want) {
		t.Errorf("the column asks for %q, want %q", got, want)
	}
	if got, want := attr(loader, "hx-trigger"), "load delay:1000ms"; got != want {
		t.Errorf("the column asks at %q, want %q", got, want)
	}
	if got := attr(one(t, last, class("loader")), "hx-get"); got != "" {
		t.Errorf("after the last try the column asks for %q, want nothing", got)
	}
	if got, want := text(one(t, last, class("state"))), "No answer at 13:50"; got != want {
		t.Errorf("state = %q, want %q", got, want)
	}
	if got := text(one(t, last, class("panel"))); !strings.HasPrefix(got, "No answer from social.example") {
		t.Errorf("panel = %q, want it to name the server", got)
	}
}

func TestFreshColumnKeepsThePostsThatWereLoaded(t *testing.T) {
	w := newWorkspace(t, nil)
	w.net.set("social.example", sns.KindLocal, timeline(90)...)
	c := w.connect("social.example")
	w.deck("Morning", local(c))
	w.fill()
	cursor := ""
	for range 4 {
		page, err := w.posts.FetchPosts(t.Context(), c.ID, sns.Source{Kind: sns.KindLocal}, cursor)
		if err != nil {
			t.Fatal(err)
		}
		cursor = page.NextCursor
	}

	for rows, want := range map[string]int{"60": 60, "5": 20, "x": 20, "100000": 80} {
		page := document(t, w.fragment("/decks/d/columns/c1?fresh=1&rows="+rows).body)
		if got := len(all(page, tag("article"), class("post"))); got != want {
			t.Errorf("rows=%s gives %d posts, want %d", rows, got, want)
		}
	}
}

func TestFreshColumnShowsWhyItFailed(t *testing.T) {
	w := newWorkspace(t, nil)
	w.net.breakWith(fault.New(fault.UpstreamUnavailable, "The server is down; try later."))
	w.deck("Morning", local(w.connect("social.example")))

	a := w.fragment("/decks/d/columns/c1?fresh=1")

	if a.StatusCode != http.StatusOK {
		t.Errorf("status = %d, want 200: a column's failure is not the page's", a.StatusCode)
	}
	page := document(t, a.body)
	if got, want := text(one(t, page, class("state"))), "Offline since 13:50"; got != want {
		t.Errorf("state = %q, want %q", got, want)
	}
	if got, want := text(one(t, page, class("panel"))), "social.example cannot be read right now The server is down; try later. It is asked again at 13:51."; got != want {
		t.Errorf("panel = %q, want %q", got, want)
	}
}

// TestOlderPostsComeFromTheStoreAndThenFromTheNetwork follows the link, as a
// browser without script does, from the newest post to the oldest.
func TestOlderPostsComeFromTheStoreAndThenFromTheNetwork(t *testing.T) {
	w := newWorkspace(t, nil)
	w.net.set("social.example", sns.KindLocal, timeline(70)...)
	c := w.connect("social.example")
	w.deck("Morning", local(c))
	w.fill()
	first, err := w.posts.FetchPosts(t.Context(), c.ID, sns.Source{Kind: sns.KindLocal}, "")
	if err != nil {
		t.Fatal(err)
	}
	if _, err := w.posts.FetchPosts(t.Context(), c.ID, sns.Source{Kind: sns.KindLocal}, first.NextCursor); err != nil {
		t.Fatal(err)
	}

	var seen []string
	path := "/decks/d/columns/c1"
	for path != "" && len(seen) < 100 {
		page := document(t, w.get(path).body)
		seen = append(seen, texts(all(page, tag("div"), class("text")))...)
		path = linkTo(page, "Older posts")
	}

	var want []string
	for _, p := range timeline(70) {
		want = append(want, p.Text)
	}
	if diff := cmp.Diff(want, seen); diff != "" {
		t.Errorf("posts in order (-want +got):\n%s", diff)
	}
}

// linkTo is where the link with this text leads, "" without one.
func linkTo(n *html.Node, says string) string {
	for _, a := range all(n, tag("a")) {
		if text(a) == says {
			return attr(a, "href")
		}
	}
	return ""
}

func TestOlderPostsForScriptGoToTheEndOfTheFeed(t *testing.T) {
	w := newWorkspace(t, nil)
	w.net.set("social.example", sns.KindLocal, timeline(50)...)
	w.deck("Morning", local(w.connect("social.example")))
	w.fill()
	older := linkTo(document(t, w.get("/decks/d").body), "Older posts")

	page := document(t, w.fragment(older).body)

	partial := one(t, page, tag("hx-partial"))
	if got, want := attr(partial, "hx-target")+" "+attr(partial, "hx-swap"), "#feed-c1 beforeend"; got != want {
		t.Errorf("the posts go to %q, want %q", got, want)
	}
	if got := len(all(partial, tag("article"))); got != 20 {
		t.Errorf("%d posts, want 20", got)
	}
	if linkTo(one(t, page, class("tail")), "Older posts") == "" {
		t.Error("there is no link to go on")
	}
}

func TestOlderPostsThatFailCanBeAskedForAgain(t *testing.T) {
	w := newWorkspace(t, nil)
	w.net.set("social.example", sns.KindLocal, timeline(50)...)
	w.deck("Morning", local(w.connect("social.example")))
	w.fill()
	older := linkTo(document(t, w.get("/decks/d").body), "Older posts")
	w.net.breakWith(fault.New(fault.UpstreamUnavailable, "The server is down; try later."))

	page := document(t, w.fragment(older).body)

	if got, want := text(one(t, page, class("panel"))), "Older posts did not come The server is down; try later."; got != want {
		t.Errorf("panel = %q, want %q", got, want)
	}
	if got := linkTo(page, "Older posts"); got != older {
		t.Errorf("the link leads to %q, want the same again", got)
	}
}

func TestOlderPostsOfAForgedPlace(t *testing.T) {
	w := newWorkspace(t, nil)
	w.deck("Morning", local(w.connect("social.example")))

	if a := w.get("/decks/d/columns/c1?before=..%2Fx"); a.StatusCode != http.StatusBadRequest {
		t.Errorf("a forged place in the store answers %d, want 400", a.StatusCode)
	}
	a := w.get("/decks/d/columns/c1?cursor=forged")
	page := document(t, a.body)
	if got := text(one(t, page, class("panel"))); !strings.HasPrefix(got, "Older posts did not come") {
		t.Errorf("panel = %q, want it to say that nothing came", got)
	}
	if linkTo(page, "Newest posts") != "/decks/d/columns/c1" || linkTo(page, "Older posts") != "" {
		t.Error("want a way back to the newest posts and no way on")
	}
}

func TestGapsCanBeLoaded(t *testing.T) {
	w := newWorkspace(t, nil)
	w.net.set("social.example", sns.KindLocal, timeline(100)[60:]...)
	w.deck("Morning", local(w.connect("social.example")))
	w.fill()
	w.pass(time.Hour)
	w.net.set("social.example", sns.KindLocal, timeline(100)...)
	w.fill()

	atTheEnd := document(t, w.get("/decks/d/columns/c1").body)
	inside := document(t, w.fragment("/decks/d/columns/c1?fresh=1&rows=40").body)

	for name, link := range map[string]string{
		"at the end of a page": linkTo(atTheEnd, "Older posts"),
		"inside a page":        attr(one(t, one(t, inside, tag("article"), class("gap")), tag("a")), "href"),
	} {
		older := document(t, w.get(link).body)
		if got, want := text(all(older, tag("div"), class("text"))[0]), "Post number 979"; got != want {
			t.Errorf("a gap %s leads to %q, want %q", name, got, want)
		}
	}
}

func TestRefreshWithoutScript(t *testing.T) {
	w := newWorkspace(t, nil)
	w.net.set("one.example", sns.KindLocal, timeline(3)...)
	w.deck("Morning", local(w.connect("one.example")), local(w.connect("two.example")))

	a := w.post("/decks/d/refresh", url.Values{})

	if a.StatusCode != http.StatusSeeOther || a.Header.Get("Location") != "/decks/d" {
		t.Errorf("the form answers %d to %q, want 303 to /decks/d", a.StatusCode, a.Header.Get("Location"))
	}
	asked := w.net.requests()
	slices.Sort(asked)
	if diff := cmp.Diff([]string{"one.example local", "two.example local"}, asked); diff != "" {
		t.Errorf("asked (-want +got):\n%s", diff)
	}
	if got := len(all(document(t, w.get("/decks/d").body), tag("article"))); got != 3 {
		t.Errorf("%d posts afterwards, want 3", got)
	}
}

func TestRefreshOfADeckThatIsNotAsShown(t *testing.T) {
	for _, c := range []struct {
		name, path, revision, want string
		status                     int
	}{
		{"as shown", "/decks/d/refresh", "1", "", http.StatusOK},
		{"changed since", "/decks/d/refresh", "7", "/decks/d", http.StatusNoContent},
		{"deleted since", "/decks/gone/refresh", "1", "/decks/gone", http.StatusNoContent},
	} {
		t.Run(c.name, func(t *testing.T) {
			w := newWorkspace(t, nil)
			w.deck("Morning", local(w.connect("one.example")))
			w.fill()

			a := w.post(c.path, url.Values{"revision": {c.revision}}, "HX-Request", "true")

			if got := a.Header.Get("HX-Redirect"); a.StatusCode != c.status || got != c.want {
				t.Errorf("answer = %d to %q, want %d to %q", a.StatusCode, got, c.status, c.want)
			}
		})
	}
}

func TestTheDeckPageSaysWhichRevisionItShows(t *testing.T) {
	w := newWorkspace(t, nil)
	w.deck("Morning", local(w.connect("one.example")))

	page := w.get("/decks/d").body

	if !strings.Contains(page, `name="revision" value="1"`) {
		t.Error("the Refresh form has no revision")
	}
}

func TestRefreshWithScript(t *testing.T) {
	w := newWorkspace(t, nil)
	w.deck("Morning", local(w.connect("one.example")), local(w.connect("two.example")))
	w.fill()

	page := document(t, w.post("/decks/d/refresh", url.Values{}, "HX-Request", "true").body)

	var urls []string
	for _, n := range all(page, class("loader")) {
		before, _, _ := strings.Cut(attr(n, "hx-get"), "&of=")
		urls = append(urls, before)
	}
	if diff := cmp.Diff([]string{"/decks/d/columns/c1?fresh=1", "/decks/d/columns/c2?fresh=1"}, urls); diff != "" {
		t.Errorf("loaders (-want +got):\n%s", diff)
	}
	if diff := cmp.Diff([]string{"Loading", "Loading"}, texts(all(page, class("state")))); diff != "" {
		t.Errorf("states (-want +got):\n%s", diff)
	}
}

func TestColumnAlone(t *testing.T) {
	w := newWorkspace(t, nil)
	w.net.set("social.example", sns.KindLocal, timeline(3)...)
	w.deck("Morning", local(w.connect("social.example")))
	w.fill()

	page := document(t, w.get("/decks/d/columns/c1").body)

	if got, want := text(one(t, page, tag("h1"))), "Local"; got != want {
		t.Errorf("h1 = %q, want %q", got, want)
	}
	if got := linkTo(page, "Back to Morning"); got != "/decks/d" {
		t.Errorf("the way back leads to %q, want /decks/d", got)
	}
	if a := w.get("/decks/d/columns/nothing"); a.StatusCode != http.StatusNotFound {
		t.Errorf("a column that does not exist answers %d, want 404", a.StatusCode)
	}
}
