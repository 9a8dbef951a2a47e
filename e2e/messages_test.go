package e2e_test

import (
	"regexp"
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
			must(t, check.Locator(p.heading(2, "Needs reply 2")).ToBeVisible())
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

// said is a reply in a conversation, whose newest excerpt is so old.
func said(conversation, title string, ago time.Duration) activities.Proposal {
	return activities.Proposal{Kind: activities.KindReply, Title: title, Body: "Draft of " + title, Source: &activities.Source{
		Network: "mastodon", ConversationKey: conversation, ConversationTitle: "About " + conversation,
		Author:   &activities.Author{Name: "Ana Lima", Handle: "@ana@social.example"},
		Excerpts: []activities.Excerpt{{Text: "What about " + conversation + "?", Author: "Ana Lima", At: new(time.Now().Add(-ago))}},
	}}
}

// tenReplies are in nine conversations; the third has two.
func tenReplies() (list []activities.Proposal) {
	for i, name := range []string{"one", "two", "three", "four", "five", "six", "seven", "eight", "nine"} {
		list = append(list, said(name, "Answer "+name, time.Duration(i+1)*time.Hour))
	}
	return append(list, said("three", "Answer three again", 30*time.Hour))
}

func TestTenRepliesByKeyboardAlone(t *testing.T) {
	w := start(t, options{})
	w.propose(t, tenReplies()...)
	p := open(t, w, desktop, "/messages")
	p.live()
	focused := func(conversation, card string) {
		t.Helper()
		must(t, check.Locator(p.heading(2, "About "+conversation)).ToBeVisible())
		must(t, check.Locator(p.card(card)).ToBeFocused())
	}
	line := func(card, said string) {
		t.Helper()
		must(t, check.Locator(p.decidedLine(card)).ToContainText(said))
	}

	p.press("e")
	line("Answer one", "Done")
	focused("two", "Answer two")
	p.press("h", "1")
	line("Answer two", "Snoozed until")
	focused("three", "Answer three")
	p.press("#")
	line("Answer three", "Dismissed")
	focused("three", "Answer three again")
	p.press("a")
	must(t, check.Locator(p.card("Answer three again")).ToContainText("Accepted"))
	focused("three", "Answer three again")
	p.press("e")
	line("Answer three again", "Done")
	focused("four", "Answer four")
	p.press("z")
	focused("three", "Answer three again")
	must(t, check.Page(p).ToHaveURL(regexp.MustCompile(`conversation=`)))
	p.press("e")
	line("Answer three again", "Done")
	for i, name := range []string{"four", "five", "six", "seven", "eight"} {
		focused(name, "Answer "+name)
		p.press([]string{"#", "e"}[i%2])
		line("Answer "+name, []string{"Dismissed", "Done"}[i%2])
	}
	focused("nine", "Answer nine")
	p.press("i")
	must(t, check.Locator(p.field("Text of the reply")).ToBeFocused())
	must(t, p.field("Text of the reply").Fill("In my words"))
	p.press("ControlOrMeta+Enter")
	must(t, check.Locator(p.card("Answer nine")).ToBeFocused())
	p.press("e")
	line("Answer nine", "Done")
	must(t, check.Locator(p.GetByText("No reply needs you.")).ToBeVisible())
	must(t, check.Locator(p.heading(1, "Messages")).ToBeFocused())
	p.press("z")
	focused("nine", "Answer nine")
}

func TestTenRepliesWithoutScript(t *testing.T) {
	for _, look := range []window{{width: 1280, height: 800, noScript: true}, {width: 390, height: 844, noScript: true}} {
		t.Run(look.String(), func(t *testing.T) {
			w := start(t, options{})
			w.propose(t, tenReplies()...)
			p := open(t, w, look, "/messages")
			must(t, p.link("About one").Click())
			for _, step := range []struct{ title, button, said, next string }{
				{"Answer one", "Done", "Done", "Answer two"},
				{"Answer two", "Dismiss", "Dismissed", "Answer three"},
				{"Answer three", "Done", "Done", "Answer three again"},
				{"Answer three again", "I will send this", "Accepted", ""},
				{"Answer three again", "Sent? Mark done", "Done", "Answer four"},
				{"Answer four", "Done", "Done", "Answer five"},
				{"Answer five", "Done", "Done", "Answer six"},
				{"Answer six", "Done", "Done", "Answer seven"},
				{"Answer seven", "Done", "Done", "Answer eight"},
				{"Answer eight", "Done", "Done", "Answer nine"},
			} {
				must(t, inCard(p.card(step.title), step.button).Click())
				if step.next == "" {
					must(t, check.Locator(p.card(step.title)).ToContainText(step.said))
					continue
				}
				must(t, check.Locator(p.decidedLine(step.title).First()).ToContainText(step.said))
				must(t, check.Locator(p.card(step.next)).ToBeFocused())
			}
			must(t, p.button("Undo: Answer eight").Click())
			must(t, check.Locator(p.card("Answer eight")).ToBeFocused())
			must(t, inCard(p.card("Answer eight"), "Done").Click())
			nine := p.card("Answer nine")
			must(t, nine.Locator("summary", playwright.LocatorLocatorOptions{HasText: "Snooze"}).Click())
			must(t, nine.GetByRole("button", playwright.LocatorGetByRoleOptions{Name: "In 1 week"}).First().Click())
			must(t, check.Locator(p.decidedLine("Answer nine")).ToContainText("Snoozed until"))
			if look.width > 640 {
				must(t, check.Locator(p.GetByText("No reply needs you.")).ToBeVisible())
			}
		})
	}
}

func TestAListFromBeforeADecisionIsNotShown(t *testing.T) {
	w := start(t, options{})
	w.propose(t, said("one", "Answer one", time.Hour), said("one", "Answer one again", 2*time.Hour))
	p := open(t, w, desktop, "/messages")
	p.live()
	old, release := make(chan struct{}), make(chan struct{})
	held := false
	must(t, p.Route(regexp.MustCompile(`/messages\?`), func(r playwright.Route) {
		if held {
			must(t, r.Continue())
			return
		}
		held = true
		list, err := r.Fetch()
		must(t, err)
		close(old)
		<-release
		must(t, r.Fulfill(playwright.RouteFulfillOptions{Response: list}))
	}))
	w.propose(t, said("two", "Answer two", time.Minute))
	<-old
	must(t, inCard(p.card("Answer one"), "Dismiss").Click())
	must(t, check.Locator(p.decidedLine("Answer one")).ToContainText("Dismissed"))

	close(release)

	must(t, check.Locator(p.link("About two")).ToBeVisible())
	must(t, check.Locator(p.decidedLine("Answer one")).ToContainText("Dismissed"))
	must(t, check.Locator(p.card("Answer one")).ToHaveCount(0))
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

			must(t, check.Locator(p.link(title)).ToBeVisible())
			must(t, check.Locator(p.heading(2, title)).ToHaveCount(0))
		})
	}
}
