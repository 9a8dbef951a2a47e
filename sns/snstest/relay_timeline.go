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

// object is a JSON object as X sends it.
type object = map[string]any

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
	key   string
	items []feedItem
	// module is how the ids of conversation modules begin, "" for a timeline
	// without them.
	module string
	// grid is the id of the one module that holds every post, "" for none.
	grid string
	// pinned is sent beside the first page.
	pinned *tweet
	// extras: a first page has promoted posts and people to follow.
	extras bool
}

// feedItem is a post or a notification of a feed.
type feedItem struct {
	id    string
	tweet *tweet
	note  *notice
}

func itemsOf(tweets []*tweet) []feedItem {
	out := make([]feedItem, len(tweets))
	for i, t := range tweets {
		out[i] = feedItem{id: t.id, tweet: t}
	}
	return out
}

// feedPage is one page of a feed.
type feedPage struct {
	feed
	shown       []feedItem
	first, last bool
	top, bottom string
}

// page answers one page of a feed: the timeline object with its instructions,
// or the error of a cursor that is not one of this feed.
func (q *question) page(f feed) (timeline object, refused []xError) {
	name := q.p.name + "\x00" + q.name + "\x00" + f.key
	cursor, stalled := q.text("cursor"), ""
	p := feedPage{feed: f, shown: f.items, first: cursor == "", top: cursor, bottom: cursor}
	if cursor != "" {
		at, ok := q.cursors.find(cursor)
		if !ok || at.feed != name {
			return nil, []xError{newXError(214, "BadRequest: Invalid cursor")}
		}
		if p.shown = beyond(f.items, at); q.quirks.SearchStalls && q.op.replace {
			p.shown, stalled = f.items, cursor
		}
	}
	p.shown = p.shown[:min(len(p.shown), q.pageSize())]
	if n := len(p.shown); n > 0 {
		p.top = q.cursors.make(cursorPlace{name, true, p.shown[0].id}, q.op.cursor)
		p.bottom = q.cursors.make(cursorPlace{name, false, p.shown[n-1].id + stalled}, q.op.cursor)
		p.last = p.shown[n-1] == f.items[len(f.items)-1]
	} else if p.first {
		p.top, p.bottom = q.cursors.make(cursorPlace{name, true, ""}, q.op.cursor), q.cursors.make(cursorPlace{name, false, ""}, q.op.cursor)
	}
	return object{"instructions": q.instructions(p)}, nil
}

// beyond returns what is above or below the post that a cursor names.
func beyond(all []feedItem, at cursorPlace) []feedItem {
	i := slices.IndexFunc(all, func(it feedItem) bool { return it.id == at.id })
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

func (q *question) instructions(p feedPage) []any {
	entries := q.entries(p)
	cursors := []object{q.cursorEntry("Top", p.top, 1), q.cursorEntry("Bottom", p.bottom, 0)}
	var out []any
	if p.first && p.pinned != nil {
		out = append(out, object{"type": "TimelineClearCache"}, object{"type": "TimelinePinEntry", "entry": q.tweetEntry(p.pinned, 0)})
	}
	if p.first && p.extras && !q.quirks.Plain {
		out = append(out, object{"type": "TimelineShowAlert", "alertType": "NewTweets", "triggerDelayMs": 120000, "displayDurationMs": 30000, "usersResults": []any{}})
	}
	if p.grid != "" && !p.first && len(p.shown) > 0 {
		out = append(out, object{"type": "TimelineAddToModule", "moduleItems": q.gridItems(p), "moduleEntryId": p.grid, "prepend": false})
	}
	replace := !p.first && (q.op.replace || q.quirks.ReplaceCursors)
	if !replace {
		entries = append(entries, cursors[0], cursors[1])
	}
	out = append(out, object{"type": "TimelineAddEntries", "entries": entries})
	if replace {
		for _, c := range cursors {
			out = append(out, object{"type": "TimelineReplaceEntry", "entry_id_to_replace": c["entryId"], "entry": c})
		}
	}
	if p.last && q.quirks.Terminate {
		out = append(out, object{"type": "TimelineTerminateTimeline", "direction": "Bottom"})
	}
	return out
}

// entries are those of one page. What a post answers stands with it in a module
// when both are on the page.
func (q *question) entries(p feedPage) []any {
	out := []any{}
	if p.grid != "" {
		if p.first && len(p.shown) > 0 {
			out = append(out, object{"entryId": p.grid, "sortIndex": sortIndex(9), "content": module("VerticalGrid", q.gridItems(p))})
		}
		return out
	}
	for i, thread := range threads(p) {
		sort := len(p.shown) - i
		switch {
		case thread[0].note != nil:
			out = append(out, q.noticeEntry(thread[0].note, sort))
		case len(thread) == 1:
			out = append(out, q.tweetEntry(thread[0].tweet, sort))
		default:
			out = append(out, q.conversation(p.module, thread, sort))
		}
		if p.first && p.extras && !q.quirks.Plain {
			out = append(out, q.extras(i, sort)...)
		}
	}
	return out
}

func (q *question) gridItems(p feedPage) []any {
	var items []any
	for _, it := range p.shown {
		items = append(items, object{"entryId": p.grid + "-tweet-" + it.id, "item": object{"itemContent": q.tweetItem(it.tweet), "clientEventInfo": object{"component": "tweet", "element": "tweet"}}})
	}
	return items
}

// threads puts an answer and what it answers together; every other item is a
// thread of one.
func threads(p feedPage) [][]feedItem {
	var out [][]feedItem
	taken := map[string]bool{}
	for _, it := range p.shown {
		if taken[it.id] {
			continue
		}
		thread := []feedItem{it}
		for p.module != "" && thread[0].tweet != nil && thread[0].tweet.ReplyTo != "" {
			parent := thread[0].tweet.ReplyTo
			i := slices.IndexFunc(p.shown, func(o feedItem) bool { return o.id == parent && !taken[parent] })
			if i < 0 {
				break
			}
			thread = append([]feedItem{p.shown[i]}, thread...)
		}
		for _, o := range thread {
			taken[o.id] = true
		}
		out = append(out, thread)
	}
	return out
}

func module(display string, items []any) object {
	return object{
		"entryType": "TimelineTimelineModule", "__typename": "TimelineTimelineModule", "displayType": display, "items": items,
		"clientEventInfo": object{"component": "suggest_organic_conversation"},
	}
}

func sortIndex(i int) string { return strconv.FormatInt(2_085_474_414_006_108_160+int64(i), 10) }

func (q *question) tweetEntry(t *tweet, sort int) object {
	id := "tweet-" + t.id
	if t.Promoted {
		id = "promoted-" + id + "-1f2e3d4c5b6a7988"
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

func (q *question) conversation(prefix string, thread []feedItem, sort int) object {
	id := prefix + "-" + thread[0].id
	var items []any
	var ids []string
	for _, it := range thread {
		items = append(items, object{"entryId": id + "-tweet-" + it.id, "item": object{"itemContent": q.tweetItem(it.tweet), "clientEventInfo": object{"component": "suggest_organic_conversation", "element": "tweet"}}})
		ids = append(ids, it.id)
	}
	content := module("VerticalConversation", items)
	content["metadata"] = object{"conversationMetadata": object{"allTweetIds": ids, "enableDeduplication": true}}
	return object{"entryId": id, "sortIndex": sortIndex(sort), "content": content}
}

func (q *question) cursorEntry(kind, value string, sort int) object {
	return object{
		"entryId": fmt.Sprintf("cursor-%s-%s", strings.ToLower(kind), sortIndex(sort)), "sortIndex": sortIndex(sort),
		"content": object{"entryType": "TimelineTimelineCursor", "__typename": "TimelineTimelineCursor", "value": value, "cursorType": kind},
	}
}

// extras are what X puts into a home timeline besides: behind the first entry a
// prompt, behind the third a promoted post, behind the fifth people to follow.
func (q *question) extras(after, sort int) []any {
	ad := &tweet{Tweet: Tweet{Text: "Gaskets for every boiler. Order until Friday!", Promoted: true}, id: "1790000000000000001", author: q.advertiser()}
	switch after {
	case 0:
		return []any{object{"entryId": "messageprompt-1500000000", "sortIndex": sortIndex(sort), "content": object{
			"entryType": "TimelineTimelineItem", "__typename": "TimelineTimelineItem",
			"itemContent": object{"itemType": "TimelineMessagePrompt", "__typename": "TimelineMessagePrompt", "content": object{"contentType": "TimelineInlinePrompt", "headerText": "Turn on notifications", "bodyText": "full_text"}},
		}}}
	case 2:
		return []any{q.tweetEntry(ad, sort)}
	case 4:
		item := object{"itemType": "TimelineUser", "__typename": "TimelineUser", "userDisplayType": "User", "user_results": object{"result": q.user(ad.author)}}
		id := "who-to-follow-" + sortIndex(sort)
		return []any{object{"entryId": id, "sortIndex": sortIndex(sort), "content": module("Vertical", []any{object{"entryId": id + "-user-" + ad.author.id, "item": object{"itemContent": item}}})}}
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
