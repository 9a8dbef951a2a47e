package sqlite

import (
	"context"
	"errors"
	"os"
	"path/filepath"
	"strings"
	"sync/atomic"
	"testing"
	"time"

	"personal-workspace/internal/fault"
)

// steps are migrations of an imaginary program that grows.
func steps(n int) []migration {
	all := []migration{
		{"0001_a.sql", "CREATE TABLE a (id INTEGER PRIMARY KEY) STRICT; INSERT INTO a VALUES (1);"},
		{"0002_b.sql", "CREATE TABLE b (id INTEGER PRIMARY KEY, a INTEGER NOT NULL REFERENCES a (id)) STRICT; INSERT INTO b VALUES (1, 1);"},
		{"0003_c.sql", "ALTER TABLE a ADD COLUMN c TEXT;"},
		{"0004_d.sql", "CREATE TABLE d (id INTEGER PRIMARY KEY) STRICT;"},
		{"0005_e.sql", "CREATE TABLE e (id INTEGER PRIMARY KEY) STRICT;"},
	}
	return all[:n]
}

func config(t *testing.T) Config {
	t.Helper()
	dir := t.TempDir()
	at := time.Date(2026, 11, 30, 12, 0, 0, 0, time.UTC)
	var seconds atomic.Int64
	c := Config{
		Path: filepath.Join(dir, "workspace.sqlite"), BackupDir: filepath.Join(dir, "backups"),
		Now: func() time.Time { return at.Add(time.Duration(seconds.Add(1)) * time.Second) },
	}
	if err := createPrivate(c.Path); err != nil {
		t.Fatal(err)
	}
	return c
}

func schema(t *testing.T, path string) int {
	t.Helper()
	p, err := openPool(path, 1)
	if err != nil {
		t.Fatal(err)
	}
	defer p.close()
	v, err := schemaOf(t.Context(), p.db)
	if err != nil {
		t.Fatal(err)
	}
	return v
}

func TestMigrateRemovesWhatAnEndedOneLeftUnfinished(t *testing.T) {
	c := config(t)
	if err := migrate(t.Context(), c, steps(2)); err != nil {
		t.Fatal(err)
	}
	if err := os.MkdirAll(c.BackupDir, 0o700); err != nil {
		t.Fatal(err)
	}
	left, other := filepath.Join(c.BackupDir, ".pre-2-20261130T115900.000Z.sqlite.1.partial"), filepath.Join(c.BackupDir, ".mine.sqlite.1.partial")
	for _, file := range []string{left, other} {
		if err := os.WriteFile(file, []byte("half"), 0o600); err != nil {
			t.Fatal(err)
		}
	}

	if err := migrate(t.Context(), c, steps(3)); err != nil {
		t.Fatal(err)
	}

	if _, err := os.Stat(left); !errors.Is(err, os.ErrNotExist) {
		t.Errorf("the unfinished snapshot: %v, want it gone", err)
	}
	if _, err := os.Stat(other); err != nil {
		t.Errorf("the file of a backup: %v, want it left alone", err)
	}
}

func TestMigrateMakesASnapshotBeforeAStep(t *testing.T) {
	c := config(t)
	for _, n := range []int{2, 3} {
		if err := migrate(t.Context(), c, steps(n)); err != nil {
			t.Fatal(err)
		}
	}
	list := snapshots(c.BackupDir, "pre-*.sqlite")
	if len(list) != 1 || !strings.HasPrefix(filepath.Base(list[0]), "pre-2-20261130T1200") {
		t.Fatalf("snapshots = %v, want one of schema 2", list)
	}
	if got := schema(t, list[0]); got != 2 {
		t.Errorf("schema of the snapshot = %d, want 2", got)
	}
	if got := schema(t, c.Path); got != 3 {
		t.Errorf("schema = %d, want 3", got)
	}
}

func TestMigrateMakesNoSnapshotOfAnEmptyDatabase(t *testing.T) {
	c := config(t)
	if err := migrate(t.Context(), c, steps(3)); err != nil {
		t.Fatal(err)
	}
	if list := snapshots(c.BackupDir, "*"); len(list) != 0 {
		t.Errorf("snapshots = %v, want none", list)
	}
}

func TestMigrateKeepsTheLastThreeSnapshots(t *testing.T) {
	c := config(t)
	for n := 1; n <= 5; n++ {
		if err := migrate(t.Context(), c, steps(n)); err != nil {
			t.Fatal(err)
		}
	}
	var got []string
	for _, s := range snapshots(c.BackupDir, "pre-*.sqlite") {
		got = append(got, filepath.Base(s)[:5])
	}
	if want := "pre-2 pre-3 pre-4"; strings.Join(got, " ") != want {
		t.Errorf("snapshots = %v, want %s", got, want)
	}
}

func TestAFailedStepLeavesTheOldSchema(t *testing.T) {
	for _, tc := range []struct{ name, sql string }{
		{"broken SQL", "CREATE TABLE x (id INTEGER PRIMARY KEY) STRICT; NONSENSE;"},
		{"a dangling reference", "DELETE FROM a;"},
	} {
		t.Run(tc.name, func(t *testing.T) {
			c := config(t)
			if err := migrate(t.Context(), c, steps(2)); err != nil {
				t.Fatal(err)
			}

			err := migrate(t.Context(), c, append(steps(2), migration{"0003_bad.sql", tc.sql}))

			if err == nil || !strings.Contains(err.Error(), "schema 3 (0003_bad.sql)") {
				t.Errorf("error = %v, want one that names the step", err)
			}
			if got := schema(t, c.Path); got != 2 {
				t.Errorf("schema = %d, want 2", got)
			}
			if err := migrate(t.Context(), c, steps(3)); err != nil {
				t.Errorf("the next, right program cannot migrate: %v", err)
			}
		})
	}
}

func TestANewerSchemaIsRefused(t *testing.T) {
	for _, tc := range []struct {
		name    string
		through []int
		want    string
	}{
		{"with a snapshot to go back to", []int{2, 3}, "Or go back to the snapshot before the change, run: workspace restore BACKUPS/pre-2-20261130T120001.000Z.sqlite"},
		{"without one", []int{3}, "There is no snapshot of schema 2 to go back to in BACKUPS."},
	} {
		t.Run(tc.name, func(t *testing.T) {
			c := config(t)
			for _, n := range tc.through {
				if err := migrate(t.Context(), c, steps(n)); err != nil {
					t.Fatal(err)
				}
			}

			err := migrate(t.Context(), c, steps(2))

			if got := fault.CodeOf(err); got != fault.Unsupported {
				t.Errorf("code = %q, want %q", got, fault.Unsupported)
			}
			want := "The database has schema 3, this program knows schema 2. Start a newer workspace. " + tc.want
			if got := strings.ReplaceAll(fault.From(err).Message, c.BackupDir, "BACKUPS"); got != want {
				t.Errorf("message = %q, want %q", got, want)
			}
			if got := schema(t, c.Path); got != 3 {
				t.Errorf("schema = %d, want 3", got)
			}
		})
	}
}

func TestADatabaseOfAnotherProgramIsRefused(t *testing.T) {
	c := config(t)
	p, err := openPool(c.Path, 1)
	if err != nil {
		t.Fatal(err)
	}
	if _, err := p.db.ExecContext(t.Context(), "CREATE TABLE theirs (id INTEGER PRIMARY KEY)"); err != nil {
		t.Fatal(err)
	}
	if err := p.close(); err != nil {
		t.Fatal(err)
	}

	err = migrate(t.Context(), c, steps(1))

	want := "The database " + c.Path + " belongs to another program; set WORKSPACE_DATA_DIR to another directory."
	if err == nil || fault.From(err).Message != want {
		t.Errorf("migrate = %v, want %q", err, want)
	}
	if got := schema(t, c.Path); got != 0 {
		t.Errorf("schema = %d, want 0", got)
	}
}

func TestTwoProcessesMigrateAtOnce(t *testing.T) {
	c := config(t)
	done := make(chan error)
	for range 4 {
		go func() { done <- migrate(context.WithoutCancel(t.Context()), c, steps(5)) }()
	}
	for range 4 {
		if err := <-done; err != nil {
			t.Error(err)
		}
	}
	if got := schema(t, c.Path); got != 5 {
		t.Errorf("schema = %d, want 5", got)
	}
}

func TestTheWaitForATurnEndsWithItsContext(t *testing.T) {
	dir := t.TempDir()
	release, err := takeTurn(t.Context(), dir)
	if err != nil {
		t.Fatal(err)
	}
	defer release()
	ctx, cancel := context.WithCancel(t.Context())
	cancel()

	if _, err := takeTurn(ctx, dir); !errors.Is(err, context.Canceled) {
		t.Errorf("error = %v, want %v", err, context.Canceled)
	}
}

func TestAStartWithOtherPragmasIsRefused(t *testing.T) {
	c := config(t)
	for _, tc := range []struct{ name, key, value, want string }{
		{"not WAL", "_journal_mode", "DELETE", `PRAGMA journal_mode is "delete", want "wal"`},
		{"less durable", "_synchronous", "NORMAL", `PRAGMA synchronous is "1", want "2"`},
		{"no foreign keys", "_foreign_keys", "off", `PRAGMA foreign_keys is "0", want "1"`},
		{"nothing overwritten", "_pragma", "secure_delete(0)", `PRAGMA secure_delete is "0", want "1"`},
		{"no busy timeout", "_busy_timeout", "1", `PRAGMA busy_timeout is "1", want "5000"`},
	} {
		t.Run(tc.name, func(t *testing.T) {
			p, err := openPool(c.Path, 1, tc.key, tc.value)
			if err != nil {
				t.Fatal(err)
			}
			defer p.close()

			err = p.checkPragmas(t.Context())

			if err == nil || !strings.HasPrefix(err.Error(), tc.want) {
				t.Errorf("error = %v, want %s", err, tc.want)
			}
		})
	}
}

func TestEmbeddedMigrationsHaveNoGap(t *testing.T) {
	if got, want := len(migrations()), SchemaVersion(); got != want || got < 4 {
		t.Errorf("migrations = %d, SchemaVersion = %d, want at least 4 and equal", got, want)
	}
}

func TestACopyNeedsRoom(t *testing.T) {
	for _, tc := range []struct {
		name       string
		size, free int64
		want       fault.Code
	}{
		{"enough", 1000, 1100, ""},
		{"one byte too little", 1000, 1099, fault.LimitExceeded},
		{"a full disk", 1000, 0, fault.LimitExceeded},
	} {
		t.Run(tc.name, func(t *testing.T) {
			if got := fault.CodeOf(enough("backups", tc.size, tc.free)); got != tc.want {
				t.Errorf("enough(%d, %d) = %q, want %q", tc.size, tc.free, got, tc.want)
			}
		})
	}
}
