package snstest

import (
	"context"
	"errors"
	"fmt"
	"net"
	"net/http"
	"sync"
	"time"
)

// host is how a mock server listens. The zero value is ready.
type host struct {
	mu     sync.Mutex // guards the listening server
	server *http.Server
	done   chan struct{}
	origin string
}

func (h *host) start(l net.Listener, handler http.Handler) (origin string, err error) {
	h.mu.Lock()
	defer h.mu.Unlock()
	if h.server != nil {
		return "", errors.New("the mock server has been started already")
	}
	h.origin = "http://" + l.Addr().String()
	h.server = &http.Server{Handler: handler, ReadHeaderTimeout: 10 * time.Second}
	h.done = make(chan struct{})
	go func() {
		defer close(h.done)
		// Serve always returns an error; after Close it is ErrServerClosed.
		_ = h.server.Serve(l)
	}()
	return h.origin, nil
}

func (h *host) startLoopback(ctx context.Context, handler http.Handler) (origin string, err error) {
	var lc net.ListenConfig
	l, err := lc.Listen(ctx, "tcp", "127.0.0.1:0")
	if err != nil {
		return "", fmt.Errorf("listen for the mock server: %w", err)
	}
	return h.start(l, handler)
}

func (h *host) where() string {
	h.mu.Lock()
	defer h.mu.Unlock()
	return h.origin
}

func (h *host) close() error {
	h.mu.Lock()
	defer h.mu.Unlock()
	if h.server == nil {
		return nil
	}
	err := h.server.Close()
	<-h.done
	return err
}

// TB is the part of testing.TB that Serve needs.
type TB interface {
	Helper()
	Cleanup(func())
	Context() context.Context
	Errorf(format string, args ...any)
	Fatalf(format string, args ...any)
}

// Server is a mock server that can be started: a Mastodon or a Relay.
type Server interface {
	// StartLoopback serves on a free port of 127.0.0.1 until Close.
	StartLoopback(ctx context.Context) (origin string, err error)
	// Close ends the server and waits for it.
	Close() error
	// Violations lists the requests that no client of ours may make.
	Violations() []string
}

// Serve starts the server for one test and returns its origin. When the test
// ends the server is closed and the test fails if a request broke a rule of
// Violations.
func Serve(tb TB, s Server) (origin string) {
	tb.Helper()
	origin, err := s.StartLoopback(tb.Context())
	if err != nil {
		tb.Fatalf("start the mock server: %v", err)
	}
	tb.Cleanup(func() {
		if err := s.Close(); err != nil {
			tb.Errorf("close the mock server: %v", err)
		}
		for _, v := range s.Violations() {
			tb.Errorf("the mock server refused a request: %s", v)
		}
	})
	return origin
}
