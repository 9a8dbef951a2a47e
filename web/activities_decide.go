package web

import (
	"context"
	"net/http"
	"net/url"
	"strconv"
	"time"

	"github.com/a-h/templ"

	"personal-workspace/activities"
	"personal-workspace/internal/fault"
	"personal-workspace/web/view"
)

// readDecision reads what a form decides, without what it is about.
func (h *Handler) readDecision(ctx context.Context, f url.Values) (d activities.Decide, err error) {
	d = activities.Decide{Verb: activities.Verb(f.Get("verb")), Reason: f.Get("reason")}
	if d.Verb != activities.VerbSnooze && d.Verb != activities.VerbWait {
		return d, nil
	}
	until, at := f.Get("until"), f.Get("at")
	d.WakeOnActivity = f.Get("wake") != "" || until == untilActivity
	if until == untilActivity || d.Verb == activities.VerbWait && until == "" && at == "" {
		return d, nil
	}
	t, err := h.readUntil(ctx, until, at)
	d.SnoozedUntil = &t
	return d, err
}

// readUntil reads when something shall come back: one of the times on offer, or
// what a date field has.
func (h *Handler) readUntil(ctx context.Context, until, at string) (time.Time, error) {
	if until == "" {
		c := h.clock(ctx)
		return activities.ParseSnoozeUntil(at, c.now.Location(), c.now)
	}
	t, err := time.Parse(time.RFC3339, until)
	if err != nil {
		return t, fault.Invalid("until", "The form has no time to come back at; reload the page and choose one.").Wrap(err)
	}
	return t, nil
}

// decideActivity takes one decision. A page without script goes on to the list
// with a line in the card's place; htmx gets that line.
func (h *Handler) decideActivity(w http.ResponseWriter, r *http.Request) error {
	if err := readForm(r); err != nil {
		return err
	}
	id := r.PathValue("activity")
	d, err := h.readDecision(r.Context(), r.PostForm)
	if err != nil {
		return h.refuse(w, r, err)
	}
	d.IDs = []string{id}
	if n, err := strconv.ParseInt(r.PostForm.Get("revision"), 10, 64); err == nil {
		d.Expected = map[string]int64{id: n}
	}
	res, err := h.activities.Decide(r.Context(), d)
	if err != nil {
		return h.refuse(w, r, err)
	}

	part := decidedPart{placeOf(r.PostForm), res.ChangeIDs[id], id}
	s, moved, err := h.nextTalk(r.Context(), stateOf(r.PostForm), part, res.Activities[0])
	if err != nil {
		return err
	}
	switch {
	case isFragment(r) && moved:
		tell(w, res.Revision, h.clock(r.Context()).said(res.Activities[0]))
		return h.wholeMessages(w, r, s)
	case isFragment(r):
		return h.decided(w, r, res, part)
	case moved && r.PostForm.Get("back") == "":
		http.Redirect(w, r, s.url(h.site), http.StatusSeeOther)
	default:
		h.backFrom(w, r, res.Activities[0], part)
	}
	return nil
}

func placeOf(f url.Values) int {
	n, err := strconv.Atoi(f.Get("place"))
	if err != nil {
		return 0
	}
	return max(n, 0)
}

// stateOf is the list that a form came from. What was taken back there is said
// once.
func stateOf(f url.Values) (s homeState) {
	q, err := url.ParseQuery(f.Get("from"))
	if err != nil {
		q = nil
	}
	if q.Has("filter") {
		s = parseMessages(q)
	} else {
		s = parseHome(q)
	}
	if s.batch.change == "" {
		s.batch = decidedPart{}
	}
	return s
}

// decided puts what a decision left in the card's place: the line about it, or
// for a reply that is still to be sent the card.
func (h *Handler) decided(w http.ResponseWriter, r *http.Request, res activities.Result, part decidedPart) error {
	s := stateOf(r.PostForm).without(part.id)
	s.at = "" // the cursor is at the next card already
	b, err := h.activityCards(r.Context(), s)
	if err != nil {
		return err
	}
	a := res.Activities[0]
	tell(w, res.Revision, b.clock.said(a))
	if keepsCard(a) {
		return h.cardPart(w, r, b, a, true)
	}
	return h.renderChanged(w, r, b, view.DecidedLine(*b.rowOf(a, part)))
}

// tell says to the page's script of which revision an answer is, and what it says
// to a screen reader.
func tell(w http.ResponseWriter, revision int64, said string) {
	w.Header().Set("Activities-Revision", strconv.FormatInt(revision, 10))
	w.Header().Set("Activities-Said", said)
}

// keepsCard reports whether a card stays after the decision: the text of an
// accepted reply is needed to send it.
func keepsCard(a activities.Activity) bool {
	return a.Decision.Status == activities.Accepted && a.Proposal.Kind == activities.KindReply
}

// cardPart prints one card of the list; focus puts the cursor there.
func (h *Handler) cardPart(w http.ResponseWriter, r *http.Request, b *activityCards, a activities.Activity, focus bool) error {
	card, err := b.card(r.Context(), a)
	if err != nil {
		return err
	}
	place := placeOf(r.PostForm)
	card.From, card.Pick, card.Focus = b.from(place), b.state.filter == "", focus
	return h.renderChanged(w, r, b, view.ActivityItem(card))
}

// renderChanged prints a part of the list with the views' counts beside it.
func (h *Handler) renderChanged(w http.ResponseWriter, r *http.Request, b *activityCards, part templ.Component) error {
	if b.state.filter != "" {
		m, err := b.talks(r.Context())
		if err != nil {
			return err
		}
		return h.render(w, r, http.StatusOK, view.Both(part, view.TalksChanged(m)))
	}
	counts, err := h.activities.Counts(r.Context())
	if err != nil {
		return err
	}
	in := view.Inbox{Site: h.site, Views: b.views(counts), From: b.from(-1)}
	if in.Last, err = h.activities.LastChange(r.Context()); err != nil {
		return err
	}
	return h.render(w, r, http.StatusOK, view.Both(part, view.InboxChanged(in)))
}

// backFrom leads from a decision to where its form came from.
func (h *Handler) backFrom(w http.ResponseWriter, r *http.Request, a activities.Activity, part decidedPart) {
	f := r.PostForm
	if f.Get("back") == "page" {
		http.Redirect(w, r, h.site.ActivityAfter(part.id, stateOf(f).list().query(), part.change), http.StatusSeeOther)
		return
	}
	s := stateOf(f)
	switch {
	case s.focus:
		s = s.afterDecision(part, a, f.Get("next"))
	case keepsCard(a):
		s.at = a.ID
	default:
		s = s.with(part, f.Get("next"))
		if s.at == "" {
			s.at = part.id
		}
	}
	http.Redirect(w, r, s.url(h.site), http.StatusSeeOther)
}

// undoActivity takes back one decision and brings the card back.
func (h *Handler) undoActivity(w http.ResponseWriter, r *http.Request) error {
	if err := readForm(r); err != nil {
		return err
	}
	id := r.PathValue("activity")
	a, err := h.activities.UndoDecision(r.Context(), r.PostForm.Get("change"))
	if err != nil {
		return h.refuse(w, r, err)
	}

	s := stateOf(r.PostForm).without(id)
	if isFragment(r) {
		tell(w, a.Revision, "Taken back")
		if s.filter != "" && s.talk != a.ConversationID {
			s = s.beside(a.ConversationID)
			s.at = id
			return h.wholeMessages(w, r, s)
		}
		b, err := h.activityCards(r.Context(), s)
		if err != nil {
			return err
		}
		return h.cardPart(w, r, b, a, true)
	}
	if r.PostForm.Get("back") == "page" {
		http.Redirect(w, r, h.site.ActivityFrom(id, s.list().query()), http.StatusSeeOther)
		return nil
	}
	if s.filter != "" {
		s = s.beside(a.ConversationID)
	}
	if s, err = h.returned(r.Context(), s, []activities.Activity{a}); err != nil {
		return err
	}
	s.at = id
	http.Redirect(w, r, s.url(h.site), http.StatusSeeOther)
	return nil
}

// refusedInPlace is the fault that a form with script is answered with in its own place,
// and its status; ok is false for what is to be a page of its own.
func refusedInPlace(w http.ResponseWriter, r *http.Request, err error) (f *fault.Error, status int, ok bool) {
	f = fault.From(err)
	status, known := statuses[f.Code]
	if !isFragment(r) || !known || f.Code == fault.Canceled {
		return f, status, false
	}
	markFault(w, f)
	return f, status, true
}

// refuse says in a card's place why a form was not taken. A page without script
// gets a page that says so.
func (h *Handler) refuse(w http.ResponseWriter, r *http.Request, err error) error {
	f, status, ok := refusedInPlace(w, r, err)
	if !ok {
		return err
	}
	return h.render(w, r, status, view.ActivityRefused(h.site, r.PathValue("activity"), f.Message))
}
