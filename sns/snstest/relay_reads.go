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
	return q.timeline("home.home_timeline_urt", feed{items: itemsOf(tweets), module: "home-conversation", extras: true})
}

// forYou has everybody's posts in an order that has nothing to do with time.
func (q *question) forYou() result {
	tweets := q.where(func(t *tweet) bool { return t.repost == nil && !t.author.Automated })
	rank := func(t *tweet) uint32 {
		h := fnv.New32a()
		_, _ = h.Write([]byte(t.id)) // a hash never fails
		return h.Sum32()
	}
	slices.SortStableFunc(tweets, func(a, b *tweet) int { return int(rank(a)>>1) - int(rank(b)>>1) })
	return q.timeline("home.home_timeline_urt", feed{items: itemsOf(tweets), extras: true})
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
	return q.timeline("list.tweets_timeline.timeline", feed{key: id, items: itemsOf(tweets), module: "list-conversation"})
}

func (q *question) userTweets() result {
	return q.ofUser(feed{module: "profile-conversation"}, func(t *tweet) bool {
		parent := q.byID[t.ReplyTo]
		return parent == nil || parent.author == t.author
	})
}

func (q *question) userReplies() result {
	return q.ofUser(feed{module: "profile-conversation"}, func(*tweet) bool { return true })
}

func (q *question) userMedia() result {
	return q.ofUser(feed{grid: "profile-grid-0"}, func(t *tweet) bool { return len(t.Media) > 0 && t.repost == nil })
}

// ofUser answers the posts of one person.
func (q *question) ofUser(f feed, keep func(*tweet) bool) result {
	who := q.personByID(q.text("userId"))
	switch {
	case who == nil:
		return result{data: object{"user": object{}}}
	case who.Suspended:
		return result{data: under("user.result", unavailableUser("Suspended"))}
	}
	f.key = who.id
	f.items = itemsOf(q.where(func(t *tweet) bool {
		if t.author == who && t.Pinned && f.grid == "" {
			f.pinned = t
		}
		return t.author == who && keep(t)
	}))
	return q.ofProfile(f)
}

// likes are shown to their owner alone.
func (q *question) liked() result {
	f := feed{key: q.text("userId")}
	if f.key == q.p.owner.id {
		f.items = q.listed(q.p.likes)
	}
	return q.ofProfile(f)
}

// ofProfile is a timeline on somebody's profile.
func (q *question) ofProfile(f feed) result {
	path := "user.result.timeline.timeline"
	if q.quirks.OldUserTimeline {
		path = "user.result.timeline_v2.timeline"
	}
	res := q.timeline(path, f)
	if res.errors == nil {
		res.data.(object)["user"].(object)["result"].(object)["__typename"] = "User"
	}
	return res
}

func (q *question) bookmarked() result {
	return q.timeline("bookmark_timeline_v2.timeline", feed{items: q.listed(q.p.bookmarks)})
}

func (q *question) bookmarkSearch() result {
	query := q.text("rawQuery")
	items := slices.DeleteFunc(q.listed(q.p.bookmarks), func(it feedItem) bool { return !matches(it.tweet, query) })
	return q.timeline("search_by_raw_query.bookmarks_search_timeline.timeline", feed{key: query, items: items})
}

// listed are the posts of ids that still exist.
func (q *question) listed(ids []string) []feedItem {
	var tweets []*tweet
	for _, id := range ids {
		if t := q.byID[id]; t != nil {
			tweets = append(tweets, t)
		}
	}
	return itemsOf(tweets)
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
