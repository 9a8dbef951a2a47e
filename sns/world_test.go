package sns_test

import (
	"context"
	"fmt"
	"path/filepath"
	"slices"
	"strconv"
	"sync"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp/cmpopts"

	"personal-workspace/internal/fault/faulttest"
	"personal-workspace/internal/ledger"
	"personal-workspace/internal/secret"
	"personal-workspace/internal/sqlite"
	"personal-workspace/internal/sqlite/sqlitetest"
	"personal-workspace/sns"
	"personal-workspace/sns/snstest"
)

var epoch = time.Date(2026, 11, 30, 12, 0, 0, 0, time.UTC)

// world is a service over a real database, with a network that the test writes.
type world struct {
	t      testing.TB
	dir    string
	db     *sqlite.DB
	key    *secret.Key
	ledger *ledger.Ledger
	net    *network
	clock  *testClock
	sns    *sns.Service
	config sns.Config
}

// newWorld starts a service; change may alter its configuration.
func newWorld(t testing.TB, change ...func(*sns.Config)) *world {
	t.Helper()
	w := &world{t: t, dir: t.TempDir(), net: newNetwork(), clock: &testClock{now: epoch}}
	key, err := secret.CreateKey(filepath.Join(w.dir, "credential-key"))
	if err != nil {
		t.Fatalf("create the key: %v", err)
	}
	w.key = key
	w.start(change...)
	return w
}

func (w *world) start(change ...func(*sns.Config)) {
	w.t.Helper()
	w.db = sqlitetest.OpenAt(w.t, filepath.Join(w.dir, "workspace.sqlite"))
	w.ledger = ledger.New(ledger.Config{DB: w.db, Now: w.clock.Now})
	w.config = sns.Config{
		DB: w.db, Ledger: w.ledger, Key: w.key, Now: w.clock.Now,
		Providers: map[sns.Network]sns.Provider{sns.Mastodon: w.net},
	}
	for _, c := range change {
		c(&w.config)
	}
	s, err := sns.New(w.t.Context(), w.config)
	if err != nil {
		w.t.Fatalf("New: %v", err)
	}
	w.sns = s
	w.t.Cleanup(s.Close)
}

// restart is a new process over the same files.
func (w *world) restart() {
	w.t.Helper()
	w.sns.Close()
	w.start()
}

// run starts the background work; it ends with the test.
func (w *world) run() {
	ctx, cancel := context.WithCancel(context.Background())
	done := make(chan struct{})
	go func() {
		defer close(done)
		w.sns.Run(ctx)
	}()
	w.t.Cleanup(func() { cancel(); <-done })
}

// login adds an account of the server and returns its connection.
func (w *world) login(user string) sns.Connection {
	w.t.Helper()
	c, err := w.sns.AddMastodon(w.t.Context(), sns.AddMastodon{Origin: "https://social.example", Token: "token-" + user})
	if err != nil {
		w.t.Fatalf("AddMastodon: %v", err)
	}
	return c
}

func (w *world) fetch(c sns.Connection, src sns.Source, cursor string) sns.Page {
	w.t.Helper()
	p, err := w.sns.FetchPosts(w.t.Context(), c.ID, src, cursor)
	if err != nil {
		w.t.Fatalf("FetchPosts: %v", err)
	}
	return p
}

func (w *world) stored(c sns.Connection, src sns.Source) sns.StoredPage {
	w.t.Helper()
	p, err := w.sns.StoredPosts(w.t.Context(), c.ID, src, sns.StoredQuery{Limit: sns.MaxStored})
	if err != nil {
		w.t.Fatalf("StoredPosts: %v", err)
	}
	return p
}

func (w *world) connection(id string) sns.Connection {
	w.t.Helper()
	c, err := w.sns.GetConnection(w.t.Context(), id)
	if err != nil {
		w.t.Fatalf("GetConnection: %v", err)
	}
	return c
}

// count returns a number from the database.
func (w *world) count(query string, args ...any) int64 {
	w.t.Helper()
	var n int64
	err := w.db.Read(context.Background(), func(tx *sqlite.Tx) (err error) {
		n, err = sqlite.One(tx, sqlite.Int, query, args...)
		return err
	})
	if err != nil {
		w.t.Fatalf("%s: %v", query, err)
	}
	return n
}

// testClock is a clock that the test moves.
type testClock struct {
	mu  sync.Mutex
	now time.Time
}

func (c *testClock) Now() time.Time {
	c.mu.Lock()
	defer c.mu.Unlock()
	return c.now
}

func (c *testClock) add(d time.Duration) {
	c.mu.Lock()
	defer c.mu.Unlock()
	c.now = c.now.Add(d)
}

// request is what the network was asked.
type request struct {
	Account sns.Account
	Source  sns.Source
	Cursor  string
}

// network is a Provider whose answers the test writes. Its feed is what every
// source shows unless fetch is set.
type network struct {
	mu       sync.Mutex
	requests []request
	feed     feed
	fetch    func(ctx context.Context, r request) (sns.UpstreamPage, error)
	verify   func(ctx context.Context, a sns.Account) (sns.Identity, error)
	listing  func(ctx context.Context, a sns.Account) ([]sns.List, error)
	thread   func(ctx context.Context, a sns.Account, postID string) (sns.Thread, error)
	refused  error // what Supports says
}

func newNetwork() *network { return &network{feed: feed{size: sns.MaxPage}} }

func (n *network) Verify(ctx context.Context, a sns.Account) (sns.Identity, error) {
	if n.verify != nil {
		return n.verify(ctx, a)
	}
	host := a.Origin[len("https://"):]
	if a.Token == "" {
		return sns.Identity{Account: host, Title: host}, nil
	}
	user := a.Token[len("token-"):]
	return sns.Identity{Account: "@" + user + "@" + host, AccountID: "id-" + user, Title: user}, nil
}

func (n *network) Lists(ctx context.Context, a sns.Account) ([]sns.List, error) {
	if n.listing == nil {
		return nil, nil
	}
	return n.listing(ctx, a)
}

func (n *network) Thread(ctx context.Context, a sns.Account, postID string) (sns.Thread, error) {
	return n.thread(ctx, a, postID)
}

func (n *network) Supports(sns.Account, sns.Kind) error { return n.refused }

func (n *network) Fetch(ctx context.Context, a sns.Account, s sns.Source, cursor string) (sns.UpstreamPage, error) {
	r := request{a, s, cursor}
	n.mu.Lock()
	n.requests = append(n.requests, r)
	fetch := n.fetch
	n.mu.Unlock()
	if fetch != nil {
		return fetch(ctx, r)
	}
	n.mu.Lock()
	defer n.mu.Unlock()
	return n.feed.page(cursor), nil
}

func (n *network) asked() int {
	n.mu.Lock()
	defer n.mu.Unlock()
	return len(n.requests)
}

func (n *network) answer(f func(ctx context.Context, r request) (sns.UpstreamPage, error)) {
	n.mu.Lock()
	defer n.mu.Unlock()
	n.fetch = f
}

func (n *network) fail(err error) {
	n.answer(func(context.Context, request) (sns.UpstreamPage, error) { return sns.UpstreamPage{}, err })
}

// feed is a timeline in the way of Mastodon: entries have rising numbers, a page
// is the newest entries below a number.
type feed struct {
	size    int
	entries []sns.Post // newest first
	last    int
}

// add puts n new posts on top.
func (f *feed) add(n int) {
	for range n {
		f.last++
		f.entries = append([]sns.Post{post(f.last)}, f.entries...)
	}
}

func (f *feed) remove(entryID string) {
	f.entries = slices.DeleteFunc(f.entries, func(p sns.Post) bool { return p.EntryID == entryID })
}

func (f *feed) page(cursor string) sns.UpstreamPage {
	below := 1 << 40
	if cursor != "" {
		below, _ = strconv.Atoi(cursor)
	}
	var page sns.UpstreamPage
	for _, p := range f.entries {
		if number(p.EntryID) < below && len(page.Posts) < f.size {
			page.Posts = append(page.Posts, p)
		}
	}
	if n := len(page.Posts); n > 0 {
		page.Next = strconv.Itoa(number(page.Posts[n-1].EntryID))
	}
	return page
}

func number(id string) int {
	n, _ := strconv.Atoi(id)
	return n
}

// post is the post with a number, always the same for it.
func post(n int) sns.Post {
	id := strconv.Itoa(n)
	at := epoch.Add(time.Duration(n) * time.Second)
	return sns.Post{
		ID: id, EntryID: id, CreatedAt: &at, Visibility: sns.Public,
		URL:    "https://social.example/@ann/" + id,
		Author: sns.Author{ID: "7", Handle: "@ann@social.example", DisplayName: "Ann"},
		Text:   fmt.Sprintf("Post %d: 今日は良い天気です。", n),
	}
}

// ids are the ids of posts in their order.
var ids = snstest.EntryIDs

// numbers are the ids of posts from..to, falling.
func numbers(from, to int) []string {
	out := []string{}
	for n := from; n >= to; n-- {
		out = append(out, strconv.Itoa(n))
	}
	return out
}

var home = sns.Source{Kind: sns.KindHome}

// wantFault checks an error's code and details.
var wantFault = faulttest.Want

// ignoreRevision leaves out what only the store knows of a connection.
var ignoreRevision = cmpopts.IgnoreUnexported(sns.Connection{})

// rows returns the texts a query gives.
func (w *world) rows(query string) (list []string) {
	w.t.Helper()
	err := w.db.Read(context.Background(), func(tx *sqlite.Tx) (err error) {
		list, err = sqlite.Query(tx, sqlite.String, query)
		return err
	})
	if err != nil {
		w.t.Fatalf("%s: %v", query, err)
	}
	return list
}

func (w *world) exec(query string) error {
	return w.db.Write(context.Background(), func(tx *sqlite.Tx) error {
		_, err := tx.Exec(query)
		return err
	})
}
