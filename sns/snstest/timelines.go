package snstest

import (
	"net/http"
	"slices"
	"strconv"
	"strings"
)

// show is the record of a status as the request's reader sees it.
func (q *query) show(st *status) any {
	return q.status(st, max(q.quirks.QuoteDepth, 1))
}

// timeline answers with the statuses that belong to it.
func (q *query) timeline(belongs func(*status) bool) answer {
	var all []*status
	for _, st := range q.store.statuses {
		if q.store.visible(q.viewer, st) && belongs(st) {
			all = append(all, st)
		}
	}
	return q.statuses(all)
}

func (q *query) statuses(all []*status) answer {
	page := paged(q, all, 20, 40, func(st *status) string { return st.id }, q.statusPlace)
	if q.repeats && len(page) > 0 && page[len(page)-1] == all[len(all)-1] {
		most := min(q.limit(20, 40)-len(page), maxRepeated, len(all))
		page = slices.Concat(page, all[len(all)-max(most, 0):])
	}
	if q.quirks.Duplicates {
		page = q.repeated(page)
	}
	out := make([]any, 0, len(page))
	for _, st := range page {
		out = append(out, q.show(st))
	}
	return answer{body: out}
}

// repeated puts the status that the cursor names in front again, and sends the
// first one of the page three times.
func (q *query) repeated(page []*status) []*status {
	if len(page) == 0 {
		return page
	}
	out := []*status{page[0], page[0]}
	if st := q.store.byID[q.get("max_id")]; st != nil {
		out = slices.Insert(out, 0, st)
	}
	return append(out, page...)
}

// maxRepeated is how many entries RepeatAtEnd repeats.
const maxRepeated = 13

func (q *query) home() answer {
	q.repeats = q.quirks.RepeatAtEnd
	return q.timeline(func(st *status) bool {
		if st.Visibility == "direct" && !q.quirks.DirectInHome {
			return false
		}
		if st.author == q.viewer || q.viewer.following[st.author.Acct] {
			return true
		}
		return st.public() && slices.ContainsFunc(q.viewer.tags, func(t mark) bool { return slices.Contains(st.tags, normalizeTag(t.target)) })
	})
}

func (q *query) public() answer {
	if q.quirks.FeedsDisabled {
		return answer{body: []any{}}
	}
	return q.timeline(func(st *status) bool { return st.public() && st.ReplyTo == "" && q.scoped(st) })
}

// scoped applies local, remote and only_media.
func (q *query) scoped(st *status) bool {
	if q.yes("local") && !st.author.local() {
		return false
	}
	if q.yes("remote") && !q.quirks.IgnoreRemote && st.author.local() {
		return false
	}
	return !q.yes("only_media") || len(st.Media) > 0 || q.quirks.IgnoreFilters
}

func (q *query) hashtag() answer {
	name := q.r.PathValue("name")
	if q.quirks.UnknownTag404 && !tagName.MatchString(strings.TrimPrefix(name, "#")) {
		return answer{status: http.StatusBadRequest, body: errorBody("Bad Request: invalid hashtag")}
	}
	if q.quirks.FeedsDisabled {
		return answer{body: []any{}}
	}
	main := normalizeTag(strings.TrimPrefix(name, "#"))
	if q.quirks.UnknownTag404 && !slices.ContainsFunc(q.store.statuses, func(st *status) bool { return slices.Contains(st.tags, main) }) {
		return q.quirks.notFound("tag was not found")
	}
	if q.quirks.IgnoreFilters {
		return q.timeline(func(st *status) bool { return st.public() && slices.Contains(st.tags, main) })
	}
	any, all, none := firstTags(q.list("any"), 3), firstTags(q.list("all"), 4), firstTags(q.list("none"), 4)
	return q.timeline(func(st *status) bool {
		if !st.public() || !q.scoped(st) {
			return false
		}
		used := func(t string) bool { return slices.Contains(st.tags, t) }
		return (used(main) || slices.ContainsFunc(any, used)) &&
			!slices.ContainsFunc(all, func(t string) bool { return !used(t) }) && !slices.ContainsFunc(none, used)
	})
}

// firstTags is the part of a group that the server looks at.
func firstTags(names []string, most int) []string {
	var out []string
	for _, n := range names[:min(len(names), most)] {
		out = append(out, normalizeTag(n))
	}
	return out
}

func (q *query) listTimeline() answer {
	i := slices.IndexFunc(q.viewer.lists, func(l *list) bool { return l.id == q.r.PathValue("id") })
	if i < 0 {
		return q.quirks.notFound("list not found")
	}
	members := q.viewer.lists[i].members
	q.repeats = q.quirks.RepeatAtEnd
	return q.timeline(func(st *status) bool {
		return (st.Visibility != "direct" || q.quirks.DirectInHome) && slices.Contains(members, st.author.Acct)
	})
}

func (q *query) lists() answer {
	type wireList struct {
		ID        string `json:"id"`
		Title     string `json:"title"`
		Policy    string `json:"replies_policy"`
		Exclusive bool   `json:"exclusive"`
	}
	out := []wireList{}
	for _, l := range q.viewer.lists {
		out = append(out, wireList{l.id, l.title, "list", false})
	}
	return answer{body: out}
}

func (q *query) accountStatuses() answer {
	a := q.store.byAccountID[q.r.PathValue("id")]
	if a == nil && q.quirks.UnknownAccountEmpty {
		return answer{body: []any{}}
	}
	if a == nil {
		return q.quirks.notFound("")
	}
	return q.timeline(func(st *status) bool {
		switch {
		case st.author != a, st.Visibility == "direct" && a != q.viewer,
			q.yes("only_media") && len(st.Media) == 0,
			q.yes("exclude_replies") && st.ReplyTo != "",
			q.yes("exclude_reblogs") && st.boost != nil,
			q.yes("pinned") && !st.Pinned,
			q.get("tagged") != "" && !q.quirks.IgnoreFilters && !slices.Contains(st.tags, normalizeTag(q.get("tagged"))):
			return false
		}
		return true
	})
}

func (q *query) lookup() answer {
	acct := strings.TrimPrefix(q.get("acct"), "@")
	acct = strings.TrimSuffix(acct, "@"+q.domain)
	if a := q.store.accounts[acct]; a != nil {
		return answer{body: q.account(a)}
	}
	return q.quirks.notFound("@" + acct + " not found")
}

func (q *query) oneAccount() answer {
	if a := q.store.byAccountID[q.r.PathValue("id")]; a != nil {
		return answer{body: q.account(a)}
	}
	return q.quirks.notFound("")
}

// marked answers with the statuses of bookmarks or favourites: the ids in Link
// are those of the marks, and next comes only with a full page.
func (q *query) marked(marks []mark) answer {
	marks = slices.DeleteFunc(slices.Clone(marks), func(e mark) bool { return q.store.byID[e.target] == nil })
	page := paged(q, marks, 20, 40, func(e mark) string { return e.id }, q.numberPlace)
	out := make([]any, 0, len(page))
	for _, e := range page {
		out = append(out, q.show(q.store.byID[e.target]))
	}
	q.quirks.LinkFullOnly = q.quirks.LinkFullOnly || !q.quirks.LinkMarks
	return answer{body: out}
}

func (q *query) bookmarks() answer  { return q.marked(q.viewer.bookmarks) }
func (q *query) favourites() answer { return q.marked(q.viewer.favs) }

func (q *query) followedTags() answer {
	page := paged(q, q.viewer.tags, 100, 200, func(e mark) string { return e.id }, q.numberPlace)
	out := []any{}
	for _, e := range page {
		out = append(out, map[string]any{"name": e.target, "url": q.pages + "/tags/" + e.target, "history": []any{}, "following": true})
	}
	return answer{body: out}
}

// trends pages by offset, as the only timeline that does.
func (q *query) trends() answer {
	all := slices.DeleteFunc(slices.Clone(q.store.statuses), func(st *status) bool { return !st.public() || st.Favourites == 0 })
	slices.SortStableFunc(all, func(a, b *status) int { return b.Favourites - a.Favourites })
	offset, _ := strconv.Atoi(q.get("offset"))
	all = all[min(max(offset, 0), len(all)):]
	out := []any{}
	for _, st := range all[:min(q.limit(20, 40), len(all))] {
		out = append(out, q.show(st))
	}
	return answer{body: out}
}
