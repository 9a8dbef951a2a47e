package mastodon

import (
	"cmp"
	"context"
	"errors"
	"io"
	"net/http"
	"net/url"
	"slices"
	"strconv"
	"strings"
	"time"

	api "github.com/mattn/go-mastodon"

	"personal-workspace/internal/egress"
	"personal-workspace/internal/fault"
	"personal-workspace/sns"
)

// maxBody is the longest answer that is read, in bytes after decompression.
const maxBody = 4 << 20

// answer is what a server said to one request.
type answer struct {
	body []byte
	// link are the values of the Link headers.
	link []string
	// partial: the server is still preparing the rest (status 206).
	partial bool
}

// exchange is the transport of one call on behalf of one account. The library
// and our own get go through it; it keeps what came back.
type exchange struct {
	p       *Provider
	account sns.Account
	// limit is the longest answer in bytes, 0 for maxBody.
	limit  int64
	answer *answer
	err    error
}

// call lets the library make one request and returns the raw answer. What the
// library would make of the body is not used: it is given "null" instead.
func (p *Provider) call(ctx context.Context, a sns.Account, what subject, do func(*api.Client) error) (answer, error) {
	x := &exchange{p: p, account: a, limit: what.limit}
	err := do(&api.Client{
		Client: http.Client{Transport: x, CheckRedirect: func(*http.Request, []*http.Request) error { return http.ErrUseLastResponse }},
		Config: &api.Config{Server: a.Origin, AccessToken: a.Token},
	})
	return x.result(ctx, what, err)
}

// get reads a path the library has no method for. path is escaped already.
func (p *Provider) get(ctx context.Context, a sns.Account, what subject, path string, query url.Values) (answer, error) {
	target := a.Origin + path
	if len(query) > 0 {
		target += "?" + query.Encode()
	}
	req, err := http.NewRequestWithContext(ctx, http.MethodGet, target, nil)
	if err != nil {
		return answer{}, fault.From(err)
	}
	req.Header.Set("Authorization", "Bearer "+a.Token)
	x := &exchange{p: p, account: a, limit: what.limit}
	x.answer, x.err = x.exchange(req)
	return x.result(ctx, what, nil)
}

// result maps the exchange's own error: the library's holds the whole address.
func (x *exchange) result(ctx context.Context, what subject, err error) (answer, error) {
	switch {
	case x.err != nil:
		return answer{}, x.explain(ctx, what, x.err)
	case x.answer != nil:
		return *x.answer, nil
	case err == nil:
		err = errors.New("no request was made")
	}
	return answer{}, fault.From(err)
}

// RoundTrip implements http.RoundTripper.
func (x *exchange) RoundTrip(req *http.Request) (*http.Response, error) {
	x.answer, x.err = x.exchange(req)
	if x.err != nil {
		return nil, x.err
	}
	return &http.Response{
		Status:     "200 OK",
		StatusCode: http.StatusOK,
		Proto:      "HTTP/1.1", ProtoMajor: 1, ProtoMinor: 1,
		Header:  http.Header{"Content-Type": {"application/json"}},
		Body:    io.NopCloser(strings.NewReader("null")),
		Request: req,
	}, nil
}

// exchange sends the request, once more when the server was merely busy or the
// connection was cut.
func (x *exchange) exchange(req *http.Request) (*answer, error) {
	if req.Method != http.MethodGet {
		return nil, fault.New(fault.Internal, "The workspace only reads from Mastodon; nothing was sent.")
	}
	if req.URL.Scheme+"://"+req.URL.Host != x.account.Origin {
		return nil, fault.New(fault.Internal, "A request left the account's own server; nothing was sent.")
	}
	var sent sends
	res, err := x.attempt(req, &sent)
	if err == nil || !transient(err) || sent.spent() {
		return res, err
	}
	delay := retryDelay()
	if end, ok := req.Context().Deadline(); ok && time.Until(end) <= delay {
		return nil, err
	}
	if waitErr := x.p.wait(req.Context(), delay); waitErr != nil {
		return nil, fault.From(waitErr)
	}
	return x.attempt(req, &sent)
}

// attempt asks net/http once, which may send the request twice.
func (x *exchange) attempt(req *http.Request, sent *sends) (*answer, error) {
	ctx := req.Context()
	release, err := x.account.Gate.Acquire(ctx, isPaging(req.URL.Query()))
	if err != nil {
		return nil, err
	}
	defer release()
	ctx, cancel := context.WithTimeout(ctx, x.p.total)
	defer cancel()
	ctx, stop := sent.watch(ctx)
	defer stop()
	res, err := x.base().RoundTrip(x.prepare(req.Clone(ctx)))
	if err != nil {
		if errors.Is(context.Cause(ctx), errCut) {
			err = errCut
		}
		return nil, egress.Failed(err)
	}
	defer res.Body.Close()
	x.observe(res)
	if err := x.refusal(res); err != nil {
		return nil, err
	}
	body, err := x.readBody(res)
	if err != nil {
		return nil, err
	}
	return &answer{body: body, link: res.Header.Values("Link"), partial: res.StatusCode == http.StatusPartialContent}, nil
}

func (x *exchange) base() http.RoundTripper {
	if x.account.Operator {
		return x.p.operator
	}
	return x.p.guarded
}

// prepare sets the headers. Without a token the library would send an empty one.
func (x *exchange) prepare(req *http.Request) *http.Request {
	req.Header.Set("Accept", "application/json")
	req.Header.Set("User-Agent", x.p.userAgent)
	req.Header.Del("Content-Type")
	if req.Body != nil {
		req.Header.Set("Content-Type", "application/x-www-form-urlencoded")
	}
	if x.account.Token == "" {
		req.Header.Del("Authorization")
	}
	return req
}

// isPaging reports whether a server counts the request as paging.
func isPaging(q url.Values) bool {
	return slices.ContainsFunc([]string{"max_id", "min_id", "since_id", "offset", "page"}, q.Has)
}

// observe tells the connection's budget what the server said of its limit.
func (x *exchange) observe(res *http.Response) {
	remaining, err := strconv.Atoi(res.Header.Get("X-RateLimit-Remaining"))
	if err != nil || remaining < 0 {
		remaining = -1
	}
	reset, _ := rateReset(res.Header, x.p.now())
	if res.StatusCode == http.StatusTooManyRequests {
		remaining, reset = 0, limitedUntil(res.Header, x.p.now())
	}
	x.account.Gate.Observe(remaining, reset)
	limit, err := strconv.Atoi(res.Header.Get("X-RateLimit-Limit"))
	if o, ok := x.account.Gate.(sns.LimitObserver); ok && err == nil {
		o.ObserveLimit(limit)
	}
}

// refusal returns a statusError for every status without an answer.
func (x *exchange) refusal(res *http.Response) error {
	switch s := res.StatusCode; {
	case s == http.StatusTooManyRequests:
		return &statusError{status: s, retryAt: limitedUntil(res.Header, x.p.now())}
	case s >= 500:
		at, _ := egress.RetryAfter(res.Header, x.p.now())
		return &statusError{status: s, retryAt: at}
	case s < 200 || s >= 300:
		return &statusError{status: s}
	}
	return nil
}

// readBody reads an answer that must be JSON.
func (x *exchange) readBody(res *http.Response) ([]byte, error) {
	limit := cmp.Or(x.limit, maxBody)
	body, err := egress.ReadJSON(res, limit)
	if errors.Is(err, egress.ErrTooLarge) {
		return nil, tooLarge(limit)
	}
	return body, err
}
