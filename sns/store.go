package sns

import (
	"context"
	"time"

	"personal-workspace/internal/fault"
	"personal-workspace/internal/ledger"
	"personal-workspace/internal/secret"
	"personal-workspace/internal/sqlite"
)

// cursorKey reads the database's key of cursors.
func (s *Service) cursorKey(ctx context.Context) (key []byte, err error) {
	err = s.db.Read(ctx, func(tx *sqlite.Tx) error {
		key, err = sqlite.One(tx, scanBytes, "SELECT cursor_key FROM meta WHERE id = 1")
		return err
	})
	return key, err
}

func scanBytes(r sqlite.Row) (b []byte, err error) { err = r.Scan(&b); return b, err }

func scanConnection(r sqlite.Row) (c Connection, err error) {
	var created, updated int64
	err = r.Scan(&c.ID, &c.Network, &c.App, &c.Origin, &c.Operator, &c.Account, &c.AccountID,
		&c.Label, &c.State, &c.StateCode, &c.revision, &c.Colour, &c.Profile, &created, &updated)
	c.Login = c.AccountID != ""
	c.CreatedAt, c.UpdatedAt = fromMilli(created), fromMilli(updated)
	return c, err
}

func fromMilli(ms int64) time.Time { return time.UnixMilli(ms).UTC() }

func listConnections(tx *sqlite.Tx) ([]Connection, error) {
	return sqlite.Query(tx, scanConnection, `SELECT
		id, network, app, origin, operator, account, account_id, label, state, state_code, revision, colour, profile, created_at, updated_at
		FROM connections ORDER BY created_at, id`)
}

func findConnection(tx *sqlite.Tx, id string) (Connection, error) {
	c, err := sqlite.One(tx, scanConnection, `SELECT
		id, network, app, origin, operator, account, account_id, label, state, state_code, revision, colour, profile, created_at, updated_at
		FROM connections WHERE id = ?`, id)
	if sqlite.IsNoRows(err) {
		return c, noConnection()
	}
	return c, err
}

// noConnection does not repeat the id: it may be anything a caller made up.
func noConnection() error {
	return fault.Missing("connection", "There is no such connection; it may have been removed.")
}

// saveConnection stores a verified connection with its credential. relabel says
// that the label was given and replaces that of an account connected before.
//
// One that was read from the store, and was removed since, is not_found.
func (s *Service) saveConnection(ctx context.Context, c Connection, cr credential, relabel bool) (Connection, error) {
	err := s.db.Write(ctx, func(tx *sqlite.Tx) error {
		old, err := sqlite.One(tx, sqlite.String,
			"SELECT id FROM connections WHERE network = ? AND origin = ? AND account_id = ?", c.Network, c.Origin, c.AccountID)
		switch {
		case sqlite.IsNoRows(err) && c.revision > 0:
			err = noConnection()
		case sqlite.IsNoRows(err):
			c, err = s.insertConnection(tx, c)
		case err == nil:
			c, err = s.reconnect(tx, old, c, relabel)
		}
		if err != nil {
			return err
		}
		if err := s.putCredential(tx, c.ID, cr); err != nil {
			return err
		}
		if err := s.saveHealthy(tx, c.ID); err != nil {
			return err
		}
		return s.appendState(tx, c)
	})
	if err != nil {
		return Connection{}, err
	}
	s.forget(c.ID)
	return c, nil
}

// findAccount returns the connection of the same account as c, or a not_found
// fault.
func (s *Service) findAccount(ctx context.Context, c Connection) (found Connection, err error) {
	err = s.db.Read(ctx, func(tx *sqlite.Tx) error {
		id, err := sqlite.One(tx, sqlite.String,
			"SELECT id FROM connections WHERE network = ? AND origin = ? AND account_id = ?", c.Network, c.Origin, c.AccountID)
		if sqlite.IsNoRows(err) {
			return noConnection()
		}
		if err != nil {
			return err
		}
		found, err = findConnection(tx, id)
		return err
	})
	return found, err
}

// insertConnection stores a new connection, under the id and with the colour that
// its account had when it was connected before.
func (s *Service) insertConnection(tx *sqlite.Tx, c Connection) (Connection, error) {
	n, err := sqlite.One(tx, sqlite.Int, "SELECT count(*) FROM connections")
	if err != nil {
		return c, err
	}
	if n >= MaxConnections {
		return c, fault.Limit("connections", MaxConnections, "There are %d connections already; remove one first.", n)
	}
	c, err = recall(tx, c)
	if err != nil {
		return c, err
	}
	_, err = tx.Exec(`INSERT INTO connections
		(id, network, app, origin, operator, account, account_id, label, state, state_code, revision, colour, profile, created_at, updated_at)
		VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?)`,
		c.ID, c.Network, c.App, c.Origin, c.Operator, c.Account, c.AccountID, c.Label, c.State, c.StateCode,
		c.revision, c.Colour, c.Profile, c.CreatedAt.UnixMilli(), c.UpdatedAt.UnixMilli())
	return c, err
}

// reconnect gives the connection oldID what was verified in c, a fresh token
// above all. It keeps its id, so the columns that read it go on working: they
// would not if the person had to remove the connection first.
func (s *Service) reconnect(tx *sqlite.Tx, oldID string, c Connection, relabel bool) (Connection, error) {
	old, err := findConnection(tx, oldID)
	if err != nil {
		return old, err
	}
	if !c.Login && old.State == Ready {
		return old, fault.New(fault.RequestConflict, "%s is connected already as %s, and nothing was changed; use that connection.", old.Account, old.ID).
			With(fault.DetailConnectionID, old.ID)
	}
	old.Account, old.Operator, old.Profile = c.Account, c.Operator || old.Operator, c.Profile
	if relabel {
		old.Label = c.Label
	}
	old.State, old.StateCode, old.UpdatedAt = Ready, "", c.UpdatedAt
	_, err = tx.Exec(`UPDATE connections
		SET account = ?, operator = ?, profile = ?, label = ?, state = ?, state_code = '', revision = revision + 1, updated_at = ? WHERE id = ?`,
		old.Account, old.Operator, old.Profile, old.Label, old.State, old.UpdatedAt.UnixMilli(), old.ID)
	old.revision++
	if err != nil {
		return old, err
	}
	return old, s.startAfresh(tx, old.ID)
}

func (s *Service) putSecret(tx *sqlite.Tx, connectionID, token string) error {
	if token == "" {
		return nil
	}
	_, err := tx.Exec(`INSERT INTO connection_secrets (connection_id, field, key_id, sealed, updated_at)
		VALUES (?, ?, ?, ?, ?)
		ON CONFLICT (connection_id, field) DO UPDATE
		SET key_id = excluded.key_id, sealed = excluded.sealed, updated_at = excluded.updated_at`,
		connectionID, fieldToken, s.key.ID(), s.key.Seal(connectionID, fieldToken, []byte(token)), s.now().UnixMilli())
	return err
}

// appendState records a connection's state in the ledger.
func (s *Service) appendState(tx *sqlite.Tx, c Connection) error {
	data := map[string]any{"state": string(c.State)}
	if c.StateCode != "" {
		data["code"] = c.StateCode
	}
	return s.ledger.Append(tx, ledger.Entry{
		Name: ledger.ConnectionStateChanged, ResourceType: ledger.ResourceConnection, ResourceID: c.ID, Data: data,
	})
}

func (s *Service) findSecret(ctx context.Context, connectionID, field string) (sealed []byte, err error) {
	err = s.db.Read(ctx, func(tx *sqlite.Tx) error {
		sealed, err = sqlite.One(tx, scanBytes,
			"SELECT sealed FROM connection_secrets WHERE connection_id = ? AND field = ?", connectionID, field)
		return err
	})
	return sealed, err
}

// setState moves a connection to a state, unless its row changed since c was
// read: then what was learned is about the past.
func (s *Service) setState(ctx context.Context, c Connection, state State, code string) error {
	return s.db.Write(ctx, func(tx *sqlite.Tx) error { return s.putState(tx, c, state, code) })
}

func (s *Service) putState(tx *sqlite.Tx, c Connection, state State, code string) error {
	n, err := tx.Exec(`UPDATE connections SET state = ?, state_code = ?, revision = revision + 1, updated_at = ?
		WHERE id = ? AND revision = ? AND (state <> ? OR state_code <> ?)`,
		state, code, s.now().UnixMilli(), c.ID, c.revision, state, code)
	if err != nil || n == 0 {
		return err
	}
	c.State, c.StateCode = state, code
	if state == Ready {
		if err := s.startAfresh(tx, c.ID); err != nil {
			return err
		}
	}
	return s.appendState(tx, c)
}

// startAfresh forgets what a connection that works again was refused before, and
// looks at what is watched of it at once: nobody waits for the next minute to see
// that signing in again has helped.
func (s *Service) startAfresh(tx *sqlite.Tx, id string) error {
	_, err := tx.Exec(`UPDATE timelines SET failure_code = NULL, failure_message = NULL,
		failed_at = NULL, retry_at = NULL, failures = 0, failing_since = NULL
		WHERE connection_id = ? AND failure_code IN (?, ?)`, id, fault.Unauthorized, fault.Forbidden)
	tx.AfterCommit(func() { s.watches.lookAtAll(id) })
	return err
}

// switchTo switches a connection off, or on again. It is what the person wants
// of whatever the connection is by now, so that nothing comes between.
func (s *Service) switchTo(ctx context.Context, id string, state State) error {
	return s.db.Write(ctx, func(tx *sqlite.Tx) error {
		c, err := findConnection(tx, id)
		if err != nil || (state == Ready) != (c.State == Disabled) {
			return err
		}
		return s.putState(tx, c, state, "")
	})
}

// deleteConnection removes a connection. Its posts go first and in batches, so
// that no other writer waits long; they are a copy of what the network has.
func (s *Service) deleteConnection(ctx context.Context, id string) error {
	for {
		var n int64
		err := s.db.Write(ctx, func(tx *sqlite.Tx) (err error) {
			n, err = tx.Exec("DELETE FROM posts WHERE seq IN (SELECT seq FROM posts WHERE connection_id = ? LIMIT ?)", id, s.limits.batch)
			return err
		})
		if err != nil {
			return err
		}
		if n < int64(s.limits.batch) {
			break
		}
	}
	return s.db.Write(ctx, func(tx *sqlite.Tx) error {
		if err := s.remember(tx, id); err != nil {
			return err
		}
		n, err := tx.Exec("DELETE FROM connections WHERE id = ?", id)
		if err != nil {
			return err
		}
		if n == 0 {
			return noConnection()
		}
		return s.appendState(tx, Connection{ID: id, State: "removed"})
	})
}

// ForgetSecrets removes every stored credential and marks the accounts
// "sign in again". It returns how many connections had one. It needs no key.
func (s *Service) ForgetSecrets(ctx context.Context) (n int, err error) {
	err = s.db.Write(ctx, func(tx *sqlite.Tx) error {
		had, err := sqlite.One(tx, sqlite.Int, "SELECT count(DISTINCT connection_id) FROM connection_secrets")
		if err != nil {
			return err
		}
		n = int(had)
		if _, err := tx.Exec("DELETE FROM connection_secrets"); err != nil {
			return err
		}
		if _, err := tx.Exec("DELETE FROM oauth_apps"); err != nil {
			return err
		}
		list, err := listConnections(tx)
		if err != nil {
			return err
		}
		for _, c := range list {
			if err := s.forgetSecret(tx, c); err != nil {
				return err
			}
		}
		return nil
	})
	return n, err
}

func (s *Service) forgetSecret(tx *sqlite.Tx, c Connection) error {
	if !c.hasSecret() || c.State == ReauthRequired && c.StateCode == CodeSecretsForgotten {
		return nil
	}
	c.State, c.StateCode = ReauthRequired, CodeSecretsForgotten
	if _, err := tx.Exec("UPDATE connections SET state = ?, state_code = ?, revision = revision + 1, updated_at = ? WHERE id = ?",
		c.State, c.StateCode, s.now().UnixMilli(), c.ID); err != nil {
		return err
	}
	return s.appendState(tx, c)
}

// HasSecrets reports whether any credential is stored: only without one may a
// new key be made.
func HasSecrets(ctx context.Context, db *sqlite.DB) (has bool, err error) {
	err = db.Read(ctx, func(tx *sqlite.Tx) error {
		n, err := sqlite.One(tx, sqlite.Int, "SELECT EXISTS (SELECT 1 FROM connection_secrets)")
		has = n == 1
		return err
	})
	return has, err
}

// CheckSecrets proves that key is the one that sealed the stored credentials. A
// nil or another key over existing ones is a fault that names how to forget
// them.
func CheckSecrets(ctx context.Context, db *sqlite.DB, key *secret.Key) error {
	if key == nil {
		has, err := HasSecrets(ctx, db)
		if err == nil && has {
			err = missingKey()
		}
		return err
	}
	return db.Read(ctx, func(tx *sqlite.Tx) error {
		other, err := sqlite.One(tx, sqlite.Int, "SELECT count(DISTINCT connection_id) FROM connection_secrets WHERE key_id <> ?", key.ID())
		if err == nil && other > 0 {
			err = fault.New(fault.Unauthorized, "The credential key is not the one that sealed the stored credentials; put back the right key file, or run: workspace connections forget-secrets")
		}
		return err
	})
}
