package mcp_test

import (
	"bytes"
	"encoding/json"
	"flag"
	"fmt"
	"os"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
	sdk "github.com/modelcontextprotocol/go-sdk/mcp"

	"personal-workspace/mcp"
)

var update = flag.Bool("update", false, "write the golden files")

// golden compares text with a file, or writes the file with -update.
func golden(t *testing.T, name string, got []byte) {
	t.Helper()
	path := filepath.Join("testdata", name)
	if *update {
		if err := os.MkdirAll(filepath.Dir(path), 0o755); err != nil {
			t.Fatal(err)
		}
		if err := os.WriteFile(path, got, 0o644); err != nil {
			t.Fatal(err)
		}
	}
	want, err := os.ReadFile(path)
	if err != nil {
		t.Fatalf("%v (write it with: go test ./mcp -update)", err)
	}
	if diff := cmp.Diff(string(want), string(got)); diff != "" {
		t.Errorf("%s differs (-want +got), accept it with go test ./mcp -update:\n%s", name, diff)
	}
}

// indented is JSON for people.
func indented(t *testing.T, text []byte) []byte {
	t.Helper()
	var b bytes.Buffer
	if err := json.Indent(&b, text, "", "  "); err != nil {
		t.Fatal(err)
	}
	b.WriteByte('\n')
	return b.Bytes()
}

func descriptors(tb testing.TB) []*sdk.Tool {
	tb.Helper()
	list, err := mcp.Catalogue(mcp.Config{})
	if err != nil {
		tb.Fatal(err)
	}
	return list
}

func TestToolsAreGolden(t *testing.T) {
	for _, tool := range descriptors(t) {
		text, err := json.Marshal(tool)
		if err != nil {
			t.Fatal(err)
		}
		golden(t, "tools/"+tool.Name+".json", indented(t, text))
	}
	files, err := filepath.Glob("testdata/tools/*.json")
	if err != nil || len(files) != len(descriptors(t)) {
		t.Errorf("testdata/tools has %d files, want one for each of the %d tools; %v", len(files), len(descriptors(t)), err)
	}
}

func TestCatalogueHasExactlyTheseTools(t *testing.T) {
	want := []string{
		"get_activity_context", "publish_activities", "list_connections", "list_lists", "list_decks", "get_deck", "create_deck",
		"replace_deck", "delete_deck", "fetch_posts", "fetch_column_posts",
	}
	var got []string
	for _, tool := range descriptors(t) {
		got = append(got, tool.Name)
	}
	if diff := cmp.Diff(want, got); diff != "" {
		t.Errorf("tools (-want +got):\n%s", diff)
	}
}

// TestAnnotations is the whole table: a hint that is wrong makes a host skip its
// confirmation, or ask for one without need.
func TestAnnotations(t *testing.T) {
	type hints struct{ readOnly, destructive, idempotent, openWorld bool }
	want := map[string]hints{
		"get_activity_context": {readOnly: true, idempotent: true},
		"publish_activities":   {idempotent: true},
		"list_connections":     {readOnly: true, idempotent: true},
		"list_lists":           {readOnly: true, idempotent: true, openWorld: true},
		"list_decks":           {readOnly: true, idempotent: true},
		"get_deck":             {readOnly: true, idempotent: true},
		"create_deck":          {idempotent: true},
		"replace_deck":         {destructive: true, idempotent: true},
		"delete_deck":          {destructive: true, idempotent: true},
		"fetch_posts":          {readOnly: true, idempotent: true, openWorld: true},
		"fetch_column_posts":   {readOnly: true, idempotent: true, openWorld: true},
	}
	for _, tool := range descriptors(t) {
		a := tool.Annotations
		if a == nil || a.DestructiveHint == nil || a.OpenWorldHint == nil {
			t.Errorf("%s does not have all four hints", tool.Name)
			continue
		}
		got := hints{a.ReadOnlyHint, *a.DestructiveHint, a.IdempotentHint, *a.OpenWorldHint}
		if got != want[tool.Name] {
			t.Errorf("%s has hints %+v, want %+v", tool.Name, got, want[tool.Name])
		}
	}
}

func TestEveryToolIsDescribed(t *testing.T) {
	name := regexp.MustCompile(`^[a-z][a-z0-9_]{0,20}$`)
	for _, tool := range descriptors(t) {
		if !name.MatchString(tool.Name) {
			t.Errorf("the name %s is too long or has other characters than hosts allow", tool.Name)
		}
		if tool.Title == "" {
			t.Errorf("%s has no title", tool.Name)
		}
		for what, pattern := range map[string]string{
			"when to use it":                `\b(use it|Use it|call it first|for sources of kind)\b`,
			"what it does not do":           `\b(no|not|cannot|nothing)\b`,
			"the next tool":                 `Next: [a-z]`,
			"that post text is third-party": regexp.QuoteMeta(mcp.ThirdParty),
		} {
			if !regexp.MustCompile(pattern).MatchString(tool.Description) {
				t.Errorf("the description of %s does not say %s: %s", tool.Name, what, tool.Description)
			}
		}
	}
}

func TestCatalogueFitsTheBudgets(t *testing.T) {
	w := newWorld(t)
	res := bodyOf(t, post(t, w.handler, "/mcp", headersOf("tools/list", ""), `{"jsonrpc":"2.0","id":1,"method":"tools/list","params":{`+meta+`}}`))
	if len(res) > 24_000 {
		t.Errorf("the answer of tools/list has %d bytes, the most is 24,000", len(res))
	}
	told := 0
	for _, tool := range descriptors(t) {
		told += len(tool.Name) + len(tool.Description) + len(tool.InputSchema.(json.RawMessage))
	}
	if told > 12_000 {
		t.Errorf("names, descriptions and input schemas have %d bytes, the most is 12,000", told)
	}
	if n := len([]rune(mcp.Instructions)); n > 512 {
		t.Errorf("the instructions have %d characters; hosts cut them after 512", n)
	}
	t.Logf("tools/list %d bytes, names + descriptions + input schemas %d bytes", len(res), told)
}

// TestSchemasSuitEveryHost walks all schemas for what some validator or host
// cannot take.
func TestSchemasSuitEveryHost(t *testing.T) {
	for _, tool := range descriptors(t) {
		for kind, schema := range map[string]any{"input": tool.InputSchema, "output": tool.OutputSchema} {
			var root map[string]any
			if err := json.Unmarshal(schema.(json.RawMessage), &root); err != nil {
				t.Fatal(err)
			}
			checkSchema(t, tool.Name+" "+kind, root, kind == "input")
			if root["type"] != "object" || root["properties"] == nil {
				t.Errorf("%s %s is no object schema with properties", tool.Name, kind)
			}
		}
	}
}

var (
	portablePattern = regexp.MustCompile(`^\^(\[[A-Za-z0-9_-]+\][*+]?|[A-Za-z0-9_]|\{[0-9,]+\})+\$$`)
	knownKeywords   = []string{
		"type", "properties", "required", "additionalProperties", "description", "enum", "items", "pattern", "format",
		"minLength", "maxLength", "minItems", "maxItems", "minimum", "maximum",
	}
)

func checkSchema(t *testing.T, at string, s map[string]any, input bool) {
	t.Helper()
	for keyword := range s {
		if !slices.Contains(knownKeywords, keyword) {
			t.Errorf("%s uses %s, which not every host knows", at, keyword)
		}
	}
	if _, list := s["type"].([]any); list {
		t.Errorf("%s has a list of types", at)
	}
	if p, ok := s["pattern"].(string); ok && !portablePattern.MatchString(p) {
		t.Errorf("%s has a pattern beyond plain ASCII classes: %s", at, p)
	}
	if _, closed := s["additionalProperties"]; closed != (input && s["type"] == "object") {
		t.Errorf("%s: inputs are closed and outputs open", at)
	}
	if s["type"] == "array" {
		item, ok := s["items"].(map[string]any)
		if !ok {
			t.Fatalf("%s does not say what its items are", at)
		}
		checkSchema(t, at+"[]", item, input)
	}
	members, _ := s["properties"].(map[string]any)
	for name, m := range members {
		member, ok := m.(map[string]any)
		if !ok {
			t.Errorf("%s.%s is a boolean schema", at, name)
			continue
		}
		checkSchema(t, at+"."+name, member, input)
	}
}

// TestFreeTextsAndListsTellTheirBounds: what a model composes by itself has its
// bounds in the schema. Ids, tags and cursors come from elsewhere and are short
// or refused; replace_deck has the members of create_deck.
func TestFreeTextsAndListsTellTheirBounds(t *testing.T) {
	want := map[string]any{
		"create_deck title maxLength": 80.0, "create_deck deckId maxLength": 64.0, "create_deck columns maxItems": 6.0,
		"create_deck columns[0].title maxLength": 80.0, "create_deck columns[0].id maxLength": 64.0,
		"create_deck columns[0].source.query maxLength": 500.0,
		"create_deck columns[0].source.any maxItems":    3.0, "create_deck columns[0].source.all maxItems": 4.0, "create_deck columns[0].source.none maxItems": 4.0,
		"create_deck columns[0].filters.languages maxItems": 20.0,
		"create_deck columns[0].filters.include maxItems":   50.0, "create_deck columns[0].filters.exclude maxItems": 50.0,
		"replace_deck title maxLength": 80.0, "replace_deck columns maxItems": 6.0, "replace_deck expectedRevision minimum": 1.0,
		"delete_deck expectedRevision minimum":      1.0,
		"fetch_posts source.query maxLength":        500.0,
		"get_activity_context activityIds maxItems": 100.0, "get_activity_context limit minimum": 1.0, "get_activity_context limit maximum": 100.0,
		"publish_activities requestId maxLength": 64.0, "publish_activities expectedRevision minimum": 0.0, "publish_activities activities maxItems": 100.0,
		"publish_activities activities[0].id maxLength": 64.0, "publish_activities activities[0].title maxLength": 200.0,
		"publish_activities activities[0].body maxLength": 8000.0, "publish_activities activities[0].reason maxLength": 1000.0,
		"publish_activities activities[0].source.excerpts maxItems": 10.0, "publish_activities activities[0].source.excerpts[0].text maxLength": 2000.0,
		"fetch_posts source.any maxItems": 3.0, "fetch_posts source.all maxItems": 4.0, "fetch_posts source.none maxItems": 4.0,
	}
	got := map[string]any{}
	for _, tool := range descriptors(t) {
		for _, b := range boundsOf("", objectOf(t, tool.InputSchema.(json.RawMessage))) {
			if b.told != nil {
				got[tool.Name+" "+b.path+" "+b.keyword] = b.told
			}
		}
	}
	if diff := cmp.Diff(want, got); diff != "" {
		t.Errorf("numbers in the input schemas (-want +got):\n%s", diff)
	}
}

func TestHandshakesAreGolden(t *testing.T) {
	w := newWorld(t)
	discover := post(t, w.handler, "/mcp", headersOf("server/discover", ""), `{"jsonrpc":"2.0","id":1,"method":"server/discover","params":{`+meta+`}}`)
	golden(t, "discover.json", indented(t, bodyOf(t, discover)))
	initialize := post(t, w.handler, "/mcp", map[string]string{"Content-Type": "application/json", "Accept": "application/json, text/event-stream"},
		`{"jsonrpc":"2.0","id":1,"method":"initialize","params":{"protocolVersion":"2025-06-18","capabilities":{},"clientInfo":{"name":"c","version":"1"}}}`)
	golden(t, "initialize.json", indented(t, bodyOf(t, initialize)))
	for _, res := range []string{discover.Header.Get("Content-Type"), initialize.Header.Get("Content-Type")} {
		if res != "application/json" {
			t.Errorf("a handshake was answered as %s, want application/json", res)
		}
	}
}

func TestInitializeAnswersTheVersionAskedFor(t *testing.T) {
	w := newWorld(t)
	for asked, want := range map[string]string{
		"2025-11-25": "2025-11-25", "2025-06-18": "2025-06-18", "2025-03-26": "2025-03-26", "2024-11-05": "2024-11-05",
		"2026-07-28": "2025-11-25", "1999-01-01": "2025-11-25",
	} {
		res := bodyOf(t, post(t, w.handler, "/mcp", map[string]string{"Content-Type": "application/json", "Accept": "*/*"},
			fmt.Sprintf(`{"jsonrpc":"2.0","id":1,"method":"initialize","params":{"protocolVersion":%q,"capabilities":{},"clientInfo":{"name":"c","version":"1"}}}`, asked)))
		if !strings.Contains(string(res), `"protocolVersion":"`+want+`"`) {
			t.Errorf("initialize with %s answered %s, want version %s", asked, res, want)
		}
	}
}
