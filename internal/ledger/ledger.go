// Package ledger is the append-only record of every committed change and the
// in-process wake-up that follows a commit.
//
// A service appends its entry inside the transaction that makes the change, so
// a rolled-back change leaves no entry, and seq order is commit order because
// the database has one writer. Every feed of changes reads this table; none has
// a second source of truth. Entries hold ids, enums and integers, never text.
//
// The second record, tool runs, has one row for each MCP call, refused ones too.
package ledger

import (
	"context"
	"encoding/json"
	"fmt"
	"sync"
	"sync/atomic"
	"time"

	"personal-workspace/internal/sqlite"
)

// Names of changes.
const (
	// DeckChanged: a deck was created, replaced or deleted. Data: op, revision.
	DeckChanged = "deck.changed"
	// ConnectionStateChanged: a connection was added, removed or changed state.
	// Data: state, code.
	ConnectionStateChanged = "connection.state_changed"
	// ActivityPublished: an assistant published activities. Data: revision, count.
	ActivityPublished = "activity.published"
	// ActivityDecided: the person decided, edited, made, erased or took back, or
	// the clock woke. Data: revision, verb, count.
	ActivityDecided = "activity.decided"
)

// Types of resources an entry is about.
const (
	ResourceDeck       = "deck"
	ResourceConnection = "connection"
	ResourceActivity   = "activity"
)

// Retention is how long entries and tool runs are kept.
const Retention = 365 * 24 * time.Hour

// Entry is one committed change.
type Entry struct {
	// Seq is the place in commit order; the store sets it.
	Seq int64
	// ID is evt_…; the store sets it.
	ID string
	// At is when it was committed; the store sets it.
	At time.Time
	// Actor is taken from the transaction's context.
	Actor Actor
	// Name is one of the names above.
	Name string
	// ResourceType and ResourceID say what changed.
	ResourceType, ResourceID string
	// Data holds ids, enums and integers only.
	Data map[string]any
}

// Config has the ledger's parts; DB is required.
type Config struct {
	DB *sqlite.DB
	// Now is the clock; nil means time.Now.
	Now func() time.Time
	// NewID makes an id from a prefix such as "evt"; nil means NewID.
	NewID func(prefix string) string
}

// Ledger appends entries and wakes subscribers. It is safe for concurrent use.
type Ledger struct {
	db    *sqlite.DB
	now   func() time.Time
	newID func(string) string

	version atomic.Uint64

	mu   sync.Mutex
	subs map[*Subscription]struct{}
}

// New returns a ledger over the database.
func New(c Config) *Ledger {
	if c.Now == nil {
		c.Now = time.Now
	}
	if c.NewID == nil {
		c.NewID = NewID
	}
	return &Ledger{db: c.DB, now: c.Now, newID: c.NewID, subs: map[*Subscription]struct{}{}}
}

// Append records a change inside the transaction that makes it. After the
// commit all subscribers wake; without a commit nothing happens.
func (l *Ledger) Append(tx *sqlite.Tx, e Entry) error {
	data, err := json.Marshal(e.Data)
	if err != nil {
		return fmt.Errorf("encode the ledger entry: %w", err)
	}
	if e.Data == nil {
		data = []byte("{}")
	}
	e.ID, e.At, e.Actor = l.newID("evt"), l.now(), ActorFrom(tx.Context())
	if err := insertEntry(tx, e, string(data)); err != nil {
		return fmt.Errorf("append to the ledger: %w", err)
	}
	tx.AfterCommit(l.Wake)
	return recordCall(tx)
}

// Entries returns at most limit entries after seq, oldest first.
func (l *Ledger) Entries(ctx context.Context, after int64, limit int) (list []Entry, err error) {
	err = l.db.Read(ctx, func(tx *sqlite.Tx) error {
		list, err = listEntries(tx, after, limit)
		return err
	})
	return list, err
}

// LastSeq returns the newest seq, 0 when there is none.
func (l *Ledger) LastSeq(ctx context.Context) (seq int64, err error) {
	err = l.db.Read(ctx, func(tx *sqlite.Tx) error {
		seq, err = lastSeq(tx)
		return err
	})
	return seq, err
}

// Prune removes entries and tool runs older than Retention.
func (l *Ledger) Prune(ctx context.Context) error {
	before := l.now().Add(-Retention).UnixMilli()
	return l.db.Write(ctx, func(tx *sqlite.Tx) error { return prune(tx, before) })
}

// Version grows with each wake-up, before any subscriber wakes. What was read
// after asking for the version holds for as long as the version stays: a change
// of this process is known at its commit, one of another process within the
// second it takes to notice it. It says nothing across a restart.
func (l *Ledger) Version() uint64 { return l.version.Load() }

// Subscription is a place to wait for changes. It says only that something may
// have changed: read the state, or Entries, to learn what.
type Subscription struct {
	// C receives after one or more commits; wake-ups that were not yet read
	// fall together.
	C <-chan struct{}

	wake chan struct{}
	l    *Ledger
}

// Subscribe starts a subscription. Subscribe first and read the state after,
// so that no change falls between. Close it when done.
func (l *Ledger) Subscribe() *Subscription {
	c := make(chan struct{}, 1)
	s := &Subscription{C: c, wake: c, l: l}
	l.mu.Lock()
	defer l.mu.Unlock()
	l.subs[s] = struct{}{}
	return s
}

// Close ends the subscription. It may be called more than once.
func (s *Subscription) Close() {
	s.l.mu.Lock()
	defer s.l.mu.Unlock()
	delete(s.l.subs, s)
}

// Wake wakes all subscribers without an entry: for hints that are no domain
// change, and for changes another process has committed.
func (l *Ledger) Wake() {
	l.version.Add(1)
	l.mu.Lock()
	defer l.mu.Unlock()
	for s := range l.subs {
		select {
		case s.wake <- struct{}{}:
		default:
		}
	}
}
