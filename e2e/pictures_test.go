package e2e_test

import (
	"fmt"
	"os"
	"path/filepath"
	"testing"

	"github.com/mxschmitt/playwright-go"

	"personal-workspace/internal/app/config"
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
		{"deck-contrast", "demo", showWith(playwright.PageEmulateMediaOptions{Contrast: playwright.ContrastMore})},
		{"deck-forced", "demo", showWith(playwright.PageEmulateMediaOptions{ForcedColors: playwright.ForcedColorsActive})},
		{"deck-low", "demo", showLow},
		{"sign-in", "owned", at("/login")},
		{"sign-in-refused", "owned", showSignInRefused},
		{"sign-in-unset", "locked", at("/login")},
		{"set-up", "locked", showSetup},
		{"set-up-refused", "locked", showSetupRefused},
		{"first-run", "bare", at("/decks")},
		{"first-run-connect", "bare", at("/connections")},
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
				t.Run(size.String(), func(t *testing.T) {
					p := newTab(t, w, size, nil)
					p.expected = anyStatus
					s.show(t, p)
					p.whole(filepath.Join(dir, fmt.Sprintf("%s-%s.png", s.name, size)))
				})
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
		"owned":  startOwned,
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
