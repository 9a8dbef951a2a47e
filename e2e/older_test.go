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

	for i := 2; i <= 5; i++ {
		p.toTheEnd("Home")
		must(t, check.Locator(posts.Nth(i*20-1)).ToBeAttached())
	}
	must(t, check.Locator(newest).ToHaveCount(0))
	p.toTheEnd("Home")
	before := p.places("Home")

	must(t, check.Locator(newest).ToBeAttached())
	p.unmoved("Home", before)
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

// TestOlderPostsStayWhenNewsIsLate presses "Older posts" while the page asks for
// what is new: that answer knows nothing of the older ones.
func TestOlderPostsStayWhenNewsIsLate(t *testing.T) {
	w := start(t, options{demo: true})
	p := open(t, w, desktop, w.deck(t))
	p.live()
	column := p.column("Home")
	asked, release := make(chan struct{}, 10), make(chan struct{})
	must(t, p.Route(regexp.MustCompile("/columns/"+w.firstDeck(t).Columns[0].ID+`\?news=1`), func(r playwright.Route) {
		go func() {
			asked <- struct{}{}
			<-release
			if err := r.Continue(); err != nil {
				t.Errorf("go on with the request: %v", err)
			}
		}()
	}))
	w.news(t, 2)
	<-asked
	must(t, column.GetByRole("link", playwright.LocatorGetByRoleOptions{Name: "Older posts"}).Click())
	must(t, check.Locator(column.GetByRole("article")).ToHaveCount(40))

	close(release)

	must(t, check.Locator(column.GetByRole("button", playwright.LocatorGetByRoleOptions{Name: "2 new posts"})).ToBeVisible())
	must(t, check.Locator(column.GetByRole("article")).ToHaveCount(40))
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
