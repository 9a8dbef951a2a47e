package egress_test

import (
	"context"
	"crypto/x509"
	"errors"
	"io"
	"net"
	"net/http"
	"net/http/httptest"
	"strconv"
	"strings"
	"sync/atomic"
	"testing"
	"time"

	"personal-workspace/internal/egress"
	"personal-workspace/internal/fault"
)

func TestGuardBlocksAddress(t *testing.T) {
	for _, tc := range []struct{ name, network, address string }{
		{"loopback", "tcp4", "127.0.0.1:443"},
		{"another loopback address", "tcp4", "127.8.9.1:443"},
		{"IPv6 loopback", "tcp6", "[::1]:443"},
		{"IPv4 inside IPv6", "tcp6", "[::ffff:127.0.0.1]:443"},
		{"private IPv4 inside IPv6", "tcp6", "[::ffff:10.0.0.1]:443"},
		{"unspecified", "tcp4", "0.0.0.0:443"},
		{"IPv6 unspecified", "tcp6", "[::]:443"},
		{"private 10/8", "tcp4", "10.1.2.3:443"},
		{"private 172.16/12", "tcp4", "172.31.255.1:443"},
		{"private 192.168/16", "tcp4", "192.168.1.1:443"},
		{"link-local metadata service", "tcp4", "169.254.169.254:443"},
		{"IPv6 link-local", "tcp6", "[fe80::1]:443"},
		{"IPv6 link-local with a zone", "tcp6", "[fe80::1%lo]:443"},
		{"shared address space of tailnets", "tcp4", "100.100.1.1:443"},
		{"protocol assignments", "tcp4", "192.0.0.170:443"},
		{"benchmarking", "tcp4", "198.19.0.1:443"},
		{"reserved", "tcp4", "240.0.0.1:443"},
		{"broadcast", "tcp4", "255.255.255.255:443"},
		{"multicast", "tcp4", "224.0.0.251:443"},
		{"IPv6 multicast", "tcp6", "[ff02::1]:443"},
		{"unique local", "tcp6", "[fd7a:115c:a1e0::1]:443"},
		{"NAT64 of loopback", "tcp6", "[64:ff9b::7f00:1]:443"},
		{"6to4 of loopback", "tcp6", "[2002:7f00:1::]:443"},
		{"Teredo", "tcp6", "[2001:0:1::1]:443"},
		{"documentation", "tcp6", "[2001:db8::1]:443"},
		{"a name that nobody resolved", "tcp4", "localhost:443"},
		{"a unix socket", "unix", "/run/x.sock"},
		{"datagrams", "udp4", "93.184.216.34:443"},
	} {
		t.Run(tc.name, func(t *testing.T) {
			if err := egress.Guard(tc.network, tc.address, nil); err == nil {
				t.Errorf("guard let %s %s through", tc.network, tc.address)
			}
		})
	}
}

func TestGuardAllowsPublicAddress(t *testing.T) {
	for _, tc := range []struct{ name, network, address string }{
		{"IPv4", "tcp4", "93.184.216.34:443"},
		{"IPv4 with another port", "tcp4", "93.184.216.34:8443"},
		{"IPv6", "tcp6", "[2606:2800:220:1:248:1893:25c8:1946]:443"},
	} {
		t.Run(tc.name, func(t *testing.T) {
			if err := egress.Guard(tc.network, tc.address, nil); err != nil {
				t.Errorf("guard blocked %s: %v", tc.address, err)
			}
		})
	}
}

func TestGuardedRefusesURL(t *testing.T) {
	server, hits := tlsServer(t)
	port := server.Listener.Addr().(*net.TCPAddr).Port
	client := egress.Guarded(egress.Config{RootCAs: roots(server), Resolver: resolver(t, answers{"localhost.": {{127, 0, 0, 1}}})})
	for _, tc := range []struct{ name, url string }{
		{"loopback address", "https://127.0.0.1:PORT"},
		{"the name localhost", "https://localhost:PORT"},
		{"IPv6 loopback", "https://[::1]:PORT"},
		{"IPv4 inside IPv6", "https://[::ffff:127.0.0.1]:PORT"},
		{"unspecified address", "https://0.0.0.0:PORT"},
		{"plain http to a public address", "http://93.184.216.34"},
		{"a user in the address", "https://me@93.184.216.34"},
		{"a tailnet address", "https://100.101.102.103"},
	} {
		t.Run(tc.name, func(t *testing.T) {
			_, err := client.Get(strings.ReplaceAll(tc.url, "PORT", strconv.Itoa(port)))
			wantBlocked(t, err)
		})
	}
	if n := hits.Load(); n != 0 {
		t.Errorf("the server saw %d requests, want 0", n)
	}
}

func TestGuardedNeverReachesOddSpellingsOfLoopback(t *testing.T) {
	server, hits := tlsServer(t)
	port := server.Listener.Addr().(*net.TCPAddr).Port
	client := egress.Guarded(egress.Config{RootCAs: roots(server), Resolver: resolver(t, answers{})})
	for _, host := range []string{"127.1", "0x7f.1", "2130706433", "0177.0.0.1", "127.0.0.1.", "①②⑦.⓪.⓪.①"} {
		t.Run(host, func(t *testing.T) {
			if _, err := client.Get("https://" + host + ":" + strconv.Itoa(port)); err == nil {
				t.Errorf("%s was reached", host)
			}
		})
	}
	if n := hits.Load(); n != 0 {
		t.Errorf("the server saw %d requests, want 0", n)
	}
}

// A name that answers with a public address while someone looks and with
// loopback when it is dialed is stopped by the address that is dialed.
func TestGuardedStopsRebinding(t *testing.T) {
	server, hits := tlsServer(t)
	names := answers{"rebind.test.": {{93, 184, 216, 34}, {127, 0, 0, 1}}}
	res := resolver(t, names)
	seen, err := res.LookupHost(context.Background(), "rebind.test")
	if err != nil || len(seen) != 1 || seen[0] != "93.184.216.34" {
		t.Fatalf("first look at the name = %v, %v; want the public address", seen, err)
	}
	client := egress.Guarded(egress.Config{RootCAs: roots(server), Resolver: res})

	_, err = client.Get("https://rebind.test:" + strconv.Itoa(server.Listener.Addr().(*net.TCPAddr).Port))

	wantBlocked(t, err)
	if n := hits.Load(); n != 0 {
		t.Errorf("the server saw %d requests, want 0", n)
	}
}

func TestOperatorReachesLoopback(t *testing.T) {
	for _, tc := range []struct {
		name  string
		start func(http.Handler) *httptest.Server
	}{
		{"plain http", httptest.NewServer},
		{"https of a private authority", httptest.NewTLSServer},
	} {
		t.Run(tc.name, func(t *testing.T) {
			server := tc.start(http.HandlerFunc(func(w http.ResponseWriter, _ *http.Request) { io.WriteString(w, "here") }))
			t.Cleanup(server.Close)
			client := egress.Operator(egress.Config{RootCAs: roots(server)})
			t.Cleanup(client.CloseIdleConnections)

			res, err := client.Get(server.URL)
			if err != nil {
				t.Fatal(err)
			}
			defer res.Body.Close()
			if body, _ := io.ReadAll(res.Body); string(body) != "here" {
				t.Errorf("body = %q, want here", body)
			}
		})
	}
}

func TestRedirectsAreNotFollowed(t *testing.T) {
	target, hits := tlsServer(t)
	server := httptest.NewServer(http.RedirectHandler(target.URL, http.StatusFound))
	t.Cleanup(server.Close)
	client := egress.Operator(egress.Config{RootCAs: roots(target)})
	t.Cleanup(client.CloseIdleConnections)

	res, err := client.Get(server.URL)
	if err != nil {
		t.Fatal(err)
	}
	res.Body.Close()
	if res.StatusCode != http.StatusFound {
		t.Errorf("status = %d, want 302", res.StatusCode)
	}
	if n := hits.Load(); n != 0 {
		t.Errorf("the target saw %d requests, want 0", n)
	}
}

// A proxy would dial on our behalf, past the guard. The variables for one are
// read once per process, so only the setting itself can be tested.
func TestNoProxyIsUsed(t *testing.T) {
	for name, client := range map[string]*http.Client{"operator": egress.Operator(egress.Config{}), "guarded": egress.Guarded(egress.Config{})} {
		if egress.Proxies(client) {
			t.Errorf("the %s client uses a proxy", name)
		}
	}
}

func TestTotalTimeoutEndsASlowBody(t *testing.T) {
	server := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		w.WriteHeader(http.StatusOK)
		w.(http.Flusher).Flush()
		<-r.Context().Done()
	}))
	t.Cleanup(server.Close)
	client := egress.Operator(egress.Config{TotalTimeout: 50 * time.Millisecond})
	t.Cleanup(client.CloseIdleConnections)

	res, err := client.Get(server.URL)
	if err == nil { // else the machine was slower than that with the headers
		defer res.Body.Close()
		_, err = io.ReadAll(res.Body)
	}
	if !errors.Is(err, context.DeadlineExceeded) {
		t.Errorf("reading the body = %v, want a deadline", err)
	}
}

func TestHeaderTimeoutEndsASilentServer(t *testing.T) {
	server := httptest.NewServer(http.HandlerFunc(func(_ http.ResponseWriter, r *http.Request) { <-r.Context().Done() }))
	t.Cleanup(server.Close)
	client := egress.Operator(egress.Config{HeaderTimeout: 20 * time.Millisecond})
	t.Cleanup(client.CloseIdleConnections)

	_, err := client.Get(server.URL)

	var timeout net.Error
	if !errors.As(err, &timeout) || !timeout.Timeout() {
		t.Errorf("err = %v, want a timeout", err)
	}
}

func wantBlocked(t *testing.T, err error) {
	t.Helper()
	if code := fault.CodeOf(err); code != fault.BlockedOrigin {
		t.Fatalf("err = %v, want %s", err, fault.BlockedOrigin)
	}
	if message := fault.From(err).Message; !strings.Contains(message, "WORKSPACE_MASTODON_ORIGINS") {
		t.Errorf("message %q does not name the setting", message)
	}
}

func tlsServer(t *testing.T) (*httptest.Server, *atomic.Int64) {
	t.Helper()
	hits := &atomic.Int64{}
	server := httptest.NewTLSServer(http.HandlerFunc(func(http.ResponseWriter, *http.Request) { hits.Add(1) }))
	t.Cleanup(server.Close)
	return server, hits
}

func roots(server *httptest.Server) *x509.CertPool {
	pool := x509.NewCertPool()
	if cert := server.Certificate(); cert != nil {
		pool.AddCert(cert)
	}
	return pool
}
