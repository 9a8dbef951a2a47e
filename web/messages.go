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

// mostTalks is how many conversations a list has.
const mostTalks = 100

// parseMessages reads which list of Messages and which conversation is shown.
func parseMessages(q url.Values) homeState {
	all := parseHome(q)
	s := homeState{view: activities.ViewTodo, at: all.at, decided: all.decided, talk: q.Get("conversation"), filter: activities.NeedsReply}
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
	list, err := b.conversations(ctx)
	if err != nil {
		return m, err
	}
	if b.state.talk == "" && len(list) > 0 {
		b.state.talk = list[0].ID
	}
	m = b.talkList(list)
	m.Revision, m.Chosen = strconv.FormatInt(revision, 10), b.chosen
	counts, err := b.h.activities.Counts(ctx)
	if err != nil || b.state.talk == "" {
		m.Undoable = decided(activities.Page{Counts: counts})
		return m, err
	}
	c, err := b.h.activities.Conversation(ctx, b.state.talk)
	if fault.CodeOf(err) == fault.NotFound {
		m.Gone = fault.From(err).Message
		return m, nil
	}
	if err != nil {
		return m, err
	}
	page := activities.Page{Counts: counts}
	for _, a := range c.Activities {
		page.Items = append(page.Items, activities.Item{Activity: a})
	}
	m.Undoable = decided(page)
	m.Open, err = b.talk(ctx, c, page.Items)
	return m, err
}

func (b *activityCards) conversations(ctx context.Context) ([]activities.Conversation, error) {
	return b.h.activities.Conversations(ctx, activities.ConversationQuery{Filter: b.state.filter, Limit: mostTalks})
}

// talks is the list as it is after a decision.
func (b *activityCards) talks(ctx context.Context) (view.Messages, error) {
	list, err := b.conversations(ctx)
	return b.talkList(list), err
}

// talkList is the list without a conversation beside it.
func (b *activityCards) talkList(list []activities.Conversation) view.Messages {
	s := b.state
	m := view.Messages{Site: b.site, From: b.from(-1), URL: b.site.Messages(s.query()), Full: len(list) == mostTalks}
	if !b.chosen {
		m.URL += "&beside=1"
	}
	for _, l := range talkLists {
		current := l.filter == s.filter
		m.Filters = append(m.Filters, view.InboxView{URL: b.site.Messages(homeState{filter: l.filter}.query()), Text: l.name, Current: current})
		if !current {
			continue
		}
		m.Heading, m.Back = l.name, b.site.Messages(homeState{filter: l.filter}.query())
		if len(list) == 0 {
			m.Empty = l.empty
		}
	}
	for _, c := range list {
		m.List = append(m.List, b.talkLink(c))
	}
	return m
}

// shortTalk is how much of what was said last the list shows, in code points.
const shortTalk = 120

// talkLink leads to a conversation.
func (b *activityCards) talkLink(c activities.Conversation) view.TalkLink {
	v := view.TalkLink{
		ID: c.ID, URL: b.site.Messages(homeState{filter: b.state.filter, talk: c.ID}.query()), Name: talkName(c), With: talkAuthor(c),
		At: b.clock.ago(c.NewestAt), Current: c.ID == b.state.talk,
	}
	if n := len(c.Excerpts); n > 0 {
		v.Text = c.Excerpts[n-1].Text
	}
	if r := []rune(v.Text); len(r) > shortTalk {
		v.Text = string(r[:shortTalk]) + "…"
	}
	if n := len(c.Activities); n > 1 {
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
// line in a card's place.
func (b *activityCards) talk(ctx context.Context, c activities.Conversation, items []activities.Item) (*view.Talk, error) {
	t := &view.Talk{Name: talkName(c)}
	for _, e := range c.Excerpts {
		t.Excerpts = append(t.Excerpts, b.excerpt(e, c.Author))
	}
	list, err := b.list(ctx, items)
	for _, i := range list {
		t.Items = append(t.Items, i.InboxItem)
	}
	return t, err
}
