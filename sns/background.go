package sns

import (
	"context"
	"errors"
	"slices"
	"sync"
	"time"

	"personal-workspace/internal/fault"
	"personal-workspace/internal/sqlite"
)

const (
	// maxAge is how old a timeline must be before it is refreshed in the
	// background.
	maxAge = time.Minute
	// maxBackoff bounds the wait after failures in a row, which doubles from
	// maxAge.
	maxBackoff = 30 * time.Minute
	// maxWorkersOf bounds how many refreshes of one connection run at once: no
	// more than its requests. The first of each connection needs nobody's leave,
	// so that no number of servers that hang holds up another; the further ones
	// of all share moreWorkers.
	maxWorkersOf = inFlight
	moreWorkers  = 12
	workers      = MaxConnections + moreWorkers
	// maxQueue bounds how many refreshes can wait.
	maxQueue = 256
	// pruneEvery is how often what is too old is removed.
	pruneEvery = time.Hour
)

// queue holds the refreshes that were asked for, each source once.
type queue struct {
	mu      sync.Mutex
	order   []ColumnRef
	waiting map[string]bool
	// working counts the refreshes under way, by connection; more are those
	// besides the first of each.
	working map[string]int
	more    int
	wake    chan struct{}
}

func newQueue() *queue {
	return &queue{waiting: map[string]bool{}, working: map[string]int{}, wake: make(chan struct{}, workers)}
}

func (r ColumnRef) key() string { return r.ConnectionID + keySeparator + r.Source.Hash() }

// push adds a refresh unless it waits already or the queue is full.
func (q *queue) push(r ColumnRef) {
	q.mu.Lock()
	defer q.mu.Unlock()
	if q.waiting[r.key()] || len(q.order) >= maxQueue {
		return
	}
	q.waiting[r.key()] = true
	q.order = append(q.order, r)
	select {
	case q.wake <- struct{}{}:
	default:
	}
}

// pop takes the refresh that waits longest of those that may begin. done must be called after it.
func (q *queue) pop() (r ColumnRef, ok bool) {
	q.mu.Lock()
	defer q.mu.Unlock()
	i := slices.IndexFunc(q.order, q.may)
	if i < 0 {
		return r, false
	}
	r = q.order[i]
	q.order = slices.Delete(q.order, i, i+1)
	delete(q.waiting, r.key())
	if q.working[r.ConnectionID]++; q.working[r.ConnectionID] > 1 {
		q.more++
	}
	return r, true
}

// may reports whether a refresh may begin; q.mu is held.
func (q *queue) may(r ColumnRef) bool {
	n := q.working[r.ConnectionID]
	return n == 0 || n < maxWorkersOf && q.more < moreWorkers
}

// done ends a refresh. Who calls it calls pop next: what its connection held
// back is nobody else's to find.
func (q *queue) done(r ColumnRef) {
	q.mu.Lock()
	defer q.mu.Unlock()
	if q.working[r.ConnectionID]--; q.working[r.ConnectionID] == 0 {
		delete(q.working, r.ConnectionID)
		return
	}
	q.more--
}

// RefreshLater asks Run to refresh a source in the background. It never waits;
// a source that is already queued or was fetched within a minute is left alone,
// so is one whose last failure said when to come back.
func (s *Service) RefreshLater(connectionID string, src Source) {
	s.queue.push(ColumnRef{connectionID, src})
}

// Run owns the background work: refreshes that were asked for, those of what is
// watched, fetches that outlived their caller, and the removal of old posts. It
// returns when ctx ends and everything is waited for; the service must not be used
// afterwards.
func (s *Service) Run(ctx context.Context) error {
	var wg sync.WaitGroup
	for range workers {
		wg.Go(func() { s.work(ctx) })
	}
	wg.Go(func() { s.clean(ctx) })
	wg.Go(func() { s.watchSources(ctx) })
	<-ctx.Done()
	s.Close()
	wg.Wait()
	return ctx.Err()
}

func (s *Service) work(ctx context.Context) {
	for {
		if r, ok := s.queue.pop(); ok {
			s.background(ctx, r)
			s.queue.done(r)
			s.lookAgain(ctx, r)
			continue
		}
		select {
		case <-ctx.Done():
			return
		case <-s.queue.wake:
		}
	}
}

// background refreshes a source if that is due, else what its list is called.
// What fails is stored, so that the page can name it; what is logged here could
// not even be stored.
func (s *Service) background(ctx context.Context, r ColumnRef) {
	c, err := s.GetConnection(ctx, r.ConnectionID)
	if err != nil || c.State == Disabled || s.gates.of(c.ID).paused() {
		return
	}
	due, err := s.due(ctx, c, r.Source)
	switch {
	case err != nil:
	case due:
		err = s.refreshNow(ctx, c, r.Source)
	case r.Source.Kind == KindList:
		s.refreshTitle(ctx, c, r.Source)
	}
	if fault.CodeOf(err) == fault.Internal {
		s.log.ErrorContext(ctx, "a background refresh failed", "connection", c.ID, "err", err)
	}
}

func (s *Service) refreshNow(ctx context.Context, c Connection, src Source) error {
	normal, err := s.validate(c, src, "source")
	if err != nil {
		return s.saveFailure(ctx, c, src, fault.From(err), inBackground)
	}
	_, err = s.fetch(ctx, c, normal, cursor{}, "", inBackground)
	return err
}

// due reports whether a source may be asked again in the background.
func (s *Service) due(ctx context.Context, c Connection, src Source) (bool, error) {
	at, err := s.dueAt(ctx, c, src)
	return err == nil && !s.now().Before(at), err
}

// dueAt is when a source may be asked again in the background; the zero time is
// at once.
func (s *Service) dueAt(ctx context.Context, c Connection, src Source) (at time.Time, err error) {
	var t timeline
	err = s.db.Read(ctx, func(tx *sqlite.Tx) (err error) {
		t, err = findTimeline(tx, c.ID, src)
		return err
	})
	if sqlite.IsNoRows(err) {
		return at, nil
	}
	t.forgetFuture(s.now())
	return t.dueAt(c), err
}

func (t timeline) dueAt(c Connection) time.Time {
	at := fromMilli(t.fetchedAt).Add(maxAge)
	for _, later := range []time.Time{fromMilli(t.failedAt).Add(t.backoff(c)), fromMilli(t.retryAt)} {
		if later.After(at) {
			at = later
		}
	}
	return at
}

// backoff is how long to wait after the timeline's failures in a row.
func (t timeline) backoff(c Connection) time.Duration {
	if c.State != Ready {
		return maxBackoff
	}
	return min(maxAge<<min(max(t.failureRow-1, 0), 10), maxBackoff)
}

// clean removes what is too old, at the start and every hour.
func (s *Service) clean(ctx context.Context) {
	tick := time.NewTicker(pruneEvery)
	defer tick.Stop()
	for {
		if err := s.Prune(ctx); err != nil && !errors.Is(err, context.Canceled) && ctx.Err() == nil {
			s.log.ErrorContext(ctx, "old posts were not removed", "err", err)
		}
		s.pages.tidy()
		s.lists.tidy()
		s.threads.tidy()
		s.tags.tidy()
		s.posts.tidy()
		select {
		case <-ctx.Done():
			return
		case <-tick.C:
		}
	}
}
