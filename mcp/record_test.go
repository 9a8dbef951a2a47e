package mcp_test

import (
	"fmt"
	"io"
	"net/http"
	"net/http/httptest"
	"strings"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"

	"personal-workspace/mcp"
	"personal-workspace/sns"
)

// TestCallsRefusedBeforeTheToolsAreRecorded: the same call, turned away at each
// of the doors.
func TestCallsRefusedBeforeTheToolsAreRecorded(t *testing.T) {
	now := headersOf("tools/call", "list_decks")
	call := `{"jsonrpc":"2.0","id":7,"method":"tools/call","params":{"name":"list_decks","arguments":{},` + meta + `}}`
	large := strings.Repeat("x", 1<<20)
	cases := []struct {
		name, target string
		headers      map[string]string
		body         string
		want         []string
	}{
		{name: "foreign Host", headers: with(now, "Host", "evil.example"), body: call, want: []string{"list_decks refused forbidden tester 9"}},
		{name: "foreign Origin", headers: with(now, "Origin", "https://evil.example"), body: call, want: []string{"list_decks refused forbidden tester 9"}},
		{name: "unknown research turn", target: "/mcp?research=gone", headers: now, body: call, want: []string{"list_decks refused not_found tester 9"}},
		{name: "body over 1 MiB", headers: now, body: strings.Replace(call, `{},`, `{"x":"`+large+`"},`, 1), want: []string{"list_decks refused limit_exceeded  "}},
		{name: "body over 1 MiB after _meta", headers: now, body: strings.Replace(call, `"arguments":{},`+meta, meta+`,"arguments":"`+large+`"`, 1), want: []string{"list_decks refused limit_exceeded tester 9"}},
		{name: "a name over 1 MiB", headers: now, body: strings.Replace(call, "list_decks", large, 1), want: []string{"unknown refused limit_exceeded  "}},
		{name: "the name beyond what is read of a stranger", headers: with(now, "Host", "evil.example"), body: strings.Replace(call, `"name"`, `"arguments":"`+large[:64<<10]+`","name"`, 1), want: []string{"unknown refused forbidden  "}},
		{name: "a name that is no text", headers: with(now, "Host", "evil.example"), body: strings.Replace(call, `"list_decks"`, "5", 1), want: []string{"unknown refused forbidden tester 9"}},
		{name: "a name that is no text, past the doors", headers: now, body: strings.Replace(call, `"list_decks"`, "5", 1), want: []string{"unknown refused invalid_arguments tester 9"}},
		{name: "broken before its method", headers: now, body: `{"jsonrpc":`, want: []string{"unknown refused invalid_arguments  "}},
		{name: "no tool call", headers: with(headersOf("tools/list", ""), "Host", "evil.example"), body: strings.Replace(call, "tools/call", "tools/list", 1)},
		{name: "no tool call though the header says so", headers: with(now, "Host", "evil.example"), body: strings.Replace(call, "tools/call", "tools/list", 1)},
	}
	for _, c := range cases {
		t.Run(c.name, func(t *testing.T) {
			w := newWorld(t)
			res := send(t, w.handler, "", c.target, c.headers, c.body)
			if res.StatusCode < 400 {
				t.Errorf("status %d, want a refusal", res.StatusCode)
			}
			var got []string
			for _, r := range w.toolRuns(t) {
				got = append(got, fmt.Sprintf("%s %s %s %s %s", r.Tool, r.Outcome, r.Code, r.ClientName, r.ClientVersion))
			}
			if diff := cmp.Diff(c.want, got); diff != "" {
				t.Errorf("tool runs (-want +got):\n%s", diff)
			}
		})
	}
}

// TestClientNamesAreOneReadableLine: a person reads them.
func TestClientNamesAreOneReadableLine(t *testing.T) {
	w := newWorld(t)
	call := `{"jsonrpc":"2.0","id":7,"method":"tools/call","params":{"name":"list_decks","arguments":{},` + meta + `}}`
	body := strings.Replace(call, `"name":"tester"`, `"name":"a\u202eb\u200b\nc\u0000"`, 1)

	post(t, w.handler, "/mcp", headersOf("tools/call", "list_decks"), body)

	if runs := w.toolRuns(t); len(runs) != 1 || runs[0].ClientName != "ab c" {
		t.Errorf("tool runs %+v, want one of %q", runs, "ab c")
	}
}

func TestOnlyPostsAreCalls(t *testing.T) {
	w := newWorld(t)
	for _, method := range []string{http.MethodGet, http.MethodDelete} {
		send(t, w.handler, method, "", with(headersOf("tools/call", "list_decks"), "Host", "evil.example"), "")
	}
	if runs := w.toolRuns(t); len(runs) != 0 {
		t.Errorf("tool runs %+v, want none", runs)
	}
}

// TestStrangersCannotFillTheTable: only sixty calls a minute of those who may not
// call are recorded, and those of others still are.
func TestStrangersCannotFillTheTable(t *testing.T) {
	at := start
	w := newWorld(t, func(_ *sns.Config, c *mcp.Config) { c.Now = func() time.Time { return at } })
	for range 80 {
		w.callFrom(t, "evil.example")
	}
	if got := len(w.toolRuns(t)); got != 60 {
		t.Errorf("%d tool runs after 80 calls in a minute, want 60", got)
	}
	if got := strings.Count(w.log.String(), "are not recorded"); got != 1 {
		t.Errorf("the log says %d times that calls are not recorded, want once: %s", got, w.log)
	}
	w.callFrom(t, "localhost")
	if got := len(w.toolRuns(t)); got != 61 {
		t.Errorf("%d tool runs after a call that may be made, want 61", got)
	}
	at = at.Add(time.Minute)
	w.callFrom(t, "evil.example")
	if got := len(w.toolRuns(t)); got != 62 {
		t.Errorf("%d tool runs after one more in the next minute, want 62", got)
	}
}

func (w *world) callFrom(t *testing.T, host string) {
	t.Helper()
	send(t, w.handler, "", "", with(headersOf("tools/call", "list_decks"), "Host", host),
		`{"jsonrpc":"2.0","id":7,"method":"tools/call","params":{"name":"list_decks",`+meta+`}}`)
}

// TestRefusedBodiesAreNotReadWhole: a stranger's body is read for its id and the
// tool's name alone, and nobody's beyond 1 MiB.
func TestRefusedBodiesAreNotReadWhole(t *testing.T) {
	for _, c := range []struct {
		host string
		most int
	}{{"evil.example", 64 << 10}, {"localhost", 1<<20 + 1}} {
		t.Run(c.host, func(t *testing.T) {
			w := newWorld(t)
			body := &countingBody{}
			req := httptest.NewRequestWithContext(t.Context(), http.MethodPost, "/mcp", body)
			req.Host = c.host
			w.handler.ServeHTTP(httptest.NewRecorder(), req)
			if body.read > c.most {
				t.Errorf("%d bytes were read, want at most %d", body.read, c.most)
			}
		})
	}
}

// countingBody is spaces without end.
type countingBody struct{ read int }

func (b *countingBody) Read(p []byte) (int, error) {
	for i := range p {
		p[i] = ' '
	}
	b.read += len(p)
	if b.read > 1<<24 {
		return len(p), io.EOF
	}
	return len(p), nil
}

func TestOlderClientsAreKnownByTheirUserAgent(t *testing.T) {
	w := newWorld(t)
	for _, agent := range []string{"codex-mcp-client/0.171.0", "openai-mcp/1.0.0 (x; y)", "curl", ""} {
		send(t, w.handler, "", "", map[string]string{"Content-Type": "application/json", "Accept": "application/json, text/event-stream", "User-Agent": agent},
			`{"jsonrpc":"2.0","id":1,"method":"tools/call","params":{"name":"list_decks","arguments":{}}}`)
	}
	var got []string // newest first
	for _, r := range w.toolRuns(t) {
		got = append(got, r.ClientName+" "+r.ClientVersion)
	}
	if diff := cmp.Diff([]string{" ", "curl ", "openai-mcp 1.0.0", "codex-mcp-client 0.171.0"}, got); diff != "" {
		t.Errorf("clients (-want +got):\n%s", diff)
	}
}
