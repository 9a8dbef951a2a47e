package snstest

import (
	"fmt"
	"net/http"
	"net/url"
	"slices"
	"strings"
	"sync"
	"time"
)

// Request is one recorded request.
type Request struct {
	At     time.Time
	Method string
	// Path is the escaped path as it stood on the wire.
	Path  string
	Query url.Values
	// Authorization, Accept and UserAgent are the headers as sent.
	Authorization, Accept, UserAgent string
	// Account is whose token was presented, "" without a valid one.
	Account string
	// Status is what was answered, 0 when the connection was cut.
	Status int
	// Bytes is the size of the answer's body.
	Bytes int64
}

type requestLog struct {
	mu         sync.Mutex
	requests   []Request
	violations []string
}

func (l *requestLog) add(r Request) {
	l.mu.Lock()
	defer l.mu.Unlock()
	l.requests = append(l.requests, r)
}

func (l *requestLog) violate(format string, args ...any) {
	l.mu.Lock()
	defer l.mu.Unlock()
	l.violations = append(l.violations, fmt.Sprintf(format, args...))
}

// Requests returns every request since the last ForgetRequests, in the order
// their answers ended.
func (m *Mastodon) Requests() []Request {
	m.log.mu.Lock()
	defer m.log.mu.Unlock()
	return slices.Clone(m.log.requests)
}

// RequestsTo returns the requests to one path.
func (m *Mastodon) RequestsTo(path string) []Request {
	return slices.DeleteFunc(m.Requests(), func(r Request) bool { return r.Path != path })
}

// ForgetRequests empties the record of requests; violations stay.
func (m *Mastodon) ForgetRequests() {
	m.log.mu.Lock()
	defer m.log.mu.Unlock()
	m.log.requests = nil
}

// Violations lists what no client of ours may do: a request on /api with
// another method than GET (POST /api/v1/apps excepted), an Accept header
// without JSON, an Authorization header without a token, a token in the query
// and an id that leads out of its path.
func (m *Mastodon) Violations() []string {
	m.log.mu.Lock()
	defer m.log.mu.Unlock()
	return slices.Clone(m.log.violations)
}

// check records what the request breaks and reports whether it may go on.
func (m *Mastodon) check(r *http.Request) bool {
	path := r.URL.EscapedPath()
	if !strings.HasPrefix(path, "/api/") {
		return true
	}
	if !readOnly(r.Method, path) {
		m.log.violate("%s %s writes", r.Method, path)
		return false
	}
	if !acceptsJSON(r.Header.Get("Accept")) {
		m.log.violate("%s %s accepts %q, which is not JSON", r.Method, path, r.Header.Get("Accept"))
	}
	if auth, ok := r.Header["Authorization"]; ok && strings.TrimSpace(strings.TrimPrefix(auth[0], "Bearer")) == "" {
		m.log.violate("%s %s has an Authorization header without a token", r.Method, path)
	}
	if r.URL.Query().Has("access_token") {
		m.log.violate("%s %s has a token in the query", r.Method, path)
	}
	if strings.Contains(path, "%2F") || strings.Contains(path, "..") {
		m.log.violate("%s %s leads out of its path", r.Method, path)
	}
	return true
}

// readOnly reports whether a request on /api only reads. Registering an
// application is the one write that a login needs.
func readOnly(method, path string) bool {
	if method == http.MethodGet || method == http.MethodHead {
		return true
	}
	return method == http.MethodPost && path == "/api/v1/apps"
}

func acceptsJSON(accept string) bool {
	for part := range strings.SplitSeq(accept, ",") {
		media, _, _ := strings.Cut(strings.TrimSpace(part), ";")
		switch media {
		case "application/json", "application/*", "*/*":
			return true
		}
	}
	return false
}
