package mastodon

import (
	"context"
	"math/rand/v2"
	"net/http"
	"sync"
	"time"

	api "github.com/mattn/go-mastodon"

	"personal-workspace/internal/egress"
	"personal-workspace/internal/fault"
	"personal-workspace/sns"
)

// pageSize is how many entries are asked for.
const pageSize = sns.MaxPage

// Config says how a Provider reaches servers. The zero value is for production.
type Config struct {
	// Operator reaches the servers of operator accounts, Guarded those of all
	// others; nil is the client of that name in package egress.
	Operator, Guarded http.RoundTripper
	// Total limits one request with its body; 0 is egress.DefaultTotalTimeout.
	Total time.Duration
	// Now is the clock that times to wait are counted from.
	Now func() time.Time
	// Wait sleeps before a request is repeated and returns early with the
	// context's error.
	Wait func(ctx context.Context, d time.Duration) error
	// UserAgent names the program to servers.
	UserAgent string
}

// Provider implements sns.Provider for Mastodon.
type Provider struct {
	operator, guarded http.RoundTripper
	total             time.Duration
	now               func() time.Time
	wait              func(ctx context.Context, d time.Duration) error
	userAgent         string
	accounts          sns.AccountIDs
	// anyServers are the origins of servers that know any[].
	anyServers sync.Map
}

var _ sns.Provider = (*Provider)(nil)

// New makes a Provider.
func New(c Config) *Provider {
	p := &Provider{operator: c.Operator, guarded: c.Guarded, total: c.Total, now: c.Now, wait: c.Wait, userAgent: c.UserAgent}
	if p.operator == nil {
		p.operator = egress.Operator(egress.Config{}).Transport
	}
	if p.guarded == nil {
		p.guarded = egress.Guarded(egress.Config{}).Transport
	}
	if p.total == 0 {
		p.total = egress.DefaultTotalTimeout
	}
	if p.now == nil {
		p.now = time.Now
	}
	if p.wait == nil {
		p.wait = egress.Pause
	}
	if p.userAgent == "" {
		p.userAgent = "personal-workspace"
	}
	return p
}

// retryDelay is 0.5 to 1.5 s, so that many columns do not come back at once.
func retryDelay() time.Duration {
	return 500*time.Millisecond + rand.N(time.Second)
}

// Supports implements sns.Provider.
func (p *Provider) Supports(a sns.Account, k sns.Kind) error {
	s, ok := subjects[k]
	if !ok {
		return fault.New(fault.InvalidSource, "Mastodon has no source of this kind; use another kind.").
			With(fault.DetailField, "kind")
	}
	if a.Token == "" && a.AccountID == "" && !s.public {
		return fault.New(fault.Unsupported, "%s does not show %s without signing in; connect an account on it.", hostOf(a), s.name).
			With(fault.DetailCapability, string(k))
	}
	return nil
}

// Fetch implements sns.Provider.
func (p *Provider) Fetch(ctx context.Context, a sns.Account, s sns.Source, cursor string) (sns.UpstreamPage, error) {
	if err := p.Supports(a, s.Kind); err != nil {
		return sns.UpstreamPage{}, err
	}
	if err := checkSource(s); err != nil {
		return sns.UpstreamPage{}, err
	}
	at, err := parsePosition(cursor)
	if err != nil {
		return sns.UpstreamPage{}, err
	}
	if s.Kind == sns.KindThread || s.Kind == sns.KindPost {
		return p.single(ctx, a, s)
	}
	return p.pageAt(ctx, a, s, at)
}

// maxAnswers is how many answers of the server a page is made of at most, when
// most of what they hold is left out.
const maxAnswers = 3

// pageAt reads a page.
func (p *Provider) pageAt(ctx context.Context, a sns.Account, s sns.Source, at position) (sns.UpstreamPage, error) {
	b := newPage()
	next, err := p.readAt(ctx, a, s, at, b)
	if err != nil {
		return sns.UpstreamPage{}, err
	}
	return b.done(p.fillUp(ctx, a, s, next, b)), nil
}

// fillUp reads on where little is left of an answer, so that a sparse source is
// not read one post at a time. Where a request fails the next page begins: what
// was read before is good.
func (p *Provider) fillUp(ctx context.Context, a sns.Account, s sns.Source, next position, b *pageBuilder) position {
	for n := 1; n < maxAnswers && next != (position{}) && b.thin(); n++ {
		b.begin()
		below, err := p.readAt(ctx, a, s, next, b)
		if err != nil {
			break
		}
		next = below
	}
	return next
}

// readAt adds the server's answer at a position to a page and returns where the
// next one begins.
func (p *Provider) readAt(ctx context.Context, a sns.Account, s sns.Source, at position, b *pageBuilder) (position, error) {
	switch s.Kind {
	case sns.KindNotifications:
		return p.notifications(ctx, a, s, at, b)
	case sns.KindConversations:
		return p.conversations(ctx, a, at, b)
	case sns.KindSearch:
		return p.search(ctx, a, s, at, b)
	}
	return p.timeline(ctx, a, s, at, b)
}

// Lists implements sns.Provider.
func (p *Provider) Lists(ctx context.Context, a sns.Account) ([]sns.List, error) {
	if err := p.Supports(a, sns.KindList); err != nil {
		return nil, err
	}
	what := subject{name: "lists", scope: "read:lists", capability: "lists"}
	res, err := p.call(ctx, a, what, func(c *api.Client) error {
		_, err := c.GetLists(ctx)
		return err
	})
	if err != nil {
		return nil, err
	}
	return decodeLists(res.body)
}
