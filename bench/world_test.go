package bench_test

import (
	"context"
	"errors"
	"net"
	"net/http/httptest"
	"sync"
	"testing"
	"time"

	"personal-workspace/decks"
	"personal-workspace/internal/app"
	"personal-workspace/internal/app/config"
	"personal-workspace/internal/ledger"
	"personal-workspace/sns"
)

// world is a whole workspace in this process, for preparing a data directory
// and for what needs a clock that the benchmark moves.
type world struct {
	dir   string
	app   *app.App
	url   string
	clock *clock

	closing sync.Once
	closed  func() error
}

// clock starts at the present and moves on only when told.
type clock struct {
	mu  sync.Mutex
	now time.Time
}

func (c *clock) Now() time.Time {
	c.mu.Lock()
	defer c.mu.Unlock()
	return c.now
}

func (c *clock) advance(d time.Duration) {
	c.mu.Lock()
	defer c.mu.Unlock()
	c.now = c.now.Add(d)
}

func newWorld(tb testing.TB) *world {
	tb.Helper()
	w := &world{dir: tb.TempDir(), clock: &clock{now: time.Now().UTC().Truncate(time.Second)}}
	srv := httptest.NewUnstartedServer(nil)
	a, err := app.New(tb.Context(), app.Config{
		DataDir: w.dir, Auth: config.AuthNone, Version: "bench", Now: w.clock.Now,
		Listen: []net.Addr{srv.Listener.Addr()},
	})
	if err != nil {
		tb.Fatalf("New: %v", err)
	}
	w.app = a
	srv.Config.Handler = a.Handler
	srv.Start()
	w.url = srv.URL
	ctx, cancel := context.WithCancel(context.WithoutCancel(tb.Context()))
	ran := make(chan error, 1)
	go func() { ran <- a.Run(ctx) }()
	w.closed = func() error {
		srv.Close()
		cancel()
		return errors.Join(<-ran, a.Close())
	}
	tb.Cleanup(func() { w.close(tb) })
	return w
}

// close ends the workspace, so that the program can open its data directory.
func (w *world) close(tb testing.TB) {
	tb.Helper()
	w.closing.Do(func() {
		if err := w.closed(); err != nil {
			tb.Errorf("close the workspace: %v", err)
		}
	})
}

func (w *world) createDeck(tb testing.TB, in decks.CreateDeck) decks.Deck {
	tb.Helper()
	d, err := w.app.Decks.CreateDeck(asPerson(tb.Context()), in)
	if err != nil {
		tb.Fatalf("CreateDeck: %v", err)
	}
	return d
}

// connect registers an account of a mock server.
func (w *world) connect(tb testing.TB, origin, token string) sns.Connection {
	tb.Helper()
	c, err := w.app.Store.Posts.AddMastodon(asPerson(tb.Context()), sns.AddMastodon{Origin: origin, Token: token, Operator: true})
	if err != nil {
		tb.Fatalf("AddMastodon: %v", err)
	}
	return c
}

// refresh reads the newest page of every column once.
func (w *world) refresh(tb testing.TB, d decks.Deck) {
	tb.Helper()
	for _, c := range d.Columns {
		if err := w.app.Store.Posts.Refresh(tb.Context(), c.ConnectionID, c.Source); err != nil {
			tb.Fatalf("Refresh %s: %v", c.ID, err)
		}
	}
}

func asPerson(ctx context.Context) context.Context {
	return ledger.WithActor(ctx, ledger.Actor{Kind: ledger.Person, ID: "bench"})
}
