package web

import (
	"net/http"
	"net/url"
	"slices"
	"strconv"

	"personal-workspace/activities"
	"personal-workspace/internal/fault"
	"personal-workspace/internal/ledger"
	"personal-workspace/web/view"
)

// activity is the page of one: all of its text, what was decided and when.
func (h *Handler) activity(w http.ResponseWriter, r *http.Request) error {
	a, err := h.activities.Get(r.Context(), r.PathValue("activity"))
	if err != nil {
		return err
	}
	b, err := h.activityCards(r.Context(), cameFrom(r))
	if err != nil {
		return err
	}

	b.page = true
	seen := h.seen()
	card, err := b.card(r.Context(), a)
	if err != nil {
		return err
	}
	card.From = b.from(-1)
	p := view.ActivityPage{Card: card, EraseURL: h.site.EraseActivity(a.ID, b.state.query())}
	p.Page = h.pageFrom(r, card.Title)
	p.Back, p.BackName = b.back(a.ID)
	p.Live = view.Stream{URL: h.site.Events("", ""), Seen: seen, Show: card.URL}
	changes, err := h.activities.History(r.Context(), a.ID)
	if err != nil {
		return err
	}
	q := r.URL.Query()
	for _, c := range changes {
		p.History = append(p.History, b.change(c))
		made := c.What == "created"
		if !c.Undoable || c.ID != q.Get("change") && !(made && q.Has("made")) {
			continue
		}
		if p.Row = b.rowOf(a, decidedPart{0, c.ID, a.ID}); made {
			p.Row.Text = "Task made"
		}
	}
	return h.render(w, r, http.StatusOK, view.ActivityAlone(p))
}

// cameFrom is the list that a page about an activity was opened from, as its
// address or its form says it. It can be no address outside the workspace: of the
// text only the names of lists and activities are taken.
func cameFrom(r *http.Request) homeState {
	return stateOf(url.Values{"from": {r.FormValue("from")}}).list()
}

// pageFrom is the frame of a page about an activity.
func (h *Handler) pageFrom(r *http.Request, title string) view.Page {
	if cameFrom(r).filter != "" {
		return h.page(r, title, "messages")
	}
	return h.page(r, title, "home")
}

// back leads from an activity's page to the list it was opened from, with the
// cursor at the activity, and says which one that is.
func (b *activityCards) back(id string) (address, name string) {
	s := b.state
	s.at = id
	if s.filter != "" {
		return s.url(b.site), "Messages"
	}
	return s.url(b.site), "Home"
}

// changeWords are what a row of the history says happened.
var changeWords = map[string]string{
	"published": "Proposed", "updated": "Proposed anew", "edited": "Text changed", "created": "Made", "erased": "Erased",
	"woken": "Woke up", "undone": "Taken back",
	string(activities.VerbAccept): "Accepted", string(activities.VerbSnooze): "Snoozed", string(activities.VerbDismiss): "Dismissed",
	string(activities.VerbDone): "Done", string(activities.VerbReopen): "Reopened", string(activities.VerbWait): "Waiting for them",
}

func (b *activityCards) change(c activities.Change) view.ActivityChange {
	v := view.ActivityChange{Text: changeWords[c.What], Who: "the workspace", At: b.clock.ago(c.At)}
	if v.Text == "" {
		v.Text = c.What
	}
	if c.Until != nil {
		v.Text += " until " + b.clock.day(*c.Until)
	}
	if c.Reason != "" {
		v.Text += ": " + c.Reason
	}
	if c.Undone {
		v.Text += " (taken back)"
	}
	switch c.Actor.Kind {
	case ledger.Person:
		v.Who = "you"
	case ledger.Caller, ledger.Research:
		v.Who = c.Actor.Name()
	}
	return v
}

// askToErase asks before an activity's text is removed for good.
func (h *Handler) askToErase(w http.ResponseWriter, r *http.Request) error {
	a, err := h.activities.Get(r.Context(), r.PathValue("activity"))
	if err != nil {
		return err
	}
	title, _, _ := a.Effective()
	from := cameFrom(r).query()
	p := view.ErasePage{ID: a.ID, Name: title, Back: h.site.ActivityFrom(a.ID, from), Action: h.site.EraseActivity(a.ID, from)}
	p.Page = h.pageFrom(r, "Erase")
	return h.render(w, r, http.StatusOK, view.EraseActivity(p))
}

func (h *Handler) eraseActivity(w http.ResponseWriter, r *http.Request) error {
	id, s := r.PathValue("activity"), cameFrom(r)
	if err := h.activities.Erase(r.Context(), id); err != nil {
		return err
	}

	if s.talk != "" {
		// It may have been the last reply of the conversation.
		if _, err := h.activities.Conversation(r.Context(), s.talk, ""); fault.CodeOf(err) == fault.NotFound {
			s = s.beside("")
		}
	}
	s.batch = decidedPart{id: id}
	http.Redirect(w, r, s.url(h.site), http.StatusSeeOther)
	return nil
}

// compareActivity shows an edited text beside the newer proposal.
func (h *Handler) compareActivity(w http.ResponseWriter, r *http.Request) error {
	a, err := h.activities.Get(r.Context(), r.PathValue("activity"))
	if err != nil {
		return err
	}
	if a.Erased {
		return fault.Missing("activity", "The text of this was erased.")
	}
	title, body, _ := a.Effective()
	from := cameFrom(r).query()
	p := view.ComparePage{ID: a.ID, Name: title, Back: h.site.ActivityFrom(a.ID, from), Action: h.site.EditActivity(a.ID, "")}
	p.Page = h.pageFrom(r, "Compare")
	for _, part := range [][3]string{{"Title", title, a.Proposal.Title}, {"Text", body, a.Proposal.Body}} {
		if part[1] == part[2] {
			continue
		}
		mine, theirs := sides(part[1], part[2])
		p.Parts = append(p.Parts, view.ComparedPart{Name: part[0], Mine: mine, Theirs: theirs})
	}
	seen := []view.Hidden{{Name: "back", Value: "page"}, {Name: "from", Value: from}, {Name: "base", Value: strconv.FormatInt(a.Revision, 10)}}
	p.Keep = append(slices.Clone(seen), view.Hidden{Name: "keep", Value: "on"})
	p.Take = append(seen, view.Hidden{Name: "title", Value: a.Proposal.Title}, view.Hidden{Name: "body", Value: a.Proposal.Body})
	return h.render(w, r, http.StatusOK, view.CompareActivity(p))
}
