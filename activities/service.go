package activities

import (
	"context"
	"log/slog"
	"sync/atomic"
	"time"

	"personal-workspace/internal/ledger"
	"personal-workspace/internal/sqlite"
	"personal-workspace/sns"
)

// Connections is what activities need of the sns package.
type Connections interface {
	// ListConnections returns all connections.
	ListConnections(ctx context.Context) ([]sns.Connection, error)
	// GetPost returns one post, as it is stored or as its network has it.
	GetPost(ctx context.Context, connectionID, postID string) (sns.Post, error)
}

// Config has the parts of a Service. DB, Ledger and Connections are required.
type Config struct {
	DB          *sqlite.DB
	Ledger      *ledger.Ledger
	Connections Connections
	// Now is the clock; nil means time.Now.
	Now func() time.Time
	// NewID makes an id from a prefix; nil means ledger.NewID.
	NewID func(prefix string) string
	// Log receives what an operator should know; nil discards it.
	Log *slog.Logger
}

// Service is the one way to read and change activities. It is safe for
// concurrent use.
type Service struct {
	db          *sqlite.DB
	ledger      *ledger.Ledger
	connections Connections
	clock       func() time.Time
	newID       func(string) string
	log         *slog.Logger
	summary     atomic.Pointer[summary]
	// erased: a text was erased that the database's log may still have.
	erased atomic.Bool
}

// New returns the service. Nothing wakes before Run.
func New(c Config) *Service {
	s := &Service{db: c.DB, ledger: c.Ledger, connections: c.Connections, clock: c.Now, newID: c.NewID, log: c.Log}
	if s.clock == nil {
		s.clock = time.Now
	}
	if s.newID == nil {
		s.newID = ledger.NewID
	}
	if s.log == nil {
		s.log = slog.New(slog.DiscardHandler)
	}
	s.erased.Store(true) // the process may have ended before the log was emptied
	return s
}

// now is the time as the database keeps it.
func (s *Service) now() time.Time { return s.clock().UTC().Truncate(time.Millisecond) }
