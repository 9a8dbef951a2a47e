package snstest

import (
	"crypto/sha256"
	"encoding/base64"
	"encoding/binary"
	"encoding/json"
	"fmt"
	"slices"
	"strconv"
	"strings"
	"sync"
)

// The parts of a timeline as X sends them. A member that is nil is absent.
type (
	object   = map[string]any
	feedItem struct {
		// tweets are more than one in a module of a conversation.
		tweets []*tweet
	}
)

// cursorTable knows every cursor that was handed out.
type cursorTable struct {
	mu  sync.Mutex
	all map[string]cursorPlace
}

// cursorPlace is what a cursor stands for.
type cursorPlace struct {
	// feed names the profile, the operation and what it was asked for.
	feed string
	// newer: what is above the post, else what is below it.
	newer bool
	id    string
}

// make returns the cursor of a place: text without meaning of the given length.
func (t *cursorTable) make(at cursorPlace, length int) string {
	var text strings.Builder
	text.WriteString("DAAB")
	for i := uint32(0); text.Len() < length; i++ {
		sum := sha256.Sum256(binary.BigEndian.AppendUint32(fmt.Appendf(nil, "%+v", at), i))
		text.WriteString(base64.RawURLEncoding.EncodeToString(sum[:]))
	}
	value := text.String()[:length]
	t.mu.Lock()
	defer t.mu.Unlock()
	if t.all == nil {
		t.all = map[string]cursorPlace{}
	}
	t.all[value] = at
	return value
}

func (t *cursorTable) find(value string) (cursorPlace, bool) {
	t.mu.Lock()
	defer t.mu.Unlock()
	at, ok := t.all[value]
	return at, ok
}

// feed is a timeline to be sent: everything it has, newest first as X orders it.
type feed struct {
	// key names what the operation was asked for.
	key    string
	tweets []*tweet
	// module is how the ids of conversation modules begin, "" for a timeline
	// without them.
	module string
	// pinned is sent beside the first page.
	pinned *tweet
	// extras: a first page has promoted posts and people to follow.
	extras bool
}

// page answers one page of a feed: the timeline object with its instructions,
// or the error of a cursor that is not one of this feed.
func (q *question) page(f feed) (timeline object, refused []xError) {
	name := q.p.name + "\x00" + q.name + "\x00" + f.key
	cursor := q.text("cursor")
	shown := f.tweets
	if cursor != "" {
		at, ok := q.cursors.find(cursor)
		if !ok || at.feed != name {
			return nil, []xError{newXError(214, "BadRequest: Invalid cursor")}
		}
		shown = beyond(f.tweets, at)
	}
	shown = shown[:min(len(shown), q.pageSize())]
	top, bottom := cursor, cursor
	if len(shown) > 0 {
		top = q.cursors.make(cursorPlace{name, true, shown[0].id}, q.op.cursor)
		bottom = q.cursors.make(cursorPlace{name, false, shown[len(shown)-1].id}, q.op.cursor)
	} else if cursor == "" {
		top, bottom = q.cursors.make(cursorPlace{name, true, ""}, q.op.cursor), q.cursors.make(cursorPlace{name, false, ""}, q.op.cursor)
	}
	last := len(shown) > 0 && len(f.tweets) > 0 && shown[len(shown)-1] == f.tweets[len(f.tweets)-1]
	return object{"instructions": q.instructions(f, shown, cursor == "", top, bottom, last)}, nil
}

// beyond returns what is above or below the post that a cursor names.
func beyond(all []*tweet, at cursorPlace) []*tweet {
	i := slices.IndexFunc(all, func(t *tweet) bool { return t.id == at.id })
	switch {
	case i < 0 && at.newer:
		return all
	case i < 0:
		return nil
	case at.newer:
		return all[:i]
	}
	return all[i+1:]
}

func (q *question) pageSize() int {
	if q.quirks.PageSize > 0 {
		return q.quirks.PageSize
	}
	return q.op.page
}

func (q *question) instructions(f feed, shown []*tweet, first bool, top, bottom string, last bool) []any {
	entries := q.entries(f, shown, first)
	cursors := []object{q.cursorEntry("Top", top, 1), q.cursorEntry("Bottom", bottom, 0)}
	var out []any
	if first && f.pinned != nil {
		pin := q.tweetEntry(f.pinned, "tweet-", 0)
		out = append(out, object{"type": "TimelineClearCache"}, object{"type": "TimelinePinEntry", "entry": pin})
	}
	replace := !first && (q.op.replace || q.quirks.ReplaceCursors)
	if !replace {
		entries = append(entries, cursors[0], cursors[1])
	}
	out = append(out, object{"type": "TimelineAddEntries", "entries": entries})
	if replace {
		for _, c := range cursors {
			out = append(out, object{"type": "TimelineReplaceEntry", "entry_id_to_replace": c["entryId"], "entry": c})
		}
	}
	if last && q.quirks.Terminate {
		out = append(out, object{"type": "TimelineTerminateTimeline", "direction": "Bottom"})
	}
	return out
}

// entries are those of one page. What a post answers stands with it in a module
// when both are on the page.
func (q *question) entries(f feed, shown []*tweet, first bool) []any {
	out := []any{}
	for i, item := range group(f, shown) {
		sort := len(shown) - i
		if len(item.tweets) == 1 {
			out = append(out, q.tweetEntry(item.tweets[0], "tweet-", sort))
		} else {
			out = append(out, q.conversation(f, item.tweets, sort))
		}
		if first && f.extras && !q.quirks.Plain {
			out = append(out, q.extras(i, sort)...)
		}
	}
	return out
}

// group puts an answer and what it answers together.
func group(f feed, shown []*tweet) []feedItem {
	var out []feedItem
	taken := map[*tweet]bool{}
	for _, t := range shown {
		if taken[t] {
			continue
		}
		thread := []*tweet{t}
		for f.module != "" {
			i := slices.IndexFunc(shown, func(o *tweet) bool { return thread[0].ReplyTo != "" && o.id == thread[0].ReplyTo && !taken[o] })
			if i < 0 {
				break
			}
			thread = append([]*tweet{shown[i]}, thread...)
		}
		for _, o := range thread {
			taken[o] = true
		}
		out = append(out, feedItem{thread})
	}
	return out
}

func sortIndex(i int) string { return strconv.FormatInt(2_085_474_414_006_108_160+int64(i), 10) }

func (q *question) tweetEntry(t *tweet, prefix string, sort int) object {
	if t.Promoted {
		prefix = "promoted-tweet-"
	}
	id := prefix + t.id
	if t.Promoted {
		id += "-1f2e3d4c5b6a7988"
	}
	return object{
		"entryId": id, "sortIndex": sortIndex(sort),
		"content": object{
			"entryType": "TimelineTimelineItem", "__typename": "TimelineTimelineItem", "itemContent": q.tweetItem(t),
			"clientEventInfo": object{"component": "suggest_organic_list_tweet", "element": "tweet", "details": object{"timelinesDetails": object{"injectionType": "RankedOrganicListTweet", "controllerData": "DAACDAABDAABCgABAAAAAAAAAAAKAAkAAAAAAAAAAAAAAAA="}}},
		},
	}
}

func (q *question) tweetItem(t *tweet) object {
	item := object{"itemType": "TimelineTweet", "__typename": "TimelineTweet", "tweetDisplayType": "Tweet", "tweet_results": q.tweetResults(t)}
	if t.Promoted {
		item["promotedMetadata"] = object{"advertiser_results": object{"result": q.user(t.author)}, "disclosureType": "NoDisclosure", "impressionId": "1f2e3d4c5b6a7988", "promotedTrendMetadata": nil}
	}
	return item
}

func (q *question) conversation(f feed, thread []*tweet, sort int) object {
	id := f.module + "-" + thread[0].id
	var items []any
	var ids []string
	for _, t := range thread {
		items = append(items, object{"entryId": id + "-tweet-" + t.id, "item": object{"itemContent": q.tweetItem(t), "clientEventInfo": object{"component": "suggest_organic_conversation", "element": "tweet"}}})
		ids = append(ids, t.id)
	}
	return object{
		"entryId": id, "sortIndex": sortIndex(sort),
		"content": object{
			"entryType": "TimelineTimelineModule", "__typename": "TimelineTimelineModule", "displayType": "VerticalConversation", "items": items,
			"metadata": object{"conversationMetadata": object{"allTweetIds": ids, "enableDeduplication": true}}, "clientEventInfo": object{"component": "suggest_organic_conversation"},
		},
	}
}

func (q *question) cursorEntry(kind, value string, sort int) object {
	return object{
		"entryId": fmt.Sprintf("cursor-%s-%s", strings.ToLower(kind), sortIndex(sort)), "sortIndex": sortIndex(sort),
		"content": object{"entryType": "TimelineTimelineCursor", "__typename": "TimelineTimelineCursor", "value": value, "cursorType": kind},
	}
}

// extras are what X puts into a home timeline besides: behind the third entry a
// promoted post, behind the fifth people to follow.
func (q *question) extras(after, sort int) []any {
	ad := &tweet{Tweet: Tweet{Text: "Gaskets for every boiler. Order until Friday!", Promoted: true}, id: "1790000000000000001", author: q.advertiser()}
	switch after {
	case 2:
		return []any{q.tweetEntry(ad, "", sort)}
	case 4:
		item := object{"itemType": "TimelineUser", "__typename": "TimelineUser", "userDisplayType": "User", "user_results": object{"result": q.user(ad.author)}}
		id := "who-to-follow-" + sortIndex(sort)
		return []any{object{"entryId": id, "sortIndex": sortIndex(sort), "content": object{
			"entryType": "TimelineTimelineModule", "__typename": "TimelineTimelineModule", "displayType": "Vertical",
			"items":  []any{object{"entryId": id + "-user-" + ad.author.id, "item": object{"itemContent": item}}},
			"header": object{"displayType": "Classic", "text": "Who to follow", "sticky": true},
		}}}
	}
	return nil
}

// advertiser is somebody nobody follows; X knows them without a record here.
func (q *question) advertiser() *person {
	return &person{Person: Person{Handle: "gasketworld", Name: "Gasket World", Verified: true}, id: "1199999999"}
}

// text is a variable that is a string, "" when it is absent.
func (q *question) text(name string) string {
	var s string
	if json.Unmarshal(q.vars[name], &s) != nil {
		return ""
	}
	return s
}
