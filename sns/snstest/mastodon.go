package snstest

import (
	"context"
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

	host host
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
func (m *Mastodon) Start(l net.Listener) (origin string, err error) { return m.host.start(l, m) }

// StartLoopback serves on a free port of 127.0.0.1 until Close.
func (m *Mastodon) StartLoopback(ctx context.Context) (origin string, err error) {
	return m.host.startLoopback(ctx, m)
}

// Origin is where the server listens, "" before Start.
func (m *Mastodon) Origin() string { return m.host.where() }

// Close ends the server and every connection to it, and waits for it. Closing a
// server that never started, or closing twice, does nothing.
func (m *Mastodon) Close() error { return m.host.close() }
