package twitter

import (
	"context"
	"sync"
	"time"

	"personal-workspace/internal/fault"
	"personal-workspace/sns"
)

const (
	// checkEvery is how long a profile is taken to read as the account that it was
	// last seen to read as. Nothing else that X sends says whose home it is.
	checkEvery = 10 * time.Minute
	// checkAgain is the same for a profile that read as another account than the
	// one that is asked for.
	checkAgain = time.Minute
)

// identities remember as whom each profile reads. The zero value knows nothing.
type identities struct {
	mu   sync.Mutex
	seen map[profileKey]seen
}

// seen is the id of the account that a profile read as, "" when that is not known,
// and when that was looked at.
type seen struct {
	id string
	at time.Time
}

// saw remembers as whom a profile reads.
func (i *identities) saw(a sns.Account, id string, now time.Time) {
	i.mu.Lock()
	defer i.mu.Unlock()
	i.note(a, id, now)
}

// due reports whether nobody has looked for d as whom a profile reads; who is told
// so is the one to look. The first time begins at the first question.
func (i *identities) due(a sns.Account, d time.Duration, now time.Time) bool {
	i.mu.Lock()
	defer i.mu.Unlock()
	s, known := i.seen[profileKey{a.Origin, a.Profile}]
	if known && now.Sub(s.at) < d {
		return false
	}
	i.note(a, s.id, now)
	return known
}

// note remembers; i.mu is held.
func (i *identities) note(a sns.Account, id string, now time.Time) {
	if i.seen == nil {
		i.seen = map[profileKey]seen{}
	}
	i.seen[profileKey{a.Origin, a.Profile}] = seen{id, now}
}

// mayRead refuses a read with a profile that is known to be another account's by
// now, before anything of that account is asked for.
func (p *Provider) mayRead(ctx context.Context, a sns.Account, q question) error {
	if q.op == opViewer || a.AccountID == "" || !p.identities.others(a) {
		return nil
	}
	if p.identities.due(a, checkAgain, p.pace.now()) {
		return p.check(ctx, a)
	}
	return otherAccount(a)
}

// others reports whether a profile was last seen to read as another account.
func (i *identities) others(a sns.Account) bool {
	i.mu.Lock()
	defer i.mu.Unlock()
	s := i.seen[profileKey{a.Origin, a.Profile}]
	return s.id != "" && s.id != a.AccountID
}

// stillTheirs looks now and then whether what was just read is of the account that
// it was read for. Where X does not say, it is taken to be so.
func (p *Provider) stillTheirs(ctx context.Context, a sns.Account, q question) error {
	if q.op == opViewer || a.AccountID == "" || !p.identities.due(a, checkEvery, p.pace.now()) {
		return nil
	}
	return p.check(ctx, a)
}

// check asks X as whom the profile reads.
func (p *Provider) check(ctx context.Context, a sns.Account) error {
	_, err := p.viewer(ctx, a, false)
	switch {
	case p.identities.others(a):
		return otherAccount(a)
	case fault.CodeOf(err) == fault.Unauthorized:
		return err
	}
	return nil
}

func otherAccount(a sns.Account) *fault.Error {
	return fault.New(fault.Unauthorized, "The profile %s is signed in to X as another account; sign in as the account of this connection there, then test the connection.", a.Profile).
		With(fault.DetailReason, ReasonOther)
}
