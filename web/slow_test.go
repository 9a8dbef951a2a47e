package web_test

import (
	"bufio"
	"fmt"
	"io"
	"net"
	"net/http"
	"net/http/httptest"
	"testing"
	"time"

	"personal-workspace/web"
)

// A client that announces a form and does not send it is given up, also where
// the answer does not depend on the form.
func TestSilentClientsAreGivenUp(t *testing.T) {
	w := newWorkspace(t, func(c *web.Config) { c.Auth, c.BodyTimeout = web.AuthPassword, 50*time.Millisecond })
	srv := httptest.NewServer(w.handler)
	t.Cleanup(srv.Close)
	for name, c := range map[string]struct {
		line, host string
		status     int
	}{
		"signing in":          {"POST /login", "localhost", http.StatusUnprocessableEntity},
		"setting up":          {"POST /setup/x", "localhost", http.StatusUnprocessableEntity},
		"signing out":         {"POST /logout", "localhost", http.StatusUnprocessableEntity},
		"under another name":  {"POST /login", "evil.example", http.StatusMisdirectedRequest},
		"to nothing":          {"POST /nothing", "localhost", http.StatusUnprocessableEntity},
		"with a form on GET":  {"GET /login", "localhost", http.StatusOK},
		"a health check even": {"GET /livez", "localhost", http.StatusOK},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			conn, err := (&net.Dialer{}).DialContext(t.Context(), "tcp", srv.Listener.Addr().String())
			if err != nil {
				t.Fatalf("dial: %v", err)
			}
			defer conn.Close()
			if err := conn.SetDeadline(time.Now().Add(time.Minute)); err != nil {
				t.Fatalf("SetDeadline: %v", err)
			}
			fmt.Fprintf(conn, "%s HTTP/1.1\r\nHost: %s\r\nContent-Type: application/x-www-form-urlencoded\r\nContent-Length: 100\r\n\r\np", c.line, c.host)

			r := bufio.NewReader(conn)
			res, err := http.ReadResponse(r, nil)
			if err != nil {
				t.Fatalf("no answer: %v", err)
			}
			defer res.Body.Close()
			if res.StatusCode != c.status {
				t.Errorf("the answer is %d, want %d", res.StatusCode, c.status)
			}
			if _, err := io.Copy(io.Discard, res.Body); err != nil {
				t.Errorf("read the answer: %v", err)
			}
			if _, err := r.ReadByte(); err != io.EOF {
				t.Errorf("the connection is not closed: %v", err)
			}
		})
	}
}
