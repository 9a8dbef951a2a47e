package sns

import (
	"context"
	"time"

	"personal-workspace/internal/fault"
	"personal-workspace/internal/sqlite"
)

// ConnectionStatus is a connection with how it does.
type ConnectionStatus struct {
	Connection
	// LastSuccess is when the server last answered a read; zero means never.
	LastSuccess time.Time
	// LastFailure is what failed last, nil for nothing. It stays after the
	// connection works again on its own; Failing tells.
	LastFailure *Failure
	// Budget is what the server said of its own limit of requests.
	Budget Budget
	// Scopes are what the credential may do, nil where that is not known.
	Scopes []string
	// CredentialSince is when the credential was stored; zero without one.
	CredentialSince time.Time
}

// Failing reports whether the connection has not worked since its LastFailure.
func (c ConnectionStatus) Failing() bool {
	return c.LastFailure != nil && !c.LastFailure.At.Before(c.LastSuccess)
}

// Trouble returns why the whole connection does not work now, nil when it does or
// when nothing is asked of it. That one source cannot be read is no trouble of the
// connection; that the server limits requests is one that ends by itself.
func (c ConnectionStatus) Trouble() *Failure {
	if !c.Failing() || c.State == Disabled {
		return nil
	}
	switch c.LastFailure.Code {
	case fault.NotFound, fault.Forbidden, fault.Unsupported, fault.InvalidSource, fault.InvalidArguments, fault.InvalidCursor, fault.ResponseTooLarge:
		return nil
	}
	return c.LastFailure
}

// Budget is a server's limit of requests as it last told this process.
type Budget struct {
	// Known: the server has told. The rest is zero otherwise.
	Known bool
	// Remaining requests until Reset; Limit is 0 where the server does not tell.
	Remaining, Limit int
	// Reset is when the server counts anew; zero where it does not tell.
	Reset time.Time
}

// ConnectionStatuses returns all connections with how they do, oldest first.
func (s *Service) ConnectionStatuses(ctx context.Context) (list []ConnectionStatus, err error) {
	err = s.db.Read(ctx, func(tx *sqlite.Tx) error {
		all, err := listConnections(tx)
		if err != nil {
			return err
		}
		list = make([]ConnectionStatus, len(all))
		for i, c := range all {
			if list[i], err = s.statusOf(tx, c); err != nil {
				return err
			}
		}
		return nil
	})
	return list, err
}

// ConnectionStatus returns one connection with how it does, or a not_found
// fault.
func (s *Service) ConnectionStatus(ctx context.Context, id string) (st ConnectionStatus, err error) {
	err = s.db.Read(ctx, func(tx *sqlite.Tx) error {
		c, err := findConnection(tx, id)
		if err != nil {
			return err
		}
		st, err = s.statusOf(tx, c)
		return err
	})
	return st, err
}

func (s *Service) statusOf(tx *sqlite.Tx, c Connection) (ConnectionStatus, error) {
	h, err := findHealth(tx, c.ID)
	if err != nil {
		return ConnectionStatus{}, err
	}
	st := h.status(c)
	st.Budget = s.gates.budget(c.ID)
	return st, nil
}

// TestConnection asks the server now whether the connection works and returns
// the status after it. What the server answered is in the status, whichever way
// it went: an error means that the connection could not be tested. A connection
// that works is ready again unless it is switched off.
func (s *Service) TestConnection(ctx context.Context, id string) (ConnectionStatus, error) {
	c, err := s.GetConnection(ctx, id)
	if err != nil {
		return ConnectionStatus{}, err
	}
	ctx, done := s.outlive(ctx)
	defer done()
	who, err := s.probe(ctx, c)
	if fault.CodeOf(err) == fault.Canceled {
		return ConnectionStatus{}, err
	}
	if err == nil {
		err = s.saveProved(ctx, c, who)
	} else {
		err = s.saveDisproved(ctx, c, fault.From(err))
	}
	if err != nil {
		return ConnectionStatus{}, err
	}
	return s.ConnectionStatus(ctx, id)
}

// probe asks the server whose the connection is.
func (s *Service) probe(ctx context.Context, c Connection) (Identity, error) {
	_, a, err := s.reach(ctx, c)
	if err != nil {
		return Identity{}, err
	}
	who, err := s.verify(ctx, c, a.Token)
	switch {
	case err != nil || who.AccountID == c.AccountID:
	case c.Network == Twitter:
		err = fault.New(fault.Unauthorized, "The profile %s is signed in to X as %s now; sign it in as %s again, or connect the other account.", c.Profile, who.Account, c.Account).
			With(fault.DetailReason, CodeOtherAccount)
	default:
		err = fault.New(fault.Unauthorized, "The stored credential is of another account than %s; sign in to it again.", c.Account)
	}
	return who, err
}

// saveProved records that a connection works.
func (s *Service) saveProved(ctx context.Context, c Connection, who Identity) error {
	if c.State != Disabled && (c.State != Ready || c.StateCode != "") {
		if err := s.setState(ctx, c, Ready, ""); err != nil {
			return err
		}
	}
	return s.saveProof(ctx, c, who.Scopes)
}

// saveDisproved records that a connection does not work, and why.
func (s *Service) saveDisproved(ctx context.Context, c Connection, f *fault.Error) error {
	refused := f.Code == fault.Unauthorized && f.Details[fault.DetailReconnect] != false
	another := c.State == ReauthRequired && c.StateCode != CodeSecretsForgotten
	if c.Login && (c.State == Ready || another) && refused {
		if err := s.setState(ctx, c, ReauthRequired, refusedCode(f)); err != nil {
			return err
		}
	}
	if err := s.saveUnhealthy(ctx, c, f); err != nil {
		return err
	}
	s.ledger.Wake()
	return nil
}

// PauseConnection switches a connection off: nothing is asked of its server
// until ResumeConnection. Columns keep their posts.
func (s *Service) PauseConnection(ctx context.Context, id string) error {
	return s.switchTo(ctx, id, Disabled)
}

// ResumeConnection switches a connection on again; one that is on stays as it is.
func (s *Service) ResumeConnection(ctx context.Context, id string) error {
	return s.switchTo(ctx, id, Ready)
}

// RenameConnection gives a connection a label of 1 to MaxLabel code points.
func (s *Service) RenameConnection(ctx context.Context, id, label string) (Connection, error) {
	label, err := normalizeLabel(label)
	if err != nil {
		return Connection{}, err
	}
	if label == "" {
		return Connection{}, fault.Invalid("label", "The label is empty; write what you call this account.")
	}
	return s.renameConnection(ctx, id, label)
}

// revokeFor bounds how long the end of a connection waits for its server.
const revokeFor = 5 * time.Second

// Disconnect makes a connection's token invalid at its server, as far as that is
// possible, and removes the connection with its credential and stored posts.
// Decks keep the columns that read it. revoked is false where the server did not
// confirm it, or the token was pasted: then it is for the person to revoke.
func (s *Service) Disconnect(ctx context.Context, id string) (revoked bool, err error) {
	c, err := s.GetConnection(ctx, id)
	if err != nil {
		return false, err
	}
	revoked = s.revokeStored(ctx, c)
	return revoked, s.RemoveConnection(context.WithoutCancel(ctx), id)
}

// revokeStored makes a connection's token invalid where the workspace was given
// it by OAuth.
func (s *Service) revokeStored(ctx context.Context, c Connection) bool {
	p, err := s.authorizer(c)
	if err != nil || !c.Login {
		return false
	}
	app, ok, err := s.findGrant(ctx, c.ID)
	if err != nil || !ok {
		return false
	}
	token, err := s.token(ctx, c)
	return err == nil && s.revoke(ctx, p, c, app.App, token)
}

// revoke asks a server to make a token invalid, and reports whether it did.
func (s *Service) revoke(ctx context.Context, p Authorizer, c Connection, app App, token string) bool {
	ctx, cancel := context.WithTimeout(ctx, revokeFor)
	defer cancel()
	err := p.Revoke(ctx, s.account(c), app, token)
	if err != nil {
		s.log.WarnContext(ctx, "a token could not be revoked at its server", "connection", c.ID, "code", fault.CodeOf(err))
	}
	return err == nil
}
