package snstest

import (
	"slices"
	"strconv"
	"strings"
)

func (q *query) oneStatus() answer {
	st := q.store.byID[q.r.PathValue("id")]
	if st == nil || !q.store.visible(q.viewer, st) {
		return q.quirks.notFound("target status not found")
	}
	return answer{body: q.show(st)}
}

// context answers with what a status answers and what answers it. Without a
// token Mastodon gives at most 40 and 60 of them.
func (q *query) context() answer {
	st := q.store.byID[q.r.PathValue("id")]
	if st == nil || !q.store.visible(q.viewer, st) {
		return q.quirks.notFound("target status not found")
	}
	above, below := q.ancestors(st), q.descendants(st)
	if q.viewer == nil {
		above, below = above[max(0, len(above)-40):], below[:min(60, len(below))]
	}
	return answer{body: map[string]any{"ancestors": q.showAll(above), "descendants": q.showAll(below)}}
}

func (q *query) showAll(all []*status) []any {
	out := []any{}
	for _, st := range all {
		out = append(out, q.show(st))
	}
	return out
}

func (q *query) ancestors(st *status) []*status {
	var out []*status
	for st.ReplyTo != "" {
		if st = q.store.byID[st.ReplyTo]; st == nil {
			break
		}
		if q.store.visible(q.viewer, st) {
			out = append(out, st)
		}
	}
	slices.Reverse(out)
	return out
}

// descendants are depth first, older before newer.
func (q *query) descendants(of *status) []*status {
	var out []*status
	for _, st := range slices.Backward(q.store.statuses) {
		if st.ReplyTo == of.id && q.store.visible(q.viewer, st) {
			out = append(append(out, st), q.descendants(st)...)
		}
	}
	return out
}

// search answers GET /api/v2/search. It finds statuses only with a token and
// pages by offset, only together with type.
func (q *query) search() answer {
	if q.viewer == nil && (q.yes("resolve") || q.get("offset") != "") {
		return answer{status: 401, body: errorBody("Search queries with pagination or resolution require authentication")}
	}
	if strings.TrimSpace(q.get("q")) == "" {
		return answer{status: 400, body: errorBody("param is missing or the value is empty: q")}
	}
	limit, offset := q.limit(20, 40), q.searchOffset()
	want := func(kind string) bool { return q.get("type") == "" || q.get("type") == kind }
	found := map[string]any{"accounts": []any{}, "statuses": []any{}, "hashtags": []any{}}
	if want("statuses") {
		found["statuses"] = q.showAll(cut(q.foundStatuses(), offset, limit))
	}
	if want("accounts") {
		found["accounts"] = cut(q.foundAccounts(), offset, limit)
	}
	if want("hashtags") {
		found["hashtags"] = cut(q.foundTags(), offset, limit)
	}
	return answer{body: found}
}

// searchOffset is how many entries of each kind to leave out.
func (q *query) searchOffset() int {
	offset, err := strconv.Atoi(q.get("offset"))
	switch {
	case err != nil || q.get("type") == "":
		return 0
	case offset > 0 && q.quirks.NoSearchOffset:
		return len(q.store.statuses) + len(q.store.accounts)
	}
	return offset
}

func cut[T any](all []T, offset, limit int) []T {
	all = all[min(max(offset, 0), len(all)):]
	return nonNil(all[:min(limit, len(all))])
}

// nonNil is never nil, so that it becomes [].
func nonNil[T any](all []T) []T {
	if all == nil {
		return []T{}
	}
	return all
}

func (q *query) foundStatuses() []*status {
	var out []*status
	if q.viewer == nil || q.quirks.NoSearch {
		return out
	}
	below, bounded := q.statusPlace(q.get("max_id"))
	bounded = bounded && q.get("max_id") != ""
	for _, st := range q.store.statuses {
		if bounded && !st.before(below) {
			continue
		}
		if st.boost == nil && q.store.visible(q.viewer, st) && q.matches(st.Text+" "+st.Warning+" "+st.HTML) {
			out = append(out, st)
		}
	}
	return out
}

// matches reports whether every word of the query stands in the text.
func (q *query) matches(text string) bool {
	text = strings.ToLower(text)
	for word := range strings.FieldsSeq(strings.ToLower(q.get("q"))) {
		if !strings.Contains(text, word) {
			return false
		}
	}
	return true
}

func (q *query) foundAccounts() []any {
	var out []any
	for _, acct := range q.store.sortedAccounts() {
		if a := q.store.accounts[acct]; q.matches(a.Acct + " " + a.Name) {
			out = append(out, q.account(a))
		}
	}
	return out
}

func (q *query) foundTags() []any {
	var names []string
	for _, st := range q.store.statuses {
		for _, t := range st.tags {
			if q.matches(t) && !slices.Contains(names, t) {
				names = append(names, t)
			}
		}
	}
	var out []any
	for _, n := range names {
		out = append(out, map[string]any{"name": n, "url": q.pages + "/tags/" + n, "history": []any{}})
	}
	return out
}
