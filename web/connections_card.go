package web

import (
	"cmp"
	"net/http"
	"strconv"
	"time"

	"personal-workspace/decks"
	"personal-workspace/internal/fault"
	"personal-workspace/sns"
	"personal-workspace/web/view"
)

// cardBuilder makes the view models of accounts, for one moment.
type cardBuilder struct {
	site  view.Site
	clock clock
	list  []sns.ConnectionStatus
	uses  map[string][]decks.ColumnUse
	done  view.ConnectionNotice
	about string
}

// cardBuilder reads all accounts. What the request says was just done with one
// of them stands in its card.
func (h *Handler) cardBuilder(r *http.Request) (*cardBuilder, error) {
	list, err := h.connections.ConnectionStatuses(r.Context())
	if err != nil {
		return nil, err
	}
	uses, err := h.decks.ColumnUses(r.Context())
	b := &cardBuilder{site: h.site, clock: h.clock(r.Context()), list: list, uses: uses}
	q := r.URL.Query()
	b.done, b.about = connectionDone[q.Get("done")], cmp.Or(r.PathValue("connection"), q.Get("id"))
	return b, err
}

// cardOf returns the account that a page is about, and its card as a page of its
// own has it.
func (h *Handler) cardOf(r *http.Request) (sns.ConnectionStatus, view.ConnectionCard, error) {
	b, err := h.cardBuilder(r)
	if err != nil {
		return sns.ConnectionStatus{}, view.ConnectionCard{}, err
	}
	for i, c := range b.list {
		if c.ID == r.PathValue("connection") {
			card := b.card(i)
			card.Alone = true
			return c, card, nil
		}
	}
	return sns.ConnectionStatus{}, view.ConnectionCard{}, errNoAccount
}

var errNoAccount = fault.Missing("account", "There is no such account. It may have been disconnected, or the link is wrong.")

// networkNames are what people call the networks.
var networkNames = map[sns.Network]string{sns.Mastodon: "Mastodon", sns.Twitter: "X"}

func (b *cardBuilder) card(i int) view.ConnectionCard {
	c := b.list[i]
	card := view.ConnectionCard{
		ID: c.ID, Label: c.Label, Account: c.Account, Host: hostOf(c.Account), Tone: connectionTone(c.Connection),
		Network: cmp.Or(networkNames[c.Network], string(c.Network)),
		Login:   signsIn(c.Connection), SignIn: signsIn(c.Connection) && c.State == sns.ReauthRequired, Paused: c.State == sns.Disabled,
		Facts: b.facts(c), Failure: b.failure(c),
	}
	card.State, card.Mood, card.Advice = b.clock.stateWords(c)
	if b.about == c.ID && b.done == connectionDone["fails"] && card.State == "Ready" {
		card.State, card.Mood = "Does not work", "bad"
	}
	for _, u := range b.uses[c.ID] {
		card.Uses = append(card.Uses, view.ColumnUse{
			Deck: u.DeckTitle, Column: u.Name, URL: b.site.Column(u.DeckID, u.Column.ID),
		})
	}
	if b.done.Text != "" && b.about == c.ID {
		n := b.done
		if n.Next == "deck" {
			n.Next = b.site.NewDeckFor(c.ID)
		}
		card.Notice = &n
	}
	return card
}

// notice is what was just done with an account that is not there any more.
func (b *cardBuilder) notice() *view.ConnectionNotice {
	if b.done.Text == "" || b.about != "" {
		return nil
	}
	return &b.done
}

// stateWords says how a connection does, how good that is, and what to do about it.
func (cl clock) stateWords(c sns.ConnectionStatus) (state, mood, advice string) {
	host := hostOf(c.Account)
	switch c.State {
	case sns.ReauthRequired:
		if c.Network == sns.Twitter {
			state, title, advice := relayTrouble(c.Connection)
			return state, "bad", title + ". " + advice
		}
		if c.StateCode == sns.CodeSecretsForgotten {
			return "Sign in again", "bad", "The workspace has forgotten the credential of this account. Sign in again; columns and posts stay."
		}
		since := " does not accept the account’s credential any more"
		if f := c.LastFailure; f != nil && f.Code == fault.Unauthorized {
			since = " has not accepted the account’s credential since " + cl.hour(f.Since).Short
		}
		return "Sign in again", "bad", host + since + ". Sign in again; columns and posts stay."
	case sns.Disabled:
		return "Paused", "warn", "Nothing is read of this account. Its columns keep the posts they have."
	case sns.Failed:
		return "Does not work", "bad", "The account cannot be read as it is set up. Test it for the reason."
	}
	return cl.troubleWords(c.Trouble())
}

// troubleWords are the words of a connection that nobody switched off, nil for
// one that works. They are those of its columns.
func (cl clock) troubleWords(f *sns.Failure) (state, mood, advice string) {
	if f == nil {
		return "Ready", "good", ""
	}
	switch f.Code {
	case fault.UpstreamUnavailable, fault.Timeout:
		return "Offline since " + cl.hour(f.Since).Short, "warn", "The workspace goes on trying by itself."
	case fault.RateLimited, fault.BudgetExhausted:
		if f.RetryAt.After(cl.now) {
			return "Limited until " + cl.hour(f.RetryAt).Short, "warn", "The workspace goes on by itself then."
		}
		return "Ready", "good", ""
	}
	return "Does not work", "bad", ""
}

func (b *cardBuilder) failure(c sns.ConnectionStatus) *view.ConnectionFailure {
	f := c.LastFailure
	if f == nil || c.State == sns.ReauthRequired && f.Code == fault.Unauthorized {
		return nil // the advice says it
	}
	v := &view.ConnectionFailure{Text: b.clock.inZone(f.Message, f.At), At: b.clock.hour(f.At), Over: !c.Failing()}
	if f.RetryAt.After(b.clock.now) {
		v.RetryAt = b.clock.hour(f.RetryAt)
	}
	return v
}

func (b *cardBuilder) facts(c sns.ConnectionStatus) []view.Fact {
	list := []view.Fact{{Name: "Last success", Text: "None yet"}}
	if !c.LastSuccess.IsZero() {
		list[0] = view.Fact{Name: "Last success", At: b.clock.hour(c.LastSuccess)}
	}
	if c.Network == sns.Twitter {
		return append(list,
			view.Fact{Name: "Permissions", Text: "The relay could also post, which the workspace never asks it to"},
			view.Fact{Name: "Profile", Text: c.Profile}, view.Fact{Name: "Relay", Text: c.Origin},
		)
	}
	list = append(list, b.budget(c.Budget), view.Fact{Name: "Permissions", Text: scopeWords(c.Login, c.Scopes)})
	if c.Login && !c.CredentialSince.IsZero() {
		list = append(list, view.Fact{Name: "Token age", Text: b.age(c.CredentialSince)})
	}
	return append(list, view.Fact{Name: "Server", Text: c.Origin})
}

func (b *cardBuilder) budget(n sns.Budget) view.Fact {
	if !n.Known {
		return view.Fact{Name: "Requests left", Text: "Not known yet"}
	}
	left := strconv.Itoa(n.Remaining)
	if n.Limit > 0 {
		left += " of " + strconv.Itoa(n.Limit)
	}
	if !n.Reset.After(b.clock.now) {
		return view.Fact{Name: "Requests left", Text: left}
	}
	return view.Fact{Name: "Requests left", Text: left + ", again in full at", At: b.clock.hour(n.Reset)}
}

// age says how old a credential is and from which day.
func (b *cardBuilder) age(since time.Time) string {
	date := since.In(b.clock.now.Location()).Format("2 Jan 2006")
	days := int64(b.clock.now.Sub(since) / day)
	if days < 1 {
		return "Less than a day"
	}
	return plural(days, "day", "days") + ", since " + date
}

// connectionDone are the words after something was done. "deck" stands for the
// page that makes a deck.
var connectionDone = map[string]view.ConnectionNotice{
	"connected":  {Kind: "good", Text: "Connected. The next step is a deck that shows it.", NextText: "Make a deck", Next: "deck"},
	"known":      {Kind: "warn", Text: "It is connected already, and nothing was changed.", NextText: "Make a deck", Next: "deck"},
	"signed-in":  {Kind: "good", Text: "Signed in. Its columns are read again."},
	"works":      {Kind: "good", Text: "Tested: the server has just answered."},
	"fails":      {Kind: "bad", Text: "Tested: it does not work. The reason stands below."},
	"paused":     {Kind: "good", Text: "Paused. Nothing is read until you resume it."},
	"resumed":    {Kind: "good", Text: "Resumed. Its columns are read again."},
	"renamed":    {Kind: "good", Text: "Renamed."},
	"revoked":    {Kind: "good", Text: "Disconnected. The server has revoked the token, and the workspace has forgotten it."},
	"unrevoked":  {Kind: "warn", Text: "Disconnected. The workspace has forgotten the token, but the server has not confirmed that it is revoked: take the permission back in the account’s settings there."},
	"public-off": {Kind: "good", Text: "Disconnected."},
	"gone":       {Kind: "good", Text: "That account is disconnected already."},
}
