package twitter

import (
	"context"
	"encoding/json"
	"time"

	"personal-workspace/internal/fault"
	"personal-workspace/sns"
)

// longestRest bounds how long anything can leave an operation alone; what is said
// to last longer was said by another clock.
const longestRest = time.Hour + time.Minute

// note is asked as a profile's memory keeps it, under the operation's name. Times
// are in Unix milliseconds.
type note struct {
	Starts   []int64    `json:"starts,omitempty"`
	Answered int64      `json:"answered,omitempty"`
	Failures int        `json:"failures,omitempty"`
	Since    int64      `json:"since,omitempty"`
	Until    int64      `json:"until,omitempty"`
	Code     fault.Code `json:"code,omitempty"`
	Message  string     `json:"message,omitempty"`
	Reason   string     `json:"reason,omitempty"`
}

// recall reads, once, what an earlier process kept. A note that cannot be read
// tells nothing.
func (pr *profile) recall(ctx context.Context, m sns.Memory) error {
	pr.mu.Lock()
	defer pr.mu.Unlock()
	if pr.recalled || m == nil {
		return nil
	}
	notes, err := m.Recall(ctx)
	if err != nil {
		return uncounted(err)
	}
	for name, text := range notes {
		var n note
		if _, known := operations[name]; !known && name != allOps || json.Unmarshal([]byte(text), &n) != nil {
			continue
		}
		o := n.asked()
		pr.asked[name] = o
		if last := len(o.starts) - 1; last >= 0 && o.starts[last].Add(startGap).After(pr.next) {
			pr.next = o.starts[last].Add(startGap)
		}
	}
	pr.recalled = true
	return nil
}

// keep stores what changed. Only who has the turn calls it, so that no older note
// replaces a newer one.
func (pr *profile) keep(ctx context.Context, m sns.Memory) error {
	if m == nil {
		return nil
	}
	left := pr.changes()
	for name, text := range left {
		if err := m.Remember(ctx, name, text); err != nil {
			pr.keepLater(left)
			return uncounted(err)
		}
		delete(left, name)
	}
	return nil
}

// keepLater marks notes that could not be stored.
func (pr *profile) keepLater(notes map[string]string) {
	pr.mu.Lock()
	defer pr.mu.Unlock()
	for name := range notes {
		pr.of(name).changed = true
	}
}

// changes are the notes to store, by their operations.
func (pr *profile) changes() map[string]string {
	pr.mu.Lock()
	defer pr.mu.Unlock()
	out := map[string]string{}
	for name, o := range pr.asked {
		if o.changed {
			o.changed = false
			out[name] = encode(o.note())
		}
	}
	return out
}

// uncounted is the fault of a request that is not sent because the workspace could
// forget it.
func uncounted(err error) *fault.Error {
	if f := fault.From(err); f.Code != fault.Internal {
		return f
	}
	return fault.New(fault.Internal, "The workspace could not note the request, so X was not asked; look at its log, then try again.").Wrap(err)
}

func (o *asked) note() note {
	n := note{Answered: milli(o.answered), Failures: o.failures, Since: milli(o.since), Until: milli(o.until)}
	for _, at := range o.starts {
		n.Starts = append(n.Starts, milli(at))
	}
	if o.why != nil {
		n.Code, n.Message = o.why.Code, o.why.Message
		n.Reason, _ = o.why.Details[fault.DetailReason].(string)
	}
	return n
}

func (n note) asked() *asked {
	o := &asked{answered: fromMilli(n.Answered), failures: max(n.Failures, 0), since: fromMilli(n.Since), until: fromMilli(n.Until)}
	for _, at := range n.Starts {
		o.starts = append(o.starts, time.UnixMilli(at))
	}
	if n.Code != "" && n.Message != "" {
		o.why = fault.New(n.Code, "%s", n.Message).RetryAt(o.until)
		if n.Reason != "" {
			o.why = o.why.With(fault.DetailReason, n.Reason)
		}
	}
	return o
}

// forgetFuture drops what cannot be true now: the clock was wrong when it was kept.
func (o *asked) forgetFuture(now time.Time) {
	latest := now.Add(time.Minute)
	for len(o.starts) > 0 && o.starts[len(o.starts)-1].After(latest) {
		o.starts = o.starts[:len(o.starts)-1]
	}
	if o.answered.After(latest) {
		o.answered = time.Time{}
	}
	if o.until.After(now.Add(longestRest)) {
		o.until, o.why = time.Time{}, nil
	}
}

// milli and fromMilli turn times into what is kept; 0 is the zero time.
func milli(t time.Time) int64 {
	if t.IsZero() {
		return 0
	}
	return t.UnixMilli()
}

func fromMilli(ms int64) time.Time {
	if ms == 0 {
		return time.Time{}
	}
	return time.UnixMilli(ms)
}
