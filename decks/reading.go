package decks

import (
	"context"
	"time"

	"personal-workspace/internal/fault"
	"personal-workspace/sns"
)

// Reading is the deck to go on with.
type Reading struct {
	Deck Deck
	// New is how many posts came into its columns since the person had them before
	// them, and that no filter hides. More says that there are further ones: a
	// column counts at most 100.
	New  int
	More bool
}

// maxNew is how many new posts of a column are counted.
const maxNew = sns.MaxStored

// openedAgain is how long a deck may be shown without that being stored once more.
const openedAgain = time.Minute

// seenMark is what the person last had before them of a column.
type seenMark struct {
	column, mark string
	at           int64
}

// MarkSeen remembers that the person has columns of a deck before them: marks are
// the StoredPage.Mark of what is shown, by column. What is remembered already is
// not stored again.
func (s *Service) MarkSeen(ctx context.Context, deckID string, marks map[string]string) error {
	known, err := s.seen(ctx, deckID)
	if err != nil {
		return err
	}
	now := s.now().UnixMilli()
	var list []seenMark
	for column, mark := range marks {
		was := known[column]
		if mark != "" && (was.mark != mark || was.at < now-openedAgain.Milliseconds()) {
			list = append(list, seenMark{column, mark, now})
		}
	}
	if len(list) == 0 {
		return nil
	}
	return s.putSeen(ctx, deckID, list)
}

// Reading returns the deck whose columns the person had before them last, else
// the first one; ok is false when there is no deck.
func (s *Service) Reading(ctx context.Context) (r Reading, ok bool, err error) {
	id, err := s.lastSeenDeck(ctx)
	if err != nil {
		return r, false, err
	}
	r.Deck, err = s.GetDeck(ctx, id)
	if fault.CodeOf(err) == fault.NotFound {
		return r, false, nil
	}
	if err != nil {
		return r, false, err
	}
	return r, true, s.countNew(ctx, &r)
}

// countNew counts the new posts of the deck's columns, without those that a
// column's filters hide.
func (s *Service) countNew(ctx context.Context, r *Reading) error {
	seen, err := s.seen(ctx, r.Deck.ID)
	if err != nil || len(seen) == 0 {
		return err
	}
	refs, marks := make([]sns.ColumnRef, len(r.Deck.Columns)), make([]string, len(r.Deck.Columns))
	for i, c := range r.Deck.Columns {
		refs[i], marks[i] = sns.ColumnRef{ConnectionID: c.ConnectionID, Source: c.Source}, seen[c.ID].mark
	}
	counts, err := s.posts.CountNewer(ctx, refs, marks, maxNew)
	if err != nil {
		return err
	}
	for i, c := range r.Deck.Columns {
		r.More = r.More || counts[i] == maxNew
		if counts[i] > 0 && c.Filters != nil {
			if counts[i], err = s.withoutHidden(ctx, c, refs[i], counts[i]); err != nil {
				return err
			}
		}
		r.New += counts[i]
	}
	return nil
}

// withoutHidden counts which of a column's newest posts its filters do not hide.
func (s *Service) withoutHidden(ctx context.Context, c Column, ref sns.ColumnRef, newest int) (n int, err error) {
	pages, err := s.posts.StoredColumns(ctx, []sns.ColumnRef{ref}, newest)
	if err != nil {
		return 0, err
	}
	hidden, err := s.HiddenPosts(ctx, c, pages[0].Posts)
	for _, h := range hidden {
		if !h {
			n++
		}
	}
	return n, err
}
