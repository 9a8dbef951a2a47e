package app_test

import (
	"context"
	"encoding/json"
	"log/slog"
	"net"
	"net/http"
	"net/http/httptest"
	"net/url"
	"os"
	"path/filepath"
	"strings"
	"sync"
	"testing"
	"time"

	"personal-workspace/internal/app"
	"personal-workspace/internal/app/config"
	"personal-workspace/sns"
	"personal-workspace/sns/snstest"
)

func newApp(t *testing.T, c app.Config) *app.App {
	t.Helper()
	if c.DataDir == "" {
		c.DataDir = t.TempDir()
	}
	a, err := app.New(t.Context(), c)
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() {
		if err := a.Close(); err != nil {
			t.Errorf("close the app: %v", err)
		}
	})
	return a
}

// running starts the app's background work and stops it with the test.
func running(t *testing.T, a *app.App) {
	t.Helper()
	ctx, cancel := context.WithCancel(context.Background())
	done := make(chan error, 1)
	go func() { done <- a.Run(ctx) }()
	t.Cleanup(func() {
		cancel()
		if err := <-done; err != nil {
			t.Errorf("Run = %v, want nil after a normal stop", err)
		}
	})
}

func TestBaseURL(t *testing.T) {
	origin := &url.URL{Scheme: "https", Host: "ws.example.org", Path: "/ws"}
	tests := []struct {
		name string
		c    app.Config
		want string
	}{
		{"public address", app.Config{Origin: origin, Listen: []net.Addr{tcp("127.0.0.1")}}, "https://ws.example.org/ws"},
		{"first TCP listener", app.Config{Listen: []net.Addr{&net.UnixAddr{Name: "/s", Net: "unix"}, tcp("192.168.1.2")}}, "http://192.168.1.2:3000"},
		{"all addresses", app.Config{Listen: []net.Addr{tcp("0.0.0.0")}}, "http://127.0.0.1:3000"},
		{"all addresses and a name", app.Config{Listen: []net.Addr{tcp("::")}, Hosts: []string{"nas.lan"}}, "http://nas.lan:3000"},
		{"all addresses and a name with a port", app.Config{Listen: []net.Addr{tcp("::")}, Hosts: []string{"nas.lan:80"}}, "http://nas.lan:80"},
		{"only a socket", app.Config{Listen: []net.Addr{&net.UnixAddr{Name: "/s", Net: "unix"}}}, "http://localhost"},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			if got := newApp(t, tt.c).BaseURL(); got != tt.want {
				t.Errorf("BaseURL = %q, want %q", got, tt.want)
			}
		})
	}
}

func TestSetupURL(t *testing.T) {
	origin := &url.URL{Scheme: "https", Host: "ws.example.org", Path: "/ws"}
	link, err := newApp(t, app.Config{Origin: origin}).SetupURL(t.Context())
	if err != nil || !strings.HasPrefix(link, "https://ws.example.org/ws/setup/") {
		t.Errorf("SetupURL = %q, %v; want a link under the public address", link, err)
	}
	link, err = newApp(t, app.Config{Auth: config.AuthNone}).SetupURL(t.Context())
	if err != nil || link != "" {
		t.Errorf("SetupURL without sign-in = %q, %v; want none", link, err)
	}
}

func TestChangesOfAnotherProcessWakeTheLedger(t *testing.T) {
	m := snstest.NewMastodon(snstest.Options{})
	snstest.Serve(t, m)
	c := app.Config{DataDir: t.TempDir()}
	a := newApp(t, c)
	running(t, a)
	other, err := app.OpenStore(t.Context(), c)
	if err != nil {
		t.Fatal(err)
	}
	defer other.Close()
	sub := a.Store.Ledger.Subscribe()
	defer sub.Close()

	if _, err := other.Posts.AddMastodon(t.Context(), sns.AddMastodon{Origin: m.Origin(), Operator: true}); err != nil {
		t.Fatal(err)
	}

	select {
	case <-sub.C:
	case <-time.After(time.Minute):
		t.Fatal("the ledger did not wake")
	}
	list, err := a.Store.Posts.ListConnections(t.Context())
	if err != nil || len(list) != 1 {
		t.Errorf("connections = %v, %v; want the one that the other process added", list, err)
	}
}

func TestFirstStartsAtTheSameTime(t *testing.T) {
	dir := filepath.Join(t.TempDir(), "new")
	var starts sync.WaitGroup
	for range 6 {
		starts.Go(func() {
			s, err := app.OpenStore(context.Background(), app.Config{DataDir: dir})
			if err != nil {
				t.Errorf("OpenStore: %v", err)
				return
			}
			if err := s.Close(); err != nil {
				t.Errorf("close: %v", err)
			}
		})
	}
	starts.Wait()
}

func TestReadyFailsWhenTheDatabaseIsClosed(t *testing.T) {
	a := newApp(t, app.Config{})
	if err := a.Ready(t.Context()); err != nil {
		t.Fatalf("Ready = %v, want nil", err)
	}
	db := a.Store.DB
	if err := db.Close(); err != nil {
		t.Fatal(err)
	}
	if err := a.Ready(t.Context()); err == nil {
		t.Error("Ready = nil over a closed database")
	}
}

func TestReadinessWarnsOfAccountsThatMustSignInAgain(t *testing.T) {
	m := snstest.NewMastodon(snstest.Options{})
	snstest.Serve(t, m)
	a := newApp(t, app.Config{})
	if _, err := a.Store.Posts.AddMastodon(t.Context(), sns.AddMastodon{Origin: m.Origin(), Token: m.Token(), Operator: true}); err != nil {
		t.Fatal(err)
	}
	if got := readyz(t, a); got != "ok\n" {
		t.Errorf("/readyz with a connected account = %q, want ok", got)
	}
	if _, err := a.Store.Posts.ForgetSecrets(t.Context()); err != nil {
		t.Fatal(err)
	}
	if got := readyz(t, a); got != "ok, warnings\n" {
		t.Errorf("/readyz with an account that must sign in again = %q, want ok, warnings", got)
	}
}

func TestReadinessWarnsOfX(t *testing.T) {
	relay := snstest.NewRelay(snstest.RelayOptions{})
	origin, err := relay.StartLoopback(t.Context())
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { _ = relay.Close() })
	a := newApp(t, app.Config{Auth: config.AuthNone, TwitterCatalog: filepath.Join(t.TempDir(), "gone.ndjson")})
	c, err := a.Store.Posts.AddTwitter(t.Context(), sns.AddTwitter{Relay: origin, Profile: "a1", Operator: true})
	if err != nil {
		t.Fatal(err)
	}
	relay.Inject("*", 1, snstest.Locked())
	if _, err := a.Store.Posts.TestConnection(t.Context(), c.ID); err != nil {
		t.Fatal(err)
	}
	settings := httptest.NewRecorder()
	r := httptest.NewRequestWithContext(t.Context(), http.MethodGet, "/settings", nil)
	r.Host = "localhost"
	a.Handler.ServeHTTP(settings, r)

	for _, want := range []string{
		"The catalogue of X in WORKSPACE_TWITTER_CATALOG cannot be used (no such file or directory)",
		"The account @ann on X is not read; the page Connections says what to do in the relay’s browser.",
	} {
		if !strings.Contains(settings.Body.String(), want) {
			t.Errorf("the settings lack %q", want)
		}
	}
}

func TestReadinessEndsWhenTheDatabaseIsNotInItsPlace(t *testing.T) {
	dir := t.TempDir()
	path := filepath.Join(dir, "workspace.sqlite")
	var log strings.Builder
	a := newApp(t, app.Config{DataDir: dir, Log: slog.New(slog.NewTextHandler(&log, nil))})
	steps := []struct {
		name         string
		do           func() error
		want, logged string
	}{
		{"moved", func() error { return os.Rename(path, path+".old") }, "not ready\n", "removed or moved"},
		{"replaced", func() error { return os.WriteFile(path, nil, 0o600) }, "not ready\n", "was replaced"},
		{"put back", func() error { return os.Rename(path+".old", path) }, "ok\n", ""},
	}
	for _, s := range steps {
		log.Reset()
		if err := s.do(); err != nil {
			t.Fatal(err)
		}
		if got := readyz(t, a); got != s.want || !strings.Contains(log.String(), s.logged) {
			t.Errorf("%s: /readyz = %q with the log %q, want %q and %q", s.name, got, log.String(), s.want, s.logged)
		}
	}
}

func readyz(t *testing.T, a *app.App) string {
	t.Helper()
	r := httptest.NewRequestWithContext(t.Context(), http.MethodGet, "/readyz", nil)
	r.Host = "localhost"
	w := httptest.NewRecorder()
	a.Handler.ServeHTTP(w, r)
	return w.Body.String()
}

func TestRoutesUnderTheBasePath(t *testing.T) {
	origin := &url.URL{Scheme: "https", Host: "ws.example.org", Path: "/ws"}
	a := newApp(t, app.Config{Origin: origin})
	tests := []struct {
		name, method, target string
		want                 int
	}{
		{"health", http.MethodGet, "/livez", 200},
		{"health under the base path", http.MethodGet, "/ws/livez", 200},
		{"mcp", http.MethodGet, "/mcp", 405},
		{"mcp under the base path", http.MethodGet, "/ws/mcp", 405},
		{"below mcp", http.MethodGet, "/mcp/x", 404},
		{"well-known", http.MethodGet, "/.well-known/oauth-protected-resource", 404},
		{"well-known under the base path", http.MethodGet, "/ws/.well-known/oauth-protected-resource/mcp", 404},
		{"page asks to sign in", http.MethodGet, "/ws/decks", 303},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			r := httptest.NewRequestWithContext(t.Context(), tt.method, tt.target, nil)
			r.Host = "ws.example.org"
			w := httptest.NewRecorder()
			a.Handler.ServeHTTP(w, r)
			if w.Code != tt.want {
				t.Errorf("%s %s = %d, want %d", tt.method, tt.target, w.Code, tt.want)
			}
		})
	}
}

func TestDemoIsFullAtTheFirstLook(t *testing.T) {
	demo, err := snstest.StartDemo(t.Context(), snstest.DemoConfig{})
	if err != nil {
		t.Fatal(err)
	}
	defer demo.Close()
	a := newApp(t, app.Config{Auth: config.AuthNone, Demo: true, MastodonOrigins: demo.Origins()})
	if err := a.FillDemo(t.Context(), demo); err != nil {
		t.Fatal(err)
	}
	decks, err := a.Decks.ListDecks(t.Context())
	if err != nil || len(decks) != len(demo.Decks()) || decks[0].ColumnCount != 6 {
		t.Fatalf("decks = %+v, %v; want those of the demo, the first with six columns", decks, err)
	}
	for _, listed := range decks {
		deck, err := a.Decks.GetDeck(t.Context(), listed.ID)
		if err != nil {
			t.Fatal(err)
		}
		for _, c := range deck.Columns {
			page, err := a.Store.Posts.StoredPosts(t.Context(), c.ConnectionID, c.Source, sns.StoredQuery{Limit: sns.MaxPage})
			if err != nil || len(page.Posts) < 3 {
				t.Errorf("column %q has %d stored posts, %v; want some", c.Title, len(page.Posts), err)
			}
			// The names of made-up people may be somebody's there.
			if raw, err := json.Marshal(page.Posts); err != nil || strings.Contains(string(raw), "https://x.com") {
				t.Errorf("column %q leads to x.com (%v)", c.Title, err)
			}
		}
	}
}
