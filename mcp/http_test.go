package mcp_test

import (
	"encoding/base64"
	"encoding/json"
	"maps"
	"net/http"
	"net/http/httptest"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
	sdk "github.com/modelcontextprotocol/go-sdk/mcp"

	"personal-workspace/mcp"
	"personal-workspace/sns"
)

// rpc is a JSON-RPC answer.
type rpc struct {
	ID    any `json:"id"`
	Error *struct {
		Code    int             `json:"code"`
		Message string          `json:"message"`
		Data    json.RawMessage `json:"data"`
	} `json:"error"`
	Result json.RawMessage `json:"result"`
}

func decodeRPC(t *testing.T, res *http.Response) rpc {
	t.Helper()
	body := bodyOf(t, res)
	if got := res.Header.Get("Content-Type"); got != "application/json" {
		t.Errorf("Content-Type %q of %d %s, want application/json", got, res.StatusCode, body)
	}
	var r rpc
	if err := json.Unmarshal(body, &r); err != nil {
		t.Fatalf("the body is not JSON: %v: %s", err, body)
	}
	return r
}

// without returns a copy of headers that lacks a name; with adds or changes one.
func without(headers map[string]string, name string) map[string]string {
	c := with(headers, name, "")
	delete(c, name)
	return c
}

func with(headers map[string]string, name, value string) map[string]string {
	c := maps.Clone(headers)
	c[name] = value
	return c
}

// TestMalformedAndForeignRequests is one row for each way in which a request can
// be wrong. Every refusal is a JSON-RPC error, with the request's id where it
// can be read. The same rows run for requests that would get a plain answer and
// for those that would get an event stream.
func TestMalformedAndForeignRequests(t *testing.T) {
	now := headersOf("tools/call", "list_decks")
	old := map[string]string{"Content-Type": "application/json", "Accept": "application/json, text/event-stream", "MCP-Protocol-Version": "2025-06-18"}
	call := `{"jsonrpc":"2.0","id":7,"method":"tools/call","params":{"name":"list_decks","arguments":{},` + meta + `}}`
	oldCall := `{"jsonrpc":"2.0","id":7,"method":"tools/call","params":{"name":"list_decks","arguments":{}}}`
	const seven = float64(7)
	cases := []struct {
		name    string
		method  string
		target  string
		headers map[string]string
		body    string
		status  int
		code    int
		id      any
	}{
		{name: "GET", method: http.MethodGet, headers: now, status: 405, code: -32600},
		{name: "DELETE", method: http.MethodDelete, headers: now, status: 405, code: -32600},
		{name: "OPTIONS", method: http.MethodOptions, headers: now, status: 405, code: -32600},
		{name: "PUT", method: http.MethodPut, headers: now, body: call, status: 405, code: -32600},
		{name: "no content type, as a tunnel probes", headers: map[string]string{"Accept": "application/json"}, status: 415, code: -32600},
		{name: "content type of a form", headers: with(now, "Content-Type", "application/x-www-form-urlencoded"), body: call, status: 415, code: -32600, id: seven},
		{name: "Accept without streams", headers: with(now, "Accept", "application/json"), body: call, status: 400, code: -32600, id: seven},
		{name: "empty body", headers: now, status: 400, code: -32700},
		{name: "broken JSON", headers: now, body: `{"jsonrpc":"2.0","id":7,"method":`, status: 400, code: -32700, id: seven},
		{name: "id null", headers: now, body: strings.Replace(call, `"id":7`, `"id":null`, 1), status: 400, code: -32600},
		{name: "id that a float has not", headers: old, body: strings.Replace(oldCall, `"id":7`, `"id":9007199254740993`, 1), status: 400, code: -32600, id: float64(9007199254740993)},
		{name: "id beyond all", headers: now, body: strings.Replace(call, `"id":7`, `"id" : 12345678901234567890`, 1), status: 400, code: -32600, id: float64(12345678901234567890)},
		{name: "id that is not whole", headers: now, body: strings.Replace(call, `"id":7`, `"id":1.5`, 1), status: 400, code: -32600, id: 1.5},
		{name: "a second message behind the first", headers: old, body: oldCall + oldCall, status: 400, code: -32700, id: seven},
		{name: "words behind the message", headers: now, body: call + " x", status: 400, code: -32700, id: seven},
		{name: "no method", headers: old, body: `{"jsonrpc":"2.0","id":7}`, status: 202},
		{name: "body over the limit", headers: now, body: `{"jsonrpc":"2.0","id":7,"method":"tools/call","params":{"name":"` + strings.Repeat("x", 1<<20) + `"}}`, status: 413, code: -32600, id: seven},
		{name: "batch", headers: old, body: "[" + oldCall + "]", status: 400, code: -32600},
		{name: "Last-Event-ID", headers: with(now, "Last-Event-ID", "1"), body: call, status: 400, code: -32600, id: seven},
		{name: "unknown older version", headers: with(old, "MCP-Protocol-Version", "2024-01-01"), body: oldCall, status: 400, code: -32022, id: seven},
		{name: "unknown newer version", headers: with(now, "MCP-Protocol-Version", "2027-01-01"), body: strings.Replace(call, "2026-07-28", "2027-01-01", 1), status: 400, code: -32022, id: seven},
		{name: "version in _meta without the header", headers: without(now, "MCP-Protocol-Version"), body: call, status: 400, code: -32020, id: seven},
		{name: "header and _meta differ", headers: with(now, "MCP-Protocol-Version", "2025-06-18"), body: call, status: 400, code: -32020, id: seven},
		{name: "no Mcp-Method", headers: without(now, "Mcp-Method"), body: call, status: 400, code: -32020, id: seven},
		{name: "Mcp-Method of another", headers: with(now, "Mcp-Method", "tools/list"), body: call, status: 400, code: -32020, id: seven},
		{name: "no Mcp-Name", headers: without(now, "Mcp-Name"), body: call, status: 400, code: -32020, id: seven},
		{name: "Mcp-Name of another", headers: with(now, "Mcp-Name", "get_deck"), body: call, status: 400, code: -32020, id: seven},
		{name: "Mcp-Name that is no Base64", headers: with(now, "Mcp-Name", "=?base64?%%?="), body: call, status: 400, code: -32020, id: seven},
		{name: "tasks/get with another task in Mcp-Name", headers: map[string]string{
			"Content-Type": "application/json", "Accept": "*/*", "MCP-Protocol-Version": "2026-07-28", "Mcp-Method": "tasks/get", "Mcp-Name": "t2",
		}, body: `{"jsonrpc":"2.0","id":7,"method":"tasks/get","params":{"taskId":"t1",` + meta + `}}`, status: 400, code: -32020, id: seven},
		{name: "no version in _meta", headers: now, body: oldCall, status: 400, code: -32602, id: seven},
		{name: "no capabilities in _meta", headers: now, body: strings.Replace(call, `"io.modelcontextprotocol/clientCapabilities":{},`, "", 1), status: 400, code: -32602, id: seven},
		{name: "unknown method", headers: headersOf("tools/fly", ""), body: `{"jsonrpc":"2.0","id":7,"method":"tools/fly","params":{` + meta + `}}`, status: 404, code: -32601, id: seven},
		{name: "unknown method in an older version", headers: old, body: `{"jsonrpc":"2.0","id":7,"method":"tools/fly"}`, status: 400, code: -32601, id: seven},
		{name: "server/discover in an older version", headers: old, body: `{"jsonrpc":"2.0","id":7,"method":"server/discover","params":{}}`, status: 200, code: -32601, id: seven},
		{name: "initialize in the newer version", headers: headersOf("initialize", ""), body: `{"jsonrpc":"2.0","id":7,"method":"initialize","params":{"protocolVersion":"2026-07-28","capabilities":{},"clientInfo":{"name":"c","version":"1"},` + meta + `}}`, status: 404, code: -32601, id: seven},
		{name: "undeclared prompts", headers: headersOf("prompts/list", ""), body: `{"jsonrpc":"2.0","id":7,"method":"prompts/list","params":{` + meta + `}}`, status: 404, code: -32601, id: seven},
		{name: "undeclared resources in an older version", headers: old, body: `{"jsonrpc":"2.0","id":7,"method":"resources/list"}`, status: 200, code: -32601, id: seven},
		{name: "undeclared completion", headers: old, body: `{"jsonrpc":"2.0","id":7,"method":"completion/complete","params":{"ref":{"type":"ref/prompt","name":"p"},"argument":{"name":"a","value":""}}}`, status: 200, code: -32601, id: seven},
		{name: "unknown tool", headers: headersOf("tools/call", "fly"), body: strings.Replace(call, "list_decks", "fly", 1), status: 400, code: -32602, id: seven},
		{name: "unknown tool in an older version", headers: old, body: strings.Replace(oldCall, "list_decks", "fly", 1), status: 200, code: -32602, id: seven},
		{name: "a tool's name that is no text", headers: old, body: strings.Replace(oldCall, `"list_decks"`, "5", 1), status: 200, code: -32602, id: seven},
		{name: "a tool's name that is no text, in the newer version", headers: now, body: strings.Replace(call, `"list_decks"`, "5", 1), status: 400, code: -32602, id: seven},
		{name: "a number beyond all", headers: now, body: strings.Replace(call, `"arguments":{}`, `"arguments":{"limit":1e400}`, 1), status: 400, code: -32602, id: seven},
		{name: "params that are no object", headers: old, body: `{"jsonrpc":"2.0","id":7,"method":"initialize","params":5}`, status: 200, code: -32602, id: seven},
		{name: "foreign Host", headers: with(now, "Host", "evil.example"), body: call, status: 403, code: -32600, id: seven},
		{name: "foreign Origin", headers: with(now, "Origin", "https://evil.example"), body: call, status: 403, code: -32600, id: seven},
		{name: "cross-site fetch", headers: with(now, "Sec-Fetch-Site", "cross-site"), body: call, status: 403, code: -32600, id: seven},
		{name: "unknown research turn", target: "/mcp?research=r1", headers: now, body: call, status: 404, code: -32600, id: seven},
		{name: "empty research turn", target: "/mcp?research=", headers: now, body: call, status: 404, code: -32600, id: seven},
		{name: "research without a value", target: "/mcp?research", headers: now, body: call, status: 404, code: -32600, id: seven},
		{name: "research turn twice", target: "/mcp?research=a&research=b", headers: now, body: call, status: 404, code: -32600, id: seven},
		{name: "research hidden in a query that cannot be read", target: "/mcp?research=r1;x", headers: now, body: call, status: 404, code: -32600, id: seven},
		{name: "research turn of a GET", method: http.MethodGet, target: "/mcp?research=r1", headers: now, status: 404, code: -32600},
	}
	for _, mode := range []string{"plain", "stream"} {
		t.Run(mode, func(t *testing.T) {
			w := newWorld(t)
			for _, c := range cases {
				t.Run(c.name, func(t *testing.T) {
					body := c.body
					if mode == "stream" {
						// The version's own _meta, or one of its own for the older ones.
						body = strings.Replace(body, `"_meta":{`, `"_meta":{"progressToken":"p",`, 1)
						if !strings.Contains(body, "progressToken") {
							body = strings.Replace(body, `"arguments":{}`, `"arguments":{},"_meta":{"progressToken":"p"}`, 1)
						}
					}
					res := send(t, w.handler, c.method, c.target, c.headers, body)
					if res.StatusCode != c.status {
						t.Errorf("status %d, want %d", res.StatusCode, c.status)
					}
					if res.Header.Get("WWW-Authenticate") != "" {
						t.Error("the answer asks for a login")
					}
					if c.status == http.StatusMethodNotAllowed && res.Header.Get("Allow") != "POST" {
						t.Errorf("Allow %q, want POST", res.Header.Get("Allow"))
					}
					if c.code == 0 {
						return
					}
					if mode == "stream" && c.status == http.StatusOK && strings.Contains(body, "progressToken") {
						res = event(t, res)
					}
					checkRefusal(t, decodeRPC(t, res), c.code, c.id)
				})
			}
		})
	}
}

// event turns the one event of a stream into a plain answer.
func event(t *testing.T, res *http.Response) *http.Response {
	t.Helper()
	if got := res.Header.Get("Content-Type"); got != "text/event-stream" {
		t.Errorf("Content-Type %q, want text/event-stream", got)
	}
	text := string(bodyOf(t, res))
	data, ok := strings.CutPrefix(text, "event: message\ndata: ")
	if !ok {
		t.Fatalf("no event: %q", text)
	}
	rec := httptest.NewRecorder()
	rec.Header().Set("Content-Type", "application/json")
	rec.WriteString(strings.TrimSpace(data))
	return rec.Result()
}

func checkRefusal(t *testing.T, r rpc, code int, id any) {
	t.Helper()
	if r.Error == nil {
		t.Fatalf("no error but %s", r.Result)
	}
	if r.Error.Code != code {
		t.Errorf("code %d (%s), want %d", r.Error.Code, r.Error.Message, code)
	}
	if r.ID != id {
		t.Errorf("id %v, want %v", r.ID, id)
	}
	for _, inside := range []string{"mcp.", "*mcp", "unmarshal", "JSON RPC", "json:", "handling '"} {
		if strings.Contains(r.Error.Message, inside) {
			t.Errorf("the message shows the insides: %s", r.Error.Message)
		}
	}
}

func send(t *testing.T, h http.Handler, method, target string, headers map[string]string, body string) *http.Response {
	t.Helper()
	if method == "" {
		method = http.MethodPost
	}
	if target == "" {
		target = "/mcp"
	}
	req := httptest.NewRequestWithContext(t.Context(), method, target, strings.NewReader(body))
	req.Host = "localhost:3000"
	for name, value := range headers {
		req.Header.Set(name, value)
		if name == "Host" {
			req.Host = value
		}
	}
	rec := httptest.NewRecorder()
	h.ServeHTTP(rec, req)
	return rec.Result()
}

func TestRefusalsSayWhatToDo(t *testing.T) {
	w := newWorld(t)
	cases := []struct{ name, target, header, value, want string }{
		{"host", "/mcp", "Host", "evil.example", "WORKSPACE_HOSTS=evil.example"},
		{"origin", "/mcp", "Origin", "https://evil.example", "origin"},
		{"research", "/mcp?research=gone", "X-None", "", "research turn"},
		{"version", "/mcp", "MCP-Protocol-Version", "2020-01-01", "2026-07-28, 2025-11-25"},
		{"accept", "/mcp", "Accept", "text/html", "text/event-stream"},
	}
	for _, c := range cases {
		t.Run(c.name, func(t *testing.T) {
			res := send(t, w.handler, "", c.target, with(headersOf("tools/list", ""), c.header, c.value), `{"jsonrpc":"2.0","id":"a","method":"tools/list","params":{`+meta+`}}`)
			r := decodeRPC(t, res)
			if r.Error == nil || !strings.Contains(r.Error.Message, c.want) {
				t.Errorf("answered %+v, want a message with %q", r.Error, c.want)
			}
			if r.ID != "a" {
				t.Errorf("id %v, want a", r.ID)
			}
		})
	}
}

// TestHostsAndOrigins is the matrix of who may call.
func TestHostsAndOrigins(t *testing.T) {
	w := newWorld(t)
	cases := []struct {
		name, host, origin, site string
		want                     int
	}{
		{"a client on loopback", "127.0.0.1:3000", "", "", 200},
		{"a client by the loopback name", "localhost", "", "", 200},
		{"a client on IPv6 loopback", "[::1]:3000", "", "", 200},
		{"a page of the workspace", "localhost:3000", "http://localhost:3000", "same-origin", 200},
		{"a name that was rebound, same origin to the browser", "evil.example", "http://evil.example", "same-origin", 403},
		{"a page elsewhere", "localhost:3000", "https://evil.example", "cross-site", 403},
		{"an old browser's page elsewhere", "localhost:3000", "https://evil.example", "", 403},
		{"a sandboxed page", "localhost:3000", "null", "", 403},
		{"an address that is not ours", "192.0.2.7:3000", "", "", 403},
		{"no host", "", "", "", 403},
	}
	for _, c := range cases {
		t.Run(c.name, func(t *testing.T) {
			h := with(headersOf("tools/list", ""), "Host", c.host)
			if c.origin != "" {
				h["Origin"] = c.origin
			}
			if c.site != "" {
				h["Sec-Fetch-Site"] = c.site
			}
			res := send(t, w.handler, "", "", h, `{"jsonrpc":"2.0","id":1,"method":"tools/list","params":{`+meta+`}}`)
			if res.StatusCode != c.want {
				t.Errorf("status %d, want %d", res.StatusCode, c.want)
			}
		})
	}
}

func TestWellKnownPathsAreNotFound(t *testing.T) {
	w := newWorld(t)
	for _, path := range []string{"oauth-protected-resource", "oauth-protected-resource/mcp", "oauth-authorization-server", "openid-configuration"} {
		for _, method := range []string{http.MethodGet, http.MethodHead, http.MethodPost, http.MethodOptions} {
			res := send(t, w.routes(), method, "/.well-known/"+path, nil, "")
			if res.StatusCode != http.StatusNotFound || res.Header.Get("Location") != "" {
				t.Errorf("%s %s answered %d, want 404", method, path, res.StatusCode)
			}
		}
	}
}

func TestAnswerFormFollowsTheRequest(t *testing.T) {
	w := newWorld(t)
	cases := []struct {
		name, meta, want string
	}{
		{"plain by default", "", "application/json"},
		{"stream for a progress token", `"progressToken":1,`, "text/event-stream"},
		{"stream for log messages", `"io.modelcontextprotocol/logLevel":"info",`, "text/event-stream"},
		{"plain when the token is only named in an argument", "", "application/json"},
	}
	for _, c := range cases {
		t.Run(c.name, func(t *testing.T) {
			arguments := "{}"
			if strings.Contains(c.name, "argument") {
				arguments = `{"deckId":"progressToken"}`
			}
			body := `{"jsonrpc":"2.0","id":1,"method":"tools/call","params":{"name":"get_deck","arguments":` + arguments + `,` + strings.Replace(meta, "{", "{"+c.meta, 1) + `}}`
			res := send(t, w.handler, "", "", headersOf("tools/call", "get_deck"), body)
			if got := res.Header.Get("Content-Type"); got != c.want {
				t.Errorf("Content-Type %q, want %q", got, c.want)
			}
			if got := res.Header.Get("X-Accel-Buffering"); got != "no" {
				t.Errorf("X-Accel-Buffering %q, want no", got)
			}
		})
	}
}

func TestNamesMayComeInBase64(t *testing.T) {
	w := newWorld(t)
	name := "=?base64?" + base64.StdEncoding.EncodeToString([]byte("list_decks")) + "?="
	res := send(t, w.handler, "", "", headersOf("tools/call", name), `{"jsonrpc":"2.0","id":1,"method":"tools/call","params":{"name":"list_decks",`+meta+`}}`)
	if r := decodeRPC(t, res); r.Error != nil {
		t.Errorf("answered %+v, want a result", r.Error)
	}
}

func TestIDsSurvive(t *testing.T) {
	w := newWorld(t)
	for _, id := range []string{`1`, `"a"`, `"<&>"`, `9007199254740991`, `-5`} {
		res := bodyOf(t, send(t, w.handler, "", "", headersOf("tools/list", ""), `{"jsonrpc":"2.0","id":`+id+`,"method":"tools/list","params":{`+meta+`}}`))
		if !strings.HasPrefix(string(res), `{"jsonrpc":"2.0","id":`+id+`,`) {
			t.Errorf("id %s came back as %.60s", id, res)
		}
	}
}

// registry is a research registry with one turn.
type registry struct {
	id     string
	server *sdk.Server
}

func (r *registry) Find(id string) *sdk.Server {
	if id == r.id {
		return r.server
	}
	return nil
}

func TestResearchTurnHasItsOwnTools(t *testing.T) {
	turn := sdk.NewServer(&sdk.Implementation{Name: "turn", Version: "1"}, nil)
	turn.AddTool(&sdk.Tool{Name: "read", Description: "Reads.", InputSchema: json.RawMessage(`{"type":"object"}`)}, nil)
	reg := &registry{id: "r1", server: turn}
	w := newWorld(t, func(_ *sns.Config, c *mcp.Config) { c.Research = reg })
	list := func(target string) []string {
		res := send(t, w.handler, "", target, headersOf("tools/list", ""), `{"jsonrpc":"2.0","id":1,"method":"tools/list","params":{`+meta+`}}`)
		if res.StatusCode != http.StatusOK {
			return []string{res.Status}
		}
		var r struct {
			Result struct{ Tools []struct{ Name string } }
		}
		if err := json.Unmarshal(bodyOf(t, res), &r); err != nil {
			t.Fatal(err)
		}
		var names []string
		for _, tool := range r.Result.Tools {
			names = append(names, tool.Name)
		}
		return names
	}
	if diff := cmp.Diff([]string{"read"}, list("/mcp?research=r1")); diff != "" {
		t.Errorf("tools of the turn (-want +got):\n%s", diff)
	}
	if got := len(list("/mcp")); got != 11 {
		t.Errorf("the workspace has %d tools beside the turn, want 11", got)
	}
	reg.id = ""
	if diff := cmp.Diff([]string{"404 Not Found"}, list("/mcp?research=r1")); diff != "" {
		t.Errorf("after the turn's end (-want +got):\n%s", diff)
	}
}
