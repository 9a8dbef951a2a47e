package snstest

import (
	"encoding/json"
	"fmt"
	"slices"
	"strconv"
	"strings"
	"time"
)

// Tweet is what a test or the demo says about one post on X. The zero value of
// every member is an ordinary choice.
type Tweet struct {
	// ID is a fixed id; "" makes a snowflake of the time.
	ID string
	// Author is the handle of the writer. An unknown one is added as somebody
	// the profile follows; "" is ben.
	Author string
	// At is when it was written; the zero value is now.
	At time.Time
	// Text is plain text: its links become t.co links with entities, and a text
	// of more than 280 code points becomes a note.
	Text string
	// Lang is "en" when "".
	Lang string
	// ReplyTo and Repost are ids of known posts; of a repost only ID, Author and
	// At count besides.
	ReplyTo, Repost string
	// Quote is the id of a known post; Shallow sends its id alone.
	Quote   string
	Shallow bool
	Media   []Media
	Poll    *Poll
	Card    *Card
	// Article is the title of a long article that the post announces.
	Article   string
	Sensitive bool
	Edited    bool
	// Pinned: the author pinned it to the profile.
	Pinned bool
	// Promoted: it is an advertisement.
	Promoted bool
	// Limited posts are wrapped in TweetWithVisibilityResults.
	Limited bool
	// Gone is the text of a tombstone that is sent instead of the post.
	Gone string
	// Preview posts are for subscribers, and sent as TweetPreviewDisplay.
	Preview                                bool
	Likes, Reposts, Quotes, Replies, Views int
	// Patch replaces members of the post's JSON by their dotted path, such as
	// "legacy.favorite_count"; a nil value becomes null.
	Patch map[string]any
	// Drop are dotted paths of members to leave out.
	Drop []string
	// Raw is sent instead of the whole result.
	Raw json.RawMessage
}

type tweet struct {
	Tweet
	place
	id     string
	author *person
	repost *tweet
}

// Add publishes a post and returns its id. It panics when ReplyTo, Repost or
// Quote names a post that does not exist, which is a mistake of the test.
func (p *Profile) Add(in Tweet) string {
	p.relay.mu.Lock()
	defer p.relay.mu.Unlock()
	if in.Author == "" {
		in.Author = "ben"
	}
	if p.relay.people[strings.ToLower(in.Author)] == nil {
		p.setFollowing(p.relay.addPerson(Person{Handle: in.Author}), true)
	}
	return p.relay.add(in)
}

// AddMany publishes n short posts a minute apart, the last one now, and returns
// their ids oldest first.
func (p *Profile) AddMany(n int) []string {
	ids := make([]string, n)
	start := p.relay.now().Add(-time.Duration(n) * time.Minute)
	for i := range ids {
		ids[i] = p.Add(Tweet{At: start.Add(time.Duration(i+1) * time.Minute), Text: fmt.Sprintf("Post %d of %d.", i+1, n)})
	}
	return ids
}

// Delete removes a post and every repost of it.
func (r *Relay) Delete(id string) {
	r.mu.Lock()
	defer r.mu.Unlock()
	r.tweets = slices.DeleteFunc(r.tweets, func(t *tweet) bool {
		gone := t.id == id || t.repost != nil && t.repost.id == id
		if gone {
			delete(r.byID, t.id)
		}
		return gone
	})
}

func (r *Relay) add(in Tweet) string {
	if in.At.IsZero() {
		in.At = r.now()
	}
	r.seq++
	t := &tweet{Tweet: in, id: in.ID, author: r.person(in.Author), place: place{in.At.UnixMilli(), r.seq}}
	if t.id == "" {
		t.id = tweetID(in.At, r.seq)
	}
	if in.ReplyTo != "" {
		r.known(in.ReplyTo, "answered")
	}
	if in.Quote != "" {
		r.known(in.Quote, "quoted")
	}
	if in.Repost != "" {
		t.repost = r.known(in.Repost, "reposted")
	}
	r.byID[t.id] = t
	i, _ := slices.BinarySearchFunc(r.tweets, t.place, func(e *tweet, p place) int {
		if p.before(e.place) {
			return -1
		}
		return 1
	})
	r.tweets = slices.Insert(r.tweets, i, t)
	return t.id
}

// tweetEpoch is where the time in X's ids starts, in Unix milliseconds.
const tweetEpoch = 1288834974657

// tweetID is the snowflake of a moment.
func tweetID(at time.Time, seq int64) string {
	ms := max(at.UnixMilli()-tweetEpoch, 0)
	return strconv.FormatInt(ms<<22|seq&0x3fffff, 10)
}
