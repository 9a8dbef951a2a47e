package mcp

import (
	"context"

	"personal-workspace/internal/fault"
)

// trace is what the middlewares and a tool know of one request together. It
// belongs to that request alone.
type trace struct {
	// id names the request in the log and, of a tool call, its record. It is
	// made when first needed.
	id    string
	newID func(prefix string) string
	// reached: the tool's own work began.
	reached bool
	// connectionID is the connection the call was about, "" for none.
	connectionID string
	// fault is why the tool failed; nil when it did not.
	fault *fault.Error
}

type traceKey struct{}

func withTrace(ctx context.Context, newID func(string) string) (context.Context, *trace) {
	t := &trace{newID: newID}
	return context.WithValue(ctx, traceKey{}, t), t
}

// traceOf returns the request's trace. Outside a request it is a new one that
// nobody reads.
func traceOf(ctx context.Context) *trace {
	if t, ok := ctx.Value(traceKey{}).(*trace); ok {
		return t
	}
	return &trace{newID: func(string) string { return "" }}
}

func (t *trace) correlationID() string {
	if t.id == "" {
		t.id = t.newID("run")
	}
	return t.id
}

// about notes the connection of a call for its record, unless err says that
// there is no such connection: the record never holds what a caller made up.
func about(ctx context.Context, connectionID string, err error) {
	if f := fault.From(err); f != nil && f.Details[fault.DetailWhat] == "connection" {
		return
	}
	traceOf(ctx).connectionID = connectionID
}
