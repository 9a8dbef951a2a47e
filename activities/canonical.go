package activities

import (
	"net/url"
	"regexp"
	"slices"
	"strings"

	"personal-workspace/internal/egress"
	"personal-workspace/internal/fault"
)

// MaxURL is the longest address of a source, in bytes, as given and in its
// canonical spelling.
const MaxURL = 2048

// CanonicalURL returns the one spelling that all addresses of a thing share. It
// is a key, to be compared and never opened: what it leaves out may be needed to
// reach the page. docs/activities.md has the rules. An address that is none of
// the web's is an invalid_arguments fault for the field url.
func CanonicalURL(raw string) (string, error) {
	raw = strings.TrimSpace(raw)
	if len(raw) > MaxURL {
		return "", longURL()
	}
	u, err := url.Parse(raw)
	if err != nil || u.Opaque != "" || u.Host == "" || u.Scheme != "https" && u.Scheme != "http" {
		return "", fault.Invalid("url", "The address is not a readable one of the web; give it in full, as in https://host/path.")
	}
	if u.User != nil {
		return "", fault.Invalid("url", "The address has a user name or a password in it; give it without.")
	}
	origin, err := canonicalOrigin(u)
	if err != nil {
		return "", fault.Invalid("url", "The address has no valid host; check its spelling.")
	}
	out := canonicalAddress(origin, u)
	if len(out) > MaxURL {
		return "", longURL()
	}
	return out, nil
}

func longURL() error {
	return fault.Limit("url", MaxURL, "The address is longer than %d bytes; give a shorter one of the same page.", MaxURL)
}

// canonicalOrigin is https://host[:port]: http is the same place, and so are
// the two default ports.
func canonicalOrigin(u *url.URL) (string, error) {
	origin, err := egress.CanonicalOrigin(u.Scheme + "://" + u.Host)
	if err != nil {
		return "", err
	}
	_, rest, _ := strings.Cut(origin, "://")
	if u.Scheme == "http" {
		rest = strings.TrimSuffix(rest, ":443")
	}
	if slices.Contains(hostsOfX, rest) {
		rest = hostOfX
	}
	return "https://" + rest, nil
}

// Names that X has for one and the same site.
const hostOfX = "x.com"

var hostsOfX = []string{
	"www.x.com", "mobile.x.com", "m.x.com",
	"twitter.com", "www.twitter.com", "mobile.twitter.com", "m.twitter.com",
}

func canonicalAddress(origin string, u *url.URL) string {
	path, fragment := u.EscapedPath(), ""
	switch f := u.EscapedFragment(); {
	case origin == "https://"+hostOfX && strings.HasPrefix(f, "!/"):
		path = f[1:] // how X wrote its addresses until 2012
	case strings.HasPrefix(f, "/"), strings.HasPrefix(f, "!"):
		fragment = "#" + f // a page within the page, not a place on it
	}
	segments := cleanPath(path)
	post := postPath
	if origin == "https://"+hostOfX {
		post = pathOnX
		if len(segments) == 1 {
			segments[0] = strings.ToLower(segments[0]) // an account's name has no case
		}
	}
	if p, ok := post(segments); ok {
		return origin + p
	}
	return origin + joinPath(segments) + cleanQuery(u.RawQuery) + fragment
}

// cleanPath returns the decoded segments of a path, without empty ones, "." and
// "..".
func cleanPath(escaped string) (segments []string) {
	for s := range strings.SplitSeq(escaped, "/") {
		if plain, err := url.PathUnescape(s); err == nil {
			s = plain
		}
		switch s {
		case "", ".":
		case "..":
			segments = segments[:max(0, len(segments)-1)]
		default:
			segments = append(segments, s)
		}
	}
	return segments
}

func joinPath(segments []string) string {
	var b strings.Builder
	for _, s := range segments {
		b.WriteString("/" + url.PathEscape(s))
	}
	if b.Len() == 0 {
		return "/"
	}
	return b.String()
}

// tracking are the parameters that tell how a reader came to a page, not which
// page it is; those that begin with utm_ are more.
var tracking = []string{
	"_ga", "_gl", "_hsenc", "_hsmi", "dclid", "fbclid", "gbraid", "gclid", "gclsrc", "igsh", "igshid",
	"li_fat_id", "mc_cid", "mc_eid", "mkt_tok", "msclkid", "oly_anon_id", "oly_enc_id", "ref_src", "ref_url",
	"srsltid", "ttclid", "twclid", "vero_id", "wbraid", "wickedid", "yclid",
}

// cleanQuery returns the query with its mark, sorted by name and without what
// only tracks, or nothing.
func cleanQuery(raw string) string {
	type pair struct{ name, value string }
	var kept []pair
	for p := range strings.SplitSeq(raw, "&") {
		name, value, _ := strings.Cut(p, "=")
		name, value = unescapeQuery(name), unescapeQuery(value)
		lower := strings.ToLower(name)
		if p == "" || strings.HasPrefix(lower, "utm_") || slices.Contains(tracking, lower) {
			continue
		}
		kept = append(kept, pair{name, value})
	}
	slices.SortStableFunc(kept, func(a, b pair) int { return strings.Compare(a.name, b.name) })
	var b strings.Builder
	for i, p := range kept {
		b.WriteString([]string{"?", "&"}[min(i, 1)] + url.QueryEscape(p.name) + "=" + url.QueryEscape(p.value))
	}
	return b.String()
}

// unescapeQuery takes a broken escape for the signs it is made of, as browsers do.
func unescapeQuery(s string) string {
	if plain, err := url.QueryUnescape(s); err == nil {
		return plain
	}
	return s
}

var (
	digits = regexp.MustCompile(`^[0-9]{1,20}$`)
	// A post's own id: a number, or a ULID as GoToSocial has.
	postID = regexp.MustCompile(`^([0-9]{1,20}|[0-7][0-9A-HJKMNP-TV-Z]{25})$`)
	userID = regexp.MustCompile(`^[A-Za-z0-9_]([A-Za-z0-9_.-]*[A-Za-z0-9_])?(@[A-Za-z0-9.-]+)?$`)
)

// pathOnX returns the path of a post of X, which its number alone decides.
func pathOnX(segments []string) (string, bool) {
	i := slices.IndexFunc(segments, func(s string) bool { return s == "status" || s == "statuses" })
	if i < 0 || i > 2 || i+1 >= len(segments) || !digits.MatchString(segments[i+1]) {
		return "", false
	}
	return "/i/status/" + segments[i+1], true
}

// longID is the length from which a number is one of a whole server: Mastodon
// makes them of the time, in eighteen digits. Shorter ones may count the posts
// of one author, on other software.
const longID = 15

// postPath returns the path of a post of Mastodon or a like server.
func postPath(segments []string) (string, bool) {
	if len(segments) > 0 && (segments[0] == "web" || segments[0] == "deck") {
		segments = segments[1:] // its pages of before version 4, and of many columns
	}
	user, id := authorAndPost(segments)
	switch {
	case !postID.MatchString(id):
		return "", false
	case len(id) >= longID:
		return "/statuses/" + id, true
	case !userID.MatchString(user):
		return "", false
	}
	return "/@" + strings.ToLower(user) + "/" + id, true
}

// postPages are what a post's address can have behind it and still be the post.
var postPages = []string{"activity", "embed", "favourites", "quotes", "reblogs"}

// authorAndPost splits the paths /@user/id, /@user/statuses/id,
// /users/user/statuses/id, /ap/users/number/statuses/id and /statuses/id.
func authorAndPost(s []string) (user, id string) {
	if n := len(s); n > 2 && slices.Contains(postPages, s[n-1]) {
		s = s[:n-1]
	}
	switch {
	case len(s) == 2 && s[0] == "statuses":
		return "", s[1]
	case len(s) == 5 && s[0] == "ap" && s[1] == "users" && s[3] == "statuses":
		return "", s[4]
	case len(s) == 4 && s[0] == "users" && s[2] == "statuses":
		return s[1], s[3]
	case len(s) == 3 && strings.HasPrefix(s[0], "@") && s[1] == "statuses":
		return s[0][1:], s[2]
	case len(s) == 2 && strings.HasPrefix(s[0], "@"):
		return s[0][1:], s[1]
	}
	return "", ""
}
