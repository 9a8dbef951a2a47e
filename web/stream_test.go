package web_test

import (
	"bufio"
	"context"
	"net/http"
	"net/http/httptest"
	"strings"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"

	"personal-workspace/decks"
	"personal-workspace/internal/ledger"
)

const events = "/api/activities/events"

// event is one server-sent event.
type event struct{ ID, Name, Data string }

// listener reads a stream.
type listener struct {
	t   *testing.T
	res *http.Response
	r   *bufio.Reader
}

// serve answers on a real listener until the test ends.
func (w *workspace) serve() *httptest.Server {
	w.t.Helper()
	srv := httptest.NewServer(w.handler)
	w.t.Cleanup(func() {
		w.handler.CloseStreams()
		srv.Close()
	})
	return srv
}

// listen opens a stream; headers are pairs.
func (w *workspace) listen(srv *httptest.Server, path string, headers ...string) *listener {
	w.t.Helper()
	ctx, cancel := context.WithTimeout(w.t.Context(), 2*time.Minute)
	w.t.Cleanup(cancel)
	r, err := http.NewRequestWithContext(ctx, http.MethodGet, srv.URL+path, nil)
	if err != nil {
		w.t.Fatal(err)
	}
	for i := 0; i < len(headers); i += 2 {
		r.Header.Set(headers[i], headers[i+1])
	}
	for _, c := range w.cookies {
		r.AddCookie(c)
	}
	res, err := srv.Client().Do(r)
	if err != nil {
		w.t.Fatalf("open the stream: %v", err)
	}
	w.t.Cleanup(func() { res.Body.Close() })
	return &listener{w.t, res, bufio.NewReader(res.Body)}
}

// next returns the next event; the zero one is the end of the stream.
func (l *listener) next() event {
	l.t.Helper()
	var e event
	for {
		line, err := l.r.ReadString('\n')
		if err != nil {
			return event{}
		}
		name, value, _ := strings.Cut(strings.TrimSuffix(line, "\n"), ": ")
		switch name {
		case "id":
			e.ID = value
		case "event":
			e.Name = value
		case "data":
			e.Data = value
		case "":
			if e != (event{}) {
				return e
			}
		}
	}
}

// want reads the next event and compares its name and data.
func (l *listener) want(name, data string) event {
	l.t.Helper()
	e := l.next()
	if diff := cmp.Diff(event{e.ID, name, data}, e); diff != "" {
		l.t.Fatalf("the next event (-want +got):\n%s", diff)
	}
	return e
}

func TestStreamBeginsWithTheBuildAndTheDeck(t *testing.T) {
	w := newWorkspace(t, nil)
	w.deck("Mine", local(w.connect("social.example")))
	l := w.listen(w.serve(), events+"?deck=d", "Accept", "application/json", "Accept-Encoding", "gzip")

	head := map[string]string{}
	for _, name := range []string{"Content-Type", "Content-Encoding", "Cache-Control", "X-Accel-Buffering"} {
		head[name] = l.res.Header.Get(name)
	}
	want := map[string]string{"Content-Type": "text/event-stream", "Content-Encoding": "", "Cache-Control": "no-store", "X-Accel-Buffering": "no"}
	if diff := cmp.Diff(want, head); diff != "" {
		t.Errorf("the headers (-want +got):\n%s", diff)
	}
	if e := l.next(); e.Name != "hello" || !strings.Contains(e.Data, `"build":"`) || e.ID == "" {
		t.Errorf("the first event is %v, want one with the build and an id", e)
	}
	l.want("deck", `{"deckId":"d","revision":1}`)
}

func TestStreamTellsOfChanges(t *testing.T) {
	w := newWorkspace(t, nil)
	c := w.connect("social.example")
	w.deck("Mine", local(c))
	l := w.listen(w.serve(), events+"?deck=d")
	first := l.next()
	l.want("deck", `{"deckId":"d","revision":1}`)

	if _, err := w.decks.ReplaceDeck(t.Context(), decks.ReplaceDeck{ID: "d", ExpectedRevision: 1, Title: "Renamed", Columns: []decks.Column{local(c)}}); err != nil {
		t.Fatalf("ReplaceDeck: %v", err)
	}
	if e := l.want("deck", `{"deckId":"d","revision":2}`); e.ID <= first.ID {
		t.Errorf("the change has the id %s after %s, want a later one", e.ID, first.ID)
	}
	if err := w.decks.DeleteDeck(t.Context(), "d", 2); err != nil {
		t.Fatalf("DeleteDeck: %v", err)
	}
	l.want("deck", `{"deckId":"d","gone":true,"revision":3}`)
}

func TestStreamTellsWhoChangedTheDeck(t *testing.T) {
	w := newWorkspace(t, nil)
	c := w.connect("social.example")
	w.deck("Mine", local(c))
	l := w.listen(w.serve(), events+"?deck=d")
	l.next()
	l.want("deck", `{"deckId":"d","revision":1}`)

	for i, who := range []ledger.ActorKind{ledger.Caller, ledger.Person} {
		ctx := ledger.WithActor(t.Context(), ledger.Actor{Kind: who, ID: "x"})
		change := decks.RenameDeck{DeckID: "d", ExpectedRevision: int64(i + 1), Title: string(who)}
		if _, err := w.decks.RenameDeck(ctx, change); err != nil {
			t.Fatalf("RenameDeck: %v", err)
		}
		want := []string{`{"by":"assistant","deckId":"d","revision":2}`, `{"by":"person","deckId":"d","revision":3}`}
		l.want("deck", want[i])
	}
}

func TestStreamTellsOfColumns(t *testing.T) {
	w := newWorkspace(t, nil)
	a, b := w.connect("a.example"), w.connect("b.example")
	w.deck("Mine", local(a), local(b), local(a))
	l := w.listen(w.serve(), events+"?deck=d")
	l.next()
	l.want("deck", `{"deckId":"d","revision":1}`)

	w.net.set("a.example", "local", timeline(3)...)
	if err := w.posts.Refresh(t.Context(), a.ID, local(a).Source); err != nil {
		t.Fatalf("Refresh: %v", err)
	}

	// Both columns of the source hear of it, the other one does not.
	l.want("column", `{"columnId":"c1"}`)
	l.want("column", `{"columnId":"c3"}`)
}

func TestStreamIsForThePersonAlone(t *testing.T) {
	w := newWorkspace(t, withPassword)
	a := w.fragment(events)
	if a.StatusCode != http.StatusUnauthorized || a.Header.Get("HX-Redirect") != "" {
		t.Errorf("a stranger gets %d and HX-Redirect %q, want 401 and none", a.StatusCode, a.Header.Get("HX-Redirect"))
	}
}

func TestStreamIsForOwnPagesAlone(t *testing.T) {
	w := newWorkspace(t, nil)
	srv := w.serve()
	for site, want := range map[string]int{"cross-site": 403, "same-site": 403, "same-origin": 200, "none": 200} {
		if got := w.listen(srv, events, "Sec-Fetch-Site", site).res.StatusCode; got != want {
			t.Errorf("a page that is %s gets %d, want %d", site, got, want)
		}
	}
}

func TestStreamEndsWithItsSession(t *testing.T) {
	w := newWorkspace(t, withPassword)
	w.setUp()
	l := w.listen(w.serve(), events)
	l.next()

	w.post("/logout", nil)

	l.want("bye", `{"reason":"signed-out"}`)
	if e := l.next(); e != (event{}) {
		t.Errorf("after the end comes %v", e)
	}
}

func TestStreamsAreBounded(t *testing.T) {
	w := newWorkspace(t, nil)
	srv := w.serve()
	for range 128 {
		w.listen(srv, events).next()
	}
	l := w.listen(srv, events)
	if l.res.StatusCode != http.StatusServiceUnavailable || l.res.Header.Get("Retry-After") != "30" {
		t.Errorf("stream 129 gets %d and Retry-After %q, want 503 and 30", l.res.StatusCode, l.res.Header.Get("Retry-After"))
	}
}

// TestStreamsLeaveABrowserAConnection: it has six to one server over HTTP/1.1.
func TestStreamsLeaveABrowserAConnection(t *testing.T) {
	w := newWorkspace(t, nil)
	srv := w.serve()
	for range 5 {
		w.listen(srv, events, "User-Agent", "Mozilla/5.0 one").next()
	}

	sixth := w.listen(srv, events, "User-Agent", "Mozilla/5.0 one")
	other := w.listen(srv, events, "User-Agent", "Mozilla/5.0 another")

	if sixth.res.StatusCode != http.StatusTooManyRequests || sixth.res.Header.Get("Retry-After") != "30" {
		t.Errorf("the sixth stream gets %d and Retry-After %q, want 429 and 30", sixth.res.StatusCode, sixth.res.Header.Get("Retry-After"))
	}
	if other.res.StatusCode != http.StatusOK {
		t.Errorf("another browser's stream gets %d, want 200", other.res.StatusCode)
	}
}

func TestStreamsEndWhenTheWorkspaceStops(t *testing.T) {
	w := newWorkspace(t, nil)
	srv := w.serve()
	l := w.listen(srv, events)
	l.next()

	w.handler.CloseStreams()

	l.want("bye", `{"reason":"stopping"}`)
	if e := l.next(); e != (event{}) {
		t.Errorf("after the end comes %v", e)
	}
	if l := w.listen(srv, events); l.res.StatusCode != http.StatusServiceUnavailable {
		t.Errorf("a stream after the stop gets %d, want 503", l.res.StatusCode)
	}
}
