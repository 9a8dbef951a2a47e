package main

import (
	"encoding/json"
	"maps"
	"net/http"
	"strings"
	"testing"
)

// rpc posts a JSON-RPC message with plain headers, as curl would, and returns
// its result.
func rpc(t *testing.T, c *client, header map[string]string, message string) map[string]any {
	t.Helper()
	headers := map[string]string{"Content-Type": "application/json", "Accept": "application/json, text/event-stream"}
	maps.Copy(headers, header)
	status, answered, body, err := c.do(t.Context(), http.MethodPost, "/mcp", headers, message)
	if err != nil {
		t.Fatal(err)
	}
	if kind := answered.Get("Content-Type"); status != http.StatusOK || kind != "application/json" {
		t.Fatalf("%s\ngives status %d, %s: %s", message, status, kind, body)
	}
	var reply struct {
		Result map[string]any
		Error  any
	}
	if err := json.Unmarshal([]byte(body), &reply); err != nil || reply.Error != nil {
		t.Fatalf("%s\ngives %v %s", message, err, body)
	}
	return reply.Result
}

const elevenTools = 11

// ChatGPT's calls: discover, then tools, all at 2026-07-28.
func TestCallsAsChatGPTMakesThem(t *testing.T) {
	p := start(t, serveCmd(t, t.TempDir()))
	c := newClient(p.base)
	const meta = `"_meta":{"io.modelcontextprotocol/protocolVersion":"2026-07-28","io.modelcontextprotocol/clientInfo":{"name":"openai-mcp","version":"1.0.0"},"io.modelcontextprotocol/clientCapabilities":{}}`
	header := func(method, name string) map[string]string {
		h := map[string]string{"MCP-Protocol-Version": "2026-07-28", "Mcp-Method": method}
		if name != "" {
			h["Mcp-Name"] = name
		}
		return h
	}
	discovered := rpc(t, c, header("server/discover", ""), `{"jsonrpc":"2.0","id":"openai-mcp-discover","method":"server/discover","params":{`+meta+`}}`)
	versions, err := json.Marshal(discovered["supportedVersions"])
	if err != nil || !strings.Contains(string(versions), `"2026-07-28"`) {
		t.Errorf("supportedVersions = %s, %v; want 2026-07-28 among them", versions, err)
	}
	if tools, _ := rpc(t, c, header("tools/list", ""), `{"jsonrpc":"2.0","id":1,"method":"tools/list","params":{`+meta+`}}`)["tools"].([]any); len(tools) != elevenTools {
		t.Errorf("%d tools, want %d", len(tools), elevenTools)
	}
	called := rpc(t, c, header("tools/call", "list_decks"), `{"jsonrpc":"2.0","id":2,"method":"tools/call","params":{"name":"list_decks","arguments":{},`+meta+`}}`)
	if called["isError"] == true || called["structuredContent"] == nil {
		t.Errorf("list_decks = %v, want structured content", called)
	}
	p.stop(t)
}

// Codex's calls: the handshake of 2025-06-18, then tools without a session.
func TestCallsAsCodexMakesThem(t *testing.T) {
	p := start(t, serveCmd(t, t.TempDir()))
	c := newClient(p.base)
	hello := rpc(t, c, nil, `{"jsonrpc":"2.0","id":0,"method":"initialize","params":{"protocolVersion":"2025-06-18","capabilities":{},"clientInfo":{"name":"codex-mcp-client","version":"0.1"}}}`)
	if hello["protocolVersion"] != "2025-06-18" {
		t.Errorf("protocolVersion = %v, want 2025-06-18", hello["protocolVersion"])
	}
	header := map[string]string{"MCP-Protocol-Version": "2025-06-18"}
	status, _, body, err := c.do(t.Context(), http.MethodPost, "/mcp",
		map[string]string{"Content-Type": "application/json", "Accept": "application/json, text/event-stream", "MCP-Protocol-Version": "2025-06-18"},
		`{"jsonrpc":"2.0","method":"notifications/initialized"}`)
	if err != nil || status != http.StatusAccepted {
		t.Errorf("notifications/initialized = %d %q, %v; want 202", status, body, err)
	}
	if tools, _ := rpc(t, c, header, `{"jsonrpc":"2.0","id":1,"method":"tools/list"}`)["tools"].([]any); len(tools) != elevenTools {
		t.Errorf("%d tools, want %d", len(tools), elevenTools)
	}
	called := rpc(t, c, header, `{"jsonrpc":"2.0","id":2,"method":"tools/call","params":{"name":"list_connections","arguments":{}}}`)
	if called["isError"] == true || called["structuredContent"] == nil {
		t.Errorf("list_connections = %v, want structured content", called)
	}
	p.stop(t)
}
