package egress

import (
	"context"
	"crypto/tls"
	"crypto/x509"
	"errors"
	"fmt"
	"io"
	"net"
	"net/http"
	"syscall"

	"personal-workspace/internal/fault"
)

// Words for a fault's details.reason that say how an exchange failed.
const (
	// ReasonDNS: the name has no address.
	ReasonDNS = "dns"
	// ReasonConnect: nothing takes connections at the address.
	ReasonConnect = "connect"
	// ReasonTLS: the handshake failed, mostly for the certificate.
	ReasonTLS = "tls"
	// ReasonNotHTTPS: the server speaks plain http.
	ReasonNotHTTPS = "not_https"
	// ReasonTimeout: a limit of time was over before the answer was there.
	ReasonTimeout = "timeout"
	// ReasonReset: the connection ended before the answer did.
	ReasonReset = "reset"
	// ReasonBroken: what came is no whole answer.
	ReasonBroken = "broken_answer"
	// ReasonEmpty: the answer has no body.
	ReasonEmpty = "empty_body"
	// ReasonRedirect: the answer sends its reader to another address.
	ReasonRedirect = "redirect"
	// ReasonNotJSON: the answer is a page instead of data.
	ReasonNotJSON = "not_json"
)

// Failure is an answer that did not come, or is none.
type Failure struct {
	// Reason is one of the Reason constants, or a word of whoever judges the
	// answers of one kind of server.
	Reason string
	// Err is the cause, for the log only; nil means none.
	Err error
}

// Error implements error.
func (f *Failure) Error() string {
	if f.Err == nil {
		return f.Reason
	}
	return fmt.Sprintf("%s: %v", f.Reason, f.Err)
}

// Unwrap returns the cause.
func (f *Failure) Unwrap() error { return f.Err }

// Unsent reports whether the request did not reach a server.
func (f *Failure) Unsent() bool {
	switch f.Reason {
	case ReasonDNS, ReasonConnect, ReasonTLS, ReasonNotHTTPS:
		return true
	}
	return false
}

// Failed names what an exchange ended with, as a *Failure. A fault, such as that
// of the guard, stays what it is.
func Failed(err error) error {
	if f, ok := errors.AsType[*fault.Error](err); ok {
		return f
	}
	return &Failure{reasonOf(err), err}
}

func reasonOf(err error) string {
	if _, ok := errors.AsType[*net.DNSError](err); ok {
		return ReasonDNS
	}
	if speaksHTTP(err) {
		return ReasonNotHTTPS
	}
	if isTLS(err) {
		return ReasonTLS
	}
	var timeout net.Error
	if errors.Is(err, context.DeadlineExceeded) || errors.As(err, &timeout) && timeout.Timeout() {
		return ReasonTimeout
	}
	if op, ok := errors.AsType[*net.OpError](err); ok && op.Op == "dial" {
		return ReasonConnect
	}
	for _, cut := range []error{syscall.ECONNRESET, syscall.EPIPE, io.EOF, io.ErrUnexpectedEOF} {
		if errors.Is(err, cut) {
			return ReasonReset
		}
	}
	return ReasonBroken
}

// speaksHTTP reports whether the server answered the beginning of https with a
// line of plain http.
func speaksHTTP(err error) bool {
	e, ok := errors.AsType[tls.RecordHeaderError](err)
	return ok && string(e.RecordHeader[:]) == "HTTP/" || errors.Is(err, http.ErrSchemeMismatch)
}

func isTLS(err error) bool {
	if _, ok := errors.AsType[*tls.CertificateVerificationError](err); ok {
		return true
	}
	if _, ok := errors.AsType[tls.RecordHeaderError](err); ok {
		return true
	}
	if _, ok := errors.AsType[tls.AlertError](err); ok {
		return true
	}
	_, ok := errors.AsType[x509.HostnameError](err)
	return ok
}
