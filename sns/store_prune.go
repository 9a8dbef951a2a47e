package sns

import (
	"context"

	"personal-workspace/internal/sqlite"
)

// Prune removes posts that are over the limits of the store, oldest first: those
// neither written nor shown by their network for 400 days, and those above
// 500,000. Timelines that nobody fetched for as long and that are empty go with
// them, and sign-ins and notes about profiles whose time is over. It works in small
// transactions, so that nobody waits for it; Run calls it every hour.
func (s *Service) Prune(ctx context.Context) error {
	now := s.now()
	before := now.Add(-s.limits.age).UnixMilli()
	err := s.db.Write(ctx, func(tx *sqlite.Tx) error {
		if err := tidyLogins(tx, now); err != nil {
			return err
		}
		return forgetNotes(tx, now)
	})
	if err != nil {
		return err
	}
	if err := s.prunePosts(ctx, before-1); err != nil {
		return err
	}
	over, err := s.overLimit(ctx)
	if err != nil {
		return err
	}
	if over > 0 {
		if err := s.prunePosts(ctx, over); err != nil {
			return err
		}
	}
	return s.pruneBatches(ctx, func(tx *sqlite.Tx) (int64, error) {
		return tx.Exec(`DELETE FROM timelines WHERE id IN (SELECT t.id FROM timelines AS t
		WHERE t.created_at < ?1 AND coalesce(t.fetched_at, 0) < ?1 AND coalesce(t.failed_at, 0) < ?1
		AND NOT EXISTS (SELECT 1 FROM timeline_entries AS e WHERE e.timeline_id = t.id) LIMIT ?2)`, before, s.limits.batch)
	})
}

// prunePosts removes the posts stored up to a time. The timelines that lose one
// no longer reach down to their end.
func (s *Service) prunePosts(ctx context.Context, until int64) error {
	return s.pruneBatches(ctx, func(tx *sqlite.Tx) (int64, error) {
		_, err := tx.Exec(`UPDATE timelines SET complete = 0 WHERE complete = 1 AND id IN (SELECT timeline_id FROM timeline_entries
			WHERE post_seq IN (SELECT seq FROM posts WHERE stored_at <= ? ORDER BY stored_at, seq LIMIT ?))`, until, s.limits.batch)
		if err != nil {
			return 0, err
		}
		return tx.Exec(`DELETE FROM posts WHERE seq IN
			(SELECT seq FROM posts WHERE stored_at <= ? ORDER BY stored_at, seq LIMIT ?)`, until, s.limits.batch)
	})
}

// overLimit returns the time up to which posts must go so that no more than the
// limit are left, 0 when there are no more. Posts of one millisecond go
// together.
func (s *Service) overLimit(ctx context.Context) (at int64, err error) {
	err = s.db.Read(ctx, func(tx *sqlite.Tx) error {
		at, err = sqlite.One(tx, sqlite.Int, "SELECT stored_at FROM posts ORDER BY stored_at DESC LIMIT 1 OFFSET ?", s.limits.posts)
		if sqlite.IsNoRows(err) {
			at, err = 0, nil
		}
		return err
	})
	return at, err
}

// pruneBatches repeats a deletion of at most a batch until it finds less.
func (s *Service) pruneBatches(ctx context.Context, remove func(*sqlite.Tx) (int64, error)) error {
	for {
		var n int64
		err := s.db.Write(ctx, func(tx *sqlite.Tx) (err error) {
			n, err = remove(tx)
			return err
		})
		if err != nil || n < int64(s.limits.batch) {
			return err
		}
	}
}
