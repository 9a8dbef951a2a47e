package activities

import (
	"context"
	"fmt"
	"strconv"
	"time"

	"personal-workspace/internal/fault"
	"personal-workspace/internal/sqlite"
)

// Decide makes one decision of the person about one or more activities: for all
// of them or, with a fault, for none. An activity that is so already stays as it
// is; when all are, nothing is committed.
//
// Accept says that the person means to do it. Snooze puts it off until a time,
// until new evidence, or whichever comes first; wait does the same for what is
// somebody else's turn, with or without a time. Done and dismiss close it, and
// reopen makes it as if nothing had been decided; edits stay in each case.
func (s *Service) Decide(ctx context.Context, d Decide) (res Result, err error) {
	if err := personOnly(ctx); err != nil {
		return res, err
	}
	if d, err = s.checkDecide(d); err != nil {
		return res, err
	}
	known, err := s.known(ctx)
	if err != nil {
		return res, err
	}
	err = s.db.Write(ctx, func(tx *sqlite.Tx) error {
		res, err = s.decideAll(tx, d, known)
		return err
	})
	if err != nil {
		return Result{}, err
	}
	return res, nil
}

func (s *Service) checkDecide(d Decide) (Decide, error) {
	if len(d.IDs) == 0 {
		return d, fault.Invalid("ids", "No activity is chosen; choose one or more.")
	}
	if len(d.IDs) > MaxBatch {
		return d, fault.Limit("ids", MaxBatch, "There are %d activities; decide about at most %d at once.", len(d.IDs), MaxBatch)
	}
	seen := map[string]bool{}
	for i, id := range d.IDs {
		if seen[id] {
			return d, fault.Invalid(fmt.Sprintf("ids[%d]", i), "An activity is chosen twice; choose each once.")
		}
		seen[id] = true
	}
	c := checker{index: -1}
	c.text("reason", &d.Reason, MaxReason)
	d.SnoozedUntil = c.date("snoozedUntil", d.SnoozedUntil)
	if c.err == nil {
		s.checkVerb(&c, d)
	}
	return d, c.err
}

func (s *Service) checkVerb(c *checker, d Decide) {
	switch d.Verb {
	case VerbSnooze, VerbWait:
		if d.SnoozedUntil == nil && !d.WakeOnActivity && d.Verb == VerbSnooze {
			c.invalid("snoozedUntil", "Say when it shall come back: at a time, or when there is something new.")
		}
		if d.SnoozedUntil != nil && !d.SnoozedUntil.After(s.now()) {
			c.invalid("snoozedUntil", "That time is over; choose one to come.")
		}
	case VerbAccept, VerbDismiss, VerbDone, VerbReopen:
	default:
		c.invalid("verb", "There is no such decision; accept, snooze, wait, dismiss, finish or reopen it.")
	}
}

func (s *Service) decideAll(tx *sqlite.Tx, d Decide, known map[string]string) (res Result, err error) {
	list, err := findMany(tx, d.IDs)
	if err != nil {
		return res, err
	}
	c, err := s.begin(tx)
	if err != nil {
		return res, err
	}
	res = Result{Revision: c.revision - 1, ChangeIDs: map[string]string{}}
	for i := range list {
		if err := c.decideOne(&list[i], d, &res); err != nil {
			return res, err
		}
		res.Activities = append(res.Activities, list[i].public(known))
	}
	if len(res.ChangeIDs) == 0 {
		return res, nil
	}
	res.Revision = c.revision
	return res, c.decided(string(d.Verb), d.IDs[0], len(res.ChangeIDs))
}

func (c *change) decideOne(r *record, d Decide, res *Result) error {
	if r.erased {
		return notFound()
	}
	next := d.next(*r)
	if next.same(r.decision) {
		return nil // also when it is the same click for the second time
	}
	if expected, ok := d.Expected[r.id]; ok && r.touchedRevision > expected {
		return stale(*r)
	}
	var seq int64
	var err error
	if d.Verb == VerbDismiss && r.decision.Status == Dismissed {
		seq, err = c.giveReason(r, next)
	} else {
		seq, err = c.decide(r, next, string(d.Verb))
	}
	res.ChangeIDs[r.id] = strconv.FormatInt(seq, 10)
	return err
}

// next is the decision after the verb.
func (d Decide) next(r record) decision {
	switch d.Verb {
	case VerbAccept:
		return r.decision.settle(Accepted)
	case VerbDone:
		return r.decision.settle(Done)
	case VerbDismiss:
		next := r.decision.settle(Dismissed)
		next.Reason = d.Reason
		return next
	case VerbReopen:
		if r.own {
			return r.decision.settle(Accepted)
		}
		return r.decision.settle(Proposed)
	}
	next := r.decision.settle(Snoozed)
	next.Until, next.Wake, next.Waiting = millis(d.SnoozedUntil), d.WakeOnActivity || d.Verb == VerbWait, d.Verb == VerbWait
	next.From = wakesTo(r)
	return next
}

// wakesTo is the status to which a snooze of the record ends.
func wakesTo(r record) Status {
	switch s := r.decision.Status; {
	case s == Snoozed:
		return r.decision.From
	case s == Accepted, r.own:
		return Accepted
	}
	return Proposed
}

// giveReason adds the reason to a dismissal that was made without, or another
// one. One undo takes back both.
func (c *change) giveReason(r *record, next decision) (int64, error) {
	last, ok, err := lastOf(c.tx, r.seq)
	if err != nil {
		return 0, err
	}
	was := r.decision
	if !ok || last.what != string(VerbDismiss) {
		return c.decide(r, next, string(VerbDismiss))
	}
	if err := markUndo(c.tx, last.seq, undoNever); err != nil {
		return 0, err
	}
	next.At, next.Revision = was.At, c.revision
	c.touch(r, next)
	if err := put(c.tx, *r); err != nil {
		return 0, err
	}
	return c.insert(*r, row{what: string(VerbDismiss), was: was.Status, before: last.before, after: &r.decision, undo: undoable})
}

// stale refuses a change that was made without knowing the newest one.
func stale(r record) error {
	return fault.Stale(r.revision, "The activity was decided or edited in the meantime; look at it as it is now and decide again.")
}

// wakeDue wakes what is due now, in one commit, at most a thousand.
func (s *Service) wakeDue(ctx context.Context) error {
	return s.db.Write(ctx, func(tx *sqlite.Tx) error {
		c, err := s.begin(tx)
		if err != nil {
			return err
		}
		list, err := listDue(tx, c.at)
		if err != nil || len(list) == 0 {
			return err
		}
		for i := range list {
			if err := c.wake(&list[i]); err != nil {
				return err
			}
			if err := put(tx, list[i]); err != nil {
				return err
			}
		}
		return c.decided("wake", list[0].id, len(list))
	})
}

// nextWake returns when the next snoozed activity wakes, nil for never.
func (s *Service) nextWake(ctx context.Context) (*time.Time, error) {
	list, err := sqlite.ReadQuery(ctx, s.db, sqlite.Int, nextWakeSQL)
	if err != nil || len(list) == 0 || list[0] == far {
		return nil, err
	}
	return timeOf(list[0]), nil
}
