package sns

import (
	"math"
	"slices"

	"personal-workspace/internal/sqlite"
)

// gapAfter returns what list[i] says of the place below it.
func (m *merge) gapAfter(i int) string {
	if i < len(m.list)-1 || m.next == "" || m.ranked {
		return ""
	}
	if m.fixed[i] {
		return m.known[m.list[i].id].gap
	}
	for j := i - 1; j >= 0; j-- {
		if m.fixed[j] {
			return m.inherit(m.known[m.list[j].id])
		}
	}
	switch {
	case m.anchor != nil:
		return m.inherit(*m.anchor)
	case m.follows && (m.head != "" || !m.empty):
		return m.head
	}
	return m.next
}

// inherit is the gap of a new last entry below p: where p was known to be
// followed by what is stored, the new entry is too.
func (m *merge) inherit(p place) string {
	if p.gap == "" && !m.bottom {
		return ""
	}
	return m.next
}

// write stores the new places, marks what the network removed, and drops what
// is over the limit.
func (m *merge) write(limit int) (changed bool, err error) {
	rows, added := m.rows()
	removed, err := m.markGone()
	if err != nil {
		return false, err
	}
	if err := m.closeGap(); err != nil {
		return false, err
	}
	if len(rows) > 0 {
		if err := m.upsert(rows); err != nil {
			return false, err
		}
	}
	if err := m.setLastGap(); err != nil {
		return false, err
	}
	trimmed := false
	if added {
		if trimmed, err = m.trim(limit); err != nil {
			return false, err
		}
	}
	complete := (m.complete || m.ends) && !trimmed
	if complete != m.complete {
		if _, err := m.tx.Exec("UPDATE timelines SET complete = ? WHERE id = ?", complete, m.id); err != nil {
			return false, err
		}
	}
	return len(rows) > 0 || removed > 0 || complete != m.complete, nil
}

// rows returns the entries to write as (id, position, post, wrap, gap), and
// whether one of them is new.
func (m *merge) rows() (rows [][5]any, added bool) {
	for i, e := range m.list {
		gap := m.gapAfter(i)
		p, ok := m.known[e.id]
		if ok && m.fixed[i] && !p.gone && p.wrap == e.wrap && p.gap == gap {
			continue
		}
		added = added || !ok
		rows = append(rows, [5]any{e.id, m.at[i], e.seq, e.wrap, gap})
	}
	return rows, added
}

// closeGap lets the entry above an older page know what follows it. A page
// without anything new moves the gap's continuation on.
func (m *merge) closeGap() error {
	if m.anchor == nil || m.anchor.gap == "" {
		return nil
	}
	gap := ""
	if len(m.list) == 0 {
		gap = m.next
	}
	_, err := m.tx.Exec("UPDATE timeline_entries SET gap = nullif(?, '') WHERE timeline_id = ? AND position = ?",
		gap, m.id, m.anchor.position)
	return err
}

// setLastGap moves the one gap of a ranked timeline to its end.
func (m *merge) setLastGap() error {
	if !m.ranked {
		return nil
	}
	if _, err := m.tx.Exec("UPDATE timeline_entries SET gap = NULL WHERE timeline_id = ? AND gap IS NOT NULL", m.id); err != nil {
		return err
	}
	_, err := m.tx.Exec(`UPDATE timeline_entries SET gap = nullif(?2, '') WHERE timeline_id = ?1
		AND position = (SELECT position FROM timeline_entries WHERE timeline_id = ?1 ORDER BY position LIMIT 1)`, m.id, m.next)
	return err
}

func (m *merge) upsert(rows [][5]any) error {
	_, err := m.tx.Exec(`INSERT INTO timeline_entries (timeline_id, entry_id, position, post_seq, wrap, gap)
		SELECT ?1, value ->> 0, value ->> 1, value ->> 2, value ->> 3, nullif(value ->> 4, '') FROM json_each(?2) WHERE true
		ON CONFLICT (timeline_id, entry_id) DO UPDATE
		SET position = excluded.position, post_seq = excluded.post_seq, wrap = excluded.wrap, gap = excluded.gap, gone = 0`,
		m.id, jsonText(rows))
	return err
}

// markGone marks entries that stand within the page's reach but are not in it.
func (m *merge) markGone() (int64, error) {
	upper, lower, ok := m.reach()
	if !ok {
		return 0, nil
	}
	ids := make([]string, len(m.list))
	for i, e := range m.list {
		ids[i] = e.id
	}
	return m.tx.Exec(`UPDATE timeline_entries SET gone = 1
		WHERE timeline_id = ? AND position < ? AND position > ? AND gone = 0
		AND entry_id NOT IN (SELECT value FROM json_each(?))`, m.id, upper, lower, jsonText(ids))
}

// reach returns the positions between which the page is all there is.
func (m *merge) reach() (upper, lower int64, ok bool) {
	first := slices.Index(m.fixed, true)
	last := len(m.fixed) - 1
	for last >= 0 && !m.fixed[last] {
		last--
	}
	if !m.whole || !m.kind.keepsOrder() {
		return 0, 0, false
	}
	ends := m.next == "" && m.kind.endsExactly()
	switch {
	case m.newest && (m.kind.onlyGrows() || ends):
		upper = math.MaxInt64
	case m.anchor != nil:
		upper = m.anchor.position
	case first >= 0:
		upper = m.at[first]
	default:
		return 0, 0, false
	}
	if ends {
		return upper, math.MinInt64, true
	}
	if last < 0 {
		return 0, 0, false
	}
	return upper, m.at[last], true
}

// trim keeps the newest limit entries and reports whether there were more.
func (m *merge) trim(limit int) (bool, error) {
	over, err := sqlite.One(m.tx, sqlite.Int,
		"SELECT position FROM timeline_entries WHERE timeline_id = ? ORDER BY position DESC LIMIT 1 OFFSET ?", m.id, limit)
	if sqlite.IsNoRows(err) {
		return false, nil
	}
	if err != nil {
		return false, err
	}
	n, err := m.tx.Exec("DELETE FROM timeline_entries WHERE timeline_id = ? AND position <= ?", m.id, over)
	return n > 0, err
}

// keepsOrder reports whether the network shows a source of the kind in an order
// that does not change between two looks.
func (k Kind) keepsOrder() bool {
	switch k {
	case KindSearch, KindForYou, KindThread, KindPost:
		return false
	}
	return true
}

// onlyGrows reports whether entries of the kind enter at the top and never move.
func (k Kind) onlyGrows() bool {
	switch k {
	case KindHome, KindLocal, KindFederated, KindHashtag, KindList, KindUser, KindNotifications:
		return true
	}
	return false
}

// endsExactly reports whether a page without a continuation proves that nothing
// older is there: for what the person sets. Other timelines end where the server
// stops keeping them.
func (k Kind) endsExactly() bool { return k == KindBookmarks || k == KindFavourites }
