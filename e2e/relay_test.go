package e2e_test

import (
	"encoding/json"
	"regexp"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"
	"github.com/mxschmitt/playwright-go"

	"personal-workspace/sns"
	"personal-workspace/sns/snstest"
)

// ofX are the columns of X in the deck of both networks.
var ofX = []string{"Following", "Ferries & tides", "Search: harbour"}

func TestBothNetworksStandSideBySide(t *testing.T) {
	w := start(t, options{demo: true})
	p := open(t, w, desktop, w.deckNamed(t, "Both shores"))
	p.live()
	all := append([]string{"Tidepool", "Harbour people", "夕凪"}, ofX...)
	for _, name := range all {
		must(t, check.Locator(p.column(name).Locator("article.post").Nth(4)).ToBeAttached())
		must(t, check.Locator(p.state(name)).ToContainText("Live"))
	}
	must(t, check.Locator(p.column("Following").GetByText("reposted").First()).ToBeAttached())
	must(t, check.Locator(p.column("Harbour people").GetByText("boosted").First()).ToBeAttached())
	tag := w.demo.Relay().Origin() + "/hashtag/harbour"
	must(t, check.Locator(p.column("Following").Locator("a.tag[href='"+tag+"']").First()).ToBeAttached())
	if page, err := p.Request().Get(tag); err != nil || !page.Ok() {
		t.Errorf("the page of a hashtag: %v (%v)", page, err)
	}
	must(t, p.summary("Ferries & tides").Click())
	must(t, check.Locator(p.GetByText("A look takes 1 of 60 reads in 15 minutes").Nth(1)).ToBeVisible())
	p.accessible()
	must(t, p.Keyboard().Press("Escape"))

	const news = "The trombone of the harbour has been collected."
	w.demo.Relay().Profile("mira").Add(snstest.Tweet{Author: "elleryharbour", Text: news})
	w.demo.Servers()[0].Add(snstest.Status{Author: "tilde", Text: news})
	w.demo.Servers()[2].Add(snstest.Status{Text: news})
	w.pass(30 * time.Second)
	must(t, p.button("Refresh").Click())
	for _, name := range all {
		must(t, check.Locator(p.column(name)).ToContainText(news))
	}

	read := map[string]int{}
	for _, name := range all {
		read[name] = p.readToTheEnd(name)
	}
	// The relay sends 98 posts where 20 were asked for; none is lost.
	if n := read["Ferries & tides"]; n != 146 {
		t.Errorf("the list has shown %d posts, want 146", n)
	}
	older := slices.DeleteFunc(w.demo.Relay().CallsOf("ListLatestTweetsTimeline"), func(c snstest.Call) bool {
		return !strings.Contains(string(c.Variables), "cursor")
	})
	if len(older) != 2 {
		t.Errorf("the relay was asked %d times for older posts of the list, want for those there are and once to see the end", len(older))
	}
	w.onlyReads(t)
}

// readToTheEnd scrolls down in a column until it has no older posts, and returns
// how many it has shown on the way. None may stand twice.
func (p *tab) readToTheEnd(column string) int {
	p.t.Helper()
	c := p.column(column)
	must(p.t, c.ScrollIntoViewIfNeeded())
	got, err := c.Evaluate(`async column => {
		const scroller = column.querySelector(".scroller");
		const seen = new Set();
		for (const end = performance.now() + 60_000; performance.now() < end; await new Promise(requestAnimationFrame)) {
			const ids = [...column.querySelectorAll("article.post")].map(a => a.id);
			if (new Set(ids).size < ids.length) return -1;
			ids.forEach(id => seen.add(id));
			if (scroller.textContent.includes("There are no older posts.")) return seen.size;
			scroller.scrollTop = scroller.scrollHeight;
		}
		return -2;
	}`, nil)
	must(p.t, err)
	n := int(number(got))
	if n < 0 {
		p.t.Errorf("%s shows a post twice (-1) or does not end (-2): %d", column, n)
	}
	return n
}

// onlyReads checks that the relay was asked for nothing but reads, each with the
// profile of the account. What it refuses itself fails every test.
func (w *workspace) onlyReads(t *testing.T) {
	t.Helper()
	reads := []string{
		"Viewer", "HomeLatestTimeline", "HomeTimeline", "ListLatestTweetsTimeline", "ListsManagementPageTimeline",
		"SearchTimeline", "NotificationsTimeline", "Bookmarks",
	}
	for _, c := range w.demo.Relay().Calls() {
		if c.Profile != "mira" || !slices.Contains(reads, c.Operation) {
			t.Errorf("the relay was asked %s %s (%q) with the profile %q", c.Method, c.Path, c.Operation, c.Profile)
		}
	}
}

func TestARelayThatFailsIsLeftAlone(t *testing.T) {
	w := start(t, options{demo: true})
	relay := w.demo.Relay()
	relay.Inject("*", 0, snstest.Opaque())
	relay.ForgetCalls()
	path := w.deckNamed(t, "Both shores")
	for range 3 { // then it is left alone for at least eight minutes
		w.pass(3 * time.Minute)
		w.refreshX(t, strings.TrimPrefix(path, "/decks/"))
	}
	w.onlyReads(t)
	if n := len(relay.Calls()); n != 9 {
		t.Errorf("the relay was asked %d times, want three times for each column", n)
	}
	relay.ForgetCalls()

	p := open(t, w, desktop, path)
	p.settled()
	for _, name := range ofX {
		must(t, check.Locator(p.state(name)).ToContainText("Offline since"))
		must(t, check.Locator(p.column(name).GetByText("X cannot be read right now")).ToBeVisible())
		must(t, check.Locator(p.column(name)).ToContainText("The relay reads nothing with the profile mira; look whether its page is open and signed in to X, or restart the relay. It is asked again at"))
		must(t, check.Locator(p.column(name)).ToContainText("The posts below are from"))
		must(t, check.Locator(p.column(name).Locator("article.post").First()).ToBeVisible())
		must(t, check.Locator(p.column(name).Locator("article.post").Nth(5)).ToBeAttached())
	}
	must(t, check.Locator(p.state("Tidepool")).Not().ToContainText("Offline"))
	p.accessible()

	must(t, p.button("Refresh").Click())
	p.settled()
	must(t, check.Locator(p.state("Following")).ToContainText("Offline since"))
	for _, look := range fewLooks()[1:] {
		again := open(t, w, look, path)
		must(t, again.column("Following").ScrollIntoViewIfNeeded())
		must(t, check.Locator(again.column("Following").GetByText("X cannot be read right now")).ToBeVisible())
		again.accessible()
	}
	if n := len(relay.Calls()); n != 0 {
		t.Errorf("the relay was asked %d times while it is left alone", n)
	}

	relay.ClearFaults()
	p.visit("/connections")
	must(t, p.button("Test now X (fast and short)").Click())
	p.says("Tested: the server has just answered.")
}

func TestAListOfXIsFetchedInFivePages(t *testing.T) {
	w := start(t, options{demo: true})
	x := w.demo.Relay().Profile("mira")
	x.AddMany(98)
	list := x.AddList(snstest.TweetList{Title: "Ben", Members: []string{"ben"}})
	arguments := map[string]any{"connectionId": w.onX(t).ID, "source": map[string]any{"kind": "list", "listId": list}}
	w.demo.Relay().ForgetCalls()

	var sizes []int
	seen := map[string]bool{}
	for {
		var page struct {
			Posts      []struct{ ID string }
			NextCursor *string
		}
		must(t, json.Unmarshal([]byte(w.call(t, "fetch_posts", arguments)), &page))
		sizes = append(sizes, len(page.Posts))
		for _, post := range page.Posts {
			seen[post.ID] = true
		}
		if page.NextCursor == nil || len(sizes) > 9 {
			break
		}
		arguments["cursor"] = *page.NextCursor
	}

	// X names an older page behind the last posts too: only asking tells the end.
	if diff := cmp.Diff([]int{20, 20, 20, 20, 18, 0}, sizes); diff != "" || len(seen) != 98 {
		t.Errorf("%d posts, want 98; pages (-want +got):\n%s", len(seen), diff)
	}
	w.onlyReads(t)
	if n := len(w.demo.Relay().Calls()); n != 2 {
		t.Errorf("the relay was asked %d times, want 2", n)
	}
}

// refreshX asks X for each of its columns of a deck, whatever comes of it.
func (w *workspace) refreshX(t *testing.T, deck string) {
	t.Helper()
	d, err := w.app.Decks.GetDeck(t.Context(), deck)
	must(t, err)
	x := w.onX(t).ID
	for _, c := range d.Columns {
		if c.ConnectionID == x {
			w.pass(3 * time.Second) // X is asked with breaks
			_ = w.app.Store.Posts.Refresh(t.Context(), x, c.Source)
		}
	}
}

// onX is the demo's account on X.
func (w *workspace) onX(t *testing.T) sns.Connection {
	t.Helper()
	list, err := w.app.Store.Posts.ListConnections(t.Context())
	must(t, err)
	for _, c := range list {
		if c.Network == sns.Twitter {
			return c
		}
	}
	t.Fatal("the demo has no account on X")
	return sns.Connection{}
}

func TestConnectX(t *testing.T) {
	for _, look := range widths() {
		t.Run(look.String(), func(t *testing.T) {
			w := start(t, options{servers: true, base: "/ws/"})
			p := open(t, w, look, "/connections/new")
			p.expected = regexp.MustCompile("status of 422")
			connect := func(profile string) {
				must(t, p.field("Profile").Fill(profile))
				must(t, p.button("Connect X").Click())
			}

			connect("nobody")
			must(t, check.Locator(p.GetByRole("alert")).ToContainText("has no profile nobody; it has: mira."))
			must(t, check.Locator(p.field("Profile")).ToHaveValue("nobody"))
			p.accessible()
			p.fits()

			w.demo.Relay().Inject("*", 1, snstest.SignedOut())
			connect("mira")
			must(t, check.Locator(p.GetByRole("alert")).ToContainText("Nobody is signed in to X in the profile mira"))

			w.pass(20 * time.Minute)
			connect("mira")
			p.says("Connected. The next step is a deck that shows it.")
			p.says("@mirabindsx")
			must(t, check.Locator(p.link("Sign in again")).ToHaveCount(0))
			p.accessible()
			p.fits()

			w.demo.Relay().Inject("*", 1, snstest.Locked())
			must(t, p.button("Test now Mira Solano").Click())
			must(t, check.Locator(p.Locator(".chip")).ToHaveText("Locked by X"))
			p.says("Open x.com in the relay’s browser")
			p.accessible()
			w.pass(20 * time.Minute)
			must(t, p.button("Test now Mira Solano").Click())
			must(t, check.Locator(p.Locator(".chip")).ToHaveText("Ready"))

			must(t, p.GetByRole("link", playwright.PageGetByRoleOptions{Name: "Disconnect"}).Click())
			p.says("The relay’s browser stays signed in")
			must(t, p.button("Disconnect").Click())
			p.says("Disconnected.")
		})
	}
}
