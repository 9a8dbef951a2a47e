package sns

import (
	"fmt"
	"regexp"
	"slices"
	"strings"
	"unicode"
	"unicode/utf8"

	"golang.org/x/text/unicode/norm"

	"personal-workspace/internal/egress"
	"personal-workspace/internal/fault"
)

// Limits of a source's members.
const (
	// MaxTag is the longest hashtag, in code points.
	MaxTag = 100
	// MaxQuery is the longest search, in code points.
	MaxQuery = 500
	// MaxAny, MaxAll and MaxNone are how many names narrow a hashtag: a
	// Mastodon server uses no more, and counts the tag itself among the first.
	MaxAny  = 3
	MaxAll  = 4
	MaxNone = 4
)

var (
	idPattern = regexp.MustCompile(`^[A-Za-z0-9][A-Za-z0-9_.:~-]{0,127}$`)
	// hashtagPattern is Mastodon's own rule in RE2's words: letters, marks,
	// digits and connectors, one letter at least, and between them also the
	// middle dots and the zero-width non-joiner.
	hashtagPattern = regexp.MustCompile(`^(?:[` + tagWord + `][` + tagWord + tagJoin + `]*[\p{L}\p{M}` + tagJoin + `][` + tagWord + tagJoin + `]*[` + tagWord + `]` +
		`|[` + tagWord + `]*[\p{L}\p{M}][` + tagWord + `]*)$`)
	userPattern    = regexp.MustCompile(`^[\p{L}\p{N}_][\p{L}\p{N}_.-]{0,63}$`)
	xUserPattern   = regexp.MustCompile(`^@?[A-Za-z0-9_]{1,15}$`)
	xNumberPattern = regexp.MustCompile(`^[0-9]{1,20}$`)
)

const (
	tagWord = `\p{L}\p{M}\p{Nd}\p{Pc}`
	tagJoin = "_\u00b7\u30fb\u200c"
)

// ValidID reports whether an id of a network may be sent back to it as part of
// a path: ids are opaque, but none holds a slash or climbs.
func ValidID(id string) bool {
	return idPattern.MatchString(id) && !strings.Contains(id, "..")
}

// ValidTag reports whether name, without its sign, can be a hashtag.
func ValidTag(name string) bool {
	return utf8.RuneCountInString(name) <= MaxTag && hashtagPattern.MatchString(name)
}

// ValidateSource checks a source that is to be saved for the connection and
// returns its normal form. The fault is invalid_source (unsupported for a kind
// this server lacks) and names the member below field, such as "source.tag".
func (s *Service) ValidateSource(c Connection, src Source, field string) (Source, error) {
	if rules(c.Network)[src.Kind].needs == "postId" {
		return Source{}, invalidSource(field+".kind", "A %s source can be fetched but not saved; use another kind.", src.Kind)
	}
	return s.validate(c, src, field)
}

// validate is ValidateSource for sources that are fetched: it accepts those
// that cannot be saved.
func (s *Service) validate(c Connection, src Source, field string) (Source, error) {
	n, err := src.normalize(c.Network, s.hostsWithPort(c), field)
	if err != nil {
		return Source{}, err
	}
	if n.Kind == KindSeen {
		return Source{}, fault.New(fault.Unsupported, "Searching what was seen before is not possible yet; use another kind of source.").
			With(fault.DetailCapability, "seen").With(fault.DetailField, field+".kind")
	}
	table := kindTable(rules(c.Network))
	if !c.Login && !table[n.Kind].public {
		return Source{}, invalidSource(field+".kind", "%s is read without login and has no %s; sign in to it, or use one of: %s.",
			c.Account, n.Kind, table.names(func(k Kind, r kindRule) bool { return r.public && k.savable() && k != KindSeen }))
	}
	p := s.providers[c.Network]
	if p == nil {
		return Source{}, noProvider(c)
	}
	if err := p.Supports(s.account(c), n.Kind); err != nil {
		return Source{}, supportFault(err, c, field)
	}
	return n, nil
}

// supportFault adds what the provider does not know to its refusal of a kind.
func supportFault(err error, c Connection, field string) error {
	f := fault.From(err)
	if f.Code == fault.InvalidSource {
		f = f.With(fault.DetailField, field+".kind")
	}
	return f.With(fault.DetailConnectionID, c.ID)
}

func noProvider(c Connection) error {
	return fault.New(fault.Unsupported, "This workspace is not set up to read %s.", networkName(c.Network)).
		With(fault.DetailCapability, string(c.Network)).With(fault.DetailConnectionID, c.ID)
}

// hostsWithPort are the hosts an account may name together with a port.
func (s *Service) hostsWithPort(c Connection) []string {
	var hosts []string
	for _, o := range append([]string{c.Origin}, s.origins...) {
		if _, host, ok := strings.Cut(o, "://"); ok && strings.Contains(host, ":") {
			hosts = append(hosts, host)
		}
	}
	return hosts
}

// normalize checks a source against its network and returns its normal form:
// trimmed, in Unicode normal form C, names without their sign, lists sorted and
// without repeats, defaults left out. Letter case stays as the person wrote it.
func (s Source) normalize(n Network, hosts []string, field string) (Source, error) {
	s.trim()
	if err := s.checkShape(n, field); err != nil {
		return Source{}, err
	}
	var err error
	switch s.Kind {
	case KindHashtag:
		err = s.normalizeTags(field)
	case KindUser:
		s.Account, err = normalizeAccount(s.Account, n, hosts, field+".account")
	case KindSearch, KindSeen:
		err = s.checkSearch(field)
	case KindNotifications:
		err = s.normalizeTypes(field + ".types")
	case KindList:
		err = checkID(s.ListID, n, field+".listId", "a list; choose one of the account's lists")
	case KindThread, KindPost:
		err = checkID(s.PostID, n, field+".postId", "a post; take it from a post that was read")
	}
	if err != nil {
		return Source{}, err
	}
	return s, nil
}

// trim drops white space around every text and brings it to normal form C. The
// lists are copied: the caller keeps its own.
func (s *Source) trim() {
	for _, p := range []*string{&s.Tag, &s.ListID, &s.Account, &s.Query, &s.Product, &s.PostID} {
		*p = clean(*p)
	}
	for _, list := range []*[]string{&s.Any, &s.All, &s.None, &s.Types} {
		var out []string
		for _, v := range *list {
			out = append(out, clean(v))
		}
		*list = out
	}
}

func clean(s string) string { return strings.TrimSpace(norm.NFC.String(s)) }

func (s *Source) normalizeTags(field string) error {
	var err error
	if s.Tag, err = normalizeTag(s.Tag, field+".tag"); err != nil {
		return err
	}
	for _, l := range []struct {
		name  string
		names *[]string
		limit int
	}{{"any", &s.Any, MaxAny}, {"all", &s.All, MaxAll}, {"none", &s.None, MaxNone}} {
		if len(*l.names) > l.limit {
			return invalidSource(field+"."+l.name, "There are %d names, and a server uses at most %d; leave some out.", len(*l.names), l.limit).
				With(fault.DetailLimit, int64(l.limit))
		}
		for i, v := range *l.names {
			if (*l.names)[i], err = normalizeTag(v, fmt.Sprintf("%s.%s[%d]", field, l.name, i)); err != nil {
				return err
			}
		}
		*l.names = sortTags(*l.names)
	}
	return s.checkTagSets(field)
}

// checkTagSets refuses names that must and must not be there, and leaves out
// those that say nothing beside the tag.
func (s *Source) checkTagSets(field string) error {
	for i, v := range s.None {
		if sameTag(v, s.Tag) || slices.ContainsFunc(s.All, func(a string) bool { return sameTag(a, v) }) {
			return invalidSource(fmt.Sprintf("%s.none[%d]", field, i), "#%s is asked for and excluded at once; leave it out of one.", v)
		}
	}
	redundant := func(v string) bool { return sameTag(v, s.Tag) }
	s.Any = orNil(slices.DeleteFunc(s.Any, redundant))
	s.All = orNil(slices.DeleteFunc(s.All, redundant))
	return nil
}

func orNil(list []string) []string {
	if len(list) == 0 {
		return nil
	}
	return list
}

// sameTag compares as canonicalTag does, which strings.EqualFold does not.
func sameTag(a, b string) bool {
	x, y := canonicalTag(a), canonicalTag(b)
	return x == y
}

// sortTags sorts by the form servers compare, and drops repeats.
func sortTags(list []string) []string {
	slices.SortStableFunc(list, func(a, b string) int { return strings.Compare(canonicalTag(a), canonicalTag(b)) })
	return slices.CompactFunc(list, sameTag)
}

func normalizeTag(tag, field string) (string, error) {
	if rest, ok := strings.CutPrefix(tag, "#"); ok {
		tag = rest
	} else {
		tag = strings.TrimPrefix(tag, "＃")
	}
	if !ValidTag(tag) {
		return "", invalidSource(field, "This is not a hashtag: use 1 to %d letters, digits and underscores with a letter among them, without spaces or other signs.", MaxTag)
	}
	return tag, nil
}

func normalizeAccount(account string, n Network, hosts []string, field string) (string, error) {
	if n == Twitter {
		if !xUserPattern.MatchString(account) && !xNumberPattern.MatchString(account) {
			return "", invalidSource(field, "This is not an account of X; write it as @name.")
		}
		return account, nil
	}
	bare, at := strings.CutPrefix(account, "@")
	user, host, remote := strings.Cut(bare, "@")
	switch {
	case remote:
		ascii, ok := normalizeHost(host, hosts)
		if !ok || !userPattern.MatchString(user) {
			break
		}
		return "@" + user + "@" + ascii, nil
	case userPattern.MatchString(user) && !strings.Contains(user, ".."), !at && ValidID(user):
		return account, nil
	}
	return "", invalidSource(field, "This is not an account; write it as @user@host, or give the account's id.")
}

// normalizeHost returns the host in the form of DNS. A port is accepted for
// hosts that the workspace itself reaches through it.
func normalizeHost(host string, hosts []string) (string, bool) {
	origin, err := egress.CanonicalOrigin("https://" + host)
	if err != nil {
		return "", false
	}
	ascii := strings.TrimPrefix(origin, "https://")
	return ascii, !strings.Contains(ascii, ":") || slices.Contains(hosts, ascii)
}

func (s *Source) checkSearch(field string) error {
	if utf8.RuneCountInString(s.Query) > MaxQuery || strings.ContainsFunc(s.Query, unicode.IsControl) || !utf8.ValidString(s.Query) {
		return invalidSource(field+".query", "A search must have 1 to %d characters and no control characters.", MaxQuery)
	}
	switch s.Product {
	case "", "top", "media":
	case "latest":
		s.Product = ""
	default:
		return invalidSource(field+".product", "This must be latest, top or media.")
	}
	return nil
}

func (s *Source) normalizeTypes(field string) error {
	for i, t := range s.Types {
		if !slices.Contains(NotificationTypes, t) {
			return invalidSource(fmt.Sprintf("%s[%d]", field, i), "This is not a type of notification; use: %s.", strings.Join(NotificationTypes, ", "))
		}
	}
	slices.Sort(s.Types)
	s.Types = slices.Compact(s.Types)
	return nil
}

func checkID(id string, n Network, field, what string) error {
	if n == Twitter && xNumberPattern.MatchString(id) || n != Twitter && ValidID(id) {
		return nil
	}
	return invalidSource(field, "This is not the id of %s.", what)
}
