package mcp_test

import (
	"bytes"
	"context"
	"encoding/json"
	"fmt"
	"io"
	"log/slog"
	"net/http"
	"net/http/httptest"
	"path/filepath"
	"strings"
	"sync"
	"sync/atomic"
	"testing"
	"time"

	"personal-workspace/activities"
	"personal-workspace/decks"
	"personal-workspace/internal/ingress"
	"personal-workspace/internal/ledger"
	"personal-workspace/internal/secret"
	"personal-workspace/internal/sqlite"
	"personal-workspace/internal/sqlite/sqlitetest"
	"personal-workspace/mcp"
	"personal-workspace/sns"
)

// world is the endpoint with real services over a database of its own. Its
// clock stands still and its ids count.
type world struct {
	db         *sqlite.DB
	ledger     *ledger.Ledger
	activities *activities.Service
	decks      *decks.Service
	posts      *sns.Service
	net        *network
	runs       *ledger.Runs
	handler    *mcp.Handler
	log        *logBuffer
	config     mcp.Config
}

var start = time.Date(2026, 11, 30, 12, 0, 0, 0, time.UTC)

func newWorld(tb testing.TB, change ...func(*sns.Config, *mcp.Config)) *world {
	tb.Helper()
	w := &world{db: sqlitetest.Open(tb), log: &logBuffer{}}
	now := func() time.Time { return start }
	newID := countingIDs()
	l := ledger.New(ledger.Config{DB: w.db, Now: now, NewID: newID})
	w.ledger = l
	w.runs = ledger.NewRuns(ledger.Config{DB: w.db, Now: now, NewID: newID}, nil)
	key, err := secret.CreateKey(filepath.Join(tb.TempDir(), "credential-key"))
	if err != nil {
		tb.Fatal(err)
	}
	w.net = &network{}
	posts := sns.Config{
		DB: w.db, Ledger: l, Key: key, Now: now, NewID: newID,
		Providers: map[sns.Network]sns.Provider{sns.Mastodon: w.net},
	}
	w.config = mcp.Config{
		Runs: w.runs, Version: "1.2.3", ConnectURL: "http://127.0.0.1:3000/settings",
		Log: slog.New(slog.NewTextHandler(w.log, nil)), NewID: newID,
	}
	for _, f := range change {
		f(&posts, &w.config)
	}
	if w.posts, err = sns.New(tb.Context(), posts); err != nil {
		tb.Fatal(err)
	}
	tb.Cleanup(w.posts.Close)
	w.decks = decks.New(decks.Config{DB: w.db, Ledger: l, Posts: w.posts, Now: now, NewID: newID})
	if w.config.Hosts, err = ingress.NewHosts(nil, nil, nil); err != nil {
		tb.Fatal(err)
	}
	w.activities = activities.New(activities.Config{DB: w.db, Ledger: l, Connections: w.posts, Now: now, NewID: newID})
	w.config.Activities = w.activities
	w.config.Connections, w.config.Decks = w.posts, w.decks
	if w.handler, err = mcp.New(w.config); err != nil {
		tb.Fatal(err)
	}
	tb.Cleanup(w.handler.Close)
	return w
}

func countingIDs() func(string) string {
	var n atomic.Int64
	return func(prefix string) string { return fmt.Sprintf("%s_%d", prefix, n.Add(1)) }
}

// connect adds an account of the fake network.
func (w *world) connect(tb testing.TB, user string) sns.Connection {
	tb.Helper()
	c, err := w.posts.AddMastodon(tb.Context(), sns.AddMastodon{Origin: "https://social.example", Token: "token-" + user, Label: "My " + user})
	if err != nil {
		tb.Fatal(err)
	}
	return c
}

// deck makes a deck without columns.
func (w *world) deck(tb testing.TB, title string) decks.Deck {
	tb.Helper()
	d, err := w.decks.CreateDeck(tb.Context(), decks.CreateDeck{Title: title})
	if err != nil {
		tb.Fatal(err)
	}
	return d
}

// serve starts a real HTTP server on loopback and returns its address.
func (w *world) serve(tb testing.TB) string {
	tb.Helper()
	srv := httptest.NewServer(w.routes())
	tb.Cleanup(srv.Close)
	tb.Cleanup(w.handler.Close)
	return srv.URL
}

// routes are the addresses of the endpoint.
func (w *world) routes() http.Handler {
	mux := http.NewServeMux()
	mux.Handle(mcp.Path, w.handler)
	mux.HandleFunc("/.well-known/", mcp.NotFound)
	return mux
}

// toolRuns returns the recorded calls, oldest first.
func (w *world) toolRuns(tb testing.TB) []ledger.ToolRun {
	tb.Helper()
	ctx := context.WithoutCancel(tb.Context())
	if err := w.runs.Flush(ctx); err != nil {
		tb.Fatal(err)
	}
	list, err := w.runs.List(ctx, 100)
	if err != nil {
		tb.Fatal(err)
	}
	return list
}

// logBuffer keeps what was logged.
type logBuffer struct {
	mu   sync.Mutex
	text strings.Builder
}

func (l *logBuffer) Write(b []byte) (int, error) {
	l.mu.Lock()
	defer l.mu.Unlock()
	return l.text.Write(b)
}

func (l *logBuffer) String() string {
	l.mu.Lock()
	defer l.mu.Unlock()
	return l.text.String()
}

// headersOf are the headers of a request of the newer protocol.
func headersOf(method, name string) map[string]string {
	h := map[string]string{
		"Content-Type": "application/json", "Accept": "application/json, text/event-stream",
		"MCP-Protocol-Version": "2026-07-28", "Mcp-Method": method,
	}
	if name != "" {
		h["Mcp-Name"] = name
	}
	return h
}

// post sends one request to the handler and returns the whole answer.
func post(tb testing.TB, h http.Handler, target string, headers map[string]string, body string) *http.Response {
	tb.Helper()
	req := httptest.NewRequestWithContext(tb.Context(), http.MethodPost, target, strings.NewReader(body))
	req.Host = "localhost"
	for name, value := range headers {
		req.Header.Set(name, value)
	}
	if host, ok := headers["Host"]; ok {
		req.Host = host
	}
	rec := httptest.NewRecorder()
	h.ServeHTTP(rec, req)
	return rec.Result()
}

func bodyOf(tb testing.TB, res *http.Response) []byte {
	tb.Helper()
	defer res.Body.Close()
	b, err := io.ReadAll(res.Body)
	if err != nil {
		tb.Fatal(err)
	}
	return b
}

const meta = `"_meta":{"io.modelcontextprotocol/protocolVersion":"2026-07-28","io.modelcontextprotocol/clientCapabilities":{},` +
	`"io.modelcontextprotocol/clientInfo":{"name":"tester","version":"9"}}`

// result is a tool's answer as clients decode it.
type result struct {
	IsError    bool            `json:"isError"`
	Structured json.RawMessage `json:"structuredContent"`
	Content    []struct {
		Type, Text string
	} `json:"content"`
}

// fault returns the fault of a failed call.
func (r result) fault(tb testing.TB) toolFault {
	tb.Helper()
	var f struct{ Error toolFault }
	if !r.IsError || len(r.Content) != 1 {
		tb.Fatalf("the call did not fail: %s", r.Structured)
	}
	if err := json.Unmarshal([]byte(r.Content[0].Text), &f); err != nil {
		tb.Fatal(err)
	}
	return f.Error
}

type toolFault struct {
	Code, Message string
	Retryable     bool
	Details       map[string]any
}

// call makes one tools/call of the newer protocol.
func (w *world) call(tb testing.TB, tool, arguments string) result {
	tb.Helper()
	res := post(tb, w.handler, "/mcp", headersOf("tools/call", tool),
		`{"jsonrpc":"2.0","id":1,"method":"tools/call","params":{"name":"`+tool+`","arguments":`+arguments+`,`+meta+`}}`)
	body := bodyOf(tb, res)
	var r struct {
		Result *result
		Error  json.RawMessage
	}
	if err := json.Unmarshal(bytes.TrimSpace(body), &r); err != nil || r.Result == nil {
		tb.Fatalf("%s(%s) answered %d %s, %v", tool, arguments, res.StatusCode, body, err)
	}
	return *r.Result
}
