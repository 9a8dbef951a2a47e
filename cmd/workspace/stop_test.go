package main

import (
	"bytes"
	"context"
	"net"
	"net/http"
	"path/filepath"
	"strings"
	"syscall"
	"testing"
	"time"

	"personal-workspace/internal/sqlite"
	"personal-workspace/internal/sqlite/sqlitetest"
	"personal-workspace/sns/snstest"
)

// stopLimit is how long a stop may take, whatever is under way.
const stopLimit = 10 * time.Second

// The stop takes ten seconds at most, whatever is under way: a tool call whose
// upstream does not answer, and a connection that never sent a request.
func TestStopDoesNotWaitForASlowUpstream(t *testing.T) {
	dataDir := t.TempDir()
	m := snstest.NewMastodon(snstest.Options{})
	snstest.Serve(t, m)
	conn, err := connect(t.Context(), t, dataDir, m.Origin(), m.Token(), "slow")
	if err != nil {
		t.Fatal(err)
	}
	asked := make(chan struct{})
	m.Inject("/api/v1/timelines/home", 1, func(_ http.ResponseWriter, r *http.Request, _ http.Handler) {
		close(asked)
		<-r.Context().Done()
	})
	p := start(t, serveCmd(t, dataDir))
	silent, err := net.Dial("tcp", strings.TrimPrefix(p.base, "http://"))
	if err != nil {
		t.Fatal(err)
	}
	defer silent.Close()
	called := make(chan error, 1)
	go func() {
		var page postsResult
		called <- newClient(p.base).call(t.Context(), "fetch_posts", map[string]any{"connectionId": conn, "source": map[string]any{"kind": "home"}}, &page)
	}()
	select {
	case <-asked:
	case err := <-called:
		t.Fatalf("the call ended before its upstream was asked: %v", err)
	case <-time.After(waitLimit):
		t.Fatal("the upstream was not asked")
	}
	took := p.stop(t)
	t.Logf("stopped in %v", took)
	if took > stopLimit {
		t.Errorf("the stop took %v, want at most 10 s", took)
	}
	if err := <-called; err == nil {
		t.Error("the call succeeded although its upstream never answered")
	}
}

// holdLock keeps the database's write lock from the workspace until the test ends.
func holdLock(t *testing.T, dataDir string) {
	t.Helper()
	db := sqlitetest.OpenAt(t, filepath.Join(dataDir, "workspace.sqlite"))
	held, free, done := make(chan struct{}), make(chan struct{}), make(chan error, 1)
	go func() {
		done <- db.Write(context.Background(), func(*sqlite.Tx) error { close(held); <-free; return nil })
	}()
	<-held
	t.Cleanup(func() {
		close(free)
		if err := <-done; err != nil {
			t.Errorf("hold the lock: %v", err)
		}
	})
}

// Another process that holds the write lock delays neither an idle stop nor one
// with unwritten records beyond what is promised.
func TestStopWhileAnotherProcessHoldsTheLock(t *testing.T) {
	t.Run("idle", func(t *testing.T) {
		dataDir := t.TempDir()
		p := start(t, serveCmd(t, dataDir))
		holdLock(t, dataDir)
		if took := p.stop(t); took > 4*time.Second {
			t.Errorf("the stop took %v, want less than the busy timeout", took)
		}
		if strings.Contains(p.stderr.String(), "in time") {
			t.Errorf("an idle stop waits for the lock; standard error:\n%s", p.stderr)
		}
	})
	t.Run("with tool calls to record", func(t *testing.T) {
		dataDir := t.TempDir()
		p := start(t, serveCmd(t, dataDir))
		silent, err := net.Dial("tcp", strings.TrimPrefix(p.base, "http://"))
		if err != nil {
			t.Fatal(err)
		}
		defer silent.Close()
		holdLock(t, dataDir)
		if err := newClient(p.base).call(t.Context(), "list_connections", map[string]any{}, &struct{}{}); err != nil {
			t.Fatal(err)
		}
		asked := time.Now()
		if err := p.cmd.Process.Signal(syscall.SIGTERM); err != nil {
			t.Fatal(err)
		}
		ended := p.wait(t) // the lost record may be an error
		took := time.Since(asked)
		t.Logf("stopped in %v: %v\n%s", took, ended, p.stderr)
		if took > stopLimit {
			t.Errorf("the stop took %v, want at most 10 s", took)
		}
	})
}

func TestLogFormat(t *testing.T) {
	tests := []struct {
		name, format string
		environ      []string
		json         bool
	}{
		{"auto at a terminal", "auto", nil, false},
		{"auto under systemd", "auto", []string{"JOURNAL_STREAM=8:1234"}, true},
		{"text under systemd", "text", []string{"JOURNAL_STREAM=8:1234"}, false},
		{"json at a terminal", "json", nil, true},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			var b bytes.Buffer
			in := &invocation{environ: tt.environ, stderr: &b}
			in.logger(tt.format).Info("hello")
			if got := strings.HasPrefix(b.String(), "{"); got != tt.json {
				t.Errorf("log line = %q, want JSON: %v", b.String(), tt.json)
			}
		})
	}
}

func TestShellWord(t *testing.T) {
	tests := []struct{ in, want string }{
		{"serve", "serve"},
		{"--data-dir=/var/lib/ws", "--data-dir=/var/lib/ws"},
		{"", "''"},
		{"two words", "'two words'"},
		{"it's", `'it'\''s'`},
		{"#1234", "'#1234'"},
		{"$HOME", "'$HOME'"},
	}
	for _, tt := range tests {
		if got := shellWord(tt.in); got != tt.want {
			t.Errorf("shellWord(%q) = %s, want %s", tt.in, got, tt.want)
		}
	}
}
