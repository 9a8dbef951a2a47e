package e2e_test

import (
	"testing"
	"time"

	"github.com/mxschmitt/playwright-go"

	"personal-workspace/activities"
)

func TestMessagesLooks(t *testing.T) {
	w := start(t, options{demo: true})
	// A tall one has nothing below the navigation, which the checker takes for in
	// front of it.
	for _, look := range append(looks(), window{width: 320, height: 1200}) {
		t.Run(look.String(), func(t *testing.T) {
			p := open(t, w, look, "/messages")
			must(t, check.Locator(p.heading(2, "Needs reply")).ToBeVisible())
			p.accessible()
			p.fits()
			must(t, p.link("Darkroom on Wednesday").Click())
			must(t, check.Locator(p.heading(2, "Darkroom on Wednesday")).ToBeVisible())
			must(t, check.Locator(p.GetByText("Excerpts, not the full conversation")).ToBeVisible())
			p.accessible()
			p.fits()
		})
	}
}

func TestMessagesByKeyboardAlone(t *testing.T) {
	w := start(t, options{demo: true})
	p := open(t, w, desktop, "/")
	p.press("g", "m")
	must(t, check.Locator(p.heading(2, "Tilde about the bread")).ToBeVisible())
	p.press("j", "j", "o")
	must(t, check.Locator(p.heading(2, "Darkroom on Wednesday")).ToBeVisible())
	p.press("i")
	must(t, p.field("Text of the reply").Fill("In my words"))
	p.press("ControlOrMeta+Enter")
	card := p.card("Answer Sam about the darkroom on Wednesday")
	must(t, check.Locator(card).ToBeFocused())
	must(t, check.Locator(card).ToContainText("In my words"))
	p.press("a")
	must(t, check.Locator(card).ToContainText("Accepted"))
	p.press("e")
	must(t, check.Locator(p.decidedLine("Answer Sam")).ToContainText("Done"))
	must(t, check.Locator(p.link("Darkroom on Wednesday")).ToHaveCount(0))
	p.press("z")
	must(t, check.Locator(card).ToBeFocused())
	must(t, check.Locator(p.link("Darkroom on Wednesday")).ToBeVisible())
}

// TestMessagesOnePageAfterTheOther answers on a phone, with script and without.
func TestMessagesOnePageAfterTheOther(t *testing.T) {
	w := start(t, options{demo: true})
	for _, look := range []window{phone, {width: 320, height: 700, noScript: true}} {
		t.Run(look.String(), func(t *testing.T) {
			p := open(t, w, look, "/")
			must(t, p.GetByRole("navigation", playwright.PageGetByRoleOptions{Name: "Workspace"}).GetByText("Messages").Click())
			card := p.card("Tell Tilde which loaf to keep")
			must(t, check.Locator(card).ToBeHidden())
			must(t, p.link("Tilde about the bread").Click())
			must(t, check.Locator(p.link("Darkroom on Wednesday")).ToBeHidden())
			must(t, inCard(card, "Dismiss").Click())
			must(t, check.Locator(p.decidedLine("Tell Tilde")).ToContainText("Dismissed"))
			must(t, p.button("Undo: Tell Tilde which loaf to keep").Click())
			must(t, check.Locator(card).ToBeVisible())
			must(t, p.link("Back to the list").Click())
			must(t, check.Locator(p.link("Darkroom on Wednesday")).ToBeVisible())
		})
	}
}

func TestNewsReachesOpenMessages(t *testing.T) {
	w := start(t, options{demo: true})
	for _, look := range []window{desktop, phone} {
		t.Run(look.String(), func(t *testing.T) {
			p := open(t, w, look, "/messages")
			p.live()
			title := "News at " + look.String()

			w.propose(t, activities.Proposal{Kind: activities.KindReply, Title: "Answer", Body: "Yes.", Source: &activities.Source{
				ConversationKey: title, ConversationTitle: title, Network: "mastodon",
				Excerpts: []activities.Excerpt{{Text: "Are you there?", Author: "Ana Lima", At: new(time.Now())}},
			}})

			must(t, check.Locator(p.link(title)).ToBeVisible(playwright.LocatorAssertionsToBeVisibleOptions{Timeout: new(1000.)}))
			must(t, check.Locator(p.heading(2, title)).ToHaveCount(0))
		})
	}
}
