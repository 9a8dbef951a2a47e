package e2e_test

import (
	"regexp"
	"strings"
	"testing"

	"github.com/mxschmitt/playwright-go"

	"personal-workspace/internal/app/config"
)

// press presses keys one after the other.
func (p *tab) press(keys ...string) {
	p.t.Helper()
	p.listens()
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
	for _, c := range []struct{ key, heading string }{{"c", "Connections"}, {"s", "Settings"}, {"h", "Home"}, {"d", "Decks"}} {
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
	must2(p.GoBack())(t)
	must(t, check.Locator(p.heading(1, "Decks")).ToBeVisible())
}

func TestEscapeClosesAMenu(t *testing.T) {
	w := start(t, options{demo: true})
	p := open(t, w, desktop, w.deck(t))
	p.settled()
	menu := p.column("Home").Locator("details.menu").First()
	summary := menu.Locator("summary")
	must(t, summary.Press("Enter"))
	must(t, check.Locator(menu).ToHaveAttribute("open", ""))
	p.press("Tab")

	p.press("Escape")

	must(t, check.Locator(menu).Not().ToHaveAttribute("open", ""))
	must(t, check.Locator(summary).ToBeFocused())
}

func TestHelpIsADialogAndAPage(t *testing.T) {
	w := start(t, options{demo: true})
	p := open(t, w, desktop, w.deck(t))
	p.settled()
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

func TestKeysOpenPosts(t *testing.T) {
	w := start(t, options{demo: true})
	p := open(t, w, desktop, w.deck(t))
	p.settled()
	for _, key := range []string{"o", "Enter"} {
		p.press("j", key)
		must(t, check.Page(p).ToHaveURL(regexp.MustCompile(`/posts/`)))
		p.visit(w.deck(t))
		p.settled()
	}

	p.press("j") // the reader's place is kept: it need not be the first post
	source, err := p.column("Home").Locator("article:focus a[data-source]").GetAttribute("href")
	must(t, err)
	opened, err := p.Context().ExpectPage(func() error { return p.Keyboard().Press("O") })
	must(t, err)
	must(t, check.Page(opened).ToHaveURL(source))
}

// TestKeyShowsNewPosts reads a post while others come; "." brings them.
func TestKeyShowsNewPosts(t *testing.T) {
	w := start(t, options{demo: true})
	p := open(t, w, desktop, w.deck(t))
	p.live()
	p.press("j", "j", "j")
	reading := p.focused()
	w.news(t, 2)
	held := p.column("Home").Locator("button[data-held]")
	must(t, check.Locator(held).ToBeVisible())

	p.press(".")

	must(t, check.Locator(held).ToHaveCount(0))
	must(t, check.Locator(p.column("Home").GetByText("News 2", playwright.LocatorGetByTextOptions{Exact: new(true)})).ToBeAttached())
	if got := p.focused(); got != reading {
		t.Errorf("the focus is in %q, want the post that was read, %q", got, reading)
	}
}

// tabTo moves the focus with the Tab key until it is on an element, which then
// must show that.
func (p *tab) tabTo(target playwright.Locator) {
	p.t.Helper()
	must(p.t, check.Locator(target).ToBeVisible())
	for range 60 {
		p.press("Tab")
		on, err := target.Evaluate(`e => e === document.activeElement && e.matches(":focus-visible")`, nil)
		must(p.t, err)
		if on == true {
			return
		}
	}
	p.t.Fatalf("60 tabs do not lead to %v", target)
}

// write types into what has the focus.
func (p *tab) write(text string) {
	p.t.Helper()
	must(p.t, p.Keyboard().InsertText(text))
}

// TestWholeRunByKeyboard signs in, reads, makes a deck, sets the theme and logs
// out without a pointer.
func TestWholeRunByKeyboard(t *testing.T) {
	w := start(t, options{demo: true, auth: config.AuthPassword})
	link, err := w.app.SetupURL(t.Context())
	must(t, err)
	p := open(t, w, desktop, strings.TrimPrefix(link, w.url))
	for _, label := range []string{"New password", "The same once more"} {
		p.tabTo(p.field(label))
		p.write("four words make one")
	}
	p.press("Enter")
	must(t, check.Locator(p.heading(1, "Home")).ToBeVisible())
	p.press("g", "d")
	must(t, check.Locator(p.heading(1, "Decks")).ToBeVisible())

	p.tabTo(p.GetByRole("link", playwright.PageGetByRoleOptions{Name: "Every morning"}).First())
	p.press("Enter")
	must(t, check.Locator(p.heading(1, "Every morning")).ToBeVisible())
	p.press("3", "j", "j", "o")
	must(t, check.Page(p).ToHaveURL(regexp.MustCompile(`/posts/`)))

	p.press("g", "d")
	p.tabTo(p.link("Make a deck"))
	p.press("Enter")
	p.tabTo(p.field("Title"))
	p.write("By keyboard")
	p.press("Enter")
	must(t, check.Locator(p.heading(1, "By keyboard")).ToBeVisible())

	p.press("g", "s")
	must(t, check.Locator(p.heading(1, "Settings")).ToBeVisible())
	p.tabTo(p.group("Theme").GetByLabel("As the system"))
	p.press("ArrowRight", "ArrowRight")
	p.tabTo(p.button("Save the appearance"))
	p.press("Enter")
	must(t, check.Locator(p.Locator("html")).ToHaveAttribute("data-theme", "dark"))

	p.tabTo(p.button("Sign out"))
	p.press("Enter")
	must(t, check.Locator(p.field("Password")).ToBeFocused())
	p.write("four words make one")
	p.press("Enter")
	must(t, check.Locator(p.heading(1, "Home")).ToBeVisible())
}
