package mcp_test

import (
	"bufio"
	"fmt"
	"io"
	"net"
	"net/http"
	"strings"
	"testing"
	"time"

	"personal-workspace/mcp"
	"personal-workspace/sns"
)

// A client that announces a request and does not send it is given up, also
// where the answer does not depend on the request.
func TestSilentClientsAreGivenUp(t *testing.T) {
	w := newWorld(t, func(_ *sns.Config, c *mcp.Config) { c.BodyTimeout = 50 * time.Millisecond })
	address := strings.TrimPrefix(w.serve(t), "http://")
	for name, c := range map[string]struct {
		method, path, host string
		status             int
	}{
		"a call":              {"POST", "/mcp", "localhost", http.StatusBadRequest},
		"under another name":  {"POST", "/mcp", "evil.example", http.StatusForbidden},
		"to unknown research": {"POST", "/mcp?research=x", "localhost", http.StatusNotFound},
		"with another method": {"DELETE", "/mcp", "localhost", http.StatusMethodNotAllowed},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			conn, err := (&net.Dialer{}).DialContext(t.Context(), "tcp", address)
			if err != nil {
				t.Fatalf("dial: %v", err)
			}
			defer conn.Close()
			if err := conn.SetDeadline(time.Now().Add(time.Minute)); err != nil {
				t.Fatalf("SetDeadline: %v", err)
			}
			fmt.Fprintf(conn, "%s %s HTTP/1.1\r\nHost: %s\r\nContent-Type: application/json\r\nContent-Length: 100\r\n\r\n{", c.method, c.path, c.host)

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
