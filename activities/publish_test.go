package activities_test

import (
	"encoding/json"
	"fmt"
	"slices"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"

	"personal-workspace/activities"
	"personal-workspace/internal/fault"
)

func TestPublishStoresTheProposalsAndCountsOneRevision(t *testing.T) {
	w := newWorld(t)

	r := w.publish(t, task("Buy bread"), task("Call Ann"))

	want := activities.Receipt{RequestID: "req_1", Revision: 1, Activities: []activities.Outcome{
		{ID: "act_1", Outcome: "created"}, {ID: "act_2", Outcome: "created"},
	}}
	if diff := cmp.Diff(want, r); diff != "" {
		t.Errorf("receipt (-want +got):\n%s", diff)
	}
	a := w.get(t, "act_1")
	if a.Proposal.Title != "Buy bread" || a.Decision.Status != activities.Proposed || a.Revision != 1 || a.ProposedBy.Name() != "anonymous" {
		t.Errorf("activity = %+v", a)
	}
}

func TestARetryReturnsTheSameReceiptAfterLaterCommits(t *testing.T) {
	w := newWorld(t)
	p := activities.Publication{RequestID: "once", Activities: []activities.Proposal{task("Buy bread")}}
	first, err := w.Publish(w.caller, p)
	if err != nil {
		t.Fatal(err)
	}
	w.decide(t, activities.VerbDone, "act_1")
	w.publish(t, task("Call Ann"))
	w.pass(89 * 24 * time.Hour)

	again, err := w.Publish(w.caller, p)

	a, _ := json.Marshal(first)
	b, _ := json.Marshal(again)
	if err != nil || string(a) != string(b) {
		t.Errorf("again = %s, %v, want %s", b, err, a)
	}
	if got := w.revision(t); got != 3 {
		t.Errorf("revision = %d, want 3", got)
	}
}

// TestARetryIsRightAfterTheClockIsPutBack: what was no future then is none now.
func TestARetryIsRightAfterTheClockIsPutBack(t *testing.T) {
	w := newWorld(t)
	p := activities.Publication{RequestID: "once", Activities: []activities.Proposal{about(page, noon)}}
	first, err := w.Publish(w.caller, p)
	if err != nil {
		t.Fatal(err)
	}
	w.pass(-time.Hour)

	again, err := w.Publish(w.caller, p)

	if diff := cmp.Diff(first, again); diff != "" || err != nil {
		t.Errorf("again: %v (-first +again):\n%s", err, diff)
	}
}

func TestTheChecksOfAPublicationHaveAnOrder(t *testing.T) {
	w := newWorld(t)
	one := []activities.Proposal{task("Buy bread")}
	if _, err := w.Publish(w.caller, activities.Publication{RequestID: "used", Activities: one}); err != nil {
		t.Fatal(err)
	}
	for _, tc := range []struct {
		name string
		in   activities.Publication
		want fault.Code
	}{
		{"a wrong shape comes first", activities.Publication{RequestID: "used", ExpectedRevision: 7, Activities: []activities.Proposal{task("")}}, "invalid_arguments"},
		{"a used request id before the revision", activities.Publication{RequestID: "used", ExpectedRevision: 7, Activities: []activities.Proposal{task("Other")}}, "request_conflict"},
		{"a retry before the revision", activities.Publication{RequestID: "used", Activities: one}, ""},
		{"an older revision", activities.Publication{RequestID: "new", Activities: one}, "stale_revision"},
		{"a revision from the future", activities.Publication{RequestID: "new", ExpectedRevision: 2, Activities: one}, "stale_revision"},
		{"an account that is not there comes last", activities.Publication{RequestID: "new", ExpectedRevision: 1, Activities: []activities.Proposal{
			{Kind: activities.KindTask, Title: "x", Source: &activities.Source{ConnectionID: "conn_gone"}},
		}}, "not_found"},
	} {
		t.Run(tc.name, func(t *testing.T) {
			_, err := w.Publish(w.caller, tc.in)
			if got := fault.CodeOf(err); got != tc.want {
				t.Errorf("code = %q (%v), want %q", got, err, tc.want)
			}
		})
	}
	if got := w.revision(t); got != 1 {
		t.Errorf("revision = %d, want 1: a fault changes nothing", got)
	}
}

func TestWhatAPublicationIsAbout(t *testing.T) {
	const page = "https://a.example/@ann/109999999999999999"
	before, after := noon.Add(-time.Hour), noon.Add(30*time.Minute)
	named := func(id string, p activities.Proposal) activities.Proposal { p.ID = id; return p }
	changed := func(p activities.Proposal) activities.Proposal { p.Title = "Look at it again"; return p }
	for _, tc := range []struct {
		name string
		verb activities.Verb
		in   activities.Proposal
		want string
	}{
		{"the same without an id", "", about(page, before), "act_1 unchanged"},
		{"another text without an id", "", changed(about(page, before)), "act_1 updated"},
		{"by another spelling of the address", "", changed(about(page+"?utm_source=x", before)), "act_1 updated"},
		{"accepted", activities.VerbAccept, changed(about(page, before)), "act_1 updated"},
		{"snoozed", activities.VerbSnooze, changed(about(page, before)), "act_1 updated"},
		{"another address", "", about("https://a.example/other", before), "act_2 created"},
		{"another kind", "", activities.Proposal{Kind: activities.KindReply, Title: "x", Source: about(page, before).Source}, "act_2 created"},
		{"no address", "", task("Look at it"), "act_2 created"},
		{"dismissed, older evidence", activities.VerbDismiss, changed(about(page, before)), "act_1 kept_decision 12:00"},
		{"dismissed, evidence of that very time", activities.VerbDismiss, about(page, noon), "act_1 kept_decision 12:00"},
		{"dismissed, evidence without a time", activities.VerbDismiss, about(page, time.Time{}), "act_1 kept_decision 12:00"},
		{"dismissed, newer evidence", activities.VerbDismiss, about(page, after), "act_2 created"},
		{"dismissed, by its id", activities.VerbDismiss, named("act_1", about(page, before)), "act_1 kept_decision 12:00"},
		{"dismissed, by its id with newer evidence", activities.VerbDismiss, named("act_1", about(page, after)), "act_2 created"},
		{"dismissed, under a new id", activities.VerbDismiss, named("mine", about(page, before)), "act_1 kept_decision 12:00"},
		{"dismissed, under a new id with newer evidence", activities.VerbDismiss, named("mine", about(page, after)), "mine created"},
		{"done", activities.VerbDone, changed(about(page, before)), "act_1 kept_decision"},
		{"done, newer evidence", activities.VerbDone, about(page, after), "act_2 created"},
		{"done, under a new id", activities.VerbDone, named("mine", about(page, before)), "mine created"},
		{"a new id", "", named("mine", about("https://a.example/other", before)), "mine created"},
	} {
		t.Run(tc.name, func(t *testing.T) {
			w := newWorld(t)
			w.publish(t, about(page, before))
			if tc.verb != "" {
				w.decide(t, tc.verb, "act_1")
			}
			was := w.get(t, "act_1").Decision
			w.pass(time.Hour)

			o := w.publish(t, tc.in).Activities[0]

			got := o.ID + " " + o.Outcome
			if o.DismissedAt != nil {
				got += o.DismissedAt.Format(" 15:04")
			}
			if got != tc.want {
				t.Errorf("outcome = %q, want %q", got, tc.want)
			}
			if diff := cmp.Diff(was, w.get(t, "act_1").Decision); diff != "" {
				t.Errorf("the decision changed (-was +is):\n%s", diff)
			}
		})
	}
}

func TestNewerEvidenceBringsADismissedOneBackOnce(t *testing.T) {
	const page = "https://a.example/x"
	w := newWorld(t)
	w.publish(t, about(page, time.Time{}))
	w.decide(t, activities.VerbDismiss, "act_1")
	w.pass(2 * time.Hour)
	news := about(page, noon.Add(time.Hour))

	if got, want := ids(w.publish(t, news)), []string{"act_2"}; !slices.Equal(got, want) {
		t.Fatalf("ids = %v, want %v", got, want)
	}
	if a := w.get(t, "act_2"); a.DismissedBefore == nil || !a.DismissedBefore.Equal(noon) {
		t.Errorf("DismissedBefore = %v, want %v", a.DismissedBefore, noon)
	}
	w.decide(t, activities.VerbDismiss, "act_2")
	if got := w.publish(t, news).Activities[0]; got.Outcome != "kept_decision" || got.ID != "act_2" {
		t.Errorf("the same news again = %+v, want kept_decision of act_2", got)
	}
	news.ID = "act_1"
	if got := w.publish(t, news).Activities[0]; got.Outcome != "kept_decision" || got.ID != "act_2" {
		t.Errorf("the same news by the first id = %+v, want kept_decision of act_2", got)
	}
}

// TestWhatCameBackIsNotProposedBesideItself: under a new id it is the same thing.
func TestWhatCameBackIsNotProposedBesideItself(t *testing.T) {
	news := func(id, title string, at time.Time) activities.Proposal {
		p := about(page, at)
		p.ID, p.Title = id, title
		return p
	}
	for _, tc := range []struct {
		name string
		verb activities.Verb
		in   activities.Proposal
		want string
	}{
		{"the same", "", news("other", "Look at it", noon.Add(time.Hour)), "act_2 unchanged"},
		{"another text", "", news("other", "Read it", noon.Add(time.Hour)), "act_2 updated"},
		{"done since", activities.VerbDone, news("other", "Read it", noon.Add(time.Hour)), "act_2 kept_decision"},
		{"dismissed since", activities.VerbDismiss, news("other", "Read it", noon.Add(time.Hour)), "act_2 kept_decision"},
		{"done since, newer evidence", activities.VerbDone, news("other", "Read it", noon.Add(150*time.Minute)), "other created"},
		{"about another page", "", activities.Proposal{ID: "other", Kind: activities.KindTask, Title: "x", Source: about(page+"2", noon).Source}, "other created"},
	} {
		t.Run(tc.name, func(t *testing.T) {
			w := newWorld(t)
			w.publish(t, about(page, time.Time{}))
			w.decide(t, activities.VerbDismiss, "act_1")
			w.pass(2 * time.Hour)
			w.publish(t, about(page, noon.Add(time.Hour)))
			if tc.verb != "" {
				w.decide(t, tc.verb, "act_2")
			}
			w.pass(time.Hour)

			o := w.publish(t, tc.in).Activities[0]

			if got := o.ID + " " + o.Outcome; got != tc.want {
				t.Errorf("outcome = %q, want %q", got, tc.want)
			}
		})
	}
}

// TestTheFirstIDLeadsToTheNewest: also after what came back was dismissed too.
func TestTheFirstIDLeadsToTheNewest(t *testing.T) {
	w := newWorld(t)
	w.publish(t, about(page, time.Time{}))
	for i := range 2 {
		w.decide(t, activities.VerbDismiss, fmt.Sprint("act_", i+1))
		w.pass(time.Hour)
		w.publish(t, about(page, w.now))
	}
	byID := about(page, w.now)
	byID.ID, byID.Title = "act_1", "Look again"

	o := w.publish(t, byID).Activities[0]

	if got := o.ID + " " + o.Outcome; got != "act_3 updated" {
		t.Errorf("outcome = %q, want act_3 updated", got)
	}
}

// TestAnOpenOneDoesNotBecomeWhatWasDismissed: its id does not help a proposal past
// the dismissal of another page.
func TestAnOpenOneDoesNotBecomeWhatWasDismissed(t *testing.T) {
	w := newWorld(t)
	w.publish(t, about(page, time.Time{}), about(page+"2", time.Time{}))
	w.decide(t, activities.VerbDismiss, "act_1")
	moved := about(page, time.Time{})
	moved.ID = "act_2"

	o := w.publish(t, moved).Activities[0]

	if got := o.ID + " " + o.Outcome; got != "act_1 kept_decision" {
		t.Errorf("outcome = %q, want act_1 kept_decision", got)
	}
	if got := w.get(t, "act_2").Proposal.Source.URL; got != page+"2" {
		t.Errorf("act_2 is about %s now", got)
	}
}

// TestAnEditOfWhatIsClosedDoesNotCloseItAgain: what is newer than the dismissal
// stays newer, and the date of the dismissal stays its date.
func TestAnEditOfWhatIsClosedDoesNotCloseItAgain(t *testing.T) {
	w := newWorld(t)
	w.publish(t, about(page, noon.Add(-time.Hour)))
	w.decide(t, activities.VerbDismiss, "act_1")
	w.pass(time.Hour)
	if _, err := w.Edit(w.person, activities.Edit{ID: "act_1", Body: new("My notes")}); err != nil {
		t.Fatal(err)
	}
	if _, err := w.Decide(w.person, activities.Decide{IDs: []string{"act_1"}, Verb: activities.VerbDismiss, Reason: "Not mine"}); err != nil {
		t.Fatal(err)
	}

	kept := w.publish(t, about(page, noon)).Activities[0]
	back := w.publish(t, about(page, noon.Add(time.Minute))).Activities[0]

	if kept.DismissedAt == nil || !kept.DismissedAt.Equal(noon) {
		t.Errorf("dismissed at %v, want %v", kept.DismissedAt, noon)
	}
	if back.Outcome != activities.OutcomeCreated {
		t.Errorf("with newer evidence %+v, want created", back)
	}
}

func TestAnOwnActivityIsKept(t *testing.T) {
	const page = "https://a.example/x"
	w := newWorld(t)
	a, err := w.Create(w.person, activities.Own{Title: "Mine", Source: about(page, time.Time{}).Source})
	if err != nil {
		t.Fatal(err)
	}
	byID := about(page, noon)
	byID.ID = a.ID

	got := slices.Concat(outcomes(w.publish(t, byID)), outcomes(w.publish(t, about(page, noon))))

	if want := []string{"kept_decision", "kept_decision"}; !slices.Equal(got, want) {
		t.Errorf("outcomes = %v, want %v", got, want)
	}
	if got := w.get(t, a.ID); got.Proposal.Title != "Mine" || !got.Own || got.Decision.Status != activities.Accepted {
		t.Errorf("activity = %+v", got)
	}
}

func TestAnOwnActivityThatIsClosedIsKept(t *testing.T) {
	w := newWorld(t)
	a, err := w.Create(w.person, activities.Own{Title: "Mine", Source: about(page, time.Time{}).Source})
	if err != nil {
		t.Fatal(err)
	}
	w.decide(t, activities.VerbDone, a.ID)
	w.pass(time.Hour)
	news := about(page, noon.Add(time.Minute))
	byID := news
	byID.ID = a.ID
	for _, tc := range []struct {
		name string
		in   activities.Proposal
		want string
	}{
		{"by its id", byID, a.ID + " kept_decision"},
		{"by its page, without news", about(page, time.Time{}), a.ID + " kept_decision"},
		{"by its page, with news", news, "act_2 created"},
		{"by its id beside the news", byID, a.ID + " kept_decision"},
	} {
		o := w.publish(t, tc.in).Activities[0]
		if got := o.ID + " " + o.Outcome; got != tc.want {
			t.Errorf("%s: %q, want %q", tc.name, got, tc.want)
		}
	}
}

func TestAPublicationIsAllOrNothing(t *testing.T) {
	w := newWorld(t)
	bad := task("x")
	bad.Source = &activities.Source{ConnectionID: "conn_a", Network: "twitter"}

	_, err := w.try(t, task("Buy bread"), bad)

	if got := fault.From(err).Details["field"]; got != "activities[1].source.network" {
		t.Errorf("field = %v (%v)", got, err)
	}
	p, err := w.Context(w.caller, activities.ContextQuery{})
	if len(p.Activities) != 0 || p.Revision != 0 || err != nil {
		t.Errorf("context = %+v, %v, want nothing", p, err)
	}
	entries, err := w.ledger.Entries(t.Context(), 0, 10)
	if len(entries) != 0 || err != nil {
		t.Errorf("ledger = %v, %v, want nothing", entries, err)
	}
}

func TestEachCommitHasOneEntryInTheLedger(t *testing.T) {
	w := newWorld(t)
	w.publish(t, task("a"), task("b"))
	w.decide(t, activities.VerbAccept, "act_1", "act_2")
	w.decide(t, activities.VerbAccept, "act_1") // is so already
	if _, err := w.Undo(w.person); err != nil {
		t.Fatal(err)
	}

	entries, err := w.ledger.Entries(t.Context(), 0, 10)
	if err != nil {
		t.Fatal(err)
	}
	var got []string
	for _, e := range entries {
		got = append(got, fmt.Sprintf("%s %s %s %v %v %v", e.Name, e.ResourceType, e.Actor.Kind, e.Data["revision"], e.Data["verb"], e.Data["count"]))
	}
	want := []string{
		"activity.published activity caller 1 <nil> 2",
		"activity.decided activity person 2 accept 2",
		"activity.decided activity person 3 undo 2",
	}
	if diff := cmp.Diff(want, got); diff != "" {
		t.Errorf("ledger (-want +got):\n%s", diff)
	}
}
