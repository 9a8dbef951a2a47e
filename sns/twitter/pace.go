package twitter

import (
	"context"
	"log/slog"
	"sync"
	"time"

	"personal-workspace/internal/fault"
	"personal-workspace/sns"
)

const (
	// startGap is the shortest time between the starts of two requests of one
	// profile, to which up to startJitter is added.
	startGap    = 1500 * time.Millisecond
	startJitter = 750 * time.Millisecond
	budgetPer   = 15 * time.Minute
	// warmFor is how long a page is taken to be loaded after an answer: a later
	// request may wait for a page load.
	warmFor = time.Minute
)

// rests are how long an operation is left alone after its first error in a row,
// its second and so on, with a fifth more or less.
var rests = []time.Duration{30 * time.Second, 2 * time.Minute, 10 * time.Minute, 15 * time.Minute}

// allOps stands for all operations of a profile: where nobody is signed in to X any
// more, or X has locked the account, none is asked but the one that looks whether
// that is over.
const allOps = "*"

// pace keeps the requests of each profile apart, within budgets and, after errors,
// away. It belongs to the profile, not to the connection: two connections of one
// profile are one reader to X. What X may hold against a profile is also kept in
// its Memory, so that a process that is started again goes on where it was.
type pace struct {
	now    func() time.Time
	wait   func(ctx context.Context, d time.Duration) error
	random func() float64
	log    *slog.Logger
	turns  turns

	mu       sync.Mutex
	profiles map[profileKey]*profile
}

type profileKey struct{ origin, name string }

// profile is what is known of one profile of one relay.
type profile struct {
	// turn is held by the one request in flight, until what became of it is kept.
	turn chan struct{}

	mu sync.Mutex
	// recalled: the notes of an earlier process have been read.
	recalled bool
	// next is the earliest start of the next request.
	next  time.Time
	asked map[string]*asked
	// stuck are the questions that are left alone for themselves.
	stuck map[questionKey]stuck
}

// asked is what became of one operation of a profile.
type asked struct {
	// starts are the requests of the last budgetPer.
	starts []time.Time
	// answered is when it last gave an answer.
	answered time.Time
	// failures counts the errors in a row without a reason; since is the first.
	failures int
	since    time.Time
	// until is when it may be asked again, and why not before.
	until time.Time
	why   *fault.Error
	// changed since it was kept.
	changed bool
}

func (p *pace) of(a sns.Account) *profile {
	p.mu.Lock()
	defer p.mu.Unlock()
	key := profileKey{a.Origin, a.Profile}
	if p.profiles == nil {
		p.profiles = map[profileKey]*profile{}
	}
	if p.profiles[key] == nil {
		p.profiles[key] = &profile{turn: make(chan struct{}, 1), asked: map[string]*asked{}}
	}
	return p.profiles[key]
}

// acquire waits for the profile's turn and takes one request of an operation from
// its budgets. An operation that is left alone is refused at once. The returned
// function must be called when it is known what became of the request.
func (p *pace) acquire(ctx context.Context, a sns.Account, name string, paging bool) (release func(), err error) {
	pr := p.of(a)
	if err := pr.recall(ctx, a.Memory); err != nil {
		return nil, err
	}
	if err := pr.refusal(a, name, p.now()); err != nil {
		return nil, err
	}
	select {
	case pr.turn <- struct{}{}:
	case <-ctx.Done():
		return nil, fault.From(ctx.Err())
	}
	done, err := p.among(ctx, pr, a, name, paging)
	if err != nil {
		<-pr.turn
		return nil, err
	}
	return func() { done(); <-pr.turn }, nil
}

// among is acquire for who has the turn of this process. What another process has
// done with the profile meanwhile counts.
func (p *pace) among(ctx context.Context, pr *profile, a sns.Account, name string, paging bool) (release func(), err error) {
	h, err := p.turns.hold(ctx, a, p.wait)
	if err != nil {
		return nil, err
	}
	if at, others := h.lastOf(p.turns); others {
		pr.forget(at.Add(p.gap()))
		err = pr.recall(ctx, a.Memory)
	}
	var done func()
	if err == nil {
		done, err = p.start(ctx, pr, a, name, paging)
	}
	if err != nil {
		h.end()
		return nil, err
	}
	if err := h.began(p.turns, p.now()); err != nil {
		done()
		h.end()
		return nil, err
	}
	return func() {
		done()
		if err := pr.keep(context.WithoutCancel(ctx), a.Memory); err != nil {
			p.log.ErrorContext(ctx, "what became of a request to X could not be kept", "connection", a.ConnectionID, "err", err)
		}
		h.end()
	}, nil
}

// gap is how long after the start of a request the next one may start.
func (p *pace) gap() time.Duration {
	return startGap + time.Duration(p.random()*float64(startJitter))
}

// forget is for when another process has used the profile: what this one knew is
// to be read anew, and it asks no earlier than next.
func (pr *profile) forget(next time.Time) {
	pr.mu.Lock()
	defer pr.mu.Unlock()
	pr.recalled = false
	if next.After(pr.next) {
		pr.next = next
	}
}

// start is acquire for who has the turn. A request that could not be counted for
// good is not sent.
func (p *pace) start(ctx context.Context, pr *profile, a sns.Account, name string, paging bool) (release func(), err error) {
	if err := pr.refusal(a, name, p.now()); err != nil {
		return nil, err // what went before has failed meanwhile
	}
	if d := pr.startsIn(p.now()); d > 0 {
		if err := p.wait(ctx, d); err != nil {
			return nil, fault.From(err)
		}
	}
	if err := ctx.Err(); err != nil {
		return nil, fault.From(err)
	}
	if release, err = a.Gate.Acquire(ctx, paging); err != nil {
		return nil, err
	}
	pr.begin(name, p.now(), p.gap())
	if err := pr.keep(ctx, a.Memory); err != nil {
		release()
		return nil, err
	}
	return release, nil
}

func (pr *profile) startsIn(now time.Time) time.Duration {
	pr.mu.Lock()
	defer pr.mu.Unlock()
	return min(pr.next.Sub(now), startGap+startJitter)
}

// begin counts a request.
func (pr *profile) begin(name string, now time.Time, gap time.Duration) {
	pr.mu.Lock()
	defer pr.mu.Unlock()
	pr.next = now.Add(gap)
	o := pr.of(name)
	o.starts, o.changed = append(o.starts, now), true
}

// of is the record of an operation; pr.mu is held.
func (pr *profile) of(name string) *asked {
	if pr.asked[name] == nil {
		pr.asked[name] = &asked{}
	}
	return pr.asked[name]
}

// refusal says why an operation may not be asked now, nil when it may.
func (pr *profile) refusal(a sns.Account, name string, now time.Time) error {
	pr.mu.Lock()
	defer pr.mu.Unlock()
	o, all := pr.of(name), pr.of(allOps)
	for _, each := range pr.asked {
		each.forgetFuture(now)
	}
	switch {
	case now.Before(all.until) && all.why != nil && name != opViewer:
		return all.why
	case now.Before(o.until) && o.why != nil:
		if isOpaque(o.why) { // what works meanwhile tells more
			o.why = pr.opaque(a, name)
		}
		return o.why
	}
	for len(o.starts) > 0 && now.Sub(o.starts[0]) >= budgetPer {
		o.starts = o.starts[1:]
	}
	if op := operations[name]; len(o.starts) >= op.budget {
		at := o.starts[0].Add(budgetPer)
		return fault.New(fault.BudgetExhausted, "So that X does not lock the account, it is asked for %s at most %d times in 15 minutes; try again at %s.", op.what, op.budget, fault.Clock(at)).
			RetryAt(at)
	}
	return nil
}

// warm reports whether the page was there a moment ago.
func (pr *profile) warm(now time.Time) bool {
	pr.mu.Lock()
	defer pr.mu.Unlock()
	for _, o := range pr.asked {
		if now.Sub(o.answered) < warmFor {
			return true
		}
	}
	return false
}

// succeeded records an answer of an operation. It is kept where that tells why
// another fails.
func (pr *profile) succeeded(name string, now time.Time) {
	pr.mu.Lock()
	defer pr.mu.Unlock()
	o := pr.of(name)
	for _, each := range pr.asked {
		o.changed = o.changed || each.failures > 0
	}
	o.changed = o.changed || !o.until.IsZero()
	o.answered, o.failures, o.until, o.why = now, 0, time.Time{}, nil
	if all := pr.of(allOps); all.failures > 0 {
		*all = asked{changed: true}
	}
}

// endRests is for when somebody has made sure of the profile: what it was left
// alone for may be over. What X itself limits is not.
func (pr *profile) endRests() {
	pr.mu.Lock()
	defer pr.mu.Unlock()
	for _, o := range pr.asked {
		if o.failures > 0 {
			o.until, o.changed = time.Time{}, true
		}
	}
	clear(pr.stuck)
}

// rest leaves an operation alone until at, with the fault of that answer.
func (pr *profile) rest(name string, at time.Time, why *fault.Error) {
	pr.mu.Lock()
	defer pr.mu.Unlock()
	o := pr.of(name)
	o.failures, o.until, o.why, o.changed = 0, at, why, true
}

// failed counts an error without a reason, leaves the operation alone for a while
// and returns what to tell.
func (p *pace) failed(a sns.Account, name string, cause error) *fault.Error {
	return p.leave(a, name, time.Time{}, func(pr *profile, _ *asked) *fault.Error { return pr.opaque(a, name).Wrap(cause) })
}

// refused is failed for an error with a reason.
func (p *pace) refused(a sns.Account, name string, f *fault.Error) *fault.Error {
	return p.refusedUntil(a, name, f, time.Time{})
}

// refusedUntil is refused where it was said when to come back; the zero time is
// that it was not.
func (p *pace) refusedUntil(a sns.Account, name string, f *fault.Error, at time.Time) *fault.Error {
	return p.leave(a, name, at, func(_ *profile, o *asked) *fault.Error { return until(f, o.until) })
}

// leave leaves an operation alone after one more failure, until at or, with the
// zero time, for the next of the rests; tell says why.
func (p *pace) leave(a sns.Account, name string, at time.Time, tell func(*profile, *asked) *fault.Error) *fault.Error {
	pr, now := p.of(a), p.now()
	pr.mu.Lock()
	defer pr.mu.Unlock()
	o := pr.of(name)
	if o.failures == 0 {
		o.since = now
	}
	o.failures++
	d := rests[min(o.failures, len(rests))-1]
	if at.IsZero() {
		at = now.Add(d + time.Duration((p.random()*2-1)*float64(d)/5))
	}
	o.until = at
	o.why, o.changed = tell(pr, o), true
	return o.why
}

// opaque is what to tell of an operation's errors without a reason; pr.mu is held.
func (pr *profile) opaque(a sns.Account, name string) *fault.Error {
	o := pr.of(name)
	return opaque(a, name, o.failures, pr.othersAnswered(name, o.since), o.until)
}

// othersAnswered reports whether another operation gave an answer after a time;
// pr.mu is held.
func (pr *profile) othersAnswered(name string, after time.Time) bool {
	for other, o := range pr.asked {
		if other != name && o.answered.After(after) {
			return true
		}
	}
	return false
}
