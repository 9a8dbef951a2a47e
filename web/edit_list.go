package web

import (
	"context"
	"net/http"
	"net/url"
	"slices"
	"strconv"
	"strings"

	"personal-workspace/decks"
	"personal-workspace/internal/fault"
	"personal-workspace/web/view"
)

// maxUndoRows is how many undo rows the list of decks shows at once.
const maxUndoRows = 20

// deckList is the list of decks. Its address says which deleted decks it offers
// to bring back, and where they stood, so that a reload still does.
func (h *Handler) deckList(w http.ResponseWriter, r *http.Request) error {
	list, err := h.decks.ListDecks(r.Context())
	if err != nil {
		return err
	}
	connections, err := h.connections.ConnectionStatuses(r.Context())
	if err != nil {
		return err
	}

	q := r.URL.Query()
	p := view.DecksPage{Page: h.page(r, "Decks", "decks"), Full: len(list) >= decks.MaxDecks}
	p.Deleted = deletedParts(q["deleted"])
	for i, d := range list {
		p.Decks = append(p.Decks, view.DeckItem{
			ID: d.ID, URL: h.site.Deck(d.ID), Title: d.Title, Columns: plural(int64(d.ColumnCount), "column", "columns"),
			Revision: strconv.FormatInt(d.Revision, 10), Place: i + 1, Last: i == len(list)-1,
			NewID: h.newID("deck"), Focus: d.ID == q.Get("at"),
		})
	}
	if err := h.insertUndo(r.Context(), &p); err != nil {
		return err
	}
	cl := h.clock(r.Context())
	for _, c := range connections {
		p.Accounts = append(p.Accounts, h.accountLine(cl, c))
	}
	return h.render(w, r, http.StatusOK, view.Decks(p))
}

// deletedParts are the well-formed names of deleted decks in an address, the
// newest last.
func deletedParts(parts []string) []string {
	var out []string
	for _, part := range parts {
		if _, id, ok := deletedPart(part); ok && id != "" && !slices.Contains(out, part) {
			out = append(out, part)
		}
	}
	return out[max(len(out)-maxUndoRows, 0):]
}

// deletedPart is "3.deck_x": the place that a deleted deck had, from 0, and its
// id.
func deletedPart(part string) (place int, id string, ok bool) {
	at, id, ok := strings.Cut(part, ".")
	place, err := strconv.Atoi(at)
	return place, id, ok && err == nil && place >= 0 && place <= decks.MaxDecks
}

// insertUndo puts the rows of deleted decks where these stood. One that is back
// has none.
func (h *Handler) insertUndo(ctx context.Context, p *view.DecksPage) error {
	for i, part := range slices.Backward(p.Deleted) {
		place, id, _ := deletedPart(part)
		u, found, err := h.deletionOf(ctx, id)
		if err != nil {
			return err
		}
		if !found {
			continue
		}
		u.Focus = i == len(p.Deleted)-1
		u.Hidden = append(u.Hidden, view.Hidden{Name: "from", Value: "list"})
		for _, other := range p.Deleted {
			if other != part {
				u.Hidden = append(u.Hidden, view.Hidden{Name: "deleted", Value: other})
			}
		}
		p.Decks = slices.Insert(p.Decks, min(place, len(p.Decks)), view.DeckItem{Undo: &u})
	}
	return nil
}

// deleteDeck deletes a deck and leaves a row that takes it back.
func (h *Handler) deleteDeck(w http.ResponseWriter, r *http.Request) error {
	if err := readForm(r); err != nil {
		return err
	}
	id := r.PathValue("deck")
	revision, err := revisionOf(r.PostForm, "revision")
	if err != nil {
		return err
	}
	place, err := h.placeOf(r.Context(), id)
	if err != nil {
		return err
	}
	if err := h.decks.DeleteDeck(r.Context(), id, revision); err != nil {
		return h.askAgain(w, r, err, stepWords{
			text: "The deck was to be deleted.", again: "Delete it all the same",
		})
	}

	gone := append(deletedParts(r.PostForm["deleted"]), strconv.Itoa(place)+"."+id)
	http.Redirect(w, r, h.site.DeletedDecks(gone...), http.StatusSeeOther)
	return nil
}

// placeOf is where a deck stands in the list, from 0.
func (h *Handler) placeOf(ctx context.Context, id string) (int, error) {
	list, err := h.decks.ListDecks(ctx)
	return max(slices.IndexFunc(list, func(d decks.Summary) bool { return d.ID == id }), 0), err
}

// moveDeck moves a deck in the list.
func (h *Handler) moveDeck(w http.ResponseWriter, r *http.Request) error {
	if err := readForm(r); err != nil {
		return err
	}
	id := r.PathValue("deck")
	place, err := strconv.Atoi(r.PostForm.Get("position"))
	if err != nil {
		return fault.Invalid("position", "The form does not say where the deck is to go. Reload its page and try again.").Wrap(err)
	}
	if err := h.decks.MoveDeck(r.Context(), id, place); err != nil {
		return err
	}

	h.backToList(w, r, id, r.PostForm)
	return nil
}

// backToList goes to the list, with the cursor on a deck and the undo rows that
// were there.
func (h *Handler) backToList(w http.ResponseWriter, r *http.Request, at string, form url.Values) {
	http.Redirect(w, r, h.site.DecksAt(at, deletedParts(form["deleted"])...), http.StatusSeeOther)
}

// duplicateDeck makes a copy of a deck behind all others.
func (h *Handler) duplicateDeck(w http.ResponseWriter, r *http.Request) error {
	if err := readForm(r); err != nil {
		return err
	}
	d, err := h.decks.DuplicateDeck(r.Context(), r.PathValue("deck"), r.PostForm.Get("newId"))
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
