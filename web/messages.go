package web

import (
	"cmp"
	"context"
	"net/http"
	"net/url"
	"strconv"

	"personal-workspace/activities"
	"personal-workspace/internal/fault"
	"personal-workspace/web/view"
)

// talkLists are the lists of Messages.
var talkLists = []struct {
	filter      activities.ConversationFilter
	name, empty string
}{
	{activities.NeedsReply, "Needs reply", "No reply needs you."},
	{activities.WaitingForThem, "Waiting for them", "You wait for nobody."},
	{activities.SnoozedReplies, "Snoozed", "No reply is put off."},
	{activities.DoneReplies, "Done", "No reply is done yet."},
}

// talksOnPage is how many conversations a page of a list has.
const talksOnPage = 50

// parseMessages reads which list of Messages and which conversation is shown.
func parseMessages(q url.Values) homeState {
	all := parseHome(q)
	s := homeState{
		view: activities.ViewTodo, after: all.after, at: all.at, decided: all.decided, batch: all.batch, filter: activities.NeedsReply,
		talk: q.Get("conversation"), older: q.Get("older"),
	}
	for _, l := range talkLists {
		if string(l.filter) == q.Get("filter") {
			s.filter = l.filter
		}
	}
	return s
}

// url is the address of the list.
func (s homeState) url(site view.Site) string {
	if s.filter != "" {
		return site.Messages(s.query())
	}
	return site.Inbox(s.query())
}

// messages shows the conversations that have replies, and one of them: the one
// asked for, else the newest.
func (h *Handler) messages(w http.ResponseWriter, r *http.Request) error {
	q := r.URL.Query()
	seen := h.seen()
	b, err := h.activityCards(r.Context(), parseMessages(q))
	if err != nil {
		return err
	}
	b.chosen = q.Get("conversation") != "" && !q.Has("beside")
	m, err := b.messages(r.Context())
	if err != nil {
		return err
	}
	if isFragment(r) {
		return h.render(w, r, http.StatusOK, view.MessagesPart(m))
	}

	p := view.MessagesPage{Page: h.page(r, "Messages", "messages"), Messages: m}
	p.Live = view.Stream{URL: h.site.Events("", ""), Seen: seen, Show: m.URL}
	status := http.StatusOK
	if m.Gone != "" {
		status = http.StatusNotFound
	}
	return h.render(w, r, status, view.MessagesWhole(p))
}

// messages makes the model of the list and of the conversation beside it. The
// revision is read first: what is shown is at least as new.
func (b *activityCards) messages(ctx context.Context) (m view.Messages, err error) {
	revision, err := b.h.activities.Revision(ctx)
	if err != nil {
		return m, err
	}
	page, err := b.conversations(ctx)
	if err != nil {
		return m, err
	}
	if b.state.talk == "" && len(page.Conversations) > 0 {
		b.state.talk = page.Conversations[0].ID
	}
	m = b.talkList(page)
	m.Revision, m.Chosen = strconv.FormatInt(revision, 10), b.chosen
	if m.Last, err = b.h.activities.LastChange(ctx); err != nil {
		return m, err
	}
	if b.state.talk != "" {
		if m.Open, err = b.openTalk(ctx); fault.CodeOf(err) == fault.NotFound {
			m.Gone, err = fault.From(err).Message, nil
		}
	}
	if err == nil {
		m.Batch, err = b.batch(ctx)
	}
	return m, err
}

// openTalk is the conversation beside the list.
func (b *activityCards) openTalk(ctx context.Context) (*view.Talk, error) {
	c, err := b.h.activities.Conversation(ctx, b.state.talk, b.state.older)
	if err != nil {
		return nil, err
	}
	items := make([]activities.Item, 0, len(c.Activities))
	for _, a := range c.Activities {
		items = append(items, activities.Item{Activity: a})
	}
	return b.talk(ctx, c, items)
}

// conversations reads the list from the page's cursor on. Once nothing is left
// behind that, it is the list from its beginning.
func (b *activityCards) conversations(ctx context.Context) (p activities.ConversationPage, err error) {
	q := activities.ConversationQuery{Filter: b.state.filter, After: b.state.after, Limit: talksOnPage}
	p, err = b.h.activities.Conversations(ctx, q)
	if err != nil || len(p.Conversations) > 0 || q.After == "" {
		return p, err
	}
	b.state.after, q.After = "", ""
	return b.h.activities.Conversations(ctx, q)
}

// talks is the list as it is after a decision.
func (b *activityCards) talks(ctx context.Context) (view.Messages, error) {
	page, err := b.conversations(ctx)
	if err != nil {
		return view.Messages{}, err
	}
	m := b.talkList(page)
	m.Last, err = b.h.activities.LastChange(ctx)
	return m, err
}

// beside is the list with another conversation beside it.
func (s homeState) beside(talk string) homeState {
	return homeState{filter: s.filter, after: s.after, talk: talk}
}

// talkList is the list without a conversation beside it.
func (b *activityCards) talkList(page activities.ConversationPage) view.Messages {
	s := b.state
	m := view.Messages{Site: b.site, From: b.from(-1), URL: b.site.Messages(s.query()), Back: b.site.Messages(s.beside("").query())}
	if !b.chosen {
		m.URL += "&beside=1"
	}
	for _, l := range talkLists {
		current := l.filter == s.filter
		v := view.InboxView{URL: b.site.Messages(homeState{filter: l.filter}.query()), Text: l.name, Current: current}
		m.Filters = append(m.Filters, v)
		if !current {
			continue
		}
		m.Heading, m.Total = l.name, page.Total
		if len(page.Conversations) == 0 {
			m.Empty = l.empty
		}
	}
	for _, c := range page.Conversations {
		m.List = append(m.List, b.talkLink(c))
	}
	if page.Most > 0 {
		m.Most, m.AllURL = strconv.Itoa(page.Most), b.site.Inbox(allReplies(s.filter).query())
	}
	if page.Next != "" {
		m.Next = b.site.Messages(homeState{filter: s.filter, after: page.Next}.query())
	}
	if s.after != "" {
		m.First = b.site.Messages(homeState{filter: s.filter}.query())
	}
	return m
}

// allReplies is the list of Home with all replies of one of Messages.
func allReplies(f activities.ConversationFilter) homeState {
	s := homeState{view: activities.ViewTodo, kind: activities.KindReply}
	switch f {
	case activities.WaitingForThem, activities.SnoozedReplies:
		s.view = activities.ViewSnoozed
	case activities.DoneReplies:
		s.view = activities.ViewDone
	}
	return s
}

// shortTalk is how much of what was said last the list shows, in code points.
const shortTalk = 120

// talkLink leads to a conversation.
func (b *activityCards) talkLink(c activities.Conversation) view.TalkLink {
	v := view.TalkLink{
		ID: c.ID, URL: b.site.Messages(b.state.beside(c.ID).query()), Name: talkName(c), With: talkAuthor(c),
		At: b.clock.ago(c.NewestAt), Current: c.ID == b.state.talk,
	}
	if n := len(c.Excerpts); n > 0 {
		v.Text = c.Excerpts[n-1].Text
	}
	if r := []rune(v.Text); len(r) > shortTalk {
		v.Text = string(r[:shortTalk]) + "…"
	}
	switch n := len(c.Activities); {
	case c.NextReplies != "":
		v.Replies = "more than " + strconv.Itoa(n) + " replies"
	case n > 1:
		v.Replies = plural(int64(n), "reply", "replies")
	}
	return v
}

// talkName is what a conversation is called: its own name, else its author's,
// else its newest reply's.
func talkName(c activities.Conversation) string {
	title, _, _ := c.Activities[0].Effective()
	return cmp.Or(c.Title, talkAuthor(c), title)
}

func talkAuthor(c activities.Conversation) string {
	if c.Author == nil {
		return ""
	}
	return cmp.Or(c.Author.Name, c.Author.Handle)
}

// talk is a conversation with its replies as cards; what was just decided is a
// line in a card's place, and before all when it belongs to another conversation.
func (b *activityCards) talk(ctx context.Context, c activities.Conversation, items []activities.Item) (*view.Talk, error) {
	t := &view.Talk{Name: talkName(c)}
	for _, e := range c.Excerpts {
		t.Excerpts = append(t.Excerpts, b.excerpt(e, c.Author))
	}
	if c.NextReplies != "" {
		s := b.state.beside(c.ID)
		s.older = c.NextReplies
		t.More = b.site.Messages(s.query())
	}
	if b.state.older != "" {
		t.First = b.site.Messages(b.state.beside(c.ID).query())
	}
	before, err := b.leftBehind(ctx, c.ID)
	if err != nil {
		return nil, err
	}
	t.Lines = before
	list, err := b.list(ctx, items)
	for _, i := range list {
		t.Items = append(t.Items, i.InboxItem)
	}
	return t, err
}

// leftBehind takes the lines about other conversations out of the state.
func (b *activityCards) leftBehind(ctx context.Context, talk string) (lines []view.DecidedRow, err error) {
	here := []decidedPart{}
	for _, d := range b.state.decided {
		a, err := b.h.activities.Get(ctx, d.id)
		switch {
		case fault.CodeOf(err) == fault.NotFound || a.Erased:
		case err != nil:
			return nil, err
		case a.ConversationID == talk:
			here = append(here, d)
		default:
			lines = append(lines, *b.rowOf(a, d))
		}
	}
	b.state.decided = here
	return lines, nil
}

// nextTalk returns where to go on after a decision: to the conversation that
// follows the state's when that has left the list. ok is false when one stays.
func (h *Handler) nextTalk(ctx context.Context, s homeState, part decidedPart, a activities.Activity) (next homeState, ok bool, err error) {
	if s.filter == "" || s.talk != a.ConversationID {
		return s, false, nil
	}
	c, listed, err := h.activities.NextConversation(ctx, s.filter, s.talk)
	if err != nil || listed || c.ID == "" {
		return s, false, err
	}
	next = s.beside(c.ID)
	next.at, next.decided = c.Activities[0].ID, []decidedPart{part}
	return next, true, nil
}

// wholeMessages answers a form of a conversation with another one in its place.
func (h *Handler) wholeMessages(w http.ResponseWriter, r *http.Request, s homeState) error {
	b, err := h.activityCards(r.Context(), s)
	if err != nil {
		return err
	}
	b.chosen = true
	m, err := b.messages(r.Context())
	if err != nil {
		return err
	}
	m.Address = h.site.Messages(s.query())
	return h.render(w, r, http.StatusOK, view.MessagesInstead(m))
}
