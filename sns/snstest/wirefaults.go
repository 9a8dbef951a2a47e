package snstest

import (
	"bytes"
	"compress/gzip"
	"io"
	"net"
	"net/http"
	"time"
)

// Delay lets the route answer after a while, unless the client leaves first.
func Delay(d time.Duration) Fault {
	return func(w http.ResponseWriter, r *http.Request, route http.Handler) {
		if wait(r, d) {
			route.ServeHTTP(w, r)
		}
	}
}

// Hang never answers: it ends when the client leaves or the server closes.
func Hang() Fault {
	return func(_ http.ResponseWriter, r *http.Request, _ http.Handler) {
		readForm(r)
		<-r.Context().Done()
	}
}

// readForm takes what a client sends before the wait for it: a server notices
// that a client has left only behind the body.
func readForm(r *http.Request) { _ = r.ParseForm() }

// Trickle sends a JSON array one byte per interval, without end.
func Trickle(interval time.Duration) Fault {
	return func(w http.ResponseWriter, r *http.Request, _ http.Handler) {
		w.Header().Set("Content-Type", "application/json; charset=utf-8")
		control := http.NewResponseController(w)
		next := []byte("[")
		for {
			if _, err := w.Write(next); err != nil {
				return
			}
			if control.Flush() != nil || !wait(r, interval) {
				return
			}
			next = []byte(" ")
		}
	}
}

// wait reports whether the time passed before the client left.
func wait(r *http.Request, d time.Duration) bool {
	readForm(r)
	t := time.NewTimer(d)
	defer t.Stop()
	select {
	case <-t.C:
		return true
	case <-r.Context().Done():
		return false
	}
}

// Spaces sends a body of n spaces in an array, to be refused by a size limit.
func Spaces(n int64) Fault {
	return func(w http.ResponseWriter, _ *http.Request, _ http.Handler) {
		w.Header().Set("Content-Type", "application/json; charset=utf-8")
		_ = writeSpaces(w, n)
	}
}

// GzipBomb sends n spaces in an array, compressed about a thousand times, to a
// client that accepts gzip.
func GzipBomb(n int64) Fault {
	return func(w http.ResponseWriter, _ *http.Request, _ http.Handler) {
		w.Header().Set("Content-Type", "application/json; charset=utf-8")
		w.Header().Set("Content-Encoding", "gzip")
		z := gzip.NewWriter(w)
		if writeSpaces(z, n) == nil {
			_ = z.Close()
		}
	}
}

func writeSpaces(w io.Writer, n int64) error {
	chunk := bytes.Repeat([]byte(" "), 64<<10)
	if _, err := w.Write([]byte("[")); err != nil {
		return err
	}
	for n > 0 {
		part := chunk[:min(int64(len(chunk)), n)]
		if _, err := w.Write(part); err != nil {
			return err // the client has had enough
		}
		n -= int64(len(part))
	}
	_, err := w.Write([]byte("]"))
	return err
}

// Cut closes the connection without an answer.
func Cut() Fault {
	return func(http.ResponseWriter, *http.Request, http.Handler) { panic(http.ErrAbortHandler) }
}

// Reset drops the connection without an answer, so that the client's kernel tells of
// a reset.
func Reset() Fault {
	return func(w http.ResponseWriter, _ *http.Request, _ http.Handler) {
		c, _, err := http.NewResponseController(w).Hijack()
		if err != nil {
			panic(http.ErrAbortHandler)
		}
		if tcp, ok := c.(*net.TCPConn); ok {
			_ = tcp.SetLinger(0) // without it the connection merely ends
		}
		_ = c.Close() // it is gone in any case
	}
}

// CutMidway closes the connection in the middle of the body.
func CutMidway() Fault {
	return func(w http.ResponseWriter, _ *http.Request, _ http.Handler) {
		w.Header().Set("Content-Type", "application/json; charset=utf-8")
		w.Header().Set("Content-Length", "1000")
		_, _ = w.Write([]byte(`[{"id":"1",`))
		_ = http.NewResponseController(w).Flush() // cut in any case
		panic(http.ErrAbortHandler)
	}
}
