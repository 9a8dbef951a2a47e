package snstest

import (
	"fmt"
	"net/http"
	"slices"
	"strings"
	"time"
)

// Notification tells the main account that something happened.
type Notification struct {
	// Type is mention, reblog, favourite, follow, poll, update, status, quote,
	// or any other word.
	Type string
	// From are the accounts that did it; each makes one notification, and one
	// group holds them all.
	From []string
	// Status is the id of the status it is about, "" for none.
	Status string
	// At is when; the zero value is now.
	At time.Time
	// Patch replaces members of the notification's JSON.
	Patch map[string]any
}

type notification struct {
	Notification
	id    string
	group string
	from  *account
}

// Conversation is a private exchange of the main account.
type Conversation struct {
	// With are the other accounts.
	With []string
	// Last is the id of the last status; "" sends null, as after its deletion.
	Last   string
	Unread bool
}

type conversation struct {
	Conversation
	id string
}

// Notify adds a notification for each account in From, or one from ben, and
// returns the ids. The last one added is the newest, whatever its At says: a
// server orders notifications by id.
func (m *Mastodon) Notify(n Notification) []string {
	m.mu.Lock()
	defer m.mu.Unlock()
	if n.At.IsZero() {
		n.At = m.now()
	}
	if len(n.From) == 0 {
		n.From = []string{"ben"}
	}
	var ids []string
	group := ""
	for _, acct := range n.From {
		e := &notification{Notification: n, id: m.store.nextNumber(), from: m.store.account(acct)}
		if group == "" {
			group = groupKey(n, e.id)
		}
		e.group = group
		me := m.store.me()
		me.notes = slices.Insert(me.notes, 0, e)
		ids = append(ids, e.id)
	}
	return ids
}

func groupKey(n Notification, id string) string {
	switch n.Type {
	case "favourite", "reblog":
		return fmt.Sprintf("%s-%s-%d", n.Type, n.Status, n.At.Unix()/43200)
	case "follow":
		return fmt.Sprintf("follow-%d", n.At.Unix()/43200)
	}
	return "ungrouped-" + id
}

// Converse adds a conversation, or a newer state of one; it becomes the newest.
func (m *Mastodon) Converse(c Conversation) string {
	m.mu.Lock()
	defer m.mu.Unlock()
	for _, acct := range c.With {
		m.store.account(acct)
	}
	e := &conversation{Conversation: c, id: m.store.nextNumber()}
	me := m.store.me()
	me.talks = slices.Insert(me.talks, 0, e)
	return e.id
}

type wireNotification struct {
	ID        string `json:"id"`
	Type      string `json:"type"`
	CreatedAt string `json:"created_at"`
	GroupKey  string `json:"group_key,omitempty"`
	Account   any    `json:"account"`
	Status    any    `json:"status,omitempty"`
}

type wireConversation struct {
	ID       string `json:"id"`
	Unread   bool   `json:"unread"`
	Accounts []any  `json:"accounts"`
	Last     any    `json:"last_status"`
}

// oldTypes are the types that servers without newer ones know.
var oldTypes = []string{"mention", "reblog", "favourite", "follow", "follow_request", "poll", "status", "update"}

func (q *query) notes() []*notification {
	types, not := q.list("types"), q.list("exclude_types")
	if q.quirks.IgnoreUnknownTypes {
		types = slices.DeleteFunc(types, func(t string) bool { return !slices.Contains(oldTypes, t) })
	}
	var out []*notification
	for _, n := range q.viewer.notes {
		if len(types) > 0 && !slices.Contains(types, n.Type) || slices.Contains(not, n.Type) {
			continue
		}
		if by := q.get("account_id"); by != "" && n.from.id != by {
			continue
		}
		out = append(out, n)
	}
	return out
}

func (q *query) notifications() answer {
	notes := paged(q, q.notes(), 40, 80, func(n *notification) string { return n.id }, q.numberPlace)
	out := make([]any, 0, len(notes))
	for _, n := range notes {
		w := wireNotification{ID: n.id, Type: n.Type, CreatedAt: wireTime(n.At), GroupKey: n.group, Account: q.account(n.from)}
		if q.quirks.FewMembers {
			w.GroupKey = ""
		}
		if st := q.store.byID[n.Status]; st != nil {
			w.Status = q.show(st)
		}
		out = append(out, patched(w, n.Patch))
	}
	return answer{body: out}
}

type wireGroup struct {
	GroupKey string `json:"group_key"`
	Count    int    `json:"notifications_count"`
	Type     string `json:"type"`
	// MostRecent is a number in Mastodon's answers.
	MostRecent any      `json:"most_recent_notification_id"`
	PageMin    string   `json:"page_min_id"`
	PageMax    string   `json:"page_max_id"`
	LatestAt   string   `json:"latest_page_notification_at"`
	Samples    []string `json:"sample_account_ids"`
	StatusID   string   `json:"status_id,omitempty"`
}

// grouped answers GET /api/v2/notifications: groups newest first; the page ends
// within no group, so the cursor is the oldest id of the last group.
func (q *query) grouped() answer {
	if q.quirks.NoGrouped {
		return q.quirks.notFound("")
	}
	groups := groupNotes(q.notes(), q.list("grouped_types"))
	page := paged(q, groups, 40, 80, func(g []*notification) string { return g[len(g)-1].id }, q.numberPlace)
	var records []wireGroup
	var accounts, statuses []any
	seen := map[string]bool{}
	for _, g := range page {
		records = append(records, groupRecord(g))
		for _, n := range g {
			if !seen["a"+n.from.id] {
				seen["a"+n.from.id] = true
				accounts = append(accounts, q.account(n.from))
			}
			if st := q.store.byID[n.Status]; st != nil && !seen["s"+st.id] {
				seen["s"+st.id] = true
				statuses = append(statuses, q.show(st))
			}
		}
	}
	return answer{body: map[string]any{
		"accounts": nonNil(accounts), "statuses": nonNil(statuses), "notification_groups": nonNil(records),
	}}
}

// groupNotes puts notifications of one group together at the newest one's
// place. Types outside of only, when given, stay alone.
func groupNotes(notes []*notification, only []string) [][]*notification {
	var out [][]*notification
	at := map[string]int{}
	for _, n := range notes {
		alone := len(only) > 0 && !slices.Contains(only, n.Type)
		if i, ok := at[n.group]; ok && !alone {
			out[i] = append(out[i], n)
			continue
		}
		at[n.group] = len(out)
		out = append(out, []*notification{n})
	}
	return out
}

func groupRecord(g []*notification) wireGroup {
	newest, oldest := g[0], g[len(g)-1]
	w := wireGroup{
		GroupKey: newest.group, Count: len(g), Type: newest.Type, MostRecent: numberIfDecimal(newest.id),
		PageMin: oldest.id, PageMax: newest.id, LatestAt: wireTime(newest.At), StatusID: newest.Status, Samples: []string{},
	}
	for _, n := range g[:min(len(g), 8)] {
		w.Samples = append(w.Samples, n.from.id)
	}
	return w
}

func (q *query) conversations() answer {
	talks := paged(q, q.viewer.talks, 20, 40, func(c *conversation) string { return c.id }, q.numberPlace)
	out := make([]wireConversation, 0, len(talks))
	for _, c := range talks {
		w := wireConversation{ID: c.id, Unread: c.Unread, Accounts: []any{}}
		for _, acct := range c.With {
			w.Accounts = append(w.Accounts, q.account(q.store.accounts[acct]))
		}
		if st := q.store.byID[c.Last]; st != nil {
			w.Last = q.show(st)
		}
		out = append(out, w)
	}
	return answer{body: out}
}

// notFound answers a request for what is not there; long names it for servers
// that do.
func (q Quirks) notFound(long string) answer {
	text := "Record not found"
	if q.LongErrors {
		text = strings.TrimSuffix("Not Found: "+long, ": ")
	}
	return answer{status: http.StatusNotFound, body: errorBody(text)}
}
