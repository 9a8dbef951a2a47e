package decks

import (
	"context"

	"personal-workspace/internal/fault"
	"personal-workspace/internal/sqlite"
)

// Undo takes back the change that made a revision of a deck, if it is still the
// deck's newest, else stale_revision: a deleted deck comes back, a created one
// is deleted, any other gets back exactly the definition before the change. It
// makes a revision of its own, so an undo can be undone; sent twice it does no
// harm. A deck that it deletes is returned as it was last.
func (s *Service) Undo(ctx context.Context, deckID string, revision int64) (d Deck, err error) {
	err = s.db.Write(ctx, func(tx *sqlite.Tx) error {
		r, err := findDeck(tx, deckID)
		if err != nil {
			return err
		}
		if r.Revision != revision && r.Revision != revision+1 {
			return stale(r.Deck)
		}
		was, existed, err := beforeRevision(tx, deckID, revision)
		if err != nil {
			return err
		}
		d, err = s.goBack(tx, r, was, existed, revision)
		return err
	})
	return d, err
}

// beforeRevision returns the definition that a revision's change found, and
// whether there was a deck before it.
func beforeRevision(tx *sqlite.Tx, id string, revision int64) (def Definition, existed bool, err error) {
	made, err := findRevision(tx, id, revision)
	if err != nil {
		return def, false, err
	}
	if made.Op == opDeleted {
		return made.Definition(), true, nil
	}
	prev, err := findRevision(tx, id, revision-1)
	if fault.CodeOf(err) == fault.NotFound || err == nil && prev.Op == opDeleted {
		return made.Definition(), false, nil
	}
	return prev.Definition(), true, err
}

// RestoreRevision makes the definition of a stored revision the deck's newest
// one, if the deck is at the expected revision, else stale_revision. A deleted
// deck comes back. A revision that is not stored any more is not_found.
func (s *Service) RestoreRevision(ctx context.Context, deckID string, wanted, expected int64) (d Deck, err error) {
	err = s.db.Write(ctx, func(tx *sqlite.Tx) error {
		r, err := findDeck(tx, deckID)
		if err != nil {
			return err
		}
		was, err := findRevision(tx, deckID, wanted)
		if err != nil {
			return err
		}
		d, err = s.goBack(tx, r, was.Definition(), true, expected)
		return err
	})
	return d, err
}

// goBack makes an earlier definition, or none, the newest one.
func (s *Service) goBack(tx *sqlite.Tx, r record, def Definition, exists bool, expected int64) (Deck, error) {
	there := r.deleted != exists && (!exists || def.sameAs(r.Deck))
	switch {
	case there && (r.Revision == expected || r.Revision == expected+1):
		return r.Deck, nil
	case r.Revision != expected:
		return Deck{}, stale(r.Deck)
	}
	d := s.next(r.Deck, def)
	switch {
	case !exists:
		return d, s.commit(tx, d, opDeleted, r.digest)
	case !r.deleted:
		return d, s.commit(tx, d, opReplaced, r.digest)
	}
	if err := checkRoom(tx); err != nil {
		return Deck{}, err
	}
	if err := s.commit(tx, d, opCreated, r.digest); err != nil {
		return Deck{}, err
	}
	return d, putPosition(tx, d.ID, r.position) // where it was
}
