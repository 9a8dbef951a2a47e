package web

import (
	"cmp"
	"strings"
	"time"

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
			Title: cmp.Or(b.removed[c.Column.ConnectionID].Account, "This account") + " is not connected any more", Alarm: true,
			Text:  "Its posts were forgotten with it. Connect it again, give the column another account, or remove it.",
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
	if conn.Network == sns.Twitter {
		state, title, advice := relayTrouble(conn)
		return view.State{Kind: "bad", Text: state}, &view.Panel{
			Title: title, Alarm: true, Text: advice + b.age(c),
			Links: []view.PanelLink{{URL: b.site.Connection(conn.ID), Text: "Open the account"}},
		}
	}
	p := &view.Panel{
		Title: hostOf(conn.Account) + " no longer accepts this account's sign-in", Alarm: true,
		Text:  "Until that is mended nothing new is read; columns and posts stay." + b.age(c),
		Links: []view.PanelLink{{URL: b.site.SignInAgain(conn.ID), Text: "Sign in to " + conn.Account + " again"}},
	}
	if conn.StateCode == sns.CodeSecretsForgotten {
		p.Title = "The workspace has forgotten this account's sign-in"
	}
	return view.State{Kind: "bad", Text: "Sign in again"}, p
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
		{URL: b.site.EditColumn(deckID, columnID), Text: "Change the account or source"},
		{URL: b.site.EditDeck(deckID), Text: "Remove it"},
	}
}

// failure names why a column has no news. The posts that are stored stay.
func (b *columnBuilder) failure(deckID string, conn sns.Connection, c decks.StoredColumn) (view.State, *view.Panel) {
	f := *c.Page.Failure
	p := &view.Panel{Alarm: true, Text: b.clock.inZone(f.Message, f.At)}
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
		p.Title, p.Text = outage(f.Code, hostOf(conn.Account)), b.clock.goesOn(p.Text, f.NextAt)
	default:
		s = view.State{Kind: "bad", Text: "Failed at", At: b.clock.hour(f.At)}
		p.Title = "The posts could not be read"
	}
	p.Text += b.age(c)
	return s, p
}

// outage says that a server gives nothing, and no more than is known of it: one
// that answers with an error does answer.
func outage(code fault.Code, host string) string {
	if code == fault.Timeout {
		return "No answer from " + host
	}
	return host + " cannot be read right now"
}

// goesOn ends a message about a server with when it is asked next, where nobody
// has to do that: not with the advice to try again.
func (c clock) goesOn(message string, next time.Time) string {
	if next.IsZero() || strings.Contains(message, "asked again at") || strings.Contains(message, "Wait until ") {
		return message
	}
	for _, advice := range []string{"; try again later.", ", or try again later."} {
		if before, ok := strings.CutSuffix(message, advice); ok {
			message = before + "."
			break
		}
	}
	if !next.After(c.now) {
		return message + " It is asked again within a minute."
	}
	return message + " It is asked again at " + c.hour(next).Short + "."
}

func sentence(s view.State) string {
	if s.At == nil {
		return s.Text
	}
	return s.Text + " " + s.At.Short
}

// hostOf is the server's part of an account's name.
func hostOf(account string) string {
	at := strings.LastIndexByte(account, '@')
	if at == 0 {
		return "X" // which has no other servers
	}
	return cmp.Or(account[at+1:], "the network")
}
