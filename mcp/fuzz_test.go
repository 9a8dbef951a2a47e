package mcp_test

import (
	"bytes"
	"encoding/base64"
	"encoding/json"
	"net/http"
	"slices"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
	"github.com/google/go-cmp/cmp/cmpopts"

	"personal-workspace/activities"
	"personal-workspace/internal/fault"
	"personal-workspace/mcp"
)

// lastText is the text of an object's member, the last of several with the name.
func lastText(object json.RawMessage, name string) (string, bool) {
	var members map[string]json.RawMessage
	var text *string
	if json.Unmarshal(object, &members) != nil || json.Unmarshal(members[name], &text) != nil || text == nil {
		return "", false
	}
	return *text, true
}

// FuzzOutline: of whole JSON the outline reads what encoding/json reads, and of
// anything else an id that may be repeated in an answer.
func FuzzOutline(f *testing.F) {
	f.Add([]byte(`{"jsonrpc":"2.0","id":7,"method":"tools/call","params":{"name":"list_decks","_meta":{"progressToken":1}}}`))
	f.Add([]byte(`{"params":[1,{"name":"a"}],"id":"x","method":"ping"}`))
	f.Add([]byte(`{"id":7,"method":"tools/call","params":{"arguments":{"deckId":"`))
	f.Add([]byte(`{"id":1,"id":-2,"method":5,"params":"no object"}`))
	f.Add([]byte(`[{"id":1}]`))
	f.Add([]byte(`null`))
	f.Fuzz(func(t *testing.T, body []byte) {
		id, method, tool := mcp.Outline(body)
		if id != nil && (!json.Valid(id) || id[0] == '{' || id[0] == '[' || len(id) > 1024) {
			t.Errorf("the id of %q is %q", body, id)
		}
		if ok, stream := mcp.Peek(body); (ok || stream) && !json.Valid(body) {
			t.Errorf("%q was taken for a message", body)
		}
		if !json.Valid(body) {
			return
		}
		if want, ok := lastText(body, "method"); ok && method != want {
			t.Errorf("the method of %q is %q, want %q", body, method, want)
		}
		var members map[string]json.RawMessage
		if json.Unmarshal(body, &members) != nil {
			return
		}
		if want, ok := lastText(members["params"], "name"); ok && tool != want {
			t.Errorf("the tool of %q is %q, want %q", body, tool, want)
		}
	})
}

// FuzzHold: a message from which arguments were taken is the same message when
// they are put back, and what is held is an object.
func FuzzHold(f *testing.F) {
	f.Add([]byte(`{"jsonrpc":"2.0","id":7,"method":"tools/call","params":{"name":"a","arguments": {"x":"雨","y":[1,{}]} ,"_meta":{}}}`))
	f.Add([]byte(` {"params":{"arguments":{}},"method":"tools/call"} `))
	f.Add([]byte(`{"method":"tools/call","params":{"arguments":{"a":1},"arguments":{"b":2}}}`))
	f.Add([]byte(`{"method":"prompts/get","params":{"arguments":{"a":1}}}`))
	f.Add([]byte(`{"method":"tools/call","params":{"arguments":{"a":1}}} {}`))
	f.Add([]byte(`[{"method":"tools/call","params":{"arguments":{"a":1}}}]`))
	f.Fuzz(func(t *testing.T, body []byte) {
		rest, held := mcp.Hold(body)
		if held == nil {
			if !bytes.Equal(rest, body) {
				t.Errorf("nothing is held of %q, but %q is left", body, rest)
			}
			return
		}
		if !json.Valid(rest) || !json.Valid(body) || !json.Valid(held) || held[0] != '{' {
			t.Fatalf("%q was taken out of %q, and %q is left", held, body, rest)
		}
		var was, is struct {
			Method string
			Params map[string]any
		}
		if json.Unmarshal(body, &was) != nil || json.Unmarshal(rest, &is) != nil {
			return // a method that is no text, in another case of letters
		}
		var arguments any
		if err := json.Unmarshal(held, &arguments); err != nil {
			return // a number beyond all
		}
		is.Params["arguments"] = arguments
		if diff := cmp.Diff(was, is); diff != "" {
			t.Errorf("%q put back into %q is another message:\n%s", held, rest, diff)
		}
	})
}

// FuzzBind: arguments are taken, or refused with the name of a member; what is
// taken is within the published bounds of numbers.
func FuzzBind(f *testing.F) {
	bind, err := mcp.ReplaceBinder()
	if err != nil {
		f.Fatal(err)
	}
	f.Add([]byte(`{"deckId":"main","expectedRevision":1,"title":"雨","columns":[{"id":"c1","connectionId":"conn_1","source":{"kind":"hashtag","tag":"a","any":["b"],"onlyMedia":true},"filters":{"include":["x"]}}]}`))
	f.Add([]byte(`{"deckId":"main","expectedRevision":0,"title":"T","columns":[]}`))
	f.Add([]byte(`{"deckId":"main","expectedRevision":-1e2,"title":"T","columns":[null]}`))
	f.Add([]byte(`{"deckId":5,"expectedRevision":1.5,"title":{},"columns":[[]],"\u202e":1}`))
	f.Add([]byte(`{"expectedRevision":9223372036854775808} {}`))
	f.Fuzz(func(t *testing.T, args []byte) {
		revision, err := bind(args)
		if err == nil {
			if revision < 1 {
				t.Errorf("%q was taken with revision %d", args, revision)
			}
			return
		}
		got := fault.From(err)
		if field, _ := got.Details[fault.DetailField].(string); got.Code != fault.InvalidArguments || field == "" {
			t.Errorf("%q was refused with %s of %q, want invalid_arguments of a member", args, got.Code, field)
		}
		if len(got.Message) > 2000 || strings.ContainsAny(got.Message, "\n\r\x00") {
			t.Errorf("%q was refused with the message %q", args, got.Message)
		}
	})
}

// FuzzPublish: the arguments of a publication are refused with the name of a
// member, or are the publication that encoding/json reads in them.
func FuzzPublish(f *testing.F) {
	bind, err := mcp.PublishBinder()
	if err != nil {
		f.Fatal(err)
	}
	f.Add([]byte(`{"requestId":"r","expectedRevision":0,"activities":[{"kind":"task","title":"雨"}]}`))
	f.Add([]byte(`{"requestId":"r","expectedRevision":1,"activities":[{"id":"a","kind":"reply","title":"T","body":"B\u202e","reason":"R","dueAt":"2026-12-01T09:00:00+09:00","priority":"high","withdrawn":true,` +
		`"source":{"connectionId":"c","network":"n","url":"https://a.example","conversationKey":"k","conversationTitle":"t","author":{"name":"n","handle":"h","url":"u"},` +
		`"excerpts":[{"text":"x","author":"a","at":"2026-12-01T09:00:00Z","url":"u"}]}}]}`))
	f.Add([]byte(`{"requestId":"r","expectedRevision":1,"activities":[{"kind":"task","title":"T","dueAt":"2026-02-30T00:00:00Z","source":null}]}`))
	f.Add([]byte(`{"requestId":"r","expectedRevision":1,"activities":[{"kind":"task","title":"T","source":{"excerpts":[{"text":5}]},"x":1}]}`))
	f.Fuzz(func(t *testing.T, args []byte) {
		got, err := bind(args)
		if err != nil {
			fa := fault.From(err)
			if field, _ := fa.Details[fault.DetailField].(string); fa.Code != fault.InvalidArguments || field == "" || len(fa.Message) > 2000 {
				t.Errorf("%q was refused with %+v, want invalid_arguments of a member", args, fa)
			}
			return
		}
		var want activities.Publication
		if json.Unmarshal(onceEach(t, args), &want) != nil {
			return // a number such as 1.0, which encoding/json does not read as a whole one
		}
		if diff := cmp.Diff(want, got, cmpopts.EquateEmpty(), cmpopts.EquateApproxTime(0)); diff != "" {
			t.Errorf("%q was read otherwise than encoding/json does (-want +got):\n%s", args, diff)
		}
	})
}

// onceEach is JSON whose objects have each member once, the last of several.
func onceEach(t *testing.T, text []byte) []byte {
	t.Helper()
	d := json.NewDecoder(bytes.NewReader(text))
	d.UseNumber()
	var v any
	if err := d.Decode(&v); err != nil {
		t.Fatal(err)
	}
	out, err := json.Marshal(v)
	if err != nil {
		t.Fatal(err)
	}
	return out
}

// FuzzContext: whatever texts an activity has, its answer is valid JSON within
// the limit and shows no character that a person does not see.
func FuzzContext(f *testing.F) {
	f.Add("雨", "Body\u2028", "x\u202e", true)
	f.Add("<b>", "\xff\U000E0069", "\u200b", false)
	f.Add("T", strings.Repeat("\u2028", activities.MaxBody), strings.Repeat("\u2028", activities.MaxExcerptText), true)
	f.Fuzz(func(t *testing.T, title, body, text string, alone bool) {
		body = cut(body, activities.MaxBody)
		a := activities.Activity{ID: "a", Proposal: activities.Proposal{
			Kind: activities.KindTask, Title: cut(title, activities.MaxTitle), Body: body, Reason: cut(body, activities.MaxReason),
			Source: &activities.Source{Excerpts: []activities.Excerpt{{Text: cut(text, activities.MaxExcerptText)}}},
		}}
		a.Decision.Edits.Body = &body
		got, err := mcp.ContextOf(a, alone)
		if err != nil || len(got) > mcp.MaxAnswer || !json.Valid(got) || strings.ContainsAny(string(got), "\u202e\u200b\U000E0069") {
			t.Errorf("the answer has %d bytes, %v: %.300s", len(got), err, got)
		}
	})
}

// cut is the first n characters of a text.
func cut(s string, n int) string {
	if r := []rune(s); len(r) > n {
		return string(r[:n])
	}
	return s
}

// FuzzMcpName: a name survives its Base64 form, and a header that cannot be read
// is refused as it stands.
func FuzzMcpName(f *testing.F) {
	for _, seed := range []string{"list_decks", "雨", "", "=?base64?YQ==?=", "=?base64?YQ==", "=?base64?=", "=?base64?%%?=", "=?BASE64?YQ==?="} {
		f.Add(seed)
	}
	f.Fuzz(func(t *testing.T, text string) {
		h := http.Header{"Mcp-Name": {"=?base64?" + base64.StdEncoding.EncodeToString([]byte(text)) + "?="}}
		if !mcp.DecodeName(h) || h.Get("Mcp-Name") != text {
			t.Errorf("%q came out of Base64 as %q", text, h.Get("Mcp-Name"))
		}
		h = http.Header{"Mcp-Name": {text}}
		ok := mcp.DecodeName(h)
		encoded := strings.HasPrefix(text, "=?base64?")
		if unchanged := slices.Equal(h["Mcp-Name"], []string{text}); !unchanged && !(encoded && ok) {
			t.Errorf("%q became %q", text, h["Mcp-Name"])
		}
		if !ok && !encoded {
			t.Errorf("%q was refused", text)
		}
	})
}
