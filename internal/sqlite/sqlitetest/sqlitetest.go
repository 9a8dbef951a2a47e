// Package sqlitetest gives tests a real database file.
package sqlitetest

import (
	"context"
	"errors"
	"io/fs"
	"os"
	"path/filepath"
	"sync"
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
	Seed(tb, path)
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

// Seed writes an empty, migrated database to path unless there is a file. The
// migrations run once for all tests of a package: they take most of the time of
// a small test.
func Seed(tb testing.TB, path string) {
	tb.Helper()
	file, err := migrated()
	if err != nil {
		tb.Fatalf("make the test database: %v", err)
	}
	f, err := os.OpenFile(path, os.O_WRONLY|os.O_CREATE|os.O_EXCL, 0o600)
	if errors.Is(err, fs.ErrExist) {
		return
	}
	if err != nil {
		tb.Fatalf("write the test database: %v", err)
	}
	_, err = f.Write(file)
	if err := errors.Join(err, f.Close()); err != nil {
		tb.Fatalf("write the test database: %v", err)
	}
}

// migrated is the content of a new database's file. Closing the database has
// moved all of it from the write-ahead log to the file.
var migrated = sync.OnceValues(func() (file []byte, err error) {
	dir, err := os.MkdirTemp("", "workspace-migrated-")
	if err != nil {
		return nil, err
	}
	defer func() { err = errors.Join(err, os.RemoveAll(dir)) }()
	path := filepath.Join(dir, "workspace.sqlite")
	db, err := sqlite.Open(context.Background(), sqlite.Config{Path: path})
	if err != nil {
		return nil, err
	}
	if err := db.Close(); err != nil {
		return nil, err
	}
	return os.ReadFile(path)
})
