package mastodon_test

import (
	"io"
	"net/http"
	"sync"
	"sync/atomic"
	"testing"

	"personal-workspace/internal/fault"
)

// pooled is an upstream to which n connections are open. What reaches it now is
// answered by now, which is told how many requests came before.
func pooled(t *testing.T, n int, now func(w http.ResponseWriter, before int)) (u *upstream, requests func() int) {
	t.Helper()
	var opening atomic.Bool
	var together sync.WaitGroup
	opening.Store(true)
	together.Add(n)
	var count atomic.Int32
	u = serve(t, func(w http.ResponseWriter, _ *http.Request) {
		if !opening.Load() {
			now(w, int(count.Add(1))-1)
			return
		}
		together.Done()
		together.Wait() // so that each request has a connection of its own
		io.WriteString(w, "[]")
	})
	var asking sync.WaitGroup
	for range n {
		asking.Go(func() {
			if _, err := u.fetch(t, home, ""); err != nil {
				t.Errorf("open a connection: %v", err)
			}
		})
	}
	asking.Wait()
	opening.Store(false)
	return u, func() int { return int(count.Load()) }
}

func cut(w http.ResponseWriter) {
	if conn, _, err := w.(http.Hijacker).Hijack(); err == nil {
		conn.Close()
	}
}

// TestOneRepetitionInTotal: net/http repeats a GET by itself when a connection
// that was open before is cut.
func TestOneRepetitionInTotal(t *testing.T) {
	for _, tc := range []struct {
		name string
		open int
		then func(w http.ResponseWriter)
		// reason is that of the fault.
		reason string
	}{
		{"no connection was open", 0, cut, "reset"},
		{"the open connection and a new one are cut", 1, cut, "reset"},
		{"all open connections are cut", 4, cut, "reset"},
		{"the repetition finds the server busy", 1, func(w http.ResponseWriter) { w.WriteHeader(http.StatusBadGateway) }, "status_502"},
	} {
		t.Run(tc.name, func(t *testing.T) {
			u, requests := pooled(t, tc.open, func(w http.ResponseWriter, before int) {
				if before == 0 {
					cut(w)
					return
				}
				tc.then(w)
			})
			_, err := u.fetch(t, home, "")
			wantFault(t, err, fault.UpstreamUnavailable, object{"reason": tc.reason})
			if got := requests(); got != 2 {
				t.Errorf("%d requests, want 2", got)
			}
		})
	}
}

// TestCutAfterBusyIsTheEnd: the second request goes over a connection that was
// open before, so net/http would repeat it.
func TestCutAfterBusyIsTheEnd(t *testing.T) {
	u, requests := pooled(t, 1, func(w http.ResponseWriter, before int) {
		if before == 0 {
			w.WriteHeader(http.StatusBadGateway)
			return
		}
		cut(w)
	})
	_, err := u.fetch(t, home, "")
	wantFault(t, err, fault.UpstreamUnavailable, object{"reason": "reset"})
	if got := requests(); got != 2 {
		t.Errorf("%d requests, want 2", got)
	}
}

func TestRepetitionOfACutConnectionIsAnAnswer(t *testing.T) {
	u, requests := pooled(t, 1, func(w http.ResponseWriter, before int) {
		if before == 0 {
			cut(w)
			return
		}
		io.WriteString(w, statuses(30, 1))
	})
	if got := len(u.page(t, home, "").Posts); got != 1 || requests() != 2 {
		t.Errorf("%d posts after %d requests, want 1 after 2", got, requests())
	}
}
