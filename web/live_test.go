package web_test

import (
	"net/http"
	"net/url"
	"strings"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"
	"golang.org/x/net/html"

	"personal-workspace/decks"
	"personal-workspace/internal/fault"
	"personal-workspace/sns"
)

// liveColumn is a workspace whose deck has one column with 25 stored posts.
func liveColumn(t *testing.T) (*workspace, sns.Connection) {
	t.Helper()
	w := newWorkspace(t, nil)
	w.net.set("social.example", sns.KindLocal, timeline(25)...)
	c := w.connect("social.example")
	w.deck("Morning", local(c))
	w.fill()
	return w, c
}

// newsURL is where the page of a deck asks for its first column again.
func (w *workspace) newsURL() string {
	w.t.Helper()
	page := document(w.t, w.get("/decks/d").body)
	return attr(all(page, class("news"))[0], "hx-get")
}

func TestColumnNewsAreWhatIsStored(t *testing.T) {
	w, _ := liveColumn(t)
	asked := len(w.net.requests())
	page := document(t, w.fragment(w.newsURL()).body)
	if n := len(all(page, tag("article"))); n != 20 {
		t.Errorf("%d posts, want the stored 20", n)
	}
	if n := len(w.net.requests()); n != asked {
		t.Errorf("the network was asked %d times, want none", n-asked)
	}
}

func TestHeldPosts(t *testing.T) {
	tests := []struct{ name, held, want string }{
		{"none", "post-c1-999", ""},
		{"one", "post-c1-998", "1 new post"},
		{"three", "post-c1-996", "3 new posts"},
		{"the reader's post is not stored", "post-c1-1", "20 new posts"},
	}
	w, _ := liveColumn(t)
	news := w.newsURL()
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			page := document(t, w.fragment(news+"&held="+tt.held).body)
			got := ""
			if buttons := all(page, tag("button")); len(buttons) > 0 {
				got = text(buttons[0])
			}
			if got != tt.want {
				t.Errorf("the button says %q, want %q", got, tt.want)
			}
			if n := len(all(page, tag("article"))); n != 0 {
				t.Errorf("%d posts are sent, want none", n)
			}
			if got := text(one(t, page, class("state"))); got != "Updated 13:50" {
				t.Errorf("state = %q", got)
			}
		})
	}
}

// Nothing of another column is drawn in the place of one that the page shows.
func TestColumnOfAnotherDefinition(t *testing.T) {
	w, c := liveColumn(t)
	page := document(t, w.get("/decks/d").body)
	news := attr(one(t, page, class("news")), "hx-get")
	older := attr(one(t, page, tag("a"), func(n *html.Node) bool { return text(n) == "Older posts" }), "hx-get")
	replace := func(columns ...decks.Column) {
		t.Helper()
		d, err := w.decks.GetDeck(t.Context(), "d")
		if err != nil {
			t.Fatalf("GetDeck: %v", err)
		}
		if _, err := w.decks.ReplaceDeck(t.Context(), decks.ReplaceDeck{ID: "d", ExpectedRevision: d.Revision, Title: "Morning", Columns: columns}); err != nil {
			t.Fatalf("ReplaceDeck: %v", err)
		}
	}
	named := local(c)
	named.ID, named.Title = "c1", "Another name"
	other := decks.Column{ID: "c1", ConnectionID: c.ID, Source: sns.Source{Kind: sns.KindFederated}}

	steps := []struct {
		name     string
		do       func()
		status   int
		revision string
	}{
		{"as it was", func() {}, http.StatusOK, "1"},
		{"renamed", func() { replace(named) }, http.StatusOK, "2"},
		{"of another source", func() { replace(other) }, http.StatusNoContent, "3"},
		{"removed", func() { replace() }, http.StatusNoContent, "4"},
		{"of a deleted deck", func() {
			if err := w.decks.DeleteDeck(t.Context(), "d", 4); err != nil {
				t.Fatalf("DeleteDeck: %v", err)
			}
		}, http.StatusNoContent, "0"},
	}
	for _, s := range steps {
		s.do()
		for _, path := range []string{news, older} {
			a := w.fragment(path)
			if a.StatusCode != s.status || a.Header.Get("Deck-Revision") != s.revision {
				t.Errorf("%s: %s answers %d for revision %s, want %d for %s",
					s.name, path, a.StatusCode, a.Header.Get("Deck-Revision"), s.status, s.revision)
			}
		}
	}
}

func TestOlderLinkOfAnotherDefinitionLeadsToTheColumn(t *testing.T) {
	w, c := liveColumn(t)
	page := document(t, w.get("/decks/d").body)
	older := attr(one(t, page, tag("a"), func(n *html.Node) bool { return text(n) == "Older posts" }), "href")
	other := decks.Column{ID: "c1", ConnectionID: c.ID, Source: sns.Source{Kind: sns.KindFederated}}
	if _, err := w.decks.ReplaceDeck(t.Context(), decks.ReplaceDeck{ID: "d", ExpectedRevision: 1, Title: "Morning", Columns: []decks.Column{other}}); err != nil {
		t.Fatalf("ReplaceDeck: %v", err)
	}
	a := w.get(older)
	if a.StatusCode != http.StatusSeeOther || a.Header.Get("Location") != "/decks/d/columns/c1" {
		t.Errorf("the link answers %d to %q, want 303 to the column", a.StatusCode, a.Header.Get("Location"))
	}
}

func TestPanelsLeadToWhatHelps(t *testing.T) {
	tests := []struct {
		name    string
		prepare func(w *workspace, c sns.Connection)
		want    []string
	}{
		{"sign in again", func(w *workspace, c sns.Connection) {
			w.net.breakWith(fault.New(fault.Unauthorized, "No."))
		}, []string{"Sign in to social.example again /connections/conn_1/login"}},
		{"source gone", func(w *workspace, c sns.Connection) {
			w.net.breakWith(fault.Missing("list", "The list is gone."))
		}, []string{"Change the account or source /decks/d/columns/c1/edit", "Remove it /decks/d/edit"}},
		{"limited", func(w *workspace, c sns.Connection) {
			w.net.breakWith(fault.New(fault.RateLimited, "Wait.").RetryAt(start.Add(time.Hour)))
		}, nil},
		{"account paused", func(w *workspace, c sns.Connection) {
			if err := w.posts.PauseConnection(w.t.Context(), c.ID); err != nil {
				w.t.Fatalf("PauseConnection: %v", err)
			}
		}, []string{"Open the account /connections/conn_1"}},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			w, c := liveColumn(t)
			w.pass(time.Minute)
			tt.prepare(w, c)
			w.posts.Refresh(t.Context(), c.ID, local(c).Source) // it may fail on purpose
			page := document(t, w.get("/decks/d").body)
			var got []string
			for _, a := range all(one(t, page, class("panel")), tag("a")) {
				got = append(got, text(a)+" "+attr(a, "href"))
			}
			if diff := cmp.Diff(tt.want, got); diff != "" {
				t.Errorf("links (-want +got):\n%s", diff)
			}
		})
	}
}

func TestAllFiltered(t *testing.T) {
	w := newWorkspace(t, nil)
	w.net.set("social.example", sns.KindLocal, timeline(3)...)
	column := local(w.connect("social.example"))
	column.Filters = &decks.Filters{Exclude: []string{"Post"}}
	w.deck("Morning", column)
	w.fill()

	page := document(t, w.get("/decks/d").body)
	if got := text(one(t, page, class("state"))); got != "All filtered" {
		t.Errorf("state = %q", got)
	}
	panel := one(t, page, class("panel"))
	if got := text(panel); !strings.Contains(got, "All 3 posts here are hidden") {
		t.Errorf("panel = %q", got)
	}
	show := all(panel, tag("a"))[0]
	alone := document(t, w.get(attr(show, "href")).body)
	if n := len(all(alone, tag("article"))); text(show) != "Show" || n != 3 {
		t.Errorf("%q shows %d posts, want all 3", text(show), n)
	}
}

func TestPausedColumnAsksNobody(t *testing.T) {
	w, _ := liveColumn(t)
	w.pass(time.Hour)
	if err := w.decks.PauseColumn(t.Context(), "d", "c1", true); err != nil {
		t.Fatalf("PauseColumn: %v", err)
	}
	asked := len(w.net.requests())
	page := document(t, w.get("/decks/d").body)
	if got := text(one(t, page, class("state"))); got != "Paused" {
		t.Errorf("state = %q", got)
	}
	for _, path := range []string{"/decks/d/refresh", "/decks/d/columns/c1/refresh"} {
		if a := w.post(path, url.Values{}); a.StatusCode != http.StatusSeeOther {
			t.Errorf("%s answers %d, want 303", path, a.StatusCode)
		}
	}
	if n := len(w.net.requests()); n != asked {
		t.Errorf("the network was asked %d times, want none", n-asked)
	}
}

func TestRefreshOfOneColumn(t *testing.T) {
	w, c := liveColumn(t)
	w.pass(time.Minute)
	asked := len(w.net.requests())
	a := w.post("/decks/d/columns/c1/refresh", url.Values{})
	if a.StatusCode != http.StatusSeeOther || a.Header.Get("Location") != "/decks/d/columns/c1" {
		t.Errorf("the form answers %d to %q, want 303 to the column", a.StatusCode, a.Header.Get("Location"))
	}
	if n := len(w.net.requests()) - asked; n != 1 {
		t.Errorf("the network was asked %d times, want once", n)
	}

	w.pass(time.Minute)
	w.net.breakWith(fault.New(fault.RateLimited, "Wait.").RetryAt(start.Add(time.Hour)))
	w.posts.Refresh(t.Context(), c.ID, local(c).Source) // it fails on purpose
	asked = len(w.net.requests())
	w.post("/decks/d/columns/c1/refresh", url.Values{})
	if n := len(w.net.requests()) - asked; n != 0 {
		t.Errorf("a server that limits requests was asked %d times, want none", n)
	}
}

func TestStreamTellsOfPausedColumns(t *testing.T) {
	w, c := liveColumn(t)
	l := w.listen(w.serve(), events+"?deck=d")
	l.next()
	l.want("deck", `{"deckId":"d","revision":1}`)

	form := url.Values{"revision": {"1"}, "paused": {"on"}}
	if a := w.post("/decks/d/columns/c1/pause", form); a.StatusCode != http.StatusSeeOther {
		t.Fatalf("the form answers %d, want 303", a.StatusCode)
	}
	l.want("column", `{"columnId":"c1"}`)

	// Nothing is told of a paused column until it is resumed.
	w.pass(time.Minute)
	w.net.set("social.example", sns.KindLocal, timeline(26)...)
	if err := w.posts.Refresh(t.Context(), c.ID, local(c).Source); err != nil {
		t.Fatalf("Refresh: %v", err)
	}
	if err := w.decks.DeleteDeck(t.Context(), "d", 1); err != nil {
		t.Fatalf("DeleteDeck: %v", err)
	}
	l.want("deck", `{"deckId":"d","gone":true,"revision":2}`)
}

func TestStreamTellsOfConnections(t *testing.T) {
	w, c := liveColumn(t)
	l := w.listen(w.serve(), events+"?deck=d")
	l.next()
	l.want("deck", `{"deckId":"d","revision":1}`)
	if err := w.posts.PauseConnection(t.Context(), c.ID); err != nil {
		t.Fatalf("PauseConnection: %v", err)
	}
	l.want("connection", `{"id":"`+c.ID+`","state":"disabled"}`)
}
