package mastodon

import (
	"bytes"
	"encoding/json"
	"errors"
	"math"
	"reflect"
	"strconv"
	"strings"
	"time"
)

// loosely decodes raw into v, a pointer to a struct, although values in it have
// other types than v: what can be converted without guessing is (a number where
// text is due, 640.0 where a whole number is), the rest is left out. It is the
// slow way, for the odd entry.
func loosely(raw []byte, v any) error {
	d := json.NewDecoder(bytes.NewReader(raw))
	d.UseNumber() // ids have more digits than a float64
	var value any
	if err := d.Decode(&value); err != nil {
		return err
	}
	target := reflect.TypeOf(v).Elem()
	fitted, ok := fit(value, target)
	if !ok {
		return errors.New("not an object")
	}
	text, err := json.Marshal(fitted)
	if err != nil {
		return err
	}
	reflect.ValueOf(v).Elem().SetZero()
	return json.Unmarshal(text, v)
}

var (
	timeType = reflect.TypeFor[time.Time]()
	rawType  = reflect.TypeFor[json.RawMessage]()
)

// fit returns value as JSON that decodes into t, and false when there is none.
func fit(value any, t reflect.Type) (any, bool) {
	switch {
	case value == nil:
		return nil, false
	case t == timeType:
		return fitTime(value)
	case t == rawType || t.Kind() == reflect.Interface:
		return value, true
	}
	switch t.Kind() {
	case reflect.Pointer:
		return fit(value, t.Elem())
	case reflect.Struct:
		return fitStruct(value, t)
	case reflect.Slice:
		return fitSlice(value, t.Elem())
	case reflect.String:
		return fitString(value)
	case reflect.Bool:
		b, ok := value.(bool)
		return b, ok
	case reflect.Int, reflect.Int64:
		return fitInt(value)
	case reflect.Float64:
		return fitFloat(value)
	}
	return nil, false
}

func fitTime(value any) (any, bool) {
	s, ok := value.(string)
	if !ok {
		return nil, false
	}
	_, err := time.Parse(time.RFC3339, s)
	return s, err == nil
}

func fitStruct(value any, t reflect.Type) (any, bool) {
	in, ok := value.(map[string]any)
	if !ok {
		return nil, false
	}
	out := map[string]any{}
	for name, field := range members(t) {
		if fitted, ok := fit(in[name], field); ok {
			out[name] = fitted
		}
	}
	return out, true
}

// members returns the JSON members of a struct as encoding/json sees them: one
// declared further out stands in for one of an embedded struct.
func members(t reflect.Type) map[string]reflect.Type {
	out := map[string]reflect.Type{}
	depth := map[string]int{}
	for _, f := range reflect.VisibleFields(t) {
		name, _, _ := strings.Cut(f.Tag.Get("json"), ",")
		if name == "" || !f.IsExported() {
			continue
		}
		if d, seen := depth[name]; !seen || len(f.Index) < d {
			out[name], depth[name] = f.Type, len(f.Index)
		}
	}
	return out
}

func fitSlice(value any, element reflect.Type) (any, bool) {
	in, ok := value.([]any)
	if !ok {
		return nil, false
	}
	out := []any{}
	for _, v := range in {
		if fitted, ok := fit(v, element); ok {
			out = append(out, fitted)
		}
	}
	return out, true
}

func fitString(value any) (any, bool) {
	switch v := value.(type) {
	case string:
		return v, true
	case json.Number:
		return v.String(), true
	}
	return nil, false
}

func fitInt(value any) (any, bool) {
	f, ok := number(value)
	if !ok || f != math.Trunc(f) || math.Abs(f) > 1<<53 {
		return nil, false
	}
	return int64(f), true
}

func fitFloat(value any) (any, bool) {
	f, ok := number(value)
	return f, ok
}

// number reads numbers and numbers in quotes.
func number(value any) (float64, bool) {
	s, ok := fitString(value)
	if !ok {
		return 0, false
	}
	f, err := strconv.ParseFloat(s.(string), 64)
	return f, err == nil && !math.IsInf(f, 0) && !math.IsNaN(f)
}
