package web

import (
	"context"
	"regexp"
	"strings"
	"unicode"
	"unicode/utf8"

	"golang.org/x/text/unicode/norm"

	"personal-workspace/activities"
)

// networkOf is the network that a reply is for, "" for not known.
func (h *Handler) networkOf(ctx context.Context, a activities.Activity) string {
	s := a.Proposal.Source
	if s == nil {
		return ""
	}
	list, err := h.connections.ListConnections(ctx)
	if err == nil {
		for _, c := range list {
			if c.ID == s.ConnectionID {
				return string(c.Network)
			}
		}
	}
	if _, known := textLimits[s.Network]; known {
		return s.Network
	}
	return ""
}

// textLimits are the longest texts that networks take by default.
var textLimits = map[string]int{"mastodon": 500, "twitter": 280}

var (
	address = regexp.MustCompile(`https?://\S+`)
	// mention is that of an account elsewhere; Mastodon does not count the server.
	mention = regexp.MustCompile(`(^|[^\w/])(@\w+)@[\w.-]*\w`)
)

// countText is how long a text is as its network counts; one for no network is
// counted in code points. An address is 23 characters. Mastodon counts what looks
// like one sign as one; X counts most of the world's letters as two, and an emoji
// of whatever parts as two. The page's script counts alike.
func countText(network, text string) (n int) {
	if network == "" {
		return utf8.RuneCountInString(text)
	}
	text = address.ReplaceAllString(text, strings.Repeat("a", 23))
	if network == "mastodon" {
		return len(signs(mention.ReplaceAllString(text, "$1$2")))
	}
	for _, sign := range signs(norm.NFC.String(text)) {
		if isEmoji(sign) {
			n += 2
			continue
		}
		for _, c := range sign {
			n++
			if isWide(c) {
				n++
			}
		}
	}
	return n
}

func isWide(c rune) bool {
	return c > 0x10ff && (c < 0x2000 || c > 0x200d) && (c < 0x2010 || c > 0x201f) && (c < 0x2032 || c > 0x2037)
}

const (
	joiner = '\u200d'
	keycap = '\u20e3'
	// asPicture chooses the coloured form of a sign.
	asPicture = '\ufe0f'
)

// signs cuts a text where a reader sees one sign end and the next begin: letters
// with their marks, and emoji with their parts.
func signs(text string) (list [][]rune) {
	flags := 0
	for _, c := range text {
		last := len(list) - 1
		isFlag := c >= 0x1f1e6 && c <= 0x1f1ff
		if last >= 0 && (goesOn(list[last], c) || isFlag && flags%2 == 1) {
			list[last] = append(list[last], c)
		} else {
			list = append(list, []rune{c})
		}
		if isFlag {
			flags++
		} else {
			flags = 0
		}
	}
	return list
}

func goesOn(sign []rune, c rune) bool {
	before := sign[len(sign)-1]
	switch {
	case before == '\r' && c == '\n', before == joiner && sign[0] >= 0x2000 && c >= 0x2000:
		return true
	case unicode.IsControl(before) || unicode.IsControl(c):
		return false
	}
	return c == joiner || c == '\u200c' || unicode.Is(unicode.M, c) || isPart(c)
}

// isPart reports whether a sign changes the emoji before it: its colour, or which
// flag it is.
func isPart(c rune) bool { return c >= 0x1f3fb && c <= 0x1f3ff || c >= 0xe0020 && c <= 0xe007f }

func isEmoji(sign []rune) bool {
	for _, c := range sign[1:] {
		if c == asPicture || c == keycap || isPart(c) || c == joiner && sign[0] >= 0x2000 {
			return true
		}
	}
	return sign[0] >= 0x1f1e6 && sign[0] <= 0x1f1ff
}
