package sns

import (
	"context"
	"slices"

	"personal-workspace/internal/sqlite"
)

// maxRemoved is how many removed connections are remembered; the oldest give way.
const maxRemoved = 500

// removed is what is remembered of a connection that was removed.
type removed struct {
	id       string
	colour   int
	revision int64
}

func scanRemoved(r sqlite.Row) (m removed, err error) {
	err = r.Scan(&m.id, &m.colour, &m.revision)
	return m, err
}

// remember keeps of a connection that is about to be removed what recall needs.
func (s *Service) remember(tx *sqlite.Tx, id string) error {
	_, err := tx.Exec(`INSERT OR REPLACE INTO removed_connections
		(network, origin, account_id, connection_id, account, colour, revision, removed_at)
		SELECT network, origin, account_id, id, account, colour, revision, ? FROM connections WHERE id = ?`, s.now().UnixMilli(), id)
	if err != nil {
		return err
	}
	_, err = tx.Exec(`DELETE FROM removed_connections WHERE connection_id IN
		(SELECT connection_id FROM removed_connections ORDER BY removed_at DESC LIMIT -1 OFFSET ?)`, maxRemoved)
	return err
}

// recall gives a new connection the id and the colour that its account had before,
// else a colour that few others have.
func recall(tx *sqlite.Tx, c Connection) (Connection, error) {
	m, err := sqlite.One(tx, scanRemoved, `DELETE FROM removed_connections WHERE network = ? AND origin = ? AND account_id = ?
		RETURNING connection_id, colour, revision`, c.Network, c.Origin, c.AccountID)
	if sqlite.IsNoRows(err) {
		c.revision = 1
		c.Colour, err = freeColour(tx)
		return c, err
	}
	c.ID, c.Colour, c.revision = m.id, m.colour, m.revision+1
	return c, err
}

// freeColour returns the first colour of those that the fewest connections have,
// and then the fewest of those that may come back.
func freeColour(tx *sqlite.Tx) (int, error) {
	list, err := listConnections(tx)
	if err != nil {
		return 0, err
	}
	gone, err := sqlite.Query(tx, sqlite.Int, "SELECT colour FROM removed_connections ORDER BY removed_at")
	if err != nil {
		return 0, err
	}
	var weight [Colours]int
	for _, c := range list {
		weight[c.Colour] += maxRemoved + 1
	}
	for _, colour := range gone {
		weight[colour]++
	}
	return slices.Index(weight[:], slices.Min(weight[:])), nil
}

// RemovedAccount is what a connection was that was removed.
type RemovedAccount struct {
	// ConnectionID is what columns still name.
	ConnectionID string
	Network      Network
	// Account is what it was called, as in Connection.
	Account string
}

// RemovedAccounts returns what the connections that were removed were, by their
// ids. Of those of long ago nothing is known.
func (s *Service) RemovedAccounts(ctx context.Context) (known map[string]RemovedAccount, err error) {
	err = s.db.Read(ctx, func(tx *sqlite.Tx) error {
		list, err := sqlite.Query(tx, scanRemovedAccount, "SELECT connection_id, network, account FROM removed_connections ORDER BY removed_at")
		known = make(map[string]RemovedAccount, len(list))
		for _, a := range list {
			known[a.ConnectionID] = a
		}
		return err
	})
	return known, err
}

func scanRemovedAccount(r sqlite.Row) (a RemovedAccount, err error) {
	err = r.Scan(&a.ConnectionID, &a.Network, &a.Account)
	return a, err
}
