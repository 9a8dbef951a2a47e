package richtext

import (
	"net/url"
	"strings"
)

// Span is a link, mention or hashtag of a plain text.
type Span struct {
	Kind Kind
	// Start and End are its place in Plain.Text, in bytes.
	Start, End int
	// Text, Short and URL are as in Node.
	Text, Short, URL string
}

// Plain is a document as plain text: lines separated by a newline, paragraphs
// by an empty line.
type Plain struct {
	Text  string
	Spans []Span
	// Truncated: the document was, or the text was cut to MaxText.
	Truncated bool
}

// Plain returns the document as plain text with the places of what is more.
func (d Document) Plain() Plain {
	var b strings.Builder
	out := Plain{Truncated: d.Truncated}
	for _, n := range d.Nodes {
		switch n.Kind {
		case Break:
			b.WriteString("\n")
		case Paragraph:
			b.WriteString("\n\n")
		case Text:
			b.WriteString(n.Text)
		default:
			out.Spans = append(out.Spans, Span{n.Kind, b.Len(), b.Len() + len(n.Text), n.Text, n.Short, n.URL})
			b.WriteString(n.Text)
		}
	}
	text := trimLines(b.String(), out.Spans)
	text, cut := Cut(text, MaxText)
	out.Text, out.Truncated = text, out.Truncated || cut
	for len(out.Spans) > 0 && out.Spans[len(out.Spans)-1].End > len(text) {
		out.Spans = out.Spans[:len(out.Spans)-1]
	}
	return out
}

// trimLines removes space at the end of lines and empty lines after another,
// moving the spans along.
func trimLines(s string, spans []Span) string {
	var b strings.Builder
	b.Grow(len(s))
	empty, next, from := 1, 0, 0 // 1: no empty line at the beginning
	for line := range strings.SplitAfterSeq(s, "\n") {
		text, newline := strings.CutSuffix(line, "\n")
		text = strings.TrimRight(text, " \u00A0")
		for ; next < len(spans) && spans[next].Start < from+len(line); next++ {
			length := spans[next].End - spans[next].Start
			spans[next].Start += b.Len() - from
			spans[next].End = spans[next].Start + length
		}
		from += len(line)
		if text == "" {
			empty++
		} else {
			empty = 0
		}
		if empty > 1 {
			continue
		}
		b.WriteString(text)
		if newline {
			b.WriteString("\n")
		}
	}
	return strings.TrimRight(b.String(), "\n")
}

// misleading reports whether a link's text is the address of another host than
// the one it leads to.
func misleading(text, target string) bool {
	shown := SafeURL(text)
	if shown == "" {
		return false
	}
	a, errA := url.Parse(shown)
	b, errB := url.Parse(target)
	return errA == nil && errB == nil && !strings.EqualFold(a.Host, b.Host)
}
