package sns

import (
	"context"
	"log/slog"
	"time"

	"personal-workspace/internal/ledger"
	"personal-workspace/internal/secret"
	"personal-workspace/internal/sqlite"
)

// Config has the service's parts. DB and Ledger are required.
type Config struct {
	DB     *sqlite.DB
	Ledger *ledger.Ledger
	// Key opens the stored credentials; nil is enough for everything that
	// needs none.
	Key *secret.Key
	// Providers has one provider per network that can be read.
	Providers map[Network]Provider
	// Now is the clock; nil means time.Now.
	Now func() time.Time
	// NewID makes an id from a prefix such as "conn"; nil means ledger.NewID.
	NewID func(prefix string) string
	// Log receives warnings; nil discards them.
	Log *slog.Logger
	// MastodonOrigins are origins the operator configured: they are reached as
	// they are.
	MastodonOrigins []string
	// MastodonOnly closes every origin but MastodonOrigins and those named at
	// the host's shell.
	MastodonOnly bool
	// ToolTimeout is the longest a caller waits for an upstream; 0 means 20 s.
	ToolTimeout time.Duration
}

// Service is the one way to connections and posts. It is safe for concurrent
// use, also by several processes over one database.
type Service struct {
	db *sqlite.DB
}

// New returns a service. Its background work starts with Run.
func New(c Config) (*Service, error) {
	panic("not yet")
}

// Run owns the background work: refreshes that were asked for, fetches that
// outlived their caller, and the removal of old posts. It returns when ctx ends
// and everything is waited for; the service must not be used afterwards.
func (s *Service) Run(ctx context.Context) error {
	panic("not yet")
}

// Close ends all fetches and waits for them. Run calls it; a program that never
// calls Run calls Close.
func (s *Service) Close() {
	panic("not yet")
}

// CheckSecrets proves that key opens the stored credentials. A nil or another
// key over existing ones is a fault that names how to forget them.
func CheckSecrets(ctx context.Context, db *sqlite.DB, key *secret.Key) error {
	panic("not yet")
}

// HasSecrets reports whether any credential is stored: only without one may a
// new key be made.
func HasSecrets(ctx context.Context, db *sqlite.DB) (bool, error) {
	panic("not yet")
}
