package web

import (
	"net/http"
	"slices"
	"strconv"
	"unicode/utf8"

	"personal-workspace/decks"
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
	return h.showAgain(w, r, f, view.StepConflict{
		Text:  "The deck was changed in another tab or by an assistant since this page was opened. Nothing was done yet. " + words.text,
		Again: words.again, Action: h.site.Path(r.URL.Path), Hidden: again(r, current),
	})
}

func (h *Handler) showAgain(w http.ResponseWriter, r *http.Request, f *fault.Error, p view.StepConflict) error {
	markFault(w, f)
	p.Page, p.DeckURL = h.page(r, "Changed in the meantime", "decks"), h.site.Deck(r.PathValue("deck"))
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

// step is a change of one thing in a deck that a menu asks for.
type step struct {
	deck, column string
	revision     int64
	form         func(name string) string
}

// readStep reads what every menu sends.
func readStep(r *http.Request) (s step, err error) {
	if err := readForm(r); err != nil {
		return s, err
	}
	s = step{deck: r.PathValue("deck"), column: r.PathValue("column"), form: r.PostForm.Get}
	s.revision, err = revisionOf(r.PostForm, "revision")
	return s, err
}

// stepRoute reads a step, does it, and answers a deck that changed before with
// the question whether to do it all the same.
func (h *Handler) stepRoute(words stepWords, do func(http.ResponseWriter, *http.Request, step) error) handlerFunc {
	return func(w http.ResponseWriter, r *http.Request) error {
		s, err := readStep(r)
		if err != nil {
			return err
		}
		if err := do(w, r, s); err != nil {
			return h.askAgain(w, r, err, words)
		}
		return nil
	}
}

func (h *Handler) renameDeck(w http.ResponseWriter, r *http.Request, s step) error {
	d, err := h.decks.RenameDeck(r.Context(), decks.RenameDeck{DeckID: s.deck, ExpectedRevision: s.revision, Title: s.form("title")})
	if err != nil {
		return err
	}
	return h.stepDone(w, r, d, "", view.DeckPatch{Title: d.Title})
}

// renameColumn gives a column another name and leaves the rest of it.
func (h *Handler) renameColumn(w http.ResponseWriter, r *http.Request, s step) error {
	d, err := h.decks.RenameColumn(r.Context(), decks.RenameColumn{
		DeckID: s.deck, ExpectedRevision: s.revision, ColumnID: s.column, Title: s.form("title"),
	})
	if err != nil {
		return err
	}
	return h.stepDone(w, r, d, s.column, view.DeckPatch{Renamed: s.column})
}

func (h *Handler) moveColumn(w http.ResponseWriter, r *http.Request, s step) error {
	place, err := placeIn(r.PostForm)
	if err != nil {
		return err
	}
	d, err := h.decks.MoveColumn(r.Context(), decks.MoveColumn{DeckID: s.deck, ExpectedRevision: s.revision, ColumnID: s.column, Position: place})
	if err != nil {
		return err
	}
	return h.stepDone(w, r, d, s.column, view.DeckPatch{})
}

// removeColumn removes a column and leaves a row that brings it back.
func (h *Handler) removeColumn(w http.ResponseWriter, r *http.Request, s step) error {
	d, err := h.decks.RemoveColumn(r.Context(), decks.RemoveColumn{DeckID: s.deck, ExpectedRevision: s.revision, ColumnID: s.column})
	if err != nil {
		return err
	}
	if !isFragment(r) {
		http.Redirect(w, r, h.site.ChangedDeck(d.ID, strconv.FormatInt(d.Revision, 10)), http.StatusSeeOther)
		return nil
	}
	undo, err := h.removalOf(r.Context(), d, d.Revision)
	if err != nil {
		return err
	}
	p := view.DeckPatch{Address: h.site.Deck(d.ID), RemovedID: s.column}
	if undo != nil {
		p.Removed = &undo.Undo
	}
	return h.patchDeck(w, r, d, "", p)
}

// duplicateColumn puts a copy of a column behind it.
func (h *Handler) duplicateColumn(w http.ResponseWriter, r *http.Request, s step) error {
	d, err := h.decks.GetDeck(r.Context(), s.deck)
	if err != nil {
		return err
	}
	c, err := d.Column(s.column)
	if err != nil {
		return err
	}
	at := columnIndex(d, s.column)
	b, err := h.editBuilder(r.Context(), d.ID)
	if err != nil {
		return err
	}
	c.ID, c.Title = s.form("newId"), copyTitle(b.name(c))
	d, err = h.decks.AddColumn(r.Context(), decks.AddColumn{DeckID: s.deck, ExpectedRevision: s.revision, Column: c, Position: at + 2})
	if err != nil {
		return err
	}
	added, err := h.sectionOf(r, d, d.Columns[at+1].ID)
	if err != nil {
		return err
	}
	added.Menu.Focus = true
	return h.stepDone(w, r, d, d.Columns[at+1].ID, view.DeckPatch{Added: &added, After: s.column})
}

// copyTitle tells a copy from its original, where there is room for that.
func copyTitle(name string) string {
	if t := name + " (copy)"; utf8.RuneCountInString(t) <= decks.MaxTitle {
		return t
	}
	return cutTitle(name)
}

func (h *Handler) pauseColumn(w http.ResponseWriter, r *http.Request, s step) error {
	if err := h.decks.PauseColumn(r.Context(), s.deck, s.column, s.form("paused") != ""); err != nil {
		return err
	}
	h.streams.lookAgain()
	d, err := h.decks.GetDeck(r.Context(), s.deck)
	if err != nil {
		return err
	}
	return h.stepDone(w, r, d, s.column, view.DeckPatch{Paused: s.column})
}

// stepDone answers a step with the deck, or for htmx with what is different on
// its page. at is the column that the cursor goes to, "" for none.
func (h *Handler) stepDone(w http.ResponseWriter, r *http.Request, d decks.Deck, at string, p view.DeckPatch) error {
	p.Address = h.site.Deck(d.ID)
	if isFragment(r) {
		return h.patchDeck(w, r, d, at, p)
	}
	to := p.Address
	if at != "" {
		to = h.site.DeckColumn(d.ID, at)
	}
	http.Redirect(w, r, to, http.StatusSeeOther)
	return nil
}

// patchDeck prints what is different on the page of a deck.
func (h *Handler) patchDeck(w http.ResponseWriter, r *http.Request, d decks.Deck, at string, p view.DeckPatch) error {
	b, err := h.builder(r.Context())
	if err != nil {
		return err
	}
	d, stored, err := h.decks.StoredDeck(r.Context(), d.ID, 1)
	if err != nil {
		return err
	}
	p.Page, p.Revision = h.page(r, d.Title, "decks"), strconv.FormatInt(d.Revision, 10)
	for i, c := range stored {
		v := b.column(d.ID, c)
		v.Menu = h.columnMenu(b, d, i, c, v.Name)
		v.Menu.Focus = c.Column.ID == at
		p.Columns = append(p.Columns, v)
		p.Page.Columns = append(p.Page.Columns, columnLink(i, v))
	}
	return h.render(w, r, http.StatusOK, view.DeckPatched(p))
}

// columnMenu is the menu of the column at i.
func (h *Handler) columnMenu(b *columnBuilder, d decks.Deck, i int, c decks.StoredColumn, name string) *view.ColumnMenu {
	return &view.ColumnMenu{
		Site: h.site, DeckID: d.ID, ColumnID: c.Column.ID, Revision: strconv.FormatInt(d.Revision, 10),
		Place: i + 1, Count: len(d.Columns), Name: name, Title: c.Column.Title, Paused: c.State.Paused, NewID: h.newID("col"),
		Cost: h.cost(b.connections[c.Column.ConnectionID].Connection, c.Column.Source),
	}
}

// sectionOf is a column of a deck with its stored posts.
func (h *Handler) sectionOf(r *http.Request, d decks.Deck, id string) (view.Column, error) {
	c, err := d.Column(id)
	if err != nil {
		return view.Column{}, err
	}
	b, err := h.builder(r.Context())
	if err != nil {
		return view.Column{}, err
	}
	stored, err := h.storedNewest(r.Context(), d.ID, c, rowsOnPage(r))
	if err != nil {
		return view.Column{}, err
	}
	v := h.askForNews(b, d.ID, stored, 0)
	v.Menu = h.columnMenu(b, d, columnIndex(d, id), stored, v.Name)
	return v, nil
}

// columnIndex is the place of a column in its deck, from 0.
func columnIndex(d decks.Deck, id string) int {
	return slices.IndexFunc(d.Columns, func(c decks.Column) bool { return c.ID == id })
}
