package egress_test

import (
	"context"
	"crypto/tls"
	"errors"
	"fmt"
	"io"
	"net"
	"net/http"
	"net/http/httptest"
	"net/url"
	"os"
	"strings"
	"syscall"
	"testing"

	"personal-workspace/internal/egress"
	"personal-workspace/internal/fault"
)

func TestFailedNamesTheReason(t *testing.T) {
	dial := func(err error) error { return &net.OpError{Op: "dial", Err: err} }
	read := func(err error) error { return &net.OpError{Op: "read", Err: err} }
	for _, tc := range []struct {
		name   string
		err    error
		reason string
		unsent bool
	}{
		{"a name without an address", dial(&net.DNSError{IsNotFound: true}), egress.ReasonDNS, true},
		{"names that nobody answers for", dial(&net.DNSError{IsTimeout: true}), egress.ReasonDNS, true},
		{"a closed port", dial(syscall.ECONNREFUSED), egress.ReasonConnect, true},
		{"a bad certificate", &tls.CertificateVerificationError{Err: errors.New("expired")}, egress.ReasonTLS, true},
		{"an alert of the handshake", read(tls.AlertError(40)), egress.ReasonTLS, true},
		{"nonsense in the handshake", tls.RecordHeaderError{RecordHeader: [5]byte{'S', 'S', 'H', '-', '2'}}, egress.ReasonTLS, true},
		{"plain http in the handshake", tls.RecordHeaderError{RecordHeader: [5]byte{'H', 'T', 'T', 'P', '/'}}, egress.ReasonNotHTTPS, true},
		{"what http.Client makes of that", &url.Error{Op: "Get", Err: http.ErrSchemeMismatch}, egress.ReasonNotHTTPS, true},
		{"the end of a context", context.DeadlineExceeded, egress.ReasonTimeout, false},
		{"a slow dial", dial(os.ErrDeadlineExceeded), egress.ReasonTimeout, false},
		{"a reset", read(syscall.ECONNRESET), egress.ReasonReset, false},
		{"a broken pipe", read(syscall.EPIPE), egress.ReasonReset, false},
		{"an end before the answer", io.EOF, egress.ReasonReset, false},
		{"an end within the answer", fmt.Errorf("read: %w", io.ErrUnexpectedEOF), egress.ReasonReset, false},
		{"anything else", errors.New("malformed HTTP response"), egress.ReasonBroken, false},
	} {
		t.Run(tc.name, func(t *testing.T) {
			f, ok := errors.AsType[*egress.Failure](egress.Failed(tc.err))
			if !ok || f.Reason != tc.reason || f.Unsent() != tc.unsent || !errors.Is(f, tc.err) {
				t.Errorf("Failed(%v) = %v, want %s with its cause, unsent %v", tc.err, f, tc.reason, tc.unsent)
			}
		})
	}
}

func TestFailedLeavesAFaultAsItIs(t *testing.T) {
	want := fault.New(fault.BlockedOrigin, "No.")

	got := egress.Failed(&url.Error{Op: "Get", Err: want})
	if f, ok := errors.AsType[*fault.Error](got); !ok || f != want || got.Error() != want.Error() {
		t.Errorf("Failed = %v, want the fault alone", got)
	}
}

func TestReadJSON(t *testing.T) {
	for _, tc := range []struct {
		name, contentType, body string
		reason                  string
	}{
		{"JSON", "application/json; charset=utf-8", "[1]", ""},
		{"a kind of JSON", "application/activity+json", "[1]", ""},
		{"no type", "", "[1]", ""},
		{"as long as it may be", "application/json", "[1234567]", ""},
		{"a page", "text/html", "<p>", egress.ReasonNotJSON},
		{"a type that is none", ";", "[1]", egress.ReasonNotJSON},
		{"nothing", "application/json", "", egress.ReasonEmpty},
		{"white space", "application/json", " \n", egress.ReasonEmpty},
		{"an empty page", "text/html", "", egress.ReasonEmpty},
	} {
		t.Run(tc.name, func(t *testing.T) {
			got, err := egress.ReadJSON(answered(tc.contentType, tc.body), 9)
			if tc.reason == "" {
				if err != nil || string(got) != tc.body {
					t.Errorf("ReadJSON = %q, %v, want the body", got, err)
				}
				return
			}
			if f, ok := errors.AsType[*egress.Failure](err); !ok || f.Reason != tc.reason {
				t.Errorf("error = %v, want %s", err, tc.reason)
			}
		})
	}
}

func TestReadJSONLimitsTheAnswer(t *testing.T) {
	announced, chunked := answered("application/json", "[12345678]"), answered("application/json", "[12345678]")
	chunked.ContentLength = -1
	for name, res := range map[string]*http.Response{"announced": announced, "not announced": chunked} {
		t.Run(name, func(t *testing.T) {
			if _, err := egress.ReadJSON(res, 9); !errors.Is(err, egress.ErrTooLarge) {
				t.Errorf("error = %v, want %v", err, egress.ErrTooLarge)
			}
		})
	}
}

func answered(contentType, body string) *http.Response {
	res := (&httptest.ResponseRecorder{Code: http.StatusOK}).Result()
	res.Header = http.Header{}
	if contentType != "" {
		res.Header.Set("Content-Type", contentType)
	}
	res.Body, res.ContentLength = io.NopCloser(strings.NewReader(body)), int64(len(body))
	return res
}
