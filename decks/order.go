package decks

import (
	"context"
	"slices"

	"personal-workspace/internal/sqlite"
)

// MoveDeck puts a deck in another place of the person's order, counted from 1;
// a place beyond either end is that end. It makes no revision: the order is no
// part of a deck's definition.
func (s *Service) MoveDeck(ctx context.Context, id string, position int) error {
	return s.db.Write(ctx, func(tx *sqlite.Tx) error {
		ids, err := sqlite.Query(tx, sqlite.String, orderSQL)
		if err != nil {
			return err
		}
		from := slices.Index(ids, id)
		if from < 0 {
			return notFound()
		}
		to := min(max(position, 1), len(ids)) - 1
		if to == from {
			return nil
		}
		ids = slices.Insert(slices.Delete(ids, from, from+1), to, id)
		if err := putOrder(tx, ids); err != nil {
			return err
		}
		tx.AfterCommit(s.ledger.Wake)
		return nil
	})
}
