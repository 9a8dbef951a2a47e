package snstest

import (
	"encoding/json"
	"maps"
	"net/http"
	"net/http/httptest"
)

// Inject makes the next count requests for an operation run into the fault; a
// count of 0 is all of them until ClearFaults. The operation may have its
// profile in front, as in "a1/HomeTimeline", and one that ends in "*" is a
// prefix. Faults injected later win.
func (r *Relay) Inject(operation string, count int, f Fault) { r.faults.inject(operation, 0, count, f) }

// InjectAfter is Inject after skip requests for the operation went through.
func (r *Relay) InjectAfter(operation string, skip, count int, f Fault) {
	r.faults.inject(operation, skip, count, f)
}

// ClearFaults removes every fault.
func (r *Relay) ClearFaults() { r.faults.clear() }

// Opaque is what the relay makes of every HTTP error of X and of its own: a 500
// whose text says nothing.
func Opaque() Fault {
	return func(w http.ResponseWriter, _ *http.Request, _ http.Handler) { opaque(w) }
}

// Refused is a 200 with one GraphQL error and no data.
func Refused(code int, message string) Fault {
	return func(w http.ResponseWriter, _ *http.Request, _ http.Handler) {
		sendJSON(w, http.StatusOK, envelope(result{errors: []xError{newXError(code, message)}}))
	}
}

// TooManyRequests is X's rate limit. X tells the seconds to wait only now and
// then; 0 leaves them out.
func TooManyRequests(retryAfter int) Fault {
	return func(w http.ResponseWriter, _ *http.Request, _ http.Handler) {
		e := newXError(88, "Rate limit exceeded.")
		if retryAfter > 0 {
			e.Extensions["retry_after"] = retryAfter
		}
		sendJSON(w, http.StatusOK, envelope(result{errors: []xError{e}}))
	}
}

// SignedOut is X's answer to a page whose session is over.
func SignedOut() Fault { return Refused(32, "Could not authenticate you") }

// Locked is X's answer to an account that has to prove something first.
func Locked() Fault {
	return Refused(326, "Authorization: Denied by access control: To protect our users from spam and other malicious activity, this account is temporarily locked.")
}

// NoData is a 200 that holds neither data nor errors, as for a handle that
// nobody has.
func NoData() Fault { return Body("application/json", `{"data":{}}`) }

// Beside lets X answer and puts a GraphQL error beside its data.
func Beside(code int, message string) Fault {
	return func(w http.ResponseWriter, r *http.Request, route http.Handler) {
		rec := httptest.NewRecorder()
		route.ServeHTTP(rec, r)
		var body map[string]json.RawMessage
		if json.Unmarshal(rec.Body.Bytes(), &body) != nil {
			maps.Copy(w.Header(), rec.Header())
			w.WriteHeader(rec.Code)
			_, _ = w.Write(rec.Body.Bytes())
			return
		}
		errors, err := json.Marshal([]xError{newXError(code, message)})
		if err != nil {
			panic(err) // an error always encodes
		}
		body["errors"] = errors
		sendJSON(w, http.StatusOK, body)
	}
}

// newXError is an error as X writes it.
func newXError(code int, message string) xError {
	return xError{
		Message: message, Locations: []any{map[string]int{"line": 1, "column": 1}}, Code: code, Kind: "Permissions", Name: "AuthorizationError", Source: "Client",
		Extensions: map[string]any{"name": "AuthorizationError", "source": "Client", "code": code, "kind": "Permissions", "tracing": map[string]any{"trace_id": "4bdc8ae3f0b7c21d"}},
	}
}
