package e2e_test

import (
	"context"
	"fmt"
	"net/url"
	"strings"
	"testing"
	"time"

	"github.com/mxschmitt/playwright-go"

	"personal-workspace/decks"
	"personal-workspace/internal/app/config"
	"personal-workspace/internal/ledger"
	"personal-workspace/sns"
	"personal-workspace/sns/snstest"
)

func (w *workspace) addDeck(t *testing.T, title string, columns ...decks.Column) {
	t.Helper()
	ctx := ledger.WithActor(t.Context(), ledger.Actor{Kind: ledger.Person, ID: "e2e"})
	_, err := w.app.Decks.CreateDeck(ctx, decks.CreateDeck{Title: title, Columns: columns})
	must(t, err)
}

// deckNamed is the path of a deck.
func (w *workspace) deckNamed(t *testing.T, title string) string {
	t.Helper()
	list, err := w.app.Decks.ListDecks(t.Context())
	must(t, err)
	for _, d := range list {
		if d.Title == title {
			return "/decks/" + d.ID
		}
	}
	t.Fatalf("no deck is called %q", title)
	return ""
}

const awkwardTitle = "Donaudampfschifffahrtselektrizitätenhauptbetriebswerkbauunterbeamtengesellschaft"

// startTrouble is a workspace in which most columns fail, each in its own way.
func startTrouble(t *testing.T) *workspace {
	t.Helper()
	w := start(t, options{demo: true})
	list, err := w.app.Store.Posts.ListConnections(t.Context())
	must(t, err)
	tidepool, lightleak, yunagi := w.demo.Servers()[0], w.demo.Servers()[1], w.demo.Servers()[2]
	of := func(i int) string { return list[i].ID }
	gone := lightleak.AddList("Soon gone")
	w.addDeck(t, awkwardTitle,
		decks.Column{Title: "النشرة الصباحية من الميناء والسوق القديم", ConnectionID: of(0), Source: sns.Source{Kind: sns.KindHome}},
		decks.Column{Title: "Sign in again, with a name that is far too long for its column", ConnectionID: of(2), Source: sns.Source{Kind: sns.KindHome}},
		decks.Column{Title: "Gone", ConnectionID: of(1), Source: sns.Source{Kind: sns.KindList, ListID: gone}},
		decks.Column{ConnectionID: of(1), Source: sns.Source{Kind: sns.KindHashtag, Tag: "nobodywritesaboutthis"}},
		decks.Column{Title: "All filtered", ConnectionID: of(1), Source: sns.Source{Kind: sns.KindHashtag, Tag: "film"}, Filters: &decks.Filters{Include: []string{"unheard"}}},
		decks.Column{Title: "🎞️ Loading 読み込み中", ConnectionID: of(1), Source: sns.Source{Kind: sns.KindHashtag, Tag: "slow"}},
	)
	for _, word := range []string{"https://example.org/" + awkwardTitle + "/" + awkwardTitle, "ああああああああああああああああああああああああああああああああああああああああああ", "👩‍👩‍👧‍👦🏳️‍🌈🧵🪡"} {
		tidepool.Add(snstest.Status{Text: awkwardTitle + " " + word})
	}
	w.pass(2 * time.Minute)
	must(t, w.app.Store.Posts.Refresh(t.Context(), of(0), sns.Source{Kind: sns.KindHome}))
	w.pass(2 * time.Minute)
	lightleak.DeleteList(gone)
	lightleak.Inject("/api/v1/timelines/tag/slow", -1, snstest.Hang())
	tidepool.Inject("/api/*", -1, snstest.RateLimited(w.now().Add(17*time.Minute)))
	yunagi.Inject("/api/*", -1, snstest.Unauthorized())
	return w
}

func showSetup(t *testing.T, p *tab) {
	link, err := p.w.app.SetupURL(t.Context())
	must(t, err)
	_, err = p.Goto(link)
	must(t, err)
}

func showDeck(title string) func(*testing.T, *tab) {
	return func(t *testing.T, p *tab) {
		p.visit(p.w.deckNamed(t, title))
		p.still()
	}
}

// showWith shows the deck as a device with needs of its own does.
func showWith(o playwright.PageEmulateMediaOptions) func(*testing.T, *tab) {
	return func(t *testing.T, p *tab) {
		must(t, p.EmulateMedia(o))
		showMenu(".column-head .menu > summary")(t, p)
	}
}

// showChosen shows the deck as a person has it who chose against the device.
func showChosen(t *testing.T, p *tab) {
	showDeck("Every morning")(t, p)
	theme := "dark"
	if p.look.dark {
		theme = "light"
	}
	_, err := p.Evaluate(`theme => Object.assign(document.documentElement.dataset, {theme, text: "large", contrast: "more"})`, theme)
	must(t, err)
}

// showLow shows the deck at 400 % in a window of 1280 × 1024.
func showLow(t *testing.T, p *tab) {
	must(t, p.SetViewportSize(320, 256))
	showDeck("Every morning")(t, p)
}

func showColumnAlone(t *testing.T, p *tab) {
	p.visit(p.w.deckNamed(t, "Every morning"))
	must(t, p.Locator(".column-head h2 a").First().Click())
	p.still()
}

// still waits until the page asks for nothing more, or for what never comes.
func (p *tab) still() {
	p.t.Helper()
	_, err := p.WaitForFunction(`() => document.querySelectorAll(".loader[hx-get]").length <= 1`, nil)
	must(p.t, err)
}

// startPictures is the demo for a person who has pictures load at once.
func startPictures(t *testing.T) *workspace {
	t.Helper()
	w := start(t, options{demo: true})
	p := open(t, w, desktop, "/settings")
	must(t, p.GetByRole("group", playwright.PageGetByRoleOptions{Name: "Pictures and films"}).GetByLabel("Load at once").Check())
	must(t, p.button("Save the reading settings").Click())
	must(t, check.Locator(p.GetByText("Saved.")).ToBeVisible())
	return w
}

const ownPassword = "four words make one"

// startOwned is a workspace whose password is set.
func startOwned(t *testing.T) *workspace {
	t.Helper()
	w := start(t, options{auth: config.AuthPassword})
	p := newTab(t, w, desktop, nil)
	showSetup(t, p)
	must(t, p.field("New password").Fill(ownPassword))
	must(t, p.field("The same once more").Fill(ownPassword))
	must(t, p.button("Set the password").Click())
	must(t, check.Locator(p.heading(1, "Home")).ToBeVisible())
	return w
}

func showSetupRefused(t *testing.T, p *tab) {
	showSetup(t, p)
	must(t, p.field("New password").Fill("short"))
	must(t, p.field("The same once more").Fill("short"))
	must(t, p.button("Set the password").Click())
	must(t, check.Locator(p.GetByRole("alert")).ToBeVisible())
}

func showSignInRefused(t *testing.T, p *tab) {
	p.visit("/login")
	must(t, p.field("Password").Fill("something else"))
	must(t, p.button("Sign in").Click())
	must(t, check.Locator(p.GetByRole("alert")).ToBeVisible())
}

func showSignedIn(path string) func(*testing.T, *tab) {
	return func(t *testing.T, p *tab) {
		p.visit("/login")
		must(t, p.field("Password").Fill(ownPassword))
		must(t, p.button("Sign in").Click())
		must(t, check.Locator(p.heading(1, "Home")).ToBeVisible())
		p.visit(path)
	}
}

// showPart shows a page below a deck.
func showPart(title, path string) func(*testing.T, *tab) {
	return func(t *testing.T, p *tab) { p.visit(p.w.deckNamed(t, title) + path) }
}

// showOpen shows a page with something on it pressed.
func showOpen(path, selector string) func(*testing.T, *tab) {
	return func(t *testing.T, p *tab) {
		p.visit(path)
		must(t, p.Locator(selector).First().Click())
	}
}

func showMenu(selector string) func(*testing.T, *tab) {
	return func(t *testing.T, p *tab) {
		showDeck("Every morning")(t, p)
		must(t, p.Locator(selector).First().Click())
	}
}

// another makes a deck that a scene may change.
func (p *tab) another(t *testing.T) (path string) {
	title := fmt.Sprintf("Deck of %s", p.look)
	list, err := p.w.app.Store.Posts.ListConnections(t.Context())
	must(t, err)
	p.w.addDeck(t, title,
		decks.Column{ConnectionID: list[0].ID, Source: sns.Source{Kind: sns.KindHome}},
		decks.Column{Title: "In the harbour", ConnectionID: list[0].ID, Source: sns.Source{Kind: sns.KindLocal}},
		decks.Column{ConnectionID: list[1].ID, Source: sns.Source{Kind: sns.KindHashtag, Tag: "mending"}},
	)
	return p.w.deckNamed(t, title)
}

// forget deletes what another made.
func (p *tab) forget(t *testing.T, path string) {
	ctx := ledger.WithActor(context.WithoutCancel(t.Context()), ledger.Actor{Kind: ledger.Person, ID: "e2e"})
	id := strings.TrimPrefix(path, "/decks/")
	d, err := p.w.app.Decks.GetDeck(ctx, id)
	must(t, err)
	must(t, p.w.app.Decks.DeleteDeck(ctx, id, d.Revision))
}

func showRemoved(t *testing.T, p *tab) {
	path := p.another(t)
	t.Cleanup(func() { p.forget(t, path) })
	p.visit(path)
	p.still()
	menu := p.Locator(".column-head .menu").First()
	must(t, menu.Locator("summary").Click())
	must(t, menu.GetByText("Remove").Click())
	must(t, check.Locator(p.Locator(".undo")).ToBeVisible())
	p.still()
}

func showDeleted(t *testing.T, p *tab) {
	path := p.another(t)
	p.visit("/decks")
	item := p.Locator(".deck-list > li").Filter(playwright.LocatorFilterOptions{Has: p.Locator("a[href='" + path + "']")}).First()
	must(t, item.Locator("summary").Click())
	must(t, item.GetByText("Delete").Click())
	must(t, check.Locator(p.Locator(".undo")).ToBeVisible())
}

func showEditOpen(t *testing.T, p *tab) {
	showPart("Slow evening", "/edit")(t, p)
	must(t, p.Locator("summary").First().Click())
	must(t, p.Locator("[name=do][value^=remove]").Last().Click())
	must(t, check.Locator(p.Locator(".undo")).ToBeVisible())
}

// overtake changes a deck as an assistant does.
func (w *workspace) overtake(t *testing.T, path string) {
	t.Helper()
	ctx := ledger.WithActor(t.Context(), ledger.Actor{Kind: ledger.Caller, ID: "e2e"})
	d, err := w.app.Decks.GetDeck(ctx, strings.TrimPrefix(path, "/decks/"))
	must(t, err)
	d.Columns[1].Title = "The assistant’s name for it"
	_, err = w.app.Decks.ReplaceDeck(ctx, decks.ReplaceDeck{
		ID: d.ID, ExpectedRevision: d.Revision, Title: d.Title,
		Columns: []decks.Column{d.Columns[1], d.Columns[0], d.Columns[2]},
	})
	must(t, err)
}

// showChanged shows a deck that an assistant changed meanwhile.
func showChanged(t *testing.T, p *tab) {
	path := p.another(t)
	t.Cleanup(func() { p.forget(t, path) })
	p.visit(path)
	p.still()
	p.w.overtake(t, path)
	must(t, check.Locator(p.Locator(".bar:not([hidden])")).ToBeVisible())
}

// showConflict saves a form that an assistant overtook.
func showConflict(t *testing.T, p *tab) {
	path := p.another(t)
	t.Cleanup(func() { p.forget(t, path) })
	p.visit(path + "/edit")
	p.w.overtake(t, path)
	must(t, p.Locator("[name=do][value^=remove]").Last().Click())
	must(t, check.Locator(p.Locator(".undo")).ToBeVisible())
	must(t, p.Locator("button.primary[value=save]").Click())
	must(t, check.Locator(p.Locator(".versions")).ToBeVisible())
}

// showAdd shows a step of adding a column.
func showAdd(kind string) func(*testing.T, *tab) {
	return func(t *testing.T, p *tab) {
		list, err := p.w.app.Store.Posts.ListConnections(t.Context())
		must(t, err)
		showPart("Slow evening", "/add?"+url.Values{"connection": {list[0].ID}, "kind": {kind}}.Encode())(t, p)
	}
}

func showImport(t *testing.T, p *tab) {
	path := p.w.deckNamed(t, "Every morning")
	answer, err := p.Request().Get(p.base + path + "/export")
	must(t, err)
	file, err := answer.Body()
	must(t, err)
	p.visit("/decks/import")
	must(t, p.Locator("input[type=file]").SetInputFiles([]playwright.InputFile{{Name: "morning.json", MimeType: "application/json", Buffer: file}}))
	must(t, p.Locator("main button.primary").Click())
	must(t, check.Locator(p.Locator("main select").First()).ToBeVisible())
}

// showConnection shows a page of the first account.
func showConnection(path string) func(*testing.T, *tab) {
	return func(t *testing.T, p *tab) {
		list, err := p.w.app.Store.Posts.ListConnections(t.Context())
		must(t, err)
		p.visit("/connections/" + list[0].ID + path)
	}
}

func showTestedConnections(t *testing.T, p *tab) {
	p.visit("/connections")
	must(t, p.Locator(".connection form[action$='/test'] button").First().Click())
	must(t, check.Locator(p.Locator(".notice").First()).ToBeVisible())
}

func showLogin(t *testing.T, p *tab) {
	p.visit("/connections/new")
	must(t, p.field("Server address").Fill(p.w.demo.Origins()[0]))
	must(t, p.Locator("[name=way][value=login]").Check())
	must(t, p.Locator("[name=code]").Check())
	must(t, p.Locator("main button.primary").Click())
	must(t, check.Locator(p.field("Code")).ToBeVisible())
}

func showPost(t *testing.T, p *tab) {
	showDeck("Every morning")(t, p)
	must(t, p.Locator("article:has(.count .icon-reply) .actions a").First().Click())
	must(t, check.Locator(p.Locator("#post")).ToBeVisible())
	p.still()
}
