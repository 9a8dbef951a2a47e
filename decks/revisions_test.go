package decks_test

import (
	"errors"
	"fmt"
	"strings"
	"sync"
	"testing"

	"github.com/google/go-cmp/cmp"
	"pgregory.net/rapid"

	"personal-workspace/decks"
	"personal-workspace/internal/fault"
	"personal-workspace/internal/sqlite/sqlitetest"
)

func TestStaleRevisionsAreRefused(t *testing.T) {
	for _, expected := range []int64{0, 1, 3, -1} {
		t.Run(fmt.Sprint(expected), func(t *testing.T) {
			w := newWorld(t)
			create(t, w, decks.CreateDeck{ID: "d", Title: "One"})
			d, err := w.ReplaceDeck(t.Context(), decks.ReplaceDeck{ID: "d", ExpectedRevision: 1, Title: "Two"})
			if err != nil {
				t.Fatal(err)
			}

			_, replaced := w.ReplaceDeck(t.Context(), decks.ReplaceDeck{ID: "d", ExpectedRevision: expected, Title: "Three"})
			deleted := w.DeleteDeck(t.Context(), "d", expected)

			for what, err := range map[string]error{"replace": replaced, "delete": deleted} {
				f := fault.From(err)
				if f == nil || f.Code != fault.StaleRevision || f.Details["currentRevision"] != int64(2) {
					t.Errorf("%s = %+v, want stale_revision with 2", what, f)
				}
			}
			got, err := w.GetDeck(t.Context(), "d")
			if diff := cmp.Diff(d, got); diff != "" || err != nil {
				t.Errorf("the deck changed (%v):\n%s", err, diff)
			}
		})
	}
}

func TestADeletedDeckIsGoneButItsDefinitionIsKept(t *testing.T) {
	w := newWorld(t)
	create(t, w, decks.CreateDeck{ID: "d", Title: "One", Columns: []decks.Column{home("c")}})

	if err := w.DeleteDeck(t.Context(), "d", 1); err != nil {
		t.Fatal(err)
	}

	if _, err := w.GetDeck(t.Context(), "d"); fault.CodeOf(err) != fault.NotFound {
		t.Errorf("GetDeck = %v, want not_found", err)
	}
	if err := w.DeleteDeck(t.Context(), "d", 2); fault.CodeOf(err) != fault.NotFound {
		t.Errorf("DeleteDeck again = %v, want not_found", err)
	}
	if list, err := w.ListDecks(t.Context()); len(list) != 0 || err != nil {
		t.Errorf("ListDecks = %v, %v, want none", list, err)
	}
	revs, err := w.ListRevisions(t.Context(), "d")
	if err != nil || len(revs) != 2 || revs[0].Op != "deleted" || revs[0].Title != "One" || len(revs[0].Columns) != 1 {
		t.Errorf("ListRevisions = %+v, %v, want the deletion with its last definition", revs, err)
	}
}

func TestTheLastTwentyRevisionsAreKept(t *testing.T) {
	w := newWorld(t)
	create(t, w, decks.CreateDeck{ID: "d", Title: "0"})
	for i := int64(1); i < 25; i++ {
		if _, err := w.ReplaceDeck(t.Context(), decks.ReplaceDeck{ID: "d", ExpectedRevision: i, Title: fmt.Sprint(i)}); err != nil {
			t.Fatal(err)
		}
	}
	revs, err := w.ListRevisions(t.Context(), "d")
	if err != nil || len(revs) != 20 || revs[0].Revision != 25 || revs[19].Revision != 6 {
		t.Errorf("revisions %d…, %v, want 25 to 6", len(revs), err)
	}
}

func TestListDecksKeepsTheOrderOfCreation(t *testing.T) {
	w := newWorld(t)
	for _, id := range []string{"b", "a", "c"} {
		create(t, w, decks.CreateDeck{ID: id, Title: strings.ToUpper(id), Columns: []decks.Column{home("")}})
	}
	err := w.DeleteDeck(t.Context(), "b", 1)
	create(t, w, decks.CreateDeck{ID: "b", Title: "B"})

	list, err2 := w.ListDecks(t.Context())

	want := []decks.Summary{{ID: "a", Title: "A", Revision: 1, ColumnCount: 1}, {ID: "c", Title: "C", Revision: 1, ColumnCount: 1}, {ID: "b", Title: "B", Revision: 3}}
	if diff := cmp.Diff(want, list); diff != "" || errors.Join(err, err2) != nil {
		t.Errorf("decks (%v) (-want +got):\n%s", errors.Join(err, err2), diff)
	}
}

func TestListDecksSeesEachCommitAtOnce(t *testing.T) {
	w := newWorld(t)
	titles := func() (all string) {
		list, err := w.ListDecks(t.Context())
		if err != nil {
			t.Fatal(err)
		}
		for _, d := range list {
			all += d.Title
		}
		return all
	}
	got := []string{titles()}
	create(t, w, decks.CreateDeck{ID: "d", Title: "A"})
	got = append(got, titles(), titles())
	if _, err := w.ReplaceDeck(t.Context(), decks.ReplaceDeck{ID: "d", ExpectedRevision: 1, Title: "B"}); err != nil {
		t.Fatal(err)
	}
	got = append(got, titles())
	if err := w.DeleteDeck(t.Context(), "d", 2); err != nil {
		t.Fatal(err)
	}
	got = append(got, titles())

	if diff := cmp.Diff([]string{"", "A", "A", "B", ""}, got); diff != "" {
		t.Errorf("titles (-want +got):\n%s", diff)
	}
}

func TestListDecksSeesAnotherProcessOnceItIsNoticed(t *testing.T) {
	db := sqlitetest.Open(t)
	w, other := over(t, db), over(t, db)
	if list, err := w.ListDecks(t.Context()); len(list) != 0 || err != nil {
		t.Fatalf("ListDecks = %v, %v, want none", list, err)
	}
	create(t, other, decks.CreateDeck{ID: "d", Title: "A"})

	w.ledger.Wake() // what the watch on the database does within a second

	if list, err := w.ListDecks(t.Context()); len(list) != 1 || err != nil {
		t.Errorf("ListDecks = %v, %v, want one", list, err)
	}
}

func TestTheNumberOfDecksIsBounded(t *testing.T) {
	w := newWorld(t)
	for range decks.MaxDecks {
		create(t, w, decks.CreateDeck{Title: "x"})
	}
	_, err := w.CreateDeck(t.Context(), decks.CreateDeck{Title: "x"})
	if fault.CodeOf(err) != fault.LimitExceeded {
		t.Errorf("one more = %v, want limit_exceeded", err)
	}
}

func TestConcurrentReplacementsCommitOnce(t *testing.T) {
	w := newWorld(t)
	create(t, w, decks.CreateDeck{ID: "d", Title: "One"})
	var wg sync.WaitGroup
	codes := make(chan fault.Code, 8)
	for i := range 8 {
		wg.Go(func() {
			_, err := w.ReplaceDeck(t.Context(), decks.ReplaceDeck{ID: "d", ExpectedRevision: 1, Title: fmt.Sprint("by ", i)})
			codes <- fault.CodeOf(err)
		})
	}
	wg.Wait()
	close(codes)
	count := map[fault.Code]int{}
	for c := range codes {
		count[c]++
	}
	if diff := cmp.Diff(map[fault.Code]int{"": 1, fault.StaleRevision: 7}, count); diff != "" {
		t.Errorf("outcomes (-want +got):\n%s", diff)
	}
}

// TestRevisionsAgainstAModel runs random operations beside a map and checks
// that each committed change moves exactly one revision by one and leaves one
// ledger entry.
func TestRevisionsAgainstAModel(t *testing.T) {
	w := newWorld(t) // one database for all runs; each uses ids of its own
	run := 0
	rapid.Check(t, func(rt *rapid.T) {
		run++
		type state struct {
			title    string
			revision int64
			live     bool
			replaced bool // by the newest change
		}
		names := []string{fmt.Sprint("a", run), fmt.Sprint("b", run)}
		model := map[string]*state{names[0]: {}, names[1]: {}}
		commits, err := w.ledger.LastSeq(t.Context())
		if err != nil {
			rt.Fatal(err)
		}
		ids := rapid.SampledFrom(names)
		titles := rapid.SampledFrom([]string{"x", "y", "z"})
		rt.Repeat(map[string]func(*rapid.T){
			"create": func(rt *rapid.T) {
				id, title := ids.Draw(rt, "id"), titles.Draw(rt, "title")
				m := model[id]
				d, err := w.CreateDeck(t.Context(), decks.CreateDeck{ID: id, Title: title})
				switch {
				case !m.live:
					m.title, m.live, m.replaced = title, true, false
					m.revision++
					commits++
				case err != nil && fault.CodeOf(err) != fault.RequestConflict:
					rt.Fatalf("create = %v", err)
				}
				if err == nil && d.Revision != m.revision {
					rt.Fatalf("create gave revision %d, want %d", d.Revision, m.revision)
				}
			},
			"replace": func(rt *rapid.T) {
				id := ids.Draw(rt, "id")
				m, title, off := model[id], titles.Draw(rt, "title"), rapid.Int64Range(-1, 1).Draw(rt, "off")
				d, err := w.ReplaceDeck(t.Context(), decks.ReplaceDeck{ID: id, ExpectedRevision: m.revision + off, Title: title})
				want := fault.Code("")
				switch {
				case !m.live:
					want = fault.NotFound
				case off == -1 && m.replaced && title == m.title:
					// The newest change, sent once more.
				case off != 0:
					want = fault.StaleRevision
				case title != m.title:
					m.title, m.replaced = title, true
					m.revision++
					commits++
				}
				if fault.CodeOf(err) != want || err == nil && d.Revision != m.revision {
					rt.Fatalf("replace = revision %d, %v, want %d, %q", d.Revision, err, m.revision, want)
				}
			},
			"delete": func(rt *rapid.T) {
				id := ids.Draw(rt, "id")
				m := model[id]
				err := w.DeleteDeck(t.Context(), id, m.revision)
				if !m.live {
					if fault.CodeOf(err) != fault.NotFound {
						rt.Fatalf("delete of a missing deck = %v", err)
					}
					return
				}
				if err != nil {
					rt.Fatalf("delete = %v", err)
				}
				m.live = false
				m.revision++
				commits++
			},
			"": func(rt *rapid.T) {
				if got, err := w.ledger.LastSeq(t.Context()); got != commits || err != nil {
					rt.Fatalf("the ledger is at %d, %v, want %d", got, err, commits)
				}
				for id, m := range model {
					d, err := w.GetDeck(t.Context(), id)
					if m.live != (err == nil) || m.live && (d.Revision != m.revision || d.Title != m.title) {
						rt.Fatalf("deck %s = %+v, %v, want %+v", id, d, err, *m)
					}
				}
			},
		})
		for id, m := range model {
			if m.live {
				if err := w.DeleteDeck(t.Context(), id, m.revision); err != nil {
					rt.Fatal(err)
				}
			}
		}
	})
}
