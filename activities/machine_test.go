package activities_test

import (
	"context"
	"encoding/json"
	"fmt"
	"path/filepath"
	"slices"
	"strings"
	"sync"
	"sync/atomic"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"
	"github.com/google/go-cmp/cmp/cmpopts"
	"pgregory.net/rapid"

	"personal-workspace/activities"
	"personal-workspace/internal/fault"
	"personal-workspace/internal/ledger"
	"personal-workspace/internal/sqlite"
	"personal-workspace/internal/sqlite/sqlitetest"
	"personal-workspace/sns"
)

// store is a workspace's file that can be closed and opened again.
type store struct {
	path   string
	now    time.Time
	made   atomic.Int64
	db     *sqlite.DB
	ledger *ledger.Ledger
	*activities.Service
}

func newStore(t *testing.T) *store {
	t.Helper()
	s := &store{path: filepath.Join(t.TempDir(), "workspace.sqlite"), now: time.Date(2026, 11, 30, 12, 0, 0, 0, time.UTC)}
	sqlitetest.Seed(t, s.path)
	if err := s.open(t.Context()); err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() {
		if err := s.db.Close(); err != nil {
			t.Error(err)
		}
	})
	return s
}

func (s *store) open(ctx context.Context) (err error) {
	if s.db, err = sqlite.Open(ctx, sqlite.Config{Path: s.path}); err != nil {
		return err
	}
	now := func() time.Time { return s.now }
	newID := func(prefix string) string { return fmt.Sprintf("%s_%d", prefix, s.made.Add(1)) }
	s.ledger = ledger.New(ledger.Config{DB: s.db, Now: now})
	s.Service = activities.New(activities.Config{DB: s.db, Ledger: s.ledger, Connections: &accounts{list: []sns.Connection{{ID: "conn_a", Network: sns.Mastodon}}}, Now: now, NewID: newID})
	return nil
}

// state is all that the machine can see of a workspace.
type state struct {
	revision, seq int64
	counts        activities.Counts
	by            map[string]activities.Activity
}

// sent is a publication and the answer it got.
type sent struct {
	publication activities.Publication
	receipt     string
}

// taken is a step of the person's that can be taken back.
type taken struct {
	what string
	// before are the decisions before it.
	before map[string]activities.Decision
}

// machine drives a workspace by random steps and checks after each what may
// have changed.
type machine struct {
	*rapid.T
	*store
	// run tells the ids and addresses of this machine from those of others in
	// the same file.
	run      int
	requests int
	ids      []string
	sent     []sent
	undo     []taken
	// touched are the revisions of the person's last step about an activity.
	touched map[string]int64
	// keys are what recognises the source of each activity, "" for none.
	keys map[string]string
	last state
	assistant,
	person context.Context
}

func newMachine(t *testing.T, rt *rapid.T, s *store, run int) *machine {
	m := &machine{T: rt, store: s, run: run, touched: map[string]int64{}, keys: map[string]string{}}
	m.assistant = ledger.WithActor(t.Context(), ledger.Actor{Kind: ledger.Caller, ID: "assistant"})
	m.person = ledger.WithActor(t.Context(), ledger.Actor{Kind: ledger.Person, ID: "owner"})
	m.last = m.look()
	return m
}

func (m *machine) must(err error) {
	m.Helper()
	if err != nil {
		m.Fatal(err)
	}
}

func (m *machine) look() (now state) {
	m.Helper()
	var err error
	now.revision, err = m.Revision(m.person)
	m.must(err)
	now.seq, err = m.ledger.LastSeq(m.person)
	m.must(err)
	now.counts, err = m.Counts(m.person)
	m.must(err)
	now.by = map[string]activities.Activity{}
	for ids := range slices.Chunk(m.ids, activities.MaxContext) {
		page, err := m.Service.Context(m.person, activities.ContextQuery{IDs: ids})
		m.must(err)
		for _, a := range page.Activities {
			now.by[a.ID] = a
		}
	}
	return now
}

var sameState = cmp.Options{cmp.AllowUnexported(state{}), cmpopts.EquateEmpty()}

// unchanged checks that nothing at all has changed.
func (m *machine) unchanged(what string) {
	m.Helper()
	if diff := cmp.Diff(m.last, m.look(), sameState); diff != "" {
		m.Fatalf("%s changed something:\n%s", what, diff)
	}
}

// committed checks that a change by an actor was one commit, or none, and
// changed no activity but those named. It returns what was before.
func (m *machine) committed(what string, by ledger.ActorKind, touched ...string) (before state) {
	m.Helper()
	before, m.last = m.last, m.look()
	moved := m.last.revision - before.revision
	if moved != 0 && moved != 1 || m.last.seq-before.seq != moved {
		m.Fatalf("%s moved the revision from %d to %d and the ledger from %d to %d", what, before.revision, m.last.revision, before.seq, m.last.seq)
	}
	if moved == 0 {
		if diff := cmp.Diff(before, m.last, sameState); diff != "" {
			m.Fatalf("%s changed something without a commit:\n%s", what, diff)
		}
		return before
	}
	entries, err := m.ledger.Entries(m.person, before.seq, 10)
	m.must(err)
	if len(entries) != 1 || entries[0].Actor.Kind != by || fmt.Sprint(entries[0].Data["revision"]) != fmt.Sprint(m.last.revision) {
		m.Fatalf("%s left the ledger's rows %+v, want one by %s at revision %d", what, entries, by, m.last.revision)
	}
	for id, a := range m.last.by {
		old, was := before.by[id]
		switch {
		case was && by == ledger.Caller && !cmp.Equal(old.Decision, a.Decision) && !woken(old.Decision, a.Decision):
			m.Fatalf("%s changed the decision about %s:\n%s", what, id, cmp.Diff(old.Decision, a.Decision))
		case !slices.Contains(touched, id) && !cmp.Equal(old, a):
			m.Fatalf("%s changed %s as well:\n%s", what, id, cmp.Diff(old, a))
		case was && a.Revision != old.Revision && a.Revision != m.last.revision:
			m.Fatalf("%s gave %s revision %d, want %d", what, id, a.Revision, m.last.revision)
		}
	}
	return before
}

// publishes sends a publication and checks all that it led to.
func (m *machine) publishes(p activities.Publication) {
	m.Helper()
	receipt, err := m.Publish(m.assistant, p)
	if err != nil {
		m.Logf("refused: %v", err)
		m.unchanged("a refused publication")
		return
	}
	m.sent = append(m.sent, sent{p, encode(m, receipt)})
	if len(receipt.Activities) != len(p.Activities) || receipt.RequestID != p.RequestID {
		m.Fatalf("receipt = %+v, for %d activities of %s", receipt, len(p.Activities), p.RequestID)
	}
	var touched []string
	created := map[string]bool{}
	for _, o := range receipt.Activities {
		if !slices.Contains(m.ids, o.ID) {
			m.ids = append(m.ids, o.ID)
		}
		if o.Outcome != activities.OutcomeKept {
			touched = append(touched, o.ID)
		}
		created[o.ID] = created[o.ID] || o.Outcome == activities.OutcomeCreated
	}
	before := m.committed("a publication", ledger.Caller, touched...)
	if receipt.Revision != m.last.revision || receipt.Revision != p.ExpectedRevision+1 {
		m.Fatalf("receipt has revision %d, want %d", receipt.Revision, m.last.revision)
	}
	if got, want := total(m.last.counts)-total(before.counts), count(created); got != want {
		m.Fatalf("a publication made %d activities, and told of %d", got, want)
	}
	for i, o := range receipt.Activities {
		if want := m.foretell(before, p.Activities[i]); !slices.Contains(want, o.Outcome) {
			m.Fatalf("%+v was %s %s, want one of %v", p.Activities[i], o.Outcome, o.ID, want)
		}
		m.published(o, p.Activities[i])
		m.learn(o, p.Activities[i])
	}
}

// learn remembers what recognises an activity now; the next of the publication
// may be about the source that it has left.
func (m *machine) learn(o activities.Outcome, p activities.Proposal) {
	if o.Outcome != activities.OutcomeKept {
		m.keys[o.ID] = keyOf(p)
	}
}

// woken reports whether a snooze that new evidence ends was ended and nothing
// else.
func woken(old, now activities.Decision) bool {
	return old.Status == activities.Snoozed && old.WakeOnActivity &&
		(now.Status == activities.Proposed || now.Status == activities.Accepted) && cmp.Equal(old.Edits, now.Edits)
}

func encode(m *machine, v any) string {
	m.Helper()
	b, err := json.Marshal(v)
	m.must(err)
	return string(b)
}

func total(c activities.Counts) int { return c.NeedsYou + c.Snoozed + c.Done + c.Dismissed }

func count(set map[string]bool) (n int) {
	for _, in := range set {
		if in {
			n++
		}
	}
	return n
}

func (m *machine) publish() { m.publishes(m.publication()) }

// badly sends a publication of which the last activity is wrong.
func (m *machine) badly() {
	p := m.publication()
	bad := rapid.SampledFrom([]activities.Proposal{
		{Kind: activities.KindTask, Title: " "},
		{Kind: "poem", Title: "x"},
		{Kind: activities.KindTask, Title: "a\x00"},
		{Kind: activities.KindTask, Title: strings.Repeat("a", activities.MaxTitle+1)},
		{Kind: activities.KindTask, Title: "x", Source: &activities.Source{URL: "javascript:alert(1)"}},
	}).Draw(m.T, "bad")
	if bad.Source != nil && rapid.Bool().Draw(m.T, "twice") {
		bad = activities.Proposal{ID: "twice", Kind: activities.KindTask, Title: "x"}
		p.Activities = append(p.Activities, bad)
	}
	p.Activities = append(p.Activities, bad)
	_, err := m.Publish(m.assistant, p)
	m.refused("a publication with a bad activity", err, fault.InvalidArguments, fault.LimitExceeded)
}

func (m *machine) refused(what string, err error, codes ...fault.Code) {
	m.Helper()
	if !slices.Contains(codes, fault.CodeOf(err)) {
		m.Fatalf("%s = %v, want one of %v", what, err, codes)
	}
	m.unchanged(what)
}

// outOfOrder sends a publication against a revision that is not the current one.
func (m *machine) outOfOrder() {
	p := m.publication()
	p.ExpectedRevision += rapid.SampledFrom([]int64{-2, -1, 1, 1000}).Draw(m.T, "off")
	if p.ExpectedRevision < 0 {
		return
	}
	_, err := m.Publish(m.assistant, p)
	m.refused("a stale publication", err, fault.StaleRevision)
	if got := fault.From(err).Details[fault.DetailCurrentRevision]; fmt.Sprint(got) != fmt.Sprint(m.last.revision) {
		m.Fatalf("a stale publication names revision %v, want %d", got, m.last.revision)
	}
}

// again sends any earlier publication once more, as a client does whose answer
// was lost.
func (m *machine) again() {
	if len(m.sent) == 0 {
		return
	}
	s := rapid.SampledFrom(m.sent).Draw(m.T, "sent")
	receipt, err := m.Publish(m.assistant, s.publication)
	m.must(err)
	if got := encode(m, receipt); got != s.receipt {
		m.Fatalf("the retry of %s got\n%s, want\n%s", s.publication.RequestID, got, s.receipt)
	}
	m.unchanged("a retry")
}

// reused sends other content under the id of an earlier publication.
func (m *machine) reused() {
	if len(m.sent) == 0 {
		return
	}
	p := rapid.SampledFrom(m.sent).Draw(m.T, "sent").publication
	p.Activities = append(slices.Clone(p.Activities), activities.Proposal{Kind: activities.KindTask, Title: "One more"})
	_, err := m.Publish(m.assistant, p)
	m.refused("a request id with other content", err, fault.RequestConflict)
}

// race sends one content as two publications at once, against one revision. Which
// is first is not known, and makes no difference to what follows.
func (m *machine) race() {
	first := m.publication()
	m.requests++
	second := first
	second.RequestID = fmt.Sprintf("request-%d-%d", m.run, m.requests)
	errs := make([]error, 2)
	var both sync.WaitGroup
	for i, p := range []activities.Publication{first, second} {
		both.Go(func() { _, errs[i] = m.Publish(m.assistant, p) })
	}
	both.Wait()
	if errs[0] != nil {
		first, errs[0], errs[1] = second, errs[1], errs[0]
	}
	if errs[0] != nil {
		m.refused("the first of two publications", errs[0], fault.InvalidArguments)
		m.refused("the second of two publications", errs[1], fault.InvalidArguments)
		return
	}
	if got := fault.CodeOf(errs[1]); got != fault.StaleRevision {
		m.Fatalf("the second of two publications against one revision = %v, want stale_revision", errs[1])
	}
	m.adopt(first)
}

// hangUp sends a publication and leaves before or while it is answered, then
// sends it again: it is there once, whether it was before or not.
func (m *machine) hangUp() {
	p, made := m.publication(), m.made.Load()
	ctx, cancel := context.WithCancel(m.assistant)
	left := make(chan struct{})
	go func() {
		cancel()
		close(left)
	}()
	_, _ = m.Publish(ctx, p)
	<-left
	if now := m.look(); now.revision == m.last.revision {
		m.unchanged("a publication that was given up")
		m.made.Store(made) // the ids are the same either way
		if _, again := m.Publish(m.assistant, p); again != nil {
			m.refused("a publication that was given up", again, fault.InvalidArguments)
			return
		}
	}
	m.adopt(p)
}

// adopt learns from a retry what a publication did whose answer was lost.
func (m *machine) adopt(p activities.Publication) {
	m.Helper()
	receipt, err := m.Publish(m.assistant, p)
	m.must(err)
	m.sent = append(m.sent, sent{p, encode(m, receipt)})
	var touched []string
	for _, o := range receipt.Activities {
		if !slices.Contains(m.ids, o.ID) {
			m.ids = append(m.ids, o.ID)
		}
		touched = append(touched, o.ID)
	}
	m.committed("a publication without an answer", ledger.Caller, touched...)
	for i, o := range receipt.Activities {
		m.learn(o, p.Activities[i])
	}
	if receipt.Revision != m.last.revision {
		m.Fatalf("a publication without an answer has revision %d, want %d", receipt.Revision, m.last.revision)
	}
}
