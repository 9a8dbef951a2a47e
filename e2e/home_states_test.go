package e2e_test

import (
	"testing"

	"github.com/mxschmitt/playwright-go"

	"personal-workspace/activities"
	"personal-workspace/internal/ledger"
)

// homeLooks are those in which every state of Home is looked at.
var homeLooks = []window{desktop, {width: phone.width, height: phone.height, dark: true}, {width: 320, height: 700}}

// fine checks that a state of a page can be used by everybody, and fits.
func (p *tab) fine(state string) {
	p.t.Helper()
	p.t.Log(state)
	p.accessible()
	p.fits()
}

func TestEveryStateOfHomeIsAccessible(t *testing.T) {
	for _, look := range homeLooks {
		t.Run(look.String(), func(t *testing.T) {
			w := start(t, options{demo: true})
			p := open(t, w, look, "/")
			p.live()
			card := p.card("Tell Tilde which loaf to keep")
			must(t, check.Locator(card).ToBeVisible())
			p.fine("groups")

			must(t, p.Locator(".filter > summary").Click())
			must(t, check.Locator(p.field("Kind")).ToBeVisible())
			p.fine("the filter is open")
			p.press("Escape")

			must(t, card.Locator("[data-verb=snooze]").Click())
			must(t, check.Locator(card.GetByLabel("At another time").First()).ToBeVisible())
			p.fine("the snooze menu is open")
			p.press("Escape")

			must(t, card.Locator(".more > summary").Click())
			must(t, check.Locator(card.GetByLabel("Dismiss and say why (assistants are told)")).ToBeVisible())
			p.fine("the menu with more is open")
			p.press("Escape")

			must(t, card.GetByRole("link", playwright.LocatorGetByRoleOptions{Name: "Edit", Exact: new(true)}).Click())
			must(t, check.Locator(p.field("Text of the reply")).ToBeFocused())
			p.fine("a card is edited")
			p.press("Escape")
			must(t, check.Locator(card).ToContainText("Suggested reply"))

			must(t, p.field("Select Return the chart book to the library").Check())
			must(t, p.button("Select all").Click())
			must(t, check.Locator(p.Locator("#batch")).ToContainText("8 selected"))
			p.fine("all are selected")
			must(t, p.Locator("#batch").GetByRole("button", playwright.LocatorGetByRoleOptions{Name: "Dismiss"}).Click())
			must(t, check.Locator(p.Locator(".batch-line")).ToBeFocused())
			must(t, check.Locator(p.Locator(".batch-line")).ToContainText("8 dismissed"))
			p.fine("all are decided")
			must(t, p.button("Undo: 8 dismissed").Click())
			must(t, check.Locator(p.card("Bring the lamp to the repair café")).ToBeFocused())
			must(t, check.Locator(p.Locator("[data-activity]")).ToHaveCount(8))

			must(t, inCard(card, "Dismiss").Click())
			must(t, check.Locator(p.decidedLine("Tell Tilde")).ToContainText("Dismissed"))
			p.fine("a line about a decision")

			p.visit("/?focus=1")
			must(t, check.Locator(p.GetByText("1 of 7")).ToBeVisible())
			p.fine("one at a time")
		})
	}
}

func TestHomeWithoutProposalsIsAccessible(t *testing.T) {
	for _, look := range homeLooks {
		t.Run(look.String(), func(t *testing.T) {
			w := start(t, options{})
			p := open(t, w, look, "/")
			must(t, check.Locator(p.heading(2, "This is what it looks like")).ToBeVisible())
			p.fine("first run")
			must(t, p.button("Dismiss").Click())
			must(t, check.Locator(p.heading(2, "This is what it looks like")).ToHaveCount(0))
			must(t, check.Locator(p.heading(2, "Nothing is proposed yet")).ToBeVisible())

			r := w.propose(t, tasks("One")...)
			ctx := ledger.WithActor(t.Context(), ledger.Actor{Kind: ledger.Person, ID: "e2e"})
			_, err := w.app.Activities.Decide(ctx, activities.Decide{IDs: []string{r.Activities[0].ID}, Verb: activities.VerbDone})
			must(t, err)
			p.visit("/")
			must(t, check.Locator(p.GetByText("Nothing needs you.")).ToBeVisible())
			p.fine("empty")
			p.visit("/?focus=1")
			must(t, check.Locator(p.GetByText("Nothing needs you.")).ToBeVisible())
			p.fine("nothing to see one at a time")
		})
	}
}

// TestEditConflictIsAccessible saves a text that was changed elsewhere meanwhile.
func TestEditConflictIsAccessible(t *testing.T) {
	for _, look := range homeLooks {
		t.Run(look.String(), func(t *testing.T) {
			w := start(t, options{demo: true})
			w.propose(t, activities.Proposal{ID: "ana", Kind: activities.KindReply, Title: "Answer Ana", Body: "I come at four.", Priority: activities.PriorityHigh})
			p := open(t, w, look, "/")
			p.live()
			must(t, p.card("Answer Ana").GetByRole("link", playwright.LocatorGetByRoleOptions{Name: "Edit", Exact: new(true)}).Click())
			must(t, p.field("Text of the reply").Fill("I come at five."))
			ctx := ledger.WithActor(t.Context(), ledger.Actor{Kind: ledger.Person, ID: "e2e"})
			_, err := w.app.Activities.Edit(ctx, activities.Edit{ID: "ana", Body: new("I come at six.")})
			must(t, err)
			p.expected = anyStatus

			must(t, p.button("Save").Click())

			must(t, check.Locator(p.GetByText("changed elsewhere meanwhile").First()).ToBeVisible())
			must(t, check.Locator(p.field("Text of the reply")).ToHaveValue("I come at five."))
			p.fine("an edit that meets another")
		})
	}
}
