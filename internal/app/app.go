// Package app wires the workspace: it turns a configuration into one handler
// for all routes and one Run for everything that works in the background. The
// command line and the tests of whole pages use it; it holds no rule of its own
// but those of the data directory: whose it is, who may open it, and which key
// belongs to it.
package app

import (
	"context"
	"errors"
	"fmt"
	"log/slog"
	"net"
	"net/http"
	"net/url"
	"strconv"
	"strings"
	"sync"
	"time"

	"personal-workspace/activities"
	"personal-workspace/decks"
	"personal-workspace/internal/app/config"
	"personal-workspace/internal/fault"
	"personal-workspace/internal/ingress"
	"personal-workspace/internal/ledger"
	"personal-workspace/internal/sqlite"
	"personal-workspace/mcp"
	"personal-workspace/sns"
	"personal-workspace/web"
)

// Config has the settings and the parts of an App. DataDir is required.
type Config struct {
	// DataDir is the directory of the database; it is made when missing.
	DataDir string
	// KeyFile is the credential key; "" means credential-key in DataDir.
	KeyFile string
	// Listen are the addresses that requests will come in at: they tell which
	// Host names are the workspace's own, and how it is reached when Origin is
	// nil.
	Listen []net.Addr
	// Origin is the public address with the base path; nil means none.
	Origin *url.URL
	// Hosts are further Host names to answer to.
	Hosts []string
	// Proxies may name the visitor.
	Proxies ingress.Proxies
	// Auth says who may see the pages; "" means config.AuthPassword.
	Auth config.Auth
	// AuthNonePrivate lets config.AuthNone serve private addresses.
	AuthNonePrivate bool
	// MastodonOrigins are reached as they are; MastodonOnly closes all others.
	MastodonOrigins []string
	MastodonOnly    bool
	// TwitterRelays are the relays to X; TwitterCatalog is the file that overrides
	// the operations they are asked for, "" for none.
	TwitterRelays  []string
	TwitterCatalog string
	// Demo marks every page as sample data that is thrown away.
	Demo bool
	// DemoMedia are the pictures and sounds of the demo's servers, see
	// web.Config.
	DemoMedia map[string]http.Handler
	// Version of the program.
	Version string
	// Lock is the serve lock, when it is taken already; Close releases it.
	Lock *Lock
	// Now is the clock; nil means time.Now.
	Now func() time.Time
	// NewID makes an id from a prefix; nil means ledger.NewID.
	NewID func(prefix string) string
	// Log receives what an operator should know; nil discards it.
	Log *slog.Logger
}

func (c *Config) setDefaults() {
	if c.Auth == "" {
		c.Auth = config.AuthPassword
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

func (c Config) ledgerConfig(db *sqlite.DB) ledger.Config {
	return ledger.Config{DB: db, Now: c.Now, NewID: c.NewID}
}

// App is a wired workspace. Nothing works in the background before Run.
type App struct {
	// Handler serves every route.
	Handler http.Handler
	// Store is what the front ends stand on.
	Store *Store
	// Decks are the saved decks.
	Decks *decks.Service
	// Activities are what is proposed and decided.
	Activities *activities.Service

	config Config
	runs   *ledger.Runs
	web    *web.Handler
	mcp    *mcp.Handler
	lock   *Lock
	close  func() error
}

// New opens the store and wires the front ends over it. It takes the serve lock
// of the data directory, unless c.Lock is it. Close what it returns.
func New(ctx context.Context, c Config) (_ *App, err error) {
	c.setDefaults()
	a := &App{config: c, lock: c.Lock}
	a.close = sync.OnceValue(a.closeAll)
	defer func() {
		if err != nil {
			err = errors.Join(err, a.Close())
		}
	}()
	if err := c.checkAccess(); err != nil {
		return nil, err
	}
	if a.lock == nil {
		if a.lock, err = LockServe(c.DataDir); err != nil {
			return nil, err
		}
	}
	c.Lock = a.lock
	if a.Store, err = openStore(ctx, c, true); err != nil {
		return nil, err
	}
	a.runs = ledger.NewRuns(c.ledgerConfig(a.Store.DB), c.Log)
	a.Decks = decks.New(decks.Config{DB: a.Store.DB, Ledger: a.Store.Ledger, Posts: a.Store.Posts, Now: c.Now, NewID: c.NewID})
	a.Activities = activities.New(activities.Config{DB: a.Store.DB, Ledger: a.Store.Ledger, Connections: a.Store.Posts, Now: c.Now, NewID: c.NewID, Log: c.Log})
	return a, a.wire()
}

// wire builds the front ends and the routes.
func (a *App) wire() error {
	c := a.config
	hosts, err := ingress.NewHosts(c.Listen, c.Origin, c.Hosts)
	if err != nil {
		return err
	}
	a.mcp, err = mcp.New(mcp.Config{
		Activities: a.Activities, Connections: a.Store.Posts, Decks: a.Decks, Runs: a.runs, Hosts: hosts,
		ConnectURL: a.BaseURL() + "/connections/new", Version: c.Version, NewID: c.NewID, Log: c.Log,
	})
	if err != nil {
		return err
	}
	a.web, err = web.New(web.Config{
		Activities: a.Activities, Decks: a.Decks, Connections: a.Store.Posts, Ledger: a.Store.Ledger, DB: a.Store.DB, Auth: web.AuthMode(c.Auth), Origin: c.Origin,
		Hosts: hosts, MCPURL: a.BaseURL() + "/mcp", Demo: c.Demo, DemoMedia: c.DemoMedia, Version: c.Version,
		Ready: a.readiness,
		Now:   c.Now, NewID: c.NewID, Log: c.Log,
	})
	if err != nil {
		return err
	}
	a.Handler = c.Proxies.Wrap(a.routes(hosts))
	return nil
}

// BaseURL is how the workspace is reached, without a trailing slash: the public
// address, else the first TCP address listened on. Of one that stands for all
// addresses only the port is known; then the first configured name goes with it.
func (a *App) BaseURL() string {
	c := a.config
	if c.Origin != nil {
		return c.Origin.String()
	}
	for _, l := range c.Listen {
		tcp, ok := l.(*net.TCPAddr)
		if !ok {
			continue
		}
		if tcp.IP.IsUnspecified() && len(c.Hosts) > 0 {
			return namedURL(c.Hosts[0], tcp.Port)
		}
		return LocalURL(tcp)
	}
	return "http://localhost"
}

// namedURL is the address of a configured name, with its own port if it has one.
func namedURL(name string, port int) string {
	host, own, ok := ingress.ParseHost(name)
	if !ok || own != "" {
		return "http://" + name
	}
	return "http://" + host + ":" + strconv.Itoa(port)
}

// LocalURL is the address of a listener as a browser on this machine opens it.
func LocalURL(a *net.TCPAddr) string {
	c := *a
	if c.IP.IsUnspecified() {
		c.IP = net.IPv4(127, 0, 0, 1)
	}
	return "http://" + c.String()
}

// routes joins the front ends. Like the pages, /mcp answers under the base path
// and without it: a reverse proxy may strip the path, a client on this machine
// need not know it. It is no ServeMux, because that redirects unclean paths
// before a front end has looked at the Host.
func (a *App) routes(hosts *ingress.Hosts) http.Handler {
	return http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		path := r.URL.Path
		if inner, ok := strings.CutPrefix(path, a.basePath()+"/"); ok {
			path = "/" + inner
		}
		switch {
		case path == mcp.Path:
			a.mcp.ServeHTTP(w, r)
		case !strings.HasPrefix(path, "/.well-known/"):
			a.web.ServeHTTP(w, r)
		case !hosts.Allows(r):
			http.Error(w, hosts.Explain(r.Host), http.StatusMisdirectedRequest)
		default:
			// Nothing is published there, and a client must not be sent to a
			// login page instead: it would take that for an OAuth server.
			mcp.NotFound(w, r)
		}
	})
}

// SetupURL returns the one-time link at which the person sets the password, and
// "" when one is set or none is needed. Each call makes the earlier link void.
func (a *App) SetupURL(ctx context.Context) (string, error) {
	if a.config.Auth != config.AuthPassword {
		return "", nil
	}
	path, err := a.web.SetupLink(ctx)
	if err != nil || path == "" {
		return "", err
	}
	return strings.TrimSuffix(a.BaseURL(), a.basePath()) + path, nil
}

func (a *App) basePath() string {
	if a.config.Origin == nil {
		return ""
	}
	return a.config.Origin.Path
}

// readyTimeout bounds the proof that the database works.
const readyTimeout = time.Second

// Ready proves that the workspace can serve: the database can be read and
// written.
func (a *App) Ready(ctx context.Context) error {
	ctx, cancel := context.WithTimeout(ctx, readyTimeout)
	defer cancel()
	return a.Store.DB.Ping(ctx)
}

// readiness is Ready with what the person should look at, in sentences: accounts
// that cannot be read at the moment, and settings that are of no use. It also
// looks whether the database file is in its place. Ready does not, because it
// feeds the watchdog: a restart would begin with an empty database.
func (a *App) readiness(ctx context.Context) (warnings []string, err error) {
	if err := a.Store.checkInPlace(); err != nil {
		return nil, err
	}
	if err := a.Ready(ctx); err != nil {
		return nil, err
	}
	warnings = a.Store.Posts.Warnings()
	list, err := a.Store.Posts.ConnectionStatuses(ctx)
	for _, c := range list {
		if w := warningOf(c); w != "" {
			warnings = append(warnings, w)
		}
	}
	return warnings, err
}

// warningOf says what is wrong with an account, "" for nothing that a person can
// mend: that its server limits requests ends by itself.
func warningOf(c sns.ConnectionStatus) string {
	f := c.Trouble()
	switch {
	case c.State == sns.ReauthRequired && c.Network == sns.Twitter:
		return fmt.Sprintf("The account %s on X is not read; the page Connections says what to do in the relay’s browser.", c.Account)
	case c.State == sns.ReauthRequired:
		return fmt.Sprintf("The account %s has to sign in again; do that on the page Connections.", c.Account)
	case c.State == sns.Failed:
		return fmt.Sprintf("The account %s does not work; the page Connections has the reason.", c.Account)
	case f == nil, f.Code == fault.RateLimited, f.Code == fault.BudgetExhausted:
		return ""
	case f.Code == fault.UpstreamUnavailable, f.Code == fault.Timeout:
		return fmt.Sprintf("The server of %s gives no posts at the moment; the page Connections has the reason.", c.Account)
	}
	return fmt.Sprintf("The account %s does not work; the page Connections has the reason.", c.Account)
}

const (
	// watchInterval is how soon a change by another process shows.
	watchInterval = time.Second
	pruneInterval = 24 * time.Hour
)

// Run does the work in the background until ctx ends, then stops it in order:
// the record of tool calls is written last. A normal stop is nil.
func (a *App) Run(ctx context.Context) error {
	return runOwners(ctx, []owner{
		{"the record of tool calls", a.runs.Run},
		{"connections and posts", a.Store.Posts.Run},
		{"the clock of activities", a.Activities.Run},
		{"the watch on other processes", func(ctx context.Context) error {
			return a.Store.DB.WatchExternal(ctx, watchInterval, a.Store.Ledger.Wake)
		}},
		{"the removal of old records", func(ctx context.Context) error {
			return every(ctx, pruneInterval, a.prune)
		}},
	})
}

func (a *App) prune(ctx context.Context) {
	if err := a.Store.Ledger.Prune(ctx); err != nil && ctx.Err() == nil {
		a.config.Log.ErrorContext(ctx, "old records were not removed", "err", err)
	}
}

// CloseStreams ends the streams that clients hold open, so that a server can
// shut down without waiting for them.
func (a *App) CloseStreams() {
	if a.mcp != nil {
		a.mcp.Close()
	}
	if a.web != nil {
		a.web.CloseStreams()
	}
}

// closeGrace bounds how long the store may take to close. Together with stopGrace
// and the time that requests get, the whole stop takes ten seconds at most.
const closeGrace = time.Second

// Close closes everything New opened. Run must have returned. When the store
// does not close within a second, as when another process holds the database's
// lock, it is left to the end of the process with a warning: all that was
// committed is safe. It may be called more than once.
func (a *App) Close() error {
	a.CloseStreams()
	return a.close()
}

func (a *App) closeAll() error {
	if a.Store == nil {
		a.lock.Release()
		return nil
	}
	closed := make(chan error, 1)
	go func() { closed <- a.Store.Close() }()
	late := time.NewTimer(closeGrace)
	defer late.Stop()
	select {
	case err := <-closed:
		a.lock.Release()
		return err
	case <-late.C:
		// The serve lock stays too: the data directory is still in use.
		a.config.Log.Warn("the database did not close in time; what was committed is safe")
		return nil
	}
}
