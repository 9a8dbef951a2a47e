package web_test

import (
	"net/http"
	"net/url"
	"strings"
	"testing"
	"time"

	"personal-workspace/internal/sqlite"
	"personal-workspace/web"
)

const password = "four words make one"

func withPassword(c *web.Config) { c.Auth = web.AuthPassword }

// setUp sets the password by a fresh link, and leaves the browser signed in.
func (w *workspace) setUp() {
	w.t.Helper()
	a := w.post(w.setupLink(), url.Values{"password": {password}, "again": {password}})
	if a.StatusCode != http.StatusSeeOther {
		w.t.Fatalf("the set-up form answers %d, want 303", a.StatusCode)
	}
	w.keep(a)
}

func (w *workspace) setupLink() string {
	w.t.Helper()
	link, err := w.handler.SetupLink(w.t.Context())
	if err != nil {
		w.t.Fatalf("SetupLink: %v", err)
	}
	return link
}

func (w *workspace) signIn(password, next string) answer {
	w.t.Helper()
	a := w.post("/login", url.Values{"password": {password}, "next": {next}})
	w.keep(a)
	return a
}

func (w *workspace) isSignedIn() bool {
	return w.get("/decks").StatusCode == http.StatusOK
}

func TestPagesAskForTheSignInAndLeadBack(t *testing.T) {
	cases := map[string]struct{ path, location string }{
		"home":            {"/", "/login"},
		"the decks":       {"/decks", "/login?next=%2Fdecks"},
		"one deck":        {"/decks/d?x=1", "/login?next=%2Fdecks%2Fd%3Fx%3D1"},
		"a column alone":  {"/decks/d/columns/c", "/login?next=%2Fdecks%2Fd%2Fcolumns%2Fc"},
		"no such deck":    {"/decks/nothing", "/login?next=%2Fdecks%2Fnothing"},
		"a strange query": {"/decks?next=//evil.example", "/login?next=%2Fdecks%3Fnext%3D%2F%2Fevil.example"},
	}
	w := newWorkspace(t, withPassword)
	for name, c := range cases {
		t.Run(name, func(t *testing.T) {
			a := w.get(c.path)
			if a.StatusCode != http.StatusSeeOther || a.Header.Get("Location") != c.location {
				t.Errorf("answer = %d %s, want 303 %s", a.StatusCode, a.Header.Get("Location"), c.location)
			}
		})
	}
}

func TestWhatNeedsNoSignIn(t *testing.T) {
	w := newWorkspace(t, withPassword)
	for path, want := range map[string]int{
		"/livez": 200, "/readyz": 200, "/login": 200, w.setupLink(): 200,
		"/static/nothing.js": 404, "/nothing": 404, "/setup/wrong": 404,
	} {
		if a := w.get(path); a.StatusCode != want {
			t.Errorf("%s answers %d, want %d", path, a.StatusCode, want)
		}
	}
}

func TestFormsNeedTheSignIn(t *testing.T) {
	w := newWorkspace(t, withPassword)

	a := w.post("/decks/d/refresh", url.Values{})

	if a.StatusCode != http.StatusSeeOther || a.Header.Get("Location") != "/login" {
		t.Errorf("answer = %d %s, want 303 /login", a.StatusCode, a.Header.Get("Location"))
	}
}

func TestFormsLeadBackToTheirPageAfterTheSignIn(t *testing.T) {
	w := newWorkspace(t, withPassword)
	cases := map[string]struct{ referer, location string }{
		"the form's page":            {"http://localhost:3000/settings", "/login?next=%2Fsettings"},
		"with a query":               {"http://localhost:3000/decks/d?x=1", "/login?next=%2Fdecks%2Fd%3Fx%3D1"},
		"an address for forms alone": {"http://localhost:3000/settings/time-zone", "/login"},
		"the first page":             {"http://localhost:3000/", "/login"},
		"not known":                  {"", "/login"},
		"no address":                 {"::", "/login"},
		"another site's path":        {"http://localhost:3000//evil.example", "/login"},
	}
	for name, c := range cases {
		t.Run(name, func(t *testing.T) {
			a := w.post("/settings/time-zone", url.Values{"zone": {"UTC"}}, "Referer", c.referer)
			if a.StatusCode != http.StatusSeeOther || a.Header.Get("Location") != c.location {
				t.Errorf("answer = %d %s, want 303 %s", a.StatusCode, a.Header.Get("Location"), c.location)
			}
		})
	}
}

func TestFragmentsSendTheWholePageToTheSignIn(t *testing.T) {
	w := newWorkspace(t, withPassword)
	cases := map[string]struct{ current, redirect string }{
		"the page it came from": {"http://localhost:3000/decks/d", "/login?next=%2Fdecks%2Fd"},
		"nothing known":         {"", "/login"},
		"another path":          {"http://localhost:3000//evil.example", "/login"},
	}
	for name, c := range cases {
		t.Run(name, func(t *testing.T) {
			a := w.fragment("/decks/d/columns/c?fresh=1", "HX-Current-URL", c.current)
			if a.StatusCode != http.StatusUnauthorized || a.Header.Get("HX-Redirect") != c.redirect {
				t.Errorf("answer = %d %s, want 401 %s", a.StatusCode, a.Header.Get("HX-Redirect"), c.redirect)
			}
		})
	}
}

func TestSetupLinkSetsThePasswordOnce(t *testing.T) {
	w := newWorkspace(t, withPassword)
	link := w.setupLink()

	a := w.post(link, url.Values{"password": {password}, "again": {password}})
	w.keep(a)

	if a.StatusCode != http.StatusSeeOther || a.Header.Get("Location") != "/" {
		t.Fatalf("answer = %d %s, want 303 /", a.StatusCode, a.Header.Get("Location"))
	}
	if !w.isSignedIn() {
		t.Error("the browser is not signed in afterwards")
	}
	if again := w.post(link, url.Values{"password": {"another password"}, "again": {"another password"}}); again.StatusCode != http.StatusNotFound {
		t.Errorf("the link answers %d a second time, want 404", again.StatusCode)
	}
	if next := w.setupLink(); next != "" {
		t.Errorf("with a password set there is a link %q, want none", next)
	}
}

func TestSetupLinkOfAnEarlierStartIsVoid(t *testing.T) {
	w := newWorkspace(t, withPassword)
	old := w.setupLink()
	w.restart()
	fresh := w.setupLink()

	if a := w.get(old); a.StatusCode != http.StatusNotFound {
		t.Errorf("the old link answers %d, want 404", a.StatusCode)
	}
	if a := w.get(fresh); a.StatusCode != http.StatusOK {
		t.Errorf("the new link answers %d, want 200", a.StatusCode)
	}
}

func TestSetupRefusesWeakPasswords(t *testing.T) {
	cases := map[string]struct{ password, again, field, says string }{
		"too short":          {"123456789", "123456789", "password", "at least 10 characters"},
		"nothing":            {"", "", "password", "at least 10 characters"},
		"not the same twice": {password, password + "r", "again", "differ"},
		"very long":          {strings.Repeat("long", 300), strings.Repeat("long", 300), "password", "1024 bytes"},
		"no text":            {"\xff\xfe234567890", "\xff\xfe234567890", "password", "cannot be read"},
	}
	w := newWorkspace(t, withPassword)
	link := w.setupLink()
	for name, c := range cases {
		t.Run(name, func(t *testing.T) {
			a := w.post(link, url.Values{"password": {c.password}, "again": {c.again}})
			if a.StatusCode != http.StatusUnprocessableEntity {
				t.Errorf("status = %d, want 422", a.StatusCode)
			}
			page := document(t, a.body)
			if got := text(one(t, page, with("role", "alert"))); !strings.Contains(got, c.says) {
				t.Errorf("problem = %q, want it to say %q", got, c.says)
			}
			if got := attr(one(t, page, tag("input"), with("aria-invalid", "true")), "name"); got != c.field {
				t.Errorf("the field %q is marked, want %q", got, c.field)
			}
		})
	}
	if a := w.get(link); a.StatusCode != http.StatusOK {
		t.Errorf("after refusals the link answers %d, want 200", a.StatusCode)
	}
}

func TestPasswordIsTheSameHoweverItsLettersAreComposed(t *testing.T) {
	w := newWorkspace(t, withPassword)
	composed, decomposed := "caf\u00e9 au lait", "cafe\u0301 au lait"
	w.post(w.setupLink(), url.Values{"password": {composed}, "again": {composed}})

	if a := w.signIn(decomposed, ""); a.StatusCode != http.StatusSeeOther {
		t.Errorf("answer = %d, want 303", a.StatusCode)
	}
}

func TestSignInAndOut(t *testing.T) {
	w := newWorkspace(t, withPassword)
	w.setUp()
	w.cookies = nil

	if a := w.signIn("not the password", "/decks"); a.StatusCode != http.StatusUnprocessableEntity || w.isSignedIn() {
		t.Errorf("a wrong password answers %d, want 422 and nobody signed in", a.StatusCode)
	}
	if a := w.signIn(password, "/decks/d?x=1"); a.StatusCode != http.StatusSeeOther || a.Header.Get("Location") != "/decks/d?x=1" {
		t.Errorf("the password answers %d %s, want 303 /decks/d?x=1", a.StatusCode, a.Header.Get("Location"))
	}
	if !w.isSignedIn() {
		t.Fatal("nobody is signed in")
	}
	stolen := w.cookies
	out := w.post("/logout", url.Values{})
	w.keep(out)
	if out.Header.Get("Location") != "/login" || w.isSignedIn() {
		t.Errorf("after logging out somebody is signed in, or it leads to %q", out.Header.Get("Location"))
	}
	w.cookies = stolen
	if w.isSignedIn() {
		t.Error("the session lives on after logging out")
	}
}

func TestSignInWithoutAPasswordTeachesTheLink(t *testing.T) {
	w := newWorkspace(t, withPassword)

	a := w.get("/login")

	if !strings.Contains(a.body, "set-up link") || len(all(document(t, a.body), tag("form"))) != 0 {
		t.Error("the page should name the set-up link and have no form")
	}
	if got := w.signIn("", "").StatusCode; got != http.StatusUnprocessableEntity {
		t.Errorf("an empty password answers %d, want 422", got)
	}
}

func TestNextLeadsNowhereElse(t *testing.T) {
	w := newWorkspace(t, withPassword)
	w.setUp()
	for _, next := range []string{
		"https://evil.example/", "//evil.example", `/\evil.example`, `\\evil.example`, "javascript:alert(1)",
		"evil", "/\t/evil.example", "//evil.example/..", "/login?next=x", "http:///x", "%", "",
		"/../other", "/decks/../../other", "/%2e%2e/other", "/..",
	} {
		if got := w.signIn(password, next).Header.Get("Location"); got != "/" {
			t.Errorf("next=%q leads to %q, want /", next, got)
		}
	}
}

func TestSessionsEnd(t *testing.T) {
	const day = 24 * time.Hour
	cases := map[string]struct {
		uses []time.Duration
		want bool
	}{
		"used within a month":                 {[]time.Duration{29 * day}, true},
		"not used for a month":                {[]time.Duration{30 * day}, false},
		"use moves the end":                   {[]time.Duration{20 * day, 20 * day, 20 * day}, true},
		"a year is the end however much used": {[]time.Duration{29 * day, 29 * day, 29 * day, 29 * day, 29 * day, 29 * day, 29 * day, 29 * day, 29 * day, 29 * day, 29 * day, 29 * day, 29 * day}, false},
	}
	for name, c := range cases {
		t.Run(name, func(t *testing.T) {
			w := newWorkspace(t, withPassword)
			w.setUp()
			for i, d := range c.uses {
				w.pass(d)
				in := w.isSignedIn()
				if i == len(c.uses)-1 && in != c.want {
					t.Errorf("signed in = %v, want %v", in, c.want)
				}
			}
		})
	}
}

func TestGuessingIsSlowedDown(t *testing.T) {
	w := newWorkspace(t, withPassword)
	w.setUp()
	for range 5 {
		if a := w.signIn("a wrong password", ""); a.StatusCode != http.StatusUnprocessableEntity {
			t.Fatalf("an early attempt answers %d, want 422", a.StatusCode)
		}
	}

	refused := w.signIn(password, "")
	if refused.StatusCode != http.StatusTooManyRequests || refused.Header.Get("Retry-After") != "5" {
		t.Errorf("answer = %d, Retry-After %q; want 429 and 5", refused.StatusCode, refused.Header.Get("Retry-After"))
	}
	if got := text(one(t, document(t, refused.body), with("role", "alert"))); got != "Too many sign-ins failed. Wait 5 seconds, then try again." {
		t.Errorf("problem = %q", got)
	}
	w.pass(5 * time.Second)
	w.signIn("a wrong password", "")
	if got := w.signIn(password, "").Header.Get("Retry-After"); got != "10" {
		t.Errorf("after another failure Retry-After = %q, want 10", got)
	}
	w.pass(10 * time.Second)
	if a := w.signIn(password, ""); a.StatusCode != http.StatusSeeOther {
		t.Errorf("the password answers %d after the wait, want 303", a.StatusCode)
	}
	if a := w.signIn("a wrong password", ""); a.StatusCode != http.StatusUnprocessableEntity {
		t.Errorf("a failure after success answers %d, want 422 as at first", a.StatusCode)
	}
}

func TestGuessingSlowsDownOnePeerOnly(t *testing.T) {
	w := newWorkspace(t, withPassword)
	w.setUp()
	from := func(peer, password string) int {
		r := formRequest(t, "/login", url.Values{"password": {password}})
		r.RemoteAddr = peer
		return w.do(r).StatusCode
	}
	for range 6 {
		from("[2001:db8::1]:1000", "a wrong password")
	}

	if got := from("[2001:db8::ffff]:2000", password); got != http.StatusTooManyRequests {
		t.Errorf("a neighbour in the same network gets %d, want 429", got)
	}
	if got := from("192.0.2.1:1000", password); got != http.StatusSeeOther {
		t.Errorf("another peer gets %d, want 303", got)
	}
}

func TestCookieIsAsStrictAsTheAddressAllows(t *testing.T) {
	cases := map[string]struct{ origin, name, path string }{
		"no origin":           {"", "workspace_session", "/"},
		"http":                {"http://box.example", "workspace_session", "/"},
		"http under a path":   {"http://box.example/ws/", "workspace_session", "/ws/"},
		"https":               {"https://box.example", "__Host-workspace_session", "/"},
		"https under a path":  {"https://box.example/ws", "__Secure-workspace_session", "/ws/"},
		"https with a slash":  {"https://box.example/", "__Host-workspace_session", "/"},
		"https under a depth": {"https://box.example/a/b/", "__Secure-workspace_session", "/a/b/"},
	}
	for name, c := range cases {
		t.Run(name, func(t *testing.T) {
			w := newWorkspace(t, func(cfg *web.Config) {
				cfg.Auth = web.AuthPassword
				if c.origin != "" {
					cfg.Origin = parseURL(t, c.origin)
				}
			})
			a := w.post(w.setupLink(), url.Values{"password": {password}, "again": {password}})
			got := a.Cookies()
			if len(got) != 1 {
				t.Fatalf("%d cookies, want 1", len(got))
			}
			if got[0].Name != c.name || got[0].Path != c.path {
				t.Errorf("cookie %s of %s, want %s of %s", got[0].Name, got[0].Path, c.name, c.path)
			}
			if !got[0].HttpOnly || got[0].SameSite != http.SameSiteLaxMode || got[0].Secure != strings.HasPrefix(c.origin, "https") {
				t.Errorf("cookie attributes are %v", got[0])
			}
			if got[0].MaxAge != 30*24*3600 {
				t.Errorf("the cookie lives %d s, want 30 days", got[0].MaxAge)
			}
		})
	}
}

func TestSecretsAreStoredAsHashesOnly(t *testing.T) {
	w := newWorkspace(t, withPassword)
	link := w.setupLink()
	w.keep(w.post(link, url.Values{"password": {password}, "again": {password}}))
	second := w.signIn(password, "")
	_ = second

	var stored []string
	err := w.db.Read(t.Context(), func(tx *sqlite.Tx) (err error) {
		stored, err = sqlite.Query(tx, sqlite.String, `SELECT hash FROM owner_password
			UNION ALL SELECT hex(token_hash) || id FROM sessions UNION ALL SELECT hex(token_hash) FROM setup_link`)
		return err
	})
	if err != nil {
		t.Fatal(err)
	}
	if len(stored) != 2 {
		t.Errorf("%d rows, want the password and one session: the first one ended when the browser signed in again", len(stored))
	}
	for _, s := range stored {
		if strings.Contains(s, password) || strings.Contains(s, w.cookies[0].Value) {
			t.Errorf("a secret is stored as it is: %s", s)
		}
	}
	if !strings.HasPrefix(stored[0], "$argon2id$v=19$m=19456,t=2,p=1$") {
		t.Errorf("the password is stored as %s", stored[0])
	}
}

func TestNobodyHasToSignInWithoutAuth(t *testing.T) {
	w := newWorkspace(t, nil)

	if link := w.setupLink(); link != "" {
		t.Errorf("there is a set-up link %q, want none", link)
	}
	if !w.isSignedIn() {
		t.Error("the pages ask for a sign-in")
	}
	for _, a := range []answer{w.get("/login"), w.signIn("x", "")} {
		if a.StatusCode != http.StatusSeeOther || a.Header.Get("Location") != "/" {
			t.Errorf("/login answers %d %s, want 303 /", a.StatusCode, a.Header.Get("Location"))
		}
	}
	if strings.Contains(w.get("/decks").body, "Sign out") {
		t.Error("the page offers to sign out")
	}
}
