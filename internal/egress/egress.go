// Package egress owns the two HTTP clients the workspace reaches other servers
// with.
//
// The operator client is for addresses that the person who runs the host
// configured: it goes where it is told, private networks and plain http
// included. The guarded client is for addresses that a page or an assistant
// chose: public https only, judged by the address that is really dialed, so
// that neither a host name, a redirect nor a changing DNS answer leads into the
// private network. Neither follows redirects nor uses a proxy, and both have a
// limit on every phase of a request.
//
// Of what comes back it knows what is the same for every kind of server: how an
// exchange failed, and how an answer that must be JSON is read.
package egress

import (
	"crypto/tls"
	"crypto/x509"
	"errors"
	"net"
	"net/http"
	"syscall"
	"time"

	"code.dny.dev/ssrf"

	"personal-workspace/internal/fault"
)

// The limits used where a Config says nothing.
const (
	DefaultDialTimeout   = 5 * time.Second
	DefaultTLSTimeout    = 5 * time.Second
	DefaultHeaderTimeout = 10 * time.Second
	DefaultTotalTimeout  = 20 * time.Second
)

// OriginsVariable is the setting that a blocked_origin fault names.
const OriginsVariable = "WORKSPACE_MASTODON_ORIGINS"

const (
	maxResponseHeader = 64 << 10
	idleConns         = 64
	idleConnsPerHost  = 4
	idleTimeout       = 90 * time.Second
)

// Config are the limits of a client; the zero value has the defaults.
type Config struct {
	// DialTimeout limits name resolution and connecting, TLSTimeout the
	// handshake, HeaderTimeout the wait for the answer's header.
	DialTimeout, TLSTimeout, HeaderTimeout time.Duration
	// TotalTimeout limits a whole exchange, the body included. It is the
	// client's Timeout: who uses only the client's Transport sets a limit of
	// its own.
	TotalTimeout time.Duration
	// Resolver answers names; nil is the system's.
	Resolver *net.Resolver
	// RootCAs are trusted certificate authorities; nil is the system's.
	RootCAs *x509.CertPool
}

// Operator returns the client for configured addresses.
func Operator(c Config) *http.Client {
	return c.client(c.transport(nil))
}

// Guarded returns the client for chosen addresses. An address that it may not
// contact is a blocked_origin fault naming OriginsVariable; nothing was sent.
func Guarded(c Config) *http.Client {
	return c.client(&guarded{next: c.transport(guard())})
}

// control is the hook of a net.Dialer that sees each address before it is
// dialed.
type control func(network, address string, conn syscall.RawConn) error

// guard refuses everything but public unicast addresses. Any port is allowed:
// a server may stand on another one than 443.
func guard() control {
	return ssrf.New(ssrf.WithAnyPort()).Safe
}

func (c Config) client(rt http.RoundTripper) *http.Client {
	return &http.Client{
		Transport:     rt,
		Timeout:       or(c.TotalTimeout, DefaultTotalTimeout),
		CheckRedirect: func(*http.Request, []*http.Request) error { return http.ErrUseLastResponse },
	}
}

func (c Config) transport(hook control) *http.Transport {
	dialer := &net.Dialer{
		Timeout:  or(c.DialTimeout, DefaultDialTimeout),
		Resolver: c.Resolver,
		Control:  hook,
	}
	return &http.Transport{
		Proxy:                  nil, // a proxy would dial on our behalf, past the guard
		DialContext:            dialer.DialContext,
		TLSClientConfig:        &tls.Config{MinVersion: tls.VersionTLS12, RootCAs: c.RootCAs},
		TLSHandshakeTimeout:    or(c.TLSTimeout, DefaultTLSTimeout),
		ResponseHeaderTimeout:  or(c.HeaderTimeout, DefaultHeaderTimeout),
		MaxResponseHeaderBytes: maxResponseHeader,
		MaxIdleConns:           idleConns,
		MaxIdleConnsPerHost:    idleConnsPerHost,
		IdleConnTimeout:        idleTimeout,
		ForceAttemptHTTP2:      true, // a dialer of our own turns it off otherwise
	}
}

func or(d, fallback time.Duration) time.Duration {
	if d > 0 {
		return d
	}
	return fallback
}

// guarded lets only https through and names what was blocked.
type guarded struct{ next *http.Transport }

// RoundTrip implements http.RoundTripper.
func (g *guarded) RoundTrip(req *http.Request) (*http.Response, error) {
	if req.URL.Scheme != "https" || req.URL.User != nil {
		return nil, blocked(req, nil)
	}
	res, err := g.next.RoundTrip(req)
	if err != nil && prohibited(err) {
		return nil, blocked(req, err)
	}
	return res, err
}

// CloseIdleConnections lets http.Client.CloseIdleConnections reach the
// connections behind the guard.
func (g *guarded) CloseIdleConnections() { g.next.CloseIdleConnections() }

func prohibited(err error) bool {
	for _, reason := range []error{ssrf.ErrProhibitedIP, ssrf.ErrProhibitedNetwork, ssrf.ErrProhibitedPort, ssrf.ErrInvalidHostPort} {
		if errors.Is(err, reason) {
			return true
		}
	}
	return false
}

func blocked(req *http.Request, cause error) error {
	return fault.New(fault.BlockedOrigin,
		"%s is not a public https address; list its origin in %s to allow it.", req.URL.Host, OriginsVariable).Wrap(cause)
}
