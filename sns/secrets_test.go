package sns_test

import (
	"os"
	"path/filepath"
	"strings"
	"testing"

	"personal-workspace/internal/fault"
	"personal-workspace/internal/secret"
	"personal-workspace/internal/sqlite"
	"personal-workspace/sns"
)

func TestForgetSecretsNeedsNoKey(t *testing.T) {
	w := newWorld(t)
	ann := w.login("ann")
	open, err := w.sns.AddMastodon(t.Context(), sns.AddMastodon{Origin: "https://open.example"})
	if err != nil {
		t.Fatal(err)
	}
	w.sns.Close()
	w.key = nil
	w.start()
	n, err := w.sns.ForgetSecrets(t.Context())
	if n != 1 || err != nil {
		t.Fatalf("ForgetSecrets = %d, %v; want 1", n, err)
	}
	if c := w.connection(ann.ID); c.State != sns.ReauthRequired || c.StateCode != sns.CodeSecretsForgotten {
		t.Errorf("the account is %s (%s)", c.State, c.StateCode)
	}
	if c := w.connection(open.ID); c.State != sns.Ready {
		t.Errorf("the server without login is %s", c.State)
	}
	_, err = w.sns.FetchPosts(t.Context(), ann.ID, home, "")
	wantFault(t, err, fault.Unauthorized, map[string]any{"connectionId": ann.ID, "reconnect": true})
	if w.net.asked() != 0 {
		t.Error("the server was asked without a credential")
	}
	if n, err := w.sns.ForgetSecrets(t.Context()); n != 0 || err != nil {
		t.Errorf("again: %d, %v", n, err)
	}
}

func TestSigningInAgainKeepsTheConnection(t *testing.T) {
	w := newWorld(t)
	w.net.feed.add(3)
	c := w.login("ann")
	w.fetch(c, home, "")
	if _, err := w.sns.ForgetSecrets(t.Context()); err != nil {
		t.Fatal(err)
	}
	again, err := w.sns.AddMastodon(t.Context(), sns.AddMastodon{Origin: "https://social.example", Token: "token-ann"})
	if err != nil {
		t.Fatalf("AddMastodon: %v", err)
	}
	if again.ID != c.ID || again.State != sns.Ready || again.Label != c.Label {
		t.Errorf("connection = %+v, want that of %s", again, c.ID)
	}
	if got := len(w.stored(again, home).Posts); got != 3 {
		t.Errorf("%d posts are stored, want 3", got)
	}
	w.clock.add(1e11)
	w.fetch(again, home, "")
	if got := w.net.requests[1].Account.Token; got != "token-ann" {
		t.Errorf("token = %q", got)
	}
}

func TestCheckSecrets(t *testing.T) {
	w := newWorld(t)
	other, err := secret.CreateKey(filepath.Join(w.dir, "other"))
	if err != nil {
		t.Fatal(err)
	}
	for name, key := range map[string]*secret.Key{"no key": nil, "another key": other} {
		if err := sns.CheckSecrets(t.Context(), w.db, key); err != nil {
			t.Errorf("%s without secrets: %v", name, err)
		}
	}
	w.login("ann")
	if err := sns.CheckSecrets(t.Context(), w.db, w.key); err != nil {
		t.Errorf("the right key: %v", err)
	}
	for name, key := range map[string]*secret.Key{"no key": nil, "another key": other} {
		err := sns.CheckSecrets(t.Context(), w.db, key)
		wantFault(t, err, fault.Unauthorized, nil)
		if m := fault.From(err).Message; !strings.Contains(m, "workspace connections forget-secrets") {
			t.Errorf("%s: message %q does not name the way out", name, m)
		}
	}
	if has, err := sns.HasSecrets(t.Context(), w.db); !has || err != nil {
		t.Errorf("HasSecrets = %v, %v", has, err)
	}
}

func TestMissingOrWrongKeyDoesNotAskToSignInAgain(t *testing.T) {
	w := newWorld(t)
	c := w.login("ann")
	other, err := secret.CreateKey(filepath.Join(w.dir, "other"))
	if err != nil {
		t.Fatal(err)
	}
	for name, key := range map[string]*secret.Key{"no key": nil, "another key": other} {
		t.Run(name, func(t *testing.T) {
			w.config.Key = key
			s, err := sns.New(t.Context(), w.config)
			if err != nil {
				t.Fatal(err)
			}
			defer s.Close()
			_, err = s.FetchPosts(t.Context(), c.ID, home, "")
			wantFault(t, err, fault.Unauthorized, map[string]any{"reconnect": false, "connectionId": c.ID})
			if got := w.connection(c.ID).State; got != sns.Ready {
				t.Errorf("state = %s", got)
			}
			if w.net.asked() != 0 {
				t.Error("the server was asked")
			}
		})
	}
}

func TestCredentialMovedToAnotherConnectionDoesNotOpen(t *testing.T) {
	w := newWorld(t)
	ann, bob := w.login("ann"), w.login("bob")
	err := w.db.Write(t.Context(), func(tx *sqlite.Tx) error {
		_, err := tx.Exec(`UPDATE connection_secrets SET sealed = (SELECT sealed FROM connection_secrets WHERE connection_id = ?)
			WHERE connection_id = ?`, ann.ID, bob.ID)
		return err
	})
	if err != nil {
		t.Fatal(err)
	}
	_, err = w.sns.FetchPosts(t.Context(), bob.ID, home, "")
	wantFault(t, err, fault.Unauthorized, map[string]any{"connectionId": bob.ID})
	if w.net.asked() != 0 {
		t.Error("another connection's token was sent")
	}
}

func TestTokenIsNowhereInTheFiles(t *testing.T) {
	w := newWorld(t)
	w.net.feed.add(1)
	c := w.login("very-secret-token")
	w.fetch(c, home, "")
	files, err := filepath.Glob(filepath.Join(w.dir, "workspace.sqlite*"))
	if err != nil || len(files) == 0 {
		t.Fatalf("files: %v, %v", files, err)
	}
	for _, f := range files {
		b, err := os.ReadFile(f)
		if err != nil {
			t.Fatal(err)
		}
		if strings.Contains(string(b), "token-very-secret-token") {
			t.Errorf("%s holds the token", filepath.Base(f))
		}
	}
}
