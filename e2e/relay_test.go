package e2e_test

import (
	"encoding/json"
	"regexp"
	"slices"
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
	if n := len(w.demo.Relay().CallsOf("ListLatestTweetsTimeline")); n > 4 {
		t.Errorf("the relay was asked %d times for the list, want at most 4: the newest page, that again and two older ones", n)
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
	w.pass(2 * time.Minute)

	p := open(t, w, desktop, w.deckNamed(t, "Both shores"))
	p.settled()
	for name, what := range map[string]string{"Following": "the Following timeline", "Ferries & tides": "the list", "Search: harbour": "the results of the search"} {
		must(t, check.Locator(p.state(name)).ToContainText("Offline since"))
		must(t, check.Locator(p.column(name).GetByText("X cannot be read right now")).ToBeVisible())
		must(t, check.Locator(p.column(name)).ToContainText("The relay could not read "+what+" from X and does not say why; it is asked again at"))
		must(t, check.Locator(p.column(name)).ToContainText("The posts below are from"))
		must(t, check.Locator(p.column(name).Locator("article.post").First()).ToBeVisible())
		must(t, check.Locator(p.column(name).Locator("article.post").Nth(5)).ToBeAttached())
	}
	must(t, check.Locator(p.state("Tidepool")).Not().ToContainText("Offline"))
	p.accessible()
	w.onlyReads(t)

	asked := len(relay.Calls())
	if asked == 0 || asked > 3 {
		t.Errorf("the relay was asked %d times, want once for each column at most", asked)
	}
	p.visit(w.deckNamed(t, "Both shores"))
	must(t, p.button("Refresh").Click())
	p.settled()
	must(t, check.Locator(p.state("Following")).ToContainText("Offline since"))
	if n := len(relay.Calls()); n != asked {
		t.Errorf("the relay was asked %d times more while it is left alone", n-asked)
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
