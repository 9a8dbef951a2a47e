package mcp

import (
	"bytes"
	"context"
	"encoding/json"
	"fmt"
	"reflect"

	"github.com/google/jsonschema-go/jsonschema"
	sdk "github.com/modelcontextprotocol/go-sdk/mcp"

	"personal-workspace/internal/fault"
)

// definition says what a tool is called, what it is for and what it does. In
// and Out are structs; Out's slices must not be nil.
type definition[In, Out any] struct {
	name, title, about string
	hints              hints
	// refine changes the inferred input schema; nil leaves it.
	refine func(*jsonschema.Schema)
	call   func(ctx context.Context, in In) (Out, error)
	// fit shortens a result whose JSON is larger than limit bytes; nil when a
	// result cannot become that large.
	fit func(out Out, limit int) (Out, error)
}

const (
	// maxAnswer is the largest result, in bytes of JSON: hosts cut or refuse
	// larger ones.
	maxAnswer = 48_000
	// packTo is where shortening begins and what it aims at.
	packTo = 44_000
)

// hints are the four annotations. All are always sent: the defaults of the
// protocol are the worst case.
type hints struct{ readOnly, destructive, idempotent, openWorld bool }

// tool is a definition made ready: schemas built, argument shape compiled.
type tool struct {
	descriptor *sdk.Tool
	// run checks the arguments, does the work and returns the result as
	// compact JSON.
	run func(ctx context.Context, args json.RawMessage) (json.RawMessage, error)
}

// define makes a tool. The SDK's own typed registration would decode the
// arguments and the result several times on each call, which costs more than
// the work itself; here each is read once and written once.
func define[In, Out any](d definition[In, Out]) (tool, error) {
	in, err := schemaOf(reflect.TypeFor[In](), true)
	if err != nil {
		return tool{}, fmt.Errorf("tool %s, input: %w", d.name, err)
	}
	if d.refine != nil {
		d.refine(in)
	}
	out, err := schemaOf(reflect.TypeFor[Out](), false)
	if err != nil {
		return tool{}, fmt.Errorf("tool %s, output: %w", d.name, err)
	}
	descriptor, err := describe(d.name, d.title, d.about, d.hints, in, out)
	shape := shapeOf(in, reflect.TypeFor[In]())
	return tool{descriptor: descriptor, run: func(ctx context.Context, args json.RawMessage) (json.RawMessage, error) {
		var in In
		if err := shape.bind(args, &in); err != nil {
			return nil, err
		}
		traceOf(ctx).reached = true
		out, err := d.call(ctx, in)
		if err != nil {
			return nil, err
		}
		return d.encode(out)
	}}, err
}

// encode writes the result once; only one that is too large is written again.
func (d definition[In, Out]) encode(out Out) (json.RawMessage, error) {
	text, err := compact(out)
	if err == nil && len(text) > packTo && d.fit != nil {
		if out, err = d.fit(out, packTo); err == nil {
			text, err = compact(out)
		}
	}
	if err == nil && len(text) > maxAnswer {
		return nil, fault.New(fault.LimitExceeded, "The answer has %d bytes, more than the %d that a tool may send; ask the person to look at it on the page.", len(text), maxAnswer).
			With(fault.DetailLimit, maxAnswer)
	}
	return text, err
}

func describe(name, title, about string, h hints, in, out *jsonschema.Schema) (*sdk.Tool, error) {
	input, err := published(in)
	if err != nil {
		return nil, fmt.Errorf("tool %s, input: %w", name, err)
	}
	output, err := published(out)
	if err != nil {
		return nil, fmt.Errorf("tool %s, output: %w", name, err)
	}
	return &sdk.Tool{
		Name: name, Title: title, Description: about, InputSchema: input, OutputSchema: output,
		Annotations: &sdk.ToolAnnotations{
			ReadOnlyHint: h.readOnly, IdempotentHint: h.idempotent,
			DestructiveHint: &h.destructive, OpenWorldHint: &h.openWorld,
		},
	}, nil
}

// compact encodes v as one line of JSON. The characters <, > and & stay as they
// are: an answer is text for a model, and escaping them would only cost tokens.
func compact(v any) (json.RawMessage, error) {
	var b bytes.Buffer
	e := json.NewEncoder(&b)
	e.SetEscapeHTML(false)
	if err := e.Encode(v); err != nil {
		return nil, fmt.Errorf("encode the result: %w", err)
	}
	return bytes.TrimSuffix(b.Bytes(), []byte("\n")), nil
}
