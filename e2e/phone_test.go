package e2e_test

import (
	"maps"
	"regexp"
	"slices"
	"sync"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"
	"github.com/mxschmitt/playwright-go"
)

// asked collects the columns that ask for news, by their place on the page.
func (p *tab) asked() func() []int {
	p.t.Helper()
	id := regexp.MustCompile(`/columns/(col_[a-z0-9]+)\?`)
	var mu sync.Mutex
	seen := map[string]bool{}
	p.OnRequest(func(r playwright.Request) {
		if m := id.FindStringSubmatch(r.URL()); m != nil {
			mu.Lock()
			defer mu.Unlock()
			seen["column-"+m[1]] = true
		}
	})
	return func() []int {
		order, err := p.Evaluate(`() => [...document.querySelectorAll("[data-columns] > .column")].map(c => c.id)`)
		must(p.t, err)
		mu.Lock()
		defer mu.Unlock()
		places := map[int]bool{}
		for i, id := range order.([]any) {
			if seen[id.(string)] {
				places[i+1] = true
			}
		}
		return slices.Sorted(maps.Keys(places))
	}
}

// TestPhoneAsksForTheColumnsInReach opens an old deck: the column in view and
// its neighbours ask for news, the others once they come near.
func TestPhoneAsksForTheColumnsInReach(t *testing.T) {
	w := start(t, options{demo: true})
	w.pass(2 * time.Minute)
	p := newTab(t, w, phone, nil)
	asked := p.asked()
	p.visit(w.deck(t))
	far := p.Locator(".column[data-far]")
	must(t, check.Locator(far).ToHaveCount(4))
	p.settled()
	if diff := cmp.Diff([]int{1, 2}, asked()); diff != "" {
		t.Fatalf("the columns that ask differ (-want +got):\n%s", diff)
	}

	tabs := p.GetByRole("navigation", playwright.PageGetByRoleOptions{Name: "Columns"})
	must(t, tabs.GetByRole("link", playwright.LocatorGetByRoleOptions{Name: "夕凪"}).Click())

	must(t, check.Locator(p.column("夕凪")).ToBeInViewport(playwright.LocatorAssertionsToBeInViewportOptions{Ratio: new(0.9)}))
	must(t, check.Locator(far).ToHaveCount(1))
	p.settled()
	must(t, check.Locator(p.column("夕凪").Locator(".state")).Not().ToContainText("Loading"))
	if diff := cmp.Diff([]int{1, 2, 4, 5, 6}, asked()); diff != "" {
		t.Errorf("the columns that ask differ (-want +got):\n%s", diff)
	}
	must(t, check.Page(p).ToHaveURL(regexp.MustCompile(`#column-col_[a-z0-9]+$`)))
}
