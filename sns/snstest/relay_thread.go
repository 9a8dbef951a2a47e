package snstest

import (
	"slices"
)

// threadShown is how many posts of an answer's own thread X sends before it
// offers to show more.
const threadShown = 3

// detail answers a post with what it answers above it and the answers to it
// below.
func (q *question) detail() result {
	focal := q.byID[q.text("focalTweetId")]
	if focal == nil {
		return result{errors: []xError{newXError(144, "_Missing: No status found with that ID.")}}
	}
	f := feed{key: focal.id, items: itemsOf(q.answersTo(focal))}
	if at, ok := q.cursors.find(q.text("cursor")); ok && at.feed == q.moreFeed(focal.id) {
		return q.detailed(q.moreOf(at.id))
	}
	page, refused := q.page(f)
	if refused != nil {
		return result{errors: refused}
	}
	instructions := page["instructions"].([]any)
	add := instructions[len(instructions)-1].(object)
	entries := add["entries"].([]any)
	bottom := entries[len(entries)-1] // the pages of a thread have no top cursor
	entries = entries[:len(entries)-2]
	var out []any
	if q.text("cursor") == "" {
		out = q.above(focal)
	}
	for i, e := range entries {
		id := e.(object)["entryId"].(string)[len("tweet-"):]
		out = append(out, q.answerThread(focal.id, q.byID[id], i))
	}
	if n := len(f.items); n > 0 && !q.reaches(entries, f.items[n-1].id) {
		out = append(out, bottom)
	}
	add["entries"] = out
	return q.detailed([]any{add, object{"type": "TimelineTerminateTimeline", "direction": "Top"}})
}

// reaches reports whether a page ends with the post of an id.
func (q *question) reaches(entries []any, id string) bool {
	return len(entries) == 0 || entries[len(entries)-1].(object)["entryId"] == "tweet-"+id
}

func (q *question) detailed(instructions []any) result {
	return result{data: object{"threaded_conversation_with_injections_v2": object{"instructions": instructions}}}
}

// answersTo are the direct answers to a post, oldest first.
func (q *question) answersTo(t *tweet) []*tweet {
	out := q.where(func(o *tweet) bool { return o.ReplyTo == t.id })
	slices.Reverse(out)
	return out
}

// above is the chain of what a post answers, and the post itself.
func (q *question) above(focal *tweet) []any {
	var out []any
	for t := focal; t != nil; t = q.byID[t.ReplyTo] {
		if t.Gone != "" {
			out = append(out, tombstoneEntry(t))
			continue
		}
		out = append(out, q.tweetEntry(t, 99))
	}
	slices.Reverse(out)
	return out
}

// tombstoneEntry stands above a post for what is no longer there.
func tombstoneEntry(t *tweet) object {
	text := object{"rtl": false, "text": t.Gone, "entities": []any{}}
	return object{"entryId": "tombstone-" + t.id, "sortIndex": sortIndex(99), "content": object{
		"entryType": "TimelineTimelineItem", "__typename": "TimelineTimelineItem",
		"itemContent": object{"itemType": "TimelineTombstone", "__typename": "TimelineTombstone", "tombstoneDisplayType": "Inline", "tombstoneInfo": object{"text": "", "richText": text}},
	}}
}

// chain is an answer and the first answer to each below it.
func (q *question) chain(t *tweet) []*tweet {
	out := []*tweet{t}
	for next := q.answersTo(t); len(next) > 0; next = q.answersTo(next[0]) {
		out = append(out, next[0])
	}
	return out
}

func (q *question) moreFeed(focal string) string { return q.p.name + "\x00more\x00" + focal }

// answerThread is the module of one answer with what follows on it. The first
// one also has an advertisement inside.
func (q *question) answerThread(focal string, t *tweet, n int) object {
	id := "conversationthread-" + t.id
	chain := q.chain(t)
	items := q.threadItems(id, chain[:min(len(chain), threadShown)])
	if n == 0 && !q.quirks.Plain {
		ad := &tweet{Tweet: Tweet{Text: "Gaskets in every thread.", Promoted: true}, id: "1790000000000000002", author: q.advertiser()}
		items = append(items, object{"entryId": id + "-promoted-tweet-" + ad.id, "item": object{"itemContent": q.tweetItem(ad)}})
	}
	if len(chain) > threadShown {
		value := q.cursors.make(cursorPlace{q.moreFeed(focal), false, t.id}, q.op.cursor)
		items = append(items, object{"entryId": id + "-cursor-showmore-1", "item": object{"itemContent": object{
			"itemType": "TimelineTimelineCursor", "__typename": "TimelineTimelineCursor", "cursorType": "ShowMore", "value": value, "displayTreatment": object{"actionText": "Show replies"},
		}}})
	}
	return object{"entryId": id, "sortIndex": sortIndex(50 - n), "content": module("VerticalConversation", items)}
}

func (q *question) threadItems(id string, chain []*tweet) []any {
	var items []any
	for _, t := range chain {
		items = append(items, object{"entryId": id + "-tweet-" + t.id, "item": object{"itemContent": q.tweetItem(t), "clientEventInfo": object{"element": "tweet"}}})
	}
	return items
}

// moreOf is the rest of an answer's thread.
func (q *question) moreOf(answer string) []any {
	t := q.byID[answer]
	if t == nil {
		return []any{}
	}
	chain := q.chain(t)
	id := "conversationthread-" + answer
	return []any{object{"type": "TimelineAddToModule", "moduleItems": q.threadItems(id, chain[min(len(chain), threadShown):]), "moduleEntryId": id, "prepend": false}}
}

func (q *question) oneTweet() result {
	t := q.byID[q.text("tweetId")]
	return result{data: object{"tweetResult": q.tweetResults(t)}}
}
