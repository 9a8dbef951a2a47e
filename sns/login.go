package sns

import (
	"context"
	"crypto/rand"
	"crypto/sha256"
	"encoding/base64"
	"net/url"
	"strings"
	"time"

	"personal-workspace/internal/egress"
	"personal-workspace/internal/fault"
)

// OutOfBand is the RedirectURI of a login that ends with a code to paste.
const OutOfBand = "urn:ietf:wg:oauth:2.0:oob"

const (
	// loginFor is how long a login may take.
	loginFor = 10 * time.Minute
	// maxLogins bounds the logins under way; the oldest gives way.
	maxLogins = 50
	// appFor is how long a registration serves new logins: servers forget
	// programs that nobody signed in through.
	appFor      = time.Hour
	maxRedirect = 2048
	maxCode     = 2048
	maxBrowser  = 512
)

// BeginLogin is the input of Service.BeginLogin.
type BeginLogin struct {
	// Origin is the server's address; "" is that of the connection.
	Origin string
	// RedirectURI is where the server sends the browser back to; "" lets it show
	// a code to paste.
	RedirectURI string
	// Label is at most MaxLabel code points; "" takes the account's name.
	Label string
	// ConnectionID is the connection to sign in to again, "" adds one.
	ConnectionID string
	// Browser is the secret of the browser that may finish the login. Only its
	// hash is stored.
	Browser string
}

// Login is a login that the person is to go on with at their server.
type Login struct {
	// State is the single-use name of the login, which the server sends back.
	State string
	// AuthorizeURL is the server's page that asks the person; it is of Origin.
	AuthorizeURL string
	Origin       string
	// OutOfBand: the server shows a code to paste.
	OutOfBand bool
	// ConnectionID is the connection that is signed in to again, or "".
	ConnectionID string
	ExpiresAt    time.Time
}

// FinishLogin is the input of Service.FinishLogin.
type FinishLogin struct {
	// State and Code are what the server sent back, or the person pasted.
	State, Code string
	// Browser is the secret that BeginLogin was given.
	Browser string
	// Denied is the callback's error parameter, "" when there is none.
	Denied string
	// Pasted: the code comes by a form, which a double click sends twice.
	Pasted bool
}

// BeginLogin begins a login by OAuth with PKCE and read scopes only. It asks the
// server who it is, and registers the workspace there unless that was done
// within the hour. The login is over after ten minutes; it survives a restart.
//
// A server that is none, or none of Mastodon's kind, is a fault, so is an
// address that may not be chosen: blocked_origin.
func (s *Service) BeginLogin(ctx context.Context, in BeginLogin) (Login, error) {
	l, err := s.checkLogin(ctx, in)
	if err != nil {
		return Login{}, err
	}
	if !l.again() {
		defer s.gates.forget(l.conn.ID)
	}
	p, err := s.authorizer(l.conn)
	if err != nil {
		return Login{}, err
	}
	if l.app, err = s.findApp(ctx, l.conn, l.redirect); err != nil {
		return Login{}, err
	}
	if l.app.id == "" {
		if err := s.register(ctx, p, &l); err != nil {
			return Login{}, err
		}
	}
	state, verifier := randomText(), randomText()
	l.challenge = challengeOf(verifier)
	l.expires = s.now().Add(loginFor)
	if err := s.saveLogin(ctx, &l, hashOf(state), verifier, hashOf(in.Browser)); err != nil {
		return Login{}, err
	}
	return l.public(p, state), nil
}

// login is a login under way.
type login struct {
	// conn is the connection that is signed in to again, or a new one.
	conn      Connection
	app       loginApp
	redirect  string
	label     string
	challenge string
	// choose: the server should let the person choose another account.
	choose  bool
	expires time.Time
}

// loginApp is a registration with its row's id.
type loginApp struct {
	App
	id string
}

// again reports whether the connection is there already.
func (l login) again() bool { return l.conn.revision > 0 }

func (l login) public(p Authorizer, state string) Login {
	out := Login{
		State: state, Origin: l.conn.Origin, OutOfBand: l.redirect == OutOfBand, ExpiresAt: l.expires,
		AuthorizeURL: p.AuthorizeURL(l.app.App, AuthorizeRequest{State: state, Challenge: l.challenge, Choose: l.choose}),
	}
	if l.again() {
		out.ConnectionID = l.conn.ID
	}
	return out
}

// checkLogin checks the input and asks no server.
func (s *Service) checkLogin(ctx context.Context, in BeginLogin) (l login, err error) {
	if in.Browser == "" || len(in.Browser) > maxBrowser {
		return l, fault.Invalid("browser", "This browser cannot be recognized again; let it keep cookies and begin again.")
	}
	if l.redirect, err = normalizeRedirect(in.RedirectURI); err != nil {
		return l, err
	}
	if l.label, err = normalizeLabel(in.Label); err != nil {
		return l, err
	}
	if in.ConnectionID == "" {
		l.conn, err = s.newMastodon(AddMastodon{Origin: in.Origin})
	} else {
		l.conn, err = s.connectionToRenew(ctx, in)
	}
	if err == nil && s.key == nil {
		err = missingKey()
	}
	return l, err
}

// connectionToRenew finds the connection that is signed in to again.
func (s *Service) connectionToRenew(ctx context.Context, in BeginLogin) (Connection, error) {
	c, err := s.GetConnection(ctx, in.ConnectionID)
	switch {
	case err != nil:
		return c, err
	case !c.Login:
		return c, fault.Invalid("connectionId", "%s is read without login, so there is no sign-in to renew; add the account instead.", c.Account)
	case c.Network == Twitter:
		return c, fault.Invalid("connectionId", "%s is read through a relay; sign in on x.com in the relay's browser, then test the connection.", c.Account)
	case s.only && !s.account(c).Operator:
		return c, blockedByOnly(c.Origin)
	case in.Origin == "":
		return c, nil
	}
	origin, err := egress.CanonicalOrigin(in.Origin)
	if err == nil && origin != c.Origin {
		err = fault.Invalid("origin", "%s is an account of %s; leave the address as it is, or add another account.", c.Account, hostOf(c.Origin))
	}
	return c, err
}

func (s *Service) authorizer(c Connection) (Authorizer, error) {
	p, ok := s.providers[c.Network].(Authorizer)
	if !ok {
		return nil, fault.New(fault.Unsupported, "This workspace cannot sign in to %s by its page; add the account with a token.", networkName(c.Network)).
			With(fault.DetailCapability, "oauth")
	}
	return p, nil
}

// register makes the workspace known to the server and stores what it answered.
func (s *Service) register(ctx context.Context, p Authorizer, l *login) error {
	ctx, cancel := context.WithTimeout(ctx, s.toolTimeout)
	defer cancel()
	app, err := p.Register(ctx, s.account(l.conn), l.redirect)
	if err != nil {
		return verifyFault(fault.From(err), l.conn)
	}
	l.app = loginApp{App: app, id: s.newID("app")}
	return s.saveApp(ctx, l.conn, l.app)
}

// PendingLogin returns a login that the browser began and has not ended yet. One
// that is used, over or another browser's is not_found.
func (s *Service) PendingLogin(ctx context.Context, state, browser string) (Login, error) {
	l, err := s.findLogin(ctx, hashOf(state), hashOf(browser))
	if err != nil {
		return Login{}, err
	}
	p, err := s.authorizer(l.conn)
	if err != nil {
		return Login{}, err
	}
	return l.public(p, state), nil
}

// FinishLogin ends a login with what the server sent back: it trades the code
// for a token, asks whose it is and stores the connection. Of an account that is
// connected already the credential is replaced and the id kept. The connection's
// Warnings are about the token.
//
// A state serves once, and only the browser that began with it: any other is
// invalid_arguments for the field "state". A pasted code that is sent twice at
// the same time is one, and both get its outcome. A login that the person or the
// server declined is forbidden. Signing in again as somebody else is a
// request_conflict; then and after every other fault nothing is stored.
func (s *Service) FinishLogin(ctx context.Context, in FinishLogin) (Connection, error) {
	in.Code = strings.TrimSpace(in.Code)
	if in.Denied == "" && !validCode(in.Code) {
		return Connection{}, fault.Invalid("code", "The code is missing or has spaces in it; copy the whole code that the server shows.")
	}
	if !in.Pasted {
		return s.finishLogin(ctx, in)
	}
	key := string(hashOf(strings.Join([]string{in.State, in.Browser, in.Code}, "\x00")))
	v, err, _ := s.logins.Do(key, func() (any, error) { return s.finishLogin(ctx, in) })
	c, _ := v.(Connection)
	return c, err
}

func (s *Service) finishLogin(ctx context.Context, in FinishLogin) (Connection, error) {
	// The state is spent with the claim, and the code with the first request: who
	// began ends, even when the browser has left.
	ctx, done := s.outlive(ctx)
	defer done()
	l, verifier, err := s.claimLogin(ctx, hashOf(in.State), hashOf(in.Browser))
	if err != nil {
		return Connection{}, err
	}
	if in.Denied != "" {
		return Connection{}, denied(in.Denied, l.conn)
	}
	c, err := s.connect(ctx, l, in.Code, verifier)
	if f := fault.From(err); err != nil && l.redirect == OutOfBand && f.Details[fault.DetailField] == "code" {
		s.report(s.reopenLogin(ctx, hashOf(in.State)), "login", l.conn)
		err = fault.Invalid("code", "That code was not accepted; copy it again from the page of %s.", hostOf(l.conn.Origin)).Wrap(err)
	}
	return c, err
}

// outlive returns a context that ends with the service and not with the caller.
func (s *Service) outlive(ctx context.Context) (context.Context, context.CancelFunc) {
	ctx, cancel := context.WithCancel(context.WithoutCancel(ctx))
	stop := context.AfterFunc(s.life.ctx, cancel)
	return ctx, func() { stop(); cancel() }
}

// connect trades the code of a claimed login and stores the connection.
func (s *Service) connect(ctx context.Context, l login, code, verifier string) (Connection, error) {
	p, err := s.authorizer(l.conn)
	if err != nil {
		return Connection{}, err
	}
	if !l.again() {
		defer s.gates.forget(l.conn.ID)
	}
	grant, err := s.exchange(ctx, p, l, code, verifier)
	if err != nil {
		return Connection{}, err
	}
	c, err := s.accept(ctx, l, grant)
	if err != nil {
		s.revoke(ctx, p, l.conn, l.app.App, grant.Token) // nobody keeps it
	}
	return c, err
}

func (s *Service) exchange(ctx context.Context, p Authorizer, l login, code, verifier string) (Grant, error) {
	ctx, cancel := context.WithTimeout(ctx, s.toolTimeout)
	defer cancel()
	grant, err := p.Exchange(ctx, s.account(l.conn), l.app.App, code, verifier)
	if fault.CodeOf(err) == fault.Unauthorized {
		s.report(s.dropApp(ctx, l.app.id), "app", l.conn)
	}
	if err != nil {
		return Grant{}, loginFault(fault.From(err), l.conn)
	}
	if token, err := normalizeToken(grant.Token); err != nil || token == "" || token != grant.Token {
		return Grant{}, fault.New(fault.UpstreamChanged, "%s answered with something that is no token; begin again, or add the account with a token.", hostOf(l.conn.Origin))
	}
	return grant, nil
}

func loginFault(f *fault.Error, c Connection) error {
	if f.Code == fault.Timeout {
		f = fault.New(fault.Timeout, "%s has not answered in time, and the code is used up; begin again.", hostOf(c.Origin)).Wrap(f.Err)
	}
	return f
}

// accept asks whose the token is, and stores it when it is whose it should be.
func (s *Service) accept(ctx context.Context, l login, grant Grant) (Connection, error) {
	c := l.conn
	who, err := s.verifyNew(ctx, c, grant.Token)
	if err != nil {
		return Connection{}, err
	}
	if l.again() && who.AccountID != c.AccountID {
		return Connection{}, fault.New(fault.RequestConflict, "You signed in as %s, but this connection is %s, and nothing was changed; sign in there as %s, or add the other account.",
			who.Account, c.Account, c.Account).With(fault.DetailConnectionID, c.ID)
	}
	c.Account, c.AccountID, c.Login, c.UpdatedAt = who.Account, who.AccountID, true, s.now()
	if !l.again() {
		c.Label = who.label(l.label)
	} else if l.label != "" {
		c.Label = l.label
	}
	scopes := grant.Scopes
	if scopes == nil {
		scopes = who.Scopes
	}
	c, err = s.keep(ctx, c, credential{token: grant.Token, app: l.app.id, scopes: scopes}, l.label != "")
	if err == nil {
		c.Warnings = scopeWarnings(scopes)
	}
	return c, err
}

// denied makes the fault of a login that the server sent back without a code.
// The parameter is a stranger's text: it is compared and never shown.
func denied(reason string, c Connection) error {
	if reason == "access_denied" {
		return fault.New(fault.Forbidden, "The sign-in was declined at %s, and nothing was changed; begin again to connect the account.", hostOf(c.Origin)).
			With(fault.DetailReason, "access_denied")
	}
	return fault.New(fault.Forbidden, "%s refused the sign-in, and nothing was changed; begin again, or add the account with a token.", hostOf(c.Origin)).
		With(fault.DetailReason, "refused")
}

// unknownState does not say whether the state was ever there.
func unknownState() error {
	return fault.Invalid("state", "This sign-in was ended already, took longer than ten minutes or was begun in another browser; begin again.")
}

func normalizeRedirect(raw string) (string, error) {
	if raw == "" || raw == OutOfBand {
		return OutOfBand, nil
	}
	u, err := url.Parse(raw)
	if err != nil || len(raw) > maxRedirect || u.Scheme != "https" && u.Scheme != "http" || u.Host == "" || u.User != nil || strings.Contains(raw, "#") {
		return "", fault.Invalid("redirectUri", "The address to come back to is not a page of the workspace; begin again.")
	}
	return raw, nil
}

func validCode(code string) bool {
	return code != "" && len(code) <= maxCode && !strings.ContainsFunc(code, func(r rune) bool { return r <= ' ' || r >= 0x7f })
}

// randomText is 32 random bytes in base64url, 43 characters.
func randomText() string {
	b := make([]byte, 32)
	rand.Read(b)
	return base64.RawURLEncoding.EncodeToString(b)
}

func hashOf(secret string) []byte {
	sum := sha256.Sum256([]byte(secret))
	return sum[:]
}

// challengeOf is the S256 challenge of a verifier.
func challengeOf(verifier string) string {
	return base64.RawURLEncoding.EncodeToString(hashOf(verifier))
}
