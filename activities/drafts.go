package activities

import (
	"cmp"
	"context"
	"time"

	"personal-workspace/internal/fault"
	"personal-workspace/internal/sqlite"
)

// maxDraft is the most bytes of a draft. It may be longer than what can be saved:
// what is typed is kept and the person is told then.
const maxDraft = 128 << 10

// SaveDraft keeps what the person is typing, as it is, until it is saved or
// discarded. It is no change: it moves no revision and wakes no page. What says
// the same as the activity is not kept; that is how a draft ends that arrives
// behind the saving of its own text. kept reports whether anything was.
func (s *Service) SaveDraft(ctx context.Context, id string, d Draft) (kept bool, err error) {
	if err := personOnly(ctx); err != nil {
		return false, err
	}
	size := 0
	for _, t := range []*string{d.Title, d.Body, d.Due} {
		if t != nil {
			size += len(*t)
		}
	}
	if size > maxDraft {
		return false, fault.Limit("body", maxDraft, "The text has %d bytes; at most %d are kept while typing. Shorten it.", size, maxDraft)
	}
	err = s.db.Write(ctx, func(tx *sqlite.Tx) error {
		r, err := findLive(tx, id)
		if err != nil {
			return err
		}
		d := d.over(r)
		if kept = d.Title != nil || d.Body != nil || d.Due != nil; !kept {
			return deleteDraft(tx, r.seq)
		}
		return putDraft(tx, r.seq, d, s.now().UnixMilli())
	})
	return kept && err == nil, err
}

// over is the draft without what says the same as the record.
func (d Draft) over(r record) Draft {
	title, body, due := effective(r.proposal, r.decision.edits())
	written := ""
	if due != nil {
		written = due.In(cmp.Or(d.Zone, time.UTC)).Format(LocalLayout)
	}
	for _, m := range []struct {
		typed **string
		is    string
	}{{&d.Title, title}, {&d.Body, body}, {&d.Due, written}} {
		if *m.typed != nil && **m.typed == m.is {
			*m.typed = nil
		}
	}
	return d
}

// Draft returns what the person was typing about an activity, and whether there
// is something.
func (s *Service) Draft(ctx context.Context, id string) (Draft, bool, error) {
	list, err := sqlite.ReadQuery(ctx, s.db, scanDraft, findDraftSQL, id)
	if err != nil || len(list) == 0 {
		return Draft{}, false, err
	}
	return list[0], true, nil
}

// DiscardDraft forgets what the person was typing about an activity.
func (s *Service) DiscardDraft(ctx context.Context, id string) error {
	if err := personOnly(ctx); err != nil {
		return err
	}
	return s.db.Write(ctx, func(tx *sqlite.Tx) error {
		r, err := find(tx, id)
		if err != nil {
			return err
		}
		return deleteDraft(tx, r.seq)
	})
}
