package web

import (
	"context"
	"net/http"
	"strconv"

	"personal-workspace/decks"
	"personal-workspace/web/view"
)

// readOn leads to the deck that was read last, with what is new there; nil when
// there is no deck.
func (h *Handler) readOn(ctx context.Context) (*view.ReadOn, error) {
	r, ok, err := h.decks.Reading(ctx)
	if err != nil || !ok {
		return nil, err
	}
	v := &view.ReadOn{Site: h.site, DeckID: r.Deck.ID, Title: r.Deck.Title}
	if r.New > 0 {
		v.New = strconv.Itoa(r.New) + " new"
	}
	if r.More {
		v.New = "more than " + v.New
	}
	return v, nil
}

// reading is where to read on: the line on Home for its script, for anybody else
// the deck itself.
func (h *Handler) reading(w http.ResponseWriter, r *http.Request) error {
	v, err := h.readOn(r.Context())
	switch {
	case err != nil:
		return err
	case isFragment(r) && v == nil:
		w.WriteHeader(http.StatusNoContent)
	case isFragment(r):
		return h.render(w, r, http.StatusOK, view.ReadOnLine(*v))
	case v == nil:
		http.Redirect(w, r, h.site.Decks(), http.StatusSeeOther)
	default:
		http.Redirect(w, r, h.site.Deck(v.DeckID), http.StatusSeeOther)
	}
	return nil
}

// sawColumns remembers which posts the person has before them now. The page is
// sent already: that it could not be remembered is for the log.
func (h *Handler) sawColumns(ctx context.Context, deckID string, list ...decks.StoredColumn) {
	marks := make(map[string]string, len(list))
	for _, c := range list {
		marks[c.Column.ID] = c.Page.Mark
	}
	if err := h.decks.MarkSeen(ctx, deckID, marks); err != nil && ctx.Err() == nil {
		h.log.ErrorContext(ctx, "what was read is not remembered", "deck", deckID, "err", err)
	}
}

// dismissSample takes the sample of a proposal away for good.
func (h *Handler) dismissSample(w http.ResponseWriter, r *http.Request) error {
	if err := readForm(r); err != nil {
		return err
	}
	if err := h.sessions.store.changePreferences(r.Context(), func(p *preferences) { p.SampleClosed = true }); err != nil {
		return err
	}

	http.Redirect(w, r, h.site.Home(), http.StatusSeeOther)
	return nil
}
