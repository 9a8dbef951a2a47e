package activities_test

import (
	"context"
	"errors"
	"fmt"
	"testing"
	"testing/synctest"
	"time"

	"github.com/google/go-cmp/cmp"

	"personal-workspace/activities"
	"personal-workspace/internal/fault"
	"personal-workspace/internal/ledger"
	"personal-workspace/internal/sqlite/sqlitetest"
)

// snooze puts an activity off until a time, or news, or both.
func snooze(t *testing.T, w *world, verb activities.Verb, id string, until *time.Time, news bool) {
	t.Helper()
	_, err := w.Decide(w.person, activities.Decide{IDs: []string{id}, Verb: verb, SnoozedUntil: until, WakeOnActivity: news})
	if err != nil {
		t.Fatal(err)
	}
}

func TestTheClockWakesInOneCommit(t *testing.T) {
	w := newWorld(t)
	w.publish(t, task("a"), task("b"), task("c"), task("d"))
	w.decide(t, activities.VerbAccept, "act_2")
	for _, id := range []string{"act_1", "act_2"} {
		snooze(t, w, activities.VerbSnooze, id, new(noon.Add(time.Hour)), false)
	}
	snooze(t, w, activities.VerbSnooze, "act_3", new(noon.Add(2*time.Hour)), false)
	snooze(t, w, activities.VerbWait, "act_4", nil, false)
	before := w.revision(t)
	w.pass(time.Hour)

	if err := activities.Tick(t.Context(), w.Service); err != nil {
		t.Fatal(err)
	}

	var got []string
	for _, id := range []string{"act_1", "act_2", "act_3", "act_4"} {
		got = append(got, words(w.get(t, id).Decision))
	}
	want := []string{"proposed (12:00)", "accepted (12:00)", "snoozed until 14:00 (12:00)", "snoozed or news, waiting (12:00)"}
	if diff := cmp.Diff(want, got); diff != "" {
		t.Errorf("decisions (-want +got):\n%s", diff)
	}
	if got := w.revision(t); got != before+1 {
		t.Errorf("revision = %d, want %d", got, before+1)
	}
	entries, err := w.ledger.Entries(t.Context(), before, 10)
	if err != nil || len(entries) != 1 || entries[0].Actor.Kind != ledger.System || entries[0].Data["verb"] != "wake" {
		t.Errorf("ledger = %+v, %v, want one waking by the system", entries, err)
	}
	h, err := w.History(w.person, "act_1")
	if err != nil || h[0].What != "woken" || h[0].Actor.Kind != ledger.System {
		t.Errorf("history = %+v, %v", h, err)
	}
}

func TestNewEvidenceWakesWhatWaitsForIt(t *testing.T) {
	old, newer := noon.Add(-2*time.Hour), noon.Add(-time.Hour)
	withoutTime := about(page, time.Time{})
	withoutTime.Source.Excerpts = []activities.Excerpt{{Text: "other"}}
	for _, tc := range []struct {
		name string
		news bool
		in   activities.Proposal
		want activities.Status
	}{
		{"a newer excerpt", true, about(page, newer), activities.Proposed},
		{"the same excerpt", true, about(page, old), activities.Snoozed},
		{"an excerpt without a time", true, withoutTime, activities.Snoozed},
		{"a newer excerpt when only the clock was chosen", false, about(page, newer), activities.Snoozed},
	} {
		t.Run(tc.name, func(t *testing.T) {
			w := newWorld(t)
			w.publish(t, about(page, old))
			snooze(t, w, activities.VerbSnooze, "act_1", new(noon.Add(time.Hour)), tc.news)

			r := w.publish(t, tc.in)

			if got := w.get(t, "act_1").Decision.Status; got != tc.want {
				t.Errorf("status = %s, want %s", got, tc.want)
			}
			if r.Revision != 3 || w.revision(t) != 3 {
				t.Errorf("revision = %d and %d, want 3: it is the publication's commit", r.Revision, w.revision(t))
			}
		})
	}
}

// TestEvidenceIsNewsOnce: also when a proposal between had only older evidence.
func TestEvidenceIsNewsOnce(t *testing.T) {
	w := newWorld(t)
	w.publish(t, about(page, noon))
	snooze(t, w, activities.VerbSnooze, "act_1", nil, true)
	w.publish(t, about(page, noon.Add(-time.Hour)))

	w.publish(t, about(page, noon))

	if got := w.get(t, "act_1").Decision.Status; got != activities.Snoozed {
		t.Errorf("status = %s, want snoozed: the excerpt was there before", got)
	}
}

// TestTheFirstDatedEvidenceIsNewsWhenItIsNewerThanTheSnooze: what was there before
// had no time to compare with.
func TestTheFirstDatedEvidenceIsNewsWhenItIsNewerThanTheSnooze(t *testing.T) {
	for _, tc := range []struct {
		name string
		at   time.Time
		want activities.Status
	}{
		{"older", noon.Add(-time.Minute), activities.Snoozed},
		{"of that very time", noon, activities.Snoozed},
		{"newer", noon.Add(time.Minute), activities.Proposed},
	} {
		t.Run(tc.name, func(t *testing.T) {
			w := newWorld(t)
			w.publish(t, about(page, time.Time{}))
			snooze(t, w, activities.VerbSnooze, "act_1", nil, true)

			w.publish(t, about(page, tc.at))

			if got := w.get(t, "act_1").Decision.Status; got != tc.want {
				t.Errorf("status = %s, want %s", got, tc.want)
			}
		})
	}
}

func TestAnUndoneSnoozeDoesNotWake(t *testing.T) {
	w := newWorld(t)
	w.publish(t, task("a"))
	snooze(t, w, activities.VerbSnooze, "act_1", new(noon.Add(time.Hour)), false)
	if _, err := w.Undo(w.person); err != nil {
		t.Fatal(err)
	}
	before := w.revision(t)
	w.pass(2 * time.Hour)
	if err := activities.Tick(t.Context(), w.Service); err != nil {
		t.Fatal(err)
	}
	if got := w.revision(t); got != before {
		t.Errorf("revision = %d, want %d", got, before)
	}
}

// TestRunWakesOnTime runs with the time of a bubble: the database is opened in
// it, so that everything that waits belongs to it.
func TestRunWakesOnTime(t *testing.T) {
	path := t.TempDir() + "/workspace.sqlite"
	sqlitetest.Seed(t, path)
	synctest.Test(t, func(t *testing.T) {
		db := sqlitetest.OpenAt(t, path)
		l := ledger.New(ledger.Config{DB: db})
		s := activities.New(activities.Config{DB: db, Ledger: l, Connections: &accounts{}})
		ctx, cancel := context.WithCancel(t.Context())
		done := make(chan error, 1)
		go func() { done <- s.Run(ctx) }()
		person := ledger.WithActor(t.Context(), ledger.Actor{Kind: ledger.Person, ID: "ses"})
		a, err := s.Create(person, activities.Own{Title: "x"})
		if err != nil {
			t.Fatal(err)
		}
		const sleep = 90*time.Minute + 30*time.Second // no multiple of how often Run looks anyway
		until := time.Now().Add(sleep)
		if _, err := s.Decide(person, activities.Decide{IDs: []string{a.ID}, Verb: activities.VerbSnooze, SnoozedUntil: &until}); err != nil {
			t.Fatal(err)
		}
		status := func() activities.Status {
			synctest.Wait()
			a, err := s.Get(person, a.ID)
			if err != nil {
				t.Fatal(err)
			}
			return a.Decision.Status
		}
		<-time.After(sleep - time.Second)
		if got := status(); got != activities.Snoozed {
			t.Errorf("a second before: %s, want snoozed", got)
		}
		<-time.After(2 * time.Second)
		if got := status(); got != activities.Accepted {
			t.Errorf("a second after: %s, want accepted", got)
		}
		cancel()
		if err := <-done; !errors.Is(err, context.Canceled) {
			t.Errorf("Run = %v, want the context's error", err)
		}
	})
}

func TestReceiptsAreKeptNinetyDays(t *testing.T) {
	w := newWorld(t)
	publish := func(id string, revision int64) error {
		_, err := w.Publish(w.caller, activities.Publication{RequestID: id, ExpectedRevision: revision, Activities: []activities.Proposal{task("x")}})
		return err
	}
	for i := range 2 {
		if err := publish(fmt.Sprint("r", i), int64(i)); err != nil {
			t.Fatal(err)
		}
		w.pass(2 * time.Hour)
	}
	w.pass(90*24*time.Hour - 2*time.Hour)
	if err := w.Prune(t.Context()); err != nil {
		t.Fatal(err)
	}
	if err := publish("r0", 0); fault.CodeOf(err) != fault.StaleRevision {
		t.Errorf("an answer older than 90 days: %v, want stale_revision", err)
	}
	if err := publish("r1", 1); err != nil {
		t.Errorf("one of 90 days: %v", err)
	}
}
