package richtext

import (
	"slices"
	"strings"

	"golang.org/x/net/html"
	"golang.org/x/net/html/atom"
)

// dropped are the elements whose whole content is left out.
var dropped = map[atom.Atom]bool{
	atom.Script: true, atom.Style: true, atom.Template: true, atom.Iframe: true, atom.Object: true, atom.Svg: true,
	atom.Math: true, atom.Noscript: true, atom.Textarea: true, atom.Title: true, atom.Noembed: true,
	atom.Noframes: true, atom.Select: true, atom.Audio: true, atom.Video: true, atom.Canvas: true,
}

// foreign are the elements that "/>" closes; HTML's own ones it does not.
var foreign = map[atom.Atom]bool{atom.Svg: true, atom.Math: true}

// paragraphs stand apart by an empty line, lines by a new line.
var (
	paragraphs = map[atom.Atom]bool{
		atom.P: true, atom.H1: true, atom.H2: true, atom.H3: true, atom.H4: true, atom.H5: true, atom.H6: true,
		atom.Blockquote: true, atom.Table: true, atom.Dl: true, atom.Figure: true, atom.Hr: true,
	}
	lines = map[atom.Atom]bool{
		atom.Div: true, atom.Li: true, atom.Tr: true, atom.Dt: true, atom.Dd: true, atom.Section: true,
		atom.Article: true, atom.Aside: true, atom.Header: true, atom.Footer: true, atom.Main: true, atom.Nav: true,
		atom.Figcaption: true, atom.Address: true, atom.Details: true, atom.Summary: true, atom.Form: true, atom.Fieldset: true,
	}
)

// quoteInline reports whether an element repeats the link of a quoted post.
func quoteInline(tag atom.Atom, a attributes) bool {
	return (tag == atom.P || tag == atom.Span || tag == atom.Div) && a.has("quote-inline")
}

// attributes are those that matter.
type attributes struct {
	href, alt, rel string
	classes        []string
}

func readAttributes(z *html.Tokenizer) attributes {
	var a attributes
	for {
		key, value, more := z.TagAttr()
		switch string(key) {
		case "href":
			a.href = string(value)
		case "alt":
			a.alt = string(value)
		case "rel":
			a.rel = string(value)
		case "class":
			a.classes = strings.Fields(string(value))
		}
		if !more {
			return a
		}
	}
}

func (a attributes) has(class string) bool {
	return slices.Contains(a.classes, class)
}

// link collects the text of an <a> until it ends.
type link struct {
	attributes
	// text is all of it, shown what the server lets readers see.
	text, shown strings.Builder
	shortened   bool
	// spans are the open <span>s in it.
	spans []span
}

type span uint8

const (
	plainSpan span = iota
	invisibleSpan
	ellipsisSpan
)

const maxSpans = 64

func (l *link) span(a attributes) {
	kind := plainSpan
	switch {
	case a.has("invisible"):
		kind = invisibleSpan
	case a.has("ellipsis"):
		kind = ellipsisSpan
	}
	if kind != plainSpan {
		l.shortened = true
	}
	if len(l.spans) < maxSpans {
		l.spans = append(l.spans, kind)
	}
}

func (l *link) endSpan() {
	last := len(l.spans) - 1
	if last < 0 {
		return
	}
	if l.spans[last] == ellipsisSpan {
		l.shown.WriteString("…")
	}
	l.spans = l.spans[:last]
}

func (l *link) write(s string) {
	l.text.WriteString(s)
	if !slices.Contains(l.spans, invisibleSpan) {
		l.shown.WriteString(s)
	}
}

// node is what the collected text means.
func (l *link) node() Node {
	n := Node{Kind: Link, Text: strings.TrimSpace(strings.ReplaceAll(l.text.String(), "\n", " ")), URL: SafeURL(l.href)}
	switch {
	case l.has("hashtag"), strings.HasPrefix(n.Text, "#") && hasWord(l.rel, "tag"):
		n.Kind = Hashtag
	case l.has("mention"):
		n.Kind = Mention
	case n.URL == "":
		n.Kind = Text
		n.Text = l.text.String()
	case l.shortened:
		n.Text, n.Short = n.URL, strings.TrimSpace(l.shown.String())
	case misleading(n.Text, n.URL):
		n.Text = n.URL
	}
	return n
}

func hasWord(list, word string) bool {
	for w := range strings.FieldsSeq(list) {
		if strings.EqualFold(w, word) {
			return true
		}
	}
	return false
}

// endLink puts the open link out.
func (p *parser) endLink() {
	if p.link == nil {
		return
	}
	l := p.link
	p.link = nil
	text := l.text.String()
	n := l.node()
	if n.Kind != Text && strings.HasPrefix(text, " ") {
		p.put(Node{Kind: Text, Text: " "})
	}
	p.put(n)
	if n.Kind != Text && strings.TrimSpace(text) != "" && strings.HasSuffix(text, " ") {
		p.put(Node{Kind: Text, Text: " "})
	}
}

// splitLink ends the open link at the edge of a block within it and goes on
// with the same target behind it.
func (p *parser) splitLink() {
	if p.link == nil {
		return
	}
	a := p.link.attributes
	p.endLink()
	p.link = &link{attributes: a}
}
