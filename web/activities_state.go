package web

import (
	"net/url"
	"slices"
	"strconv"
	"strings"
	"time"

	"personal-workspace/activities"
)

// homeState is which part of the activities a page shows, as its address says it.
// Forms send it along, so that they lead back to the same list.
type homeState struct {
	view    activities.View
	kind    activities.Kind
	account string
	by      string
	// after is the cursor of a later page, at the activity that gets the cursor.
	after, at string
	// focus shows one card alone: at, or what now stands at the place spot where
	// that was. done is how many were decided there.
	focus      bool
	spot, done int
	// decided are the lines of what was just decided, the newest last.
	decided []decidedPart
	// batch is the line about several that were decided in one go: how many, one
	// change of them and its activity; its id is "" for none. Without a change they
	// were taken back, 0 of them when that was done before.
	batch decidedPart
	// filter is the list of Messages that is shown, "" on Home; talk is the
	// conversation beside it, and older the cursor of a later page of its replies.
	filter      activities.ConversationFilter
	talk, older string
}

// decidedPart names a line: the place that the card had in the list, the change
// to take back ("" for none), and the activity.
type decidedPart struct {
	place      int
	change, id string
}

// maxDecided is how many lines stay.
const maxDecided = 5

func parseHome(q url.Values) homeState {
	s := homeState{
		view: activities.View(q.Get("view")), kind: activities.Kind(q.Get("kind")), account: q.Get("account"), by: q.Get("by"),
		after: q.Get("after"), at: q.Get("at"), focus: q.Get("focus") != "",
	}
	known := []activities.View{activities.ViewTodo, activities.ViewSnoozed, activities.ViewDone, activities.ViewDismissed, activities.ViewAll}
	if !slices.Contains(known, s.view) {
		s.view = activities.ViewTodo
	}
	if s.kind != activities.KindTask && s.kind != activities.KindReply {
		s.kind = ""
	}
	s.done, s.spot = parseNumber(q.Get("done")), parseNumber(q.Get("spot"))
	s.batch, _ = parseDecided(q.Get("batch")) // another text is none
	for _, v := range q["decided"] {
		if d, ok := parseDecided(v); ok {
			s.decided = append(s.decided, d)
		}
	}
	s.decided = s.decided[max(len(s.decided)-activities.MaxPage, 0):]
	return s
}

// parseNumber reads a small number; any other text is 0.
func parseNumber(s string) int {
	n, err := strconv.Atoi(s)
	if err != nil || n < 0 || n > 1_000_000 {
		return 0
	}
	return n
}

// parseDecided reads "3.chg_x.act_y"; no id has a dot.
func parseDecided(v string) (d decidedPart, ok bool) {
	parts := strings.Split(v, ".")
	if len(parts) != 3 {
		return d, false
	}
	place, err := strconv.Atoi(parts[0])
	d = decidedPart{place, parts[1], parts[2]}
	if err != nil || place < 0 || place > activities.MaxBatch || d.id == "" {
		return decidedPart{}, false
	}
	return d, true
}

func (d decidedPart) String() string {
	return strconv.Itoa(d.place) + "." + d.change + "." + d.id
}

// query is the state as the query of an address; "" for what is to do.
func (s homeState) query() string {
	q := url.Values{}
	set := func(name, value string) {
		if value != "" {
			q.Set(name, value)
		}
	}
	set("view", s.viewName())
	set("kind", string(s.kind))
	set("account", s.account)
	set("by", s.by)
	set("filter", string(s.filter))
	set("conversation", s.talk)
	set("older", s.older)
	set("after", s.after)
	set("at", s.at)
	if s.focus {
		set("focus", "1")
	}
	for name, n := range map[string]int{"done": s.done, "spot": s.spot} {
		if n > 0 {
			set(name, strconv.Itoa(n))
		}
	}
	if s.batch.id != "" {
		set("batch", s.batch.String())
	}
	for _, d := range s.decided {
		q.Add("decided", d.String())
	}
	return q.Encode()
}

func (s homeState) viewName() string {
	if s.view == activities.ViewTodo {
		return ""
	}
	return string(s.view)
}

func (s homeState) filtered() bool { return s.kind != "" || s.account != "" || s.by != "" }

// asks is the state as a question to the service.
func (s homeState) asks(zone *time.Location) activities.Query {
	return activities.Query{View: s.view, Kind: s.kind, ConnectionID: s.account, Proposer: s.by, After: s.after, Limit: pageSize, Zone: zone}
}

// words say what is left out.
func (s homeState) words(accounts map[string]string) string {
	var list []string
	switch s.kind {
	case activities.KindTask:
		list = append(list, "tasks")
	case activities.KindReply:
		list = append(list, "replies")
	}
	if s.account != "" {
		name := accounts[s.account]
		if name == "" {
			name = "an account that is gone"
		}
		list = append(list, "for "+name)
	}
	if s.by != "" {
		list = append(list, "proposed by "+s.by)
	}
	return strings.Join(list, ", ")
}

// list is the state without what was just done there.
func (s homeState) list() homeState {
	s.at, s.decided, s.batch, s.done = "", nil, decidedPart{}, 0
	return s
}

// page is the state at another page of the list.
func (s homeState) page(after string) homeState {
	s.after, s.at, s.decided, s.batch = after, "", nil, decidedPart{}
	return s
}

// focused is the state that shows one card alone, which stands at a place.
func (s homeState) focused(at string, spot int) homeState {
	s = s.page("")
	s.focus, s.at, s.spot = true, at, spot
	return s
}

// with is the state after a decision about a card at a place; at gets the cursor.
func (s homeState) with(d decidedPart, at string) homeState {
	s = s.without(d.id)
	s.decided, s.at = append(s.decided, d), at
	s.decided = s.decided[max(len(s.decided)-maxDecided, 0):]
	return s
}

// without is the state with no line about an activity.
func (s homeState) without(id string) homeState {
	s.decided = slices.DeleteFunc(slices.Clone(s.decided), func(d decidedPart) bool { return d.id == id })
	return s
}
