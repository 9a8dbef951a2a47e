package e2e_test

import (
	"encoding/json"
	"errors"
	"fmt"
	"net/http"
	"regexp"
	"strings"
	"testing"
	"time"

	"github.com/mxschmitt/playwright-go"

	"personal-workspace/decks"
	"personal-workspace/internal/app/config"
	"personal-workspace/sns/snstest"
)

// firstDeck is the demo's first deck.
func (w *workspace) firstDeck(t *testing.T) decks.Deck {
	t.Helper()
	list, err := w.app.Decks.ListDecks(t.Context())
	must(t, err)
	d, err := w.app.Decks.GetDeck(t.Context(), list[0].ID)
	must(t, err)
	return d
}

// call calls a tool that must succeed, as an assistant does, and returns what it
// says.
func (w *workspace) call(t *testing.T, tool string, arguments map[string]any) (said string) {
	t.Helper()
	got := w.ask(t, tool, arguments)
	if got.IsError {
		t.Fatalf("%s is refused: %v", tool, got.Content)
	}
	return got.Content[0].Text
}

// toolAnswer is the result of a tool call, as the client got it.
type toolAnswer struct {
	IsError           bool
	Content           []struct{ Text string }
	StructuredContent json.RawMessage
}

// ask calls a tool as an assistant does.
func (w *workspace) ask(t *testing.T, tool string, arguments map[string]any) toolAnswer {
	t.Helper()
	res, err := (&http.Client{}).Do(w.toolCall(t, tool, arguments))
	must(t, err)
	defer res.Body.Close()
	var got struct{ Result toolAnswer }
	must(t, json.NewDecoder(res.Body).Decode(&got))
	if res.StatusCode != http.StatusOK {
		t.Fatalf("%s answers %d: %v", tool, res.StatusCode, got.Result.Content)
	}
	return got.Result
}

func (w *workspace) toolCall(t *testing.T, tool string, arguments map[string]any) *http.Request {
	t.Helper()
	body, err := json.Marshal(map[string]any{
		"jsonrpc": "2.0", "id": 1, "method": "tools/call", "params": map[string]any{"name": tool, "arguments": arguments},
	})
	must(t, err)
	r, err := http.NewRequestWithContext(t.Context(), http.MethodPost, w.url+"/mcp", strings.NewReader(string(body)))
	must(t, err)
	r.Header.Set("Content-Type", "application/json")
	r.Header.Set("Accept", "application/json, text/event-stream")
	return r
}

// news lets n posts arrive in the column Home, as its minute does.
func (w *workspace) news(t *testing.T, n int) {
	t.Helper()
	for i := range n {
		w.demo.Servers()[0].Add(snstest.Status{Text: fmt.Sprintf("News %d", i+1)})
	}
	w.refreshHome(t)
}

// refreshHome asks the network of the column Home now.
func (w *workspace) refreshHome(t *testing.T) {
	t.Helper()
	w.pass(30 * time.Second) // an answer of the last seconds is shared
	c := w.firstDeck(t).Columns[0]
	// What fails is for the column to show.
	_ = w.app.Store.Posts.Refresh(t.Context(), c.ConnectionID, c.Source)
}

// live waits until the page hears of changes.
func (p *tab) live() {
	p.t.Helper()
	must(p.t, check.Locator(p.Locator("html")).ToHaveAttribute("data-stream", "live"))
	p.settled()
}

// bar is one of the bars that say that the page is not the newest.
func (p *tab) bar(name string) playwright.Locator { return p.Locator(`[data-bar="` + name + `"]`) }

// hour is a time of day as pages write it; around midnight with its date.
const hour = `(\d{1,2} [A-Z][a-z]{2} )?\d\d:\d\d`

// state is what a column says about itself.
func (p *tab) state(column string) playwright.Locator { return p.column(column).Locator(".state") }

// seesText checks what is to be read at a place.
func (p *tab) seesText(l playwright.Locator, text string) {
	p.t.Helper()
	must(p.t, check.Locator(l).ToHaveText(text, playwright.LocatorAssertionsToHaveTextOptions{UseInnerText: new(true)}))
}

// places are the posts of a column with where they stand.
func (p *tab) places(column string) map[string]float64 {
	p.t.Helper()
	p.drawn()
	got, err := p.column(column).Evaluate(`column => Object.fromEntries([...column.querySelectorAll("article.post")]
		.map(a => [a.id, a.getBoundingClientRect().top]).filter(([, top]) => top > 0 && top < innerHeight))`, nil)
	must(p.t, err)
	out := map[string]float64{}
	for id, top := range got.(map[string]any) {
		out[id] = number(top)
	}
	return out
}

// unmoved checks that the posts that were in view stand where they stood.
func (p *tab) unmoved(column string, before map[string]float64) {
	p.t.Helper()
	p.drawn()
	now := p.places(column)
	seen := 0
	for id, top := range before {
		at, there := now[id]
		if !there {
			continue
		}
		seen++
		if moved := at - top; moved > 1 || moved < -1 {
			p.t.Errorf("%s moved by %.1f px, want at most 1", id, moved)
		}
	}
	if seen == 0 {
		p.t.Error("none of the posts that were in view is in view any more")
	}
}

func TestDeckChangedElsewhere(t *testing.T) {
	w := start(t, options{demo: true})
	p := open(t, w, desktop, w.deck(t))
	p.live()
	p.seesText(p.state("Home"), "Live")
	before := p.places("Home")

	d := w.firstDeck(t)
	var columns []map[string]any
	for _, c := range d.Columns[:3] {
		columns = append(columns, map[string]any{"id": c.ID, "connectionId": c.ConnectionID, "source": c.Source})
	}
	w.call(t, "replace_deck", map[string]any{
		"deckId": d.ID, "expectedRevision": d.Revision, "title": "Changed by an assistant", "columns": columns,
	})

	must(t, check.Locator(p.bar("changed")).ToContainText("An assistant changed this deck"))
	must(t, check.Locator(p.heading(1, "Changed by an assistant")).ToHaveCount(0))
	p.unmoved("Home", before)
	p.accessible()
	must(t, p.bar("changed").GetByRole("link").Click())
	must(t, check.Locator(p.heading(1, "Changed by an assistant")).ToBeVisible())
	must(t, check.Locator(p.Locator("section.column")).ToHaveCount(3))
	p.live()
	must(t, check.Locator(p.bar("changed")).ToBeHidden())
}

func TestNewPostsComeByThemselvesWhenNobodyReads(t *testing.T) {
	w := start(t, options{demo: true})
	p := open(t, w, desktop, w.deck(t))
	p.live()
	must(t, p.Mouse().Move(0, 0))
	p.watchOutside("Home")

	w.news(t, 2)

	must(t, check.Locator(p.column("Home").GetByRole("article").First()).ToContainText("News 2"))
	if list := p.changedOutside(); len(list) != 0 {
		t.Errorf("the update changed outside its column: %v", list)
	}
}

// watchOutside notes what changes outside a column, but for what is said to screen
// readers, for times that go on, and for other columns that were asked for
// themselves.
func (p *tab) watchOutside(column string) {
	p.t.Helper()
	_, err := p.column(column).Evaluate(`column => {
		window.outside = [];
		window.asked = new Set([...document.querySelectorAll(".htmx-request")].map(e => e.closest("section.column")));
		document.addEventListener("htmx:config:request", e => window.asked.add(e.detail.ctx.target));
		new MutationObserver(list => window.outside.push(...list.filter(m => !column.contains(m.target) && m.target.id !== "announcer")))
			.observe(document.body, {subtree: true, childList: true, attributes: true, characterData: true});
	}`, nil)
	must(p.t, err)
}

func (p *tab) changedOutside() []any {
	p.t.Helper()
	list, err := p.Evaluate(`() => window.outside.filter(m => {
		const at = m.target.closest ? m.target : m.target.parentElement;
		return !at?.closest("time") && !window.asked.has(at?.closest("section.column") ?? 0);
	}).map(m => [m.type, m.attributeName, m.target.outerHTML?.slice(0, 100)].join(" "))`)
	must(p.t, err)
	return list.([]any)
}

func TestNewPostsAreHeldWhileAColumnIsRead(t *testing.T) {
	readers := map[string]func(p *tab){
		"scrolled": func(p *tab) {
			_, err := p.column("Home").Locator(".scroller").Evaluate("s => s.scrollTop = 700", nil)
			must(t, err)
		},
		"pointer": func(p *tab) { must(t, p.column("Home").GetByRole("article").First().Hover()) },
		"focus":   func(p *tab) { must(t, p.column("Home").Locator(".scroller").Focus()) },
	}
	for name, read := range readers {
		t.Run(name, func(t *testing.T) {
			w := start(t, options{demo: true})
			p := open(t, w, desktop, w.deck(t))
			p.live()
			read(p)
			posts := p.column("Home").GetByRole("article")
			before := p.places("Home")

			w.news(t, 3)
			held := p.column("Home").GetByRole("button", playwright.LocatorGetByRoleOptions{Name: "3 new posts", Exact: new(true)})
			must(t, check.Locator(held).ToBeVisible())
			p.unmoved("Home", before)
			must(t, check.Locator(posts.First()).Not().ToContainText("News 3"))
			p.accessible()

			must(t, held.Press("Enter"))
			must(t, check.Locator(posts.First()).ToContainText("News 3"))
			must(t, check.Locator(held).ToHaveCount(0))
			if name != "scrolled" {
				// At its top the column shows them at once.
				must(t, check.Locator(posts.First()).ToBeInViewport())
				must(t, check.Locator(p.column("Home").Locator(".scroller")).ToBeFocused())
				return
			}
			p.unmoved("Home", before)
			must(t, p.column("Home").GetByRole("button", playwright.LocatorGetByRoleOptions{Name: "Go to the newest"}).Press("Enter"))
			must(t, check.Locator(posts.First()).ToBeInViewport())
		})
	}
}

// TestHeldPostsByTheKey shows held posts with one key, and goes to them with the
// same one from further down.
func TestHeldPostsByTheKey(t *testing.T) {
	for name, down := range map[string]int{"at the top": 0, "further down": 700} {
		t.Run(name, func(t *testing.T) {
			w := start(t, options{demo: true})
			p := open(t, w, desktop, w.deck(t))
			p.live()
			_, err := p.column("Home").Locator(".scroller").Evaluate("(s, down) => { s.focus(); s.scrollTop = down }", down)
			must(t, err)
			w.news(t, 2)
			must(t, check.Locator(p.column("Home").Locator("button[data-held]")).ToBeVisible())
			newest := p.column("Home").GetByRole("article").First()

			must(t, p.Keyboard().Press("."))

			must(t, check.Locator(newest).ToContainText("News 2"))
			if down > 0 {
				must(t, check.Locator(newest).Not().ToBeInViewport())
				must(t, p.Keyboard().Press("."))
			}
			must(t, check.Locator(newest).ToBeInViewport())
		})
	}
}

func TestColumnsNameWhatIsWrongWhileTheyAreWatched(t *testing.T) {
	w := start(t, options{demo: true})
	p := open(t, w, desktop, w.deck(t))
	p.live()
	home := w.demo.Servers()[0]

	home.Inject("/api/v1/timelines/home", -1, snstest.BadGateway())
	w.refreshHome(t)
	must(t, check.Locator(p.state("Home")).ToHaveText(regexp.MustCompile(`^\s*Offline since `+hour+`\s*$`)))
	must(t, check.Locator(p.column("Home").GetByText("cannot be read right now")).ToBeVisible())
	p.seesText(p.state("Around Lightleak"), "Live")

	home.ClearFaults()
	home.Inject("/api/v1/timelines/home", -1, snstest.RateLimited(w.now().Add(10*time.Minute)))
	w.refreshHome(t)
	must(t, check.Locator(p.state("Home")).ToHaveText(regexp.MustCompile(`^\s*Limited until `+hour+`\s*$`)))
	p.seesText(p.state("Around Lightleak"), "Live")
	home.ForgetRequests()
	must(t, p.button("Refresh").Click())
	p.settled()
	if n := len(home.RequestsTo("/api/v1/timelines/home")); n != 0 {
		t.Errorf("Refresh sends %d requests to a server that limits them, want none", n)
	}

	home.ClearFaults()
	home.RevokeToken(home.Token())
	w.refreshHome(t)
	p.seesText(p.state("Home"), "Sign in again")
	must(t, check.Locator(p.column("Home").GetByRole("article").First()).ToBeVisible())
	p.accessible()
	must(t, p.column("Home").GetByRole("link", playwright.LocatorGetByRoleOptions{Name: "Sign in to "}).Click())
	must(t, check.Page(p).ToHaveURL(regexp.MustCompile("/connections/conn_")))
}

// TestEightTabs opens more tabs than a browser has connections for one server:
// only the one in view holds a stream.
func TestEightTabs(t *testing.T) {
	w := start(t, options{demo: true})
	first := open(t, w, desktop, w.deck(t))
	first.live()
	tabs := []*tab{first}
	for range 7 {
		page, err := first.Context().NewPage()
		must(t, err)
		p := &tab{Page: page, t: t, w: w, look: desktop, base: w.url}
		p.listen()
		for _, other := range tabs {
			other.hide(true)
		}
		p.visit(w.deck(t))
		p.live()
		tabs = append(tabs, p)
	}

	// A tab that comes back shows what it has missed.
	for _, other := range tabs {
		other.hide(true)
	}
	w.news(t, 1)
	first.hide(false)
	must(t, check.Locator(first.column("Home").GetByRole("article").First()).ToContainText("News 1"))
}

// TestEightWindowsInView opens as many without hiding one: streams must not take
// all connections that a browser has for one server.
func TestEightWindowsInView(t *testing.T) {
	w := start(t, options{demo: true})
	first := open(t, w, desktop, w.deck(t))
	for n := 2; n <= 8; n++ {
		page, err := first.Context().NewPage()
		must(t, err)
		p := &tab{Page: page, t: t, w: w, look: desktop, base: w.url, expected: regexp.MustCompile("status of 429")}
		p.listen()
		p.visit(w.deck(t))
		p.settled()
		want := "live"
		if n > 5 {
			want = "asking"
		}
		must(t, check.Locator(p.Locator("html")).ToHaveAttribute("data-stream", want))
	}
}

// hide makes the page believe that it is out of view, or in view again.
func (p *tab) hide(hidden bool) {
	p.t.Helper()
	_, err := p.Evaluate(`hidden => {
		Object.defineProperty(document, "hidden", {configurable: true, get: () => hidden});
		Object.defineProperty(document, "visibilityState", {configurable: true, get: () => hidden ? "hidden" : "visible"});
		document.dispatchEvent(new Event("visibilitychange"));
	}`, hidden)
	must(p.t, err)
}

func TestStreamOfASignedOutBrowser(t *testing.T) {
	w := start(t, options{demo: true, auth: config.AuthPassword})
	link, err := w.app.SetupURL(t.Context())
	must(t, err)
	p := open(t, w, desktop, strings.TrimPrefix(link, w.url))
	must(t, p.field("New password").Fill("four words make one"))
	must(t, p.field("The same once more").Fill("four words make one"))
	must(t, p.button("Set the password").Click())
	must(t, check.Locator(p.heading(1, "Home")).ToBeVisible())
	p.visit(w.deck(t))
	p.live()
	page, err := p.Context().NewPage()
	must(t, err)
	other := &tab{Page: page, t: t, w: w, look: desktop, base: w.url}
	other.listen()
	other.visit("/decks")

	must(t, other.button("Sign out").Click())

	must(t, check.Locator(p.bar("signed-out")).ToBeVisible())
	must(t, check.Locator(p.Locator("article").First()).ToBeHidden())
	must(t, p.bar("signed-out").GetByRole("link").Click())
	must(t, p.field("Password").Fill("four words make one"))
	must(t, p.button("Sign in").Click())
	must(t, check.Locator(p.column("Home")).ToBeVisible())
	if p.path() != w.deck(t) {
		t.Errorf("signing in leads to %s, want the deck", p.path())
	}

	// Who signs in elsewhere finds the page as it was.
	p.live()
	other.visit("/decks")
	must(t, other.button("Sign out").Click())
	must(t, check.Locator(p.bar("signed-out")).ToBeVisible())
	p.hide(true)
	must(t, other.field("Password").Fill("four words make one"))
	must(t, other.button("Sign in").Click())
	must(t, check.Locator(other.heading(1, "Home")).ToBeVisible())
	p.hide(false)
	must(t, check.Locator(p.column("Home")).ToBeVisible())
	must(t, check.Locator(p.bar("signed-out")).ToBeHidden())
}

func TestColumnsWithoutAStreamAskByThemselves(t *testing.T) {
	w := start(t, options{demo: true})
	p := newTab(t, w, desktop, nil)
	p.expected = regexp.MustCompile("status of 503")
	must(t, p.Route("**/api/activities/events*", func(r playwright.Route) {
		must(t, r.Fulfill(playwright.RouteFulfillOptions{Status: new(503)}))
	}))
	must(t, p.Clock().Install())
	p.visit(w.deck(t))
	p.seesText(p.state("Home"), "Every 60 s")
	p.settled()
	must(t, p.Mouse().Move(0, 0))
	for i := range 2 {
		w.demo.Servers()[0].Add(snstest.Status{Text: fmt.Sprintf("News %d", i+1)})
	}
	w.pass(2 * time.Minute)

	// The page's clock is ahead of the workspace's answers, so it is let run on
	// in steps until a later look has brought what the question brought in.
	newest := p.column("Home").GetByRole("article").First()
	err := errors.New("not looked for")
	for range 60 {
		must(t, check.Locator(p.Locator(".htmx-request")).ToHaveCount(0))
		must(t, p.Clock().RunFor("00:05"))
		if err = soon.Locator(newest).ToContainText("News 2"); err == nil {
			return
		}
	}
	t.Error(err)
}

// soon looks for what may not be there yet, and is looked for again.
var soon = playwright.NewPlaywrightAssertions(1000)

func TestLiveDeckWithoutScript(t *testing.T) {
	w := start(t, options{demo: true})
	look := desktop
	look.noScript = true
	p := open(t, w, look, w.deck(t))

	must(t, check.Locator(p.state("Home")).ToHaveText(regexp.MustCompile(`^\s*Updated `+hour+`\s*$`)))
	must(t, check.Locator(p.bar("changed")).ToBeHidden())
	must(t, p.column("Home").GetByRole("link", playwright.LocatorGetByRoleOptions{Name: "Home", Exact: new(true)}).Click())
	w.demo.Servers()[0].Add(snstest.Status{Text: "News 1"})
	w.pass(time.Minute)
	p.refreshUntil(p.GetByRole("article").First(), regexp.MustCompile("News 1"))
	must(t, check.Locator(p.GetByRole("article").First()).ToContainText("News 1"))
	p.accessible()
}
