package sqlite

import (
	"context"
	"database/sql"
	"errors"
	"fmt"
	"io"
	"os"
	"path/filepath"

	"golang.org/x/sys/unix"

	"personal-workspace/internal/fault"
)

// Backup writes a consistent copy of the database to path, which must not
// exist. The copy is complete and checked before it gets its name: a crash
// leaves a whole file or none.
func (db *DB) Backup(ctx context.Context, path string) error {
	if _, err := os.Lstat(path); err == nil {
		return existsAlready(path)
	}
	err := copyTo(ctx, db.path, path)
	if cause, ok := errors.AsType[unix.Errno](err); ok {
		return fault.Invalid("file", "The backup %s cannot be written: %s; name a file in a directory that this user may write.", path, cause).Wrap(err)
	}
	return err
}

// copyTo copies the database file source to path.
func copyTo(ctx context.Context, source, path string) error {
	dir := filepath.Dir(path)
	if err := checkSpace(source, dir); err != nil {
		return err
	}
	// A name of its own: two copies to one path must not meet in one file.
	f, err := os.CreateTemp(dir, "."+filepath.Base(path)+".*.partial")
	if err != nil {
		return err
	}
	tmp := f.Name()
	defer os.Remove(tmp)
	if err := f.Close(); err != nil {
		return err
	}
	// The readers' connections are query-only, and the writer may be busy.
	p, err := openPool(source, 1)
	if err != nil {
		return err
	}
	defer p.close()
	if _, err := p.db.ExecContext(ctx, "VACUUM INTO ?", tmp); err != nil {
		return fmt.Errorf("copy the database: %w", err)
	}
	copied, err := openSound(ctx, tmp)
	if err != nil {
		return fmt.Errorf("the copy is not sound: %w", err)
	}
	copied.Close()
	if err := syncPath(tmp); err != nil {
		return err
	}
	if err := publish(tmp, path); err != nil {
		return err
	}
	return syncPath(dir)
}

// publish gives a finished file its name and never takes it from another file.
func publish(tmp, path string) error {
	err := os.Link(tmp, path)
	if errors.Is(err, os.ErrExist) {
		return existsAlready(path)
	}
	if err == nil {
		return nil
	}
	return os.Rename(tmp, path) // a file system without links
}

func existsAlready(path string) error {
	return fault.Invalid("file", "%s exists already; choose another name, a backup never overwrites a file.", path)
}

// checkSpace refuses a copy that would fill the disk.
func checkSpace(source, dir string) error {
	var size int64
	for _, p := range []string{source, source + "-wal"} {
		if st, err := os.Stat(p); err == nil {
			size += st.Size()
		}
	}
	var fs unix.Statfs_t
	if err := unix.Statfs(dir, &fs); err != nil {
		return fmt.Errorf("read the free space of %s: %w", dir, err)
	}
	return enough(dir, size, int64(fs.Bavail)*int64(fs.Bsize)) //nolint:unconvert // the fields' types differ by platform
}

// enough wants room for the database and a tenth more.
func enough(dir string, size, free int64) error {
	need := size + size/10
	if free >= need {
		return nil
	}
	return fault.New(fault.LimitExceeded, "%s has %d bytes free, the copy needs %d; make room and try again.", dir, free, need).
		With(fault.DetailLimit, free)
}

func syncPath(path string) error {
	f, err := os.Open(path)
	if err != nil {
		return err
	}
	defer f.Close()
	return f.Sync()
}

// Check opens the database file at path read-only and verifies that it is a
// sound workspace database of a schema this program knows.
func Check(ctx context.Context, path string) error {
	db, err := openSound(ctx, path)
	if err != nil {
		return err
	}
	defer db.Close()
	var epoch string
	if err := db.QueryRowContext(ctx, "SELECT coalesce(max(epoch), '') FROM meta").Scan(&epoch); err != nil {
		return noDatabase(path).Wrap(err)
	}
	v, err := schemaOf(ctx, db)
	if err != nil {
		return err
	}
	if v < 1 {
		return noDatabase(path)
	}
	if v > SchemaVersion() {
		return fault.Invalid("file", "%s has schema %d, this program knows 1 to %d; restore it with a newer workspace.", path, v, SchemaVersion())
	}
	return nil
}

// openSound opens the database file at path read-only if its pages are sound.
func openSound(ctx context.Context, path string) (*sql.DB, error) {
	db, err := sql.Open("sqlite", dsn(path, "mode", "ro", "_journal_mode", "", "_synchronous", ""))
	if err != nil {
		return nil, err
	}
	var result string
	switch err := db.QueryRowContext(ctx, "PRAGMA quick_check").Scan(&result); {
	case ctx.Err() != nil:
		db.Close()
		return nil, ctx.Err()
	case err != nil:
		db.Close()
		return nil, noDatabase(path).Wrap(err)
	case result != "ok":
		db.Close()
		return nil, fault.Invalid("file", "%s is damaged; use another backup.", path).Wrap(errors.New(result))
	}
	return db, nil
}

func noDatabase(path string) *fault.Error {
	return fault.Invalid("file", "%s is not a workspace database; name a file that workspace backup has written.", path)
}

// Restore replaces the database at target by a checked copy of the backup file.
// Nothing may have target open. The replaced database, which may be damaged, is
// kept byte for byte as keepAs, and that name is returned; "" means there was
// none. A crash leaves the old or the new database.
func Restore(ctx context.Context, backup, target, keepAs string) (kept string, err error) {
	if err := Check(ctx, backup); err != nil {
		return "", err
	}
	tmp := target + ".restoring"
	defer removeDatabase(tmp) //nolint:errcheck // after the rename there is nothing left
	if err := copyDatabase(ctx, backup, tmp); err != nil {
		return "", fmt.Errorf("copy the backup: %w", err)
	}
	if kept, err = setAside(ctx, target, keepAs); err != nil {
		return "", fmt.Errorf("keep the present database: %w", err)
	}
	if err := os.Rename(tmp, target); err != nil {
		return kept, err
	}
	return kept, syncPath(filepath.Dir(target))
}

// walSuffixes are the files that belong to a database beside its own.
var walSuffixes = []string{"-wal", "-shm"}

// copyDatabase copies a database that nobody writes, with the commits that are
// still in its write-ahead log, as one file.
func copyDatabase(ctx context.Context, from, to string) error {
	if err := removeDatabase(to); err != nil {
		return err
	}
	if err := copyFile(from, to); err != nil {
		return err
	}
	if _, err := os.Stat(from + "-wal"); err == nil {
		if err := copyFile(from+"-wal", to+"-wal"); err != nil {
			return err
		}
	}
	p, err := openPool(to, 1)
	if err != nil {
		return err
	}
	_, err = p.db.ExecContext(ctx, "PRAGMA wal_checkpoint(TRUNCATE)")
	if err := errors.Join(err, p.close()); err != nil {
		return err
	}
	return errors.Join(Check(ctx, to), removeFiles(to, walSuffixes), syncPath(to))
}

// setAside gives the database a second name and takes its write-ahead log away,
// which must not meet another database, even where the database itself is gone.
// The log of a sound database is folded into the file first, so that nothing is
// lost where a crash comes in between.
func setAside(ctx context.Context, target, keepAs string) (kept string, err error) {
	if _, err := os.Stat(target); err == nil {
		if p, err := openPool(target, 1); err == nil {
			// A damaged database cannot do this; its log is kept beside it.
			p.db.ExecContext(ctx, "PRAGMA wal_checkpoint(TRUNCATE)") //nolint:errcheck // see above
			p.close()
		}
	}
	for _, suffix := range []string{"", "-wal"} {
		st, err := os.Stat(target + suffix)
		if err != nil || st.Size() == 0 {
			continue
		}
		if err := sameFile(target+suffix, keepAs+suffix); err != nil {
			return "", err
		}
		kept = keepAs
	}
	if err := syncPath(filepath.Dir(keepAs)); err != nil {
		return "", err
	}
	return kept, removeFiles(target, walSuffixes)
}

func removeDatabase(path string) error {
	return removeFiles(path, append([]string{""}, walSuffixes...))
}

func removeFiles(path string, suffixes []string) error {
	var errs []error
	for _, s := range suffixes {
		if err := os.Remove(path + s); !errors.Is(err, os.ErrNotExist) {
			errs = append(errs, err)
		}
	}
	return errors.Join(errs...)
}

// sameFile makes the content of from available as to, which must not exist.
func sameFile(from, to string) error {
	err := os.Link(from, to)
	if err == nil || errors.Is(err, os.ErrExist) {
		return err
	}
	return copyFile(from, to) // another file system
}

func copyFile(from, to string) error {
	src, err := os.Open(from)
	if err != nil {
		return err
	}
	defer src.Close()
	dst, err := os.OpenFile(to, os.O_CREATE|os.O_TRUNC|os.O_WRONLY, 0o600)
	if err != nil {
		return err
	}
	_, err = io.Copy(dst, src)
	return errors.Join(err, dst.Sync(), dst.Close())
}
