package web

import (
	"cmp"
	"hash/fnv"
	"regexp"
	"strings"
	"unicode"

	"personal-workspace/internal/richtext"
	"personal-workspace/sns"
	"personal-workspace/web/view"
)

// author makes the view model of an account. An account without a name goes by
// its handle.
func (p postPrinter) author(a sns.Author) view.Author {
	if a.Unknown || a.Handle == "" && a.DisplayName == "" {
		return view.Author{Name: "Unknown author", Initials: "?"}
	}
	out := view.Author{
		Name:     cmp.Or(strings.TrimSpace(a.DisplayName), strings.TrimPrefix(a.Handle, "@")),
		Handle:   a.Handle,
		URL:      richtext.SafeURL(a.URL),
		Initials: initials(a.DisplayName, a.Handle),
		Tone:     toneOf(cmp.Or(a.Handle, a.ID)),
	}
	out.Label = p.label(out.Name, a.Emojis)
	switch {
	case a.Bot:
		out.Note = "bot"
	case a.Protected:
		out.Note = "protected"
	}
	return out
}

// toneOf gives the same account the same colour everywhere.
func toneOf(name string) view.Tone {
	h := fnv.New32a()
	h.Write([]byte(strings.ToLower(name)))
	return view.Tone(h.Sum32() % view.Tones)
}

// shortcode is a custom emoji in a name.
var shortcode = regexp.MustCompile(`:[A-Za-z0-9_]+:`)

// initials are what the coloured box of an account shows: the first letters of
// the first two words of the name, or one character of a script without spaces.
func initials(name, handle string) string {
	for _, s := range []string{shortcode.ReplaceAllString(name, " "), handle} {
		if out := firstLetters(s); out != "" {
			return out
		}
	}
	return "?"
}

func firstLetters(s string) string {
	words := strings.FieldsFunc(s, func(r rune) bool { return !unicode.IsLetter(r) && !unicode.IsDigit(r) && !unicode.IsMark(r) })
	out := ""
	for _, w := range words {
		r := []rune(w)[0]
		if unicode.IsMark(r) {
			continue
		}
		if !unicode.In(r, unicode.Latin, unicode.Greek, unicode.Cyrillic) {
			if out == "" {
				return string(r)
			}
			return out
		}
		out += string(unicode.ToUpper(r))
		if len([]rune(out)) == 2 {
			break
		}
	}
	return out
}
