package web_test

import (
	"context"
	"net/http"
	"net/url"
	"slices"
	"strings"

	"personal-workspace/internal/fault"
	"personal-workspace/sns"
)

// The network gives tokens by OAuth: "code-eve" is a code for the token of eve,
// whose name its server tells.

func (n *network) Register(_ context.Context, a sns.Account, redirectURI string) (sns.App, error) {
	if a.Origin == "https://shop.example" {
		return sns.App{}, fault.New(fault.UpstreamChanged, "shop.example is no server of this kind; check the address.")
	}
	return sns.App{
		ClientID: "client", ClientSecret: "client-secret", RedirectURI: redirectURI, Scopes: []string{"read:statuses"},
		AuthorizeURL: a.Origin + "/oauth/authorize", TokenURL: a.Origin + "/oauth/token", RevokeURL: a.Origin + "/oauth/revoke",
	}, nil
}

func (n *network) AuthorizeURL(app sns.App, r sns.AuthorizeRequest) string {
	return app.AuthorizeURL + "?" + url.Values{"redirect_uri": {app.RedirectURI}, "state": {r.State}}.Encode()
}

func (n *network) Exchange(_ context.Context, a sns.Account, _ sns.App, code, _ string) (sns.Grant, error) {
	name, ok := strings.CutPrefix(code, "code-")
	if !ok {
		return sns.Grant{}, fault.Invalid("code", "%s does not accept the code; copy it again.", strings.TrimPrefix(a.Origin, "https://"))
	}
	return sns.Grant{Token: "token-" + name, Scopes: []string{"read"}}, nil
}

func (n *network) Revoke(context.Context, sns.Account, sns.App, string) error { return n.fail }

// people makes the network tell whose a token is: "token-eve" is eve's.
func (w *workspace) people() {
	w.net.verify = func(a sns.Account) (sns.Identity, error) {
		host := strings.TrimPrefix(a.Origin, "https://")
		name, ok := strings.CutPrefix(a.Token, "token-")
		switch {
		case a.Token == "":
			return sns.Identity{Account: host, Title: host}, nil
		case !ok:
			return sns.Identity{}, fault.New(fault.Unauthorized, "%s does not accept the token.", host)
		}
		return sns.Identity{Account: "@" + name + "@" + host, AccountID: "id-" + name, Title: name, Scopes: []string{"read"}}, nil
	}
}

// signedIn adds an account by OAuth and returns its connection.
func (w *workspace) signedIn(host, name string) sns.Connection {
	w.t.Helper()
	login, err := w.posts.BeginLogin(w.t.Context(), sns.BeginLogin{Origin: "https://" + host, Browser: "b"})
	if err != nil {
		w.t.Fatalf("BeginLogin: %v", err)
	}
	c, err := w.posts.FinishLogin(w.t.Context(), sns.FinishLogin{State: login.State, Browser: "b", Code: "code-" + name})
	if err != nil {
		w.t.Fatalf("FinishLogin: %v", err)
	}
	return c
}

// take keeps every cookie of an answer, like a browser.
func (w *workspace) take(a answer) answer {
	for _, c := range a.Cookies() {
		w.cookies = slices.DeleteFunc(w.cookies, func(old *http.Cookie) bool { return old.Name == c.Name })
		if c.MaxAge >= 0 {
			w.cookies = append(w.cookies, &http.Cookie{Name: c.Name, Value: c.Value})
		}
	}
	return a
}

// beginLogin sends the form that signs in with a server, and returns the address
// on that server which the page between leads to.
func (w *workspace) beginLogin(path string, form url.Values, headers ...string) *url.URL {
	w.t.Helper()
	form.Set("way", "login")
	a := w.take(w.post(path, form, headers...))
	to := a.Header.Get("Location")
	if a.StatusCode != http.StatusSeeOther || !strings.HasSuffix(to, "/connections/login") {
		w.t.Fatalf("the form answers %d %q: %s", a.StatusCode, to, text(document(w.t, a.body)))
	}
	page := document(w.t, w.get(to, headers...).body)
	for _, n := range all(page, tag("a")) {
		if u, err := url.Parse(attr(n, "href")); err == nil && strings.HasSuffix(u.Path, "/oauth/authorize") {
			return u
		}
	}
	w.t.Fatalf("the page leads to no server: %s", text(page))
	return nil
}

// callback is the path by which the server sends the browser back.
func callback(pairs ...string) string {
	q := url.Values{}
	for i := 0; i < len(pairs); i += 2 {
		q.Set(pairs[i], pairs[i+1])
	}
	return "/connections/callback?" + q.Encode()
}

// only returns the one connection there is.
func (w *workspace) only() sns.ConnectionStatus {
	w.t.Helper()
	list, err := w.posts.ConnectionStatuses(w.t.Context())
	if err != nil || len(list) != 1 {
		w.t.Fatalf("connections = %+v (%v), want one", list, err)
	}
	return list[0]
}
