package sns

import (
	"context"
	"strconv"
	"strings"

	"personal-workspace/internal/fault"
	"personal-workspace/internal/sqlite"
)

// mark names the place of an entry beyond its timeline: that may be another one
// when the mark is used.
func (t timeline) mark(e storedEntry) string {
	return strconv.FormatInt(t.id, 36) + ":" + before{e.position, e.id}.String()
}

// parseMark returns the place that a mark names in the timeline.
func (t timeline) parseMark(mark string) (b before, ok bool) {
	id, place, _ := strings.Cut(mark, ":")
	if id != strconv.FormatInt(t.id, 36) || place == "" {
		return b, false
	}
	b, err := parseBefore(place)
	return b, err == nil
}

// CountNewer returns for each source how many of its stored posts stand above the
// mark of the same index, at most most. It is 0 for a mark of another source, for
// none, and for a source of which nothing is stored.
func (s *Service) CountNewer(ctx context.Context, refs []ColumnRef, marks []string, most int) (counts []int, err error) {
	counts = make([]int, len(refs))
	err = s.db.Read(ctx, func(tx *sqlite.Tx) error {
		for i, r := range refs {
			n, err := countNewer(tx, r, marks[i], most)
			if err != nil {
				return err
			}
			counts[i] = int(n)
		}
		return nil
	})
	return counts, err
}

func countNewer(tx *sqlite.Tx, r ColumnRef, mark string, most int) (int64, error) {
	if mark == "" {
		return 0, nil
	}
	t, err := findTimeline(tx, r.ConnectionID, r.Source)
	if sqlite.IsNoRows(err) || fault.CodeOf(err) == fault.NotFound {
		return 0, nil
	}
	if err != nil {
		return 0, err
	}
	b, ok := t.parseMark(mark)
	if !ok {
		return 0, nil
	}
	return countAbove(tx, t, b, most)
}
