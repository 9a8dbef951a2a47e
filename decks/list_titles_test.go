package decks_test

import (
	"strings"
	"testing"

	"personal-workspace/decks"
	"personal-workspace/internal/fault"
	"personal-workspace/sns"
)

// A list is called by its own title wherever a column of it is named.
func TestColumnsOfListsAreNamedByTheirTitles(t *testing.T) {
	w := newWorld(t)
	w.net.connections[0].Origin = "https://a.example"
	w.net.listTitle = "Friends\n"
	list := decks.Column{ID: "c1", ConnectionID: "conn_a", Source: sns.Source{Kind: sns.KindList, ListID: "7"}}
	if _, err := w.CreateDeck(t.Context(), decks.CreateDeck{ID: "one", Title: "One", Columns: []decks.Column{list}}); err != nil {
		t.Fatal(err)
	}

	uses, err := w.ColumnUses(t.Context())
	if err != nil || uses["conn_a"][0].Name != "Friends\n" {
		t.Errorf("ColumnUses = %v, %v", uses, err)
	}
	f, err := w.ExportDeck(t.Context(), "one")
	if err != nil {
		t.Fatal(err)
	}
	b, err := f.Encode()
	if err != nil {
		t.Fatal(err)
	}
	again, err := decks.ParseFile(b)
	if err != nil {
		t.Fatal(err)
	}
	if got := again.Decks[0].Columns[0].Name(); got != "Friends" {
		t.Errorf("the file calls the column %q, want Friends", got)
	}
}

func TestParseFileBoundsTheTitleOfAList(t *testing.T) {
	for length, want := range map[int]fault.Code{200: "", 201: fault.InvalidArguments} {
		text := `{"format":"workspace-deck","version":1,"title":"T","columns":[{"source":{"kind":"list","listId":"7"},"listTitle":"` + strings.Repeat("é", length) + `"}]}`

		_, err := decks.ParseFile([]byte(text))

		if got := fault.CodeOf(err); got != want {
			t.Errorf("a title of %d characters: %q, want %q", length, got, want)
		}
	}
}
