package decks_test

import (
	"fmt"
	"testing"

	"github.com/google/go-cmp/cmp"

	"personal-workspace/decks"
	"personal-workspace/internal/fault"
	"personal-workspace/internal/ledger"
)

// TestAPersonsEditMeetsAnAssistants goes through a conflict: an assistant
// replaces the deck while the person's form is open.
func TestAPersonsEditMeetsAnAssistants(t *testing.T) {
	a, b, c := tagged("a", "apple"), tagged("b", "bread"), tagged("c", "cake")
	mine := decks.ReplaceDeck{ID: "d", ExpectedRevision: 1, Title: "Mine", Columns: []decks.Column{b, a}}
	theirs := decks.Definition{Title: "Theirs", Columns: []decks.Column{a, b, c}}
	for _, tc := range []struct {
		name string
		take func(w *world, c decks.Conflict) error
		want decks.Definition
		last int64
	}{
		{"theirs", func(*world, decks.Conflict) error { return nil }, theirs, 2},
		{"mine", func(w *world, c decks.Conflict) error {
			_, err := w.ReplaceDeck(t.Context(), decks.ReplaceDeck{ID: "d", ExpectedRevision: c.Theirs.Revision, Title: c.Mine.Title, Columns: c.Mine.Columns})
			return err
		}, decks.Definition{Title: "Mine", Columns: []decks.Column{b, a}}, 3},
		{"mine, and then theirs after all", func(w *world, c decks.Conflict) error {
			_, err := w.ReplaceDeck(t.Context(), decks.ReplaceDeck{ID: "d", ExpectedRevision: c.Theirs.Revision, Title: c.Mine.Title, Columns: c.Mine.Columns})
			if err != nil {
				return err
			}
			_, err = w.Undo(t.Context(), "d", 3)
			return err
		}, theirs, 4},
	} {
		t.Run(tc.name, func(t *testing.T) {
			w := newWorld(t)
			create(t, w, decks.CreateDeck{ID: "d", Title: "Main", Columns: []decks.Column{a, b}})
			assistant := ledger.WithActor(t.Context(), ledger.Actor{Kind: ledger.Caller, ID: "x"})
			if _, err := w.ReplaceDeck(assistant, decks.ReplaceDeck{ID: "d", ExpectedRevision: 1, Title: theirs.Title, Columns: theirs.Columns}); err != nil {
				t.Fatal(err)
			}

			_, stale := w.ReplaceDeck(t.Context(), mine)
			if fault.CodeOf(stale) != fault.StaleRevision {
				t.Fatalf("the person's edit = %v, want stale_revision", stale)
			}
			c, err := w.Conflict(t.Context(), mine)
			if err != nil {
				t.Fatal(err)
			}
			if err := tc.take(w, c); err != nil {
				t.Fatal(err)
			}

			d, err := w.GetDeck(t.Context(), "d")
			if diff := cmp.Diff(tc.want, d.Definition()); diff != "" || d.Revision != tc.last || err != nil {
				t.Errorf("the deck at revision %d, %v, want %d (-want +got):\n%s", d.Revision, err, tc.last, diff)
			}
		})
	}
}

func TestConflictOfASingleStep(t *testing.T) {
	w := newWorld(t)
	create(t, w, decks.CreateDeck{ID: "d", Title: "Main", Columns: []decks.Column{tagged("a", "apple"), tagged("b", "bread")}})
	rename(t, w, 1, "Theirs")

	c, err := w.Conflict(t.Context(), decks.RemoveColumn{DeckID: "d", ExpectedRevision: 1, ColumnID: "a"})

	want := &decks.Definition{Title: "Main", Columns: []decks.Column{tagged("b", "bread")}}
	if diff := cmp.Diff(want, c.Mine); diff != "" || c.Theirs.Title != "Theirs" || err != nil {
		t.Errorf("conflict %+v, %v; mine (-want +got):\n%s", c, err, diff)
	}
	if d, err := w.GetDeck(t.Context(), "d"); d.Revision != 2 || err != nil {
		t.Errorf("the deck is at revision %d, %v, want 2: a comparison changes nothing", d.Revision, err)
	}
}

func TestConflictWithARevisionThatIsNotStored(t *testing.T) {
	w := newWorld(t)
	create(t, w, decks.CreateDeck{ID: "d", Title: "1"})
	for i := int64(1); i < 25; i++ {
		rename(t, w, i, fmt.Sprint(i+1))
	}

	c, err := w.Conflict(t.Context(), decks.RenameDeck{DeckID: "d", ExpectedRevision: 3, Title: "x"})

	if c.Before != nil || c.Mine != nil || c.Theirs.Revision != 25 || err != nil {
		t.Errorf("conflict %+v, %v, want theirs at 25 alone", c, err)
	}
}

func TestConflictWithADeletedDeck(t *testing.T) {
	w := newWorld(t)
	create(t, w, decks.CreateDeck{ID: "d", Title: "1"})
	if err := w.DeleteDeck(t.Context(), "d", 1); err != nil {
		t.Fatal(err)
	}
	_, err := w.Conflict(t.Context(), decks.RenameDeck{DeckID: "d", ExpectedRevision: 1, Title: "x"})
	if fault.CodeOf(err) != fault.NotFound {
		t.Errorf("Conflict = %v, want not_found", err)
	}
}

func TestCompare(t *testing.T) {
	a, b, c := tagged("a", "apple"), tagged("b", "bread"), tagged("c", "cake")
	b2, b3, fresh := tagged("b", "butter"), tagged("b", "bun"), tagged("", "date")
	columns := func(list ...decks.Column) []decks.Column { return list }
	for _, tc := range []struct {
		name                 string
		before, mine, theirs []decks.Column
		want                 []string
	}{
		{"nothing", nil, nil, nil, nil},
		{"no change", columns(a, b), columns(a, b), columns(a, b), []string{"a same 1, same 1, agree", "b same 2, same 2, agree"}},
		{"changed by both", columns(b), columns(b2), columns(b3), []string{"b changed 1, changed 1"}},
		{"changed by both alike", columns(b), columns(b2), columns(b2), []string{"b changed 1, changed 1, agree"}},
		{"removed by me", columns(a, b), columns(b), columns(a, b), []string{"a removed 0, same 1", "b same 1, same 2, agree"}},
		{"removed by them", columns(a, b), columns(a, b), columns(b), []string{"b same 2, same 1, agree", "a same 1, removed 0"}},
		{"removed by both", columns(a, b), columns(b), columns(b), []string{"b same 1, same 1, agree", "a removed 0, removed 0, agree"}},
		{"removed by me, changed by them", columns(b), nil, columns(b2), []string{"b removed 0, changed 1"}},
		{"added by each", columns(a), columns(a, fresh), columns(a, c), []string{"a same 1, same 1, agree", "c absent 0, added 2", " added 2, absent 0"}},
		{"two added by me", nil, columns(fresh, fresh), nil, []string{" added 1, absent 0", " added 2, absent 0"}},
		{"moved to the end", columns(a, b, c), columns(b, c, a), columns(a, b, c), []string{"a moved 3, same 1, agree", "b same 1, same 2, agree", "c same 2, same 3, agree"}},
		{"moved and changed", columns(a, b), columns(b2, a), columns(a, b), []string{"a same 2, same 1, agree", "b changed 1, same 2"}},
		{"the version before is not known", nil, columns(a), columns(a, b), []string{"a added 1, added 1, agree", "b absent 0, added 2"}},
	} {
		t.Run(tc.name, func(t *testing.T) {
			var got []string
			for _, d := range decks.Compare(tc.before, tc.mine, tc.theirs) {
				line := fmt.Sprintf("%s %s %d, %s %d", d.ID, d.MineDid, d.MineAt, d.TheirsDid, d.TheirsAt)
				if d.Agree() {
					line += ", agree"
				}
				got = append(got, line)
			}
			if diff := cmp.Diff(tc.want, got); diff != "" {
				t.Errorf("columns (-want +got):\n%s", diff)
			}
		})
	}
}
