package decks_test

import (
	"testing"

	"github.com/google/go-cmp/cmp"

	"personal-workspace/decks"
)

func TestColumnUses(t *testing.T) {
	w := newWorld(t)
	other := home("c2")
	other.ConnectionID = "conn_b"
	for _, d := range []decks.CreateDeck{
		{ID: "one", Title: "One", Columns: []decks.Column{home("c1"), other, home("c3")}},
		{ID: "gone", Title: "Gone", Columns: []decks.Column{home("c1")}},
		{ID: "two", Title: "Two", Columns: []decks.Column{home("c1")}},
	} {
		if _, err := w.CreateDeck(t.Context(), d); err != nil {
			t.Fatal(err)
		}
	}
	if err := w.DeleteDeck(t.Context(), "gone", 1); err != nil {
		t.Fatal(err)
	}

	got, err := w.ColumnUses(t.Context())
	if err != nil {
		t.Fatal(err)
	}

	want := map[string][]decks.ColumnUse{
		"conn_a": {
			{DeckID: "one", DeckTitle: "One", Column: home("c1"), Name: "Home"},
			{DeckID: "one", DeckTitle: "One", Column: home("c3"), Name: "Home"},
			{DeckID: "two", DeckTitle: "Two", Column: home("c1"), Name: "Home"},
		},
		"conn_b": {{DeckID: "one", DeckTitle: "One", Column: other, Name: "Home"}},
	}
	if diff := cmp.Diff(want, got); diff != "" {
		t.Errorf("ColumnUses (-want +got):\n%s", diff)
	}
}
