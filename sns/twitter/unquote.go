package twitter

import (
	"bytes"
	"strconv"
	"strings"
	"unicode/utf16"
	"unicode/utf8"
)

// unquote reads the inside of a JSON string. What is no UTF-8, half of a
// surrogate pair or an unknown escape becomes U+FFFD.
func unquote(raw []byte) string {
	if bytes.IndexByte(raw, '\\') < 0 {
		if utf8.Valid(raw) {
			return string(raw)
		}
		return strings.ToValidUTF8(string(raw), "\uFFFD")
	}
	var b strings.Builder
	b.Grow(len(raw))
	for len(raw) > 0 {
		i := bytes.IndexByte(raw, '\\')
		if i < 0 {
			i = len(raw)
		}
		b.Write(raw[:i])
		if raw = raw[i:]; len(raw) > 0 {
			r, n := unescape(raw)
			b.WriteRune(r)
			raw = raw[n:]
		}
	}
	return strings.ToValidUTF8(b.String(), "\uFFFD")
}

var escapes = map[byte]rune{'"': '"', '\\': '\\', '/': '/', 'b': '\b', 'f': '\f', 'n': '\n', 'r': '\r', 't': '\t'}

// unescape reads the escape that raw begins with and says how long it is.
func unescape(raw []byte) (r rune, n int) {
	if len(raw) < 2 {
		return utf8.RuneError, len(raw)
	}
	if raw[1] != 'u' {
		r, ok := escapes[raw[1]]
		if !ok {
			r = utf8.RuneError
		}
		return r, 2
	}
	r, ok := hex4(raw)
	if !ok {
		return utf8.RuneError, 2
	}
	if !utf16.IsSurrogate(r) {
		return r, 6
	}
	if low, ok := hex4(raw[6:]); ok {
		if pair := utf16.DecodeRune(r, low); pair != utf8.RuneError {
			return pair, 12
		}
	}
	return utf8.RuneError, 6
}

// hex4 reads \uXXXX at the beginning of raw.
func hex4(raw []byte) (rune, bool) {
	if len(raw) < 6 || raw[0] != '\\' || raw[1] != 'u' {
		return 0, false
	}
	n, err := strconv.ParseUint(string(raw[2:6]), 16, 16)
	return rune(n), err == nil
}
