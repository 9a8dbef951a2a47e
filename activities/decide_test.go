package activities_test

import (
	"fmt"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"

	"personal-workspace/activities"
	"personal-workspace/internal/fault"
)

// words says what a decision is.
func words(d activities.Decision) string {
	s := string(d.Status)
	if d.SnoozedUntil != nil {
		s += d.SnoozedUntil.Format(" until 15:04")
	}
	if d.WakeOnActivity {
		s += " or news"
	}
	if d.Waiting {
		s += ", waiting"
	}
	if d.DismissReason != "" {
		s += ": " + d.DismissReason
	}
	if d.DecidedAt != nil {
		s += d.DecidedAt.Format(" (15:04)")
	}
	return s
}

func TestVerbs(t *testing.T) {
	at := noon.Add(6 * time.Hour)
	accept := activities.Decide{Verb: activities.VerbAccept}
	done := activities.Decide{Verb: activities.VerbDone}
	dismiss := activities.Decide{Verb: activities.VerbDismiss, Reason: "not mine"}
	snooze := activities.Decide{Verb: activities.VerbSnooze, SnoozedUntil: &at}
	for _, tc := range []struct {
		name  string
		first activities.Decide
		then  activities.Decide
		want  string
	}{
		{"accept", activities.Decide{}, accept, "accepted (13:00)"},
		{"done", activities.Decide{}, done, "done (13:00)"},
		{"dismiss with a reason", activities.Decide{}, dismiss, "dismissed: not mine (13:00)"},
		{"snooze until a time", activities.Decide{}, snooze, "snoozed until 18:00 (13:00)"},
		{"snooze until there is news", activities.Decide{}, activities.Decide{Verb: activities.VerbSnooze, WakeOnActivity: true}, "snoozed or news (13:00)"},
		{"snooze until either", activities.Decide{}, activities.Decide{Verb: activities.VerbSnooze, SnoozedUntil: &at, WakeOnActivity: true}, "snoozed until 18:00 or news (13:00)"},
		{"wait", accept, activities.Decide{Verb: activities.VerbWait}, "snoozed or news, waiting (13:00)"},
		{"wait until a time", accept, activities.Decide{Verb: activities.VerbWait, SnoozedUntil: &at}, "snoozed until 18:00 or news, waiting (13:00)"},
		{"reopen what is done", done, activities.Decide{Verb: activities.VerbReopen}, "proposed (13:00)"},
		{"reopen what is dismissed", dismiss, activities.Decide{Verb: activities.VerbReopen}, "proposed (13:00)"},
		{"reopen what is snoozed", snooze, activities.Decide{Verb: activities.VerbReopen}, "proposed (13:00)"},
		{"reopen what is accepted", accept, activities.Decide{Verb: activities.VerbReopen}, "proposed (13:00)"},
		{"accept what is snoozed", snooze, accept, "accepted (13:00)"},
		{"accept what is dismissed", dismiss, accept, "accepted (13:00)"},
		{"finish what is snoozed", snooze, done, "done (13:00)"},
		{"the same again", accept, accept, "accepted (12:00)"},
		{"the same snooze again", snooze, snooze, "snoozed until 18:00 (12:00)"},
		{"a reason after the dismissal", activities.Decide{Verb: activities.VerbDismiss}, dismiss, "dismissed: not mine (12:00)"},
	} {
		t.Run(tc.name, func(t *testing.T) {
			w := newWorld(t)
			w.publish(t, task("Buy bread"))
			for _, d := range []activities.Decide{tc.first, tc.then} {
				if d.Verb == "" {
					w.pass(time.Hour)
					continue
				}
				d.IDs = []string{"act_1"}
				res, err := w.Decide(w.person, d)
				if err != nil {
					t.Fatal(err)
				}
				if diff := cmp.Diff(w.get(t, "act_1"), res.Activities[0]); diff != "" {
					t.Errorf("the result is not what is stored (-stored +result):\n%s", diff)
				}
				w.pass(time.Hour)
			}
			if got := words(w.get(t, "act_1").Decision); got != tc.want {
				t.Errorf("decision = %q, want %q", got, tc.want)
			}
		})
	}
}

func TestADecisionThatChangesNothingCommitsNothing(t *testing.T) {
	w := newWorld(t)
	w.publish(t, task("Buy bread"))
	w.decide(t, activities.VerbDone, "act_1")

	res := w.decide(t, activities.VerbDone, "act_1")

	if res.Revision != 2 || len(res.ChangeIDs) != 0 {
		t.Errorf("result = %+v, want revision 2 and no change", res)
	}
}

// TestTheSameClickTwiceIsOneDecision: the second comes from a page of before.
func TestTheSameClickTwiceIsOneDecision(t *testing.T) {
	w := newWorld(t)
	w.publish(t, task("Buy bread"))
	until := noon.Add(time.Hour)
	for _, d := range []activities.Decide{
		{Verb: activities.VerbAccept}, {Verb: activities.VerbSnooze, SnoozedUntil: &until}, {Verb: activities.VerbDismiss, Reason: "Not mine"}, {Verb: activities.VerbDone},
	} {
		d.IDs = []string{"act_1"}
		d.Expected = map[string]int64{"act_1": w.get(t, "act_1").Revision}
		first, err := w.Decide(w.person, d)
		if err != nil {
			t.Fatal(err)
		}
		second, err := w.Decide(w.person, d)
		if err != nil || second.Revision != first.Revision {
			t.Errorf("%s again: revision %d, %v, want %d", d.Verb, second.Revision, err, first.Revision)
		}
	}
}

func TestOnlyThePersonDecides(t *testing.T) {
	w := newWorld(t)
	w.publish(t, task("Buy bread"))
	title := "x"
	for name, act := range map[string]func() error{
		"decide": func() error {
			_, err := w.Decide(w.caller, activities.Decide{IDs: []string{"act_1"}, Verb: activities.VerbDone})
			return err
		},
		"edit":   func() error { _, err := w.Edit(w.caller, activities.Edit{ID: "act_1", Title: &title}); return err },
		"create": func() error { _, err := w.Create(w.caller, activities.Own{Title: "x"}); return err },
		"erase":  func() error { return w.Erase(w.caller, "act_1") },
		"undo":   func() error { _, err := w.Undo(w.caller); return err },
		"draft":  func() error { _, err := w.SaveDraft(w.caller, "act_1", activities.Draft{}); return err },
		"as nobody": func() error {
			_, err := w.Decide(t.Context(), activities.Decide{IDs: []string{"act_1"}, Verb: activities.VerbDone})
			return err
		},
	} {
		t.Run(name, func(t *testing.T) {
			if got := fault.CodeOf(act()); got != fault.Forbidden {
				t.Errorf("code = %q, want forbidden", got)
			}
		})
	}
}

func TestDecisionsThatAreRefused(t *testing.T) {
	past := noon.Add(-time.Second)
	one := []string{"act_1"}
	for _, tc := range []struct {
		name  string
		in    activities.Decide
		code  fault.Code
		field any
	}{
		{"no activity", activities.Decide{Verb: activities.VerbDone}, "invalid_arguments", "ids"},
		{"too many", activities.Decide{IDs: make([]string, 1001), Verb: activities.VerbDone}, "limit_exceeded", "ids"},
		{"one twice", activities.Decide{IDs: []string{"act_1", "act_1"}, Verb: activities.VerbDone}, "invalid_arguments", "ids[1]"},
		{"one that is not there", activities.Decide{IDs: []string{"act_1", "act_9"}, Verb: activities.VerbDone}, "not_found", nil},
		{"no verb", activities.Decide{IDs: one}, "invalid_arguments", "verb"},
		{"a snooze without an end", activities.Decide{IDs: one, Verb: activities.VerbSnooze}, "invalid_arguments", "snoozedUntil"},
		{"a snooze into the past", activities.Decide{IDs: one, Verb: activities.VerbSnooze, SnoozedUntil: &past}, "invalid_arguments", "snoozedUntil"},
		{"a long reason", activities.Decide{IDs: one, Verb: activities.VerbDismiss, Reason: strings.Repeat("語", 1001)}, "invalid_arguments", "reason"},
		{"made without knowing the last one", activities.Decide{IDs: []string{"act_2", "act_1"}, Verb: activities.VerbDone, Expected: map[string]int64{"act_1": 1}}, "stale_revision", nil},
	} {
		t.Run(tc.name, func(t *testing.T) {
			w := newWorld(t)
			w.publish(t, task("a"), task("b"))
			w.decide(t, activities.VerbAccept, "act_1")

			_, err := w.Decide(w.person, tc.in)

			f := fault.From(err)
			if err == nil || f.Code != tc.code || f.Details["field"] != tc.field {
				t.Errorf("fault = %v, want %s of %v", err, tc.code, tc.field)
			}
			if got := w.revision(t); got != 2 {
				t.Errorf("revision = %d, want 2: a fault changes nothing", got)
			}
		})
	}
}

func TestADecisionKnowsOfNewerProposals(t *testing.T) {
	const page = "https://a.example/x"
	w := newWorld(t)
	w.publish(t, about(page, time.Time{}))
	w.decide(t, activities.VerbAccept, "act_1")
	if a := w.get(t, "act_1"); a.ChangedSinceDecision {
		t.Error("changed already")
	}
	p := about(page, time.Time{})
	p.Title = "Look again"
	w.publish(t, p)

	a := w.get(t, "act_1")
	if !a.ChangedSinceDecision || a.SuggestionChanged || a.Decision.Status != activities.Accepted {
		t.Errorf("activity = %+v, want an accepted one that changed since", a)
	}
	// The person saw revision 2; the newer proposal does not stand in the way.
	_, err := w.Decide(w.person, activities.Decide{IDs: []string{"act_1"}, Verb: activities.VerbDone, Expected: map[string]int64{"act_1": 2}})
	if err != nil {
		t.Error(err)
	}
}

func TestUndoGoesBackStepByStep(t *testing.T) {
	w := newWorld(t)
	w.publish(t, task("a"), task("b"), task("c"))
	w.decide(t, activities.VerbAccept, "act_1")
	w.decide(t, activities.VerbDone, "act_1", "act_2")
	title := "My words"
	if _, err := w.Edit(w.person, activities.Edit{ID: "act_3", Title: &title}); err != nil {
		t.Fatal(err)
	}
	w.pass(40 * 24 * time.Hour)
	w = restart(t, w)
	var got []string
	for range 3 {
		if _, err := w.Undo(w.person); err != nil {
			t.Fatal(err)
		}
		state := ""
		for _, id := range []string{"act_1", "act_2", "act_3"} {
			a := w.get(t, id)
			title, _, _ := a.Effective()
			state += fmt.Sprintf("%s %s; ", title, a.Decision.Status)
		}
		got = append(got, state)
	}
	want := []string{
		"a done; b done; c proposed; ",
		"a accepted; b proposed; c proposed; ",
		"a proposed; b proposed; c proposed; ",
	}
	if diff := cmp.Diff(want, got); diff != "" {
		t.Errorf("states (-want +got):\n%s", diff)
	}
	if _, err := w.Undo(w.person); fault.CodeOf(err) != fault.NotFound {
		t.Errorf("a further undo = %v, want not_found", err)
	}
}

// TestWhatWasShownAsTheLastIsUndoneOnce: the second press of a button that names
// the last change goes no further back.
func TestWhatWasShownAsTheLastIsUndoneOnce(t *testing.T) {
	w := newWorld(t)
	w.publish(t, task("a"), task("b"), task("c"))
	if id, err := w.LastChange(w.person); id != "" || err != nil {
		t.Errorf("the last change = %q, %v before any", id, err)
	}
	w.decide(t, activities.VerbAccept, "act_1")
	w.decide(t, activities.VerbDone, "act_2", "act_3")
	last, err := w.LastChange(w.person)
	if err != nil {
		t.Fatal(err)
	}

	var undone []int
	for range 2 {
		res, err := w.UndoTogether(w.person, last)
		if err != nil || len(res.Activities) != 2 || res.Revision != 4 {
			t.Fatalf("undo = %+v, %v, want two of revision 4", res, err)
		}
		undone = append(undone, res.Undone)
	}

	if diff := cmp.Diff([]int{2, 0}, undone); diff != "" {
		t.Errorf("taken back at each press (-want +got):\n%s", diff)
	}
	if got := w.get(t, "act_1").Decision.Status; got != activities.Accepted {
		t.Errorf("what was decided before is %s, want accepted", got)
	}
	if id, err := w.LastChange(w.person); id == last || id == "" || err != nil {
		t.Errorf("the last change = %q, %v, want the one before %q", id, err, last)
	}
}

// restart is the world over the same database, as after a restart.
func restart(t *testing.T, w *world) *world {
	t.Helper()
	next := over(t, w.db)
	next.now, next.requests = w.now, w.requests
	return next
}

func TestUndoOfOneChange(t *testing.T) {
	w := newWorld(t)
	w.publish(t, task("a"))
	first := w.decide(t, activities.VerbAccept, "act_1").ChangeIDs["act_1"]
	second := w.decide(t, activities.VerbDone, "act_1").ChangeIDs["act_1"]

	if _, err := w.UndoDecision(w.person, first); fault.CodeOf(err) != fault.StaleRevision {
		t.Errorf("undo of the earlier change = %v, want stale_revision", err)
	}
	for range 2 { // twice does no harm
		a, err := w.UndoDecision(w.person, second)
		if err != nil || a.Decision.Status != activities.Accepted {
			t.Errorf("undo of the last change = %v, %v, want accepted", a.Decision, err)
		}
	}
	if a, err := w.UndoDecision(w.person, first); err != nil || a.Decision.Status != activities.Proposed || a.Decision.DecidedAt != nil {
		t.Errorf("then of the first = %v, %v, want proposed as it was", a.Decision, err)
	}
	if got := w.revision(t); got != 5 {
		t.Errorf("revision = %d, want 5", got)
	}
	for _, id := range []string{"99", "x", ""} {
		if _, err := w.UndoDecision(w.person, id); fault.CodeOf(err) != fault.NotFound {
			t.Errorf("undo of %q = %v, want not_found", id, err)
		}
	}
}

func TestUndoTakesAReasonBackWithItsDismissal(t *testing.T) {
	w := newWorld(t)
	w.publish(t, task("a"))
	first := w.decide(t, activities.VerbDismiss, "act_1").ChangeIDs["act_1"]
	if _, err := w.Decide(w.person, activities.Decide{IDs: []string{"act_1"}, Verb: activities.VerbDismiss, Reason: "no"}); err != nil {
		t.Fatal(err)
	}

	a, err := w.UndoDecision(w.person, first) // as a page says that was drawn before the reason

	if err != nil || a.Decision.Status != activities.Proposed {
		t.Errorf("undo = %+v, %v, want proposed", a, err)
	}
}

func TestUndoOfAPublicationIsUnsupported(t *testing.T) {
	w := newWorld(t)
	w.publish(t, task("a"))
	h, err := w.History(w.person, "act_1")
	if err != nil {
		t.Fatal(err)
	}
	if _, err := w.UndoDecision(w.person, h[0].ID); fault.CodeOf(err) != fault.Unsupported {
		t.Errorf("undo = %v, want unsupported", err)
	}
}

func TestHistoryTellsWhoDidWhat(t *testing.T) {
	const page = "https://a.example/x"
	w := newWorld(t)
	w.publish(t, about(page, time.Time{}))
	w.decide(t, activities.VerbAccept, "act_1")
	w.pass(time.Minute)
	p := about(page, time.Time{})
	p.Withdrawn = true
	w.publish(t, p)
	w.decide(t, activities.VerbDone, "act_1")
	if _, err := w.Undo(w.person); err != nil {
		t.Fatal(err)
	}

	h, err := w.History(w.person, "act_1")
	if err != nil {
		t.Fatal(err)
	}
	var got []string
	for _, c := range h {
		s := fmt.Sprintf("%s %s %s: %s → %s", c.At.Format("15:04"), c.Actor.Kind, c.What, c.From, c.To)
		if c.Undone {
			s += " undone"
		}
		if c.Undoable {
			s += " undoable"
		}
		got = append(got, s)
	}
	want := []string{
		"12:01 person undone: done → accepted",
		"12:01 person done: accepted → done undone",
		"12:01 caller updated: accepted → accepted",
		"12:00 person accept: proposed → accepted undoable",
		"12:00 caller published: proposed → proposed",
	}
	if diff := cmp.Diff(want, got); diff != "" {
		t.Errorf("history (-want +got):\n%s", diff)
	}
	if _, err := w.History(w.person, "act_9"); fault.CodeOf(err) != fault.NotFound {
		t.Errorf("history of nothing = %v, want not_found", err)
	}
}

func TestTheLargestBatchIsUndoneAsOne(t *testing.T) {
	w := newWorld(t)
	var all []string
	for range activities.MaxBatch / activities.MaxPublication {
		list := make([]activities.Proposal, activities.MaxPublication)
		for i := range list {
			list[i] = task("Buy bread")
		}
		all = append(all, ids(w.publish(t, list...))...)
	}
	w.decide(t, activities.VerbDone, all...)

	r, err := w.Undo(w.person)

	if err != nil || len(r.Activities) != activities.MaxBatch {
		t.Fatalf("%d are taken back, %v, want %d", len(r.Activities), err, activities.MaxBatch)
	}
	if c, err := w.Counts(w.person); err != nil || c.NeedsYou != activities.MaxBatch {
		t.Errorf("counts = %+v, %v, want all to do", c, err)
	}
}

func TestABatchIsOneChange(t *testing.T) {
	w := newWorld(t)
	var list []activities.Proposal
	for i := range 10 {
		list = append(list, task(fmt.Sprint("task ", i)))
	}
	all := ids(w.publish(t, list...))

	res := w.decide(t, activities.VerbDone, all...)

	if res.Revision != 2 || len(res.ChangeIDs) != 10 || len(res.Activities) != 10 {
		t.Errorf("result = %d, %d changes, %d activities", res.Revision, len(res.ChangeIDs), len(res.Activities))
	}
	if i := slices.IndexFunc(res.Activities, func(a activities.Activity) bool { return a.Revision != 2 }); i >= 0 {
		t.Errorf("activity %d is at revision %d", i, res.Activities[i].Revision)
	}
}

func TestABatchIsTakenBackAsOne(t *testing.T) {
	for name, tc := range map[string]struct {
		since func(w *world)
		want  []activities.Status
		code  fault.Code
	}{
		"as it is":    {func(*world) {}, []activities.Status{"proposed", "accepted", "proposed"}, ""},
		"taken back":  {func(w *world) { _, _ = w.Undo(w.person) }, []activities.Status{"proposed", "accepted", "proposed"}, ""},
		"one decided": {func(w *world) { w.decide(t, activities.VerbDone, "act_2") }, []activities.Status{"proposed", "done", "proposed"}, ""},
		"one given a reason": {func(w *world) {
			_, _ = w.Decide(w.person, activities.Decide{IDs: []string{"act_2"}, Verb: activities.VerbDismiss, Reason: "no"})
		}, []activities.Status{"proposed", "accepted", "proposed"}, ""},
		"one erased":   {func(w *world) { _ = w.Erase(w.person, "act_3") }, []activities.Status{"proposed", "accepted", "dismissed"}, ""},
		"all decided":  {func(w *world) { w.decide(t, activities.VerbDone, "act_1", "act_2", "act_3") }, []activities.Status{"done", "done", "done"}, fault.StaleRevision},
		"another done": {func(w *world) { w.decide(t, activities.VerbDone, "act_4") }, []activities.Status{"proposed", "accepted", "proposed"}, ""},
	} {
		t.Run(name, func(t *testing.T) {
			w := newWorld(t)
			w.publish(t, task("a"), task("b"), task("c"), task("d"))
			w.decide(t, activities.VerbAccept, "act_2")
			changes := w.decide(t, activities.VerbDismiss, "act_1", "act_2", "act_3").ChangeIDs
			tc.since(w)
			before := w.revision(t)

			res, err := w.UndoTogether(w.person, changes["act_2"])

			if fault.CodeOf(err) != tc.code {
				t.Fatalf("undo = %v, want %q", err, tc.code)
			}
			var got []activities.Status
			for _, id := range []string{"act_1", "act_2", "act_3"} {
				got = append(got, w.get(t, id).Decision.Status)
			}
			if diff := cmp.Diff(tc.want, got); diff != "" {
				t.Errorf("after the undo (-want +got):\n%s", diff)
			}
			if after := w.revision(t); after > before+1 || (err == nil && after != res.Revision) {
				t.Errorf("revision = %d after %d, the result says %d", after, before, res.Revision)
			}
		})
	}
}
