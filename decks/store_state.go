package decks

import (
	"context"

	"personal-workspace/internal/sqlite"
)

const (
	listStatesSQL = "SELECT column_id, paused FROM column_state WHERE deck_id = ?"
	listSeenSQL   = "SELECT column_id, seen, seen_at FROM column_state WHERE deck_id = ? AND seen_at > 0"
	lastSeenSQL   = `SELECT s.deck_id FROM column_state AS s CROSS JOIN decks AS d ON d.id = s.deck_id
		WHERE s.seen_at > 0 AND d.deleted_at IS NULL ORDER BY s.seen_at DESC LIMIT 1`
	orderSQL    = "SELECT id FROM decks WHERE deleted_at IS NULL ORDER BY position, id"
	titlesSQL   = "SELECT title FROM decks WHERE deleted_at IS NULL ORDER BY position, id"
	allDecksSQL = `SELECT id, title, columns, revision, create_digest, created_at, updated_at, deleted_at IS NOT NULL, position
		FROM decks WHERE deleted_at IS NULL ORDER BY position, id`
	// A state outlives its column for as long as an undo can bring that back.
	pruneStatesSQL = `DELETE FROM column_state WHERE deck_id = ?1 AND column_id NOT IN (
		SELECT json_extract(c.value, '$.id') FROM deck_revisions r, json_each(r.columns) c WHERE r.deck_id = ?1)`
)

func (s *Service) states(ctx context.Context, deckID string) (map[string]ColumnState, error) {
	type row struct {
		column string
		state  ColumnState
	}
	rows, err := sqlite.ReadQuery(ctx, s.db, func(r sqlite.Row) (v row, err error) {
		err = r.Scan(&v.column, &v.state.Paused)
		return v, err
	}, listStatesSQL, deckID)
	if err != nil {
		return nil, err
	}
	m := make(map[string]ColumnState, len(rows))
	for _, r := range rows {
		m[r.column] = r.state
	}
	return m, nil
}

func putState(tx *sqlite.Tx, deckID, columnID string, st ColumnState) error {
	_, err := tx.Exec(`INSERT INTO column_state (deck_id, column_id, paused) VALUES (?, ?, ?)
		ON CONFLICT (deck_id, column_id) DO UPDATE SET paused = excluded.paused`, deckID, columnID, st.Paused)
	return err
}

// copyStates gives the columns of a copy the states of the original's.
func copyStates(tx *sqlite.Tx, from, to string) error {
	_, err := tx.Exec(`INSERT INTO column_state (deck_id, column_id, paused, seen)
		SELECT ?2, column_id, paused, seen FROM column_state WHERE deck_id = ?1
		ON CONFLICT (deck_id, column_id) DO UPDATE SET paused = excluded.paused, seen = excluded.seen`, from, to)
	return err
}

// seen returns what the person last had before them, by column.
func (s *Service) seen(ctx context.Context, deckID string) (map[string]seenMark, error) {
	rows, err := sqlite.ReadQuery(ctx, s.db, func(r sqlite.Row) (m seenMark, err error) {
		err = r.Scan(&m.column, &m.mark, &m.at)
		return m, err
	}, listSeenSQL, deckID)
	if err != nil {
		return nil, err
	}
	m := make(map[string]seenMark, len(rows))
	for _, r := range rows {
		m[r.column] = r
	}
	return m, nil
}

// putSeen stores what the person has before them of a deck that is there.
func (s *Service) putSeen(ctx context.Context, deckID string, list []seenMark) error {
	return s.db.Write(ctx, func(tx *sqlite.Tx) error {
		r, err := findDeck(tx, deckID)
		if err != nil || r.deleted {
			return err
		}
		for _, m := range list {
			_, err := tx.Exec(`INSERT INTO column_state (deck_id, column_id, paused, seen, seen_at) VALUES (?, ?, 0, ?, ?)
				ON CONFLICT (deck_id, column_id) DO UPDATE SET seen = excluded.seen, seen_at = excluded.seen_at`, deckID, m.column, m.mark, m.at)
			if err != nil {
				return err
			}
		}
		return nil
	})
}

// lastSeenDeck returns the deck that the person had before them last, else the
// first one, else "".
func (s *Service) lastSeenDeck(ctx context.Context) (string, error) {
	ids, err := sqlite.ReadQuery(ctx, s.db, sqlite.String, lastSeenSQL)
	if err != nil || len(ids) > 0 {
		return firstOf(ids), err
	}
	list, err := s.ListDecks(ctx)
	if err != nil || len(list) == 0 {
		return "", err
	}
	return list[0].ID, nil
}

func firstOf(list []string) string {
	if len(list) == 0 {
		return ""
	}
	return list[0]
}

func pruneStates(tx *sqlite.Tx, deckID string) error {
	_, err := tx.Exec(pruneStatesSQL, deckID)
	return err
}

// putOrder numbers the decks that are there.
func putOrder(tx *sqlite.Tx, ids []string) error {
	for i, id := range ids {
		if err := putPosition(tx, id, int64(i+1)); err != nil {
			return err
		}
	}
	return nil
}

func putPosition(tx *sqlite.Tx, id string, position int64) error {
	_, err := tx.Exec("UPDATE decks SET position = ? WHERE id = ?", position, id)
	return err
}
