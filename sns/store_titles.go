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
	rows, sources := make([][2]string, len(lists)), map[string]Source{}
	for i, l := range lists {
		src := Source{Kind: KindList, ListID: l.ID}
		rows[i] = [2]string{src.Hash(), l.Title}
		sources[src.Hash()] = src
	}
	return s.db.Write(ctx, func(tx *sqlite.Tx) error {
		renamed, err := sqlite.Query(tx, sqlite.String, `UPDATE timelines SET title = j.value ->> 1 FROM json_each(?) AS j
			WHERE connection_id = ? AND source_hash = j.value ->> 0 AND title <> j.value ->> 1
			RETURNING source_hash`, jsonText(rows), c.ID)
		if err != nil {
			return err
		}
		for _, hash := range renamed {
			s.tellTitle(tx, c, sources[hash])
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
			s.tellTitle(tx, c, src)
		}
		_, err = tx.Exec("UPDATE timelines SET title = ?, title_due = ? WHERE id = ?", title, next.UnixMilli(), t.id)
		return err
	})
}

// tellTitle tells who watches a list, or waits for any change, that it has another
// name once the transaction is committed.
func (s *Service) tellTitle(tx *sqlite.Tx, c Connection, src Source) {
	s.tell(tx, c, src)
	tx.AfterCommit(s.ledger.Wake)
}
