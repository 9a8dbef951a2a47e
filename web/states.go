package web

import (
	"cmp"
	"strings"

	"personal-workspace/decks"
	"personal-workspace/internal/fault"
	"personal-workspace/sns"
	"personal-workspace/web/view"
)

// state says in words how fresh a column is, and explains what is wrong with
// it and what can be done about it. There is always exactly one state.
func (b *columnBuilder) state(deckID string, c decks.StoredColumn) (view.State, *view.Panel) {
	conn, known := b.connections[c.Column.ConnectionID]
	if !known {
		return view.State{Kind: "bad", Text: "Account removed"}, &view.Panel{
			Title: "This account is not connected any more", Alarm: true,
			Text:  "Give the column another account, or remove it. The posts that are stored stay.",
			Links: b.editLinks(deckID, c.Column.ID),
		}
	}
	switch {
	case conn.State == sns.ReauthRequired:
		return b.signInAgain(conn.Connection, c)
	case conn.State == sns.Disabled:
		return view.State{Kind: "warn", Text: "Paused", Paused: true}, &view.Panel{
			Title: "The account is paused", Text: "Nothing is read of " + conn.Account + " until it is resumed." + b.age(c),
			Links: []view.PanelLink{{URL: b.site.Connection(conn.ID), Text: "Open the account"}},
		}
	case c.State.Paused:
		return view.State{Kind: "warn", Text: "Paused", Paused: true}, nil
	case c.Page.Failure != nil:
		return b.failure(deckID, conn.Connection, c)
	case c.Page.FetchedAt.IsZero():
		return view.State{Kind: "busy", Text: "Loading from " + hostOf(conn.Account)}, nil
	}
	return view.State{Kind: "ok", Text: "Updated", At: b.clock.hour(c.Page.FetchedAt), Live: true}, nil
}

func (b *columnBuilder) signInAgain(conn sns.Connection, c decks.StoredColumn) (view.State, *view.Panel) {
	return view.State{Kind: "bad", Text: "Sign in again"}, &view.Panel{
		Title: "Sign in again", Alarm: true,
		Text:  hostOf(conn.Account) + " does not accept the account's token any more. Columns and posts stay meanwhile." + b.age(c),
		Links: []view.PanelLink{{URL: b.site.Connection(conn.ID), Text: "Sign in again"}},
	}
}

// age says from when the posts of a column without news are, "" when it has none.
func (b *columnBuilder) age(c decks.StoredColumn) string {
	if len(c.Page.Posts) == 0 || c.Page.FetchedAt.IsZero() {
		return ""
	}
	return " The posts below are from " + b.clock.hour(c.Page.FetchedAt).Short + "."
}

func (b *columnBuilder) editLinks(deckID, columnID string) []view.PanelLink {
	return []view.PanelLink{
		{URL: b.site.EditColumn(deckID, columnID), Text: "Edit the column"},
		{URL: b.site.EditDeck(deckID), Text: "Remove it"},
	}
}

// failure names why a column has no news. The posts that are stored stay.
func (b *columnBuilder) failure(deckID string, conn sns.Connection, c decks.StoredColumn) (view.State, *view.Panel) {
	f := *c.Page.Failure
	p := &view.Panel{Alarm: true, Text: b.clock.inZone(f.Message, f.RetryAt)}
	var s view.State
	switch f.Code {
	case fault.RateLimited, fault.BudgetExhausted:
		s = view.State{Kind: "warn", Text: "Limited until", At: b.clock.hour(f.RetryAt)}
		if s.At == nil {
			s.Text = "Limited"
		}
		p.Title, p.Alarm = sentence(s), false
	case fault.Unauthorized:
		return b.signInAgain(conn, c)
	case fault.NotFound, fault.InvalidSource:
		s = view.State{Kind: "bad", Text: "Source gone"}
		p.Title, p.Links = "The source is gone", b.editLinks(deckID, c.Column.ID)
	case fault.Forbidden, fault.Unsupported, fault.BlockedOrigin:
		s = view.State{Kind: "bad", Text: "Not available"}
		p.Title, p.Links = "Not available for this account", b.editLinks(deckID, c.Column.ID)
	case fault.UpstreamUnavailable, fault.Timeout:
		s = view.State{Kind: "warn", Text: "Offline since", At: b.clock.hour(f.Since)}
		p.Title = "No answer from " + hostOf(conn.Account)
	default:
		s = view.State{Kind: "bad", Text: "Failed at", At: b.clock.hour(f.At)}
		p.Title = "The posts could not be read"
	}
	p.Text += b.age(c)
	return s, p
}

func sentence(s view.State) string {
	if s.At == nil {
		return s.Text
	}
	return s.Text + " " + s.At.Short
}

// hostOf is the server's part of an account's name.
func hostOf(account string) string {
	return cmp.Or(account[strings.LastIndexByte(account, '@')+1:], "the network")
}
