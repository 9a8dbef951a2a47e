package mcp

import (
	"bytes"
	"encoding/json"
	"fmt"
	"io"
	"maps"
	"reflect"
	"regexp"
	"slices"
	"strconv"
	"strings"
	"time"

	"github.com/google/jsonschema-go/jsonschema"

	"personal-workspace/internal/fault"
)

// shape is what arguments must look like, compiled once from a tool's input
// schema and its Go type. Binding checks and fills in one walk, so the text is
// decoded once, and a mistake is reported with the exact path of the member.
type shape struct {
	// kind is the schema's type: object, array, string, integer or boolean.
	kind    string
	members []member
	item    *shape
	// least is the smallest value of an integer, nil for none.
	least *float64
}

type member struct {
	name     string
	index    []int
	required bool
	shape    *shape
}

// shapeOf compiles the shape of a settled input schema. Members of the Go type
// that the schema does not have cannot be given.
func shapeOf(s *jsonschema.Schema, t reflect.Type) *shape {
	t = pointed(t)
	sh := &shape{kind: s.Type, least: s.Minimum}
	switch s.Type {
	case "array":
		sh.item = shapeOf(s.Items, t.Elem())
	case "object":
		for f := range t.Fields() {
			name, _, _ := strings.Cut(f.Tag.Get("json"), ",")
			if p, ok := s.Properties[name]; ok {
				sh.members = append(sh.members, member{name, f.Index, slices.Contains(s.Required, name), shapeOf(p, f.Type)})
			}
		}
	}
	return sh
}

// bind decodes arguments into dst, a pointer to the Go type. No arguments, and
// null for them, are the same as an empty object. The fault is invalid_arguments and names the
// member.
func (s *shape) bind(args json.RawMessage, dst any) error {
	v := any(map[string]any{})
	if text := bytes.TrimSpace(args); len(text) > 0 && string(text) != "{}" && string(text) != "null" {
		var err error
		if v, err = decode(text); err != nil {
			return notJSON(err)
		}
		if f := strict(text, v); f != nil {
			return f
		}
	}
	if f := s.fill(v, reflect.ValueOf(dst).Elem(), ""); f != nil {
		return f
	}
	return nil
}

func notJSON(err error) *fault.Error {
	return fault.Invalid("arguments", "The arguments are not valid JSON; send one JSON object.").Wrap(err)
}

// decode keeps numbers as they are written: an int64 does not fit a float64.
func decode(text []byte) (v any, err error) {
	d := json.NewDecoder(bytes.NewReader(text))
	d.UseNumber()
	if err := d.Decode(&v); err != nil {
		return nil, err
	}
	if _, err := d.Token(); err != io.EOF {
		return nil, fmt.Errorf("more than one JSON value")
	}
	return v, nil
}

func (s *shape) fill(v any, dst reflect.Value, path string) *fault.Error {
	if dst.Kind() == reflect.Pointer {
		dst.Set(reflect.New(dst.Type().Elem()))
		dst = dst.Elem()
	}
	switch v := v.(type) {
	case map[string]any:
		if s.kind == "object" {
			return s.fillObject(v, dst, path)
		}
	case []any:
		if s.kind == "array" {
			return s.fillArray(v, dst, path)
		}
	case string:
		if s.kind == "string" {
			return fillString(v, dst, path)
		}
	case bool:
		if s.kind == "boolean" {
			dst.SetBool(v)
			return nil
		}
	case json.Number:
		if s.kind == "integer" {
			return s.fillInteger(v, dst, path)
		}
	}
	return wrongType(v, s.kind, path)
}

func (s *shape) fillObject(v map[string]any, dst reflect.Value, path string) *fault.Error {
	given := 0
	for _, m := range s.members {
		value, ok := v[m.name]
		if ok {
			given++
		}
		// Models send null for what they leave out, also because a nextCursor
		// of null came that way.
		if value == nil {
			if m.required {
				return fault.Invalid(join(path, m.name), "%s is missing; send %s.", join(path, m.name), article(m.shape.kind))
			}
			continue
		}
		if f := m.shape.fill(value, dst.FieldByIndex(m.index), join(path, m.name)); f != nil {
			return f
		}
	}
	if given < len(v) {
		return s.unknown(v, path)
	}
	return nil
}

// unknown names the first member, by name, that the object does not have.
func (s *shape) unknown(v map[string]any, path string) *fault.Error {
	names := make([]string, len(s.members))
	for i, m := range s.members {
		names[i] = m.name
	}
	for _, name := range slices.Sorted(maps.Keys(v)) {
		if slices.Contains(names, name) {
			continue
		}
		field := join(path, readable(name))
		of := "This tool"
		if path != "" {
			of = path
		}
		if len(names) == 0 {
			return fault.Invalid(field, "%s takes no %s; leave it out.", of, readable(name))
		}
		return fault.Invalid(field, "%s takes no %s; the members are %s.", of, readable(name), strings.Join(names, ", "))
	}
	return nil
}

func (s *shape) fillArray(v []any, dst reflect.Value, path string) *fault.Error {
	dst.Set(reflect.MakeSlice(dst.Type(), len(v), len(v)))
	for i, e := range v {
		if f := s.item.fill(e, dst.Index(i), path+"["+strconv.Itoa(i)+"]"); f != nil {
			return f
		}
	}
	return nil
}

// dateTime is the form of a time. time.Parse also takes a comma for a point, and
// offsets of more than a day.
var dateTime = regexp.MustCompile(`^[0-9-]{10}T[0-9:]{8}(\.[0-9]+)?(Z|[+-]([01][0-9]|2[0-3]):[0-5][0-9])$`)

// fillString also reads the times, which JSON has as texts.
func fillString(v string, dst reflect.Value, path string) *fault.Error {
	if dst.Type() != reflect.TypeFor[time.Time]() {
		dst.SetString(v)
		return nil
	}
	at, err := time.Parse(time.RFC3339, v)
	if err != nil || !dateTime.MatchString(v) {
		return fault.Invalid(path, "%s must be a date and time with its zone, such as 2026-12-01T09:00:00Z.", path)
	}
	dst.Set(reflect.ValueOf(at.UTC()))
	return nil
}

// fillInteger also enforces the least value, which a schema tells in advance:
// what lies below it could only be taken for another mistake, such as an old
// revision.
func (s *shape) fillInteger(v json.Number, dst reflect.Value, path string) *fault.Error {
	n, ok := integer(v)
	if !ok {
		return fault.Invalid(path, "%s must be a whole number.", path)
	}
	if s.least != nil && float64(n) < *s.least {
		return fault.Invalid(path, "%s must be at least %.0f.", path, *s.least)
	}
	dst.SetInt(n)
	return nil
}

// integer reads a whole number, also one written as 3.0 or 3e0: to JSON Schema
// these are integers.
func integer(n json.Number) (int64, bool) {
	if i, err := n.Int64(); err == nil {
		return i, true
	}
	const exact = 1 << 53
	f, err := n.Float64()
	if err != nil || f > exact || f < -exact || f != float64(int64(f)) {
		return 0, false
	}
	return int64(f), true
}

func wrongType(v any, want, path string) *fault.Error {
	name := path
	if path == "" {
		path, name = "arguments", "The value of arguments"
	}
	return fault.Invalid(path, "%s must be %s, not %s.", name, article(want), article(typeOf(v)))
}

func typeOf(v any) string {
	switch v.(type) {
	case map[string]any:
		return "object"
	case []any:
		return "array"
	case string:
		return "string"
	case bool:
		return "boolean"
	case nil:
		return "null"
	}
	return "number"
}

func article(kind string) string {
	switch kind {
	case "object", "array":
		return "an " + kind
	case "integer":
		return "a whole number"
	case "null":
		return kind
	}
	return "a " + kind
}

func join(path, name string) string {
	if path == "" {
		return name
	}
	return path + "." + name
}

var plainName = regexp.MustCompile(`^[A-Za-z0-9_$-]{1,64}$`)

// readable makes a name that a client invented safe to repeat.
func readable(name string) string {
	if plainName.MatchString(name) {
		return name
	}
	if r := []rune(name); len(r) > 64 {
		name = string(r[:64]) + "…"
	}
	return strconv.QuoteToASCII(name)
}
