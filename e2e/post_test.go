package e2e_test

import (
	"regexp"
	"strings"
	"testing"
	"time"

	"github.com/mxschmitt/playwright-go"

	"personal-workspace/sns/snstest"
)

// shown is a post by a text in it.
func (p *tab) shown(words string) playwright.Locator {
	return p.GetByRole("article").Filter(playwright.LocatorFilterOptions{HasText: words})
}

// follow goes to a link of a post and presses Enter. A pointer that must scroll
// there may miss: boxes that are drawn for the first time turn out smaller, and the
// link can move between its press and its release.
func follow(t *testing.T, post playwright.Locator, name string) {
	t.Helper()
	must(t, post.GetByRole("link", playwright.LocatorGetByRoleOptions{Name: name, Exact: new(true)}).First().Press("Enter"))
}

// TestPostPage opens a post of a column, with and without script, sees its
// conversation, and goes back.
func TestPostPage(t *testing.T) {
	w := start(t, options{demo: true})
	for _, look := range []window{
		{width: 1920, height: 1080}, {width: 320, height: 640, dark: true}, {width: 320, height: 640, noScript: true},
	} {
		t.Run(look.String(), func(t *testing.T) {
			p := open(t, w, look, w.deck(t)+"#"+columnID(t, w, "Home"))

			follow(t, p.column("Home").Locator("article").Filter(playwright.LocatorFilterOptions{HasText: "evening for the reading circle"}), "Open")
			must(t, check.Locator(p.heading(1, "Post by Port Ellery Library 📚")).ToBeVisible())
			must(t, check.Page(p).ToHaveTitle("(8) Post by Port Ellery Library 📚 – Personal Workspace"))
			if look.noScript {
				must(t, p.link("Show the conversation").Click())
			}
			must(t, check.Locator(p.heading(2, "1 reply")).ToBeVisible())
			must(t, check.Locator(p.shown("Sunday with cake is not a choice")).ToBeVisible())
			p.notWider()
			p.accessible()

			follow(t, p.shown("Sunday with cake is not a choice"), "Open")
			must(t, check.Locator(p.heading(1, "Post by Joon 🌿")).ToBeVisible())
			if look.noScript {
				must(t, p.link("Show the conversation").Click())
			}
			must(t, check.Locator(p.heading(2, "Before this post")).ToBeVisible())
			must(t, p.link("Back to Every morning").Click())
			must(t, check.Locator(p.heading(1, "Every morning")).ToBeVisible())
		})
	}
}

// columnID is the element of a column of the demo's first deck.
func columnID(t *testing.T, w *workspace, title string) string {
	t.Helper()
	d, err := w.app.Decks.GetDeck(t.Context(), strings.TrimPrefix(w.deck(t), "/decks/"))
	must(t, err)
	for _, c := range d.Columns {
		if c.Title == title {
			return "column-" + c.ID
		}
	}
	t.Fatalf("the deck has no column %s", title)
	return ""
}

// notWider fails when the page scrolls sideways.
func (p *tab) notWider() {
	p.t.Helper()
	wide, err := p.Evaluate("() => document.documentElement.scrollWidth - innerWidth")
	must(p.t, err)
	if number(wide) > 0 {
		p.t.Errorf("the page is %v px wider than the screen", wide)
	}
}

func TestPostStaysWhenItsConversationDoesNotCome(t *testing.T) {
	w := start(t, options{demo: true})
	w.demo.Servers()[0].Inject("/api/v1/statuses/*", -1, snstest.BadGateway())
	p := open(t, w, desktop, w.deck(t))

	follow(t, p.column("Home").Locator("article").Filter(playwright.LocatorFilterOptions{HasText: "evening for the reading circle"}), "Open")

	must(t, check.Locator(p.Locator(".panel")).ToContainText("cannot be read right now"))
	must(t, check.Locator(p.shown("evening for the reading circle")).ToBeVisible())
	p.accessible()
	w.demo.Servers()[0].ClearFaults()
	must(t, p.link("Try again").Click())
	must(t, check.Locator(p.heading(2, "1 reply")).ToBeVisible())
}

// TestBackKeepsThePlace opens a post far down in a column by keyboard, and comes
// back by the browser's Back, by the page's own link and by a reload: the same
// post stands where it stood.
func TestBackKeepsThePlace(t *testing.T) {
	w := start(t, options{demo: true})
	p := open(t, w, desktop, w.deck(t))
	p.live()
	column := p.column("Home")
	p.older("Home")
	must(t, check.Locator(column.GetByRole("article").Nth(22)).ToBeAttached())
	_, err := column.Evaluate(`column => {
		const post = column.querySelectorAll("article.post")[22];
		column.querySelector(".scroller").scrollTop += post.getBoundingClientRect().top - 300;
	}`, nil)
	must(t, err)
	p.drawn()
	id, err := column.GetByRole("article").Nth(22).GetAttribute("id")
	must(t, err)
	top := func() float64 {
		p.drawn()
		v, err := p.Locator("#"+id).Evaluate("post => post.getBoundingClientRect().top", nil)
		must(t, err)
		return number(v)
	}
	must(t, p.Locator("#"+id+" a[data-open]").Focus())
	at := top()
	leave := func() {
		must(t, p.Locator("#"+id+" a[data-open]").Focus())
		must(t, p.Keyboard().Press("Enter"))
		must(t, check.Locator(p.Locator("h1")).ToContainText("Post by"))
		must(t, check.Locator(p.Locator(".loader")).ToHaveCount(0))
	}

	for name, back := range map[string]func(){
		"Back": func() { _, err := p.GoBack(); must(t, err) },
		"link": func() { must(t, p.link("Back to Every morning").Click()) },
	} {
		leave()
		back()
		must(t, check.Locator(p.Locator("#"+id)).ToBeInViewport())
		if moved := top() - at; moved > 2 || moved < -2 {
			t.Errorf("%s: the post stands %.1f px from where it stood", name, moved)
		}
		must(t, check.Locator(p.Locator("#"+id)).ToBeFocused())
	}
}

// drawn waits until what was changed is on the screen.
func (p *tab) drawn() {
	p.t.Helper()
	_, err := p.Evaluate("() => new Promise(done => requestAnimationFrame(() => requestAnimationFrame(() => requestAnimationFrame(done))))")
	must(p.t, err)
}

func TestMediaIsLoadedAndPutAway(t *testing.T) {
	w := start(t, options{demo: true})
	p := open(t, w, desktop, w.deck(t))
	p.settled()
	link := p.Locator("a[data-media=image]:has(.alt:not(.missing))").First()
	box := p.Locator("[data-media-box]").Filter(playwright.LocatorFilterOptions{Has: link}).First()
	alt, err := link.Locator(".alt").TextContent()
	must(t, err)
	picture := box.GetByRole("img", playwright.LocatorGetByRoleOptions{Name: alt, Exact: new(true)})

	must(t, link.Focus())
	must(t, p.Keyboard().Press("Enter"))
	must(t, check.Locator(picture).ToBeVisible())
	must(t, check.Locator(link).ToBeHidden())
	larger := box.Locator("figure > a")
	must(t, check.Locator(larger).ToBeFocused())
	must(t, check.Locator(larger).ToHaveAttribute("target", "_blank"))
	p.accessible()

	must(t, box.GetByRole("button", playwright.LocatorGetByRoleOptions{Name: "Hide"}).Click())
	must(t, check.Locator(picture).ToHaveCount(0))
	must(t, check.Locator(link).ToBeFocused())
}

func TestMediaThatDoesNotComeSaysSo(t *testing.T) {
	w := start(t, options{demo: true})
	p := open(t, w, desktop, w.deck(t))
	p.settled()
	p.expected = regexp.MustCompile("404")
	link := p.Locator("a[data-media=image]").First()
	box := p.Locator("[data-media-box]").Filter(playwright.LocatorFilterOptions{Has: link}).First()
	_, err := link.Evaluate(`a => {
		a.href = "/demo/media/nowhere/1.png";
		delete a.dataset.preview;
		a.closest("[data-media-box]").setAttribute("hx-morph-skip", ""); // news must not undo this
	}`, nil)
	must(t, err)

	must(t, link.Click())

	must(t, check.Locator(box).ToContainText("It could not be loaded here."))
	must(t, check.Locator(box.GetByRole("link", playwright.LocatorGetByRoleOptions{Name: "Open it at its source"}).Last()).ToBeVisible())
	p.accessible()
}

func TestWarningsAreOpenedByKeyboard(t *testing.T) {
	w := start(t, options{demo: true})
	p := open(t, w, desktop, w.deck(t))
	p.settled()
	post := p.column("Around Lightleak").Locator("article:has(details.warning)").First()
	summary := post.Locator("summary").First()
	must(t, check.Locator(post.Locator(".text").First()).ToBeHidden())

	must(t, summary.Focus())
	must(t, p.Keyboard().Press("Enter"))

	must(t, check.Locator(post.Locator(".text").First()).ToBeVisible())
	must(t, check.Locator(summary).ToBeFocused())
}

func TestLinkOfAPostIsCopied(t *testing.T) {
	w := start(t, options{demo: true})
	p := open(t, w, desktop, w.deck(t))
	p.live()
	must(t, p.Context().GrantPermissions([]string{"clipboard-read", "clipboard-write"}))
	post := p.column("Home").GetByRole("article").First()
	source, err := post.Locator("a[data-source]").GetAttribute("href")
	must(t, err)

	must(t, post.GetByRole("button", playwright.LocatorGetByRoleOptions{Name: "Copy link"}).Click())

	must(t, check.Locator(post.GetByRole("button", playwright.LocatorGetByRoleOptions{Name: "Copied"})).ToBeVisible())
	must(t, check.Locator(p.Locator("#announcer")).ToHaveText("Link copied"))
	got, err := p.Evaluate("() => navigator.clipboard.readText()")
	must(t, err)
	if got != source {
		t.Errorf("the clipboard has %v, want %s", got, source)
	}
}

// TestWithoutScriptNothingPretends: what only script can do is not offered.
func TestWithoutScriptNothingPretends(t *testing.T) {
	w := start(t, options{demo: true})
	look := desktop
	look.noScript = true
	p := open(t, w, look, w.deck(t))

	must(t, check.Locator(p.column("Home").GetByRole("link", playwright.LocatorGetByRoleOptions{Name: "At source"}).First()).ToBeVisible())
	must(t, check.Locator(p.column("Home").Locator("[data-copy-link]").First()).ToBeHidden())
}

// TestCustomEmojiWaitForTheReader: no other server learns of the reader before
// the emoji are asked for.
func TestCustomEmojiWaitForTheReader(t *testing.T) {
	w := start(t, options{demo: true})
	w.demo.Servers()[0].Add(snstest.Status{
		Text:  "Look at :wave:",
		Patch: map[string]any{"emojis": []any{map[string]any{"shortcode": "wave", "url": "https://pictures.example/wave.svg", "static_url": "https://pictures.example/wave.svg"}}},
	})
	w.pass(2 * time.Minute)
	p := newTab(t, w, desktop, nil)
	asked := make(chan string, 10)
	must(t, p.Route("https://pictures.example/**", func(r playwright.Route) {
		asked <- r.Request().Headers()["referer"]
		must(t, r.Fulfill(playwright.RouteFulfillOptions{
			ContentType: new("image/svg+xml"),
			Body:        `<svg xmlns="http://www.w3.org/2000/svg" width="900" height="30"><rect width="900" height="30" fill="teal"/></svg>`,
		}))
	}))
	p.visit(w.deck(t))
	p.settled()
	post := p.column("Home").Locator("article").Filter(playwright.LocatorFilterOptions{HasText: "Look at"}).First()
	must(t, check.Locator(post).ToContainText(":wave:"))
	if len(asked) != 0 {
		t.Error("the emoji was loaded before anybody asked")
	}

	must(t, post.GetByRole("button", playwright.LocatorGetByRoleOptions{Name: "Show emoji"}).Click())

	emoji := post.GetByRole("img", playwright.LocatorGetByRoleOptions{Name: ":wave:"})
	must(t, check.Locator(emoji).ToBeVisible())
	if referer := <-asked; referer != "" {
		t.Errorf("the emoji's server learns of %s, want nothing", referer)
	}
	width, err := emoji.Evaluate("img => img.getBoundingClientRect().width", nil)
	must(t, err)
	if number(width) > 24 {
		t.Errorf("the emoji is %v px wide, want the room of a letter", width)
	}
}

func TestPostPageUnderABasePath(t *testing.T) {
	w := start(t, options{demo: true, base: "/ws/"})
	p := open(t, w, desktop, w.deck(t))

	follow(t, p.column("Home").GetByRole("article"), "Open")

	must(t, check.Locator(p.Locator(".loader")).ToHaveCount(0))
	must(t, check.Locator(p.heading(2, "The post")).ToBeAttached())
	if !strings.HasPrefix(p.path(), "/posts/") {
		t.Errorf("the post is at %s, want it below /posts/", p.path())
	}
	must(t, p.link("Back to Every morning").Click())
	must(t, check.Locator(p.heading(1, "Every morning")).ToBeVisible())
}

// TestMediaAtOnce: with the setting, pictures are on the page also without
// script, and one that was put away stays away when its column is printed again.
func TestMediaAtOnce(t *testing.T) {
	w := start(t, options{demo: true})
	p := open(t, w, desktop, "/settings")
	must(t, p.GetByRole("radio", playwright.PageGetByRoleOptions{Name: "Load at once"}).Check())
	must(t, p.button("Save the reading settings").Click())
	must(t, check.Locator(p.GetByText("Saved.")).ToBeVisible())
	p.visit(w.deck(t))
	p.settled()
	id, err := p.column("Home").Locator("article:has(figure img)").First().GetAttribute("id")
	must(t, err)
	post := p.Locator("#" + id)
	must(t, check.Locator(post.Locator("figure img").First()).ToHaveJSProperty("complete", true))
	p.accessible()

	must(t, post.GetByRole("button", playwright.LocatorGetByRoleOptions{Name: "Hide"}).First().Click())
	must(t, check.Locator(post.Locator("figure")).ToHaveCount(0))
	must(t, check.Locator(post.Locator("a[data-media]")).ToBeFocused())
	must(t, p.button("Refresh").Click())
	p.settled()
	must(t, check.Locator(post.Locator("figure")).ToHaveCount(0))
}
