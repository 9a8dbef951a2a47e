package mcp

import (
	"context"

	"personal-workspace/internal/richtext"
	"personal-workspace/sns"
)

type nothing struct{}

type connectionList struct {
	Connections []connection `json:"connections"`
	Hint        string       `json:"hint,omitempty"`
}

type connection struct {
	ID      string `json:"id"`
	Network string `json:"network" jsonschema:"mastodon, or twitter, which is X"`
	Account string `json:"account"`
	Label   string `json:"label"`
	State   string `json:"state" jsonschema:"ready, reauth_required (the person must sign in again), disabled or error"`
}

func (t *tools) listConnections() (tool, error) {
	return define(definition[nothing, connectionList]{
		name:  "list_connections",
		title: "List connected accounts",
		about: "Lists the person's accounts; every connectionId comes from here, so call it first. " +
			"It shows no credentials and cannot add or change an account. " + thirdParty + " Next: fetch_posts, list_lists or create_deck.",
		hints: hints{readOnly: true, idempotent: true},
		call:  t.connectionList,
	})
}

func (t *tools) connectionList(ctx context.Context, _ nothing) (connectionList, error) {
	list, err := t.connections.ListConnections(ctx)
	if err != nil {
		return connectionList{}, err
	}
	out := connectionList{Connections: []connection{}}
	for _, c := range list {
		out.Connections = append(out.Connections, connection{
			ID: c.ID, Network: string(c.Network), Account: richtext.ForModel(c.Account), Label: richtext.ForModel(c.Label), State: string(c.State),
		})
	}
	if len(list) == 0 {
		out.Hint = t.connectHint()
	}
	return out, nil
}

func (t *tools) connectHint() string {
	const shell = "run \"workspace connections add mastodon --origin https://…\" on the server"
	if t.connectURL == "" {
		return "No account is connected yet. Ask the person to " + shell + "."
	}
	return "No account is connected yet. Ask the person to add one at " + t.connectURL + " or to " + shell + "."
}

type listsInput struct {
	ConnectionID string `json:"connectionId"`
}

type listList struct {
	Lists []list `json:"lists"`
	Hint  string `json:"hint,omitempty"`
}

// fit leaves lists out from the end.
func (l listList) fit(limit int) (listList, error) {
	kept, left, err := pack(l.Lists, maxHint, limit)
	if left > 0 {
		l.Lists, l.Hint = kept, leftOut(left, "lists", "for one of them, ask the person for the number at the end of the list's address at the network")
	}
	return l, err
}

type list struct {
	ID    string `json:"id"`
	Title string `json:"title"`
}

func (t *tools) listLists() (tool, error) {
	return define(definition[listsInput, listList]{
		name:  "list_lists",
		title: "List an account's lists",
		about: "Lists an account's lists, for sources of kind list. It reads no posts and changes nothing. " + thirdParty + " Next: fetch_posts or create_deck.",
		hints: hints{readOnly: true, idempotent: true, openWorld: true},
		call:  t.listList,
		fit:   listList.fit,
	})
}

func (t *tools) listList(ctx context.Context, in listsInput) (listList, error) {
	lists, err := t.connections.ListLists(ctx, in.ConnectionID)
	about(ctx, in.ConnectionID, err)
	if err != nil {
		return listList{}, err
	}
	return listList{Lists: shortLists(lists)}, nil
}

func shortLists(lists []sns.List) []list {
	out := make([]list, 0, len(lists))
	for _, l := range lists {
		out = append(out, list{ID: l.ID, Title: short(l.Title, maxCardText)})
	}
	return out
}
