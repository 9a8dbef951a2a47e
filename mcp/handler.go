package mcp

import (
	"context"
	"log/slog"
	"net/http"
	"time"

	sdk "github.com/modelcontextprotocol/go-sdk/mcp"

	"personal-workspace/activities"
	"personal-workspace/decks"
	"personal-workspace/internal/ingress"
	"personal-workspace/internal/ledger"
	"personal-workspace/sns"
)

// Path is where the handler belongs.
const Path = "/mcp"

// Config has the endpoint's parts. Activities, Connections, Decks, Runs and Hosts
// are required.
type Config struct {
	Activities  *activities.Service
	Connections *sns.Service
	Decks       *decks.Service
	// Runs receives one row of each tools/call.
	Runs *ledger.Runs
	// Hosts decides which Host names are answered.
	Hosts *ingress.Hosts
	// Research finds the server of a research turn; nil knows none.
	Research Registry
	// Version is what the server says of itself; "" means "dev".
	Version string
	// ConnectURL is the page where the person adds an account, for the hint of
	// list_connections; "" leaves it out.
	ConnectURL string
	// BodyTimeout is how long a client may take to send a request's body; 0
	// means ingress.BodyTimeout.
	BodyTimeout time.Duration
	// Log receives internal failures; nil discards them.
	Log *slog.Logger
	// NewID makes the id of a tool run from "run"; nil means ledger.NewID.
	NewID func(prefix string) string
	// Now is the clock; nil means time.Now.
	Now func() time.Time
}

// Registry is the front door of research turns: it knows the servers that
// /mcp?research=<id> reaches.
type Registry interface {
	// Find returns the server registered under id, nil when there is none or it
	// has ended. It is called more than once for a request.
	Find(id string) *sdk.Server
}

// noRegistrations is the registry as long as there is no research.
type noRegistrations struct{}

func (noRegistrations) Find(string) *sdk.Server { return nil }

// Handler answers /mcp. It is safe for concurrent use.
type Handler struct {
	*backend
	hosts     *ingress.Hosts
	research  Registry
	workspace *sdk.Server
	chain     http.Handler
	// strangers bounds the records of refused calls.
	strangers *minuteLimit
	// streams ends when Close is called, and with it every open listen stream.
	streams context.Context
	stop    context.CancelFunc
}

// New builds the endpoint with the workspace's catalogue of tools. The error is
// a mistake in a tool's definition, never the configuration's.
func New(c Config) (*Handler, error) {
	if c.Log == nil {
		c.Log = slog.New(slog.DiscardHandler)
	}
	if c.NewID == nil {
		c.NewID = ledger.NewID
	}
	if c.Now == nil {
		c.Now = time.Now
	}
	if c.Research == nil {
		c.Research = noRegistrations{}
	}
	if c.BodyTimeout == 0 {
		c.BodyTimeout = ingress.BodyTimeout
	}
	if c.Version == "" {
		c.Version = "dev"
	}
	tools, err := catalogue(c)
	if err != nil {
		return nil, err
	}
	h := &Handler{
		backend:   &backend{runs: c.Runs, version: c.Version, log: c.Log, newID: c.NewID},
		hosts:     c.Hosts,
		research:  c.Research,
		strangers: &minuteLimit{now: c.Now, most: maxStrangers},
	}
	h.streams, h.stop = context.WithCancel(context.Background())
	h.workspace = h.server(tools, nil)
	h.chain = ingress.LimitBody(h.wrap(), c.BodyTimeout)
	return h, nil
}

// ServeHTTP answers one request.
func (h *Handler) ServeHTTP(w http.ResponseWriter, r *http.Request) { h.chain.ServeHTTP(w, r) }

// Close ends the open listen streams, so that http.Server.Shutdown need not
// wait for their clients. Tool calls in progress are left to finish.
func (h *Handler) Close() { h.stop() }

// NotFound is the answer under /.well-known/: this server has no OAuth metadata.
// It must be exactly 404 and come before any session check, because anything
// else, a redirect to a login page above all, makes clients start OAuth.
func NotFound(w http.ResponseWriter, _ *http.Request) {
	http.Error(w, "not found", http.StatusNotFound)
}
