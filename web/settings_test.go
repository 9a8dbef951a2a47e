package web_test

import (
	"context"
	"errors"
	"net/http"
	"net/url"
	"strings"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"
	"golang.org/x/net/html"

	"personal-workspace/internal/fault"
	"personal-workspace/sns"
	"personal-workspace/web"
)

// section is the part of a page with this id.
func section(t *testing.T, a answer, id string) *html.Node {
	t.Helper()
	return one(t, document(t, a.body), tag("section"), with("id", id))
}

// checked are the values of the radio buttons that are chosen, by their names.
func checked(n *html.Node) map[string]string {
	out := map[string]string{}
	for _, input := range all(n, tag("input"), with("type", "radio")) {
		if has(input, "checked") {
			out[attr(input, "name")] = attr(input, "value")
		}
	}
	return out
}

// save sends a part of the settings and follows to the page, like a browser.
func (w *workspace) save(part string, form url.Values) answer {
	w.t.Helper()
	a := w.post("/settings/"+part, form)
	want := "/settings?saved=" + part + "#" + part
	if a.StatusCode != http.StatusSeeOther || a.Header.Get("Location") != want {
		w.t.Fatalf("POST %s answers %d %s, want 303 %s", part, a.StatusCode, a.Header.Get("Location"), want)
	}
	for _, c := range a.Cookies() {
		w.cookies = append(w.cookies, &http.Cookie{Name: c.Name, Value: c.Value})
	}
	return w.get("/settings?saved=" + part)
}

func TestSettingsAtFirst(t *testing.T) {
	w := newWorkspace(t, nil)

	a := w.get("/settings")

	want := map[string]string{"theme": "", "contrast": "", "text": "", "warnings": "", "media": "", "counts": "", "keys": "on"}
	if diff := cmp.Diff(want, checked(document(t, a.body))); diff != "" {
		t.Errorf("the choices differ (-want +got):\n%s", diff)
	}
	if got := text(section(t, a, "time-zone")); !strings.Contains(got, "the server’s own, UTC+01:00. It is 13:50 on the pages now.") {
		t.Errorf("the time zone says %q", got)
	}
	if got := text(section(t, a, "sessions")); !strings.Contains(got, "Nobody has to sign in") {
		t.Errorf("the sessions say %q", got)
	}
	if got := text(section(t, a, "assistants")); !strings.Contains(got, "http://127.0.0.1:3000/mcp") {
		t.Errorf("the assistants' part has no address: %q", got)
	}
}

func TestReadingSettingsAreKept(t *testing.T) {
	w := newWorkspace(t, nil)
	chosen := url.Values{"warnings": {"open"}, "media": {"at-once"}, "counts": {"hidden"}}

	a := w.save("reading", chosen)

	want := map[string]string{"warnings": "open", "media": "at-once", "counts": "hidden"}
	if diff := cmp.Diff(want, checked(section(t, a, "reading"))); diff != "" {
		t.Errorf("the choices differ (-want +got):\n%s", diff)
	}
	if got := text(one(t, section(t, a, "reading"), with("role", "status"))); got != "Saved." {
		t.Errorf("the page says %q, want Saved.", got)
	}
	w.restart()
	if diff := cmp.Diff(want, checked(section(t, w.get("/settings"), "reading"))); diff != "" {
		t.Errorf("after a restart the choices differ (-want +got):\n%s", diff)
	}
	a = w.save("reading", url.Values{"warnings": {"nonsense"}})
	if diff := cmp.Diff(map[string]string{"warnings": "", "media": "", "counts": ""}, checked(section(t, a, "reading"))); diff != "" {
		t.Errorf("a choice that there is not should be the default (-want +got):\n%s", diff)
	}
}

func TestKeysAreOnUntilSwitchedOff(t *testing.T) {
	w := newWorkspace(t, nil)
	on := func() bool { return has(one(t, document(t, w.get("/decks").body), tag("html")), "data-keys") }
	if !on() {
		t.Error("the keys are off at first, want on")
	}

	w.save("keyboard", url.Values{"keys": {""}})

	if on() {
		t.Error("the keys are on, want off")
	}
	w.save("keyboard", url.Values{"keys": {"on"}})
	if !on() {
		t.Error("the keys are off, want on again")
	}
}

func TestPagesLookAsTheBrowserWants(t *testing.T) {
	cases := map[string]struct {
		form url.Values
		want map[string]string
	}{
		"all chosen":       {url.Values{"theme": {"dark"}, "contrast": {"more"}, "text": {"large"}}, map[string]string{"data-theme": "dark", "data-contrast": "more", "data-text": "large"}},
		"light":            {url.Values{"theme": {"light"}}, map[string]string{"data-theme": "light"}},
		"as the system":    {url.Values{"theme": {""}, "contrast": {""}, "text": {""}}, map[string]string{}},
		"what there isn't": {url.Values{"theme": {`"><script>`}, "contrast": {"less"}, "text": {"dark"}}, map[string]string{}},
	}
	for name, c := range cases {
		t.Run(name, func(t *testing.T) {
			w := newWorkspace(t, withPassword)
			w.setUp()
			w.save("appearance", c.form)

			for _, path := range []string{"/decks", "/nothing", "/login"} {
				if path == "/login" {
					w.cookies = w.cookies[1:] // signed out, with the cookie of the look
				}
				if diff := cmp.Diff(c.want, lookOf(t, w.get(path))); diff != "" {
					t.Errorf("%s differs (-want +got):\n%s", path, diff)
				}
			}
		})
	}
}

// lookOf are the attributes of a page that say how it looks.
func lookOf(t *testing.T, a answer) map[string]string {
	t.Helper()
	page := one(t, document(t, a.body), tag("html"))
	got := map[string]string{}
	for _, name := range []string{"data-theme", "data-contrast", "data-text"} {
		if has(page, name) {
			got[name] = attr(page, name)
		}
	}
	return got
}

func TestLookCookieIsIgnoredWhenItIsNoLook(t *testing.T) {
	w := newWorkspace(t, nil)
	for _, value := range []string{"", "dark", "dark.more", "dark.more.large.x", "x.y.z", strings.Repeat(".", 5000)} {
		w.cookies = []*http.Cookie{{Name: "workspace_look", Value: value}}
		if got := lookOf(t, w.get("/decks")); len(got) > 0 {
			t.Errorf("the cookie %.20q makes the look %v, want none", value, got)
		}
	}
}

func TestTimesAreInTheChosenZone(t *testing.T) {
	w := newWorkspace(t, nil)
	w.net.set("social.example", "local", timeline(1)...)
	w.deck("Morning", local(w.connect("social.example")))
	w.fill()

	a := w.save("time-zone", url.Values{"zone": {" Asia/Tokyo "}})

	if got := attr(one(t, document(t, a.body), with("id", "zone")), "value"); got != "Asia/Tokyo" {
		t.Errorf("the field has %q, want Asia/Tokyo", got)
	}
	if got := text(section(t, a, "time-zone")); !strings.Contains(got, "It is 21:50 on the pages now.") {
		t.Errorf("the page says %q", got)
	}
	at := one(t, document(t, w.get("/decks/d").body), tag("time"), with("title", "Mon 30 Nov 2026, 21:49"))
	if got := attr(at, "datetime"); got != "2026-11-30T21:49:00+09:00" {
		t.Errorf("datetime = %q, want the time in Tokyo", got)
	}
	head := one(t, document(t, w.get("/decks/d").body), class("state"))
	if got := text(head); !strings.Contains(got, "21:50") {
		t.Errorf("the column's head says %q, want 21:50", got)
	}
}

// TestLimitsAreToldInTheChosenZone lets a server name the time of the next try,
// which is in UTC in the message for assistants.
func TestLimitsAreToldInTheChosenZone(t *testing.T) {
	w := newWorkspace(t, nil)
	retryAt := start.Add(7*time.Minute + 3*time.Second)
	w.net.breakWith(fault.New(fault.RateLimited, "social.example limits requests; try again at %s.", retryAt.UTC().Format("15:04:05 UTC")).RetryAt(retryAt))
	c := w.connect("social.example")
	w.deck("Morning", local(c))
	if err := w.posts.Refresh(t.Context(), c.ID, sns.Source{Kind: sns.KindLocal}); err == nil {
		t.Fatal("the server answers, want a refusal")
	}
	w.save("time-zone", url.Values{"zone": {"Asia/Tokyo"}})

	column := one(t, document(t, w.get("/decks/d").body), class("column"))

	if got := text(one(t, column, class("state"))); got != "Limited until 21:57" {
		t.Errorf("the column's head says %q", got)
	}
	if got := text(one(t, column, class("panel"))); !strings.Contains(got, "try again at 21:57.") || strings.Contains(got, "UTC") {
		t.Errorf("the panel says %q, want the same time", got)
	}
}

func TestZonesThatThereAreNotStayInTheField(t *testing.T) {
	w := newWorkspace(t, nil)
	for _, zone := range []string{
		"Berlin", "Local", "../etc/passwd", "/etc/localtime", strings.Repeat("a", 70), "<b>",
		"./UTC", "US//Pacific", "UTC/", "localtime", "posixrules", "posix/Europe/Berlin", "right/UTC", "Factory",
	} {
		a := w.post("/settings/time-zone", url.Values{"zone": {zone}})
		field := one(t, document(t, a.body), with("id", "zone"))
		if a.StatusCode != http.StatusUnprocessableEntity || attr(field, "aria-invalid") != "true" {
			t.Errorf("%q answers %d, want 422 with the field marked", zone, a.StatusCode)
		}
		if got := attr(field, "value"); got != zone {
			t.Errorf("the field has %q, want what was typed, %q", got, zone)
		}
	}
}

func TestEmptyZoneIsTheServers(t *testing.T) {
	w := newWorkspace(t, nil)
	w.save("time-zone", url.Values{"zone": {"Asia/Tokyo"}})

	a := w.save("time-zone", url.Values{"zone": {""}})

	if got := text(section(t, a, "time-zone")); !strings.Contains(got, "It is 13:50 on the pages now.") {
		t.Errorf("the page says %q", got)
	}
}

func TestAboutSaysHowTheWorkspaceDoes(t *testing.T) {
	cases := map[string]struct {
		ready func(context.Context) ([]string, error)
		says  string
	}{
		"all is well": {nil, "Everything works."},
		"a warning": {func(context.Context) ([]string, error) {
			return []string{"The account @a@b has to sign in again."}, nil
		}, "The account @a@b has to sign in again."},
		"cannot serve": {func(context.Context) ([]string, error) { return nil, errors.New("/var/secret is gone") }, "The workspace cannot work as it should; the server's log has the reason."},
	}
	for name, c := range cases {
		t.Run(name, func(t *testing.T) {
			w := newWorkspace(t, func(cfg *web.Config) { cfg.Ready = c.ready })
			got := text(section(t, w.get("/settings"), "about"))
			if !strings.Contains(got, c.says) || !strings.Contains(got, "Version test") || !strings.Contains(got, "kB") || strings.Contains(got, "secret") {
				t.Errorf("about says %q, want it to say %q", got, c.says)
			}
		})
	}
}

const (
	firefox = "Mozilla/5.0 (X11; Linux x86_64; rv:140.0) Gecko/20100101 Firefox/140.0"
	iphone  = "Mozilla/5.0 (iPhone; CPU iPhone OS 18_5 like Mac OS X) AppleWebKit/605.1.15 (KHTML, like Gecko) Version/18.5 Mobile/15E148 Safari/604.1"
)

// signInAs signs another browser in and returns its cookies.
func (w *workspace) signInAs(agent string) []*http.Cookie {
	w.t.Helper()
	own := w.cookies
	w.cookies = nil
	w.keep(w.post("/login", url.Values{"password": {password}}, "User-Agent", agent))
	theirs := w.cookies
	w.cookies = own
	return theirs
}

// browsers are the lines of the list of sessions.
func (w *workspace) browsers() []string {
	w.t.Helper()
	return texts(all(section(w.t, w.get("/settings"), "sessions"), tag("li")))
}

func TestSessionsAreListedAndEnded(t *testing.T) {
	w := newWorkspace(t, withPassword)
	w.setUp()
	w.cookies = w.signInAs(firefox)
	w.pass(2 * time.Hour)
	phone := w.signInAs(iphone)
	w.pass(time.Hour)
	w.get("/decks")
	want := []string{
		"Firefox on Linux This browser Signed in 3 h ago · last seen now Sign out Firefox on Linux",
		"Safari on iPhone Signed in 1 h ago · last seen 1 h ago Sign out Safari on iPhone",
		"Some browser Signed in 3 h ago · last seen 3 h ago Sign out Some browser",
	}
	if diff := cmp.Diff(want, w.browsers()); diff != "" {
		t.Fatalf("the sessions differ (-want +got):\n%s", diff)
	}

	form := all(section(t, w.get("/settings"), "sessions"), tag("form"))[1]
	if a := w.post(attr(form, "action"), nil); a.Header.Get("Location") != "/settings?saved=sessions#sessions" {
		t.Errorf("signing out the phone answers %d %s", a.StatusCode, a.Header.Get("Location"))
	}
	if diff := cmp.Diff([]string{want[0], want[2]}, w.browsers()); diff != "" {
		t.Errorf("the sessions differ (-want +got):\n%s", diff)
	}
	own := w.cookies
	if w.cookies = phone; w.isSignedIn() {
		t.Error("the phone is still signed in")
	}
	w.cookies = own
	if a := w.post(attr(form, "action"), nil); a.StatusCode != http.StatusSeeOther {
		t.Errorf("a second press answers %d, want 303 all the same", a.StatusCode)
	}
}

func TestAllOthersAreSignedOut(t *testing.T) {
	w := newWorkspace(t, withPassword)
	w.setUp()
	w.cookies = w.signInAs(firefox)
	phone := w.signInAs(iphone)

	w.post("/settings/sessions/end-others", nil)

	if got := w.browsers(); len(got) != 1 || !strings.Contains(got[0], "This browser") {
		t.Errorf("the sessions are %q, want this browser's alone", got)
	}
	if strings.Contains(w.get("/settings").body, "all others") {
		t.Error("the page offers to sign out others, want no such button")
	}
	if w.cookies = phone; w.isSignedIn() {
		t.Error("the phone is still signed in")
	}
}

func TestEndingTheOwnSessionSignsOut(t *testing.T) {
	w := newWorkspace(t, withPassword)
	w.setUp()
	form := all(section(t, w.get("/settings"), "sessions"), tag("form"))[0]

	a := w.post(attr(form, "action"), nil)
	w.keep(a)

	if a.Header.Get("Location") != "/login" || len(w.cookies) != 0 || w.isSignedIn() {
		t.Errorf("answer = %d %s with cookies %v, want 303 /login and nobody signed in", a.StatusCode, a.Header.Get("Location"), w.cookies)
	}
}

func TestHelpListsTheKeysThatLeadSomewhere(t *testing.T) {
	w := newWorkspace(t, nil)

	page := document(t, w.get("/settings/keys").body)

	sections := texts(all(page, match(func(n *html.Node) bool { return has(n, "data-section") })))
	var lines []string
	for _, dd := range all(page, tag("dd")) {
		if name, ok := strings.CutPrefix(text(dd), "Go to "); ok && !strings.HasPrefix(name, "the ") {
			lines = append(lines, name)
		}
	}
	if diff := cmp.Diff(sections, lines); diff != "" {
		t.Errorf("the keys and the navigation differ (-navigation +keys):\n%s", diff)
	}
	if got := texts(all(page, tag("h2"))); len(got) != 4 {
		t.Errorf("the groups are %q, want 4", got)
	}
}
