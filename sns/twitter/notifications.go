package twitter

import (
	"crypto/sha256"
	"encoding/hex"
	"slices"
	"strconv"
	"time"

	"personal-workspace/internal/richtext"
	"personal-workspace/sns"
)

// maxActors is how many of those who did something are named.
const maxActors = 8

// notificationElements are X's exact words for what happened, in our types; a
// word without one is "other".
var notificationElements = map[string]string{
	"users_liked_your_tweet":                 "like",
	"user_liked_multiple_tweets":             "like",
	"users_liked_your_retweet":               "like",
	"users_retweeted_your_tweet":             "boost",
	"users_retweeted_your_retweet":           "boost",
	"users_followed_you":                     "follow",
	"follow_from_recommended_user":           "follow",
	"user_mentioned_you":                     "mention",
	"user_replied_to_your_tweet":             "reply",
	"user_quoted_your_tweet":                 "quote",
	"device_follow_tweet_notification_entry": "status",
}

// notificationIcons tell less, and stand in where the word is not known.
var notificationIcons = map[string]string{"heart_icon": "like", "retweet_icon": "boost", "person_icon": "follow"}

// notification maps an entry of the notifications: a tweet about the account, or
// what somebody did.
func (m *mapper) notification(it item, self string) (sns.Post, verdict) {
	if it.content.get("itemType").str() != "TimelineNotification" {
		return m.tweetNotification(it, self)
	}
	c := it.content
	id := notificationID(c.get("id").str(), it.id)
	if id == "" {
		return sns.Post{}, skip
	}
	icon := c.get("notification_icon").str()
	about := &sns.Notification{Type: notificationElements[it.element], RawType: richtext.CutLine(it.element, sns.MaxRawType), At: eventTime(c.get("timestamp_ms").str())}
	if about.Type == "" {
		about.Type = notificationIcons[icon]
	}
	if about.Type == "" {
		about.Type = "other"
	}
	if about.RawType == "" {
		about.RawType = richtext.CutLine(icon, sns.MaxRawType)
	}
	about.Actors, about.ActorCount = actors(c.get("template", "from_users"))
	p := m.target(c.get("template", "target_objects"))
	if p.ID == "" {
		p = m.bareNotification(id, c, about)
	}
	p.EntryID, p.Notification = id, about
	return p, keep
}

// tweetNotification maps a tweet among the notifications: one that mentions,
// answers or quotes the account.
func (m *mapper) tweetNotification(it item, self string) (sns.Post, verdict) {
	result := it.content.get("tweet_results", "result")
	p, v := m.post(result)
	if v != keep {
		return p, v
	}
	about := &sns.Notification{Type: notificationElements[it.element], RawType: richtext.CutLine(it.element, sns.MaxRawType), At: p.CreatedAt}
	if about.Type == "" {
		t, _, _ := unwrap(result)
		about.Type = "mention"
		if self != "" && t.get("legacy", "in_reply_to_user_id_str").str() == self {
			about.Type = "reply"
		}
	}
	if !p.Author.Unknown {
		about.Actors, about.ActorCount = []sns.Author{p.Author}, 1
	}
	p.Notification = about
	return p, keep
}

// target is the first of the tweets that a notification is about, the zero Post
// without.
func (m *mapper) target(objects value) sns.Post {
	for o := range objects.elements() {
		if p, v := m.post(o.get("tweet_results", "result")); v == keep {
			return p
		}
	}
	return sns.Post{}
}

// bareNotification is a notification about no tweet. What the network itself has
// to say is its text.
func (m *mapper) bareNotification(id string, c value, about *sns.Notification) sns.Post {
	p := sns.Post{
		ID: "notification:" + id, Network: sns.Twitter, ConnectionID: m.connectionID,
		Author: sns.Author{Unknown: true}, CreatedAt: about.At,
	}
	if len(about.Actors) > 0 {
		p.Author = about.Actors[0]
	}
	if about.Type == "other" {
		p.Text, p.TextTruncated = richtext.Cut(richtext.Lines(c.get("rich_message", "text").str()), sns.MaxWarning)
		p.URL = richtext.SafeURL(c.get("notification_url", "url").str())
	}
	return p
}

// actors are the first accounts that did something, and how many there are.
func actors(list value) (out []sns.Author, n int) {
	for e := range list.elements() {
		user := e.get("user_results", "result")
		if !user.exists() {
			user = e
		}
		a := author(user)
		if a.Unknown || slices.ContainsFunc(out, func(o sns.Author) bool { return o.ID != "" && o.ID == a.ID }) {
			continue
		}
		if n++; len(out) < maxActors {
			out = append(out, a)
		}
	}
	return out, n
}

// maxNotificationID leaves room for the prefix of a post's id.
const maxNotificationID = sns.MaxID - len("notification:")

// notificationID is an id that the workspace can keep: X's own, or what stands
// for one with other signs in it.
func notificationID(id, entryID string) string {
	if id == "" {
		id = entryID
	}
	if id == "" || len(id) <= maxNotificationID && sns.ValidID(id) {
		return id
	}
	sum := sha256.Sum256([]byte(id))
	return "n" + hex.EncodeToString(sum[:16])
}

// eventTime reads a time that is in milliseconds since 1970, or written out.
func eventTime(s string) *time.Time {
	if ms, err := strconv.ParseInt(s, 10, 64); err == nil {
		return moment(time.UnixMilli(ms))
	}
	if t, err := time.Parse(time.RFC3339, s); err == nil {
		return moment(t)
	}
	return nil
}
