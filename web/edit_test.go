package web_test

import (
	"fmt"
	"maps"
	"net/http"
	"net/url"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
	"golang.org/x/net/html"

	"personal-workspace/decks"
	"personal-workspace/internal/fault"
	"personal-workspace/sns"
)

// title is a column with a name, for decks whose columns are told apart.
func named(c sns.Connection, title string) decks.Column {
	return decks.Column{Title: title, ConnectionID: c.ID, Source: sns.Source{Kind: sns.KindLocal}}
}

// columns are the names of the columns of the deck "d".
func (w *workspace) columns() []string {
	w.t.Helper()
	d, err := w.decks.GetDeck(w.t.Context(), "d")
	if err != nil {
		w.t.Fatalf("GetDeck: %v", err)
	}
	out := []string{}
	for _, c := range d.Columns {
		out = append(out, c.Title)
	}
	return out
}

// says fails when the page does not have the text.
func (a answer) says(t *testing.T, want string) {
	t.Helper()
	if got := text(document(t, a.body)); !strings.Contains(got, want) {
		t.Errorf("the page says %q, want %q in it", got, want)
	}
}

func (a answer) leadsTo(t *testing.T, want string) {
	t.Helper()
	if a.StatusCode != http.StatusSeeOther || a.Header.Get("Location") != want {
		t.Errorf("answer %d to %q, want 303 to %q: %s", a.StatusCode, a.Header.Get("Location"), want, text(document(t, a.body)))
	}
}

// form reads the inputs of the only form that sends to a path, as a browser
// would send it.
func (a answer) form(t *testing.T, action string) url.Values {
	t.Helper()
	form := one(t, document(t, a.body), tag("form"), with("action", action))
	values := url.Values{}
	for _, n := range all(form) {
		name := attr(n, "name")
		switch {
		case name == "" || n.Data == "button":
		case attr(n, "type") == "checkbox" || attr(n, "type") == "radio":
			if has(n, "checked") {
				values.Add(name, attr(n, "value"))
			}
		case n.Data == "select":
			options := append(all(n, tag("option"), func(o *html.Node) bool { return has(o, "selected") }), all(n, tag("option"))...)
			values.Add(name, attr(options[0], "value"))
		case n.Data == "textarea":
			values.Add(name, text(n))
		default:
			values.Add(name, attr(n, "value"))
		}
	}
	return values
}

func TestFormsThatAreNotOursChangeNothing(t *testing.T) {
	many := url.Values{"title": {"Many"}, "expectedRevision": {"1"}}
	for i := range 1000 {
		many.Set(fmt.Sprintf("columns[%d].connectionId", i), "conn_1")
		many.Set(fmt.Sprintf("columns[%d].source.kind", i), "local")
	}
	cases := map[string]struct {
		path   string
		form   url.Values
		status int
		says   string
	}{
		"a thousand columns":                 {"/decks/d/edit", many, 422, "A deck has at most 6 columns, not 1000"},
		"a thousand columns that move":       {"/decks/d/edit", with1(many, "do", "up 3"), 422, "A deck has at most 6 columns, not 1000"},
		"a thousand columns in a new deck":   {"/decks/new", many, 422, "A deck has at most 6 columns, not 1000"},
		"a member that no form has":          {"/decks/d/edit", url.Values{"title": {"x"}, "colour": {"red"}}, 422, "does not belong there"},
		"a member that no column has":        {"/decks/d/edit", url.Values{"title": {"x"}, "columns[0].width": {"3"}}, 422, "does not belong there"},
		"a revision that is no number":       {"/decks/d/edit", url.Values{"title": {"x"}, "expectedRevision": {"one"}}, 422, "does not say which revision"},
		"a button that no form has":          {"/decks/d/edit", url.Values{"title": {"x"}, "do": {"burn 0"}}, 422, "does not belong there"},
		"no revision":                        {"/decks/d/edit", url.Values{"title": {"x"}}, 409, "Nothing was saved yet"},
		"a menu without a revision":          {"/decks/d/columns/c1/remove", url.Values{}, 409, "Nothing was done yet"},
		"a column of another deck":           {"/decks/d/columns/other/remove", url.Values{"revision": {"1"}}, 404, "no such column"},
		"a move of a column elsewhere":       {"/decks/d/columns/other/move", url.Values{"revision": {"1"}, "position": {"1"}}, 404, "no such column"},
		"a move to nowhere":                  {"/decks/d/columns/c1/move", url.Values{"revision": {"1"}, "position": {"up"}}, 422, "does not say where"},
		"options of a column elsewhere":      {"/decks/d/columns/other/edit", url.Values{"revision": {"1"}, "source.kind": {"local"}, "connectionId": {"conn_1"}}, 404, "no such column"},
		"a new column with a foreign member": {"/decks/d/add", url.Values{"revision": {"1"}, "source.kind": {"local"}, "connectionId": {"conn_1"}, "x": {"y"}}, 422, "does not belong there"},
		"a starter that there is not":        {"/decks/new", url.Values{"starter": {"all"}}, 422, "no such beginning"},
	}
	for name, c := range cases {
		t.Run(name, func(t *testing.T) {
			w := newWorkspace(t, nil)
			w.deck("Morning", named(w.login("social.example"), "One"))

			a := w.post(c.path, c.form)

			if a.StatusCode != c.status {
				t.Errorf("status %d, want %d", a.StatusCode, c.status)
			}
			a.says(t, c.says)
			if len(a.body) > 40_000 {
				t.Errorf("the answer has %d bytes", len(a.body))
			}
			list, err := w.decks.ListDecks(t.Context())
			if diff := cmp.Diff([]decks.Summary{{ID: "d", Title: "Morning", Revision: 1, ColumnCount: 1}}, list); diff != "" || err != nil {
				t.Errorf("the decks changed (%v):\n%s", err, diff)
			}
		})
	}
}

func with1(v url.Values, name, value string) url.Values {
	out := maps.Clone(v)
	out.Set(name, value)
	return out
}

func TestTheEditFormSavesWhatItShows(t *testing.T) {
	w := newWorkspace(t, nil)
	c := w.login("social.example")
	full := decks.Column{ConnectionID: c.ID, Source: sns.Source{Kind: sns.KindHashtag, Tag: "日本語", Any: []string{"Go"}, None: []string{"rust"}, LocalOnly: true}}
	full.Filters = &decks.Filters{HideBoosts: true, Languages: []string{"en", "ja"}, Include: []string{"a b", "#c"}, Exclude: []string{"/x+/"}, Scope: "boosts", Action: "fold"}
	types := decks.Column{Title: "Mentions", ConnectionID: c.ID, Source: sns.Source{Kind: sns.KindNotifications, Types: []string{"mention", "poll"}}}
	user := decks.Column{ConnectionID: c.ID, Source: sns.Source{Kind: sns.KindUser, Account: "@ana@social.example", ExcludeReplies: true, OnlyMedia: true}}
	w.deck("Morning", full, types, user, decks.Column{ConnectionID: c.ID, Source: sns.Source{Kind: sns.KindList, ListID: "12"}})
	before, err := w.decks.GetDeck(t.Context(), "d")
	if err != nil {
		t.Fatal(err)
	}

	w.post("/decks/d/edit", w.get("/decks/d/edit").form(t, "/decks/d/edit")).leadsTo(t, "/decks/d")

	after, err := w.decks.GetDeck(t.Context(), "d")
	if err != nil {
		t.Fatal(err)
	}
	// The words of the text areas are in one line here.
	before.Columns[0].Filters.Include, after.Columns[0].Filters.Include = nil, nil
	before.Revision, after.Revision, before.UpdatedAt, after.UpdatedAt = 0, 0, start, start
	if diff := cmp.Diff(before, after); diff != "" {
		t.Errorf("the deck changed (-before +after):\n%s", diff)
	}
}

func TestRefusedFormsKeepWhatWasTyped(t *testing.T) {
	w := newWorkspace(t, nil)
	w.deck("Morning", named(w.login("social.example"), "One"))
	form := w.get("/decks/d/edit").form(t, "/decks/d/edit")
	form.Set("columns[0].title", strings.Repeat("é", 81))
	form.Set("columns[0].filters.exclude", "/(/")
	form.Set("title", "Abend")

	a := w.post("/decks/d/edit", form)

	if a.StatusCode != http.StatusUnprocessableEntity {
		t.Errorf("status %d, want 422", a.StatusCode)
	}
	page := document(t, a.body)
	input := one(t, page, with("name", "columns[0].title"))
	if attr(input, "aria-invalid") != "true" || attr(input, "value") != strings.Repeat("é", 81) || !has(input, "autofocus") {
		t.Errorf("the input is %v", input.Attr)
	}
	problem := one(t, page, with("id", strings.Fields(attr(input, "aria-describedby"))[0]))
	if got, want := text(problem), "The title has 81 characters; the most is 80."; got != want {
		t.Errorf("beside it stands %q, want %q", got, want)
	}
	if got := attr(one(t, page, with("name", "title")), "value"); got != "Abend" {
		t.Errorf("the title is %q, want the one typed", got)
	}
	if got := text(one(t, page, with("name", "columns[0].filters.exclude"))); got != "/(/" {
		t.Errorf("the filter is %q, want the one typed", got)
	}
}

func TestUpDownAndRemoveChangeTheFormAlone(t *testing.T) {
	w := newWorkspace(t, nil)
	c := w.login("social.example")
	w.deck("Morning", named(c, "One"), named(c, "Two"), named(c, "Three"))
	form := w.get("/decks/d/edit").form(t, "/decks/d/edit")
	form.Set("columns[1].title", "Typed")

	form.Set("do", "up 1")
	moved := w.post("/decks/d/edit", form)
	form = moved.form(t, "/decks/d/edit")
	form.Set("do", "remove 2")
	removed := w.post("/decks/d/edit", form)

	moved.says(t, "Not saved yet")
	removed.says(t, "Three goes when you save.")
	if diff := cmp.Diff([]string{"One", "Two", "Three"}, w.columns()); diff != "" {
		t.Errorf("the deck changed before it was saved:\n%s", diff)
	}
	w.post("/decks/d/edit", removed.form(t, "/decks/d/edit")).leadsTo(t, "/decks/d")
	if diff := cmp.Diff([]string{"Typed", "One"}, w.columns()); diff != "" {
		t.Errorf("columns (-want +got):\n%s", diff)
	}
}

func TestAConflictShowsBothVersions(t *testing.T) {
	w := newWorkspace(t, nil)
	c := w.login("social.example")
	w.deck("Morning", named(c, "One"), named(c, "Two"))
	form := w.get("/decks/d/edit").form(t, "/decks/d/edit")
	form.Set("title", "Mine")
	form.Set("columns[0].title", "Uno")
	if _, err := w.decks.RemoveColumn(t.Context(), decks.RemoveColumn{DeckID: "d", ExpectedRevision: 1, ColumnID: "c2"}); err != nil {
		t.Fatal(err)
	}

	a := w.post("/decks/d/edit", form)

	if a.StatusCode != http.StatusConflict {
		t.Errorf("status %d, want 409", a.StatusCode)
	}
	rows := texts(all(document(t, a.body), tag("tr")))
	want := []string{
		"What Mine The deck now", "Title Mine Morning",
		"Differs 1. Uno Local @owner@social.example 1. One Local @owner@social.example",
		"Removed from the deck 2. Two Local @owner@social.example Not there",
	}
	if diff := cmp.Diff(want, rows); diff != "" {
		t.Errorf("versions (-want +got):\n%s", diff)
	}
	again := a.form(t, "/decks/d/edit")
	again.Set("do", "edit")
	w.post("/decks/d/edit", again).says(t, "Not saved yet")
	again.Set("do", "save")
	w.post("/decks/d/edit", again).leadsTo(t, "/decks/d")
	if diff := cmp.Diff([]string{"Uno", "Two"}, w.columns()); diff != "" {
		t.Errorf("columns after taking mine (-want +got):\n%s", diff)
	}
}

func TestAddingIsExplainedWhereSixColumnsAre(t *testing.T) {
	w := newWorkspace(t, nil)
	c := w.login("social.example")
	form := url.Values{"revision": {"1"}, "connectionId": {c.ID}, "source.kind": {"local"}}
	w.deck("Morning", named(c, "1"), named(c, "2"), named(c, "3"), named(c, "4"), named(c, "5"), named(c, "6"))

	for _, a := range []answer{w.get("/decks/d/add"), w.post("/decks/d/add", form)} {
		a.says(t, "This deck has six columns, the most that fit side by side.")
		one(t, document(t, a.body), tag("a"), with("href", "/decks/new"))
	}
}

func TestAnAccountOffersWhatItHas(t *testing.T) {
	w := newWorkspace(t, nil)
	c := w.connect("public.example")
	w.deck("Morning")

	a := w.get("/decks/d/add?connection=" + c.ID)

	page := document(t, a.body)
	var kinds []string
	for _, link := range all(one(t, page, class("cards")), tag("strong")) {
		kinds = append(kinds, text(link))
	}
	if diff := cmp.Diff([]string{"Hashtag", "Local", "Federated", "Someone's posts"}, kinds); diff != "" {
		t.Errorf("kinds (-want +got):\n%s", diff)
	}
	a.says(t, "Home public.example is read without login, and this belongs to an account.")
}

func TestListsAreOfferedOrTyped(t *testing.T) {
	cases := map[string]struct {
		lists []sns.List
		fail  error
		input string
		says  string
	}{
		"the account's lists":           {[]sns.List{{ID: "7", Title: "Friends"}}, nil, "select", "Friends"},
		"an account without lists":      {nil, nil, "input", "has no list yet. Make one at social.example"},
		"a server that does not answer": {nil, fault.New(fault.UpstreamUnavailable, "down"), "input", "social.example did not answer. You can type it all the same."},
		"a server that asks to wait":    {nil, fault.New(fault.RateLimited, "wait"), "input", "takes no more requests for a while"},
	}
	for name, c := range cases {
		t.Run(name, func(t *testing.T) {
			w := newWorkspace(t, nil)
			account := w.login("social.example")
			w.net.lists, w.net.failLists = c.lists, c.fail
			w.deck("Morning")

			a := w.get("/decks/d/add?kind=list&connection=" + account.ID)

			if got := one(t, document(t, a.body), with("name", "source.listId")).Data; got != c.input {
				t.Errorf("the list is a %s, want a %s", got, c.input)
			}
			a.says(t, c.says)
		})
	}
}

func TestADeletedDeckSaysSoAndComesBack(t *testing.T) {
	w := newWorkspace(t, nil)
	c := w.login("social.example")
	w.deck("Morning", named(c, "One"))
	w.post("/decks/d/delete", url.Values{"revision": {"1"}}).leadsTo(t, "/decks?deleted=0.d")
	w.get("/decks?deleted=0.d").says(t, "Morning was deleted.")

	for _, path := range []string{"/decks/d", "/decks/d/edit", "/decks/d/columns/c1", "/decks/d/add"} {
		a := w.get(path)
		if a.StatusCode != http.StatusGone {
			t.Errorf("%s answers %d, want 410", path, a.StatusCode)
		}
		a.says(t, "This deck was deleted Morning was deleted. Undo")
	}
	again := w.post("/decks/d/delete", url.Values{"revision": {"1"}})
	again.says(t, "This deck was deleted")
	w.post("/decks/d/undo", again.form(t, "/decks/d/undo")).leadsTo(t, "/decks/d")
	if diff := cmp.Diff([]string{"One"}, w.columns()); diff != "" {
		t.Errorf("columns (-want +got):\n%s", diff)
	}
	if a := w.get("/decks?deleted=0.d&deleted=junk&deleted=-1.x"); a.StatusCode != http.StatusOK || strings.Contains(a.body, "was deleted") {
		t.Error("the list offers to bring back a deck that is there")
	}
}

func TestUndoAfterLaterChangesAsks(t *testing.T) {
	w := newWorkspace(t, nil)
	c := w.login("social.example")
	w.deck("Morning", named(c, "One"), named(c, "Two"))
	w.post("/decks/d/columns/c1/remove", url.Values{"revision": {"1"}}).leadsTo(t, "/decks/d?undo=2")
	page := w.get("/decks/d?undo=2")
	page.says(t, "One was removed. Undo")
	w.post("/decks/d/rename", url.Values{"revision": {"2"}, "title": {"Evening"}}).leadsTo(t, "/decks/d")
	if a := w.get("/decks/d?undo=2"); strings.Contains(a.body, "was removed") {
		t.Error("the page offers an undo that is not the newest change's any more")
	}

	a := w.post("/decks/d/undo", page.form(t, "/decks/d/undo"))

	if a.StatusCode != http.StatusConflict {
		t.Errorf("status %d, want 409", a.StatusCode)
	}
	a.says(t, "takes back the later changes too")
	w.post("/decks/d/undo", a.form(t, "/decks/d/undo")).leadsTo(t, "/decks/d")
	if diff := cmp.Diff([]string{"One", "Two"}, w.columns()); diff != "" {
		t.Errorf("columns (-want +got):\n%s", diff)
	}
}

func TestMenusInPlacePrintNoPostAgain(t *testing.T) {
	w := newWorkspace(t, nil)
	c := w.login("social.example")
	w.net.set("social.example", sns.KindLocal, post(990, "Hello"))
	w.deck("Morning", named(c, "One"), named(c, "Two"))
	w.fill()
	for i, path := range []string{"/decks/d/columns/c1/move", "/decks/d/columns/c1/rename", "/decks/d/columns/c1/pause", "/decks/d/rename", "/decks/d/columns/c2/remove"} {
		r := formRequest(t, path, url.Values{"revision": {fmt.Sprint(max(i, 1) + min(i, 1) - i/3)}, "position": {"2"}, "title": {"X"}, "paused": {"on"}})
		a := w.do(r, "HX-Request", "true", "HX-Target", "div#deck-notice")
		if a.StatusCode != http.StatusOK || strings.Contains(a.body, "<article") {
			t.Errorf("%s answers %d: %s", path, a.StatusCode, a.body)
		}
	}
	if diff := cmp.Diff([]string{"X"}, w.columns()); diff != "" {
		t.Errorf("columns (-want +got):\n%s", diff)
	}
}

func TestADeckMayHaveTheIDOfAPage(t *testing.T) {
	w := newWorkspace(t, nil)
	for _, id := range []string{"new", "import"} {
		if _, err := w.decks.CreateDeck(t.Context(), decks.CreateDeck{ID: id, Title: "Called " + id}); err != nil {
			t.Fatal(err)
		}

		link := one(t, document(t, w.get("/decks").body), tag("a"), with("href", "/decks/"+id+"/"))

		w.get(attr(link, "href")).says(t, "Called "+id)
		w.get("/decks/"+id+"/edit").says(t, "Edit the deck")
	}
}

func TestAStarterThatCannotBeMadeSaysWhy(t *testing.T) {
	w := newWorkspace(t, nil)
	w.connect("public.example")

	a := w.get("/decks/new")

	a.says(t, "What the account follows, and beside it who mentioned it. Connect an account with a sign-in for that.")
	if chosen := all(document(t, a.body), with("name", "starter"), func(n *html.Node) bool { return has(n, "checked") }); len(chosen) != 1 || attr(chosen[0], "value") != "local" {
		t.Error("the first starter that can be made is not chosen")
	}
}

func TestMakingTwiceMakesOneDeck(t *testing.T) {
	w := newWorkspace(t, nil)
	w.login("social.example")
	form := w.get("/decks/new").form(t, "/decks/new")

	first, second := w.post("/decks/new", form), w.post("/decks/new", form)
	form.Set("title", "Other")
	third := w.post("/decks/new", form)

	second.leadsTo(t, first.Header.Get("Location"))
	third.says(t, "This form has made a deck already")
	w.post("/decks/new", third.form(t, "/decks/new"))
	if list, err := w.decks.ListDecks(t.Context()); err != nil || len(list) != 2 {
		t.Errorf("%d decks (%v), want 2", len(list), err)
	}
}
