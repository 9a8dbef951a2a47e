package web

import (
	"context"
	"fmt"
	"strings"

	"personal-workspace/decks"
	"personal-workspace/sns"
)

// What differs between the networks, in words and in what a person can do.

// xWords are what people on X say for what is said of Mastodon.
var xWords = strings.NewReplacer(
	"Boosts", "Reposts", "boosts", "reposts", "boosted", "reposted", "boost", "repost",
	"Favourites", "Likes",
)

// inWordsOf says a text as people on a network say it.
func inWordsOf(n sns.Network, text string) string {
	if n == sns.Twitter {
		return xWords.Replace(text)
	}
	return text
}

// likeIcon is the picture that stands for a like on a network.
func likeIcon(n sns.Network) string {
	if n == sns.Twitter {
		return "heart"
	}
	return "like"
}

// tagPages is the address of the pages of hashtags, up to their names. Of Mastodon
// it is the account's own server, which knows them all; a relay has pages for people
// only in the demo, whose people are not on x.com.
func tagPages(c sns.Connection, demo bool) string {
	switch {
	case c.Origin == "":
		return ""
	case c.Network != sns.Twitter:
		return c.Origin + "/tags/"
	case demo:
		return c.Origin + "/hashtag/"
	}
	return "https://x.com/hashtag/"
}

// sourceLabel is what a column's source is called on its network. Where nothing is
// known of an account of long ago the words for every network will do.
func (h *Handler) sourceLabel(ctx context.Context, c decks.Column) string {
	account, err := h.accountOf(ctx, c)
	if err != nil {
		return c.Source.Label()
	}
	return c.Source.LabelOn(account.Network)
}

// signsIn reports whether the workspace holds a credential of the account, which
// can be given anew. On X the relay's browser is signed in.
func signsIn(c sns.Connection) bool { return c.Login && c.Network != sns.Twitter }

// relayTrouble says why an account of X is not read, and what the person does
// about it in the relay's browser.
func relayTrouble(c sns.Connection) (state, title, advice string) {
	switch c.StateCode {
	case sns.CodeLocked:
		return "Locked by X", "X has locked " + c.Account,
			"Open x.com in the relay’s browser and do what it asks, then test the account. Columns and posts stay."
	case sns.CodeUnknownProfile:
		return "Profile gone", "The relay has no profile " + c.Profile + " any more",
			"Put the profile back in the relay’s settings, or connect the account again with the profile’s new name. Columns and posts stay."
	case sns.CodeOtherAccount:
		return "Another account", "The profile " + c.Profile + " is signed in to X as another account than " + c.Account,
			"Sign in as " + c.Account + " on x.com in the relay’s browser, then test the account; or connect the other account too. Nothing is read until then. Columns and posts stay."
	case sns.CodeSignedOut:
		return "Signed out", "Nobody is signed in to X in the profile " + c.Profile,
			"Sign in on x.com in the relay’s browser, then test the account. Columns and posts stay."
	}
	return "Signed out", "The profile " + c.Profile + " does not read as " + c.Account,
		"Sign in as " + c.Account + " on x.com in the relay’s browser, then test the account. Columns and posts stay."
}

// cost says what reading a source takes of what its network is asked at most, ""
// where nothing is counted.
func (h *Handler) cost(c sns.Connection, src sns.Source) string {
	cost, ok := h.connections.SourceCost(c, src)
	if !ok {
		return ""
	}
	sharers := "columns of this kind"
	if src.Kind == sns.KindSearch || src.Kind == sns.KindHashtag {
		sharers = "searches and hashtags"
	}
	return fmt.Sprintf("A look takes %d of %d reads in %d minutes, shared by all %s", cost.Requests, cost.Limit, int(cost.Per.Minutes()), sharers)
}

// costAdvice is cost for who chooses a source: with what an open column takes, and
// with what takes less.
func (h *Handler) costAdvice(c sns.Connection, src sns.Source) string {
	words := h.cost(c, src)
	if words == "" {
		return ""
	}
	words += ". An open column looks once a minute."
	cost, _ := h.connections.SourceCost(c, src)
	list, ok := h.connections.SourceCost(c, sns.Source{Kind: sns.KindList})
	if ok && list.Limit > cost.Limit && asAList(src.Kind) {
		words += fmt.Sprintf(" A list of the people you mean takes less: lists have %d reads.", list.Limit)
	}
	return words
}

// asAList reports whether a list can show what a source of the kind shows.
func asAList(k sns.Kind) bool {
	return k == sns.KindUser || k == sns.KindSearch || k == sns.KindHashtag
}
