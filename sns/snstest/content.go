package snstest

import (
	"html"
	"net/url"
	"regexp"
	"slices"
	"strings"
	"unicode"
	"unicode/utf8"

	"golang.org/x/text/unicode/norm"
)

// linker returns where the pages of a host are: https://host, or the mock
// itself. host is "" for the server's own.
type linker func(host string) string

// domainOf is the linker for stored content. Content is rendered once, so with
// LinkToSelf it holds a mark that wire replaces by the request's origin.
func (m *Mastodon) domainOf(host string) string {
	if m.opts.LinkToSelf {
		return selfMark
	}
	if host == "" {
		host = m.opts.Domain
	}
	return "https://" + host
}

// selfMark stands for the mock's own origin until a request tells it.
const selfMark = "https://self.invalid"

type renderer struct {
	store *store
	link  linker

	tags      []string
	mentioned []string
}

var (
	marks   = regexp.MustCompile(`https?://[^\s<>"]+[^\s<>".,;:!?)»]|[#＃][\p{L}\p{M}\p{Nd}\p{Pc}·・]+|@[A-Za-z0-9_]+(?:@[A-Za-z0-9.-]+[A-Za-z0-9])?`)
	tagName = regexp.MustCompile(`^(?:[\p{L}\p{M}\p{Nd}\p{Pc}][\p{L}\p{M}\p{Nd}\p{Pc}·・\x{200C}]*[\p{L}\p{M}_·・\x{200C}][\p{L}\p{M}\p{Nd}\p{Pc}·・\x{200C}]*[\p{L}\p{M}\p{Nd}\p{Pc}]|[\p{L}\p{M}\p{Nd}\p{Pc}]*[\p{L}\p{M}][\p{L}\p{M}\p{Nd}\p{Pc}]*)$`)
)

func (r *renderer) content(st *status) (body string, tags, mentioned []string) {
	var b strings.Builder
	if st.Quote != nil {
		q := r.store.byID[st.Quote.ID]
		u := r.pageOf(q.author) + "/" + q.id
		b.WriteString(`<p class="quote-inline">RE: <a href="` + u + `" rel="nofollow noopener" target="_blank">` + u + `</a></p>`)
	}
	for para := range strings.SplitSeq(st.Text, "\n\n") {
		if para != "" {
			b.WriteString("<p>" + r.paragraph(para) + "</p>")
		}
	}
	if st.HTML != "" {
		return st.HTML, r.tags, r.mentioned
	}
	return b.String(), r.tags, r.mentioned
}

func (r *renderer) paragraph(text string) string {
	var b strings.Builder
	end := 0
	for _, at := range marks.FindAllStringIndex(text, -1) {
		prev, _ := utf8.DecodeLastRuneInString(text[:at[0]])
		if unicode.IsLetter(prev) && prev < 0x300 || prev == '/' || prev == '&' {
			continue // inside a word or an address
		}
		b.WriteString(escapeText(text[end:at[0]]))
		b.WriteString(r.token(text[at[0]:at[1]]))
		end = at[1]
	}
	b.WriteString(escapeText(text[end:]))
	return strings.ReplaceAll(b.String(), "\n", "<br />")
}

func (r *renderer) token(t string) string {
	switch {
	case strings.HasPrefix(t, "http"):
		return shortLink(t)
	case strings.HasPrefix(t, "@"):
		return r.mention(t[1:])
	default:
		return r.tag(t)
	}
}

func (r *renderer) tag(t string) string {
	sign, size := utf8.DecodeRuneInString(t)
	name := t[size:]
	if !tagName.MatchString(name) {
		return escapeText(t)
	}
	norm := normalizeTag(name)
	if !slices.Contains(r.tags, norm) {
		r.tags = append(r.tags, norm)
	}
	return `<a href="` + r.link("") + "/tags/" + url.PathEscape(norm) + `" class="mention hashtag" rel="tag">` + string(sign) + "<span>" + name + "</span></a>"
}

func (r *renderer) mention(acct string) string {
	a := r.store.accounts[acct]
	if a == nil {
		return "@" + acct
	}
	if !slices.Contains(r.mentioned, a.Acct) {
		r.mentioned = append(r.mentioned, a.Acct)
	}
	return `<span class="h-card" translate="no"><a href="` + r.pageOf(a) + `" class="u-url mention">@<span>` + a.username() + "</span></a></span>"
}

func (r *renderer) pageOf(a *account) string {
	base := r.link("")
	name, host, remote := strings.Cut(a.Acct, "@")
	if remote && base != selfMark {
		return r.link(host) + "/@" + name
	}
	return base + "/@" + a.Acct
}

// shortLink writes a link as Mastodon does: the scheme and what follows the
// 30th character are there, but not to be shown.
func shortLink(raw string) string {
	esc := html.EscapeString(raw)
	scheme, rest, _ := strings.Cut(raw, "://")
	scheme += "://"
	if after, ok := strings.CutPrefix(rest, "www."); ok {
		scheme, rest = scheme+"www.", after
	}
	shown, hidden := []rune(rest), ""
	class := ""
	if len(shown) > 30 {
		hidden, shown = string(shown[30:]), shown[:30]
		class = "ellipsis"
	}
	return `<a href="` + esc + `" target="_blank" rel="nofollow noopener" translate="no"><span class="invisible">` + scheme +
		`</span><span class="` + class + `">` + html.EscapeString(string(shown)) + `</span><span class="invisible">` + html.EscapeString(hidden) + `</span></a>`
}

func escapeText(s string) string {
	return strings.NewReplacer("&", "&amp;", "<", "&lt;", ">", "&gt;", `"`, "&quot;").Replace(s)
}

// normalizeTag is the server's own form of a hashtag: NFKC, lower case, Latin
// letters without their marks.
func normalizeTag(name string) string {
	var b strings.Builder
	last := rune(0)
	for _, c := range norm.NFKD.String(name) {
		if unicode.Is(unicode.Mn, c) && last < 0x80 {
			continue
		}
		b.WriteRune(c)
		last = c
	}
	return norm.NFKC.String(strings.ToLower(b.String()))
}
