package web

import (
	"context"
	"encoding/json"
	"fmt"
	"net/http"
	"slices"
	"strconv"

	"personal-workspace/activities"
	"personal-workspace/internal/fault"
	"personal-workspace/sns"
	"personal-workspace/web/view"
)

// activityRoutes show what assistants propose and take what the person decides.
func (h *Handler) activityRoutes(rt router) {
	rt.person("GET /{$}", h.home)
	rt.person("GET /reading", h.reading)
	rt.person("POST /sample/dismiss", h.dismissSample)
	rt.person("GET /messages", h.messages)
	rt.person("GET /activities/new", h.newActivity)
	rt.person("GET /activities/{activity}", h.activity)
	rt.person("GET /activities/{activity}/{$}", h.activity)
	rt.person("GET /activities/{activity}/edit", h.editActivity)
	rt.person("GET /activities/{activity}/compare", h.compareActivity)
	rt.person("GET /activities/{activity}/erase", h.askToErase)
	rt.person("POST /activities/new", h.makeActivity)
	rt.person("POST /activities/{activity}/decide", h.decideActivity)
	rt.person("POST /activities/{activity}/undo", h.undoActivity)
	rt.person("POST /activities/{activity}/edit", h.saveActivity)
	rt.person("POST /activities/{activity}/draft", h.draftActivity)
	rt.person("POST /activities/{activity}/erase", h.eraseActivity)
	rt.person("POST /activities/decide", h.decideActivities)
	rt.person("POST /activities/undo", h.undoLast)
	rt.open("GET /api/activities/count", h.activityCount)
}

// pageSize is how many cards a page has.
const pageSize = 50

// home shows what waits for the person, or another part of the activities.
func (h *Handler) home(w http.ResponseWriter, r *http.Request) error {
	s := parseHome(r.URL.Query())
	seen := h.seen()
	in, page, err := h.inbox(r.Context(), s)
	if err != nil {
		return err
	}
	if isFragment(r) {
		return h.render(w, r, http.StatusOK, view.InboxPart(in))
	}

	p := view.HomePage{Page: h.page(r, "Home", "home"), Inbox: in, First: page.Revision == 0}
	p.Sample = p.First && !h.preferences(r.Context()).SampleClosed
	if err := h.around(r.Context(), &p); err != nil {
		return err
	}
	// The deck's columns are asked for news as long as the page is in view.
	deck := ""
	if p.Reading != nil {
		deck = p.Reading.DeckID
	}
	p.Live = view.Stream{URL: h.site.Events(deck, ""), Seen: seen, Show: h.site.Inbox(s.query())}
	return h.render(w, r, http.StatusOK, view.Home(p))
}

// inbox reads a part of the activities and makes the model of the list.
func (h *Handler) inbox(ctx context.Context, s homeState) (view.Inbox, activities.Page, error) {
	b, err := h.activityCards(ctx, s)
	if err != nil {
		return view.Inbox{}, activities.Page{}, err
	}
	q := s.asks(b.clock.now.Location())
	if s.focus {
		q.Limit, q.After = 1, "" // only what stands around the card
	}
	page, err := h.activities.List(ctx, q)
	if err != nil {
		return view.Inbox{}, page, err
	}
	proposers, err := h.activities.Proposers(ctx)
	if err != nil {
		return view.Inbox{}, page, err
	}
	in := b.inbox(page, proposers)
	if in.Last, err = h.activities.LastChange(ctx); err != nil {
		return in, page, err
	}
	if s.focus {
		err = b.alone(ctx, &in, q)
	} else {
		err = b.fill(ctx, &in, page)
	}
	if err == nil {
		in.Batch, err = b.batch(ctx)
	}
	return in, page, err
}

// fill puts a page of the list in its frame.
func (b *activityCards) fill(ctx context.Context, in *view.Inbox, page activities.Page) error {
	list, err := b.list(ctx, page.Items)
	in.Groups = grouped(list, page, b.state.view)
	if err == nil && len(list) == 0 {
		in.Empty, err = b.h.nothing(ctx, b.state)
	}
	return err
}

// nothing says why a list is empty.
func (h *Handler) nothing(ctx context.Context, s homeState) (string, error) {
	switch {
	case s.filtered():
		return "Nothing here is of that kind.", nil
	case s.view != activities.ViewTodo:
		return "Nothing is here.", nil
	}
	last, err := h.activities.Context(ctx, activities.ContextQuery{Limit: 1})
	if err != nil || len(last.Activities) == 0 {
		return "Nothing needs you.", err
	}
	a := last.Activities[0]
	if a.Own {
		return "Nothing needs you.", nil
	}
	return "Nothing needs you. Last update " + h.clock(ctx).hour(a.ConfirmedAt).Short + " by " + a.ProposedBy.Name() + ".", nil
}

// groupNames are the headings of the list, in its order.
var groupNames = []struct {
	group activities.Group
	name  string
}{
	{activities.GroupOverdue, "Overdue"},
	{activities.GroupToday, "Due today"},
	{activities.GroupWaiting, "Waiting for you"},
	{activities.GroupRest, "The rest"},
}

// listItem is a card or a line with the group that it stands in.
type listItem struct {
	group activities.Group
	view.InboxItem
}

// grouped puts items under the headings of the list; outside the view of what is
// to do there is one.
func grouped(list []listItem, page activities.Page, shown activities.View) (out []view.ActivityGroup) {
	for _, g := range groupNames {
		v := view.ActivityGroup{ID: string(g.group), Name: g.name, Count: page.Groups[g.group]}
		for _, item := range list {
			if item.group == g.group {
				v.Items = append(v.Items, item.InboxItem)
			}
		}
		if len(v.Items) > 0 {
			out = append(out, v)
		}
	}
	v := view.ActivityGroup{ID: "all", Name: viewNames[shown], Count: page.Total}
	for _, item := range list {
		if item.group == "" {
			v.Items = append(v.Items, item.InboxItem)
		}
	}
	if !slices.ContainsFunc(v.Items, func(i view.InboxItem) bool { return i.Card != nil }) {
		v.Name, v.Count = "Just decided", len(v.Items)
	}
	if len(v.Items) > 0 {
		out = append(out, v)
	}
	return out
}

// around adds what else the first page says: how the accounts do, and where to
// read on.
func (h *Handler) around(ctx context.Context, p *view.HomePage) error {
	accounts, err := h.connections.ConnectionStatuses(ctx)
	if err != nil {
		return err
	}
	p.NoAccount = len(accounts) == 0
	p.Health, p.HealthURL = h.clock(ctx).health(accounts), h.site.Connections()
	p.Reading, err = h.readOn(ctx)
	return err
}

// health says in a line how the accounts do: "2 connections fine, 1 limited until
// 14:05".
func (c clock) health(list []sns.ConnectionStatus) string {
	fine, words := int64(0), []string{}
	counts := map[string]int64{}
	for _, a := range list {
		state, mood, _ := c.stateWords(a)
		if mood == "good" {
			fine++
			continue
		}
		if counts[state]++; counts[state] == 1 {
			words = append(words, state)
		}
	}
	text := plural(fine, "connection", "connections") + " fine"
	if fine == 0 && len(words) > 0 {
		text = ""
	}
	for _, state := range words {
		if text != "" {
			text += ", "
		}
		text += strconv.FormatInt(counts[state], 10) + " " + lowerFirst(state)
	}
	if len(list) == 0 {
		return ""
	}
	return text
}

// activityCount tells the page's script how many activities need the person.
func (h *Handler) activityCount(w http.ResponseWriter, r *http.Request) error {
	ctx, ok, err := h.personOfScript(w, r)
	if !ok {
		return err
	}
	revision, err := h.activities.Revision(ctx)
	if err != nil {
		return err
	}
	counts, err := h.activities.Counts(ctx)
	if err != nil {
		return err
	}
	w.Header().Set("Content-Type", "application/json")
	return json.NewEncoder(w).Encode(map[string]any{"needsYou": counts.NeedsYou, "revision": revision})
}

// viewNames are what the lists to choose from are called.
var viewNames = map[activities.View]string{
	activities.ViewTodo: "To do", activities.ViewSnoozed: "Snoozed", activities.ViewDone: "Done",
	activities.ViewDismissed: "Dismissed", activities.ViewAll: "All",
}

// views are the lists to choose from.
func (b *activityCards) views(c activities.Counts) []view.InboxView {
	all := c.NeedsYou + c.Snoozed + c.Done + c.Dismissed
	list := []struct {
		view activities.View
		n    int
	}{
		{activities.ViewTodo, c.NeedsYou},
		{activities.ViewSnoozed, c.Snoozed},
		{activities.ViewDone, c.Done},
		{activities.ViewDismissed, c.Dismissed},
		{activities.ViewAll, all},
	}
	out := make([]view.InboxView, 0, len(list))
	for _, v := range list {
		to := homeState{view: v.view, kind: b.state.kind, account: b.state.account, by: b.state.by}
		item := view.InboxView{URL: b.site.Inbox(to.query()), Text: viewNames[v.view], Current: v.view == b.state.view}
		if v.n > 0 {
			item.Count = strconv.Itoa(v.n)
		}
		out = append(out, item)
	}
	return out
}

// filter is the form that narrows the list.
func (b *activityCards) filter(proposers []string) view.InboxFilter {
	f := view.InboxFilter{View: b.state.viewName(), Active: b.state.words(b.accounts)}
	f.Clear = b.site.Inbox(homeState{view: b.state.view}.query())
	kind := view.Field{Name: "kind", Label: "Kind", Options: []view.Option{{Label: "Tasks and replies"}, {Value: "task", Label: "Tasks"}, {Value: "reply", Label: "Replies"}}}
	account := view.Field{Name: "account", Label: "Account", Options: []view.Option{{Label: "All accounts"}}}
	for _, c := range b.connections {
		account.Options = append(account.Options, view.Option{Value: c.ID, Label: c.Account})
	}
	by := view.Field{Name: "by", Label: "Proposed by", Options: []view.Option{{Label: "Anyone"}}}
	for _, name := range proposers {
		by.Options = append(by.Options, view.Option{Value: name, Label: name})
	}
	f.Fields = []view.Field{kind, account, by}
	for i, chosen := range []string{string(b.state.kind), b.state.account, b.state.by} {
		for j, o := range f.Fields[i].Options {
			f.Fields[i].Options[j].Chosen = o.Value == chosen
		}
	}
	return f
}

// inbox is the frame of a list.
func (b *activityCards) inbox(page activities.Page, proposers []string) view.Inbox {
	s := b.state
	in := view.Inbox{
		Site: b.site, URL: b.site.Inbox(s.query()), Revision: strconv.FormatInt(page.Revision, 10),
		Views: b.views(page.Counts), Filter: b.filter(proposers), From: b.from(-1), Snoozes: b.snoozes,
	}
	if page.Next != "" {
		in.Next = b.site.Inbox(s.page(page.Next).query())
	}
	if s.after != "" {
		in.First = b.site.Inbox(s.page("").query())
	}
	if page.Total > 1 {
		in.FocusURL = b.site.Inbox(s.focused("", 0).query())
	}
	return in
}

// list makes cards, and puts the lines of what was just decided where the cards
// stood.
func (b *activityCards) list(ctx context.Context, items []activities.Item) ([]listItem, error) {
	var out []listItem
	for i, item := range items {
		card, err := b.card(ctx, item.Activity)
		if err != nil {
			return nil, err
		}
		card.From, card.Pick, card.Focus = b.from(i), b.state.filter == "", item.ID == b.state.at
		b.focused = b.focused || card.Focus
		out = append(out, listItem{item.Group, view.InboxItem{Card: &card}})
	}
	for i := range out[:max(len(out)-1, 0)] {
		out[i].Card.From = append(out[i].Card.From, view.Hidden{Name: "next", Value: items[i+1].ID})
	}
	for _, d := range b.state.decided {
		row, err := b.row(ctx, d)
		if err != nil {
			return nil, err
		}
		if row != nil {
			b.focused = b.focused || row.Focus
			out = putRow(out, d, row)
		}
	}
	return out, nil
}

// putRow puts a line in a card's place.
func putRow(list []listItem, d decidedPart, row *view.DecidedRow) []listItem {
	at := slices.IndexFunc(list, func(i listItem) bool { return i.Card != nil && i.Card.ID == d.id })
	if at >= 0 {
		list[at].InboxItem = view.InboxItem{Row: row}
		return list
	}
	item := listItem{InboxItem: view.InboxItem{Row: row}}
	place := min(d.place, len(list))
	if len(list) > 0 {
		item.group = list[min(place, len(list)-1)].group
	}
	return slices.Insert(list, place, item)
}

// errNoActivity is the answer about one that is not there.
var errNoActivity = fault.Missing("activity", "There is no such task or reply. It may have been erased, or the link is wrong.")

// lowerFirst writes a state in the middle of a sentence.
func lowerFirst(s string) string {
	if s == "" {
		return s
	}
	return fmt.Sprintf("%c%s", s[0]|0x20, s[1:])
}
