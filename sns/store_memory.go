package sns

import (
	"context"
	"time"

	"personal-workspace/internal/sqlite"
)

// noteLife is how long a note is kept: longer than any limit it tells of.
const noteLife = 2 * time.Hour

// memory is the Memory of one profile. It belongs to the profile and not to a
// connection, which may be removed and added again.
type memory struct {
	s               *Service
	network         Network
	origin, profile string
}

type note struct{ name, text string }

func scanNote(r sqlite.Row) (n note, err error) {
	err = r.Scan(&n.name, &n.text)
	return n, err
}

// Recall implements Memory.
func (m memory) Recall(ctx context.Context) (notes map[string]string, err error) {
	notes = map[string]string{}
	err = m.s.db.Read(ctx, func(tx *sqlite.Tx) error {
		list, err := sqlite.Query(tx, scanNote, `SELECT name, note FROM profile_notes
			WHERE network = ? AND origin = ? AND profile = ? AND updated_at > ?`,
			m.network, m.origin, m.profile, m.s.now().Add(-noteLife).UnixMilli())
		for _, n := range list {
			notes[n.name] = n.text
		}
		return err
	})
	return notes, err
}

// Remember implements Memory.
func (m memory) Remember(ctx context.Context, name, text string) error {
	return m.s.db.Write(ctx, func(tx *sqlite.Tx) error {
		_, err := tx.Exec(`INSERT INTO profile_notes (network, origin, profile, name, note, updated_at) VALUES (?, ?, ?, ?, ?, ?)
			ON CONFLICT (network, origin, profile, name) DO UPDATE SET note = excluded.note, updated_at = excluded.updated_at`,
			m.network, m.origin, m.profile, name, text, m.s.now().UnixMilli())
		return err
	})
}

// forgetNotes removes the notes that are too old to tell anything.
func forgetNotes(tx *sqlite.Tx, now time.Time) error {
	_, err := tx.Exec("DELETE FROM profile_notes WHERE updated_at <= ?", now.Add(-noteLife).UnixMilli())
	return err
}
