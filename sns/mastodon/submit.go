package mastodon

import (
	"context"
	"net/http"
	"net/url"
	"strings"

	"personal-workspace/internal/egress"
	"personal-workspace/internal/fault"
	"personal-workspace/sns"
)

// maxOAuth is the longest answer about a login that is read, in bytes.
const maxOAuth = 64 << 10

// reply is what a server said to a form: also a refusal has a body that counts.
type reply struct {
	status int
	body   []byte
}

func (r reply) ok() bool { return r.status >= 200 && r.status < 300 }

// submit posts a form of a login to the account's own server, once: a code
// serves once. It is the only request that is no GET, carries no token in its
// header and reaches nothing below /api but the registration of programs.
func (p *Provider) submit(ctx context.Context, a sns.Account, what subject, target string, form url.Values) (reply, error) {
	path, own := strings.CutPrefix(target, a.Origin)
	if !own || !strings.HasPrefix(path, "/") || strings.HasPrefix(path, "/api/") && path != registerPath {
		return reply{}, fault.New(fault.Internal, "A form of a login would have left the ways of signing in; nothing was sent.")
	}
	req, err := http.NewRequestWithContext(ctx, http.MethodPost, target, strings.NewReader(form.Encode()))
	if err != nil {
		return reply{}, fault.From(err)
	}
	x := &exchange{p: p, account: a, limit: what.limit}
	res, err := x.post(req)
	if err != nil {
		return reply{}, x.explain(ctx, what, err)
	}
	return res, nil
}

// post sends the form and reads the answer, which for 2xx and 4xx has to be
// JSON; of a refusal that is not only the status counts.
func (x *exchange) post(req *http.Request) (reply, error) {
	release, err := x.account.Gate.Acquire(req.Context(), false)
	if err != nil {
		return reply{}, err
	}
	defer release()
	ctx, cancel := context.WithTimeout(req.Context(), x.p.total)
	defer cancel()
	res, err := x.base().RoundTrip(x.prepare(req.WithContext(ctx)))
	if err != nil {
		return reply{}, egress.Failed(err)
	}
	defer res.Body.Close()
	x.observe(res)
	refusal := x.refusal(res)
	refused := refusal != nil && res.StatusCode >= 400 && res.StatusCode < 500 && res.StatusCode != http.StatusTooManyRequests
	if refusal != nil && !refused {
		return reply{}, refusal
	}
	body, err := x.readBody(res)
	if err != nil && !refused {
		return reply{}, err
	}
	return reply{status: res.StatusCode, body: body}, nil
}
