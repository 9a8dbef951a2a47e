package web_test

import (
	"net/http"
	"net/url"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"

	"personal-workspace/web"
)

func TestSigningInWithAServer(t *testing.T) {
	w := newWorkspace(t, nil)
	w.people()

	form := w.take(w.post("/connections/new", url.Values{"way": {"login"}, "origin": {" @eve@Social.Example "}}))
	between := w.get(form.Header.Get("Location"))
	link := one(t, document(t, between.body), tag("a"), with("data-follow", ""), class("button"))
	to, err := url.Parse(attr(link, "href"))
	if err != nil {
		t.Fatal(err)
	}
	back := w.take(w.get(callback("state", to.Query().Get("state"), "code", "code-eve")))

	if got := text(link); got != "Continue to social.example" {
		t.Errorf("the link says %q", got)
	}
	if got, want := to.Query().Get("redirect_uri"), "http://localhost:3000/connections/callback"; got != want {
		t.Errorf("the server sends back to %q, want %q", got, want)
	}
	c := w.only()
	if diff := cmp.Diff([]any{303, "/connections/" + c.ID + "?done=connected"}, []any{back.StatusCode, back.Header.Get("Location")}); diff != "" {
		t.Errorf("the callback (-want +got):\n%s", diff)
	}
	if c.Account != "@eve@social.example" {
		t.Errorf("account = %q, want eve's", c.Account)
	}
	page := document(t, w.get(back.Header.Get("Location")).body)
	if got, want := linkTo(page, "Make a deck"), "/decks/new?connection="+c.ID; got != want {
		t.Errorf("the next step is %q, want %q", got, want)
	}
	if len(w.cookies) != 0 {
		t.Errorf("the browser keeps %v", w.cookies)
	}
}

func TestLoginCookieIsBoundToThePages(t *testing.T) {
	cases := map[string]struct {
		origin       string
		want         string
		path, secure string
	}{
		"plain http":              {"", "workspace_login", "/", ""},
		"https":                   {"https://box.example", "__Host-workspace_login", "/", "secure"},
		"https under a base path": {"https://box.example/ws/", "__Secure-workspace_login", "/ws/", "secure"},
	}
	for name, c := range cases {
		t.Run(name, func(t *testing.T) {
			w := newWorkspace(t, func(cfg *web.Config) {
				if c.origin != "" {
					cfg.Origin = parseURL(t, c.origin)
				}
			})

			a := w.post("/connections/new", url.Values{"way": {"login"}, "origin": {"social.example"}})

			if len(a.Cookies()) != 1 {
				t.Fatalf("cookies = %v, want one", a.Cookies())
			}
			got := a.Cookies()[0]
			if got.Name != c.want || got.Path != c.path || got.Secure != (c.secure != "") || !got.HttpOnly ||
				got.SameSite != http.SameSiteLaxMode || got.MaxAge != 600 {
				t.Errorf("cookie = %v", got)
			}
			if strings.Contains(a.Header.Get("Location"), "?") {
				t.Errorf("the address has more than the page: %s", a.Header.Get("Location"))
			}
		})
	}
}

func TestWhereTheServerSendsBack(t *testing.T) {
	cases := map[string]struct {
		origin  string
		headers []string
		want    string
	}{
		"no public address":                         {"", nil, "http://localhost:3000/connections/callback"},
		"another name of the workspace":             {"", []string{"Host", "workspace.example"}, "http://workspace.example/connections/callback"},
		"a proxy that speaks https":                 {"", []string{"Host", "workspace.example", "Origin", "https://workspace.example"}, "https://workspace.example/connections/callback"},
		"the public address":                        {"https://box.example/ws/", nil, "https://box.example/ws/connections/callback"},
		"the public address, Host rewritten":        {"https://box.example/ws/", []string{"Origin", "https://box.example"}, "https://box.example/ws/connections/callback"},
		"another name than the public address":      {"https://box.example/ws/", []string{"Host", "workspace.example", "Origin", "http://workspace.example"}, "http://workspace.example/ws/connections/callback"},
		"a browser that names no origin of its own": {"https://box.example", []string{"Host", "workspace.example"}, "https://box.example/connections/callback"},
	}
	for name, c := range cases {
		t.Run(name, func(t *testing.T) {
			w := newWorkspace(t, func(cfg *web.Config) {
				if c.origin != "" {
					cfg.Origin = parseURL(t, c.origin)
				}
			})
			to := w.beginLogin("/connections/new", url.Values{"origin": {"social.example"}}, c.headers...)
			if got := to.Query().Get("redirect_uri"); got != c.want {
				t.Errorf("the server sends back to %q, want %q", got, c.want)
			}
		})
	}
}

func TestCallbacksThatConnectNothing(t *testing.T) {
	cases := map[string]struct {
		// answer makes the path of the callback from the state.
		answer func(w *workspace, state string) string
		status int
		text   string
	}{
		"declined": {func(_ *workspace, state string) string {
			return callback("state", state, "error", "access_denied", "error_description", "<b>hostile</b>")
		}, 403, "The sign-in was declined at social.example"},
		"refused by the server": {
			func(_ *workspace, state string) string { return callback("state", state, "error", "server_error") },
			403, "social.example refused the sign-in",
		},
		"a state that never was": {
			func(*workspace, string) string { return callback("state", "made-up", "code", "code-eve") },
			422, "was begun in another browser",
		},
		"another browser": {func(w *workspace, state string) string {
			w.cookies = nil
			return callback("state", state, "code", "code-eve")
		}, 422, "was begun in another browser"},
		"too late": {func(w *workspace, state string) string {
			w.pass(10 * time.Minute)
			return callback("state", state, "code", "code-eve")
		}, 422, "took longer than ten minutes"},
		"no code":       {func(_ *workspace, state string) string { return callback("state", state) }, 422, "without a code"},
		"nothing":       {func(*workspace, string) string { return callback() }, 422, "code is missing"},
		"a wrong code":  {func(_ *workspace, state string) string { return callback("state", state, "code", "forged") }, 422, "does not accept the code"},
		"a broken code": {func(_ *workspace, state string) string { return callback("state", state, "code", "code eve\x00") }, 422, "code is missing"},
	}
	for name, c := range cases {
		t.Run(name, func(t *testing.T) {
			w := newWorkspace(t, nil)
			w.people()
			to := w.beginLogin("/connections/new", url.Values{"origin": {"social.example"}})

			a := w.get(c.answer(w, to.Query().Get("state")))

			page := document(t, a.body)
			if a.StatusCode != c.status || !strings.Contains(text(page), c.text) || strings.Contains(a.body, "hostile") {
				t.Errorf("answer = %d %s, want %d with %q", a.StatusCode, text(page), c.status, c.text)
			}
			if got, want := linkTo(page, "Start again"), "/connections/new"; got != want {
				t.Errorf("the way on is %q, want %q", got, want)
			}
			if list, err := w.posts.ListConnections(t.Context()); err != nil || len(list) != 0 {
				t.Errorf("connections = %v (%v), want none", list, err)
			}
		})
	}
}

func TestCallbackServesOnce(t *testing.T) {
	w := newWorkspace(t, nil)
	w.people()
	to := w.beginLogin("/connections/new", url.Values{"origin": {"social.example"}})
	cookies := slices.Clone(w.cookies)
	w.take(w.get(callback("state", to.Query().Get("state"), "code", "code-eve")))
	before := w.only()
	w.pass(time.Minute)

	w.cookies = cookies
	a := w.get(callback("state", to.Query().Get("state"), "code", "code-mallory"))

	if a.StatusCode != http.StatusUnprocessableEntity || !strings.Contains(a.body, "ended already") {
		t.Errorf("a replay answers %d", a.StatusCode)
	}
	if diff := cmp.Diff(before.UpdatedAt, w.only().UpdatedAt); diff != "" {
		t.Errorf("the connection was changed:\n%s", diff)
	}
	if a := w.get("/connections/login"); a.StatusCode != http.StatusUnprocessableEntity {
		t.Errorf("the page between answers %d after the end, want 422", a.StatusCode)
	}
}

func TestTwoSignInsOfOneBrowser(t *testing.T) {
	w := newWorkspace(t, nil)
	w.people()
	first := w.beginLogin("/connections/new", url.Values{"origin": {"social.example"}})
	second := w.beginLogin("/connections/new", url.Values{"origin": {"other.example"}})

	for _, u := range []*url.URL{first, second} {
		if a := w.take(w.get(callback("state", u.Query().Get("state"), "code", "code-eve"))); a.StatusCode != http.StatusSeeOther {
			t.Errorf("the end at %s answers %d: %s", u.Host, a.StatusCode, text(document(t, a.body)))
		}
	}
}

func TestCodeToPaste(t *testing.T) {
	w := newWorkspace(t, nil)
	w.people()
	to := w.beginLogin("/connections/new", url.Values{"origin": {"social.example"}, "code": {"yes"}})
	if got, want := to.Query().Get("redirect_uri"), "urn:ietf:wg:oauth:2.0:oob"; got != want {
		t.Errorf("the server sends back to %q, want %q", got, want)
	}
	if n := len(all(document(t, w.get("/connections/login").body), with("data-follow", ""), tag("a"))); n == 0 {
		t.Error("there is no link")
	}

	state := to.Query().Get("state")
	for code, problem := range map[string]string{"": "Paste the code", "  ": "Paste the code", "typo": "That code was not accepted; copy it again"} {
		a := w.post("/connections/login", url.Values{"state": {state}, "code": {code}})
		input := one(t, document(t, a.body), tag("input"), with("id", "code"))
		if a.StatusCode != http.StatusUnprocessableEntity || !strings.Contains(a.body, problem) || attr(input, "aria-invalid") != "true" {
			t.Errorf("the code %q answers %d: %s", code, a.StatusCode, text(document(t, a.body)))
		}
	}
	a := w.post("/connections/login", url.Values{"state": {state}, "code": {" code-eve\n"}})

	if got, want := a.Header.Get("Location"), "/connections/"+w.only().ID+"?done=connected"; got != want {
		t.Errorf("the code leads to %q, want %q", got, want)
	}
}

func TestPageBetweenOffersACode(t *testing.T) {
	w := newWorkspace(t, nil)
	w.beginLogin("/connections/new", url.Values{"origin": {"social.example"}})
	page := document(t, w.get("/connections/login").body)

	form := url.Values{}
	offer := one(t, page, tag("form"), with("action", "/connections/new"))
	for _, n := range all(offer, tag("input")) {
		form.Set(attr(n, "name"), attr(n, "value"))
	}
	to := w.beginLogin("/connections/new", form)

	if got := to.Query().Get("redirect_uri"); got != "urn:ietf:wg:oauth:2.0:oob" {
		t.Errorf("the server sends back to %q, want a code", got)
	}
}

func TestSigningInAgain(t *testing.T) {
	cases := map[string]struct {
		code   string
		status int
		want   string
	}{
		"as the same account": {"code-ann", 303, ""},
		"as another account":  {"code-eve", 409, "You signed in as @eve@social.example, but this connection is @ann@social.example, and nothing was changed"},
	}
	for name, c := range cases {
		t.Run(name, func(t *testing.T) {
			w := newWorkspace(t, nil)
			w.people()
			conn := w.signedIn("social.example", "ann")
			to := w.beginLogin("/connections/"+conn.ID+"/login", url.Values{})

			a := w.take(w.get(callback("state", to.Query().Get("state"), "code", c.code)))

			if a.StatusCode != c.status || !strings.Contains(text(document(t, a.body)), c.want) {
				t.Errorf("answer = %d %s, want %d %q", a.StatusCode, text(document(t, a.body)), c.status, c.want)
			}
			if c.status == 303 {
				if got, want := a.Header.Get("Location"), "/connections/"+conn.ID+"?done=signed-in"; got != want {
					t.Errorf("it leads to %q, want %q", got, want)
				}
			} else if got, want := linkTo(document(t, a.body), "Start again"), "/connections/"+conn.ID+"/login"; got != want {
				t.Errorf("the way on is %q, want %q", got, want)
			}
			if got := w.only().Account; got != "@ann@social.example" {
				t.Errorf("the account is %s, want ann's", got)
			}
		})
	}
}

func TestSigningInAgainWithAToken(t *testing.T) {
	cases := map[string]struct {
		token  string
		status int
		want   string
	}{
		"of the account":    {"token-ann", 303, ""},
		"of somebody else":  {"token-eve", 422, "The token is of another account than @ann@social.example, and nothing was changed"},
		"that is refused":   {"secret", 422, "social.example does not accept the token"},
		"that is not there": {" ", 422, "There is no token."},
	}
	for name, c := range cases {
		t.Run(name, func(t *testing.T) {
			w := newWorkspace(t, nil)
			w.people()
			conn := w.signedIn("social.example", "ann")

			a := w.post("/connections/"+conn.ID+"/login", url.Values{"way": {"token"}, "token": {c.token}})

			if a.StatusCode != c.status || !strings.Contains(text(document(t, a.body)), c.want) || strings.Contains(a.body, "secret") {
				t.Errorf("answer = %d %s, want %d %q", a.StatusCode, text(document(t, a.body)), c.status, c.want)
			}
			if c.status == 422 {
				if got := attr(one(t, document(t, a.body), tag("input"), with("id", "token")), "aria-describedby"); got != "token-problem" {
					t.Errorf("the field is described by %q", got)
				}
			}
			if got := w.only().Account; got != "@ann@social.example" {
				t.Errorf("the account is %s, want ann's", got)
			}
		})
	}
}

func TestSignInsNeedTheSession(t *testing.T) {
	w := newWorkspace(t, func(c *web.Config) { c.Auth = web.AuthPassword })
	for _, path := range []string{"/connections", "/connections/new", "/connections/login", "/connections/conn_1", callback("state", "s", "code", "c")} {
		if a := w.get(path); a.StatusCode != http.StatusSeeOther || !strings.HasPrefix(a.Header.Get("Location"), "/login?next=") {
			t.Errorf("%s answers %d %s, want the sign-in", path, a.StatusCode, a.Header.Get("Location"))
		}
	}
}
