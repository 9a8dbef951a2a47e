package e2e_test

import (
	"net/url"
	"regexp"
	"strings"
	"testing"
	"time"

	"github.com/mxschmitt/playwright-go"

	"personal-workspace/internal/app/config"
)

// wide and narrow are the ends of what pages are laid out for.
var (
	wide = window{width: 1920, height: 1080}
	// High enough for the bar at the bottom to cover nothing.
	narrow = window{width: 320, height: 3000}
)

// group is a group of choices by its name.
func (p *tab) group(name string) playwright.Locator {
	return p.GetByRole("group", playwright.PageGetByRoleOptions{Name: name, Exact: new(true)})
}

// signedIn opens a workspace's page after its password is set by the browser.
func signedIn(t *testing.T, w *workspace, look window, path string) *tab {
	t.Helper()
	link, err := w.app.SetupURL(t.Context())
	must(t, err)
	p := open(t, w, look, strings.TrimPrefix(link, w.url))
	must(t, p.field("New password").Fill("four words make one"))
	must(t, p.field("The same once more").Fill("four words make one"))
	must(t, p.button("Set the password").Click())
	must(t, check.Locator(p.heading(1, "Home")).ToBeVisible())
	p.visit(path)
	return p
}

// signOut ends the browser's session behind its back, as when it is over.
func (p *tab) signOut() {
	p.t.Helper()
	must(p.t, p.Context().ClearCookies())
}

// leave signs out as a person does: on a phone that is in Settings only.
func (p *tab) leave() {
	p.t.Helper()
	if p.look.width == phone.width {
		must(p.t, check.Locator(p.button("Sign out")).ToBeHidden())
		p.visit("/settings")
		must(p.t, p.GetByRole("listitem").Filter(playwright.LocatorFilterOptions{HasText: "This browser"}).GetByRole("button").Click())
		return
	}
	must(p.t, p.button("Sign out").Click())
}

func (p *tab) signIn() {
	p.t.Helper()
	must(p.t, check.Locator(p.heading(1, "Sign in")).ToBeVisible())
	must(p.t, p.field("Password").Fill("four words make one"))
	must(p.t, p.button("Sign in").Click())
}

func TestSettingsInEveryLook(t *testing.T) {
	w := start(t, options{demo: true})
	for _, look := range []window{wide, {width: narrow.width, height: narrow.height, dark: true}, {width: 390, height: 844, noScript: true}} {
		t.Run(look.String(), func(t *testing.T) {
			p := open(t, w, look, "/settings")

			must(t, check.Locator(p.heading(1, "Settings")).ToBeVisible())
			p.accessible()
			if !look.noScript {
				spare, err := p.Evaluate("() => innerWidth - document.documentElement.scrollWidth")
				must(t, err)
				if number(spare) < 0 {
					t.Errorf("the page is %v px wider than the window", -number(spare))
				}
			}
			must(t, p.group("Text size").GetByLabel("Large").Check())
			must(t, p.button("Save the appearance").Click())
			must(t, check.Locator(p.GetByText("Saved.")).ToBeVisible())
			must(t, check.Locator(p.group("Text size").GetByLabel("Large")).ToBeChecked())
			p.accessible()
		})
	}
}

// TestThemeIsThereBeforeTheFirstPaint looks at the page as it comes from the
// server, without script: the system is light, the chosen theme dark.
func TestThemeIsThereBeforeTheFirstPaint(t *testing.T) {
	for _, base := range []string{"", "/ws/"} {
		t.Run("base path "+base, func(t *testing.T) {
			w := start(t, options{demo: true, base: base})
			p := open(t, w, window{width: 1280, height: 800, noScript: true}, "/settings")
			must(t, check.Locator(p.Locator("body")).ToHaveCSS("color-scheme", "light dark"))

			must(t, p.group("Theme").GetByLabel("Dark").Check())
			must(t, p.button("Save the appearance").Click())

			p.visit("/decks")
			must(t, check.Locator(p.Locator("html")).ToHaveCSS("color-scheme", "dark"))
			must(t, check.Locator(p.Locator("meta[name=color-scheme]")).ToHaveAttribute("content", "dark"))
			p.accessible()
		})
	}
}

func TestMoreContrastIsAccessibleInBothThemes(t *testing.T) {
	w := start(t, options{demo: true})
	for _, theme := range []string{"Light", "Dark"} {
		t.Run(theme, func(t *testing.T) {
			p := open(t, w, desktop, "/settings")
			must(t, p.group("Theme").GetByLabel(theme).Check())
			must(t, p.group("Contrast").GetByLabel("More").Check())
			must(t, p.button("Save the appearance").Click())
			must(t, check.Locator(p.Locator("html")).ToHaveAttribute("data-contrast", "more"))
			p.accessible()
			p.visit(w.deck(t))
			p.settled()
			p.accessible()
		})
	}
}

// TestTimesAreInTheChosenZone uses a browser that is in another zone than the
// server, and chooses a third one.
func TestTimesAreInTheChosenZone(t *testing.T) {
	w := start(t, options{demo: true})
	ctx, err := w.browser.NewContext(playwright.BrowserNewContextOptions{TimezoneId: new("Australia/Adelaide"), ReducedMotion: playwright.ReducedMotionReduce})
	must(t, err)
	keep(t, ctx, desktop)
	page, err := ctx.NewPage()
	must(t, err)
	p := &tab{Page: page, t: t, w: w, look: desktop, base: w.url}
	p.listen()

	p.visit("/settings")
	must(t, p.button("Use this browser’s: Australia/Adelaide").Click())
	must(t, check.Locator(p.field("Times are shown in")).ToHaveValue("Australia/Adelaide"))
	must(t, check.Locator(p.GetByText("Use this browser’s:")).ToBeHidden())
	must(t, p.field("Times are shown in").Fill("America/St_Johns"))
	must(t, p.button("Save the time zone").Click())
	must(t, check.Locator(p.button("Use this browser’s: Australia/Adelaide")).ToBeVisible())

	p.visit(w.deck(t))
	p.settled()
	wrong, err := p.Evaluate(`() => {
		const clock = new Intl.DateTimeFormat("en-GB", {timeZone: "America/St_Johns", hour: "2-digit", minute: "2-digit"});
		return [...document.querySelectorAll("time")].filter(time => {
			const hour = clock.format(new Date(time.dateTime));
			return !time.title.endsWith(hour) || (time.hasAttribute("data-clock") && !time.textContent.endsWith(hour));
		}).map(time => time.outerHTML);
	}`)
	must(t, err)
	if list := wrong.([]any); len(list) > 0 {
		t.Errorf("%d times are in another zone, such as %v", len(list), list[0])
	}
}

func TestTypedTextIsKeptWhenTheSessionIsOver(t *testing.T) {
	for _, base := range []string{"", "/ws/"} {
		t.Run("base path "+base, func(t *testing.T) {
			w := start(t, options{auth: config.AuthPassword, base: base})
			p := signedIn(t, w, desktop, "/settings")
			zone := p.field("Times are shown in")
			must(t, zone.Fill("Asia/Tok"))
			p.signOut()

			must(t, p.button("Save the time zone").Click())
			p.signIn()

			must(t, check.Locator(p.heading(1, "Settings")).ToBeVisible())
			must(t, check.Locator(p.GetByText("What you typed here did not arrive.").First()).ToBeVisible())
			p.accessible()
			must(t, check.Locator(zone).ToHaveValue(""))
			must(t, p.button("Put it back").Click())
			must(t, check.Locator(zone).ToHaveValue("Asia/Tok"))
			must(t, check.Locator(zone).ToBeFocused())
			must(t, zone.Fill("Asia/Tokyo"))
			must(t, p.button("Save the time zone").Click())
			must(t, check.Locator(p.GetByText("Saved.")).ToBeVisible())
			p.visit("/settings")
			must(t, check.Locator(p.button("Put it back")).ToHaveCount(0))
			if n := p.kept(); n != "" {
				t.Errorf("after it was saved there is kept %s, want nothing", n)
			}
		})
	}
}

func TestTypedDeckIsKeptWhenTheSessionIsOver(t *testing.T) {
	w := start(t, options{demo: true, auth: config.AuthPassword})
	p := signedIn(t, w, phone, w.deck(t)+"/edit")
	must(t, p.field("Title").First().Fill("Every evening"))
	p.signOut()

	must(t, p.button("Save").Last().Click())
	p.signIn()

	must(t, check.Locator(p.heading(1, "Edit the deck")).ToBeVisible())
	must(t, p.button("Put it back").Click())
	must(t, p.button("Save").Last().Click())
	must(t, check.Locator(p.heading(1, "Every evening")).ToBeVisible())
}

// TestRefreshLeadsToTheSignIn presses a button that htmx answers.
func TestRefreshLeadsToTheSignIn(t *testing.T) {
	w := start(t, options{demo: true, auth: config.AuthPassword})
	p := signedIn(t, w, desktop, w.deck(t))
	p.live()
	p.expected = regexp.MustCompile("status of 401")
	p.signOut()

	must(t, p.button("Refresh").Click())
	p.signIn()

	must(t, check.Locator(p.heading(1, "Every morning")).ToBeVisible())
}

// kept is all that the tab keeps of what was typed.
func (p *tab) kept() string {
	p.t.Helper()
	got, err := p.Evaluate(`() => Object.entries(sessionStorage).filter(([key]) => key.startsWith("typed:")).flat().join(" ")`)
	must(p.t, err)
	return got.(string)
}

func TestTypedTextIsForgotten(t *testing.T) {
	cases := map[string]func(*testing.T, *tab){
		"when the person says so": func(t *testing.T, p *tab) {
			p.signOut()
			must(t, p.button("Save the time zone").Click())
			p.signIn()
			must(t, p.button("Forget it").Click())
			must(t, check.Locator(p.button("Forget it")).ToHaveCount(0))
		},
		"when the person logs out": func(t *testing.T, p *tab) {
			must(t, p.button("Sign out").Click())
			must(t, check.Locator(p.heading(1, "Sign in")).ToBeVisible())
		},
		"after an hour": func(t *testing.T, p *tab) {
			must(t, p.Clock().SetFixedTime(p.w.now().Add(61*time.Minute)))
			p.visit("/decks")
		},
	}
	for name, forget := range cases {
		t.Run(name, func(t *testing.T) {
			w := start(t, options{auth: config.AuthPassword})
			p := signedIn(t, w, desktop, "/settings")
			must(t, p.field("Times are shown in").Fill("Asia/Tok"))
			if !strings.Contains(p.kept(), "Asia/Tok") {
				t.Fatal("what was typed is not kept")
			}

			forget(t, p)

			if got := p.kept(); got != "" {
				t.Errorf("there is kept %s, want nothing", got)
			}
		})
	}
}

func TestSecretsAreNotKept(t *testing.T) {
	w := start(t, options{auth: config.AuthPassword})
	p := signedIn(t, w, desktop, "/settings")
	p.signOut()
	p.visit("/login")

	must(t, p.field("Password").Fill("four words make on"))

	all, err := p.Evaluate(`() => Object.entries(sessionStorage).flat().join(" ")`)
	must(t, err)
	for _, secret := range []string{"four words", "/setup/"} {
		if strings.Contains(all.(string), secret) {
			t.Errorf("the tab keeps %q: %v", secret, all)
		}
	}
}

// TestSignedOutElsewhereEndsThePage signs the browser out from another one: the
// open page says so by itself.
func TestSettingsChangeThePassword(t *testing.T) {
	for _, look := range fewLooks() {
		t.Run(look.String(), func(t *testing.T) {
			w := start(t, options{demo: true, auth: config.AuthPassword})
			p := signedIn(t, w, look, "/settings")
			p.expected = regexp.MustCompile("status of 422")
			fill := func(current string) {
				must(t, p.field("Current password").Fill(current))
				must(t, p.field("New password").Fill("five words make it better"))
				must(t, p.field("The same once more").Fill("five words make it better"))
				must(t, p.button("Change the password").Click())
			}

			fill("something else")
			must(t, check.Locator(p.GetByRole("alert")).ToHaveText("That is not the current password; type it again."))
			must(t, check.Locator(p.field("Current password")).ToBeFocused())
			if look == desktop {
				p.accessible()
			}
			fill("four words make one")

			must(t, check.Locator(p.GetByText("The password is changed, and all other browsers are signed out.")).ToBeVisible())
		})
	}
}

func TestSignedOutElsewhereEndsThePage(t *testing.T) {
	w := start(t, options{demo: true, auth: config.AuthPassword})
	p := signedIn(t, w, desktop, w.deck(t))
	must(t, check.Locator(p.heading(1, "Every morning")).ToBeVisible())
	other := newTab(t, w, phone, nil)
	other.visit("/login?next=" + url.QueryEscape("/settings"))
	other.signIn()

	must(t, other.button("Sign out all others").Click())

	must(t, check.Locator(other.GetByText("Saved.")).ToBeVisible())
	must(t, check.Locator(p.link("Sign in")).ToBeVisible())
	must(t, p.link("Sign in").Click())
	p.signIn()
	must(t, check.Locator(p.heading(1, "Every morning")).ToBeVisible())
}
