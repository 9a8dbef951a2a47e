package web

import (
	"cmp"
	"context"
	"fmt"
	"slices"
	"time"

	"personal-workspace/internal/fault"
	"personal-workspace/internal/sqlite"
)

// listSessions returns the signed-in browsers, the one last seen first.
func (s store) listSessions(ctx context.Context, now time.Time) ([]session, error) {
	list, err := sqlite.ReadQuery(ctx, s.db, scanSession,
		`SELECT id, created_at, seen_at, idle_until, ends_at, label FROM sessions WHERE idle_until > ? AND ends_at > ?`,
		now.UnixMilli(), now.UnixMilli())
	if err != nil {
		return nil, fmt.Errorf("read the sessions: %w", err)
	}
	slices.SortFunc(list, func(a, b session) int {
		return cmp.Or(b.SeenAt.Compare(a.SeenAt), cmp.Compare(a.ID, b.ID))
	})
	return list, nil
}

// endSession ends the session with this id, if there is one.
func (s store) endSession(ctx context.Context, id string) error {
	return s.db.Write(ctx, func(tx *sqlite.Tx) error {
		_, err := tx.Exec("DELETE FROM sessions WHERE id = ?", id)
		return err
	})
}

// endOtherSessions ends every session but the one with this id.
func (s store) endOtherSessions(ctx context.Context, id string) error {
	return s.db.Write(ctx, func(tx *sqlite.Tx) error {
		_, err := tx.Exec("DELETE FROM sessions WHERE id <> ?", id)
		return err
	})
}

// changePassword replaces the password and ends every session but the one with
// this id, in one transaction. It is refused when that one has ended meanwhile:
// another browser has changed the password, or it was reset.
func (s store) changePassword(ctx context.Context, hash, sessionID string, at time.Time) error {
	return s.db.Write(ctx, func(tx *sqlite.Tx) error {
		n, err := sqlite.One(tx, sqlite.Int, "SELECT count(*) FROM sessions WHERE id = ?", sessionID)
		if err != nil {
			return err
		}
		if n == 0 {
			return fault.New(fault.Unauthorized, "You were signed out before the password was changed; sign in again.")
		}
		if _, err := tx.Exec("UPDATE owner_password SET hash = ?, changed_at = ?", hash, at.UnixMilli()); err != nil {
			return err
		}
		_, err = tx.Exec("DELETE FROM sessions WHERE id <> ?", sessionID)
		return err
	})
}
