package activities

import (
	"bytes"
	"cmp"
	"encoding/json"
	"fmt"
	"net/url"
	"regexp"
	"strings"
	"time"
	"unicode/utf8"

	"golang.org/x/text/unicode/norm"

	"personal-workspace/internal/fault"
	"personal-workspace/internal/richtext"
)

var idPattern = regexp.MustCompile(`^[A-Za-z0-9][A-Za-z0-9_-]{0,63}$`)

// skew is how far a clock of a network may be before ours. An excerpt from the
// future would be newer than every decision to come.
const skew = 5 * time.Minute

// checker checks the members of one input and puts them into their normal form.
// The first problem stays; what follows it is not looked at.
type checker struct {
	// index is the place in a publication, -1 outside one.
	index int
	// inside is the path of the object whose members are checked, with its dot.
	inside string
	// excerptText is the longest text of an excerpt, 0 for MaxExcerptText.
	excerptText int
	err         error
}

// field is the path of a member of the object.
func (c *checker) field(name string) string {
	if c.index < 0 {
		return c.inside + name
	}
	return fmt.Sprintf("activities[%d].%s%s", c.index, c.inside, name)
}

func (c *checker) invalid(name, format string, args ...any) {
	if c.err == nil {
		c.err = fault.Invalid(c.field(name), format, args...)
	}
}

func (c *checker) tooLong(name string, n, most int) {
	if c.err == nil {
		c.err = fault.Invalid(c.field(name), "The text has %d characters; the most is %d.", n, most).With(fault.DetailLimit, most)
	}
}

// line checks a text of one line, trims it and brings it to NFC unless that is
// longer.
func (c *checker) line(name string, s *string, most int) {
	if *s == "" || c.err != nil {
		return
	}
	if !utf8.ValidString(*s) {
		c.invalid(name, "The text is not valid UTF-8; send it again as text.")
		return
	}
	*s = strings.TrimSpace(*s)
	n, bad := scan(*s)
	// A few letters of NFC are two code points each. They stay as they came: what
	// was within the limit is so still, however often it is saved.
	if c := norm.NFC.String(*s); utf8.RuneCountInString(c) <= n {
		*s, n = c, utf8.RuneCountInString(c)
	}
	if bad == badControl || bad == badBreak {
		c.invalid(name, "The text has a control character or a line break; leave it out.")
	}
	c.bounds(name, n, most, bad)
}

// text checks a text of many lines, which stays as it is but for its line breaks.
func (c *checker) text(name string, s *string, most int) {
	if *s == "" || c.err != nil {
		return
	}
	if !utf8.ValidString(*s) {
		c.invalid(name, "The text is not valid UTF-8; send it again as text.")
		return
	}
	if strings.ContainsRune(*s, '\r') {
		*s = breaks.Replace(*s)
	}
	n, bad := scan(*s)
	if bad == badControl {
		c.invalid(name, "The text has a control character other than a line break or a tab; leave it out.")
	}
	c.bounds(name, n, most, bad)
}

// breaks makes the line breaks of forms those of everything else.
var breaks = strings.NewReplacer("\r\n", "\n", "\r", "\n")

func (c *checker) bounds(name string, n, most int, bad badness) {
	if n > most {
		c.tooLong(name, n, most)
	}
	if bad == badTurn {
		c.invalid(name, "The text has a character that turns the direction of what follows (U+202A to U+202E); leave it out.")
	}
}

// badness is what is wrong with a character, the worst last; 0 is nothing.
type badness int

const (
	// badBreak is a line break or a tab, which only a text of many lines has.
	badBreak badness = iota + 1
	// badTurn embeds or overrides a direction: it can make a text read otherwise
	// than it is. Marks and isolates, which right-to-left scripts need, cannot.
	badTurn
	badControl
)

// scan counts the code points of a text and finds its worst character, in one
// walk: a publication has many texts.
func scan(s string) (n int, worst badness) {
	for _, r := range s {
		n++
		worst = max(worst, badnessOf(r))
	}
	return n, worst
}

func badnessOf(r rune) badness {
	switch {
	case r == '\n' || r == '\t' || r == '\u2028' || r == '\u2029':
		return badBreak
	case r < ' ' || r >= 0x7F && r <= 0x9F:
		return badControl
	case r >= '\u202A' && r <= '\u202E':
		return badTurn
	}
	return 0
}

// title checks a title, which has to show something.
func (c *checker) title(s *string) {
	c.line("title", s, MaxTitle)
	switch {
	case *s == "":
		c.invalid("title", "The title is empty; give it 1 to %d characters.", MaxTitle)
	case !richtext.Visible(*s):
		c.invalid("title", "The title has nothing in it that can be seen; write a letter, a digit or a sign.")
	}
}

// date checks a date and cuts it to whole milliseconds.
func (c *checker) date(name string, at *time.Time) *time.Time {
	if at == nil || c.err != nil {
		return nil
	}
	t := at.UTC().Truncate(time.Millisecond)
	if t.Year() < 1971 || t.Year() > 9999 {
		c.invalid(name, "The date is not between the years 1971 and 9999; check it.")
	}
	return &t
}

// address checks an address that is shown as a link.
func (c *checker) address(s *string) {
	if *s == "" || c.err != nil {
		return
	}
	safe := richtext.SafeURL(*s)
	if u, err := url.Parse(safe); err == nil && u.User != nil {
		c.invalid("url", "The address has a user name or a password in it; give it without.")
		return
	}
	if safe == "" {
		c.invalid("url", "The address is not a readable one of the web with at most %d bytes; give it in full, as in https://host/path, or leave it out.", MaxURL)
		return
	}
	*s = safe
}

func (c *checker) identifier(name, s string) {
	if s != "" && !idPattern.MatchString(s) {
		c.invalid(name, "An id is 1 to 64 letters, digits, _ or -, beginning with a letter or digit.")
	}
}

// checked is a proposal in its normal form.
type checked struct {
	Proposal
	// doc is its JSON without the id.
	doc string
	// canonical is the source's address, "" without one; key is keyOf it.
	canonical, key string
}

// proposal checks a proposal.
func (c *checker) proposal(p Proposal) (out checked) {
	c.identifier("id", p.ID)
	if p.Kind != KindTask && p.Kind != KindReply {
		c.invalid("kind", "The kind is %q or %q.", KindTask, KindReply)
	}
	c.title(&p.Title)
	c.text("body", &p.Body, MaxBody)
	c.text("reason", &p.Reason, MaxReason)
	p.DueAt = c.date("dueAt", p.DueAt)
	switch p.Priority {
	case "", PriorityLow, PriorityNormal, PriorityHigh:
	default:
		c.invalid("priority", "The priority is %q, %q or %q; leave it out for %q.", PriorityLow, PriorityNormal, PriorityHigh, PriorityNormal)
	}
	p.Source, out.canonical = c.source(p.Source)
	out.Proposal = p
	if c.err == nil {
		out.key = keyOf(p.connectionID(), out.canonical, p.Kind)
		out.doc = c.encode(p)
	}
	return out
}

// encode returns the JSON of a proposal without its id.
func (c *checker) encode(p Proposal) string {
	p.ID = ""
	var b bytes.Buffer
	e := json.NewEncoder(&b)
	e.SetEscapeHTML(false)
	if err := e.Encode(p); err != nil {
		c.err = fmt.Errorf("encode a proposal: %w", err)
	}
	if b.Len() > MaxActivity {
		c.err = fault.Limit(strings.TrimSuffix(c.field(""), "."), MaxActivity,
			"The activity has %d bytes of JSON; the most is %d. Shorten its body or leave out excerpts.", b.Len(), MaxActivity)
	}
	return strings.TrimSuffix(b.String(), "\n")
}

// source checks a source and returns its canonical address too.
func (c *checker) source(in *Source) (out *Source, canonical string) {
	if in == nil || c.err != nil {
		return nil, ""
	}
	s := *in
	c.inside = "source."
	defer func() { c.inside = "" }()
	c.identifier("connectionId", s.ConnectionID)
	c.line("network", &s.Network, MaxName)
	c.address(&s.URL)
	c.line("conversationKey", &s.ConversationKey, MaxURL)
	c.line("conversationTitle", &s.ConversationTitle, MaxName)
	s.Author = c.author(s.Author)
	s.Excerpts = c.excerpts(s.Excerpts)
	c.inside = "source."
	if s.URL != "" && c.err == nil {
		var err error
		if canonical, err = CanonicalURL(s.URL); err != nil {
			c.err = fault.From(err).With(fault.DetailField, c.field("url"))
		}
	}
	return &s, canonical
}

func (c *checker) author(in *Author) *Author {
	if in == nil || *in == (Author{}) {
		return nil
	}
	a := *in
	c.inside = "source.author."
	c.line("name", &a.Name, MaxName)
	c.line("handle", &a.Handle, MaxName)
	c.address(&a.URL)
	return &a
}

// future refuses an excerpt that is from after now. It is no part of the shape: a
// publication that was right stays right, also when the clock is put back.
func (c *checker) future(s *Source, now time.Time) {
	if s == nil {
		return
	}
	for i, e := range s.Excerpts {
		if e.At != nil && e.At.After(now.Add(skew)) {
			c.inside = fmt.Sprintf("source.excerpts[%d].", i)
			c.invalid("at", "The excerpt is from the future; give the time at which it was written, in UTC or with its offset.")
		}
	}
}

func (c *checker) excerpts(in []Excerpt) []Excerpt {
	c.inside = "source."
	if len(in) > MaxExcerpts {
		c.invalid("excerpts", "There are %d excerpts; the most is %d. Keep those that matter.", len(in), MaxExcerpts)
	}
	if len(in) == 0 || c.err != nil {
		return nil
	}
	out := make([]Excerpt, len(in))
	for i, e := range in {
		c.inside = fmt.Sprintf("source.excerpts[%d].", i)
		c.text("text", &e.Text, cmp.Or(c.excerptText, MaxExcerptText))
		c.line("warning", &e.Warning, MaxExcerptText)
		if strings.TrimSpace(e.Text) == "" {
			c.invalid("text", "The excerpt is empty; quote what stands at the source, or leave the excerpt out.")
		}
		c.line("author", &e.Author, MaxName)
		e.At = c.date("at", e.At)
		c.address(&e.URL)
		out[i] = e
	}
	return out
}
