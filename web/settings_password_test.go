package web_test

import (
	"bytes"
	"log/slog"
	"net/http"
	"net/url"
	"strings"
	"testing"

	"personal-workspace/web"
)

const newPassword = "a fresh horse battery"

// change sends the form that changes the password.
func (w *workspace) change(current, password, again string) answer {
	w.t.Helper()
	return w.post("/settings/password-change", url.Values{"current": {current}, "password": {password}, "again": {again}})
}

func TestPasswordChangeSignsAllOthersOut(t *testing.T) {
	w := newWorkspace(t, withPassword)
	w.setUp()
	phone := w.signInAs(iphone)

	a := w.change(password, newPassword, newPassword)

	if a.StatusCode != http.StatusSeeOther || a.Header.Get("Location") != "/settings?saved=password-change#password-change" {
		t.Fatalf("the change answers %d %s, want 303 to its part of the settings", a.StatusCode, a.Header.Get("Location"))
	}
	if got := text(one(t, section(t, w.get("/settings?saved=password-change"), "password-change"), with("role", "status"))); got != "The password is changed, and all other browsers are signed out." {
		t.Errorf("the page says %q", got)
	}
	if !w.isSignedIn() {
		t.Error("the browser that changed it is signed out")
	}
	w.cookies = phone
	if w.isSignedIn() {
		t.Error("the phone is still signed in")
	}
	w.cookies = nil
	if w.signIn(password, ""); w.isSignedIn() {
		t.Error("the old password still signs in")
	}
	if w.signIn(newPassword, ""); !w.isSignedIn() {
		t.Error("the new password does not sign in")
	}
}

func TestPasswordChangeIsRefused(t *testing.T) {
	cases := map[string]struct{ current, password, again, field, says string }{
		"a wrong current one": {"something else", newPassword, newPassword, "current", "That is not the current password; type it again."},
		"no current one":      {"", newPassword, newPassword, "current", "That is not the current password; type it again."},
		"a short one":         {password, "short", "short", "password", "The password needs at least 10 characters; a few words make a good one."},
		"two that differ":     {password, newPassword, newPassword + "x", "again", "The two passwords differ; type the same one in both fields."},
	}
	for name, c := range cases {
		t.Run(name, func(t *testing.T) {
			w := newWorkspace(t, withPassword)
			w.setUp()

			a := w.change(c.current, c.password, c.again)

			part := section(t, a, "password-change")
			field := one(t, part, with("id", c.field))
			if a.StatusCode != http.StatusUnprocessableEntity || attr(field, "aria-invalid") != "true" || attr(field, "aria-describedby") != "password-problem" {
				t.Errorf("the answer is %d, want 422 with the field %s marked", a.StatusCode, c.field)
			}
			if got := text(one(t, part, with("id", "password-problem"))); got != c.says {
				t.Errorf("the problem is %q, want %q", got, c.says)
			}
			if strings.Contains(a.body, newPassword) || strings.Contains(a.body, password) {
				t.Error("a password is sent back")
			}
			w.cookies = nil
			if w.signIn(password, ""); !w.isSignedIn() {
				t.Error("the password is another one now")
			}
		})
	}
}

func TestPasswordChangeIsSlowedDownLikeTheSignIn(t *testing.T) {
	w := newWorkspace(t, withPassword)
	w.setUp()
	for range 5 {
		w.change("something else", newPassword, newPassword)
	}

	a := w.change(password, newPassword, newPassword)

	if a.StatusCode != http.StatusTooManyRequests || a.Header.Get("Retry-After") != "5" {
		t.Errorf("the sixth try answers %d, Retry-After %q; want 429 and 5", a.StatusCode, a.Header.Get("Retry-After"))
	}
	if got := text(one(t, section(t, a, "password-change"), with("id", "password-problem"))); got != "Too many sign-ins failed. Wait 5 seconds, then try again." {
		t.Errorf("the problem is %q", got)
	}
	w.cookies = nil
	if a := w.signIn(password, ""); a.StatusCode != http.StatusTooManyRequests {
		t.Errorf("the sign-in of the same peer answers %d, want 429", a.StatusCode)
	}
}

func TestPasswordChangeIsNotLogged(t *testing.T) {
	var log bytes.Buffer
	w := newWorkspace(t, func(c *web.Config) {
		withPassword(c)
		c.Log = slog.New(slog.NewTextHandler(&log, &slog.HandlerOptions{Level: slog.LevelDebug}))
	})
	w.setUp()

	w.change("something else", newPassword, newPassword)
	w.change(password, newPassword, newPassword)

	if !strings.Contains(log.String(), "a change of the password failed") {
		t.Errorf("the failed try is not logged:\n%s", &log)
	}
	for _, secret := range []string{"something else", password, newPassword} {
		if strings.Contains(log.String(), secret) {
			t.Errorf("the log has %q:\n%s", secret, &log)
		}
	}
}

func TestPasswordIsNotOfferedWithoutASignIn(t *testing.T) {
	w := newWorkspace(t, nil)

	if strings.Contains(w.get("/settings").body, "password-change") {
		t.Error("the settings offer to change a password that there is not")
	}
	if a := w.change("", newPassword, newPassword); a.StatusCode != http.StatusSeeOther || a.Header.Get("Location") != "/settings" {
		t.Errorf("the form answers %d %s, want 303 /settings", a.StatusCode, a.Header.Get("Location"))
	}
}
