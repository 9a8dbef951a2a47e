package richtext

import (
	"strings"
	"unicode"

	"golang.org/x/net/html"
	"golang.org/x/net/html/atom"
)

// Limits of Parse, in bytes. What is longer is cut and the document marked.
const (
	// MaxInput is how much HTML is read.
	MaxInput = 1 << 20
	// MaxText is how much text a document has.
	MaxText = 32 << 10
)

// Kind says what a Node is.
type Kind uint8

// The kinds of nodes.
const (
	Text Kind = iota
	Link
	Mention
	Hashtag
	// Break begins a new line, Paragraph a new paragraph.
	Break
	Paragraph
)

// Node is a piece of a document.
type Node struct {
	Kind Kind
	// Text is plain text in one line; of a preformatted text it may have
	// newlines. A link that the server shows shortened has its full address.
	Text string
	// Short is the text the server shows for such a link, "" for others.
	Short string
	// URL is the http or https target of a link, mention or hashtag.
	URL string
}

// Options change what Parse keeps.
type Options struct {
	// DropQuoteInline leaves out the "RE: link" paragraph that servers add for
	// readers that cannot show quotes.
	DropQuoteInline bool
}

// Document is what was kept of a piece of HTML.
type Document struct {
	Nodes []Node
	// Truncated: the input or the text was longer than the limits.
	Truncated bool
}

// Parse reads HTML of any quality. It never fails: what cannot be read as HTML
// is text.
func Parse(src string, o Options) Document {
	src, cut := Cut(src, MaxInput)
	p := &parser{options: o, lineStart: true}
	if !strings.Contains(src, "<") {
		p.pre = 1 // text of a server that sends no HTML keeps its lines
	}
	z := html.NewTokenizer(strings.NewReader(strings.ToValidUTF8(src, "\uFFFD")))
	for !p.full {
		switch z.Next() {
		case html.ErrorToken:
			p.endLink()
			return Document{Nodes: p.nodes, Truncated: cut}
		case html.TextToken:
			p.text(string(z.Text()))
		case html.StartTagToken:
			p.start(z, false)
		case html.SelfClosingTagToken:
			p.start(z, true)
		case html.EndTagToken:
			name, _ := z.TagName()
			p.end(atom.Lookup(name))
		}
	}
	p.endLink()
	return Document{Nodes: p.nodes, Truncated: true}
}

type parser struct {
	options Options
	nodes   []Node
	size    int
	full    bool

	// gap is the line or paragraph break that the next text needs, 0 if none.
	gap gap
	// marker is the "- " that the next text of a list item begins with.
	marker string
	// lineStart: nothing stands on the current line; space would be lost.
	lineStart bool
	lists     int
	pre       int

	link *link
	drop drop
}

type gap uint8

const (
	noGap gap = iota
	lineGap
	paragraphGap
)

// drop is the element whose content is left out, and how deep it nests.
type drop struct {
	tag   atom.Atom
	depth int
}

func (p *parser) start(z *html.Tokenizer, selfClosing bool) {
	name, more := z.TagName()
	tag := atom.Lookup(name)
	var a attributes
	if more {
		a = readAttributes(z)
	}
	if p.dropping(tag, selfClosing) {
		return
	}
	if dropped[tag] || p.options.DropQuoteInline && quoteInline(tag, a) {
		if !selfClosing || !foreign[tag] {
			p.drop = drop{tag, 1}
		}
		return
	}
	p.open(tag, a)
}

// dropping reports whether a start tag stands in dropped content. A paragraph
// cannot hold another one, so the next one ends it.
func (p *parser) dropping(tag atom.Atom, selfClosing bool) bool {
	if p.drop.depth == 0 {
		return false
	}
	if tag == atom.P && p.drop.tag == atom.P {
		p.drop = drop{}
		return false
	}
	if tag == p.drop.tag && !selfClosing {
		p.drop.depth++
	}
	return true
}

func (p *parser) open(tag atom.Atom, a attributes) {
	switch tag {
	case atom.Br:
		p.lineBreak()
	case atom.Img:
		p.text(a.alt)
	case atom.A:
		p.endLink()
		p.link = &link{attributes: a}
	case atom.Span:
		if p.link != nil {
			p.link.span(a)
		}
	case atom.Li:
		p.breakLine(lineGap)
		p.marker = strings.Repeat("  ", max(min(p.lists, 8)-1, 0)) + "- "
	case atom.Ul, atom.Ol:
		p.block()
		p.lists++
	case atom.Pre:
		p.block()
		p.pre++
	default:
		p.edge(tag)
	}
}

func (p *parser) end(tag atom.Atom) {
	if p.drop.depth > 0 {
		if tag == p.drop.tag {
			p.drop.depth--
		}
		return
	}
	switch tag {
	case atom.A:
		p.endLink()
	case atom.Span:
		if p.link != nil {
			p.link.endSpan()
		}
	case atom.Ul, atom.Ol:
		p.lists = max(p.lists-1, 0)
		p.block()
	case atom.Pre:
		p.pre = max(p.pre-1, 0)
		p.block()
	case atom.Br: // </br> is read as a break by browsers
		p.lineBreak()
	default:
		p.edge(tag)
	}
}

// edge is the beginning or end of an element that may be a block.
func (p *parser) edge(tag atom.Atom) {
	switch {
	case paragraphs[tag]:
		p.block()
	case lines[tag]:
		p.breakLine(lineGap)
	}
}

// block separates paragraphs; within lists lines are enough.
func (p *parser) block() {
	if p.lists > 0 {
		p.breakLine(lineGap)
		return
	}
	p.breakLine(paragraphGap)
}

// breakLine asks for a gap before the next text. Between a list item's marker
// and its text there is none.
func (p *parser) breakLine(g gap) {
	p.splitLink()
	if p.marker == "" {
		p.gap = max(p.gap, g)
	}
	p.lineStart = true
}

// lineBreak is <br>: two of them make an empty line.
func (p *parser) lineBreak() {
	if p.link != nil {
		p.link.write(" ")
		return
	}
	if p.gap == lineGap && p.marker == "" {
		p.gap = paragraphGap
	}
	p.breakLine(lineGap)
}

// text is a text token or an image's alternative.
func (p *parser) text(s string) {
	if p.drop.depth > 0 || s == "" {
		return
	}
	if p.pre > 0 {
		s = strings.Map(keepNewline, strings.ReplaceAll(s, "\r\n", "\n"))
	} else {
		s = joinLines(s)
	}
	if p.link != nil {
		p.link.write(s)
		p.count(len(s))
		return
	}
	p.put(Node{Kind: Text, Text: s})
}

// put adds a node behind the gap it needs.
func (p *parser) put(n Node) {
	if p.lineStart && n.Kind == Text && p.pre == 0 {
		n.Text = strings.TrimLeft(n.Text, " ")
	}
	if n.Text == "" {
		return
	}
	p.fillGap()
	p.lineStart = false
	p.nodes = append(p.nodes, n)
	if n.Kind == Text { // of the others text counted what was collected
		p.count(len(n.Text))
	}
}

func (p *parser) fillGap() {
	if len(p.nodes) > 0 {
		switch p.gap {
		case lineGap:
			p.nodes = append(p.nodes, Node{Kind: Break})
		case paragraphGap:
			p.nodes = append(p.nodes, Node{Kind: Paragraph})
		}
	}
	p.gap = noGap
	if p.marker != "" {
		p.nodes = append(p.nodes, Node{Kind: Text, Text: p.marker})
		p.marker = ""
	}
}

func (p *parser) count(n int) {
	p.size += n
	p.full = p.size > MaxText
}

// joinLines makes line breaks of the source, with the space around them, one
// space; other space stays, as Mastodon shows it. Controls go.
func joinLines(s string) string {
	if !strings.ContainsFunc(s, unicode.IsControl) {
		return s
	}
	var b strings.Builder
	spaces, broken := 0, false
	space := func() {
		if broken {
			spaces = 1
		}
		for range spaces {
			b.WriteByte(' ')
		}
		spaces, broken = 0, false
	}
	for _, r := range s {
		switch {
		case r == '\n' || r == '\r' || r == '\f':
			broken = true
		case r == ' ' || r == '\t':
			spaces++
		case !unicode.IsControl(r):
			space()
			b.WriteRune(r)
		}
	}
	space()
	return b.String()
}

func keepNewline(r rune) rune {
	switch r {
	case '\n':
		return r
	case '\t':
		return ' '
	}
	return dropControl(r)
}

func dropControl(r rune) rune {
	if unicode.IsControl(r) {
		return -1
	}
	return r
}
