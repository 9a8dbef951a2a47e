package mastodon_test

import (
	"io"
	"net/http"
	"net/url"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"

	"personal-workspace/internal/egress"
	"personal-workspace/internal/fault"
	"personal-workspace/sns"
	"personal-workspace/sns/mastodon"
)

const (
	description = `{"domain":"ex.org","title":"Example","version":"4.5.2"}`
	registered  = `{"client_id":"client-1","client_secret":"secret-1","redirect_uris":["https://ws.example/back"]}`
	back        = "https://ws.example/back"
)

// oauthServer answers each path with a handler; the description of itself and
// the registration are good unless given.
func oauthServer(t *testing.T, routes map[string]http.HandlerFunc) *upstream {
	t.Helper()
	usual := map[string]http.HandlerFunc{
		"/api/v2/instance": answerJSON(description),
		"/api/v1/apps":     answerJSON(registered),
	}
	return serve(t, func(w http.ResponseWriter, r *http.Request) {
		r.ParseForm()
		for _, table := range []map[string]http.HandlerFunc{routes, usual} {
			if h := table[r.URL.Path]; h != nil {
				h(w, r)
				return
			}
		}
		fail(404)(w, r)
	})
}

func (u *upstream) to(path string) (list []*http.Request) {
	u.mu.Lock()
	defer u.mu.Unlock()
	return slices.DeleteFunc(slices.Clone(u.requests), func(r *http.Request) bool { return r.URL.Path != path })
}

// metadata answers the description of a server's OAuth pages; HERE is its origin.
func metadata(body string) http.HandlerFunc {
	return func(w http.ResponseWriter, r *http.Request) {
		io.WriteString(w, strings.ReplaceAll(body, "HERE", "http://"+r.Host))
	}
}

const allScopes = "profile read:statuses read:lists read:accounts read:notifications read:search read:bookmarks read:favourites read:filters read:follows"

func TestRegisterAsksForReadingOnly(t *testing.T) {
	u := oauthServer(t, nil)
	app, err := u.provider.Register(t.Context(), u.account(), back)
	if err != nil {
		t.Fatal(err)
	}
	want := sns.App{
		ClientID: "client-1", ClientSecret: "secret-1", RedirectURI: back, Scopes: strings.Fields(allScopes),
		AuthorizeURL: u.URL + "/oauth/authorize", TokenURL: u.URL + "/oauth/token", RevokeURL: u.URL + "/oauth/revoke",
	}
	if diff := cmp.Diff(want, app); diff != "" {
		t.Errorf("app (-want +got):\n%s", diff)
	}
	sent := u.to("/api/v1/apps")
	form := url.Values{"client_name": {"Personal Workspace"}, "redirect_uris": {back}, "scopes": {allScopes}}
	if len(sent) != 1 || !cmp.Equal(sent[0].PostForm, form) {
		t.Errorf("sent %d forms, the first %v; want %v", len(sent), sent[0].PostForm, form)
	}
	for _, r := range u.requests {
		if r.Header.Get("Authorization") != "" {
			t.Errorf("%s carries a token", r.URL.Path)
		}
	}
}

func TestRegisterWhereScopesAreUnknown(t *testing.T) {
	older := func(w http.ResponseWriter, r *http.Request) {
		if strings.Contains(r.PostForm.Get("scopes"), "profile") {
			fail(422)(w, r)
			return
		}
		io.WriteString(w, registered)
	}
	tests := []struct {
		name   string
		routes map[string]http.HandlerFunc
		scopes string
		forms  int
	}{
		{"before 4.3", map[string]http.HandlerFunc{"/api/v1/apps": older}, strings.TrimPrefix(allScopes, "profile "), 2},
		{"a server that lists few", map[string]http.HandlerFunc{
			metadataPath: metadata(`{"scopes_supported":["write","read","read:statuses","read:lists","read:accounts"]}`),
		}, "read:statuses read:lists read:accounts", 1},
		{"a server that lists nonsense", map[string]http.HandlerFunc{metadataPath: metadata(`{"scopes_supported":["write"]}`)}, allScopes, 1},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			u := oauthServer(t, tt.routes)
			app, err := u.provider.Register(t.Context(), u.account(), back)
			if err != nil || strings.Join(app.Scopes, " ") != tt.scopes {
				t.Errorf("scopes = %v, %v; want %s", app.Scopes, err, tt.scopes)
			}
			if got := len(u.to("/api/v1/apps")); got != tt.forms {
				t.Errorf("%d forms, want %d", got, tt.forms)
			}
		})
	}
}

const metadataPath = "/.well-known/oauth-authorization-server"

// TestDescriptionOfOAuthPagesIsNotTrusted: only pages of the server itself are
// used; instead of others and of nonsense the ordinary ones are.
func TestDescriptionOfOAuthPagesIsNotTrusted(t *testing.T) {
	usual := "HERE/oauth/token"
	tests := []struct {
		name, body, want string
	}{
		{"its own page", `{"token_endpoint":"HERE/auth/realm/token"}`, "HERE/auth/realm/token"},
		{"another host", `{"token_endpoint":"https://evil.example/oauth/token"}`, usual},
		{"a private address", `{"token_endpoint":"http://169.254.169.254/latest/meta-data"}`, usual},
		{"another port", `{"token_endpoint":"http://127.0.0.1:1/oauth/token"}`, usual},
		{"another scheme", `{"token_endpoint":"ftp://HERE/oauth/token"}`, usual},
		{"a user before the host", `{"token_endpoint":"http://a@HERE/oauth/token"}`, usual},
		{"a path that climbs", `{"token_endpoint":"HERE/oauth/../api/v1/statuses"}`, usual},
		{"a part of the API", `{"token_endpoint":"HERE/api/v1/statuses"}`, usual},
		{"the API in capitals", `{"token_endpoint":"HERE/API/v1/statuses"}`, usual},
		{"a query", `{"token_endpoint":"HERE/oauth/token?x=1"}`, usual},
		{"a fragment", `{"token_endpoint":"HERE/oauth/token#x"}`, usual},
		{"the front page", `{"token_endpoint":"HERE/"}`, usual},
		{"no address", `{"token_endpoint":"oauth/token"}`, usual},
		{"a number", `{"token_endpoint":42}`, usual},
		{"an empty object", `{}`, usual},
		{"a list", `[]`, usual},
		{"null", `null`, usual},
		{"what broke off", `{"token_endpoint":"`, usual},
		{"65 kB", `{"token_endpoint":"HERE/other","x":"` + strings.Repeat("x", 65<<10) + `"}`, usual},
		{"nothing", ``, usual},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			u := oauthServer(t, map[string]http.HandlerFunc{metadataPath: metadata(tt.body)})
			app, err := u.provider.Register(t.Context(), u.account(), back)
			want := strings.ReplaceAll(tt.want, "HERE", u.URL)
			if err != nil || app.TokenURL != want || app.AuthorizeURL != u.URL+"/oauth/authorize" {
				t.Errorf("token page %s, authorize page %s, %v; want %s and the usual one", app.TokenURL, app.AuthorizeURL, err, want)
			}
		})
	}
	t.Run("a page", func(t *testing.T) {
		u := oauthServer(t, map[string]http.HandlerFunc{metadataPath: func(w http.ResponseWriter, _ *http.Request) {
			w.Header().Set("Content-Type", "text/html")
			io.WriteString(w, "<h1>Not here</h1>")
		}})
		if app, err := u.provider.Register(t.Context(), u.account(), back); err != nil || app.TokenURL != u.URL+"/oauth/token" {
			t.Errorf("app = %+v, %v", app, err)
		}
	})
}

func FuzzOwnAddress(f *testing.F) {
	for _, s := range []string{"https://ex.org/oauth/token", "https://evil.example/", "//evil.example/x", "https://ex.org@evil.example/x", `https://ex.org\@evil.example/x`, "https://ex.org/a/%2e%2e/api/v1/x", "https://EX.org:443/oauth/token"} {
		f.Add(s)
	}
	f.Fuzz(func(t *testing.T, raw string) {
		got := mastodon.OwnAddress(sns.Account{Origin: "https://ex.org"}, raw, "usual")
		if got == "usual" {
			return
		}
		u, err := url.Parse(got)
		if err != nil || u.Scheme != "https" || u.Host != "ex.org" || u.User != nil || u.RawQuery != "" || u.Fragment != "" ||
			strings.Contains(u.Path, "..") && strings.Contains(u.Path, "/../") || strings.HasPrefix(u.Path, "/api/") {
			t.Errorf("ownAddress(%q) = %q", raw, got)
		}
	})
}

func FuzzLoginAnswers(f *testing.F) {
	for _, s := range []string{
		`{"token_endpoint":"https://ex.org/oauth/token","scopes_supported":["read"]}`, registered, `{"access_token":"tok","token_type":"Bearer","scope":"read"}`,
		`[{"name":"tea"}]`, `{"client_id":1,"client_secret":true}`, `{"access_token":"a\nb"}`, `null`, ``, `[`, `{"scope":["read"]}`,
	} {
		f.Add([]byte(s))
	}
	f.Fuzz(func(t *testing.T, body []byte) {
		app, grant, tags := mastodon.LoginAnswers(sns.Account{Origin: "https://ex.org"}, body)
		for _, u := range []string{app.AuthorizeURL, app.TokenURL, app.RevokeURL} {
			if u != "https://ex.org" && !strings.HasPrefix(u, "https://ex.org/") {
				t.Errorf("an address of another server: %q", u)
			}
		}
		for _, s := range append([]string{app.ClientID, app.ClientSecret, grant.Token}, grant.Scopes...) {
			if strings.ContainsFunc(s, func(r rune) bool { return r <= ' ' || r >= 0x7f }) {
				t.Errorf("%q cannot stand in a request", s)
			}
		}
		for _, name := range tags {
			if !sns.ValidTag(name) {
				t.Errorf("%q is no hashtag", name)
			}
		}
	})
}

func TestRegisterFails(t *testing.T) {
	for _, tt := range []struct {
		name   string
		routes map[string]http.HandlerFunc
		code   fault.Code
	}{
		{"a server that is no Mastodon", map[string]http.HandlerFunc{"/api/v2/instance": fail(404)}, fault.Unsupported},
		{"a server that says nothing of itself", map[string]http.HandlerFunc{"/api/v2/instance": answerJSON(`{}`)}, fault.Unsupported},
		{"no registration", map[string]http.HandlerFunc{"/api/v1/apps": fail(403)}, fault.Unsupported},
		{"a limit", map[string]http.HandlerFunc{"/api/v1/apps": fail(429)}, fault.RateLimited},
		{"a server that is down", map[string]http.HandlerFunc{"/api/v1/apps": fail(503)}, fault.UpstreamUnavailable},
		{"an empty registration", map[string]http.HandlerFunc{"/api/v1/apps": answerJSON(`{}`)}, fault.UpstreamChanged},
		{"an id with a line break", map[string]http.HandlerFunc{"/api/v1/apps": answerJSON(`{"client_id":"a\nb","client_secret":"x"}`)}, fault.UpstreamChanged},
		{"an id of 600 signs", map[string]http.HandlerFunc{"/api/v1/apps": answerJSON(`{"client_id":"` + strings.Repeat("x", 600) + `","client_secret":"x"}`)}, fault.UpstreamChanged},
		{"a list", map[string]http.HandlerFunc{"/api/v1/apps": answerJSON(`[]`)}, fault.UpstreamChanged},
		{"65 kB", map[string]http.HandlerFunc{"/api/v1/apps": answerJSON(`"` + strings.Repeat("x", 65<<10) + `"`)}, fault.ResponseTooLarge},
		{"a redirect", map[string]http.HandlerFunc{"/api/v1/apps": redirect}, fault.UpstreamUnavailable},
	} {
		t.Run(tt.name, func(t *testing.T) {
			u := oauthServer(t, tt.routes)
			_, err := u.provider.Register(t.Context(), u.account(), back)
			wantFault(t, err, tt.code, nil)
			if n := len(u.to("/elsewhere")); n != 0 {
				t.Errorf("%d requests followed the redirect", n)
			}
		})
	}
}

func redirect(w http.ResponseWriter, _ *http.Request) {
	w.Header().Set("Location", "/elsewhere")
	w.WriteHeader(http.StatusTemporaryRedirect)
}

// TestServerThatAsksStrangersToSignIn: it describes itself to nobody, and can be
// signed in to all the same.
func TestServerThatAsksStrangersToSignIn(t *testing.T) {
	u := oauthServer(t, map[string]http.HandlerFunc{"/api/v2/instance": fail(401)})
	if _, err := u.provider.Register(t.Context(), u.account(), back); err != nil {
		t.Error(err)
	}
}

func TestChosenPrivateAddressIsBlocked(t *testing.T) {
	client := egress.Guarded(egress.Config{})
	t.Cleanup(client.CloseIdleConnections)
	p := mastodon.New(mastodon.Config{Guarded: client.Transport})
	for _, origin := range []string{"https://127.0.0.1", "https://[::1]:8443", "https://10.0.0.8", "https://169.254.169.254"} {
		_, err := p.Register(t.Context(), sns.Account{Origin: origin, Gate: &gate{}}, back)
		wantFault(t, err, fault.BlockedOrigin, nil)
		if err == nil || !strings.Contains(fault.From(err).Message, "WORKSPACE_MASTODON_ORIGINS") {
			t.Errorf("%s: %v does not name the variable", origin, err)
		}
	}
}

func testApp(u *upstream) sns.App {
	return sns.App{
		ClientID: "client-1", ClientSecret: "secret-1", RedirectURI: back, Scopes: []string{"read:statuses", "read:lists"},
		AuthorizeURL: u.URL + "/oauth/authorize", TokenURL: u.URL + "/oauth/token", RevokeURL: u.URL + "/oauth/revoke",
	}
}

func TestAuthorizeURL(t *testing.T) {
	p := mastodon.New(mastodon.Config{})
	app := sns.App{ClientID: "client-1", ClientSecret: "never shown", RedirectURI: back, Scopes: []string{"profile", "read:statuses"}, AuthorizeURL: "https://ex.org/oauth/authorize"}
	for _, tt := range []struct {
		name, want string
		choose     bool
	}{
		{"the first account", "https://ex.org/oauth/authorize?client_id=client-1&code_challenge=c4&code_challenge_method=S256&redirect_uri=https%3A%2F%2Fws.example%2Fback&response_type=code&scope=profile+read%3Astatuses&state=s4", false},
		{"one more", "https://ex.org/oauth/authorize?client_id=client-1&code_challenge=c4&code_challenge_method=S256&force_login=true&redirect_uri=https%3A%2F%2Fws.example%2Fback&response_type=code&scope=profile+read%3Astatuses&state=s4", true},
	} {
		t.Run(tt.name, func(t *testing.T) {
			if got := p.AuthorizeURL(app, sns.AuthorizeRequest{State: "s4", Challenge: "c4", Choose: tt.choose}); got != tt.want {
				t.Errorf("address = %s, want %s", got, tt.want)
			}
		})
	}
}

func TestExchange(t *testing.T) {
	u := oauthServer(t, map[string]http.HandlerFunc{
		"/oauth/token": answerJSON(`{"access_token":"tok-1","token_type":"Bearer","scope":"read:statuses","created_at":1}`),
	})
	got, err := u.provider.Exchange(t.Context(), u.account(), testApp(u), "code-1", "verifier-1")
	if err != nil || !cmp.Equal(got, sns.Grant{Token: "tok-1", Scopes: []string{"read:statuses"}}) {
		t.Errorf("grant = %+v, %v", got, err)
	}
	want := url.Values{
		"grant_type": {"authorization_code"}, "code": {"code-1"}, "code_verifier": {"verifier-1"},
		"client_id": {"client-1"}, "client_secret": {"secret-1"}, "redirect_uri": {back},
	}
	r := u.request(t)
	if diff := cmp.Diff(want, r.PostForm); diff != "" || r.URL.RawQuery != "" || r.Header.Get("Authorization") != "" {
		t.Errorf("query %q, form (-want +got):\n%s", r.URL.RawQuery, diff)
	}
}

func TestExchangeWithoutScopesHasTheAskedOnes(t *testing.T) {
	u := oauthServer(t, map[string]http.HandlerFunc{"/oauth/token": answerJSON(`{"access_token":"tok-1"}`)})
	got, err := u.provider.Exchange(t.Context(), u.account(), testApp(u), "code-1", "verifier-1")
	if err != nil || !slices.Equal(got.Scopes, []string{"read:statuses", "read:lists"}) {
		t.Errorf("grant = %+v, %v", got, err)
	}
}

func TestExchangeFails(t *testing.T) {
	refuse := func(status int, body string) http.HandlerFunc {
		return func(w http.ResponseWriter, _ *http.Request) {
			w.WriteHeader(status)
			io.WriteString(w, body)
		}
	}
	for _, tt := range []struct {
		name    string
		answer  http.HandlerFunc
		code    fault.Code
		details object
	}{
		{"a used code", refuse(400, `{"error":"invalid_grant","error_description":"<b>secret-1</b>"}`), fault.InvalidArguments, object{"field": "code"}},
		{"a database's words", refuse(400, `{"error":"sql: no rows in result set"}`), fault.InvalidArguments, object{"field": "code"}},
		{"a request it does not know", refuse(400, `{"error":"invalid_request"}`), fault.Forbidden, object{"reason": "refused"}},
		{"a forgotten program", refuse(401, `{"error":"invalid_client"}`), fault.Unauthorized, nil},
		{"a refusal without words", refuse(403, ``), fault.Forbidden, object{"reason": "refused"}},
		{"a page", func(w http.ResponseWriter, _ *http.Request) {
			w.Header().Set("Content-Type", "text/html")
			io.WriteString(w, "<h1>Sign in</h1>")
		}, fault.UpstreamUnavailable, object{"reason": "not_json"}},
		{"a redirect", redirect, fault.UpstreamUnavailable, object{"reason": "redirect"}},
		{"a limit", fail(429), fault.RateLimited, nil},
		{"a server that is down", fail(502), fault.UpstreamUnavailable, nil},
		{"no token", answerJSON(`{}`), fault.UpstreamChanged, nil},
		{"a token of two lines", answerJSON(`{"access_token":"a\nb"}`), fault.UpstreamChanged, nil},
		{"another kind of token", answerJSON(`{"access_token":"a","token_type":"mac"}`), fault.UpstreamChanged, nil},
		{"65 kB", answerJSON(`{"access_token":"a","x":"` + strings.Repeat("x", 65<<10) + `"}`), fault.ResponseTooLarge, nil},
		{"nothing", answerJSON(``), fault.UpstreamUnavailable, nil},
	} {
		t.Run(tt.name, func(t *testing.T) {
			u := oauthServer(t, map[string]http.HandlerFunc{"/oauth/token": tt.answer})
			_, err := u.provider.Exchange(t.Context(), u.account(), testApp(u), "code-1", "verifier-1")
			wantFault(t, err, tt.code, tt.details)
			u.request(t) // a code serves once, so it is sent once and nowhere else
			for _, secret := range []string{"secret-1", "code-1", "verifier-1"} {
				if err != nil && strings.Contains(err.Error(), secret) {
					t.Errorf("the error tells %s: %v", secret, err)
				}
			}
		})
	}
}

func TestSlowTokenPageEnds(t *testing.T) {
	u := serveWith(t, mastodon.Config{Total: 50 * time.Millisecond}, func(_ http.ResponseWriter, r *http.Request) {
		r.ParseForm() // a server notices that its client left only behind the body
		<-r.Context().Done()
	})
	_, err := u.provider.Exchange(t.Context(), u.account(), testApp(u), "code-1", "verifier-1")
	wantFault(t, err, fault.UpstreamUnavailable, object{"reason": "timeout"})
}

func TestRevoke(t *testing.T) {
	u := oauthServer(t, map[string]http.HandlerFunc{"/oauth/revoke": answerJSON(`{}`)})
	if err := u.provider.Revoke(t.Context(), u.account(), testApp(u), "tok-1"); err != nil {
		t.Fatal(err)
	}
	want := url.Values{"client_id": {"client-1"}, "client_secret": {"secret-1"}, "token": {"tok-1"}}
	if diff := cmp.Diff(want, u.request(t).PostForm); diff != "" {
		t.Errorf("form (-want +got):\n%s", diff)
	}
}

func TestRevokeFails(t *testing.T) {
	u := oauthServer(t, map[string]http.HandlerFunc{"/oauth/revoke": fail(403)})
	err := u.provider.Revoke(t.Context(), u.account(), testApp(u), "tok-1")
	wantFault(t, err, fault.Forbidden, object{"reason": "refused"})
	if strings.Contains(err.Error(), "tok-1") {
		t.Errorf("err = %v", err)
	}
}

func TestFormsGoNowhereElse(t *testing.T) {
	u := serve(t, answerJSON(`{}`))
	for _, target := range []string{
		"https://evil.example/oauth/token", u.URL + ".evil.example/oauth/token", u.URL + "@evil.example/", u.URL,
		u.URL + "/api/v1/statuses", u.URL + "/api/v1/apps/../statuses", "/oauth/token",
	} {
		if _, err := u.provider.Submit(t.Context(), u.account(), target, nil); fault.CodeOf(err) != fault.Internal {
			t.Errorf("%s: %v", target, err)
		}
	}
	if got := u.log(); len(got) != 0 {
		t.Errorf("requests = %v", got)
	}
}

func TestLimitOfTheServerIsTold(t *testing.T) {
	u := serve(t, func(w http.ResponseWriter, _ *http.Request) {
		w.Header().Set("X-RateLimit-Limit", "300")
		w.Header().Set("X-RateLimit-Remaining", "299")
		io.WriteString(w, `[]`)
	})
	u.page(t, home, "")
	if u.gate.limit != 300 {
		t.Errorf("limit = %d, want 300", u.gate.limit)
	}
}

func TestFollowedTags(t *testing.T) {
	u := serve(t, func(w http.ResponseWriter, r *http.Request) {
		if r.URL.Query().Get("max_id") == "" {
			w.Header().Set("Link", `<https://elsewhere.example/api/v1/followed_tags?max_id=7>; rel="next"`)
			io.WriteString(w, `[{"name":"tea"},{"name":"#猫"},{"name":"no tag"},null,{"name":"tea"}]`)
			return
		}
		io.WriteString(w, `[{"name":"wool"}]`)
	})
	got, err := u.provider.FollowedTags(t.Context(), u.account())
	if err != nil || !slices.Equal(got, []string{"tea", "猫", "wool"}) {
		t.Errorf("tags = %q, %v", got, err)
	}
	if want := []string{"GET /api/v1/followed_tags?limit=200", "GET /api/v1/followed_tags?limit=200&max_id=7"}; !slices.Equal(u.log(), want) {
		t.Errorf("requests = %v", u.log())
	}
}

func TestFollowedTagsFail(t *testing.T) {
	for _, tt := range []struct {
		name   string
		answer http.HandlerFunc
		code   fault.Code
	}{
		{"no scope", fail(403), fault.Forbidden},
		{"an old server", fail(404), fault.Unsupported},
		{"no list", answerJSON(`{}`), fault.UpstreamChanged},
	} {
		t.Run(tt.name, func(t *testing.T) {
			u := serve(t, tt.answer)
			_, err := u.provider.FollowedTags(t.Context(), u.account())
			wantFault(t, err, tt.code, nil)
		})
	}
}

func TestCustomEmojiAreOnHTTPSOrTheServerItself(t *testing.T) {
	emoji := func(code, picture string) object {
		return object{"shortcode": code, "url": picture, "static_url": picture, "visible_in_picker": true}
	}
	u := serve(t, nil)
	u.Config.Handler = http.HandlerFunc(func(w http.ResponseWriter, _ *http.Request) {
		list := []any{
			emoji("good", "https://files.example/good.png"), emoji("own", u.URL+"/own.png"), emoji("plain", "http://files.example/plain.png"),
			emoji("script", "javascript:alert(1)"), emoji("data", "data:image/png;base64,AA"), emoji("a b", "https://files.example/ab.png"),
		}
		author := accountJSON("9", "ann")
		author["emojis"] = list
		w.Header().Set("Content-Type", "application/json")
		io.WriteString(w, "["+status("1", object{
			"emojis": list, "account": author,
			"poll": object{"options": []any{object{"title": ":good: yes"}}, "emojis": list},
		})+"]")
	})
	p := u.page(t, home, "").Posts[0]
	want := []sns.Emoji{
		{Shortcode: "good", URL: "https://files.example/good.png", StaticURL: "https://files.example/good.png"},
		{Shortcode: "own", URL: u.URL + "/own.png", StaticURL: u.URL + "/own.png"},
	}
	for name, got := range map[string][]sns.Emoji{"post": p.Emojis, "author": p.Author.Emojis, "poll": p.Poll.Emojis} {
		if diff := cmp.Diff(want, got); diff != "" {
			t.Errorf("emoji of the %s (-want +got):\n%s", name, diff)
		}
	}
}
