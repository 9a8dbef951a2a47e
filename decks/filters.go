package decks

import (
	"fmt"
	"reflect"
	"regexp"
	"slices"
	"strings"
	"unicode"
	"unicode/utf8"

	"golang.org/x/text/unicode/norm"

	"personal-workspace/internal/fault"
	"personal-workspace/sns"
)

// Limits of filters.
const (
	// MaxTerms is the most terms in Include and in Exclude.
	MaxTerms = 50
	// MaxTerm is the longest term, in code points.
	MaxTerm = 200
	// MaxLanguages is the most languages.
	MaxLanguages = 20
)

// Filters say which posts of a column are not shown. All that are set apply. A
// post of the connection's own account is never hidden.
type Filters struct {
	HideBoosts  bool `json:"hideBoosts,omitempty"`
	HideReplies bool `json:"hideReplies,omitempty"`
	HideQuotes  bool `json:"hideQuotes,omitempty"`
	// OnlyMedia keeps posts with media.
	OnlyMedia bool `json:"onlyMedia,omitempty"`
	// Languages keeps posts in these BCP 47 tags and those that name none; "pt"
	// also keeps "pt-BR".
	Languages []string `json:"languages,omitempty"`
	// Include keeps posts that match at least one term; Exclude drops posts
	// that match any. A term is words, "#tag", "@handle" or "/regexp/" in Go's
	// syntax; letter case does not matter.
	Include []string `json:"include,omitempty"`
	Exclude []string `json:"exclude,omitempty"`
	// Scope is all (default) or boosts: which posts Include and Exclude test.
	Scope string `json:"scope,omitempty"`
	// Action is hide (default) or fold.
	Action string `json:"action,omitempty"`
}

// empty reports whether normal filters hide nothing.
func (f *Filters) empty() bool { return f == nil || reflect.DeepEqual(*f, Filters{}) }

// normalize returns the filters in their normal form: defaults and empty
// filters are left out, terms trimmed. nil stays nil.
func (f *Filters) normalize(field string) (*Filters, error) {
	if f == nil {
		return nil, nil
	}
	n := *f
	var err error
	if n.Languages, err = languages(f.Languages, field+".languages"); err != nil {
		return nil, err
	}
	if n.Include, err = terms(f.Include, field+".include"); err != nil {
		return nil, err
	}
	if n.Exclude, err = terms(f.Exclude, field+".exclude"); err != nil {
		return nil, err
	}
	if weight(n.Include)+weight(n.Exclude) > maxExpression {
		return nil, fault.Limit(field, maxExpression, "The regular expressions are too large together; use fewer or simpler ones, or plain words.")
	}
	if n.Scope, err = choice(f.Scope, field+".scope", "all", "boosts"); err != nil {
		return nil, err
	}
	if n.Action, err = choice(f.Action, field+".action", "hide", "fold"); err != nil {
		return nil, err
	}
	return &n, nil
}

// choice returns "" for the default, the first of the values.
func choice(v, field string, values ...string) (string, error) {
	switch {
	case v == "" || v == values[0]:
		return "", nil
	case slices.Contains(values, v):
		return v, nil
	}
	return "", fault.Invalid(field, "This must be one of: %s.", strings.Join(values, ", "))
}

var languagePattern = regexp.MustCompile(`^[A-Za-z]{2,8}(-[A-Za-z0-9]{1,8}){0,3}$`)

func languages(list []string, field string) ([]string, error) {
	if len(list) > MaxLanguages {
		return nil, fault.Limit(field, MaxLanguages, "There are more than %d languages; leave some out.", MaxLanguages)
	}
	var out []string
	for i, l := range list {
		if !languagePattern.MatchString(l) {
			return nil, fault.Invalid(fmt.Sprintf("%s[%d]", field, i), "Language %d is not a tag such as en or pt-BR.", i+1)
		}
		out = append(out, strings.ToLower(l))
	}
	slices.Sort(out)
	return slices.Compact(out), nil
}

func terms(list []string, field string) ([]string, error) {
	if len(list) > MaxTerms {
		return nil, fault.Limit(field, MaxTerms, "There are more than %d terms; leave some out.", MaxTerms)
	}
	var out []string
	for i, t := range list {
		at := fmt.Sprintf("%s[%d]", field, i)
		t = norm.NFC.String(strings.TrimSpace(t))
		if n := utf8.RuneCountInString(t); n < 1 || n > MaxTerm || strings.ContainsFunc(t, unicode.IsControl) {
			return nil, fault.Invalid(at, "Term %d must have 1 to %d characters and no control characters.", i+1, MaxTerm)
		}
		if err := checkTerm(t); err != nil {
			return nil, fault.Invalid(at, "Term %d is not a regular expression that can be used; write it as in /^word/ without large repeats, or leave the slashes out.", i+1).Wrap(err)
		}
		out = append(out, t)
	}
	return out, nil
}

// matcher is a compiled set of filters for one connection.
type matcher struct {
	f                *Filters
	own              string
	include, exclude []test
}

// test is one compiled term.
type test func(s *subject) bool

// subject is a post under test, with the texts that several terms need.
type subject struct {
	sns.Post
	text, lower string
}

// What of a post's text terms look at, in bytes. With maxExpression it bounds
// what a hostile term and a hostile post can cost together.
const (
	maxWords = 16 << 10
	maxText  = 4 << 10
)

// compile prepares filters that normalize has accepted. own is the connection's
// account, whose posts are exempt.
func (f *Filters) compile(own string) matcher {
	return matcher{f: f, own: own, include: compileTerms(f.Include), exclude: compileTerms(f.Exclude)}
}

func compileTerms(terms []string) (out []test) {
	for _, t := range terms {
		if test, err := compileTerm(t); err == nil {
			out = append(out, test)
		}
	}
	return out
}

func (m matcher) hides(p sns.Post) bool {
	boost := p.BoostedBy != nil
	if m.own != "" && strings.EqualFold(p.Author.Handle, m.own) && !boost {
		return false
	}
	switch {
	case m.f.HideBoosts && boost,
		m.f.HideReplies && p.ReplyTo != nil,
		m.f.HideQuotes && p.Quote != nil,
		m.f.OnlyMedia && len(p.Media) == 0,
		!m.speaks(p.Language):
		return true
	}
	if len(m.include)+len(m.exclude) == 0 || m.f.Scope == "boosts" && !boost {
		return false
	}
	s := newSubject(p)
	matches := func(t test) bool { return t(s) }
	if len(m.include) > 0 && !slices.ContainsFunc(m.include, matches) {
		return true
	}
	return slices.ContainsFunc(m.exclude, matches)
}

func (m matcher) speaks(language string) bool {
	if len(m.f.Languages) == 0 || language == "" {
		return true
	}
	l := strings.ToLower(language)
	return slices.ContainsFunc(m.f.Languages, func(want string) bool {
		return l == want || strings.HasPrefix(l, want+"-")
	})
}

// compileTerm makes the test of one term.
func compileTerm(t string) (test, error) {
	switch {
	case len(t) > 2 && t[0] == '/' && t[len(t)-1] == '/':
		re, err := compileExpression(t[1 : len(t)-1])
		if err != nil {
			return nil, err
		}
		return func(s *subject) bool { return re.MatchString(s.text[:min(len(s.text), maxText)]) }, nil
	case len(t) > 1 && t[0] == '#':
		return func(s *subject) bool { return hasTag(s.Post, t[1:]) }, nil
	case len(t) > 1 && t[0] == '@':
		return func(s *subject) bool { return names(s.Post, t) }, nil
	}
	want := strings.ToLower(t)
	return func(s *subject) bool { return strings.Contains(s.lower, want) }, nil
}

// newSubject gathers all the words of a post, those behind a warning too.
func newSubject(p sns.Post) *subject {
	var b strings.Builder
	for _, s := range []string{p.ContentWarning, p.Text} {
		b.WriteString(s + "\n")
	}
	for _, m := range p.Media {
		b.WriteString(m.Alt + "\n")
	}
	if p.Card != nil {
		b.WriteString(p.Card.Title + "\n")
	}
	if p.Quote != nil && p.Quote.Post != nil {
		b.WriteString(p.Quote.Post.Text)
	}
	text := b.String()
	text = norm.NFC.String(text[:min(len(text), maxWords)])
	return &subject{Post: p, text: text, lower: strings.ToLower(text)}
}

func hasTag(p sns.Post, tag string) bool {
	return slices.ContainsFunc(p.Hashtags, func(t string) bool { return strings.EqualFold(t, tag) })
}

// names reports whether the post is by, boosted by or mentions the handle; a
// handle without a host matches any host.
func names(p sns.Post, handle string) bool {
	same := func(h string) bool {
		return strings.EqualFold(h, handle) ||
			strings.Count(handle, "@") == 1 && len(h) > len(handle) && h[len(handle)] == '@' && strings.EqualFold(h[:len(handle)], handle)
	}
	if same(p.Author.Handle) || p.BoostedBy != nil && same(p.BoostedBy.Author.Handle) {
		return true
	}
	return slices.ContainsFunc(p.Mentions, func(m sns.Mention) bool { return same(m.Handle) })
}
