package twitter_test

import (
	"context"
	"io"
	"log/slog"
	"net/http"
	"strings"
	"sync"
	"testing"
	"time"

	"personal-workspace/internal/egress"
	"personal-workspace/internal/fault/faulttest"
	"personal-workspace/sns"
	"personal-workspace/sns/snstest"
	"personal-workspace/sns/twitter"
)

var epoch = time.Date(2026, 11, 30, 12, 44, 0, 0, time.UTC)

// clock is the one clock of the test; whoever waits moves it.
type clock struct {
	mu    sync.Mutex
	at    time.Time
	waits []time.Duration
}

func (c *clock) now() time.Time {
	c.mu.Lock()
	defer c.mu.Unlock()
	return c.at
}

func (c *clock) add(d time.Duration) {
	c.mu.Lock()
	defer c.mu.Unlock()
	c.at = c.at.Add(d)
}

func (c *clock) wait(ctx context.Context, d time.Duration) error {
	c.mu.Lock()
	defer c.mu.Unlock()
	if err := ctx.Err(); err != nil {
		return err
	}
	c.waits = append(c.waits, d)
	c.at = c.at.Add(d)
	return nil
}

// gate counts what is asked of it.
type gate struct {
	mu     sync.Mutex
	asked  int
	paging int
}

func (g *gate) Acquire(_ context.Context, paging bool) (func(), error) {
	g.mu.Lock()
	defer g.mu.Unlock()
	g.asked++
	if paging {
		g.paging++
	}
	return func() {}, nil
}

func (g *gate) Observe(int, time.Time) {}

// world is a provider over a mock relay.
type world struct {
	t        testing.TB
	relay    *snstest.Relay
	a1       *snstest.Profile
	origin   string
	clock    *clock
	gate     *gate
	log      *strings.Builder
	config   twitter.Config
	provider *twitter.Provider
}

// newWorld starts a relay. At the end of the test it must have seen nothing that
// no client may ask.
func newWorld(t testing.TB, q snstest.RelayQuirks) *world {
	t.Helper()
	w := &world{t: t, clock: &clock{at: epoch}, gate: &gate{}, log: &strings.Builder{}}
	w.relay = snstest.NewRelay(snstest.RelayOptions{Now: w.clock.now, Quirks: q})
	w.a1 = w.relay.Profile("a1")
	origin, err := w.relay.StartLoopback(t.Context())
	if err != nil {
		t.Fatal(err)
	}
	w.origin = origin
	client := egress.Operator(egress.Config{})
	t.Cleanup(func() {
		client.CloseIdleConnections()
		w.relay.Close()
		for _, v := range w.relay.Violations() {
			t.Errorf("the relay saw what no client may ask: %s", v)
		}
	})
	w.config = twitter.Config{
		Transport: client.Transport, Now: w.clock.now, Wait: w.clock.wait, Random: func() float64 { return 0.5 },
		Log: slog.New(slog.NewTextHandler(w.log, nil)),
	}
	w.provider = twitter.New(w.config)
	return w
}

// restart is a new process: nothing is remembered.
func (w *world) restart() { w.provider = twitter.New(w.config) }

func (w *world) account() sns.Account {
	return sns.Account{
		ConnectionID: "conn_1", Origin: w.origin, Operator: true, Profile: "a1",
		AccountID: w.relay.PersonID("ann"), Gate: w.gate,
	}
}

func (w *world) fetch(s sns.Source, cursor string) (sns.UpstreamPage, error) {
	w.t.Helper()
	return w.provider.Fetch(w.t.Context(), w.account(), s, cursor)
}

func (w *world) page(s sns.Source, cursor string) sns.UpstreamPage {
	w.t.Helper()
	p, err := w.fetch(s, cursor)
	if err != nil {
		w.t.Fatalf("Fetch(%s): %v", s.Kind, err)
	}
	return p
}

// only returns the one post of a page.
func (w *world) only(s sns.Source) sns.Post {
	w.t.Helper()
	p := w.page(s, "")
	if len(p.Posts) != 1 {
		w.t.Fatalf("the page has %d posts %v, want 1", len(p.Posts), ids(p.Posts))
	}
	return p.Posts[0]
}

// all reads a source to its end.
func (w *world) all(s sns.Source) []sns.Post {
	w.t.Helper()
	var out []sns.Post
	for cursor, n := "", 0; ; n++ {
		p := w.page(s, cursor)
		out = append(out, p.Posts...)
		if cursor = p.Next; cursor == "" {
			return out
		}
		if n > 50 {
			w.t.Fatal("the source has no end")
		}
	}
}

// ids are the ids of posts in their order.
var ids = snstest.EntryIDs

// wantFault checks an error's code and details.
var wantFault = faulttest.Want

// canned answers every request with one body, without a network.
type canned struct {
	mu       sync.Mutex
	status   int
	header   string
	body     string
	requests []*http.Request
	// limits is how long each request may take.
	limits []time.Duration
}

func (c *canned) RoundTrip(r *http.Request) (*http.Response, error) {
	c.mu.Lock()
	defer c.mu.Unlock()
	c.requests = append(c.requests, r)
	if end, ok := r.Context().Deadline(); ok {
		c.limits = append(c.limits, time.Until(end))
	}
	status, header := c.status, c.header
	if status == 0 {
		status = http.StatusOK
	}
	if header == "" {
		header = "application/json"
	}
	return &http.Response{
		StatusCode: status, Header: http.Header{"Content-Type": {header}}, ContentLength: int64(len(c.body)),
		Body: io.NopCloser(strings.NewReader(c.body)), Request: r,
	}, nil
}

// answering is a provider and an account whose relay always gives one body.
func answering(body string) (*twitter.Provider, sns.Account, *canned) {
	c, k := &canned{body: body}, &clock{at: epoch}
	p := twitter.New(twitter.Config{Transport: c, Now: k.now, Wait: k.wait})
	return p, sns.Account{ConnectionID: "conn_1", Origin: "http://relay.test", Operator: true, Profile: "a1", AccountID: "7", Gate: &gate{}}, c
}

var (
	home   = sns.Source{Kind: sns.KindHome}
	forYou = sns.Source{Kind: sns.KindForYou}
)

func contains(s, part string) bool { return strings.Contains(s, part) }
