package snstest

import (
	"encoding/json"
	"fmt"
	"net/http"
	"slices"
	"sync"
	"time"
)

// Call is one recorded request to a relay.
type Call struct {
	// At is when it came in, by the relay's clock.
	At     time.Time
	Method string
	// Path is the escaped path as it stood on the wire.
	Path string
	// Operation and QueryID are those of a GraphQL request.
	Operation, QueryID string
	// Profile is the profile header, "" without one.
	Profile string
	// Variables, Features and FieldToggles are as sent, nil when absent.
	Variables, Features, FieldToggles json.RawMessage
	// Accept and UserAgent are the headers as sent.
	Accept, UserAgent string
	// InFlight is how many requests of the profile the relay was answering when
	// this one came, itself included.
	InFlight int
	// Status is what was answered, 0 when the connection was cut.
	Status int
	// Bytes is the size of the answer's body.
	Bytes int64
}

type callLog struct {
	mu         sync.Mutex
	calls      []*Call
	violations []string
	flying     map[string]int
}

// begin records a request that came in; end says how it was answered.
func (l *callLog) begin(c *Call) {
	l.mu.Lock()
	defer l.mu.Unlock()
	if l.flying == nil {
		l.flying = map[string]int{}
	}
	l.flying[c.Profile]++
	c.InFlight = l.flying[c.Profile]
	l.calls = append(l.calls, c)
}

func (l *callLog) end(c *Call, status int, bytes int64) {
	l.mu.Lock()
	defer l.mu.Unlock()
	l.flying[c.Profile]--
	c.Status, c.Bytes = status, bytes
}

func (l *callLog) violate(format string, args ...any) {
	l.mu.Lock()
	defer l.mu.Unlock()
	l.violations = append(l.violations, fmt.Sprintf(format, args...))
}

// Calls returns every request since the last ForgetCalls, in the order they
// came in.
func (r *Relay) Calls() []Call {
	r.log.mu.Lock()
	defer r.log.mu.Unlock()
	out := make([]Call, len(r.log.calls))
	for i, c := range r.log.calls {
		out[i] = *c
	}
	return out
}

// CallsOf returns the requests for one operation.
func (r *Relay) CallsOf(operation string) []Call {
	return slices.DeleteFunc(r.Calls(), func(c Call) bool { return c.Operation != operation })
}

// ForgetCalls empties the record of requests; violations stay.
func (r *Relay) ForgetCalls() {
	r.log.mu.Lock()
	defer r.log.mu.Unlock()
	r.log.calls = nil
}

// Violations lists what no client of ours may do: ask for anything but the
// reads of this package's own list, leave out the profile header, accept no
// JSON or send a credential.
func (r *Relay) Violations() []string {
	r.log.mu.Lock()
	defer r.log.mu.Unlock()
	return slices.Clone(r.log.violations)
}

// check records what a request on X's routes breaks.
func (r *Relay) check(req *http.Request, c *Call) {
	what := c.Method + " " + c.Path
	if c.Profile == "" {
		r.log.violate("%s names no profile", what)
	}
	if !acceptsJSON(c.Accept) {
		r.log.violate("%s accepts %q, which is not JSON", what, c.Accept)
	}
	for _, name := range []string{"Authorization", "Cookie"} {
		if req.Header.Get(name) != "" {
			r.log.violate("%s sends a credential: %s", what, name)
		}
	}
}
