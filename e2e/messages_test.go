package e2e_test

import (
	"regexp"
	"strings"
	"testing"
	"time"

	"github.com/mxschmitt/playwright-go"

	"personal-workspace/activities"
)

func TestMessagesLooks(t *testing.T) {
	w := start(t, options{demo: true})
	for _, look := range append(fewLooks(), window{width: 320, height: 700}) {
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

// TestTextIsCountedAlikeWhileItIsTyped by the page and by the server.
func TestTextIsCountedAlikeWhileItIsTyped(t *testing.T) {
	w := start(t, options{})
	for _, c := range []struct{ network, text, says string }{
		{"mastodon", "@ana@social.example see https://example.org/a-long-address-that-goes-on", "32 of 500 characters"},
		{"mastodon", "de\u0301ja\u0300 かが\u3099 न\u093fम", "10 of 500 characters"},
		{"mastodon", "👩\u200d👩\u200d👧👍🏽 1\ufe0f\u20e3🇯🇵🇧🇷", "6 of 500 characters"},
		{"twitter", "👩\u200d👩\u200d👧👍🏽 1\ufe0f\u20e3🇯🇵🇧🇷", "11 of 280 characters"},
		{"twitter", "e\u0301 か\u3099 می\u200cخواهم", "13 of 280 characters"},
		{"twitter", strings.Repeat("字", 150), "300 of 280 characters, 20 too many"},
		{"", "👍🏽", "2 characters"},
	} {
		reply := said("counted", "Counted", time.Hour)
		reply.ID, reply.Source.Network = "counted-"+c.network, c.network
		w.propose(t, reply)
		p := open(t, w, desktop, "/activities/counted-"+c.network+"/edit")
		must(t, p.field("Text of the reply").Fill(c.text))
		must(t, check.Locator(p.Locator("output")).ToHaveText(c.says))
		if strings.HasSuffix(c.says, "too many") {
			must(t, check.Locator(p.Locator("#announcer")).ToHaveText(c.says))
		}
		must(t, p.field("Title").Focus())
		must(t, check.Locator(p.GetByText("not saved yet")).ToBeVisible())
		_, err := p.Reload()
		must(t, err)
		must(t, check.Locator(p.field("Text of the reply")).ToHaveValue(c.text))
		must(t, check.Locator(p.Locator("output")).ToHaveText(c.says))
	}
}

// typing opens the form of a reply's text in a conversation.
func typing(t *testing.T, w *workspace, p *tab) playwright.Locator {
	t.Helper()
	reply := said("one", "Answer one", time.Hour)
	reply.ID = "one"
	w.propose(t, reply)
	p.visit("/messages")
	p.live()
	p.press("i")
	text := p.field("Text of the reply")
	must(t, check.Locator(text).ToBeFocused())
	return text
}

// kept opens the form in another browser until it has the text: the last words of
// a closed page are on their way when it is gone.
func (w *workspace) kept(t *testing.T, text string) {
	t.Helper()
	p := open(t, w, phone, "/activities/one/edit")
	for range 50 {
		value, err := p.field("Text of the reply").InputValue()
		must(t, err)
		if strings.Contains(value, text) {
			return
		}
		_, err = p.Reload()
		must(t, err)
	}
	t.Errorf("the form does not have %q", text)
}

func TestTypingSurvivesThatThePageIsClosed(t *testing.T) {
	w := start(t, options{})
	p := newTab(t, w, desktop, nil)
	must(t, typing(t, w, p).PressSequentially("Half a sente"))

	_, err := p.Goto("about:blank")
	must(t, err)

	w.kept(t, "Half a sente")
}

func TestTypingSurvivesACrashOfTheBrowser(t *testing.T) {
	w := start(t, options{})
	p := newTab(t, w, desktop, nil)
	must(t, p.Clock().Install())
	text := typing(t, w, p)
	must(t, p.Clock().PauseAt(time.Now().Add(time.Minute)))
	for _, key := range "Hal" {
		must(t, text.Press(string(key)))
		must(t, p.Clock().RunFor(1500)) // never a rest of three seconds
	}
	must(t, check.Locator(p.GetByText("not saved yet")).ToBeVisible())
	devtools, err := p.Context().NewCDPSession(p.Page)
	must(t, err)
	crashed := make(chan struct{})
	p.OnCrash(func(playwright.Page) { close(crashed) })

	go func() { _, _ = devtools.Send("Page.crash", nil) }() // there is nobody left to answer
	<-crashed

	w.kept(t, "Ha")
}

func TestReplyOfAConversationIsCopiedAndOpenedAtItsSource(t *testing.T) {
	w := start(t, options{demo: true})
	p := open(t, w, desktop, "/messages")
	must(t, p.Context().GrantPermissions([]string{"clipboard-read", "clipboard-write"}))
	card := p.card("Tell Tilde which loaf to keep")
	source := card.Locator("a[data-source]")
	must(t, check.Locator(source).ToHaveAttribute("target", "_blank"))
	must(t, check.Locator(source).ToHaveAttribute("rel", regexp.MustCompile(`\bnoopener\b`)))
	text, err := card.Locator(".draft .text").TextContent()
	must(t, err)

	other, err := p.Context().ExpectPage(func() error { return inCard(card, "Copy text and open at source").Click() })
	must(t, err)

	must(t, check.Locator(other.GetByRole("heading", playwright.PageGetByRoleOptions{Name: "Tilde Østby"}).First()).ToBeVisible())
	opener, err := other.Evaluate(`opener === null`)
	must(t, err)
	if opener != true {
		t.Error("the source can reach the page that opened it")
	}
	must(t, other.Close())
	must(t, p.BringToFront())
	copied, err := p.Evaluate(`navigator.clipboard.readText()`)
	must(t, err)
	if copied != text {
		t.Errorf("the clipboard has %q, want %q", copied, text)
	}
	must(t, inCard(card, "Sent? Mark done").Click())
	must(t, check.Locator(p.decidedLine("Tell Tilde")).ToContainText("Done"))
	must(t, check.Locator(p.card("Answer Sam about the darkroom on Wednesday")).ToBeFocused())
}

func TestReplyIsSentWithoutScript(t *testing.T) {
	w := start(t, options{demo: true})
	p := open(t, w, window{width: 390, height: 844, noScript: true}, "/messages")
	must(t, p.link("Tilde about the bread").Click())
	card := p.card("Tell Tilde which loaf to keep")
	must(t, check.Locator(inCard(card, "Copy text and open at source")).ToBeHidden())
	must(t, card.Locator(".draft .text").Click(playwright.LocatorClickOptions{ClickCount: new(3)}))
	forbid := p.allowScript()
	selected, err := p.Evaluate(`String(getSelection())`)
	forbid()
	must(t, err)
	if text, ok := selected.(string); !ok || !strings.HasPrefix(text, "@tilde The dark rye, please") {
		t.Errorf("%q can be selected, want the text of the reply", selected)
	}
	source := card.GetByRole("link", playwright.LocatorGetByRoleOptions{Name: "Open at source"})
	must(t, check.Locator(source).ToHaveAttribute("rel", regexp.MustCompile(`\bnoopener\b`)))
	other, err := p.Context().ExpectPage(func() error { return source.Click() })
	must(t, err)
	must(t, check.Locator(other.GetByRole("heading", playwright.PageGetByRoleOptions{Name: "Tilde Østby"}).First()).ToBeVisible())
	must(t, other.Close())
	must(t, inCard(card, "I will send this").Click())
	must(t, inCard(card, "Sent? Mark done").Click())
	must(t, check.Locator(p.decidedLine("Tell Tilde")).ToContainText("Done"))
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
