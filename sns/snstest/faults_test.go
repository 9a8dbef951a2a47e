package snstest_test

import (
	"context"
	"errors"
	"io"
	"net/http"
	"strings"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"

	"personal-workspace/sns/snstest"
)

const homePath = "/api/v1/timelines/home"

func TestFaultsAnswerAsRealServersFail(t *testing.T) {
	reset := time.Date(2026, 11, 30, 12, 50, 1, 0, time.UTC)
	for _, c := range []struct {
		name   string
		fault  snstest.Fault
		status int
		header http.Header
		body   string
	}{
		{"206", snstest.Regenerating(), 206, http.Header{"Content-Type": {"application/json; charset=utf-8"}}, "[]"},
		{"401", snstest.Unauthorized(), 401, nil, `{"error":"The access token was revoked"}`},
		{"403", snstest.Forbidden(), 403, nil, `{"error":"This action is outside the authorized scopes"}`},
		{"404", snstest.NotFound(), 404, nil, `{"error":"Record not found"}`},
		{"422", snstest.Unprocessable(), 422, nil, `{"error":"This method requires an authenticated user"}`},
		{"429", snstest.RateLimited(reset), 429, http.Header{"X-Ratelimit-Reset": {"2026-11-30T12:50:01.000000Z"}, "Retry-After": nil}, `{"error":"Too many requests"}`},
		{"429 by headers", snstest.RateLimitedBy(http.Header{"retry-after": {"7"}}), 429, http.Header{"Retry-After": {"7"}, "X-Ratelimit-Reset": nil}, `{"error":"Too many requests"}`},
		{"500", snstest.Fail(500, "boom"), 500, nil, `{"error":"boom"}`},
		{"502", snstest.BadGateway(), 502, http.Header{"Content-Type": {"text/html; charset=utf-8"}}, "<!doctype html>…"},
		{"503 at start", snstest.Starting(120, reset), 503, http.Header{"Retry-After": {"120", "Mon, 30 Nov 2026 12:50:01 GMT"}, "Content-Type": {"text/html; charset=utf-8"}}, "<!doctype html>…"},
		{"login page", snstest.HTML(200), 200, http.Header{"Content-Type": {"text/html; charset=utf-8"}}, "<!doctype html>…"},
		{"empty", snstest.Empty(), 200, nil, ""},
		{"null", snstest.Body("application/json", "null"), 200, nil, "null"},
		{"redirect", snstest.Redirect("http://elsewhere.example:81"), 302, http.Header{"Location": {"http://elsewhere.example:81" + homePath}}, ""},
		{"redirect to a page", snstest.Redirect("https://elsewhere.example/login"), 302, http.Header{"Location": {"https://elsewhere.example/login"}}, ""},
	} {
		t.Run(c.name, func(t *testing.T) {
			m, origin := newServer(t, snstest.Options{})
			m.Inject(homePath, 1, c.fault)

			r := get(t, origin+homePath, m.Token())

			body, want := string(r.body), c.body
			if prefix, ok := strings.CutSuffix(want, "…"); ok && strings.HasPrefix(body, prefix) {
				body = want
			}
			if r.status != c.status || body != want {
				t.Errorf("= %d %q, want %d %q", r.status, r.body, c.status, c.body)
			}
			for name, values := range c.header {
				if diff := cmp.Diff(values, r.header.Values(name)); diff != "" {
					t.Errorf("%s (-want +got):\n%s", name, diff)
				}
			}
			if got := get(t, origin+homePath, m.Token()).status; got != http.StatusOK {
				t.Errorf("the request after the fault = %d, want 200", got)
			}
		})
	}
}

func TestFaultsCountAndMatchPaths(t *testing.T) {
	m, origin := newServer(t, snstest.Options{})
	m.InjectAfter("/api/v1/timelines/*", 1, 2, snstest.Fail(500, "boom"))
	var got []int
	for _, path := range []string{homePath, homePath, "/api/v1/lists", "/api/v1/timelines/public", homePath} {
		got = append(got, get(t, origin+path, m.Token()).status)
	}
	if diff := cmp.Diff([]int{200, 500, 200, 500, 200}, got); diff != "" {
		t.Errorf("statuses (-want +got):\n%s", diff)
	}

	m.Inject(homePath, 0, snstest.NotFound())
	for range 3 {
		if got := get(t, origin+homePath, m.Token()).status; got != 404 {
			t.Errorf("status %d, want 404 until the faults are cleared", got)
		}
	}
	m.ClearFaults()
	if got := get(t, origin+homePath, m.Token()).status; got != 200 {
		t.Errorf("status %d after ClearFaults, want 200", got)
	}
}

// ask sends one request to home and returns what reading the answer gave.
func ask(ctx context.Context, t *testing.T, m *snstest.Mastodon, origin string, plain bool) (n int64, err error) {
	t.Helper()
	req, err := http.NewRequestWithContext(ctx, http.MethodGet, origin+homePath, nil)
	if err != nil {
		t.Fatal(err)
	}
	req.Header.Set("Accept", "application/json")
	req.Header.Set("Authorization", "Bearer "+m.Token())
	if plain {
		req.Header.Set("Accept-Encoding", "identity")
	}
	resp, err := new(http.Client).Do(req)
	if err != nil {
		return 0, err
	}
	defer resp.Body.Close()
	return io.Copy(io.Discard, resp.Body)
}

func TestBodiesWithoutEndOrMeasure(t *testing.T) {
	m, origin := newServer(t, snstest.Options{})

	t.Run("8 MiB of spaces", func(t *testing.T) {
		m.Inject(homePath, 1, snstest.Spaces(8<<20))
		if n, err := ask(t.Context(), t, m, origin, true); n != 8<<20+2 || err != nil {
			t.Errorf("read %d bytes, %v", n, err)
		}
	})
	t.Run("a gzip bomb", func(t *testing.T) {
		m.Inject(homePath, 1, snstest.GzipBomb(8<<20))
		if n, err := ask(t.Context(), t, m, origin, false); n != 8<<20+2 || err != nil {
			t.Errorf("read %d bytes, %v", n, err)
		}
	})
	t.Run("the bomb is small on the wire", func(t *testing.T) {
		m.Inject(homePath, 1, snstest.GzipBomb(8<<20))
		if n, err := ask(t.Context(), t, m, origin, true); n > 64<<10 || err != nil {
			t.Errorf("read %d bytes, %v, want below 64 KiB", n, err)
		}
	})
	t.Run("cut before the answer", func(t *testing.T) {
		m.Inject(homePath, 0, snstest.Cut())
		defer m.ClearFaults()
		if _, err := ask(t.Context(), t, m, origin, true); !errors.Is(err, io.EOF) {
			t.Errorf("error = %v, want EOF", err)
		}
	})
	t.Run("cut in the middle", func(t *testing.T) {
		m.Inject(homePath, 1, snstest.CutMidway())
		if n, err := ask(t.Context(), t, m, origin, true); !errors.Is(err, io.ErrUnexpectedEOF) {
			t.Errorf("read %d bytes, %v, want an unexpected EOF", n, err)
		}
	})
}

func TestSlowAnswersEndWithTheirClient(t *testing.T) {
	for name, fault := range map[string]snstest.Fault{
		"never": snstest.Hang(), "late": snstest.Delay(time.Hour), "byte by byte": snstest.Trickle(time.Millisecond),
	} {
		t.Run(name, func(t *testing.T) {
			m, origin := newServer(t, snstest.Options{})
			m.Inject(homePath, 1, fault)
			ctx, cancel := context.WithTimeout(t.Context(), 50*time.Millisecond)
			defer cancel()
			if _, err := ask(ctx, t, m, origin, true); !errors.Is(err, context.DeadlineExceeded) {
				t.Errorf("error = %v, want the deadline", err)
			}
		})
	}
}

func TestADelayedAnswerIsTheRoutes(t *testing.T) {
	m, origin := newServer(t, snstest.Options{})
	m.AddMany(2)
	m.Inject(homePath, 1, snstest.Delay(time.Millisecond))
	if got := len(get(t, origin+homePath, m.Token()).ids(t)); got != 2 {
		t.Errorf("%d posts, want 2", got)
	}
}

func TestWithoutJSONSomeServersAnswer406(t *testing.T) {
	m := snstest.NewMastodon(snstest.Options{Quirks: snstest.GoToSocial()})
	origin, err := m.StartLoopback(t.Context())
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { m.Close() })
	req, err := http.NewRequestWithContext(t.Context(), http.MethodGet, origin+"/api/v1/instance", nil)
	if err != nil {
		t.Fatal(err)
	}
	req.Header.Set("Accept", "text/html")
	resp, err := new(http.Client).Do(req)
	if err != nil {
		t.Fatal(err)
	}
	resp.Body.Close()
	if resp.StatusCode != http.StatusNotAcceptable || resp.Header.Get("Content-Type") != "text/html; charset=utf-8" {
		t.Errorf("= %d %s, want 406 HTML", resp.StatusCode, resp.Header.Get("Content-Type"))
	}
}
