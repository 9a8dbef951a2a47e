package web

import (
	"context"
	"net/http"
	"strconv"
	"time"

	"golang.org/x/sync/errgroup"

	"personal-workspace/decks"
	"personal-workspace/internal/fault"
	"personal-workspace/sns"
	"personal-workspace/web/view"
)

// submitWait bounds how long the Refresh button of a page without script waits
// before it shows what has come.
const submitWait = 4 * time.Second

// accountLine is an account with how it does, and where to do something about it.
func (h *Handler) accountLine(cl clock, c sns.ConnectionStatus) view.Account {
	a := view.Account{Name: c.Account, Network: string(c.Network), Tone: connectionTone(c.Connection), URL: h.site.Connection(c.ID)}
	a.State, a.Mood, _ = cl.stateWords(c)
	if signsIn(c.Connection) && c.State == sns.ReauthRequired {
		a.SignIn = h.site.SignInAgain(c.ID)
	}
	return a
}

// connectionTone is the colour that an account keeps.
func connectionTone(c sns.Connection) view.Tone { return view.Tone(c.Colour % view.Tones) }

// deck paints a deck from the store, in one read, and asks for news in the
// background: the page waits for nobody.
func (h *Handler) deck(w http.ResponseWriter, r *http.Request) error {
	b, err := h.builder(r.Context())
	if err != nil {
		return err
	}
	d, stored, err := h.decks.StoredDeck(r.Context(), r.PathValue("deck"), sns.MaxPage)
	if err != nil {
		return err
	}

	b.made = parseMade(r.URL.Query().Get("made"))
	p := view.DeckPage{Page: h.page(r, d.Title, "decks"), ID: d.ID, Title: d.Title, Revision: strconv.FormatInt(d.Revision, 10)}
	p.Live = b.stream(d, "")
	for i, c := range stored {
		v := h.askForNews(b, d.ID, c, time.Duration(i)*loaderStagger)
		p.Columns = append(p.Columns, v)
		p.Page.Columns = append(p.Page.Columns, columnLink(i, v))
	}
	if err := h.addMenus(r, b, &p, d, stored); err != nil {
		return err
	}
	if err := h.render(w, r, http.StatusOK, view.Deck(p)); err != nil {
		return err
	}
	h.sawColumns(r.Context(), d.ID, stored...)
	return nil
}

func columnLink(i int, c view.Column) view.ColumnLink {
	return view.ColumnLink{Digit: i + 1, Name: c.Name, Account: c.Account, Tone: c.Tone, Target: "column-" + c.ID}
}

// refresh asks the networks for a deck's news. The browser of a plain form
// waits a moment and gets the deck; htmx gets loaders that wait for each column,
// or is sent to the page anew when the deck is not the one it shows any more.
func (h *Handler) refresh(w http.ResponseWriter, r *http.Request) error {
	id := r.PathValue("deck")
	d, err := h.decks.GetDeck(r.Context(), id)
	if isFragment(r) && (fault.CodeOf(err) == fault.NotFound || err == nil && outdated(r, d.Revision)) {
		w.Header().Set("HX-Redirect", h.site.Deck(id))
		w.WriteHeader(http.StatusNoContent)
		return nil
	}
	if err != nil {
		return err
	}
	if isFragment(r) {
		return h.reload(w, r, d)
	}

	if err := h.refreshAll(r.Context(), d.ID); err != nil {
		return err
	}
	http.Redirect(w, r, h.site.Deck(d.ID), http.StatusSeeOther)
	return nil
}

// outdated reports whether the page that asks shows another revision of the deck.
func outdated(r *http.Request, current int64) bool {
	shown := r.PostFormValue("revision")
	return shown != "" && shown != strconv.FormatInt(current, 10)
}

// refreshAll waits until the network of every column that may be asked has
// answered, or submitWait. A failure is for the column to show, not for this
// request.
func (h *Handler) refreshAll(ctx context.Context, deckID string) error {
	b, err := h.builder(ctx)
	if err != nil {
		return err
	}
	_, stored, err := h.decks.StoredDeck(ctx, deckID, 1)
	if err != nil {
		return err
	}
	all, ctx := errgroup.WithContext(ctx)
	for _, c := range stored {
		if !b.canAsk(c) {
			continue
		}
		all.Go(func() error {
			_, err := h.fetchNews(ctx, c.Column, submitWait)
			return err
		})
	}
	return all.Wait()
}

// reload answers the Refresh button of a page with script.
func (h *Handler) reload(w http.ResponseWriter, r *http.Request, d decks.Deck) error {
	b, err := h.builder(r.Context())
	if err != nil {
		return err
	}
	d, stored, err := h.decks.StoredDeck(r.Context(), d.ID, 1)
	if err != nil {
		return err
	}
	var columns []view.Column
	for i, c := range stored {
		v := b.column(d.ID, c)
		if b.canAsk(c) {
			b.load(&v, d.ID, c.Column, 1, time.Duration(i)*loaderStagger)
		}
		columns = append(columns, v)
	}
	return h.render(w, r, http.StatusOK, view.Reloaders(columns))
}
