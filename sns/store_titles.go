package sns

import (
	"context"
	"time"

	"personal-workspace/internal/sqlite"
)

// titleDue reports whether a list's title should be asked for.
func (s *Service) titleDue(ctx context.Context, c Connection, src Source, now time.Time) (due bool, err error) {
	err = s.db.Read(ctx, func(tx *sqlite.Tx) error {
		t, err := findTimeline(tx, c.ID, src)
		if sqlite.IsNoRows(err) {
			err = nil
		}
		at := fromMilli(t.titleDue)
		due = !now.Before(at) || at.After(now.Add(titleAge+maxAhead)) // from a clock that was ahead
		return err
	})
	return due, err
}

// saveTitles stores the titles of an account's lists with the timelines that
// read them, and when to ask again. Timelines of other lists keep what they have.
func (s *Service) saveTitles(ctx context.Context, c Connection, lists []List, next time.Time) error {
	rows := make([][2]string, len(lists))
	for i, l := range lists {
		rows[i] = [2]string{Source{Kind: KindList, ListID: l.ID}.Hash(), l.Title}
	}
	return s.db.Write(ctx, func(tx *sqlite.Tx) error {
		renamed, err := tx.Exec(`UPDATE timelines SET title = j.value ->> 1 FROM json_each(?) AS j
			WHERE connection_id = ? AND source_hash = j.value ->> 0 AND title <> j.value ->> 1`, jsonText(rows), c.ID)
		if err != nil {
			return err
		}
		if renamed > 0 {
			tx.AfterCommit(s.ledger.Wake)
		}
		_, err = tx.Exec(`UPDATE timelines SET title_due = ? FROM json_each(?) AS j
			WHERE connection_id = ? AND source_hash = j.value ->> 0`, next.UnixMilli(), jsonText(rows), c.ID)
		return err
	})
}

// saveTitle stores one list's title, "" for one that is not known now, and when
// to ask again.
func (s *Service) saveTitle(ctx context.Context, c Connection, src Source, title string, next time.Time) error {
	return s.db.Write(ctx, func(tx *sqlite.Tx) error {
		t, err := openTimeline(tx, c, src, s.now())
		if err != nil {
			return err
		}
		if title == "" {
			title = t.title
		}
		if title != t.title {
			tx.AfterCommit(s.ledger.Wake)
		}
		_, err = tx.Exec("UPDATE timelines SET title = ?, title_due = ? WHERE id = ?", title, next.UnixMilli(), t.id)
		return err
	})
}
