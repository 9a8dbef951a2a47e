package mcp_test

import (
	"bufio"
	"context"
	"errors"
	"net/http"
	"net/http/httptest"
	"regexp"
	"strings"
	"testing"
	"testing/synctest"
	"time"

	sdk "github.com/modelcontextprotocol/go-sdk/mcp"

	"personal-workspace/internal/fault"
	"personal-workspace/internal/ledger"
	"personal-workspace/mcp"
)

// fixture is a world whose server has other tools behind the same wrappers and
// middlewares.
func fixture(t *testing.T, options *sdk.ServerOptions, register func(*sdk.Server)) *world {
	t.Helper()
	w := newWorld(t)
	h, err := mcp.NewFixture(w.config, options, register)
	if err != nil {
		t.Fatal(err)
	}
	w.handler = h
	t.Cleanup(h.Close)
	return w
}

func addTool(s *sdk.Server, name string, run sdk.ToolHandler) {
	s.AddTool(&sdk.Tool{Name: name, Description: "Of a test.", InputSchema: map[string]any{"type": "object"}}, run)
}

const callPanic = `{"jsonrpc":"2.0","id":1,"method":"tools/call","params":{"name":"panic","arguments":{},` + meta + `}}`

func TestPanickingToolFailsAlone(t *testing.T) {
	w := fixture(t, nil, func(s *sdk.Server) {
		addTool(s, "panic", func(context.Context, *sdk.CallToolRequest) (*sdk.CallToolResult, error) {
			panic("secret of the server")
		})
		addTool(s, "fine", func(context.Context, *sdk.CallToolRequest) (*sdk.CallToolResult, error) {
			return &sdk.CallToolResult{}, nil
		})
	})
	url := w.serve(t)
	for range 2 {
		r := decodeRPC(t, post(t, w.handler, url+"/mcp", headersOf("tools/call", "panic"), callPanic))
		checkRefusal(t, r, -32603, float64(1))
		if strings.Contains(r.Error.Message, "secret") {
			t.Errorf("the message shows the panic: %s", r.Error.Message)
		}
		id := regexp.MustCompile(`run_[0-9]+`).FindString(string(r.Error.Data))
		if id == "" || !strings.Contains(w.log.String(), "correlationId="+id) || !strings.Contains(w.log.String(), "secret of the server") {
			t.Errorf("the log does not have the panic under %q: %s", id, w.log)
		}
	}
	res := decodeRPC(t, post(t, w.handler, url+"/mcp", headersOf("tools/call", "fine"), strings.Replace(callPanic, "panic", "fine", 1)))
	if res.Error != nil {
		t.Errorf("after the panic another call failed: %+v", res.Error)
	}
	runs := w.toolRuns(t)
	if len(runs) != 3 {
		t.Fatalf("%d tool runs, want 3", len(runs))
	}
	for _, r := range runs {
		if want := map[string]ledger.Outcome{"panic": ledger.OutcomeError, "fine": ledger.OutcomeOK}[r.Tool]; r.Outcome != want {
			t.Errorf("%s was recorded as %s, want %s", r.Tool, r.Outcome, want)
		}
	}
}

func TestPlainErrorsBecomeInternal(t *testing.T) {
	w := fixture(t, nil, func(s *sdk.Server) {
		addTool(s, "broken", func(context.Context, *sdk.CallToolRequest) (*sdk.CallToolResult, error) {
			return nil, errors.New("disk path /secret")
		})
	})
	r := decodeRPC(t, post(t, w.handler, "/mcp", headersOf("tools/call", "broken"), strings.Replace(callPanic, "panic", "broken", 1)))
	checkRefusal(t, r, -32603, float64(1))
	if strings.Contains(r.Error.Message, "secret") || !strings.Contains(w.log.String(), "disk path /secret") {
		t.Errorf("message %q, log %s", r.Error.Message, w.log)
	}
}

// TestInternalFaultsAreLoggedOnce: the reader gets an id, the log the reason.
func TestInternalFaultsAreLoggedOnce(t *testing.T) {
	w := newWorld(t)
	w.connect(t, "ann")
	w.net.err = errors.New("boom at /var/secret")
	f := w.call(t, "fetch_posts", `{"connectionId":"conn_1","source":{"kind":"home"}}`).fault(t)
	id, _ := f.Details["correlationId"].(string)
	if f.Code != "internal" || id == "" || strings.Contains(f.Message, "secret") {
		t.Errorf("fault %+v", f)
	}
	if n := strings.Count(w.log.String(), id); n != 1 || !strings.Contains(w.log.String(), "boom at /var/secret") {
		t.Errorf("the log has the id %d times: %s", n, w.log)
	}
	if runs := w.toolRuns(t); len(runs) != 1 || runs[0].ID != id || runs[0].Code != "internal" {
		t.Errorf("tool runs %+v, want one with the id %s", runs, id)
	}
}

func TestUpstreamFaultsReachTheReader(t *testing.T) {
	w := newWorld(t)
	w.connect(t, "ann")
	w.net.err = fault.New(fault.RateLimited, "social.example allows no more requests for now.").RetryAt(start.Add(time.Minute))
	f := w.call(t, "fetch_posts", `{"connectionId":"conn_1","source":{"kind":"home"}}`).fault(t)
	if f.Code != "rate_limited" || !f.Retryable || f.Details["retryAt"] != "2026-11-30T12:01:00Z" || f.Details["connectionId"] != "conn_1" {
		t.Errorf("fault %+v", f)
	}
	if w.log.String() != "" {
		t.Errorf("an ordinary fault was logged: %s", w.log)
	}
}

// TestSlowFetchAnswersInTime: the fetch goes on, the call says when to ask again.
func TestSlowFetchAnswersInTime(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		w := newWorld(t)
		w.connect(t, "ann")
		w.net.posts = plainPosts(1)
		w.net.block, w.net.waiting = make(chan struct{}), make(chan struct{}, 1)
		const arguments = `{"connectionId":"conn_1","source":{"kind":"home"}}`
		f := w.call(t, "fetch_posts", arguments).fault(t)
		if f.Code != "timeout" || !f.Retryable || f.Details["retryAt"] != "2026-11-30T12:00:05Z" {
			t.Errorf("fault %+v, want a retryable timeout with retryAt", f)
		}
		<-w.net.waiting
		close(w.net.block)
		if w.call(t, "fetch_posts", arguments).IsError {
			t.Error("the fetch has no answer")
		}
	})
}

func TestForgedCursorsAreRefused(t *testing.T) {
	w := newWorld(t)
	w.connect(t, "ann")
	w.net.posts = plainPosts(40)
	var p answeredPage
	w.structured(t, "fetch_posts", `{"connectionId":"conn_1","source":{"kind":"home"}}`, &p)
	cases := []struct{ name, source, cursor, reason string }{
		{"a bare id", `{"kind":"home"}`, "1000", "malformed"},
		{"one byte flipped", `{"kind":"home"}`, flipped(*p.NextCursor), "malformed"},
		{"ten kilobytes", `{"kind":"home"}`, strings.Repeat("c", 10_000), "malformed"},
		{"another source's", `{"kind":"local"}`, *p.NextCursor, "source_mismatch"},
	}
	for _, c := range cases {
		t.Run(c.name, func(t *testing.T) {
			f := w.call(t, "fetch_posts", `{"connectionId":"conn_1","source":`+c.source+`,"cursor":"`+c.cursor+`"}`).fault(t)
			if f.Code != "invalid_cursor" || f.Details["reason"] != c.reason {
				t.Errorf("fault %+v, want invalid_cursor for %s", f, c.reason)
			}
		})
	}
}

func flipped(s string) string {
	b := []byte(s)
	b[len(b)/2] ^= 1
	return string(b)
}

// TestDisconnectCancelsTheCall: in the newer protocol the POST is the call.
func TestDisconnectCancelsTheCall(t *testing.T) {
	w := newWorld(t)
	w.connect(t, "ann")
	w.net.block, w.net.waiting = make(chan struct{}), make(chan struct{}, 1)
	url := w.serve(t)
	ctx, cancel := context.WithCancel(t.Context())
	req, err := http.NewRequestWithContext(ctx, http.MethodPost, url+"/mcp", strings.NewReader(
		`{"jsonrpc":"2.0","id":1,"method":"tools/call","params":{"name":"fetch_posts","arguments":{"connectionId":"conn_1","source":{"kind":"home"}},`+meta+`}}`))
	if err != nil {
		t.Fatal(err)
	}
	for name, value := range headersOf("tools/call", "fetch_posts") {
		req.Header.Set(name, value)
	}
	gone := make(chan struct{})
	go func() {
		defer close(gone)
		if res, err := http.DefaultTransport.RoundTrip(req); err == nil {
			res.Body.Close()
		}
	}()
	<-w.net.waiting
	cancel()
	<-gone
	waitFor(t, "the tool run", func() bool {
		runs := w.toolRuns(t)
		return len(runs) == 1 && runs[0].Outcome == ledger.OutcomeCanceled && runs[0].Code == "canceled"
	})
}

// waitFor polls a condition that another goroutine makes true.
func waitFor(t *testing.T, what string, ok func() bool) {
	t.Helper()
	deadline := time.NewTimer(time.Minute)
	defer deadline.Stop()
	tick := time.NewTicker(5 * time.Millisecond)
	defer tick.Stop()
	for !ok() {
		select {
		case <-tick.C:
		case <-deadline.C:
			t.Fatalf("%s did not come", what)
		}
	}
}

// TestShutdownDoesNotWaitForListeners: a client's open subscription must not
// keep the server from stopping.
func TestShutdownDoesNotWaitForListeners(t *testing.T) {
	w := fixture(t, &sdk.ServerOptions{Capabilities: &sdk.ServerCapabilities{Tools: &sdk.ToolCapabilities{ListChanged: true}}}, func(s *sdk.Server) {
		addTool(s, "fine", nil)
	})
	srv := httptest.NewServer(w.routes())
	t.Cleanup(srv.Close)
	req, err := http.NewRequestWithContext(t.Context(), http.MethodPost, srv.URL+"/mcp", strings.NewReader(
		`{"jsonrpc":"2.0","id":"s","method":"subscriptions/listen","params":{"notifications":{"toolsListChanged":true},`+meta+`}}`))
	if err != nil {
		t.Fatal(err)
	}
	for name, value := range headersOf("subscriptions/listen", "") {
		req.Header.Set(name, value)
	}
	res, err := http.DefaultTransport.RoundTrip(req)
	if err != nil {
		t.Fatal(err)
	}
	defer res.Body.Close()
	stream := bufio.NewReader(res.Body)
	if line, err := stream.ReadString('\n'); err != nil || !strings.HasPrefix(line, "event:") {
		t.Fatalf("no stream but %q, %v", line, err)
	}
	w.handler.Close()
	ctx, cancel := context.WithTimeout(t.Context(), time.Minute)
	defer cancel()
	if err := srv.Config.Shutdown(ctx); err != nil {
		t.Errorf("Shutdown: %v", err)
	}
}

// TestListenCompletesAtOnce: the catalogue is fixed, so there is nothing to
// listen to.
func TestListenCompletesAtOnce(t *testing.T) {
	w := newWorld(t)
	res := post(t, w.handler, "/mcp", headersOf("subscriptions/listen", ""), `{"jsonrpc":"2.0","id":1,"method":"subscriptions/listen","params":{"notifications":{"toolsListChanged":true},`+meta+`}}`)
	if body := string(bodyOf(t, res)); res.StatusCode != http.StatusOK || !strings.Contains(body, `"id":1,"result"`) {
		t.Errorf("answered %d %s", res.StatusCode, body)
	}
}

func TestSlowBodyIsGivenUp(t *testing.T) {
	w := newWorld(t)
	req := httptest.NewRequestWithContext(t.Context(), http.MethodPost, "/mcp", brokenBody{})
	req.Host = "localhost"
	rec := httptest.NewRecorder()
	w.handler.ServeHTTP(rec, req)
	checkRefusal(t, decodeRPC(t, rec.Result()), -32700, nil)
}

// brokenBody is a body whose sender went away.
type brokenBody struct{}

func (brokenBody) Read([]byte) (int, error) { return 0, errors.New("i/o timeout") }
