package web

import (
	"context"
	"fmt"

	"personal-workspace/internal/sqlite"
)

// findPreferences returns what is stored, or the defaults.
func (s store) findPreferences(ctx context.Context) (preferences, error) {
	list, err := sqlite.ReadQuery(ctx, s.db, scanPreferences,
		`SELECT time_zone, warnings_open, media_at_once, counts_hidden, keys_off, snooze_morning, snooze_evening, sample_closed FROM preferences`)
	if err != nil {
		return preferences{}, fmt.Errorf("read the preferences: %w", err)
	}
	if len(list) == 0 {
		return preferences{}, nil
	}
	return list[0], nil
}

func scanPreferences(r sqlite.Row) (p preferences, err error) {
	err = r.Scan(&p.TimeZone, &p.WarningsOpen, &p.MediaAtOnce, &p.CountsHidden, &p.KeysOff, &p.Snooze.Morning, &p.Snooze.Evening, &p.SampleClosed)
	return p, err
}

// changePreferences stores what change makes of the present preferences.
func (s store) changePreferences(ctx context.Context, change func(*preferences)) error {
	err := s.db.Write(ctx, func(tx *sqlite.Tx) error {
		p, err := sqlite.One(tx, scanPreferences,
			`SELECT time_zone, warnings_open, media_at_once, counts_hidden, keys_off, snooze_morning, snooze_evening, sample_closed FROM preferences`)
		if err != nil && !sqlite.IsNoRows(err) {
			return err
		}
		change(&p)
		_, err = tx.Exec(`INSERT INTO preferences (id, time_zone, warnings_open, media_at_once, counts_hidden, keys_off, snooze_morning, snooze_evening, sample_closed)
			VALUES (1, ?, ?, ?, ?, ?, ?, ?, ?)
			ON CONFLICT (id) DO UPDATE SET time_zone = excluded.time_zone, warnings_open = excluded.warnings_open,
				media_at_once = excluded.media_at_once, counts_hidden = excluded.counts_hidden, keys_off = excluded.keys_off,
				snooze_morning = excluded.snooze_morning, snooze_evening = excluded.snooze_evening, sample_closed = excluded.sample_closed`,
			p.TimeZone, p.WarningsOpen, p.MediaAtOnce, p.CountsHidden, p.KeysOff, p.Snooze.Morning, p.Snooze.Evening, p.SampleClosed)
		return err
	})
	if err != nil {
		return fmt.Errorf("store the preferences: %w", err)
	}
	return nil
}
