package activities_test

import (
	"context"
	"fmt"
	"sync"
	"testing"
	"time"

	"personal-workspace/activities"
	"personal-workspace/internal/fault"
	"personal-workspace/internal/ledger"
	"personal-workspace/internal/sqlite"
	"personal-workspace/internal/sqlite/sqlitetest"
	"personal-workspace/sns"
)

var noon = time.Date(2026, 11, 30, 12, 0, 0, 0, time.UTC)

// accounts stand for the sns service.
type accounts struct {
	list  []sns.Connection
	posts map[activities.PostRef]sns.Post
}

func (a *accounts) GetPost(_ context.Context, connectionID, postID string) (sns.Post, error) {
	p, ok := a.posts[activities.PostRef{ConnectionID: connectionID, PostID: postID}]
	if !ok {
		return p, fault.Missing("post", "There is no such post.")
	}
	return p, nil
}

func (a *accounts) ListConnections(context.Context) ([]sns.Connection, error) { return a.list, nil }

// world is a service with a clock that the test sets.
type world struct {
	*activities.Service
	db       *sqlite.DB
	ledger   *ledger.Ledger
	accounts *accounts
	// person and caller are the contexts of the two.
	person, caller context.Context

	mu       sync.Mutex
	now      time.Time
	requests int
}

func newWorld(tb testing.TB) *world {
	tb.Helper()
	return over(tb, sqlitetest.Open(tb))
}

func over(tb testing.TB, db *sqlite.DB) *world {
	tb.Helper()
	w := &world{db: db, now: noon, accounts: &accounts{list: []sns.Connection{
		{ID: "conn_a", Network: sns.Mastodon, Account: "@ann@a.example"},
		{ID: "conn_b", Network: sns.Twitter, Account: "@ben"},
	}}}
	n := 0
	newID := func(prefix string) string {
		w.mu.Lock()
		defer w.mu.Unlock()
		n++
		return fmt.Sprintf("%s_%d", prefix, n)
	}
	now := func() time.Time {
		w.mu.Lock()
		defer w.mu.Unlock()
		return w.now
	}
	w.ledger = ledger.New(ledger.Config{DB: db, Now: now})
	w.Service = activities.New(activities.Config{DB: db, Ledger: w.ledger, Connections: w.accounts, Now: now, NewID: newID})
	w.person = ledger.WithActor(tb.Context(), ledger.Actor{Kind: ledger.Person, ID: "ses_1"})
	w.caller = ledger.WithActor(tb.Context(), ledger.Actor{Kind: ledger.Caller, ID: "anonymous"})
	return w
}

// as is the context of a caller.
func (w *world) as(tb testing.TB, id string) context.Context {
	return ledger.WithActor(tb.Context(), ledger.Actor{Kind: ledger.Caller, ID: id})
}

// pass lets time pass.
func (w *world) pass(d time.Duration) {
	w.mu.Lock()
	defer w.mu.Unlock()
	w.now = w.now.Add(d)
}

// publish publishes against the present revision.
func (w *world) publish(t testing.TB, list ...activities.Proposal) activities.Receipt {
	t.Helper()
	r, err := w.try(t, list...)
	if err != nil {
		t.Fatal(err)
	}
	return r
}

func (w *world) try(t testing.TB, list ...activities.Proposal) (activities.Receipt, error) {
	t.Helper()
	w.requests++
	return w.Publish(w.caller, activities.Publication{
		RequestID: fmt.Sprint("req_", w.requests), ExpectedRevision: w.revision(t), Activities: list,
	})
}

func (w *world) revision(t testing.TB) int64 {
	t.Helper()
	n, err := w.Revision(w.caller)
	if err != nil {
		t.Fatal(err)
	}
	return n
}

func (w *world) get(t testing.TB, id string) activities.Activity {
	t.Helper()
	a, err := w.Get(w.person, id)
	if err != nil {
		t.Fatal(err)
	}
	return a
}

func (w *world) decide(t testing.TB, verb activities.Verb, ids ...string) activities.Result {
	t.Helper()
	d := activities.Decide{IDs: ids, Verb: verb}
	if verb == activities.VerbSnooze {
		d.SnoozedUntil = new(w.now.Add(time.Hour))
	}
	r, err := w.Decide(w.person, d)
	if err != nil {
		t.Fatal(err)
	}
	return r
}

// task is a proposal without a source.
func task(title string) activities.Proposal {
	return activities.Proposal{Kind: activities.KindTask, Title: title}
}

// about is a task about a page, with an excerpt of a time.
func about(url string, at time.Time) activities.Proposal {
	p := task("Look at it")
	p.Source = &activities.Source{ConnectionID: "conn_a", URL: url}
	if !at.IsZero() {
		p.Source.Excerpts = []activities.Excerpt{{Text: "news", At: &at}}
	}
	return p
}

// ids are those of a receipt.
func ids(r activities.Receipt) (list []string) {
	for _, o := range r.Activities {
		list = append(list, o.ID)
	}
	return list
}

// outcomes are those of a receipt.
func outcomes(r activities.Receipt) (list []string) {
	for _, o := range r.Activities {
		list = append(list, o.Outcome)
	}
	return list
}
