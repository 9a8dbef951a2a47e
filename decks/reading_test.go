package decks_test

import (
	"fmt"
	"testing"
	"time"

	"personal-workspace/decks"
	"personal-workspace/internal/sqlite"
	"personal-workspace/internal/sqlite/sqlitetest"
	"personal-workspace/sns"
)

// reads is what there is to go on with, in words.
func reads(t *testing.T, w *world) string {
	t.Helper()
	r, ok, err := w.Reading(t.Context())
	if err != nil {
		t.Fatal(err)
	}
	if !ok {
		return "nothing"
	}
	text := fmt.Sprintf("%s, %d new", r.Deck.ID, r.New)
	if r.More {
		text += " and more"
	}
	return text
}

func saw(t *testing.T, w *world, deck string, marks map[string]string) {
	t.Helper()
	if err := w.MarkSeen(t.Context(), deck, marks); err != nil {
		t.Fatal(err)
	}
}

func TestReadingIsTheDeckSeenLast(t *testing.T) {
	w := newWorld(t)
	if got := reads(t, w); got != "nothing" {
		t.Errorf("without a deck: %s", got)
	}
	for _, id := range []string{"one", "two"} {
		create(t, w, decks.CreateDeck{ID: id, Title: id, Columns: []decks.Column{home("a"), home("b")}})
	}
	if got := reads(t, w); got != "one, 0 new" {
		t.Errorf("before any was seen: %s, want the first", got)
	}

	saw(t, w, "one", map[string]string{"a": "m1"})
	w.now = w.now.Add(time.Second)
	saw(t, w, "two", map[string]string{"a": "m1", "b": ""})
	if got := reads(t, w); got != "two, 0 new" {
		t.Errorf("after both were seen: %s, want two", got)
	}
	w.now = w.now.Add(2 * time.Minute)
	saw(t, w, "one", map[string]string{"a": "m1"}) // nothing new there
	if got := reads(t, w); got != "one, 0 new" {
		t.Errorf("after the first was opened again: %s, want one", got)
	}
	d, err := w.GetDeck(t.Context(), "one")
	if err != nil {
		t.Fatal(err)
	}
	if err := w.DeleteDeck(t.Context(), "one", d.Revision); err != nil {
		t.Fatal(err)
	}
	saw(t, w, "one", map[string]string{"a": "m2"}) // by a page that is open still
	if got := reads(t, w); got != "two, 0 new" {
		t.Errorf("after it was deleted: %s, want two", got)
	}
}

func TestReadingCountsWhatIsNew(t *testing.T) {
	boost := sns.Post{BoostedBy: &sns.Boost{}}
	for name, tc := range map[string]struct {
		newer map[string]int
		want  string
	}{
		"nothing":  {nil, "d, 0 new"},
		"both":     {map[string]int{"m1": 30, "m2": 7}, "d, 37 new"},
		"more":     {map[string]int{"m1": 100, "m2": 7}, "d, 107 new and more"},
		"filtered": {map[string]int{"m3": 3}, "d, 2 new"},
	} {
		t.Run(name, func(t *testing.T) {
			w := newWorld(t)
			filtered := home("c")
			filtered.Filters = &decks.Filters{HideBoosts: true}
			create(t, w, decks.CreateDeck{ID: "d", Title: "x", Columns: []decks.Column{home("a"), home("b"), filtered, home("d")}})
			saw(t, w, "d", map[string]string{"a": "m1", "b": "m2", "c": "m3"})
			w.net.newer, w.net.posts = tc.newer, []sns.Post{{}, boost, {}}

			if got := reads(t, w); got != tc.want {
				t.Errorf("%s, want %s", got, tc.want)
			}
		})
	}
}

func TestWhatIsSeenAlreadyIsNotStoredAgain(t *testing.T) {
	db := sqlitetest.Open(t)
	w := over(t, db)
	create(t, w, decks.CreateDeck{ID: "d", Title: "x", Columns: []decks.Column{home("a")}})
	for _, step := range []struct {
		after time.Duration
		mark  string
		want  time.Duration
	}{{0, "m1", 0}, {time.Second, "m1", 0}, {time.Second, "m2", 2 * time.Second}, {2 * time.Minute, "m2", 2*time.Minute + 2*time.Second}} {
		w.now = w.now.Add(step.after)

		saw(t, w, "d", map[string]string{"a": step.mark})

		at, err := sqlite.ReadQuery(t.Context(), db, sqlite.Int, "SELECT seen_at FROM column_state")
		if err != nil {
			t.Fatal(err)
		}
		if got := time.UnixMilli(at[0]).Sub(noon); got != step.want {
			t.Errorf("seen %s at %s and stored at %s, want %s", step.mark, w.now.Sub(noon), got, step.want)
		}
	}
}
