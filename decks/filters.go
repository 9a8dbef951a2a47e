package decks

import (
	"fmt"
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
	return "", fault.Invalid(field, "%s must be one of: %s.", field, strings.Join(values, ", "))
}

var languagePattern = regexp.MustCompile(`^[A-Za-z]{2,8}(-[A-Za-z0-9]{1,8}){0,3}$`)

func languages(list []string, field string) ([]string, error) {
	if len(list) > MaxLanguages {
		return nil, fault.Limit(field, MaxLanguages, "%s has more than %d languages.", field, MaxLanguages)
	}
	var out []string
	for i, l := range list {
		if !languagePattern.MatchString(l) {
			at := fmt.Sprintf("%s[%d]", field, i)
			return nil, fault.Invalid(at, "%s is not a language tag such as en or pt-BR.", at)
		}
		out = append(out, strings.ToLower(l))
	}
	slices.Sort(out)
	return slices.Compact(out), nil
}

func terms(list []string, field string) ([]string, error) {
	if len(list) > MaxTerms {
		return nil, fault.Limit(field, MaxTerms, "%s has more than %d terms.", field, MaxTerms)
	}
	var out []string
	for i, t := range list {
		at := fmt.Sprintf("%s[%d]", field, i)
		t = norm.NFC.String(strings.TrimSpace(t))
		if n := utf8.RuneCountInString(t); n < 1 || n > MaxTerm || strings.ContainsFunc(t, unicode.IsControl) {
			return nil, fault.Invalid(at, "%s must have 1 to %d characters and no control characters.", at, MaxTerm)
		}
		if _, err := compileTerm(t); err != nil {
			return nil, fault.Invalid(at, "%s is not a regular expression; write it as in /^word/ or leave the slashes out.", at).Wrap(err)
		}
		out = append(out, t)
	}
	return out, nil
}

// matcher is a compiled set of filters for one connection.
type matcher struct {
	f                *Filters
	own              string
	include, exclude []func(sns.Post) bool
}

// compile prepares filters that normalize has accepted. own is the connection's
// account, whose posts are exempt.
func (f *Filters) compile(own string) matcher {
	m := matcher{f: f, own: own}
	for _, t := range f.Include {
		if test, err := compileTerm(t); err == nil {
			m.include = append(m.include, test)
		}
	}
	for _, t := range f.Exclude {
		if test, err := compileTerm(t); err == nil {
			m.exclude = append(m.exclude, test)
		}
	}
	return m
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
	if m.f.Scope == "boosts" && !boost {
		return false
	}
	matches := func(test func(sns.Post) bool) bool { return test(p) }
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

// compileTerm makes the test of one term. Go's regular expressions take linear
// time, so a term cannot stall the server.
func compileTerm(t string) (func(sns.Post) bool, error) {
	switch {
	case len(t) > 2 && t[0] == '/' && t[len(t)-1] == '/':
		re, err := regexp.Compile("(?i)" + t[1:len(t)-1])
		if err != nil {
			return nil, err
		}
		return func(p sns.Post) bool { return re.MatchString(searchable(p)) }, nil
	case len(t) > 1 && t[0] == '#':
		return func(p sns.Post) bool { return hasTag(p, t[1:]) }, nil
	case len(t) > 1 && t[0] == '@':
		return func(p sns.Post) bool { return names(p, t) }, nil
	}
	want := strings.ToLower(t)
	return func(p sns.Post) bool { return strings.Contains(strings.ToLower(searchable(p)), want) }, nil
}

// searchable is all the words of a post, those behind a warning too.
func searchable(p sns.Post) string {
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
	return norm.NFC.String(b.String())
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
