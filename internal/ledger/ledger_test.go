package ledger_test

import (
	"context"
	"errors"
	"fmt"
	"regexp"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"
	"github.com/google/go-cmp/cmp/cmpopts"

	"personal-workspace/internal/ledger"
	"personal-workspace/internal/sqlite"
	"personal-workspace/internal/sqlite/sqlitetest"
)

var noon = time.Date(2026, 11, 30, 12, 0, 0, 0, time.UTC)

type world struct {
	db     *sqlite.DB
	ledger *ledger.Ledger
	runs   *ledger.Runs
	now    time.Time
}

func newWorld(t *testing.T) *world {
	t.Helper()
	w := &world{db: sqlitetest.Open(t), now: noon}
	n := 0
	c := ledger.Config{DB: w.db, Now: func() time.Time { return w.now }, NewID: func(p string) string {
		n++
		return fmt.Sprintf("%s_%d", p, n)
	}}
	w.ledger, w.runs = ledger.New(c), ledger.NewRuns(c, nil)
	return w
}

func (w *world) change(ctx context.Context, id string, err error) error {
	return w.db.Write(ctx, func(tx *sqlite.Tx) error {
		e := w.ledger.Append(tx, ledger.Entry{
			Name: ledger.DeckChanged, ResourceType: ledger.ResourceDeck,
			ResourceID: id, Data: map[string]any{"op": "created"},
		})
		return errors.Join(e, err)
	})
}

func entries(t *testing.T, w *world, after int64) []ledger.Entry {
	t.Helper()
	list, err := w.ledger.Entries(t.Context(), after, 100)
	if err != nil {
		t.Fatal(err)
	}
	return list
}

func TestAppendRecordsTheActorOfTheContext(t *testing.T) {
	w := newWorld(t)
	actor := ledger.Actor{Kind: ledger.Research, ID: "engine", RunID: "run_9"}

	if err := w.change(ledger.WithActor(t.Context(), actor), "deck_1", nil); err != nil {
		t.Fatal(err)
	}

	want := []ledger.Entry{{
		Seq: 1, ID: "evt_1", At: noon, Actor: actor, Name: "deck.changed",
		ResourceType: "deck", ResourceID: "deck_1", Data: map[string]any{"op": "created"},
	}}
	if diff := cmp.Diff(want, entries(t, w, 0)); diff != "" {
		t.Errorf("entries (-want +got):\n%s", diff)
	}
}

func TestWithoutAnActorTheSystemActs(t *testing.T) {
	got := ledger.ActorFrom(t.Context())

	if want := (ledger.Actor{Kind: ledger.System, ID: "system"}); got != want {
		t.Errorf("ActorFrom = %v, want %v", got, want)
	}
}

func TestARolledBackChangeLeavesNoEntryAndWakesNobody(t *testing.T) {
	w := newWorld(t)
	sub := w.ledger.Subscribe()
	defer sub.Close()

	if err := w.change(t.Context(), "deck_1", errors.New("no")); err == nil {
		t.Fatal("no error")
	}

	if got := entries(t, w, 0); len(got) != 0 {
		t.Errorf("entries = %v, want none", got)
	}
	select {
	case <-sub.C:
		t.Error("a subscriber was woken")
	default:
	}
}

func TestACommitWakesEverySubscriberOnce(t *testing.T) {
	w := newWorld(t)
	a, b := w.ledger.Subscribe(), w.ledger.Subscribe()
	defer a.Close()
	b.Close()

	for _, id := range []string{"deck_1", "deck_2"} {
		if err := w.change(t.Context(), id, nil); err != nil {
			t.Fatal(err)
		}
	}

	if got := len(a.C); got != 1 {
		t.Errorf("open subscription has %d wake-ups, want 1", got)
	}
	if got := len(b.C); got != 0 {
		t.Errorf("closed subscription has %d wake-ups, want 0", got)
	}
}

func TestEntriesContinueAfterASeq(t *testing.T) {
	w := newWorld(t)
	for i := range 3 {
		if err := w.change(t.Context(), fmt.Sprint(i), nil); err != nil {
			t.Fatal(err)
		}
	}
	var got []int64
	for _, e := range entries(t, w, 1) {
		got = append(got, e.Seq)
	}
	if want := []int64{2, 3}; !slices.Equal(got, want) {
		t.Errorf("seqs = %v, want %v", got, want)
	}
	if seq, err := w.ledger.LastSeq(t.Context()); seq != 3 || err != nil {
		t.Errorf("LastSeq = %d, %v, want 3", seq, err)
	}
}

func TestEntriesCannotBeChanged(t *testing.T) {
	w := newWorld(t)
	if err := w.change(t.Context(), "deck_1", nil); err != nil {
		t.Fatal(err)
	}

	err := w.db.Write(t.Context(), func(tx *sqlite.Tx) error {
		_, err := tx.Exec("UPDATE ledger SET name = 'x'")
		return err
	})

	if err == nil || !strings.Contains(err.Error(), "append-only") {
		t.Errorf("error = %v, want one that says append-only", err)
	}
}

func TestPruneKeepsAYear(t *testing.T) {
	w := newWorld(t)
	for _, age := range []time.Duration{366 * 24 * time.Hour, 364 * 24 * time.Hour} {
		w.now = noon.Add(-age)
		if err := w.change(t.Context(), fmt.Sprint(age), nil); err != nil {
			t.Fatal(err)
		}
		w.runs.Record(ledger.ToolRun{Caller: "anonymous", Tool: fmt.Sprint(age), Outcome: ledger.OutcomeOK})
	}
	w.now = noon
	if err := errors.Join(w.runs.Flush(t.Context()), w.ledger.Prune(t.Context())); err != nil {
		t.Fatal(err)
	}
	if got := entries(t, w, 0); len(got) != 1 || got[0].ResourceID != "8736h0m0s" {
		t.Errorf("entries = %v, want the one of 364 days", got)
	}
	if got := listRuns(t, w); len(got) != 1 || got[0].Tool != "8736h0m0s" {
		t.Errorf("runs = %v, want the one of 364 days", got)
	}
}

func TestASeqIsNeverUsedAgain(t *testing.T) {
	w := newWorld(t)
	w.now = noon.Add(-400 * 24 * time.Hour)
	if err := w.change(t.Context(), "old", nil); err != nil {
		t.Fatal(err)
	}
	w.now = noon
	if err := errors.Join(w.ledger.Prune(t.Context()), w.change(t.Context(), "new", nil)); err != nil {
		t.Fatal(err)
	}
	if got := entries(t, w, 0); len(got) != 1 || got[0].Seq != 2 {
		t.Errorf("entries = %v, want one with seq 2", got)
	}
}

func listRuns(t *testing.T, w *world) []ledger.ToolRun {
	t.Helper()
	if err := w.runs.Flush(t.Context()); err != nil {
		t.Fatal(err)
	}
	list, err := w.runs.List(t.Context(), 100)
	if err != nil {
		t.Fatal(err)
	}
	return list
}

func TestARunOfAChangeIsCommittedWithIt(t *testing.T) {
	w := newWorld(t)
	ctx, call := w.runs.BeginCall(t.Context(), ledger.ToolRun{Caller: "anonymous", Tool: "create_deck"})
	w.now = noon.Add(3 * time.Millisecond)

	if err := w.change(ctx, "deck_1", nil); err != nil {
		t.Fatal(err)
	}
	list, err := w.runs.List(t.Context(), 10)
	if err != nil {
		t.Fatal(err)
	}

	want := []ledger.ToolRun{{
		ID: "run_1", At: noon, Caller: "anonymous", Tool: "create_deck",
		Outcome: ledger.OutcomeOK, Duration: 3 * time.Millisecond,
	}}
	if diff := cmp.Diff(want, list); diff != "" {
		t.Errorf("before End (-want +got):\n%s", diff)
	}
	call.End(ledger.OutcomeOK, "", "")
	if diff := cmp.Diff(want, listRuns(t, w)); diff != "" {
		t.Errorf("after End (-want +got):\n%s", diff)
	}
}

func TestARunOfARolledBackChangeIsRecordedAsItEnded(t *testing.T) {
	w := newWorld(t)
	ctx, call := w.runs.BeginCall(t.Context(), ledger.ToolRun{Caller: "anonymous", Tool: "replace_deck"})
	if err := w.change(ctx, "deck_1", errors.New("no")); err == nil {
		t.Fatal("no error")
	}

	call.End(ledger.OutcomeError, "stale_revision", "conn_1")

	want := []ledger.ToolRun{{
		Caller: "anonymous", Tool: "replace_deck", ConnectionID: "conn_1",
		Outcome: ledger.OutcomeError, Code: "stale_revision", At: noon,
	}}
	if diff := cmp.Diff(want, listRuns(t, w), cmpopts.IgnoreFields(ledger.ToolRun{}, "ID")); diff != "" {
		t.Errorf("runs (-want +got):\n%s", diff)
	}
}

func TestRunWritesWhatWaitsWhenItEnds(t *testing.T) {
	w := newWorld(t)
	ctx, cancel := context.WithCancel(t.Context())
	done := make(chan error, 1)
	go func() { done <- w.runs.Run(ctx) }()
	w.runs.Record(ledger.ToolRun{Caller: "anonymous", Tool: "list_decks", Outcome: ledger.OutcomeOK})
	cancel()

	if err := <-done; !errors.Is(err, context.Canceled) {
		t.Errorf("Run = %v, want the context's error", err)
	}
	list, err := w.runs.List(t.Context(), 10)
	if len(list) != 1 || err != nil {
		t.Errorf("List = %v, %v, want one run", list, err)
	}
}

func TestWhatAClientSaysOfItselfIsCut(t *testing.T) {
	w := newWorld(t)
	w.runs.Record(ledger.ToolRun{Caller: "anonymous", ClientName: strings.Repeat("日", 40), Tool: "x", Outcome: ledger.OutcomeRefused})

	if got, want := listRuns(t, w)[0].ClientName, strings.Repeat("日", 21); got != want {
		t.Errorf("ClientName = %q, want %q", got, want)
	}
}

func TestNewIDsAreOrderedAndLowerCase(t *testing.T) {
	pattern := regexp.MustCompile(`^deck_[0-9a-v]{26}$`)
	last := ""
	for range 1000 {
		id := ledger.NewID("deck")
		if !pattern.MatchString(id) {
			t.Fatalf("NewID = %q, want it to match %v", id, pattern)
		}
		if id <= last {
			t.Fatalf("NewID gave %q after %q", id, last)
		}
		last = id
	}
}

func TestVersionMovesWithACommitAlone(t *testing.T) {
	w := newWorld(t)
	before := w.ledger.Version()

	if err := w.change(t.Context(), "deck_1", errors.New("no")); err == nil {
		t.Fatal("no error")
	}
	if got := w.ledger.Version(); got != before {
		t.Errorf("after a rollback Version = %d, want %d", got, before)
	}
	if err := w.change(t.Context(), "deck_1", nil); err != nil {
		t.Fatal(err)
	}
	if got := w.ledger.Version(); got != before+1 {
		t.Errorf("after a commit Version = %d, want %d", got, before+1)
	}
}

func TestManyRunsAreAllWritten(t *testing.T) {
	w := newWorld(t)
	for i := range 60 {
		w.runs.Record(ledger.ToolRun{Caller: "anonymous", Tool: fmt.Sprint("t", i), Outcome: ledger.OutcomeOK})
	}
	seen := map[string]bool{}
	for _, r := range listRuns(t, w) {
		seen[r.Tool] = true
	}
	if len(seen) != 60 {
		t.Errorf("%d different runs, want 60", len(seen))
	}
}

func BenchmarkFlush(b *testing.B) {
	runs := ledger.NewRuns(ledger.Config{DB: sqlitetest.Open(b)}, nil)
	for b.Loop() {
		for range 200 {
			runs.Record(ledger.ToolRun{Caller: "anonymous", Tool: "list_decks", ClientName: "client", Outcome: ledger.OutcomeOK})
		}
		if err := runs.Flush(b.Context()); err != nil {
			b.Fatal(err)
		}
	}
	b.ReportMetric(float64(b.Elapsed().Microseconds())/float64(b.N)/200, "µs/run")
}
