package main

import (
	"context"
	"errors"
	"fmt"
	"log/slog"
	"net"
	"net/http"
	"time"

	"github.com/coreos/go-systemd/v22/daemon"
	"golang.org/x/sync/errgroup"

	"personal-workspace/internal/app"
)

// Limits of the HTTP server. answerTimeout is how long a whole answer may take,
// from the request's header on; streams set a deadline of their own before each
// write.
const (
	headerTimeout = 5 * time.Second
	answerTimeout = 2 * time.Minute
	idleTimeout   = 2 * time.Minute
	maxHeader     = 64 << 10
)

// The stop takes ten seconds at most: requests get drainTime to finish, then
// cutTime to notice that they are canceled; the rest is the wiring's.
const (
	drainTime = 3 * time.Second
	cutTime   = time.Second
)

// server runs an app behind its listeners.
type server struct {
	app       *app.App
	listeners []net.Listener
	// beside runs as long as the server; nil is nothing.
	beside        func(context.Context) error
	answerTimeout time.Duration
	log           *slog.Logger
}

// run serves until ctx ends or a part fails. ready is called once requests are
// answered. It returns when everything has stopped.
func (s *server) run(ctx context.Context, ready func() error) error {
	work, stopWork := context.WithCancel(context.WithoutCancel(ctx))
	defer stopWork()
	g, failed := errgroup.WithContext(work)
	requests, cutRequests := context.WithCancel(work)
	defer cutRequests()
	h := s.httpServer(requests)
	g.Go(func() error { return s.app.Run(failed) })
	g.Go(func() error { return s.feedWatchdog(failed) })
	for _, l := range s.listeners {
		g.Go(func() error { return serveOn(h, l) })
	}
	if s.beside != nil {
		g.Go(func() error { return s.beside(failed) })
	}
	g.Go(func() error { return s.sayReady(failed, ready) })
	select {
	case <-ctx.Done():
	case <-failed.Done():
	}
	s.notify(daemon.SdNotifyStopping)
	s.shutdown(h, cutRequests)
	stopWork()
	return g.Wait()
}

func (s *server) httpServer(requests context.Context) *http.Server {
	h := &http.Server{
		Handler:           s.app.Handler,
		ReadHeaderTimeout: headerTimeout,
		WriteTimeout:      s.answerTimeout,
		IdleTimeout:       idleTimeout,
		MaxHeaderBytes:    maxHeader,
		BaseContext:       func(net.Listener) context.Context { return requests },
		ErrorLog:          slog.NewLogLogger(s.log.Handler(), slog.LevelWarn),
	}
	h.RegisterOnShutdown(s.app.CloseStreams)
	return h
}

func serveOn(h *http.Server, l net.Listener) error {
	if err := h.Serve(l); !errors.Is(err, http.ErrServerClosed) {
		return fmt.Errorf("serve on %s: %w", l.Addr(), err)
	}
	return nil
}

// sayReady tells the person and systemd, once the database is proved to work.
func (s *server) sayReady(ctx context.Context, ready func() error) error {
	if err := s.app.Ready(ctx); err != nil {
		return fmt.Errorf("the database does not work: %w", err)
	}
	if err := ready(); err != nil {
		return err
	}
	s.notify(daemon.SdNotifyReady + "\nSTATUS=Serving " + s.app.BaseURL())
	return nil
}

// shutdown lets requests finish for a while, then cancels what is left.
func (s *server) shutdown(h *http.Server, cutRequests func()) {
	drain, cancel := context.WithTimeout(context.Background(), drainTime)
	defer cancel()
	if h.Shutdown(drain) == nil {
		return
	}
	cutRequests()
	cut, cancel := context.WithTimeout(context.Background(), cutTime)
	defer cancel()
	if err := h.Shutdown(cut); err != nil {
		s.log.Warn("requests did not end in time; their connections are closed")
		h.Close() //nolint:errcheck // the process ends
	}
}

// feedWatchdog tells systemd that the process is alive, as long as the database
// answers. Without a watchdog it returns at once.
func (s *server) feedWatchdog(ctx context.Context) error {
	interval, err := daemon.SdWatchdogEnabled(false)
	if err != nil || interval <= 0 {
		return err
	}
	s.feed(ctx, interval, s.app.Ready, func() { s.notify(daemon.SdNotifyWatchdog) })
	return nil
}

// feedsPerInterval is how often the watchdog is fed in its interval: after one miss
// there is time for another look.
const feedsPerInterval = 4

// feed calls fed several times in each interval, as long as ready has no error,
// until ctx ends.
func (s *server) feed(ctx context.Context, interval time.Duration, ready func(context.Context) error, fed func()) {
	tick := time.NewTicker(interval / feedsPerInterval)
	defer tick.Stop()
	for {
		if err := ready(ctx); err == nil {
			fed()
		} else if ctx.Err() == nil {
			s.log.ErrorContext(ctx, "the database does not answer; the watchdog is not fed", "err", err)
		}
		select {
		case <-ctx.Done():
			return
		case <-tick.C:
		}
	}
}

func (s *server) notify(state string) {
	if _, err := daemon.SdNotify(false, state); err != nil {
		s.log.Warn("systemd was not notified", "err", err)
	}
}
