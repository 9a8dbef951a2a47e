package decks

import (
	"cmp"
	"context"
	"crypto/sha256"
	"encoding/json"
	"fmt"
	"reflect"
	"sync/atomic"
	"time"

	"personal-workspace/internal/fault"
	"personal-workspace/internal/ledger"
	"personal-workspace/internal/sqlite"
	"personal-workspace/sns"
)

// Posts is what decks need of the sns package. *sns.Service is the one
// implementation outside tests.
type Posts interface {
	// ListConnections returns all connections.
	ListConnections(ctx context.Context) ([]sns.Connection, error)
	// ValidateSource returns the normalized source or an invalid_source fault
	// whose field begins with the given path.
	ValidateSource(c sns.Connection, s sns.Source, field string) (sns.Source, error)
	// FetchPosts asks the upstream for one page.
	FetchPosts(ctx context.Context, connectionID string, s sns.Source, cursor string) (sns.Page, error)
	// StoredColumns reads the stored pages of several columns at once.
	StoredColumns(ctx context.Context, refs []sns.ColumnRef, limit int) ([]sns.StoredPage, error)
	// CountNewer counts what is stored above the mark of each column.
	CountNewer(ctx context.Context, refs []sns.ColumnRef, marks []string, most int) ([]int, error)
}

// Config has the parts of a Service. DB, Ledger and Posts are required.
type Config struct {
	DB     *sqlite.DB
	Ledger *ledger.Ledger
	Posts  Posts
	// Now is the clock; nil means time.Now.
	Now func() time.Time
	// NewID makes an id from a prefix; nil means ledger.NewID.
	NewID func(prefix string) string
}

// Service is the one way to read and change decks. It is safe for concurrent
// use.
type Service struct {
	db     *sqlite.DB
	ledger *ledger.Ledger
	posts  Posts
	now    func() time.Time
	newID  func(string) string
	list   atomic.Pointer[listing]
}

// New returns the service.
func New(c Config) *Service {
	s := &Service{db: c.DB, ledger: c.Ledger, posts: c.Posts, now: c.Now, newID: c.NewID}
	if s.now == nil {
		s.now = time.Now
	}
	if s.newID == nil {
		s.newID = ledger.NewID
	}
	return s
}

// listing is the list of decks as it was at a version of the ledger.
type listing struct {
	version uint64
	decks   []Summary
}

// ListDecks returns all decks in the person's order. Assistants ask for the
// list again and again, so it is read from the database once for each commit.
// The caller must not change the slice.
func (s *Service) ListDecks(ctx context.Context) ([]Summary, error) {
	version := s.ledger.Version()
	if l := s.list.Load(); l != nil && l.version == version {
		return l.decks, nil
	}
	list, err := listDecks(ctx, s.db)
	if err != nil {
		return nil, err
	}
	s.list.Store(&listing{version, list})
	return list, nil
}

// GetDeck returns one deck, or a not_found fault.
func (s *Service) GetDeck(ctx context.Context, id string) (d Deck, err error) {
	err = s.db.Read(ctx, func(tx *sqlite.Tx) error {
		r, err := findDeck(tx, id)
		if err != nil {
			return err
		}
		if r.deleted {
			return notFound()
		}
		d = r.Deck
		return nil
	})
	return d, err
}

// notFound says what every front end can say: which tool or page comes next is
// theirs to add. It does not repeat the id, which may be anything.
func notFound() error {
	return fault.Missing("deck", "There is no such deck; it may have been deleted.")
}

// CreateDeck is the input of Service.CreateDeck.
type CreateDeck struct {
	// ID is chosen by the client or "" for a new one. The same id with the same
	// content returns the deck that is there.
	ID string
	// Title has 1 to 80 code points.
	Title string
	// Columns are at most 6; those without an id get one.
	Columns []Column
}

// CreateDeck makes a deck at once. Repeating a creation with its id changes
// nothing and returns the deck as it is now; another content under an id in use
// is request_conflict. An id whose deck was deleted may be used again and goes
// on counting revisions.
func (s *Service) CreateDeck(ctx context.Context, in CreateDeck) (d Deck, err error) {
	if err := checkNewID(in.ID); err != nil {
		return d, err
	}
	def := Definition{Title: in.Title, Columns: in.Columns}
	digest := def.digest()
	if def, err = s.validate(ctx, def, nil); err != nil {
		return d, err
	}
	err = s.db.Write(ctx, func(tx *sqlite.Tx) error {
		d, err = s.create(tx, in.ID, def, digest)
		return err
	})
	return d, err
}

// checkNewID checks an id that a client chose, "" for none.
func checkNewID(id string) error {
	if id != "" && !validID(id) {
		return fault.Invalid("deckId", "The id of a deck is 1 to 64 letters, digits, _ or -, beginning with a letter or digit.")
	}
	return nil
}

func (s *Service) create(tx *sqlite.Tx, id string, def Definition, digest []byte) (Deck, error) {
	was, err := findNew(tx, id)
	if err != nil {
		return Deck{}, err
	}
	if was.live() {
		if string(was.digest) == string(digest) || def.sameAs(was.Deck) {
			return was.Deck, nil
		}
		return Deck{}, fault.New(fault.RequestConflict, "There is a deck of this id with other content; use another id, or change that deck.")
	}
	if err := checkRoom(tx); err != nil {
		return Deck{}, err
	}
	now := s.now().UTC().Truncate(time.Millisecond)
	d := Deck{
		ID: cmp.Or(id, s.newID("deck")), Title: def.Title, Columns: s.withIDs(def.Columns),
		Revision: was.Revision + 1, CreatedAt: now, UpdatedAt: now,
	}
	return d, s.commit(tx, d, opCreated, digest)
}

// checkRoom keeps the list of decks one that can be shown at once.
func checkRoom(tx *sqlite.Tx) error {
	n, err := countDecks(tx)
	if err != nil {
		return err
	}
	if n >= MaxDecks {
		return fault.Limit("decks", MaxDecks, "There are %d decks already, the most there can be; delete one first.", n)
	}
	return nil
}

func (s *Service) withIDs(columns []Column) []Column {
	out := make([]Column, len(columns))
	for i, c := range columns {
		c.ID = cmp.Or(c.ID, s.newID("col"))
		out[i] = c
	}
	return out
}

// ReplaceDeck is the input of Service.ReplaceDeck.
type ReplaceDeck struct {
	ID string
	// ExpectedRevision is the revision the change was made against.
	ExpectedRevision int64
	// Title and Columns are the whole new definition, as in CreateDeck. A
	// column that keeps its id keeps its filters when none are given.
	Title   string
	Columns []Column
}

// ReplaceDeck replaces a deck's definition if it is still at the expected
// revision, else stale_revision with the current one. A definition equal to the
// present one changes nothing, nor does the same replacement sent twice.
func (s *Service) ReplaceDeck(ctx context.Context, in ReplaceDeck) (Deck, error) {
	return s.change(ctx, in)
}

func (in ReplaceDeck) against() (string, int64) { return in.ID, in.ExpectedRevision }

func (in ReplaceDeck) apply(ctx context.Context, s *Service, was Definition) (Definition, error) {
	def, err := s.validate(ctx, Definition{Title: in.Title, Columns: in.Columns}, was.Columns)
	if err != nil {
		return def, err
	}
	def.Columns = keepFilters(def.Columns, was.Columns)
	return def, nil
}

// DeleteDeck deletes a deck if it is still at the expected revision. Its last
// definitions stay stored for the person's undo.
func (s *Service) DeleteDeck(ctx context.Context, id string, expectedRevision int64) error {
	return s.db.Write(ctx, func(tx *sqlite.Tx) error {
		r, err := liveDeck(tx, id, expectedRevision)
		if err != nil {
			return err
		}
		d := r.Deck
		d.Revision++
		d.UpdatedAt = s.now().UTC().Truncate(time.Millisecond)
		return s.commit(tx, d, opDeleted, r.digest)
	})
}

// liveDeck finds a deck that exists and is at the expected revision.
func liveDeck(tx *sqlite.Tx, id string, expected int64) (record, error) {
	r, err := findDeck(tx, id)
	if err != nil {
		return r, err
	}
	if r.deleted {
		return r, notFound()
	}
	if r.Revision != expected {
		return r, stale(r.Deck)
	}
	return r, nil
}

func stale(d Deck) error {
	return fault.Stale(d.Revision, "The deck was changed in the meantime, it is at revision %d; look at it as it is now and make the change again.", d.Revision)
}

// commit stores a deck with its new revision, the definition's history and the
// ledger entry.
func (s *Service) commit(tx *sqlite.Tx, d Deck, op string, digest []byte) error {
	if err := putDeck(tx, d, op, digest); err != nil {
		return fmt.Errorf("store deck %s: %w", d.ID, err)
	}
	return s.ledger.Append(tx, ledger.Entry{
		Name: ledger.DeckChanged, ResourceType: ledger.ResourceDeck, ResourceID: d.ID,
		Data: map[string]any{"op": op, "revision": d.Revision},
	})
}

// Definition is what a client gives of a deck.
type Definition struct {
	Title   string
	Columns []Column
}

// digest identifies a creation, so that its repetition is known even after the
// deck was changed.
func (d Definition) digest() []byte {
	b, err := json.Marshal(d)
	if err != nil {
		panic(err) // plain strings, numbers and booleans always encode
	}
	sum := sha256.Sum256(b)
	return sum[:]
}

// sameAs reports whether the definition would leave the deck as it is. A column
// without an id matches the one in its place.
func (d Definition) sameAs(deck Deck) bool {
	if d.Title != deck.Title || len(d.Columns) != len(deck.Columns) {
		return false
	}
	for i, c := range d.Columns {
		c.ID = cmp.Or(c.ID, deck.Columns[i].ID)
		if !reflect.DeepEqual(c, deck.Columns[i]) {
			return false
		}
	}
	return true
}

func keepFilters(columns, before []Column) []Column {
	for i, c := range columns {
		for _, b := range before {
			if c.Filters == nil && c.ID == b.ID {
				columns[i].Filters = b.Filters
			}
		}
	}
	return columns
}
