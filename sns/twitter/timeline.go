package twitter

import (
	"slices"
	"strings"
)

// timeline is what X sent of a source: its entries in order, without
// advertisements and recommendations, and where it goes on.
type timeline struct {
	items []item
	// bottom is the cursor of what is older, more that of further replies in a
	// thread; "" without.
	bottom, more string
	// ended: X said that there is nothing older.
	ended bool
}

// item is an entry, or one of those that a module bundles.
type item struct {
	// id is X's id of the entry, such as tweet-20.
	id string
	// module is the id of the module around it, "" without.
	module  string
	content value
	// element says what a notification is about.
	element string
}

// maxItems is how many items of one answer are read, and maxEntries how many
// entries are looked at for them.
const (
	maxItems   = 1000
	maxEntries = 4000
)

// noPosts are the beginnings of ids of entries that are no posts: what X
// advertises and recommends.
var noPosts = []string{
	"promoted-", "who-to-follow-", "who-to-subscribe-", "messageprompt-", "toptabsrpusermodule-", "list-to-follow-module",
	"community-to-join", "label-", "relevanceprompt-",
}

// readTimeline reads the instructions of a timeline. It is false when there are
// none.
func readTimeline(v value) (*timeline, bool) {
	instructions := v.get("instructions")
	if instructions.kind() != array {
		return nil, false
	}
	r := &reader{}
	for in := range instructions.elements() {
		r.instruction(in)
		if len(r.entries) > maxEntries {
			break
		}
	}
	tl := &timeline{ended: r.ended}
	for _, e := range r.entries {
		tl.entry(e)
	}
	return tl, true
}

// reader collects the entries of a timeline from its instructions.
type reader struct {
	entries []entry
	ended   bool
}

// entry is an entry, or an item that is added to the module of an earlier page.
type entry struct {
	id, module string
	v          value
}

// instruction follows one instruction. A pinned tweet is not in the flow: it is
// older than what stands below it.
func (r *reader) instruction(in value) {
	switch kind := in.get("type").str(); kind {
	case "TimelineAddEntries":
		for e := range in.get("entries").elements() {
			r.entries = append(r.entries, entry{id: e.get("entryId").str(), v: e})
		}
	case "TimelineAddToModule":
		r.addToModule(in)
	case "TimelineReplaceEntry":
		r.replace(in)
	case "TimelineTerminateTimeline":
		switch in.get("direction").str() {
		case "Bottom", "TopAndBottom":
			r.ended = true
		}
	}
}

func (r *reader) addToModule(in value) {
	module := in.get("moduleEntryId").str()
	var items []entry
	for it := range in.get("moduleItems").elements() {
		items = append(items, entry{id: it.get("entryId").str(), module: module, v: it})
	}
	if in.get("prepend").yes() {
		r.entries = append(items, r.entries...)
		return
	}
	r.entries = append(r.entries, items...)
}

// replace puts an entry in the place of an earlier one. That one is mostly the
// cursor of the page before, so that it is not here.
func (r *reader) replace(in value) {
	old := in.get("entry_id_to_replace").str()
	e := entry{id: in.get("entry", "entryId").str(), v: in.get("entry")}
	if i := slices.IndexFunc(r.entries, func(e entry) bool { return e.id == old && old != "" }); i >= 0 {
		r.entries[i] = e
		return
	}
	r.entries = append(r.entries, e)
}

// entry takes an entry apart. Its parts decide what it is, not its name: both
// names of a kind are missing at times.
func (tl *timeline) entry(e entry) {
	content := e.v.get("content")
	switch {
	case skipped(e.id) || skipped(e.module):
	case e.v.get("item").exists():
		tl.moduleItem(e.module, e.v)
	case content.get("cursorType").exists():
		tl.cursor(content)
	case content.get("items").kind() == array:
		for it := range content.get("items").elements() {
			tl.moduleItem(e.id, it)
		}
	default:
		tl.add(item{id: e.id, content: content.get("itemContent"), element: elementOf(content)})
	}
}

func (tl *timeline) moduleItem(module string, v value) {
	it := v.get("item")
	tl.add(item{id: v.get("entryId").str(), module: module, content: it.get("itemContent"), element: elementOf(it)})
}

func elementOf(v value) string { return v.get("clientEventInfo", "element").str() }

func skipped(id string) bool {
	return strings.Contains(id, "-promoted-") ||
		slices.ContainsFunc(noPosts, func(p string) bool { return strings.HasPrefix(id, p) })
}

// add takes an item: a cursor, or what may be a post.
func (tl *timeline) add(it item) {
	c := it.content
	switch {
	case skipped(it.id) || c.get("promotedMetadata").kind() == object:
	case c.get("cursorType").exists():
		tl.cursor(c)
	case len(tl.items) < maxItems && isPost(c.get("itemType").str(), c):
		tl.items = append(tl.items, it)
	}
}

// isPost reports whether an item can be a post: users, lists, trends and prompts
// are none.
func isPost(itemType string, c value) bool {
	switch itemType {
	case "TimelineTweet", "TimelineTombstone", "TimelineNotification":
		return true
	case "":
		return c.get("tweet_results").exists()
	}
	return false
}

// maxUpstream is the longest cursor of X that is taken; the longest seen has 623
// bytes.
const maxUpstream = 2048

func (tl *timeline) cursor(c value) {
	v := c.get("value").str()
	if !validUpstream(v) {
		return
	}
	switch c.get("cursorType").str() {
	case "Bottom":
		tl.bottom = v
	case "ShowMoreThreads", "ShowMoreThreadsPrompt":
		tl.more = v
	}
}

// validUpstream reports whether a cursor of X can be sent back: it is printable
// ASCII.
func validUpstream(s string) bool {
	return s != "" && len(s) <= maxUpstream && !strings.ContainsFunc(s, func(r rune) bool { return r <= ' ' || r > '~' })
}

// older is the cursor of what follows, "" at the end.
func (tl *timeline) older() string {
	switch {
	case tl.ended:
		return ""
	case tl.bottom != "":
		return tl.bottom
	}
	return tl.more
}
