package richtext

import (
	"net/url"
	"strings"
	"unicode"
	"unicode/utf8"
)

// MaxURL is the longest address that is kept, in bytes.
const MaxURL = 2048

// SafeURL returns raw when it is an absolute http or https address with a host, at
// most MaxURL bytes and no user name, which would pass for the host; else "".
func SafeURL(raw string) string {
	raw = strings.TrimSpace(raw)
	if len(raw) > MaxURL || !utf8.ValidString(raw) {
		return ""
	}
	u, err := url.Parse(raw)
	if err != nil || u.Host == "" || u.User != nil || (u.Scheme != "https" && u.Scheme != "http") {
		return ""
	}
	if strings.ContainsFunc(raw, func(r rune) bool { return unicode.IsControl(r) || unicode.IsSpace(r) }) {
		return ""
	}
	return raw
}

// Line returns s as one line: control characters and line breaks become spaces,
// bytes that are no UTF-8 become U+FFFD, space around it goes.
func Line(s string) string {
	s = strings.ToValidUTF8(s, "\uFFFD")
	s = strings.Map(func(r rune) rune {
		if unicode.IsControl(r) || r == '\u2028' || r == '\u2029' {
			return ' '
		}
		return r
	}, s)
	return strings.TrimSpace(s)
}

// CutLine is Line of at most limit bytes. It looks at little more of s than that:
// a stranger may send megabytes.
func CutLine(s string, limit int) string {
	s, _ = Cut(s, limit+utf8.UTFMax)
	s, _ = Cut(Line(s), limit)
	return s
}

// Lines returns s as plain text of any number of lines: other control characters
// go, bytes that are no UTF-8 become U+FFFD, space around it goes.
func Lines(s string) string {
	s = strings.ReplaceAll(strings.ToValidUTF8(s, "\uFFFD"), "\r\n", "\n")
	s = strings.Map(func(r rune) rune {
		if r != '\n' && unicode.IsControl(r) {
			return -1
		}
		return r
	}, s)
	return strings.TrimSpace(s)
}

// Cut returns the longest beginning of s that has at most limit bytes and ends
// between two runes, and whether something was cut.
func Cut(s string, limit int) (string, bool) {
	if len(s) <= limit {
		return s, false
	}
	for limit > 0 && !utf8.RuneStart(s[limit]) {
		limit--
	}
	return s[:limit], true
}

const (
	zwnj = '\u200C'
	zwj  = '\u200D'
)

// ForModel returns s without the characters that a person does not see but a
// model reads: direction overrides, zero-width and tag characters, variation
// selectors and controls other than newline. The joiners that scripts and emoji
// need and the emoji selector U+FE0F stay, but no two joiners in a row, so that
// they cannot carry a message.
func ForModel(s string) string {
	if isASCIIText(s) {
		return s
	}
	joined := false
	return strings.Map(func(r rune) rune {
		if invisible(r) {
			return -1
		}
		joiner := r == zwj || r == zwnj
		if joiner && joined {
			return -1
		}
		joined = joiner
		return r
	}, strings.ToValidUTF8(s, "\uFFFD"))
}

// isASCIIText reports whether ForModel has nothing to do, which is so for most
// of the strings of a page.
func isASCIIText(s string) bool {
	for i := range len(s) {
		if s[i] >= 0x7F || s[i] < ' ' && s[i] != '\n' {
			return false
		}
	}
	return true
}

func invisible(r rune) bool {
	switch {
	case r == '\n':
		return false
	case unicode.IsControl(r):
		return true
	case r == zwj, r == zwnj, r == '\uFE0F':
		return false
	case r >= 0xFE00 && r <= 0xFE0E, r >= 0xE0100 && r <= 0xE01EF: // variation selectors
		return true
	case r >= 0xE0000 && r <= 0xE007F: // tags
		return true
	}
	// Every other format character: U+200B, U+200E-F, U+202A-E, U+2060-F,
	// U+FEFF, U+061C, U+00AD, U+FFF9-B and the like.
	return unicode.Is(unicode.Cf, r) || r == '\u180B' || r == '\u180C' || r == '\u180D'
}

// blanks are letters and symbols that are drawn as nothing.
const blanks = "\u115F\u1160\u2800\u3164\uFFA0"

// Visible reports whether s has a character that leaves something on a page by
// itself: zero-width signs, spaces, lone accents and blank letters do not. A name
// without one cannot be seen, nor its link be found.
func Visible(s string) bool {
	return strings.ContainsFunc(s, func(r rune) bool {
		return unicode.IsGraphic(r) && !unicode.IsSpace(r) && !unicode.Is(unicode.M, r) && !strings.ContainsRune(blanks, r)
	})
}
