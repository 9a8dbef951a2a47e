package mastodon_test

import (
	"compress/gzip"
	"context"
	"io"
	"net"
	"net/http"
	"net/http/httptest"
	"strings"
	"sync/atomic"
	"testing"
	"testing/synctest"
	"time"

	"github.com/google/go-cmp/cmp"

	"personal-workspace/internal/egress"
	"personal-workspace/internal/fault"
	"personal-workspace/sns"
	"personal-workspace/sns/mastodon"
)

func testRateLimitISO(t *testing.T) {
	u := serve(t, func(w http.ResponseWriter, _ *http.Request) {
		w.Header().Set("X-RateLimit-Limit", "300")
		w.Header().Set("X-RateLimit-Remaining", "0")
		w.Header().Set("X-RateLimit-Reset", "2026-11-30T12:50:01.000000Z")
		w.WriteHeader(http.StatusTooManyRequests)
		io.WriteString(w, `{"error":"Too many requests"}`)
	})

	_, err := u.fetch(t, home, "")

	wantFault(t, err, fault.RateLimited, object{"retryAt": "2026-11-30T12:50:01Z"})
	if got := u.log(); len(got) != 1 {
		t.Errorf("requests = %v, want one", got)
	}
	want := []observation{{0, time.Date(2026, 11, 30, 12, 50, 1, 0, time.UTC)}}
	if diff := cmp.Diff(want, u.gate.observed, cmp.AllowUnexported(observation{})); diff != "" {
		t.Errorf("the budget heard (-want +got):\n%s", diff)
	}
}

func testTwoRetryAfter(t *testing.T) {
	for _, tc := range []struct{ name, seconds, date, want string }{
		{"seconds later", "120", "Mon, 30 Nov 2026 12:45:43 GMT", "2026-11-30T12:46:00Z"},
		{"date later", "30", "Mon, 30 Nov 2026 12:45:43 GMT", "2026-11-30T12:45:43Z"},
		{"at most an hour", "120", "Tue, 01 Dec 2026 12:45:43 GMT", "2026-11-30T13:44:00Z"},
	} {
		t.Run(tc.name, func(t *testing.T) {
			u := serve(t, func(w http.ResponseWriter, _ *http.Request) {
				w.Header().Add("Retry-After", tc.seconds)
				w.Header().Add("Retry-After", tc.date)
				w.Header().Set("Content-Type", "text/html")
				w.WriteHeader(http.StatusServiceUnavailable)
				io.WriteString(w, "<html><h1>Starting</h1>")
			})

			_, err := u.fetch(t, home, "")

			wantFault(t, err, fault.UpstreamUnavailable, object{"retryAt": tc.want, "reason": "status_503"})
			if got := u.log(); len(got) != 1 {
				t.Errorf("requests = %v, want one: the server named a time", got)
			}
		})
	}
}

func testLoginPage(t *testing.T) {
	u := serve(t, func(w http.ResponseWriter, _ *http.Request) {
		w.Header().Set("Content-Type", "text/html; charset=utf-8")
		io.WriteString(w, "<html><form>Password</form>")
	})

	_, err := u.fetch(t, home, "")

	wantFault(t, err, fault.UpstreamUnavailable, object{"reason": "not_json"})
	if strings.Contains(err.Error(), "Password") {
		t.Errorf("the error repeats the page: %v", err)
	}
}

func testEmptyBody(t *testing.T) {
	for name, body := range map[string]string{"nothing": "", "spaces": " \n"} {
		t.Run(name, func(t *testing.T) {
			_, err := serve(t, answerJSON(body)).fetch(t, home, "")
			wantFault(t, err, fault.UpstreamUnavailable, object{"reason": "empty_body"})
		})
	}
}

func testRedirect(t *testing.T) {
	var hits atomic.Int64
	target := httptest.NewServer(http.HandlerFunc(func(http.ResponseWriter, *http.Request) { hits.Add(1) }))
	t.Cleanup(target.Close)
	port := target.Listener.Addr().(*net.TCPAddr).String()
	_, number, _ := net.SplitHostPort(port)
	for name, location := range map[string]string{
		"another port of the same host": target.URL + "/api/v1/timelines/home",
		"another host":                  "http://localhost:" + number + "/api/v1/timelines/home",
	} {
		t.Run(name, func(t *testing.T) {
			u := serve(t, func(w http.ResponseWriter, r *http.Request) { http.Redirect(w, r, location, http.StatusFound) })
			_, err := u.fetch(t, home, "")
			wantFault(t, err, fault.UpstreamUnavailable, object{"reason": "redirect"})
		})
	}
	if n := hits.Load(); n != 0 {
		t.Errorf("the target saw %d requests, want 0", n)
	}
}

func testGzipBomb(t *testing.T) {
	var sent atomic.Int64
	u := serve(t, func(w http.ResponseWriter, _ *http.Request) {
		w.Header().Set("Content-Encoding", "gzip")
		z := gzip.NewWriter(w)
		spaces := []byte(strings.Repeat(" ", 1<<20))
		for range 64 {
			n, err := z.Write(spaces)
			sent.Add(int64(n))
			if err != nil {
				return
			}
		}
		z.Close()
	})

	_, err := u.fetch(t, home, "")

	wantFault(t, err, fault.ResponseTooLarge, object{"limit": int64(4 << 20)})
}

func testSlowBody(t *testing.T) {
	stop := make(chan struct{})
	defer close(stop)
	u := serveWith(t, mastodon.Config{Total: 100 * time.Millisecond}, func(w http.ResponseWriter, r *http.Request) {
		drip := time.NewTicker(5 * time.Millisecond)
		defer drip.Stop()
		for {
			select {
			case <-drip.C:
				io.WriteString(w, " ")
				w.(http.Flusher).Flush()
			case <-r.Context().Done():
				return
			case <-stop:
				return
			}
		}
	})

	_, err := u.fetch(t, home, "") // which never came to its end by itself

	wantFault(t, err, fault.UpstreamUnavailable, object{"reason": "timeout"})
}

func testOrigins(t *testing.T) {
	for _, raw := range []string{"https://ex.org:443/", "HTTPS://EX.org", "https://ex.org", "https://ｅｘ.org."} {
		t.Run(raw, func(t *testing.T) {
			got, err := egress.CanonicalOrigin(raw)
			if err != nil || got != "https://ex.org" {
				t.Errorf("CanonicalOrigin(%q) = %q, %v; want https://ex.org", raw, got, err)
			}
		})
	}
}

func testPrivateOrigin(t *testing.T) {
	var hits atomic.Int64
	server := httptest.NewTLSServer(http.HandlerFunc(func(w http.ResponseWriter, _ *http.Request) {
		hits.Add(1)
		w.Header().Set("Content-Type", "application/json")
		io.WriteString(w, "[]")
	}))
	t.Cleanup(server.Close)
	config := egress.Config{RootCAs: server.Client().Transport.(*http.Transport).TLSClientConfig.RootCAs}
	operator, guarded := egress.Operator(config), egress.Guarded(config)
	t.Cleanup(operator.CloseIdleConnections)
	p := mastodon.New(mastodon.Config{Operator: operator.Transport, Guarded: guarded.Transport})
	account := sns.Account{Origin: server.URL, Token: "secret-token", Gate: &gate{}}
	t.Run("chosen", func(t *testing.T) {
		for name, origin := range map[string]string{"loopback": server.URL, "tailnet": "https://100.100.1.1", "http": "http://93.184.216.34"} {
			t.Run(name, func(t *testing.T) {
				a := account
				a.Origin = origin
				_, err := p.Fetch(t.Context(), a, home, "")
				wantFault(t, err, fault.BlockedOrigin, nil)
				if !strings.Contains(fault.From(err).Message, "WORKSPACE_MASTODON_ORIGINS") {
					t.Errorf("message %q does not name the setting", fault.From(err).Message)
				}
			})
		}
		if n := hits.Load(); n != 0 {
			t.Errorf("the server saw %d requests, want 0", n)
		}
	})
	t.Run("listed", func(t *testing.T) {
		a := account
		a.Operator = true
		if _, err := p.Fetch(t.Context(), a, home, ""); err != nil {
			t.Errorf("Fetch of a listed origin: %v", err)
		}
	})
}

func testResetInThePast(t *testing.T) {
	for name, reset := range map[string]string{"ISO": "2026-11-30T12:43:00.000Z", "seconds": "-60", "Unix": "1796042580"} {
		t.Run(name, func(t *testing.T) {
			u := serve(t, func(w http.ResponseWriter, _ *http.Request) {
				w.Header().Set("X-RateLimit-Reset", reset)
				w.WriteHeader(http.StatusTooManyRequests)
			})
			_, err := u.fetch(t, home, "")
			wantFault(t, err, fault.RateLimited, object{"retryAt": "2026-11-30T12:44:01Z"})
		})
	}
}

func testCancel(t *testing.T) {
	t.Run("while the server is silent", func(t *testing.T) {
		arrived := make(chan struct{})
		u := serve(t, func(_ http.ResponseWriter, r *http.Request) {
			close(arrived)
			<-r.Context().Done()
		})
		ctx, cancel := context.WithCancel(t.Context())
		done := make(chan error)
		go func() {
			_, err := u.provider.Fetch(ctx, u.account(), home, "")
			done <- err
		}()
		<-arrived
		cancel()
		wantFault(t, <-done, fault.Canceled, nil)
		if u.gate.open != 0 {
			t.Errorf("%d places of the budget are still taken", u.gate.open)
		}
	})
	t.Run("before a second try", func(t *testing.T) {
		// In a bubble a goroutine that is left behind fails the test.
		synctest.Test(t, func(t *testing.T) {
			busy := roundTripper(func(r *http.Request) (*http.Response, error) {
				return &http.Response{StatusCode: http.StatusBadGateway, Body: http.NoBody, Request: r}, nil
			})
			p := mastodon.New(mastodon.Config{Operator: busy})
			ctx, cancel := context.WithCancel(t.Context())
			time.AfterFunc(100*time.Millisecond, cancel)
			start := time.Now()

			_, err := p.Fetch(ctx, sns.Account{Origin: "https://ex.org", Operator: true, Token: "t", Gate: &gate{}}, home, "")

			wantFault(t, err, fault.Canceled, nil)
			if took := time.Since(start); took != 100*time.Millisecond {
				t.Errorf("it took %v, want 100ms", took)
			}
		})
	})
	t.Run("while it waits for the budget", func(t *testing.T) {
		u := serve(t, answerJSON("[]"))
		u.gate.refuse = fault.From(context.Canceled)
		_, err := u.fetch(t, home, "")
		wantFault(t, err, fault.Canceled, nil)
		if got := u.log(); len(got) != 0 {
			t.Errorf("requests = %v, want none", got)
		}
	})
}

type roundTripper func(*http.Request) (*http.Response, error)

func (f roundTripper) RoundTrip(r *http.Request) (*http.Response, error) { return f(r) }
