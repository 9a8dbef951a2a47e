package e2e_test

import (
	"cmp"
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"testing"

	"github.com/mxschmitt/playwright-go"

	"personal-workspace/internal/app/config"
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
		{"deck-pictures", "pictures", showDeck("Every morning")},
		{"deck-contrast", "demo", showWith(playwright.PageEmulateMediaOptions{Contrast: playwright.ContrastMore})},
		{"deck-forced", "demo", showWith(playwright.PageEmulateMediaOptions{ForcedColors: playwright.ForcedColorsActive})},
		{"deck-chosen", "demo", showChosen},
		{"deck-low", "demo", showLow},
		{"sign-in", "owned", at("/login")},
		{"sign-in-refused", "owned", showSignInRefused},
		{"sign-in-unset", "locked", at("/login")},
		{"set-up", "locked", showSetup},
		{"set-up-refused", "locked", showSetupRefused},
		{"first-run", "bare", at("/decks")},
		{"first-run-connect", "bare", at("/connections")},
		{"home", "demo", at("/")},
		{"home-first-run", "bare", at("/")},
		{"home-focus", "demo", at("/?focus=1")},
		{"messages", "demo", at("/messages")},
		{"decks", "demo", at("/decks")},
		{"decks-menu", "demo", showOpen("/decks", ".deck-list .menu > summary")},
		{"deck-deleted", "demo", showDeleted},
		{"deck-new", "demo", at("/decks/new")},
		{"deck-small", "demo", showDeck("Slow evening")},
		{"deck-empty", "demo", showDeck("Nothing in it yet")},
		{"deck-awkward", "trouble", showDeck(awkwardTitle)},
		{"deck-menu", "demo", showMenu(".deckbar .menu > summary")},
		{"column", "demo", showColumnAlone},
		{"column-menu", "demo", showMenu(".column-head .menu > summary")},
		{"column-removed", "demo", showRemoved},
		{"deck-changed", "demo", showChanged},
		{"edit", "demo", showPart("Every morning", "/edit")},
		{"edit-open", "demo", showEditOpen},
		{"edit-conflict", "demo", showConflict},
		{"add-account", "demo", showPart("Slow evening", "/add")},
		{"add-kind", "demo", showAdd("")},
		{"add-hashtag", "demo", showAdd("hashtag")},
		{"add-list", "demo", showAdd("list")},
		{"import", "demo", at("/decks/import")},
		{"import-preview", "demo", showImport},
		{"connections", "demo", at("/connections")},
		{"connections-trouble", "trouble", showTestedConnections},
		{"connection", "demo", showConnection("")},
		{"connection-disconnect", "demo", showConnection("/disconnect")},
		{"connection-new", "demo", at("/connections/new")},
		{"connection-login", "demo", showLogin},
		{"post", "demo", showPost},
		{"settings", "demo", at("/settings")},
		{"settings-owned", "owned", showSignedIn("/settings")},
		{"keys", "demo", at("/settings/keys")},
		{"not-found", "demo", at("/decks/none")},
	}
}

// TestPictures makes pictures of the pages, for the eye: those of the README
// and, with E2E_SCREENSHOT_DIR set, every page and state in every size, light and
// dark. They go to that directory, else they are kept with -artifacts.
func TestPictures(t *testing.T) {
	dir := os.Getenv("E2E_SCREENSHOT_DIR")
	worlds := newWorlds(t)
	t.Run("readme", func(t *testing.T) {
		dir := cmp.Or(dir, t.ArtifactDir())
		// As narrow as six columns fit.
		p := newTab(t, worlds.get("pictures"), window{width: 1764, height: 820}, nil)
		showDeck("Every morning")(t, p)
		p.shot(filepath.Join(dir, "screenshot.png"))
		p = newTab(t, worlds.get("pictures"), window{width: phone.width, height: phone.height, dark: true}, nil)
		showDeck("Every morning")(t, p)
		p.shot(filepath.Join(dir, "screenshot-phone.png"))
		p = newTab(t, worlds.get("pictures"), window{width: 1280, height: 820}, nil)
		p.visit("/")
		must(t, check.Locator(p.heading(1, "Home")).ToBeVisible())
		p.shot(filepath.Join(dir, "screenshot-home.png"))
		p = newTab(t, worlds.get("pictures"), phone, nil)
		p.visit("/messages")
		must(t, p.link("Tilde about the bread").Click())
		must(t, check.Locator(p.heading(2, "Tilde about the bread")).ToBeVisible())
		p.shot(filepath.Join(dir, "screenshot-messages.png"))
	})
	if dir == "" {
		return
	}
	for _, s := range slices.Concat(scenes(), relayScenes()) {
		t.Run(s.name, func(t *testing.T) { s.picture(t, worlds.get(s.world), dir) })
	}
}

// picture keeps the scene in every size.
func (s scene) picture(t *testing.T, w *workspace, dir string) {
	t.Helper()
	for _, size := range gallerySizes() {
		t.Run(size.String(), func(t *testing.T) {
			p := newTab(t, w, size, nil)
			p.expected = anyStatus
			s.show(t, p)
			p.whole(filepath.Join(dir, fmt.Sprintf("%s-%s.png", s.name, size)))
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
	take(t)
	return &worlds{t: t, made: map[string]*workspace{}, start: map[string]func(*testing.T) *workspace{
		"locked": func(t *testing.T) *workspace { return start(t, options{auth: config.AuthPassword}) },
		"owned":  startOwned,
		"bare":   func(t *testing.T) *workspace { return start(t, options{}) },
		"demo": func(t *testing.T) *workspace {
			w := start(t, options{demo: true})
			w.addDeck(t, "Nothing in it yet")
			return w
		},
		"pictures": startPictures,
		"trouble":  startTrouble,

		"relay-failing": startRelayTrouble(snstest.Opaque()),
		"relay-limited": startRelayTrouble(snstest.TooManyRequests(0)),
		"relay-locked":  startRelayTrouble(snstest.Locked()),
	}}
}

func (ws *worlds) get(name string) *workspace {
	if ws.made[name] == nil {
		ws.made[name] = ws.start[name](ws.t)
	}
	return ws.made[name]
}
