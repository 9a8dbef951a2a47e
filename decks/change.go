package decks

import (
	"context"
	"time"

	"personal-workspace/internal/fault"
	"personal-workspace/internal/sqlite"
)

// Change is a change of a deck that was made against one revision of it:
// ReplaceDeck, RenameDeck, AddColumn, ChangeColumn, MoveColumn or RemoveColumn.
type Change interface {
	// against returns the deck and the revision the change was made against.
	against() (deckID string, revision int64)
	// apply returns the definition after the change, in its normal form.
	apply(ctx context.Context, s *Service, was Definition) (Definition, error)
}

// change makes a change if the deck is still at the revision it was made
// against. A change that leaves the deck as it is makes no revision.
func (s *Service) change(ctx context.Context, c Change) (Deck, error) {
	id, expected := c.against()
	before, err := s.GetDeck(ctx, id)
	if err != nil {
		return Deck{}, err
	}
	if before.Revision != expected {
		return s.repeated(ctx, before, c)
	}
	def, err := c.apply(ctx, s, before.Definition())
	if err != nil {
		return Deck{}, err
	}
	if def.sameAs(before) {
		return before, nil
	}
	d, err := s.replace(ctx, before, def)
	if fault.CodeOf(err) == fault.StaleRevision {
		if now, err := s.GetDeck(ctx, id); err == nil {
			return s.repeated(ctx, now, c)
		}
	}
	return d, err
}

// replace commits another definition of a deck that is at a known revision.
func (s *Service) replace(ctx context.Context, before Deck, def Definition) (d Deck, err error) {
	err = s.db.Write(ctx, func(tx *sqlite.Tx) error {
		r, err := liveDeck(tx, before.ID, before.Revision)
		if err != nil {
			return err
		}
		d = s.next(r.Deck, def)
		return s.commit(tx, d, opReplaced, r.digest)
	})
	return d, err
}

// next is the deck one revision later.
func (s *Service) next(d Deck, def Definition) Deck {
	d.Title, d.Columns = def.Title, s.withIDs(def.Columns)
	d.Revision++
	d.UpdatedAt = s.now().UTC().Truncate(time.Millisecond)
	return d
}

// repeated answers a change of an older revision: with the deck when the newest
// change was this very one, so that a form sent twice does no harm, else with
// stale_revision.
func (s *Service) repeated(ctx context.Context, now Deck, c Change) (Deck, error) {
	_, expected := c.against()
	if now.Revision != expected+1 {
		return Deck{}, stale(now)
	}
	was, err := s.revision(ctx, now.ID, expected)
	if err != nil && fault.CodeOf(err) != fault.NotFound {
		return Deck{}, err
	}
	if err != nil || was.Op == opDeleted {
		return Deck{}, stale(now)
	}
	if def, err := c.apply(ctx, s, was.Definition()); err == nil && def.sameAs(now) {
		return now, nil
	}
	return Deck{}, stale(now)
}

// revision reads a stored revision, or a not_found fault.
func (s *Service) revision(ctx context.Context, id string, revision int64) (r Revision, err error) {
	err = s.db.Read(ctx, func(tx *sqlite.Tx) error {
		r, err = findRevision(tx, id, revision)
		return err
	})
	return r, err
}

// Conflict is a change beside what happened to its deck in the meantime.
type Conflict struct {
	// Theirs is the deck as it is now.
	Theirs Deck
	// Before is the definition the change was made against, and Mine what the
	// change made of it. Both are nil when that revision is not stored any more.
	Before, Mine *Definition
	// Columns compares them column by column.
	Columns []ColumnDiff
}

// Conflict says what a change that was answered with stale_revision would have
// made, and what the deck is now. It changes nothing. To keep the person's
// version, replace the deck with Mine at the revision of Theirs.
func (s *Service) Conflict(ctx context.Context, c Change) (Conflict, error) {
	id, expected := c.against()
	theirs, err := s.GetDeck(ctx, id)
	if err != nil {
		return Conflict{}, err
	}
	was, err := s.revision(ctx, id, expected)
	if fault.CodeOf(err) == fault.NotFound {
		return Conflict{Theirs: theirs, Columns: Compare(nil, nil, theirs.Columns)}, nil
	}
	if err != nil {
		return Conflict{}, err
	}
	before := was.Definition()
	mine, err := c.apply(ctx, s, before)
	if err != nil {
		return Conflict{}, err
	}
	return Conflict{Theirs: theirs, Before: &before, Mine: &mine, Columns: Compare(before.Columns, mine.Columns, theirs.Columns)}, nil
}
