package activities_test

import (
	"context"
	"fmt"
	"slices"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"
	"pgregory.net/rapid"

	"personal-workspace/activities"
	"personal-workspace/internal/fault"
	"personal-workspace/internal/ledger"
)

// TestWhateverTheOrderOfSteps sends publications in and out of order, twice and
// with lost answers, between the person's decisions, edits and undos and
// restarts, and checks after each step: a commit moves the revision by one and
// leaves one row in the ledger; what is refused changes nothing; a retry gets the
// first receipt, byte for byte; no publication changes a decision or an edit.
func TestWhateverTheOrderOfSteps(t *testing.T) {
	s := newStore(t) // one file for all runs; each has ids of its own
	run := 0
	rapid.Check(t, func(rt *rapid.T) {
		run++
		m := newMachine(t, rt, s, run)
		for range rapid.IntRange(1, mostSteps).Draw(rt, "steps") {
			s.now = s.now.Add(time.Minute)
			m.step(rapid.SampledFrom(steps).Draw(rt, "step"))
		}
		m.receiptsHold()
	})
	everyCommitHasOneRow(t, s)
}

// mostSteps keeps the test, with the race detector, within a few seconds.
const mostSteps = 18

// steps are what can happen next; the frequent ones stand more than once.
var steps = []string{
	"publish", "publish", "publish", "decide", "decide", "decide", "edit", "undo",
	"publish an error", "publish out of order", "publish again", "publish under a used id", "publish two at once", "publish and hang up",
	"decide about nothing", "decide too late", "decide as an assistant", "undo one", "type", "create", "erase", "clock", "restart",
}

func (m *machine) step(name string) {
	map[string]func(){
		"publish": m.publish, "publish an error": m.badly, "publish out of order": m.outOfOrder, "publish again": m.again,
		"publish under a used id": m.reused, "publish two at once": m.race, "publish and hang up": m.hangUp,
		"decide": m.decide, "decide about nothing": m.decideAboutNothing, "decide too late": m.tooLate, "decide as an assistant": m.usurp,
		"edit": m.edit, "undo": m.takeBack, "undo one": m.takeOneBack, "type": m.typeDraft, "create": m.create, "erase": m.erase,
		"clock": m.wakeByClock, "restart": m.restart,
	}[name]()
}

// some draws ids of activities that there are.
func (m *machine) some() []string {
	var live []string
	for _, id := range m.ids {
		if !m.last.by[id].Erased {
			live = append(live, id)
		}
	}
	if len(live) == 0 {
		return nil
	}
	return rapid.SliceOfNDistinct(rapid.SampledFrom(live), 1, min(3, len(live)), rapid.ID).Draw(m.T, "ids")
}

func (m *machine) verb(ids []string) activities.Decide {
	d := activities.Decide{IDs: ids, Verb: rapid.SampledFrom([]activities.Verb{
		activities.VerbAccept, activities.VerbSnooze, activities.VerbDismiss, activities.VerbDone, activities.VerbReopen, activities.VerbWait,
	}).Draw(m.T, "verb")}
	switch d.Verb {
	case activities.VerbSnooze:
		until := m.now.Add(time.Hour)
		d.SnoozedUntil, d.WakeOnActivity = &until, rapid.Bool().Draw(m.T, "wake")
	case activities.VerbDismiss:
		d.Reason = rapid.SampledFrom([]string{"", "not mine"}).Draw(m.T, "reason")
	}
	return d
}

// statuses are what each verb leads to.
func statuses(v activities.Verb) []activities.Status {
	switch v {
	case activities.VerbAccept:
		return []activities.Status{activities.Accepted}
	case activities.VerbSnooze, activities.VerbWait:
		return []activities.Status{activities.Snoozed}
	case activities.VerbDismiss:
		return []activities.Status{activities.Dismissed}
	case activities.VerbDone:
		return []activities.Status{activities.Done}
	}
	return []activities.Status{activities.Proposed, activities.Accepted}
}

func (m *machine) decide() {
	ids := m.some()
	if ids == nil {
		return
	}
	d := m.verb(ids)
	d.Expected = map[string]int64{ids[0]: m.last.by[ids[0]].Revision}
	_, err := m.Decide(m.person, d)
	if err != nil {
		m.Fatalf("%s of %v: %v", d.Verb, ids, err)
	}
	before := m.personDid(string(d.Verb), ids...)
	if d.Verb == activities.VerbDismiss && before.revision != m.last.revision {
		m.reasoned(before, ids)
	}
	for _, id := range ids {
		old, now := before.by[id], m.last.by[id]
		if !slices.Contains(statuses(d.Verb), now.Decision.Status) {
			m.Fatalf("%s left %s %s", d.Verb, id, now.Decision.Status)
		}
		if !cmp.Equal(old.Proposal, now.Proposal) || !cmp.Equal(old.Decision.Edits, now.Decision.Edits) {
			m.Fatalf("%s of %s changed its text:\n%s", d.Verb, id, cmp.Diff(old, now))
		}
	}
}

// personDid checks a step of the person's, and remembers how to take it back.
func (m *machine) personDid(what string, ids ...string) state {
	m.Helper()
	before := m.committed(what, ledger.Person, ids...)
	if before.revision == m.last.revision {
		return before
	}
	t := taken{what, map[string]activities.Decision{}}
	for _, id := range ids {
		if old, was := before.by[id]; was && !cmp.Equal(old.Decision, m.last.by[id].Decision) {
			t.before[id] = old.Decision
			m.touched[id] = m.last.revision
		}
	}
	m.undo = append(m.undo, t)
	return before
}

// reasoned is for a dismissal that got a reason, or another, later: with its undo
// both are taken back.
func (m *machine) reasoned(before state, ids []string) {
	last := m.undo[len(m.undo)-1]
	for _, id := range ids {
		if before.by[id].Decision.Status != activities.Dismissed || !hasKey(last.before, id) {
			continue
		}
		for _, t := range slices.Backward(m.undo[:len(m.undo)-1]) {
			if old, ok := t.before[id]; ok {
				if t.what == string(activities.VerbDismiss) {
					last.before[id] = old
					delete(t.before, id)
				}
				break
			}
		}
	}
	m.undo = slices.DeleteFunc(m.undo, func(t taken) bool { return len(t.before) == 0 })
}

func (m *machine) edit() {
	ids := m.some()
	if ids == nil {
		return
	}
	id := ids[0]
	text := rapid.SampledFrom([]string{"my own words", "自分の言葉", "כלום"}).Draw(m.T, "text")
	e := activities.Edit{ID: id, Body: &text}
	if rapid.Bool().Draw(m.T, "due") {
		now := m.now
		e.DueAt = &activities.Due{At: rapid.SampledFrom([]*time.Time{nil, &now}).Draw(m.T, "at")}
	}
	_, err := m.Edit(m.person, e)
	m.must(err)
	before := m.personDid("an edit", id)
	old, now := before.by[id], m.last.by[id]
	if _, body, _ := now.Effective(); body != text || old.Decision.Status != now.Decision.Status || !cmp.Equal(old.Proposal, now.Proposal) {
		m.Fatalf("after an edit to %q: %s", text, cmp.Diff(old, now))
	}
}

// takeBack undoes the person's last step.
func (m *machine) takeBack() {
	if len(m.undo) == 0 {
		return
	}
	want := m.undo[len(m.undo)-1]
	_, err := m.Undo(m.person)
	m.must(err)
	m.undo = m.undo[:len(m.undo)-1]
	var ids []string
	for id := range want.before {
		ids = append(ids, id)
	}
	m.committed("an undo", ledger.Person, ids...)
	for id, old := range want.before {
		m.isBack(id, old)
	}
}

// takeOneBack undoes the last step about one activity, by its history.
func (m *machine) takeOneBack() {
	ids := m.some()
	if ids == nil {
		return
	}
	id := ids[0]
	i := len(m.undo) - 1
	for i >= 0 && !hasKey(m.undo[i].before, id) {
		i--
	}
	history, err := m.History(m.person, id)
	m.must(err)
	at := slices.IndexFunc(history, func(c activities.Change) bool { return c.Undoable })
	if (at >= 0) != (i >= 0) {
		m.Fatalf("the history of %s is %+v, want something to undo: %v", id, history, i >= 0)
	}
	if i < 0 {
		return
	}
	_, err = m.UndoDecision(m.person, history[at].ID)
	m.must(err)
	m.committed("an undo by id", ledger.Person, id)
	m.isBack(id, m.undo[i].before[id])
	m.forget(i, id)
}

func hasKey(before map[string]activities.Decision, id string) bool {
	_, ok := before[id]
	return ok
}

// forget removes an activity from a step that can be taken back.
func (m *machine) forget(i int, id string) {
	delete(m.undo[i].before, id)
	if len(m.undo[i].before) == 0 {
		m.undo = slices.Delete(m.undo, i, i+1)
	}
}

// isBack checks that a decision is again as it was.
func (m *machine) isBack(id string, old activities.Decision) {
	m.Helper()
	now := m.last.by[id].Decision
	now.DecidedAt, old.DecidedAt = nil, nil
	if diff := cmp.Diff(old, now); diff != "" {
		m.Fatalf("the undo of %s (-before +now):\n%s", id, diff)
	}
	m.touched[id] = m.last.revision
}

// tooLate decides on a page that the person read before their last change.
func (m *machine) tooLate() {
	ids := m.some()
	if ids == nil || m.touched[ids[0]] < 2 { // an edit of revision 0 is not checked
		return
	}
	d := m.verb(ids[:1])
	d.Expected = map[string]int64{ids[0]: m.touched[ids[0]] - 1}
	if _, err := m.Decide(m.person, d); err == nil {
		m.unchanged("a decision on an old page, which was made already,")
	} else {
		m.refused("a decision on an old page", err, fault.StaleRevision)
	}
	text := "old words"
	_, edited := m.Edit(m.person, activities.Edit{ID: ids[0], Body: &text, BaseRevision: m.touched[ids[0]] - 1})
	m.refused("an edit of an old page", edited, fault.StaleRevision)
}

// erase removes the text of an activity; what was decided before cannot be taken
// back then.
func (m *machine) erase() {
	ids := m.some()
	if ids == nil {
		return
	}
	id := ids[0]
	m.must(m.Erase(m.person, id))
	before := m.committed("erasing", ledger.Person, id)
	a := m.last.by[id]
	if !a.Erased || !a.Decision.Edits.Empty() || a.Decision.DismissReason != "" ||
		!cmp.Equal(a.Proposal, activities.Proposal{Kind: before.by[id].Proposal.Kind}) {
		m.Fatalf("erased, %s is %+v", id, a)
	}
	for i := range slices.Backward(m.undo) {
		m.forget(i, id)
	}
}

func (m *machine) decideAboutNothing() {
	d := m.verb(append(slices.Clone(m.some()), fmt.Sprintf("none-%d", m.run)))
	_, err := m.Decide(m.person, d)
	m.refused("a decision about what is not there", err, fault.NotFound)
}

// usurp tries the person's verbs as an assistant.
func (m *machine) usurp() {
	ids := m.some()
	if ids == nil {
		return
	}
	text := "an assistant's words"
	_, decided := m.Decide(m.assistant, m.verb(ids))
	_, edited := m.Edit(m.assistant, activities.Edit{ID: ids[0], Body: &text})
	_, undone := m.Undo(m.assistant)
	_, created := m.Create(m.assistant, activities.Own{Title: text})
	erased := m.Erase(m.assistant, ids[0])
	for _, err := range []error{decided, edited, undone, created, erased} {
		m.refused("an assistant's decision", err, fault.Forbidden)
	}
}

// typeDraft saves what the person types, which is no commit.
func (m *machine) typeDraft() {
	ids := m.some()
	if ids == nil {
		return
	}
	text := rapid.SampledFrom([]string{"half a sen", "書きかけ"}).Draw(m.T, "text")
	_, err := m.SaveDraft(m.person, ids[0], activities.Draft{Body: &text, BaseRevision: m.last.by[ids[0]].Revision})
	m.must(err)
	m.unchanged("a draft")
	got, ok, err := m.Draft(m.person, ids[0])
	if err != nil || !ok || got.Body == nil || *got.Body != text {
		m.Fatalf("the draft is %+v, %v, %v, want %q", got, ok, err, text)
	}
}

func (m *machine) create() {
	a, err := m.Create(m.person, activities.Own{Title: "Buy bread"})
	m.must(err)
	m.ids = append(m.ids, a.ID)
	before := m.committed("creating", ledger.Person, a.ID)
	if m.last.revision != before.revision+1 || m.last.by[a.ID].Decision.Status != activities.Accepted {
		m.Fatalf("created %+v at revision %d", m.last.by[a.ID], m.last.revision)
	}
	m.touched[a.ID] = m.last.revision
	m.undo = append(m.undo, taken{"create", map[string]activities.Decision{a.ID: {Status: activities.Dismissed}}})
}

// wakeByClock lets the time of every snooze come.
func (m *machine) wakeByClock() {
	m.now = m.now.Add(2 * time.Hour)
	var due []string
	for id, a := range m.last.by {
		if d := a.Decision; d.Status == activities.Snoozed && d.SnoozedUntil != nil {
			due = append(due, id)
		}
	}
	if due == nil {
		return
	}
	changes := m.ledger.Subscribe()
	defer changes.Close()
	ctx, cancel := context.WithCancel(m.person)
	ended := make(chan error, 1)
	go func() { ended <- m.Run(ctx) }()
	<-changes.C
	cancel()
	<-ended
	before := m.committed("the clock", ledger.System, due...)
	for _, id := range due {
		old, now := before.by[id].Decision, m.last.by[id].Decision
		if now.Status != activities.Proposed && now.Status != activities.Accepted || !cmp.Equal(old.Edits, now.Edits) {
			m.Fatalf("the clock woke %s so:\n%s", id, cmp.Diff(old, now))
		}
	}
}

func (m *machine) restart() {
	m.must(m.db.Close())
	m.must(m.open(m.person))
	m.unchanged("a restart")
}

// receiptsHold retries every publication of the run.
func (m *machine) receiptsHold() {
	for _, s := range m.sent {
		receipt, err := m.Publish(m.assistant, s.publication)
		m.must(err)
		if got := encode(m, receipt); got != s.receipt {
			m.Fatalf("the retry of %s got\n%s, want\n%s", s.publication.RequestID, got, s.receipt)
		}
	}
	m.unchanged("retries")
}

// everyCommitHasOneRow reads the whole ledger: its rows count the revisions.
func everyCommitHasOneRow(t *testing.T, s *store) {
	t.Helper()
	revision, err := s.Revision(t.Context())
	if err != nil {
		t.Fatal(err)
	}
	entries, err := s.ledger.Entries(t.Context(), 0, 1_000_000)
	if err != nil {
		t.Fatal(err)
	}
	for i, e := range entries {
		if fmt.Sprint(e.Data["revision"]) != fmt.Sprint(i+1) {
			t.Errorf("row %d of the ledger is of revision %v", i+1, e.Data["revision"])
		}
	}
	if int64(len(entries)) != revision || revision == 0 {
		t.Errorf("the ledger has %d rows at revision %d", len(entries), revision)
	}
}
