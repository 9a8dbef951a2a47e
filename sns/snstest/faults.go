package snstest

import (
	"fmt"
	"net/http"
	"slices"
	"strings"
	"sync"
	"time"
)

// Fault answers a request instead of its route, or changes what the route says.
type Fault func(w http.ResponseWriter, r *http.Request, route http.Handler)

type injected struct {
	path  string
	left  int // negative: until ClearFaults
	skip  int
	fault Fault
}

type faultList struct {
	mu  sync.Mutex
	all []*injected
}

// Inject makes the next count requests to path run into the fault; a count of 0
// is all of them until ClearFaults. A path that ends in "*" is a prefix.
// Faults injected later win.
func (m *Mastodon) Inject(path string, count int, f Fault) { m.faults.inject(path, 0, count, f) }

// InjectAfter is Inject after skip requests to path went through.
func (m *Mastodon) InjectAfter(path string, skip, count int, f Fault) {
	m.faults.inject(path, skip, count, f)
}

// ClearFaults removes every fault.
func (m *Mastodon) ClearFaults() { m.faults.clear() }

func (l *faultList) inject(path string, skip, count int, f Fault) {
	if count == 0 {
		count = -1
	}
	l.mu.Lock()
	defer l.mu.Unlock()
	l.all = append(l.all, &injected{path: path, left: count, skip: skip, fault: f})
}

func (l *faultList) clear() {
	l.mu.Lock()
	defer l.mu.Unlock()
	l.all = nil
}

func (f *injected) meant(path string) bool {
	if prefix, ok := strings.CutSuffix(f.path, "*"); ok {
		return strings.HasPrefix(path, prefix)
	}
	return path == f.path
}

func (l *faultList) match(paths ...string) Fault {
	l.mu.Lock()
	defer l.mu.Unlock()
	for _, f := range slices.Backward(l.all) {
		if f.left == 0 || !slices.ContainsFunc(paths, f.meant) {
			continue
		}
		if f.skip > 0 {
			f.skip--
			continue
		}
		if f.left > 0 {
			f.left--
		}
		return f.fault
	}
	return nil
}

// Fail answers with a status and Mastodon's JSON error body.
func Fail(status int, text string) Fault {
	return func(w http.ResponseWriter, _ *http.Request, _ http.Handler) {
		writeJSON(w, answer{status: status, body: errorBody(text)})
	}
}

// Unauthorized is the 401 of a token that is no longer valid.
func Unauthorized() Fault {
	return func(w http.ResponseWriter, _ *http.Request, _ http.Handler) {
		writeJSON(w, *Quirks{}.invalidToken("The access token was revoked"))
	}
}

// Forbidden is the 403 of a token that lacks a scope.
func Forbidden() Fault {
	return Fail(http.StatusForbidden, "This action is outside the authorized scopes")
}

// NotFound is Mastodon's 404.
func NotFound() Fault { return Fail(http.StatusNotFound, "Record not found") }

// Unprocessable is the 422 of a method that needs a person.
func Unprocessable() Fault {
	return Fail(http.StatusUnprocessableEntity, "This method requires an authenticated user")
}

// RateLimited is a 429 whose reset is an ISO 8601 time with microseconds and
// that has no Retry-After.
func RateLimited(reset time.Time) Fault {
	return func(w http.ResponseWriter, _ *http.Request, _ http.Handler) {
		writeLimit(w.Header(), 300, 0, reset)
		writeJSON(w, answer{status: http.StatusTooManyRequests, body: errorBody("Too many requests")})
	}
}

// RateLimitedBy is a 429 with exactly these headers, for odd forms of a reset.
func RateLimitedBy(h http.Header) Fault {
	return func(w http.ResponseWriter, _ *http.Request, _ http.Handler) {
		for name := range w.Header() {
			if strings.HasPrefix(name, "X-Ratelimit") {
				w.Header().Del(name)
			}
		}
		for name, values := range h {
			w.Header()[http.CanonicalHeaderKey(name)] = values
		}
		writeJSON(w, answer{status: http.StatusTooManyRequests, body: errorBody("Too many requests")})
	}
}

// Regenerating lets the route answer with status 206, as home does while the
// feed is being built.
func Regenerating() Fault {
	return func(w http.ResponseWriter, r *http.Request, route http.Handler) {
		route.ServeHTTP(&statusChanger{ResponseWriter: w, status: http.StatusPartialContent}, r)
	}
}

// Starting is the 503 of a server that starts: HTML and two Retry-After
// headers, seconds and an HTTP date.
func Starting(seconds int, at time.Time) Fault {
	return func(w http.ResponseWriter, _ *http.Request, _ http.Handler) {
		w.Header().Add("Retry-After", fmt.Sprint(seconds))
		w.Header().Add("Retry-After", at.UTC().Format(http.TimeFormat))
		writeHTML(w, http.StatusServiceUnavailable, "Starting", "The server is starting.")
	}
}

// BadGateway is the 502 HTML page of a proxy.
func BadGateway() Fault { return HTML(http.StatusBadGateway) }

// HTML answers with a status and a page where JSON was due. With 200 it is a
// login page.
func HTML(status int) Fault {
	return func(w http.ResponseWriter, _ *http.Request, _ http.Handler) {
		writeHTML(w, status, "Sign in", `<form method="post"><input name="password"></form><script>alert(1)</script>`)
	}
}

// Body answers 200 with these bytes.
func Body(contentType, body string) Fault {
	return func(w http.ResponseWriter, _ *http.Request, _ http.Handler) {
		w.Header().Set("Content-Type", contentType)
		_, _ = w.Write([]byte(body))
	}
}

// Empty is a 200 without a body.
func Empty() Fault { return Body("application/json; charset=utf-8", "") }

// Redirect answers 302 to another address; the path stays when it has none.
func Redirect(to string) Fault {
	return func(w http.ResponseWriter, r *http.Request, _ http.Handler) {
		target := to
		if strings.Count(target, "/") == 2 {
			target += r.URL.RequestURI()
		}
		w.Header().Set("Location", target)
		w.WriteHeader(http.StatusFound)
	}
}

func writeHTML(w http.ResponseWriter, status int, title, body string) {
	w.Header().Set("Content-Type", "text/html; charset=utf-8")
	w.WriteHeader(status)
	_, _ = fmt.Fprintf(w, "<!doctype html><html lang=\"en\"><meta charset=\"utf-8\"><link rel=\"icon\" href=\"data:,\"><title>%s</title><h1>%s</h1>%s</html>", title, title, body)
}

// statusChanger replaces the 200 of a route.
type statusChanger struct {
	http.ResponseWriter
	status int
	wrote  bool
}

func (s *statusChanger) WriteHeader(status int) {
	s.wrote = true
	if status == http.StatusOK {
		status = s.status
	}
	s.ResponseWriter.WriteHeader(status)
}

func (s *statusChanger) Write(b []byte) (int, error) {
	if !s.wrote {
		s.WriteHeader(http.StatusOK)
	}
	return s.ResponseWriter.Write(b)
}
