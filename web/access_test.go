package web_test

import (
	"bytes"
	"compress/gzip"
	"context"
	"errors"
	"io"
	"log/slog"
	"net/http"
	"net/http/httptest"
	"net/url"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"personal-workspace/sns"
	"personal-workspace/web"
)

func formRequest(t *testing.T, path string, form url.Values) *http.Request {
	t.Helper()
	r := httptest.NewRequestWithContext(t.Context(), http.MethodPost, path, strings.NewReader(form.Encode()))
	r.Header.Set("Content-Type", "application/x-www-form-urlencoded")
	return r
}

func parseURL(t *testing.T, raw string) *url.URL {
	t.Helper()
	u, err := url.Parse(raw)
	if err != nil {
		t.Fatal(err)
	}
	return u
}

func TestEveryAnswerHasTheSecurityHeaders(t *testing.T) {
	w := newWorkspace(t, nil)
	w.deck("Morning", local(w.connect("social.example")))
	want := map[string]string{
		"Content-Security-Policy": "default-src 'none'; script-src 'self'; style-src 'self'; img-src 'self' data: https:; media-src https:; " +
			"connect-src 'self'; form-action 'self'; base-uri 'none'; frame-ancestors 'none'",
		"Referrer-Policy":            "same-origin",
		"X-Content-Type-Options":     "nosniff",
		"Cross-Origin-Opener-Policy": "same-origin",
		"Cache-Control":              "no-store",
	}
	for _, path := range []string{"/", "/decks", "/decks/d", "/decks/d/columns/c1", "/login", "/livez", "/readyz", "/nothing", "/decks/nothing"} {
		a := w.get(path)
		for name, value := range want {
			if got := a.Header.Get(name); got != value {
				t.Errorf("%s: %s = %q, want %q", path, name, got, value)
			}
		}
	}
	if got := w.get("/decks", "Host", "evil.example").Header.Get("Content-Security-Policy"); got != want["Content-Security-Policy"] {
		t.Errorf("a refusal has the policy %q", got)
	}
}

func TestPagesNeedNoInlineScriptOrStyle(t *testing.T) {
	w := newWorkspace(t, nil)
	w.net.set("social.example", sns.KindLocal, varied(1, 20)...)
	w.deck("Morning", local(w.connect("social.example")))
	w.fill()

	for _, path := range []string{"/decks", "/decks/d", "/decks/d/columns/c1", "/nothing"} {
		for _, n := range all(document(t, w.get(path).body)) {
			if n.Data == "style" || n.Data == "script" && n.FirstChild != nil || has(n, "style") {
				t.Errorf("%s has an inline <%s>", path, n.Data)
			}
			for _, a := range n.Attr {
				if strings.HasPrefix(a.Key, "on") || strings.HasPrefix(a.Key, "hx-on") || strings.HasPrefix(a.Val, "js:") {
					t.Errorf("%s has the attribute %s", path, a.Key)
				}
			}
		}
	}
}

func TestUnknownHostsAreRefused(t *testing.T) {
	w := newWorkspace(t, nil)
	for host, want := range map[string]int{
		"localhost:3000": 200, "127.0.0.1": 200, "[::1]:3000": 200, "workspace.example": 200,
		"evil.example": 421, "127.0.0.1.evil.example": 421, "": 421,
	} {
		for _, path := range []string{"/decks", "/livez"} {
			r := httptest.NewRequestWithContext(t.Context(), http.MethodGet, path, nil)
			r.Host = host
			rec := httptest.NewRecorder()
			w.handler.ServeHTTP(rec, r)
			if rec.Code != want {
				t.Errorf("Host %q gets %d for %s, want %d", host, rec.Code, path, want)
			}
			if want == 421 && !strings.Contains(rec.Body.String(), "WORKSPACE_HOSTS") {
				t.Errorf("the refusal of %q does not name WORKSPACE_HOSTS", host)
			}
		}
	}
}

func TestUnknownHostsAreRefusedAboutTheBasePathToo(t *testing.T) {
	w := newWorkspace(t, func(cfg *web.Config) { cfg.Origin = parseURL(t, "https://box.example/ws") })
	for host, want := range map[string]int{"localhost:3000": 308, "evil.example": 421} {
		r := httptest.NewRequestWithContext(t.Context(), http.MethodGet, "/ws", nil)
		r.Host = host
		rec := httptest.NewRecorder()
		w.handler.ServeHTTP(rec, r)
		if rec.Code != want {
			t.Errorf("Host %q gets %d for /ws, want %d", host, rec.Code, want)
		}
	}
}

func TestFormsOfOtherSitesAreRefused(t *testing.T) {
	cases := map[string]struct {
		headers []string
		want    int
	}{
		"no browser":                  {nil, 303},
		"the same origin":             {[]string{"Sec-Fetch-Site", "same-origin"}, 303},
		"another site":                {[]string{"Sec-Fetch-Site", "cross-site"}, 403},
		"the same site":               {[]string{"Sec-Fetch-Site", "same-site"}, 403},
		"another origin, old browser": {[]string{"Origin", "http://evil.example"}, 403},
		"our origin, old browser":     {[]string{"Origin", "http://localhost:3000"}, 303},
		"no origin at all":            {[]string{"Origin", "null"}, 403},
		"the public origin, behind a proxy that rewrites Host": {[]string{"Origin", "https://box.example"}, 303},
	}
	for name, c := range cases {
		t.Run(name, func(t *testing.T) {
			w := newWorkspace(t, func(cfg *web.Config) { cfg.Origin = parseURL(t, "https://box.example") })
			w.deck("Morning")
			if got := w.post("/decks/d/refresh", url.Values{}, c.headers...).StatusCode; got != c.want {
				t.Errorf("status = %d, want %d", got, c.want)
			}
		})
	}
}

func TestUnknownAddresses(t *testing.T) {
	w := newWorkspace(t, nil)
	cases := map[string]struct {
		method, path string
		want         int
		allow        string
	}{
		"nothing there":       {"GET", "/nothing", 404, ""},
		"a post to a page":    {"POST", "/decks", 405, "GET, HEAD"},
		"a page for a form":   {"GET", "/decks/d/refresh", 405, "POST"},
		"an unclean path":     {"GET", "/static/../decks", 404, ""},
		"a file by its name":  {"GET", "/static/app.js", 404, ""},
		"a folder of files":   {"GET", "/static/", 404, ""},
		"a path that climbs":  {"GET", "/static/%2e%2e/web.go", 404, ""},
		"no deck of the name": {"GET", "/decks/%00", 404, ""},
	}
	for name, c := range cases {
		t.Run(name, func(t *testing.T) {
			a := w.do(httptest.NewRequestWithContext(t.Context(), c.method, c.path, nil))
			if a.StatusCode != c.want || a.Header.Get("Allow") != c.allow {
				t.Errorf("answer = %d Allow %q, want %d %q", a.StatusCode, a.Header.Get("Allow"), c.want, c.allow)
			}
			if !strings.HasPrefix(a.Header.Get("Content-Type"), "text/html") {
				t.Errorf("the answer is %s, want a page", a.Header.Get("Content-Type"))
			}
		})
	}
}

func TestBasePathIsInEveryURL(t *testing.T) {
	w := newWorkspace(t, func(c *web.Config) {
		c.Origin = parseURL(t, "https://box.example/ws/")
		c.Auth = web.AuthPassword
	})
	w.net.set("social.example", sns.KindLocal, timeline(30)...)
	w.deck("Morning", local(w.connect("social.example")))
	w.fill()
	w.pass(2 * 60e9)
	if link := w.setupLink(); !strings.HasPrefix(link, "/ws/setup/") {
		t.Errorf("the set-up link is %q, want it under /ws/", link)
	}
	w.setUp()

	for _, path := range []string{"/ws/", "/ws/decks/d", "/decks/d", "/ws/decks/d/columns/c1", "/ws/decks", "/ws/nothing"} {
		for _, n := range all(document(t, w.get(path).body)) {
			for _, name := range []string{"href", "src", "action", "hx-get", "hx-post"} {
				v := attr(n, name)
				if strings.HasPrefix(v, "/") && !strings.HasPrefix(v, "/ws/") {
					t.Errorf("%s: %s=%q leaves the base path", path, name, v)
				}
			}
		}
	}
	for path, want := range map[string]string{"/ws": "/ws/", "/ws/": "", "/": ""} {
		if got := w.get(path).Header.Get("Location"); got != want {
			t.Errorf("%s leads to %q, want %q", path, got, want)
		}
	}
	if got := w.get("/wsx/decks").StatusCode; got != http.StatusNotFound {
		t.Errorf("a path that only looks like the base path answers %d, want 404", got)
	}
	if got := w.fragment("/ws/decks", "HX-Current-URL", "https://box.example/ws/decks/d").StatusCode; got != http.StatusOK {
		t.Errorf("a fragment answers %d, want 200", got)
	}
	w.cookies = nil
	if got := w.fragment("/ws/decks", "HX-Current-URL", "https://box.example/ws/decks/d").Header.Get("HX-Redirect"); got != "/ws/login?next=%2Fdecks%2Fd" {
		t.Errorf("signed out, a fragment leads to %q", got)
	}
	if got := w.signIn(password, "/decks/d").Header.Get("Location"); got != "/ws/decks/d" {
		t.Errorf("signing in leads to %q, want /ws/decks/d", got)
	}
}

func TestPagesAreCompressedForThoseWhoAsk(t *testing.T) {
	w := newWorkspace(t, nil)
	plain := w.get("/decks")
	for accept, want := range map[string]string{
		"": "", "gzip": "gzip", "br, gzip;q=0.5": "gzip", "gzip;q=0": "", "gzip; q=0.0": "", "br": "", "GZIP": "gzip",
	} {
		a := w.get("/decks", "Accept-Encoding", accept)
		if got := a.Header.Get("Content-Encoding"); got != want {
			t.Errorf("Accept-Encoding %q gets %q, want %q", accept, got, want)
			continue
		}
		body := a.body
		if want == "gzip" {
			body = unzip(t, body)
		}
		if body != plain.body {
			t.Errorf("Accept-Encoding %q gets another page", accept)
		}
	}
}

func unzip(t *testing.T, s string) string {
	t.Helper()
	z, err := gzip.NewReader(strings.NewReader(s))
	if err != nil {
		t.Fatal(err)
	}
	b, err := io.ReadAll(z)
	if err != nil {
		t.Fatal(err)
	}
	return string(b)
}

func TestHealth(t *testing.T) {
	cases := map[string]struct {
		ready  func(context.Context) ([]string, error)
		path   string
		status int
		body   string
	}{
		"alive":              {nil, "/livez", 200, "ok\n"},
		"alive, not ready":   {func(context.Context) ([]string, error) { return nil, errors.New("the disk is full") }, "/livez", 200, "ok\n"},
		"ready":              {nil, "/readyz", 200, "ok\n"},
		"ready with doubts":  {func(context.Context) ([]string, error) { return []string{"Two accounts."}, nil }, "/readyz", 200, "ok, warnings\n"},
		"not ready":          {func(context.Context) ([]string, error) { return nil, errors.New("the disk is full") }, "/readyz", 503, "not ready\n"},
		"a check that hangs": {func(ctx context.Context) ([]string, error) { <-ctx.Done(); return nil, ctx.Err() }, "/readyz", 503, "not ready\n"},
	}
	for name, c := range cases {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			w := newWorkspace(t, func(cfg *web.Config) { cfg.Ready, cfg.Auth = c.ready, web.AuthPassword })
			a := w.get(c.path)
			if a.StatusCode != c.status || a.body != c.body {
				t.Errorf("answer = %d %q, want %d %q", a.StatusCode, a.body, c.status, c.body)
			}
		})
	}
}

func TestAPanicIsAPageAndTheProcessLives(t *testing.T) {
	var log bytes.Buffer
	w := newWorkspace(t, func(c *web.Config) {
		c.Ready = func(context.Context) ([]string, error) { panic("boom") }
		c.Log = slog.New(slog.NewTextHandler(&log, nil))
	})

	a := w.get("/readyz")

	if a.StatusCode != http.StatusInternalServerError || strings.Contains(a.body, "boom") {
		t.Errorf("answer = %d %q, want 500 without the reason", a.StatusCode, a.body)
	}
	id := a.body[strings.Index(a.body, "err_"):]
	id = id[:strings.IndexByte(id, '.')]
	if !strings.Contains(log.String(), id) || !strings.Contains(log.String(), "boom") {
		t.Errorf("the log does not have the reason under %s: %s", id, log.String())
	}
	if got := w.get("/decks").StatusCode; got != http.StatusOK {
		t.Errorf("the next request answers %d, want 200", got)
	}
}

func TestTheLogHasNoSetupToken(t *testing.T) {
	var log bytes.Buffer
	w := newWorkspace(t, func(c *web.Config) {
		c.Auth = web.AuthPassword
		c.Log = slog.New(slog.NewTextHandler(&log, nil))
	})
	link := w.setupLink()
	if err := w.db.Close(); err != nil {
		t.Fatalf("Close: %v", err)
	}

	form := url.Values{"password": {password}, "again": {password}}
	for name, a := range map[string]answer{"GET": w.get(link), "POST": w.post(link, form)} {
		if a.StatusCode != http.StatusInternalServerError {
			t.Errorf("%s answers %d, want 500", name, a.StatusCode)
		}
	}
	if got := log.String(); strings.Count(got, "path=/setup/… ") != 2 || strings.Contains(got, strings.TrimPrefix(link, "/setup/")) {
		t.Errorf("the log is not without the token: %s", got)
	}
}

func TestHugeFormsChangeNothing(t *testing.T) {
	w := newWorkspace(t, nil)
	w.deck("Morning", local(w.connect("social.example")))
	for _, path := range []string{"/decks/d/refresh", "/login", "/logout", "/setup/x"} {
		for name, size := range map[string]int64{"of a known size": 2 << 20, "in chunks": -1} {
			r := formRequest(t, path, url.Values{"password": {strings.Repeat("x", 2<<20)}})
			r.ContentLength = size
			if a := w.do(r); a.StatusCode != http.StatusRequestEntityTooLarge {
				t.Errorf("a huge form %s to %s answers %d, want 413", name, path, a.StatusCode)
			}
		}
	}
	if asked := w.net.requests(); len(asked) != 0 {
		t.Errorf("the network was asked %v", asked)
	}
}

func TestLargeFormsOfStrangersAreNotTaken(t *testing.T) {
	w := newWorkspace(t, withPassword)
	w.setUp()
	mine := w.cookies
	unknown := []*http.Cookie{{Name: mine[0].Name, Value: "x"}}
	for name, tc := range map[string]struct {
		cookies []*http.Cookie
		path    string
		size    int
		want    int
		leadsTo string
	}{
		"a stranger's":           {nil, "/decks/new", 17 << 10, http.StatusSeeOther, "/login"},
		"a stranger's sign-in":   {nil, "/login", 17 << 10, http.StatusSeeOther, "/login"},
		"a stranger's huge one":  {nil, "/login", 2 << 20, http.StatusSeeOther, "/login"},
		"of an unknown session":  {unknown, "/settings/reading", 17 << 10, http.StatusSeeOther, "/login"},
		"a stranger's small one": {nil, "/login", 15 << 10, http.StatusSeeOther, "/"},
		"the person's":           {mine, "/settings/reading", 17 << 10, http.StatusSeeOther, "/settings?saved=reading#reading"},
		"the person's huge one":  {mine, "/settings/reading", 2 << 20, http.StatusRequestEntityTooLarge, ""},
	} {
		t.Run(name, func(t *testing.T) {
			w.cookies = tc.cookies
			a := w.do(formRequest(t, tc.path, url.Values{"password": {password}, "x": {strings.Repeat("x", tc.size)}}))
			if got := a.Header.Get("Location"); a.StatusCode != tc.want || got != tc.leadsTo {
				t.Errorf("it answers %d and leads to %q, want %d to %q", a.StatusCode, got, tc.want, tc.leadsTo)
			}
		})
	}
}

func TestLargestFormIsTaken(t *testing.T) {
	w := newWorkspace(t, nil)
	w.deck("Morning", local(w.connect("social.example")))
	form := url.Values{"x": {strings.Repeat("x", 1<<20-len("x="))}}
	if a := w.post("/decks/d/refresh", form); a.StatusCode != http.StatusSeeOther {
		t.Errorf("a form of 1 MiB answers %d, want 303", a.StatusCode)
	}
}

func TestEmptyWorkspaceTeachesTheFirstSteps(t *testing.T) {
	w := newWorkspace(t, nil)

	page := document(t, w.get("/decks").body)
	if diff := cmp.Diff([]string{"http://127.0.0.1:3000/mcp"}, texts(all(page, tag("code")))); diff != "" {
		t.Errorf("lines to copy (-want +got):\n%s", diff)
	}
	if got, want := linkTo(page, "Connect an account"), "/connections/new"; got != want {
		t.Errorf("the first step leads to %q, want %q", got, want)
	}

	w.connect("social.example")
	page = document(t, w.get("/decks").body)
	if diff := cmp.Diff([]string{"No deck yet", "Accounts"}, texts(all(page, tag("h2")))); diff != "" {
		t.Errorf("headings (-want +got):\n%s", diff)
	}
}

func TestDeckListHasEveryDeck(t *testing.T) {
	w := newWorkspace(t, nil)
	c := w.connect("social.example")
	w.deck("Morning", local(c))

	page := document(t, w.get("/decks").body)

	if got, want := linkTo(page, "Morning 1 column"), "/decks/d"; got != want {
		t.Errorf("the deck leads to %q, want %q", got, want)
	}
	if got, want := text(one(t, page, tag("section"), class("accounts"))), "Accounts social.example Ready"; got != want {
		t.Errorf("accounts = %q, want %q", got, want)
	}
}
