package snstest

import (
	"net/http"
	"strconv"
	"sync"
	"time"
)

// RateLimit is what a server allows each token, or each address without one.
type RateLimit struct {
	// Off sends no headers and counts nothing.
	Off bool
	// Requests in each Window; 0 is 300. Pages is how many of them may have a
	// paging parameter in each PageWindow; 0 is 300.
	Requests, Pages int
	// Window is five minutes when 0, PageWindow fifteen. Windows end at
	// multiples of their length, as Mastodon's do.
	Window, PageWindow time.Duration
}

type limiter struct {
	RateLimit
	now    func() time.Time
	mu     *sync.Mutex
	counts map[string]*count
}

type count struct {
	ends time.Time
	used int
}

func newLimiter(l RateLimit, now func() time.Time) limiter {
	if l.Requests == 0 {
		l.Requests = 300
	}
	if l.Pages == 0 {
		l.Pages = 300
	}
	if l.Window == 0 {
		l.Window = 5 * time.Minute
	}
	if l.PageWindow == 0 {
		l.PageWindow = 15 * time.Minute
	}
	return limiter{RateLimit: l, now: now, mu: new(sync.Mutex), counts: map[string]*count{}}
}

// take counts a request, writes the headers, and answers it when it is one too
// many: 429 with the time of the reset and without Retry-After.
func (l *limiter) take(w http.ResponseWriter, r *http.Request) bool {
	if l.Off {
		return true
	}
	who, ok := bearer(r)
	if !ok {
		who = "stranger"
	}
	limit := l.Requests
	l.mu.Lock()
	used, ends := l.add(who, l.Window)
	if paging(r) {
		pages, pagesEnd := l.add(who+" pages", l.PageWindow)
		if pages > l.Pages || l.Pages-pages < limit-used {
			limit, used, ends = l.Pages, pages, pagesEnd
		}
	}
	l.mu.Unlock()
	writeLimit(w.Header(), limit, max(limit-used, 0), ends)
	if used <= limit {
		return true
	}
	writeJSON(w, answer{status: http.StatusTooManyRequests, body: errorBody("Too many requests")})
	return false
}

func (l *limiter) add(who string, window time.Duration) (used int, ends time.Time) {
	now := l.now()
	c := l.counts[who]
	if c == nil || !now.Before(c.ends) {
		c = &count{ends: now.Truncate(window).Add(window)}
		l.counts[who] = c
	}
	c.used++
	return c.used, c.ends
}

func writeLimit(h http.Header, limit, remaining int, ends time.Time) {
	h.Set("X-RateLimit-Limit", strconv.Itoa(limit))
	h.Set("X-RateLimit-Remaining", strconv.Itoa(remaining))
	h.Set("X-RateLimit-Reset", ends.UTC().Format("2006-01-02T15:04:05.000000Z"))
}

func paging(r *http.Request) bool {
	q := r.URL.Query()
	return q.Has("page") || q.Has("max_id") || q.Has("min_id") || q.Has("since_id")
}
