package twitter

import (
	"context"
	"encoding/json"
	"maps"
	"net/http"
	"slices"
	"time"

	"personal-workspace/sns"
)

// OperationNames are the operations of the catalogue.
func OperationNames() []string { return slices.Sorted(maps.Keys(operations)) }

// ParseCatalogue returns the operations that a catalogue's file changes.
func ParseCatalogue(body []byte) ([]string, error) {
	recipes, _, err := parseCatalogue(body)
	return slices.Sorted(maps.Keys(recipes)), err
}

// AskedByPOST returns the operations that a catalogue's file makes be asked by POST;
// nil is the built-in catalogue.
func AskedByPOST(file []byte) (names []string) {
	recipes, _, _ := parseCatalogue(file)
	for _, name := range OperationNames() {
		r, ok := recipes[name]
		if !ok {
			r = operations[name].built
		}
		if r.method != http.MethodGet {
			names = append(names, name)
		}
	}
	return names
}

// Ask asks for an operation whatever it is.
func (p *Provider) Ask(ctx context.Context, a sns.Account, name string) error {
	_, err := p.ask(ctx, a, question{op: name, vars: map[string]any{}})
	return err
}

// AskNth asks for an operation with one of many questions.
func (p *Provider) AskNth(ctx context.Context, a sns.Account, name string, n int) error {
	_, err := p.ask(ctx, a, question{op: name, vars: map[string]any{"n": n}})
	return err
}

// ParsePage reads the body of an answer for an operation, as Fetch does with one
// that came; ok is false when there is no timeline in it.
func ParsePage(name string, body []byte, now time.Time) (page sns.UpstreamPage, ok bool) {
	root, err := parse(body)
	if err != nil {
		return page, false
	}
	q := question{op: name}
	r, _, err := q.judge(root)
	if err != nil {
		return page, false
	}
	tl, ok := readTimeline(r.data)
	if !ok {
		return page, false
	}
	b := newPage(&mapper{connectionID: "conn_1", now: now}, everything)
	if name == opNotifications {
		b.notifications(tl, "7")
	} else {
		b.tweets(tl)
	}
	return b.done(tl, place{}), true
}

// ParseThread reads the body of an answer about a post.
func ParseThread(body []byte, id string) (sns.Thread, bool) {
	root, err := parse(body)
	if err != nil {
		return sns.Thread{}, false
	}
	q := question{op: opThread}
	r, _, err := q.judge(root)
	if err != nil {
		return sns.Thread{}, false
	}
	tl, _ := readTimeline(r.data)
	posts, _ := (&mapper{connectionID: "conn_1"}).threadPosts(tl)
	return thread(posts, id)
}

// Decode reads JSON through the index into what encoding/json makes of it with
// UseNumber.
func Decode(body []byte) (any, error) {
	root, err := parse(body)
	if err != nil {
		return nil, err
	}
	return root.decode(), nil
}

func (v value) decode() any {
	switch v.kind() {
	case object:
		out := map[string]any{}
		for m := range v.each() {
			out[m.name()] = m.decode()
		}
		return out
	case array:
		out := []any{}
		for e := range v.each() {
			out = append(out, e.decode())
		}
		return out
	case text:
		return v.str()
	}
	switch string(v.raw()) {
	case "true":
		return true
	case "false":
		return false
	case "null":
		return nil
	}
	return json.Number(v.raw())
}
