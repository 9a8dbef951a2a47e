package e2e_test

import (
	"testing"

	"github.com/mxschmitt/playwright-go"
)

// press presses keys one after the other.
func (p *tab) press(keys ...string) {
	p.t.Helper()
	for _, k := range keys {
		must(p.t, p.Keyboard().Press(k))
	}
}

// focused is what has the focus: the id of an element, or of the post it is in.
func (p *tab) focused() string {
	p.t.Helper()
	id, err := p.Evaluate(`() => (document.activeElement.closest("article") ?? document.activeElement).id`)
	must(p.t, err)
	s, ok := id.(string)
	if !ok {
		p.t.Fatalf("the focus is in %v", id)
	}
	return s
}

// postID is the id of a post of a column by its place.
func (p *tab) postID(column string, n int) string {
	p.t.Helper()
	id, err := p.column(column).GetByRole("article").Nth(n).GetAttribute("id")
	must(p.t, err)
	return id
}

func TestKeysWalkThroughTheDeck(t *testing.T) {
	w := start(t, options{demo: true})
	p := open(t, w, desktop, w.deck(t))
	p.settled()
	steps := []struct {
		does string
		keys []string
		want string
	}{
		{"j begins at the top of the first column", []string{"j"}, p.postID("Home", 0)},
		{"j goes on", []string{"j", "j"}, p.postID("Home", 2)},
		{"k goes back", []string{"k"}, p.postID("Home", 1)},
		{"k stops at the top", []string{"k", "k", "k"}, p.postID("Home", 0)},
		{"the arrow goes on from a post", []string{"ArrowDown"}, p.postID("Home", 1)},
		{"and back", []string{"ArrowUp"}, p.postID("Home", 0)},
		{"] goes to the post beside", []string{"]"}, p.postID("What happened", 0)},
		{"[ goes back", []string{"["}, p.postID("Home", 0)},
		{"[ stops at the first column", []string{"["}, p.postID("Home", 0)},
		{"the arrow goes to the side", []string{"ArrowRight"}, p.postID("What happened", 0)},
		{"5 goes to the fifth column", []string{"5", "j"}, p.postID("夕凪", 0)},
	}
	for _, s := range steps {
		p.press(s.keys...)
		if got := p.focused(); got != s.want {
			t.Fatalf("%s: the focus is in %q, want %q", s.does, got, s.want)
		}
	}
	must(t, check.Locator(p.column("夕凪")).ToBeInViewport(playwright.LocatorAssertionsToBeInViewportOptions{Ratio: new(0.9)}))
}

// TestKeysShowAllOfAPost steps down a column: each post is in view from its
// beginning, and to its end where there is room.
func TestKeysShowAllOfAPost(t *testing.T) {
	w := start(t, options{demo: true})
	p := open(t, w, desktop, w.deck(t))
	p.settled()
	for i := range 12 {
		p.press("j")
		got, err := p.Evaluate(`() => new Promise(done => requestAnimationFrame(() => requestAnimationFrame(() => {
			const box = document.activeElement.getBoundingClientRect();
			const room = document.activeElement.closest(".scroller").getBoundingClientRect();
			done([box.top - room.top, room.bottom - box.bottom, room.height - box.height]);
		})))`)
		must(t, err)
		list := got.([]any)
		above, below, spare := number(list[0]), number(list[1]), number(list[2])
		if above < -1 || below < -1 && spare > 0 {
			t.Errorf("post %d is cut: %.0f px above, %.0f px below its column's room", i, above, below)
		}
	}
}

func TestKeysLeadToTheSections(t *testing.T) {
	w := start(t, options{demo: true})
	p := open(t, w, desktop, w.deck(t))
	for _, c := range []struct{ key, heading string }{{"c", "Connections"}, {"s", "Settings"}, {"d", "Decks"}} {
		p.press("g", c.key)
		must(t, check.Locator(p.heading(1, c.heading)).ToBeVisible())
	}
	p.press("g", "r")
	if p.path() != "/decks" {
		t.Errorf("g r leads to %s, want nowhere: there is no such section", p.path())
	}
}

// TestSequenceOfKeysWaitsASecond sets the page's clock.
func TestSequenceOfKeysWaitsASecond(t *testing.T) {
	w := start(t, options{demo: true})
	p := newTab(t, w, desktop, nil)
	must(t, p.Clock().Install())
	p.visit("/decks")
	must(t, check.Locator(p.heading(1, "Decks")).ToBeVisible())

	p.press("g")
	must(t, p.Clock().RunFor(1000))
	p.press("s")

	p.press("g", "c")
	must(t, check.Locator(p.heading(1, "Connections")).ToBeVisible())
}

func TestHelpIsADialogAndAPage(t *testing.T) {
	w := start(t, options{demo: true})
	p := open(t, w, desktop, w.deck(t))
	p.press("j")
	before := p.focused()

	p.press("?")

	dialog := p.GetByRole("dialog", playwright.PageGetByRoleOptions{Name: "Keys"})
	must(t, check.Locator(dialog.GetByText("Next post")).ToBeVisible())
	p.accessible()
	p.press("j", "g", "s") // the keys of the page are off under a dialog
	must(t, check.Locator(dialog).ToBeVisible())
	p.press("Escape")
	must(t, check.Locator(dialog).ToHaveCount(0))
	if got := p.focused(); got != before {
		t.Errorf("afterwards the focus is in %q, want %q", got, before)
	}

	for _, look := range []window{{width: 320, height: 600, noScript: true}, {width: 1920, height: 1080, dark: true}} {
		page := open(t, w, look, "/settings")
		must(t, page.link("All keys").Click())
		must(t, check.Locator(page.heading(1, "Keys")).ToBeVisible())
		must(t, check.Locator(page.GetByText("Next post")).ToBeVisible())
		page.accessible()
	}
}

// TestKeysStayOutOfTheWay presses what must not be a command: the focus stays
// where it is.
func TestKeysStayOutOfTheWay(t *testing.T) {
	w := start(t, options{demo: true})
	p := open(t, w, desktop, "/settings")
	fire := `options => document.body.dispatchEvent(new KeyboardEvent("keydown", {bubbles: true, cancelable: true, ...options}))`
	cases := map[string]any{
		"a word being composed":   map[string]any{"key": "?", "isComposing": true},
		"an input method's key":   map[string]any{"key": "?", "keyCode": 229},
		"with Ctrl":               map[string]any{"key": "?", "ctrlKey": true},
		"with Alt":                map[string]any{"key": "?", "altKey": true},
		"with Meta":               map[string]any{"key": "?", "metaKey": true},
		"a key that is held down": map[string]any{"key": "?", "repeat": true},
	}
	help := p.GetByRole("dialog")
	for name, options := range cases {
		t.Run(name, func(t *testing.T) {
			notPrevented, err := p.Evaluate(fire, options)
			must(t, err)
			if notPrevented != true {
				t.Error("the key was taken")
			}
			must(t, check.Locator(help).ToHaveCount(0))
		})
	}
	t.Run("in a field", func(t *testing.T) {
		must(t, p.field("Times are shown in").Focus())
		p.press("?", "g", "d")
		must(t, check.Locator(p.field("Times are shown in")).ToHaveValue("?gd"))
		must(t, check.Locator(help).ToHaveCount(0))
	})
	t.Run("with AltGr, as some layouts need", func(t *testing.T) {
		_, err := p.Evaluate(fire, map[string]any{"key": "?", "ctrlKey": true, "altKey": true, "modifierAltGraph": true})
		must(t, err)
		must(t, check.Locator(help).ToBeVisible())
	})
}

func TestSingleKeysCanBeSwitchedOff(t *testing.T) {
	w := start(t, options{demo: true})
	p := open(t, w, desktop, "/settings")
	group := p.GetByRole("group", playwright.PageGetByRoleOptions{Name: "Commands of a single key"})
	must(t, group.GetByLabel("Off").Check())
	must(t, p.button("Save the keyboard setting").Click())
	must(t, check.Locator(p.GetByText("Saved.")).ToBeVisible())

	p.visit(w.deck(t))
	p.press("j", "?", "3", "g", "s")

	if got := p.focused(); got != "" {
		t.Errorf("the focus is in %q, want it nowhere", got)
	}
	must(t, check.Locator(p.GetByRole("dialog")).ToHaveCount(0))
	must(t, check.Locator(p.heading(1, "Every morning")).ToBeVisible())
}
