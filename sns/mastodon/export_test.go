package mastodon

import (
	"context"
	"net/http"
	"net/url"
	"time"

	"personal-workspace/internal/egress"
	"personal-workspace/sns"
)

// NextID reads Link headers.
func NextID(headers ...string) (id string, said bool) { return nextID(headers) }

// LimitedUntil reads the headers of a 429.
func LimitedUntil(h http.Header, now time.Time) time.Time { return limitedUntil(h, now) }

// RetryAfter reads the headers of a 503.
func RetryAfter(h http.Header, now time.Time) (time.Time, bool) { return egress.RetryAfter(h, now) }

// ParsePosition reads a continuation and writes it again.
func ParsePosition(s string) (string, error) {
	at, err := parsePosition(s)
	return at.String(), err
}

// Transport is what requests for the account go through.
func (p *Provider) Transport(a sns.Account) http.RoundTripper { return &exchange{p: p, account: a} }

// DecodePage maps the body of a home timeline.
func DecodePage(body []byte, now time.Time) (posts []sns.Post, skipped int, err error) {
	m, page := &mapper{account: sns.Account{Token: "t"}, host: "ex.org", context: "home", now: now}, newPage()
	err = eachItem(body, maxItems, func(raw []byte) {
		st := decodeItem[status](raw)
		post, v := m.post(st)
		page.add(st.id(), post, v)
	})
	return page.page.Posts, page.page.Skipped, err
}

// Submit posts a form as a login does.
func (p *Provider) Submit(ctx context.Context, a sns.Account, target string, form url.Values) (status int, err error) {
	r, err := p.submit(ctx, a, aboutLogin, target, form)
	return r.status, err
}

// OwnAddress judges an address of a server's description.
func OwnAddress(a sns.Account, raw, usual string) string { return ownAddress(a, raw, usual) }

// LoginAnswers reads a body as each of the answers of a login.
func LoginAnswers(a sns.Account, body []byte) (app sns.App, grant sns.Grant, tags []string) {
	app, _ = described(a, sns.App{AuthorizeURL: a.Origin, TokenURL: a.Origin, RevokeURL: a.Origin}, body)
	if known, err := withClient(app, body); err == nil {
		app = known
	}
	grant, _ = grantOf(app, body)
	tags, _ = appendTags(nil, body)
	return app, grant, tags
}
