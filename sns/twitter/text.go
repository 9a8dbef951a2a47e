package twitter

import (
	"slices"
	"strings"

	"personal-workspace/internal/richtext"
	"personal-workspace/sns"
)

const (
	// maxShortAddresses is how many short addresses of a text are replaced.
	maxShortAddresses = 64
	// maxRaw is how much of a text is looked at, in bytes: what is longer is cut
	// either way.
	maxRaw = 4 * sns.MaxText
	// maxShort is the longest short address, in bytes: those of X have 23.
	maxShort = 256
)

// unescapeText undoes the three escapes of a tweet's own text, each once. The
// text of a note has none.
var unescapeText = strings.NewReplacer("&amp;", "&", "&lt;", "<", "&gt;", ">")

// text sets the plain text and what is more in it, and returns what the short
// addresses of the tweet stand for.
func (m *mapper) text(p *sns.Post, t value) map[string]string {
	legacy := t.get("legacy")
	note := t.get("note_tweet", "note_tweet_results", "result")
	entities := []value{legacy.get("entities")}
	raw := note.get("text").str()
	if raw == "" {
		raw = unescapeText.Replace(legacy.get("full_text").str())
	} else {
		entities = []value{note.get("entity_set"), legacy.get("entities")}
	}
	short := shortAddresses(entities)
	dropped := mediaAddresses(legacy)
	var links []sns.Link
	raw, long := richtext.Cut(raw, maxRaw)
	raw, links = expand(raw, short, dropped)
	p.Text, p.TextTruncated = richtext.Cut(richtext.Lines(raw), sns.MaxText)
	p.TextTruncated = p.TextTruncated || long
	for _, l := range links {
		if len(p.Links) < sns.MaxLinks && !slices.Contains(p.Links, l) && strings.Contains(p.Text, l.Text) {
			p.Links = append(p.Links, l)
		}
	}
	p.Mentions = mentions(entities, p.Text)
	p.Hashtags = hashtags(entities)
	return short
}

// shortAddresses are the short addresses of a tweet with what they stand for, ""
// where that is no address of a page.
func shortAddresses(entities []value) map[string]string {
	short := map[string]string{}
	for _, e := range entities {
		for u := range e.get("urls").elements() {
			from, to := u.get("url").str(), richtext.SafeURL(u.get("expanded_url").str())
			if _, known := short[from]; !known && isShort(from) && len(short) < maxShortAddresses {
				short[from] = to
			}
		}
	}
	return short
}

// mediaAddresses are the short addresses in a text that stand for its own media.
func mediaAddresses(legacy value) []string {
	var out []string
	for a := range mediaOf(legacy).elements() {
		if u := a.get("url").str(); isShort(u) && len(out) < sns.MaxMedia && !slices.Contains(out, u) {
			out = append(out, u)
		}
	}
	return out
}

// expand replaces the short addresses of a text and drops those of its media. It
// goes by the addresses: the places that X gives count the signs of a text in
// which & was still written &amp;.
func expand(s string, short map[string]string, dropped []string) (string, []sns.Link) {
	from := slices.Concat(dropped, sortedKeys(short))
	// The longer first: one may be the beginning of another.
	slices.SortStableFunc(from, func(a, b string) int { return len(b) - len(a) })
	if len(from) == 0 {
		return s, nil
	}
	var b strings.Builder
	var links []sns.Link
	for len(s) > 0 {
		i, found := nextOf(s, from)
		if i < 0 {
			break
		}
		b.WriteString(s[:i])
		s = s[i+len(found):]
		switch to := short[found]; {
		case slices.Contains(dropped, found):
		case to == "":
			b.WriteString(found)
		default:
			b.WriteString(to)
			links = append(links, sns.Link{Text: to, URL: to})
		}
	}
	b.WriteString(s)
	return b.String(), links
}

// nextOf finds the first of some addresses in s, the first of them where several
// begin. It looks only where an address can begin: what is not there is not
// looked for in the whole of a long text again and again.
func nextOf(s string, addresses []string) (at int, address string) {
	for {
		i := strings.Index(s[at:], scheme)
		if i < 0 {
			return -1, ""
		}
		at += i
		for _, a := range addresses {
			if strings.HasPrefix(s[at:], a) {
				return at, a
			}
		}
		at += len(scheme)
	}
}

// scheme is how an address begins, whether http or https.
const scheme = "http"

// isShort reports whether a text can be an address that stands in a tweet for
// another.
func isShort(s string) bool { return strings.HasPrefix(s, scheme) && len(s) <= maxShort }

func sortedKeys(m map[string]string) []string {
	keys := make([]string, 0, len(m))
	for k := range m {
		keys = append(keys, k)
	}
	slices.Sort(keys)
	return keys
}

// mentions are the accounts that a text names.
func mentions(entities []value, body string) []sns.Mention {
	var out []sns.Mention
	for _, e := range entities {
		for u := range e.get("user_mentions").elements() {
			name := u.get("screen_name").str()
			m := sns.Mention{Handle: "@" + name, URL: "https://x.com/" + name}
			if !isName(name) || len(out) == sns.MaxMentions || slices.ContainsFunc(out, func(o sns.Mention) bool { return o.Handle == m.Handle }) {
				continue
			}
			if strings.Contains(body, m.Handle) {
				m.Text = m.Handle
			}
			out = append(out, m)
		}
	}
	return out
}

// hashtags are the hashtags that X found in a text.
func hashtags(entities []value) []string {
	var names []string
	for _, e := range entities {
		for h := range e.get("hashtags").elements() {
			names = append(names, h.get("text").str())
		}
	}
	return sns.CleanHashtags(names)
}
