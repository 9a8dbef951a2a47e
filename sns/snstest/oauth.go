package snstest

import (
	"crypto/sha256"
	"crypto/subtle"
	"encoding/base64"
	"encoding/json"
	"fmt"
	"html"
	"net/http"
	"net/url"
	"slices"
	"strings"
	"time"
)

// oauthState is what a login leaves behind. Mastodon.mu guards it.
type oauthState struct {
	apps  map[string]*application
	codes map[string]*grant
}

type application struct {
	id, secret, name string
	redirects        []string
	scopes           []string
}

type grant struct {
	app            *application
	acct, redirect string
	challenge      string
	scopes         []string
	expires        time.Time
}

// outOfBand is the redirect of programs without a page to return to.
const outOfBand = "urn:ietf:wg:oauth:2.0:oob"

// registerApp answers POST /api/v1/apps, form or JSON.
func (m *Mastodon) registerApp(w http.ResponseWriter, r *http.Request) {
	form, err := formOf(r)
	if err != nil || form.Get("client_name") == "" || form.Get("redirect_uris") == "" {
		writeJSON(w, answer{status: http.StatusUnprocessableEntity, body: errorBody("Validation failed: Redirect URI must be an absolute URI.")})
		return
	}
	scopes := strings.Fields(form.Get("scopes"))
	if len(scopes) == 0 {
		scopes = []string{"read"}
	}
	m.mu.Lock()
	defer m.mu.Unlock()
	if m.quirks.NoProfileScope && slices.Contains(scopes, "profile") {
		writeJSON(w, answer{status: http.StatusUnprocessableEntity, body: errorBody("Validation failed: Scopes doesn't match configured on the server.")})
		return
	}
	app := &application{
		id: "client-" + m.store.nextNumber(), secret: "secret-" + m.store.nextNumber(),
		name: form.Get("client_name"), redirects: strings.Fields(form.Get("redirect_uris")), scopes: scopes,
	}
	if m.oauth.apps == nil {
		m.oauth = oauthState{apps: map[string]*application{}, codes: map[string]*grant{}}
	}
	m.oauth.apps[app.id] = app
	writeJSON(w, answer{body: map[string]any{
		"id": app.id, "name": app.name, "website": orNull(form.Get("website")), "scopes": scopes,
		"redirect_uris": app.redirects, "redirect_uri": strings.Join(app.redirects, "\n"),
		"client_id": app.id, "client_secret": app.secret, "client_secret_expires_at": 0, "vapid_key": "",
	}})
}

// metadata answers the OAuth discovery of Mastodon 4.3 and later.
func (m *Mastodon) metadata(w http.ResponseWriter, r *http.Request) {
	if m.currentQuirks().NoMetadata {
		writeJSON(w, m.currentQuirks().notFound(""))
		return
	}
	base := "http://" + r.Host
	writeJSON(w, answer{body: map[string]any{
		"issuer": base + "/", "authorization_endpoint": base + "/oauth/authorize", "token_endpoint": base + "/oauth/token",
		"app_registration_endpoint": base + "/api/v1/apps", "revocation_endpoint": base + "/oauth/revoke",
		"scopes_supported": readScopes, "response_types_supported": []string{"code"}, "grant_types_supported": []string{"authorization_code", "client_credentials"},
		"code_challenge_methods_supported": []string{"S256"}, "token_endpoint_auth_methods_supported": []string{"client_secret_basic", "client_secret_post"},
	}})
}

// authorizePage is the page on which a person allows the application.
func (m *Mastodon) authorizePage(w http.ResponseWriter, r *http.Request) {
	m.mu.RLock()
	defer m.mu.RUnlock()
	app, problem := m.oauth.check(r.URL.Query())
	if problem != "" {
		writeHTML(w, http.StatusBadRequest, "The request cannot be served", html.EscapeString(problem))
		return
	}
	var b strings.Builder
	fmt.Fprintf(&b, `<p>%s wants to read as you on %s.</p><form method="post">`, html.EscapeString(app.name), html.EscapeString(m.opts.Title))
	for name, values := range r.URL.Query() {
		fmt.Fprintf(&b, `<input type="hidden" name="%s" value="%s">`, html.EscapeString(name), html.EscapeString(values[0]))
	}
	b.WriteString(`<label>Account <select name="account">`)
	for _, acct := range m.store.sortedAccounts() {
		if m.store.accounts[acct].local() {
			selected := ""
			if acct == m.store.main {
				selected = " selected"
			}
			fmt.Fprintf(&b, `<option value="%s"%s>@%s</option>`, html.EscapeString(acct), selected, html.EscapeString(acct))
		}
	}
	b.WriteString(`</select></label> <button name="decision" value="allow">Authorize</button> <button name="decision" value="deny">Deny</button></form>`)
	writeHTML(w, http.StatusOK, "Authorize", b.String())
}

// check finds the application of an authorization request.
func (o *oauthState) check(q url.Values) (app *application, problem string) {
	app = o.apps[q.Get("client_id")]
	switch {
	case app == nil:
		return nil, "Client authentication failed due to unknown client."
	case q.Get("response_type") != "code":
		return nil, "The authorization server does not support this response type."
	case !slices.Contains(app.redirects, q.Get("redirect_uri")):
		return nil, "The redirect uri included is not valid."
	}
	for s := range strings.FieldsSeq(q.Get("scope")) {
		if !slices.Contains(app.scopes, s) {
			return nil, "The requested scope is invalid, unknown, or malformed."
		}
	}
	return app, ""
}

// authorize takes the decision of the page and returns to the application.
func (m *Mastodon) authorize(w http.ResponseWriter, r *http.Request) {
	if err := r.ParseForm(); err != nil {
		writeHTML(w, http.StatusBadRequest, "The request cannot be served", "")
		return
	}
	m.mu.Lock()
	defer m.mu.Unlock()
	app, problem := m.oauth.check(r.Form)
	if problem != "" {
		writeHTML(w, http.StatusBadRequest, "The request cannot be served", html.EscapeString(problem))
		return
	}
	back := url.Values{"state": {r.Form.Get("state")}}
	if r.Form.Get("decision") == "deny" {
		back.Set("error", "access_denied")
		back.Set("error_description", "The resource owner or authorization server denied the request.")
	} else {
		back.Set("code", m.grant(app, r.Form))
	}
	redirect := r.Form.Get("redirect_uri")
	if redirect == outOfBand {
		writeHTML(w, http.StatusOK, "Copy this code", "<code>"+html.EscapeString(back.Get("code"))+"</code>")
		return
	}
	sep := "?"
	if strings.Contains(redirect, "?") {
		sep = "&"
	}
	http.Redirect(w, r, redirect+sep+back.Encode(), http.StatusFound)
}

func (m *Mastodon) grant(app *application, form url.Values) (code string) {
	acct := form.Get("account")
	if acct == "" {
		acct = m.store.main
	}
	scopes := strings.Fields(form.Get("scope"))
	if len(scopes) == 0 {
		scopes = app.scopes
	}
	code = "code-" + m.store.nextNumber()
	m.oauth.codes[code] = &grant{
		app: app, acct: acct, redirect: form.Get("redirect_uri"), challenge: form.Get("code_challenge"),
		scopes: scopes, expires: m.now().Add(10 * time.Minute),
	}
	return code
}

// exchange answers POST /oauth/token.
func (m *Mastodon) exchange(w http.ResponseWriter, r *http.Request) {
	form, err := formOf(r)
	if err != nil {
		writeJSON(w, oauthError("invalid_request", "The request is missing a required parameter."))
		return
	}
	m.mu.Lock()
	defer m.mu.Unlock()
	app := m.oauth.client(r, form)
	if app == nil {
		a := oauthError("invalid_client", "Client authentication failed due to unknown client.")
		a.status = http.StatusUnauthorized
		writeJSON(w, a)
		return
	}
	g := m.oauth.codes[form.Get("code")]
	if g == nil && m.quirks.CodeUnknown {
		writeJSON(w, oauthError("sql: no rows in result set", "Bad Request: could not get access token: sql: no rows in result set"))
		return
	}
	if !m.valid(g, app, form) {
		writeJSON(w, oauthError("invalid_grant", "The provided authorization grant is invalid, expired, revoked, does not match the redirection URI, or was issued to another client."))
		return
	}
	delete(m.oauth.codes, form.Get("code"))
	value := m.store.issue(g.acct, g.scopes)
	writeJSON(w, answer{body: map[string]any{
		"access_token": value, "token_type": "Bearer", "scope": strings.Join(g.scopes, " "), "created_at": m.now().Unix(),
	}})
}

func (o *oauthState) client(r *http.Request, form url.Values) *application {
	id, secret, ok := r.BasicAuth()
	if !ok {
		id, secret = form.Get("client_id"), form.Get("client_secret")
	}
	app := o.apps[id]
	if app == nil || subtle.ConstantTimeCompare([]byte(app.secret), []byte(secret)) != 1 {
		return nil
	}
	return app
}

// valid checks a code and, unless the server ignores it, the PKCE verifier.
func (m *Mastodon) valid(g *grant, app *application, form url.Values) bool {
	if g == nil || g.app != app || form.Get("grant_type") != "authorization_code" || form.Get("redirect_uri") != g.redirect || m.now().After(g.expires) {
		return false
	}
	if g.challenge == "" || m.quirks.IgnorePKCE {
		return true
	}
	sum := sha256.Sum256([]byte(form.Get("code_verifier")))
	return base64.RawURLEncoding.EncodeToString(sum[:]) == g.challenge
}

func oauthError(code, text string) answer {
	return answer{status: http.StatusBadRequest, body: map[string]string{"error": code, "error_description": text}}
}

// revoke answers POST /oauth/revoke.
func (m *Mastodon) revoke(w http.ResponseWriter, r *http.Request) {
	form, err := formOf(r)
	if err != nil {
		writeJSON(w, oauthError("invalid_request", "The request is missing a required parameter."))
		return
	}
	m.mu.Lock()
	defer m.mu.Unlock()
	if m.oauth.client(r, form) == nil {
		writeJSON(w, answer{status: http.StatusForbidden, body: map[string]string{"error": "unauthorized_client", "error_description": "You are not authorized to revoke this token"}})
		return
	}
	if t := m.store.tokens[form.Get("token")]; t != nil {
		t.revoked = true
	}
	writeJSON(w, answer{body: map[string]any{}})
}

// formOf reads a form, or a JSON object whose members are strings or lists.
func formOf(r *http.Request) (url.Values, error) {
	if !strings.HasPrefix(r.Header.Get("Content-Type"), "application/json") {
		err := r.ParseForm()
		return r.PostForm, err
	}
	var members map[string]any
	if err := json.NewDecoder(r.Body).Decode(&members); err != nil {
		return nil, fmt.Errorf("decode the form: %w", err)
	}
	form := url.Values{}
	for name, v := range members {
		switch v := v.(type) {
		case string:
			form.Set(name, v)
		case []any:
			form.Set(name, strings.Trim(fmt.Sprint(v), "[]"))
		}
	}
	return form, nil
}
