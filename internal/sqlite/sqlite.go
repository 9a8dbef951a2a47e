// Package sqlite owns the one database file of the workspace: how it is opened,
// migrated, read and written.
//
// There is one writing connection and a small pool of reading ones. Callers see
// neither: they pass a function to Write or Read and use the Tx they are given.
// A Write is one immediate transaction with full durability: when it returns nil
// the change survives a power cut, and when it returns an error nothing changed.
// No network call may happen inside a transaction.
//
// No other package imports database/sql.
package sqlite

import (
	"context"
	"database/sql"
	"errors"
	"fmt"
	"log/slog"
	"net/url"
	"os"
	"path/filepath"
	"strings"
	"sync"
	"time"

	_ "modernc.org/sqlite" // registers the driver "sqlite"
)

const (
	busyTimeout = 5 * time.Second
	readers     = 4
	// slowWrite is when a write transaction is worth a warning: all other
	// writers wait for it.
	slowWrite = time.Second
)

// Config says where the database is. Path is required.
type Config struct {
	// Path of the database file; its folder must exist.
	Path string
	// BackupDir receives the snapshot made before a migration. Empty means
	// "backups" beside the database.
	BackupDir string
	// BeforeMigration is asked before an existing database gets a newer schema;
	// its error refuses that, and the database stays as it is. nil allows it.
	BeforeMigration func() error
	// Now is the clock; nil means time.Now.
	Now func() time.Time
	// Log receives warnings; nil discards them.
	Log *slog.Logger
}

// DB is an open database. It is safe for concurrent use.
type DB struct {
	path   string
	log    *slog.Logger
	now    func() time.Time
	writer *pool
	reader *pool
}

// pool is a connection pool with its prepared statements, keyed by their text.
// All statements of the program are constants, so the cache is bounded.
type pool struct {
	db    *sql.DB
	stmts sync.Map
}

// Open opens the database at c.Path, makes it when it is missing, brings its
// schema up to date and checks that the settings the workspace relies on are
// really in force. It refuses a schema newer than this program knows with a
// fault that names both versions, the last snapshot and how to restore it.
func Open(ctx context.Context, c Config) (*DB, error) {
	if c.BackupDir == "" {
		c.BackupDir = filepath.Join(filepath.Dir(c.Path), "backups")
	}
	if c.Now == nil {
		c.Now = time.Now
	}
	if c.Log == nil {
		c.Log = slog.New(slog.DiscardHandler)
	}
	if err := createPrivate(c.Path); err != nil {
		return nil, fmt.Errorf("create the database file: %w", err)
	}
	if err := migrate(ctx, c, migrations()); err != nil {
		return nil, explain(c.Path, err)
	}
	db := &DB{path: c.Path, log: c.Log, now: c.Now}
	if err := db.open(ctx); err != nil {
		return nil, explain(c.Path, errors.Join(err, db.Close()))
	}
	return db, nil
}

func (db *DB) open(ctx context.Context) (err error) {
	if db.writer, err = openPool(db.path, 1, "_txlock", "immediate"); err != nil {
		return err
	}
	if db.reader, err = openPool(db.path, readers, "_query_only", "1"); err != nil {
		return err
	}
	return errors.Join(db.writer.checkPragmas(ctx), db.reader.checkPragmas(ctx))
}

// createPrivate makes an empty file that only its owner can read, and leaves an
// existing one alone: opening a live database here would drop SQLite's locks.
func createPrivate(path string) error {
	f, err := os.OpenFile(path, os.O_CREATE|os.O_EXCL|os.O_WRONLY, 0o600)
	if errors.Is(err, os.ErrExist) {
		return nil
	}
	if err != nil {
		return err
	}
	return f.Close()
}

// dsn builds the data source name: every setting is part of it, because
// database/sql opens connections as it likes and one Exec reaches only one.
func dsn(path string, pairs ...string) string {
	q := url.Values{}
	q.Set("_busy_timeout", fmt.Sprint(busyTimeout.Milliseconds()))
	q.Set("_journal_mode", "WAL")
	q.Set("_synchronous", "FULL")
	q.Set("_foreign_keys", "on")
	q.Set("_dqs", "0")
	q.Set("_defensive", "1")
	q.Set("_error_rc", "1")
	// What is deleted or replaced is overwritten: it can be a text that its owner
	// erased. Measured, it costs nothing that shows.
	q["_pragma"] = []string{"secure_delete(1)", "trusted_schema(0)", "temp_store(memory)", "cache_size(-8000)"}
	for i := 0; i < len(pairs); i += 2 {
		q.Set(pairs[i], pairs[i+1])
	}
	return "file:" + (&url.URL{Path: path}).EscapedPath() + "?" + q.Encode()
}

func openPool(path string, size int, pairs ...string) (*pool, error) {
	db, err := sql.Open("sqlite", dsn(path, pairs...))
	if err != nil {
		return nil, fmt.Errorf("open the database: %w", err)
	}
	db.SetMaxOpenConns(size)
	db.SetMaxIdleConns(size)
	return &pool{db: db}, nil
}

// checkPragmas reads the settings back: a driver that ignores one would
// otherwise be noticed when data is already lost.
func (p *pool) checkPragmas(ctx context.Context) error {
	want := []struct{ name, value string }{
		{"journal_mode", "wal"},
		{"synchronous", "2"},
		{"foreign_keys", "1"},
		{"busy_timeout", fmt.Sprint(busyTimeout.Milliseconds())},
		{"secure_delete", "1"},
	}
	for _, w := range want {
		var got string
		if err := p.db.QueryRowContext(ctx, "PRAGMA "+w.name).Scan(&got); err != nil {
			return fmt.Errorf("read back PRAGMA %s: %w", w.name, err)
		}
		if !strings.EqualFold(got, w.value) {
			return fmt.Errorf("PRAGMA %s is %q, want %q: the database would not be safe, so the start is refused (WAL needs a local file system)", w.name, got, w.value)
		}
	}
	return nil
}

func (p *pool) close() error {
	if p == nil {
		return nil
	}
	p.stmts.Range(func(_, s any) bool {
		s.(*sql.Stmt).Close()
		return true
	})
	return p.db.Close()
}

// foldWait is how long EmptyLog keeps writers waiting for readers.
const foldWait = 250 * time.Millisecond

// EmptyLog moves what the write-ahead log has into the database and empties the
// log, which otherwise keeps what was overwritten until it is full. Writers wait a
// quarter of a second for it at most. It fails while somebody reads for longer
// than that, such as a backup; nothing is lost then.
func (db *DB) EmptyLog(ctx context.Context) error {
	ctx, cancel := context.WithTimeout(ctx, foldWait)
	defer cancel()
	var busy, pages, moved int
	err := db.writer.db.QueryRowContext(ctx, "PRAGMA wal_checkpoint(TRUNCATE)").Scan(&busy, &pages, &moved)
	if err == nil && busy != 0 {
		err = errors.New("the database is being read")
	}
	if err != nil {
		return fmt.Errorf("empty the write-ahead log: %w", err)
	}
	return nil
}

// Path returns the path of the database file.
func (db *DB) Path() string { return db.path }

// Size is how many bytes the database takes on disk, with its write-ahead log.
func (db *DB) Size() (bytes int64, err error) {
	for _, path := range []string{db.path, db.path + "-wal"} {
		switch info, err := os.Stat(path); {
		case err == nil:
			bytes += info.Size()
		case !errors.Is(err, os.ErrNotExist):
			return 0, fmt.Errorf("look at the size of the database: %w", err)
		}
	}
	return bytes, nil
}

// Close folds the write-ahead log back into the file and closes it. The DB must
// not be used afterwards.
func (db *DB) Close() error {
	if db.writer != nil {
		// What follows can wait for the next start, so another process that
		// holds the lock must not delay the stop by the whole busy timeout twice.
		db.writer.db.Exec("PRAGMA busy_timeout = 200")       //nolint:errcheck,noctx // best effort
		db.writer.db.Exec("PRAGMA optimize")                 //nolint:errcheck,noctx // best effort
		db.writer.db.Exec("PRAGMA wal_checkpoint(TRUNCATE)") //nolint:errcheck,noctx // best effort
	}
	return errors.Join(db.reader.close(), db.writer.close())
}

// Ping proves that the database can be read and written: it reads and rolls
// back a write. It changes nothing.
func (db *DB) Ping(ctx context.Context) error {
	if err := db.Read(ctx, func(tx *Tx) error {
		_, err := One(tx, scanInt, "SELECT id FROM meta")
		return err
	}); err != nil {
		return err
	}
	err := db.Write(ctx, func(tx *Tx) error {
		if _, err := tx.Exec("UPDATE meta SET created_at = created_at WHERE id = 1"); err != nil {
			return err
		}
		return errRollback
	})
	if errors.Is(err, errRollback) {
		return nil
	}
	return err
}

var errRollback = errors.New("rolled back on purpose")

// WatchExternal calls changed whenever some connection, of this process or of
// another one such as the command line, has committed a change. It looks every
// interval and returns when ctx ends, with ctx's error.
func (db *DB) WatchExternal(ctx context.Context, interval time.Duration, changed func()) error {
	conn, err := db.reader.db.Conn(ctx)
	if err != nil {
		return fmt.Errorf("watch the database: %w", err)
	}
	defer conn.Close()
	tick := time.NewTicker(interval)
	defer tick.Stop()
	var last int64
	for {
		var v int64
		if err := conn.QueryRowContext(ctx, "PRAGMA data_version").Scan(&v); err != nil {
			return fmt.Errorf("watch the database: %w", err)
		}
		if last != 0 && v != last {
			changed()
		}
		last = v
		select {
		case <-ctx.Done():
			return ctx.Err()
		case <-tick.C:
		}
	}
}
