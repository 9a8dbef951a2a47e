package e2e_test

import (
	"context"
	"errors"
	"net"
	"net/http"
	"net/url"
	"path/filepath"
	"strings"
	"sync"
	"sync/atomic"
	"testing"
	"time"

	"github.com/mxschmitt/playwright-go"

	"personal-workspace/internal/app"
	"personal-workspace/internal/app/config"
	"personal-workspace/internal/ledger"
	"personal-workspace/internal/sqlite/sqlitetest"
	"personal-workspace/sns/snstest"
)

// workspace is a running workspace.
type workspace struct {
	app *app.App
	// browser is the one that the test has.
	browser playwright.Browser
	// url is where it is reached, without the last slash.
	url string
	// demo are the sample servers behind it, nil without any.
	demo *snstest.Demo
	// ahead is how far its clock is ahead of the real one.
	ahead atomic.Int64
}

func (w *workspace) now() time.Time { return time.Now().Add(time.Duration(w.ahead.Load())) }

// pass lets time go by for the workspace: what was fetched is then old.
func (w *workspace) pass(d time.Duration) { w.ahead.Add(int64(d)) }

// options of a workspace. The zero value is an empty one that asks for no
// sign-in.
type options struct {
	demo bool
	// servers runs the sample servers without connecting their accounts.
	servers bool
	auth    config.Auth
	// base is a base path such as "/ws/".
	base string
}

// start runs a workspace until the test ends, which runs beside others from here.
func start(t *testing.T, o options) *workspace {
	t.Helper()
	w := &workspace{browser: take(t)}
	l, err := (&net.ListenConfig{}).Listen(t.Context(), "tcp", "127.0.0.1:0")
	if err != nil {
		t.Fatal(err)
	}
	w.url = strings.TrimSuffix("http://"+l.Addr().String()+o.base, "/")
	c := app.Config{
		DataDir: t.TempDir(), Listen: []net.Addr{l.Addr()}, Auth: o.auth, Demo: o.demo,
		Version: "e2e", Now: w.now,
	}
	if c.Auth == "" {
		c.Auth = config.AuthNone
	}
	if o.base != "" {
		if c.Origin, err = url.Parse(w.url); err != nil {
			t.Fatal(err)
		}
	}
	if o.demo || o.servers {
		w.startDemo(t, &c)
	}
	sqlitetest.Seed(t, filepath.Join(c.DataDir, "workspace.sqlite"))
	if w.app, err = app.New(t.Context(), c); err != nil {
		t.Fatal(err)
	}
	w.serve(t, l)
	if o.demo {
		w.fill(t)
	}
	return w
}

func (w *workspace) startDemo(t *testing.T, c *app.Config) {
	t.Helper()
	var err error
	if w.demo, err = snstest.StartDemo(t.Context(), snstest.DemoConfig{Now: w.now}); err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() {
		if err := w.demo.Close(); err != nil {
			t.Errorf("close the demo: %v", err)
		}
		for _, v := range w.demo.Relay().Violations() {
			t.Errorf("the relay refused a request: %s", v)
		}
	})
	c.MastodonOrigins, c.DemoMedia = w.demo.Origins(), w.demo.Media()
	c.TwitterRelays = []string{w.demo.Relay().Origin()}
}

func (w *workspace) fill(t *testing.T) {
	t.Helper()
	ctx := ledger.WithActor(t.Context(), ledger.Actor{Kind: ledger.Person, ID: "e2e"})
	if err := w.app.FillDemo(ctx, w.demo); err != nil {
		t.Fatal(err)
	}
}

// serve answers on l, with the work in the background, until the test ends.
func (w *workspace) serve(t *testing.T, l net.Listener) {
	t.Helper()
	ctx, stop := context.WithCancel(context.WithoutCancel(t.Context()))
	srv := &http.Server{Handler: w.app.Handler, ReadHeaderTimeout: time.Minute}
	var wg sync.WaitGroup
	wg.Go(func() {
		if err := srv.Serve(l); !errors.Is(err, http.ErrServerClosed) {
			t.Errorf("serve: %v", err)
		}
	})
	wg.Go(func() {
		if err := w.app.Run(ctx); err != nil {
			t.Errorf("run: %v", err)
		}
	})
	t.Cleanup(func() {
		w.app.CloseStreams()
		stop()
		err := srv.Close()
		wg.Wait()
		if err := errors.Join(err, w.app.Close()); err != nil {
			t.Errorf("close: %v", err)
		}
	})
}

// deck is the path of the demo's first deck, below the base path.
func (w *workspace) deck(t *testing.T) string {
	t.Helper()
	list, err := w.app.Decks.ListDecks(t.Context())
	if err != nil || len(list) == 0 {
		t.Fatalf("the demo has no deck: %v", err)
	}
	return "/decks/" + list[0].ID
}
