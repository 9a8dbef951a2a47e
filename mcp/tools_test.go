package mcp_test

import (
	"encoding/json"
	"fmt"
	"slices"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"personal-workspace/decks"
	"personal-workspace/decks/deckstest"
	"personal-workspace/internal/fault"
	"personal-workspace/internal/ledger"
	"personal-workspace/internal/sqlite"
	"personal-workspace/mcp"
	"personal-workspace/sns"
)

// TestDeckOperations runs the shared cases through the tools, all on one world
// that is emptied between them: a world for each would take longer than the cases.
func TestDeckOperations(t *testing.T) {
	w := newWorld(t)
	connection := w.connect(t, "ann")
	deckstest.Run(t, func(t *testing.T) (deckstest.Client, string) {
		err := w.db.Write(t.Context(), func(tx *sqlite.Tx) error {
			_, err := tx.Exec("DELETE FROM decks")
			tx.AfterCommit(w.ledger.Wake)
			return err
		})
		if err != nil {
			t.Fatal(err)
		}
		return deckstest.Whole(assistant{w}), connection.ID
	})
}

// assistant changes decks through the tools.
type assistant struct{ *world }

func (w assistant) Do(t *testing.T, op deckstest.Operation) deckstest.Outcome {
	t.Helper()
	args := map[string]any{}
	if op.DeckID != "" {
		args["deckId"] = op.DeckID
	}
	if op.Do != deckstest.Create {
		args["expectedRevision"] = op.ExpectedRevision
	}
	if op.Do != deckstest.Delete {
		args["title"], args["columns"] = op.Title, op.Columns
		if op.Columns == nil {
			args["columns"] = []decks.Column{}
		}
	}
	text, err := json.Marshal(args)
	if err != nil {
		t.Fatal(err)
	}
	r := w.call(t, op.Do+"_deck", string(text))
	if !r.IsError {
		return deckstest.Outcome{}
	}
	f := r.fault(t)
	field, _ := f.Details[fault.DetailField].(string)
	return deckstest.Outcome{Code: fault.Code(f.Code), Field: field}
}

func (w assistant) List(t *testing.T) []decks.Summary {
	t.Helper()
	var got struct{ Decks []decks.Summary }
	w.structured(t, "list_decks", "{}", &got)
	return got.Decks
}

func (w assistant) Deck(t *testing.T, id string) decks.Deck {
	t.Helper()
	var got struct{ Deck decks.Deck }
	w.structured(t, "get_deck", `{"deckId":"`+id+`"}`, &got)
	return got.Deck
}

// structured calls a tool that must succeed and decodes its result. Both forms
// of the result must be the same text.
func (w *world) structured(t *testing.T, tool, arguments string, into any) {
	t.Helper()
	r := w.call(t, tool, arguments)
	if r.IsError {
		t.Fatalf("%s(%s) failed: %+v", tool, arguments, r.fault(t))
	}
	if len(r.Content) != 1 || r.Content[0].Type != "text" {
		t.Fatalf("%s has content %+v, want one text", tool, r.Content)
	}
	var a, b any
	if json.Unmarshal(r.Structured, &a) != nil || json.Unmarshal([]byte(r.Content[0].Text), &b) != nil {
		t.Fatalf("%s answers no JSON: %s", tool, r.Structured)
	}
	if diff := cmp.Diff(a, b); diff != "" {
		t.Errorf("%s: the text differs from the structure:\n%s", tool, diff)
	}
	if err := json.Unmarshal(r.Structured, into); err != nil {
		t.Fatal(err)
	}
}

func TestShapeViolationsNameTheMember(t *testing.T) {
	column := `{"connectionId":"conn_1","source":{"kind":"home"}}`
	cases := []struct{ name, tool, arguments, field, message string }{
		{"no object", "list_decks", `[]`, "arguments", "The value of arguments must be an object, not an array."},
		{"an argument where none is", "list_decks", `{"limit":5}`, "limit", "This tool takes no limit; leave it out."},
		{"unknown member", "get_deck", `{"deckId":"d","deck":"d"}`, "deck", "This tool takes no deck; the members are deckId."},
		{"missing member", "get_deck", `{}`, "deckId", "deckId is missing; send a string."},
		{"null for a required member", "get_deck", `{"deckId":null}`, "deckId", "deckId is missing; send a string."},
		{"number for a text", "get_deck", `{"deckId":5}`, "deckId", "deckId must be a string, not a number."},
		{"text for a number", "delete_deck", `{"deckId":"d","expectedRevision":"1"}`, "expectedRevision", "expectedRevision must be a whole number, not a string."},
		{"fraction", "delete_deck", `{"deckId":"d","expectedRevision":1.5}`, "expectedRevision", "expectedRevision must be a whole number."},
		{"number beyond all", "delete_deck", `{"deckId":"d","expectedRevision":1e300}`, "expectedRevision", "expectedRevision must be a whole number."},
		{"zero where counting begins at one", "delete_deck", `{"deckId":"d","expectedRevision":0}`, "expectedRevision", "expectedRevision must be at least 1."},
		{"negative", "replace_deck", `{"deckId":"d","expectedRevision":-1,"title":"T","columns":[]}`, "expectedRevision", "expectedRevision must be at least 1."},
		{"object for a list", "create_deck", `{"title":"T","columns":{}}`, "columns", "columns must be an array, not an object."},
		{"text for an object", "create_deck", `{"title":"T","columns":["home"]}`, "columns[0]", "columns[0] must be an object, not a string."},
		{"null in a list", "create_deck", `{"title":"T","columns":[` + column + `,null]}`, "columns[1]", "columns[1] must be an object, not null."},
		{"missing deep down", "create_deck", `{"title":"T","columns":[` + column + `,` + column + `,{"connectionId":"c","source":{}}]}`, "columns[2].source.kind", "columns[2].source.kind is missing; send a string."},
		{"wrong deep down", "create_deck", `{"title":"T","columns":[{"connectionId":"c","source":{"kind":"hashtag","tag":"a","any":["b",1]}}]}`, "columns[0].source.any[1]", "columns[0].source.any[1] must be a string, not a number."},
		{"unknown deep down", "create_deck", `{"title":"T","columns":[{"connectionId":"c","source":{"kind":"home","network":"mastodon"}}]}`, "columns[0].source.network", ""},
		{"what can only be fetched", "create_deck", `{"title":"T","columns":[{"connectionId":"c","source":{"kind":"thread","postId":"1"}}]}`, "columns[0].source.postId", ""},
		{"unknown member with a strange name", "list_decks", `{"<script>\u202e":1}`, `"<script>\u202e"`, ""},
		{"flag as text", "fetch_posts", `{"connectionId":"c","source":{"kind":"user","account":"a","onlyMedia":"yes"}}`, "source.onlyMedia", "source.onlyMedia must be a boolean, not a string."},
		{"another case of letters", "get_deck", `{"deckid":"d"}`, "deckId", "deckId is missing; send a string."},
	}
	w := newWorld(t)
	w.connect(t, "ann")
	for _, c := range cases {
		t.Run(c.name, func(t *testing.T) {
			f := w.call(t, c.tool, c.arguments).fault(t)
			if f.Code != "invalid_arguments" || f.Retryable {
				t.Errorf("code %s, retryable %v; want invalid_arguments, false", f.Code, f.Retryable)
			}
			if f.Details["field"] != c.field {
				t.Errorf("field %v, want %s", f.Details["field"], c.field)
			}
			if c.message != "" && f.Message != c.message {
				t.Errorf("message %q, want %q", f.Message, c.message)
			}
		})
	}
}

func TestShapesThatPass(t *testing.T) {
	cases := []struct{ name, tool, arguments string }{
		{"null for an optional member", "fetch_posts", `{"connectionId":"conn_1","source":{"kind":"home","tag":null},"cursor":null}`},
		{"null for arguments", "list_decks", `null`},
		{"whole number written with a fraction", "delete_deck", `{"deckId":"deck_9","expectedRevision":1.0}`},
		{"space and escapes", "list_decks", " {\n} "},
	}
	for _, c := range cases {
		t.Run(c.name, func(t *testing.T) {
			w := newWorld(t)
			w.connect(t, "ann")
			if _, err := w.decks.CreateDeck(t.Context(), decks.CreateDeck{ID: "deck_9", Title: "Nine"}); err != nil {
				t.Fatal(err)
			}
			if r := w.call(t, c.tool, c.arguments); r.IsError {
				t.Errorf("failed: %+v", r.fault(t))
			}
		})
	}
}

// TestArgumentsMayBeLeftOut: some clients send none for a tool without any.
func TestArgumentsMayBeLeftOut(t *testing.T) {
	w := newWorld(t)
	res := post(t, w.handler, "/mcp", headersOf("tools/call", "list_decks"), `{"jsonrpc":"2.0","id":1,"method":"tools/call","params":{"name":"list_decks",`+meta+`}}`)
	if body := string(bodyOf(t, res)); !strings.Contains(body, `"structuredContent":{"decks":[]}`) {
		t.Errorf("answered %s", body)
	}
}

func TestListConnections(t *testing.T) {
	w := newWorld(t)
	var got map[string]any
	w.structured(t, "list_connections", "{}", &got)
	hint, _ := got["hint"].(string)
	if !strings.Contains(hint, "http://127.0.0.1:3000/settings") || !strings.Contains(hint, "workspace connections add") {
		t.Errorf("hint %q, want both ways to add an account", hint)
	}
	w = newWorld(t)
	w.connect(t, "ann")
	got = nil
	w.structured(t, "list_connections", "{}", &got)
	want := map[string]any{"connections": []any{map[string]any{
		"id": "conn_1", "network": "mastodon", "account": "@ann@social.example", "label": "My ann", "state": "ready",
	}}}
	if diff := cmp.Diff(want, got); diff != "" {
		t.Errorf("connections (-want +got):\n%s", diff)
	}
}

func TestHintWithoutAPageNamesTheCommand(t *testing.T) {
	w := newWorld(t, func(_ *sns.Config, c *mcp.Config) { c.ConnectURL = "" })
	var got struct{ Hint string }
	w.structured(t, "list_connections", "{}", &got)
	if want := `No account is connected yet. Ask the person to run "workspace connections add mastodon --origin https://…" on the server.`; got.Hint != want {
		t.Errorf("hint %q, want %q", got.Hint, want)
	}
}

func TestListLists(t *testing.T) {
	w := newWorld(t)
	w.connect(t, "ann")
	w.net.lists = []sns.List{{ID: "9007199254740993", Title: "Friends\u202e"}, {ID: "2", Title: "仕事"}}
	r := w.call(t, "list_lists", `{"connectionId":"conn_1"}`)
	want := `{"lists":[{"id":"9007199254740993","title":"Friends"},{"id":"2","title":"仕事"}]}`
	if string(r.Structured) != want || r.Content[0].Text != want {
		t.Errorf("answered %s and %s, want both %s", r.Structured, r.Content[0].Text, want)
	}
	f := w.call(t, "list_lists", `{"connectionId":"conn_9"}`).fault(t)
	if f.Code != "not_found" || f.Details["what"] != "connection" {
		t.Errorf("of an unknown connection: %+v", f)
	}
}

func TestDeckComesBackAsItWasMade(t *testing.T) {
	w := newWorld(t)
	w.connect(t, "ann")
	made := w.call(t, "create_deck", `{"title":"Main <&>","deckId":"main","columns":[{"id":"c1","title":"雨","connectionId":"conn_1",`+
		`"source":{"kind":"hashtag","tag":"雨","any":["傘"],"onlyMedia":true},"filters":{"hideBoosts":true,"exclude":["/^ad/"],"action":"fold"}}]}`)
	want := `{"deck":{"id":"main","title":"Main <&>","columns":[{"id":"c1","title":"雨","connectionId":"conn_1",` +
		`"source":{"kind":"hashtag","tag":"雨","any":["傘"],"onlyMedia":true},"filters":{"hideBoosts":true,"exclude":["/^ad/"],"action":"fold"}}],` +
		`"revision":1,"createdAt":"2026-11-30T12:00:00Z","updatedAt":"2026-11-30T12:00:00Z"}}`
	if got := made.Content[0].Text; got != want {
		t.Errorf("create_deck answered\n%s, want\n%s", got, want)
	}
	for range 2 { // the same state, the same bytes
		if got := w.call(t, "get_deck", `{"deckId":"main"}`).Content[0].Text; got != want {
			t.Errorf("get_deck answered\n%s, want\n%s", got, want)
		}
	}
	if got := w.call(t, "delete_deck", `{"deckId":"main","expectedRevision":1}`).Content[0].Text; got != `{"deleted":true,"deckId":"main"}` {
		t.Errorf("delete_deck answered %s", got)
	}
}

// TestTextSurvivesBothForms: structured compares the two forms of the result.
func TestTextSurvivesBothForms(t *testing.T) {
	w := newWorld(t)
	title := "\"quoted\" back\\slash </script> & 雨 🧑‍🌾 line\u2028end \\u0041"
	text, err := json.Marshal(map[string]any{"title": title, "columns": []any{}})
	if err != nil {
		t.Fatal(err)
	}
	var got struct{ Deck decks.Deck }
	w.structured(t, "create_deck", string(text), &got)
	if got.Deck.Title != title {
		t.Errorf("title %q, want %q", got.Deck.Title, title)
	}
}

func TestReplaceKeepsFiltersOfKeptColumns(t *testing.T) {
	w := newWorld(t)
	w.connect(t, "ann")
	w.call(t, "create_deck", `{"title":"Main","deckId":"main","columns":[{"id":"c1","connectionId":"conn_1","source":{"kind":"home"},"filters":{"hideReplies":true}}]}`)
	r := w.call(t, "replace_deck", `{"deckId":"main","expectedRevision":1,"title":"Main","columns":[{"id":"c1","connectionId":"conn_1","source":{"kind":"home"}},{"connectionId":"conn_1","source":{"kind":"local"}}]}`)
	if got := string(r.Structured); !strings.Contains(got, `"filters":{"hideReplies":true}`) || !strings.Contains(got, `"revision":2`) {
		t.Errorf("replace_deck answered %s", got)
	}
}

func TestFaultsHaveOneForm(t *testing.T) {
	w := newWorld(t)
	r := w.call(t, "get_deck", `{"deckId":"gone"}`)
	want := `{"error":{"code":"not_found","message":"There is no such deck; it may have been deleted. Call list_decks for the ids.","retryable":false,"details":{"what":"deck"}}}`
	if got := r.Content[0].Text; got != want {
		t.Errorf("answered %s, want %s", got, want)
	}
	if r.Structured != nil {
		t.Errorf("a failed call has a structure: %s", r.Structured)
	}
}

func TestEveryCallIsRecorded(t *testing.T) {
	w := newWorld(t)
	w.connect(t, "ann")
	w.net.posts = plainPosts(3)
	w.call(t, "list_connections", "{}")
	w.call(t, "create_deck", `{"deckId":"main","title":"Secret title","columns":[]}`)
	w.call(t, "create_deck", `{"deckId":"main","title":"Other","columns":[]}`)
	w.call(t, "get_deck", `{"wrong":1}`)
	w.call(t, "fetch_posts", `{"connectionId":"conn_1","source":{"kind":"home"}}`)
	w.call(t, "fetch_posts", `{"connectionId":"a made up id","source":{"kind":"home"}}`)
	post(t, w.handler, "/mcp", headersOf("tools/call", "fly"), `{"jsonrpc":"2.0","id":1,"method":"tools/call","params":{"name":"fly",`+meta+`}}`)
	post(t, w.handler, "/mcp", headersOf("tools/call", "fly"), `{"jsonrpc":"2.0","id":1,"method":"tools/call","params":{"name":"list_decks",`+meta+`}}`)
	post(t, w.handler, "/mcp", headersOf("tools/list", ""), `{"jsonrpc":"2.0","id":1,"method":"tools/list","params":{`+meta+`}}`)

	var got []string
	for _, r := range w.toolRuns(t) {
		got = append(got, fmt.Sprintf("%s %s %s %s", r.Tool, r.Outcome, r.Code, r.ConnectionID))
		if r.Caller != "anonymous" || r.ClientName != "tester" || r.ClientVersion != "9" {
			t.Errorf("%s was recorded of %s, %s %s", r.Tool, r.Caller, r.ClientName, r.ClientVersion)
		}
	}
	want := []string{
		"list_connections ok  ",
		"create_deck ok  ",
		"create_deck error request_conflict ",
		"get_deck refused invalid_arguments ",
		"fetch_posts ok  conn_1",
		"fetch_posts error not_found ",
		"fly refused not_found ",
		"list_decks refused invalid_arguments ",
	}
	slices.Sort(got)
	slices.Sort(want)
	if diff := cmp.Diff(want, got); diff != "" {
		t.Errorf("tool runs (-want +got):\n%s", diff)
	}
}

func TestChangesAreTheCallers(t *testing.T) {
	w := newWorld(t)
	w.call(t, "create_deck", `{"title":"Main","columns":[]}`)
	entries, err := w.ledger.Entries(t.Context(), 0, 10)
	if err != nil {
		t.Fatal(err)
	}
	want := []ledger.Actor{{Kind: ledger.Caller, ID: "anonymous"}}
	var got []ledger.Actor
	for _, e := range entries {
		got = append(got, e.Actor)
	}
	if diff := cmp.Diff(want, got); diff != "" {
		t.Errorf("actors (-want +got):\n%s", diff)
	}
}
