package web

import (
	"cmp"
	"net/url"
	"strings"
	"unicode"

	"personal-workspace/internal/richtext"
	"personal-workspace/sns"
	"personal-workspace/web/view"
)

// text cuts a post's text into runs, links and custom emoji. Hashtags lead to
// the connection's own server, which knows them all.
func (p postPrinter) text(in sns.Post) []view.Piece {
	m := richtext.Marks{Hashtags: in.Hashtags, Emojis: images(in.Emojis)}
	for _, l := range in.Links {
		m.Links = append(m.Links, richtext.Target{Text: l.Text, URL: l.URL})
	}
	for _, n := range in.Mentions {
		m.Mentions = append(m.Mentions, richtext.Target{Text: cmp.Or(n.Text, n.Handle), URL: n.URL})
	}
	return p.pieces(in.Text, m)
}

func (p postPrinter) pieces(text string, m richtext.Marks) []view.Piece {
	var out []view.Piece
	for _, s := range richtext.Segments(text, m) {
		piece := view.Piece{Segment: s}
		switch {
		case s.Kind == richtext.SegmentHashtag && p.tags != "":
			piece.URL = p.tags + url.PathEscape(s.Name)
		case s.Kind == richtext.SegmentEmoji:
			piece = p.emoji(s)
		}
		out = append(out, piece)
	}
	return out
}

// emoji is a custom emoji's picture where a page may load it, else its name.
// Only those that the workspace hands out itself are loaded unasked: any other
// server would learn who reads the post, and when.
func (p postPrinter) emoji(s richtext.Segment) view.Piece {
	address, loads := p.local.address(s.URL)
	if !loads {
		s.Kind = richtext.SegmentText
		return view.Piece{Segment: s}
	}
	own := address != s.URL
	s.URL = address
	return view.Piece{Segment: s, Later: !own && !p.reading.MediaAtOnce}
}

// images are the pictures of custom emoji that stand still: a page full of
// moving ones cannot be read.
func images(list []sns.Emoji) []richtext.Image {
	var out []richtext.Image
	for _, e := range list {
		out = append(out, richtext.Image{Shortcode: e.Shortcode, URL: cmp.Or(e.StaticURL, e.URL)})
	}
	return out
}

// label is a name with custom emoji in pieces, nil for other names.
func (p postPrinter) label(name string, list []sns.Emoji) []view.Piece {
	if len(list) == 0 || !strings.Contains(name, ":") {
		return nil
	}
	return p.pieces(name, richtext.Marks{Emojis: images(list)})
}

// waits reports whether the reader can ask for emoji of the post.
func waits(p view.Post) bool {
	texts := [][]view.Piece{p.Author.Label, p.Text, p.Rest}
	if p.Lead != nil {
		for _, a := range p.Lead.Who {
			texts = append(texts, a.Label)
		}
	}
	if p.Quote != nil {
		texts = append(texts, p.Quote.Author.Label, p.Quote.Text)
	}
	for _, t := range texts {
		for _, piece := range t {
			if piece.Later {
				return true
			}
		}
	}
	return false
}

// A long text would push everything else out of a column. Sizes are in letters;
// see size.
const (
	// foldAbove is the size from which a text is folded, foldAt where.
	foldAbove, foldAt = 1200, 700
	// longestText is what a column has of a text at most.
	longestText = 6000
	// longestWord is how far back a text is cut to keep a word, in bytes.
	longestWord = 200
	// lineSize is about what a line of a column holds.
	lineSize = 40
)

// folded divides a long text into what is seen at once and the rest, and cuts
// one that is too long for a column.
func (p postPrinter) folded(text []view.Piece) (seen, rest []view.Piece, cut bool) {
	if p.whole || !long(text) {
		return text, nil, false
	}
	seen, rest = divide(text, foldAt)
	if size(rest) <= longestText {
		return seen, rest, false
	}
	rest, _ = divide(rest, longestText)
	return seen, rest, true
}

// long reports whether a text is folded. Most are so short that their bytes say
// so: no letter is larger than its bytes.
func long(text []view.Piece) bool {
	n := 0
	for _, piece := range text {
		n += len(piece.Text) + lineSize*strings.Count(piece.Text, "\n")
	}
	return n > foldAbove && size(text) > foldAbove
}

// size is about how much room a text takes: letters, of which those of East
// Asia are twice as wide; a new line takes a whole one.
func size(text []view.Piece) int {
	n := 0
	for _, piece := range text {
		for _, r := range piece.Text {
			n += width(r)
		}
	}
	return n
}

func width(r rune) int {
	switch {
	case r == '\n':
		return lineSize
	case unicode.In(r, unicode.Han, unicode.Hiragana, unicode.Katakana, unicode.Hangul):
		return 2
	}
	return 1
}

// divide cuts a text at a size, between words where there are any, and never
// within a link.
func divide(text []view.Piece, at int) (before, after []view.Piece) {
	for i, piece := range text {
		n := size(text[i : i+1])
		if n <= at {
			at -= n
			continue
		}
		before = append(before, text[:i]...)
		if piece.Kind != richtext.SegmentText {
			return before, text[i:]
		}
		first, second := piece, piece
		k := wordEnd(piece.Text, at)
		first.Text, second.Text = piece.Text[:k], strings.TrimLeft(piece.Text[k:], " \n")
		if first.Text != "" {
			before = append(before, first)
		}
		return before, append([]view.Piece{second}, text[i+1:]...)
	}
	return text, nil
}

// wordEnd is where the last word ends that is within the size, or the last
// letter when the word before it is far back.
func wordEnd(s string, at int) int {
	word := 0
	for i, r := range s {
		if at -= width(r); at < 0 {
			if word > 0 && i-word < longestWord {
				return word
			}
			return i
		}
		if unicode.IsSpace(r) {
			word = i
		}
	}
	return len(s)
}
