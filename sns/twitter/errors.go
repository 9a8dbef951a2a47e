package twitter

import (
	"regexp"
	"strconv"
	"strings"
	"time"

	"personal-workspace/internal/egress"
	"personal-workspace/internal/fault"
	"personal-workspace/internal/richtext"
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
func opaque(a sns.Account, name string, failures int, others bool, at time.Time) *fault.Error {
	what := operations[name].what
	f := fault.New(fault.UpstreamUnavailable, "The relay could not read %s from X and does not say why; it is asked again at %s.", what, fault.Clock(at)).
		With(fault.DetailReason, ReasonOpaque)
	switch {
	case name == opViewer:
		f = fault.New(fault.UpstreamUnavailable, "The relay cannot ask X with the profile %s; look whether its page is open and signed in to X, then try again at %s.", a.Profile, fault.Clock(at)).
			With(fault.DetailReason, ReasonOpaque)
	case failures >= 2 && others:
		f = fault.New(fault.UpstreamUnavailable,
			"X answers other questions of the profile %s but not the one for %s: its query id is probably outdated, or X limits it. Wait until %s, or name a newer catalogue in %s.",
			a.Profile, what, fault.Clock(at), CatalogueVariable).With(fault.DetailReason, ReasonOutdated)
	case failures >= 2:
		f = fault.New(fault.UpstreamUnavailable,
			"The relay reads nothing with the profile %s; look whether its page is open and signed in to X, or restart the relay. It is asked again at %s.",
			a.Profile, fault.Clock(at)).With(fault.DetailReason, ReasonOpaque)
	}
	return f.RetryAt(at)
}

// unknownError begins the details.reason of an error of X that is not known.
const unknownError = "error_"

// Words for details.reason of what is no answer of a relay; another status is
// status_ with its number.
const (
	reasonNotRelay = "not_relay"
	reasonRefused  = "refused"
)

// transient reports whether the same request may well succeed a moment later.
func transient(f *egress.Failure) bool {
	switch f.Reason {
	case "status_502", "status_503", "status_504", egress.ReasonReset:
		return true
	}
	return false
}

// until is a fault with the time before which the same is not asked again.
func until(f *fault.Error, t time.Time) *fault.Error {
	message := f.Message
	when := " It is asked again at " + fault.Clock(t) + "."
	if f.Code == fault.Unauthorized {
		when = " Until " + fault.Clock(t) + " nothing more is asked."
	}
	for _, later := range []string{"; try again later.", ", or try again later.", ", try again later."} {
		if cut, ok := strings.CutSuffix(message, later); ok {
			message = cut + "."
		}
	}
	g := *f
	g.Message = message + when
	return g.RetryAt(t)
}

// isOpaque reports whether a fault is of an error without a reason.
func isOpaque(f *fault.Error) bool {
	r := f.Details[fault.DetailReason]
	return r == ReasonOpaque || r == ReasonOutdated
}

var failureMessages = map[string]string{
	egress.ReasonDNS:      "The name of the relay %s cannot be found; check its address and the network.",
	egress.ReasonConnect:  "The relay %s cannot be reached; start it, or check its address.",
	egress.ReasonTLS:      "The relay %s has no valid certificate, so nothing was sent; check its address.",
	egress.ReasonNotHTTPS: "The relay %s does not speak https, so nothing was sent; check its port, or write its address with http://.",
	egress.ReasonTimeout:  "The relay %s did not answer in time; its page may still be loading, try again later.",
	egress.ReasonReset:    "The relay %s ended the connection; try again later.",
	egress.ReasonBroken:   "The relay %s sent an answer that broke off; try again later.",
	egress.ReasonEmpty:    "The relay %s sent an empty answer; look whether its page of X is open, or try again later.",
	egress.ReasonNotJSON:  "%s answered with a page instead of data, such as the sign-in page of something in front of the relay; check that the workspace reaches the relay itself.",
	egress.ReasonRedirect: "%s sends its visitors to another address, which is not followed; give the relay's own address.",
	reasonNotRelay:        "%s does not answer like a relay; check the relay's address and port.",
	reasonRefused:         "%s asks for a sign-in that a relay does not have; check what stands in front of the relay.",
}

// relayFault says about the relay what went wrong.
func relayFault(a sns.Account, f *egress.Failure) *fault.Error {
	message := failureMessages[f.Reason]
	if message == "" {
		message = "The relay %s has a problem of its own; try again later."
	}
	return fault.New(fault.UpstreamUnavailable, message, hostOf(a)).With(fault.DetailReason, f.Reason).Wrap(f)
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
		e := graphError{message: richtext.CutLine(v.get("message").str(), 300)}
		for _, from := range []value{v, v.get("extensions")} {
			if n, ok := from.get("code").integer(); ok && e.code == 0 {
				e.code = n
			}
			if e.name == "" {
				e.name = richtext.CutLine(from.get("name").str(), 64)
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
		at := now.Add(wait)
		f = fault.New(fault.RateLimited, "X limits how often %s can be read; try again at %s.", q.what(), fault.Clock(at)).RetryAt(at)
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
			With(fault.DetailReason, unknownError+strconv.FormatInt(e.code, 10))
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

func tooLarge(limit int64) *fault.Error {
	next := "try another source"
	if limit != maxBody {
		next = "check the relay's address and port"
	}
	return fault.New(fault.ResponseTooLarge, "The relay's answer is over %d bytes and was not read; %s.", limit, next).
		With(fault.DetailLimit, limit)
}

func tooManyParts() *fault.Error {
	return fault.New(fault.ResponseTooLarge, "The relay's answer has over %d parts and was not read; try another source.", maxNodes).
		With(fault.DetailLimit, int64(maxNodes))
}

func hostOf(a sns.Account) string {
	_, host, _ := strings.Cut(a.Origin, "://")
	return host
}
