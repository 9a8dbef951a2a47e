package main

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"log/slog"
	"net"
	"net/http"
	"testing"
	"testing/synctest"
	"time"

	"personal-workspace/internal/app"
)

// A client that asks and reads nothing must not hold what answers it for ever.
func TestClientThatReadsNothingIsGivenUp(t *testing.T) {
	ended := make(chan error, 1)
	s := &server{log: slog.New(slog.DiscardHandler), answerTimeout: 50 * time.Millisecond, app: &app.App{
		Handler: http.HandlerFunc(func(w http.ResponseWriter, _ *http.Request) {
			part := bytes.Repeat([]byte("x"), 1<<20)
			for {
				if _, err := w.Write(part); err != nil {
					ended <- err
					return
				}
			}
		}),
	}}
	h := s.httpServer(t.Context())
	l, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		t.Fatal(err)
	}
	served := make(chan error, 1)
	go func() { served <- serveOn(h, l) }()
	conn, err := net.Dial("tcp", l.Addr().String())
	if err != nil {
		t.Fatal(err)
	}
	fmt.Fprint(conn, "GET / HTTP/1.1\r\nHost: localhost\r\n\r\n")

	select {
	case <-ended:
	case <-time.After(waitLimit):
		t.Error("the answer is still being written")
	}
	conn.Close()
	if err := h.Close(); err != nil {
		t.Error(err)
	}
	if err := <-served; err != nil {
		t.Error(err)
	}
}

// A database that is busy for a moment, as with a slow disk, must not cost the
// process its life.
func TestWatchdogOutlivesOneMiss(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		const interval = 30 * time.Second
		s := &server{log: slog.New(slog.DiscardHandler)}
		ctx, cancel := context.WithCancel(t.Context())
		asked := 0
		ready := func(context.Context) error {
			if asked++; asked == 2 {
				<-time.After(time.Second) // it does not answer in time
				return errors.New("busy")
			}
			return nil
		}
		last, longest := time.Now(), time.Duration(0)
		go s.feed(ctx, interval, ready, func() {
			longest, last = max(longest, time.Since(last)), time.Now()
		})

		<-time.After(2 * interval)
		cancel()
		synctest.Wait()

		if longest > interval*3/4 {
			t.Errorf("fed after %v at the latest, want well within %v", longest, interval)
		}
	})
}
