package web

import (
	"net/netip"
	"sync"
	"time"
)

const (
	// freeAttempts is how many sign-ins may fail before the next one has to wait.
	freeAttempts = 5
	firstPause   = 5 * time.Second
	longestPause = 5 * time.Minute
	// forgetAfter is when a peer that has not tried again starts anew.
	forgetAfter = 30 * time.Minute
	// maxPeers bounds the memory of the throttle; peers beyond it share one
	// count, so that an attacker with many addresses gains nothing.
	maxPeers = 10_000
)

// throttle slows down guessing: after freeAttempts failures of one peer each
// further attempt has to wait, twice as long each time. It refuses rather than
// sleeps, so that waiting costs the server nothing.
type throttle struct {
	now func() time.Time

	mu    sync.Mutex
	peers map[string]*attempts
}

type attempts struct {
	count       int
	last, until time.Time
}

func newThrottle(now func() time.Time) *throttle {
	return &throttle{now: now, peers: map[string]*attempts{}}
}

// begin counts an attempt of a peer, as a failure until succeeded is called:
// attempts at the same moment must not all see an empty count. It returns the
// time of the next allowed attempt when this one has to wait.
func (t *throttle) begin(peer string) (retryAt time.Time, allowed bool) {
	t.mu.Lock()
	defer t.mu.Unlock()
	now := t.now()
	a := t.find(peer, now)
	if now.Before(a.until) {
		return a.until, false
	}
	a.count++
	a.last = now
	if over := a.count - freeAttempts; over >= 0 {
		a.until = now.Add(min(firstPause<<min(over, 10), longestPause))
	}
	return time.Time{}, true
}

// succeeded forgets the failures of a peer.
func (t *throttle) succeeded(peer string) {
	t.mu.Lock()
	defer t.mu.Unlock()
	delete(t.peers, peer)
}

func (t *throttle) find(peer string, now time.Time) *attempts {
	if a, ok := t.peers[peer]; ok && now.Sub(a.last) < forgetAfter {
		return a
	}
	if len(t.peers) >= maxPeers {
		t.forget(now)
	}
	if len(t.peers) >= maxPeers {
		peer = ""
		if a, ok := t.peers[peer]; ok {
			return a
		}
	}
	a := &attempts{}
	t.peers[peer] = a
	return a
}

func (t *throttle) forget(now time.Time) {
	for peer, a := range t.peers {
		if now.Sub(a.last) >= forgetAfter {
			delete(t.peers, peer)
		}
	}
}

// peerOf groups remote addresses the way one guesser holds them: an IPv4
// address, an IPv6 network of 64 bits, all peers of a Unix socket.
func peerOf(remoteAddr string) string {
	ap, err := netip.ParseAddrPort(remoteAddr)
	if err != nil {
		return "unix"
	}
	ip := ap.Addr().Unmap()
	if ip.Is4() {
		return ip.String()
	}
	p, err := ip.WithZone("").Prefix(64)
	if err != nil {
		return ip.String()
	}
	return p.String()
}
