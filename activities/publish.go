package activities

import (
	"cmp"
	"context"
	"crypto/sha256"
	"encoding/json"
	"fmt"
	"slices"

	"personal-workspace/internal/fault"
	"personal-workspace/internal/ledger"
	"personal-workspace/internal/sqlite"
)

// Publish stores what an assistant proposes, all of it or nothing. It looks, in
// this order, at the shape (invalid_arguments, limit_exceeded), at the request
// id: the same one with the same activities returns the receipt it got the first
// time, with others it is request_conflict; at the expected revision, which has to
// be the present one, else stale_revision; and then writes everything.
//
// No publication changes a decision or an edit. What the person closed is kept
// (kept_decision) unless newer evidence makes a new activity of it; what the
// person made is kept too.
func (s *Service) Publish(ctx context.Context, p Publication) (Receipt, error) {
	list, err := s.checkPublication(p)
	if err != nil {
		return Receipt{}, err
	}
	known, err := s.knownOf(ctx, list)
	if err != nil {
		return Receipt{}, err
	}
	digest := digestOf(list)
	var receipt Receipt
	err = s.db.Write(ctx, func(tx *sqlite.Tx) error {
		found, ok, err := findReceipt(tx, p.RequestID, digest)
		if err != nil || ok {
			receipt = found
			return err
		}
		receipt, err = s.publish(tx, p, list, known)
		if err != nil {
			return err
		}
		return putReceipt(tx, receipt, digest, s.now().UnixMilli())
	})
	if err != nil {
		return Receipt{}, err
	}
	return receipt, nil
}

// checkPublication checks everything that needs nothing of the database.
func (s *Service) checkPublication(p Publication) ([]checked, error) {
	if !idPattern.MatchString(p.RequestID) {
		return nil, fault.Invalid("requestId", "The request id is 1 to 64 letters, digits, _ or -, beginning with a letter or digit; make a new one for each publication.")
	}
	if p.ExpectedRevision < 0 {
		return nil, fault.Invalid("expectedRevision", "A revision is not negative; give the one that was read.")
	}
	switch n := len(p.Activities); {
	case n == 0:
		return nil, fault.Invalid("activities", "There is no activity; publish 1 to %d at once.", MaxPublication)
	case n > MaxPublication:
		return nil, fault.Limit("activities", MaxPublication, "There are %d activities; publish at most %d at once.", n, MaxPublication)
	}
	out := make([]checked, len(p.Activities))
	ids, keys := map[string]bool{}, map[string]bool{}
	withoutID := map[string]bool{}
	for i, a := range p.Activities {
		c := checker{index: i}
		out[i] = c.proposal(a)
		switch {
		case a.ID != "" && ids[a.ID]:
			c.invalid("id", "Two activities have the same id; publish each once.")
		case out[i].key != "" && (a.ID == "" && keys[out[i].key] || withoutID[out[i].key]):
			c.invalid("source.url", "Two activities have the same connection, address and kind, and would be one; make one of them, or give each an id.")
		}
		if c.err != nil {
			return nil, c.err
		}
		ids[a.ID], keys[out[i].key] = true, true
		withoutID[out[i].key] = withoutID[out[i].key] || a.ID == ""
	}
	return out, nil
}

// knownOf returns the networks of the connections when a proposal names one.
func (s *Service) knownOf(ctx context.Context, list []checked) (map[string]string, error) {
	if !slices.ContainsFunc(list, func(a checked) bool { return a.connectionID() != "" }) {
		return nil, nil
	}
	return s.known(ctx)
}

// digestOf identifies the content of a publication in its normal form.
func digestOf(list []checked) []byte {
	h := sha256.New()
	for _, p := range list {
		fmt.Fprintf(h, "%d %d %s%s", len(p.ID), len(p.doc), p.ID, p.doc)
	}
	return h.Sum(nil)
}

// findReceipt returns what a request was answered with, if it was, or
// request_conflict.
func findReceipt(tx *sqlite.Tx, requestID string, digest []byte) (r Receipt, ok bool, err error) {
	kept, ok, err := readReceipt(tx, requestID)
	if err != nil || !ok {
		return r, false, err
	}
	if string(kept.digest) != string(digest) {
		return r, false, fault.New(fault.RequestConflict, "The request id was used for other activities; make a new one for each publication.").With(fault.DetailField, "requestId")
	}
	if err := json.Unmarshal([]byte(kept.receipt), &r); err != nil {
		return r, false, fmt.Errorf("read the receipt of %s: %w", requestID, err)
	}
	return r, true, nil
}

// publishing is one publication under way.
type publishing struct {
	*change
	finder finder
	known  map[string]string
	// there are the ids and keys of the publication that activities have.
	there map[string]bool
	// taken are the activities that it writes.
	taken map[string]bool
	// created are the new ones; they are written together at the end.
	created []record
}

func (s *Service) publish(tx *sqlite.Tx, p Publication, list []checked, known map[string]string) (Receipt, error) {
	c, err := s.begin(tx)
	if err != nil {
		return Receipt{}, err
	}
	if p.ExpectedRevision != c.revision-1 {
		return Receipt{}, fault.Stale(c.revision-1, "The activities have changed, they are at revision %d; read them as they are now, and publish what is still right against that revision.", c.revision-1)
	}
	run := publishing{change: c, finder: finder{tx, map[string][]record{}}, known: known, taken: map[string]bool{}}
	if run.there, err = present(tx, list); err != nil {
		return Receipt{}, err
	}
	receipt := Receipt{RequestID: p.RequestID, Revision: c.revision, Activities: make([]Outcome, len(list))}
	for i, a := range list {
		if receipt.Activities[i], err = run.one(i, a); err != nil {
			return Receipt{}, err
		}
	}
	if err := run.insertCreated(); err != nil {
		return Receipt{}, err
	}
	return receipt, c.commit(ledger.Entry{
		Name: ledger.ActivityPublished, ResourceID: receipt.Activities[0].ID,
		Data: map[string]any{"count": len(list)},
	})
}

// one publishes one activity.
func (p *publishing) one(i int, a checked) (Outcome, error) {
	if err := p.checkConnection(i, a); err != nil {
		return Outcome{}, err
	}
	c := checker{index: i}
	if c.future(a.Source, moment(p.at)); c.err != nil {
		return Outcome{}, c.err
	}
	t, err := p.resolve(a)
	if err != nil {
		return Outcome{}, err
	}
	var o Outcome
	switch t.act {
	case keep:
		return Outcome{ID: t.id, Outcome: OutcomeKept, DismissedAt: timeOf(t.dismissedAt())}, nil
	case update:
		if p.taken[t.id] {
			c.invalid("id", "Two activities are about the same one; publish each once.")
			return Outcome{}, c.err
		}
		o, err = p.update(t.record, a)
	case create:
		o = p.create(t, a)
	}
	p.taken[o.ID] = true
	return o, err
}

// resolve finds what a proposal is about, see resolve. Most proposals are new,
// which is known without looking for each.
func (p *publishing) resolve(a checked) (target, error) {
	if !p.there["id "+a.ID] && !p.there["key "+a.key] {
		return target{newID: a.ID}, nil
	}
	return p.finder.resolve(a)
}

// checkConnection checks that the account of the source is connected.
func (p *publishing) checkConnection(i int, a checked) error {
	id := a.connectionID()
	if id == "" {
		return nil
	}
	c := checker{index: i, inside: "source."}
	network, ok := p.known[id]
	if !ok {
		return fault.Missing("connection", "The account of this activity is not connected; choose one that is, or leave it out.").
			With(fault.DetailField, c.field("connectionId"))
	}
	if n := a.Source.Network; n != "" && n != network {
		c.invalid("network", "The connection is an account of %q; leave the network out or name that one.", network)
	}
	return c.err
}

// create makes a new activity, behind a closed one or by itself.
func (p *publishing) create(t target, a checked) Outcome {
	r := record{
		id: cmp.Or(t.newID, p.newID("act")), proposal: a.Proposal, doc: a.doc, key: a.key, evidenceAt: a.newestEvidence(),
		decision: decision{Status: Proposed}, by: p.by,
		createdAt: p.at, proposedAt: p.at, confirmedAt: p.at, updatedAt: p.at,
		proposalRevision: p.revision, revision: p.revision,
	}
	if t.id != "" {
		r.root, r.dismissedBefore = t.first(), t.dismissedAt()
	}
	r.conversation = conversationOf(a.Proposal, a.canonical, r.id)
	p.created = append(p.created, r)
	return Outcome{ID: r.id, Outcome: OutcomeCreated}
}

// update stores a newer proposal in an open activity. The decision stays, but
// what the person snoozed until there is news wakes.
func (p *publishing) update(r record, a checked) (Outcome, error) {
	if r.doc == a.doc {
		return Outcome{ID: r.id, Outcome: OutcomeUnchanged}, confirm(p.tx, r.seq, p.at)
	}
	p.finder.forget(r.key, a.key)
	news := a.newestEvidence() > cmp.Or(r.evidenceAt, r.decision.At)
	r.proposal, r.doc, r.key, r.by = a.Proposal, a.doc, a.key, p.by
	r.evidenceAt = max(r.evidenceAt, a.newestEvidence())
	r.conversation = conversationOf(a.Proposal, a.canonical, r.id)
	r.proposedAt, r.confirmedAt, r.updatedAt = p.at, p.at, p.at
	r.proposalRevision, r.revision = p.revision, p.revision
	if err := p.record(r, row{what: whatUpdated, was: r.decision.Status}); err != nil {
		return Outcome{}, err
	}
	if news && r.decision.Status == Snoozed && r.decision.Wake {
		if err := p.wake(&r); err != nil {
			return Outcome{}, err
		}
	}
	return Outcome{ID: r.id, Outcome: OutcomeUpdated}, put(p.tx, r)
}
