package e2e_test

import (
	"fmt"
	"os"
	"path/filepath"
	"testing"
	"time"

	"github.com/mxschmitt/playwright-go"

	"personal-workspace/decks"
	"personal-workspace/internal/app/config"
	"personal-workspace/internal/ledger"
	"personal-workspace/sns"
	"personal-workspace/sns/snstest"
)

// scene is a page in a state worth looking at.
type scene struct {
	name string
	// world names the workspace it is seen in.
	world string
	show  func(t *testing.T, p *tab)
}

// at shows a page as it is first seen.
func at(path string) func(*testing.T, *tab) {
	return func(_ *testing.T, p *tab) { p.visit(path) }
}

func scenes() []scene {
	return []scene{
		{"deck", "demo", showDeck("Every morning")},
		{"sign-in", "locked", at("/login")},
		{"set-up", "locked", showSetup},
		{"first-run", "bare", at("/decks")},
		{"decks", "demo", at("/decks")},
		{"deck-small", "demo", showDeck("Slow evening")},
		{"deck-empty", "demo", showDeck("Nothing in it yet")},
		{"deck-awkward", "trouble", showDeck(awkwardTitle)},
		{"column", "demo", showColumnAlone},
		{"connections", "demo", at("/connections")},
		{"settings", "demo", at("/settings")},
		{"not-found", "demo", at("/decks/none")},
	}
}

// TestPictures makes pictures of the pages, for the eye. With
// E2E_SCREENSHOT_DIR set, every page in every size, light and dark, goes there;
// without it, the deck in two sizes is kept with -artifacts.
func TestPictures(t *testing.T) {
	dir, sizes, list := os.Getenv("E2E_SCREENSHOT_DIR"), gallerySizes(), scenes()
	if dir == "" {
		dir, sizes, list = t.ArtifactDir(), sizes[:2], list[:1]
	}
	worlds := newWorlds(t)
	for _, s := range list {
		t.Run(s.name, func(t *testing.T) {
			w := worlds.get(s.world)
			for _, size := range sizes {
				p := newTab(t, w, size, nil)
				p.expected = anyStatus
				s.show(t, p)
				p.whole(filepath.Join(dir, fmt.Sprintf("%s-%s.png", s.name, size)))
			}
		})
	}
}

func gallerySizes() []window {
	var out []window
	for _, dark := range []bool{false, true} {
		for _, w := range []window{desktop, phone, {width: 1920, height: 1080}} {
			w.dark = dark
			out = append(out, w)
		}
	}
	return out
}

// whole keeps a picture of the page from its top to its end.
func (p *tab) whole(path string) {
	p.t.Helper()
	_, err := p.Screenshot(playwright.PageScreenshotOptions{Path: &path, FullPage: new(true)})
	must(p.t, err)
}

// worlds are the workspaces that scenes are seen in, each started when it is
// first needed.
type worlds struct {
	t     *testing.T
	start map[string]func(*testing.T) *workspace
	made  map[string]*workspace
}

func newWorlds(t *testing.T) *worlds {
	return &worlds{t: t, made: map[string]*workspace{}, start: map[string]func(*testing.T) *workspace{
		"locked": func(t *testing.T) *workspace { return start(t, options{auth: config.AuthPassword}) },
		"bare":   func(t *testing.T) *workspace { return start(t, options{}) },
		"demo": func(t *testing.T) *workspace {
			w := start(t, options{demo: true})
			w.addDeck(t, "Nothing in it yet")
			return w
		},
		"trouble": startTrouble,
	}}
}

func (ws *worlds) get(name string) *workspace {
	if ws.made[name] == nil {
		ws.made[name] = ws.start[name](ws.t)
	}
	return ws.made[name]
}

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
		decks.Column{Title: "All filtered", ConnectionID: of(1), Source: sns.Source{Kind: sns.KindLocal}, Filters: &decks.Filters{Include: []string{"unheard"}}},
		decks.Column{Title: "🎞️ Loading 読み込み中", ConnectionID: of(1), Source: sns.Source{Kind: sns.KindFederated}},
	)
	for _, word := range []string{"https://example.org/" + awkwardTitle + "/" + awkwardTitle, "ああああああああああああああああああああああああああああああああああああああああああ", "👩‍👩‍👧‍👦🏳️‍🌈🧵🪡"} {
		tidepool.Add(snstest.Status{Text: awkwardTitle + " " + word})
	}
	w.pass(2 * time.Minute)
	for i, kind := range []sns.Kind{sns.KindHome, sns.KindLocal} {
		must(t, w.app.Store.Posts.Refresh(t.Context(), of(i), sns.Source{Kind: kind}))
	}
	lightleak.DeleteList(gone)
	lightleak.Inject("/api/v1/timelines/public", -1, snstest.Hang())
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
