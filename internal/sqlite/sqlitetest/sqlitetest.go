// Package sqlitetest gives tests a real database file.
package sqlitetest

import (
	"path/filepath"
	"testing"

	"personal-workspace/internal/sqlite"
)

// Open returns an empty, migrated database in a temporary folder. It is closed
// when the test ends.
func Open(tb testing.TB) *sqlite.DB {
	tb.Helper()
	return OpenAt(tb, filepath.Join(tb.TempDir(), "workspace.sqlite"))
}

// OpenAt opens the database at path, for tests that restart a program.
func OpenAt(tb testing.TB, path string) *sqlite.DB {
	tb.Helper()
	db, err := sqlite.Open(tb.Context(), sqlite.Config{Path: path})
	if err != nil {
		tb.Fatalf("open the test database: %v", err)
	}
	tb.Cleanup(func() {
		if err := db.Close(); err != nil {
			tb.Errorf("close the test database: %v", err)
		}
	})
	return db
}
