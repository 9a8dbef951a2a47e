package app_test

import (
	"net/http"
	"net/http/httptest"
	"net/url"
	"strings"
	"testing"

	"personal-workspace/internal/app"
)

// TestAssistantsAreToldWhereAccountsAreAdded asks a workspace without accounts
// for them, as an assistant does first.
func TestAssistantsAreToldWhereAccountsAreAdded(t *testing.T) {
	a := newApp(t, app.Config{Origin: &url.URL{Scheme: "https", Host: "ws.example.org", Path: "/ws"}})
	r := httptest.NewRequestWithContext(t.Context(), http.MethodPost, "/mcp",
		strings.NewReader(`{"jsonrpc":"2.0","id":1,"method":"tools/call","params":{"name":"list_connections","arguments":{}}}`))
	r.Host = "ws.example.org"
	for name, value := range map[string]string{
		"Content-Type": "application/json", "Accept": "application/json, text/event-stream", "MCP-Protocol-Version": "2025-06-18",
	} {
		r.Header.Set(name, value)
	}
	w := httptest.NewRecorder()

	a.Handler.ServeHTTP(w, r)

	if got, want := w.Body.String(), "https://ws.example.org/ws/connections/new"; w.Code != http.StatusOK || !strings.Contains(got, want) {
		t.Errorf("list_connections = %d %s, want a hint with %s", w.Code, got, want)
	}
}
