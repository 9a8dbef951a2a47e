package web

import (
	"cmp"
	"context"
	"strconv"
	"time"

	"personal-workspace/activities"
	"personal-workspace/internal/fault"
	"personal-workspace/internal/richtext"
	"personal-workspace/sns"
	"personal-workspace/web/view"
)

// activityCards makes the view models of activities, for one moment and one list.
type activityCards struct {
	h           *Handler
	site        view.Site
	clock       clock
	state       homeState
	connections []sns.Connection
	// accounts are their names, tones their colours, by id.
	accounts map[string]string
	tones    map[string]view.Tone
	networks map[string]string
	snoozes  []view.SnoozeOption
	// warningsOpen: the person reads what warnings hide.
	warningsOpen bool
	// page: the card is a page of its own, and forms lead back to it. The state is
	// that of the list it was opened from.
	page bool
	// chosen: the person asked for the conversation that is shown.
	chosen bool
	// focused: a card has the cursor, so that no line gets it.
	focused bool
}

func (h *Handler) activityCards(ctx context.Context, s homeState) (*activityCards, error) {
	list, err := h.connections.ListConnections(ctx)
	if err != nil {
		return nil, err
	}
	b := &activityCards{
		h: h, site: h.site, clock: h.clock(ctx), state: s, connections: list,
		accounts: map[string]string{}, tones: map[string]view.Tone{}, networks: map[string]string{},
		warningsOpen: h.preferences(ctx).WarningsOpen,
	}
	for _, c := range list {
		b.accounts[c.ID], b.tones[c.ID], b.networks[c.ID] = c.Account, connectionTone(c), string(c.Network)
	}
	for _, c := range activities.SnoozeChoices(b.clock.now, b.clock.now.Location(), h.snoozeHours(ctx)) {
		b.snoozes = append(b.snoozes, view.SnoozeOption{Label: c.Label, When: c.Until.In(b.clock.now.Location()).Format("Mon 2 Jan 15:04"), Value: c.Until.UTC().Format(time.RFC3339)})
	}
	b.snoozes = append(b.snoozes, view.SnoozeOption{Label: "Until something new happens", Value: untilActivity})
	return b, nil
}

// untilActivity is the choice to sleep until there is new evidence.
const untilActivity = "activity"

// from is what a form sends along to lead back; place is the card's in the list,
// -1 for none.
func (b *activityCards) from(place int) []view.Hidden {
	if b.page {
		return []view.Hidden{{Name: "back", Value: "page"}, {Name: "from", Value: b.state.query()}}
	}
	list := []view.Hidden{{Name: "from", Value: b.state.query()}}
	if place >= 0 {
		list = append(list, view.Hidden{Name: "place", Value: strconv.Itoa(place)})
	}
	return list
}

// kindNames are what a card calls its kind.
var kindNames = map[activities.Kind]string{activities.KindTask: "Task", activities.KindReply: "Reply"}

func (b *activityCards) card(ctx context.Context, a activities.Activity) (view.ActivityCard, error) {
	title, body, due := a.Effective()
	c := view.ActivityCard{
		Site: b.site, ID: a.ID, Title: title, Kind: kindNames[a.Proposal.Kind], Reply: a.Proposal.Kind == activities.KindReply,
		URL: b.site.ActivityFrom(a.ID, b.state.list().query()), Revision: strconv.FormatInt(a.Revision, 10),
		Reason: a.Proposal.Reason, Text: body, Edited: !a.Decision.Edits.Empty(),
		At: b.clock.ago(a.ProposedAt), Verbs: verbs(a), Snoozes: b.snoozes, EditURL: b.site.EditActivity(a.ID, b.state.query()), Alone: b.page, Plain: b.page,
	}
	if b.page {
		c.EditURL = b.site.EditFromPage(a.ID, b.state.query())
	}
	if a.Erased {
		c.Title = "An erased " + lowerFirst(c.Kind)
	}
	c.Status, c.Mood = b.clock.status(a)
	if !a.Own {
		c.By = a.ProposedBy.Name()
		if a.ConfirmedAt.After(a.ProposedAt) {
			c.Confirmed = b.clock.ago(a.ConfirmedAt)
		}
	}
	if a.Proposal.Priority == activities.PriorityHigh {
		c.Priority = "High priority"
	}
	if a.SuggestionChanged {
		c.Changed = b.site.CompareActivity(a.ID, b.state.list().query())
	}
	b.due(&c, due)
	b.source(&c, a.Proposal.Source)
	b.notes(&c, a)
	d, ok, err := b.h.activities.Draft(ctx, a.ID)
	if err == nil && ok {
		c.Draft = b.clock.ago(d.SavedAt)
	}
	return c, err
}

// about is the part of a card that stays in sight while its text is written.
func (b *activityCards) about(a activities.Activity) view.ActivityCard {
	c := view.ActivityCard{
		Site: b.site, ID: a.ID, URL: b.site.ActivityFrom(a.ID, b.state.list().query()),
		Reason: a.Proposal.Reason, Alone: b.page,
	}
	if !a.Own {
		c.By = a.ProposedBy.Name()
	}
	b.source(&c, a.Proposal.Source)
	return c
}

// verbs are what can be decided about an activity as it stands.
func verbs(a activities.Activity) view.Verbs {
	reply := a.Proposal.Kind == activities.KindReply
	switch s := a.Decision.Status; {
	case a.Erased:
		return view.Verbs{}
	case s == activities.Done || s == activities.Dismissed:
		return view.Verbs{Reopen: true}
	case s == activities.Snoozed:
		return view.Verbs{Reopen: true, Edit: true, Snooze: true, Dismiss: true, Done: true, Wait: reply}
	default:
		return view.Verbs{
			Accept: s == activities.Proposed, Edit: true, Snooze: true, Dismiss: true, Done: true,
			Wait: reply,
		}
	}
}

// status says what was decided, "" while nothing was.
func (c clock) status(a activities.Activity) (text, mood string) {
	d := a.Decision
	switch d.Status {
	case activities.Accepted:
		if a.Own {
			return "", ""
		}
		return "Accepted", "good"
	case activities.Done:
		return "Done", "good"
	case activities.Dismissed:
		return "Dismissed", ""
	case activities.Snoozed:
		return c.asleep(d), "warn"
	default:
		return "", ""
	}
}

// said is what a decision did.
func (c clock) said(a activities.Activity) string {
	text, _ := c.status(a)
	return cmp.Or(text, "Reopened")
}

// asleep says until when an activity is out of the way.
func (c clock) asleep(d activities.Decision) string {
	text := "Snoozed"
	if d.Waiting {
		text = "Waiting for them"
	}
	switch {
	case d.SnoozedUntil != nil:
		return text + " until " + c.day(*d.SnoozedUntil)
	case d.Waiting:
		return text
	}
	return text + " until something new happens"
}

// due says when an activity is due.
func (b *activityCards) due(c *view.ActivityCard, at *time.Time) {
	if at == nil {
		return
	}
	c.DueAt = &view.Time{ISO: b.clock.iso(*at), Short: b.clock.day(*at), Full: b.clock.full(*at)}
	c.Due, c.Overdue = "Due "+b.clock.day(*at), at.Before(b.clock.now)
	if c.Overdue {
		c.Due = "Overdue since " + b.clock.day(*at)
	}
}

// shortExcerpt is how much of an excerpt a list shows, in code points.
const shortExcerpt = 300

// source shows where an activity comes from: the evidence that was given.
func (b *activityCards) source(c *view.ActivityCard, s *activities.Source) {
	if s == nil {
		return
	}
	c.Source, c.Conversation = richtext.SafeURL(s.URL), s.ConversationTitle
	c.Account, c.Tone = b.accounts[s.ConnectionID], b.tones[s.ConnectionID]
	if b.state.filter != "" && !b.page {
		// The conversation has them, once for all of its replies.
		c.Conversation = ""
		return
	}
	list := s.Excerpts
	if len(list) > 1 && !b.page {
		c.More = len(list) - 1
		list = []activities.Excerpt{newest(list)}
	}
	for _, e := range list {
		v := b.excerpt(e, s.Author)
		if !b.page {
			v.URL = cmp.Or(v.URL, c.Source)
		}
		if r := []rune(e.Text); len(r) > shortExcerpt && !b.page {
			v.Text, v.Truncated = string(r[:shortExcerpt]), true
		}
		c.Excerpts = append(c.Excerpts, v)
	}
}

// excerpt is one whole; who wrote the source wrote it unless it says otherwise.
func (b *activityCards) excerpt(e activities.Excerpt, author *activities.Author) view.ActivityExcerpt {
	v := view.ActivityExcerpt{Text: e.Text, Author: e.Author, URL: richtext.SafeURL(e.URL), Warning: e.Warning, Opened: b.warningsOpen}
	if author != nil {
		v.Author = cmp.Or(v.Author, author.Name, author.Handle)
	}
	if e.At != nil {
		v.At = b.clock.ago(*e.At)
	}
	return v
}

// newest is the last thing that was said.
func newest(list []activities.Excerpt) activities.Excerpt {
	last := list[len(list)-1]
	for _, e := range list {
		if e.At != nil && (last.At == nil || e.At.After(*last.At)) {
			last = e
		}
	}
	return last
}

// notes are what else the person should know.
func (b *activityCards) notes(c *view.ActivityCard, a activities.Activity) {
	if a.DismissedBefore != nil {
		c.Notes = append(c.Notes, "You dismissed this on "+a.DismissedBefore.In(b.clock.now.Location()).Format("2 Jan")+"; there is something new since.")
	}
	switch {
	case a.Stale && a.Own:
		c.Notes = append(c.Notes, "The account that showed the post is not connected any more.")
	case a.Stale:
		c.Notes = append(c.Notes, "The assistant has withdrawn this, or its account is gone. Decide as you like.")
	}
	if a.Decision.DismissReason != "" {
		c.Notes = append(c.Notes, "Your reason: "+a.Decision.DismissReason)
	}
}

// row is the line about what was just decided; nil when there is nothing to say
// any more.
func (b *activityCards) row(ctx context.Context, d decidedPart) (*view.DecidedRow, error) {
	a, err := b.h.activities.Get(ctx, d.id)
	if fault.CodeOf(err) == fault.NotFound {
		return nil, nil
	}
	if err != nil || a.Erased {
		return nil, err
	}
	return b.rowOf(a, d), nil
}

func (b *activityCards) rowOf(a activities.Activity, d decidedPart) *view.DecidedRow {
	title, _, _ := a.Effective()
	return &view.DecidedRow{
		Site: b.site, ID: a.ID, Title: title, URL: b.site.ActivityFrom(a.ID, b.state.list().query()), Text: b.clock.said(a),
		Revision: strconv.FormatInt(a.Revision, 10), Change: d.change, Part: d.String(), From: b.from(d.place), Focus: b.state.at == a.ID,
		AskReason: a.Decision.Status == activities.Dismissed, Reason: a.Decision.DismissReason, Plain: b.page,
	}
}

// day writes a moment that is days away: "today 18:00", "tomorrow 09:00", "Mon 7
// Dec 09:00".
func (c clock) day(t time.Time) string {
	local := t.In(c.now.Location())
	midnight := func(t time.Time) time.Time { return time.Date(t.Year(), t.Month(), t.Day(), 0, 0, 0, 0, time.UTC) }
	hour := local.Format("15:04")
	switch days := int(midnight(local).Sub(midnight(c.now)) / day); {
	case days == 0:
		return "today " + hour
	case days == 1:
		return "tomorrow " + hour
	case days == -1:
		return "yesterday " + hour
	case local.Year() != c.now.Year():
		return local.Format("2 Jan 2006 15:04")
	}
	return local.Format("Mon 2 Jan 15:04")
}
