package activities

import (
	"context"

	"personal-workspace/internal/fault"
	"personal-workspace/internal/ledger"
	"personal-workspace/internal/sqlite"
)

// What a row of the history says happened. The verbs are others.
const (
	whatPublished = "published"
	whatUpdated   = "updated"
	whatCreated   = "created"
	whatEdited    = "edited"
	whatErased    = "erased"
	whatWoken     = "woken"
	whatUndone    = "undone"
)

// change is one commit under way: a revision, a time and an actor.
type change struct {
	*Service
	tx       *sqlite.Tx
	at       int64
	revision int64
	by       Proposer
}

// begin starts a change of the transaction.
func (s *Service) begin(tx *sqlite.Tx) (*change, error) {
	revision, err := readRevision(tx)
	if err != nil {
		return nil, err
	}
	return &change{Service: s, tx: tx, at: s.now().UnixMilli(), revision: revision + 1, by: proposer(tx.Context())}, nil
}

// commit ends the change with its one entry in the ledger.
func (c *change) commit(e ledger.Entry) error {
	e.ResourceType = ledger.ResourceActivity
	e.Data["revision"] = c.revision
	if err := writeRevision(c.tx, c.revision); err != nil {
		return err
	}
	return c.ledger.Append(c.tx, e)
}

// decided ends a change of decisions: what was done, to how many, one of them.
func (c *change) decided(what, id string, count int) error {
	return c.commit(ledger.Entry{
		Name: ledger.ActivityDecided, ResourceID: id,
		Data: map[string]any{"verb": what, "count": count},
	})
}

// decide stores the person's next decision about a record and a row of history
// that can be taken back. It returns the row's id.
func (c *change) decide(r *record, next decision, what string) (int64, error) {
	before := r.decision
	next.At, next.Revision = c.at, c.revision
	if before.closed() && next.Status == before.Status {
		next.At = before.At // newer evidence is what is newer than the closing
	}
	c.touch(r, next)
	if err := put(c.tx, *r); err != nil {
		return 0, err
	}
	return c.insert(*r, row{what: what, was: before.Status, before: &before, after: &r.decision, undo: undoable})
}

// touch gives a record another decision of the person.
func (c *change) touch(r *record, next decision) {
	r.decision, r.updatedAt, r.revision, r.touchedRevision = next, c.at, c.revision, c.revision
}

// wake ends a record's snooze, as the workspace. The caller stores the record.
func (c *change) wake(r *record) error {
	before := r.decision
	r.decision, r.updatedAt, r.revision = before.wake(), c.at, c.revision
	clock := *c
	clock.by = Proposer{Actor: ledger.Actor{Kind: ledger.System, ID: "system"}}
	return clock.record(*r, row{what: whatWoken, was: before.Status})
}

// record adds a row to the history.
func (c *change) record(r record, w row) error {
	_, err := c.insert(r, w)
	return err
}

func proposer(ctx context.Context) Proposer {
	p := Proposer{Actor: ledger.ActorFrom(ctx)}
	p.ClientName, p.ClientVersion = ledger.ClientFrom(ctx)
	return p
}

// personOnly refuses everybody else: assistants propose, the person decides.
func personOnly(ctx context.Context) error {
	if ledger.ActorFrom(ctx).Kind != ledger.Person {
		return fault.New(fault.Forbidden, "Only the person decides about activities; publish a proposal instead.")
	}
	return nil
}

// known returns the networks of the connections by their ids.
func (s *Service) known(ctx context.Context) (map[string]string, error) {
	list, err := s.connections.ListConnections(ctx)
	if err != nil {
		return nil, err
	}
	m := make(map[string]string, len(list))
	for _, c := range list {
		m[c.ID] = string(c.Network)
	}
	return m, nil
}
