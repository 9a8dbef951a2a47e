package web_test

import (
	"net/http"
	"net/url"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"personal-workspace/decks"
	"personal-workspace/sns"
)

// Every type of notification has a word of its own, which no identifier is.
func TestTypesOfNotificationsAreInWords(t *testing.T) {
	w := newWorkspace(t, nil)
	c := w.login("social.example")
	w.deck("Morning", decks.Column{ConnectionID: c.ID, Source: sns.Source{Kind: sns.KindNotifications}})

	page := document(t, w.get("/decks/d/columns/c1/edit").body)

	var got []string
	for _, box := range all(page, with("name", "source.types")) {
		got = append(got, text(box.Parent))
	}
	want := []string{
		"Mentions", "Replies", "Quotes", "Boosts", "Favourites", "Follows", "Requests to follow",
		"Polls that ended", "Edits", "Posts you asked to hear of", "Everything else",
	}
	if diff := cmp.Diff(want, got); diff != "" || len(want) != len(sns.NotificationTypes) {
		t.Errorf("the boxes (-want +got):\n%s", diff)
	}
}

func TestAnImportOfNothingAsksForAFile(t *testing.T) {
	w := newWorkspace(t, nil)

	a := w.post("/decks/import", url.Values{"text": {" \n"}})

	if a.StatusCode != http.StatusUnprocessableEntity {
		t.Errorf("status %d, want 422", a.StatusCode)
	}
	a.says(t, "Choose a deck file, or paste what is in one.")
}

func TestTheHeadOfAColumnSaysThatFiltersAreOn(t *testing.T) {
	w := newWorkspace(t, nil)
	c := w.login("social.example")
	with1, without := named(c, "With"), named(c, "Without")
	with1.Filters = &decks.Filters{HideBoosts: true}
	w.deck("Morning", with1, without)

	page := document(t, w.get("/decks/d").body)

	for id, want := range map[string]int{"column-c1": 1, "column-c2": 0} {
		if got := len(all(one(t, page, with("id", id)), with("aria-label", "Filters are on"))); got != want {
			t.Errorf("%s says %d times that filters are on, want %d", id, got, want)
		}
	}
}

// The page of a deck without the row of a removed column is what its second
// button asks for.
func TestTheUndoRowCanBeDismissed(t *testing.T) {
	w := newWorkspace(t, nil)
	c := w.login("social.example")
	w.deck("Morning", named(c, "One"), named(c, "Two"))
	w.post("/decks/d/columns/c1/remove", url.Values{"revision": {"1"}}).leadsTo(t, "/decks/d?undo=2")

	row := one(t, document(t, w.get("/decks/d?undo=2").body), with("id", "undo-2"))

	button := one(t, row, with("aria-label", "Dismiss: One was removed."))
	action := attr(button.Parent, "action")
	if got := w.get(action); strings.Contains(got.body, "was removed") || button.Parent.Data != "form" {
		t.Errorf("after a form to %s the row is still there", action)
	}
}
