package sns_test

import (
	"context"
	"strings"
	"testing"
	"testing/synctest"
	"time"

	"personal-workspace/internal/fault"
	"personal-workspace/sns"
)

// loginNetwork is a network that people sign in to; its answer to a code takes a
// second.
type loginNetwork struct {
	*network
	codes []string
}

func (n *loginNetwork) Register(_ context.Context, a sns.Account, redirectURI string) (sns.App, error) {
	return sns.App{ClientID: "id", ClientSecret: "secret", RedirectURI: redirectURI, AuthorizeURL: a.Origin + "/a", TokenURL: a.Origin + "/t", RevokeURL: a.Origin + "/r"}, nil
}

func (n *loginNetwork) AuthorizeURL(app sns.App, _ sns.AuthorizeRequest) string {
	return app.AuthorizeURL
}

func (n *loginNetwork) Exchange(_ context.Context, _ sns.Account, _ sns.App, code, _ string) (sns.Grant, error) {
	n.codes = append(n.codes, code)
	sleep(time.Second)
	if user, ok := strings.CutPrefix(code, "code-"); ok {
		return sns.Grant{Token: "token-" + user}, nil
	}
	return sns.Grant{}, fault.Invalid("code", "The code is wrong.")
}

func (n *loginNetwork) Revoke(context.Context, sns.Account, sns.App, string) error { return nil }

func TestPastedCodeThatIsSentTwiceAtOnce(t *testing.T) {
	for name, tc := range map[string]struct {
		codes [2]string
		// want are the fields of the faults, "" for none.
		want [2]string
	}{
		"a double click":                   {[2]string{"code-ann", " code-ann"}, [2]string{"", ""}},
		"a double click with a wrong code": {[2]string{"wrong", "wrong"}, [2]string{"code", "code"}},
		"another code after it":            {[2]string{"code-ann", "code-ben"}, [2]string{"", "state"}},
	} {
		t.Run(name, func(t *testing.T) {
			synctest.Test(t, func(t *testing.T) {
				w := newWorld(t, func(c *sns.Config) { c.Now = time.Now })
				net := &loginNetwork{network: w.net}
				w.config.Providers[sns.Mastodon] = net
				l, err := w.sns.BeginLogin(t.Context(), sns.BeginLogin{Origin: "https://social.example", Browser: "b"})
				if err != nil {
					t.Fatalf("BeginLogin: %v", err)
				}
				finish := func(code string) (sns.Connection, error) {
					return w.sns.FinishLogin(t.Context(), sns.FinishLogin{State: l.State, Code: code, Browser: "b", Pasted: true})
				}
				var conns [2]sns.Connection
				var errs [2]error
				// The browser leaves the first for the second.
				gone, leave := context.WithCancel(t.Context())
				go func() {
					conns[0], errs[0] = w.sns.FinishLogin(gone, sns.FinishLogin{State: l.State, Code: tc.codes[0], Browser: "b", Pasted: true})
				}()
				synctest.Wait()
				leave()
				go func() { conns[1], errs[1] = finish(tc.codes[1]) }()
				sleep(2 * time.Second)
				synctest.Wait()

				for i, err := range errs {
					field := ""
					if err != nil {
						field, _ = fault.From(err).Details[fault.DetailField].(string)
					}
					if field != tc.want[i] || err == nil && (conns[i].ID == "" || conns[i].ID != conns[0].ID) {
						t.Errorf("request %d: %q of %q, %v", i, conns[i].ID, field, err)
					}
				}
				if len(net.codes) != 1 {
					t.Errorf("the server was sent %v", net.codes)
				}
				if tc.want[0] == "" {
					_, err := finish(tc.codes[0])
					wantFault(t, err, fault.InvalidArguments, map[string]any{"field": "state"})
				}
			})
		})
	}
}
