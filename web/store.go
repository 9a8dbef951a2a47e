package web

import (
	"context"
	"fmt"
	"time"

	"personal-workspace/internal/fault"
	"personal-workspace/internal/sqlite"
)

// session is a signed-in browser.
type session struct {
	// ID is ses_…; it names the session in the ledger and is no secret.
	ID string
	// CreatedAt and SeenAt are when the browser signed in and was last seen.
	CreatedAt, SeenAt time.Time
	// IdleUntil moves with use, EndsAt does not; the session ends at the first.
	IdleUntil, EndsAt time.Time
	// Label is the browser and its system in words, "" when not known.
	Label string
}

// store keeps the password, the set-up link and the sessions.
type store struct {
	db *sqlite.DB
}

// passwordHash returns the stored hash, or "" while no password is set.
func (s store) passwordHash(ctx context.Context) (hash string, err error) {
	err = s.db.Read(ctx, func(tx *sqlite.Tx) error {
		hash, err = findPassword(tx)
		return err
	})
	if err != nil {
		return "", fmt.Errorf("read the password: %w", err)
	}
	return hash, nil
}

func findPassword(tx *sqlite.Tx) (string, error) {
	hash, err := sqlite.One(tx, sqlite.String, "SELECT hash FROM owner_password")
	if sqlite.IsNoRows(err) {
		return "", nil
	}
	return hash, err
}

// putSetupLink makes the token with this hash the only valid one. It reports
// false, and changes nothing, when a password is already set.
func (s store) putSetupLink(ctx context.Context, tokenHash []byte, at time.Time) (needed bool, err error) {
	err = s.db.Write(ctx, func(tx *sqlite.Tx) error {
		hash, err := findPassword(tx)
		if err != nil || hash != "" {
			return err
		}
		needed = true
		return upsertLink(tx, tokenHash, at)
	})
	if err != nil {
		return false, fmt.Errorf("store the set-up link: %w", err)
	}
	return needed, nil
}

func upsertLink(tx *sqlite.Tx, tokenHash []byte, at time.Time) error {
	_, err := tx.Exec(`INSERT INTO setup_link (id, token_hash, created_at) VALUES (1, ?, ?)
		ON CONFLICT (id) DO UPDATE SET token_hash = excluded.token_hash, created_at = excluded.created_at`,
		tokenHash, at.UnixMilli())
	return err
}

// resetPassword removes the password and all sessions and makes the token with
// this hash the only valid one.
func (s store) resetPassword(ctx context.Context, tokenHash []byte, at time.Time) error {
	err := s.db.Write(ctx, func(tx *sqlite.Tx) error {
		for _, q := range []string{"DELETE FROM owner_password", "DELETE FROM sessions"} {
			if _, err := tx.Exec(q); err != nil {
				return err
			}
		}
		return upsertLink(tx, tokenHash, at)
	})
	if err != nil {
		return fmt.Errorf("reset the password: %w", err)
	}
	return nil
}

// setupLinkValid reports whether the token with this hash may set the password.
func (s store) setupLinkValid(ctx context.Context, tokenHash []byte) (valid bool, err error) {
	err = s.db.Read(ctx, func(tx *sqlite.Tx) error {
		valid, err = linkValid(tx, tokenHash)
		return err
	})
	if err != nil {
		return false, fmt.Errorf("read the set-up link: %w", err)
	}
	return valid, nil
}

func linkValid(tx *sqlite.Tx, tokenHash []byte) (bool, error) {
	n, err := sqlite.One(tx, sqlite.Int, `SELECT count(*) FROM setup_link WHERE token_hash = ?`, tokenHash)
	return n == 1, err
}

// setPassword uses up the set-up link and signs the browser in, in one
// transaction: of two people who hold the link, one sets the password.
func (s store) setPassword(ctx context.Context, linkHash []byte, hash string, cookieHash []byte, ses session) error {
	return s.db.Write(ctx, func(tx *sqlite.Tx) error {
		valid, err := linkValid(tx, linkHash)
		if err != nil {
			return err
		}
		if !valid {
			return errLinkUsed
		}
		if _, err := tx.Exec("DELETE FROM setup_link"); err != nil {
			return err
		}
		if _, err := tx.Exec(`INSERT INTO owner_password (id, hash, changed_at) VALUES (1, ?, ?)`,
			hash, ses.CreatedAt.UnixMilli()); err != nil {
			return err
		}
		return insertSession(tx, cookieHash, ses)
	})
}

var errLinkUsed = fault.Missing("setup link", "This set-up link is not valid any more. Sign in if you have set the password; for a new link start the workspace again, or run workspace reset-password on its machine.")

// putSession stores a new session and drops those that are over.
func (s store) putSession(ctx context.Context, cookieHash []byte, ses session) error {
	return s.db.Write(ctx, func(tx *sqlite.Tx) error {
		if _, err := tx.Exec("DELETE FROM sessions WHERE idle_until <= ?", ses.CreatedAt.UnixMilli()); err != nil {
			return err
		}
		return insertSession(tx, cookieHash, ses)
	})
}

func insertSession(tx *sqlite.Tx, cookieHash []byte, ses session) error {
	_, err := tx.Exec(`INSERT INTO sessions (token_hash, id, created_at, seen_at, idle_until, ends_at, label)
		VALUES (?, ?, ?, ?, ?, ?, ?)`,
		cookieHash, ses.ID, ses.CreatedAt.UnixMilli(), ses.SeenAt.UnixMilli(), ses.IdleUntil.UnixMilli(), ses.EndsAt.UnixMilli(), ses.Label)
	return err
}

// findSession returns the session of a cookie, and false when there is none or
// it is over at the time now.
func (s store) findSession(ctx context.Context, cookieHash []byte, now time.Time) (ses session, ok bool, err error) {
	err = s.db.Read(ctx, func(tx *sqlite.Tx) error {
		ses, err = sqlite.One(tx, scanSession, `SELECT id, created_at, seen_at, idle_until, ends_at, label
			FROM sessions WHERE token_hash = ? AND idle_until > ? AND ends_at > ?`,
			cookieHash, now.UnixMilli(), now.UnixMilli())
		return err
	})
	if sqlite.IsNoRows(err) {
		return session{}, false, nil
	}
	if err != nil {
		return session{}, false, fmt.Errorf("read the session: %w", err)
	}
	return ses, true, nil
}

func scanSession(r sqlite.Row) (ses session, err error) {
	var created, seen, idle, ends int64
	err = r.Scan(&ses.ID, &created, &seen, &idle, &ends, &ses.Label)
	ses.CreatedAt, ses.SeenAt = time.UnixMilli(created).UTC(), time.UnixMilli(seen).UTC()
	ses.IdleUntil, ses.EndsAt = time.UnixMilli(idle).UTC(), time.UnixMilli(ends).UTC()
	return ses, err
}

// touchSession moves a session's idle end.
func (s store) touchSession(ctx context.Context, cookieHash []byte, seen, idleUntil time.Time) error {
	return s.db.Write(ctx, func(tx *sqlite.Tx) error {
		_, err := tx.Exec("UPDATE sessions SET seen_at = ?, idle_until = ? WHERE token_hash = ?",
			seen.UnixMilli(), idleUntil.UnixMilli(), cookieHash)
		return err
	})
}

// deleteSession ends the session of a cookie.
func (s store) deleteSession(ctx context.Context, cookieHash []byte) error {
	return s.db.Write(ctx, func(tx *sqlite.Tx) error {
		_, err := tx.Exec("DELETE FROM sessions WHERE token_hash = ?", cookieHash)
		return err
	})
}
