package mcp

import (
	"bytes"
	"encoding/json"
	"io"
	"net/http"
)

// message is what the wrappers read of a request before the SDK does. It decides
// the form of an answer and the id of a refusal, and nothing else: what the SDK
// reads counts.
type message struct {
	ID     json.RawMessage `json:"id"`
	Method string          `json:"method"`
	Params params          `json:"params"`
}

type params struct {
	Name   any            `json:"name"`
	TaskID string         `json:"taskId"`
	Meta   map[string]any `json:"_meta"`
}

// name is the called tool, "" when it is no text.
func (p params) name() string {
	name, _ := p.Name.(string)
	return name
}

// peek reads a single message. Members of a wrong type are left empty.
func peek(body []byte) (m message, ok bool) {
	err := json.Unmarshal(body, &m)
	if _, mistyped := err.(*json.UnmarshalTypeError); mistyped { //nolint:errorlint // it is never wrapped
		return m, len(bytes.TrimSpace(body)) > 0 && bytes.TrimSpace(body)[0] == '{'
	}
	return m, err == nil
}

const (
	progressToken = "progressToken"
	logLevel      = "io.modelcontextprotocol/logLevel"
)

// wantsStream reports whether the request asks for messages before its answer.
// Only then is the answer an event stream: a plain one passes more proxies. The
// search saves decoding nearly every request here.
func wantsStream(body []byte) bool {
	if !bytes.Contains(body, []byte(progressToken)) && !bytes.Contains(body, []byte(logLevel)) {
		return false
	}
	m, ok := peek(body)
	return ok && (m.Params.Meta[progressToken] != nil || m.Params.Meta[logLevel] != nil)
}

// maxPeek is how much of a body is read only to find a refused request's id.
const maxPeek = 64 << 10

// readID reads the id of a request that is refused before its body was read.
func readID(w http.ResponseWriter, r *http.Request) json.RawMessage {
	if r.Method != http.MethodPost || r.Body == nil {
		return nil
	}
	defer limitReading(w)()
	body, err := io.ReadAll(io.LimitReader(r.Body, maxPeek))
	if err != nil {
		return nil
	}
	return idOf(body)
}

// idOf finds the id of a message, also of one that was cut off: its members are
// read in order until the id or the end. It is nil when there is no id that a
// request may have.
func idOf(body []byte) json.RawMessage {
	d := json.NewDecoder(bytes.NewReader(body))
	if t, err := d.Token(); err != nil || t != json.Delim('{') {
		return nil
	}
	for d.More() {
		name, err := d.Token()
		if err != nil {
			return nil
		}
		var value json.RawMessage
		if err := d.Decode(&value); err != nil {
			return nil
		}
		if name == "id" {
			return validID(value)
		}
	}
	return nil
}

// validID returns an id that is text or a number, else nil.
func validID(id json.RawMessage) json.RawMessage {
	if len(id) > 0 && len(id) <= 1024 && (id[0] == '"' || id[0] == '-' || id[0] >= '0' && id[0] <= '9') {
		return id
	}
	return nil
}
