package mastodon_test

import (
	"net/http"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"personal-workspace/internal/fault"
	"personal-workspace/sns"
	"personal-workspace/sns/snstest"
)

func TestDisconnectRevokes(t *testing.T) {
	for _, tt := range []struct {
		name    string
		prepare func(d *desk)
		revoked bool
	}{
		{"a server that answers", func(*desk) {}, true},
		{"a server that refuses", func(d *desk) { d.server.Inject("/oauth/revoke", 0, snstest.Forbidden()) }, false},
		{"a server that is gone", func(d *desk) { d.server.Inject("*", 0, snstest.Cut()) }, false},
	} {
		t.Run(tt.name, func(t *testing.T) {
			d := newDesk(t, snstest.Options{})
			c, err := d.signIn(sns.BeginLogin{RedirectURI: callbackURL}, "ann")
			if err != nil {
				t.Fatal(err)
			}
			tt.prepare(d)
			revoked, err := d.Disconnect(t.Context(), c.ID)
			if err != nil || revoked != tt.revoked {
				t.Errorf("revoked = %v, %v; want %v", revoked, err, tt.revoked)
			}
			d.wantNoConnection()
			if has, err := sns.HasSecrets(t.Context(), d.db); has || err != nil {
				t.Errorf("HasSecrets = %v, %v", has, err)
			}
			_, err = d.Disconnect(t.Context(), c.ID)
			wantFault(t, err, fault.NotFound, nil)
		})
	}
}

// A program of another registration gets another token, so that the one before
// would live on at the server.
func TestTokenThatIsReplacedIsRevoked(t *testing.T) {
	signIn := func(d *desk) error {
		_, err := d.signIn(sns.BeginLogin{RedirectURI: callbackURL}, "ann")
		return err
	}
	paste := func(d *desk) error {
		_, err := d.AddMastodon(d.t.Context(), sns.AddMastodon{Origin: d.origin, Token: d.server.IssueToken("ann")})
		return err
	}
	renew := func(d *desk) error {
		_, err := d.RenewToken(d.t.Context(), d.connections()[0].ID, d.server.IssueToken("ann"))
		return err
	}
	for _, tt := range []struct {
		name          string
		first, second func(d *desk) error
		revoked       int
	}{
		{"a sign-in by another", signIn, signIn, 1},
		{"a sign-in by a pasted token", signIn, paste, 1},
		{"a sign-in by a pasted token, on its page", signIn, renew, 1},
		{"a pasted token by a sign-in", paste, signIn, 0},
		{"a sign-in by somebody else's token", signIn, func(d *desk) error {
			_, err := d.RenewToken(d.t.Context(), d.connections()[0].ID, d.server.IssueToken("ben"))
			wantFault(d.t, err, fault.RequestConflict, nil)
			return nil
		}, 0},
		{"at a server that refuses", signIn, func(d *desk) error {
			d.server.Inject("/oauth/revoke", 0, snstest.Forbidden())
			return renew(d)
		}, 1},
	} {
		t.Run(tt.name, func(t *testing.T) {
			d := newDesk(t, snstest.Options{})
			if err := tt.first(d); err != nil {
				t.Fatal(err)
			}
			d.wait(2 * time.Hour)
			if err := tt.second(d); err != nil {
				t.Fatal(err)
			}
			if got := len(d.server.RequestsTo("/oauth/revoke")); got != tt.revoked {
				t.Errorf("%d tokens were to be revoked, want %d", got, tt.revoked)
			}
			if len(d.connections()) != 1 {
				t.Fatalf("connections = %+v", d.connections())
			}
			st, err := d.TestConnection(t.Context(), d.connections()[0].ID)
			if err != nil || st.State != sns.Ready || st.Failing() {
				t.Errorf("the connection is %s, %+v, %v", st.State, st.LastFailure, err)
			}
		})
	}
}

func TestDisconnectLeavesAPastedTokenToThePerson(t *testing.T) {
	d := newDesk(t, snstest.Options{})
	c, err := d.AddMastodon(t.Context(), sns.AddMastodon{Origin: d.origin, Token: d.server.Token()})
	if err != nil {
		t.Fatal(err)
	}
	revoked, err := d.Disconnect(t.Context(), c.ID)
	if err != nil || revoked || len(d.server.RequestsTo("/oauth/revoke")) != 0 {
		t.Errorf("revoked = %v, %v", revoked, err)
	}
}

// TestSecretsOfALoginAreNowhereToRead looks through the files and the log.
func TestSecretsOfALoginAreNowhereToRead(t *testing.T) {
	d := newDesk(t, snstest.Options{})
	var secrets []string
	keep := func(w http.ResponseWriter, r *http.Request, route http.Handler) {
		r.ParseForm()
		for _, name := range []string{"client_secret", "code_verifier", "code", "token"} {
			if v := r.PostForm.Get(name); v != "" {
				secrets = append(secrets, v)
			}
		}
		route.ServeHTTP(w, r)
	}
	d.server.Inject("/oauth/*", 0, keep)
	c, err := d.signIn(sns.BeginLogin{RedirectURI: callbackURL}, "ann")
	if err != nil {
		t.Fatal(err)
	}
	l := d.begin(sns.BeginLogin{RedirectURI: callbackURL})
	secrets = append(secrets, l.State, browser)
	d.wantSecretsHidden(secrets)
	if _, err := d.Disconnect(t.Context(), c.ID); err != nil {
		t.Fatal(err)
	}
	if len(secrets) < 7 {
		t.Errorf("only %d secrets were seen", len(secrets))
	}
	d.wantSecretsHidden(secrets)
}

func (d *desk) wantSecretsHidden(secrets []string) {
	d.t.Helper()
	files, err := filepath.Glob(filepath.Join(d.dir, "workspace.sqlite*"))
	if err != nil || len(files) == 0 {
		d.t.Fatalf("files = %v, %v", files, err)
	}
	text := d.log.String()
	for _, f := range files {
		raw, err := os.ReadFile(f)
		if err != nil {
			d.t.Fatal(err)
		}
		text += string(raw)
	}
	for _, s := range secrets {
		if strings.Contains(text, s) {
			d.t.Errorf("%q stands in the files or the log", s)
		}
	}
}

func TestLoginsUnderWayAreBounded(t *testing.T) {
	d := newDesk(t, snstest.Options{})
	first := d.begin(sns.BeginLogin{RedirectURI: callbackURL})
	for range 50 {
		d.wait(time.Second)
		d.begin(sns.BeginLogin{RedirectURI: callbackURL})
	}
	_, err := d.PendingLogin(t.Context(), first.State, browser)
	wantFault(t, err, fault.NotFound, nil)
}
