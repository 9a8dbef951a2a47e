package twitter

import (
	"strconv"
	"time"

	"personal-workspace/internal/richtext"
	"personal-workspace/sns"
)

// mapper turns what X sent into posts.
type mapper struct {
	connectionID string
	now          time.Time
}

// verdict says what becomes of an entry.
type verdict int

const (
	// keep it.
	keep verdict = iota
	// hide it: there is nothing to show, and X says so, or the source does not
	// ask for it.
	hide
	// skip it: it cannot be read.
	skip
)

// lack says why there is no tweet where one could be.
type lack int

const (
	// whole: there is one.
	whole lack = iota
	// broken: what stands there is no tweet.
	broken
	// gone: X does not show it, or only to those who pay.
	gone
	// shallow: only its id is there.
	shallow
)

// maxWrappers bounds how deep a tweet is looked for in wrappers.
const maxWrappers = 4

// unwrap finds the tweet in a result. The tweet in a visibility wrapper does not
// say that it is one. note is what X says in the place of one that is gone.
func unwrap(result value) (tweet value, l lack, note string) {
	for range maxWrappers {
		switch result.get("__typename").str() {
		case "TweetWithVisibilityResults":
			result = result.get("tweet")
			continue
		case "TweetTombstone":
			return value{}, gone, result.get("tombstone", "text", "text").str()
		case "TweetUnavailable":
			return value{}, gone, result.get("reason").str()
		case "TweetPreviewDisplay":
			return result, gone, "for subscribers"
		}
		break
	}
	switch {
	case result.kind() == object && !anyMember(result), !result.exists(), string(result.raw()) == "null":
		return value{}, gone, ""
	case tweetID(result) == "":
		return value{}, broken, ""
	case result.get("legacy").kind() != object:
		return result, shallow, ""
	}
	return result, whole, ""
}

func anyMember(v value) bool {
	for range v.each() {
		return true
	}
	return false
}

// tweetID is the id of a tweet, "" when there is none that can be one.
func tweetID(t value) string {
	for _, v := range []value{t.get("rest_id"), t.get("legacy", "id_str")} {
		if id := v.str(); isNumber(id) {
			return id
		}
	}
	return ""
}

// isNumber reports whether s is an id of X: 1 to 20 digits.
func isNumber(s string) bool {
	if s == "" || len(s) > 20 {
		return false
	}
	for i := range len(s) {
		if s[i] < '0' || s[i] > '9' {
			return false
		}
	}
	return true
}

// post maps the tweet in a result, or the tweet that a repost passes on.
func (m *mapper) post(result value) (sns.Post, verdict) {
	t, l, _ := unwrap(result)
	switch l {
	case gone:
		return sns.Post{}, hide
	case broken, shallow:
		return sns.Post{}, skip
	}
	original := t.get("legacy", "retweeted_status_result")
	if !original.exists() {
		original = t.get("retweeted_status_result")
	}
	if original.kind() != object {
		return m.shown(t, t)
	}
	o, l, _ := unwrap(original.get("result"))
	switch l {
	case gone:
		return sns.Post{}, hide
	case broken, shallow:
		return sns.Post{}, skip
	}
	p, v := m.shown(o, t)
	p.BoostedBy = &sns.Boost{ID: p.EntryID, Author: m.authorOf(t), At: createdAt(t)}
	return p, v
}

// shown maps a tweet under the id of its entry.
func (m *mapper) shown(t, wrapper value) (sns.Post, verdict) {
	p := m.body(t)
	p.EntryID = tweetID(wrapper)
	p.Quote = m.quote(t)
	if p.Text == "" && len(p.Media) == 0 && p.Poll == nil && p.Card == nil && p.Quote == nil {
		return sns.Post{}, skip
	}
	return p, keep
}

// body maps all that stands in a tweet itself.
func (m *mapper) body(t value) sns.Post {
	legacy := t.get("legacy")
	author := m.authorOf(t)
	p := sns.Post{
		ID:           tweetID(t),
		EntryID:      tweetID(t),
		Network:      sns.Twitter,
		ConnectionID: m.connectionID,
		URL:          permalink(author, tweetID(t)),
		Author:       author,
		CreatedAt:    createdAt(t),
		Edited:       isEdited(t),
		Sensitive:    legacy.get("possibly_sensitive").yes(),
		Language:     language(legacy.get("lang").str()),
		Visibility:   sns.Public,
		ReplyTo:      replyTo(legacy),
		Media:        media(legacy),
		Counts:       counts(t),
		Viewer:       viewer(legacy),
	}
	if author.Protected {
		p.Visibility = sns.Private
	}
	links := m.text(&p, t)
	m.attach(&p, t, links)
	return p
}

// permalink is the page of a tweet; X leads to it also without the right name.
func permalink(a sns.Author, id string) string {
	name := "i"
	if a.URL != "" {
		name = a.Handle[1:]
	}
	return "https://x.com/" + name + "/status/" + id
}

// createdAt is when a tweet was written. Where that cannot be read its id tells
// it.
func createdAt(t value) *time.Time {
	at, err := time.Parse(time.RubyDate, t.get("legacy", "created_at").str())
	if err == nil {
		if m := moment(at); m != nil {
			return m
		}
	}
	return fromID(tweetID(t))
}

const (
	// idEpoch is what the time in an id counts from, in Unix milliseconds.
	idEpoch = 1288834974657
	// firstTimed is below the first ids that hold a time.
	firstTimed = 30_000_000_000
)

// fromID is the time in an id of X, nil when there is none.
func fromID(id string) *time.Time {
	n, err := strconv.ParseUint(id, 10, 63)
	if err != nil || n < firstTimed {
		return nil
	}
	return moment(time.UnixMilli(int64(n>>22) + idEpoch))
}

// moment is a time that X can mean, nil for others.
func moment(t time.Time) *time.Time {
	t = t.UTC()
	if t.Year() < 2006 || t.Year() > 2100 {
		return nil
	}
	return &t
}

func isEdited(t value) bool {
	for _, path := range [][]string{{"edit_tweet_ids"}, {"edit_control_initial", "edit_tweet_ids"}} {
		n := 0
		for range t.get("edit_control").get(path...).elements() {
			if n++; n > 1 {
				return true
			}
		}
	}
	return false
}

func replyTo(legacy value) *sns.ReplyTo {
	id := legacy.get("in_reply_to_status_id_str").str()
	if !isNumber(id) {
		return nil
	}
	out := &sns.ReplyTo{ID: id}
	if name := legacy.get("in_reply_to_screen_name").str(); isName(name) {
		out.AuthorHandle = "@" + name
	}
	return out
}

// quote maps the tweet that t quotes, without the one which that quotes itself.
func (m *mapper) quote(t value) *sns.Quote {
	legacy := t.get("legacy")
	id := legacy.get("quoted_status_id_str").str()
	page := richtext.SafeURL(legacy.get("quoted_status_permalink", "expanded").str())
	result := t.get("quoted_status_result", "result")
	if !result.exists() {
		result = t.get("quotedRefResult", "result")
	}
	q, l, _ := unwrap(result)
	if q.exists() && l != broken && tweetID(q) != "" {
		id = tweetID(q)
	}
	if !isNumber(id) {
		if result.kind() == object && l == gone {
			return &sns.Quote{State: sns.QuoteUnavailable, URL: page}
		}
		return nil
	}
	if page == "" {
		page = permalink(sns.Author{}, id)
	}
	switch {
	case l == whole:
		p := m.body(q)
		return &sns.Quote{State: sns.QuoteAvailable, Post: &p, ID: id, URL: p.URL}
	case l == gone && result.kind() == object:
		return &sns.Quote{State: sns.QuoteUnavailable, ID: id, URL: page}
	}
	return &sns.Quote{State: sns.QuoteAvailable, ID: id, URL: page}
}

// tombstone is what stands in a thread in the place of a tweet that is gone.
func (m *mapper) tombstone(id, note string) sns.Post {
	reason := richtext.CutLine(note, sns.MaxWarning)
	if reason == "" {
		reason = "X does not show this post."
	}
	return sns.Post{
		ID: id, EntryID: id, Network: sns.Twitter, ConnectionID: m.connectionID,
		URL: permalink(sns.Author{}, id), Author: sns.Author{Unknown: true}, CreatedAt: fromID(id),
		Visibility: sns.VisibilityUnknown, Unavailable: &sns.Unavailable{Reason: reason},
	}
}
