package e2e_test

import (
	"net/url"
	"testing"
	"time"

	"github.com/mxschmitt/playwright-go"

	"personal-workspace/sns"
	"personal-workspace/sns/snstest"
)

// relayScenes are the pages and states of X.
func relayScenes() []scene {
	return []scene{
		{"x-deck", "demo", showDeck("Both shores")},
		{"x-deck-pictures", "pictures", showDeck("Both shores")},
		{"x-column", "demo", showDeckAt("Both shores", "Ferries & tides")},
		{"x-notices", "demo", showDeck("Only X")},
		{"x-deck-failing", "relay-failing", showDeckAt("Both shores", "Following")},
		{"x-deck-limited", "relay-limited", showDeck("Only X")},
		{"x-deck-locked", "relay-locked", showDeck("Only X")},
		{"x-column-menu", "demo", showColumnMenu("Both shores", "Following")},
		{"x-post", "demo", showPostOf("Both shores", "Following", "Bound a tide table today")},
		{"x-add-kind", "demo", showAddX("")},
		{"x-add-list", "demo", showAddX("list")},
		{"x-add-search", "demo", showAddX("search")},
		{"x-connection", "demo", showX("")},
		{"x-connection-locked", "relay-locked", showX("")},
		{"x-connection-failing", "relay-failing", showX("")},
		{"x-connection-disconnect", "demo", showX("/disconnect")},
		{"x-connect", "demo", at("/connections/new")},
		{"x-connect-refused", "demo", showConnectRefused},
	}
}

// startRelayTrouble is a demo whose relay fails once its posts were read.
func startRelayTrouble(f snstest.Fault) func(*testing.T) *workspace {
	return func(t *testing.T) *workspace {
		t.Helper()
		w := start(t, options{demo: true})
		for _, title := range []string{"Both shores", "Only X"} {
			open(t, w, desktop, w.deckNamed(t, title)).settled()
		}
		w.pass(20 * time.Minute)
		w.demo.Relay().Inject("*", 0, f)
		return w
	}
}

// showDeckAt shows a deck with a column in view, which on a phone is one of many.
func showDeckAt(deck, column string) func(*testing.T, *tab) {
	return func(t *testing.T, p *tab) {
		p.visit(p.w.deckNamed(t, deck))
		must(t, p.column(column).ScrollIntoViewIfNeeded())
		p.settled()
	}
}

func showColumnMenu(deck, column string) func(*testing.T, *tab) {
	return func(t *testing.T, p *tab) {
		showDeckAt(deck, column)(t, p)
		must(t, p.summary(column).Click())
	}
}

// showPostOf shows the page of a post with some words in a column.
func showPostOf(deck, column, words string) func(*testing.T, *tab) {
	return func(t *testing.T, p *tab) {
		showDeckAt(deck, column)(t, p)
		post := p.column(column).Locator("article.post").Filter(playwright.LocatorFilterOptions{HasText: words})
		must(t, post.Locator("a[data-open]").First().Click())
		must(t, check.Locator(p.Locator("#post")).ToBeVisible())
		p.still()
	}
}

func showAddX(kind sns.Kind) func(*testing.T, *tab) {
	return func(t *testing.T, p *tab) {
		showPart("Only X", "/add?"+url.Values{"connection": {p.w.onX(t).ID}, "kind": {string(kind)}}.Encode())(t, p)
	}
}

func showX(path string) func(*testing.T, *tab) {
	return func(t *testing.T, p *tab) { p.visit("/connections/" + p.w.onX(t).ID + path) }
}

func showConnectRefused(t *testing.T, p *tab) {
	p.visit("/connections/new")
	must(t, p.field("Profile").Fill("nobody"))
	must(t, p.button("Connect X").Click())
	must(t, check.Locator(p.GetByRole("alert")).ToBeVisible())
}
