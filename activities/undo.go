package activities

import (
	"context"
	"strconv"

	"personal-workspace/internal/fault"
	"personal-workspace/internal/sqlite"
)

// Undo takes back the person's last decision, edit or own activity that is not
// taken back yet, however long ago; of a batch, the whole. Called again, it goes
// back further. Without any it is not_found.
func (s *Service) Undo(ctx context.Context) (res Result, err error) {
	return s.undo(ctx, func(tx *sqlite.Tx) ([]row, error) {
		list, err := lastChanges(tx)
		if err == nil && len(list) == 0 {
			err = fault.Missing("change", "There is nothing to undo.")
		}
		return list, err
	})
}

// LastChange returns the id of what Undo would take back, one of them for a batch;
// "" for nothing. With UndoTogether a page takes back what it showed as the last,
// however often it is asked to.
func (s *Service) LastChange(ctx context.Context) (id string, err error) {
	list, err := sqlite.ReadQuery(ctx, s.db, sqlite.Int, lastSQL)
	if err != nil || len(list) == 0 {
		return "", err
	}
	return strconv.FormatInt(list[0], 10), nil
}

// UndoDecision takes back one change of the person by its id, see Change. It has
// to be the last one of its activity that is not taken back, else it is
// stale_revision. Taking back twice does no harm.
func (s *Service) UndoDecision(ctx context.Context, changeID string) (a Activity, err error) {
	res, err := s.undo(ctx, func(tx *sqlite.Tx) ([]row, error) {
		w, err := findChange(tx, changeID)
		if err == nil && w.undo == undoNever && w.before != nil {
			w, err = successor(tx, w)
		}
		return []row{w}, err
	})
	if err != nil {
		return a, err
	}
	return res.Activities[0], nil
}

// UndoTogether takes back all that was decided in one go with a change, by its id,
// in one commit. What was decided or edited again since stays as it is; when that
// is all of it, the fault is stale_revision. Taking back twice does no harm.
func (s *Service) UndoTogether(ctx context.Context, changeID string) (res Result, err error) {
	return s.undo(ctx, func(tx *sqlite.Tx) ([]row, error) {
		w, err := findChange(tx, changeID)
		if err != nil {
			return nil, err
		}
		list, err := listTogether(tx, w)
		if err != nil {
			return nil, err
		}
		return standing(tx, list)
	})
}

// standing leaves out the rows that a later change has made history.
func standing(tx *sqlite.Tx, list []row) (out []row, err error) {
	var later int64
	for _, w := range list {
		if w.undo == undoNever && w.before != nil {
			if w, err = successor(tx, w); err != nil {
				return nil, err
			}
		}
		if w.undo == undoNever {
			continue
		}
		n, err := laterChanges(tx, w.activitySeq, w.seq)
		if err != nil {
			return nil, err
		}
		if n == 0 {
			out = append(out, w)
		}
		later += n
	}
	switch {
	case len(out) > 0:
		return out, nil
	case later > 0:
		return nil, fault.Stale(list[0].revision, "Each of these was decided or edited again since; take back the later changes first.")
	}
	return nil, notUndoable()
}

func notUndoable() error {
	return fault.New(fault.Unsupported, "This change cannot be taken back; decide anew instead.").With(fault.DetailCapability, "undo")
}

// successor returns the row that took the place of a dismissal when its reason
// was given.
func successor(tx *sqlite.Tx, w row) (row, error) {
	last, ok, err := lastOf(tx, w.activitySeq)
	if err != nil || !ok || last.what != w.what {
		return w, err
	}
	return last, nil
}

// undo takes back the rows that choose finds.
func (s *Service) undo(ctx context.Context, choose func(*sqlite.Tx) ([]row, error)) (res Result, err error) {
	if err := personOnly(ctx); err != nil {
		return res, err
	}
	known, err := s.known(ctx)
	if err != nil {
		return res, err
	}
	err = s.db.Write(ctx, func(tx *sqlite.Tx) error {
		rows, err := choose(tx)
		if err != nil {
			return err
		}
		res, err = s.undoRows(tx, rows, known)
		return err
	})
	if err != nil {
		return Result{}, err
	}
	return res, nil
}

func (s *Service) undoRows(tx *sqlite.Tx, rows []row, known map[string]string) (res Result, err error) {
	c, err := s.begin(tx)
	if err != nil {
		return res, err
	}
	res = Result{Revision: c.revision - 1, ChangeIDs: map[string]string{}}
	for _, w := range rows {
		r, err := findLive(tx, w.activityID)
		if err != nil {
			return res, err
		}
		if w.undo != undone {
			if err := c.undoRow(&r, w); err != nil {
				return res, err
			}
			res.Undone++
		}
		res.ChangeIDs[r.id] = strconv.FormatInt(w.seq, 10)
		res.Activities = append(res.Activities, r.public(known))
	}
	if res.Undone == 0 {
		return res, nil
	}
	res.Revision = c.revision
	return res, c.decided("undo", rows[0].activityID, res.Undone)
}

func (c *change) undoRow(r *record, w row) error {
	if w.undo == undoNever || w.before == nil {
		return notUndoable()
	}
	later, err := laterChanges(c.tx, r.seq, w.seq)
	if err != nil {
		return err
	}
	if later > 0 {
		return fault.Stale(r.revision, "The activity was decided or edited again since; take back the later change first.")
	}
	was := r.decision.Status
	c.touch(r, *w.before)
	if err := put(c.tx, *r); err != nil {
		return err
	}
	if err := markUndo(c.tx, w.seq, undone); err != nil {
		return err
	}
	return c.record(*r, row{what: whatUndone, was: was})
}

// History returns the changes of an activity, newest first.
func (s *Service) History(ctx context.Context, id string) (list []Change, err error) {
	err = s.db.Read(ctx, func(tx *sqlite.Tx) error {
		rows, err := listHistory(tx, id)
		if err != nil {
			return err
		}
		if len(rows) == 0 {
			return notFound()
		}
		list = changes(rows)
		return nil
	})
	return list, err
}

// changes turns rows, newest first, into what a page shows.
func changes(rows []row) []Change {
	out := make([]Change, len(rows))
	next := true
	for i, w := range rows {
		out[i] = Change{
			ID: strconv.FormatInt(w.seq, 10), At: moment(w.at), Actor: w.by, What: w.what, From: w.was, To: w.became,
			Undone: w.undo == undone, Undoable: next && w.undo == undoable, Revision: w.revision,
		}
		if w.undo == undoable {
			next = false
		}
		if w.after != nil {
			out[i].Until, out[i].Reason, out[i].Waiting = timeOf(w.after.Until), w.after.Reason, w.after.Waiting
		}
	}
	return out
}
