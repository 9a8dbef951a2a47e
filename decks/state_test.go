package decks_test

import (
	"fmt"
	"slices"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"personal-workspace/decks"
	"personal-workspace/internal/fault"
)

func pause(t *testing.T, w *world, column string) {
	t.Helper()
	if err := w.PauseColumn(t.Context(), "d", column, true); err != nil {
		t.Fatal(err)
	}
}

func paused(t *testing.T, w *world, deck string) (ids []string) {
	t.Helper()
	d, stored, err := w.StoredDeck(t.Context(), deck, 1)
	if err != nil {
		t.Fatal(err)
	}
	states, err := w.ColumnStates(t.Context(), deck)
	if err != nil {
		t.Fatal(err)
	}
	for i, c := range d.Columns {
		if stored[i].State != states[c.ID] {
			t.Errorf("column %s is %+v on the page and %+v alone", c.ID, stored[i].State, states[c.ID])
		}
		if states[c.ID].Paused {
			ids = append(ids, c.ID)
		}
	}
	return ids
}

func TestPausingIsNoRevision(t *testing.T) {
	w := newWorld(t)
	d := create(t, w, decks.CreateDeck{ID: "d", Title: "x", Columns: []decks.Column{home("a"), home("b")}})
	before := w.ledger.Version()

	pause(t, w, "b")

	if got := paused(t, w, "d"); !slices.Equal(got, []string{"b"}) {
		t.Errorf("paused %v, want b", got)
	}
	if got, err := w.GetDeck(t.Context(), "d"); !cmp.Equal(d, got) || err != nil {
		t.Errorf("the deck is %+v, %v, want %+v", got, err, d)
	}
	if len(names(t, w)) != 1 || w.ledger.Version() == before {
		t.Errorf("the ledger has %v, want the creation alone and a wake-up", names(t, w))
	}
	if err := w.PauseColumn(t.Context(), "d", "b", false); err != nil || paused(t, w, "d") != nil {
		t.Errorf("resumed, %v: still paused %v", err, paused(t, w, "d"))
	}
}

func TestPausingWhatIsNotThere(t *testing.T) {
	w := newWorld(t)
	create(t, w, decks.CreateDeck{ID: "d", Title: "x"})
	for _, tc := range []struct{ deck, column, what string }{{"d", "a", "column"}, {"gone", "a", "deck"}} {
		f := fault.From(w.PauseColumn(t.Context(), tc.deck, tc.column, true))
		if f == nil || f.Code != fault.NotFound || f.Details[fault.DetailWhat] != tc.what {
			t.Errorf("PauseColumn(%s, %s) = %+v, want not_found of a %s", tc.deck, tc.column, f, tc.what)
		}
	}
}

func TestStateStaysWithItsColumn(t *testing.T) {
	for _, tc := range []struct {
		name   string
		change func(w *world) error
		want   []string
	}{
		{"when an assistant replaces the deck", func(w *world) error {
			_, err := w.ReplaceDeck(t.Context(), decks.ReplaceDeck{ID: "d", ExpectedRevision: 1, Title: "y", Columns: []decks.Column{home(""), home("b")}})
			return err
		}, []string{"b"}},
		{"when the column changes", func(w *world) error {
			c := tagged("b", "x")
			_, err := w.ChangeColumn(t.Context(), decks.ChangeColumn{DeckID: "d", ExpectedRevision: 1, ColumnID: "b", ConnectionID: c.ConnectionID, Source: c.Source})
			return err
		}, []string{"b"}},
		{"when the column goes and comes back", func(w *world) error {
			if _, err := w.RemoveColumn(t.Context(), decks.RemoveColumn{DeckID: "d", ExpectedRevision: 1, ColumnID: "b"}); err != nil {
				return err
			}
			_, err := w.Undo(t.Context(), "d", 2)
			return err
		}, []string{"b"}},
		{"when the deck goes and comes back", func(w *world) error {
			if err := w.DeleteDeck(t.Context(), "d", 1); err != nil {
				return err
			}
			_, err := w.Undo(t.Context(), "d", 2)
			return err
		}, []string{"b"}},
		{"but not longer than a stored revision has the column", func(w *world) error {
			if _, err := w.RemoveColumn(t.Context(), decks.RemoveColumn{DeckID: "d", ExpectedRevision: 1, ColumnID: "b"}); err != nil {
				return err
			}
			for i := int64(2); i < 21; i++ {
				if _, err := w.RenameDeck(t.Context(), decks.RenameDeck{DeckID: "d", ExpectedRevision: i, Title: fmt.Sprint(i)}); err != nil {
					return err
				}
			}
			_, err := w.AddColumn(t.Context(), decks.AddColumn{DeckID: "d", ExpectedRevision: 21, Column: home("b")})
			return err
		}, nil},
	} {
		t.Run(tc.name, func(t *testing.T) {
			w := newWorld(t)
			create(t, w, decks.CreateDeck{ID: "d", Title: "x", Columns: []decks.Column{home("a"), home("b")}})
			pause(t, w, "b")

			if err := tc.change(w); err != nil {
				t.Fatal(err)
			}

			if got := paused(t, w, "d"); !slices.Equal(got, tc.want) {
				t.Errorf("paused %v, want %v", got, tc.want)
			}
		})
	}
}

func TestDuplicateHasTheStates(t *testing.T) {
	w := newWorld(t)
	create(t, w, decks.CreateDeck{ID: "d", Title: "x", Columns: []decks.Column{home("a"), home("b")}})
	pause(t, w, "b")

	_, err := w.DuplicateDeck(t.Context(), "d", "e")

	if got := paused(t, w, "e"); !slices.Equal(got, []string{"b"}) || err != nil {
		t.Errorf("paused %v, %v, want b", got, err)
	}
}

func TestCopiesHaveTheirOwnTitles(t *testing.T) {
	w := newWorld(t)
	long := strings.Repeat("字", 80)
	create(t, w, decks.CreateDeck{ID: "d", Title: "Tea"})
	create(t, w, decks.CreateDeck{ID: "l", Title: long})
	var got []string
	for _, id := range []string{"d", "d", "l", "l"} {
		d, err := w.DuplicateDeck(t.Context(), id, "")
		if err != nil {
			t.Fatal(err)
		}
		got = append(got, d.Title)
	}
	want := []string{"Tea (copy)", "Tea (copy 2)", long[:73*3] + " (copy)", long[:71*3] + " (copy 2)"}
	if diff := cmp.Diff(want, got); diff != "" {
		t.Errorf("titles (-want +got):\n%s", diff)
	}
}

func TestMoveDeck(t *testing.T) {
	for _, tc := range []struct {
		id       string
		position int
		want     string
	}{
		{"c", 1, "cabd"},
		{"a", 2, "bacd"},
		{"a", 4, "bcda"},
		{"b", 99, "acdb"},
		{"b", 0, "bacd"},
		{"b", -5, "bacd"},
		{"b", 2, "abcd"},
	} {
		t.Run(fmt.Sprint(tc.id, " to ", tc.position), func(t *testing.T) {
			w := newWorld(t)
			for _, id := range []string{"a", "b", "c", "d"} {
				create(t, w, decks.CreateDeck{ID: id, Title: id})
			}
			order(t, w) // what is kept in memory must not stay

			err := w.MoveDeck(t.Context(), tc.id, tc.position)

			if got := strings.Join(order(t, w), ""); got != tc.want || err != nil {
				t.Errorf("order %s, %v, want %s", got, err, tc.want)
			}
			if n := len(names(t, w)); n != 4 {
				t.Errorf("the ledger has %d entries, want the four creations", n)
			}
		})
	}
}

func TestMoveDeckThatIsNotThere(t *testing.T) {
	w := newWorld(t)
	create(t, w, decks.CreateDeck{ID: "d", Title: "x"})
	if err := w.DeleteDeck(t.Context(), "d", 1); err != nil {
		t.Fatal(err)
	}
	for _, id := range []string{"d", "gone"} {
		if err := w.MoveDeck(t.Context(), id, 1); fault.CodeOf(err) != fault.NotFound {
			t.Errorf("MoveDeck(%s) = %v, want not_found", id, err)
		}
	}
}
