package web

import (
	"cmp"
	"context"
	"net/http"

	"personal-workspace/decks"
	"personal-workspace/internal/fault"
	"personal-workspace/sns"
	"personal-workspace/web/view"
)

// cardBuilder makes the view models of accounts, for one moment.
type cardBuilder struct {
	site  view.Site
	clock clock
	list  []sns.Connection
	uses  map[string][]decks.ColumnUse
}

func (h *Handler) cardBuilder(ctx context.Context) (*cardBuilder, error) {
	list, err := h.connections.ListConnections(ctx)
	if err != nil {
		return nil, err
	}
	uses, err := h.decks.ColumnUses(ctx)
	return &cardBuilder{site: h.site, clock: h.clock(ctx), list: list, uses: uses}, err
}

// find returns the card of one account as a page of its own has it.
func (b *cardBuilder) find(id string) (view.ConnectionCard, error) {
	for i, c := range b.list {
		if c.ID == id {
			card := b.card(i)
			card.Alone = true
			return card, nil
		}
	}
	return view.ConnectionCard{}, errNoConnection
}

var errNoConnection = fault.Missing("account", "There is no such account. It may have been disconnected, or the link is wrong.")

// networkNames are what people call the networks.
var networkNames = map[sns.Network]string{sns.Mastodon: "Mastodon"}

func (b *cardBuilder) card(i int) view.ConnectionCard {
	c := b.list[i]
	card := view.ConnectionCard{
		ID: c.ID, Label: c.Label, Account: c.Account, Host: hostOf(c.Account), Tone: connectionTone(i),
		Network: cmp.Or(networkNames[c.Network], string(c.Network)),
		Login:   c.Login, SignIn: c.Login && c.State == sns.ReauthRequired, Paused: c.State == sns.Disabled,
	}
	card.State, card.Mood, card.Advice = stateWords(c)
	for _, u := range b.uses[c.ID] {
		card.Uses = append(card.Uses, view.ColumnUse{
			Deck: u.DeckTitle, Column: cmp.Or(u.Column.Title, u.Column.Source.Label()), URL: b.site.Column(u.DeckID, u.Column.ID),
		})
	}
	return card
}

// stateWords says what a connection's state is, how good that is, and what to
// do about it.
func stateWords(c sns.Connection) (state, mood, advice string) {
	host := hostOf(c.Account)
	switch c.State {
	case sns.ReauthRequired:
		if c.StateCode == sns.CodeSecretsForgotten {
			return "Sign in again", "bad", "The workspace has forgotten the credential of this account. Sign in again; columns and posts stay."
		}
		return "Sign in again", "bad", host + " does not accept the account’s credential any more. Sign in again; columns and posts stay."
	case sns.Disabled:
		return "Paused", "warn", "Nothing is read of this account. Its columns keep the posts they have."
	case sns.Failed:
		return "Does not work", "bad", "The account cannot be read as it is set up. Test it for the reason."
	}
	return "Ready", "good", ""
}

// connectionDone are the words after something was done to an account.
var connectionDone = map[string]view.Notice{
	"connected":    {Kind: "good", Text: "Connected. The next step is a deck that shows it."},
	"known":        {Kind: "warn", Text: "It is connected already, and nothing was changed."},
	"disconnected": {Kind: "good", Text: "Disconnected. The workspace has forgotten the account and its credential."},
}

// notice is what the page says about what was just done.
func (b *cardBuilder) notice(r *http.Request) *view.Notice {
	n, ok := connectionDone[r.URL.Query().Get("done")]
	if !ok {
		return nil
	}
	if r.URL.Query().Get("done") == "connected" {
		n.NextText, n.Next = "Make a deck", b.site.NewDeckFor(r.PathValue("connection"))
	}
	return &n
}
