package decks

import (
	"context"
	"encoding/json"
	"fmt"
	"time"

	"personal-workspace/internal/fault"
	"personal-workspace/internal/ledger"
	"personal-workspace/internal/sqlite"
)

// What a revision did to a deck.
const (
	opCreated  = "created"
	opReplaced = "replaced"
	opDeleted  = "deleted"
)

// keptRevisions is how many definitions of a deck are stored.
const keptRevisions = 20

const (
	listDecksSQL = `SELECT id, title, revision, column_count
		FROM decks WHERE deleted_at IS NULL ORDER BY position, id`
	countDecksSQL = `SELECT count(*) FROM decks WHERE deleted_at IS NULL`
	findDeckSQL   = `SELECT id, title, columns, revision, create_digest, created_at, updated_at, deleted_at IS NOT NULL, position
		FROM decks WHERE id = ?`
)

// record is a stored deck.
type record struct {
	Deck
	digest   []byte
	deleted  bool
	position int64
}

// live reports whether there is such a deck.
func (r record) live() bool { return r.ID != "" && !r.deleted }

func listDecks(ctx context.Context, db *sqlite.DB) ([]Summary, error) {
	return sqlite.ReadQuery(ctx, db, func(r sqlite.Row) (d Summary, err error) {
		err = r.Scan(&d.ID, &d.Title, &d.Revision, &d.ColumnCount)
		return d, err
	}, listDecksSQL)
}

func countDecks(tx *sqlite.Tx) (int64, error) {
	return sqlite.One(tx, sqlite.Int, countDecksSQL)
}

// findDeck returns a deck or its tombstone.
func findDeck(tx *sqlite.Tx, id string) (record, error) {
	r, err := sqlite.One(tx, scanDeck, findDeckSQL, id)
	if sqlite.IsNoRows(err) {
		return r, notFound()
	}
	if err != nil {
		return r, fmt.Errorf("read deck %s: %w", id, err)
	}
	return r, nil
}

// findNew returns what is stored under an id for a new deck, often nothing.
func findNew(tx *sqlite.Tx, id string) (record, error) {
	if id == "" {
		return record{}, nil
	}
	r, err := findDeck(tx, id)
	if fault.CodeOf(err) == fault.NotFound {
		return record{}, nil
	}
	return r, err
}

func scanDeck(row sqlite.Row) (r record, err error) {
	var columns string
	var created, updated int64
	if err := row.Scan(&r.ID, &r.Title, &columns, &r.Revision, &r.digest, &created, &updated, &r.deleted, &r.position); err != nil {
		return r, err
	}
	r.CreatedAt, r.UpdatedAt = time.UnixMilli(created).UTC(), time.UnixMilli(updated).UTC()
	return r, json.Unmarshal([]byte(columns), &r.Columns)
}

// putDeck stores the deck as it is after op, a new one behind all others, and
// adds its definition to the history. A tombstone keeps the last definition.
func putDeck(tx *sqlite.Tx, d Deck, op string, digest []byte) error {
	columns, err := json.Marshal(d.Columns)
	if err != nil {
		return err
	}
	var deleted *int64
	if op == opDeleted {
		at := d.UpdatedAt.UnixMilli()
		deleted = &at
	}
	_, err = tx.Exec(`INSERT INTO decks
		(id, title, columns, column_count, revision, position, create_digest, created_at, updated_at, deleted_at)
		VALUES (?1, ?2, ?3, ?4, ?5, (SELECT coalesce(max(position), 0) + 1 FROM decks WHERE deleted_at IS NULL), ?6, ?7, ?8, ?9)
		ON CONFLICT (id) DO UPDATE SET
			title = excluded.title, columns = excluded.columns, column_count = excluded.column_count,
			revision = excluded.revision, create_digest = excluded.create_digest,
			position = iif(deleted_at IS NULL, position, excluded.position),
			created_at = excluded.created_at, updated_at = excluded.updated_at, deleted_at = excluded.deleted_at`,
		d.ID, d.Title, string(columns), len(d.Columns), d.Revision, digest, d.CreatedAt.UnixMilli(), d.UpdatedAt.UnixMilli(), deleted)
	if err != nil {
		return err
	}
	return putRevision(tx, d, op, string(columns))
}

func putRevision(tx *sqlite.Tx, d Deck, op, columns string) error {
	a := ledger.ActorFrom(tx.Context())
	if _, err := tx.Exec(`INSERT INTO deck_revisions
		(deck_id, revision, op, title, columns, at, actor_kind, actor_id)
		VALUES (?, ?, ?, ?, ?, ?, ?, ?)`,
		d.ID, d.Revision, op, d.Title, columns, d.UpdatedAt.UnixMilli(), a.Kind, a.ID); err != nil {
		return err
	}
	if _, err := tx.Exec("DELETE FROM deck_revisions WHERE deck_id = ? AND revision <= ?", d.ID, d.Revision-keptRevisions); err != nil {
		return err
	}
	return pruneStates(tx, d.ID)
}

// Definition returns the definition of a revision.
func (r Revision) Definition() Definition { return Definition{Title: r.Title, Columns: r.Columns} }

// Revision is a stored definition of a deck.
type Revision struct {
	Revision int64
	// Op is created, replaced or deleted; of a deletion the definition is the
	// last one before it.
	Op      string
	Title   string
	Columns []Column
	At      time.Time
	Actor   ledger.Actor
}

const listRevisionsSQL = `SELECT revision, op, title, columns, at, actor_kind, actor_id
	FROM deck_revisions WHERE deck_id = ? ORDER BY revision DESC`

const findRevisionSQL = `SELECT revision, op, title, columns, at, actor_kind, actor_id
	FROM deck_revisions WHERE deck_id = ? AND revision = ?`

func listRevisions(tx *sqlite.Tx, id string) ([]Revision, error) {
	return sqlite.Query(tx, scanRevision, listRevisionsSQL, id)
}

func findRevision(tx *sqlite.Tx, id string, revision int64) (Revision, error) {
	r, err := sqlite.One(tx, scanRevision, findRevisionSQL, id, revision)
	if sqlite.IsNoRows(err) {
		return r, fault.Missing("revision", "Revision %d of the deck is not stored any more; the last %d are.", revision, keptRevisions)
	}
	if err != nil {
		return r, fmt.Errorf("read revision %d of deck %s: %w", revision, id, err)
	}
	return r, nil
}

func scanRevision(row sqlite.Row) (r Revision, err error) {
	var columns string
	var at int64
	if err := row.Scan(&r.Revision, &r.Op, &r.Title, &columns, &at, &r.Actor.Kind, &r.Actor.ID); err != nil {
		return r, err
	}
	r.At = time.UnixMilli(at).UTC()
	return r, json.Unmarshal([]byte(columns), &r.Columns)
}
