package mcp_test

import (
	"encoding/json"
	"net/http"
	"runtime"
	"sync"
	"testing"

	"github.com/google/go-cmp/cmp"
	sdk "github.com/modelcontextprotocol/go-sdk/mcp"
)

// connectClient is the SDK's client over real HTTP. version "" negotiates as new
// clients do; another is the older handshake.
func connectClient(t *testing.T, url, version string) *sdk.ClientSession {
	t.Helper()
	client := sdk.NewClient(&sdk.Implementation{Name: "client", Version: "1"}, nil)
	s, err := client.Connect(t.Context(), &sdk.StreamableClientTransport{Endpoint: url + "/mcp", HTTPClient: &http.Client{Transport: agent{}}}, &sdk.ClientSessionOptions{ProtocolVersion: version})
	if err != nil {
		t.Fatalf("connect with version %q: %v", version, err)
	}
	t.Cleanup(func() { s.Close() })
	return s
}

// agent says the client's name as older clients do.
type agent struct{}

func (agent) RoundTrip(r *http.Request) (*http.Response, error) {
	r = r.Clone(r.Context())
	r.Header.Set("User-Agent", "client/1")
	return http.DefaultTransport.RoundTrip(r)
}

// everyTool is a round of calls that uses each tool once and leaves no deck
// behind. The deck's id keeps rounds apart.
func everyTool(deckID string) []*sdk.CallToolParams {
	reply := map[string]any{
		"kind": "reply", "title": "雨 <&>", "body": "Yes", "reason": "Ann asks", "dueAt": "2026-12-01T09:00:00+09:00", "priority": "high",
		"source": map[string]any{
			"connectionId": "conn_1", "network": "mastodon", "url": "https://social.example/@ann/1000", "conversationKey": "k", "conversationTitle": "Rain",
			"author":   map[string]any{"name": "Ann", "handle": "@ann@social.example", "url": "https://social.example/@ann"},
			"excerpts": []any{map[string]any{"text": "雨？", "author": "Ann", "at": "2026-11-30T11:00:00Z", "url": "https://social.example/@ann/1000"}},
		},
	}
	columns := []any{map[string]any{"id": "c1", "connectionId": "conn_1", "source": map[string]any{"kind": "home"}}}
	return []*sdk.CallToolParams{
		{Name: "publish_activities", Arguments: map[string]any{"requestId": deckID, "expectedRevision": 0, "activities": []any{reply, map[string]any{"id": "t", "kind": "task", "title": "T"}}}},
		{Name: "get_activity_context", Arguments: map[string]any{"limit": 10}},
		{Name: "list_connections", Arguments: map[string]any{}},
		{Name: "list_lists", Arguments: map[string]any{"connectionId": "conn_1"}},
		{Name: "create_deck", Arguments: map[string]any{"deckId": deckID, "title": "Round", "columns": columns}},
		{Name: "list_decks"},
		{Name: "get_deck", Arguments: map[string]any{"deckId": deckID}},
		{Name: "replace_deck", Arguments: map[string]any{"deckId": deckID, "expectedRevision": 1, "title": "Round 2", "columns": columns}},
		{Name: "fetch_posts", Arguments: map[string]any{"connectionId": "conn_1", "source": map[string]any{"kind": "hashtag", "tag": "雨"}}},
		{Name: "fetch_column_posts", Arguments: map[string]any{"deckId": deckID, "columnId": "c1"}},
		{Name: "delete_deck", Arguments: map[string]any{"deckId": deckID, "expectedRevision": 2}},
	}
}

// TestClientsOfBothGenerations runs every tool once through each handshake; the
// answers must be the same.
func TestClientsOfBothGenerations(t *testing.T) {
	answers := map[string][]string{}
	for _, version := range []string{"", "2025-11-25", "2025-06-18", "2024-11-05"} {
		w := newWorld(t)
		w.connect(t, "ann")
		w.net.posts, w.net.lists = ordinaryPosts(), nil
		s := connectClient(t, w.serve(t), version)
		list, err := s.ListTools(t.Context(), nil)
		if err != nil || len(list.Tools) != 11 {
			t.Fatalf("version %q: ListTools: %v", version, err)
		}
		for _, call := range everyTool("round") {
			res, err := s.CallTool(t.Context(), call)
			if err != nil || res.IsError {
				t.Fatalf("version %q: %s: %+v, %v", version, call.Name, res, err)
			}
			text, err := json.Marshal(res.StructuredContent)
			if err != nil {
				t.Fatal(err)
			}
			answers[version] = append(answers[version], string(text))
		}
	}
	for version, got := range answers {
		if diff := cmp.Diff(answers[""], got); diff != "" {
			t.Errorf("answers of version %q differ:\n%s", version, diff)
		}
	}
}

// TestParallelCallsOfBothGenerations is for the race detector.
func TestParallelCallsOfBothGenerations(t *testing.T) {
	w := newWorld(t)
	w.connect(t, "ann")
	w.net.posts = ordinaryPosts()
	url := w.serve(t)
	var wg sync.WaitGroup
	for i, version := range []string{"", "2025-06-18", "", "2025-11-25", "", "2024-11-05", "", "2025-03-26"} {
		s := connectClient(t, url, version)
		wg.Go(func() {
			for range 4 {
				for _, call := range everyTool("round" + string(rune('a'+i))) {
					// The same id counts on after a deletion, so the fixed
					// revisions are right only the first time.
					if _, err := s.CallTool(t.Context(), call); err != nil {
						t.Errorf("version %q: %s: %v", version, call.Name, err)
					}
				}
			}
		})
	}
	wg.Wait()
	if got := len(w.toolRuns(t)); got != 100 {
		t.Errorf("%d tool runs listed, want the newest 100 of 352", got)
	}
}

// TestServerIsNotBuiltPerRequest: all requests meet the same server.
func TestServerIsNotBuiltPerRequest(t *testing.T) {
	w := newWorld(t)
	before := w.handler.Server()
	for range 3 {
		w.call(t, "list_decks", "{}")
	}
	if w.handler.Server() != before {
		t.Error("the server was replaced")
	}
	for range before.Sessions() {
		t.Error("a session outlived its request")
	}
}

func TestNothingOfASessionIsKept(t *testing.T) {
	w := newWorld(t)
	res := post(t, w.handler, "/mcp", map[string]string{
		"Content-Type": "application/json", "Accept": "application/json, text/event-stream", "Mcp-Session-Id": "anything",
	}, `{"jsonrpc":"2.0","id":1,"method":"tools/call","params":{"name":"list_decks","arguments":{}}}`)
	if res.StatusCode != http.StatusOK || res.Header.Get("Mcp-Session-Id") != "" {
		t.Errorf("a call without a handshake answered %d and session %q", res.StatusCode, res.Header.Get("Mcp-Session-Id"))
	}
}

func TestCallsLeaveNoGoroutineBehind(t *testing.T) {
	w := newWorld(t)
	w.connect(t, "ann")
	w.net.posts = ordinaryPosts()
	round := func(deckID string) {
		for _, call := range everyTool(deckID) {
			text, err := json.Marshal(call.Arguments)
			if err != nil {
				t.Fatal(err)
			}
			w.call(t, call.Name, string(text))
		}
	}
	round("first") // opens the database's connections
	before := runtime.NumGoroutine()
	for range 5 {
		round("again")
	}
	waitFor(t, "the end of the calls' goroutines", func() bool { return runtime.NumGoroutine() <= before })
}
