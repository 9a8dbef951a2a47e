package twitter

import (
	"crypto/sha256"
	"strings"
	"time"

	"personal-workspace/internal/fault"
	"personal-workspace/sns"
)

// maxStuck bounds how many questions of a profile are remembered to be of no use.
const maxStuck = 200

// stuck is a question whose answer cannot be used: it is too large, or has a form
// that this version does not know. The answer to the same question would be the
// same, so that question alone is left alone for a while; others of its operation
// are not.
type stuck struct {
	failures int
	until    time.Time
	why      *fault.Error
}

type questionKey [sha256.Size]byte

// key tells questions apart, with how they are asked: a newer catalogue asks
// another one.
func (p *Provider) key(q question) questionKey {
	how := p.catalogue.recipe(q.op)
	return sha256.Sum256([]byte(strings.Join([]string{q.op, how.id, encode(how.features), encode(how.toggles), encode(q.vars)}, "\n")))
}

// ofNoUse reports whether a fault is of an answer that cannot be used.
func ofNoUse(f *fault.Error) bool {
	reason, _ := f.Details[fault.DetailReason].(string)
	return f.Code == fault.ResponseTooLarge || f.Code == fault.UpstreamChanged || strings.HasPrefix(reason, unknownError)
}

// answered notes what became of a question, and returns what to tell of it.
func (p *pace) answered(a sns.Account, key questionKey, err error) error {
	pr, now := p.of(a), p.now()
	pr.mu.Lock()
	defer pr.mu.Unlock()
	if err == nil {
		delete(pr.stuck, key)
		return nil
	}
	f := fault.From(err)
	if !ofNoUse(f) {
		return err
	}
	s := pr.stuck[key]
	s.failures++
	s.until = now.Add(rests[min(s.failures, len(rests))-1])
	s.why = until(f, s.until)
	pr.makeRoom(now)
	pr.stuck[key] = s
	return s.why
}

// makeRoom forgets questions where there are too many: those whose time is over,
// else all; pr.mu is held.
func (pr *profile) makeRoom(now time.Time) {
	if pr.stuck == nil {
		pr.stuck = map[questionKey]stuck{}
	}
	if len(pr.stuck) < maxStuck {
		return
	}
	for key, s := range pr.stuck {
		if !now.Before(s.until) {
			delete(pr.stuck, key)
		}
	}
	if len(pr.stuck) >= maxStuck {
		clear(pr.stuck)
	}
}

// isStuck is why a question is not asked now, nil when it may be.
func (pr *profile) isStuck(key questionKey, now time.Time) error {
	pr.mu.Lock()
	defer pr.mu.Unlock()
	if s := pr.stuck[key]; now.Before(s.until) && s.until.Before(now.Add(longestRest)) {
		return s.why
	}
	return nil
}
