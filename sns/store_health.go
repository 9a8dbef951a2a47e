package sns

import (
	"context"
	"strings"

	"personal-workspace/internal/fault"
	"personal-workspace/internal/sqlite"
)

// health is how a connection does, as it is stored.
type health struct {
	succeededAt, fetchedAt int64
	code, message          string
	failedAt, since, retry int64
	// scopes is nil where they are not known.
	scopes *string
	// credentialAt is 0 without a credential.
	credentialAt int64
}

func scanHealth(r sqlite.Row) (h health, err error) {
	err = r.Scan(&h.succeededAt, &h.fetchedAt, &h.code, &h.message, &h.failedAt, &h.since, &h.retry, &h.scopes, &h.credentialAt)
	return h, err
}

func findHealth(tx *sqlite.Tx, connectionID string) (health, error) {
	return sqlite.One(tx, scanHealth, `SELECT coalesce(h.succeeded_at, 0),
		coalesce((SELECT max(t.fetched_at) FROM timelines AS t WHERE t.connection_id = c.id), 0),
		coalesce(h.failure_code, ''), coalesce(h.failure_message, ''), coalesce(h.failed_at, 0), coalesce(h.failing_since, 0), coalesce(h.retry_at, 0),
		g.scopes, coalesce(s.updated_at, 0)
		FROM connections AS c
		LEFT JOIN connection_health AS h ON h.connection_id = c.id
		LEFT JOIN connection_grants AS g ON g.connection_id = c.id
		LEFT JOIN connection_secrets AS s ON s.connection_id = c.id AND s.field = 'token'
		WHERE c.id = ?`, connectionID)
}

func (h health) lastSuccess() int64 { return max(h.succeededAt, h.fetchedAt) }

// status makes a connection's public status.
func (h health) status(c Connection) ConnectionStatus {
	out := ConnectionStatus{Connection: c}
	if at := h.lastSuccess(); at > 0 {
		out.LastSuccess = fromMilli(at)
	}
	if h.credentialAt > 0 {
		out.CredentialSince = fromMilli(h.credentialAt)
	}
	if h.scopes != nil {
		out.Scopes = strings.Fields(*h.scopes)
	}
	if h.failedAt > 0 {
		out.LastFailure = &Failure{Code: fault.Code(h.code), Message: h.message, At: fromMilli(h.failedAt), Since: fromMilli(h.since)}
		if h.retry > 0 {
			out.LastFailure.RetryAt = fromMilli(h.retry)
		}
	}
	return out
}

// saveHealthy records that a connection was proved to work.
func (s *Service) saveHealthy(tx *sqlite.Tx, connectionID string) error {
	_, err := tx.Exec(`INSERT INTO connection_health (connection_id, succeeded_at) VALUES (?, ?)
		ON CONFLICT (connection_id) DO UPDATE SET succeeded_at = excluded.succeeded_at,
		failure_code = NULL, failure_message = NULL, failed_at = NULL, failing_since = NULL, retry_at = NULL`,
		connectionID, s.now().UnixMilli())
	return err
}

// saveProof is saveHealthy with what the server told of the credential.
func (s *Service) saveProof(ctx context.Context, c Connection, scopes []string) error {
	return s.db.Write(ctx, func(tx *sqlite.Tx) error {
		if scopes != nil {
			if _, err := tx.Exec("UPDATE connection_grants SET scopes = ? WHERE connection_id = ?", scopesText(scopes), c.ID); err != nil {
				return err
			}
		}
		err := s.saveHealthy(tx, c.ID)
		if sqlite.IsForeignKey(err) {
			return noConnection()
		}
		tx.AfterCommit(s.ledger.Wake)
		return err
	})
}

// saveUnhealthy records what failed last.
func (s *Service) saveUnhealthy(ctx context.Context, c Connection, f *fault.Error) error {
	now := s.now()
	return s.db.Write(ctx, func(tx *sqlite.Tx) error {
		h, err := findHealth(tx, c.ID)
		if sqlite.IsNoRows(err) {
			return noConnection()
		}
		if err != nil {
			return err
		}
		since := now.UnixMilli()
		if h.failedAt > 0 && h.failedAt >= h.lastSuccess() {
			since = min(h.since, since)
		}
		_, err = tx.Exec(`INSERT INTO connection_health (connection_id, failure_code, failure_message, failed_at, failing_since, retry_at)
			VALUES (?, ?, ?, ?, ?, ?)
			ON CONFLICT (connection_id) DO UPDATE SET failure_code = excluded.failure_code, failure_message = excluded.failure_message,
			failed_at = excluded.failed_at, failing_since = excluded.failing_since, retry_at = excluded.retry_at`,
			c.ID, f.Code, f.Message, now.UnixMilli(), since, retryAt(f, now))
		return err
	})
}

// renameConnection stores a label.
func (s *Service) renameConnection(ctx context.Context, id, label string) (c Connection, err error) {
	err = s.db.Write(ctx, func(tx *sqlite.Tx) error {
		n, err := tx.Exec("UPDATE connections SET label = ?, revision = revision + 1, updated_at = ? WHERE id = ? AND label <> ?",
			label, s.now().UnixMilli(), id, label)
		if err != nil {
			return err
		}
		if c, err = findConnection(tx, id); err != nil || n == 0 {
			return err
		}
		return s.appendState(tx, c)
	})
	return c, err
}
