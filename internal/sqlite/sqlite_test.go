package sqlite_test

import (
	"context"
	"errors"
	"os"
	"path/filepath"
	"strings"
	"sync"
	"testing"
	"time"

	"personal-workspace/internal/sqlite"
	"personal-workspace/internal/sqlite/sqlitetest"
)

func createdAt(t *testing.T, db *sqlite.DB) (n int64) {
	t.Helper()
	err := db.Read(t.Context(), func(tx *sqlite.Tx) (err error) {
		n, err = sqlite.One(tx, sqlite.Int, "SELECT created_at FROM meta")
		return err
	})
	if err != nil {
		t.Fatal(err)
	}
	return n
}

func setCreatedAt(tx *sqlite.Tx, n int64) error {
	_, err := tx.Exec("UPDATE meta SET created_at = ? WHERE id = 1", n)
	return err
}

func TestOpenMakesAPrivateFile(t *testing.T) {
	db := sqlitetest.Open(t)

	st, err := os.Stat(db.Path())
	if err != nil {
		t.Fatal(err)
	}
	if got, want := st.Mode().Perm(), os.FileMode(0o600); got != want {
		t.Errorf("mode = %v, want %v", got, want)
	}
}

func TestEpochSurvivesAReopen(t *testing.T) {
	path := filepath.Join(t.TempDir(), "workspace.sqlite")
	var epochs [2]string
	for i := range epochs {
		db, err := sqlite.Open(t.Context(), sqlite.Config{Path: path})
		if err != nil {
			t.Fatal(err)
		}
		err = db.Read(t.Context(), func(tx *sqlite.Tx) (err error) {
			epochs[i], err = sqlite.One(tx, sqlite.String, "SELECT epoch FROM meta")
			return err
		})
		if err := errors.Join(err, db.Close()); err != nil {
			t.Fatal(err)
		}
	}
	if epochs[0] == "" || epochs[0] != epochs[1] {
		t.Errorf("epochs = %q, want two equal ones", epochs)
	}
}

func TestWriteChangesNothingWhen(t *testing.T) {
	fails := errors.New("no")
	for _, tc := range []struct {
		name string
		run  func(t *testing.T, db *sqlite.DB) error
	}{
		{"the function fails", func(t *testing.T, db *sqlite.DB) error {
			return db.Write(t.Context(), func(tx *sqlite.Tx) error {
				return errors.Join(setCreatedAt(tx, 7), fails)
			})
		}},
		{"the context ends before the commit", func(t *testing.T, db *sqlite.DB) error {
			ctx, cancel := context.WithCancel(t.Context())
			return db.Write(ctx, func(tx *sqlite.Tx) error {
				defer cancel()
				return setCreatedAt(tx, 7)
			})
		}},
		{"the function panics", func(t *testing.T, db *sqlite.DB) (err error) {
			defer func() { err = recover().(error) }()
			return db.Write(t.Context(), func(tx *sqlite.Tx) error {
				if err := setCreatedAt(tx, 7); err != nil {
					t.Fatal(err)
				}
				panic(fails)
			})
		}},
	} {
		t.Run(tc.name, func(t *testing.T) {
			db := sqlitetest.Open(t)
			before := createdAt(t, db)

			err := tc.run(t, db)

			if !errors.Is(err, fails) && !errors.Is(err, context.Canceled) {
				t.Errorf("error = %v, want the cause", err)
			}
			if got := createdAt(t, db); got != before {
				t.Errorf("created_at = %d, want %d", got, before)
			}
			if err := db.Ping(t.Context()); err != nil {
				t.Errorf("the database is not usable afterwards: %v", err)
			}
		})
	}
}

func TestAfterCommitRunsOnlyAfterACommit(t *testing.T) {
	db := sqlitetest.Open(t)
	var ran []string
	note := func(s string, err error) error {
		return db.Write(t.Context(), func(tx *sqlite.Tx) error {
			tx.AfterCommit(func() { ran = append(ran, s) })
			return err
		})
	}

	if err := note("kept", nil); err != nil {
		t.Fatal(err)
	}
	if err := note("rolled back", errors.New("no")); err == nil {
		t.Fatal("no error")
	}

	if got := strings.Join(ran, ","); got != "kept" {
		t.Errorf("ran = %q, want %q", got, "kept")
	}
}

func TestReadCannotWrite(t *testing.T) {
	db := sqlitetest.Open(t)

	err := db.Read(t.Context(), func(tx *sqlite.Tx) error { return setCreatedAt(tx, 7) })

	if err == nil {
		t.Error("a write inside Read passed")
	}
}

func TestReadSeesOneSnapshot(t *testing.T) {
	db := sqlitetest.Open(t)
	before := createdAt(t, db)

	err := db.Read(t.Context(), func(tx *sqlite.Tx) error {
		first, err := sqlite.One(tx, sqlite.Int, "SELECT created_at FROM meta")
		if err != nil {
			return err
		}
		if err := db.Write(t.Context(), func(tx *sqlite.Tx) error { return setCreatedAt(tx, 7) }); err != nil {
			return err
		}
		second, err := sqlite.One(tx, sqlite.Int, "SELECT created_at FROM meta")
		if first != before || second != before {
			t.Errorf("read %d then %d, want %d twice", first, second, before)
		}
		return err
	})
	if err != nil {
		t.Fatal(err)
	}
}

func TestReadQuery(t *testing.T) {
	db := sqlitetest.Open(t)
	const query = "SELECT created_at FROM meta WHERE created_at > ?"
	for range 2 { // prepared, then remembered
		got, err := sqlite.ReadQuery(t.Context(), db, sqlite.Int, query, 0)
		if err != nil || len(got) != 1 || got[0] != createdAt(t, db) {
			t.Errorf("ReadQuery = %v, %v; want the row that a transaction reads", got, err)
		}
	}
	if got, err := sqlite.ReadQuery(t.Context(), db, sqlite.Int, query, int64(1)<<62); err != nil || got == nil || len(got) != 0 {
		t.Errorf("ReadQuery without rows = %v, %v; want an empty list", got, err)
	}
	if _, err := sqlite.ReadQuery(t.Context(), db, sqlite.Int, "UPDATE meta SET created_at = 1"); err == nil {
		t.Error("ReadQuery wrote")
	}
	if _, err := sqlite.ReadQuery(t.Context(), db, sqlite.Int, "SELECT nothing FROM nowhere"); err == nil {
		t.Error("ReadQuery accepted a query that cannot be")
	}
	ended, cancel := context.WithCancel(t.Context())
	cancel()
	if _, err := sqlite.ReadQuery(ended, db, sqlite.Int, query, 0); !errors.Is(err, context.Canceled) {
		t.Errorf("ReadQuery after the context's end = %v, want context.Canceled", err)
	}
}

func TestConcurrentWritersAllCommit(t *testing.T) {
	db := sqlitetest.Open(t)
	if err := db.Write(t.Context(), func(tx *sqlite.Tx) error { return setCreatedAt(tx, 0) }); err != nil {
		t.Fatal(err)
	}
	var wg sync.WaitGroup
	for range 8 {
		wg.Go(func() {
			for range 10 {
				err := db.Write(t.Context(), func(tx *sqlite.Tx) error {
					n, err := sqlite.One(tx, sqlite.Int, "SELECT created_at FROM meta")
					return errors.Join(err, setCreatedAt(tx, n+1))
				})
				if err != nil {
					t.Error(err)
				}
			}
		})
	}
	wg.Wait()
	if got := createdAt(t, db); got != 80 {
		t.Errorf("counted %d, want 80", got)
	}
}

func TestConstraintsAreToldApart(t *testing.T) {
	db := sqlitetest.Open(t)
	add := func(sql string) error {
		return db.Write(t.Context(), func(tx *sqlite.Tx) error { _, err := tx.Exec(sql); return err })
	}

	err := add("INSERT INTO meta (id, epoch, cursor_key, created_at) VALUES (1, 'x', randomblob(32), 0)")
	if !sqlite.IsUnique(err) {
		t.Errorf("IsUnique(%v) = false, want true", err)
	}
	err = add("INSERT INTO deck_revisions (deck_id, revision, op, title, columns, at, actor_kind, actor_id) VALUES ('x', 1, 'created', '', '[]', 0, 'system', '')")
	if !sqlite.IsForeignKey(err) {
		t.Errorf("IsForeignKey(%v) = false, want true", err)
	}
}

func TestWatchExternalSeesAnotherConnection(t *testing.T) {
	db := sqlitetest.Open(t)
	other := sqlitetest.OpenAt(t, db.Path())
	ctx, cancel := context.WithCancel(t.Context())
	seen := make(chan struct{}, 1)
	done := make(chan error, 1)
	go func() {
		done <- db.WatchExternal(ctx, time.Millisecond, func() {
			select {
			case seen <- struct{}{}:
			default:
			}
		})
	}()
	// The watcher's first look may come after the first write: go on until it
	// has seen one.
	for n := int64(1); ; n++ {
		if err := other.Write(t.Context(), func(tx *sqlite.Tx) error { return setCreatedAt(tx, n) }); err != nil {
			t.Fatal(err)
		}
		select {
		case <-seen:
			cancel()
			if err := <-done; !errors.Is(err, context.Canceled) {
				t.Errorf("WatchExternal = %v, want the context's error", err)
			}
			return
		default:
		}
	}
}

func TestWaitingForTheWriterEndsWithTheContext(t *testing.T) {
	db := sqlitetest.Open(t)
	inside, release := make(chan struct{}), make(chan struct{})
	done := make(chan error, 1)
	go func() {
		done <- db.Write(t.Context(), func(*sqlite.Tx) error { close(inside); <-release; return nil })
	}()
	<-inside
	ctx, cancel := context.WithCancel(t.Context())
	cancel()

	err := db.Write(ctx, func(*sqlite.Tx) error { return nil })

	if !errors.Is(err, context.Canceled) {
		t.Errorf("error = %v, want %v", err, context.Canceled)
	}
	close(release)
	if err := <-done; err != nil {
		t.Error(err)
	}
}
