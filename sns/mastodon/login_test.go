package mastodon_test

import (
	"context"
	"net/http"
	"net/url"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"

	"personal-workspace/internal/fault"
	"personal-workspace/internal/secret"
	"personal-workspace/sns"
	"personal-workspace/sns/snstest"
)

// TestSignInThroughTheServersPages drives a whole login over HTTP, with a
// restart of the workspace while the person is at the server.
func TestSignInThroughTheServersPages(t *testing.T) {
	for name, quirks := range map[string]snstest.Quirks{
		"Mastodon":        {},
		"before 4.3":      {NoMetadata: true, NoProfileScope: true},
		"GoToSocial":      snstest.GoToSocial(),
		"without a check": {NoAppCheck: true},
	} {
		t.Run(name, func(t *testing.T) {
			d := newDesk(t, snstest.Options{Quirks: quirks})
			d.server.Add(snstest.Status{Text: "Hello."})
			l := d.begin(sns.BeginLogin{RedirectURI: callbackURL, Label: "Mine"})
			back := d.decide(l, snstest.Decision{})
			d.Close()
			d.start(func(*sns.Config) {})
			c, err := d.finish(l, back)
			if err != nil {
				t.Fatalf("FinishLogin: %v", err)
			}
			want := sns.Connection{
				ID: c.ID, Network: sns.Mastodon, Account: "@ann@mock.example", Label: "Mine", State: sns.Ready, App: "mastodon",
				Origin: d.origin, AccountID: d.server.AccountID("ann"), Login: true, CreatedAt: c.CreatedAt, UpdatedAt: c.UpdatedAt,
			}
			if diff := cmp.Diff(want, c, cmp.FilterPath(func(p cmp.Path) bool { return p.String() == "revision" }, cmp.Ignore())); diff != "" {
				t.Errorf("connection (-want +got):\n%s", diff)
			}
			page, err := d.FetchPosts(t.Context(), c.ID, home, "")
			if err != nil || len(page.Posts) != 1 {
				t.Errorf("%d posts, %v; want 1", len(page.Posts), err)
			}
			st, err := d.ConnectionStatus(t.Context(), c.ID)
			if err != nil || strings.Join(st.Scopes, " ") != scopesOf(quirks) || !st.CredentialSince.Equal(d.clock()) {
				t.Errorf("scopes %q since %v, %v", st.Scopes, st.CredentialSince, err)
			}
		})
	}
}

func scopesOf(q snstest.Quirks) string {
	if q.NoProfileScope {
		return strings.TrimPrefix(allScopes, "profile ")
	}
	return allScopes
}

func TestPendingLogin(t *testing.T) {
	d := newDesk(t, snstest.Options{})
	l := d.begin(sns.BeginLogin{RedirectURI: callbackURL})
	got, err := d.PendingLogin(t.Context(), l.State, browser)
	if diff := cmp.Diff(l, got); err != nil || diff != "" {
		t.Errorf("PendingLogin: %v (-want +got):\n%s", err, diff)
	}
	if _, err := d.finish(l, d.decide(l, snstest.Decision{})); err != nil {
		t.Fatal(err)
	}
	_, err = d.PendingLogin(t.Context(), l.State, browser)
	wantFault(t, err, fault.NotFound, object{"what": "login"})
	_, err = d.PendingLogin(t.Context(), d.begin(sns.BeginLogin{}).State, "another browser")
	wantFault(t, err, fault.NotFound, nil)
}

func TestLoginsThatAreNotFinished(t *testing.T) {
	state := object{"field": "state"}
	tests := []struct {
		name    string
		act     func(d *desk, l sns.Login) error
		code    fault.Code
		details object
	}{
		{"denied", func(d *desk, l sns.Login) error {
			_, err := d.finish(l, d.decide(l, snstest.Decision{Deny: true}))
			return err
		}, fault.Forbidden, object{"reason": "access_denied"}},
		{"another error of the server", func(d *desk, l sns.Login) error {
			_, err := d.finish(l, url.Values{"error": {"<script>"}})
			return err
		}, fault.Forbidden, object{"reason": "refused"}},
		{"allowed after it was denied", func(d *desk, l sns.Login) error {
			d.finish(l, d.decide(l, snstest.Decision{Deny: true}))
			_, err := d.finish(l, d.decide(l, snstest.Decision{}))
			return err
		}, fault.InvalidArguments, state},
		{"a state that was never given", func(d *desk, l sns.Login) error {
			back := d.decide(l, snstest.Decision{})
			l.State = strings.Repeat("A", 43)
			_, err := d.finish(l, back)
			return err
		}, fault.InvalidArguments, state},
		{"no state", func(d *desk, l sns.Login) error {
			back := d.decide(l, snstest.Decision{})
			l.State = ""
			_, err := d.finish(l, back)
			return err
		}, fault.InvalidArguments, state},
		{"another browser", func(d *desk, l sns.Login) error {
			back := d.decide(l, snstest.Decision{})
			_, err := d.FinishLogin(d.t.Context(), sns.FinishLogin{State: l.State, Code: back.Get("code"), Browser: "another"})
			return err
		}, fault.InvalidArguments, state},
		{"after ten minutes", func(d *desk, l sns.Login) error {
			back := d.decide(l, snstest.Decision{})
			d.wait(10 * time.Minute)
			_, err := d.finish(l, back)
			return err
		}, fault.InvalidArguments, state},
		{"no code", func(d *desk, l sns.Login) error {
			_, err := d.finish(l, url.Values{})
			return err
		}, fault.InvalidArguments, object{"field": "code"}},
		{"a code of somebody else's login", func(d *desk, l sns.Login) error {
			other := d.decide(d.begin(sns.BeginLogin{RedirectURI: callbackURL}), snstest.Decision{})
			_, err := d.finish(l, other)
			return err
		}, fault.InvalidArguments, object{"field": "code"}},
		{"a redirect on the token page", func(d *desk, l sns.Login) error {
			back := d.decide(l, snstest.Decision{})
			d.server.Inject("/oauth/token", 0, snstest.Redirect("http://127.0.0.1:1"))
			_, err := d.finish(l, back)
			return err
		}, fault.UpstreamUnavailable, object{"reason": "redirect"}},
		{"a token page that is HTML", func(d *desk, l sns.Login) error {
			back := d.decide(l, snstest.Decision{})
			d.server.Inject("/oauth/token", 0, snstest.HTML(http.StatusOK))
			_, err := d.finish(l, back)
			return err
		}, fault.UpstreamUnavailable, nil},
		{"a token that reads nothing", func(d *desk, l sns.Login) error {
			back := d.decide(l, snstest.Decision{})
			d.server.Inject("/api/v1/accounts/verify_credentials", 0, snstest.Unauthorized())
			_, err := d.finish(l, back)
			return err
		}, fault.Unauthorized, nil},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			d := newDesk(t, snstest.Options{})
			wantFault(t, tt.act(d, d.begin(sns.BeginLogin{RedirectURI: callbackURL})), tt.code, tt.details)
			d.wantNoConnection()
		})
	}
}

func TestStateServesOnce(t *testing.T) {
	d := newDesk(t, snstest.Options{})
	l := d.begin(sns.BeginLogin{RedirectURI: callbackURL})
	back := d.decide(l, snstest.Decision{})
	first := d.Service
	d.start(func(*sns.Config) {}) // a second process over the same files
	results := make(chan error, 8)
	for i := range cap(results) {
		s := []*sns.Service{first, d.Service}[i%2]
		go func() {
			_, err := s.FinishLogin(t.Context(), sns.FinishLogin{State: l.State, Code: back.Get("code"), Browser: browser})
			results <- err
		}()
	}
	good := 0
	for range cap(results) {
		if err := <-results; err == nil {
			good++
		} else {
			wantFault(t, err, fault.InvalidArguments, object{"field": "state"})
		}
	}
	if good != 1 || len(d.server.RequestsTo("/oauth/token")) != 1 || len(d.connections()) != 1 {
		t.Errorf("%d logins, %d codes sent, %d connections; want one of each", good, len(d.server.RequestsTo("/oauth/token")), len(d.connections()))
	}
}

func TestSlowTokenPageIsBounded(t *testing.T) {
	d := newDesk(t, snstest.Options{})
	l := d.begin(sns.BeginLogin{RedirectURI: callbackURL})
	back := d.decide(l, snstest.Decision{})
	d.start(func(c *sns.Config) { c.ToolTimeout = 100 * time.Millisecond })
	d.server.Inject("/oauth/token", 0, snstest.Hang())
	_, err := d.finish(l, back)
	wantFault(t, err, fault.Timeout, nil)
	d.wantNoConnection()
}

// TestBrowserThatLeavesDoesNotLoseTheLogin: the code is spent by then.
func TestBrowserThatLeavesDoesNotLoseTheLogin(t *testing.T) {
	d := newDesk(t, snstest.Options{})
	l := d.begin(sns.BeginLogin{RedirectURI: callbackURL})
	back := d.decide(l, snstest.Decision{})
	ctx, leave := context.WithCancel(t.Context())
	d.server.Inject("/oauth/token", 0, func(w http.ResponseWriter, r *http.Request, route http.Handler) {
		leave()
		route.ServeHTTP(w, r)
	})
	_, err := d.FinishLogin(ctx, sns.FinishLogin{State: l.State, Code: back.Get("code"), Browser: browser})
	if err != nil || len(d.connections()) != 1 {
		t.Errorf("%d connections, %v", len(d.connections()), err)
	}
}

func TestPastedCode(t *testing.T) {
	for name, quirks := range map[string]snstest.Quirks{"Mastodon": {}, "GoToSocial": snstest.GoToSocial()} {
		t.Run(name, func(t *testing.T) { pasteCode(t, quirks) })
	}
}

func pasteCode(t *testing.T, quirks snstest.Quirks) {
	t.Helper()
	d := newDesk(t, snstest.Options{Quirks: quirks})
	l := d.begin(sns.BeginLogin{})
	if !l.OutOfBand {
		t.Fatal("the login is not out of band")
	}
	code := d.decide(l, snstest.Decision{})
	for _, wrong := range []string{"", "two words", "code-mistyped"} {
		_, err := d.finish(l, url.Values{"code": {wrong}})
		wantFault(t, err, fault.InvalidArguments, object{"field": "code"})
	}
	if _, err := d.finish(l, url.Values{"code": {" " + code.Get("code") + "\n"}}); err != nil {
		t.Errorf("the right code after mistyped ones: %v", err)
	}
	_, err := d.finish(l, code)
	wantFault(t, err, fault.InvalidArguments, object{"field": "state"})
}

func TestSignInAgain(t *testing.T) {
	d := newDesk(t, snstest.Options{})
	c, err := d.AddMastodon(t.Context(), sns.AddMastodon{Origin: d.origin, Token: d.server.Token(), Label: "Mine"})
	if err != nil {
		t.Fatal(err)
	}
	d.server.RevokeToken(d.server.Token())
	if st, err := d.TestConnection(t.Context(), c.ID); err != nil || st.State != sns.ReauthRequired {
		t.Fatalf("the connection is %s, %v", st.State, err)
	}
	again, err := d.signIn(sns.BeginLogin{ConnectionID: c.ID, RedirectURI: callbackURL}, "ann")
	if err != nil || again.ID != c.ID || again.State != sns.Ready || again.Label != "Mine" || len(d.connections()) != 1 {
		t.Errorf("connection = %+v of %d, %v", again, len(d.connections()), err)
	}
	if _, err := d.FetchPosts(t.Context(), c.ID, home, ""); err != nil {
		t.Errorf("with the new token: %v", err)
	}
}

func TestSignInAgainAsSomebodyElse(t *testing.T) {
	d := newDesk(t, snstest.Options{})
	d.server.AddAccount(snstest.Account{Acct: "ben"})
	c, err := d.signIn(sns.BeginLogin{RedirectURI: callbackURL}, "ann")
	if err != nil {
		t.Fatal(err)
	}
	_, err = d.signIn(sns.BeginLogin{ConnectionID: c.ID, RedirectURI: callbackURL}, "ben")
	wantFault(t, err, fault.RequestConflict, object{"connectionId": c.ID})
	if n := len(d.server.RequestsTo("/oauth/revoke")); n != 1 {
		t.Errorf("%d tokens were revoked, want the one that nobody keeps", n)
	}
	if got := d.connections(); len(got) != 1 || got[0].Account != "@ann@mock.example" {
		t.Errorf("connections = %+v", got)
	}
	if _, err := d.FetchPosts(t.Context(), c.ID, home, ""); err != nil {
		t.Errorf("with the old token: %v", err)
	}
}

func TestTwoAccountsOfOneServer(t *testing.T) {
	d := newDesk(t, snstest.Options{})
	d.server.AddAccount(snstest.Account{Acct: "ben"})
	first, err := d.signIn(sns.BeginLogin{RedirectURI: callbackURL}, "ann")
	if err != nil {
		t.Fatal(err)
	}
	l := d.begin(sns.BeginLogin{RedirectURI: callbackURL})
	if !strings.Contains(l.AuthorizeURL, "force_login=true") {
		t.Error("the server is not asked to let the person choose")
	}
	second, err := d.finish(l, d.decide(l, snstest.Decision{Account: "ben"}))
	if err != nil || second.ID == first.ID || second.Account != "@ben@mock.example" {
		t.Errorf("the second connection = %+v, %v", second, err)
	}
	if n := len(d.server.RequestsTo("/api/v1/apps")); n != 1 {
		t.Errorf("%d registrations within the hour, want 1", n)
	}
}

func TestAccountThatIsConnectedAlreadyKeepsItsConnection(t *testing.T) {
	d := newDesk(t, snstest.Options{})
	first, err := d.signIn(sns.BeginLogin{RedirectURI: callbackURL, Label: "Mine"}, "ann")
	if err != nil {
		t.Fatal(err)
	}
	d.wait(time.Minute)
	again, err := d.signIn(sns.BeginLogin{RedirectURI: callbackURL}, "ann")
	if err != nil || again.ID != first.ID || again.Label != "Mine" || len(d.connections()) != 1 {
		t.Errorf("connection = %+v of %d, %v", again, len(d.connections()), err)
	}
	if st, err := d.ConnectionStatus(t.Context(), first.ID); err != nil || !st.CredentialSince.Equal(d.clock()) {
		t.Errorf("the credential is of %v, %v", st.CredentialSince, err)
	}
}

func TestRegistrationIsRenewed(t *testing.T) {
	tests := []struct {
		name  string
		while func(d *desk)
	}{
		{"after an hour", func(d *desk) { d.wait(time.Hour) }},
		{"when the server forgot it", func(d *desk) {
			l := d.begin(sns.BeginLogin{RedirectURI: callbackURL})
			back := d.decide(l, snstest.Decision{})
			d.server.Inject("/oauth/token", 1, func(w http.ResponseWriter, _ *http.Request, _ http.Handler) {
				w.Header().Set("Content-Type", "application/json")
				w.WriteHeader(http.StatusUnauthorized)
				w.Write([]byte(`{"error":"invalid_client"}`))
			})
			_, err := d.finish(l, back)
			wantFault(d.t, err, fault.Unauthorized, nil)
		}},
		{"when the key is another one", func(d *desk) {
			d.Close()
			key, err := secret.CreateKey(filepath.Join(d.dir, "another-key"))
			if err != nil {
				d.t.Fatal(err)
			}
			d.key = key
			d.start(func(*sns.Config) {})
		}},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			d := newDesk(t, snstest.Options{})
			d.begin(sns.BeginLogin{RedirectURI: callbackURL})
			tt.while(d)
			d.server.ForgetRequests()
			if _, err := d.signIn(sns.BeginLogin{RedirectURI: callbackURL}, "ann"); err != nil {
				t.Error(err)
			}
			if n := len(d.server.RequestsTo("/api/v1/apps")); n != 1 {
				t.Errorf("%d registrations, want a new one", n)
			}
		})
	}
}

func TestBeginLoginRefuses(t *testing.T) {
	d := newDesk(t, snstest.Options{})
	open, err := d.AddMastodon(t.Context(), sns.AddMastodon{Origin: d.origin})
	if err != nil {
		t.Fatal(err)
	}
	d.server.ForgetRequests()
	tests := []struct {
		name    string
		in      sns.BeginLogin
		code    fault.Code
		details object
	}{
		{"no address", sns.BeginLogin{Browser: browser}, fault.InvalidArguments, object{"field": "origin"}},
		{"an address with a path", sns.BeginLogin{Origin: "https://social.example/@ann", Browser: browser}, fault.InvalidArguments, object{"field": "origin"}},
		{"plain http", sns.BeginLogin{Origin: "http://social.example", Browser: browser}, fault.BlockedOrigin, object{"field": "origin"}},
		{"a private address", sns.BeginLogin{Origin: "https://192.168.1.4", Browser: browser}, fault.BlockedOrigin, nil},
		{"loopback", sns.BeginLogin{Origin: "https://127.0.0.1:9", Browser: browser}, fault.BlockedOrigin, nil},
		{"no browser", sns.BeginLogin{Origin: d.origin}, fault.InvalidArguments, object{"field": "browser"}},
		{"a way back that is no page", sns.BeginLogin{Origin: d.origin, RedirectURI: "javascript:alert(1)", Browser: browser}, fault.InvalidArguments, object{"field": "redirectUri"}},
		{"a long label", sns.BeginLogin{Origin: d.origin, Label: strings.Repeat("x", 81), Browser: browser}, fault.InvalidArguments, object{"field": "label"}},
		{"a connection that is not there", sns.BeginLogin{ConnectionID: "conn_x", Browser: browser}, fault.NotFound, nil},
		{"a connection without login", sns.BeginLogin{ConnectionID: open.ID, Browser: browser}, fault.InvalidArguments, object{"field": "connectionId"}},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			_, err := d.BeginLogin(t.Context(), tt.in)
			wantFault(t, err, tt.code, tt.details)
			if tt.code == fault.BlockedOrigin && !strings.Contains(fault.From(err).Message, "WORKSPACE_MASTODON_ORIGINS") {
				t.Errorf("%v does not name the variable", err)
			}
		})
	}
	if got := d.server.Requests(); len(got) != 0 {
		t.Errorf("%d requests were made", len(got))
	}
}

func TestServerThatIsNoMastodon(t *testing.T) {
	for name, f := range map[string]snstest.Fault{
		"an empty object": snstest.Body("application/json", "{}"),
		"a page":          snstest.HTML(http.StatusOK),
		"nothing there":   snstest.NotFound(),
		"a redirect":      snstest.Redirect("http://127.0.0.1:1"),
		"2 MB of spaces":  snstest.Spaces(2 << 20),
	} {
		t.Run(name, func(t *testing.T) {
			d := newDesk(t, snstest.Options{})
			d.server.Inject("/api/*", 0, f)
			_, err := d.BeginLogin(t.Context(), sns.BeginLogin{Origin: d.origin, Browser: browser})
			if err == nil {
				t.Error("a login began")
			}
			if n := len(d.server.RequestsTo("/api/v1/apps")); n != 0 {
				t.Errorf("%d registrations", n)
			}
		})
	}
}
