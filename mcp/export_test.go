package mcp

import (
	"encoding/json"
	"net/http"
	"reflect"

	sdk "github.com/modelcontextprotocol/go-sdk/mcp"

	"personal-workspace/activities"
	"personal-workspace/sns"
)

// The limits that tests hold answers to.
const (
	MaxAnswer    = maxAnswer
	PackTo       = packTo
	Instructions = instructions
	ThirdParty   = thirdParty
)

// Catalogue returns the descriptors of the workspace's tools.
func Catalogue(c Config) ([]*sdk.Tool, error) {
	list, err := catalogue(c)
	out := make([]*sdk.Tool, len(list))
	for i, t := range list {
		out[i] = t.descriptor
	}
	return out, err
}

// NewFixture is New with another server behind the same wrappers and
// middlewares: it declares what options say and has what register adds.
func NewFixture(c Config, options *sdk.ServerOptions, register func(*sdk.Server)) (*Handler, error) {
	h, err := New(c)
	if err != nil {
		return nil, err
	}
	h.workspace = h.server(nil, options)
	register(h.workspace)
	return h, nil
}

// Server returns the workspace's server.
func (h *Handler) Server() *sdk.Server { return h.workspace }

// PackedPage is the JSON of a page as fetch_posts answers it, and how many posts
// are in it.
func PackedPage(p sns.Page, hidden []bool) (json.RawMessage, int, error) {
	d := definition[fetchInput, postPage]{fit: postPage.fit}
	text, err := d.encode(pageOf(p, hidden))
	var out struct{ Posts []any }
	if err == nil {
		err = json.Unmarshal(text, &out)
	}
	return text, len(out.Posts), err
}

// Outline is what a refusal reads of a body: the id, the method and the tool.
func Outline(body []byte) (id json.RawMessage, method, tool string) {
	m := outline(body)
	return validID(m.ID), m.Method, m.Params.name()
}

// Peek reports whether body is a message, and whether it asks for a stream.
func Peek(body []byte) (ok, stream bool) {
	_, ok = peek(body)
	return ok, wantsStream(body)
}

// Hold is hold for arguments of every size.
func Hold(body []byte) (rest []byte, arguments json.RawMessage) { return hold(body, 2) }

// DecodeName is decodeName.
func DecodeName(h http.Header) bool { return decodeName(h) }

// ReplaceBinder returns what binds the arguments of replace_deck, which have
// members of every type. It returns the revision.
func ReplaceBinder() (func(json.RawMessage) (int64, error), error) {
	in, err := schemaOf(reflect.TypeFor[replaceInput](), true)
	if err != nil {
		return nil, err
	}
	columnsAgain(in)
	s := shapeOf(in, reflect.TypeFor[replaceInput]())
	return func(args json.RawMessage) (int64, error) {
		var in replaceInput
		err := s.bind(args, &in)
		return in.ExpectedRevision, err
	}, nil
}

// PublishBinder returns what makes a publication of the arguments of
// publish_activities.
func PublishBinder() (func(json.RawMessage) (activities.Publication, error), error) {
	in, err := schemaOf(reflect.TypeFor[publishInput](), true)
	if err != nil {
		return nil, err
	}
	s := shapeOf(in, reflect.TypeFor[publishInput]())
	return func(args json.RawMessage) (activities.Publication, error) {
		var in publishInput
		err := s.bind(args, &in)
		return in.publication(), err
	}, nil
}

// ContextOf is the JSON of one activity as get_activity_context answers it, in a
// list or alone.
func ContextOf(a activities.Activity, alone bool) (json.RawMessage, error) {
	one := activityOf(a)
	if !alone {
		one = one.listed()
	}
	d := definition[contextInput, contextPage]{fit: contextPage.fit}
	return d.encode(contextPage{Activities: []activity{one}})
}
