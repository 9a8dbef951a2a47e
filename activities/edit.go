package activities

import (
	"cmp"
	"context"
	"reflect"

	"personal-workspace/internal/fault"
	"personal-workspace/internal/sqlite"
)

// Edit saves the person's words over the proposal's and forgets their draft. A
// member equal to the proposal's is no edit any more, so that the next
// suggestion shows again. What changes nothing commits nothing.
func (s *Service) Edit(ctx context.Context, e Edit) (a Activity, err error) {
	if err := personOnly(ctx); err != nil {
		return a, err
	}
	c := checker{index: -1}
	e = c.edit(e)
	if c.err != nil {
		return a, c.err
	}
	return s.writeOne(ctx, func(tx *sqlite.Tx) (record, error) { return s.edit(tx, e) })
}

// writeOne changes or makes one activity and returns it as it is then.
func (s *Service) writeOne(ctx context.Context, write func(*sqlite.Tx) (record, error)) (Activity, error) {
	known, err := s.known(ctx)
	if err != nil {
		return Activity{}, err
	}
	var r record
	err = s.db.Write(ctx, func(tx *sqlite.Tx) (err error) {
		r, err = write(tx)
		return err
	})
	if err != nil {
		return Activity{}, err
	}
	return r.public(known), nil
}

func (c *checker) edit(e Edit) Edit {
	if e.Title != nil {
		title := *e.Title
		c.title(&title)
		e.Title = &title
	}
	if e.Body != nil {
		body := *e.Body
		c.text("body", &body, MaxBody)
		e.Body = &body
	}
	if e.DueAt != nil {
		e.DueAt = &Due{At: c.date("dueAt", e.DueAt.At)}
	}
	return e
}

func (s *Service) edit(tx *sqlite.Tx, e Edit) (record, error) {
	r, err := findLive(tx, e.ID)
	if err != nil {
		return r, err
	}
	c, err := s.begin(tx)
	if err != nil {
		return r, err
	}
	next := e.next(r)
	next.Edited = min(cmp.Or(e.BaseRevision, c.revision), c.revision)
	keeps := e.Keep && r.suggestionChanged() && next.Edited >= r.proposalRevision
	if next.same(r.decision) && !keeps {
		return r, deleteDraft(tx, r.seq) // also when it is the same click for the second time
	}
	if e.BaseRevision != 0 && r.touchedRevision > e.BaseRevision {
		return r, stale(r)
	}
	if err := deleteDraft(tx, r.seq); err != nil {
		return r, err
	}
	if _, err := c.decide(&r, next, whatEdited); err != nil {
		return r, err
	}
	return r, c.decided("edit", r.id, 1)
}

// findLive finds a record that is not erased.
func findLive(tx *sqlite.Tx, id string) (record, error) {
	r, err := find(tx, id)
	if err == nil && r.erased {
		err = notFound()
	}
	return r, err
}

// next is the decision after the edit.
func (e Edit) next(r record) decision {
	d, p := r.decision, r.proposal
	if e.Title != nil {
		d.Title = unless(e.Title, p.Title)
	}
	if e.Body != nil {
		d.Body = unless(e.Body, p.Body)
	}
	if e.DueAt != nil {
		d.Due, d.NoDue = millis(e.DueAt.At), e.DueAt.At == nil
		if millis(p.DueAt) == d.Due {
			d.Due, d.NoDue = 0, false
		}
	}
	return d
}

// unless is an edit, or nil when it says what is proposed.
func unless(edit *string, proposed string) *string {
	if *edit == proposed {
		return nil
	}
	return edit
}

// Create makes an activity of the person's own. It starts accepted, and no
// assistant can change it.
func (s *Service) Create(ctx context.Context, o Own) (a Activity, err error) {
	if err := personOnly(ctx); err != nil {
		return a, err
	}
	c := checker{index: -1}
	p := c.proposal(Proposal{ID: o.ID, Kind: KindTask, Title: o.Title, Body: o.Body, DueAt: o.DueAt, Source: o.Source})
	if c.err != nil {
		return a, c.err
	}
	return s.writeOne(ctx, func(tx *sqlite.Tx) (record, error) {
		r, _, err := s.create(tx, p)
		return r, err
	})
}

// create stores an activity of the person's and returns it with its row of the
// history; 0 when it was there.
func (s *Service) create(tx *sqlite.Tx, p checked) (r record, changeID int64, err error) {
	if p.ID == "" {
		p.ID = s.newID("act")
	}
	switch was, ok, err := findOrNone(tx, p.ID); {
	case err != nil:
		return was, 0, err
	case ok && was.own && reflect.DeepEqual(was.doc, p.doc):
		return was, 0, nil
	case ok:
		return was, 0, fault.New(fault.RequestConflict, "There is another activity of this id; use another id.").With(fault.DetailField, "id")
	}
	c, err := s.begin(tx)
	if err != nil {
		return r, 0, err
	}
	list := []record{c.own(p)}
	if err := insertRecords(tx, list); err != nil {
		return r, 0, err
	}
	r = list[0]
	before := r.decision.settle(Dismissed)
	changeID, err = c.insert(r, row{what: whatCreated, was: Dismissed, before: &before, after: &r.decision, undo: undoable})
	if err != nil {
		return r, 0, err
	}
	return r, changeID, c.decided("create", r.id, 1)
}

// own is a new activity of the person's.
func (c *change) own(p checked) record {
	r := record{
		id: p.ID, own: true, proposal: p.Proposal, doc: p.doc, key: p.key, evidenceAt: p.newestEvidence(), by: c.by,
		decision:  decision{Status: Accepted, At: c.at, Revision: c.revision},
		createdAt: c.at, proposedAt: c.at, confirmedAt: c.at, updatedAt: c.at,
		proposalRevision: c.revision, touchedRevision: c.revision, revision: c.revision,
	}
	r.proposal.ID = ""
	return r
}

// Erase removes the text of an activity for good: the proposal, the edits, the
// draft and the history's. Its id and the hash of its key stay, so that an
// assistant that proposes it again is refused.
func (s *Service) Erase(ctx context.Context, id string) error {
	if err := personOnly(ctx); err != nil {
		return err
	}
	err := s.db.Write(ctx, func(tx *sqlite.Tx) error {
		r, err := find(tx, id)
		if err != nil || r.erased {
			return err
		}
		c, err := s.begin(tx)
		if err != nil {
			return err
		}
		if err := c.erase(r); err != nil {
			return err
		}
		return c.decided("erase", id, 1)
	})
	if err == nil {
		s.erased.Store(true)
		s.forget(context.WithoutCancel(ctx))
	}
	return err
}

// forget removes what was erased from the database's log too. Where that must
// wait, Run tries again.
func (s *Service) forget(ctx context.Context) {
	if !s.erased.CompareAndSwap(true, false) {
		return
	}
	if err := s.db.EmptyLog(ctx); err != nil {
		s.erased.Store(true)
		s.warn(ctx, "erased texts are in the database's log for a while yet", err)
	}
}

func (c *change) erase(r record) error {
	was := r.decision.Status
	k := checker{index: -1}
	r.erased, r.proposal, r.conversation = true, Proposal{Kind: r.proposal.Kind}, ""
	r.doc = k.encode(r.proposal)
	c.touch(&r, decision{Status: was, At: c.at, Revision: c.revision})
	if err := put(c.tx, r); err != nil {
		return err
	}
	if err := deleteDraft(c.tx, r.seq); err != nil {
		return err
	}
	if err := eraseHistory(c.tx, r.seq); err != nil {
		return err
	}
	return c.record(r, row{what: whatErased, was: was})
}
