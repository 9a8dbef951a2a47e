package mastodon

import (
	"context"
	"errors"
	"fmt"
	"net/http"
	"net/url"
	"time"

	"personal-workspace/internal/egress"
	"personal-workspace/internal/fault"
	"personal-workspace/sns"
)

// statusError is a status without an answer.
type statusError struct {
	status int
	// retryAt is when the server asked to come back, zero when it did not.
	retryAt time.Time
}

// Error implements error.
func (e *statusError) Error() string {
	return fmt.Sprintf("the server answered with status %d", e.status)
}

// transient reports whether the same request may well succeed a second later.
// A server that names a time is believed.
func transient(err error) bool {
	if e, ok := errors.AsType[*statusError](err); ok {
		switch e.status {
		case http.StatusBadGateway, http.StatusServiceUnavailable, http.StatusGatewayTimeout:
			return e.retryAt.IsZero()
		}
		return false
	}
	e, ok := errors.AsType[*egress.Failure](err)
	return ok && e.Reason == egress.ReasonReset
}

// explain turns what went wrong into a fault about the subject.
func (x *exchange) explain(ctx context.Context, what subject, err error) error {
	if f, ok := errors.AsType[*fault.Error](err); ok {
		return f
	}
	if ended := ctx.Err(); ended != nil {
		return fault.From(ended).Wrap(err)
	}
	host := hostOf(x.account)
	if e, ok := errors.AsType[*statusError](err); ok {
		return x.explainStatus(host, what, e)
	}
	e, ok := errors.AsType[*egress.Failure](err)
	if !ok {
		return fault.From(err)
	}
	return fault.New(fault.UpstreamUnavailable, failureMessages[e.Reason], host).With(fault.DetailReason, e.Reason).Wrap(err)
}

var failureMessages = map[string]string{
	egress.ReasonDNS:      "The name %s cannot be found; check the address and the network.",
	egress.ReasonConnect:  "%s cannot be reached; try again later.",
	egress.ReasonTLS:      "%s has no valid certificate, so nothing was sent; check the address, or try again later.",
	egress.ReasonNotHTTPS: "%s does not speak https there, so nothing was sent; check the port, or write the address with http:// on a network of your own.",
	egress.ReasonTimeout:  "%s did not answer in time; try again later.",
	egress.ReasonReset:    "%s ended the connection; try again later.",
	egress.ReasonBroken:   "%s sent an answer that broke off; try again later.",
	egress.ReasonEmpty:    "%s sent an empty answer; try again later.",
	egress.ReasonNotJSON:  "%s answered with a page instead of data; check that the address is a Mastodon server's, or try again later.",
}

func (x *exchange) explainStatus(host string, what subject, e *statusError) error {
	switch s := e.status; {
	case s == http.StatusTooManyRequests:
		return fault.New(fault.RateLimited, "%s limits requests; try again at %s.", host, fault.Clock(e.retryAt)).
			RetryAt(e.retryAt).Wrap(e)
	case x.account.Token == "" && (s == http.StatusUnauthorized || s == http.StatusForbidden || s == http.StatusUnprocessableEntity):
		return loginRequired(host, what).Wrap(e)
	case s == http.StatusUnauthorized:
		return fault.New(fault.Unauthorized, "%s no longer accepts this account's token; sign in again.", host).
			With(fault.DetailReconnect, true).Wrap(e)
	case s == http.StatusForbidden:
		return forbidden(host, what).Wrap(e)
	case s == http.StatusBadRequest || s == http.StatusUnprocessableEntity:
		return refused(host, what).Wrap(e)
	case s == http.StatusNotFound || s == http.StatusGone:
		return notFound(host, what).Wrap(e)
	case s == http.StatusMethodNotAllowed || s == http.StatusNotImplemented:
		return unsupported(host, what).Wrap(e)
	case s >= 300 && s < 400:
		return fault.New(fault.UpstreamUnavailable, "%s sends its visitors to another address; connect the account with that address.", host).
			With(fault.DetailReason, egress.ReasonRedirect).Wrap(e)
	}
	f := fault.New(fault.UpstreamUnavailable, "%s has a problem of its own; try again later.", host).
		With(fault.DetailReason, fmt.Sprintf("status_%d", e.status)).Wrap(e)
	if !e.retryAt.IsZero() {
		f = f.RetryAt(e.retryAt)
	}
	return f
}

// reasonLogin is the details.reason of what a server shows only to people who
// signed in.
const reasonLogin = "login_required"

// loginRequired is no unauthorized fault: signing in again would not help a
// connection that never signed in.
func loginRequired(host string, what subject) *fault.Error {
	return fault.New(fault.Forbidden, "%s shows %s only to people who signed in; connect an account on it.", host, what.name).
		With(fault.DetailReason, reasonLogin)
}

func forbidden(host string, what subject) *fault.Error {
	return fault.New(fault.Forbidden, "%s does not let this account read %s; sign in again with the scope %s.", host, what.name, what.scope).
		With(fault.DetailReason, "missing_scope").With(fault.DetailCapability, what.scope)
}

func refused(host string, what subject) *fault.Error {
	switch {
	case what.paging:
		return rejectedCursor(host)
	case what.first:
		return unsupported(host, what)
	}
	return fault.New(fault.InvalidSource, "%s does not accept this source; change it.", host).With(fault.DetailField, "source")
}

// notFound is about the thing on a first page. Later the server has shown that
// it exists, so that what it does not know is the place.
func notFound(host string, what subject) *fault.Error {
	switch {
	case what.paging:
		return rejectedCursor(host)
	case what.missing != "":
		return fault.Missing(what.missing, "%s has no such %s, or does not show it to this account; choose another one.", host, what.missing)
	}
	return unsupported(host, what)
}

func rejectedCursor(host string) *fault.Error {
	return fault.New(fault.InvalidCursor, "%s does not know this place any more; start again without a cursor.", host).
		With(fault.DetailReason, sns.ReasonUpstreamRejected)
}

func unsupported(host string, what subject) *fault.Error {
	if what.first {
		return fault.New(fault.Unsupported, "%s does not answer like a Mastodon server; check the address and its port.", host).
			With(fault.DetailCapability, what.capability)
	}
	return fault.New(fault.Unsupported, "%s does not offer %s; use another kind of source.", host, what.name).
		With(fault.DetailCapability, what.capability)
}

func changed(what string) *fault.Error {
	return fault.New(fault.UpstreamChanged, "The server's answer has a form that this version does not know; look for a newer version.").
		With(fault.DetailReason, what)
}

func tooLarge(limit int64) *fault.Error {
	next := "narrow the source"
	if limit != maxBody {
		next = "check that the address is a Mastodon server's"
	}
	return fault.New(fault.ResponseTooLarge, "The server's answer is over %d bytes and was not read; %s.", limit, next).
		With(fault.DetailLimit, limit)
}

func hostOf(a sns.Account) string {
	if u, err := url.Parse(a.Origin); err == nil && u.Host != "" {
		return u.Host
	}
	return "the server"
}
