package decks

import (
	"context"

	"personal-workspace/internal/sqlite"
)

const listColumnsSQL = `SELECT id, title, columns, revision, create_digest, created_at, updated_at, deleted_at IS NOT NULL
	FROM decks WHERE deleted_at IS NULL ORDER BY position, id`

// ColumnUse is a column that reads a connection, with the deck it is in.
type ColumnUse struct {
	DeckID, DeckTitle string
	Column            Column
}

// ColumnUses returns the columns of all decks by the connection they read, in
// the order of the decks and of their columns.
func (s *Service) ColumnUses(ctx context.Context) (map[string][]ColumnUse, error) {
	list, err := sqlite.ReadQuery(ctx, s.db, scanDeck, listColumnsSQL)
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
