package sns

import (
	"context"
	"encoding/hex"
	"errors"
	"strings"
	"time"

	"personal-workspace/internal/fault"
	"personal-workspace/internal/sqlite"
)

// The names of what is sealed besides tokens.
const (
	fieldClientSecret = "client_secret"
	fieldVerifier     = "verifier"
)

// sealedApp is a registration as it is stored.
type sealedApp struct {
	loginApp
	origin, keyID string
	sealed        []byte
}

func scanApp(r sqlite.Row) (a sealedApp, err error) {
	var scopes string
	err = r.Scan(&a.id, &a.origin, &a.RedirectURI, &a.ClientID, &a.keyID, &a.sealed, &scopes, &a.AuthorizeURL, &a.TokenURL, &a.RevokeURL)
	a.Scopes = strings.Fields(scopes)
	return a, err
}

// open opens the program's secret. One that another key sealed is no fault: the
// workspace registers again.
func (s *Service) openApp(a sealedApp) (app loginApp, ok bool) {
	if s.key == nil || a.keyID != s.key.ID() {
		return loginApp{}, false
	}
	plain, err := s.key.Open(a.id, fieldClientSecret, a.sealed)
	if err != nil {
		return loginApp{}, false
	}
	a.ClientSecret = string(plain)
	return a.loginApp, true
}

// findApp returns a registration that still serves new logins; its id is ""
// when there is none.
func (s *Service) findApp(ctx context.Context, c Connection, redirect string) (app loginApp, err error) {
	err = s.db.Read(ctx, func(tx *sqlite.Tx) error {
		found, err := sqlite.One(tx, scanApp, `SELECT id, origin, redirect_uri, client_id, key_id, sealed, scopes, authorize_url, token_url, revoke_url
			FROM oauth_apps WHERE network = ? AND origin = ? AND redirect_uri = ? AND created_at > ? ORDER BY created_at DESC LIMIT 1`,
			c.Network, c.Origin, redirect, s.now().Add(-appFor).UnixMilli())
		if sqlite.IsNoRows(err) {
			return nil
		}
		app, _ = s.openApp(found)
		return err
	})
	return app, err
}

// saveApp stores a registration, and removes those that serve nothing any more.
func (s *Service) saveApp(ctx context.Context, c Connection, a loginApp) error {
	now := s.now()
	return s.db.Write(ctx, func(tx *sqlite.Tx) error {
		if _, err := tx.Exec(`DELETE FROM oauth_apps WHERE created_at <= ?
			AND NOT EXISTS (SELECT 1 FROM oauth_logins AS l WHERE l.app_id = oauth_apps.id)
			AND NOT EXISTS (SELECT 1 FROM connection_grants AS g WHERE g.app_id = oauth_apps.id)`, now.Add(-appFor).UnixMilli()); err != nil {
			return err
		}
		_, err := tx.Exec(`INSERT INTO oauth_apps
			(id, network, origin, redirect_uri, client_id, key_id, sealed, scopes, authorize_url, token_url, revoke_url, created_at)
			VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?)`,
			a.id, c.Network, c.Origin, a.RedirectURI, a.ClientID, s.key.ID(), s.key.Seal(a.id, fieldClientSecret, []byte(a.ClientSecret)),
			strings.Join(a.Scopes, " "), a.AuthorizeURL, a.TokenURL, a.RevokeURL, now.UnixMilli())
		return err
	})
}

// dropApp forgets a registration that its server does not know any more.
func (s *Service) dropApp(ctx context.Context, id string) error {
	return s.db.Write(context.WithoutCancel(ctx), func(tx *sqlite.Tx) error {
		_, err := tx.Exec("DELETE FROM oauth_apps WHERE id = ?", id)
		return err
	})
}

// saveLogin stores a login that begins. It decides whether the server should let
// the person choose: another account of it is connected.
func (s *Service) saveLogin(ctx context.Context, l *login, stateHash []byte, verifier string, browserHash []byte) error {
	now := s.now()
	return s.db.Write(ctx, func(tx *sqlite.Tx) error {
		if err := tidyLogins(tx, now); err != nil {
			return err
		}
		others, err := sqlite.One(tx, sqlite.Int,
			"SELECT count(*) FROM connections WHERE network = ? AND origin = ? AND account_id <> ''", l.conn.Network, l.conn.Origin)
		if err != nil {
			return err
		}
		l.choose = others > 1 || others == 1 && !l.again()
		var again any
		if l.again() {
			again = l.conn.ID
		}
		_, err = tx.Exec(`INSERT INTO oauth_logins
			(state_hash, browser_hash, app_id, connection_id, label, challenge, key_id, sealed, choose, created_at, expires_at)
			VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?)`,
			stateHash, browserHash, l.app.id, again, l.label, l.challenge, s.key.ID(),
			s.key.Seal(hex.EncodeToString(stateHash), fieldVerifier, []byte(verifier)), l.choose, now.UnixMilli(), l.expires.UnixMilli())
		if sqlite.IsForeignKey(err) {
			return fault.New(fault.RequestConflict, "The connection or the registration was removed meanwhile; begin again.").Wrap(err)
		}
		return err
	})
}

// tidyLogins removes the logins whose time is over, and of the others the oldest
// when there are too many.
func tidyLogins(tx *sqlite.Tx, now time.Time) error {
	if _, err := tx.Exec("DELETE FROM oauth_logins WHERE expires_at <= ?", now.UnixMilli()); err != nil {
		return err
	}
	_, err := tx.Exec(`DELETE FROM oauth_logins WHERE state_hash IN
		(SELECT state_hash FROM oauth_logins ORDER BY expires_at DESC LIMIT -1 OFFSET ?)`, maxLogins-1)
	return err
}

// storedLogin is a login as it is stored.
type storedLogin struct {
	appID, connectionID string
	label, challenge    string
	keyID               string
	sealed              []byte
	choose              bool
	expires             int64
}

func scanLogin(r sqlite.Row) (l storedLogin, err error) {
	err = r.Scan(&l.appID, &l.connectionID, &l.label, &l.challenge, &l.keyID, &l.sealed, &l.choose, &l.expires)
	return l, err
}

// findLogin returns a login that is still open to the browser.
func (s *Service) findLogin(ctx context.Context, stateHash, browserHash []byte) (l login, err error) {
	err = s.db.Read(ctx, func(tx *sqlite.Tx) error {
		stored, err := sqlite.One(tx, scanLogin, `SELECT app_id, coalesce(connection_id, ''), label, challenge, key_id, sealed, choose, expires_at
			FROM oauth_logins WHERE state_hash = ? AND browser_hash = ? AND used = 0 AND expires_at > ?`,
			stateHash, browserHash, s.now().UnixMilli())
		if err != nil {
			return err
		}
		l, err = s.openLogin(tx, stored)
		return err
	})
	if sqlite.IsNoRows(err) || errors.Is(err, errLoginGone) {
		err = fault.Missing("login", "This sign-in was ended already, took longer than ten minutes or was begun in another browser; begin again.")
	}
	return l, err
}

// claimLogin takes a login for the one who came back with its state, and returns
// the verifier.
func (s *Service) claimLogin(ctx context.Context, stateHash, browserHash []byte) (l login, verifier string, err error) {
	err = s.db.Write(ctx, func(tx *sqlite.Tx) error {
		stored, err := sqlite.One(tx, scanLogin, `UPDATE oauth_logins SET used = 1
			WHERE state_hash = ? AND browser_hash = ? AND used = 0 AND expires_at > ?
			RETURNING app_id, coalesce(connection_id, ''), label, challenge, key_id, sealed, choose, expires_at`,
			stateHash, browserHash, s.now().UnixMilli())
		if err != nil {
			return err
		}
		if l, err = s.openLogin(tx, stored); err != nil {
			return err
		}
		plain, err := s.key.Open(hex.EncodeToString(stateHash), fieldVerifier, stored.sealed)
		verifier = string(plain)
		return err
	})
	if sqlite.IsNoRows(err) || errors.Is(err, errLoginGone) {
		err = unknownState()
	}
	return l, verifier, err
}

// errLoginGone is a login that was sealed by a key that is not there any more.
var errLoginGone = errors.New("the login cannot be opened with this key")

// openLogin finds what a stored login belongs to. The rules about its server are
// those of now.
func (s *Service) openLogin(tx *sqlite.Tx, stored storedLogin) (l login, err error) {
	l = login{label: stored.label, challenge: stored.challenge, choose: stored.choose, expires: fromMilli(stored.expires)}
	sealed, err := sqlite.One(tx, scanApp, `SELECT id, origin, redirect_uri, client_id, key_id, sealed, scopes, authorize_url, token_url, revoke_url
		FROM oauth_apps WHERE id = ?`, stored.appID)
	if err != nil {
		return l, err
	}
	var ok bool
	if l.app, ok = s.openApp(sealed); !ok {
		return l, errLoginGone
	}
	l.redirect = l.app.RedirectURI
	if stored.connectionID != "" {
		l.conn, err = findConnection(tx, stored.connectionID)
		return l, err
	}
	l.conn, err = s.newMastodon(AddMastodon{Origin: sealed.origin})
	return l, err
}

// reopenLogin lets a code be pasted again.
func (s *Service) reopenLogin(ctx context.Context, stateHash []byte) error {
	return s.db.Write(ctx, func(tx *sqlite.Tx) error {
		_, err := tx.Exec("UPDATE oauth_logins SET used = 0 WHERE state_hash = ?", stateHash)
		return err
	})
}

// credential is what a connection reads with.
type credential struct {
	token string
	// app is the row of the registration it was given to, "" for a pasted token.
	app string
	// scopes are what it may do, nil where the network does not tell.
	scopes []string
}

// putCredential stores a connection's credential, sealed; one without a token
// changes nothing.
func (s *Service) putCredential(tx *sqlite.Tx, connectionID string, cr credential) error {
	if err := s.putSecret(tx, connectionID, cr.token); err != nil || cr.token == "" {
		return err
	}
	_, err := tx.Exec(`INSERT INTO connection_grants (connection_id, app_id, scopes)
		VALUES (?, (SELECT id FROM oauth_apps WHERE id = ?), ?)
		ON CONFLICT (connection_id) DO UPDATE SET app_id = excluded.app_id, scopes = excluded.scopes`,
		connectionID, cr.app, scopesText(cr.scopes))
	return err
}

// scopesText is NULL for what is not known.
func scopesText(scopes []string) any {
	if scopes == nil {
		return nil
	}
	return strings.Join(scopes, " ")
}

// findGrant returns the registration that a connection's credential was given
// to; ok is false for a pasted one, or where the key is another one now.
func (s *Service) findGrant(ctx context.Context, connectionID string) (app loginApp, ok bool, err error) {
	err = s.db.Read(ctx, func(tx *sqlite.Tx) error {
		found, err := sqlite.One(tx, scanApp, `SELECT a.id, a.origin, a.redirect_uri, a.client_id, a.key_id, a.sealed, a.scopes, a.authorize_url, a.token_url, a.revoke_url
			FROM connection_grants AS g JOIN oauth_apps AS a ON a.id = g.app_id WHERE g.connection_id = ?`, connectionID)
		if sqlite.IsNoRows(err) {
			return nil
		}
		if err == nil {
			app, ok = s.openApp(found)
		}
		return err
	})
	return app, ok, err
}
