package e2e_test

import (
	"fmt"
	"regexp"
	"testing"

	"github.com/mxschmitt/playwright-go"

	"personal-workspace/sns/snstest"
)

// toTheEnd scrolls a column as far down as it goes.
func (p *tab) toTheEnd(column string) {
	p.t.Helper()
	_, err := p.column(column).Locator(".scroller").Evaluate("s => s.scrollTop = s.scrollHeight", nil)
	must(p.t, err)
}

// older presses "Older posts" of a column where the link stands. A pointer would
// scroll to it, and then the posts may come by themselves and take it away.
func (p *tab) older(column string) {
	p.t.Helper()
	link := p.column(column).GetByRole("link", playwright.LocatorGetByRoleOptions{Name: "Older posts"})
	if !p.look.noScript { // one that has just come leads to another page until the script has looked at it
		link = link.And(p.Locator("[data-htmx-powered]"))
	}
	must(p.t, link.DispatchEvent("click", nil))
}

// holdOlder keeps older posts back until come is called for each part of them.
func (p *tab) holdOlder() (come func()) {
	p.t.Helper()
	turn := make(chan struct{})
	must(p.t, p.Route(regexp.MustCompile(`/columns/[^?]*\?.*(cursor|after|before)=`), func(r playwright.Route) {
		go func() {
			<-turn
			if err := r.Continue(); err != nil {
				p.t.Errorf("let the page ask: %v", err)
			}
		}()
	}))
	return func() { turn <- struct{}{} }
}

func TestOlderPostsComeByThemselvesAndTheNewestGo(t *testing.T) {
	w := start(t, options{demo: true})
	for i := range 150 {
		w.demo.Servers()[0].Add(snstest.Status{Text: fmt.Sprintf("News %d", i+1)})
	}
	w.refreshHome(t)
	p := open(t, w, desktop, w.deck(t))
	p.live()
	column := p.column("Home")
	posts := column.Locator("article.post")
	newest := column.GetByRole("link", playwright.LocatorGetByRoleOptions{Name: "Newest posts"})

	// They come once the reader stands at the end, and what stands there must stay.
	come := p.holdOlder()
	for i := 2; i <= 6; i++ {
		must(t, check.Locator(newest).ToHaveCount(0))
		p.toTheEnd("Home")
		p.drawn()
		before := p.places("Home")
		come()
		must(t, check.Locator(posts.Nth(min(i*20, 100)-1)).ToBeAttached())
		if i == 6 {
			must(t, check.Locator(newest).ToBeAttached())
		}
		p.unmoved("Home", before)
	}
	n, err := posts.Count()
	must(t, err)
	if n > 100 {
		t.Errorf("the column has %d posts, want at most 100", n)
	}
	must(t, check.Locator(posts.First()).Not().ToContainText("News 150"))

	// What is new is counted, and pressing that begins at the newest again.
	w.news(t, 2)
	held := column.GetByRole("button", playwright.LocatorGetByRoleOptions{Name: "2 new posts"})
	must(t, held.Click())
	must(t, check.Locator(posts).ToHaveCount(20))
	must(t, check.Locator(posts.First()).ToContainText("News 2"))
	must(t, check.Locator(posts.First()).ToBeInViewport())
}

// lateNews lets two posts come in the column Home, and keeps back what the
// workspace says to the page's question about them until release is called.
func (p *tab) lateNews() (release func()) {
	p.t.Helper()
	answered, late := make(chan struct{}, 10), make(chan struct{})
	must(p.t, p.Route(regexp.MustCompile("/columns/"+p.w.firstDeck(p.t).Columns[0].ID+`\?news=1`), func(r playwright.Route) {
		go func() {
			answer, err := r.Fetch()
			if err != nil {
				p.t.Errorf("ask the workspace: %v", err)
			}
			answered <- struct{}{}
			<-late
			if err := r.Fulfill(playwright.RouteFulfillOptions{Response: answer}); err != nil {
				p.t.Errorf("hand the answer over: %v", err)
			}
		}()
	}))
	p.w.news(p.t, 2)
	<-answered
	return func() { close(late) }
}

// TestLateAnswerUndoesNothing changes a column while the page asks for what is new
// in it: that answer knows nothing of the change.
func TestLateAnswerUndoesNothing(t *testing.T) {
	for name, c := range map[string]struct{ do, check func(p *tab) }{
		"older posts": {
			do: func(p *tab) {
				p.older("Home")
				must(p.t, check.Locator(p.column("Home").GetByRole("article")).ToHaveCount(40))
				must(p.t, p.column("Home").GetByRole("article").First().Hover()) // it is read
			},
			check: func(p *tab) { must(p.t, check.Locator(p.column("Home").GetByRole("article")).ToHaveCount(40)) },
		},
		"another name": {
			do: func(p *tab) {
				must(p.t, p.summary("Home").Click())
				field := p.Locator("details.menu[open]").GetByLabel("Name of the column")
				must(p.t, field.Fill("Hearth"))
				must(p.t, field.Press("Enter"))
				must(p.t, check.Locator(p.column("Hearth")).ToBeVisible())
				must(p.t, p.column("Hearth").GetByRole("article").First().Hover()) // it is read
			},
			check: func(p *tab) { must(p.t, check.Locator(p.column("Hearth")).ToBeVisible()) },
		},
	} {
		t.Run(name, func(t *testing.T) {
			w := start(t, options{demo: true})
			p := open(t, w, desktop, w.deck(t))
			p.live()
			release := p.lateNews()
			c.do(p)

			release()

			must(t, check.Locator(p.button("2 new posts")).ToBeVisible())
			c.check(p)
		})
	}
}

func TestOlderPostsByKeyboard(t *testing.T) {
	w := start(t, options{demo: true})
	p := open(t, w, desktop, w.deck(t))
	p.live()
	column := p.column("Home")
	older := column.GetByRole("link", playwright.LocatorGetByRoleOptions{Name: "Older posts"})
	must(t, older.Focus())

	must(t, older.Press("Enter"))

	must(t, check.Locator(column.Locator("article.post").Nth(20)).ToBeFocused())
	must(t, check.Locator(p.Locator("#announcer")).ToHaveText(regexp.MustCompile(`^\d+ older posts?$`)))
}
