package web_test

import (
	"net/http"
	"testing"

	"github.com/google/go-cmp/cmp"

	"personal-workspace/decks"
	"personal-workspace/sns"
)

// reads is which account the only column of the deck "d" reads, and what of it.
func (w *workspace) reads(t *testing.T) (string, sns.Source) {
	t.Helper()
	d, err := w.decks.GetDeck(t.Context(), "d")
	if err != nil {
		t.Fatal(err)
	}
	return d.Columns[0].ConnectionID, d.Columns[0].Source
}

// A column can be given another account, also where its own was removed, in its
// own form and in that of the deck. What it shows stays.
func TestAColumnCanReadAnotherAccount(t *testing.T) {
	for name, c := range map[string]struct {
		path, member string
		removed      bool
	}{
		"in the column's form":                  {"/decks/d/columns/c1/edit", "connectionId", false},
		"in the deck's form":                    {"/decks/d/edit", "columns[0].connectionId", false},
		"in the column's form, after a removal": {"/decks/d/columns/c1/edit", "connectionId", true},
		"in the deck's form, after a removal":   {"/decks/d/edit", "columns[0].connectionId", true},
	} {
		t.Run(name, func(t *testing.T) {
			w := newWorkspace(t, nil)
			from, to := w.login("social.example"), w.login("other.example")
			source := sns.Source{Kind: sns.KindHashtag, Tag: "go", OnlyMedia: true}
			w.deck("Morning", decks.Column{ConnectionID: from.ID, Source: source})
			if c.removed {
				if _, err := w.posts.Disconnect(t.Context(), from.ID); err != nil {
					t.Fatal(err)
				}
			}
			form := w.get(c.path).form(t, c.path)
			if got := form.Get(c.member); got != from.ID {
				t.Fatalf("the form says %q, want the present account %q", got, from.ID)
			}

			form.Set(c.member, to.ID)
			if a := w.post(c.path, form); a.StatusCode != http.StatusSeeOther {
				t.Fatalf("status %d: %s", a.StatusCode, text(document(t, a.body)))
			}

			id, got := w.reads(t)
			if diff := cmp.Diff(source, got); diff != "" || id != to.ID {
				t.Errorf("it reads %s, want %s (-want +got):\n%s", id, to.ID, diff)
			}
		})
	}
}

// A column whose account was removed can be changed otherwise too.
func TestAColumnWithoutItsAccountKeepsItsForm(t *testing.T) {
	w := newWorkspace(t, nil)
	c := w.login("social.example")
	w.deck("Morning", named(c, "One"))
	if _, err := w.posts.Disconnect(t.Context(), c.ID); err != nil {
		t.Fatal(err)
	}
	page := w.get("/decks/d/columns/c1/edit")
	page.says(t, "Account removed: @owner@social.example No account that is connected has this source.")
	form := page.form(t, "/decks/d/columns/c1/edit")
	form.Set("title", "Two")

	w.post("/decks/d/columns/c1/edit", form).leadsTo(t, "/decks/d#column-c1")

	if diff := cmp.Diff([]string{"Two"}, w.columns()); diff != "" {
		t.Errorf("the columns (-want +got):\n%s", diff)
	}
}

// Only accounts that can be asked for what the column shows are offered.
func TestOfferedAccountsHaveTheSource(t *testing.T) {
	w := newWorkspace(t, nil)
	one, two := w.login("social.example"), w.login("other.example")
	w.connect("open.example")
	w.deck("Morning", decks.Column{ConnectionID: one.ID, Source: sns.Source{Kind: sns.KindHome}})

	page := document(t, w.get("/decks/d/columns/c1/edit").body)

	var got []string
	for _, o := range all(page, tag("option")) {
		if attr(o.Parent, "name") == "connectionId" {
			got = append(got, attr(o, "value"))
		}
	}
	if diff := cmp.Diff([]string{one.ID, two.ID}, got); diff != "" {
		t.Errorf("the accounts (-want +got):\n%s", diff)
	}
}

// Another account has other lists: one of them is to be chosen.
func TestAListIsChosenAnewWithAnotherAccount(t *testing.T) {
	for path, prefix := range map[string]string{"/decks/d/columns/c1/edit": "", "/decks/d/edit": "columns[0]."} {
		t.Run(path, func(t *testing.T) {
			w := newWorkspace(t, nil)
			from, to := w.login("social.example"), w.login("other.example")
			w.deck("Morning", decks.Column{ConnectionID: from.ID, Source: sns.Source{Kind: sns.KindList, ListID: "7"}})
			w.net.lists = []sns.List{{ID: "8", Title: "Friends"}}
			form := w.get(path).form(t, path)
			form.Set(prefix+"connectionId", to.ID)

			a := w.post(path, form)

			if a.StatusCode != http.StatusUnprocessableEntity {
				t.Errorf("status %d, want 422", a.StatusCode)
			}
			a.says(t, "other.example has no such list. Choose one of its lists.")
			form = a.form(t, path)
			form.Set(prefix+"source.listId", "8")
			if a := w.post(path, form); a.StatusCode != http.StatusSeeOther {
				t.Fatalf("status %d: %s", a.StatusCode, text(document(t, a.body)))
			}
			if id, source := w.reads(t); id != to.ID || source.ListID != "8" {
				t.Errorf("it reads list %s of %s", source.ListID, id)
			}
		})
	}
}
