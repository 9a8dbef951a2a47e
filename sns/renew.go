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
