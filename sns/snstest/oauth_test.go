package snstest_test

import (
	"crypto/sha256"
	"encoding/base64"
	"encoding/json"
	"io"
	"net/http"
	"net/url"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"personal-workspace/sns/snstest"
)

const callback = "https://workspace.example/callback?from=mock"

// post sends a form and does not follow redirects.
func post(t *testing.T, address string, form url.Values) reply {
	t.Helper()
	req, err := http.NewRequestWithContext(t.Context(), http.MethodPost, address, strings.NewReader(form.Encode()))
	if err != nil {
		t.Fatal(err)
	}
	req.Header.Set("Content-Type", "application/x-www-form-urlencoded")
	req.Header.Set("Accept", "application/json")
	client := &http.Client{CheckRedirect: func(*http.Request, []*http.Request) error { return http.ErrUseLastResponse }}
	resp, err := client.Do(req)
	if err != nil {
		t.Fatal(err)
	}
	defer resp.Body.Close()
	body, err := io.ReadAll(resp.Body)
	if err != nil {
		t.Fatal(err)
	}
	return reply{resp.StatusCode, resp.Header, body}
}

type app struct {
	ID     string `json:"client_id"`
	Secret string `json:"client_secret"`
}

func register(t *testing.T, origin string) app {
	t.Helper()
	var a app
	post(t, origin+"/api/v1/apps", url.Values{
		"client_name": {"Test"}, "redirect_uris": {callback}, "scopes": {"profile read:statuses read:lists"},
	}).into(t, &a)
	return a
}

// allow goes through the authorization page and returns where it leads.
func allow(t *testing.T, origin string, a app, decision string) url.Values {
	t.Helper()
	sum := sha256.Sum256([]byte("verifier"))
	form := url.Values{
		"response_type": {"code"}, "client_id": {a.ID}, "redirect_uri": {callback}, "scope": {"profile read:statuses"}, "state": {"st4te"},
		"code_challenge": {base64.RawURLEncoding.EncodeToString(sum[:])}, "code_challenge_method": {"S256"},
	}
	page := get(t, origin+"/oauth/authorize?"+form.Encode(), "")
	if page.status != 200 || !strings.Contains(string(page.body), `<option value="ann" selected>`) {
		t.Fatalf("the page = %d %s", page.status, page.body)
	}
	form.Set("account", "ann")
	form.Set("decision", decision)
	r := post(t, origin+"/oauth/authorize", form)
	to, err := url.Parse(r.header.Get("Location"))
	if err != nil || r.status != http.StatusFound || to.Host != "workspace.example" {
		t.Fatalf("authorize = %d to %q, %v", r.status, r.header.Get("Location"), err)
	}
	return to.Query()
}

func tokenForm(a app, code, verifier string) url.Values {
	return url.Values{
		"grant_type": {"authorization_code"}, "code": {code}, "client_id": {a.ID}, "client_secret": {a.Secret},
		"redirect_uri": {callback}, "code_verifier": {verifier},
	}
}

func TestALoginGivesATokenWithTheAskedScopes(t *testing.T) {
	m, origin := newServer(t, snstest.Options{})
	a := register(t, origin)
	back := allow(t, origin, a, "allow")
	if back.Get("state") != "st4te" || back.Get("from") != "mock" {
		t.Errorf("returned with %v", back)
	}

	var token struct {
		Token string `json:"access_token"`
		Scope string
	}
	post(t, origin+"/oauth/token", tokenForm(a, back.Get("code"), "verifier")).into(t, &token)

	if token.Scope != "profile read:statuses" {
		t.Errorf("scope = %q", token.Scope)
	}
	if got := get(t, origin+"/api/v1/timelines/home", token.Token).status; got != http.StatusOK {
		t.Errorf("home = %d, want 200", got)
	}
	if got := get(t, origin+"/api/v1/lists", token.Token).status; got != http.StatusForbidden {
		t.Errorf("lists = %d, want 403", got)
	}
	if got := post(t, origin+"/oauth/revoke", url.Values{"client_id": {a.ID}, "client_secret": {a.Secret}, "token": {token.Token}}).status; got != http.StatusOK {
		t.Errorf("revoke = %d, want 200", got)
	}
	if got := get(t, origin+"/api/v1/timelines/home", token.Token).status; got != http.StatusUnauthorized {
		t.Errorf("home after revoke = %d, want 401", got)
	}
	if v := m.Violations(); len(v) != 0 {
		t.Errorf("violations = %v", v)
	}
}

func TestATokenIsRefusedWithoutProof(t *testing.T) {
	for _, c := range []struct {
		name   string
		change func(url.Values)
		want   string
	}{
		{"another verifier", func(f url.Values) { f.Set("code_verifier", "guess") }, "invalid_grant"},
		{"no verifier", func(f url.Values) { f.Del("code_verifier") }, "invalid_grant"},
		{"another code", func(f url.Values) { f.Set("code", "guess") }, "invalid_grant"},
		{"another redirect", func(f url.Values) { f.Set("redirect_uri", "https://evil.example/") }, "invalid_grant"},
		{"another secret", func(f url.Values) { f.Set("client_secret", "guess") }, "invalid_client"},
	} {
		t.Run(c.name, func(t *testing.T) {
			_, origin := newServer(t, snstest.Options{})
			a := register(t, origin)
			form := tokenForm(a, allow(t, origin, a, "allow").Get("code"), "verifier")
			c.change(form)

			var got struct{ Error string }
			post(t, origin+"/oauth/token", form).into(t, &got)

			if got.Error != c.want {
				t.Errorf("error = %q, want %q", got.Error, c.want)
			}
		})
	}
}

func TestACodeWorksOnce(t *testing.T) {
	_, origin := newServer(t, snstest.Options{})
	a := register(t, origin)
	form := tokenForm(a, allow(t, origin, a, "allow").Get("code"), "verifier")
	var got []int
	for range 2 {
		got = append(got, post(t, origin+"/oauth/token", form).status)
	}
	if diff := cmp.Diff([]int{200, 400}, got); diff != "" {
		t.Errorf("statuses (-want +got):\n%s", diff)
	}
}

func TestSomeServersIgnoreThePKCEVerifier(t *testing.T) {
	_, origin := newServer(t, snstest.Options{Quirks: snstest.GoToSocial()})
	a := register(t, origin)
	form := tokenForm(a, allow(t, origin, a, "allow").Get("code"), "guess")
	if got := post(t, origin+"/oauth/token", form).status; got != http.StatusOK {
		t.Errorf("status %d, want 200", got)
	}
}

func TestDenyingReturnsAnError(t *testing.T) {
	_, origin := newServer(t, snstest.Options{})
	back := allow(t, origin, register(t, origin), "deny")
	if back.Get("error") != "access_denied" || back.Get("state") != "st4te" || back.Has("code") {
		t.Errorf("returned with %v", back)
	}
}

func TestAuthorizationRefusesAWrongRequestOnItsOwnPage(t *testing.T) {
	_, origin := newServer(t, snstest.Options{})
	a := register(t, origin)
	for name, query := range map[string]url.Values{
		"unknown client":   {"client_id": {"x"}, "response_type": {"code"}, "redirect_uri": {callback}},
		"another redirect": {"client_id": {a.ID}, "response_type": {"code"}, "redirect_uri": {"https://evil.example/"}},
		"a wider scope":    {"client_id": {a.ID}, "response_type": {"code"}, "redirect_uri": {callback}, "scope": {"write"}},
	} {
		if got := get(t, origin+"/oauth/authorize?"+query.Encode(), "").status; got != http.StatusBadRequest {
			t.Errorf("%s = %d, want 400", name, got)
		}
	}
}

func TestMetadataAndRegistrationDependOnTheServer(t *testing.T) {
	m, origin := newServer(t, snstest.Options{})
	var meta map[string]any
	if err := json.Unmarshal(get(t, origin+"/.well-known/oauth-authorization-server", "").body, &meta); err != nil {
		t.Fatal(err)
	}
	if meta["token_endpoint"] != origin+"/oauth/token" {
		t.Errorf("token_endpoint = %v", meta["token_endpoint"])
	}
	m.SetQuirks(func(q *snstest.Quirks) { q.NoMetadata, q.NoProfileScope = true, true })
	if got := get(t, origin+"/.well-known/oauth-authorization-server", "").status; got != http.StatusNotFound {
		t.Errorf("metadata = %d, want 404", got)
	}
	form := url.Values{"client_name": {"Test"}, "redirect_uris": {callback}, "scopes": {"profile"}}
	if got := post(t, origin+"/api/v1/apps", form).status; got != http.StatusUnprocessableEntity {
		t.Errorf("registration with profile = %d, want 422", got)
	}
}
