package e2e_test

import (
	"regexp"
	"strings"
	"testing"

	"github.com/mxschmitt/playwright-go"
)

// widths are the narrowest and the widest window that pages are made for. The
// narrow one is tall, so that nothing is partly below the navigation for the
// checker, which does not scroll.
func widths() []window {
	return []window{{width: 320, height: 1800}, {width: 1920, height: 1080, dark: true}, {width: 1280, height: 800, noScript: true}}
}

// elsewhere reaches the workspace under another name than its servers, so that
// the way to them and back crosses sites as it does in earnest.
func (w *workspace) elsewhere() { w.url = strings.Replace(w.url, "127.0.0.1", "localhost", 1) }

// server is the main one of the sample servers.
func (w *workspace) server() string { return w.demo.Origins()[0] }

// fillConnect fills the form that adds an account.
func (p *tab) fillConnect(origin, way string) {
	p.t.Helper()
	p.visit("/connections/new")
	must(p.t, p.field("Server address").Fill(origin))
	must(p.t, p.GetByRole("radio", playwright.PageGetByRoleOptions{Name: way}).Check())
}

// atServer waits for the server's page that asks. The page between goes there by
// itself where script runs.
func (p *tab) atServer() {
	p.t.Helper()
	if p.look.noScript {
		must(p.t, p.GetByRole("link", playwright.PageGetByRoleOptions{Name: "Continue to"}).Click())
	}
	must(p.t, check.Locator(p.heading(1, "Authorize")).ToBeVisible())
}

// fits fails when the page scrolls sideways.
func (p *tab) fits() {
	p.t.Helper()
	if p.look.noScript {
		defer p.allowScript()()
	}
	wide, err := p.Evaluate("() => document.documentElement.scrollWidth - innerWidth")
	must(p.t, err)
	if number(wide) > 0 {
		p.t.Errorf("%s is %v px wider than the screen", p.path(), wide)
	}
}

func (p *tab) says(text string) {
	p.t.Helper()
	must(p.t, check.Locator(p.GetByText(text).First()).ToBeVisible())
}

func TestConnectBySigningIn(t *testing.T) {
	for _, look := range widths() {
		t.Run(look.String(), func(t *testing.T) {
			w := start(t, options{servers: true})
			w.elsewhere()
			p := open(t, w, look, "/")
			must(t, p.link("Connect an account").Click())
			must(t, check.Locator(p.heading(1, "Connect an account")).ToBeVisible())
			p.accessible()
			p.fits()
			must(t, p.field("Server address").Fill(w.server()))
			must(t, p.button("Connect").Click())
			p.atServer()

			must(t, p.button("Authorize").Click())

			p.says("Connected. The next step is a deck that shows it.")
			p.says("Can read; cannot post")
			must(t, check.Locator(p.link("Make a deck")).ToHaveAttribute("href", regexp.MustCompile(`/decks/new\?connection=conn_`)))
			p.accessible()
			p.fits()
			if strings.Contains(p.URL(), "code=") || strings.Contains(p.URL(), "state=") {
				t.Errorf("the address still has the code: %s", p.URL())
			}
		})
	}
}

func TestSigningInIsDeclined(t *testing.T) {
	for _, look := range widths() {
		t.Run(look.String(), func(t *testing.T) {
			w := start(t, options{servers: true})
			w.elsewhere()
			p := open(t, w, look, "/connections/new")
			p.expected = regexp.MustCompile("status of (403|422)")
			must(t, p.field("Server address").Fill(w.server()))
			must(t, p.button("Connect").Click())
			p.atServer()

			must(t, p.button("Deny").Click())

			must(t, check.Locator(p.GetByRole("alert")).ToContainText("The sign-in was declined at"))
			must(t, check.Locator(p.heading(1, "Not signed in")).ToBeVisible())
			p.fits()
			p.reload()
			must(t, check.Locator(p.GetByRole("alert")).ToContainText("was ended already"))
			must(t, p.link("Start again").Click())
			must(t, check.Locator(p.heading(1, "Connect an account")).ToBeVisible())
			p.visit("/connections")
			p.says("No account is connected yet.")
			p.accessible()
		})
	}
}

func TestConnectByACode(t *testing.T) {
	for _, look := range widths() {
		t.Run(look.String(), func(t *testing.T) {
			w := start(t, options{servers: true})
			p := open(t, w, look, "/connections/new")
			p.expected = regexp.MustCompile("status of 422")
			must(t, p.field("Server address").Fill(w.server()))
			must(t, p.GetByRole("checkbox").Check())
			must(t, p.button("Connect").Click())
			must(t, check.Locator(p.field("Code")).ToBeVisible())
			p.accessible()
			p.fits()

			code := p.codeFrom(p.GetByRole("link", playwright.PageGetByRoleOptions{Name: "Open 127.0.0.1"}))
			must(t, p.field("Code").Fill("not "+code))
			must(t, p.button("Connect").Click())
			must(t, check.Locator(p.GetByRole("alert")).ToContainText("code"))
			must(t, p.field("Code").Fill(" "+code+" "))
			must(t, p.button("Connect").Click())

			p.says("Connected. The next step is a deck that shows it.")
		})
	}
}

// codeFrom allows the workspace on the page that the link opens beside this one,
// and returns the code it shows.
func (p *tab) codeFrom(link playwright.Locator) string {
	p.t.Helper()
	server, err := p.Context().ExpectPage(func() error { return link.Click() })
	must(p.t, err)
	must(p.t, server.GetByRole("button", playwright.PageGetByRoleOptions{Name: "Authorize"}).Click())
	code, err := server.Locator("code").TextContent()
	must(p.t, err)
	must(p.t, server.Close())
	return code
}

// TestPageBetweenOffersACode is without script: with it, nobody sees that page.
func TestPageBetweenOffersACode(t *testing.T) {
	w := start(t, options{servers: true, base: "/ws/"})
	p := open(t, w, window{width: 320, height: 640, noScript: true}, "/connections/new")
	must(t, p.field("Server address").Fill(w.server()))
	must(t, p.button("Connect").Click())
	must(t, check.Locator(p.GetByRole("link", playwright.PageGetByRoleOptions{Name: "Continue to"})).ToBeVisible())
	p.accessible()

	must(t, p.button("Show me a code to paste").Click())

	must(t, check.Locator(p.field("Code")).ToBeVisible())
	p.accessible()
}

func TestConnectByATokenOrWithoutOne(t *testing.T) {
	for _, look := range widths() {
		t.Run(look.String(), func(t *testing.T) {
			w := start(t, options{servers: true, base: "/ws/"})
			p := open(t, w, look, "/connections/new")
			p.expected = regexp.MustCompile("status of 422")

			p.fillConnect("https://127.0.0.1:9", "Only its public timelines, without an account")
			must(t, p.button("Connect").Click())
			must(t, check.Locator(p.GetByRole("alert")).ToContainText("WORKSPACE_MASTODON_ORIGINS"))
			must(t, check.Locator(p.field("Server address")).ToHaveValue("https://127.0.0.1:9"))
			p.accessible()
			p.fits()

			p.fillConnect(w.server(), "Paste a token")
			must(t, p.field("Token").Fill("wrong"))
			must(t, p.button("Connect").Click())
			must(t, check.Locator(p.GetByRole("alert")).ToContainText("Paste the token again."))
			must(t, check.Locator(p.field("Token")).ToHaveValue(""))
			p.accessible()
			must(t, p.field("Token").Fill(w.demo.Servers()[0].Token()))
			must(t, p.button("Connect").Click())
			p.says("Connected. The next step is a deck that shows it.")

			p.fillConnect(w.demo.Origins()[1], "Only its public timelines, without an account")
			must(t, p.button("Connect").Click())
			p.says("Can read what is public; has no account")
			p.visit("/connections")
			must(t, check.Locator(p.GetByRole("article")).ToHaveCount(2))
			p.fits()
		})
	}
}

// TestAccountThroughItsLife tests, pauses, renames, revokes, mends and
// disconnects an account.
func TestAccountThroughItsLife(t *testing.T) {
	for _, look := range widths() {
		t.Run(look.String(), func(t *testing.T) {
			w := start(t, options{demo: true, base: "/ws/"})
			p := open(t, w, look, "/connections")
			p.accessible()
			p.fits()
			card := p.GetByRole("article").First()

			must(t, p.button("Test now Tidepool (everyday)").Click())
			must(t, check.Locator(card.GetByRole("status")).ToHaveText("Tested: the server has just answered."))
			must(t, p.button("Pause Tidepool (everyday)").Click())
			must(t, check.Locator(card.Locator(".chip")).ToHaveText("Paused"))
			must(t, p.button("Resume Tidepool (everyday)").Click())
			must(t, check.Locator(card.Locator(".chip")).ToHaveText("Ready"))

			must(t, p.link("Rename Tidepool (everyday)").Click())
			must(t, p.field("Name in the workspace").Fill("Harbour"))
			must(t, p.button("Rename").Click())
			must(t, check.Locator(p.heading(1, "Harbour")).ToBeVisible())

			w.demo.Servers()[0].RevokeToken(w.demo.Servers()[0].Token())
			must(t, p.button("Test now Harbour").Click())
			must(t, check.Locator(p.Locator(".chip")).ToHaveText("Sign in again"))
			p.says("has not accepted the account’s credential")
			p.accessible()
			p.fits()

			must(t, p.link("Sign in again to Harbour").Click())
			p.accessible()
			must(t, p.button("Connect").Click())
			p.atServer()
			must(t, p.button("Authorize").Click())
			p.says("Signed in. Its columns are read again.")
			must(t, check.Locator(p.Locator(".chip")).ToHaveText("Ready"))

			must(t, p.link("Disconnect Harbour").Click())
			must(t, check.Locator(p.link("Every morning › Home")).ToBeVisible())
			p.accessible()
			p.fits()
			must(t, p.button("Disconnect").Click())
			p.says("Disconnected. The server has revoked the token")
			must(t, check.Locator(p.GetByRole("article")).ToHaveCount(3))
		})
	}
}

func TestSigningInAgainAsSomebodyElse(t *testing.T) {
	w := start(t, options{demo: true})
	p := open(t, w, desktop, "/connections")
	p.expected = regexp.MustCompile("status of 409")
	must(t, p.link("Sign in again to Tidepool (everyday)").Click())
	must(t, p.button("Connect").Click())
	p.atServer()
	accounts := p.GetByRole("combobox")
	other, err := accounts.Locator("option:not([selected])").First().GetAttribute("value")
	must(t, err)
	_, err = accounts.SelectOption(playwright.SelectOptionValues{Values: &[]string{other}})
	must(t, err)

	must(t, p.button("Authorize").Click())

	must(t, check.Locator(p.GetByRole("alert")).ToContainText("nothing was changed"))
	p.accessible()
	p.visit("/connections")
	must(t, check.Locator(p.GetByRole("article").First()).ToContainText("@mira@tidepool.example"))
}
