package e2e_test

import (
	"testing"

	"personal-workspace/decks"
)

// TestAnAssistantsEditMeetsThePersons: while the person's form is open, an
// assistant replaces the deck. Nothing is lost whichever version is taken, and a
// column that both kept has its pause.
func TestAnAssistantsEditMeetsThePersons(t *testing.T) {
	for _, c := range []struct {
		choose string
		take   func(p *tab) error
		title  string
		count  int
	}{
		{"mine", func(p *tab) error { return p.button("Take mine").Click() }, "Mine", 6},
		{"theirs", func(p *tab) error { return p.link("Take the deck as it is now").Click() }, "Tidied up", 1},
	} {
		t.Run(c.choose, func(t *testing.T) {
			w := start(t, options{demo: true})
			d := w.firstDeck(t)
			kept := d.Columns[0]
			must(t, w.app.Decks.PauseColumn(t.Context(), d.ID, kept.ID, true))
			p := open(t, w, desktop, w.deck(t)+"/edit")
			p.expected = anyStatus
			must(t, p.field("Title").Fill("Mine"))
			w.call(t, "replace_deck", map[string]any{
				"deckId": d.ID, "expectedRevision": d.Revision, "title": "Tidied up",
				"columns": []map[string]any{{"id": kept.ID, "connectionId": kept.ConnectionID, "source": kept.Source}},
			})

			must(t, p.button("Save").Click())

			must(t, check.Locator(p.heading(1, "The deck was changed in the meantime")).ToBeVisible())
			must(t, check.Locator(p.GetByText("Tidied up")).ToBeVisible())
			p.accessible()
			must(t, c.take(p))
			must(t, check.Locator(p.heading(1, c.title)).ToBeVisible())
			must(t, check.Locator(p.Locator("section.column")).ToHaveCount(c.count))
			states, err := w.app.Decks.ColumnStates(t.Context(), d.ID)
			must(t, err)
			if !states[kept.ID].Paused {
				t.Errorf("column %s is not paused any more", kept.ID)
			}
			revisions, err := w.app.Decks.ListRevisions(t.Context(), d.ID)
			must(t, err)
			if !hasTitle(revisions, "Tidied up") {
				t.Errorf("the assistant's version is not stored: %+v", revisions)
			}
		})
	}
}

func hasTitle(list []decks.Revision, title string) bool {
	for _, r := range list {
		if r.Title == title {
			return true
		}
	}
	return false
}
