package e2e_test

import (
	"testing"

	"github.com/mxschmitt/playwright-go"

	"personal-workspace/decks"
)

// retitle changes a deck behind the page's back, as an assistant does.
func (w *workspace) retitle(t *testing.T, title string) {
	t.Helper()
	list, err := w.app.Decks.ListDecks(t.Context())
	must(t, err)
	d, err := w.app.Decks.GetDeck(t.Context(), list[0].ID)
	must(t, err)
	_, err = w.app.Decks.ReplaceDeck(t.Context(), decks.ReplaceDeck{
		ID: d.ID, ExpectedRevision: d.Revision, Title: title, Columns: d.Columns,
	})
	must(t, err)
}

// live waits until the page hears of changes.
func (p *tab) live() {
	p.t.Helper()
	must(p.t, check.Locator(p.Locator("html")).ToHaveAttribute("data-stream", "live"))
}

func TestDeckChangedElsewhere(t *testing.T) {
	w := start(t, options{demo: true})
	p := open(t, w, desktop, w.deck(t))
	p.live()

	w.retitle(t, "Changed by an assistant")
	must(t, check.Locator(p.bar("changed")).ToBeVisible())
	must(t, check.Locator(p.heading(1, "Changed by an assistant")).ToHaveCount(0))

	must(t, p.link("Show").Click())
	must(t, check.Locator(p.heading(1, "Changed by an assistant")).ToBeVisible())
	p.live()
	must(t, check.Locator(p.bar("changed")).ToBeHidden())
}

// bar is one of the bars that say that the page is not the newest.
func (p *tab) bar(name string) playwright.Locator { return p.Locator(`[data-bar="` + name + `"]`) }
