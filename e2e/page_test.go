package e2e_test

import (
	"flag"
	"fmt"
	"net/url"
	"path/filepath"
	"regexp"
	"strings"
	"testing"
	"time"

	"github.com/mxschmitt/playwright-go"
)

// window is how a page is looked at.
type window struct {
	width, height int
	dark          bool
	noScript      bool
}

func (w window) String() string {
	s := fmt.Sprintf("%d-light", w.width)
	if w.dark {
		s = fmt.Sprintf("%d-dark", w.width)
	}
	if w.noScript {
		s += "-noscript"
	}
	return s
}

var (
	desktop = window{width: 1280, height: 800}
	phone   = window{width: 390, height: 844}
)

// fewLooks are those for pages that differ little.
func fewLooks() []window {
	return []window{
		desktop,
		{width: phone.width, height: phone.height, dark: true},
		{width: desktop.width, height: desktop.height, dark: true, noScript: true},
	}
}

// looks are all ways that a page is looked at.
func looks() []window {
	var out []window
	for _, w := range []window{desktop, phone} {
		for _, dark := range []bool{false, true} {
			for _, noScript := range []bool{false, true} {
				out = append(out, window{w.width, w.height, dark, noScript})
			}
		}
	}
	return out
}

// anyStatus is what the browser says about a page that is an error on purpose.
var anyStatus = regexp.MustCompile("status of [45]")

// patience is how long what must come may take, in milliseconds: a wait ends as
// soon as it is there, and a busy machine is slow.
const patience = 60_000

// check retries for a while, as a person who waits would.
var check = playwright.NewPlaywrightAssertions(patience)

// tab is one page of a browser. Whatever it logs as a warning or an error, and
// every request that fails, fails the test.
type tab struct {
	playwright.Page
	t    *testing.T
	w    *workspace
	look window
	base string
	// expected are statuses that the test causes on purpose.
	expected *regexp.Regexp
	// devtools is there once script was allowed on a page without.
	devtools playwright.CDPSession
}

// open opens a path of the workspace in a browser of its own.
func open(t *testing.T, w *workspace, look window, path string) *tab {
	t.Helper()
	p := newTab(t, w, look, nil)
	p.visit(path)
	return p
}

// newTab opens an empty page, with the state of another one's browser.
func newTab(t *testing.T, w *workspace, look window, state *playwright.OptionalStorageState) *tab {
	t.Helper()
	scheme := playwright.ColorSchemeLight
	if look.dark {
		scheme = playwright.ColorSchemeDark
	}
	ctx, err := w.browser.NewContext(playwright.BrowserNewContextOptions{
		Viewport:          &playwright.Size{Width: look.width, Height: look.height},
		ColorScheme:       scheme,
		ReducedMotion:     playwright.ReducedMotionReduce,
		JavaScriptEnabled: new(!look.noScript),
		HasTouch:          new(look.width < 640),
		StorageState:      state,
	})
	must(t, err)
	keep(t, ctx, look)
	page, err := ctx.NewPage()
	must(t, err)
	p := &tab{Page: page, t: t, w: w, look: look, base: w.url}
	p.listen()
	return p
}

// listening keeps the pointer away from a page until its script listens, and then
// says so. htmx looks at the page in a task of its own, which may come after the
// event that all is loaded.
const listening = `{
	const away = new CSSStyleSheet();
	away.replaceSync("html { pointer-events: none !important }");
	document.adoptedStyleSheets.push(away);
	const listens = () => {
		document.adoptedStyleSheets = document.adoptedStyleSheets.filter(sheet => sheet !== away);
		window.listens = true;
	};
	addEventListener("load", () => setTimeout(() => setTimeout(listens)));
}`

// keep closes the browser's window when the test ends, and keeps what it showed
// if the test failed. With -artifacts it keeps all that happened: recording that
// takes as long as the test itself, so it is not done otherwise.
func keep(t *testing.T, ctx playwright.BrowserContext, look window) {
	t.Helper()
	ctx.SetDefaultTimeout(patience)
	if !look.noScript {
		must(t, ctx.AddInitScript(playwright.Script{Content: new(listening)}))
	}
	tracing := flag.Lookup("test.artifacts").Value.String() == "true"
	if tracing {
		must(t, ctx.Tracing().Start(playwright.TracingStartOptions{Snapshots: new(true)}))
	}
	t.Cleanup(func() {
		if tracing {
			path := filepath.Join(t.ArtifactDir(), "trace.zip")
			t.Logf("trace: %s", path)
			if err := ctx.Tracing().Stop(path); err != nil {
				t.Errorf("stop the trace: %v", err)
			}
		} else if t.Failed() {
			describe(t, ctx)
		}
		if err := ctx.Close(); err != nil {
			t.Errorf("close the browser's window: %v", err)
		}
	})
}

// describe logs where each page is and what a screen reader has of it.
func describe(t *testing.T, ctx playwright.BrowserContext) {
	t.Helper()
	for _, page := range ctx.Pages() {
		text, err := page.Locator("body").AriaSnapshot(playwright.LocatorAriaSnapshotOptions{Timeout: new(2000.)})
		t.Logf("%s (run with -artifacts for a trace)\n%.1500s\n%v", page.URL(), text, err)
	}
}

func (p *tab) listen() {
	p.OnConsole(func(m playwright.ConsoleMessage) {
		if m.Type() != "error" && m.Type() != "warning" {
			return
		}
		if p.expected != nil && p.expected.MatchString(m.Text()) {
			return
		}
		p.t.Errorf("console %s: %s", m.Type(), m.Text())
	})
	p.OnPageError(func(err error) { p.t.Errorf("error on the page: %v", err) })
	p.OnRequestFailed(func(r playwright.Request) {
		// A page that is left lets go of what it still waited for.
		if failure := r.Failure(); failure != nil && !strings.Contains(failure.Error(), "ERR_ABORTED") {
			p.t.Errorf("request failed: %s: %v", r.URL(), failure)
		}
	})
}

func (p *tab) visit(path string) {
	p.t.Helper()
	_, err := p.Goto(p.base + path)
	must(p.t, err)
	p.listens()
}

// reload loads the page again.
func (p *tab) reload() {
	p.t.Helper()
	_, err := p.Reload()
	must(p.t, err)
	p.listens()
}

// listens waits until the page's script listens to keys, links and buttons.
func (p *tab) listens() {
	p.t.Helper()
	if p.look.noScript {
		must(p.t, p.WaitForLoadState())
		return
	}
	_, err := p.WaitForFunction("() => window.listens", nil)
	must(p.t, err)
}

// path is where the page is, below the base path.
func (p *tab) path() string {
	p.t.Helper()
	u, err := url.Parse(p.URL())
	must(p.t, err)
	base, err := url.Parse(p.base)
	must(p.t, err)
	return strings.TrimPrefix(u.Path, base.Path)
}

// button, link, heading and field find things by what they are called.
func (p *tab) button(name string) playwright.Locator {
	return p.GetByRole("button", playwright.PageGetByRoleOptions{Name: name, Exact: new(true)})
}

func (p *tab) link(name string) playwright.Locator {
	return p.GetByRole("link", playwright.PageGetByRoleOptions{Name: name, Exact: new(true)})
}

func (p *tab) heading(level int, name string) playwright.Locator {
	return p.GetByRole("heading", playwright.PageGetByRoleOptions{Name: name, Level: &level, Exact: new(true)})
}

func (p *tab) field(label string) playwright.Locator {
	return p.GetByLabel(label, playwright.PageGetByLabelOptions{Exact: new(true)})
}

// column is a column by its name.
func (p *tab) column(name string) playwright.Locator {
	return p.GetByRole("region", playwright.PageGetByRoleOptions{Name: name, Exact: new(true)})
}

// settled waits until no column asks for news any more; on a phone those out of
// reach do not ask. Links in what came are the script's only once it has looked at
// them: until then they lead to the pages that there are without.
func (p *tab) settled() {
	p.t.Helper()
	must(p.t, check.Locator(p.Locator(".column:not([data-far]) > .loader[hx-get]")).ToHaveCount(0))
	must(p.t, check.Locator(p.Locator(".column:not([data-far]) .state-busy")).ToHaveCount(0))
	must(p.t, check.Locator(p.Locator(".column:not([data-far]) [hx-get]:not([data-htmx-powered])")).ToHaveCount(0))
}

// accessible runs axe over the page, with all rules that a page can be held to.
// Boxes that the browser skips while they are out of view overlap and have no
// colours for axe, so that is switched off first. What is scrolled half under a
// phone's navigation is not too small a target: it can be scrolled out of it. Nor
// is what lies below an open menu, which can be closed.
//
// The checker itself is script: on a page without script, it alone may run.
func (p *tab) accessible() {
	p.t.Helper()
	if p.look.noScript {
		defer p.allowScript()()
	}
	there, err := p.Evaluate(`"axe" in window`)
	must(p.t, err)
	if there == false {
		_, err := p.Evaluate(axe + `;
			const sheet = new CSSStyleSheet();
			sheet.replaceSync("* { content-visibility: visible !important }");
			document.adoptedStyleSheets.push(sheet);
			0`)
		must(p.t, err)
	}
	got, err := p.Evaluate(`async () => {
		const r = await axe.run(document, {runOnly: ["wcag2a", "wcag2aa", "wcag21a", "wcag21aa", "wcag22aa", "best-practice"], resultTypes: ["violations"]});
		if (r.passes.length < 10) return ["axe looked at nothing"];
		const fixed = target => document.querySelector(target)?.closest(".strip, .menu[open]");
		const scrolledUnder = n => !fixed(n.target[0]) && [...n.any, ...n.all, ...n.none].some(c => c.relatedNodes.some(r => fixed(r.target[0])));
		const inFront = n => {
			const link = fixed(n.target[0]) && document.querySelector(n.target[0]);
			const r = link?.getBoundingClientRect();
			const at = [0.1, 0.5, 0.9];
			return r && r.width >= 24 && r.height >= 24 && at.every(x => at.every(y => link.contains(document.elementFromPoint(r.left + r.width * x, r.top + r.height * y))));
		};
		for (const v of r.violations) if (v.id === "target-size") v.nodes = v.nodes.filter(n => !scrolledUnder(n) && !inFront(n));
		return r.violations.filter(v => v.nodes.length > 0).map(v => v.id + " (" + v.impact + "): " + v.help + "\n" +
			v.nodes.slice(0, 5).map(n => "  " + n.target.join(" ") + "\n  " + n.html.slice(0, 200) + "\n  " + n.failureSummary.replaceAll("\n", " ")).join("\n"));
	}`)
	must(p.t, err)
	found, ok := got.([]any)
	if !ok {
		p.t.Fatalf("axe answered %v", got)
	}
	for _, v := range found {
		p.t.Errorf("accessibility: %v", v)
	}
}

// allowScript lets script run on a page that was loaded without, until the
// function is called that it returns. That of the page itself stays out.
func (p *tab) allowScript() (forbid func()) {
	p.t.Helper()
	if p.devtools == nil {
		var err error
		p.devtools, err = p.Context().NewCDPSession(p.Page)
		must(p.t, err)
		p.forbidScript(true) // to be able to take it back
	}
	p.forbidScript(false)
	return func() {
		p.t.Helper()
		p.forbidScript(true)
	}
}

func (p *tab) forbidScript(is bool) {
	p.t.Helper()
	_, err := p.devtools.Send("Emulation.setScriptExecutionDisabled", map[string]any{"value": is})
	must(p.t, err)
}

// shot keeps a picture of the page.
func (p *tab) shot(path string) {
	p.t.Helper()
	_, err := p.Screenshot(playwright.PageScreenshotOptions{Path: &path})
	must(p.t, err)
}

func must(t *testing.T, err error) {
	t.Helper()
	if err != nil {
		t.Fatal(err)
	}
}

// refreshUntil presses Refresh for as long as an element does not say what it
// should. A page without script does not change by itself, and the server answers
// it after four seconds with or without the news.
func (p *tab) refreshUntil(l playwright.Locator, want *regexp.Regexp) {
	p.t.Helper()
	for begun := time.Now(); ; {
		text, err := l.InnerText()
		must(p.t, err)
		if want.MatchString(text) {
			return
		}
		if time.Since(begun) > patience*time.Millisecond {
			p.t.Fatalf("it says %q however often Refresh is pressed, want %s", text, want)
		}
		_, err = p.ExpectEvent("load", func() error { return p.button("Refresh").Click() })
		must(p.t, err)
	}
}
