package e2e_test

import (
	"regexp"
	"strings"
	"testing"

	"github.com/mxschmitt/playwright-go"
)

// widths are the narrowest and the widest window that pages are made for.
func widths() []window {
	return []window{{width: 320, height: 640}, {width: 1920, height: 1080, dark: true}, {width: 1280, height: 800, noScript: true}}
}

// elsewhere is the workspace under another name than its servers, so that the
// way to them and back crosses sites as it does in earnest.
func (w *workspace) elsewhere() { w.url = strings.Replace(w.url, "127.0.0.1", "localhost", 1) }

// server is one of the sample servers.
func (w *workspace) server() string { return w.demo.Origins()[0] }

// connectTo fills the form that adds an account.
func (p *tab) connectTo(origin, way string) {
	p.t.Helper()
	p.visit("/connections/new")
	must(p.t, p.field("Server address").Fill(origin))
	must(p.t, p.GetByRole("radio", playwright.PageGetByRoleOptions{Name: way}).Check())
}

// goOn follows the page between, which does so by itself where script runs.
func (p *tab) goOn() {
	p.t.Helper()
	if p.look.noScript {
		must(p.t, p.GetByRole("link", playwright.PageGetByRoleOptions{Name: "Continue to"}).Click())
	}
	must(p.t, check.Locator(p.heading(1, "Authorize")).ToBeVisible())
}

func TestConnectBySigningIn(t *testing.T) {
	for _, look := range widths() {
		t.Run(look.String(), func(t *testing.T) {
			w := start(t, options{servers: true})
			w.elsewhere()
			p := open(t, w, look, "/")
			must(t, p.link("Connect an account").Click())
			p.accessible()
			must(t, p.field("Server address").Fill(w.server()))
			must(t, p.button("Connect").Click())
			p.goOn()

			must(t, p.button("Authorize").Click())

			must(t, check.Locator(p.GetByText("Connected. The next step is a deck that shows it.")).ToBeVisible())
			must(t, check.Locator(p.GetByText("Can read; cannot post")).ToBeVisible())
			must(t, check.Locator(p.link("Make a deck")).ToHaveAttribute("href", regexp.MustCompile(`/decks/new\?connection=conn_`)))
			p.accessible()
			if strings.Contains(p.URL(), "code=") || strings.Contains(p.URL(), "state=") {
				t.Errorf("the address still has the code: %s", p.URL())
			}
		})
	}
}
