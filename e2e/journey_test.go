package e2e_test

import (
	"regexp"
	"strings"
	"testing"

	"github.com/mxschmitt/playwright-go"

	"personal-workspace/decks"
	"personal-workspace/internal/app/config"
	"personal-workspace/sns/snstest"
)

// journey is a newcomer's way through the whole workspace: from the set-up link
// over accounts and a deck, what goes wrong with it, and a file of it, to signing
// out. At every page that is new on the way, inspect looks for what no page may
// have.
type journey struct {
	hands
	// server is where the account is.
	server *snstest.Mastodon
	// deck is the path of the deck.
	deck string
	// checked: every page is checked for accessibility.
	checked bool
}

func TestJourney(t *testing.T) {
	for name, m := range map[string]struct {
		look window
		keys bool
		base string
	}{
		"1920 px":                   {look: wide},
		"320 px":                    {look: window{width: 320, height: 800}},
		"390 px without JavaScript": {look: window{width: 390, height: 844, noScript: true}},
		"by keyboard alone":         {look: desktop, keys: true},
		"under a base path":         {look: desktop, base: "/ws/"},
	} {
		t.Run(name, func(t *testing.T) {
			w := start(t, options{servers: true, auth: config.AuthPassword, base: m.base})
			link, err := w.app.SetupURL(t.Context())
			must(t, err)
			link = strings.TrimPrefix(link, w.url)
			if m.base == "" {
				w.elsewhere()
			}
			p := open(t, w, m.look, link)
			p.expected = regexp.MustCompile("status of 409")
			if m.keys {
				must(t, p.AddInitScript(playwright.Script{Content: new(`addEventListener("pointerdown", () => console.error("the pointer is used"), true)`)}))
			}
			j := &journey{hands: hands{p, m.keys}, server: w.demo.Servers()[0], checked: !m.keys && m.base == ""}
			j.begin()
			j.build()
			j.edit()
			j.breakIt()
			j.finish()
		})
	}
}

func (j *journey) begin() {
	j.setPassword()
	j.connect()
	j.connectPublic()
}

func (j *journey) build() {
	j.makeDeck()
	j.addList()
	j.addHashtag()
	j.arrange()
	j.readPost()
}

func (j *journey) edit() {
	j.assistantEdits()
	j.conflict("Take the deck as it is now", "Elsewhere 1")
	j.conflict("Take mine", "Mine")
}

func (j *journey) breakIt() {
	j.tokenRevoked()
	j.limited()
	j.listDeleted()
}

func (j *journey) finish() {
	j.exportAndImport()
	j.settings()
	j.end()
}

// inspect looks for barriers and for sideways scrolling. What is logged and what
// fails to load ends the test by itself.
func (j *journey) inspect() {
	j.t.Helper()
	// By keys and under a base path the pages are those of the other windows,
	// and the checker takes a third of the time.
	if j.checked {
		j.accessible()
	}
	j.fits()
}

func (j *journey) setPassword() {
	j.t.Helper()
	must(j.t, check.Locator(j.heading(1, "Set a password")).ToBeVisible())
	j.inspect()
	j.write(j.field("New password"), "four words make one")
	j.write(j.field("The same once more"), "four words make one")
	j.use(j.button("Set the password"))
	must(j.t, check.Locator(j.heading(2, "Connect an account to fill a deck")).ToBeVisible())
	j.inspect()
	j.signOut()
	j.enter("Home")
}

// signOut presses the button that is beside the navigation, on a phone in
// Settings.
func (j *journey) signOut() {
	j.t.Helper()
	if j.phone() {
		j.section("Settings", "s")
		j.use(j.Locator(".session:has(.chip) button"))
	} else {
		j.use(j.button("Sign out"))
	}
}

// enter signs in, which leads to the page of that heading.
func (j *journey) enter(to string) {
	j.t.Helper()
	must(j.t, check.Locator(j.heading(1, "Sign in")).ToBeVisible())
	j.inspect()
	j.write(j.field("Password"), "four words make one")
	j.use(j.button("Sign in"))
	must(j.t, check.Locator(j.heading(1, to)).ToBeVisible())
}

// connect adds an account on the pages of its server.
func (j *journey) connect() {
	j.t.Helper()
	j.use(j.link("Connect an account"))
	must(j.t, check.Locator(j.heading(1, "Connect an account")).ToBeVisible())
	j.inspect()
	j.write(j.field("Server address"), j.server.Origin())
	j.use(j.button("Connect"))
	j.authorize()
	j.says("Connected. The next step is a deck that shows it.")
	j.inspect()
}

func (j *journey) authorize() {
	j.t.Helper()
	if j.look.noScript {
		between := j.GetByRole("link", playwright.PageGetByRoleOptions{Name: "Continue to"})
		must(j.t, check.Locator(between).ToBeVisible())
		j.inspect()
		j.use(between)
	}
	must(j.t, check.Locator(j.heading(1, "Authorize")).ToBeVisible())
	j.use(j.button("Authorize"))
}

// public is the host of the server that is read without an account.
func (j *journey) public() string { return strings.TrimPrefix(j.w.demo.Origins()[1], "http://") }

// connectPublic adds a server without an account, so that something works while
// the account does not.
func (j *journey) connectPublic() {
	j.t.Helper()
	j.section("Connections", "c")
	j.use(j.link("Connect an account"))
	j.write(j.field("Server address"), j.w.demo.Origins()[1])
	j.choose(j.GetByRole("radio", playwright.PageGetByRoleOptions{Name: "Only its public timelines"}))
	j.use(j.button("Connect"))
	j.says("Can read what is public; has no account")
	j.inspect()
}

func (j *journey) makeDeck() {
	j.t.Helper()
	j.section("Decks", "d")
	j.inspect()
	j.use(j.link("Make a deck"))
	must(j.t, check.Locator(j.heading(1, "Make a deck")).ToBeVisible())
	j.inspect()
	j.write(j.field("Title"), "Morning")
	j.choose(j.field("Home and mentions"))
	j.use(j.button("Make the deck"))
	must(j.t, check.Locator(j.heading(1, "Morning")).ToBeVisible())
	j.wants("Home", "Mentions")
	j.deck = j.path()
}

// addColumn goes the steps to the form of a new column.
func (j *journey) addColumn(account, kind string) {
	j.t.Helper()
	j.top()
	j.use(j.link("Add a column"))
	must(j.t, check.Locator(j.heading(2, "From which account?")).ToBeVisible())
	j.inspect()
	j.use(j.GetByRole("link", playwright.PageGetByRoleOptions{Name: account}))
	must(j.t, check.Locator(j.heading(2, "What shall it show?")).ToBeVisible())
	j.inspect()
	j.use(j.GetByRole("link", playwright.PageGetByRoleOptions{Name: regexp.MustCompile("^" + kind)}))
	must(j.t, check.Locator(j.button("Add the column")).ToBeVisible())
	j.inspect()
}

func (j *journey) addList() {
	j.t.Helper()
	j.addColumn("@mira@tidepool.example", "List")
	j.pick(j.field("List"), "Harbour people")
	j.use(j.button("Add the column"))
	if j.look.noScript { // its name comes with its posts
		must(j.t, check.Locator(j.heading(1, "Morning")).ToBeVisible())
		j.fresh()
		j.refreshUntil(j.Locator("section.column h2").Nth(2), regexp.MustCompile("Harbour people"))
	}
	j.wants("Home", "Mentions", "Harbour people")
}

func (j *journey) addHashtag() {
	j.t.Helper()
	j.addColumn(j.public(), "Hashtag")
	j.write(j.field("Hashtag"), "#VisibleMending")
	j.use(j.button("Add the column"))
	j.wants("Home", "Mentions", "Harbour people", "#VisibleMending")
}

// arrange renames, moves and removes columns, and takes a removal back.
func (j *journey) arrange() {
	j.t.Helper()
	j.fresh()
	j.works("Home")
	j.turnTo("#VisibleMending", "4")
	j.use(j.summary("#VisibleMending"))
	j.inspect()
	name := j.Locator("details.menu[open]").GetByLabel("Name of the column")
	j.write(name, "Mending")
	must(j.t, name.Press("Enter"))
	j.wants("Home", "Mentions", "Harbour people", "Mending")
	j.turnTo("Mending", "4")
	j.inMenu("Mending", "Move left")
	j.wants("Home", "Mentions", "Mending", "Harbour people")

	j.turnTo("Mending", "3")
	j.inMenu("Mending", "Remove")
	j.wants("Home", "Mentions", "Harbour people")
	j.inspect()
	j.use(j.button("Undo: Mending was removed."))
	j.wants("Home", "Mentions", "Mending", "Harbour people")
	j.turnTo("Mentions", "2")
	j.inMenu("Mentions", "Remove")
	j.wants("Home", "Mending", "Harbour people")
}

func (j *journey) readPost() {
	j.t.Helper()
	j.visit(j.deck)
	j.works("Home")
	j.turnTo("Home", "1")
	j.inspect()
	if j.keys {
		j.press("j", "Enter")
	} else {
		j.use(j.column("Home").GetByRole("article").First().Locator("a[data-open]"))
	}
	must(j.t, check.Page(j).ToHaveURL(regexp.MustCompile("/posts/conn_")))
	must(j.t, check.Locator(j.GetByRole("article").First()).ToBeVisible())
	j.inspect()
}

// saved is the deck as it is stored.
func (j *journey) saved() decks.Deck {
	j.t.Helper()
	d, err := j.w.app.Decks.GetDeck(j.t.Context(), strings.TrimPrefix(j.deck, "/decks/"))
	must(j.t, err)
	return d
}

// assistantEdits lets an assistant turn the deck around while it is read.
func (j *journey) assistantEdits() {
	j.t.Helper()
	j.visit(j.deck)
	var before map[string]float64
	if !j.look.noScript {
		must(j.t, check.Locator(j.Locator("html")).ToHaveAttribute("data-stream", "live"))
		j.works("Home")
		j.readOn()
		before = j.places("Home")
	}
	d := j.saved()
	var columns []map[string]any
	for _, i := range []int{0, 2, 1} {
		c := d.Columns[i]
		columns = append(columns, map[string]any{"id": c.ID, "title": c.Title, "connectionId": c.ConnectionID, "source": c.Source})
	}
	j.w.call(j.t, "replace_deck", map[string]any{"deckId": d.ID, "expectedRevision": d.Revision, "title": "By an assistant", "columns": columns})

	if j.look.noScript {
		j.visit(j.deck)
	} else {
		must(j.t, check.Locator(j.bar("changed")).ToBeVisible())
		j.wants("Home", "Mending", "Harbour people")
		j.unmoved("Home", before)
		j.inspect()
		j.use(j.bar("changed").GetByRole("link"))
	}
	must(j.t, check.Locator(j.heading(1, "By an assistant")).ToBeVisible())
	j.wants("Home", "Harbour people", "Mending")
}

// readOn goes some posts down in the column Home.
func (j *journey) readOn() {
	j.t.Helper()
	j.turnTo("Home", "1")
	if j.keys {
		j.press("j", "j", "j", "j", "j")
		return
	}
	must(j.t, j.column("Home").GetByRole("article").Nth(4).ScrollIntoViewIfNeeded())
}

// beside opens one more tab of the same browser.
func (j *journey) beside() *journey {
	j.t.Helper()
	page, err := j.Context().NewPage()
	must(j.t, err)
	p := &tab{Page: page, t: j.t, w: j.w, look: j.look, base: j.base}
	p.listen()
	return &journey{hands: hands{p, j.keys}, server: j.server, deck: j.deck}
}

func (j *journey) openEdit() {
	j.t.Helper()
	j.visit(j.deck)
	j.use(j.linkInMenu("the deck", "Edit"))
	must(j.t, check.Locator(j.heading(1, "Edit the deck")).ToBeVisible())
}

// conflict edits the deck in two tabs at once and makes a choice between the two
// versions, after which the deck has the title.
func (j *journey) conflict(choice, title string) {
	j.t.Helper()
	j.openEdit()
	j.inspect()
	other := j.beside()
	other.openEdit()
	other.write(other.field("Title"), "Elsewhere 1")
	other.use(other.button("Move Mending up"))
	other.use(other.button("Save"))
	must(j.t, check.Locator(other.heading(1, "Elsewhere 1")).ToBeVisible())
	must(j.t, other.Close())

	j.write(j.field("Title"), "Mine")
	j.use(j.button("Save"))
	must(j.t, check.Locator(j.heading(1, "The deck was changed in the meantime")).ToBeVisible())
	j.inspect()
	j.use(j.button(choice).Or(j.link(choice)))
	must(j.t, check.Locator(j.heading(1, title)).ToBeVisible())
}

// exportAndImport reads a deck's file again, with the posts of one account from
// the other one.
func (j *journey) exportAndImport() {
	j.t.Helper()
	export := j.linkInMenu("the deck", "Export")
	file, err := j.ExpectDownload(func() error { return j.using(export) })
	must(j.t, err)
	path, err := file.Path()
	must(j.t, err)

	j.section("Decks", "d")
	j.use(j.link("Import"))
	must(j.t, check.Locator(j.heading(1, "Import decks")).ToBeVisible())
	j.inspect()
	j.give(j.field("Deck file"), path)
	j.use(j.button("Show what it would make"))
	j.says("Nothing is stored yet.")
	j.inspect()
	j.write(j.field("Title"), "Once more")
	j.pick(j.GetByLabel(regexp.MustCompile("^Columns of "+regexp.QuoteMeta(j.public()))), "@mira@tidepool.example")
	j.use(j.button("Import"))
	must(j.t, check.Locator(j.heading(1, "Once more")).ToBeVisible())
	j.wants("Home", "Mending")
	must(j.t, check.Locator(j.column("Mending").Locator(".account")).ToContainText("@mira"))
}

// settings chooses a theme and ends the session of another browser.
func (j *journey) settings() {
	j.t.Helper()
	other := &journey{hands: hands{newTab(j.t, j.w, j.look, nil), j.keys}}
	other.visit("/decks")
	other.enter("Decks")

	j.section("Settings", "s")
	j.inspect()
	j.choose(j.group("Theme").GetByLabel("Dark"))
	j.use(j.button("Save the appearance"))
	j.says("Saved.")
	must(j.t, check.Locator(j.Locator("html")).ToHaveAttribute("data-theme", "dark"))
	j.inspect()
	j.use(j.Locator(".session:not(:has(.chip)) button"))
	must(j.t, check.Locator(j.Locator(".session")).ToHaveCount(1))
	other.visit("/decks")
	must(j.t, check.Locator(other.heading(1, "Sign in")).ToBeVisible())
}

func (j *journey) end() {
	j.t.Helper()
	j.signOut()
	must(j.t, check.Locator(j.heading(1, "Sign in")).ToBeVisible())
	j.visit(j.deck)
	must(j.t, check.Locator(j.heading(1, "Sign in")).ToBeVisible())
	j.inspect()
}
