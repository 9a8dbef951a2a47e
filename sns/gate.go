package sns

import (
	"context"
	"sync"
	"time"

	"personal-workspace/internal/fault"
)

// The request budget of one connection, below what Mastodon servers allow one
// account: 300 requests in 5 minutes, and 300 in 15 that page.
const (
	inFlight       = 3
	budgetRequests = 200
	budgetPer      = 5 * time.Minute
	pagingRequests = 200
	pagingPer      = 15 * time.Minute
	// reserve is how few requests the upstream may have left before background
	// work leaves them to the person.
	reserve = 5
	// maxPause bounds how long one answer of an upstream can stop background
	// work.
	maxPause = time.Hour
)

// gate is the Gate of one connection. Every request of the connection in this
// process goes through it; budgets of research turns are counted elsewhere.
type gate struct {
	now   func() time.Time
	slots chan struct{}

	mu          sync.Mutex
	all, paging window
	pausedUntil time.Time
	// said is what the upstream told of its own limit.
	said Budget
}

func newGate(now func() time.Time) *gate {
	return &gate{
		now:    now,
		slots:  make(chan struct{}, inFlight),
		all:    window{limit: budgetRequests, per: budgetPer},
		paging: window{limit: pagingRequests, per: pagingPer},
	}
}

// Acquire implements Gate.
func (g *gate) Acquire(ctx context.Context, paging bool) (release func(), err error) {
	select {
	case g.slots <- struct{}{}:
	case <-ctx.Done():
		return nil, fault.From(ctx.Err())
	}
	var once sync.Once
	release = func() { once.Do(func() { <-g.slots }) }
	if err := ctx.Err(); err != nil {
		release()
		return nil, fault.From(err)
	}
	if retryAt, ok := g.take(paging); !ok {
		release()
		return nil, fault.New(fault.BudgetExhausted, "This connection has used its own limit of requests; try again at %s.", fault.Clock(retryAt)).
			RetryAt(retryAt)
	}
	return release, nil
}

// take counts one request, or says when there is room for it.
func (g *gate) take(paging bool) (retryAt time.Time, ok bool) {
	g.mu.Lock()
	defer g.mu.Unlock()
	now := g.now()
	retryAt = g.all.freeAt(now)
	if paging {
		if at := g.paging.freeAt(now); at.After(retryAt) {
			retryAt = at
		}
	}
	if !retryAt.IsZero() {
		return retryAt, false
	}
	g.all.add(now)
	if paging {
		g.paging.add(now)
	}
	return time.Time{}, true
}

// Observe implements Gate.
func (g *gate) Observe(remaining int, reset time.Time) {
	if remaining < 0 {
		return
	}
	g.mu.Lock()
	defer g.mu.Unlock()
	g.said.Known, g.said.Remaining, g.said.Reset = true, remaining, reset
	if remaining > reserve {
		g.pausedUntil = time.Time{}
		return
	}
	now := g.now()
	if reset.IsZero() {
		reset = now.Add(time.Minute)
	}
	g.pausedUntil = clamp(reset, now.Add(time.Second), now.Add(maxPause))
}

// ObserveLimit implements LimitObserver.
func (g *gate) ObserveLimit(limit int) {
	g.mu.Lock()
	defer g.mu.Unlock()
	g.said.Limit = max(limit, 0)
}

// budget is what the upstream told. After its reset it counts anew, so that all
// of a limit that is known is left.
func (g *gate) budget() Budget {
	g.mu.Lock()
	defer g.mu.Unlock()
	b := g.said
	if !b.Known || b.Reset.IsZero() || g.now().Before(b.Reset) {
		return b
	}
	if b.Limit == 0 {
		return Budget{}
	}
	return Budget{Known: true, Remaining: b.Limit, Limit: b.Limit}
}

// paused reports whether background work should leave the connection alone.
// What a person or an assistant asks for is never held back.
func (g *gate) paused() bool {
	g.mu.Lock()
	defer g.mu.Unlock()
	return g.now().Before(g.pausedUntil)
}

// window counts requests in a sliding time.
type window struct {
	limit int
	per   time.Duration
	at    []time.Time
}

// freeAt returns the zero time when a request fits, else when one will.
func (w *window) freeAt(now time.Time) time.Time {
	for len(w.at) > 0 && now.Sub(w.at[0]) >= w.per {
		w.at = w.at[1:]
	}
	if len(w.at) < w.limit {
		return time.Time{}
	}
	return w.at[0].Add(w.per)
}

func (w *window) add(now time.Time) { w.at = append(w.at, now) }

// clamp returns at, but not before lo nor after hi.
func clamp(at, lo, hi time.Time) time.Time {
	switch {
	case at.Before(lo):
		return lo
	case at.After(hi):
		return hi
	}
	return at
}

// gates holds the gates of all connections, made on first use.
type gates struct {
	now func() time.Time
	mu  sync.Mutex
	all map[string]*gate
}

func (g *gates) of(connectionID string) *gate {
	g.mu.Lock()
	defer g.mu.Unlock()
	if g.all[connectionID] == nil {
		g.all[connectionID] = newGate(g.now)
	}
	return g.all[connectionID]
}

// budget is what the connection's upstream told, without making a gate.
func (g *gates) budget(connectionID string) Budget {
	g.mu.Lock()
	one := g.all[connectionID]
	g.mu.Unlock()
	if one == nil {
		return Budget{}
	}
	return one.budget()
}

func (g *gates) forget(connectionID string) {
	g.mu.Lock()
	defer g.mu.Unlock()
	delete(g.all, connectionID)
}
