package twitter

import (
	"context"
	"errors"
	"fmt"
	"io"
	"maps"
	"net/http"
	"net/url"
	"strings"
	"time"

	"personal-workspace/internal/egress"
	"personal-workspace/internal/fault"
	"personal-workspace/sns"
)

const (
	// maxBody is the longest answer that is read, in bytes after decompression: a
	// page of 98 tweets has 1.1 MB.
	maxBody = 8 << 20
	// coldTimeout bounds a request that may wait for a page load, warmTimeout one
	// to a page that has just answered.
	coldTimeout = 45 * time.Second
	warmTimeout = 20 * time.Second
	// busyWait is how long X is left alone when it says that it is busy.
	busyWait      = 2 * time.Second
	profileHeader = "X-Profile-Name"
)

// question is one request: an operation with its variables.
type question struct {
	op   string
	vars map[string]any
	// paging: it continues an earlier page.
	paging bool
	// proves: somebody wants to know whether the profile can read again.
	proves bool
	// last: it is not asked once more, whatever becomes of it.
	last bool
	// isData accepts what stands in an operation's place; nil wants the
	// instructions of a timeline.
	isData func(value) bool
}

// reply is what X said.
type reply struct {
	data value
	// warning: X reported errors beside the data.
	warning bool
}

// ask puts a question to X through the relay, for the account that the profile must
// read as.
func (p *Provider) ask(ctx context.Context, a sns.Account, q question) (reply, error) {
	err := p.allowed(a, q.op)
	if err == nil {
		err = p.mayRead(ctx, a, q)
	}
	if err != nil {
		return reply{}, err
	}
	r, err := p.unlessStuck(ctx, a, q)
	if err == nil {
		err = p.stillTheirs(ctx, a, q)
	}
	return r, err
}

// unlessStuck asks a question unless it is known that the answer is of no use. Who
// looks whether the profile works again need not wait.
func (p *Provider) unlessStuck(ctx context.Context, a sns.Account, q question) (reply, error) {
	if q.op == opViewer {
		return p.persist(ctx, a, q)
	}
	key := p.key(q)
	if err := p.pace.of(a).isStuck(key, p.pace.now()); err != nil {
		return reply{}, err
	}
	r, err := p.persist(ctx, a, q)
	return r, p.pace.answered(a, key, err)
}

// persist asks once more where X or what stands before the relay was merely busy.
func (p *Provider) persist(ctx context.Context, a sns.Account, q question) (reply, error) {
	r, again, err := p.attempt(ctx, a, q)
	if again == 0 {
		return r, err
	}
	if waitErr := p.pace.wait(ctx, again); waitErr != nil {
		return reply{}, err
	}
	q.last = true
	r, _, err = p.attempt(ctx, a, q)
	return r, err
}

// allowed refuses what must not be sent: what is in no catalogue, what names no
// profile, and relays that nobody at the host has named.
func (p *Provider) allowed(a sns.Account, name string) error {
	switch _, known := operations[name]; {
	case !known:
		return fault.New(fault.Internal, "The workspace only reads from X; nothing was sent.")
	case !a.Operator:
		return fault.New(fault.BlockedOrigin, "The relay %s is not configured any more; add it to %s.", hostOf(a), RelayVariable)
	case !sns.ValidProfile(a.Profile):
		return fault.New(fault.Unauthorized, "The connection names no profile of the relay; connect the account again.").With(fault.DetailReason, ReasonProfile)
	}
	return nil
}

// attempt asks once. again is how long to wait before asking once more, 0 for not.
func (p *Provider) attempt(ctx context.Context, a sns.Account, q question) (r reply, again time.Duration, err error) {
	release, err := p.pace.acquire(ctx, a, q.op, q.paging)
	if err != nil {
		return reply{}, 0, err
	}
	defer release()
	body, err := p.send(ctx, a, q)
	if err != nil {
		return p.unanswered(ctx, a, q, err)
	}
	root, err := parse(body)
	if errors.Is(err, errParts) {
		return reply{}, 0, tooManyParts().Wrap(err)
	}
	if err != nil {
		return p.unanswered(ctx, a, q, &egress.Failure{Reason: egress.ReasonBroken, Err: err})
	}
	r, bad, err := q.judge(root)
	if err == nil {
		p.pace.of(a).succeeded(q.op, p.pace.now())
		if q.proves {
			p.pace.of(a).endRests()
		}
		return r, 0, nil
	}
	if bad == nil {
		return reply{}, 0, err
	}
	return p.refused(a, q, *bad)
}

// refused says what an error in the place of data means, and what is left alone
// for it.
func (p *Provider) refused(a sns.Account, q question, bad graphError) (reply, time.Duration, error) {
	f := q.explain(a, bad, p.pace.now())
	switch bad.kind() {
	case graphLimited:
		p.pace.of(a).rest(q.op, retryAt(f), f)
	case graphSignedOut, graphLocked:
		if all := p.pace.refused(a, allOps, f); q.op != opViewer {
			f = all // who looks whether that is over need not wait
		}
	case graphBusy:
		if !q.last {
			return reply{}, busyWait, f
		}
		f = p.pace.refused(a, q.op, f)
	}
	return reply{}, 0, f
}

// retryAt is the time in a fault, the zero time without.
func retryAt(f *fault.Error) time.Time {
	s, _ := f.Details[fault.DetailRetryAt].(string)
	at, err := time.Parse(time.RFC3339, s)
	if err != nil {
		return time.Time{}
	}
	return at
}

// unanswered says why there is no answer.
func (p *Provider) unanswered(ctx context.Context, a sns.Account, q question, err error) (reply, time.Duration, error) {
	if f, ok := errors.AsType[*fault.Error](err); ok {
		if f.Code == fault.RateLimited {
			p.pace.of(a).rest(q.op, retryAt(f), f)
		}
		return reply{}, 0, f
	}
	f, ok := errors.AsType[*egress.Failure](err)
	ended := ctx.Err()
	var later *unavailable
	switch {
	case ended != nil && (!ok || !errors.Is(ended, context.DeadlineExceeded)):
		return reply{}, 0, fault.From(ended).Wrap(err)
	case !ok:
		return reply{}, 0, fault.From(err)
	case f.Reason == ReasonOpaque:
		return reply{}, 0, p.pace.failed(a, q.op, err)
	case q.op == opViewer || f.Unsent():
		return reply{}, 0, relayFault(a, f) // who looks whether it works again need not wait
	case errors.As(err, &later):
		return reply{}, 0, p.pace.refusedUntil(a, q.op, relayFault(a, f), later.until)
	case transient(f) && !q.last && ended == nil:
		return reply{}, 500*time.Millisecond + time.Duration(p.pace.random()*float64(time.Second)), relayFault(a, f)
	}
	return reply{}, 0, p.pace.refused(a, q.op, relayFault(a, f))
}

// judge looks for the data in an answer. bad is the error of X that stands in its
// place, nil when the answer has another fault.
func (q question) judge(root value) (r reply, bad *graphError, err error) {
	data := root.get("data")
	list := graphErrors(root)
	isData := q.isData
	if isData == nil {
		isData = func(v value) bool { return v.get("instructions").kind() == array }
	}
	for _, path := range operations[q.op].data {
		if v := data.get(strings.Split(path, ".")...); v.kind() == object && isData(v) {
			return reply{data: v, warning: len(list) > 0}, nil, nil
		}
	}
	if e, ok := worst(list); ok {
		return reply{}, &e, e
	}
	if data.kind() == object && q.nothingThere(data) {
		return reply{}, nil, q.notFound()
	}
	return reply{}, nil, q.changed()
}

// nothingThere reports whether an answer is the empty one that X gives about what
// does not exist or is not shown.
func (q question) nothingThere(data value) bool {
	v := data
	for name := range strings.SplitSeq(operations[q.op].data[0], ".") {
		next := v.get(name)
		if !next.exists() {
			return !anyMember(v)
		}
		if next.kind() != object || next.get("__typename").str() == "UserUnavailable" {
			return string(next.raw()) == "null" || next.kind() == object
		}
		v = next
	}
	return !anyMember(v)
}

// send puts a question to the relay and returns the body of its answer.
func (p *Provider) send(ctx context.Context, a sns.Account, q question) ([]byte, error) {
	timeout := coldTimeout
	if p.pace.of(a).warm(p.pace.now()) {
		timeout = warmTimeout
	}
	ctx, cancel := context.WithTimeout(ctx, timeout)
	defer cancel()
	req, err := p.request(ctx, a, q)
	if err != nil {
		return nil, err
	}
	return p.exchange(a, req, maxBody)
}

// exchange makes a request and returns the body of its answer, of at most limit
// bytes, which is JSON as far as its header says.
func (p *Provider) exchange(a sns.Account, req *http.Request, limit int64) ([]byte, error) {
	res, err := p.transport.RoundTrip(req)
	if err != nil {
		return nil, egress.Failed(err)
	}
	defer res.Body.Close()
	if res.StatusCode != http.StatusOK {
		return nil, p.refusal(a, res)
	}
	return readJSON(res, limit)
}

// request builds the one form of request there is: a question of the catalogue to
// the account's relay, with the name of the profile. Each has its own connection:
// net/http repeats requests by itself on those that were used before.
func (p *Provider) request(ctx context.Context, a sns.Account, q question) (*http.Request, error) {
	how := p.catalogue.recipe(q.op)
	vars := maps.Clone(operations[q.op].fixed)
	if vars == nil {
		vars = map[string]any{}
	}
	maps.Copy(vars, q.vars)
	target := a.Origin + "/i/api/graphql/" + how.id + "/" + q.op
	var body io.Reader
	if how.method == http.MethodPost {
		doc := map[string]any{"variables": vars, "features": how.features, "queryId": how.id}
		if len(how.toggles) > 0 {
			doc["fieldToggles"] = how.toggles
		}
		body = strings.NewReader(encode(doc))
	} else {
		query := url.Values{"variables": {encode(vars)}, "features": {encode(how.features)}}
		if len(how.toggles) > 0 {
			query.Set("fieldToggles", encode(how.toggles))
		}
		target += "?" + query.Encode()
	}
	req, err := http.NewRequestWithContext(ctx, how.method, target, body)
	if err != nil {
		return nil, fault.From(err)
	}
	if body != nil {
		req.Header.Set("Content-Type", "application/json")
	}
	p.sign(req, a.Profile)
	return req, nil
}

func (p *Provider) sign(req *http.Request, profile string) {
	req.Header.Set("Accept", "application/json")
	req.Header.Set("User-Agent", p.userAgent)
	if profile != "" {
		req.Header.Set(profileHeader, profile)
	}
	req.Close = true
}

// refusal says what a status without an answer means.
func (p *Provider) refusal(a sns.Account, res *http.Response) error {
	switch s := res.StatusCode; {
	case s == http.StatusBadRequest:
		return badRequest(a, res)
	case s == http.StatusInternalServerError:
		return &egress.Failure{Reason: ReasonOpaque}
	case s == http.StatusNotFound || s == http.StatusMethodNotAllowed || s == http.StatusGone:
		return &egress.Failure{Reason: reasonNotRelay}
	case s == http.StatusUnauthorized || s == http.StatusForbidden || s == http.StatusProxyAuthRequired:
		return &egress.Failure{Reason: reasonRefused}
	case s == http.StatusTooManyRequests:
		at, ok := egress.RetryAfter(res.Header, p.pace.now())
		if !ok {
			at = p.pace.now().Add(limitedFor)
		}
		return fault.New(fault.RateLimited, "%s limits requests; try again at %s.", hostOf(a), fault.Clock(at)).RetryAt(at)
	case s >= 300 && s < 400:
		return &egress.Failure{Reason: egress.ReasonRedirect}
	}
	f := &egress.Failure{Reason: fmt.Sprintf("status_%d", res.StatusCode)}
	if at, ok := egress.RetryAfter(res.Header, p.pace.now()); ok && res.StatusCode == http.StatusServiceUnavailable {
		return &unavailable{f, at}
	}
	return f
}

// unavailable is the failure of what stands before the relay when it says when to
// come back.
type unavailable struct {
	*egress.Failure
	until time.Time
}

// Unwrap lets the failure be found.
func (u *unavailable) Unwrap() error { return u.Failure }

// maxOwn is the longest answer of the relay itself that is read, in bytes.
const maxOwn = 64 << 10

// badRequest is mostly the relay's word for a profile that it does not have.
func badRequest(a sns.Account, res *http.Response) error {
	body, err := readJSON(res, maxOwn)
	if err != nil {
		return &egress.Failure{Reason: "status_400", Err: err}
	}
	root, err := parse(body)
	if err != nil || root.get("available").kind() != array {
		return &egress.Failure{Reason: "status_400", Err: err}
	}
	return unknownProfile(a, profileNames(root.get("available")))
}

// profileNames are the usable names in a list.
func profileNames(list value) []string {
	out := []string{}
	for v := range list.elements() {
		if name := v.str(); sns.ValidProfile(name) && len(out) < maxProfiles {
			out = append(out, name)
		}
	}
	return out
}

// maxProfiles is how many profiles of a relay are listed.
const maxProfiles = 100

// readJSON reads an answer of at most limit bytes.
func readJSON(res *http.Response, limit int64) ([]byte, error) {
	body, err := egress.ReadJSON(res, limit)
	if errors.Is(err, egress.ErrTooLarge) {
		return nil, tooLarge(limit)
	}
	return body, err
}

// Profiles implements sns.ProfileLister. The relay itself answers, X is not asked.
func (p *Provider) Profiles(ctx context.Context, a sns.Account) ([]string, error) {
	if !a.Operator {
		return nil, p.allowed(a, opViewer)
	}
	ctx, cancel := context.WithTimeout(ctx, warmTimeout)
	defer cancel()
	req, err := http.NewRequestWithContext(ctx, http.MethodGet, a.Origin+"/profiles", nil)
	if err != nil {
		return nil, fault.From(err)
	}
	p.sign(req, "")
	body, err := p.exchange(a, req, maxOwn)
	if err != nil {
		return nil, ownFault(ctx, a, err)
	}
	root, err := parse(body)
	if err != nil || root.get("profiles").kind() != array {
		return nil, relayFault(a, &egress.Failure{Reason: reasonNotRelay, Err: err})
	}
	return profileNames(root.get("profiles")), nil
}

// ownFault says why the relay itself gave no answer: X, the profiles and their pace
// have no part in that.
func ownFault(ctx context.Context, a sns.Account, err error) error {
	f, ok := errors.AsType[*egress.Failure](err)
	switch ended := ctx.Err(); {
	case errors.Is(ended, context.Canceled):
		return fault.From(ended).Wrap(err)
	case ok:
		return relayFault(a, f)
	}
	return fault.From(err)
}
