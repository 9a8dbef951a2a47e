package e2e_test

import (
	"fmt"
	"net/http"
	"regexp"
	"testing"

	"github.com/mxschmitt/playwright-go"

	"personal-workspace/decks"
)

// wants waits until the deck on the page has these columns.
func (p *tab) wants(names ...string) {
	p.t.Helper()
	must(p.t, check.Locator(p.Locator("section.column h2")).ToHaveText(names))
}

// menu presses a button in the menu of a deck or column.
func (p *tab) menu(name, button string) {
	p.t.Helper()
	must(p.t, p.summary(name).Click())
	must(p.t, p.Locator("details.menu[open]").GetByRole("button", playwright.LocatorGetByRoleOptions{Name: button, Exact: new(true)}).Click())
}

func (p *tab) summary(name string) playwright.Locator {
	return p.Locator(fmt.Sprintf("summary[aria-label=%q]", "Menu of "+name))
}

// three is a deck of three columns of the demo, at a revision of 1.
func (w *workspace) three(t *testing.T) decks.Deck {
	t.Helper()
	list, err := w.app.Decks.ListDecks(t.Context())
	must(t, err)
	first, err := w.app.Decks.GetDeck(t.Context(), list[0].ID)
	must(t, err)
	d, err := w.app.Decks.CreateDeck(t.Context(), decks.CreateDeck{
		ID: "three", Title: "Three",
		Columns: []decks.Column{
			{ID: "a", Title: "Apple", ConnectionID: first.Columns[0].ConnectionID, Source: first.Columns[0].Source},
			{ID: "b", Title: "Bread", ConnectionID: first.Columns[1].ConnectionID, Source: first.Columns[1].Source},
			{ID: "c", Title: "Cake", ConnectionID: first.Columns[3].ConnectionID, Source: first.Columns[3].Source},
		},
	})
	must(t, err)
	return d
}

func TestMakeDecksFromStarters(t *testing.T) {
	w := start(t, options{demo: true})
	for _, c := range []struct {
		starter string
		fill    func(p *tab)
		title   string
		columns []string
	}{
		{"Home and mentions", func(*tab) {}, "Home and mentions", []string{"Home", "Mentions"}},
		{"One list", func(*tab) {}, "A list", []string{"Harbour people"}},
		{"Local and a hashtag", func(p *tab) { must(t, p.field("Hashtag").Fill("darning")) }, "Local and #darning", []string{"Local", "#darning"}},
		{"Nothing", func(p *tab) { must(t, p.field("Title").Fill("<b>Leer</b> 空")) }, "<b>Leer</b> 空", nil},
	} {
		t.Run(c.starter, func(t *testing.T) {
			p := open(t, w, desktop, "/decks")
			must(t, p.link("Make a deck").Click())
			must(t, p.field(c.starter).Check())
			c.fill(p)

			must(t, p.button("Make the deck").Click())

			must(t, check.Locator(p.heading(1, c.title)).ToBeVisible())
			if c.columns == nil {
				must(t, check.Locator(p.heading(2, "No column yet")).ToBeVisible())
				p.accessible()
				return
			}
			p.wants(c.columns...)
		})
	}
}

func TestAddColumns(t *testing.T) {
	w := start(t, options{demo: true})
	_, err := w.app.Decks.CreateDeck(t.Context(), decks.CreateDeck{ID: "empty", Title: "Empty"})
	must(t, err)
	p := open(t, w, desktop, "/decks/empty")
	account := regexp.MustCompile("@mira@tidepool.example")

	must(t, p.link("Add the first column").Click())
	must(t, p.GetByRole("link", playwright.PageGetByRoleOptions{Name: account}).Click())
	must(t, p.GetByRole("link", playwright.PageGetByRoleOptions{Name: regexp.MustCompile("^List")}).Click())
	_, err = p.field("List").SelectOption(playwright.SelectOptionValues{Labels: &[]string{"Harbour people"}})
	must(t, err)
	must(t, p.button("Add the column").Click())
	p.wants("Harbour people")
	must(t, check.Locator(p.Locator(".tab-name")).ToHaveText([]string{"Harbour people"}))

	must(t, p.link("Add a column").Click())
	must(t, p.GetByRole("link", playwright.PageGetByRoleOptions{Name: account}).Click())
	must(t, p.GetByRole("link", playwright.PageGetByRoleOptions{Name: regexp.MustCompile("^Hashtag")}).Click())
	must(t, p.link("#visiblemending").Click())
	must(t, check.Locator(p.field("Hashtag")).ToHaveValue("visiblemending"))
	must(t, p.field("Name of the column").Fill("Mending"))
	must(t, p.button("Add the column").Click())
	p.wants("Harbour people", "Mending")
}

func TestColumnMenuChangesThePageInPlace(t *testing.T) {
	w := start(t, options{demo: true})
	w.three(t)
	p := open(t, w, desktop, "/decks/three")
	p.settled()
	// first is the post that is read in the first column.
	first := `() => [...document.querySelectorAll("#column-a article")]
		.find(a => a.getBoundingClientRect().bottom > document.querySelector("#scroll-a").getBoundingClientRect().top + 40).id`
	_, err := p.Evaluate(`() => { window.stays = true; document.querySelector("#scroll-a").scrollTop = 600; }`)
	must(t, err)
	reads, err := p.Evaluate(first)
	must(t, err)

	p.menu("Apple", "Move right")
	p.wants("Bread", "Apple", "Cake")
	must(t, check.Locator(p.summary("Apple")).ToBeFocused())
	must(t, p.summary("Cake").Click())
	must(t, p.Locator("#title-c").Fill("Torte 🍰"))
	must(t, p.Locator("#title-c").Press("Enter"))
	p.wants("Bread", "Apple", "Torte 🍰")
	p.menu("Bread", "Duplicate")
	p.wants("Bread", "Bread (copy)", "Apple", "Torte 🍰")
	must(t, check.Locator(p.summary("Bread (copy)")).ToBeFocused())
	p.menu("Bread (copy)", "Move left")
	p.wants("Bread (copy)", "Bread", "Apple", "Torte 🍰")
	must(t, check.Locator(p.summary("Bread (copy)")).ToBeFocused())
	p.menu("Bread (copy)", "Move right")
	p.wants("Bread", "Bread (copy)", "Apple", "Torte 🍰")
	p.menu("Torte 🍰", "Remove")
	undo := p.button("Undo: Torte 🍰 was removed.")
	must(t, check.Locator(undo).ToBeFocused())
	p.wants("Bread", "Bread (copy)", "Apple")
	p.accessible()
	must(t, undo.Click())
	p.wants("Bread", "Bread (copy)", "Apple", "Torte 🍰")

	must(t, check.Locator(p.Locator(`[data-bar="changed"]`)).ToBeHidden())
	now, err := p.Evaluate(first)
	must(t, err)
	if now != reads {
		t.Errorf("the column shows %v, want %v as before", now, reads)
	}
	if same, err := p.Evaluate("() => window.stays"); err != nil || same != true {
		t.Errorf("the page was loaded again (%v)", err)
	}
	p.reload()
	p.wants("Bread", "Bread (copy)", "Apple", "Torte 🍰")
}

// The row of a removed column is about the last change: it goes with the next
// one, with a reload, and when the person is done with it.
func TestTheUndoRowGoesAway(t *testing.T) {
	w := start(t, options{demo: true})
	w.three(t)
	p := open(t, w, desktop, "/decks/three")
	row := p.Locator(".undo-column")

	p.menu("Bread", "Remove")
	must(t, check.Locator(p.button("Undo: Bread was removed.")).ToBeFocused())
	must(t, p.button("Dismiss: Bread was removed.").Click())
	must(t, check.Locator(row).ToHaveCount(0))
	must(t, check.Locator(p.summary("Cake")).ToBeFocused())
	p.wants("Apple", "Cake")

	p.menu("Cake", "Remove")
	must(t, check.Locator(row).ToHaveCount(1))
	p.menu("Apple", "Duplicate")
	must(t, check.Locator(row).ToHaveCount(0))

	p.menu("Apple", "Remove")
	must(t, check.Locator(row).ToHaveCount(1))
	p.reload()
	must(t, check.Locator(row).ToHaveCount(0))
	p.wants("Apple (copy)")
}

// Without script the row is on the page that removing leads to, and a button of
// it leads to the deck as it is otherwise.
func TestTheUndoRowWithoutScript(t *testing.T) {
	w := start(t, options{demo: true})
	w.three(t)
	look := desktop
	look.noScript = true
	p := open(t, w, look, "/decks/three")

	p.menu("Bread", "Remove")
	must(t, p.button("Dismiss: Bread was removed.").Click())

	must(t, check.Locator(p.Locator(".undo-column")).ToHaveCount(0))
	p.wants("Apple", "Cake")
}

func TestRenamingADeckRenamesItsTab(t *testing.T) {
	w := start(t, options{demo: true})
	w.three(t)
	p := open(t, w, desktop, "/decks/three")

	must(t, p.summary("the deck").Click())
	must(t, p.Locator("#deck-name").Fill("Drei"))
	must(t, p.Locator("#deck-name").Press("Enter"))

	must(t, check.Page(p.Page).ToHaveTitle("(8) Drei – Personal Workspace"))
	must(t, check.Locator(p.heading(1, "Drei")).ToBeVisible())
}

func TestDeckMenuAndTheListOfDecks(t *testing.T) {
	w := start(t, options{demo: true})
	w.three(t)
	p := open(t, w, desktop, "/decks/three")

	must(t, p.summary("the deck").Click())
	must(t, p.field("Title of the deck").Fill("Three things"))
	must(t, p.button("Rename").First().Click())
	must(t, check.Locator(p.heading(1, "Three things")).ToBeVisible())
	p.menu("the deck", "Duplicate")
	must(t, check.Locator(p.heading(1, "Three things (copy)")).ToBeVisible())
	p.visit("/decks")
	p.menu("Three things (copy)", "Move up")
	must(t, check.Locator(p.Locator(".deck-list > li > a strong")).ToHaveText([]string{"Every morning", "Slow evening", "Both shores", "Only X", "Three things (copy)", "Three things"}))
	p.menu("Slow evening", "Delete")
	undo := p.button("Undo: Slow evening was deleted.")
	must(t, check.Locator(undo).ToBeFocused())
	p.accessible()
	p.reload()
	must(t, undo.Click())
	must(t, check.Locator(p.link("Slow evening 3 columns")).ToBeFocused())
}

func TestBackAfterADeletion(t *testing.T) {
	w := start(t, options{demo: true})
	w.three(t)
	p := open(t, w, desktop, "/decks/three")
	p.expected = regexp.MustCompile("410")
	p.menu("the deck", "Delete")
	must(t, check.Locator(p.heading(1, "Decks")).ToBeVisible())

	p.visit("/decks/three")

	must(t, check.Locator(p.heading(1, "This deck was deleted")).ToBeVisible())
	p.accessible()
	must(t, p.button("Undo: Three was deleted.").Click())
	must(t, check.Locator(p.heading(1, "Three")).ToBeVisible())
	p.wants("Apple", "Bread", "Cake")
}

// TestQuickHandsLoseNothing presses two buttons of the form and types before the
// answer to the first one is there, and saves.
func TestQuickHandsLoseNothing(t *testing.T) {
	w := start(t, options{demo: true})
	w.three(t)
	p := open(t, w, desktop, "/decks/three/edit")
	sent, late := make(chan struct{}, 10), make(chan struct{})
	must(t, p.Route("**/decks/three/edit", func(r playwright.Route) {
		go func() {
			if r.Request().Method() == http.MethodPost {
				sent <- struct{}{}
				<-late
			}
			if err := r.Continue(); err != nil {
				t.Errorf("go on with the request: %v", err)
			}
		}()
	}))
	must(t, p.button("Remove Apple").Click())
	<-sent
	must(t, p.button("Move Cake up").Click())
	must(t, p.field("Title").Fill("Quick"))
	must(t, p.button("Save").Click())

	close(late)

	must(t, check.Locator(p.heading(1, "Quick")).ToBeVisible())
	p.wants("Cake", "Bread")
}

func TestConflictInTwoTabs(t *testing.T) {
	for _, c := range []struct {
		choose string
		press  func(p *tab) error
		title  string
		want   []string
	}{
		{"mine", func(p *tab) error { return p.button("Take mine").Click() }, "Mine", []string{"Bread", "Apple", "Cake"}},
		{"theirs", func(p *tab) error { return p.link("Take the deck as it is now").Click() }, "Three", []string{"Apple", "Cake"}},
	} {
		t.Run(c.choose, func(t *testing.T) {
			w := start(t, options{demo: true})
			d := w.three(t)
			p := open(t, w, desktop, "/decks/three/edit")
			p.expected = regexp.MustCompile("409")
			must(t, p.field("Title").Fill("Mine"))
			must(t, p.button("Move Apple down").Click())
			must(t, check.Locator(p.GetByText("Not saved yet")).ToBeVisible())
			_, err := w.app.Decks.RemoveColumn(t.Context(), decks.RemoveColumn{DeckID: d.ID, ExpectedRevision: 1, ColumnID: "b"})
			must(t, err)

			must(t, p.button("Save").Click())

			must(t, check.Locator(p.heading(1, "The deck was changed in the meantime")).ToBeVisible())
			must(t, check.Locator(p.GetByText("Removed from the deck")).ToBeVisible())
			p.accessible()
			must(t, c.press(p))
			must(t, check.Locator(p.heading(1, c.title)).ToBeVisible())
			p.wants(c.want...)
		})
	}
}

func TestAMenuOfAnOldPageAsksFirst(t *testing.T) {
	w := start(t, options{demo: true})
	w.three(t)
	p := open(t, w, desktop, "/decks/three")
	p.expected = regexp.MustCompile("409")
	_, err := w.app.Decks.RenameDeck(t.Context(), decks.RenameDeck{DeckID: "three", ExpectedRevision: 1, Title: "Other"})
	must(t, err)

	p.menu("Bread", "Remove")

	must(t, check.Locator(p.GetByText("Nothing was done yet.")).ToBeVisible())
	must(t, check.Locator(p.Locator("details.menu[open]")).ToHaveCount(0))
	must(t, check.Locator(p.Locator("#deck-notice [role=alert]")).ToBeFocused())
	p.wants("Apple", "Bread", "Cake")
	p.accessible()
	must(t, p.button("Remove it all the same").Click())
	p.wants("Apple", "Cake")
	must(t, check.Locator(p.heading(1, "Other")).ToBeVisible())
}

func TestExportAndImport(t *testing.T) {
	w := start(t, options{demo: true})
	w.three(t)
	p := open(t, w, desktop, "/decks/three")
	must(t, p.summary("the deck").Click())
	file, err := p.ExpectDownload(func() error { return p.link("Export").Click() })
	must(t, err)
	if got := file.SuggestedFilename(); got != "deck-three.json" {
		t.Errorf("the file is called %q", got)
	}
	path, err := file.Path()
	must(t, err)

	p.visit("/decks/import")
	must(t, p.field("Deck file").SetInputFiles(path))
	must(t, p.button("Show what it would make").Click())
	must(t, check.Locator(p.GetByText("Nothing is stored yet.")).ToBeVisible())
	p.accessible()
	if list, err := w.app.Decks.ListDecks(t.Context()); err != nil || len(list) != 5 {
		t.Errorf("%d decks (%v) after the preview, want 5", len(list), err)
	}
	must(t, p.field("Title").Fill("Again"))
	_, err = p.GetByLabel(regexp.MustCompile("^Columns of @mira_mends")).SelectOption(playwright.SelectOptionValues{Labels: &[]string{"Leave these columns out"}})
	must(t, err)
	must(t, p.button("Import").Click())

	must(t, check.Locator(p.heading(1, "Again")).ToBeVisible())
	p.wants("Apple", "Bread")
}

// TestEditWithoutScript does everything once where no script runs.
func TestEditWithoutScript(t *testing.T) {
	w := start(t, options{demo: true})
	w.three(t)
	look := desktop
	look.noScript = true
	p := open(t, w, look, "/decks/three")

	p.menu("Cake", "Move left")
	p.wants("Apple", "Cake", "Bread")
	p.menu("Cake", "Remove")
	p.wants("Apple", "Bread")
	must(t, p.button("Undo: Cake was removed.").Click())
	p.wants("Apple", "Cake", "Bread")
	must(t, p.summary("Bread").Click())
	must(t, p.Locator("#title-b").Fill("Brot"))
	must(t, p.Locator("#title-b").Press("Enter"))
	p.wants("Apple", "Cake", "Brot")
	p.menu("Brot", "Duplicate")
	p.wants("Apple", "Cake", "Brot", "Brot (copy)")
	p.visit("/decks/three/edit")
	must(t, p.button("Remove Apple").Click())
	must(t, check.Locator(p.button("Keep Apple")).ToBeFocused())
	must(t, p.button("Move Cake up").Click())
	must(t, p.button("Save").Click())
	p.wants("Cake", "Brot", "Brot (copy)")
	p.menu("the deck", "Delete")
	must(t, p.button("Undo: Three was deleted.").Click())
	must(t, check.Locator(p.link("Three 3 columns")).ToBeVisible())
}

// TestEditByKeyboard makes a deck and changes it with keys alone.
func TestEditByKeyboard(t *testing.T) {
	w := start(t, options{demo: true})
	p := open(t, w, desktop, "/decks/new")
	press := func(keys ...string) {
		t.Helper()
		for _, k := range keys {
			must(t, p.Keyboard().Press(k))
		}
	}
	must(t, p.field("Title").Focus())
	must(t, p.Keyboard().Type("Keys"))
	press("Tab", "ArrowDown", "ArrowDown")
	must(t, check.Locator(p.field("Local and a hashtag")).ToBeChecked())
	press("Tab", "Tab")
	must(t, p.Keyboard().Type("#darning"))
	press("Enter")
	must(t, check.Locator(p.heading(1, "Keys")).ToBeVisible())
	p.wants("Local", "#darning")

	must(t, p.summary("Local").Focus())
	press("Enter", "Tab", "Tab", "Tab")
	must(t, check.Locator(p.Locator("button:focus")).ToHaveText("Move right"))
	press("Enter")
	p.wants("#darning", "Local")
	must(t, check.Locator(p.summary("Local")).ToBeFocused())
	press("Enter", "Shift+Tab")
	must(t, p.summary("Local").Focus())
	press("Tab", "Tab", "Tab", "Tab", "Tab", "Tab", "Tab", "Tab")
	must(t, check.Locator(p.Locator("button:focus")).ToHaveText("Remove"))
	press("Enter")
	p.wants("#darning")
	must(t, check.Locator(p.button("Undo: Local was removed.")).ToBeFocused())
	press("Enter")
	p.wants("#darning", "Local")
	must(t, check.Locator(p.summary("Local")).ToBeFocused())
}

// TestEditPagesAreAccessible looks at every page that edits, at the narrowest and
// at a wide width.
func TestEditPagesAreAccessible(t *testing.T) {
	w := start(t, options{demo: true})
	d := w.three(t)
	account := d.Columns[0].ConnectionID
	paths := []string{
		"/decks", "/decks/new", "/decks/import", "/decks/three", "/decks/three/edit", "/decks/three/add", w.deck(t) + "/add",
		"/decks/three/add?connection=" + account, "/decks/three/columns/b/edit?filters=open",
	}
	for _, kind := range []string{"hashtag", "list", "notifications"} {
		paths = append(paths, "/decks/three/add?connection="+account+"&kind="+kind)
	}
	x := "/decks/three/add?connection=" + w.onX(t).ID
	paths = append(paths, x, x+"&kind=search")
	for _, look := range []window{narrow, wide} {
		t.Run(look.String(), func(t *testing.T) {
			p := open(t, w, look, "/decks")
			for _, path := range paths {
				p.visit(path)
				p.accessible()
				p.fits()
			}
			p.visit("/decks/three")
			must(t, p.summary("Apple").Click())
			p.accessible()
		})
	}
}

// must2 takes what a call returns beside its error, which is of no interest.
func must2(_ any, err error) func(*testing.T) {
	return func(t *testing.T) {
		t.Helper()
		must(t, err)
	}
}
