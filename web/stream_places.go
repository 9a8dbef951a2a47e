package web

import (
	"net"
	"net/http"
	"strconv"
	"strings"
	"sync"

	"personal-workspace/internal/ledger"
)

// maxStreams bounds the streams that are open at once.
const maxStreams = 128

// perBrowser bounds those of one browser over HTTP/1.1: it has six connections to
// a server for all its tabs, and with a stream on each no page would load any more.
const perBrowser = 5

// streams are the places of open streams.
type streams struct {
	// stopped is closed when the workspace stops.
	stopped chan struct{}

	mu     sync.Mutex
	places map[*place]struct{}
	closed bool
}

// place is that of one stream.
type place struct {
	// browser is whose connections the stream takes, "" when that is no matter.
	browser string
	// again tells the stream to look again at its session and its columns.
	again chan struct{}
}

func newStreams() *streams {
	return &streams{stopped: make(chan struct{}), places: map[*place]struct{}{}}
}

// crowded is why a page has no stream.
const crowded = "Too many pages are open at once; this one asks for news every minute instead."

// enter takes a place, or says by status and words why there is none.
func (s *streams) enter(browser string) (p *place, status int, refusal string) {
	s.mu.Lock()
	defer s.mu.Unlock()
	switch {
	case s.closed:
		return nil, http.StatusServiceUnavailable, "The workspace is stopping."
	case len(s.places) >= maxStreams:
		return nil, http.StatusServiceUnavailable, crowded
	case browser != "" && s.of(browser) >= perBrowser:
		return nil, http.StatusTooManyRequests, crowded
	}
	p = &place{browser: browser, again: make(chan struct{}, 1)}
	s.places[p] = struct{}{}
	return p, 0, ""
}

// of counts the streams of a browser; mu is held.
func (s *streams) of(browser string) (n int) {
	for p := range s.places {
		if p.browser == browser {
			n++
		}
	}
	return n
}

// browserOf tells one browser from others as far as its requests do; "" is no
// browser, or one that needs a single connection.
func browserOf(r *http.Request) string {
	agent := r.UserAgent()
	if r.ProtoMajor > 1 || !strings.HasPrefix(agent, "Mozilla/") {
		return ""
	}
	host, _, _ := net.SplitHostPort(r.RemoteAddr)
	return host + " " + agent + " " + r.Header.Get("Cookie")
}

func (s *streams) leave(p *place) {
	s.mu.Lock()
	defer s.mu.Unlock()
	delete(s.places, p)
}

// lookAgain makes every stream look again at its session and its columns: after
// a session has ended or a column was paused. It waits for none.
func (s *streams) lookAgain() {
	s.mu.Lock()
	defer s.mu.Unlock()
	for p := range s.places {
		select {
		case p.again <- struct{}{}:
		default:
		}
	}
}

// close ends all streams and lets no new one in. It may be called more than once.
func (s *streams) close() {
	s.mu.Lock()
	defer s.mu.Unlock()
	if !s.closed {
		s.closed = true
		close(s.stopped)
	}
}

// CloseStreams ends the streams that pages hold open, so that a server can shut
// down without waiting for them. No new one begins after it.
func (h *Handler) CloseStreams() { h.streams.close() }

// seen stands for all that has happened in this process so far: a page that was
// made after it was taken, and finds the same later, has missed nothing.
func (h *Handler) seen() string { return h.epoch + "-" + strconv.FormatUint(h.ledger.Version(), 36) }

// newEpoch tells this process from the ones before it.
func newEpoch() string { return ledger.NewID("p") }
