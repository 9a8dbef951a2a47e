package mcp

import (
	"bytes"
	"encoding/json"
	"net/http"
	"slices"
	"strings"

	"github.com/modelcontextprotocol/go-sdk/jsonrpc"
	sdk "github.com/modelcontextprotocol/go-sdk/mcp"
)

// rpcResponse is a JSON-RPC error as it goes out. An id that could not be read
// is null, as JSON-RPC 2.0 demands.
type rpcResponse struct {
	Version string          `json:"jsonrpc"`
	ID      json.RawMessage `json:"id"`
	Error   *jsonrpc.Error  `json:"error"`
}

// refuse answers a request that does not reach the SDK.
func refuse(w http.ResponseWriter, status int, id json.RawMessage, code int64, message string) {
	writeError(w, status, id, &jsonrpc.Error{Code: code, Message: message})
}

func writeError(w http.ResponseWriter, status int, id json.RawMessage, e *jsonrpc.Error) {
	h := w.Header()
	h.Set("Content-Type", "application/json")
	h.Set("Cache-Control", "no-store")
	h.Set("X-Content-Type-Options", "nosniff")
	h.Del("Content-Length")
	w.WriteHeader(status)
	if body, err := compact(rpcResponse{"2.0", id, e}); err == nil {
		w.Write(body)
	}
}

// answer passes the SDK's answer on, except for its errors in plain text: they
// become JSON-RPC errors with the same status, because a tunnel throws a plain
// body away and the reason with it. Errors whose text shows the SDK's insides
// are told in our words.
type answer struct {
	http.ResponseWriter
	r    *http.Request
	body []byte
	// replaced: our error was written, and the SDK's text is dropped.
	replaced bool
}

// Unwrap lets http.ResponseController reach Flush.
func (a *answer) Unwrap() http.ResponseWriter { return a.ResponseWriter }

func (a *answer) WriteHeader(status int) {
	if status < http.StatusBadRequest || !strings.HasPrefix(a.Header().Get("Content-Type"), "text/plain") {
		a.ResponseWriter.WriteHeader(status)
		return
	}
	a.replaced = true
	writeError(a.ResponseWriter, status, idOf(a.body), a.reason(status))
}

func (a *answer) Write(b []byte) (int, error) {
	if a.replaced {
		return len(b), nil
	}
	if _, err := a.ResponseWriter.Write(reworded(b)); err != nil {
		return 0, err
	}
	return len(b), nil
}

// reason says why the SDK refused the request, by looking in the order in which
// the SDK looks.
func (a *answer) reason(status int) *jsonrpc.Error {
	invalid := func(message string) *jsonrpc.Error {
		return &jsonrpc.Error{Code: jsonrpc.CodeInvalidRequest, Message: message}
	}
	switch status {
	case http.StatusBadRequest:
		return a.badRequest(invalid)
	case http.StatusMethodNotAllowed:
		return invalid("Only POST is answered here: there is no stream to open and no session to end.")
	case http.StatusUnsupportedMediaType:
		return invalid("Send the request as Content-Type application/json.")
	case http.StatusRequestEntityTooLarge:
		return invalid("The request is larger than 1 MiB; send less at a time.")
	}
	return &jsonrpc.Error{Code: jsonrpc.CodeInternalError, Message: "The workspace cannot answer now; try again."}
}

func (a *answer) badRequest(invalid func(string) *jsonrpc.Error) *jsonrpc.Error {
	version := a.r.Header.Get("Mcp-Protocol-Version")
	known := sdk.SupportedProtocolVersions()
	text := bytes.TrimSpace(a.body)
	m, ok := peek(a.body)
	switch {
	case version != "" && !slices.Contains(known, version) && version < known[0]:
		return unsupportedVersion(version, known)
	case a.r.Header.Get("Last-Event-ID") != "":
		return invalid("Streams cannot be resumed here; leave Last-Event-ID out.")
	case !json.Valid(text):
		return &jsonrpc.Error{Code: jsonrpc.CodeParseError, Message: "The body is not JSON; send one JSON-RPC message."}
	case text[0] == '[':
		return invalid("Send one message at a time: this protocol version has no batches.")
	case !ok || m.Method == "" || string(m.ID) == "null":
		return invalid("The body is no JSON-RPC request; send jsonrpc, id, method and params.")
	case !accepts(a.r.Header.Values("Accept")):
		return invalid("The header Accept must name both application/json and text/event-stream.")
	case validID(m.ID) == nil:
		return invalid("The message needs an id of text or a number, unless it is a notification.")
	case !slices.Contains(methods, m.Method):
		return &jsonrpc.Error{Code: jsonrpc.CodeMethodNotFound, Message: "There is no method " + readable(m.Method) + "."}
	}
	return invalid("The request is not valid in this protocol version.")
}

// methods are those of the protocol that a server may receive as requests.
var methods = []string{
	"initialize", "ping", "server/discover", "tools/list", "tools/call", "prompts/list", "prompts/get",
	"resources/list", "resources/read", "resources/templates/list", "resources/subscribe", "resources/unsubscribe",
	"subscriptions/listen", "completion/complete", "logging/setLevel",
}

func unsupportedVersion(version string, known []string) *jsonrpc.Error {
	data, _ := json.Marshal(sdk.UnsupportedProtocolVersionData{Supported: known, Requested: readable(version)})
	return &jsonrpc.Error{
		Code: sdk.CodeUnsupportedProtocolVersion, Data: data,
		Message: "The protocol version is not supported; use one of: " + strings.Join(known, ", ") + ".",
	}
}

// accepts reports whether both forms of an answer are welcome.
func accepts(values []string) bool {
	list := strings.ToLower(strings.Join(values, ","))
	all := strings.Contains(list, "*/*")
	return all || (strings.Contains(list, "application/json") || strings.Contains(list, "application/*")) &&
		(strings.Contains(list, "text/event-stream") || strings.Contains(list, "text/*"))
}

// Marks of errors that the SDK made before any middleware saw the request: two
// that could not decode the params, one with Go's names of types and the whole
// params in its text; one of its transport; and one without a code.
var (
	undecoded = []byte(`"message":"handling '`)
	unnamed   = []byte(`"message":"failed to extract name`)
	transport = []byte(`"message":"JSON RPC `)
	codeless  = []byte(`"error":{"code":0,`)
)

// reworded replaces such an error in an answer or in one event of a stream.
func reworded(b []byte) []byte {
	marked := func(mark []byte) bool { return bytes.Contains(b, mark) }
	if !slices.ContainsFunc([][]byte{undecoded, unnamed, transport, codeless}, marked) {
		return b
	}
	first, last := bytes.IndexByte(b, '{'), bytes.LastIndexByte(b, '}')
	var r rpcResponse
	if first < 0 || json.Unmarshal(b[first:last+1], &r) != nil || r.Error == nil {
		return b
	}
	if r.Error.Code == jsonrpc.CodeMethodNotFound {
		r.Error.Message = "There is no such method in this protocol version."
	} else {
		r.Error = &jsonrpc.Error{Code: jsonrpc.CodeInvalidParams, Message: "The params do not have the form that this method has in the protocol."}
	}
	text, err := compact(r)
	if err != nil {
		return b
	}
	return slices.Concat(b[:first], text, b[last+1:])
}
