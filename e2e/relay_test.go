package e2e_test

import (
	"encoding/json"
	"regexp"
	"testing"
	"time"

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
	for _, name := range append([]string{"Tidepool", "Harbour people", "夕凪"}, ofX...) {
		must(t, check.Locator(p.column(name).Locator("article.post").Nth(4)).ToBeAttached())
		must(t, check.Locator(p.state(name)).ToContainText("Live"))
	}
	must(t, check.Locator(p.column("Following").GetByText("reposted").First()).ToBeAttached())
	must(t, check.Locator(p.column("Harbour people").GetByText("boosted").First()).ToBeAttached())
	must(t, p.summary("Ferries & tides").Click())
	must(t, check.Locator(p.GetByText("A look takes 1 of 60 reads in 15 minutes").Nth(1)).ToBeVisible())
	p.accessible()
	must(t, p.Keyboard().Press("Escape"))

	// The relay sends 98 posts where 20 were asked for; none is lost.
	end := p.column("Search: harbour").GetByText("There are no older posts.")
	must(t, p.column("Search: harbour").ScrollIntoViewIfNeeded())
	p.toTheEnd("Search: harbour")
	must(t, check.Locator(end).ToBeAttached())
	must(t, p.column("Ferries & tides").ScrollIntoViewIfNeeded())
	for _, n := range []int{40, 60, 80, 98} {
		p.toTheEnd("Ferries & tides")
		must(t, check.Locator(p.column("Ferries & tides").Locator("article.post").Nth(n-1)).ToBeAttached())
	}
	if n := len(w.demo.Relay().CallsOf("ListLatestTweetsTimeline")); n > 2 {
		t.Errorf("the relay was asked %d times for the list, want at most 2", n)
	}

	w.demo.Relay().Profile("mira").Add(snstest.Tweet{Author: "elleryharbour", Text: "The trombone has been collected."})
	w.pass(30 * time.Second)
	must(t, p.button("Refresh").Click())
	must(t, check.Locator(p.column("Following")).ToContainText("The trombone has been collected."))
}

func TestARelayThatFailsIsLeftAlone(t *testing.T) {
	w := start(t, options{demo: true})
	relay := w.demo.Relay()
	relay.Inject("*", 0, snstest.Opaque())
	w.pass(2 * time.Minute)

	p := open(t, w, desktop, w.deckNamed(t, "Both shores"))
	p.settled()
	for _, name := range ofX {
		must(t, check.Locator(p.state(name)).ToContainText("Offline since"))
		must(t, check.Locator(p.column(name).GetByText("X cannot be read right now")).ToBeVisible())
		must(t, check.Locator(p.column(name).Locator("article.post").First()).ToBeVisible())
	}
	must(t, check.Locator(p.state("Tidepool")).Not().ToContainText("Offline"))
	p.accessible()

	asked := len(relay.Calls())
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

	if len(seen) != 98 || len(sizes) < 5 || sizes[4] != 18 {
		t.Errorf("%d posts in pages of %v, want 98 in five of 20, 20, 20, 20 and 18", len(seen), sizes)
	}
	for _, c := range w.demo.Relay().Calls() {
		if c.Profile != "mira" || c.Operation != "ListLatestTweetsTimeline" {
			t.Errorf("the relay was asked for %s of the profile %q", c.Operation, c.Profile)
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
