package main

import (
	"bytes"
	"fmt"
	"log/slog"
	"net"
	"net/http"
	"testing"
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
