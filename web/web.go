// Package web is everything a browser sees: pages, their fragments, sign-in,
// static files and the health checks. It owns sessions and the password, and no
// rule of any other kind: it reads input, calls one service method and renders
// with web/view.
//
// Every page is a URL that answers with full HTML and works without script; a
// request that htmx made gets the fragment of the same thing. Pages are painted
// from the store at once: none waits for a social network, except the fragment
// of a column, which waits for a bounded time.
package web

import (
	"context"
	"log/slog"
	"net/http"
	"net/url"
	"time"

	"personal-workspace/activities"
	"personal-workspace/decks"
	"personal-workspace/internal/ingress"
	"personal-workspace/internal/ledger"
	"personal-workspace/internal/sqlite"
	"personal-workspace/sns"
	"personal-workspace/web/view"
)

// AuthMode says how a browser proves that it is the person's.
type AuthMode string

// The modes of authentication.
const (
	// AuthNone lets everyone in who can reach a listener; the wiring allows it
	// only where that is nobody else.
	AuthNone AuthMode = "none"
	// AuthPassword asks for the password that the set-up link has set.
	AuthPassword AuthMode = "password"
)

// Config has the parts of a Handler. Activities, Decks, Connections, Ledger, DB, Hosts and
// Auth are required.
type Config struct {
	Activities  *activities.Service
	Decks       *decks.Service
	Connections *sns.Service
	// Ledger wakes the streams of open pages.
	Ledger *ledger.Ledger
	// DB holds the sessions and the password.
	DB   *sqlite.DB
	Auth AuthMode
	// Origin is the public URL, with the base path; nil means the workspace is
	// used under the address it listens on.
	Origin *url.URL
	// Hosts is the allow-list of Host names.
	Hosts *ingress.Hosts
	// MCPURL is the address to show to the person for assistants.
	MCPURL string
	// Demo says that the workspace shows sample accounts and keeps nothing.
	Demo bool
	// DemoMedia has the handlers of the pictures and sounds of the demo's
	// servers by the server's host with its port; nil for none.
	DemoMedia map[string]http.Handler
	// Version of the program.
	Version string
	// Ready reports whether the workspace can serve, and in sentences what the
	// person should look at; nil means always ready, without warnings.
	Ready func(ctx context.Context) (warnings []string, err error)
	// RefreshWait bounds how long a column's fragment waits for its network;
	// 0 means 8 s.
	RefreshWait time.Duration
	// BodyTimeout is how long a client may take to send a form; 0 means
	// ingress.BodyTimeout.
	BodyTimeout time.Duration
	// Now is the clock; its location is the one pages show times in. nil means
	// time.Now.
	Now func() time.Time
	// NewID makes an id from a prefix; nil means ledger.NewID.
	NewID func(prefix string) string
	// Log receives what the person need not see; nil discards it.
	Log *slog.Logger
}

// defaultRefreshWait is the longest a column's fragment waits for its network
// before it shows what is stored and says that it is still loading.
const defaultRefreshWait = 8 * time.Second

// Handler serves every route but /mcp. It is safe for concurrent use.
type Handler struct {
	activities  *activities.Service
	decks       *decks.Service
	connections *sns.Service
	ledger      *ledger.Ledger
	streams     *streams
	feed        *feed
	epoch       string
	sessions    *sessions
	passwords   *passwords
	throttle    *throttle
	static      *static
	hosts       *ingress.Hosts
	site        view.Site
	origin      *url.URL
	local       localMedia
	ready       func(context.Context) ([]string, error)
	refreshWait time.Duration
	now         func() time.Time
	newID       func(string) string
	log         *slog.Logger

	mux     *http.ServeMux
	handler http.Handler
}

// New returns the handler. It starts nothing; CloseStreams ends what pages hold
// open.
func New(c Config) (*Handler, error) {
	c.setDefaults()
	files, err := loadStatic()
	if err != nil {
		return nil, err
	}
	if !files.built() {
		c.Log.Warn("the browser assets are missing; run 'make assets' and build again")
	}
	h := &Handler{
		activities: c.Activities, decks: c.Decks, connections: c.Connections, ledger: c.Ledger, static: files, hosts: c.Hosts,
		streams: newStreams(), feed: &feed{ledger: c.Ledger, decks: c.Decks}, epoch: newEpoch(),
		ready: c.Ready, refreshWait: c.RefreshWait, now: c.Now, newID: c.NewID, log: c.Log,
		site: newSite(c, files), origin: c.Origin,
	}
	h.local = localMedia{h.site, c.DemoMedia}
	st := store{db: c.DB}
	h.sessions = newSessions(st, c)
	h.passwords = newPasswords(st)
	h.throttle = newThrottle(c.Now)
	h.handler = ingress.LimitBody(h.protect(h.routes(), c.Origin), c.BodyTimeout)
	return h, nil
}

func (c *Config) setDefaults() {
	if c.Ready == nil {
		c.Ready = func(context.Context) ([]string, error) { return nil, nil }
	}
	if c.RefreshWait == 0 {
		c.RefreshWait = defaultRefreshWait
	}
	if c.BodyTimeout == 0 {
		c.BodyTimeout = ingress.BodyTimeout
	}
	if c.Now == nil {
		c.Now = time.Now
	}
	if c.NewID == nil {
		c.NewID = ledger.NewID
	}
	if c.Log == nil {
		c.Log = slog.New(slog.DiscardHandler)
	}
}

func newSite(c Config, files *static) view.Site {
	base := ""
	if c.Origin != nil {
		base = c.Origin.Path
	}
	return view.NewSite(view.SiteConfig{
		BasePath: base, Assets: files.urls(), MCPURL: c.MCPURL, Demo: c.Demo,
		Version: c.Version, CanLogOut: c.Auth == AuthPassword,
	})
}

// ServeHTTP answers a request. It serves paths with the base path and without,
// so that a reverse proxy may strip it or not.
func (h *Handler) ServeHTTP(w http.ResponseWriter, r *http.Request) {
	h.handler.ServeHTTP(w, r)
}
