package snstest

import (
	"context"
	"errors"
	"fmt"
	"net"
	"net/http"
	"sync"
	"time"
)

// Options describe a mock server. The zero value is a usable Mastodon with one
// account, @ann, and no posts.
type Options struct {
	// Domain is the server's name in handles and links; "" is mock.example.
	Domain string
	// Title is the server's own name; "" is the domain.
	Title string
	// IDs is how the server's ids look; the zero value is Snowflake.
	IDs IDStyle
	// Account is the main account, the one Token belongs to; a zero Acct is ann.
	Account Account
	// RateLimit is what the server allows; the zero value is Mastodon's own.
	RateLimit RateLimit
	// Quirks are differences to Mastodon, see GoToSocial for a common set.
	Quirks Quirks
	// LinkToSelf makes the addresses of posts and people pages of this mock
	// instead of https://Domain, so that a reader can follow them. Local
	// accounts are then sent with their host, as remote ones are.
	LinkToSelf bool
	// Now is the server's clock; nil is time.Now.
	Now func() time.Time
}

// Mastodon is a mock server. It is an http.Handler and safe for concurrent use.
type Mastodon struct {
	opts    Options
	now     func() time.Time
	handler http.Handler

	mu     sync.RWMutex // guards store, quirks and oauth
	store  store
	quirks Quirks
	oauth  oauthState
	token  string

	limits limiter
	faults faultList
	log    requestLog

	serveMu sync.Mutex // guards the listening server
	server  *http.Server
	done    chan struct{}
	origin  string
}

// NewMastodon makes a server that does not listen yet.
func NewMastodon(o Options) *Mastodon {
	if o.Domain == "" {
		o.Domain = "mock.example"
	}
	if o.Title == "" {
		o.Title = o.Domain
	}
	if o.Now == nil {
		o.Now = time.Now
	}
	if o.Account.Acct == "" {
		o.Account.Acct = "ann"
		o.Account.Name = "Ann Example"
	}
	m := &Mastodon{opts: o, now: o.Now, quirks: o.Quirks}
	m.store = newStore(o)
	m.limits = newLimiter(o.RateLimit, o.Now)
	m.handler = m.routes()
	m.store.addAccount(o.Account)
	m.token = m.IssueToken(o.Account.Acct)
	return m
}

// Token is a token of the main account with every scope that reading needs.
func (m *Mastodon) Token() string { return m.token }

// Now is the server's clock.
func (m *Mastodon) Now() time.Time { return m.now() }

// Domain is the server's name as handles show it.
func (m *Mastodon) Domain() string { return m.opts.Domain }

// SetQuirks changes the server's quirks while it runs.
func (m *Mastodon) SetQuirks(change func(*Quirks)) {
	m.mu.Lock()
	defer m.mu.Unlock()
	change(&m.quirks)
}

func (m *Mastodon) currentQuirks() Quirks {
	m.mu.RLock()
	defer m.mu.RUnlock()
	return m.quirks
}

// Start serves on the listener until Close. It returns the origin, such as
// http://127.0.0.1:4001. A server starts once.
func (m *Mastodon) Start(l net.Listener) (origin string, err error) {
	m.serveMu.Lock()
	defer m.serveMu.Unlock()
	if m.server != nil {
		return "", errors.New("the mock server has been started already")
	}
	m.origin = "http://" + l.Addr().String()
	m.server = &http.Server{Handler: m, ReadHeaderTimeout: 10 * time.Second}
	m.done = make(chan struct{})
	go func() {
		defer close(m.done)
		// Serve always returns an error; after Close it is ErrServerClosed.
		_ = m.server.Serve(l)
	}()
	return m.origin, nil
}

// StartLoopback serves on a free port of 127.0.0.1 until Close.
func (m *Mastodon) StartLoopback(ctx context.Context) (origin string, err error) {
	var lc net.ListenConfig
	l, err := lc.Listen(ctx, "tcp", "127.0.0.1:0")
	if err != nil {
		return "", fmt.Errorf("listen for the mock server: %w", err)
	}
	return m.Start(l)
}

// Origin is where the server listens, "" before Start.
func (m *Mastodon) Origin() string {
	m.serveMu.Lock()
	defer m.serveMu.Unlock()
	return m.origin
}

// Close ends the server and every connection to it, and waits for it. Closing a
// server that never started, or closing twice, does nothing.
func (m *Mastodon) Close() error {
	m.serveMu.Lock()
	defer m.serveMu.Unlock()
	if m.server == nil {
		return nil
	}
	err := m.server.Close()
	<-m.done
	return err
}

// TB is the part of testing.TB that Serve needs.
type TB interface {
	Helper()
	Cleanup(func())
	Context() context.Context
	Errorf(format string, args ...any)
	Fatalf(format string, args ...any)
}

// Serve starts the server for one test and returns its origin. When the test
// ends the server is closed and the test fails if a request broke a rule of
// Violations.
func Serve(tb TB, m *Mastodon) (origin string) {
	tb.Helper()
	origin, err := m.StartLoopback(tb.Context())
	if err != nil {
		tb.Fatalf("start the mock server: %v", err)
	}
	tb.Cleanup(func() {
		if err := m.Close(); err != nil {
			tb.Errorf("close the mock server: %v", err)
		}
		for _, v := range m.Violations() {
			tb.Errorf("the mock server refused a request: %s", v)
		}
	})
	return origin
}
