package web_test

import (
	"strings"
	"testing"

	"personal-workspace/decks"
	"personal-workspace/sns"
)

// A column without a title is called on every page what its network calls its
// source, also when its account was removed, and the account keeps its name.
func TestAColumnOfXKeepsItsNameWithoutItsAccount(t *testing.T) {
	w := newWorkspace(t, nil)
	id := w.eve()
	w.deck("Both", decks.Column{ConnectionID: id, Source: sns.Source{Kind: sns.KindFavourites}})
	if _, err := w.posts.Disconnect(t.Context(), id); err != nil {
		t.Fatal(err)
	}

	for path, want := range map[string]string{
		"/decks/d":                 "Likes Account removed @eve",
		"/decks/d/edit":            "Likes Account removed: @eve",
		"/decks/d/columns/c1":      "Likes Account removed @eve",
		"/decks/d/columns/c1/edit": "Account removed: @eve",
	} {
		t.Run(path, func(t *testing.T) {
			a := w.get(path)
			a.says(t, want)
			if strings.Contains(a.body, "Favourites") {
				t.Error("the page says Favourites")
			}
		})
	}
}
