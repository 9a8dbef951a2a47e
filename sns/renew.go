package sns

import (
	"context"

	"personal-workspace/internal/fault"
)

// RenewToken gives a connection another token that the person pasted, once its
// server has said that it is of the same account. That of another one is a
// request_conflict; then and after every other fault the stored credential stays.
func (s *Service) RenewToken(ctx context.Context, id, token string) (Connection, error) {
	c, err := s.connectionToRenew(ctx, BeginLogin{ConnectionID: id})
	if err != nil {
		return Connection{}, err
	}
	if token, err = normalizeToken(token); err != nil {
		return Connection{}, err
	}
	if token == "" {
		return Connection{}, fault.Invalid("token", "There is no token; paste one of %s.", c.Account)
	}
	if s.key == nil {
		return Connection{}, missingKey()
	}
	renewed, err := s.accept(ctx, login{conn: c}, Grant{Token: token})
	if fault.CodeOf(err) == fault.RequestConflict {
		err = fault.New(fault.RequestConflict, "The token is of another account than %s, and nothing was changed; paste one of that account.", c.Account).
			With(fault.DetailField, "token")
	}
	return renewed, err
}

// keep stores a connection that was verified. The token that the workspace had
// for the account until then is made invalid at its server, as far as that is
// possible: nobody could do so later.
func (s *Service) keep(ctx context.Context, c Connection, cr credential, relabel bool) (Connection, error) {
	old, app, token := s.granted(ctx, c)
	c, err := s.saveConnection(ctx, c, cr, relabel)
	if err != nil || token == "" || token == cr.token || cr.token == "" {
		return c, err
	}
	if p, err := s.authorizer(old); err == nil {
		s.revoke(context.WithoutCancel(ctx), p, old, app, token)
	}
	return c, nil
}

// granted returns the connection that the account of c has already, with the
// token that was given to the workspace for it and the program it was given to;
// "" when there is none, or it cannot be read.
func (s *Service) granted(ctx context.Context, c Connection) (Connection, App, string) {
	old, err := s.findAccount(ctx, c)
	if err != nil {
		return old, App{}, ""
	}
	app, ok, err := s.findGrant(ctx, old.ID)
	if err != nil || !ok {
		return old, App{}, ""
	}
	token, err := s.token(ctx, old)
	if err != nil {
		return old, App{}, ""
	}
	return old, app.App, token
}
