package sns

import (
	"context"

	"personal-workspace/internal/sqlite"
)

// Prune removes posts that are over the limits of the store, oldest first: those
// neither written nor shown by their network for 400 days, and those above
// 500,000. Timelines that nobody fetched for as long and that are empty go with
// them. It works in small transactions, so that nobody waits for it; Run calls
// it every hour.
func (s *Service) Prune(ctx context.Context) error {
	before := s.now().Add(-s.limits.age).UnixMilli()
	if err := s.pruneBatches(ctx, "DELETE FROM posts WHERE seq IN (SELECT seq FROM posts WHERE stored_at < ? LIMIT ?)", before); err != nil {
		return err
	}
	over, err := s.overLimit(ctx)
	if err != nil {
		return err
	}
	if over > 0 {
		if err := s.pruneBatches(ctx, "DELETE FROM posts WHERE seq IN (SELECT seq FROM posts WHERE stored_at <= ? LIMIT ?)", over); err != nil {
			return err
		}
	}
	return s.pruneBatches(ctx, `DELETE FROM timelines WHERE id IN (SELECT t.id FROM timelines AS t
		WHERE t.created_at < ?1 AND coalesce(t.fetched_at, 0) < ?1 AND coalesce(t.failed_at, 0) < ?1
		AND NOT EXISTS (SELECT 1 FROM timeline_entries AS e WHERE e.timeline_id = t.id) LIMIT ?2)`, before)
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
func (s *Service) pruneBatches(ctx context.Context, query string, until int64) error {
	for {
		var n int64
		err := s.db.Write(ctx, func(tx *sqlite.Tx) (err error) {
			n, err = tx.Exec(query, until, s.limits.batch)
			return err
		})
		if err != nil || n < int64(s.limits.batch) {
			return err
		}
	}
}
