package web

import (
	"crypto/sha256"
	"encoding/hex"
	"net/http"
	"net/url"
	"strconv"
	"strings"

	"personal-workspace/activities"
	"personal-workspace/internal/fault"
	"personal-workspace/web/view"
)

// typedText is what the form of an activity's text has: the text, the date as
// its field writes it, and the revision and the text it began from.
type typedText struct {
	title, body, due string
	base             int64
	// was is a short sum of each member at the beginning: what was not changed is
	// not saved as the person's.
	was [3]string
}

func readTyped(f url.Values) typedText {
	t := typedText{title: newlines(f.Get("title")), body: newlines(f.Get("body")), due: f.Get("due")}
	t.base, _ = strconv.ParseInt(f.Get("base"), 10, 64) // 0 is not checked
	for i, sum := range strings.SplitN(f.Get("was"), ".", 3) {
		t.was[i] = sum
	}
	return t
}

// newlines are one character: forms send two.
func newlines(s string) string { return strings.ReplaceAll(s, "\r\n", "\n") }

func sumOf(s string) string {
	sum := sha256.Sum256([]byte(s))
	return hex.EncodeToString(sum[:6])
}

// textOf is an activity's text as the form writes it.
func (c clock) textOf(a activities.Activity) typedText {
	title, body, due := a.Effective()
	t := typedText{title: title, body: newlines(body), base: a.Revision}
	if due != nil {
		t.due = due.In(c.now.Location()).Format(activities.LocalLayout)
	}
	t.was = [3]string{sumOf(t.title), sumOf(t.body), sumOf(t.due)}
	return t
}

// editActivity is the form with an activity's text: what was typed before and not
// saved, if anything.
func (h *Handler) editActivity(w http.ResponseWriter, r *http.Request) error {
	a, err := h.activities.Get(r.Context(), r.PathValue("activity"))
	if err != nil {
		return err
	}
	if a.Erased {
		return errNoActivity
	}
	t := h.clock(r.Context()).textOf(a)
	d, drafted, err := h.activities.Draft(r.Context(), a.ID)
	if err != nil {
		return err
	}
	f := view.TextForm{}
	if drafted {
		t = t.draftedAs(d)
		f.Draft = h.clock(r.Context()).ago(d.SavedAt)
	}
	return h.showTextForm(w, r, http.StatusOK, a, t, f)
}

// draftedAs is the text with what was typed over it.
func (t typedText) draftedAs(d activities.Draft) typedText {
	for _, m := range []struct{ to, from *string }{{&t.title, d.Title}, {&t.body, d.Body}, {&t.due, d.Due}} {
		if m.from != nil {
			*m.to = *m.from
		}
	}
	if d.BaseRevision > 0 {
		t.base = d.BaseRevision
	}
	return t
}

// showTextForm prints the form, in a card's place for htmx.
func (h *Handler) showTextForm(w http.ResponseWriter, r *http.Request, status int, a activities.Activity, t typedText, f view.TextForm) error {
	from := r.FormValue("from")
	f.Site, f.ID, f.Reply, f.Action = h.site, a.ID, a.Proposal.Kind == activities.KindReply, h.site.EditActivity(a.ID, "")
	f.Title, f.Body, f.Due, f.Base, f.Was = t.title, t.body, t.due, strconv.FormatInt(t.base, 10), strings.Join(t.was[:], ".")
	f.From = []view.Hidden{{Name: "from", Value: from}}
	if back := r.FormValue("back"); back != "" {
		f.From = append(f.From, view.Hidden{Name: "back", Value: back})
	}
	if f.Reply {
		f.Counts = h.networkOf(r.Context(), a)
		f.Limit = textLimits[f.Counts]
	}
	f.Count = countText(f.Counts, t.body)
	b, err := h.activityCards(r.Context(), stateOf(url.Values{"from": {from}}))
	if err != nil {
		return err
	}
	b.page = !isFragment(r)
	about := b.about(a)
	if isFragment(r) {
		f.Swap = true
		about.Title, about.Edit = t.title, &f
		return h.render(w, r, status, view.ActivityItem(about))
	}
	p := view.EditActivityPage{Name: "Edit", About: about, Form: f}
	p.Page, p.Back = h.pageFrom(r, "Edit"), h.site.ActivityFrom(a.ID, cameFrom(r).query())
	return h.render(w, r, status, view.EditActivity(p))
}

// saveActivity saves an activity's text as the person's.
func (h *Handler) saveActivity(w http.ResponseWriter, r *http.Request) error {
	if err := readForm(r); err != nil {
		return err
	}
	id := r.PathValue("activity")
	if r.PostForm.Get("discard") != "" {
		if err := h.activities.DiscardDraft(r.Context(), id); err != nil {
			return err
		}
		return h.afterEdit(w, r, id)
	}
	t := readTyped(r.PostForm)
	if r.PostForm.Get("keep") != "" {
		if _, err := h.activities.Edit(r.Context(), activities.Edit{ID: id, BaseRevision: t.base, Keep: true}); err != nil {
			return err
		}
		return h.afterEdit(w, r, id)
	}
	e, err := t.edit(id, h.clock(r.Context()))
	if err == nil {
		_, err = h.activities.Edit(r.Context(), e)
	}
	if err != nil {
		return h.editAgain(w, r, t, err)
	}
	return h.afterEdit(w, r, id)
}

// edit is what of the text was changed.
func (t typedText) edit(id string, c clock) (activities.Edit, error) {
	e := activities.Edit{ID: id, BaseRevision: t.base}
	if sumOf(t.title) != t.was[0] {
		e.Title = &t.title
	}
	if sumOf(t.body) != t.was[1] {
		e.Body = &t.body
	}
	if t.was[2] == "" || sumOf(t.due) == t.was[2] {
		return e, nil
	}
	e.DueAt = &activities.Due{}
	if t.due == "" {
		return e, nil
	}
	at, err := activities.ParseLocal("due", t.due, c.now.Location(), c.now)
	e.DueAt.At = &at
	return e, err
}

// editAgain shows the form again with what was typed and what is wrong with it.
// When the text was changed meanwhile it stands beside, and saving again takes the
// typed one.
func (h *Handler) editAgain(w http.ResponseWriter, r *http.Request, t typedText, err error) error {
	f := fault.From(err)
	status, known := statuses[f.Code]
	a, missing := h.activities.Get(r.Context(), r.PathValue("activity"))
	if !known || missing != nil || f.Code == fault.Canceled {
		return err
	}
	markFault(w, f)
	form := view.TextForm{Problem: f.Message}
	form.Field, _ = f.Details[fault.DetailField].(string)
	if f.Code == fault.StaleRevision {
		form.Problem = "This was decided or changed elsewhere meanwhile. What you typed is here; save again to have it all the same."
		form.Newer = t.newer(a)
		t.base = a.Revision
	}
	return h.showTextForm(w, r, status, a, t, form)
}

// newer is what of an activity's text was changed since the form began, "" for
// nothing.
func (t typedText) newer(a activities.Activity) string {
	var parts []string
	title, body, _ := a.Effective()
	for i, s := range []string{title, body} {
		if sumOf(s) != t.was[i] {
			parts = append(parts, s)
		}
	}
	return strings.Join(parts, "\n\n")
}

// afterEdit leads back to where the form came from.
func (h *Handler) afterEdit(w http.ResponseWriter, r *http.Request, id string) error {
	s := stateOf(r.PostForm)
	s.at = id
	switch {
	case isFragment(r):
		a, err := h.activities.Get(r.Context(), id)
		if err != nil {
			return err
		}
		b, err := h.activityCards(r.Context(), s)
		if err != nil {
			return err
		}
		tell(w, a.Revision, "")
		return h.cardPart(w, r, b, a, true)
	case r.PostForm.Get("back") == "page":
		http.Redirect(w, r, h.site.ActivityFrom(id, s.list().query()), http.StatusSeeOther)
	default:
		http.Redirect(w, r, s.url(h.site), http.StatusSeeOther)
	}
	return nil
}

// draftActivity keeps what is being typed, so that it survives this browser. It
// is no change of the activity.
func (h *Handler) draftActivity(w http.ResponseWriter, r *http.Request) error {
	if err := readForm(r); err != nil {
		return err
	}
	id := r.PathValue("activity")
	t, now := readTyped(r.PostForm), h.clock(r.Context()).now
	kept, err := h.activities.SaveDraft(r.Context(), id, activities.Draft{Title: &t.title, Body: &t.body, Due: &t.due, Zone: now.Location(), BaseRevision: t.base})
	if err != nil {
		return err
	}
	if r.PostForm.Get("close") != "" {
		return h.afterEdit(w, r, id)
	}
	if !isFragment(r) {
		to := h.site.EditActivity
		if r.PostForm.Get("back") == "page" {
			to = h.site.EditFromPage
		}
		http.Redirect(w, r, to(id, r.PostForm.Get("from")), http.StatusSeeOther)
		return nil
	}
	text := ""
	if kept {
		text = "Kept at " + now.Format("15:04") + ", not saved yet"
	}
	return h.render(w, r, http.StatusOK, view.Words(text))
}
