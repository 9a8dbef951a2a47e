package e2e_test

import (
	"strings"
	"testing"

	"github.com/mxschmitt/playwright-go"

	"personal-workspace/activities"
)

// taskOf is what a post says about a task from it.
func taskOf(post playwright.Locator) playwright.Locator { return post.Locator("[data-task]") }

// TestTaskFromAPost makes a task from a post of a deck, which an open Home shows,
// and takes it back and makes it again without leaving the deck.
func TestTaskFromAPost(t *testing.T) {
	for _, look := range []window{desktop, {width: phone.width, height: phone.height, dark: true}} {
		t.Run(look.String(), func(t *testing.T) {
			w := start(t, options{demo: true})
			home := open(t, w, desktop, "/")
			home.live()
			p := open(t, w, look, w.deck(t))
			p.live()
			post := p.column("Home").Locator("article", playwright.LocatorLocatorOptions{HasText: "evening for the reading circle"})
			must(t, post.ScrollIntoViewIfNeeded())

			must(t, inCard(post, "Make a task").Click())

			must(t, check.Locator(taskOf(post)).ToContainText("Task made"))
			must(t, check.Locator(taskOf(post)).ToBeFocused())
			must(t, check.Locator(p.Locator("#announcer")).ToHaveText("Task made"))
			card := home.GetByRole("article").Filter(playwright.LocatorFilterOptions{HasText: "You made this"})
			must(t, check.Locator(card).ToBeVisible())
			must(t, check.Locator(card).ToContainText("Port Ellery Library"))
			p.accessible()
			p.fits()
			must(t, home.BringToFront())
			home.accessible()
			must(t, p.BringToFront())

			must(t, inCard(post, "Undo").Click())
			must(t, check.Locator(inCard(post, "Make a task")).ToBeFocused())
			must(t, check.Locator(card).ToHaveCount(0))
			must(t, p.Keyboard().Press("Enter"))
			must(t, check.Locator(taskOf(post)).ToContainText("Task made"))
			follow(t, post, "View")
			must(t, check.Locator(p.GetByText("This is what the post said when you made the task.")).ToBeVisible())
			must(t, check.Locator(p.Locator("blockquote")).ToContainText("evening for the reading circle"))
			p.accessible()
			p.fits()
		})
	}
}

// TestTaskFromAPostByKey presses t on posts one after the other, and once too
// often.
func TestTaskFromAPostByKey(t *testing.T) {
	w := start(t, options{demo: true})
	p := open(t, w, desktop, w.deck(t))
	p.live()
	p.press("j", "j")
	second := p.Locator("#" + p.focused())

	p.press("t")

	must(t, check.Locator(taskOf(second)).ToContainText("Task made"))
	must(t, check.Locator(second).ToBeFocused())
	p.press("j", "t")
	third := p.Locator("#" + p.focused())
	must(t, check.Locator(taskOf(third)).ToContainText("Task made"))
	p.press("z")
	must(t, check.Locator(taskOf(third)).ToHaveText("Make a task"))
	must(t, check.Locator(third).ToBeFocused())
	p.press("k", "t")
	must(t, check.Locator(second.GetByRole("link", playwright.LocatorGetByRoleOptions{Name: "View"})).ToBeFocused())

	p.reload()
	p.live()
	must(t, check.Locator(taskOf(second)).ToHaveText("Your task"))
	must(t, second.Focus())
	p.press("t")
	must(t, check.Locator(taskOf(second)).ToBeFocused())
	must(t, check.Locator(p.Locator("#announcer")).ToHaveText("Your task"))
	p.press("Enter")
	must(t, check.Locator(p.GetByText("You made this")).ToBeVisible())
}

// TestTaskFromAPostThatIsThere presses the button of a page that does not know of
// the task yet.
func TestTaskFromAPostThatIsThere(t *testing.T) {
	w := start(t, options{demo: true})
	p, other := open(t, w, desktop, w.deck(t)), open(t, w, desktop, w.deck(t))
	p.live()
	other.live()
	id := "#" + p.postID("Harbour people", 0)
	must(t, inCard(p.Locator(id), "Make a task").Click())
	must(t, check.Locator(taskOf(p.Locator(id))).ToContainText("Task made"))

	must(t, inCard(other.Locator(id), "Make a task").Click())

	must(t, check.Locator(taskOf(other.Locator(id))).ToContainText("You have a task for this"))
	must(t, check.Locator(inCard(other.Locator(id), "Undo")).ToHaveCount(0))
	follow(t, other.Locator(id), "View")
	must(t, check.Locator(other.GetByText("You made this")).ToBeVisible())
}

func TestTaskFromAPostWithoutScript(t *testing.T) {
	w := start(t, options{demo: true, base: "/ws/"})
	for _, look := range []window{{width: 1280, height: 800, noScript: true}, {width: 390, height: 844, dark: true, noScript: true}} {
		t.Run(look.String(), func(t *testing.T) {
			p := open(t, w, look, w.deck(t))
			post := p.column("Home").Locator("article", playwright.LocatorLocatorOptions{HasText: "evening for the reading circle"})

			must(t, inCard(post, "Make a task").Press("Enter")) // see follow

			must(t, check.Locator(p.heading(1, "Every morning")).ToBeVisible())
			must(t, check.Locator(taskOf(post)).ToContainText("Task made"))
			must(t, check.Locator(taskOf(post)).ToBeInViewport())
			p.accessible()
			must(t, inCard(post, "Undo").Click())
			must(t, check.Locator(inCard(post, "Make a task")).ToBeInViewport())
			follow(t, post, "Open")
			must(t, inCard(p.GetByRole("article"), "Make a task").Click())
			must(t, check.Locator(taskOf(p.GetByRole("article"))).ToContainText("Task made"))
			p.accessible()
			must(t, inCard(p.GetByRole("article"), "Undo").Click())
			must(t, check.Locator(inCard(p.GetByRole("article"), "Make a task")).ToBeVisible())
		})
	}
}

// TestTaskFromAConversation makes one from an answer on a post's own page.
func TestTaskFromAConversation(t *testing.T) {
	w := start(t, options{demo: true})
	p := open(t, w, phone, w.deck(t))
	p.live()
	follow(t, p.column("Home").Locator("article", playwright.LocatorLocatorOptions{HasText: "evening for the reading circle"}), "Open")
	answer := p.shown("Sunday with cake is not a choice")

	must(t, inCard(answer, "Make a task").Click())

	must(t, check.Locator(taskOf(answer)).ToContainText("Task made"))
	p.accessible()
	p.fits()
	list, err := w.app.Activities.List(t.Context(), activities.Query{Kind: activities.KindTask})
	must(t, err)
	n := 0
	for _, i := range list.Items {
		if i.Own && strings.Contains(i.Proposal.Source.Excerpts[0].Text, "Sunday with cake") {
			n++
		}
	}
	if n != 1 {
		t.Errorf("%d tasks of that answer, want 1", n)
	}
}

// TestTaskOfAPostThatIsGone says so at the post.
func TestTaskOfAPostThatIsGone(t *testing.T) {
	w := start(t, options{demo: true})
	p := open(t, w, desktop, w.deck(t))
	p.live()
	p.expected = anyStatus
	post := p.Locator("#" + p.postID("Home", 0))
	_, err := taskOf(post).Evaluate(`b => (b.value = "1")`, nil)
	must(t, err)

	must(t, inCard(post, "Make a task").Click())

	must(t, check.Locator(taskOf(post)).ToContainText("There is no such post"))
	must(t, check.Locator(inCard(post, "Try again")).ToBeVisible())
	p.accessible()
}

// TestNewTask writes one by hand, by keys and without script.
func TestNewTask(t *testing.T) {
	w := start(t, options{demo: true})
	for _, look := range []window{desktop, {width: 320, height: 700, dark: true}, {width: phone.width, height: phone.height, noScript: true}} {
		t.Run(look.String(), func(t *testing.T) {
			p := open(t, w, look, "/")
			p.expected = anyStatus
			title := "Buy bread for " + look.String() + " 🍞"
			if look == desktop {
				p.press("n")
			} else {
				must(t, p.link("New task").Click())
			}
			must(t, check.Locator(p.field("Title")).ToBeFocused())
			p.accessible()
			p.fits()
			must(t, p.field("Title").Fill(title))
			must(t, p.field("Notes").Fill(strings.Repeat("字", 8001)))
			if !look.noScript {
				must(t, check.Locator(p.GetByText("8001 of 8000 characters")).ToBeVisible())
			}
			must(t, p.button("Make the task").Click())
			must(t, check.Locator(p.field("Notes")).ToBeFocused())
			must(t, check.Locator(p.GetByText("The text has 8001 characters; the most is 8000.")).ToBeVisible())
			must(t, check.Locator(p.field("Title")).ToHaveValue(title))
			p.accessible()
			must(t, p.field("Notes").Fill("Rye"))
			must(t, p.field("Due").Fill("2030-12-24T09:30"))
			must(t, p.button("Make the task").Click())

			must(t, check.Locator(p.decidedLine(title)).ToContainText("Task made"))
			must(t, check.Locator(p.card(title)).ToContainText("Due 24 Dec 2030 09:30"))
			p.accessible()
			p.fits()
			must(t, p.link("Back to Home").Click())
			must(t, check.Locator(p.card(title)).ToContainText("You made this"))
		})
	}
}
