// Package fault is the one error type of the workspace.
//
// A fault carries a stable code from a closed list, a sentence the reader can
// act on, structured details and the cause. Domain packages return faults;
// plumbing wraps with fmt.Errorf and %w; each edge (web, mcp, command line)
// maps a fault once. The message is for any reader, a person or an assistant: it
// names no tool, page or member's path, which each edge adds if it has them, and
// never holds SQL, a file path of the server, a token or the text of an upstream
// answer. The cause is for the log.
package fault

import (
	"context"
	"errors"
	"fmt"
	"maps"
	"time"
)

// Code is a stable machine-readable reason. The list is closed: a new code is a
// change of the public contract.
type Code string

// The closed list of codes.
const (
	// InvalidArguments: the input breaks a rule; Details["field"] names the member.
	InvalidArguments Code = "invalid_arguments"
	// InvalidSource: a column source is wrong for the connection's network.
	InvalidSource Code = "invalid_source"
	// InvalidCursor: a cursor is malformed, forged, expired or of another source.
	InvalidCursor Code = "invalid_cursor"
	// NotFound: the named thing does not exist; Details["what"] names its kind.
	NotFound Code = "not_found"
	// StaleRevision: the expected revision is not the current one;
	// Details["currentRevision"] is.
	StaleRevision Code = "stale_revision"
	// RequestConflict: the same client-chosen id was used with other content.
	RequestConflict Code = "request_conflict"
	// LimitExceeded: a stated limit; Details["limit"] is its value.
	LimitExceeded Code = "limit_exceeded"
	// BudgetExhausted: our own request budget is used up until Details["retryAt"].
	BudgetExhausted Code = "budget_exhausted"
	// Unauthorized: the upstream or this server does not accept the credential.
	Unauthorized Code = "unauthorized"
	// Forbidden: known, but not allowed.
	Forbidden Code = "forbidden"
	// Unsupported: the server lacks Details["capability"].
	Unsupported Code = "unsupported"
	// RateLimited: the upstream refuses until Details["retryAt"].
	RateLimited Code = "rate_limited"
	// UpstreamUnavailable: the upstream cannot be reached or answers nonsense.
	UpstreamUnavailable Code = "upstream_unavailable"
	// UpstreamChanged: the upstream's answer has an unknown shape.
	UpstreamChanged Code = "upstream_changed"
	// ResponseTooLarge: the upstream's answer is over Details["limit"] bytes.
	ResponseTooLarge Code = "response_too_large"
	// BlockedOrigin: the address may not be contacted.
	BlockedOrigin Code = "blocked_origin"
	// Timeout: the work did not finish in time.
	Timeout Code = "timeout"
	// Canceled: the caller went away.
	Canceled Code = "canceled"
	// Internal: a bug; Details["correlationId"] finds it in the log.
	Internal Code = "internal"
)

// Retryable reports whether the same request can succeed later without a change.
func (c Code) Retryable() bool {
	switch c {
	case BudgetExhausted, RateLimited, UpstreamUnavailable, Timeout, Canceled, Internal:
		return true
	}
	return false
}

// Names of details. Only these appear in Details.
const (
	DetailField           = "field"
	DetailWhat            = "what"
	DetailCurrentRevision = "currentRevision"
	DetailLimit           = "limit"
	DetailCapability      = "capability"
	DetailRetryAt         = "retryAt"
	DetailReason          = "reason"
	DetailConnectionID    = "connectionId"
	DetailReconnect       = "reconnect"
	DetailCorrelationID   = "correlationId"
)

// Error is a fault. The zero value is not useful; make one with New or one of
// the named constructors. An Error is immutable: With and Wrap return a copy.
type Error struct {
	// Code is the stable reason.
	Code Code
	// Message is one sentence for the reader that names the next step.
	Message string
	// Details holds values under the Detail names; nil means none.
	Details map[string]any
	// Err is the cause, for the log only; nil means none.
	Err error
}

// Error returns the message, with the cause behind it when there is one: it is
// meant for logs. Edges print Message alone.
func (e *Error) Error() string {
	if e.Err == nil {
		return e.Message
	}
	return e.Message + ": " + e.Err.Error()
}

// Unwrap returns the cause.
func (e *Error) Unwrap() error { return e.Err }

// With returns a copy of e that has the detail.
func (e *Error) With(name string, value any) *Error {
	c := *e
	c.Details = maps.Clone(e.Details)
	if c.Details == nil {
		c.Details = map[string]any{}
	}
	c.Details[name] = value
	return &c
}

// Wrap returns a copy of e with the cause err.
func (e *Error) Wrap(err error) *Error {
	c := *e
	c.Err = err
	return &c
}

// New makes a fault with a formatted message.
func New(code Code, format string, args ...any) *Error {
	return &Error{Code: code, Message: fmt.Sprintf(format, args...)}
}

// Invalid is InvalidArguments for the named input member, a path such as
// "columns[2].source.tag".
func Invalid(field, format string, args ...any) *Error {
	return New(InvalidArguments, format, args...).With(DetailField, field)
}

// Missing is NotFound for a kind of thing ("deck", "connection", "list").
func Missing(what, format string, args ...any) *Error {
	return New(NotFound, format, args...).With(DetailWhat, what)
}

// Stale is StaleRevision with the current revision.
func Stale(current int64, format string, args ...any) *Error {
	return New(StaleRevision, format, args...).With(DetailCurrentRevision, current)
}

// Limit is LimitExceeded for the named member with the limit's value.
func Limit(field string, limit int64, format string, args ...any) *Error {
	return New(LimitExceeded, format, args...).With(DetailField, field).With(DetailLimit, limit)
}

// RetryAt adds the time of the next sensible try in RFC 3339 UTC. It is the first
// whole second that is not before at: who comes back then must not be too early.
func (e *Error) RetryAt(at time.Time) *Error {
	return e.With(DetailRetryAt, wholeSecond(at).Format(time.RFC3339))
}

// Clock prints the time that RetryAt adds, for the message of the same fault.
func Clock(at time.Time) string { return wholeSecond(at).Format("15:04:05 UTC") }

func wholeSecond(t time.Time) time.Time {
	return t.Add(time.Second - 1).Truncate(time.Second).UTC()
}

// From returns err as a fault. A context's end becomes Timeout or Canceled,
// anything unknown Internal with a harmless message. From(nil) is nil.
func From(err error) *Error {
	if err == nil {
		return nil
	}
	if e, ok := errors.AsType[*Error](err); ok {
		return e
	}
	switch {
	case errors.Is(err, context.DeadlineExceeded):
		return New(Timeout, "The work took too long; try again.").Wrap(err)
	case errors.Is(err, context.Canceled):
		return New(Canceled, "The request was canceled.").Wrap(err)
	}
	return New(Internal, "Something went wrong in the workspace; its log has the reason.").Wrap(err)
}

// CodeOf returns the code of err as From sees it, and "" for nil.
func CodeOf(err error) Code {
	if err == nil {
		return ""
	}
	return From(err).Code
}
