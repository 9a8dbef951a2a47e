package activities

import (
	"context"

	"personal-workspace/internal/fault"
	"personal-workspace/internal/sqlite"
)

// maxDraft is the most bytes of a draft. It may be longer than what can be saved:
// what is typed is kept and the person is told then.
const maxDraft = 128 << 10

// SaveDraft keeps what the person is typing, as it is, until it is saved or
// discarded. It is no change: it moves no revision and wakes no page.
func (s *Service) SaveDraft(ctx context.Context, id string, d Draft) error {
	if err := personOnly(ctx); err != nil {
		return err
	}
	size := 0
	for _, t := range []*string{d.Title, d.Body, d.Due} {
		if t != nil {
			size += len(*t)
		}
	}
	if size > maxDraft {
		return fault.Limit("body", maxDraft, "The text has %d bytes; at most %d are kept while typing. Shorten it.", size, maxDraft)
	}
	return s.db.Write(ctx, func(tx *sqlite.Tx) error {
		r, err := findLive(tx, id)
		if err != nil {
			return err
		}
		return putDraft(tx, r.seq, d, s.now().UnixMilli())
	})
}

// Draft returns what the person was typing about an activity, and whether there
// is something.
func (s *Service) Draft(ctx context.Context, id string) (Draft, bool, error) {
	list, err := sqlite.ReadQuery(ctx, s.db, scanDraft, findDraftSQL, id)
	if err != nil || len(list) == 0 {
		return Draft{}, false, err
	}
	return list[0], true, nil
}

// DiscardDraft forgets what the person was typing about an activity.
func (s *Service) DiscardDraft(ctx context.Context, id string) error {
	if err := personOnly(ctx); err != nil {
		return err
	}
	return s.db.Write(ctx, func(tx *sqlite.Tx) error {
		r, err := find(tx, id)
		if err != nil {
			return err
		}
		return deleteDraft(tx, r.seq)
	})
}
