package web_test

import (
	"strings"
	"testing"
	"time"

	"golang.org/x/net/html"

	"personal-workspace/decks"
	"personal-workspace/internal/fault"
	"personal-workspace/sns"
)

func TestTheEndOfASourceIsSaid(t *testing.T) {
	w := newWorkspace(t, nil)
	w.net.set("social.example", sns.KindLocal, timeline(30)...)
	w.deck("Morning", local(w.connect("social.example")))
	w.fill()
	ends := func(page *html.Node) bool { return len(all(page, tag("p"), class("end"))) == 1 }

	first := document(t, w.get("/decks/d/columns/c1").body)
	last := document(t, w.get(linkTo(first, "Older posts")).body)
	stored := document(t, w.fragment("/decks/d/columns/c1?fresh=1&rows=40").body)

	if ends(first) {
		t.Error("the first page of two says that it is all")
	}
	if !ends(last) || linkTo(last, "Older posts") != "" {
		t.Error("the last page from the network does not say that it is all")
	}
	if !ends(stored) || linkTo(stored, "Older posts") != "" {
		t.Error("the column from the store does not say that it is all")
	}
	if got, want := text(one(t, stored, tag("p"), class("end"))), "That was all."; got != want {
		t.Errorf("it says %q, want %q", got, want)
	}
}

func TestAnEmptyColumnSaysOnlyThatItIsEmpty(t *testing.T) {
	w := newWorkspace(t, nil)
	w.deck("Morning", local(w.connect("social.example")))
	w.fill()
	page := document(t, w.get("/decks/d").body)
	if got := len(all(page, tag("p"), class("end"))); got != 0 {
		t.Error("an empty column says that it was all")
	}
}

// A sparse column is not at its end because its newest posts do not fit.
func TestAColumnWhoseNewestPostsDoNotFitGoesOn(t *testing.T) {
	w := newWorkspace(t, nil)
	w.net.set("social.example", sns.KindLocal, timeline(60)...)
	w.net.sparse = func(p sns.Post) bool { return p.ID == "965" }
	w.deck("Morning", local(w.connect("social.example")))
	w.fill()

	empty := document(t, w.get("/decks/d/columns/c1").body)

	if got := text(one(t, empty, class("panel"))); !strings.HasPrefix(got, "Nothing that fits yet") {
		t.Errorf("panel = %q", got)
	}
	older := document(t, w.get(linkTo(empty, "Older posts")).body)
	if got := text(one(t, older, tag("div"), class("text"))); got != "Post number 965" {
		t.Errorf("older posts begin with %q", got)
	}
	if got := text(one(t, document(t, w.get("/decks/d").body), tag("div"), class("text"))); got != "Post number 965" {
		t.Errorf("the column begins with %q afterwards", got)
	}

	w.pass(time.Hour)
	w.net.set("social.example", sns.KindLocal, append([]sns.Post{post(1999, "New")}, timeline(60)[20:]...)...)
	w.net.sparse = func(sns.Post) bool { return false }
	w.fill()
	page := document(t, w.get("/decks/d").body)
	gap := one(t, page, tag("article"), class("gap"))
	if attr(one(t, gap, tag("a")), "href") == "" {
		t.Error("what is missing above the first post cannot be loaded")
	}
}

func TestOfflineSinceIsTheFirstFailure(t *testing.T) {
	w := newWorkspace(t, nil)
	c := w.connect("social.example")
	w.deck("Morning", local(c))
	w.net.breakWith(fault.New(fault.UpstreamUnavailable, "It is down."))
	for range 3 {
		w.posts.Refresh(t.Context(), c.ID, sns.Source{Kind: sns.KindLocal}) // it fails on purpose
		w.pass(5 * time.Minute)
	}
	a := w.fragment("/decks/d/columns/c1?fresh=1")
	if got, want := text(one(t, document(t, a.body), class("state"))), "Offline since 13:50"; got != want {
		t.Errorf("state = %q, want %q", got, want)
	}
}

func TestAListColumnHasTheListsName(t *testing.T) {
	w := newWorkspace(t, nil)
	c := w.login("social.example")
	list := sns.Source{Kind: sns.KindList, ListID: "7"}
	w.net.set("social.example", sns.KindList, timeline(30)...)
	w.deck("Morning", decks.Column{ConnectionID: c.ID, Source: list}, decks.Column{ConnectionID: c.ID, Source: list, Title: "Mine"})
	w.fill()
	names := func(path string) string {
		return strings.Join(texts(all(document(t, w.get(path).body), tag("h2"))), ", ")
	}

	if got, want := names("/decks/d"), "List 7, Mine"; got != want {
		t.Errorf("columns before the name is known: %s, want %s", got, want)
	}
	w.net.lists = []sns.List{{ID: "7", Title: "Close friends"}}
	if _, err := w.posts.ListLists(t.Context(), c.ID); err != nil {
		t.Fatal(err)
	}
	if got, want := names("/decks/d"), "Close friends, Mine"; got != want {
		t.Errorf("columns: %s, want %s", got, want)
	}
	older := linkTo(document(t, w.get("/decks/d/columns/c1").body), "Older posts")
	if page := document(t, w.get(older).body); !strings.Contains(text(one(t, page, tag("title"))), "Close friends") {
		t.Errorf("older posts are titled %q", text(one(t, page, tag("title"))))
	}
}

func TestANotificationHasItsOwnTime(t *testing.T) {
	at := start.Add(-5 * time.Minute)
	for name, c := range map[string]struct {
		notification sns.Notification
		says         string
	}{
		"long after the post": {sns.Notification{Type: "like", Actors: []sns.Author{{DisplayName: "Bo"}}, At: &at}, "Bo liked your post 5 min"},
		"with the post":       {sns.Notification{Type: "mention", Actors: []sns.Author{{DisplayName: "Bo"}}, At: new(start.Add(-10*time.Minute + 20*time.Second))}, "Bo mentioned you"},
	} {
		t.Run(name, func(t *testing.T) {
			w := newWorkspace(t, nil)
			w.net.set("social.example", sns.KindLocal, post(990, "Hello", func(p *sns.Post) { p.Notification = &c.notification }))
			w.deck("Morning", local(w.connect("social.example")))
			w.fill()
			if got := text(one(t, document(t, w.get("/decks/d").body), class("lead"))); got != c.says {
				t.Errorf("the line above says %q, want %q", got, c.says)
			}
		})
	}
}
