package mcp_test

import (
	"encoding/json"
	"strings"
	"testing"

	"personal-workspace/decks"
	"personal-workspace/mcp"
	"personal-workspace/sns"
)

// packed is a list that did not fit.
type packed struct {
	Lists, Decks []struct{ ID string }
	Hint         string
}

func callPacked(t *testing.T, w *world, tool, arguments string) packed {
	t.Helper()
	res := w.call(t, tool, arguments)
	if res.IsError || len(res.Structured) > mcp.MaxAnswer {
		t.Fatalf("%s answers %d bytes, error %v", tool, len(res.Structured), res.IsError)
	}
	var p packed
	if err := json.Unmarshal(res.Structured, &p); err != nil {
		t.Fatal(err)
	}
	return p
}

func TestManyListsArePacked(t *testing.T) {
	w := newWorld(t)
	c := w.connect(t, "ann")
	for i := range 1000 {
		w.net.lists = append(w.net.lists, sns.List{ID: string(rune('a'+i%26)) + strings.Repeat("1", 9), Title: strings.Repeat("猫", 30)})
	}

	got := callPacked(t, w, "list_lists", `{"connectionId":"`+c.ID+`"}`)

	if n := len(got.Lists); n < 300 || n >= 1000 || !strings.Contains(got.Hint, "more lists did not fit") {
		t.Errorf("%d lists come with the hint %q", n, got.Hint)
	}
}

func TestFewListsHaveNoHint(t *testing.T) {
	w := newWorld(t)
	c := w.connect(t, "ann")
	w.net.lists = []sns.List{{ID: "1", Title: "Cats"}}

	if got := callPacked(t, w, "list_lists", `{"connectionId":"`+c.ID+`"}`); len(got.Lists) != 1 || got.Hint != "" {
		t.Errorf("got %+v, want one list and no hint", got)
	}
}

func TestDecksWithLongTitlesArePacked(t *testing.T) {
	w := newWorld(t)
	title := "x" + strings.Repeat("\u2028", 78) + "x" // 6 bytes each in JSON
	for range decks.MaxDecks {
		w.deck(t, title)
	}

	got := callPacked(t, w, "list_decks", `{}`)

	if n := len(got.Decks); n < 60 || n >= decks.MaxDecks || !strings.Contains(got.Hint, "more decks did not fit") {
		t.Errorf("%d decks of %d come with the hint %q", n, decks.MaxDecks, got.Hint)
	}
}
