package main

import (
	"context"
	"encoding/json"
	"fmt"
	"html"
	"net/http"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"

	"personal-workspace/sns/snstest"
)

// column is a column as the tools take and give it.
type column struct {
	ID           string         `json:"id,omitempty"`
	ConnectionID string         `json:"connectionId"`
	Source       map[string]any `json:"source"`
}

// deckResult is the answer of the deck tools.
type deckResult struct {
	Deck struct {
		ID       string
		Title    string
		Revision int64
		Columns  []column
	}
}

// postsResult is the answer of the fetch tools.
type postsResult struct {
	Posts []struct {
		ID   string
		Text string
	}
	NextCursor *string
}

// connect adds an account by the command line and returns its id.
func connect(ctx context.Context, t *testing.T, dataDir, origin, token, label string) (string, error) {
	t.Helper()
	file := filepath.Join(t.TempDir(), "token")
	if err := os.WriteFile(file, []byte(token+"\n"), 0o600); err != nil {
		return "", err
	}
	out, err := runCLI(ctx, t, dataDir, "connections", "add", "mastodon", "--origin", origin, "--token-file", file, "--label", label, "--json")
	if err != nil {
		return "", err
	}
	var c struct{ ID string }
	return c.ID, json.Unmarshal([]byte(out), &c)
}

// seeded is a mock with posts on the home timeline, under a hashtag and in a
// list; it returns the texts under the hashtag, newest first.
func seeded(t *testing.T, tagged int) (m *snstest.Mastodon, list string, texts []string) {
	t.Helper()
	m = snstest.NewMastodon(snstest.Options{})
	snstest.Serve(t, m)
	list = m.AddList("Friends", "cleo")
	at := time.Now().Add(-time.Hour)
	for i := range tagged {
		text := fmt.Sprintf("loaf number %03d #bread", i)
		m.Add(snstest.Status{Author: "stranger@far.example", Text: text, At: at.Add(time.Duration(i) * time.Second)})
		texts = append(texts, text)
	}
	m.Add(snstest.Status{Author: "ben", Text: "a word from home", At: at.Add(50 * time.Minute)})
	m.Add(snstest.Status{Author: "cleo", Text: "a word from the list", At: at.Add(51 * time.Minute)})
	slices.Reverse(texts)
	return m, list, texts
}

// The main job: an account is added before the first start, a deck is saved
// over /mcp, the page shows its posts, and a column can be read to its end.
func TestDeckOverMCPShowsOnThePage(t *testing.T) {
	dataDir := filepath.Join(t.TempDir(), "data")
	m, list, tagged := seeded(t, 95)
	conn, err := connect(t.Context(), t, dataDir, m.Origin(), m.Token(), "Ann")
	if err != nil {
		t.Fatal(err)
	}
	p := start(t, serveCmd(t, dataDir))
	c := newClient(p.base)
	t.Log(p.readyLine)

	var made deckResult
	err = c.call(t.Context(), "create_deck", map[string]any{"title": "Morning", "columns": []column{
		{ConnectionID: conn, Source: map[string]any{"kind": "home"}},
		{ConnectionID: conn, Source: map[string]any{"kind": "hashtag", "tag": "bread"}},
		{ConnectionID: conn, Source: map[string]any{"kind": "list", "listId": list}},
	}}, &made)
	if err != nil {
		t.Fatal(err)
	}

	var got []string
	seen := map[string]bool{}
	for cursor := ""; ; {
		args := map[string]any{"deckId": made.Deck.ID, "columnId": made.Deck.Columns[1].ID}
		if cursor != "" {
			args["cursor"] = cursor
		}
		var page postsResult
		if err := c.call(t.Context(), "fetch_column_posts", args, &page); err != nil {
			t.Fatal(err)
		}
		for _, post := range page.Posts {
			if seen[post.ID] {
				t.Errorf("the post %s comes twice", post.ID)
			}
			seen[post.ID] = true
			got = append(got, post.Text)
		}
		if page.NextCursor == nil {
			break
		}
		cursor = *page.NextCursor
	}
	if diff := cmp.Diff(tagged, got); diff != "" {
		t.Errorf("posts of the column, paged to the end (-want +got):\n%s", diff)
	}

	page := pageWith(t, c, "/decks/"+made.Deck.ID, "a word from home", "a word from the list", strings.TrimSuffix(tagged[0], "#bread"))
	p.stop(t)
	if strings.Contains(page+p.stderr.String(), m.Token()) {
		t.Error("the page or the log holds the token")
	}
}

// pageWith returns the page once it shows the texts: opening it asks for what is
// newer, and opening it again shows that.
func pageWith(t *testing.T, c *client, path string, texts ...string) string {
	t.Helper()
	c.get(t, path)
	tick := time.NewTicker(50 * time.Millisecond)
	defer tick.Stop()
	late := time.After(waitLimit)
	for {
		page := html.UnescapeString(c.get(t, path))
		if !slices.ContainsFunc(texts, func(s string) bool { return !strings.Contains(page, s) }) {
			return page
		}
		select {
		case <-tick.C:
		case <-late:
			t.Fatalf("the page (%d bytes) never shows all of %q", len(page), texts)
		}
	}
}

// Any name but the workspace's own is refused on every route, with the variable
// that would allow it; well-known paths are plain 404s.
func TestHostsAndWellKnownPaths(t *testing.T) {
	p := start(t, serveCmd(t, t.TempDir(), "WORKSPACE_HOSTS=ws.lan", "WORKSPACE_ORIGIN=https://ws.example.org/ws"))
	base := "http://" + strings.TrimPrefix(lastPlace(p.readyLine), "http://")
	c := newClient(strings.TrimSuffix(base, "/"))
	tests := []struct {
		name, method, path, host string
		status                   int
		holds                    string
	}{
		{"page, own name", http.MethodGet, "/livez", "", 200, "ok"},
		{"page, configured name", http.MethodGet, "/livez", "ws.lan", 200, "ok"},
		{"page, public name, under the base path", http.MethodGet, "/ws/livez", "ws.example.org", 200, "ok"},
		{"page, other name", http.MethodGet, "/decks", "evil.example", 421, "WORKSPACE_HOSTS"},
		{"mcp, other name", http.MethodPost, "/mcp", "evil.example", 403, "WORKSPACE_HOSTS"},
		{"mcp under the base path, other name", http.MethodPost, "/ws/mcp", "evil.example", 403, "WORKSPACE_HOSTS"},
		{"mcp under the base path", http.MethodGet, "/ws/mcp", "ws.example.org", 405, ""},
		{"unknown research turn", http.MethodPost, "/mcp?research=x", "", 404, `"jsonrpc":"2.0"`},
		{"resource metadata", http.MethodGet, "/.well-known/oauth-protected-resource", "", 404, ""},
		{"resource metadata of /mcp", http.MethodGet, "/.well-known/oauth-protected-resource/mcp", "", 404, ""},
		{"resource metadata of /ws/mcp", http.MethodGet, "/.well-known/oauth-protected-resource/ws/mcp", "ws.example.org", 404, ""},
		{"well-known, other name", http.MethodGet, "/.well-known/oauth-protected-resource", "evil.example", 421, "WORKSPACE_HOSTS"},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			status, body := askAs(t, c, tt.method, tt.path, tt.host)
			if status != tt.status || !strings.Contains(body, tt.holds) {
				t.Errorf("%s %s as %q = %d %.200q, want %d with %q", tt.method, tt.path, tt.host, status, body, tt.status, tt.holds)
			}
		})
	}
	p.stop(t)
}

func lastPlace(line string) string { return line[strings.LastIndex(line, "http://"):] }

// askAs sends a request with another Host header.
func askAs(t *testing.T, c *client, method, path, host string) (int, string) {
	t.Helper()
	body := ""
	if method == http.MethodPost {
		body = `{"jsonrpc":"2.0","id":7,"method":"ping"}`
	}
	req, err := http.NewRequestWithContext(t.Context(), method, c.base+path, strings.NewReader(body))
	if err != nil {
		t.Fatal(err)
	}
	req.Host = host
	req.Header.Set("Content-Type", "application/json")
	req.Header.Set("Accept", "application/json, text/event-stream")
	res, err := c.http.Do(req)
	if err != nil {
		t.Fatal(err)
	}
	defer res.Body.Close()
	var b strings.Builder
	if err := res.Write(&b); err != nil {
		t.Fatal(err)
	}
	return res.StatusCode, b.String()
}
