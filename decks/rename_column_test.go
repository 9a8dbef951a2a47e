package decks_test

import (
	"testing"

	"github.com/google/go-cmp/cmp"

	"personal-workspace/decks"
	"personal-workspace/internal/fault"
)

func TestRenamingAColumnLeavesTheRestOfIt(t *testing.T) {
	w := newWorld(t)
	c := tagged("a", "bread")
	c.Filters = &decks.Filters{HideBoosts: true}
	before := create(t, w, decks.CreateDeck{ID: "d", Title: "x", Columns: []decks.Column{c}})

	got, err := w.RenameColumn(t.Context(), decks.RenameColumn{DeckID: "d", ExpectedRevision: before.Revision, ColumnID: "a", Title: "Baking"})
	if err != nil {
		t.Fatal(err)
	}

	want := before.Columns[0]
	want.Title = "Baking"
	if diff := cmp.Diff(want, got.Columns[0]); diff != "" {
		t.Errorf("column (-want +got):\n%s", diff)
	}
}

func TestRenamingAColumnOfAnOlderRevisionIsRefused(t *testing.T) {
	w := newWorld(t)
	create(t, w, decks.CreateDeck{ID: "d", Title: "x", Columns: []decks.Column{home("a")}})

	_, err := w.RenameColumn(t.Context(), decks.RenameColumn{DeckID: "d", ExpectedRevision: 9, ColumnID: "a", Title: "Baking"})

	if got := fault.CodeOf(err); got != fault.StaleRevision {
		t.Errorf("code = %q, want %q", got, fault.StaleRevision)
	}
}
