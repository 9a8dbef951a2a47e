package app

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"time"

	"personal-workspace/internal/fault"
	"personal-workspace/internal/ledger"
	"personal-workspace/internal/secret"
	"personal-workspace/internal/sqlite"
	"personal-workspace/sns"
	"personal-workspace/sns/mastodon"
	"personal-workspace/sns/twitter"
	"personal-workspace/web"
)

// Store is an open workspace without its front ends: what a command needs
// beside a running server, and what the server is built on.
type Store struct {
	DB     *sqlite.DB
	Ledger *ledger.Ledger
	// Posts are the connections and what they read.
	Posts *sns.Service

	// file is the database file as it was opened.
	file fs.FileInfo
	now  func() time.Time
	lock *Lock
}

// OpenStore opens the data directory: it makes the directory, the database and
// the credential key when they are missing, migrates an older schema and checks
// that the key opens the stored credentials. It works before the first start and
// beside a running server, which must have the same schema: it is not migrated
// under a server.
func OpenStore(ctx context.Context, c Config) (*Store, error) {
	c.setDefaults()
	return openStore(ctx, c, true)
}

// OpenKeyless opens the data directory without looking at the credential key:
// for what must work when the key is lost.
func OpenKeyless(ctx context.Context, c Config) (*Store, error) {
	c.setDefaults()
	return openStore(ctx, c, false)
}

func openStore(ctx context.Context, c Config, withKey bool) (_ *Store, err error) {
	if err := ensureDataDir(c.DataDir); err != nil {
		return nil, err
	}
	s := &Store{now: c.Now}
	defer func() {
		if err != nil {
			err = errors.Join(err, s.Close())
		}
	}()
	if s.lock, err = lockStore(c.DataDir); err != nil {
		return nil, err
	}
	s.DB, err = sqlite.Open(ctx, sqlite.Config{
		Path: c.databasePath(), BackupDir: c.backupDir(), BeforeMigration: c.mayMigrate, Now: c.Now, Log: c.Log,
	})
	if err != nil {
		return nil, err
	}
	if s.file, err = os.Stat(s.DB.Path()); err != nil {
		return nil, fmt.Errorf("look at the database file: %w", err)
	}
	s.Ledger = ledger.New(c.ledgerConfig(s.DB))
	var key *secret.Key
	if withKey {
		if key, err = openKey(ctx, s.DB, c); err != nil {
			return nil, err
		}
	}
	s.Posts, err = sns.New(ctx, sns.Config{
		DB: s.DB, Ledger: s.Ledger, Key: key, Providers: providers(c), Now: c.Now, NewID: c.NewID, Log: c.Log,
		MastodonOrigins: c.MastodonOrigins, MastodonOnly: c.MastodonOnly, TwitterRelays: c.TwitterRelays,
	})
	return s, err
}

// mayMigrate refuses a newer schema to a command beside a server: that one is of
// an older version and would go on writing to tables that it does not know.
func (c Config) mayMigrate() error {
	if c.Lock != nil {
		return nil // this is the server
	}
	_, running, err := Serving(c.DataDir)
	if err != nil || !running {
		return err
	}
	return fault.New(fault.Forbidden, "An older version of the workspace%s serves the data directory %s; restart it with this version, then run the command again.",
		holder(c.DataDir, serveLockName), c.DataDir)
}

func providers(c Config) map[sns.Network]sns.Provider {
	agent := "personal-workspace/" + cmp.Or(c.Version, "dev")
	x := twitter.Config{Now: c.Now, Catalogue: c.TwitterCatalog, UserAgent: agent, Log: c.Log}
	list := map[sns.Network]sns.Provider{sns.Mastodon: mastodon.New(mastodon.Config{Now: c.Now, UserAgent: agent})}
	if !c.Demo {
		x.Turns = c.DataDir
		list[sns.Twitter] = twitter.New(x)
		return list
	}
	// The demo's relay is a part of this process: no account is locked for being
	// read fast.
	x.Wait = func(ctx context.Context, _ time.Duration) error { return ctx.Err() }
	list[sns.Twitter] = demoX{twitter.New(x)}
	return list
}

// checkInPlace tells when the path of the database is no longer the file that
// was opened: it was removed, moved or replaced, and what is written now is lost
// to the next start.
func (s *Store) checkInPlace() error {
	now, err := os.Stat(s.DB.Path())
	switch {
	case err != nil:
		return fmt.Errorf("the database file was removed or moved while it is in use; put it back, or stop the server and restore a backup: %w", err)
	case !os.SameFile(s.file, now):
		return errors.New("the database file was replaced while it is in use; stop the server and start it again")
	}
	return nil
}

// ResetPassword removes the password, ends every session and returns the path of
// a new set-up link, without the base path. A running server takes it at once.
func (s *Store) ResetPassword(ctx context.Context) (path string, err error) {
	return web.ResetPassword(ctx, s.DB, s.now())
}

// Close waits for what is under way and closes everything. It may be called
// more than once.
func (s *Store) Close() error {
	if s.Posts != nil {
		s.Posts.Close()
	}
	var err error
	if s.DB != nil {
		err = s.DB.Close()
		s.DB = nil
	}
	s.lock.Release()
	return err
}

// Restore replaces the database of the data directory by the backup file and
// returns where the replaced one is kept, "" when there was none. It is refused
// while a server or another command has the data directory.
func Restore(ctx context.Context, c Config, backup string) (kept string, err error) {
	c.setDefaults()
	if err := ensureDataDir(c.DataDir); err != nil {
		return "", err
	}
	lock, err := lockRestore(c.DataDir)
	if err != nil {
		return "", err
	}
	defer lock.Release()
	if _, err := os.Stat(backup); err != nil {
		return "", fault.Invalid("file", "The backup %s cannot be read: %s.", backup, fault.FileReason(err)).Wrap(err)
	}
	if err := os.MkdirAll(c.backupDir(), 0o700); err != nil {
		return "", fmt.Errorf("make the folder for backups: %w", err)
	}
	return sqlite.Restore(ctx, backup, c.databasePath(), c.replacedName())
}
