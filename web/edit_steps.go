package web

import (
	"net/http"
	"slices"
	"strconv"

	"personal-workspace/internal/fault"
	"personal-workspace/web/view"
)

// stepWords say what a step was to do, when the deck has changed before it.
type stepWords struct {
	// text is a sentence, again the name of the button.
	text, again string
}

// askAgain answers a step that came too late: the deck is another one now, and
// the person says whether to do it all the same. Any other fault is returned.
func (h *Handler) askAgain(w http.ResponseWriter, r *http.Request, err error, words stepWords) error {
	f := fault.From(err)
	current, ok := f.Details[fault.DetailCurrentRevision].(int64)
	if f.Code != fault.StaleRevision || !ok {
		return err
	}
	p := view.StepConflict{
		Page: h.page(r, "Changed in the meantime", "decks"), DeckURL: h.site.Deck(r.PathValue("deck")),
		Text:  "The deck was changed in another tab or by an assistant since this page was opened. Nothing was done yet. " + words.text,
		Again: words.again, Action: h.site.Path(r.URL.Path), Hidden: again(r, current),
	}
	if isFragment(r) {
		return h.render(w, r, http.StatusConflict, view.StepAgainNotice(p))
	}
	return h.render(w, r, http.StatusConflict, view.StepAgain(p))
}

// again is the form as it was sent, about the present revision.
func again(r *http.Request, current int64) []view.Hidden {
	list := []view.Hidden{{Name: "revision", Value: strconv.FormatInt(current, 10)}}
	names := make([]string, 0, len(r.PostForm))
	for name := range r.PostForm {
		names = append(names, name)
	}
	slices.Sort(names)
	for _, name := range names {
		for _, v := range r.PostForm[name] {
			if name != "revision" {
				list = append(list, view.Hidden{Name: name, Value: v})
			}
		}
	}
	return list
}

// undoDeck takes back the change that made a revision.
func (h *Handler) undoDeck(w http.ResponseWriter, r *http.Request) error {
	if err := readForm(r); err != nil {
		return err
	}
	revision, err := revisionOf(r.PostForm, "undo")
	if err != nil {
		return err
	}
	d, err := h.decks.Undo(r.Context(), r.PathValue("deck"), revision)
	if err != nil {
		return err
	}

	if r.PostForm.Get("from") == "list" {
		h.backToList(w, r, d.ID, r.PostForm)
		return nil
	}
	http.Redirect(w, r, h.site.Deck(d.ID), http.StatusSeeOther)
	return nil
}
