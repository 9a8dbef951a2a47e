package sns

import (
	"context"
	"sync"
	"time"

	"personal-workspace/internal/sqlite"
)

const (
	// askStagger keeps sources that are due together from being asked in the same
	// instant.
	askStagger = 150 * time.Millisecond
	// askAgain is the shortest time between two looks at one source, whatever
	// became of the first.
	askAgain = 15 * time.Second
	// askNobody is how long Run rests when nothing is watched; a new watch wakes it.
	askNobody = time.Hour
)

// Watch is a wish to hear of news. As long as it is open, Run asks for the news
// of its sources every minute, each source once however many watches have it,
// and the watch hears of what came or failed. It only says that something is
// new: read the store to learn what. It is safe for concurrent use.
type Watch struct {
	// C receives after one or more of the sources have changed.
	C <-chan struct{}

	wake chan struct{}
	all  *watches
	// sources and changed are by key, guarded by all.mu.
	sources, changed map[string]ColumnRef
}

// watches are all open watches.
type watches struct {
	now func() time.Time
	// wake tells Run that something may be due earlier than it thought.
	wake chan struct{}

	mu      sync.Mutex
	sources map[string]*watched
}

// watched is a source that somebody watches, and when to look at it next.
type watched struct {
	ref  ColumnRef
	by   map[*Watch]struct{}
	next time.Time
}

func newWatches(now func() time.Time) *watches {
	return &watches{now: now, wake: make(chan struct{}, 1), sources: map[string]*watched{}}
}

// Watch opens a watch without sources. Close it when done.
func (s *Service) Watch() *Watch {
	c := make(chan struct{}, 1)
	return &Watch{C: c, wake: c, all: s.watches, sources: map[string]ColumnRef{}, changed: map[string]ColumnRef{}}
}

// Set makes refs the sources of the watch. What is new among them is looked at
// soon.
func (w *Watch) Set(refs []ColumnRef) {
	w.all.mu.Lock()
	defer w.all.mu.Unlock()
	wanted := make(map[string]ColumnRef, len(refs))
	for _, r := range refs {
		wanted[r.key()] = r
	}
	for key := range w.sources {
		if _, stays := wanted[key]; !stays {
			w.all.drop(key, w)
		}
	}
	for key, r := range wanted {
		if _, known := w.sources[key]; !known {
			w.all.add(key, r, w)
		}
	}
	w.sources = wanted
	signal(w.all.wake)
}

// Changed returns the sources that have changed since the last call.
func (w *Watch) Changed() []ColumnRef {
	w.all.mu.Lock()
	defer w.all.mu.Unlock()
	list := make([]ColumnRef, 0, len(w.changed))
	for _, r := range w.changed {
		list = append(list, r)
	}
	clear(w.changed)
	return list
}

// Close ends the watch. It may be called more than once.
func (w *Watch) Close() { w.Set(nil) }

// add and drop enter a source and remove it; mu is held.
func (ws *watches) add(key string, r ColumnRef, w *Watch) {
	src := ws.sources[key]
	if src == nil {
		src = &watched{ref: r, by: map[*Watch]struct{}{}, next: ws.now()}
		ws.sources[key] = src
	}
	src.by[w] = struct{}{}
}

func (ws *watches) drop(key string, w *Watch) {
	src := ws.sources[key]
	delete(src.by, w)
	delete(w.changed, key)
	if len(src.by) == 0 {
		delete(ws.sources, key)
	}
}

// changed tells whoever watches a source that it is not as it was. It waits for
// nobody.
func (ws *watches) changed(r ColumnRef) {
	ws.mu.Lock()
	defer ws.mu.Unlock()
	key := r.key()
	src := ws.sources[key]
	if src == nil {
		return
	}
	for w := range src.by {
		w.changed[key] = src.ref
		signal(w.wake)
	}
}

// due takes the source that is due longest, or returns how long to wait for one.
func (ws *watches) due() (r ColumnRef, wait time.Duration) {
	ws.mu.Lock()
	defer ws.mu.Unlock()
	var first *watched
	for _, src := range ws.sources {
		if first == nil || src.next.Before(first.next) {
			first = src
		}
	}
	if first == nil {
		return r, askNobody
	}
	now := ws.now()
	if now.Before(first.next) {
		return r, first.next.Sub(now)
	}
	first.next = now.Add(maxAge)
	return first.ref, 0
}

// isWatched reports whether anybody watches the source.
func (ws *watches) isWatched(r ColumnRef) bool {
	ws.mu.Lock()
	defer ws.mu.Unlock()
	return ws.sources[r.key()] != nil
}

// lookAt sets when a source is looked at next.
func (ws *watches) lookAt(r ColumnRef, at time.Time) {
	ws.mu.Lock()
	defer ws.mu.Unlock()
	if src := ws.sources[r.key()]; src != nil {
		src.next = at
		signal(ws.wake)
	}
}

// lookAtAll makes all that is watched of a connection due.
func (ws *watches) lookAtAll(connectionID string) {
	ws.mu.Lock()
	defer ws.mu.Unlock()
	for _, src := range ws.sources {
		if src.ref.ConnectionID == connectionID {
			src.next = ws.now()
		}
	}
	signal(ws.wake)
}

// signal wakes whoever waits at c, once for any number of signals.
func signal(c chan struct{}) {
	select {
	case c <- struct{}{}:
	default:
	}
}

// watchSources asks for the news of what is watched until ctx ends.
func (s *Service) watchSources(ctx context.Context) {
	timer := time.NewTimer(askNobody)
	defer timer.Stop()
	for {
		r, wait := s.watches.due()
		wake := s.watches.wake
		if wait == 0 {
			s.lookFor(ctx, r)
			wait, wake = askStagger, nil
		}
		timer.Reset(wait)
		select {
		case <-ctx.Done():
			return
		case <-timer.C:
		case <-wake:
		}
	}
}

// lookFor queues a watched source, unless its connection is one that only the
// person can bring back.
func (s *Service) lookFor(ctx context.Context, r ColumnRef) {
	c, err := s.GetConnection(ctx, r.ConnectionID)
	if err == nil && c.State != Disabled && c.State != ReauthRequired {
		s.queue.push(r)
	}
}

// lookAgain sets when a source that was looked at is due once more: no earlier
// than its network is ready for it.
func (s *Service) lookAgain(ctx context.Context, r ColumnRef) {
	if !s.watches.isWatched(r) {
		return
	}
	now := s.now()
	next := now.Add(maxAge)
	if c, err := s.GetConnection(ctx, r.ConnectionID); err == nil {
		if at, err := s.dueAt(ctx, c, r.Source); err == nil {
			next = at
		}
	}
	if soonest := now.Add(askAgain); next.Before(soonest) {
		next = soonest
	}
	s.watches.lookAt(r, next)
}

// tell wakes who watches the source once the transaction is committed.
func (s *Service) tell(tx *sqlite.Tx, c Connection, src Source) {
	tx.AfterCommit(func() { s.watches.changed(ColumnRef{c.ID, src}) })
}
