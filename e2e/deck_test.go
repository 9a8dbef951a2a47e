package e2e_test

import (
	"regexp"
	"strings"
	"testing"
	"time"

	"github.com/mxschmitt/playwright-go"

	"personal-workspace/internal/app/config"
	"personal-workspace/sns/snstest"
)

// demoColumns are those of the demo's first deck.
var demoColumns = []string{"Home", "What happened", "Harbour people", "#visiblemending or #mending", "夕凪", "Around Lightleak"}

func TestDeckInEveryLook(t *testing.T) {
	w := start(t, options{demo: true})
	for _, look := range looks() {
		t.Run(look.String(), func(t *testing.T) {
			p := open(t, w, look, w.deck(t))

			must(t, check.Locator(p.heading(1, "Every morning")).ToBeVisible())
			must(t, check.Locator(p.GetByText("built-in sample accounts; nothing is kept.")).ToBeVisible())
			for _, name := range demoColumns {
				posts := p.column(name).GetByRole("article")
				if n, err := posts.Count(); err != nil || n < 3 {
					t.Errorf("column %s has %d posts (%v), want a few", name, n, err)
				}
			}
			p.accessible()
		})
	}
}

func TestDeckList(t *testing.T) {
	w := start(t, options{demo: true})
	for _, look := range fewLooks() {
		t.Run(look.String(), func(t *testing.T) {
			p := open(t, w, look, "/decks")

			must(t, check.Locator(p.heading(1, "Decks")).ToBeVisible())
			p.accessible()
			must(t, p.link("Every morning 6 columns").Click())
			must(t, check.Locator(p.heading(1, "Every morning")).ToBeVisible())
		})
	}
}

func TestFirstSteps(t *testing.T) {
	w := start(t, options{})
	for _, look := range fewLooks() {
		t.Run(look.String(), func(t *testing.T) {
			p := open(t, w, look, "/")

			must(t, check.Locator(p.heading(2, "Connect an account to fill a deck")).ToBeVisible())
			must(t, check.Locator(p.GetByText(w.url+"/mcp")).ToBeVisible())
			p.accessible()
		})
	}
}

func TestDeckRefreshesItselfWhenItIsOld(t *testing.T) {
	w := start(t, options{demo: true})
	must(t, w.demo.Step())
	w.pass(2 * time.Minute)

	p := open(t, w, desktop, w.deck(t))
	p.settled()

	posts := p.column("Home").GetByRole("article")
	must(t, check.Locator(posts.First().Locator("time").First()).ToHaveText(regexp.MustCompile("now|min")))
	must(t, check.Locator(p.column("Home").Locator(".state")).ToContainText("Updated"))
	p.accessible()
}

func TestOlderPostsAreAdded(t *testing.T) {
	w := start(t, options{demo: true})
	p := open(t, w, desktop, w.deck(t))
	p.settled()
	column := p.column("Home")
	posts := column.GetByRole("article")
	must(t, check.Locator(posts).ToHaveCount(20))

	p.older("Home")

	must(t, check.Locator(posts.Nth(20)).ToBeAttached())
	if p.path() != w.deck(t) {
		t.Errorf("the page went to %s, want it to stay", p.path())
	}
	ids, err := posts.EvaluateAll("list => list.map(a => a.id)")
	must(t, err)
	seen := map[any]bool{}
	for _, id := range ids.([]any) {
		if seen[id] {
			t.Errorf("the post %v stands twice", id)
		}
		seen[id] = true
	}
}

func TestOlderPostsWithoutScript(t *testing.T) {
	w := start(t, options{demo: true})
	look := desktop
	look.noScript = true
	p := open(t, w, look, w.deck(t))

	follow(t, p.column("Home"), "Older posts")

	must(t, check.Locator(p.link("Newest posts")).ToBeVisible())
	must(t, check.Locator(p.heading(2, "Home")).ToBeVisible())
	must(t, check.Locator(p.GetByRole("article").First()).ToBeVisible())
	p.accessible()
	must(t, p.link("Newest posts").Click())
	must(t, check.Locator(p.GetByRole("article")).ToHaveCount(20))
	must(t, p.link("Back to Every morning").Click())
	must(t, check.Locator(p.heading(1, "Every morning")).ToBeVisible())
}

func TestRefreshWithoutScript(t *testing.T) {
	w := start(t, options{demo: true})
	look := desktop
	look.noScript = true
	p := open(t, w, look, w.deck(t))
	first := p.column("Home").GetByRole("article").First()
	w.demo.Servers()[0].Add(snstest.Status{Text: "News 1"})
	w.pass(time.Minute)

	p.refreshUntil(first, regexp.MustCompile("News 1"))

	must(t, check.Locator(first).ToContainText("News 1"))
}

// TestReadingIsNotDisturbed presses Refresh while a post in the middle of a
// column is being read, with a warning open, and lets come what is new.
func TestReadingIsNotDisturbed(t *testing.T) {
	w := start(t, options{demo: true})
	p := open(t, w, desktop, w.deck(t))
	p.live()
	column := p.column("Around Lightleak")
	must(t, column.ScrollIntoViewIfNeeded())
	first := column.GetByRole("article").First()
	before, err := first.GetAttribute("id")
	must(t, err)
	_, err = column.Evaluate(`column => {
		column.querySelector(".scroller").scrollTop = 900;
		column.querySelector("article details").open = true;
	}`, nil)
	must(t, err)
	place := func() float64 {
		top, err := column.Evaluate(`column => {
			const edge = column.querySelector(".scroller").getBoundingClientRect().top;
			window.reading ??= [...column.querySelectorAll("article")].find(a => a.getBoundingClientRect().top > edge).id;
			return document.getElementById(window.reading).getBoundingClientRect().top;
		}`, nil)
		must(t, err)
		return number(top)
	}
	p.drawn()
	at := place()
	for range 16 {
		must(t, w.demo.Step())
	}
	w.pass(time.Minute)

	must(t, p.button("Refresh").Click())
	must(t, column.GetByRole("button", playwright.LocatorGetByRoleOptions{Name: "2 new posts"}).Click())

	must(t, check.Locator(first).Not().ToHaveAttribute("id", before))
	p.settled()
	p.drawn()
	if moved := place() - at; moved > 1 || moved < -1 {
		t.Errorf("the post being read moved by %.1f px, want at most 1", moved)
	}
	must(t, check.Locator(column.Locator("article details[open]")).ToHaveCount(1))
	must(t, check.Locator(p.Locator("#announcer")).ToHaveText(regexp.MustCompile(`: \d+ new posts?$`)))
}

func number(v any) float64 {
	switch n := v.(type) {
	case int:
		return float64(n)
	case float64:
		return n
	}
	return -1e9
}

func TestOneFailingColumnLeavesTheOthers(t *testing.T) {
	w := start(t, options{demo: true})
	w.demo.Servers()[0].Inject("/api/v1/timelines/home", -1, snstest.BadGateway())
	w.pass(2 * time.Minute)

	p := open(t, w, desktop, w.deck(t))
	p.settled()

	must(t, check.Locator(p.column("Home").Locator(".state")).ToContainText("Offline since"))
	must(t, check.Locator(p.column("Home").GetByText("cannot be read right now")).ToBeVisible())
	must(t, check.Locator(p.column("Home").GetByRole("article").First()).ToBeVisible())
	must(t, check.Locator(p.column("Around Lightleak").Locator(".state")).ToContainText("Updated"))
	p.accessible()
}

// TestHostileHTMLIsInert lets a server send what must not run; the console and
// the page's errors would tell.
func TestHostileHTMLIsInert(t *testing.T) {
	const evil = `<script>document.title = "owned"</script><img src=x onerror="document.title='owned'">`
	w := start(t, options{demo: true})
	w.demo.Servers()[0].Add(snstest.Status{
		HTML:    `<p>Harmless ` + evil + `<a href="javascript:document.title='owned'">press me</a><svg onload="document.title='owned'"></svg></p></article></div><h1>Owned</h1>`,
		Warning: "",
		Patch:   map[string]any{"url": "javascript:alert(1)", "language": `"><script>`},
	})
	w.demo.Servers()[0].Add(snstest.Status{Text: "A warning", Warning: evil})
	w.pass(2 * time.Minute)

	p := open(t, w, desktop, w.deck(t))
	p.settled()

	must(t, check.Locator(p.column("Home").GetByText("press me")).ToBeVisible())
	must(t, check.Locator(p.heading(1, "Owned")).ToHaveCount(0))
	must(t, check.Page(p).ToHaveTitle("(8) Every morning – Personal Workspace"))
	must(t, check.Locator(p.Locator("article script, article img:not(.emoji), article svg, a[href^='javascript']")).ToHaveCount(0))
}

func TestPicturesAreLoadedWhenTheReaderAsks(t *testing.T) {
	w := start(t, options{demo: true})
	p := open(t, w, desktop, w.deck(t))
	p.settled()
	asked := 0
	must(t, p.Route("https://pictures.example/**", func(r playwright.Route) {
		asked++
		must(t, r.Fulfill(playwright.RouteFulfillOptions{
			ContentType: new("image/svg+xml"),
			Body:        `<svg xmlns="http://www.w3.org/2000/svg" width="40" height="30"><rect width="40" height="30" fill="teal"/></svg>`,
		}))
	}))
	_, err := p.Evaluate(`() => {
		const a = document.querySelector(".media a:has(.alt:not(.missing))");
		a.href = "https://pictures.example/1.svg";
		a.dataset.media = "image";
		delete a.dataset.preview;
		a.classList.add("wanted");
		a.closest("[data-media-box]").setAttribute("hx-morph-skip", ""); // news must not undo this
		a.querySelector(".alt").textContent = "A boat at dawn";
		a.scrollIntoView();
	}`)
	must(t, err)
	if asked != 0 {
		t.Error("a picture was loaded before anybody asked")
	}

	must(t, p.Locator("a.wanted").Click())

	must(t, check.Locator(p.GetByRole("img", playwright.PageGetByRoleOptions{Name: "A boat at dawn"})).ToBeVisible())
	if asked != 1 {
		t.Errorf("the picture was asked for %d times, want once", asked)
	}
	p.accessible()
}

func TestDemoPictureOpensInPlace(t *testing.T) {
	for _, base := range []string{"", "/ws/"} {
		t.Run("base path "+base, func(t *testing.T) {
			w := start(t, options{demo: true, base: base})
			p := open(t, w, desktop, w.deck(t))
			p.settled()
			link := p.Locator("a[data-media=image]:has(.alt:not(.missing))").First()
			alt, err := link.Locator(".alt").TextContent()
			must(t, err)

			must(t, link.Click())

			picture := p.GetByRole("img", playwright.PageGetByRoleOptions{Name: alt, Exact: new(true)})
			must(t, check.Locator(picture).ToHaveJSProperty("complete", true))
			width, err := picture.Evaluate("img => img.naturalWidth", nil)
			must(t, err)
			if number(width) == 0 {
				t.Error("the picture is not drawn")
			}
			src, err := picture.GetAttribute("src")
			must(t, err)
			if !strings.HasPrefix(src, strings.TrimSuffix(base, "/")+"/demo/media/") {
				t.Errorf("the picture is from %s, want the workspace's own address", src)
			}
		})
	}
}

func TestPhoneShowsOneColumnUnderTabs(t *testing.T) {
	w := start(t, options{demo: true})
	p := open(t, w, phone, w.deck(t))
	tabs := p.GetByRole("navigation", playwright.PageGetByRoleOptions{Name: "Columns"})
	must(t, check.Locator(tabs.GetByRole("link").First()).ToHaveAttribute("aria-current", "true"))

	must(t, tabs.GetByRole("link", playwright.LocatorGetByRoleOptions{Name: "夕凪"}).Click())

	must(t, check.Locator(p.column("夕凪")).ToBeInViewport(playwright.LocatorAssertionsToBeInViewportOptions{Ratio: new(0.9)}))
	must(t, check.Locator(p.column("Home")).Not().ToBeInViewport())
	must(t, check.Locator(tabs.GetByRole("link", playwright.LocatorGetByRoleOptions{Name: "夕凪"})).ToHaveAttribute("aria-current", "true"))
	wide, err := p.Evaluate("() => document.documentElement.scrollWidth - innerWidth")
	must(t, err)
	if number(wide) > 0 {
		t.Errorf("the page is %v px wider than the screen", wide)
	}
}

// TestSmallestWindow is the page at 400 % in a window of 1280 × 1024.
func TestSmallestWindow(t *testing.T) {
	w := start(t, options{demo: true})
	p := open(t, w, window{width: 320, height: 256}, w.deck(t))
	p.settled()

	got, err := p.Evaluate("() => [document.documentElement.scrollWidth, document.querySelector('.scroller').clientHeight]")
	must(t, err)
	sizes := got.([]any)
	if number(sizes[0]) > 320 {
		t.Errorf("the page is %v px wide, want no sideways scrolling", sizes[0])
	}
	if number(sizes[1]) < 150 {
		t.Errorf("the posts have %v px, want room to read", sizes[1])
	}
	p.accessible()
}

// TestUnderABasePath walks through the pages of a workspace at /ws/: whatever
// leaves the base path fails as a request or shows another page.
func TestUnderABasePath(t *testing.T) {
	w := start(t, options{demo: true, base: "/ws/"})
	w.pass(2 * time.Minute)
	p := open(t, w, desktop, "/")

	must(t, p.link("Decks").Click())
	must(t, p.link("Every morning 6 columns").Click())
	p.settled()
	p.older("Home")
	must(t, check.Locator(p.column("Home").GetByRole("article").Nth(20)).ToBeAttached())
	must(t, p.button("Refresh").Click())
	p.settled()
	must(t, p.column("Home").GetByRole("link", playwright.LocatorGetByRoleOptions{Name: "Home", Exact: new(true)}).Click())

	must(t, check.Locator(p.link("Back to Every morning")).ToBeVisible())
	if !strings.HasPrefix(p.URL(), w.url+"/decks/") {
		t.Errorf("the page is %s, want it below %s", p.URL(), w.url)
	}
}

func TestPasswordIsSetOnceAndAskedForAfterwards(t *testing.T) {
	for _, look := range fewLooks() {
		t.Run(look.String(), func(t *testing.T) {
			w := start(t, options{auth: config.AuthPassword})
			link, err := w.app.SetupURL(t.Context())
			must(t, err)
			p := open(t, w, look, strings.TrimPrefix(link, w.url))
			p.expected = regexp.MustCompile("status of 422")
			p.accessible()

			must(t, p.field("New password").Fill("short"))
			must(t, p.field("The same once more").Fill("short"))
			must(t, p.button("Set the password").Click())
			must(t, check.Locator(p.GetByRole("alert")).ToContainText("at least 10 characters"))
			p.accessible()
			must(t, p.field("New password").Fill("four words make one"))
			must(t, p.field("The same once more").Fill("four words make one"))
			must(t, p.button("Set the password").Click())
			must(t, check.Locator(p.heading(1, "Home")).ToBeVisible())

			p.leave()
			must(t, check.Locator(p.heading(1, "Sign in")).ToBeVisible())
			p.visit("/decks")
			must(t, check.Locator(p.heading(1, "Sign in")).ToBeVisible())
			must(t, p.field("Password").Fill("something else"))
			must(t, p.button("Sign in").Click())
			must(t, check.Locator(p.GetByRole("alert")).ToContainText("not the password"))
			p.accessible()
			must(t, p.field("Password").Fill("four words make one"))
			must(t, p.button("Sign in").Click())
			must(t, check.Locator(p.heading(1, "Decks")).ToBeVisible())
			if p.path() != "/decks" {
				t.Errorf("signing in leads to %s, want /decks", p.path())
			}
		})
	}
}

// The rail is wide enough for the longest name of a source in one line.
func TestRailBreaksNoNameInsideAWord(t *testing.T) {
	w := start(t, options{demo: true})
	p := open(t, w, desktop, w.deck(t))
	lines, err := p.Evaluate(`() => {
		const name = document.querySelector(".tab-name");
		name.textContent = "Conversations";
		const range = document.createRange();
		range.selectNodeContents(name);
		return range.getClientRects().length;
	}`)
	must(t, err)
	if lines != 1 {
		t.Errorf("“Conversations” takes %v lines, want 1", lines)
	}
}
