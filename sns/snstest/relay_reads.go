package snstest

import (
	"hash/fnv"
	"slices"
	"strings"
)

// The reads of a profile. Each answers the data as X nests it.

// under puts a value under a dotted path.
func under(path string, v any) object {
	names := strings.Split(path, ".")
	for _, name := range slices.Backward(names) {
		v = object{name: v}
	}
	return v.(object)
}

func (q *question) timeline(path string, f feed) result {
	page, refused := q.page(f)
	if refused != nil {
		return result{errors: refused}
	}
	return result{data: under(path, page)}
}

func (q *question) where(keep func(*tweet) bool) []*tweet {
	var out []*tweet
	for _, t := range q.tweets {
		if keep(t) {
			out = append(out, t)
		}
	}
	return out
}

func (q *question) following() result {
	tweets := q.where(func(t *tweet) bool { return q.p.follows(t.author) })
	return q.timeline("home.home_timeline_urt", feed{tweets: tweets, module: "home-conversation", extras: true})
}

// forYou has everybody's posts in an order that has nothing to do with time.
func (q *question) forYou() result {
	tweets := q.where(func(t *tweet) bool { return t.repost == nil })
	rank := func(t *tweet) uint32 {
		h := fnv.New32a()
		_, _ = h.Write([]byte(t.id)) // a hash never fails
		return h.Sum32()
	}
	slices.SortStableFunc(tweets, func(a, b *tweet) int { return int(rank(a)>>1) - int(rank(b)>>1) })
	return q.timeline("home.home_timeline_urt", feed{tweets: tweets, extras: true})
}

func (q *question) list() result {
	id := q.text("listId")
	i := slices.IndexFunc(q.p.lists, func(l *tweetList) bool { return l.id == id })
	if i < 0 {
		return result{}
	}
	l := q.p.lists[i]
	tweets := q.where(func(t *tweet) bool {
		return slices.ContainsFunc(l.Members, func(h string) bool { return strings.EqualFold(h, t.author.Handle) })
	})
	return q.timeline("list.tweets_timeline.timeline", feed{key: id, tweets: tweets, module: "list-conversation"})
}

func (q *question) userTweets() result {
	return q.ofUser("profile-conversation", func(t *tweet) bool {
		return t.ReplyTo == "" || q.byID[t.ReplyTo] == nil || q.byID[t.ReplyTo].author == t.author
	})
}

// ofUser answers the posts of one person.
func (q *question) ofUser(module string, keep func(*tweet) bool) result {
	who := q.personByID(q.text("userId"))
	switch {
	case who == nil:
		return result{data: object{"user": object{}}}
	case who.Suspended:
		return result{data: under("user.result", unavailableUser("Suspended"))}
	}
	var pinned *tweet
	tweets := q.where(func(t *tweet) bool {
		if t.author == who && t.Pinned && q.name == "UserTweets" {
			pinned = t
		}
		return t.author == who && keep(t)
	})
	path := "user.result.timeline.timeline"
	if q.quirks.OldUserTimeline {
		path = "user.result.timeline_v2.timeline"
	}
	res := q.timeline(path, feed{key: who.id, tweets: tweets, module: module, pinned: pinned})
	if res.errors == nil {
		res.data.(object)["user"].(object)["result"].(object)["__typename"] = "User"
	}
	return res
}

func (q *question) viewer() result {
	return result{data: object{"viewer": object{"is_active_creator": false, "super_followers_count": 0, "create_community_action_result": nil, "user_results": object{"result": q.user(q.p.owner)}}}}
}

func (q *question) userByName() result {
	return q.oneUser(q.people[strings.ToLower(q.text("screen_name"))])
}

func (q *question) userByID() result { return q.oneUser(q.personByID(q.text("userId"))) }

func (q *question) oneUser(who *person) result {
	switch {
	case who == nil:
		return result{}
	case who.Suspended:
		return result{data: under("user.result", unavailableUser("Suspended"))}
	}
	return result{data: under("user.result", q.user(who))}
}

// listsPage has the account's lists in one module and in others what X offers
// besides.
func (q *question) listsPage() result {
	own, offered := []any{}, []any{}
	for _, l := range q.p.lists {
		item := object{"itemContent": object{"itemType": "TimelineTwitterList", "__typename": "TimelineTwitterList", "displayType": "ListWithPin", "list": q.listRecord(l)}}
		if l.Recommended {
			offered = append(offered, object{"entryId": "list-to-follow-module-0-list-" + l.id, "item": item})
			continue
		}
		own = append(own, object{"entryId": "owned-subscribed-list-module-0-list-" + l.id, "item": item})
	}
	entries := []any{}
	for _, mod := range []struct {
		id    string
		items []any
	}{{"list-to-follow-module-0", offered}, {"owned-subscribed-list-module-0", own}} {
		if len(mod.items) > 0 {
			entries = append(entries, object{"entryId": mod.id, "sortIndex": sortIndex(9), "content": object{
				"entryType": "TimelineTimelineModule", "__typename": "TimelineTimelineModule", "displayType": "Vertical", "items": mod.items,
			}})
		}
	}
	bottom := q.cursors.make(cursorPlace{q.p.name + "\x00lists", false, ""}, q.op.cursor)
	entries = append(entries, q.cursorEntry("Top", bottom, 1), q.cursorEntry("Bottom", bottom, 0))
	return result{data: under("viewer.list_management_timeline.timeline", object{"instructions": []any{
		object{"type": "TimelineClearCache"}, object{"type": "TimelineAddEntries", "entries": entries}, object{"type": "TimelineTerminateTimeline", "direction": "Top"},
	}})}
}

func (q *question) listRecord(l *tweetList) object {
	mode := "Public"
	if l.Private {
		mode = "Private"
	}
	return object{
		"__typename": "List", "id": "TGlzdDo" + l.id, "id_str": l.id, "name": l.Title, "description": l.Description, "member_count": len(l.Members),
		"subscriber_count": 0, "mode": mode, "following": !l.Recommended, "is_member": false, "muting": false, "created_at": 1767225600000,
		"user_results": object{"result": q.user(q.p.owner)},
	}
}
