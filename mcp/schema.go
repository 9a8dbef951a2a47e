package mcp

import (
	"encoding/json"
	"fmt"
	"reflect"
	"strconv"
	"strings"
	"time"

	"github.com/google/jsonschema-go/jsonschema"
)

// schemaOf infers the JSON Schema of a Go type and turns it into the form that
// all hosts can work with: no null in types, no boolean schemas, no references.
// A closed schema refuses unknown members (inputs: the model learns at once of
// a wrong one), an open one allows them (outputs: a member added later does not
// break a client that kept the old schema).
//
// Descriptions come from the tag "jsonschema", bounds from the tag "limit": a
// list of min=, max=, pattern=, format=, enum=a|b, nullable and shallow (an
// object whose members are not told), where min and max count what the type has: code points, items or the number itself. The
// prefix each. speaks of an array's items.
func schemaOf(t reflect.Type, closed bool) (*jsonschema.Schema, error) {
	s, err := jsonschema.ForType(t, nil)
	if err != nil {
		return nil, err
	}
	return s, settle(s, t, closed)
}

func settle(s *jsonschema.Schema, t reflect.Type, closed bool) error {
	t = pointed(t)
	dropNull(s)
	switch {
	case t == reflect.TypeFor[time.Time]():
		s.Format = "date-time"
		return nil
	case t.Kind() == reflect.Slice && t.Elem().Kind() != reflect.Uint8:
		return settle(s.Items, t.Elem(), closed)
	case t.Kind() == reflect.Struct:
		return settleMembers(s, t, closed)
	case s.Type == "string" || s.Type == "integer" || s.Type == "boolean":
		return nil
	}
	return fmt.Errorf("a schema cannot be made of %s", t)
}

func settleMembers(s *jsonschema.Schema, t reflect.Type, closed bool) error {
	if !closed {
		s.AdditionalProperties = nil
	}
	if s.Properties == nil {
		// Some hosts refuse an object schema that has no "properties".
		s.Properties = map[string]*jsonschema.Schema{}
	}
	for f := range t.Fields() {
		if !f.IsExported() {
			continue
		}
		name, _, _ := strings.Cut(f.Tag.Get("json"), ",")
		p, ok := s.Properties[name]
		if !ok || f.Anonymous {
			return fmt.Errorf("%s.%s needs a name in JSON", t, f.Name)
		}
		if err := settle(p, f.Type, closed); err != nil {
			return err
		}
		if err := bound(p, f.Tag.Get("limit")); err != nil {
			return fmt.Errorf("%s.%s: %w", t, f.Name, err)
		}
	}
	return nil
}

// dropNull removes the null that inference allows for slices and pointers: an
// absent member is left out, and many clients cannot read a list of types.
func dropNull(s *jsonschema.Schema) {
	if len(s.Types) == 2 && s.Types[0] == "null" {
		s.Type, s.Types = s.Types[1], nil
	}
}

// bound applies a limit tag.
func bound(s *jsonschema.Schema, tag string) error {
	for word := range strings.FieldsSeq(tag) {
		on := s
		if rest, ok := strings.CutPrefix(word, "each."); ok {
			on, word = s.Items, rest
		}
		name, value, _ := strings.Cut(word, "=")
		if err := boundBy(on, name, value); err != nil {
			return err
		}
	}
	return nil
}

func boundBy(s *jsonschema.Schema, name, value string) error {
	switch name {
	case "min", "max":
		return boundRange(s, name == "min", value)
	case "pattern":
		s.Pattern = value
	case "format":
		s.Format = value
	case "enum":
		for v := range strings.SplitSeq(value, "|") {
			s.Enum = append(s.Enum, v)
		}
	case "shallow":
		s.Properties, s.PropertyOrder, s.Required = nil, nil, nil
	case "nullable":
		// "null" in a list of types is what some clients cannot read; a schema
		// without a type allows it too.
		s.Type = ""
	default:
		return fmt.Errorf("unknown limit %q", name)
	}
	return nil
}

func boundRange(s *jsonschema.Schema, least bool, value string) error {
	n, err := strconv.Atoi(value)
	if err != nil {
		return err
	}
	switch {
	case s.Type == "integer" && least:
		s.Minimum = new(float64(n))
	case s.Type == "integer":
		s.Maximum = new(float64(n))
	case s.Type == "array" && least:
		s.MinItems = &n
	case s.Type == "array":
		s.MaxItems = &n
	case least:
		s.MinLength = &n
	default:
		s.MaxLength = &n
	}
	return nil
}

// published is the schema's JSON. Tools carry it as bytes: the SDK encodes a
// tool's schema again on every call, and bytes are by far the cheapest to
// encode.
func published(s *jsonschema.Schema) (json.RawMessage, error) {
	if _, err := s.Resolve(nil); err != nil {
		return nil, err
	}
	return json.Marshal(s)
}

func pointed(t reflect.Type) reflect.Type {
	for t.Kind() == reflect.Pointer {
		t = t.Elem()
	}
	return t
}
