package mastodon

import (
	"net/url"
	"strings"
)

// maxLink bounds how much of the Link headers is read, in bytes.
const maxLink = 16 << 10

// nextID returns the max_id of the link with relation next, and whether there is
// such a link at all. Only the id is taken: the link may name another host or
// http, and Mastodon's own drops half of the query.
func nextID(headers []string) (id string, said bool) {
	rest := strings.Join(headers, ", ")
	rest = rest[:min(len(rest), maxLink)]
	for {
		_, after, ok := strings.Cut(rest, "<")
		if !ok {
			return "", said
		}
		target, params, ok := strings.Cut(after, ">")
		if !ok {
			return "", said
		}
		var next bool
		next, rest = linkParams(params)
		said = said || next
		if id := linkID(target); next && id != "" {
			return id, true
		}
	}
}

// linkParams reads the parameters of one link and reports whether it is the
// next one. rest is what stands behind the link. Commas and semicolons within
// quotes are part of a value.
func linkParams(s string) (next bool, rest string) {
	for s != "" && s[0] != ',' {
		s = strings.TrimLeft(s, "; \t")
		end := strings.IndexAny(s, "=;,")
		if end < 0 {
			return next, ""
		}
		name := strings.TrimSpace(s[:end])
		if s[end] != '=' {
			s = s[end:]
			continue
		}
		var value string
		value, s = linkValue(strings.TrimLeft(s[end+1:], " \t"))
		if strings.EqualFold(name, "rel") && hasRelation(value, "next") {
			next = true
		}
	}
	return next, strings.TrimPrefix(s, ",")
}

// linkValue reads a value, quoted or not, up to the next separator.
func linkValue(s string) (value, rest string) {
	if quoted, ok := strings.CutPrefix(s, `"`); ok {
		value, rest, _ = strings.Cut(quoted, `"`)
		end := strings.IndexAny(rest, ";,")
		if end < 0 {
			return value, ""
		}
		return value, rest[end:]
	}
	end := strings.IndexAny(s, ";,")
	if end < 0 {
		return strings.TrimSpace(s), ""
	}
	return strings.TrimSpace(s[:end]), s[end:]
}

func hasRelation(value, relation string) bool {
	for word := range strings.FieldsSeq(value) {
		if strings.EqualFold(word, relation) {
			return true
		}
	}
	return false
}

// linkID returns the max_id in a link's target, relative or not.
func linkID(target string) string {
	_, query, ok := strings.Cut(strings.TrimSpace(target), "?")
	if !ok {
		return ""
	}
	query, _, _ = strings.Cut(query, "#")
	values, _ := url.ParseQuery(query) // what could be read counts
	return values.Get("max_id")
}
