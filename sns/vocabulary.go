package sns

import (
	"slices"
	"strings"

	"personal-workspace/internal/fault"
)

// kindRule says what a network lets a kind of source have.
type kindRule struct {
	// needs is the member that must be set, "" for none.
	needs string
	// allows are the other members that may be set.
	allows []string
	// public: the kind can be read without login.
	public bool
}

// savable reports whether a deck may keep a source of the kind.
func (k Kind) savable() bool { return k != KindThread && k != KindPost }

// ranked reports whether the source has an order of its own each time it is read,
// so that a place in it is not found by looking further down.
func (s Source) ranked() bool {
	return s.Kind == KindForYou || s.Kind == KindSearch && s.Product == "top"
}

// rules returns the kinds of a network. seen is a search in the store, so every
// network has it.
func rules(n Network) map[Kind]kindRule {
	switch n {
	case Mastodon:
		return mastodonKinds
	case Twitter:
		return twitterKinds
	}
	return nil
}

var mastodonKinds = map[Kind]kindRule{
	KindHome:      {},
	KindLocal:     {allows: []string{"onlyMedia"}, public: true},
	KindFederated: {allows: []string{"onlyMedia", "remoteOnly"}, public: true},
	KindHashtag: {
		needs:  "tag",
		allows: []string{"any", "all", "none", "localOnly", "onlyMedia"},
		public: true,
	},
	KindList: {needs: "listId"},
	KindUser: {
		needs:  "account",
		allows: []string{"excludeReplies", "excludeBoosts", "onlyMedia"},
		public: true,
	},
	KindSearch:        {needs: "query"},
	KindNotifications: {allows: []string{"types"}},
	KindBookmarks:     {},
	KindFavourites:    {},
	KindConversations: {},
	KindSeen:          {needs: "query", public: true},
	KindThread:        {needs: "postId", public: true},
	KindPost:          {needs: "postId", public: true},
}

var twitterKinds = map[Kind]kindRule{
	KindHome:          {},
	KindForYou:        {},
	KindHashtag:       {needs: "tag"},
	KindList:          {needs: "listId"},
	KindUser:          {needs: "account", allows: []string{"excludeReplies", "onlyMedia"}},
	KindSearch:        {needs: "query", allows: []string{"product"}},
	KindNotifications: {allows: []string{"types"}},
	KindBookmarks:     {},
	KindFavourites:    {},
	KindSeen:          {needs: "query"},
	KindThread:        {needs: "postId"},
	KindPost:          {needs: "postId"},
}

// allKinds is the vocabulary in the order people read it.
var allKinds = []Kind{
	KindHome, KindForYou, KindLocal, KindFederated, KindHashtag, KindList, KindUser, KindSearch,
	KindNotifications, KindBookmarks, KindFavourites, KindConversations, KindSeen, KindThread, KindPost,
}

// names lists the kinds that keep accepts, for a message.
func (k kindTable) names(keep func(Kind, kindRule) bool) string {
	var list []string
	for _, kind := range allKinds {
		if r, ok := k[kind]; ok && keep(kind, r) {
			list = append(list, string(kind))
		}
	}
	return strings.Join(list, ", ")
}

type kindTable map[Kind]kindRule

// setMembers returns the names of the members that are set besides kind.
func (s Source) setMembers() []string {
	all := []struct {
		name string
		set  bool
	}{
		{"tag", s.Tag != ""},
		{"any", len(s.Any) > 0},
		{"all", len(s.All) > 0},
		{"none", len(s.None) > 0},
		{"listId", s.ListID != ""},
		{"account", s.Account != ""},
		{"excludeReplies", s.ExcludeReplies},
		{"excludeBoosts", s.ExcludeBoosts},
		{"onlyMedia", s.OnlyMedia},
		{"localOnly", s.LocalOnly},
		{"remoteOnly", s.RemoteOnly},
		{"query", s.Query != ""},
		{"product", s.Product != ""},
		{"types", len(s.Types) > 0},
		{"postId", s.PostID != ""},
	}
	var names []string
	for _, m := range all {
		if m.set {
			names = append(names, m.name)
		}
	}
	return names
}

// checkShape refuses a kind the network lacks, a member the kind does not have,
// and a missing one. It does not look at values.
func (s Source) checkShape(n Network, field string) error {
	table := kindTable(rules(n))
	rule, ok := table[s.Kind]
	if !ok {
		return invalidSource(field+".kind", "%s is not a kind of source that %s has; use one of: %s.",
			quoteKind(s.Kind), networkName(n), table.names(func(k Kind, _ kindRule) bool { return k.savable() && k != KindSeen }))
	}
	for _, m := range s.setMembers() {
		if m != rule.needs && !slices.Contains(rule.allows, m) {
			return invalidSource(field+"."+m, "A %s source of %s has no %s; leave it out.", s.Kind, networkName(n), m)
		}
	}
	if rule.needs != "" && !slices.Contains(s.setMembers(), rule.needs) {
		return invalidSource(field+"."+rule.needs, "A %s source needs %s; add it.", s.Kind, rule.needs)
	}
	return nil
}

// quoteKind names a kind in a message without repeating arbitrary input.
func quoteKind(k Kind) string {
	switch {
	case k == "":
		return "An empty kind"
	case slices.Contains(allKinds, k):
		return string(k)
	}
	return "The given kind"
}

func networkName(n Network) string {
	switch n {
	case Mastodon:
		return "Mastodon"
	case Twitter:
		return "X"
	}
	return "this network"
}

func invalidSource(field, format string, args ...any) *fault.Error {
	return fault.New(fault.InvalidSource, format, args...).With(fault.DetailField, field)
}
