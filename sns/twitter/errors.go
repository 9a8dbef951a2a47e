package twitter

import (
	"context"
	"crypto/tls"
	"crypto/x509"
	"errors"
	"fmt"
	"io"
	"net"
	"net/http"
	"regexp"
	"strconv"
	"strings"
	"syscall"
	"time"

	"personal-workspace/internal/fault"
	"personal-workspace/sns"
)

// CatalogueVariable is the setting that a fault about an outdated operation names.
const CatalogueVariable = "WORKSPACE_TWITTER_CATALOG"

// RelayVariable is the setting that a fault about an unlisted relay names.
const RelayVariable = "WORKSPACE_TWITTER_RELAY_URL"

// Reasons of faults about a profile, in details.reason.
const (
	// ReasonOpaque: the relay failed and does not say why.
	ReasonOpaque = "relay_opaque"
	// ReasonOutdated: so it does for one operation while others work.
	ReasonOutdated = "query_outdated"
	// ReasonProfile: the relay has no profile of this name.
	ReasonProfile = sns.CodeUnknownProfile
	// ReasonSignedOut: nobody is signed in to X in the profile.
	ReasonSignedOut = sns.CodeSignedOut
	// ReasonLocked: X has locked or suspended the account.
	ReasonLocked = sns.CodeLocked
	// ReasonOther: the profile reads as another account by now.
	ReasonOther = sns.CodeOtherAccount
)

// opaque is the fault of an error whose reason the relay hides: X limits, the
// operation's id is retired, the page is gone or signed out. What else works tells
// which it may be.
func opaque(a sns.Account, name string, failures int, others bool, until time.Time) *fault.Error {
	at, what := ceil(until), operations[name].what
	f := fault.New(fault.UpstreamUnavailable, "The relay could not read %s from X and does not say why; it is asked again at %s.", what, clock(at)).
		With(fault.DetailReason, ReasonOpaque)
	switch {
	case name == opViewer:
		f = fault.New(fault.UpstreamUnavailable, "The relay cannot ask X with the profile %s; look whether its page is open and signed in to X, then try again at %s.", a.Profile, clock(at)).
			With(fault.DetailReason, ReasonOpaque)
	case failures >= 2 && others:
		f = fault.New(fault.UpstreamUnavailable,
			"X answers other questions of the profile %s but not the one for %s: its query id is probably outdated, or X limits it. Wait until %s, or name a newer catalogue in %s.",
			a.Profile, what, clock(at), CatalogueVariable).With(fault.DetailReason, ReasonOutdated)
	case failures >= 2:
		f = fault.New(fault.UpstreamUnavailable,
			"The relay reads nothing with the profile %s; look whether its page is open and signed in to X, or restart the relay. It is asked again at %s.",
			a.Profile, clock(at)).With(fault.DetailReason, ReasonOpaque)
	}
	return f.RetryAt(at)
}

// wireError is an answer that did not come, or is none.
type wireError struct {
	// reason is a word for details.reason.
	reason string
	err    error
}

// Error implements error.
func (e *wireError) Error() string {
	if e.err == nil {
		return e.reason
	}
	return fmt.Sprintf("%s: %v", e.reason, e.err)
}

// Unwrap returns the cause.
func (e *wireError) Unwrap() error { return e.err }

// transient reports whether the same request may well succeed a moment later.
func (e *wireError) transient() bool {
	switch e.reason {
	case "status_502", "status_503", "status_504", "reset":
		return true
	}
	return false
}

// unsent reports whether nothing has reached a relay.
func (e *wireError) unsent() bool {
	switch e.reason {
	case "dns", "connect", "tls":
		return true
	}
	return false
}

// until is a fault with the time before which the same is not asked again.
func until(f *fault.Error, t time.Time) *fault.Error {
	at, message := ceil(t), f.Message
	when := " It is asked again at " + clock(at) + "."
	if f.Code == fault.Unauthorized {
		when = " Until " + clock(at) + " nothing more is asked."
	}
	for _, later := range []string{"; try again later.", ", or try again later.", ", try again later."} {
		if cut, ok := strings.CutSuffix(message, later); ok {
			message = cut + "."
		}
	}
	g := *f
	g.Message = message + when
	return g.RetryAt(at)
}

// isOpaque reports whether a fault is of an error without a reason.
func isOpaque(f *fault.Error) bool {
	r := f.Details[fault.DetailReason]
	return r == ReasonOpaque || r == ReasonOutdated
}

var wireMessages = map[string]string{
	"dns":        "The name of the relay %s cannot be found; check its address and the network.",
	"connect":    "The relay %s cannot be reached; start it, or check its address.",
	"tls":        "The relay %s has no valid certificate, so nothing was sent; check its address.",
	"timeout":    "The relay %s did not answer in time; its page may still be loading, try again later.",
	"reset":      "The relay %s ended the connection; try again later.",
	"broken":     "The relay %s sent an answer that broke off; try again later.",
	"empty_body": "The relay %s sent an empty answer; look whether its page of X is open, or try again later.",
	"not_json":   "%s answered with a page instead of data, such as the sign-in page of something in front of the relay; check that the workspace reaches the relay itself.",
	"redirect":   "%s sends its visitors to another address, which is not followed; give the relay's own address.",
	"not_relay":  "%s does not answer like a relay; check the relay's address and port.",
	"refused":    "%s asks for a sign-in that a relay does not have; check what stands in front of the relay.",
}

// fault says about the relay what went wrong.
func (e *wireError) fault(a sns.Account) *fault.Error {
	message := wireMessages[e.reason]
	if message == "" {
		message = "The relay %s has a problem of its own; try again later."
	}
	return fault.New(fault.UpstreamUnavailable, message, hostOf(a)).With(fault.DetailReason, e.reason).Wrap(e)
}

// unreachable says where on the way a request failed. Faults stay what they are.
func unreachable(err error) error {
	if f, ok := errors.AsType[*fault.Error](err); ok {
		return f
	}
	return &wireError{wireReason(err), err}
}

func wireReason(err error) string {
	if _, ok := errors.AsType[*net.DNSError](err); ok {
		return "dns"
	}
	if isTLS(err) {
		return "tls"
	}
	var timeout net.Error
	if errors.Is(err, context.DeadlineExceeded) || errors.As(err, &timeout) && timeout.Timeout() {
		return "timeout"
	}
	if op, ok := errors.AsType[*net.OpError](err); ok && op.Op == "dial" {
		return "connect"
	}
	for _, cut := range []error{syscall.ECONNRESET, syscall.EPIPE, io.EOF, io.ErrUnexpectedEOF} {
		if errors.Is(err, cut) {
			return "reset"
		}
	}
	return "broken"
}

func isTLS(err error) bool {
	if _, ok := errors.AsType[*tls.CertificateVerificationError](err); ok {
		return true
	}
	if _, ok := errors.AsType[tls.RecordHeaderError](err); ok {
		return true
	}
	_, ok := errors.AsType[x509.HostnameError](err)
	return ok || errors.Is(err, http.ErrSchemeMismatch)
}

// graphError is an entry of the errors that X sends beside or instead of data.
type graphError struct {
	code int64
	// name and message are X's words, for the log and for recognising.
	name, message string
	// retryAfter is how long X asks to wait, 0 when it does not.
	retryAfter time.Duration
}

// Error implements error.
func (e graphError) Error() string {
	return "X answered with the error " + strconv.FormatInt(e.code, 10) + " " + e.name
}

func graphErrors(root value) []graphError {
	var out []graphError
	for v := range root.get("errors").elements() {
		e := graphError{message: line(v.get("message").str(), 300)}
		for _, from := range []value{v, v.get("extensions")} {
			if n, ok := from.get("code").integer(); ok && e.code == 0 {
				e.code = n
			}
			if e.name == "" {
				e.name = line(from.get("name").str(), 64)
			}
			if s, ok := from.get("retry_after").integer(); ok && s > 0 {
				e.retryAfter = time.Duration(min(s, 3600)) * time.Second
			}
		}
		if out = append(out, e); len(out) == 20 {
			break
		}
	}
	return out
}

// graphKind is what an error of X means to the workspace.
type graphKind int

const (
	graphUnknown graphKind = iota
	graphLimited
	graphSignedOut
	graphLocked
	graphChanged
	graphMissing
	graphBusy
	graphRefused
)

var graphCodes = map[int64]graphKind{
	88: graphLimited, 32: graphSignedOut, 89: graphSignedOut, 64: graphLocked, 326: graphLocked, 336: graphChanged,
	144: graphMissing, 34: graphMissing, 50: graphMissing, 63: graphMissing, 179: graphMissing,
	130: graphBusy, 131: graphBusy, 29: graphBusy, 214: graphRefused,
}

// busyWords and refusedWords are in the names and messages of errors without a
// code.
var (
	busyWords    = regexp.MustCompile(`(?i)loadshed|load shed|overcapacity|over capacity|timeout|timed out`)
	refusedWords = regexp.MustCompile(`(?i)bad ?request|invalid cursor`)
	nullFeatures = regexp.MustCompile(`(?i)features cannot be null`)
)

func (e graphError) kind() graphKind {
	if k, ok := graphCodes[e.code]; ok {
		return k
	}
	words := e.name + " " + e.message
	switch {
	case busyWords.MatchString(words):
		return graphBusy
	case nullFeatures.MatchString(words):
		return graphChanged
	case refusedWords.MatchString(words):
		return graphRefused
	}
	return graphUnknown
}

// worst is the error that says most of why there is no data.
func worst(list []graphError) (graphError, bool) {
	for _, e := range list {
		if e.kind() != graphUnknown {
			return e, true
		}
	}
	if len(list) == 0 {
		return graphError{}, false
	}
	return list[0], true
}

// limitedFor is how long X is left alone when it does not say how long it limits:
// the length of its windows.
const limitedFor = 15 * time.Minute

// explain turns an error of X into a fault about a question.
func (q question) explain(a sns.Account, e graphError, now time.Time) *fault.Error {
	var f *fault.Error
	switch e.kind() {
	case graphLimited:
		wait := e.retryAfter
		if wait == 0 {
			wait = limitedFor
		}
		at := ceil(now.Add(wait))
		f = fault.New(fault.RateLimited, "X limits how often %s can be read; try again at %s.", q.what(), clock(at)).RetryAt(at)
	case graphSignedOut:
		f = signedOut(a)
	case graphLocked:
		f = fault.New(fault.Unauthorized, "X has locked the account of the profile %s; open x.com in the relay's browser, do what it asks, then test the connection.", a.Profile).
			With(fault.DetailReason, ReasonLocked)
	case graphChanged:
		f = fault.New(fault.UpstreamChanged, "X asks for more than this version sends to read %s; name a newer catalogue in %s, or look for a newer version.", q.what(), CatalogueVariable).
			With(fault.DetailReason, q.op)
	case graphMissing:
		f = q.notFound()
	case graphRefused:
		if q.paging {
			f = fault.New(fault.InvalidCursor, "X does not know this place any more; start again without a cursor.").
				With(fault.DetailReason, sns.ReasonUpstreamRejected)
			break
		}
		f = fault.New(fault.InvalidSource, "X does not accept this source; change it.").With(fault.DetailField, "source")
	case graphBusy:
		f = fault.New(fault.UpstreamUnavailable, "X is busy and did not read %s; try again later.", q.what()).With(fault.DetailReason, "busy")
	default:
		f = fault.New(fault.UpstreamUnavailable, "X did not read %s and gives a reason that this version does not know; try again later.", q.what()).
			With(fault.DetailReason, "error_"+strconv.FormatInt(e.code, 10))
	}
	return f.Wrap(e)
}

func (q question) what() string { return operations[q.op].what }

func (q question) notFound() *fault.Error {
	thing := operations[q.op].missing
	if thing == "" {
		return q.changed()
	}
	return fault.Missing(thing, "X has no such %s, or does not show it to this account; choose another one.", thing)
}

func (q question) changed() *fault.Error {
	return fault.New(fault.UpstreamChanged, "X's answer about %s has a form that this version does not know; look for a newer version.", q.what()).
		With(fault.DetailReason, q.op)
}

func signedOut(a sns.Account) *fault.Error {
	return fault.New(fault.Unauthorized, "Nobody is signed in to X in the profile %s; sign in on x.com in the relay's browser, then test the connection.", a.Profile).
		With(fault.DetailReason, ReasonSignedOut)
}

// maxNamed is how many profiles a message names.
const maxNamed = 8

// unknownProfile names what the relay has instead.
func unknownProfile(a sns.Account, available []string) *fault.Error {
	has := "none"
	if len(available) > 0 {
		has = strings.Join(available[:min(len(available), maxNamed)], ", ")
	}
	return fault.New(fault.Unauthorized, "The relay %s has no profile %s; it has: %s. Give one of these names, or add the profile to the relay's settings.", hostOf(a), a.Profile, has).
		With(fault.DetailReason, ReasonProfile)
}

func tooLarge() *fault.Error {
	return fault.New(fault.ResponseTooLarge, "The relay's answer is over %d bytes and was not read; try another source.", maxBody).
		With(fault.DetailLimit, int64(maxBody))
}

func tooManyParts() *fault.Error {
	return fault.New(fault.ResponseTooLarge, "The relay's answer has over %d parts and was not read; try another source.", maxNodes).
		With(fault.DetailLimit, int64(maxNodes))
}

func hostOf(a sns.Account) string {
	_, host, _ := strings.Cut(a.Origin, "://")
	return host
}

func clock(t time.Time) string { return ceil(t).UTC().Format("15:04:05 UTC") }

// ceil rounds up to a second: who comes back at the time must not be too early.
func ceil(t time.Time) time.Time {
	if r := t.Truncate(time.Second); r.Before(t) {
		return r.Add(time.Second)
	}
	return t
}
