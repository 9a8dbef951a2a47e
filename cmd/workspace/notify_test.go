package main

import (
	"net"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"personal-workspace/internal/app"
	"personal-workspace/internal/sqlite"
)

// notifySocket plays systemd's side of sd_notify.
type notifySocket struct {
	path string
	conn *net.UnixConn
}

func newNotifySocket(t *testing.T) *notifySocket {
	t.Helper()
	path := filepath.Join(t.TempDir(), "notify")
	conn, err := net.ListenUnixgram("unixgram", &net.UnixAddr{Name: path, Net: "unixgram"})
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { conn.Close() })
	return &notifySocket{path, conn}
}

// expect waits for a message that starts with want and returns how many others
// came before it.
func (n *notifySocket) expect(t *testing.T, want string) (others int) {
	t.Helper()
	if err := n.conn.SetReadDeadline(time.Now().Add(waitLimit)); err != nil {
		t.Fatal(err)
	}
	buf := make([]byte, 4096)
	for {
		size, err := n.conn.Read(buf)
		if err != nil {
			t.Fatalf("wait for %s: %v", want, err)
		}
		if strings.HasPrefix(string(buf[:size]), want) {
			return others
		}
		others++
	}
}

func TestSystemdHearsReadyWatchdogAndStopping(t *testing.T) {
	n := newNotifySocket(t)
	p := start(t, serveCmd(t, t.TempDir(), "NOTIFY_SOCKET="+n.path, "WATCHDOG_USEC=400000"))
	n.expect(t, "READY=1\nSTATUS=Serving "+p.base)
	for range 3 {
		n.expect(t, "WATCHDOG=1")
	}
	p.stop(t)
	n.expect(t, "STOPPING=1")
}

func TestWithoutWatchdogNoPing(t *testing.T) {
	n := newNotifySocket(t)
	p := start(t, serveCmd(t, t.TempDir(), "NOTIFY_SOCKET="+n.path))
	if others := n.expect(t, "READY=1"); others != 0 {
		t.Errorf("%d messages before READY=1, want none", others)
	}
	p.stop(t)
	if others := n.expect(t, "STOPPING=1"); others != 0 {
		t.Errorf("%d messages between READY=1 and STOPPING=1, want none", others)
	}
}

// activated is a server that gets the listener as systemd passes it: LISTEN_PID
// must be the server's own process, which a shell that replaces itself has.
func activated(t *testing.T, l *net.TCPListener, settings ...string) *exec.Cmd {
	t.Helper()
	file, err := l.File()
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { file.Close() })
	cmd := exec.Command("/bin/sh", "-c", `LISTEN_PID=$$ exec "$0" serve`, builtProgram(t))
	cmd.ExtraFiles = []*os.File{file}
	cmd.Env = environ(append([]string{
		"WORKSPACE_DATA_DIR=" + t.TempDir(), "WORKSPACE_AUTH=none", "LISTEN_FDS=1", "LISTEN_FDNAMES=http",
	}, settings...)...)
	return cmd
}

func TestSocketActivation(t *testing.T) {
	tests := []struct {
		name     string
		settings []string
	}{
		{"nothing is configured", nil},
		{"asked for", []string{"WORKSPACE_LISTEN=systemd:"}},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			l, err := net.ListenTCP("tcp", &net.TCPAddr{IP: net.IPv4(127, 0, 0, 1)})
			if err != nil {
				t.Fatal(err)
			}
			defer l.Close()
			p := start(t, activated(t, l, tt.settings...))
			if want := "http://" + l.Addr().String(); p.base != want {
				t.Errorf("serves %s, want the passed socket %s", p.base, want)
			}
			if got := newClient(p.base).get(t, "/readyz"); strings.TrimSpace(got) != "ok" {
				t.Errorf("/readyz = %q, want ok", got)
			}
			p.stop(t)
		})
	}
}

// The watchdog is fed only while the database answers: a server that hangs is
// restarted, one that only looks alive as well.
func TestWatchdogStarvesWhileTheDatabaseIsLocked(t *testing.T) {
	n, dataDir := newNotifySocket(t), t.TempDir()
	p := start(t, serveCmd(t, dataDir, "NOTIFY_SOCKET="+n.path, "WATCHDOG_USEC=200000"))
	n.expect(t, "WATCHDOG=1")
	s, err := app.OpenKeyless(t.Context(), app.Config{DataDir: dataDir})
	if err != nil {
		t.Fatal(err)
	}
	defer s.Close()
	err = s.DB.Write(t.Context(), func(tx *sqlite.Tx) error {
		until(t, "a second without a message while the database is locked", func() bool { return n.drain(t, time.Second) == 0 })
		return nil
	})
	if err != nil {
		t.Fatal(err)
	}
	n.expect(t, "WATCHDOG=1")
	p.stop(t)
}

// drain counts the messages within d.
func (n *notifySocket) drain(t *testing.T, d time.Duration) (count int) {
	t.Helper()
	if err := n.conn.SetReadDeadline(time.Now().Add(d)); err != nil {
		t.Fatal(err)
	}
	for buf := make([]byte, 4096); ; count++ {
		if _, err := n.conn.Read(buf); err != nil {
			return count
		}
	}
}
