package web

import (
	"cmp"
	"context"
	"net/http"
	"slices"
	"strconv"

	"personal-workspace/decks"
	"personal-workspace/internal/fault"
	"personal-workspace/web/view"
)

// undoDeck takes back the change that made a revision. When the deck has changed
// since, the person may have the definition before it all the same.
func (h *Handler) undoDeck(w http.ResponseWriter, r *http.Request) error {
	s, err := readStep(r)
	if err != nil {
		return err
	}
	revision, err := revisionOf(r.PostForm, "undo")
	if err != nil {
		return err
	}
	d, err := h.undo(r.Context(), s, revision)
	if err != nil {
		return h.undoTooLate(w, r, err, revision)
	}

	if s.form("from") == "list" {
		h.backToList(w, r, d.ID, r.PostForm)
		return nil
	}
	column := s.form("column")
	if _, err := d.Column(column); isFragment(r) && err == nil {
		return h.columnBack(w, r, d, column, s.form("row"))
	}
	if isFragment(r) {
		w.Header().Set("HX-Redirect", h.site.Deck(d.ID))
		w.WriteHeader(http.StatusNoContent)
		return nil
	}
	http.Redirect(w, r, h.afterUndo(r.Context(), d.ID), http.StatusSeeOther)
	return nil
}

// undo takes back one change, or with "back" goes back over later ones too.
func (h *Handler) undo(ctx context.Context, s step, revision int64) (decks.Deck, error) {
	if s.form("back") == "" {
		return h.decks.Undo(ctx, s.deck, revision)
	}
	return h.decks.RestoreRevision(ctx, s.deck, revision-1, s.revision)
}

// afterUndo is the deck, or the list when the undo has deleted it.
func (h *Handler) afterUndo(ctx context.Context, id string) string {
	if _, err := h.decks.GetDeck(ctx, id); err != nil {
		return h.site.Decks()
	}
	return h.site.Deck(id)
}

// undoTooLate offers the definition from before the change when others came
// after it.
func (h *Handler) undoTooLate(w http.ResponseWriter, r *http.Request, err error, revision int64) error {
	f := fault.From(err)
	current, ok := f.Details[fault.DetailCurrentRevision].(int64)
	if f.Code != fault.StaleRevision || !ok {
		return err
	}
	return h.showAgain(w, r, f, view.StepConflict{
		Text:   "The deck was changed again since, so this cannot be taken back alone. Going back to the deck as it was before takes back the later changes too.",
		Again:  "Go back all the same",
		Action: h.site.UndoDeck(r.PathValue("deck")),
		Hidden: []view.Hidden{
			{Name: "undo", Value: strconv.FormatInt(revision, 10)},
			{Name: "back", Value: "on"},
			{Name: "revision", Value: strconv.FormatInt(current, 10)},
		},
	})
}

// columnBack puts a column in the place of the row that brought it back.
func (h *Handler) columnBack(w http.ResponseWriter, r *http.Request, d decks.Deck, column, row string) error {
	c, err := h.sectionOf(r, d, column)
	if err != nil {
		return err
	}
	c.Menu.Focus = true
	return h.patchDeck(w, r, d, column, view.DeckPatch{Address: h.site.Deck(d.ID), Added: &c, Row: row})
}

// removalOf is the row for the one column that the change to a revision has
// removed, if it is the deck's newest; nil when that is not what it did.
func (h *Handler) removalOf(ctx context.Context, d decks.Deck, revision int64) (*view.UndoAt, error) {
	if revision != d.Revision || revision == 0 {
		return nil, nil
	}
	list, err := h.decks.ListRevisions(ctx, d.ID)
	if err != nil || len(list) < 2 || list[0].Revision != revision {
		return nil, err
	}
	before, now := list[1].Columns, list[0].Columns
	at := slices.IndexFunc(before, func(c decks.Column) bool {
		return !slices.ContainsFunc(now, func(o decks.Column) bool { return o.ID == c.ID })
	})
	if at < 0 || len(before) != len(now)+1 {
		return nil, nil
	}
	number := strconv.FormatInt(revision, 10)
	row, c := "undo-"+number, before[at]
	title, err := h.listTitle(ctx, c)
	if err != nil {
		return nil, err
	}
	name := cmp.Or(c.Title, title, h.sourceLabel(ctx, c))
	return &view.UndoAt{Index: at, Undo: view.Undo{
		ID: row, Name: name, Text: "was removed.", Action: h.site.UndoDeck(d.ID), Dismiss: h.site.Deck(d.ID), Focus: true,
		Hidden: []view.Hidden{{Name: "undo", Value: number}, {Name: "column", Value: c.ID}, {Name: "row", Value: row}},
	}}, nil
}

// addMenus gives the page of a deck what changes it.
func (h *Handler) addMenus(r *http.Request, b *columnBuilder, p *view.DeckPage, d decks.Deck, stored []decks.StoredColumn) error {
	p.NewID = h.newID("deck")
	for i, c := range stored {
		p.Columns[i].Menu = h.columnMenu(b, d, i, c, p.Columns[i].Name)
	}
	revision, err := strconv.ParseInt(r.URL.Query().Get("undo"), 10, 64)
	if err != nil {
		return nil //nolint:nilerr // anything else is no revision
	}
	p.Undo, err = h.removalOf(r.Context(), d, revision)
	return err
}
