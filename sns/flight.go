package sns

import (
	"context"
	"errors"
	"fmt"
	"runtime/debug"
	"strings"
	"sync"
	"time"
)

const (
	// sharedFor is how long an answer is given to others who ask the same.
	sharedFor = 15 * time.Second
	// lateFor is the same for an answer that came after its caller had to be
	// told "timeout": that caller needs time to come back.
	lateFor = time.Minute
	// maxFlight bounds one fetch, also after its callers have left.
	maxFlight = time.Minute
	// maxFlights bounds how many fetches run at once besides the first of each
	// connection. That one needs nobody's leave, so that no number of servers that
	// hang holds up another.
	maxFlights = 32
	// maxFlightsOf bounds how many fetches one connection has. It can send fewer
	// requests at once; more would only keep turns from other connections.
	maxFlightsOf = inFlight + 1
	// maxResults bounds how many answers of a kind are remembered.
	maxResults = 64
)

// errTimeout says that the caller's time is over while the fetch goes on.
var errTimeout = errors.New("no answer within the caller's time")

// flights runs fetches, each shared by all who want the same at the same time
// or shortly after. A fetch runs on the service's goroutines, not on its
// caller's: it goes on when the caller's time is over, and ends when every
// caller has gone away.
type flights[T any] struct {
	now func() time.Time
	// life runs a function on a goroutine that the service waits for.
	life *life
	// keep is how much longer than usual an answer is remembered.
	keep func(T) time.Duration

	mu      sync.Mutex
	running map[string]*flight[T]
	results map[string]*result[T]
}

type flight[T any] struct {
	done   chan struct{}
	cancel context.CancelFunc
	val    T
	err    error
	// waiting callers; late: one of them left because its time was over.
	waiting int
	late    bool
}

type result[T any] struct {
	val T
	// Until when the answer is for everybody, and for those who hold a cursor
	// into it or are content with an older one.
	fresh, until time.Time
	late         bool
}

func newFlights[T any](now func() time.Time, l *life, keep func(T) time.Duration) *flights[T] {
	return &flights[T]{now: now, life: l, keep: keep, running: map[string]*flight[T]{}, results: map[string]*result[T]{}}
}

// do returns the answer for key: a remembered one, that of a fetch in flight, or
// that of fn. old accepts an answer that is remembered for cursors only. When
// ctx's time is over it returns errTimeout.
func (f *flights[T]) do(ctx context.Context, key string, old bool, fn func(context.Context) (T, error)) (T, error) {
	f.mu.Lock()
	if v, ok := f.remembered(key, old); ok {
		f.mu.Unlock()
		return v, nil
	}
	fl := f.running[key]
	if fl == nil {
		var err error
		if fl, err = f.start(key, fn); err != nil {
			f.mu.Unlock()
			return *new(T), err
		}
	}
	fl.waiting++
	f.mu.Unlock()
	return f.wait(ctx, key, fl)
}

// remembered looks an answer up; f.mu is held.
func (f *flights[T]) remembered(key string, old bool) (v T, ok bool) {
	r, now := f.results[key], f.now()
	if r == nil || !now.Before(r.fresh) && !(old && now.Before(r.until)) {
		return v, false
	}
	if r.late {
		r.late = false
		r.fresh = now.Add(sharedFor)
	}
	return r.val, true
}

// recall returns the last answer for key, also one that is kept longer than it is
// given to everybody.
func (f *flights[T]) recall(key string) (v T, ok bool) {
	f.mu.Lock()
	defer f.mu.Unlock()
	r := f.results[key]
	if r == nil || !f.now().Before(r.until) {
		return v, false
	}
	return r.val, true
}

// start begins a fetch; f.mu is held.
func (f *flights[T]) start(key string, fn func(context.Context) (T, error)) (*flight[T], error) {
	fl := &flight[T]{done: make(chan struct{})}
	ctx, cancel := f.life.context(maxFlight)
	fl.cancel = cancel
	err := f.life.start(func() {
		defer cancel()
		val, err := protect(ctx, f.life, connectionOf(key), fn)
		f.finish(key, fl, val, err)
	})
	if err != nil {
		cancel()
		return nil, err
	}
	f.running[key] = fl
	return fl, nil
}

// connectionOf is the connection a key begins with.
func connectionOf(key string) string {
	id, _, _ := strings.Cut(key, keySeparator)
	return id
}

// protect runs fn in its turn and turns a panic into an error: a provider's bug
// must not end the process.
func protect[T any](ctx context.Context, l *life, connectionID string, fn func(context.Context) (T, error)) (val T, err error) {
	defer func() {
		if p := recover(); p != nil {
			err = fmt.Errorf("panic: %v\n%s", p, debug.Stack())
		}
	}()
	release, err := l.turn(ctx, connectionID)
	if err != nil {
		return val, err
	}
	defer release()
	return fn(ctx)
}

func (f *flights[T]) finish(key string, fl *flight[T], val T, err error) {
	f.mu.Lock()
	defer f.mu.Unlock()
	fl.val, fl.err = val, err
	if f.running[key] == fl {
		delete(f.running, key)
		if err == nil {
			f.remember(key, val, fl.late)
		}
	}
	close(fl.done)
}

// remember keeps an answer; f.mu is held.
func (f *flights[T]) remember(key string, val T, late bool) {
	now := f.now()
	r := &result[T]{val: val, fresh: now.Add(sharedFor), late: late}
	if late {
		r.fresh = now.Add(lateFor)
	}
	r.until = r.fresh.Add(f.keep(val))
	f.sweep(now)
	if len(f.results) >= maxResults {
		f.dropOldest()
	}
	f.results[key] = r
}

func (f *flights[T]) sweep(now time.Time) {
	for k, r := range f.results {
		if !now.Before(r.until) {
			delete(f.results, k)
		}
	}
}

// dropOldest makes room: the answer goes that stopped being for everybody first.
// One that is kept for cursors only goes before one that is still shared.
func (f *flights[T]) dropOldest() {
	var oldest string
	for k, r := range f.results {
		if oldest == "" || r.fresh.Before(f.results[oldest].fresh) {
			oldest = k
		}
	}
	delete(f.results, oldest)
}

func (f *flights[T]) wait(ctx context.Context, key string, fl *flight[T]) (T, error) {
	select {
	case <-fl.done:
		f.leave(key, fl, false)
		return fl.val, fl.err
	case <-ctx.Done():
		late := errors.Is(ctx.Err(), context.DeadlineExceeded)
		f.leave(key, fl, late)
		if late {
			return *new(T), errTimeout
		}
		return *new(T), ctx.Err()
	}
}

// leave counts a caller out. A fetch that nobody waits for and that nobody will
// come back for ends.
func (f *flights[T]) leave(key string, fl *flight[T], late bool) {
	f.mu.Lock()
	defer f.mu.Unlock()
	fl.waiting--
	fl.late = fl.late || late
	if fl.waiting == 0 && !fl.late {
		fl.cancel()
		if f.running[key] == fl {
			delete(f.running, key)
		}
	}
}

// forget drops what is remembered under keys that begin with prefix.
func (f *flights[T]) forget(prefix string) {
	f.mu.Lock()
	defer f.mu.Unlock()
	for k := range f.results {
		if strings.HasPrefix(k, prefix) {
			delete(f.results, k)
		}
	}
}

// tidy drops what is too old to be used.
func (f *flights[T]) tidy() {
	f.mu.Lock()
	defer f.mu.Unlock()
	f.sweep(f.now())
}

// life owns the goroutines of fetches: it starts none after its end, and its end
// waits for all.
type life struct {
	ctx  context.Context
	stop context.CancelFunc
	// turns are for the fetches besides the first of each connection.
	turns chan struct{}

	mu    sync.Mutex
	own   map[string]*ownTurns
	ended bool
	wg    sync.WaitGroup
}

// ownTurns are the turns of one connection, and how many fetches have or want
// one.
type ownTurns struct {
	first, more chan struct{}
	users       int
}

func newLife() *life {
	ctx, stop := context.WithCancel(context.Background())
	return &life{ctx: ctx, stop: stop, turns: make(chan struct{}, maxFlights), own: map[string]*ownTurns{}}
}

// turn waits for a turn of the connection: its first, or one more and then one
// of all.
func (l *life) turn(ctx context.Context, connectionID string) (release func(), err error) {
	own := l.join(connectionID)
	give, err := l.take(ctx, own)
	if err != nil {
		l.quit(connectionID)
		return nil, err
	}
	return func() {
		give()
		l.quit(connectionID)
	}, nil
}

func (l *life) take(ctx context.Context, own *ownTurns) (give func(), err error) {
	giveFirst := func() { <-own.first }
	select {
	case own.first <- struct{}{}:
		return giveFirst, nil
	case own.more <- struct{}{}:
	case <-ctx.Done():
		return nil, ctx.Err()
	}
	select {
	case own.first <- struct{}{}:
		<-own.more
		return giveFirst, nil
	case l.turns <- struct{}{}:
		return func() { <-l.turns; <-own.more }, nil
	case <-ctx.Done():
		<-own.more
		return nil, ctx.Err()
	}
}

func (l *life) join(connectionID string) *ownTurns {
	l.mu.Lock()
	defer l.mu.Unlock()
	own := l.own[connectionID]
	if own == nil {
		own = &ownTurns{first: make(chan struct{}, 1), more: make(chan struct{}, maxFlightsOf-1)}
		l.own[connectionID] = own
	}
	own.users++
	return own
}

func (l *life) quit(connectionID string) {
	l.mu.Lock()
	defer l.mu.Unlock()
	own := l.own[connectionID]
	if own.users--; own.users == 0 {
		delete(l.own, connectionID)
	}
}

func (l *life) context(limit time.Duration) (context.Context, context.CancelFunc) {
	return context.WithTimeout(l.ctx, limit)
}

func (l *life) start(fn func()) error {
	l.mu.Lock()
	defer l.mu.Unlock()
	if l.ended {
		return context.Canceled
	}
	l.wg.Go(fn)
	return nil
}

// end stops all fetches and waits for them. It may be called more than once.
func (l *life) end() {
	l.mu.Lock()
	l.ended = true
	l.mu.Unlock()
	l.stop()
	l.wg.Wait()
}
