package sqlite_test

import (
	"context"
	"database/sql"
	"errors"
	"os"
	"path/filepath"
	"strings"
	"sync"
	"testing"

	"personal-workspace/internal/fault"
	"personal-workspace/internal/sqlite"
	"personal-workspace/internal/sqlite/sqlitetest"
)

func TestBackupIsACompleteDatabase(t *testing.T) {
	db := sqlitetest.Open(t)
	file := filepath.Join(t.TempDir(), "backup.sqlite")

	if err := db.Backup(t.Context(), file); err != nil {
		t.Fatal(err)
	}

	if got, want := createdAt(t, sqlitetest.OpenAt(t, file)), createdAt(t, db); got != want {
		t.Errorf("created_at = %d, want %d", got, want)
	}
}

func TestBackupNeverOverwrites(t *testing.T) {
	db := sqlitetest.Open(t)
	file := filepath.Join(t.TempDir(), "precious")
	if err := os.WriteFile(file, []byte("mine"), 0o600); err != nil {
		t.Fatal(err)
	}

	err := db.Backup(t.Context(), file)

	if got := fault.CodeOf(err); got != fault.InvalidArguments {
		t.Errorf("code = %q (%v), want %q", got, err, fault.InvalidArguments)
	}
	if b, _ := os.ReadFile(file); string(b) != "mine" {
		t.Errorf("the file holds %q, want %q", b, "mine")
	}
}

func TestRestoreBringsBackTheBackupAndKeepsThePresent(t *testing.T) {
	dir := t.TempDir()
	path, backup, aside := filepath.Join(dir, "workspace.sqlite"), filepath.Join(dir, "b.sqlite"), filepath.Join(dir, "aside.sqlite")
	db, err := sqlite.Open(t.Context(), sqlite.Config{Path: path})
	if err != nil {
		t.Fatal(err)
	}
	then := createdAt(t, db)
	err = errors.Join(
		db.Backup(t.Context(), backup),
		db.Write(t.Context(), func(tx *sqlite.Tx) error { return setCreatedAt(tx, 7) }),
		db.Close())
	if err != nil {
		t.Fatal(err)
	}

	kept, err := sqlite.Restore(t.Context(), backup, path, aside)
	if err != nil {
		t.Fatal(err)
	}

	if got := createdAt(t, sqlitetest.OpenAt(t, path)); got != then {
		t.Errorf("restored created_at = %d, want %d", got, then)
	}
	if got := createdAt(t, sqlitetest.OpenAt(t, kept)); got != 7 {
		t.Errorf("kept created_at = %d, want 7", got)
	}
}

func TestRestoreRefusesWhatIsNoBackup(t *testing.T) {
	for _, tc := range []struct{ name, sql, want string }{
		{"another program's database", "CREATE TABLE bookmarks (url TEXT); PRAGMA user_version = 5", "is not a workspace database"},
		{"another program's table of the same name", "CREATE TABLE meta (id INTEGER); PRAGMA user_version = 5", "is not a workspace database"},
		{"a database without a schema number", "CREATE TABLE meta (epoch TEXT)", "is not a workspace database"},
		{"an empty database", "PRAGMA user_version = 0", "is not a workspace database"},
		{"a newer schema", "CREATE TABLE meta (epoch TEXT); PRAGMA user_version = 99", "restore it with a newer workspace"},
	} {
		t.Run(tc.name, func(t *testing.T) {
			dir := t.TempDir()
			path, file := filepath.Join(dir, "workspace.sqlite"), filepath.Join(dir, "other.sqlite")
			then := createdAt(t, sqlitetest.OpenAt(t, path))
			makeDatabase(t, file, tc.sql)

			_, err := sqlite.Restore(t.Context(), file, path, filepath.Join(dir, "aside.sqlite"))

			if fault.CodeOf(err) != fault.InvalidArguments || !strings.Contains(err.Error(), tc.want) {
				t.Errorf("Restore = %v, want invalid_arguments with %q", err, tc.want)
			}
			if got := createdAt(t, sqlitetest.OpenAt(t, path)); got != then {
				t.Errorf("created_at = %d, want that of the present database, %d", got, then)
			}
		})
	}
}

func TestCheckThatIsInterruptedSaysNothingOfTheFile(t *testing.T) {
	file := filepath.Join(t.TempDir(), "b.sqlite")
	sqlitetest.Seed(t, file)
	ctx, cancel := context.WithCancel(t.Context())
	cancel()

	if err := sqlite.Check(ctx, file); fault.CodeOf(err) != fault.Canceled {
		t.Errorf("Check = %v, want canceled", err)
	}
}

// makeDatabase makes a file of SQLite that no workspace has written.
func makeDatabase(t *testing.T, path, statements string) {
	t.Helper()
	db, err := sql.Open("sqlite", path)
	if err != nil {
		t.Fatal(err)
	}
	_, err = db.ExecContext(t.Context(), statements+"; VACUUM")
	if err := errors.Join(err, db.Close()); err != nil {
		t.Fatal(err)
	}
}

func TestRestoreReplacesADatabaseThatCannotBeOpened(t *testing.T) {
	for _, tc := range []struct {
		name  string
		spoil func(t *testing.T, path string)
	}{
		{"a newer schema", func(t *testing.T, path string) {
			db, err := sqlite.Open(t.Context(), sqlite.Config{Path: path})
			if err != nil {
				t.Fatal(err)
			}
			err = db.Write(t.Context(), func(tx *sqlite.Tx) error {
				_, err := tx.Exec("PRAGMA user_version = 99")
				return err
			})
			if err := errors.Join(err, db.Close()); err != nil {
				t.Fatal(err)
			}
		}},
		{"no database any more", func(t *testing.T, path string) {
			if err := os.WriteFile(path, []byte(strings.Repeat("junk ", 1000)), 0o600); err != nil {
				t.Fatal(err)
			}
		}},
		{"damaged pages", func(t *testing.T, path string) {
			f, err := os.OpenFile(path, os.O_WRONLY, 0)
			if err != nil {
				t.Fatal(err)
			}
			_, err = f.WriteAt([]byte(strings.Repeat("x", 8192)), 4096)
			if err := errors.Join(err, f.Close()); err != nil {
				t.Fatal(err)
			}
		}},
	} {
		t.Run(tc.name, func(t *testing.T) {
			dir := t.TempDir()
			path, backup, aside := filepath.Join(dir, "workspace.sqlite"), filepath.Join(dir, "b.sqlite"), filepath.Join(dir, "aside.sqlite")
			db, err := sqlite.Open(t.Context(), sqlite.Config{Path: path})
			if err != nil {
				t.Fatal(err)
			}
			then := createdAt(t, db)
			if err := errors.Join(db.Backup(t.Context(), backup), db.Close()); err != nil {
				t.Fatal(err)
			}
			tc.spoil(t, path)
			spoilt, err := os.ReadFile(path)
			if err != nil {
				t.Fatal(err)
			}

			kept, err := sqlite.Restore(t.Context(), backup, path, aside)
			if err != nil {
				t.Fatal(err)
			}

			if got := createdAt(t, sqlitetest.OpenAt(t, path)); got != then {
				t.Errorf("restored created_at = %d, want %d", got, then)
			}
			if b, err := os.ReadFile(kept); len(b) < len(spoilt) || err != nil {
				t.Errorf("kept %d bytes, %v, want the %d of the replaced file", len(b), err, len(spoilt))
			}
		})
	}
}

func TestADamagedDatabaseSaysWhatToDo(t *testing.T) {
	path := filepath.Join(t.TempDir(), "workspace.sqlite")
	if err := os.WriteFile(path, []byte(strings.Repeat("junk ", 1000)), 0o600); err != nil {
		t.Fatal(err)
	}

	_, err := sqlite.Open(t.Context(), sqlite.Config{Path: path})

	want := "The database " + path + " is damaged; stop the workspace and run: workspace restore FILE, with the newest backup."
	if got := fault.From(err).Message; got != want {
		t.Errorf("message = %q, want %q", got, want)
	}
}

func TestRestoreRefuses(t *testing.T) {
	dir := t.TempDir()
	junk := filepath.Join(dir, "junk")
	if err := os.WriteFile(junk, []byte(strings.Repeat("not a database ", 100)), 0o600); err != nil {
		t.Fatal(err)
	}
	empty := filepath.Join(dir, "empty")
	if err := os.WriteFile(empty, nil, 0o600); err != nil {
		t.Fatal(err)
	}
	for _, tc := range []struct{ name, file string }{
		{"a file that is no database", junk},
		{"an empty file", empty},
		{"a missing file", filepath.Join(dir, "missing")},
	} {
		t.Run(tc.name, func(t *testing.T) {
			db := sqlitetest.Open(t)
			before := createdAt(t, db)

			_, err := sqlite.Restore(t.Context(), tc.file, db.Path(), filepath.Join(t.TempDir(), "aside"))

			if got := fault.CodeOf(err); got != fault.InvalidArguments {
				t.Errorf("code = %q (%v), want %q", got, err, fault.InvalidArguments)
			}
			if got := createdAt(t, db); got != before {
				t.Errorf("created_at = %d, want %d", got, before)
			}
		})
	}
}

// killed leaves a database as a killed process does: its last commit is only in
// the write-ahead log.
func killed(t *testing.T, path string) {
	t.Helper()
	live := sqlitetest.Open(t)
	if err := live.Write(t.Context(), func(tx *sqlite.Tx) error { return setCreatedAt(tx, 7) }); err != nil {
		t.Fatal(err)
	}
	for _, suffix := range []string{"", "-wal"} {
		b, err := os.ReadFile(live.Path() + suffix)
		if err != nil {
			t.Fatal(err)
		}
		if err := os.WriteFile(path+suffix, b, 0o600); err != nil {
			t.Fatal(err)
		}
	}
}

func TestRestoreIsNotSpoiltByALogThatWasLeftBehind(t *testing.T) {
	dir := t.TempDir()
	path, backup := filepath.Join(dir, "workspace.sqlite"), filepath.Join(dir, "b.sqlite")
	db := sqlitetest.Open(t)
	if err := db.Backup(t.Context(), backup); err != nil {
		t.Fatal(err)
	}
	killed(t, path)
	if err := os.Remove(path); err != nil {
		t.Fatal(err)
	}

	kept, err := sqlite.Restore(t.Context(), backup, path, filepath.Join(dir, "aside"))
	if err != nil {
		t.Fatal(err)
	}

	if got, want := createdAt(t, sqlitetest.OpenAt(t, path)), createdAt(t, db); got != want {
		t.Errorf("created_at = %d, want %d", got, want)
	}
	if _, err := os.Stat(kept + "-wal"); err != nil {
		t.Errorf("the log that was left behind is lost: %v", err)
	}
}

func TestRestoreBringsBackCommitsThatAreInTheBackupsLog(t *testing.T) {
	dir := t.TempDir()
	backup := filepath.Join(dir, "b.sqlite")
	killed(t, backup)
	target := filepath.Join(dir, "workspace.sqlite")

	if _, err := sqlite.Restore(t.Context(), backup, target, filepath.Join(dir, "aside")); err != nil {
		t.Fatal(err)
	}

	if got := createdAt(t, sqlitetest.OpenAt(t, target)); got != 7 {
		t.Errorf("created_at = %d, want 7", got)
	}
}

func TestOfTwoBackupsToOneNameOneIsThere(t *testing.T) {
	db := sqlitetest.Open(t)
	file := filepath.Join(t.TempDir(), "b.sqlite")
	var wg sync.WaitGroup
	codes := make(chan fault.Code, 4)
	for range 4 {
		wg.Go(func() { codes <- fault.CodeOf(db.Backup(t.Context(), file)) })
	}
	wg.Wait()
	close(codes)
	count := map[fault.Code]int{}
	for c := range codes {
		count[c]++
	}
	if count[""] != 1 || count[fault.InvalidArguments] != 3 {
		t.Errorf("outcomes = %v, want one backup and three refusals", count)
	}
	if err := sqlite.Check(t.Context(), file); err != nil {
		t.Error(err)
	}
}
