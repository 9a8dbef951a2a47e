package decks

import (
	"context"
	"encoding/json"

	"personal-workspace/internal/sqlite"
)

const listColumnsSQL = `SELECT id, title, columns FROM decks WHERE deleted_at IS NULL ORDER BY position, id`

// ColumnUse is a column that reads a connection, with the deck it is in.
type ColumnUse struct {
	DeckID, DeckTitle string
	Column            Column
}

// ColumnUses returns the columns of all decks by the connection they read, in
// the order of the decks and of their columns.
func (s *Service) ColumnUses(ctx context.Context) (map[string][]ColumnUse, error) {
	list, err := sqlite.ReadQuery(ctx, s.db, scanColumns, listColumnsSQL)
	if err != nil {
		return nil, err
	}
	uses := map[string][]ColumnUse{}
	for _, d := range list {
		for _, c := range d.Columns {
			uses[c.ConnectionID] = append(uses[c.ConnectionID], ColumnUse{DeckID: d.ID, DeckTitle: d.Title, Column: c})
		}
	}
	return uses, nil
}

// scanColumns reads of a deck what its columns are.
func scanColumns(row sqlite.Row) (d Deck, err error) {
	var columns string
	if err := row.Scan(&d.ID, &d.Title, &columns); err != nil {
		return d, err
	}
	return d, json.Unmarshal([]byte(columns), &d.Columns)
}
