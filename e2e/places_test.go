package e2e_test

import (
	"testing"

	"github.com/mxschmitt/playwright-go"
)

// TestPlacesOnEveryWayBack leaves a deck on each way that leads to it again: what
// was read stands where it stood. Who asks for the newest posts gets them.
func TestPlacesOnEveryWayBack(t *testing.T) {
	w := start(t, options{demo: true})
	p := open(t, w, desktop, w.deck(t))
	p.live()
	scroller := p.column("Home").Locator(".scroller")
	_, err := scroller.Evaluate("s => s.scrollTop = 900", nil)
	must(t, err)
	p.drawn()

	d := w.firstDeck(t)
	for _, way := range []struct {
		name string
		back func()
	}{
		{"Show after a change of an assistant's", func() {
			var columns []map[string]any
			for _, c := range d.Columns {
				columns = append(columns, map[string]any{"id": c.ID, "title": c.Title, "connectionId": c.ConnectionID, "source": c.Source})
			}
			w.call(t, "replace_deck", map[string]any{
				"deckId": d.ID, "expectedRevision": d.Revision, "title": "Changed by an assistant", "columns": columns,
			})
			must(t, p.bar("changed").GetByRole("link").Click())
			must(t, check.Locator(p.heading(1, "Changed by an assistant")).ToBeVisible())
		}},
		{"Add a column and back", func() {
			must(t, p.link("Add a column").Click())
			must(t, p.link("Back to Changed by an assistant").Click())
		}},
		{"Filters and Save", func() {
			must(t, p.summary("Home").Click())
			must(t, p.Locator("details.menu[open]").GetByRole("link", playwright.LocatorGetByRoleOptions{Name: "Filters"}).Click())
			must(t, p.button("Save").Click())
		}},
		{"the list of decks", func() {
			p.visit("/decks")
			must(t, p.Locator("main a[href='"+w.deck(t)+"']").First().Click())
		}},
		{"a reload", p.reload},
	} {
		p.live()
		p.drawn()
		before := p.places("Home")
		way.back()
		p.live()
		top, err := scroller.Evaluate("s => s.scrollTop", nil)
		must(t, err)
		if number(top) == 0 {
			t.Fatalf("%s: the column is at its top", way.name)
		}
		p.unmoved("Home", before)
	}

	w.news(t, 2)
	held := p.column("Home").Locator(".held button")
	must(t, held.Click())
	must(t, check.Locator(held).ToHaveText("Go to the newest"))
	must(t, held.Click())
	p.visit("/decks")
	p.visit(w.deck(t))
	must(t, check.Locator(p.column("Home").GetByRole("article").First()).ToBeInViewport())
}
