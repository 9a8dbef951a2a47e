package mcp_test

import (
	"encoding/json"
	"slices"
	"strings"
	"testing"
)

// TestPublishedBoundsAreEnforced goes over every bound in the input schemas and
// sends a value just beyond it: what a schema tells in advance, the services
// must refuse, and name the member or the list it is in.
func TestPublishedBoundsAreEnforced(t *testing.T) { checkBeyond(t, boundsOf) }

// TestEverythingHasAnEnd sends too much in every text and list, also in those
// whose bounds no schema tells, to save room in it.
func TestEverythingHasAnEnd(t *testing.T) {
	checkBeyond(t, func(path string, s map[string]any) []schemaBound { return endsOf(t, path, s) })
}

// checkBeyond sends what list makes of each tool's input schema, one value at a
// time; each must be refused by the member's name.
func checkBeyond(t *testing.T, list func(path string, s map[string]any) []schemaBound) {
	t.Helper()
	w := newWorld(t)
	w.connect(t, "ann")
	w.call(t, "create_deck", `{"title":"Main","deckId":"main","columns":[{"id":"c1","connectionId":"conn_1","source":{"kind":"home"}}]}`)
	for _, tool := range descriptors(t) {
		for _, b := range list("", objectOf(t, tool.InputSchema.(json.RawMessage))) {
			t.Run(tool.Name+" "+b.path+" "+b.keyword, func(t *testing.T) {
				args := baseArguments(t, tool.Name, b.path)
				setPath(t, args, b.path, b.beyond)
				text, err := json.Marshal(args)
				if err != nil {
					t.Fatal(err)
				}
				r := w.call(t, tool.Name, string(text))
				if !r.IsError {
					t.Fatalf("%s passed", text[:min(len(text), 300)])
				}
				if f := r.fault(t); f.Code == "internal" || !names(f, b.path) {
					t.Errorf("%+v does not name %s", f, b.path)
				}
			})
		}
	}
}

func objectOf(t *testing.T, text []byte) (m map[string]any) {
	t.Helper()
	if err := json.Unmarshal(text, &m); err != nil {
		t.Fatal(err)
	}
	return m
}

// names reports whether a fault is about the member at path: its field says so,
// or it could not find the thing that the member names.
func names(f toolFault, path string) bool {
	field, _ := f.Details["field"].(string)
	field = strings.ReplaceAll(field, "[0]", "")
	path = strings.ReplaceAll(path, "[0]", "")
	what, _ := f.Details["what"].(string)
	return field != "" && strings.HasPrefix(path, field) || what != "" && strings.HasSuffix(path, what+"Id")
}

type schemaBound struct {
	path, keyword string
	beyond        any
	// told is the number in the schema, nil for another kind of bound.
	told any
}

func boundsOf(path string, s map[string]any) []schemaBound {
	var list []schemaBound
	add := func(keyword string, beyond, told any) { list = append(list, schemaBound{path, keyword, beyond, told}) }
	if n, ok := s["maxLength"].(float64); ok {
		add("maxLength", strings.Repeat("x", int(n)+1), n)
	}
	if n, ok := s["minLength"].(float64); ok && n > 0 {
		add("minLength", "", nil)
	}
	if s["pattern"] != nil {
		add("pattern", "../x", nil)
	}
	if s["enum"] != nil {
		add("enum", "moon", nil)
	}
	if n, ok := s["minimum"].(float64); ok {
		add("minimum", n-1, n)
	}
	if n, ok := s["maximum"].(float64); ok {
		add("maximum", n+1, n)
	}
	if item, ok := s["items"].(map[string]any); ok {
		if n, ok := s["maxItems"].(float64); ok {
			add("maxItems", slices.Repeat([]any{example(item)}, int(n)+1), n)
		}
		list = append(list, boundsOf(path+"[0]", item)...)
	}
	members, _ := s["properties"].(map[string]any)
	for name, m := range members {
		at := name
		if path != "" {
			at = path + "." + name
		}
		list = append(list, boundsOf(at, m.(map[string]any))...)
	}
	return list
}

// endsOf has a very long text for every text and a very long list for every list
// but one of words from an enum, which drops repeats.
func endsOf(t *testing.T, path string, s map[string]any) (list []schemaBound) {
	t.Helper()
	switch s["type"] {
	case "string":
		return []schemaBound{{path: path, keyword: "long text", beyond: strings.Repeat("x", 10_000)}}
	case "array":
		item := s["items"].(map[string]any)
		if !strings.HasSuffix(path, "types") {
			list = append(list, schemaBound{path: path, keyword: "long list", beyond: slices.Repeat([]any{example(item)}, 200)})
		}
		list = append(list, endsOf(t, path+"[0]", item)...)
	case "object":
		for name, m := range s["properties"].(map[string]any) {
			at := name
			if path != "" {
				at = path + "." + name
			}
			list = append(list, endsOf(t, at, m.(map[string]any))...)
		}
	}
	return list
}

// example is a value of a list item that is right on its own.
func example(s map[string]any) any {
	if e, ok := s["enum"].([]any); ok {
		return e[0]
	}
	members, _ := s["properties"].(map[string]any)
	switch {
	case members["kind"] != nil:
		return map[string]any{"kind": "task", "title": "T"}
	case members["text"] != nil:
		return map[string]any{"text": "Tea?"}
	case s["type"] == "object":
		return map[string]any{"connectionId": "conn_1", "source": map[string]any{"kind": "home"}}
	}
	return "word"
}

// baseArguments are arguments that pass, with a source of the kind that has the
// member at path.
func baseArguments(t *testing.T, tool, path string) map[string]any {
	t.Helper()
	source := map[string]any{"kind": "home"}
	last := path[strings.LastIndexByte(path, '.')+1:]
	switch strings.TrimSuffix(last, "[0]") {
	case "tag", "any", "all", "none":
		source = map[string]any{"kind": "hashtag", "tag": "a"}
	case "listId":
		source = map[string]any{"kind": "list"}
	case "account":
		source = map[string]any{"kind": "user"}
	case "query":
		source = map[string]any{"kind": "search"}
	case "product":
		source = map[string]any{"kind": "search", "query": "a"}
	case "types":
		source = map[string]any{"kind": "notifications"}
	case "postId":
		source = map[string]any{"kind": "post"}
	}
	column := map[string]any{"id": "c1", "connectionId": "conn_1", "source": source, "filters": map[string]any{}}
	switch tool {
	case "publish_activities":
		return map[string]any{"requestId": "r", "expectedRevision": 0, "activities": []any{map[string]any{
			"kind": "task", "title": "T",
			"source": map[string]any{"author": map[string]any{}, "excerpts": []any{map[string]any{"text": "Tea?"}}},
		}}}
	case "list_lists":
		return map[string]any{"connectionId": "conn_1"}
	case "create_deck":
		return map[string]any{"title": "T", "columns": []any{column}}
	case "replace_deck":
		return map[string]any{"deckId": "main", "expectedRevision": 1, "title": "T", "columns": []any{column}}
	case "delete_deck":
		return map[string]any{"deckId": "main", "expectedRevision": 1}
	case "fetch_posts":
		return map[string]any{"connectionId": "conn_1", "source": source}
	case "fetch_column_posts":
		return map[string]any{"deckId": "main", "columnId": "c1"}
	}
	return map[string]any{}
}

// setPath sets a member such as columns[0].source.any[0], making lists on the way.
func setPath(t *testing.T, in map[string]any, path string, value any) {
	t.Helper()
	head, rest, more := strings.Cut(path, ".")
	name, listed := strings.CutSuffix(head, "[0]")
	switch {
	case listed && more:
		setPath(t, in[name].([]any)[0].(map[string]any), rest, value)
	case listed:
		in[name] = []any{value}
	case more:
		setPath(t, in[name].(map[string]any), rest, value)
	default:
		in[name] = value
	}
}
