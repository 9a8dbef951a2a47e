package e2e_test

import (
	"github.com/mxschmitt/playwright-go"
)

// hands do with a page what a person does: with the pointer, or by keys alone.
type hands struct {
	*tab
	// keys means that the pointer is not used at all.
	keys bool
}

// maxTabs is how far away something may be by the Tab key.
const maxTabs = 60

// wayTo says where an element is from what has the focus: there (0), after it (1)
// or before it (-1). Of a group of radio buttons, one has the focus for all.
const wayTo = `to => {
	const at = document.activeElement;
	if (at === to || to.type === "radio" && at.type === "radio" && at.name === to.name && at.form === to.form) return 0;
	return at.compareDocumentPosition(to) & Node.DOCUMENT_POSITION_FOLLOWING ? 1 : -1;
}`

// reach moves the focus to an element as Tab does, by the shorter way.
func (h hands) reach(to playwright.Locator) {
	h.t.Helper()
	must(h.t, check.Locator(to).ToBeVisible())
	if at, err := h.Evaluate("() => document.activeElement === document.body"); err != nil || at == true {
		h.press("Tab") // to where the address leads, or to the beginning
	}
	first := h.wayTo(to)
	for n, way := 0, first; way != 0; n++ {
		if n == maxTabs || way != first {
			h.t.Fatalf("the focus is not moved to %v by %d times Tab or Shift+Tab", to, n)
		}
		if way > 0 {
			h.press("Tab")
		} else {
			h.press("Shift+Tab")
		}
		way = h.wayTo(to)
	}
}

func (h hands) wayTo(to playwright.Locator) float64 {
	h.t.Helper()
	way, err := to.Evaluate(wayTo, nil)
	must(h.t, err)
	return number(way)
}

// use presses a button or follows a link.
func (h hands) use(l playwright.Locator) {
	h.t.Helper()
	must(h.t, h.using(l))
}

// using is use inside a wait for what comes of it.
func (h hands) using(l playwright.Locator) error {
	if !h.keys {
		return l.Click()
	}
	h.reach(l)
	return h.Keyboard().Press("Enter")
}

// write puts a text into a field, in place of what is there.
func (h hands) write(field playwright.Locator, text string) {
	h.t.Helper()
	if !h.keys {
		must(h.t, field.Fill(text))
		return
	}
	h.reach(field)
	h.press("ControlOrMeta+a")
	must(h.t, h.Keyboard().Type(text))
}

// choose checks a radio button.
func (h hands) choose(radio playwright.Locator) {
	h.t.Helper()
	if !h.keys {
		must(h.t, radio.Check())
		return
	}
	h.reach(radio)
	for range 10 {
		if on, err := radio.IsChecked(); err != nil || on {
			break
		}
		h.press("ArrowDown")
	}
	must(h.t, check.Locator(radio).ToBeChecked())
}

// pick chooses an entry of a list.
func (h hands) pick(list playwright.Locator, entry string) {
	h.t.Helper()
	if !h.keys {
		_, err := list.SelectOption(playwright.SelectOptionValues{Labels: &[]string{entry}})
		must(h.t, err)
		return
	}
	h.reach(list)
	by, err := list.Evaluate(`(list, entry) => [...list.options].findIndex(o => o.text.trim() === entry) - list.selectedIndex`, entry)
	must(h.t, err)
	for range int(number(by)) {
		h.press("ArrowDown")
	}
	for range -int(number(by)) {
		h.press("ArrowUp")
	}
	must(h.t, check.Locator(list.Locator("option:checked")).ToHaveText(entry))
}

// give hands a file to a field that takes one.
func (h hands) give(field playwright.Locator, path string) {
	h.t.Helper()
	if !h.keys {
		must(h.t, field.SetInputFiles(path))
		return
	}
	dialog, err := h.chooser(field)
	for n := 0; n < 3 && err != nil; n++ { // a busy browser may not open it
		dialog, err = h.chooser(field)
	}
	must(h.t, err)
	must(h.t, dialog.SetFiles(path))
}

// chooser opens the dialog of a field that takes a file.
func (h hands) chooser(field playwright.Locator) (playwright.FileChooser, error) {
	h.t.Helper()
	h.reach(field)
	return h.ExpectFileChooser(func() error { return h.Keyboard().Press("Space") }, playwright.PageExpectFileChooserOptions{Timeout: new(20_000.)})
}

// inMenu presses a button in the menu of a deck or column.
func (h hands) inMenu(name, button string) {
	h.t.Helper()
	h.use(h.summary(name))
	h.use(h.Locator("details.menu[open]").GetByRole("button", playwright.LocatorGetByRoleOptions{Name: button, Exact: new(true)}))
}

// linkInMenu is a link in the menu of the deck, which it opens.
func (h hands) linkInMenu(name, link string) playwright.Locator {
	h.t.Helper()
	h.top()
	h.use(h.summary(name))
	return h.Locator("details.menu[open]").GetByRole("link", playwright.LocatorGetByRoleOptions{Name: link, Exact: new(true)})
}

// top goes to the top of a deck's page by its first column's key: the Tab key
// would pass every post.
func (h hands) top() {
	h.t.Helper()
	if h.keys {
		h.press("1")
	}
}

// section goes to a part of the workspace.
func (h hands) section(name, key string) {
	h.t.Helper()
	if h.keys {
		h.press("g", key)
	} else {
		h.use(h.GetByRole("navigation", playwright.PageGetByRoleOptions{Name: "Workspace"}).GetByRole("link", playwright.LocatorGetByRoleOptions{Name: name}))
	}
	must(h.t, check.Locator(h.heading(1, name)).ToBeVisible())
}

// phone reports whether one column is shown at a time.
func (h hands) phone() bool { return h.look.width < 640 }

// turnTo brings a column into view: on a phone by its tab, by its number with
// keys, which then has the focus.
func (h hands) turnTo(column, digit string) {
	h.t.Helper()
	switch {
	case h.keys:
		h.press(digit)
	case h.phone():
		h.use(h.GetByRole("navigation", playwright.PageGetByRoleOptions{Name: "Columns"}).GetByRole("link", playwright.LocatorGetByRoleOptions{Name: column}))
	}
	must(h.t, check.Locator(h.column(column)).ToBeInViewport())
}
