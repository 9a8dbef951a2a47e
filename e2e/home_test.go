package e2e_test

import (
	"fmt"
	"regexp"
	"strings"
	"testing"

	"github.com/mxschmitt/playwright-go"

	"personal-workspace/activities"
	"personal-workspace/internal/ledger"
)

// card is the card or the form of an activity by its title.
func (p *tab) card(title string) playwright.Locator {
	return p.GetByRole("article", playwright.PageGetByRoleOptions{Name: title, Exact: new(true)})
}

// inCard is a button of a card.
func inCard(card playwright.Locator, button string) playwright.Locator {
	return card.GetByRole("button", playwright.LocatorGetByRoleOptions{Name: button, Exact: new(true)})
}

// decidedLine is the line in the place of a card.
func (p *tab) decidedLine(title string) playwright.Locator {
	return p.Locator(".decided", playwright.PageLocatorOptions{HasText: title})
}

func TestHomeLooks(t *testing.T) {
	w := start(t, options{demo: true})
	for _, look := range append(fewLooks(), window{width: 320, height: 700}) {
		t.Run(look.String(), func(t *testing.T) {
			p := open(t, w, look, "/")
			must(t, check.Locator(p.heading(2, "Overdue 1")).ToBeVisible())
			p.accessible()
			p.fits()
			must(t, p.link("Tell Tilde which loaf to keep").Click())
			must(t, check.Locator(p.heading(1, "Tell Tilde which loaf to keep")).ToBeVisible())
			p.accessible()
			p.fits()
			must(t, p.link("Edit").Click())
			must(t, check.Locator(p.field("Text of the reply")).ToBeVisible())
			p.accessible()
			p.fits()
			p.visit("/?focus=1")
			must(t, check.Locator(p.GetByText("1 of 8")).ToBeVisible())
			p.accessible()
			p.fits()
		})
	}
}

func TestTriageByKeyboardAlone(t *testing.T) {
	for _, look := range []window{desktop, phone} {
		t.Run(look.String(), func(t *testing.T) {
			w := start(t, options{demo: true})
			w.propose(t, tasks("Nine", "Ten")...)
			open(t, w, look, "/").triageByKeys()
		})
	}
}

// triageByKeys decides about ten cards and takes two decisions back.
func (p *tab) triageByKeys() {
	p.t.Helper()
	p.press("j")
	must(p.t, check.Locator(p.card("Bring the lamp to the repair café")).ToBeFocused())
	p.press("e")
	must(p.t, check.Locator(p.decidedLine("Bring the lamp")).ToContainText("Done"))
	must(p.t, check.Locator(p.heading(2, "Overdue 0")).ToBeVisible())
	must(p.t, check.Locator(p.card("Buy the ferry ticket to Skarn")).ToBeFocused())
	p.press("h", "1")
	must(p.t, check.Locator(p.decidedLine("Buy the ferry")).ToContainText("Snoozed until"))
	for left := 7; left > 0; left-- {
		p.press("#")
		must(p.t, check.Locator(p.Locator("[data-activity]")).ToHaveCount(left))
		must(p.t, check.Locator(p.Locator("[data-newest-row]")).ToContainText("Dismissed"))
		must(p.t, check.Locator(p.Locator("article:focus, #home-title:focus")).ToHaveCount(1))
	}
	p.press("a")
	must(p.t, check.Locator(p.Locator("[data-newest-row]")).ToContainText("Accepted"))
	must(p.t, check.Locator(p.Locator("[data-activity]")).ToHaveCount(0))

	p.press("z")
	must(p.t, check.Locator(p.Locator("[data-activity]")).ToHaveCount(1))
	p.reload()
	must(p.t, check.Locator(p.Locator("[data-activity]")).ToHaveCount(1))
	p.press("z")
	must(p.t, check.Locator(p.Locator("[data-activity]")).ToHaveCount(2))
}

// tasks are ordinary ones with these titles.
func tasks(titles ...string) (list []activities.Proposal) {
	for _, title := range titles {
		list = append(list, activities.Proposal{Kind: activities.KindTask, Title: title, Priority: activities.PriorityLow})
	}
	return list
}

func TestTriageWithoutScript(t *testing.T) {
	for _, look := range []window{desktop, phone} {
		look.noScript = true
		t.Run(look.String(), func(t *testing.T) {
			w := start(t, options{demo: true})
			w.propose(t, tasks("Nine", "Ten")...)
			open(t, w, look, "/").triageByForms()
		})
	}
}

// triageByForms decides about ten cards, one by one and several at once, and
// takes decisions back.
func (p *tab) triageByForms() {
	p.t.Helper()
	must(p.t, inCard(p.card("Bring the lamp to the repair café"), "Done").Click())
	must(p.t, check.Locator(p.decidedLine("Bring the lamp")).ToContainText("Done"))
	must(p.t, check.Locator(p.card("Buy the ferry ticket to Skarn")).ToBeFocused())
	ferry := p.card("Buy the ferry ticket to Skarn")
	must(p.t, ferry.Locator(".snooze > summary").Click())
	must(p.t, ferry.GetByRole("button", playwright.LocatorGetByRoleOptions{Name: "In 1 week"}).Click())
	must(p.t, check.Locator(p.decidedLine("Buy the ferry")).ToContainText("Snoozed until"))
	for _, title := range []string{"Tell Tilde which loaf to keep", "Read Bea’s thread about the island that is on no other map"} {
		must(p.t, inCard(p.card(title), "Dismiss").Click())
		must(p.t, check.Locator(p.decidedLine(title)).ToContainText("Dismissed"))
	}
	must(p.t, p.button("Undo: Tell Tilde which loaf to keep").Click())
	must(p.t, check.Locator(p.card("Tell Tilde which loaf to keep")).ToBeVisible())
	must(p.t, p.field("Select Pick up the secateurs from Joon’s beans").Check())
	must(p.t, p.field("Select Return the chart book to the library").Check())
	must(p.t, p.Locator("#batch").GetByRole("button", playwright.LocatorGetByRoleOptions{Name: "Done"}).Click())
	must(p.t, check.Locator(p.Locator(".batch-line")).ToContainText("2 done"))
	must(p.t, p.button("Undo: 2 done").Click())
	must(p.t, check.Locator(p.card("Return the chart book to the library")).ToBeFocused())
	must(p.t, check.Locator(p.card("Pick up the secateurs from Joon’s beans")).ToBeVisible())
	for left := 7; left > 0; left-- {
		must(p.t, check.Locator(p.Locator("[data-activity]")).ToHaveCount(left))
		must(p.t, inCard(p.Locator("[data-activity]").First(), "Dismiss").Click())
	}
	must(p.t, check.Locator(p.Locator("[data-activity]")).ToHaveCount(0))
	p.visit("/")
	must(p.t, check.Locator(p.GetByText("Nothing needs you.")).ToBeVisible())
}

func TestReplyIsCopiedAndOpenedAtItsSource(t *testing.T) {
	w := start(t, options{demo: true})
	p := open(t, w, desktop, "/")
	must(t, p.Context().GrantPermissions([]string{"clipboard-read", "clipboard-write"}))
	card := p.card("Tell Tilde which loaf to keep")
	must(t, inCard(card, "I will send this").Click())
	must(t, check.Locator(card).ToContainText("Accepted"))
	must(t, check.Locator(p.Locator("#announcer")).ToHaveText("Accepted"))

	other, err := p.Context().ExpectPage(func() error { return inCard(card, "Copy text and open at source").Click() })
	must(t, err)

	must(t, check.Locator(other.GetByRole("heading", playwright.PageGetByRoleOptions{Name: "Tilde Østby"}).First()).ToBeVisible())
	must(t, other.Close())
	must(t, p.BringToFront())
	copied, err := p.Evaluate(`navigator.clipboard.readText()`)
	must(t, err)
	if text, ok := copied.(string); !ok || !strings.HasPrefix(text, "@tilde The dark rye, please") {
		t.Errorf("the clipboard has %v, want the text of the reply", copied)
	}
	must(t, inCard(card, "Sent? Mark done").Click())
	must(t, check.Locator(p.decidedLine("Tell Tilde")).ToContainText("Done"))

	// The card asks also when nothing was decided before.
	card = p.card("Answer Sam about the darkroom on Wednesday")
	other, err = p.Context().ExpectPage(func() error { return inCard(card, "Copy text and open at source").Click() })
	must(t, err)
	must(t, other.Close())
	must(t, inCard(card, "Sent? Mark done").Click())
	must(t, check.Locator(p.decidedLine("Answer Sam")).ToContainText("Done"))
}

// TestMenuOfACard does what is wanted seldom.
func TestMenuOfACard(t *testing.T) {
	w := start(t, options{demo: true})
	p := open(t, w, phone, "/")
	must(t, p.Context().GrantPermissions([]string{"clipboard-read", "clipboard-write"}))
	card := p.card("Buy the ferry ticket to Skarn")
	must(t, card.Locator(".more > summary").Click())
	must(t, inCard(card, "Copy text").Click())
	must(t, check.Locator(inCard(card, "Copied")).ToBeVisible())
	copied, err := p.Evaluate(`navigator.clipboard.readText()`)
	must(t, err)
	if text, ok := copied.(string); !ok || !strings.HasPrefix(text, "Departure 07:20.") {
		t.Errorf("the clipboard has %v, want the notes", copied)
	}
	other, err := p.Context().ExpectPage(func() error {
		return card.GetByRole("link", playwright.LocatorGetByRoleOptions{Name: "Open at source"}).Click()
	})
	must(t, err)
	must(t, other.Close())

	must(t, card.GetByLabel("Dismiss and say why (assistants are told)").Fill("I go by bus"))
	must(t, card.Locator(".more").GetByRole("button", playwright.LocatorGetByRoleOptions{Name: "Dismiss"}).Click())
	must(t, check.Locator(p.decidedLine("Buy the ferry")).ToContainText("Dismissed"))
	must(t, check.Locator(p.decidedLine("Buy the ferry").GetByLabel("Why? (assistants are told)")).ToHaveValue("I go by bus"))
}

// TestKeysDecideAboutTheSelection presses the keys of the verbs while cards are
// selected.
func TestKeysDecideAboutTheSelection(t *testing.T) {
	w := start(t, options{demo: true})
	p := open(t, w, desktop, "/")
	p.press("j", "x", "j", "x", "j", "x")
	must(t, check.Locator(p.Locator("#batch")).ToContainText("3 selected"))

	p.press("#")

	must(t, check.Locator(p.Locator(".batch-line")).ToContainText("3 dismissed"))
	must(t, check.Locator(p.Locator("[data-activity]")).ToHaveCount(5))
	must(t, check.Locator(p.Locator("[data-activity]").First()).ToBeFocused())
	must(t, check.Locator(p.Locator("#announcer")).ToHaveText("3 dismissed"))
	p.press("z")
	must(t, check.Locator(p.Locator("[data-activity]")).ToHaveCount(8))
	must(t, check.Locator(p.Locator("[data-activity]").First()).ToBeFocused())
	must(t, check.Locator(p.Locator("#announcer")).ToHaveText("3 taken back"))
	p.press("e", "z")
	must(t, check.Locator(p.Locator("#announcer")).ToHaveText("Taken back"))
	must(t, check.Locator(p.Locator(".batch-line")).ToHaveCount(0))
}

func TestHiddenTabAsksForTheCount(t *testing.T) {
	w := start(t, options{demo: true})
	p := newTab(t, w, desktop, nil)
	must(t, p.Clock().Install())
	p.visit("/")
	must(t, check.Page(p).ToHaveTitle(regexp.MustCompile(`^\(8\) Home`)))
	p.live() // or what is asked for at first is late by the page's clock
	p.hide(true)
	must(t, p.Clock().RunFor(1000))
	w.propose(t, tasks("Nine")...)

	must(t, p.Clock().RunFor(60_000))

	must(t, check.Page(p).ToHaveTitle(regexp.MustCompile(`^\(9\) Home`)))
}

func TestEditedCardIsNotReplaced(t *testing.T) {
	w := start(t, options{demo: true})
	p := open(t, w, desktop, "/")
	p.live()
	must(t, p.card("Tell Tilde which loaf to keep").GetByRole("link", playwright.LocatorGetByRoleOptions{Name: "Edit"}).Click())
	text := p.field("Text of the reply")
	must(t, check.Locator(text).ToBeFocused())
	must(t, text.Fill("Half typed"))

	w.propose(t, tasks("Nine")...)
	w.propose(t, tasks("Ten")...)

	must(t, check.Locator(p.bar("activities")).ToContainText("2 changes"))
	must(t, check.Locator(p.card("Ten")).ToHaveCount(0))
	must(t, p.bar("activities").GetByRole("button").Click())
	must(t, check.Locator(p.card("Ten")).ToBeVisible())
	must(t, check.Locator(text).ToHaveValue("Half typed"))
	must(t, check.Locator(p.bar("activities")).ToBeHidden())

	// What is typed survives the browser.
	must(t, check.Locator(p.GetByText("not saved yet")).ToBeVisible())
	must(t, p.Close())
	p = open(t, w, phone, "/")
	must(t, p.card("Tell Tilde which loaf to keep").GetByRole("link", playwright.LocatorGetByRoleOptions{Name: "Go on"}).Click())
	must(t, check.Locator(p.field("Text of the reply")).ToHaveValue("Half typed"))
}

// TestSavingWaitsForTheDraftOnItsWay: a draft that arrived behind it would stay.
func TestSavingWaitsForTheDraftOnItsWay(t *testing.T) {
	w := start(t, options{demo: true})
	p := open(t, w, desktop, "/")
	p.live()
	list := tasks("Nine")
	list[0].ID = "nine"
	w.propose(t, list...)
	onItsWay, arrive := make(chan struct{}, 100), make(chan struct{})
	must(t, p.Route("**/draft", func(r playwright.Route) {
		onItsWay <- struct{}{}
		go func() {
			<-arrive
			_ = r.Continue()
		}()
	}))
	must(t, p.card("Nine").GetByRole("link", playwright.LocatorGetByRoleOptions{Name: "Edit"}).Click())
	must(t, p.field("Title").Fill("Half"))
	must(t, p.field("Notes").Focus())
	<-onItsWay
	must(t, p.field("Title").Fill("Half typed"))
	must(t, p.field("Notes").Focus())

	must(t, p.Keyboard().Press("Control+Enter"))
	close(arrive)

	must(t, check.Locator(p.card("Half typed")).ToBeFocused())
	must(t, check.Locator(p.card("Half typed").GetByText("You have begun to change this")).ToHaveCount(0))
	if d, ok, err := w.app.Activities.Draft(t.Context(), "nine"); ok || err != nil {
		t.Errorf("a draft is left: %+v, %v", d, err)
	}
}

func TestKeysOfTheInbox(t *testing.T) {
	w := start(t, options{demo: true})
	p := open(t, w, desktop, "/")
	p.press("j", "i")
	title := p.field("Title")
	must(t, check.Locator(p.field("Notes")).ToBeFocused())
	must(t, p.field("Notes").Fill("Take the plug"))
	p.press("Escape")
	must(t, check.Locator(title).ToHaveCount(0))
	must(t, check.Locator(p.card("Bring the lamp to the repair café")).ToContainText("You have begun to change this"))
	p.press("i")
	must(t, check.Locator(p.field("Notes")).ToHaveValue("Take the plug"))
	p.press("ControlOrMeta+Enter")
	must(t, check.Locator(p.card("Bring the lamp to the repair café")).ToContainText("Take the plug"))
	must(t, check.Locator(p.card("Bring the lamp to the repair café")).ToBeFocused())

	p.press("x", "j", "x")
	batch := p.Locator("#batch")
	must(t, check.Locator(batch).ToBeVisible())
	p.press("Escape")
	must(t, check.Locator(batch).ToBeHidden())
	p.press("x", "k", "x")
	must(t, batch.GetByRole("button", playwright.LocatorGetByRoleOptions{Name: "Done", Exact: new(true)}).Click())
	must(t, check.Locator(p.Locator(".batch-line")).ToContainText("2 done"))

	p.press("j", "o")
	must(t, check.Page(p).ToHaveURL(regexp.MustCompile(`/activities/`)))
	p.press("e")
	must(t, check.Locator(p.Locator(".decided")).ToContainText("Done"))
	p.press("g", "h")
	must(t, check.Locator(p.heading(1, "Home")).ToBeVisible())
}

func TestLinesStayWhenTheListIsRenewed(t *testing.T) {
	w := start(t, options{demo: true})
	p := open(t, w, desktop, "/")
	p.live()
	must(t, inCard(p.card("Buy the ferry ticket to Skarn"), "Done").Click())
	must(t, check.Locator(p.decidedLine("Buy the ferry")).ToContainText("Done"))
	_, err := p.Evaluate(`() => document.activeElement.blur()`)
	must(t, err)

	w.propose(t, tasks("Nine")...)

	must(t, check.Locator(p.card("Nine")).ToBeVisible())
	must(t, check.Locator(p.decidedLine("Buy the ferry")).ToContainText("Done"))
	must(t, p.button("Undo: Buy the ferry ticket to Skarn").Click())
	must(t, check.Locator(p.card("Buy the ferry ticket to Skarn")).ToBeFocused())
}

func TestPagesOfAnActivityAreAccessible(t *testing.T) {
	w := start(t, options{demo: true})
	ana := activities.Proposal{ID: "ana", Kind: activities.KindReply, Title: "Answer Ana", Body: "I come at four.", DueAt: nil}
	w.propose(t, ana)
	ctx := ledger.WithActor(t.Context(), ledger.Actor{Kind: ledger.Person, ID: "e2e"})
	_, err := w.app.Activities.Edit(ctx, activities.Edit{ID: "ana", Body: new("I come at five.")})
	must(t, err)
	ana.Body = "I come at six."
	w.propose(t, ana)
	for _, look := range []window{desktop, {width: 320, height: 700, dark: true}, {width: phone.width, height: phone.height, noScript: true}} {
		t.Run(look.String(), func(t *testing.T) {
			errand := activities.Proposal{ID: fmt.Sprint("errand-", look.width), Kind: activities.KindTask, Title: "A secret errand"}
			w.propose(t, errand)
			p := open(t, w, look, "/")
			must(t, p.card("Answer Ana").GetByRole("link", playwright.LocatorGetByRoleOptions{Name: "Compare"}).Click())
			must(t, check.Locator(p.Locator(".compared ins")).ToHaveText([]string{"five", "six"}))
			p.accessible()
			p.fits()
			p.visit("/activities/" + errand.ID + "/erase")
			must(t, check.Locator(p.button("Erase it")).ToBeVisible())
			p.accessible()
			must(t, p.button("Erase it").Click())
			must(t, check.Locator(p.Locator(".batch-line")).ToContainText("A task was erased for good"))
			if !look.noScript {
				must(t, check.Locator(p.Locator("#announcer")).ToHaveText("A task was erased for good"))
			}
			p.visit("/?view=all")
			must(t, inCard(p.card("Answer Ana"), "Dismiss").Click())
			must(t, check.Locator(p.decidedLine("Answer Ana")).ToContainText("Dismissed"))
			must(t, p.card("Buy the ferry ticket to Skarn").Locator(".snooze > summary").Click())
			p.accessible()
			p.fits()
			must(t, p.button("Undo: Answer Ana").Click())
			must(t, check.Locator(p.card("Answer Ana")).ToBeVisible())
		})
	}
}

func TestFocusModeByKeys(t *testing.T) {
	w := start(t, options{demo: true})
	p := open(t, w, phone, "/?focus=1")
	p.press("e")
	must(t, check.Locator(p.GetByText("2 of 8")).ToBeVisible())
	must(t, check.Locator(p.card("Buy the ferry ticket to Skarn")).ToBeFocused())
	p.press("z")
	must(t, check.Locator(p.GetByText("1 of 8")).ToBeVisible())
	must(t, check.Locator(p.card("Bring the lamp to the repair café")).ToBeFocused())
	p.press("j")
	must(t, check.Locator(p.GetByText("2 of 8")).ToBeVisible())
	must(t, check.Locator(p.card("Buy the ferry ticket to Skarn")).ToBeFocused())
	p.press("k")
	must(t, check.Locator(p.GetByText("1 of 8")).ToBeVisible())
}
