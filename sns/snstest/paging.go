package snstest

import (
	"fmt"
	"net/http"
	"net/url"
	"slices"
	"strconv"
	"strings"
)

// query is one request to a route that reads, with the view it is answered
// from. It is used with Mastodon.mu held.
type query struct {
	view
	r    *http.Request
	args url.Values
	// scopes are those of the presented token.
	scopes []string
	// repeats: the last page of this timeline is filled up with earlier entries.
	repeats bool
	// link is filled by paged: the Link header's parts.
	prev, next string
	full       bool
	bad        bool
}

func (q *query) get(name string) string { return q.args.Get(name) }

// list returns the values of name[] or name.
func (q *query) list(name string) []string {
	return slices.Concat(q.args[name+"[]"], q.args[name])
}

// yes reports whether a boolean parameter is set as Mastodon understands it.
func (q *query) yes(name string) bool {
	switch strings.ToLower(q.args.Get(name)) {
	case "true", "t", "1", "on":
		return true
	}
	return false
}

// limit is the wanted number of entries, clamped.
func (q *query) limit(standard, most int) int {
	raw := q.args.Get("limit")
	if raw == "" {
		return standard
	}
	n, err := strconv.Atoi(raw)
	if err != nil {
		q.bad = q.quirks.StrictLimit
		return standard
	}
	if n == 0 && q.quirks.ZeroLimit {
		return standard
	}
	if n < 1 {
		return 1
	}
	return min(n, most)
}

// statusPlace finds the place of a status id. An id that cannot be one of the
// server's is not found, and the parameter is then ignored: a wrong cursor
// silently starts again at the newest page.
func (q *query) statusPlace(id string) (place, bool) {
	if st := q.store.byID[id]; st != nil {
		return st.place, true
	}
	if p, ok := q.store.gone[id]; ok {
		return p, true
	}
	if !q.store.ids.plausible(id) {
		return place{}, false
	}
	// The first status with a lower id tells where an unknown one belongs.
	for _, st := range q.store.statuses {
		if q.store.ids.plausible(st.id) && compareIDs(st.id, id) < 0 {
			return place{st.at, st.seq + 1}, true
		}
	}
	return place{}, true
}

// numberPlace is the place of an internal id.
func (q *query) numberPlace(id string) (place, bool) {
	if n, err := strconv.ParseInt(id, 10, 64); err == nil {
		return place{n, 0}, true
	}
	if !ULID.plausible(id) {
		return place{}, false
	}
	var n int64
	for _, c := range id[len(id)-8:] {
		n = n<<5 | int64(strings.IndexRune(crockford, c))
	}
	return place{n, 0}, true
}

// paged cuts the page that max_id, since_id, min_id and limit ask for out of
// items, newest first, and notes the Link header.
func paged[T any](q *query, items []T, standard, most int, id func(T) string, where func(string) (place, bool)) []T {
	limit := q.limit(standard, most)
	at := func(item T) place {
		p, _ := where(id(item))
		return p
	}
	if p, ok := where(q.get("max_id")); ok && q.get("max_id") != "" {
		items = slices.DeleteFunc(slices.Clone(items), func(item T) bool { return !at(item).before(p) })
	}
	lower := q.get("since_id")
	if q.get("min_id") != "" {
		lower = q.get("min_id")
	}
	if p, ok := where(lower); ok && lower != "" {
		items = slices.DeleteFunc(slices.Clone(items), func(item T) bool { return !p.before(at(item)) })
	}
	q.full = len(items) >= limit
	switch {
	case len(items) <= limit:
	case q.get("min_id") != "": // the ones just above
		items = items[len(items)-limit:]
	default:
		items = items[:limit]
	}
	if len(items) > 0 {
		q.prev, q.next = id(items[0]), id(items[len(items)-1])
	}
	return items
}

// linkValues returns the values of the Link header for the request, none when
// the page was empty. keep names the parameters that the server repeats.
func (q *query) linkValues(keep []string) []string {
	if q.next == "" || q.quirks.NoLink {
		return nil
	}
	prev, next := "min_id="+q.prev, "max_id="+q.next
	if q.quirks.LinkOffset {
		offset, _ := strconv.Atoi(q.get("offset"))
		next = "offset=" + strconv.Itoa(offset+20)
	}
	prevLink, nextLink := q.linkValue(keep, prev, "prev"), q.linkValue(keep, next, "next")
	switch {
	case q.quirks.LinkFullOnly && !q.full:
		return []string{prevLink}
	case q.quirks.LinkTwoHeaders:
		return []string{prevLink, nextLink}
	}
	return []string{nextLink + ", " + prevLink}
}

func (q *query) linkValue(keep []string, cursor, rel string) string {
	var params []string
	for _, name := range keep {
		for _, v := range q.args[name] {
			params = append(params, url.QueryEscape(name)+"="+url.QueryEscape(v))
		}
	}
	if q.quirks.LinkLimit != "" {
		params = append(params, "limit="+q.quirks.LinkLimit)
	} else if l := q.get("limit"); l != "" {
		params = append(params, "limit="+url.QueryEscape(l))
	}
	if q.quirks.LinkExtra != "" {
		params = append(params, q.quirks.LinkExtra)
	}
	params = append(params, cursor)
	quoted := `rel="` + rel + `"`
	switch {
	case q.quirks.LinkUnquoted:
		quoted = "rel=" + rel
	case q.quirks.LinkUpper:
		quoted = `REL="` + strings.ToUpper(rel) + `"`
	}
	value := fmt.Sprintf("<%s%s?%s>; %s", q.linkBase(), q.r.URL.EscapedPath(), strings.Join(params, "&"), quoted)
	if q.quirks.LinkSemicolon {
		value += ";"
	}
	return value
}

func (q *query) linkBase() string {
	switch {
	case q.quirks.LinkRelative:
		return ""
	case q.quirks.LinkPlain:
		host := q.quirks.LinkHost
		if host == "" {
			host = "elsewhere.example"
		}
		return "http://" + host
	case q.quirks.LinkHost != "":
		return "https://" + q.quirks.LinkHost
	}
	return q.base
}
