package web

import (
	"context"
	"net/http"
	"strconv"
	"time"

	"personal-workspace/decks"
	"personal-workspace/internal/fault"
	"personal-workspace/sns"
	"personal-workspace/web/view"
)

const (
	// loaderStagger keeps six columns from asking in the same instant.
	loaderStagger = 150 * time.Millisecond
	// loaderPause is between two fragments of a column whose network is slow.
	loaderPause = time.Second
	// maxTries is how often a column asks before it says that nobody answers.
	maxTries = 3
	// olderWait bounds an older page that has to come from the network.
	olderWait = 15 * time.Second
)

// column answers for one column: its fresh fragment, an older part of it, or
// the column as a page of its own.
func (h *Handler) column(w http.ResponseWriter, r *http.Request) error {
	d, c, err := h.findColumn(r)
	if isFragment(r) {
		w.Header().Set(revisionHeader, strconv.FormatInt(d.Revision, 10))
	}
	q := r.URL.Query()
	if of := q.Get("of"); of != "" && changed(of, c, err) {
		return h.columnChanged(w, r, d, c)
	}
	if err != nil {
		return err
	}

	switch {
	case isFragment(r) && q.Has("fresh"):
		return h.freshColumn(w, r, d, c)
	case isFragment(r) && q.Has("news"):
		return h.columnNews(w, r, d, c)
	case q.Has("before") || q.Has("cursor"):
		return h.olderColumn(w, r, d, c)
	}
	return h.newestColumn(w, r, d, c)
}

func (h *Handler) findColumn(r *http.Request) (decks.Deck, decks.Column, error) {
	d, err := h.decks.GetDeck(r.Context(), r.PathValue("deck"))
	if err != nil {
		return d, decks.Column{}, err
	}
	c, err := d.Column(r.PathValue("column"))
	return d, c, err
}

// revisionHeader tells the page which revision of its deck there is; 0 is none.
const revisionHeader = "Deck-Revision"

// changed reports whether a page that shows a column of the definition of shows
// something else than the deck has now, or than there is at all.
func changed(of string, c decks.Column, err error) bool {
	return fault.CodeOf(err) == fault.NotFound || err == nil && of != definitionOf(c)
}

// columnChanged answers a page whose column is another one now, or gone: nothing
// of another column must be drawn in its place. The page says that its deck has
// changed.
func (h *Handler) columnChanged(w http.ResponseWriter, r *http.Request, d decks.Deck, c decks.Column) error {
	switch {
	case isFragment(r):
		w.WriteHeader(http.StatusNoContent)
	case c.ID != "":
		http.Redirect(w, r, h.site.Column(d.ID, c.ID), http.StatusSeeOther)
	default:
		_, _, err := h.findColumn(r)
		return err
	}
	return nil
}

// fetchNews brings a column's newest page into the store, and reports whether
// that takes longer than the given time; then it goes on in the background. What
// the network answered, failures too, is stored with the timeline and shown
// from there; the error is only of the workspace itself.
func (h *Handler) fetchNews(ctx context.Context, c decks.Column, longest time.Duration) (late bool, err error) {
	wait, cancel := context.WithTimeout(ctx, longest)
	defer cancel()
	err = h.connections.Refresh(wait, c.ConnectionID, c.Source)
	switch code := fault.CodeOf(err); {
	case ctx.Err() != nil:
		return false, ctx.Err()
	case code == fault.Internal:
		return false, err
	default:
		return code == fault.Timeout && wait.Err() != nil, nil
	}
}

// freshColumn waits for the network, up to a bound, and prints the column. If
// there is no answer yet, the fragment asks again by itself.
func (h *Handler) freshColumn(w http.ResponseWriter, r *http.Request, d decks.Deck, c decks.Column) error {
	late, err := h.fetchNews(r.Context(), c, h.refreshWait)
	if err != nil {
		return err
	}
	b, stored, v, err := h.storedColumn(r, d, c)
	if err != nil {
		return err
	}
	if late {
		try, _ := strconv.Atoi(r.URL.Query().Get("fresh")) // anything else is the first try
		b.noAnswer(&v, d.ID, c, max(try, 1))
	}
	return h.printColumn(w, r, d, stored, v)
}

// columnNews prints a column as it is stored: a hint has said that there is
// something new. A page that hears no hints asks every minute, and its column's
// network is then asked too.
func (h *Handler) columnNews(w http.ResponseWriter, r *http.Request, d decks.Deck, c decks.Column) error {
	_, stored, v, err := h.storedColumn(r, d, c)
	if err != nil {
		return err
	}
	if r.URL.Query().Get("news") == "ask" && !v.State.Paused {
		h.connections.RefreshLater(c.ConnectionID, c.Source)
	}
	return h.printColumn(w, r, d, stored, v)
}

// storedColumn is a column as it is stored and its model, with as many posts as
// the page that asks has room for.
func (h *Handler) storedColumn(r *http.Request, d decks.Deck, c decks.Column) (b *columnBuilder, stored decks.StoredColumn, v view.Column, err error) {
	if b, err = h.builder(r.Context()); err != nil {
		return b, stored, v, err
	}
	if stored, err = h.storedNewest(r.Context(), d.ID, c, rowsOnPage(r)); err != nil {
		return b, stored, v, err
	}
	v = b.column(d.ID, stored)
	v.Menu = h.columnMenu(b, d, columnIndex(d, c.ID), stored, v.Name)
	return b, stored, v, nil
}

// printColumn prints a column anew or, for a page whose reader must not be
// disturbed, only how it stands and how many posts are newer than the one that
// held names.
func (h *Handler) printColumn(w http.ResponseWriter, r *http.Request, d decks.Deck, stored decks.StoredColumn, v view.Column) error {
	held := r.URL.Query().Get("held")
	if held == "" {
		err := h.render(w, r, http.StatusOK, view.ColumnSection(v, nextColumn(d, v.ID)))
		if err == nil {
			h.sawColumns(r.Context(), d.ID, stored)
		}
		return err
	}
	v.Held = len(v.Rows)
	for i, row := range v.Rows {
		if row.Post.ID == held {
			v.Held = i
			break
		}
	}
	return h.render(w, r, http.StatusOK, view.HeldPart(v))
}

// rowsOnPage is how many posts the page shows already, so that posts loaded by
// scrolling do not vanish when the column is printed again. Held posts are
// counted among all.
func rowsOnPage(r *http.Request) int {
	if r.URL.Query().Has("held") {
		return sns.MaxStored
	}
	n, err := strconv.Atoi(r.URL.Query().Get("rows"))
	if err != nil {
		return sns.MaxPage
	}
	return min(max(n, sns.MaxPage), sns.MaxStored)
}

func nextColumn(d decks.Deck, id string) string {
	for i, c := range d.Columns {
		if c.ID == id && i+1 < len(d.Columns) {
			return "column-" + d.Columns[i+1].ID
		}
	}
	return ""
}

// storedNewest reads a column's newest stored posts. A column whose account was
// removed has none, and says why.
func (h *Handler) storedNewest(ctx context.Context, deckID string, c decks.Column, limit int) (decks.StoredColumn, error) {
	pages, err := h.connections.StoredColumns(ctx, []sns.ColumnRef{{ConnectionID: c.ConnectionID, Source: c.Source}}, limit)
	if err != nil {
		return decks.StoredColumn{}, err
	}
	stored, err := h.withHidden(ctx, c, pages[0])
	if err != nil {
		return stored, err
	}
	states, err := h.decks.ColumnStates(ctx, deckID)
	stored.State = states[c.ID]
	return stored, err
}

func (h *Handler) withHidden(ctx context.Context, c decks.Column, page sns.StoredPage) (decks.StoredColumn, error) {
	hidden, err := h.decks.HiddenPosts(ctx, c, page.Posts)
	return decks.StoredColumn{Column: c, Page: page, Hidden: hidden}, err
}

// newestColumn is the column alone on a page.
func (h *Handler) newestColumn(w http.ResponseWriter, r *http.Request, d decks.Deck, c decks.Column) error {
	b, err := h.builder(r.Context())
	if err != nil {
		return err
	}
	stored, err := h.storedNewest(r.Context(), d.ID, c, sns.MaxPage)
	if err != nil {
		return err
	}
	if r.URL.Query().Has("unfiltered") {
		clear(stored.Hidden)
	}
	b.made = parseMade(r.URL.Query().Get("made"))
	if err := h.renderAlone(w, r, b, d, h.askForNews(b, d.ID, stored, 0)); err != nil {
		return err
	}
	h.sawColumns(r.Context(), d.ID, stored)
	return nil
}

// askForNews makes a stored column's model, asks for its news in the background
// when it is not new, and lets the browser wait for them after delay.
func (h *Handler) askForNews(b *columnBuilder, deckID string, c decks.StoredColumn, delay time.Duration) view.Column {
	v := b.column(deckID, c)
	if b.isStale(c) {
		h.connections.RefreshLater(c.Column.ConnectionID, c.Column.Source)
	}
	if b.wantsNews(c) {
		b.load(&v, deckID, c.Column, 1, delay)
	}
	return v
}

func (h *Handler) renderAlone(w http.ResponseWriter, r *http.Request, b *columnBuilder, d decks.Deck, c view.Column) error {
	return h.render(w, r, http.StatusOK, view.ColumnAlone(view.ColumnPage{
		Page:      h.page(r, c.Name+" – "+d.Title, "decks"),
		DeckTitle: d.Title, DeckURL: h.site.Deck(d.ID), Column: c,
		Live: b.stream(d, c.ID), Refresh: h.site.RefreshColumn(d.ID, c.ID),
	}))
}

// olderColumn prints what comes after a post: from the store as far as it goes,
// then from the network.
func (h *Handler) olderColumn(w http.ResponseWriter, r *http.Request, d decks.Deck, c decks.Column) error {
	b, err := h.builder(r.Context())
	if err != nil {
		return err
	}
	b.made = parseMade(r.URL.Query().Get("made"))
	v, err := h.olderPart(r, b, d, c)
	if err != nil {
		return err
	}

	if isFragment(r) {
		return h.render(w, r, http.StatusOK, view.OlderPart(v))
	}
	v.Newest = h.site.Column(d.ID, c.ID)
	return h.renderAlone(w, r, b, d, v)
}

func (h *Handler) olderPart(r *http.Request, b *columnBuilder, d decks.Deck, c decks.Column) (view.Column, error) {
	q := r.URL.Query()
	if before := q.Get("before"); before != "" {
		page, err := h.connections.StoredPosts(r.Context(), c.ConnectionID, c.Source, sns.StoredQuery{Before: before})
		if err != nil {
			return view.Column{}, err
		}
		stored, err := h.withHidden(r.Context(), c, page)
		if err != nil {
			return view.Column{}, err
		}
		v := b.column(d.ID, stored)
		v.Panel = nil // it is about the newest posts
		return v, nil
	}
	title, err := h.listTitle(r.Context(), c)
	if err != nil {
		return view.Column{}, err
	}
	ctx, cancel := context.WithTimeout(r.Context(), olderWait)
	defer cancel()
	page, err := h.decks.FetchColumnPosts(ctx, d.ID, c.ID, q.Get("cursor"))
	if err != nil {
		return b.notFetched(d.ID, title, c, q.Get("cursor"), err)
	}
	return b.fetched(d.ID, title, page), nil
}

// listTitle is what a list column without a name is called.
func (h *Handler) listTitle(ctx context.Context, c decks.Column) (string, error) {
	if c.Title != "" || c.Source.Kind != sns.KindList {
		return "", nil
	}
	pages, err := h.connections.StoredColumns(ctx, []sns.ColumnRef{{ConnectionID: c.ConnectionID, Source: c.Source}}, 1)
	if err != nil {
		return "", err
	}
	return pages[0].Title, nil
}
