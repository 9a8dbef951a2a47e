package mcp

import (
	"bytes"
	"encoding/json"
	"errors"
	"io"
	"math"
	"net/http"
	"slices"
	"strconv"
	"strings"

	"github.com/modelcontextprotocol/go-sdk/jsonrpc"
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

// minHeld is the size of arguments, in bytes, from which it pays to hold them
// back.
const minHeld = 2 << 10

// hold takes arguments of at least so many bytes out of a tool call: rest is the
// message with none. The SDK decodes a message at each of its levels, which costs more than all
// the rest of a call when the arguments are many and not ASCII (measured, 20
// activities in Japanese: 1.5 of 5.8 ms). Of anything unusual, such as a member
// that comes twice, arguments are nil and the message is left to the SDK.
func hold(body []byte, least int) (rest []byte, arguments json.RawMessage) {
	if len(body) < least {
		return body, nil
	}
	d := json.NewDecoder(bytes.NewReader(body))
	var method string
	var from, to, seen int
	err := eachMember(d, func(name string) error {
		switch name {
		case "method":
			seen++
			return decodeIf(d, &method)
		case "params":
			seen++
			return eachMember(d, func(name string) error {
				if name != "arguments" {
					return skip(d)
				}
				seen++
				err := d.Decode(&arguments)
				to = int(d.InputOffset())
				from = to - len(arguments)
				return err
			})
		}
		return skip(d)
	})
	if err != nil || seen != 3 || method != methodCallTool || len(arguments) < least || body[from] != '{' || len(bytes.TrimSpace(body[d.InputOffset():])) > 0 {
		return body, nil
	}
	return slices.Concat(body[:from], []byte("{}"), body[to:]), arguments
}

// maxPeek is how much is read of the body of a request that is refused for other
// reasons than its body: enough for its id and the name of its tool.
const maxPeek = 64 << 10

// readOutline reads the outline of a request that is refused before its body was
// read.
func readOutline(r *http.Request) message {
	if r.Method != http.MethodPost || r.Body == nil {
		return message{}
	}
	// What came before an error is an outline too.
	body, _ := io.ReadAll(io.LimitReader(r.Body, maxPeek))
	return outline(body)
}

// outline reads a message as far as it goes, also one that was cut off or is
// broken further on: member by member until the end or the first mistake. Of the
// params it has the name and _meta.
func outline(body []byte) (m message) {
	d := json.NewDecoder(bytes.NewReader(body))
	_ = eachMember(d, func(name string) error {
		switch name {
		case "id":
			return decodeIf(d, &m.ID)
		case "method":
			return decodeIf(d, &m.Method)
		case "params":
			return eachMember(d, func(name string) error {
				switch name {
				case "name":
					return decodeIf(d, &m.Params.Name)
				case "_meta":
					return decodeIf(d, &m.Params.Meta)
				}
				return skip(d)
			})
		}
		return skip(d)
	})
	return m
}

// idOf is the id of a message, nil when there is none that a request may have.
func idOf(body []byte) json.RawMessage { return validID(outline(body).ID) }

// misread says why the SDK would answer something else than the client sent, and
// with which code to refuse it; "" when it would not. It drops what follows the
// message, and reads numbers as float64, so that the answer to an id of many
// digits would have another one. Nearly no request is decoded here.
func misread(body []byte) (code int64, why string) {
	if !json.Valid(body) && followed(body) {
		return jsonrpc.CodeParseError, "Something follows the message; send one JSON-RPC message and nothing behind it."
	}
	if oddNumber(body) && !exact(outline(body).ID) {
		return jsonrpc.CodeInvalidRequest, "The message's id is a number that not every reader has exactly; use text or a whole number below 2^53."
	}
	return 0, ""
}

// followed reports whether there is more than one value in body.
func followed(body []byte) bool {
	d := json.NewDecoder(bytes.NewReader(body))
	return skip(d) == nil && len(bytes.TrimSpace(body[d.InputOffset():])) > 0
}

// plainID is how long an id is that is read exactly when it is all digits.
const plainID = 15

// oddNumber reports whether some member "id" is a number that may be read as
// another one.
func oddNumber(body []byte) bool {
	for {
		_, rest, found := bytes.Cut(body, []byte(`"id"`))
		if !found {
			return false
		}
		body = rest
		value := bytes.TrimLeft(rest, " \t\r\n:")
		end := bytes.IndexFunc(value, func(r rune) bool { return !strings.ContainsRune("+-.0123456789eE", r) })
		if number := value[:max(end, 0)]; len(number) > plainID || bytes.ContainsAny(number, ".eE") {
			return true
		}
	}
}

// exact reports whether an id is none that the SDK changes.
func exact(id json.RawMessage) bool {
	const most = 1 << 53
	whole, err := strconv.ParseInt(string(id), 10, 64)
	if err == nil {
		return -most < whole && whole < most
	}
	number, err := strconv.ParseFloat(string(id), 64)
	return err != nil && !errors.Is(err, strconv.ErrRange) || number == math.Trunc(number) && math.Abs(number) < most
}

// eachMember calls f at the value of each member of the value that comes next; f
// must read it. A value that is no object is passed over.
func eachMember(d *json.Decoder, f func(name string) error) error {
	open, err := d.Token()
	object := open == json.Delim('{')
	if err != nil || !object && open != json.Delim('[') {
		return err
	}
	for d.More() {
		if !object {
			err = skip(d)
		} else if key, bad := d.Token(); bad != nil {
			err = bad
		} else {
			name, _ := key.(string)
			err = f(name)
		}
		if err != nil {
			return err
		}
	}
	_, err = d.Token()
	return err
}

// skip passes over the value that comes next.
func skip(d *json.Decoder) error {
	var value json.RawMessage
	return d.Decode(&value)
}

// decodeIf reads the value that comes next into v, if it has v's type.
func decodeIf(d *json.Decoder, v any) error {
	var value json.RawMessage
	if err := d.Decode(&value); err != nil {
		return err
	}
	_ = json.Unmarshal(value, v)
	return nil
}

// validID returns an id that is text or a number, else nil.
func validID(id json.RawMessage) json.RawMessage {
	if len(id) > 0 && len(id) <= 1024 && (id[0] == '"' || id[0] == '-' || id[0] >= '0' && id[0] <= '9') {
		return id
	}
	return nil
}
