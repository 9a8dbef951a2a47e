package snstest

import (
	"cmp"
	"slices"
	"strconv"
	"time"
)

// Notice is a notification of a profile's account.
type Notice struct {
	// Kind is one of NoticeKinds; another word is sent as an element that
	// nobody knows.
	Kind string
	// From are the handles of those who did it; unknown ones are added as
	// strangers.
	From []string
	// Post is the id of the post it is about: the answer itself of a mention, a
	// reply or a quote.
	Post string
	// At is when it happened; the zero value is now.
	At time.Time
	// Text is what X writes about it; "" is made from the kind.
	Text string
	// ISO sends the time as older answers did.
	ISO bool
}

type notice struct {
	Notice
	id string
}

// noticeKind is how X sends a kind of notification.
type noticeKind struct {
	element, icon, text, template string
	// post: it is sent as the post itself.
	post bool
}

// NoticeKinds are the kinds that X has words for.
func NoticeKinds() []string {
	return []string{"like", "repost", "follow", "mention", "reply", "quote", "post", "login", "recap"}
}

func kindOf(name string) noticeKind {
	const users = "TimelineNotificationAggregateUserActions"
	switch name {
	case "like":
		return noticeKind{"users_liked_your_tweet", "heart_icon", "liked your post", users, false}
	case "repost":
		return noticeKind{"users_retweeted_your_tweet", "retweet_icon", "reposted your post", users, false}
	case "follow":
		return noticeKind{"users_followed_you", "person_icon", "followed you", users + "V1", false}
	case "mention":
		return noticeKind{element: "user_mentioned_you", post: true}
	case "reply":
		return noticeKind{element: "user_replied_to_your_tweet", post: true}
	case "quote":
		return noticeKind{element: "user_quoted_your_tweet", post: true}
	case "post":
		return noticeKind{"device_follow_tweet_notification_entry", "bell_icon", "New post notifications for", users, false}
	case "login":
		return noticeKind{"generic_login_notification", "bird_icon", "There was a login to your account from a new device.", users, false}
	case "recap":
		return noticeKind{"generic_recap", "recommendation_icon", "Here is what you missed.", "TimelineNotificationRecap", false}
	}
	return noticeKind{name, "spark_icon", "something happened", users, false}
}

// Notify adds a notification. It panics when its post does not exist, which is
// a mistake of the test.
func (p *Profile) Notify(in Notice) {
	r := p.relay
	r.mu.Lock()
	defer r.mu.Unlock()
	if in.At.IsZero() {
		in.At = r.now()
	}
	for _, h := range in.From {
		r.person(h)
	}
	if in.Post != "" {
		r.known(in.Post, "notified")
	}
	r.seq++
	n := &notice{Notice: in, id: "AAAAAB" + tweetID(in.At, r.seq)}
	p.notices = append(p.notices, n)
	slices.SortStableFunc(p.notices, func(a, b *notice) int { return cmp.Compare(b.At.UnixMilli(), a.At.UnixMilli()) })
}

func (q *question) notices() result {
	kind := q.text("timeline_type")
	f := feed{key: kind}
	for _, n := range q.p.notices {
		if kind == "Mentions" && !kindOf(n.Kind).post {
			continue
		}
		if kind == "Verified" && !slices.ContainsFunc(n.From, func(h string) bool { return q.person(h).Verified }) {
			continue
		}
		f.items = append(f.items, feedItem{id: n.id, note: n})
	}
	res := q.timeline("viewer_v2.user_results.result.notification_timeline.timeline", f)
	if res.errors == nil {
		result := res.data.(object)["viewer_v2"].(object)["user_results"].(object)["result"].(object)
		result["__typename"], result["rest_id"] = "User", q.p.owner.id
		wall := result["notification_timeline"].(object)["timeline"].(object)
		wall["instructions"] = append([]any{object{"type": "TimelineClearCache"}}, append(wall["instructions"].([]any),
			object{"type": "TimelineClearEntriesUnreadState"}, object{"type": "TimelineMarkEntriesUnreadGreaterThanSortIndex", "sort_index": "0"})...)
	}
	return res
}

func (q *question) noticeEntry(n *notice, sort int) object {
	kind := kindOf(n.Kind)
	item := q.noticeItem(n, kind)
	if kind.post {
		item = q.tweetItem(q.byID[n.Post])
	}
	return object{"entryId": "notification-" + n.id, "sortIndex": sortIndex(sort), "content": object{
		"entryType": "TimelineTimelineItem", "__typename": "TimelineTimelineItem", "itemContent": item,
		"clientEventInfo": object{"component": "urt", "element": kind.element, "details": object{"notificationDetails": object{"impressionId": n.id}}},
	}}
}

func (q *question) noticeItem(n *notice, kind noticeKind) object {
	from, about := []any{}, []any{}
	for _, h := range n.From {
		from = append(from, object{"user_results": object{"result": q.user(q.person(h))}})
	}
	link := object{"url": q.site() + "/i/timeline?page_type=device_follow", "urlType": "ExternalUrl"}
	if t := q.byID[n.Post]; t != nil {
		about = append(about, object{"__typename": "TimelineNotificationTweetRef", "tweet_results": q.tweetResults(t)})
		link["url"] = q.site() + "/" + t.author.Handle + "/status/" + t.id
	}
	at := strconv.FormatInt(n.At.UnixMilli(), 10)
	if n.ISO {
		at = n.At.UTC().Format("2006-01-02T15:04:05.000Z")
	}
	text := n.Text
	if text == "" {
		text = q.noticeText(n, kind)
	}
	return object{
		"itemType": "TimelineNotification", "__typename": "TimelineNotification", "id": n.id, "notification_icon": kind.icon, "timestamp_ms": at,
		"rich_message": object{"rtl": false, "text": text, "entities": []any{}}, "notification_url": link,
		"template": object{"__typename": kind.template, "from_users": from, "target_objects": about, "additional_context": nil},
	}
}

func (q *question) noticeText(n *notice, kind noticeKind) string {
	switch len(n.From) {
	case 0:
		return kind.text
	case 1:
		return q.person(n.From[0]).Name + " " + kind.text
	}
	return q.person(n.From[0]).Name + " and " + strconv.Itoa(len(n.From)-1) + " others " + kind.text
}
