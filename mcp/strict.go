package mcp

import (
	"bytes"
	"cmp"
	"encoding/json"
	"strconv"
	"unicode/utf16"
	"unicode/utf8"

	"personal-workspace/internal/fault"
)

// encoding/json reads what is not quite JSON in a way of its own: of a member
// that comes twice it takes the last, and of bytes and escapes that are no
// characters it makes U+FFFD. Both would store something else than what was sent,
// so arguments with either are refused. v is what was decoded of text.
func strict(text []byte, v any) *fault.Error {
	if colons, characters := outlineOf(text); characters && colons == countMembers(v) {
		return nil
	}
	d := json.NewDecoder(bytes.NewReader(text))
	d.UseNumber()
	return findFlaw(d, text, "")
}

// outlineOf counts the members of all objects of JSON, and reports whether its
// texts have characters alone.
func outlineOf(text []byte) (colons int, characters bool) {
	characters = utf8.Valid(text)
	for i := 0; i < len(text); i++ {
		switch text[i] {
		case ':':
			colons++
		case '"':
			end := i + 1
			for text[end] != '"' {
				if text[end] == '\\' {
					end++
				}
				end++
			}
			characters = characters && !halfCharacter(text[i:end])
			i = end
		}
	}
	return colons, characters
}

// halfCharacter reports whether a text of JSON has an escape of half a UTF-16
// pair without its other half.
func halfCharacter(s []byte) bool {
	for {
		i := bytes.IndexByte(s, '\\')
		if i < 0 {
			return false
		}
		r := escaped(s[i:])
		s = s[i+2:]
		if !utf16.IsSurrogate(r) {
			continue
		}
		s = s[4:]
		if utf16.DecodeRune(r, escaped(s)) == utf8.RuneError {
			return true
		}
		s = s[6:]
	}
}

// escaped is the value of an escape \uDXXX that s begins with, among which are the
// halves of pairs; 0 for none.
func escaped(s []byte) rune {
	if len(s) < 6 || s[0] != '\\' || s[1] != 'u' || s[2]|0x20 != 'd' {
		return 0
	}
	n, err := strconv.ParseUint(string(s[2:6]), 16, 16)
	if err != nil {
		return 0
	}
	return rune(n)
}

// countMembers counts the members of all objects of a decoded value.
func countMembers(v any) (n int) {
	switch v := v.(type) {
	case map[string]any:
		n = len(v)
		for _, e := range v {
			n += countMembers(e)
		}
	case []any:
		for _, e := range v {
			n += countMembers(e)
		}
	}
	return n
}

// findFlaw reads the value that comes next and names its first member that comes
// twice or has no characters.
func findFlaw(d *json.Decoder, text []byte, path string) *fault.Error {
	from := d.InputOffset()
	token, err := d.Token()
	if err != nil {
		return notJSON(err)
	}
	if raw := text[from:d.InputOffset()]; !utf8.Valid(raw) || halfCharacter(raw) {
		return fault.Invalid(cmp.Or(path, "arguments"), "The text has bytes or an escape that are no character; send whole characters in UTF-8.")
	}
	switch token {
	case json.Delim('{'):
		return findFlawIn(d, text, path)
	case json.Delim('['):
		for i := 0; d.More(); i++ {
			if f := findFlaw(d, text, path+"["+strconv.Itoa(i)+"]"); f != nil {
				return f
			}
		}
		_, _ = d.Token()
	}
	return nil
}

// findFlawIn reads the rest of an object.
func findFlawIn(d *json.Decoder, text []byte, path string) *fault.Error {
	seen := map[string]bool{}
	for d.More() {
		from := d.InputOffset()
		token, err := d.Token()
		name, _ := token.(string)
		field := join(path, readable(name))
		switch raw := text[from:d.InputOffset()]; {
		case err != nil:
			return notJSON(err)
		case seen[name]:
			return fault.Invalid(field, "%s is there twice; send it once.", field)
		case !utf8.Valid(raw) || halfCharacter(raw):
			return fault.Invalid(field, "The name of a member has bytes or an escape that are no character; leave it out.")
		}
		seen[name] = true
		if f := findFlaw(d, text, field); f != nil {
			return f
		}
	}
	_, _ = d.Token()
	return nil
}
