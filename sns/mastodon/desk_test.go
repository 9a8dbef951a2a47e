package mastodon_test

import (
	"bytes"
	"log/slog"
	"net/url"
	"path/filepath"
	"sync"
	"testing"
	"time"

	"personal-workspace/internal/egress"
	"personal-workspace/internal/ledger"
	"personal-workspace/internal/secret"
	"personal-workspace/internal/sqlite"
	"personal-workspace/internal/sqlite/sqlitetest"
	"personal-workspace/sns"
	"personal-workspace/sns/mastodon"
	"personal-workspace/sns/snstest"
)

const (
	callbackURL = "https://workspace.example/ws/connections/callback"
	browser     = "the secret of the browser"
)

// desk is a workspace in front of one server that the operator listed.
type desk struct {
	*sns.Service
	t      *testing.T
	server *snstest.Mastodon
	origin string
	dir    string
	key    *secret.Key
	log    *bytes.Buffer
	db     *sqlite.DB
	mu     sync.Mutex
	now    time.Time
}

func newDesk(t *testing.T, o snstest.Options) *desk {
	t.Helper()
	d := &desk{t: t, dir: t.TempDir(), log: new(bytes.Buffer), now: time.Date(2026, 11, 30, 12, 0, 0, 0, time.UTC)}
	o.Now = d.clock
	d.server = snstest.NewMastodon(o)
	d.origin = snstest.Serve(t, d.server)
	key, err := secret.CreateKey(filepath.Join(d.dir, "credential-key"))
	if err != nil {
		t.Fatal(err)
	}
	d.key = key
	d.start(func(*sns.Config) {})
	return d
}

func (d *desk) clock() time.Time {
	d.mu.Lock()
	defer d.mu.Unlock()
	return d.now
}

func (d *desk) wait(by time.Duration) {
	d.mu.Lock()
	defer d.mu.Unlock()
	d.now = d.now.Add(by)
}

// start opens the workspace, as another process when one runs already.
func (d *desk) start(change func(*sns.Config)) {
	d.t.Helper()
	client := egress.Operator(egress.Config{})
	d.t.Cleanup(client.CloseIdleConnections)
	d.db = sqlitetest.OpenAt(d.t, filepath.Join(d.dir, "workspace.sqlite"))
	config := sns.Config{
		DB: d.db, Ledger: ledger.New(ledger.Config{DB: d.db}), Key: d.key, Now: d.clock, MastodonOrigins: []string{d.origin},
		Providers: map[sns.Network]sns.Provider{sns.Mastodon: mastodon.New(mastodon.Config{Operator: client.Transport, Now: d.clock})},
		Log:       slog.New(slog.NewTextHandler(d.log, nil)),
	}
	change(&config)
	s, err := sns.New(d.t.Context(), config)
	if err != nil {
		d.t.Fatal(err)
	}
	d.t.Cleanup(s.Close)
	d.Service = s
}

func (d *desk) begin(in sns.BeginLogin) sns.Login {
	d.t.Helper()
	if in.ConnectionID == "" {
		in.Origin = d.origin
	}
	in.Browser = browser
	l, err := d.BeginLogin(d.t.Context(), in)
	if err != nil {
		d.t.Fatalf("BeginLogin: %v", err)
	}
	return l
}

// decide goes through the pages of the server and returns what it sends back.
func (d *desk) decide(l sns.Login, what snstest.Decision) url.Values {
	d.t.Helper()
	back, err := snstest.Decide(d.t.Context(), l.AuthorizeURL, what)
	if err != nil {
		d.t.Fatal(err)
	}
	if !l.OutOfBand && back.Query().Get("state") != l.State {
		d.t.Errorf("the server sent the state %q back, want %q", back.Query().Get("state"), l.State)
	}
	return back.Query()
}

func (d *desk) finish(l sns.Login, back url.Values) (sns.Connection, error) {
	return d.FinishLogin(d.t.Context(), sns.FinishLogin{State: l.State, Code: back.Get("code"), Denied: back.Get("error"), Browser: browser})
}

// signIn is a whole login.
func (d *desk) signIn(in sns.BeginLogin, account string) (sns.Connection, error) {
	d.t.Helper()
	l := d.begin(in)
	return d.finish(l, d.decide(l, snstest.Decision{Account: account}))
}

func (d *desk) connections() []sns.Connection {
	d.t.Helper()
	list, err := d.ListConnections(d.t.Context())
	if err != nil {
		d.t.Fatal(err)
	}
	return list
}

func (d *desk) wantNoConnection() {
	d.t.Helper()
	if list := d.connections(); len(list) != 0 {
		d.t.Errorf("%d connections are stored, want none", len(list))
	}
}
