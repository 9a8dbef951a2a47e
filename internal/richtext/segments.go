package richtext

import (
	"strings"
	"unicode"
	"unicode/utf8"
)

// Marks say what of a plain text is more than text.
type Marks struct {
	// Links are in the order of the text; each Text stands in it.
	Links []Target
	// Mentions stand in the text with their Text.
	Mentions []Target
	// Hashtags are names without "#", found without regard to case.
	Hashtags []string
	// Emojis stand in the text as :shortcode:.
	Emojis []Image
}

// Target is a text with what it leads to.
type Target struct{ Text, URL string }

// Image is a custom emoji.
type Image struct{ Shortcode, URL string }

// SegmentKind says how a piece of text is rendered.
type SegmentKind string

// The kinds of segments.
const (
	SegmentText    SegmentKind = "text"
	SegmentLink    SegmentKind = "link"
	SegmentMention SegmentKind = "mention"
	SegmentHashtag SegmentKind = "hashtag"
	SegmentEmoji   SegmentKind = "emoji"
)

// Segment is a piece of a plain text. The Texts of all segments are the text.
type Segment struct {
	Kind SegmentKind
	// Text is what the reader sees; of an emoji its :shortcode:, which is also
	// the picture's alternative text. Newlines stand in text segments only.
	Text string
	// URL is the target of a link or mention and the picture of an emoji,
	// always http or https. A mention without one has "".
	URL string
	// Name is the hashtag without its sign as it stands in the text, or the
	// emoji's shortcode.
	Name string
}

const maxShortcode = 64

// Segments cuts text into pieces. It needs no trust in text or marks: marks that
// do not stand in the text, or whose address is not http or https, are ignored.
func Segments(text string, m Marks) []Segment {
	c := &cutter{text: text, mentions: m.Mentions}
	c.knowHashtags(m.Hashtags)
	c.emojis = make(map[string]string, len(m.Emojis))
	for _, e := range m.Emojis {
		if u := SafeURL(e.URL); u != "" {
			c.emojis[e.Shortcode] = u
		}
	}
	for _, l := range m.Links {
		c.link(l)
	}
	c.scan(len(text))
	c.flush(len(text))
	return c.out
}

// cutter walks once over the text: done is what was put out, at what was read.
type cutter struct {
	text     string
	mentions []Target
	hashtags map[string]bool
	emojis   map[string]string
	done, at int
	out      []Segment

	// lengths are those of the hashtags in runes, which lower case keeps, and
	// longest is the largest.
	lengths map[int]bool
	longest int
}

func (c *cutter) knowHashtags(names []string) {
	c.hashtags = make(map[string]bool, len(names))
	c.lengths = make(map[int]bool, len(names))
	for _, name := range names {
		n := utf8.RuneCountInString(name)
		if n == 0 {
			continue
		}
		c.hashtags[strings.ToLower(name)] = true
		c.lengths[n] = true
		c.longest = max(c.longest, n)
	}
}

// link puts out the next place of l, and what stands before it.
func (c *cutter) link(l Target) {
	u := SafeURL(l.URL)
	if u == "" || l.Text == "" || strings.Contains(l.Text, "\n") {
		return
	}
	i := strings.Index(c.text[c.at:], l.Text)
	if i < 0 {
		return
	}
	i += c.at
	c.scan(i)
	if c.at > i { // a hashtag or a mention reached into it
		return
	}
	c.put(i, i+len(l.Text), Segment{Kind: SegmentLink, URL: u})
}

// scan puts out the mentions, hashtags and emojis that begin before end.
func (c *cutter) scan(end int) {
	for c.at < end {
		i := strings.IndexAny(c.text[c.at:end], "@＠#＃:")
		if i < 0 {
			c.at = end
			return
		}
		c.at += i
		if !c.mark() {
			_, n := utf8.DecodeRuneInString(c.text[c.at:])
			c.at += n
		}
	}
}

// mark puts out what begins at the sign that was reached.
func (c *cutter) mark() bool {
	sign, n := utf8.DecodeRuneInString(c.text[c.at:])
	rest := c.text[c.at+n:]
	switch sign {
	case ':':
		return c.emoji(rest)
	case '#', '＃':
		return c.hashtag(n, rest)
	}
	return c.mention()
}

func (c *cutter) emoji(rest string) bool {
	end := strings.IndexByte(rest[:min(len(rest), maxShortcode+1)], ':')
	if end <= 0 {
		return false
	}
	u, ok := c.emojis[rest[:end]]
	if !ok {
		return false
	}
	c.put(c.at, c.at+end+2, Segment{Kind: SegmentEmoji, URL: u, Name: rest[:end]})
	return true
}

// hashtag takes the longest known name that stands here: in "#猫・犬" the dot may
// belong to the name or end it. It reads no further than the longest known name,
// and looks up nothing but lengths that a known name has: strangers write the
// text, and many signs or separators must not multiply the work.
func (c *cutter) hashtag(sign int, rest string) bool {
	if len(c.hashtags) == 0 || c.after(tagRune) {
		return false
	}
	var lower []byte
	runes, found := 0, 0
	known := func() bool { return c.lengths[runes] && c.hashtags[string(lower)] }
	end := len(rest)
	for i, r := range rest {
		if !tagRune(r) || runes > c.longest {
			end = i
			break
		}
		if tagSeparator(r) && known() {
			found = i
		}
		lower = utf8.AppendRune(lower, unicode.ToLower(r))
		runes++
	}
	if known() {
		found = end
	}
	if found == 0 {
		return false
	}
	c.put(c.at, c.at+sign+found, Segment{Kind: SegmentHashtag, Name: rest[:found]})
	return true
}

// mention takes the longest mention that stands here, so that @ann@one.example
// is not cut short to @ann.
func (c *cutter) mention() bool {
	if c.after(asciiWord) {
		return false
	}
	var found Target
	for _, m := range c.mentions {
		if len(m.Text) > len(found.Text) && strings.HasPrefix(c.text[c.at:], m.Text) && !c.wordAt(c.at+len(m.Text)) {
			found = m
		}
	}
	if found.Text == "" || strings.Contains(found.Text, "\n") {
		return false
	}
	c.put(c.at, c.at+len(found.Text), Segment{Kind: SegmentMention, URL: SafeURL(found.URL)})
	return true
}

// after reports whether what was reached follows a slash or a rune of the class.
func (c *cutter) after(class func(rune) bool) bool {
	r, n := utf8.DecodeLastRuneInString(c.text[:c.at])
	return n > 0 && (r == '/' || class(r))
}

func (c *cutter) wordAt(i int) bool {
	r, n := utf8.DecodeRuneInString(c.text[i:])
	return n > 0 && asciiWord(r)
}

func asciiWord(r rune) bool {
	return r >= 'a' && r <= 'z' || r >= 'A' && r <= 'Z' || r >= '0' && r <= '9' || r == '_'
}

func (c *cutter) put(start, end int, s Segment) {
	c.flush(start)
	s.Text = c.text[start:end]
	c.out = append(c.out, s)
	c.done, c.at = end, end
}

func (c *cutter) flush(end int) {
	if c.done < end {
		c.out = append(c.out, Segment{Kind: SegmentText, Text: c.text[c.done:end]})
		c.done = end
	}
}

// tagRune reports whether r can stand in a hashtag: letters, marks, digits,
// connectors and the separators Mastodon allows.
func tagRune(r rune) bool {
	return unicode.In(r, unicode.L, unicode.M, unicode.Nd, unicode.Pc) || tagSeparator(r)
}

func tagSeparator(r rune) bool { return r == '·' || r == '・' || r == zwnj }
