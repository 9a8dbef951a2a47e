package mastodon

import (
	"personal-workspace/sns"
)

// subject is what a request reads, for the message when it fails.
type subject struct {
	// name completes "does not let this account read …" and "does not offer …".
	name string
	// scope is what a token needs for it.
	scope string
	// missing is what a 404 says is not there, "" when it means that the server
	// lacks the whole kind.
	missing string
	// capability names the kind that the server lacks.
	capability string
	// context is which of the account's filters apply, "" for none.
	context string
	// public: it can be read without signing in.
	public bool
	// byID: the continuation is an entry's id, so that a missing Link header
	// can be replaced. Others page by ids that only the header tells.
	byID bool
	// paging: the request continues an earlier page.
	paging bool
	// first: it asks whether there is a Mastodon server at all.
	first bool
	// limit is the longest answer in bytes, 0 for that of pages.
	limit int64
}

// subjects are the kinds of sources Mastodon has.
var subjects = map[sns.Kind]subject{
	sns.KindHome:          {name: "the home timeline", scope: "read:statuses", context: "home", byID: true},
	sns.KindLocal:         {name: "the local timeline", scope: "read:statuses", context: "public", public: true, byID: true},
	sns.KindFederated:     {name: "the federated timeline", scope: "read:statuses", context: "public", public: true, byID: true},
	sns.KindHashtag:       {name: "the timelines of hashtags", scope: "read:statuses", context: "public", public: true, byID: true},
	sns.KindList:          {name: "lists", scope: "read:lists", context: "home", missing: "list", byID: true},
	sns.KindUser:          {name: "the posts of accounts", scope: "read:statuses", context: "account", missing: "account", public: true, byID: true},
	sns.KindSearch:        {name: "the results of searches", scope: "read:search"},
	sns.KindNotifications: {name: "notifications", scope: "read:notifications", context: "notifications", byID: true},
	sns.KindBookmarks:     {name: "bookmarks", scope: "read:bookmarks"},
	sns.KindFavourites:    {name: "favourites", scope: "read:favourites"},
	sns.KindConversations: {name: "conversations", scope: "read:statuses"},
	sns.KindThread:        {name: "posts", scope: "read:statuses", context: "thread", missing: "post", public: true},
	sns.KindPost:          {name: "posts", scope: "read:statuses", context: "thread", missing: "post", public: true},
}

// about returns the subject of a source at a position.
func about(k sns.Kind, at position) subject {
	s := subjects[k]
	s.capability = string(k)
	s.paging = at != position{}
	return s
}

// checkSource refuses ids and names that must not stand in a path. The service
// has validated the source; this is what keeps a mistake there harmless.
func checkSource(s sns.Source) error {
	switch s.Kind {
	case sns.KindList:
		return checkID("listId", s.ListID)
	case sns.KindThread, sns.KindPost:
		return checkID("postId", s.PostID)
	case sns.KindHashtag:
		return checkTags(s)
	case sns.KindUser:
		if s.Account == "" {
			return sns.InvalidMember("account", "A user source needs the account; write it as @user@host.")
		}
	case sns.KindSearch:
		if s.Query == "" {
			return sns.InvalidMember("query", sns.NoQuery)
		}
	}
	return nil
}

func checkID(field, id string) error {
	if !sns.ValidID(id) {
		return sns.InvalidMember(field, "This is not an id of a Mastodon server; use one as it was given.")
	}
	return nil
}

func checkTags(s sns.Source) error {
	for _, list := range []struct {
		field string
		names []string
	}{{"tag", []string{s.Tag}}, {"any", s.Any}, {"all", s.All}, {"none", s.None}} {
		for _, name := range list.names {
			if !sns.ValidTag(name) {
				return sns.InvalidMember(list.field, sns.NoHashtag)
			}
		}
	}
	return nil
}
