package web_test

import (
	"context"
	"fmt"
	"io"
	"net/http"
	"net/http/httptest"
	"net/url"
	"path/filepath"
	"slices"
	"strings"
	"sync"
	"testing"
	"time"

	"personal-workspace/activities"
	"personal-workspace/decks"
	"personal-workspace/internal/fault"
	"personal-workspace/internal/ingress"
	"personal-workspace/internal/ledger"
	"personal-workspace/internal/secret"
	"personal-workspace/internal/sqlite"
	"personal-workspace/internal/sqlite/sqlitetest"
	"personal-workspace/sns"
	"personal-workspace/web"
)

// start is when the tests begin, in a zone that is not UTC so that a wrong one
// is noticed: pages show 13:50.
var start = time.Date(2026, 11, 30, 13, 50, 0, 0, time.FixedZone("CET", 3600))

// workspace is the real handler over real services and a network that the test
// scripts.
type workspace struct {
	t          *testing.T
	handler    *web.Handler
	posts      *sns.Service
	decks      *decks.Service
	activities *activities.Service
	net        *network
	db         *sqlite.DB
	config     web.Config
	// cookies are those a browser would send.
	cookies []*http.Cookie

	mu  sync.Mutex
	at  time.Time
	ids int
}

// newWorkspace returns a workspace without accounts; change may alter the
// configuration of its handler.
func newWorkspace(t *testing.T, change func(*web.Config)) *workspace {
	t.Helper()
	w := &workspace{t: t, net: &network{}, at: start, db: sqlitetest.Open(t)}
	log := ledger.New(ledger.Config{DB: w.db, Now: w.now, NewID: w.newID})
	key, err := secret.CreateKey(filepath.Join(t.TempDir(), "credential-key"))
	if err != nil {
		t.Fatalf("CreateKey: %v", err)
	}
	w.posts, err = sns.New(t.Context(), sns.Config{
		DB: w.db, Ledger: log, Key: key, Now: w.now, NewID: w.newID,
		Providers:     map[sns.Network]sns.Provider{sns.Mastodon: w.net, sns.Twitter: w.net},
		TwitterRelays: []string{relay, "http://spare.internal:6900"},
	})
	if err != nil {
		t.Fatalf("sns.New: %v", err)
	}
	t.Cleanup(w.posts.Close)
	w.decks = decks.New(decks.Config{DB: w.db, Ledger: log, Posts: w.posts, Now: w.now, NewID: w.newID})
	hosts, err := ingress.NewHosts(nil, nil, []string{"workspace.example"})
	if err != nil {
		t.Fatalf("ingress.NewHosts: %v", err)
	}
	w.activities = activities.New(activities.Config{DB: w.db, Ledger: log, Connections: w.posts, Now: w.now, NewID: w.newID})
	w.config = web.Config{
		Activities: w.activities, Decks: w.decks, Connections: w.posts, Ledger: log, DB: w.db, Hosts: hosts, Auth: web.AuthNone,
		MCPURL: "http://127.0.0.1:3000/mcp", Version: "test", Now: w.now, NewID: w.newID,
	}
	if change != nil {
		change(&w.config)
	}
	w.restart()
	return w
}

// restart makes a new handler over the same database.
func (w *workspace) restart() {
	w.t.Helper()
	h, err := web.New(w.config)
	if err != nil {
		w.t.Fatalf("web.New: %v", err)
	}
	w.handler = h
}

func (w *workspace) now() time.Time {
	w.mu.Lock()
	defer w.mu.Unlock()
	return w.at
}

// pass lets time go by.
func (w *workspace) pass(d time.Duration) {
	w.mu.Lock()
	defer w.mu.Unlock()
	w.at = w.at.Add(d)
}

func (w *workspace) newID(prefix string) string {
	w.mu.Lock()
	defer w.mu.Unlock()
	w.ids++
	return fmt.Sprintf("%s_%d", prefix, w.ids)
}

// connect adds an account and returns its connection.
func (w *workspace) connect(host string) sns.Connection {
	w.t.Helper()
	c, err := w.posts.AddMastodon(w.t.Context(), sns.AddMastodon{Origin: "https://" + host, Operator: true})
	if err != nil {
		w.t.Fatalf("AddMastodon: %v", err)
	}
	return c
}

// login adds an account with a token and returns its connection.
func (w *workspace) login(host string) sns.Connection {
	w.t.Helper()
	c, err := w.posts.AddMastodon(w.t.Context(), sns.AddMastodon{Origin: "https://" + host, Token: "token", Operator: true})
	if err != nil {
		w.t.Fatalf("AddMastodon: %v", err)
	}
	return c
}

// deck saves a deck with the id "d" whose columns are c1, c2 and so on.
func (w *workspace) deck(title string, columns ...decks.Column) {
	w.t.Helper()
	for i := range columns {
		columns[i].ID = fmt.Sprintf("c%d", i+1)
	}
	if _, err := w.decks.CreateDeck(w.t.Context(), decks.CreateDeck{ID: "d", Title: title, Columns: columns}); err != nil {
		w.t.Fatalf("CreateDeck: %v", err)
	}
}

// local is a column of an account's local timeline.
func local(c sns.Connection) decks.Column {
	return decks.Column{ConnectionID: c.ID, Source: sns.Source{Kind: sns.KindLocal}}
}

// fill brings the newest page of every column of the deck into the store.
func (w *workspace) fill() {
	w.t.Helper()
	d, err := w.decks.GetDeck(w.t.Context(), "d")
	if err != nil {
		w.t.Fatalf("GetDeck: %v", err)
	}
	for _, c := range d.Columns {
		if err := w.posts.Refresh(w.t.Context(), c.ConnectionID, c.Source); err != nil {
			w.t.Fatalf("Refresh %s: %v", c.ID, err)
		}
	}
}

// answer is what the handler said.
type answer struct {
	*http.Response
	body string
}

// get asks like a browser does; headers are pairs.
func (w *workspace) get(path string, headers ...string) answer {
	w.t.Helper()
	return w.do(httptest.NewRequestWithContext(w.t.Context(), http.MethodGet, path, nil), headers...)
}

// fragment asks like htmx does.
func (w *workspace) fragment(path string, headers ...string) answer {
	w.t.Helper()
	return w.get(path, append(headers, "HX-Request", "true")...)
}

// post sends a form.
func (w *workspace) post(path string, form url.Values, headers ...string) answer {
	w.t.Helper()
	r := httptest.NewRequestWithContext(w.t.Context(), http.MethodPost, path, strings.NewReader(form.Encode()))
	r.Header.Set("Content-Type", "application/x-www-form-urlencoded")
	return w.do(r, headers...)
}

func (w *workspace) do(r *http.Request, headers ...string) answer {
	w.t.Helper()
	r.Host = "localhost:3000"
	for i := 0; i < len(headers); i += 2 {
		r.Header.Set(headers[i], headers[i+1])
		if headers[i] == "Host" {
			r.Host = headers[i+1]
		}
	}
	for _, c := range w.cookies {
		r.AddCookie(c)
	}
	rec := httptest.NewRecorder()
	w.handler.ServeHTTP(rec, r)
	res := rec.Result()
	b, err := io.ReadAll(res.Body)
	if err != nil {
		w.t.Fatalf("read the answer: %v", err)
	}
	return answer{res, string(b)}
}

// keep takes over the cookies of an answer, like a browser.
func (w *workspace) keep(a answer) {
	for _, c := range a.Cookies() {
		w.cookies = nil
		if c.MaxAge >= 0 {
			w.cookies = []*http.Cookie{{Name: c.Name, Value: c.Value}}
		}
	}
}

// network is a provider whose timelines the test writes.
type network struct {
	mu sync.Mutex
	// posts of a timeline, newest first, by host and kind.
	posts map[string][]sns.Post
	// threads are the conversations by the id of their post.
	threads map[string]sns.Thread
	// fail, when set, is what every fetch answers.
	fail error
	// block, when set, holds every fetch until it is closed.
	block chan struct{}
	// sparse timelines show only what it says of a page's posts.
	sparse func(sns.Post) bool
	// verify, when set, says whose a token is.
	verify func(sns.Account) (sns.Identity, error)
	// profiles, when set, says which profiles a relay has.
	profiles func(sns.Account) ([]string, error)
	// costs: it keeps limits for each way of reading.
	costs bool
	// lists are the lists of every account.
	lists []sns.List
	// failLists, when set, is what asking for lists answers.
	failLists error
	// asked are the fetches, as "host kind cursor".
	asked []string
}

func (n *network) set(host string, kind sns.Kind, posts ...sns.Post) {
	n.mu.Lock()
	defer n.mu.Unlock()
	if n.posts == nil {
		n.posts = map[string][]sns.Post{}
	}
	n.posts[host+" "+string(kind)] = posts
}

func (n *network) breakWith(err error) {
	n.mu.Lock()
	defer n.mu.Unlock()
	n.fail = err
}

func (n *network) requests() []string {
	n.mu.Lock()
	defer n.mu.Unlock()
	return append([]string{}, n.asked...)
}

func (n *network) Verify(_ context.Context, a sns.Account) (sns.Identity, error) {
	if n.verify != nil {
		return n.verify(a)
	}
	host := strings.TrimPrefix(a.Origin, "https://")
	if a.Token == "" {
		return sns.Identity{Account: host, Title: host}, nil
	}
	return sns.Identity{Account: "@owner@" + host, AccountID: "1", Title: "Owner"}, nil
}

func (n *network) Lists(context.Context, sns.Account) ([]sns.List, error) {
	return n.lists, n.failLists
}

// Thread waits and fails as Fetch does. A post that no conversation was written
// for is not there.
func (n *network) Thread(ctx context.Context, _ sns.Account, id string) (sns.Thread, error) {
	n.mu.Lock()
	t, known := n.threads[id]
	fail, block := n.fail, n.block
	n.mu.Unlock()
	if block != nil {
		select {
		case <-block:
		case <-ctx.Done():
			return sns.Thread{}, ctx.Err()
		}
	}
	switch {
	case fail != nil:
		return sns.Thread{}, fail
	case !known:
		return sns.Thread{}, fault.Missing("post", "The server has no such post.")
	}
	return t, nil
}

// converse writes the conversation around a post.
func (n *network) converse(t sns.Thread) {
	n.mu.Lock()
	defer n.mu.Unlock()
	if n.threads == nil {
		n.threads = map[string]sns.Thread{}
	}
	n.threads[t.Post.ID] = t
}

func (n *network) Supports(sns.Account, sns.Kind) error { return nil }

// Fetch pages through the timeline by the id that a page ended with.
func (n *network) Fetch(ctx context.Context, a sns.Account, s sns.Source, cursor string) (sns.UpstreamPage, error) {
	n.mu.Lock()
	host := strings.TrimPrefix(a.Origin, "https://")
	n.asked = append(n.asked, strings.TrimSpace(host+" "+string(s.Kind)+" "+cursor))
	posts, fail, block := n.posts[host+" "+string(s.Kind)], n.fail, n.block
	n.mu.Unlock()
	if block != nil {
		select {
		case <-block:
		case <-ctx.Done():
			return sns.UpstreamPage{}, ctx.Err()
		}
	}
	if fail != nil {
		return sns.UpstreamPage{}, fail
	}
	if cursor != "" {
		for i, p := range posts {
			if p.EntryID == cursor {
				posts = posts[i+1:]
				break
			}
		}
	}
	page := sns.UpstreamPage{Posts: append([]sns.Post{}, posts[:min(len(posts), sns.MaxPage)]...)}
	if len(posts) > sns.MaxPage {
		page.Next = page.Posts[sns.MaxPage-1].EntryID
	}
	for _, p := range page.Posts {
		page.Received = append(page.Received, p.EntryID)
	}
	if n.sparse != nil {
		page.Posts = slices.DeleteFunc(page.Posts, func(p sns.Post) bool { return !n.sparse(p) })
	}
	return page, nil
}

// post is an ordinary post; change may alter it.
func post(id int, text string, change ...func(*sns.Post)) sns.Post {
	at := start.Add(-time.Duration(1000-id) * time.Minute).UTC()
	p := sns.Post{
		ID: fmt.Sprint(id), EntryID: fmt.Sprint(id), CreatedAt: &at, Text: text, Visibility: sns.Public, Language: "en",
		URL:    fmt.Sprintf("https://social.example/@ana/%d", id),
		Author: sns.Author{ID: "7", Handle: "@ana@social.example", DisplayName: "Ana Lima", URL: "https://social.example/@ana"},
	}
	for _, f := range change {
		f(&p)
	}
	return p
}

// timeline is n ordinary posts, newest first.
func timeline(n int) []sns.Post {
	var list []sns.Post
	for i := range n {
		list = append(list, post(999-i, fmt.Sprintf("Post number %d", 999-i)))
	}
	return list
}

// fieldsOf cuts white space to single spaces.
func fieldsOf(s string) string { return strings.Join(strings.Fields(s), " ") }
