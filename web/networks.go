package web

import (
	"fmt"
	"strings"

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
	return fmt.Sprintf("A look takes %d of %d reads in %d minutes, shared by all columns of this kind", cost.Requests, cost.Limit, int(cost.Per.Minutes()))
}
