package activities

import "personal-workspace/internal/sqlite"

const findDraftSQL = `SELECT d.title, d.body, d.due, d.base_revision, d.saved_at
	FROM activities a CROSS JOIN activity_drafts d ON d.activity_seq = a.seq WHERE a.id = ?`

func scanDraft(r sqlite.Row) (d Draft, err error) {
	var at int64
	err = r.Scan(&d.Title, &d.Body, &d.Due, &d.BaseRevision, &at)
	d.SavedAt = moment(at)
	return d, err
}

func putDraft(tx *sqlite.Tx, activitySeq int64, d Draft, at int64) error {
	_, err := tx.Exec(`INSERT INTO activity_drafts (activity_seq, title, body, due, base_revision, saved_at)
		VALUES (?, ?, ?, ?, ?, ?)
		ON CONFLICT (activity_seq) DO UPDATE SET
			title = excluded.title, body = excluded.body, due = excluded.due,
			base_revision = excluded.base_revision, saved_at = excluded.saved_at`,
		activitySeq, d.Title, d.Body, d.Due, d.BaseRevision, at)
	return err
}

func deleteDraft(tx *sqlite.Tx, activitySeq int64) error {
	_, err := tx.Exec("DELETE FROM activity_drafts WHERE activity_seq = ?", activitySeq)
	return err
}
