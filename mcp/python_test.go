package mcp_test

import (
	"bytes"
	"encoding/json"
	"os/exec"
	"strings"
	"testing"

	"personal-workspace/activities"
)

// python finds an interpreter that has a JSON Schema validator for Draft
// 2020-12, as many hosts do.
func python(t *testing.T) string {
	t.Helper()
	for _, name := range []string{"python3", "/usr/bin/python3"} {
		if exec.CommandContext(t.Context(), name, "-c", "from jsonschema import Draft202012Validator").Run() == nil {
			return name
		}
	}
	t.Fatal("no Python has jsonschema; install it: apt-get install python3-jsonschema")
	return ""
}

type schemaValue struct {
	Schema string          `json:"schema"`
	Value  json.RawMessage `json:"value"`
	Valid  bool            `json:"valid"`
}

// TestSchemasWorkInPython compiles every schema with another validator and lets
// it judge real arguments and results, and the arguments that we refuse for
// their shape.
func TestSchemasWorkInPython(t *testing.T) {
	interpreter := python(t)
	schemas := map[string]any{}
	for _, tool := range descriptors(t) {
		schemas[tool.Name+" input"], schemas[tool.Name+" output"] = tool.InputSchema, tool.OutputSchema
	}
	in, err := json.Marshal(map[string]any{"schemas": schemas, "values": append(realValues(t), wrongValues()...)})
	if err != nil {
		t.Fatal(err)
	}
	cmd := exec.CommandContext(t.Context(), interpreter, "testdata/check_schemas.py")
	cmd.Stdin = bytes.NewReader(in)
	var complaints bytes.Buffer
	cmd.Stdout, cmd.Stderr = &complaints, &complaints
	if err := cmd.Run(); err != nil || complaints.Len() > 0 {
		t.Errorf("%v\n%s", err, &complaints)
	}
}

// realValues are the arguments of a round of calls with the results they had.
func realValues(t *testing.T) []schemaValue {
	t.Helper()
	w := newWorld(t)
	w.connect(t, "ann")
	w.net.posts = ordinaryPosts()
	var list []schemaValue
	add := func(tool string, args any, res result) {
		text, err := json.Marshal(args)
		if err != nil {
			t.Fatal(err)
		}
		list = append(list, schemaValue{tool + " input", text, true}, schemaValue{tool + " output", res.Structured, true})
	}
	for _, call := range everyTool("round") {
		args := call.Arguments
		if args == nil {
			args = map[string]any{}
		}
		text, err := json.Marshal(args)
		if err != nil {
			t.Fatal(err)
		}
		res := w.call(t, call.Name, string(text))
		if res.IsError {
			t.Fatalf("%s: %+v", call.Name, res.fault(t))
		}
		add(call.Name, args, res)
	}
	empty := newWorld(t)
	for _, tool := range []string{"list_connections", "list_decks", "get_activity_context"} {
		add(tool, map[string]any{}, empty.call(t, tool, "{}"))
	}
	w.edit(t, activities.Edit{ID: "t", Body: new("Mine"), DueAt: &activities.Due{}})
	w.decide(t, activities.Decide{IDs: []string{"t"}, Verb: activities.VerbDismiss, Reason: "No"})
	add("get_activity_context", map[string]any{"activityIds": []string{"t"}}, w.call(t, "get_activity_context", `{"activityIds":["t"]}`))
	again := `{"requestId":"again","expectedRevision":3,"activities":[{"id":"t","kind":"task","title":"T","withdrawn":true}]}`
	add("publish_activities", json.RawMessage(again), w.call(t, "publish_activities", again))
	full := `{"title":"雨","deckId":"f","columns":[{"connectionId":"conn_1","source":{"kind":"hashtag","tag":"雨","any":["a"],"all":["b"],"none":["c"],"localOnly":true},` +
		`"filters":{"languages":["ja"],"include":["#a"],"exclude":["/x/"],"scope":"boosts","action":"fold","onlyMedia":true}}]}`
	add("create_deck", json.RawMessage(full), w.call(t, "create_deck", full))
	return list
}

// wrongValues are arguments that a validator in front of us refuses as we do.
func wrongValues() []schemaValue {
	task := `{"kind":"task","title":"T"}`
	column := `{"connectionId":"c","source":{"kind":"home"}}`
	wrong := func(tool, args string) schemaValue { return schemaValue{tool + " input", json.RawMessage(args), false} }
	return []schemaValue{
		wrong("list_decks", `{"limit":5}`),
		wrong("get_activity_context", `{"limit":101}`),
		wrong("get_activity_context", `{"activityIds":"a"}`),
		wrong("publish_activities", `{"expectedRevision":0,"activities":[`+task+`]}`),
		wrong("publish_activities", `{"requestId":"","expectedRevision":0,"activities":[`+task+`]}`),
		wrong("publish_activities", `{"requestId":"r","expectedRevision":-1,"activities":[`+task+`]}`),
		wrong("publish_activities", `{"requestId":"r","expectedRevision":0,"activities":[]}`),
		wrong("publish_activities", `{"requestId":"r","expectedRevision":0,"activities":[`+task+strings.Repeat(","+task, 100)+`]}`),
		wrong("publish_activities", `{"requestId":"r","expectedRevision":0,"activities":[{"kind":"task","title":""}]}`),
		wrong("publish_activities", `{"requestId":"r","expectedRevision":0,"activities":[{"kind":"task","title":"`+strings.Repeat("🐈", 201)+`"}]}`),
		wrong("publish_activities", `{"requestId":"r","expectedRevision":0,"activities":[{"kind":"order","title":"T"}]}`),
		wrong("publish_activities", `{"requestId":"r","expectedRevision":0,"activities":[{"kind":"task","title":"T","status":"done"}]}`),
		wrong("publish_activities", `{"requestId":"r","expectedRevision":0,"activities":[{"kind":"task","title":"T","source":{"excerpts":[{}]}}]}`),
		wrong("get_deck", `{}`),
		wrong("get_deck", `{"deckId":5}`),
		wrong("delete_deck", `{"deckId":"d","expectedRevision":1.5}`),
		wrong("delete_deck", `{"deckId":"d","expectedRevision":0}`),
		wrong("create_deck", `{"title":"","columns":[]}`),
		wrong("create_deck", `{"title":"T","columns":[`+column+`,`+column+`,`+column+`,`+column+`,`+column+`,`+column+`,`+column+`]}`),
		wrong("create_deck", `{"title":"T","columns":[{"connectionId":"c","source":{"kind":"thread","postId":"1"}}]}`),
		wrong("create_deck", `{"title":"T","columns":[{"id":"../x","connectionId":"c","source":{"kind":"home"}}]}`),
		wrong("fetch_posts", `{"connectionId":"c","source":{"kind":"moon"}}`),
		wrong("fetch_posts", `{"connectionId":"c","source":{"kind":"home","network":"mastodon"}}`),
		wrong("fetch_posts", `{"connectionId":"c","source":{"kind":"user","account":"a","onlyMedia":"yes"}}`),
	}
}
