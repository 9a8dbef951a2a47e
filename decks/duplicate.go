package decks

import (
	"context"
	"crypto/sha256"
	"fmt"
	"slices"
	"strings"

	"personal-workspace/internal/sqlite"
)

// DuplicateDeck makes a second deck with the same columns, behind all others,
// with the person's state of each. newID is chosen by the client, so that the
// request can be sent twice: the second one returns the copy that is there. ""
// makes an id. An id of another deck is request_conflict.
func (s *Service) DuplicateDeck(ctx context.Context, id, newID string) (d Deck, err error) {
	if err := checkNewID(newID); err != nil {
		return d, err
	}
	err = s.db.Write(ctx, func(tx *sqlite.Tx) error {
		d, err = s.duplicate(tx, id, newID)
		return err
	})
	return d, err
}

func (s *Service) duplicate(tx *sqlite.Tx, id, newID string) (Deck, error) {
	digest := sha256.Sum256([]byte("copy of " + id))
	copied, err := findNew(tx, newID)
	if err != nil || copied.live() && string(copied.digest) == string(digest[:]) {
		return copied.Deck, err
	}
	r, err := findDeck(tx, id)
	if err != nil {
		return Deck{}, err
	}
	if r.deleted {
		return Deck{}, notFound()
	}
	titles, err := sqlite.Query(tx, sqlite.String, titlesSQL)
	if err != nil {
		return Deck{}, err
	}
	d, err := s.create(tx, newID, Definition{Title: copyTitle(r.Title, titles), Columns: r.Columns}, digest[:])
	if err != nil {
		return Deck{}, err
	}
	return d, copyStates(tx, id, d.ID)
}

// copyTitle is the first of "T (copy)", "T (copy 2)", … that is not in use, with
// T cut where the whole would be too long.
func copyTitle(title string, used []string) string {
	for n := 1; ; n++ {
		suffix := " (copy)"
		if n > 1 {
			suffix = fmt.Sprintf(" (copy %d)", n)
		}
		runes := []rune(title)
		t := strings.TrimSpace(string(runes[:min(len(runes), MaxTitle-len(suffix))])) + suffix
		if !slices.Contains(used, t) {
			return t
		}
	}
}
