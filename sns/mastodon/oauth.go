package mastodon

import (
	"context"
	"net/http"
	"net/url"
	"path"
	"slices"
	"strings"

	"personal-workspace/internal/egress"
	"personal-workspace/internal/fault"
	"personal-workspace/internal/richtext"
	"personal-workspace/sns"
)

// clientName is what a server calls the workspace on its pages.
const clientName = "Personal Workspace"

// readScopes are what reading everything needs, and never more.
var readScopes = []string{
	"profile", "read:statuses", "read:lists", "read:accounts", "read:notifications",
	"read:search", "read:bookmarks", "read:favourites", "read:filters", "read:follows",
}

const (
	maxClientID = 512
	maxSecret   = 2048
)

var _ sns.Authorizer = (*Provider)(nil)

// aboutLogin is the subject of what a login asks before there is a token.
var aboutLogin = subject{name: "the way to sign in", capability: "oauth", limit: maxOAuth}

// Register implements sns.Authorizer. Servers before 4.3 do not know the scope
// "profile" and refuse a registration with it.
func (p *Provider) Register(ctx context.Context, a sns.Account, redirectURI string) (sns.App, error) {
	a.Token = ""
	if _, err := p.verifyServer(ctx, a); err != nil && !closedToStrangers(err) {
		return sns.App{}, err
	}
	app, supported, err := p.discover(ctx, a)
	if err != nil {
		return sns.App{}, err
	}
	app.RedirectURI = redirectURI
	for _, scopes := range scopeTries(supported) {
		app.Scopes = scopes
		var res reply
		res, err = p.submit(ctx, a, aboutLogin, a.Origin+registerPath, url.Values{
			"client_name": {clientName}, "redirect_uris": {redirectURI}, "scopes": {strings.Join(scopes, " ")},
		})
		if err != nil {
			return sns.App{}, err
		}
		if res.ok() {
			return withClient(app, res.body)
		}
		err = noRegistration(a, res.status)
		if res.status != http.StatusBadRequest && res.status != http.StatusUnprocessableEntity {
			break
		}
	}
	return sns.App{}, err
}

// closedToStrangers reports whether a server describes itself only to people who
// signed in: then there is one.
func closedToStrangers(err error) bool {
	f := fault.From(err)
	return f.Code == fault.Forbidden && f.Details[fault.DetailReason] == reasonLogin
}

// scopeTries are the scopes to register with, one set after the other. supported
// is what the server says it knows, nil when it does not say.
func scopeTries(supported []string) [][]string {
	first := slices.Clone(readScopes)
	if slices.Contains(supported, "read:statuses") {
		first = slices.DeleteFunc(first, func(s string) bool { return !slices.Contains(supported, s) })
	}
	if first[0] != "profile" {
		return [][]string{first}
	}
	return [][]string{first, first[1:]}
}

func noRegistration(a sns.Account, status int) error {
	return fault.New(fault.Unsupported, "%s does not let programs sign people in; make a token in its settings and add the account with that.", hostOf(a)).
		With(fault.DetailCapability, "oauth").Wrap(&statusError{status: status})
}

func withClient(app sns.App, body []byte) (sns.App, error) {
	got := decodeItem[struct {
		ID     string `json:"client_id"`
		Secret string `json:"client_secret"`
	}](body)
	if got == nil || !printable(got.ID, maxClientID) || !printable(got.Secret, maxSecret) {
		return sns.App{}, changed("apps")
	}
	app.ClientID, app.ClientSecret = got.ID, got.Secret
	return app, nil
}

// printable reports whether s has 1 to limit signs of ASCII without spaces.
func printable(s string, limit int) bool {
	return s != "" && len(s) <= limit && !strings.ContainsFunc(s, func(r rune) bool { return r <= ' ' || r >= 0x7f })
}

// The addresses that every server has below its origin.
const (
	registerPath  = "/api/v1/apps"
	metadataPath  = "/.well-known/oauth-authorization-server"
	authorizePath = "/oauth/authorize"
	tokenPath     = "/oauth/token"
	revokePath    = "/oauth/revoke"
)

// discover reads where a server has its OAuth pages, and which scopes it knows.
// Many have no such description, and of one that cannot be used the ordinary
// addresses stand in: what is wrong with them shows at once.
func (p *Provider) discover(ctx context.Context, a sns.Account) (app sns.App, scopes []string, err error) {
	app = sns.App{AuthorizeURL: a.Origin + authorizePath, TokenURL: a.Origin + tokenPath, RevokeURL: a.Origin + revokePath}
	res, err := p.get(ctx, a, aboutLogin, metadataPath, nil)
	switch fault.CodeOf(err) {
	case "":
	case fault.Timeout, fault.Canceled, fault.RateLimited, fault.BudgetExhausted, fault.BlockedOrigin:
		return app, nil, err
	default:
		return app, nil, nil
	}
	app, scopes = described(a, app, res.body)
	return app, scopes, nil
}

// described takes what is usable of a server's description of its OAuth pages.
func described(a sns.Account, app sns.App, body []byte) (sns.App, []string) {
	said := decodeItem[struct {
		Authorize string   `json:"authorization_endpoint"`
		Token     string   `json:"token_endpoint"`
		Revoke    string   `json:"revocation_endpoint"`
		Scopes    []string `json:"scopes_supported"`
	}](body)
	if said == nil {
		return app, nil
	}
	app.AuthorizeURL = ownAddress(a, said.Authorize, app.AuthorizeURL)
	app.TokenURL = ownAddress(a, said.Token, app.TokenURL)
	app.RevokeURL = ownAddress(a, said.Revoke, app.RevokeURL)
	return app, said.Scopes
}

// ownAddress returns raw when it is a page of the account's own server, else
// usual: a code, a secret or the person themselves must not be led to another
// one. What is below /api is not for signing in.
func ownAddress(a sns.Account, raw, usual string) string {
	u, err := url.Parse(raw)
	if err != nil || len(raw) > maxAddress || u.User != nil || u.RawQuery != "" || strings.ContainsAny(raw, "#?\\") {
		return usual
	}
	origin, err := egress.CanonicalOrigin(u.Scheme + "://" + u.Host)
	if err != nil || origin != a.Origin || u.Path == "/" || path.Clean(u.Path) != u.Path || strings.HasPrefix(strings.ToLower(u.Path)+"/", "/api/") {
		return usual
	}
	return origin + u.EscapedPath()
}

const maxAddress = 512

// AuthorizeURL implements sns.Authorizer.
func (p *Provider) AuthorizeURL(app sns.App, r sns.AuthorizeRequest) string {
	q := url.Values{
		"response_type": {"code"}, "client_id": {app.ClientID}, "redirect_uri": {app.RedirectURI},
		"scope": {strings.Join(app.Scopes, " ")}, "state": {r.State},
		"code_challenge": {r.Challenge}, "code_challenge_method": {"S256"},
	}
	if r.Choose {
		q.Set("force_login", "true")
	}
	return app.AuthorizeURL + "?" + q.Encode()
}

// Exchange implements sns.Authorizer.
func (p *Provider) Exchange(ctx context.Context, a sns.Account, app sns.App, code, verifier string) (sns.Grant, error) {
	a.Token = ""
	res, err := p.submit(ctx, a, aboutLogin, app.TokenURL, url.Values{
		"grant_type": {"authorization_code"}, "code": {code}, "code_verifier": {verifier},
		"client_id": {app.ClientID}, "client_secret": {app.ClientSecret}, "redirect_uri": {app.RedirectURI},
	})
	if err != nil {
		return sns.Grant{}, err
	}
	if !res.ok() {
		return sns.Grant{}, refusedCode(a, res)
	}
	return grantOf(app, res.body)
}

// grantOf reads the token that a server gave for a code.
func grantOf(app sns.App, body []byte) (sns.Grant, error) {
	got := decodeItem[struct {
		Token string `json:"access_token"`
		Type  string `json:"token_type"`
		Scope string `json:"scope"`
	}](body)
	if got == nil || !printable(got.Token, maxSecret) || got.Type != "" && !strings.EqualFold(got.Type, "bearer") {
		return sns.Grant{}, changed("token")
	}
	return sns.Grant{Token: got.Token, Scopes: grantedScopes(got.Scope, app.Scopes)}, nil
}

// grantedScopes are those the server says it gave. One that says nothing gave
// what was asked for.
func grantedScopes(said string, asked []string) []string {
	out := []string{}
	for s := range strings.FieldsSeq(richtext.CutLine(said, maxScopes*maxScope)) {
		if printable(s, maxScope) && len(out) < maxScopes {
			out = append(out, s)
		}
	}
	if len(out) == 0 {
		return asked
	}
	return out
}

// refusedCode explains why a code was not traded. The server's word for it is
// compared and never shown.
func refusedCode(a sns.Account, res reply) error {
	said := decodeItem[struct {
		Error string `json:"error"`
	}](res.body)
	word := ""
	if said != nil {
		word = said.Error
	}
	cause := &statusError{status: res.status}
	switch {
	case word == "invalid_grant", res.status == http.StatusBadRequest && !slices.Contains(oauthWords, word):
		return fault.Invalid("code", "%s does not accept the code: it is mistyped, used up or too old; begin again.", hostOf(a)).Wrap(cause)
	case word == "invalid_client", word == "unauthorized_client", res.status == http.StatusUnauthorized:
		return fault.New(fault.Unauthorized, "%s does not know the workspace any more; begin again.", hostOf(a)).Wrap(cause)
	}
	return fault.New(fault.Forbidden, "%s gave no token; begin again, or add the account with a token.", hostOf(a)).
		With(fault.DetailReason, "refused").Wrap(cause)
}

// oauthWords are those of a token request, in the standard, that are not about
// the code. A server that does not know a code may say anything: GoToSocial sends
// what its database said.
var oauthWords = []string{"", "invalid_request", "invalid_client", "unauthorized_client", "unsupported_grant_type", "invalid_scope", "access_denied", "server_error"}

// Revoke implements sns.Authorizer.
func (p *Provider) Revoke(ctx context.Context, a sns.Account, app sns.App, token string) error {
	a.Token = ""
	res, err := p.submit(ctx, a, aboutLogin, app.RevokeURL, url.Values{
		"client_id": {app.ClientID}, "client_secret": {app.ClientSecret}, "token": {token},
	})
	if err == nil && !res.ok() {
		err = fault.New(fault.Forbidden, "%s did not revoke the token; revoke it in the account's settings there.", hostOf(a)).
			With(fault.DetailReason, "refused").Wrap(&statusError{status: res.status})
	}
	return err
}
