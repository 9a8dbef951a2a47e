package mastodon

import (
	"slices"
	"strings"
	"unicode"
	"unicode/utf8"

	"golang.org/x/text/unicode/norm"

	"personal-workspace/sns"
)

// Servers ignore what they do not know: GoToSocial answers a request for posts
// with pictures, or with a second hashtag, with all posts. So what narrows a
// source is applied here again.

// fits reports whether a status, mapped to p, is one that the source asks for.
func (m *mapper) fits(s sns.Source, st *status, p sns.Post) bool {
	switch {
	case s.OnlyMedia && len(p.Media) == 0,
		s.RemoteOnly && isLocal(st),
		(s.LocalOnly || s.Kind == sns.KindLocal) && m.isRemote(st),
		s.ExcludeBoosts && st.Boosted != nil,
		s.ExcludeReplies && isReply(st):
		return false
	case len(s.All) == 0 && len(s.None) == 0:
		return true
	}
	tags := tagsOf(st, p)
	return !slices.ContainsFunc(s.All, func(name string) bool { return !tags[foldTag(name)] }) &&
		!slices.ContainsFunc(s.None, func(name string) bool { return tags[foldTag(name)] })
}

// isLocal reports whether the author is of the server itself, which names its
// own accounts without a host.
func isLocal(st *status) bool {
	return !strings.Contains(st.Account.Acct, "@") && st.Account.Acct != ""
}

// isRemote reports whether the author is of another server: named with a host,
// and with a page somewhere else.
func (m *mapper) isRemote(st *status) bool {
	return strings.Contains(st.Account.Acct, "@") && m.publicHost(st.Account.URL) != m.host
}

// isReply reports whether a status answers somebody else. Mastodon shows what an
// account answers to itself among its posts.
func isReply(st *status) bool {
	return st.InReplyToID != "" && st.InReplyToAccountID != "" && st.InReplyToAccountID != st.Account.ID
}

// tagsOf are the hashtags of a status in the form of foldTag: those the server
// lists and those in the text.
func tagsOf(st *status, p sns.Post) map[string]bool {
	tags := map[string]bool{}
	for _, t := range st.Tags {
		tags[foldTag(t.Name)] = true
	}
	for _, name := range p.Hashtags {
		tags[foldTag(name)] = true
	}
	return tags
}

// latinLetters are letters that Mastodon folds and Unicode does not decompose.
var latinLetters = map[rune]rune{'ø': 'o', 'đ': 'd', 'ð': 'd', 'ħ': 'h', 'ı': 'i', 'ł': 'l', 'ŧ': 't', 'ß': 's', 'ŋ': 'n', 'ĸ': 'k'}

// foldTag is the form in which Mastodon compares names: without case, width and
// the marks of Latin letters. Other scripts keep theirs.
func foldTag(name string) string {
	var b strings.Builder
	for _, r := range norm.NFKC.String(strings.ToLower(norm.NFKC.String(strings.TrimPrefix(name, "#")))) {
		if plain, ok := latinLetters[r]; ok {
			r = plain
		}
		if !unicode.Is(unicode.Latin, r) {
			b.WriteRune(r)
			continue
		}
		first, _ := utf8.DecodeRuneInString(norm.NFD.String(string(r)))
		b.WriteRune(first)
	}
	return b.String()
}
