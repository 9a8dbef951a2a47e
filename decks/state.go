package decks

import (
	"context"

	"personal-workspace/internal/sqlite"
)

// ColumnState is what the person did to a column while reading. It is no part of
// the deck's definition and moves no revision: it stays when the deck changes,
// and is there again when a removed column comes back.
type ColumnState struct {
	// Paused: the column asks its network for nothing until it is resumed.
	Paused bool
}

// PauseColumn pauses or resumes a column.
func (s *Service) PauseColumn(ctx context.Context, deckID, columnID string, paused bool) error {
	return s.db.Write(ctx, func(tx *sqlite.Tx) error {
		r, err := findDeck(tx, deckID)
		if err != nil {
			return err
		}
		if r.deleted {
			return notFound()
		}
		if _, err := r.Column(columnID); err != nil {
			return err
		}
		tx.AfterCommit(s.ledger.Wake) // other pages show it; the deck has not changed
		return putState(tx, deckID, columnID, ColumnState{Paused: paused})
	})
}

// ColumnStates returns the states of a deck's columns by their ids. A column
// that is not there has the zero state, and so has one of a missing deck.
func (s *Service) ColumnStates(ctx context.Context, deckID string) (map[string]ColumnState, error) {
	return s.states(ctx, deckID)
}
