package web

import (
	"context"
	"time"

	"personal-workspace/internal/sqlite"
)

// ResetPassword removes the password, signs every browser out and makes a new
// set-up link, in one transaction; it returns the link's path without the base
// path. It works beside a running server: the link is valid there at once.
func ResetPassword(ctx context.Context, db *sqlite.DB, now time.Time) (path string, err error) {
	secret, hash := token()
	if err := (store{db: db}).resetPassword(ctx, hash, now); err != nil {
		return "", err
	}
	return "/setup/" + secret, nil
}
