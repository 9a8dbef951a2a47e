package e2e_test

import (
	"regexp"
	"strings"
	"time"

	"github.com/mxschmitt/playwright-go"

	"personal-workspace/sns/snstest"
)

// fresh asks the networks for news, a minute after the last time.
func (j *journey) fresh() {
	j.t.Helper()
	if !j.look.noScript && !j.phone() {
		j.settled()
	}
	j.w.pass(time.Minute)
	j.top()
	j.use(j.button("Refresh"))
}

// works waits until a column is as it should be, with posts.
func (j *journey) works(column string) {
	j.t.Helper()
	j.hasState(column, `(Live|Updated `+hour+`)`)
	must(j.t, check.Locator(j.column(column).GetByRole("article").First()).ToBeAttached())
}

// hasState waits until a column says what is wrong, and still has its posts.
func (j *journey) hasState(column, state string) {
	j.t.Helper()
	want := regexp.MustCompile(`^\s*` + state + `\s*$`)
	if j.look.noScript {
		j.top()
		j.refreshUntil(j.state(column), want)
	}
	if j.phone() {
		j.turnTo(column, "") // only what is near asks for news there
	}
	must(j.t, check.Locator(j.state(column)).ToHaveText(want, playwright.LocatorAssertionsToHaveTextOptions{UseInnerText: new(true)}))
	must(j.t, check.Locator(j.column(column).GetByRole("article").First()).ToBeAttached())
}

// revoke makes every token invalid that the workspace has.
func (j *journey) revoke() {
	for _, r := range j.server.Requests() {
		j.server.RevokeToken(strings.TrimPrefix(r.Authorization, "Bearer "))
	}
}

// tokenRevoked follows the column's own link to the way out.
func (j *journey) tokenRevoked() {
	j.t.Helper()
	j.visit(j.deck)
	j.revoke()
	j.fresh()
	j.hasState("Home", "Sign in again")
	j.hasState("Harbour people", "Sign in again")
	j.works("Mending")
	j.turnTo("Home", "1")
	j.inspect()

	j.section("Connections", "c")
	j.says("has not accepted the account’s credential")
	j.inspect()
	j.visit(j.deck)
	j.use(j.column("Home").GetByRole("link", playwright.LocatorGetByRoleOptions{Name: "Sign in to "}))
	must(j.t, check.Locator(j.button("Connect")).ToBeVisible())
	j.inspect()
	j.use(j.button("Connect"))
	j.authorize()
	j.says("Signed in. Its columns are read again.")

	j.visit(j.deck)
	j.fresh()
	j.works("Home")
	j.works("Harbour people")
}

func (j *journey) limited() {
	j.t.Helper()
	j.server.Inject("/api/v1/timelines/home", -1, snstest.RateLimited(j.w.now().Add(10*time.Minute)))
	j.fresh()
	j.hasState("Home", "Limited until "+hour)
	j.works("Mending")
	j.turnTo("Home", "1")
	j.inspect()
	j.server.ClearFaults()
	j.w.pass(10 * time.Minute)
	j.fresh()
	j.works("Home")
}

// listDeleted deletes the list at its source and removes its column by the way
// that the column offers.
func (j *journey) listDeleted() {
	j.t.Helper()
	for _, c := range j.saved().Columns {
		j.server.DeleteList(c.Source.ListID)
	}
	j.fresh()
	j.hasState("Harbour people", "Source gone")
	j.works("Home")
	column := j.column("Harbour people")
	j.turnTo("Harbour people", "3")
	must(j.t, check.Locator(column.GetByRole("link", playwright.LocatorGetByRoleOptions{Name: "Change the account or source"})).ToBeVisible())
	j.inspect()
	j.use(column.GetByRole("link", playwright.LocatorGetByRoleOptions{Name: "Remove it"}))
	j.use(j.button("Remove Harbour people"))
	must(j.t, check.Locator(j.button("Keep Harbour people")).ToBeVisible())
	j.inspect()
	j.use(j.button("Save"))
	j.wants("Home", "Mending")
}
