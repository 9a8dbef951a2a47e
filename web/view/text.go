package view

import (
	"context"
	"io"
	"strconv"
	"strings"

	"github.com/a-h/templ"

	"personal-workspace/internal/richtext"
)

// richText prints pieces without white space between them, which a template
// cannot promise. Line breaks are characters that the style sheet keeps.
func richText(text []Piece) templ.Component {
	return templ.ComponentFunc(func(_ context.Context, w io.Writer) error {
		var b strings.Builder
		for _, p := range text {
			writePiece(&b, p)
		}
		_, err := io.WriteString(w, b.String())
		return err
	})
}

// classes are the kinds of pieces that are links.
var classes = map[richtext.SegmentKind]string{
	richtext.SegmentLink:    "link",
	richtext.SegmentMention: "mention",
	richtext.SegmentHashtag: "tag",
}

func writePiece(b *strings.Builder, p Piece) {
	if p.Kind == richtext.SegmentEmoji {
		writeEmoji(b, p)
		return
	}
	class, isLink := classes[p.Kind]
	url := richtext.SafeURL(p.URL)
	if !isLink || url == "" {
		b.WriteString(templ.EscapeString(p.Text))
		return
	}
	text := p.Text
	if p.Kind == richtext.SegmentLink {
		text = shortURL(text)
	}
	b.WriteString(`<a class="` + class + `" href="` + templ.EscapeString(url) + `"`)
	if text != p.Text {
		b.WriteString(` title="` + templ.EscapeString(p.Text) + `"`)
	}
	b.WriteString(` rel="noopener noreferrer nofollow" target="_blank">` + templ.EscapeString(text) + `</a>`)
}

// writeEmoji prints a custom emoji: its picture, or its name until the reader
// asks for the picture.
func writeEmoji(b *strings.Builder, p Piece) {
	name, url := templ.EscapeString(p.Text), templ.EscapeString(p.URL)
	if p.Later {
		b.WriteString(`<span class="emoji-name" data-emoji="` + url + `">` + name + `</span>`)
		return
	}
	b.WriteString(`<img class="emoji" src="` + url + `" alt="` + name + `" title="` + name + `" loading="lazy" referrerpolicy="no-referrer">`)
}

// longestURL is what a narrow column shows of an address, in code points.
const longestURL = 36

// shortURL is an address as people read it: without scheme, and cut. Other
// texts stay as they are.
func shortURL(text string) string {
	rest, ok := strings.CutPrefix(text, "https://")
	if !ok {
		if rest, ok = strings.CutPrefix(text, "http://"); !ok {
			return text
		}
	}
	rest = strings.TrimSuffix(strings.TrimPrefix(rest, "www."), "/")
	if r := []rune(rest); len(r) > longestURL {
		return string(r[:longestURL]) + "…"
	}
	return rest
}

func hiddenText(n int) string {
	if n == 1 {
		return "1 post is hidden by this column's filters."
	}
	return strconv.Itoa(n) + " posts are hidden by this column's filters."
}

func sensitiveText(list []Media) string {
	if len(list) == 1 {
		return "Sensitive: " + strings.ToLower(list[0].Label)
	}
	return "Sensitive: " + strconv.Itoa(len(list)) + " attachments"
}

func heldText(n int) string {
	switch {
	case n == 1:
		return "1 new post"
	case n >= mostHeld:
		return strconv.Itoa(mostHeld) + " or more new posts"
	}
	return strconv.Itoa(n) + " new posts"
}

// mostHeld is how many posts are looked at to count the new ones.
const mostHeld = 100

// diffText prints a text with what is in it alone marked, without white space of
// its own.
func diffText(words []DiffWords) templ.Component {
	return templ.ComponentFunc(func(_ context.Context, w io.Writer) error {
		var b strings.Builder
		for _, d := range words {
			text := templ.EscapeString(d.Text)
			if d.In != "" {
				text = "<ins>" + text + "</ins>"
			}
			b.WriteString(text)
		}
		_, err := io.WriteString(w, b.String())
		return err
	})
}
