package mastodon_test

import (
	"context"
	"encoding/json"
	"fmt"
	"io"
	"maps"
	"net/http"
	"net/http/httptest"
	"strings"
	"sync"
	"testing"
	"time"

	"personal-workspace/internal/egress"
	"personal-workspace/internal/fault"
	"personal-workspace/internal/fault/faulttest"
	"personal-workspace/sns"
	"personal-workspace/sns/mastodon"
	"personal-workspace/sns/snstest"
)

// now is the clock of every provider under test.
var now = time.Date(2026, 11, 30, 12, 44, 0, 0, time.UTC)

// upstream is a server of the test with a record of what reached it.
type upstream struct {
	*httptest.Server
	mu       sync.Mutex
	requests []*http.Request
	gate     gate
	waits    []time.Duration
	provider *mastodon.Provider
}

// serve starts an upstream and a provider for it.
func serve(t *testing.T, h http.HandlerFunc) *upstream {
	t.Helper()
	return serveWith(t, mastodon.Config{}, h)
}

func serveWith(t *testing.T, c mastodon.Config, h http.HandlerFunc) *upstream {
	t.Helper()
	u := &upstream{}
	u.Server = httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		u.mu.Lock()
		u.requests = append(u.requests, r)
		u.mu.Unlock()
		w.Header().Set("Content-Type", "application/json; charset=utf-8")
		h(w, r)
	}))
	t.Cleanup(u.Close)
	client := egress.Operator(egress.Config{})
	t.Cleanup(client.CloseIdleConnections)
	c.Operator = client.Transport
	c.Now = func() time.Time { return now }
	if c.Wait == nil {
		c.Wait = func(_ context.Context, d time.Duration) error {
			u.waits = append(u.waits, d)
			return nil
		}
	}
	u.provider = mastodon.New(c)
	return u
}

// answerJSON answers every request with the same body.
func answerJSON(body string) http.HandlerFunc {
	return func(w http.ResponseWriter, _ *http.Request) { io.WriteString(w, body) }
}

// account is signed in to the upstream.
func (u *upstream) account() sns.Account {
	return sns.Account{ConnectionID: "conn_1", Origin: u.URL, Operator: true, Token: "secret-token", AccountID: "7", Gate: &u.gate}
}

// public is the upstream without signing in.
func (u *upstream) public() sns.Account {
	a := u.account()
	a.Token, a.AccountID = "", ""
	return a
}

// log returns the requests as "GET /path?query".
func (u *upstream) log() []string {
	u.mu.Lock()
	defer u.mu.Unlock()
	out := []string{}
	for _, r := range u.requests {
		out = append(out, r.Method+" "+r.URL.RequestURI())
	}
	return out
}

// request returns the only request.
func (u *upstream) request(t *testing.T) *http.Request {
	t.Helper()
	u.mu.Lock()
	defer u.mu.Unlock()
	if len(u.requests) != 1 {
		t.Fatalf("%d requests were made, want 1", len(u.requests))
	}
	return u.requests[0]
}

func (u *upstream) fetch(t *testing.T, s sns.Source, cursor string) (sns.UpstreamPage, error) {
	t.Helper()
	return u.provider.Fetch(t.Context(), u.account(), s, cursor)
}

// page fetches and fails the test on an error.
func (u *upstream) page(t *testing.T, s sns.Source, cursor string) sns.UpstreamPage {
	t.Helper()
	p, err := u.fetch(t, s, cursor)
	if err != nil {
		t.Fatalf("Fetch(%s): %v", s.Kind, err)
	}
	return p
}

// home is a page of the home timeline with one entry, which is returned.
func homePost(t *testing.T, status string) sns.Post {
	t.Helper()
	p := serve(t, answerJSON("["+status+"]")).page(t, home, "")
	if len(p.Posts) != 1 {
		t.Fatalf("got %d posts, %d skipped; want 1 post", len(p.Posts), p.Skipped)
	}
	return p.Posts[0]
}

var home = sns.Source{Kind: sns.KindHome}

// gate allows everything and remembers it.
type gate struct {
	mu       sync.Mutex
	asked    []bool
	open     int
	observed []observation
	limit    int
	refuse   error
}

type observation struct {
	remaining int
	reset     time.Time
}

func (g *gate) Acquire(ctx context.Context, paging bool) (func(), error) {
	g.mu.Lock()
	defer g.mu.Unlock()
	if g.refuse != nil {
		return nil, g.refuse
	}
	g.asked = append(g.asked, paging)
	g.open++
	return func() {
		g.mu.Lock()
		defer g.mu.Unlock()
		g.open--
	}, ctx.Err()
}

func (g *gate) Observe(remaining int, reset time.Time) {
	g.mu.Lock()
	defer g.mu.Unlock()
	g.observed = append(g.observed, observation{remaining, reset})
}

func (g *gate) ObserveLimit(limit int) {
	g.mu.Lock()
	defer g.mu.Unlock()
	g.limit = limit
}

// object is a JSON object under construction.
type object = map[string]any

// status returns the JSON of a status; more replaces members.
func status(id string, more object) string {
	st := object{
		"id": id, "created_at": "2026-11-30T12:00:00.000Z", "content": "<p>post " + id + "</p>", "visibility": "public",
		"spoiler_text": "", "sensitive": false, "language": "en", "url": "https://ex.org/@ann/" + id, "uri": "https://ex.org/users/ann/statuses/" + id,
		"account": accountJSON("9", "ann"), "media_attachments": []any{}, "mentions": []any{}, "tags": []any{}, "emojis": []any{},
		"replies_count": 1, "reblogs_count": 2, "favourites_count": 3,
		"in_reply_to_id": nil, "in_reply_to_account_id": nil, "reblog": nil, "poll": nil, "card": nil, "edited_at": nil,
	}
	maps.Copy(st, more)
	return encode(st)
}

func accountJSON(id, acct string) object {
	return object{"id": id, "acct": acct, "username": strings.Split(acct, "@")[0], "display_name": "Name of " + acct, "url": "https://ex.org/@" + acct}
}

// statuses returns a JSON array of n statuses with descending ids from first.
func statuses(first, n int) string {
	all := make([]string, n)
	for i := range n {
		all[i] = status(fmt.Sprint(first-i), nil)
	}
	return "[" + strings.Join(all, ",") + "]"
}

func encode(v any) string {
	b, err := json.Marshal(v)
	if err != nil {
		panic(err)
	}
	return string(b)
}

// ids are the ids of posts in their order.
var ids = snstest.EntryIDs

// wantFault checks the code and the given details of a fault, and that its
// message gives nothing away.
func wantFault(t *testing.T, err error, code fault.Code, details object) {
	t.Helper()
	f := faulttest.Want(t, err, code, details)
	for _, secret := range []string{"secret-token", "<html", "max_id", "?"} {
		if strings.Contains(f.Message, secret) {
			t.Errorf("message %q has %q", f.Message, secret)
		}
		if strings.Contains(err.Error(), secret) {
			t.Errorf("error %q has %q", err, secret)
		}
	}
	if f.Message == "" || !strings.HasSuffix(f.Message, ".") {
		t.Errorf("message %q is not a sentence", f.Message)
	}
}

func replace(s, old, new string) string { return strings.Replace(s, old, new, 1) }
