package mcp_test

import (
	"encoding/base64"
	"encoding/json"
	"net/http"
	"slices"
	"strings"
	"testing"

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
