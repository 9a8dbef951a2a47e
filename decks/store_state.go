package decks

import (
	"context"

	"personal-workspace/internal/sqlite"
)

const (
	listStatesSQL = "SELECT column_id, paused FROM column_state WHERE deck_id = ?"
	orderSQL      = "SELECT id FROM decks WHERE deleted_at IS NULL ORDER BY position, id"
	titlesSQL     = "SELECT title FROM decks WHERE deleted_at IS NULL ORDER BY position, id"
	allDecksSQL   = `SELECT id, title, columns, revision, create_digest, created_at, updated_at, deleted_at IS NOT NULL, position
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
	_, err := tx.Exec(`INSERT INTO column_state (deck_id, column_id, paused)
		SELECT ?2, column_id, paused FROM column_state WHERE deck_id = ?1
		ON CONFLICT (deck_id, column_id) DO UPDATE SET paused = excluded.paused`, from, to)
	return err
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
