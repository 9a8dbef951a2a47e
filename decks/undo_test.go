package decks_test

import (
	"fmt"
	"slices"
	"sync"
	"testing"

	"github.com/google/go-cmp/cmp"
	"pgregory.net/rapid"

	"personal-workspace/decks"
	"personal-workspace/internal/fault"
	"personal-workspace/sns"
)

func tagged(id, tag string) decks.Column {
	return decks.Column{ID: id, ConnectionID: "conn_a", Source: sns.Source{Kind: sns.KindHashtag, Tag: tag}}
}

func TestUndoIsForTheNewestRevisionOnly(t *testing.T) {
	for _, revision := range []int64{-1, 0, 1, 2, 4, 99} {
		t.Run(fmt.Sprint(revision), func(t *testing.T) {
			w := newWorld(t)
			create(t, w, decks.CreateDeck{ID: "d", Title: "1"})
			var d decks.Deck
			for i := int64(1); i < 3; i++ {
				d = rename(t, w, i, fmt.Sprint(i+1))
			}

			_, err := w.Undo(t.Context(), "d", revision)

			if f := fault.From(err); f == nil || f.Code != fault.StaleRevision || f.Details[fault.DetailCurrentRevision] != int64(3) {
				t.Errorf("Undo = %v, want stale_revision with 3", err)
			}
			if got, err := w.GetDeck(t.Context(), "d"); !cmp.Equal(d, got) || err != nil {
				t.Errorf("the deck is %+v, %v, want %+v", got, err, d)
			}
		})
	}
}

func rename(t *testing.T, w *world, revision int64, title string) decks.Deck {
	t.Helper()
	d, err := w.RenameDeck(t.Context(), decks.RenameDeck{DeckID: "d", ExpectedRevision: revision, Title: title})
	if err != nil {
		t.Fatal(err)
	}
	return d
}

func TestUndoOfADeletionPutsTheDeckWhereItWas(t *testing.T) {
	w := newWorld(t)
	for _, id := range []string{"a", "b", "c"} {
		create(t, w, decks.CreateDeck{ID: id, Title: id})
	}
	if err := w.DeleteDeck(t.Context(), "b", 1); err != nil {
		t.Fatal(err)
	}

	_, err := w.Undo(t.Context(), "b", 2)

	if got := order(t, w); !slices.Equal(got, []string{"a", "b", "c"}) || err != nil {
		t.Errorf("decks %v, %v, want a, b, c", got, err)
	}
	if diff := cmp.Diff("deck.changed b created 3", names(t, w)[4]); diff != "" {
		t.Errorf("ledger (-want +got):\n%s", diff)
	}
}

func order(t *testing.T, w *world) (ids []string) {
	t.Helper()
	list, err := w.ListDecks(t.Context())
	if err != nil {
		t.Fatal(err)
	}
	for _, d := range list {
		ids = append(ids, d.ID)
	}
	return ids
}

func TestUndoOfADeletionNeedsRoom(t *testing.T) {
	w := newWorld(t)
	create(t, w, decks.CreateDeck{ID: "d", Title: "x"})
	if err := w.DeleteDeck(t.Context(), "d", 1); err != nil {
		t.Fatal(err)
	}
	for range decks.MaxDecks {
		create(t, w, decks.CreateDeck{Title: "x"})
	}

	_, err := w.Undo(t.Context(), "d", 2)

	if fault.CodeOf(err) != fault.LimitExceeded {
		t.Errorf("Undo = %v, want limit_exceeded", err)
	}
	if _, err := w.GetDeck(t.Context(), "d"); fault.CodeOf(err) != fault.NotFound {
		t.Errorf("the deck is there: %v", err)
	}
}

func TestUndoNeedsNoConnection(t *testing.T) {
	w := newWorld(t)
	d := create(t, w, decks.CreateDeck{ID: "d", Title: "x", Columns: []decks.Column{home("c")}})
	if _, err := w.RemoveColumn(t.Context(), decks.RemoveColumn{DeckID: "d", ExpectedRevision: 1, ColumnID: "c"}); err != nil {
		t.Fatal(err)
	}
	w.net.connections = nil

	got, err := w.Undo(t.Context(), "d", 2)

	if diff := cmp.Diff(d.Definition(), got.Definition()); diff != "" || err != nil {
		t.Errorf("undone (%v) (-want +got):\n%s", err, diff)
	}
}

func TestAChangeOfOneColumnMindsNoOther(t *testing.T) {
	w := newWorld(t)
	create(t, w, decks.CreateDeck{ID: "d", Title: "x", Columns: []decks.Column{home("c"), {ID: "e", ConnectionID: "conn_b", Source: home("").Source}}})
	w.net.connections = w.net.connections[1:]

	_, err := w.AddColumn(t.Context(), decks.AddColumn{DeckID: "d", ExpectedRevision: 1, Column: decks.Column{ConnectionID: "conn_b", Source: home("").Source}})
	if err != nil {
		t.Errorf("adding beside a column of a removed account = %v", err)
	}
}

func TestUndoSentTwiceAtOnce(t *testing.T) {
	w := newWorld(t)
	create(t, w, decks.CreateDeck{ID: "d", Title: "One"})
	rename(t, w, 1, "Two")
	var wg sync.WaitGroup
	errs := make(chan error, 4)
	for range 4 {
		wg.Go(func() {
			_, err := w.Undo(t.Context(), "d", 2)
			errs <- err
		})
	}
	wg.Wait()
	close(errs)
	for err := range errs {
		if err != nil {
			t.Errorf("Undo = %v", err)
		}
	}
	if d, err := w.GetDeck(t.Context(), "d"); d.Revision != 3 || d.Title != "One" || err != nil {
		t.Errorf("the deck is %+v, %v, want One at revision 3", d, err)
	}
}

func TestAStepSentTwiceAtOnceIsOneRevision(t *testing.T) {
	w := newWorld(t)
	create(t, w, decks.CreateDeck{ID: "d", Title: "One"})
	var wg sync.WaitGroup
	errs := make(chan error, 4)
	for range 4 {
		wg.Go(func() {
			_, err := w.AddColumn(t.Context(), decks.AddColumn{DeckID: "d", ExpectedRevision: 1, Column: home("")})
			errs <- err
		})
	}
	wg.Wait()
	close(errs)
	for err := range errs {
		if err != nil {
			t.Errorf("AddColumn = %v", err)
		}
	}
	if d, err := w.GetDeck(t.Context(), "d"); d.Revision != 2 || len(d.Columns) != 1 || err != nil {
		t.Errorf("the deck is %+v, %v, want one column at revision 2", d, err)
	}
}

func TestRestoreRevision(t *testing.T) {
	for _, tc := range []struct {
		name             string
		deleted          bool
		wanted, expected int64
		title            string
		revision         int64
		code             fault.Code
	}{
		{"the oldest of the last twenty", false, 6, 25, "6", 26, ""},
		{"the present one changes nothing", false, 25, 25, "25", 25, ""},
		{"one that is not stored any more", false, 1, 25, "", 0, fault.NotFound},
		{"one that never was", false, 26, 25, "", 0, fault.NotFound},
		{"against an old revision", false, 10, 24, "", 0, fault.StaleRevision},
		{"of a deleted deck", true, 10, 26, "10", 27, ""},
		{"the last one of a deleted deck", true, 26, 26, "25", 27, ""},
		{"of a deleted deck against the revision before", true, 10, 25, "", 0, fault.StaleRevision},
	} {
		t.Run(tc.name, func(t *testing.T) {
			w := newWorld(t)
			create(t, w, decks.CreateDeck{ID: "d", Title: "1"})
			for i := int64(1); i < 25; i++ {
				rename(t, w, i, fmt.Sprint(i+1))
			}
			if tc.deleted {
				if err := w.DeleteDeck(t.Context(), "d", 25); err != nil {
					t.Fatal(err)
				}
			}

			d, err := w.RestoreRevision(t.Context(), "d", tc.wanted, tc.expected)

			if fault.CodeOf(err) != tc.code || d.Title != tc.title || d.Revision != tc.revision {
				t.Fatalf("restored %q at %d, %v, want %q at %d, %q", d.Title, d.Revision, err, tc.title, tc.revision, tc.code)
			}
			if tc.code != "" || tc.wanted <= d.Revision-20 {
				return // refused, or not stored any more
			}
			again, err := w.RestoreRevision(t.Context(), "d", tc.wanted, tc.expected)
			if !cmp.Equal(d, again) || err != nil {
				t.Errorf("sent twice: %+v, %v, want %+v", again, err, d)
			}
		})
	}
}

// TestStepsAndUndoInAnyOrder runs random changes of one deck and checks after
// each what must always hold.
func TestStepsAndUndoInAnyOrder(t *testing.T) {
	w := newWorld(t) // one database for all runs; each has a deck of its own
	run := 0
	rapid.Check(t, func(rt *rapid.T) {
		run++
		h := newHistory(t, w, fmt.Sprint("d", run))
		defer func() { // there is room for a hundred decks
			if err := w.DeleteDeck(t.Context(), h.id, h.last.Revision); err != nil {
				rt.Error(err)
			}
		}()
		rt.Repeat(map[string]func(*rapid.T){
			"add": func(rt *rapid.T) {
				in := decks.AddColumn{DeckID: h.id, ExpectedRevision: h.pick(rt), Column: anyColumn(rt), Position: rapid.IntRange(0, 7).Draw(rt, "position")}
				h.did(rt, func() (decks.Deck, error) { return w.AddColumn(t.Context(), in) })
			},
			"change": func(rt *rapid.T) {
				c := anyColumn(rt)
				in := decks.ChangeColumn{DeckID: h.id, ExpectedRevision: h.pick(rt), ColumnID: h.column(rt), Title: c.Title, ConnectionID: c.ConnectionID, Source: c.Source, Filters: c.Filters}
				h.did(rt, func() (decks.Deck, error) { return w.ChangeColumn(t.Context(), in) })
			},
			"move": func(rt *rapid.T) {
				in := decks.MoveColumn{DeckID: h.id, ExpectedRevision: h.pick(rt), ColumnID: h.column(rt), Position: rapid.IntRange(-1, 7).Draw(rt, "position")}
				h.did(rt, func() (decks.Deck, error) { return w.MoveColumn(t.Context(), in) })
			},
			"remove": func(rt *rapid.T) {
				in := decks.RemoveColumn{DeckID: h.id, ExpectedRevision: h.pick(rt), ColumnID: h.column(rt)}
				h.did(rt, func() (decks.Deck, error) { return w.RemoveColumn(t.Context(), in) })
			},
			"replace": func(rt *rapid.T) {
				columns := rapid.SliceOfN(rapid.Custom(anyColumn), 0, 7).Draw(rt, "columns")
				in := decks.ReplaceDeck{ID: h.id, ExpectedRevision: h.pick(rt), Title: rapid.SampledFrom([]string{"x", "y"}).Draw(rt, "title"), Columns: columns}
				h.did(rt, func() (decks.Deck, error) { return w.ReplaceDeck(t.Context(), in) })
			},
			"undo":    func(rt *rapid.T) { h.undo(rt) },
			"restore": func(rt *rapid.T) { h.restore(rt) },
		})
	})
}

// history is what a deck was at each revision.
type history struct {
	t    *testing.T
	w    *world
	id   string
	was  map[int64]decks.Definition
	last decks.Deck
}

func newHistory(t *testing.T, w *world, id string) *history {
	d := create(t, w, decks.CreateDeck{ID: id, Title: "x", Columns: []decks.Column{tagged("c1", "a")}})
	h := &history{t: t, w: w, id: id, was: map[int64]decks.Definition{1: d.Definition()}, last: d}
	return h
}

// pick is most often the present revision.
func (h *history) pick(rt *rapid.T) int64 {
	return h.last.Revision - rapid.SampledFrom([]int64{0, 0, 0, 0, 1, 2, -1}).Draw(rt, "behind")
}

func (h *history) column(rt *rapid.T) string {
	return rapid.SampledFrom([]string{"c1", "c2", "c3", "c4", "c5", "c6", "c7"}).Draw(rt, "column")
}

func anyColumn(rt *rapid.T) decks.Column {
	c := tagged(rapid.SampledFrom([]string{"", "c1", "c2", "c3", "c4", "c5", "c6", "c7"}).Draw(rt, "id"), rapid.SampledFrom([]string{"a", "b"}).Draw(rt, "tag"))
	c.Title = rapid.SampledFrom([]string{"", "T"}).Draw(rt, "title")
	if rapid.Bool().Draw(rt, "filtered") {
		c.Filters = &decks.Filters{HideBoosts: rapid.Bool().Draw(rt, "boosts")}
	}
	return c
}

// did makes a change and checks that it made one revision or none.
func (h *history) did(rt *rapid.T, change func() (decks.Deck, error)) {
	d, err := change()
	now, getErr := h.w.GetDeck(h.t.Context(), h.id)
	if getErr != nil {
		rt.Fatal(getErr)
	}
	switch code := fault.CodeOf(err); {
	case err == nil && !cmp.Equal(d, now):
		rt.Fatalf("the change returned another deck than there is: %+v, %+v", d, now)
	case err != nil && (now.Revision != h.last.Revision || !slices.Contains(refusals, code)):
		rt.Fatalf("the change failed with %v; the deck went from revision %d to %d", err, h.last.Revision, now.Revision)
	case now.Revision == h.last.Revision:
		if !cmp.Equal(now, h.last) {
			rt.Fatalf("the deck changed without a revision: %+v, %+v", h.last, now)
		}
	case now.Revision != h.last.Revision+1:
		rt.Fatalf("the revision went from %d to %d", h.last.Revision, now.Revision)
	}
	h.last, h.was[now.Revision] = now, now.Definition()
	h.check(rt)
}

var refusals = []fault.Code{fault.StaleRevision, fault.InvalidArguments, fault.LimitExceeded, fault.NotFound}

func (h *history) check(rt *rapid.T) {
	if len(h.last.Columns) > decks.MaxColumns {
		rt.Fatalf("%d columns", len(h.last.Columns))
	}
	seen := map[string]bool{"": true}
	for _, c := range h.last.Columns {
		if seen[c.ID] {
			rt.Fatalf("two columns have the id %q: %+v", c.ID, h.last.Columns)
		}
		seen[c.ID] = true
	}
}

// undo takes the newest change back and, when that was not the creation, checks
// that the deck is exactly as before.
func (h *history) undo(rt *rapid.T) {
	before := h.last.Revision
	if before == 1 {
		return
	}
	h.did(rt, func() (decks.Deck, error) { return h.w.Undo(h.t.Context(), h.id, before) })
	if diff := cmp.Diff(h.was[before-1], h.last.Definition()); diff != "" || h.last.Revision != before+1 {
		rt.Fatalf("undo of %d led to revision %d (-want +got):\n%s", before, h.last.Revision, diff)
	}
}

func (h *history) restore(rt *rapid.T) {
	wanted := max(h.last.Revision-rapid.Int64Range(0, 19).Draw(rt, "back"), 1)
	h.did(rt, func() (decks.Deck, error) {
		return h.w.RestoreRevision(h.t.Context(), h.id, wanted, h.last.Revision)
	})
	if diff := cmp.Diff(h.was[wanted], h.last.Definition()); diff != "" {
		rt.Fatalf("restoring %d (-want +got):\n%s", wanted, diff)
	}
}
