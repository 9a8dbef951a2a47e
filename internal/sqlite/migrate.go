package sqlite

import (
	"context"
	"database/sql"
	"embed"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"slices"
	"strings"

	"personal-workspace/internal/fault"
)

//go:embed migrations/*.sql
var migrationFiles embed.FS

// migration is one forward step; its place in the list is the schema version it
// leads to.
type migration struct{ name, sql string }

// migrations returns the embedded steps in order. A gap in their numbers is a
// programming error.
func migrations() []migration {
	names, _ := fs.Glob(migrationFiles, "migrations/*.sql")
	slices.Sort(names)
	var list []migration
	for i, n := range names {
		base := filepath.Base(n)
		if !strings.HasPrefix(base, fmt.Sprintf("%04d_", i+1)) {
			panic("migration " + base + " is out of order")
		}
		b, err := migrationFiles.ReadFile(n)
		if err != nil {
			panic(err)
		}
		list = append(list, migration{base, string(b)})
	}
	return list
}

// SchemaVersion is the schema this program reads and writes.
func SchemaVersion() int { return len(migrations()) }

// migrate brings the database to the newest schema. It works on a connection of
// its own with foreign keys off, because rebuilding a parent table with them on
// deletes its children. Processes that start together take turns: the first one
// migrates, and turning a new file to WAL answers "busy" to the others at once,
// whatever their timeout is.
func migrate(ctx context.Context, c Config, steps []migration) error {
	release, err := takeTurn(ctx, filepath.Dir(c.Path))
	if err != nil {
		return fmt.Errorf("wait for the turn to migrate: %w", err)
	}
	defer release()
	return migrateAlone(ctx, c, steps)
}

func migrateAlone(ctx context.Context, c Config, steps []migration) error {
	p, err := openPool(c.Path, 1, "_txlock", "immediate", "_foreign_keys", "off")
	if err != nil {
		return err
	}
	defer p.close()
	have, err := schemaOf(ctx, p.db)
	if err != nil {
		return fmt.Errorf("read the schema version: %w", err)
	}
	if have > len(steps) {
		return tooNew(c, have, len(steps))
	}
	if have == len(steps) {
		return nil
	}
	if err := prepare(ctx, p.db, c, have); err != nil {
		return err
	}
	for v := have + 1; v <= len(steps); v++ {
		if err := step(ctx, p.db, v, steps[v-1]); err != nil {
			return fmt.Errorf("migrate to schema %d (%s): %w", v, steps[v-1].name, err)
		}
	}
	return nil
}

func schemaOf(ctx context.Context, q interface {
	QueryRowContext(context.Context, string, ...any) *sql.Row
},
) (v int, err error) {
	err = q.QueryRowContext(ctx, "PRAGMA user_version").Scan(&v)
	return v, err
}

// step runs one migration and its new version number in one transaction. A
// second process may have been faster: then there is nothing to do.
func step(ctx context.Context, db *sql.DB, version int, m migration) error {
	tx, err := db.BeginTx(ctx, nil)
	if err != nil {
		return err
	}
	defer tx.Rollback() //nolint:errcheck // a no-op after the commit
	have, err := schemaOf(ctx, tx)
	if err != nil {
		return err
	}
	if have >= version {
		return nil
	}
	if _, err := tx.ExecContext(ctx, m.sql); err != nil {
		return err
	}
	if err := checkForeignKeys(ctx, tx); err != nil {
		return err
	}
	if _, err := tx.ExecContext(ctx, fmt.Sprintf("PRAGMA user_version = %d", version)); err != nil {
		return err
	}
	return tx.Commit()
}

func checkForeignKeys(ctx context.Context, tx *sql.Tx) error {
	rows, err := tx.QueryContext(ctx, "PRAGMA foreign_key_check")
	if err != nil {
		return err
	}
	defer rows.Close()
	if rows.Next() {
		return errors.New("a row refers to one that does not exist")
	}
	return rows.Err()
}

func tooNew(c Config, have, known int) error {
	back := fmt.Sprintf("There is no snapshot of schema %d to go back to in %s.", known, c.BackupDir)
	if last := newestSnapshot(c.BackupDir, known); last != "" {
		back = "Or go back to the snapshot before the change, run: workspace restore " + last
	}
	return fault.New(fault.Unsupported,
		"The database has schema %d, this program knows schema %d. Start a newer workspace. %s", have, known, back)
}

// newestSnapshot returns the newest snapshot that a program with schema known
// can open, or "".
func newestSnapshot(dir string, known int) string {
	for v := known; v > 0; v-- {
		list := snapshots(dir, fmt.Sprintf("pre-%d-*.sqlite", v))
		if len(list) > 0 {
			return list[len(list)-1]
		}
	}
	return ""
}

func snapshots(dir, pattern string) []string {
	list, _ := filepath.Glob(filepath.Join(dir, pattern))
	slices.SortFunc(list, func(a, b string) int {
		return strings.Compare(stampOf(a), stampOf(b))
	})
	return list
}

// stampOf is the time part of a snapshot's name, which sorts as text.
func stampOf(path string) string {
	return path[strings.LastIndexByte(path, '-')+1:]
}

// prepare asks whether the database may change and copies it aside. One without
// a schema of ours must be empty.
func prepare(ctx context.Context, db *sql.DB, c Config, schema int) error {
	if schema == 0 {
		return checkEmpty(ctx, db, c.Path)
	}
	if c.BeforeMigration != nil {
		if err := c.BeforeMigration(); err != nil {
			return err
		}
	}
	return snapshot(ctx, c, schema)
}

func checkEmpty(ctx context.Context, db *sql.DB, path string) error {
	var found int
	if err := db.QueryRowContext(ctx, "SELECT count(*) FROM sqlite_schema").Scan(&found); err != nil {
		return fmt.Errorf("look what the database holds: %w", err)
	}
	if found > 0 {
		return fault.Invalid("data-dir", "The database %s belongs to another program; set WORKSPACE_DATA_DIR to another directory.", path)
	}
	return nil
}

const keptSnapshots = 3

// snapshot copies the database aside before a migration and keeps the last
// three such copies.
func snapshot(ctx context.Context, c Config, schema int) error {
	if err := os.MkdirAll(c.BackupDir, 0o700); err != nil {
		return fmt.Errorf("make the folder for backups: %w", err)
	}
	if err := removeUnfinished(c.BackupDir); err != nil {
		return err
	}
	name := fmt.Sprintf("pre-%d-%s.sqlite", schema, c.Now().UTC().Format("20060102T150405.000Z"))
	if err := copyTo(ctx, c.Path, filepath.Join(c.BackupDir, name)); err != nil {
		return fmt.Errorf("snapshot before the migration: %w", err)
	}
	list := snapshots(c.BackupDir, "pre-*.sqlite")
	for _, old := range list[:max(0, len(list)-keptSnapshots)] {
		if err := os.Remove(old); err != nil {
			return fmt.Errorf("remove an old snapshot: %w", err)
		}
	}
	return nil
}

// removeUnfinished removes the snapshots of processes that were killed while they
// wrote them: a start that is killed again and again must not fill the disk. Only
// who has the turn makes snapshots, so nobody is writing one now.
func removeUnfinished(dir string) error {
	list, _ := filepath.Glob(filepath.Join(dir, ".pre-*.partial*"))
	for _, file := range list {
		if err := os.Remove(file); err != nil {
			return fmt.Errorf("remove an unfinished snapshot: %w", err)
		}
	}
	return nil
}
