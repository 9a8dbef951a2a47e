package sns

import (
	"errors"
	"math"
	"slices"

	"personal-workspace/internal/sqlite"
)

// How a page takes its place in a stored timeline.
//
// The network's order counts, not times or ids: ids of several networks cannot
// be compared, a boost is newer than the post it shows, and bookmarks stand in
// the order in which they were set. So every entry has a position, and a page
// is laid over what is stored: entries that are there already and still in
// order keep their positions, new ones get positions between their neighbours
// in the page. A newest page begins above all that is stored; an older page
// begins right below the entry it follows.
//
// A newest page that meets nothing stored, nor what the network sent the last
// time, leaves a gap below itself: its last entry remembers the network's
// continuation until an older page has closed the gap. An entry that stands
// between two entries of a page without being in it was removed at the network; it
// is marked, not deleted. One that was removed together with a whole page's worth
// of its neighbours is not noticed.
//
// A source that is ranked has no order in which something could be missing: its
// one gap is below all that is stored, with the continuation of the last page.
const (
	// stride is the distance between entries that arrive in order.
	stride = 1 << 20
	// gapStride leaves room for a million entries between a page and what is
	// stored below it.
	gapStride = 1 << 40
)

// errNoRoom says that positions must be spread anew.
var errNoRoom = errors.New("no room between two positions")

// place is a stored entry as a merge sees it.
type place struct {
	id       string
	position int64
	post     int64
	wrap     string
	gap      string
	gone     bool
}

func scanPlace(r sqlite.Row) (p place, err error) {
	err = r.Scan(&p.id, &p.position, &p.post, &p.wrap, &p.gap, &p.gone)
	return p, err
}

// merge lays one page over one stored timeline.
type merge struct {
	tx   *sqlite.Tx
	id   int64
	kind Kind
	// ranked: see Source.ranked.
	ranked bool
	// newest: the timeline begins with the page.
	newest bool
	after  string
	next   string
	// whole: the network left nothing out of the page. ends: there is nothing
	// below it.
	whole, ends bool
	// complete: the end of the timeline is known and stored.
	complete bool
	// follows: the page reaches down to the newest page before, and head is where
	// reading goes on below that, "" where nothing is missing.
	follows bool
	head    string
	list    []entry

	known  map[string]place
	anchor *place
	// top is the greatest position; empty means there is none.
	top   int64
	empty bool
	// fixed[i]: list[i] keeps its position. at[i] is its position then or after
	// placing; bottom says that nothing is stored below it.
	fixed  []bool
	at     []int64
	bottom bool
}

// whole reports whether the network left nothing out of the page. The hashtags of X
// are searches, which show now these and now those of the posts.
func (p upstreamPage) whole() bool {
	return !p.page.Partial && p.page.Skipped == 0 && !(p.conn.Network == Twitter && p.src.Kind == KindHashtag)
}

// merge places the entries in the timeline and reports whether anything moved.
func (s *Service) merge(tx *sqlite.Tx, t timeline, p upstreamPage) (changed bool, err error) {
	m := &merge{
		tx: tx, id: t.id, kind: p.src.Kind, ranked: p.src.ranked(), newest: t.begins(p), after: p.after, next: p.page.Next,
		whole: p.whole(), ends: !p.page.Partial && p.page.Next == "",
		complete: t.complete, follows: t.follows(p), head: t.head, list: p.list,
	}
	if p.upstream == "" && !m.newest {
		return false, nil // a newer answer overtook this one
	}
	err = m.lay()
	if errors.Is(err, errNoRoom) {
		if err = m.respread(); err == nil {
			err = m.lay()
		}
	}
	if err != nil || !m.connected() {
		return false, err
	}
	return m.write(s.limits.entries)
}

// lay finds the position of every entry.
func (m *merge) lay() error {
	if err := m.load(); err != nil {
		return err
	}
	m.fix()
	if !m.connected() {
		return nil
	}
	if err := m.leaveGaps(); err != nil {
		return err
	}
	return m.placeAll()
}

// leaveGaps hands the gap below an entry that moves away to the entry above it.
func (m *merge) leaveGaps() error {
	if m.ranked {
		return nil
	}
	for i, e := range m.list {
		p, ok := m.known[e.id]
		if !ok || m.fixed[i] || p.gap == "" {
			continue
		}
		above, err := m.stayingAbove(p.position)
		if sqlite.IsNoRows(err) || err == nil && above.gap != "" {
			continue
		}
		if err != nil {
			return err
		}
		if _, err := m.tx.Exec("UPDATE timeline_entries SET gap = ? WHERE timeline_id = ? AND position = ?",
			p.gap, m.id, above.position); err != nil {
			return err
		}
		above.gap = p.gap
		if _, ok := m.known[above.id]; ok {
			m.known[above.id] = above
		}
	}
	return nil
}

// stayingAbove is the next entry above a position that does not move itself.
func (m *merge) stayingAbove(position int64) (place, error) {
	for {
		p, err := sqlite.One(m.tx, scanPlace, `SELECT entry_id, position, post_seq, wrap, coalesce(gap, ''), gone
			FROM timeline_entries WHERE timeline_id = ? AND position > ? ORDER BY position LIMIT 1`, m.id, position)
		if err != nil {
			return p, err
		}
		i := slices.IndexFunc(m.list, func(e entry) bool { return e.id == p.id })
		if i < 0 || m.fixed[i] {
			return p, nil
		}
		position = p.position
	}
}

// load reads what is stored of the page's entries and around them.
func (m *merge) load() error {
	ids := make([]string, len(m.list))
	for i, e := range m.list {
		ids[i] = e.id
	}
	found, err := sqlite.Query(m.tx, scanPlace, `SELECT entry_id, position, post_seq, wrap, coalesce(gap, ''), gone
		FROM timeline_entries WHERE timeline_id = ? AND entry_id IN (SELECT value FROM json_each(?))`,
		m.id, jsonText(append(ids, m.after)))
	if err != nil {
		return err
	}
	m.known, m.anchor = map[string]place{}, nil
	for _, p := range found {
		m.known[p.id] = p
	}
	if a, ok := m.known[m.after]; ok && !m.newest {
		m.anchor = &a
		m.dropAbove(a)
	}
	m.top, err = sqlite.One(m.tx, sqlite.Int,
		"SELECT position FROM timeline_entries WHERE timeline_id = ? ORDER BY position DESC LIMIT 1", m.id)
	if m.empty = sqlite.IsNoRows(err); m.empty {
		err = nil
	}
	return err
}

// dropAbove leaves out entries that stand at or above the one the page follows:
// the network repeats itself.
func (m *merge) dropAbove(a place) {
	m.list = slices.DeleteFunc(slices.Clone(m.list), func(e entry) bool {
		p, ok := m.known[e.id]
		return ok && p.position >= a.position
	})
}

// connected reports whether the page has a place: an older page that follows
// and holds nothing that is stored has none.
func (m *merge) connected() bool {
	return m.newest || m.anchor != nil || slices.Contains(m.fixed, true)
}

// fix chooses the entries that keep their positions. An entry that shows another
// post than before, a conversation with a new answer, has moved.
func (m *merge) fix() {
	n := len(m.list)
	m.fixed, m.at = make([]bool, n), make([]int64, n)
	stays := make([]bool, n)
	for i, e := range m.list {
		p, ok := m.known[e.id]
		m.at[i], stays[i] = p.position, ok && p.post == e.seq
	}
	if m.kind.onlyGrows() {
		m.fixChain(stays)
	} else {
		m.fixHighest(stays)
	}
}

// fixHighest is for timelines whose entries move, always to the top: what stands
// above an entry that was stored above it has moved.
func (m *merge) fixHighest(stays []bool) {
	highest := int64(math.MinInt64)
	for i := len(m.list) - 1; i >= 0; i-- {
		if m.fixed[i] = stays[i] && m.at[i] > highest; m.fixed[i] {
			highest = m.at[i]
		}
	}
}

// fixChain is for timelines whose entries do not move: an answer out of order is
// the network's mistake, and the longest part of the page that is stored in the
// page's order stays.
func (m *merge) fixChain(stays []bool) {
	n := len(m.list)
	length, follow := make([]int, n+1), make([]int, n)
	start := n // the place before the chain: length[n] is 0
	for i := n - 1; i >= 0; i-- {
		if !stays[i] {
			continue
		}
		follow[i] = n
		for j := i + 1; j < n; j++ {
			if stays[j] && m.at[j] < m.at[i] && length[j] > length[follow[i]] {
				follow[i] = j
			}
		}
		length[i] = 1 + length[follow[i]]
		if length[i] > length[start] {
			start = i
		}
	}
	for i := start; i < n; i = follow[i] {
		m.fixed[i] = true
	}
}

// placeAll gives every entry that is not fixed a position.
func (m *merge) placeAll() error {
	m.bottom = m.empty
	for i := 0; i < len(m.list); i++ {
		if m.fixed[i] {
			continue
		}
		end := i
		for end < len(m.list) && !m.fixed[end] {
			end++
		}
		var err error
		switch {
		case i > 0:
			err = m.placeBelow(m.at[i-1], m.at[i:end])
		case m.anchor != nil:
			err = m.placeBelow(m.anchor.position, m.at[i:end])
		case m.newest:
			m.placeOnTop(m.at[i:end], end == len(m.list))
		default: // an older page that follows nothing stored, but meets some of it
			err = m.placeAbove(m.at[end], m.at[i:end])
		}
		if err != nil {
			return err
		}
		i = end - 1
	}
	return nil
}

// placeOnTop puts entries above everything. alone: the page has no entry in
// common with what is stored.
func (m *merge) placeOnTop(at []int64, alone bool) {
	base := m.top
	if alone && !m.empty {
		base += gapStride
	}
	for k := range at {
		at[k] = base + stride*int64(len(at)-k)
	}
}

// placeBelow puts entries right below a position, above all that is below it.
func (m *merge) placeBelow(upper int64, at []int64) error {
	below, err := m.neighbour("SELECT position FROM timeline_entries WHERE timeline_id = ? AND position < ? ORDER BY position DESC LIMIT 1", upper)
	if sqlite.IsNoRows(err) {
		m.bottom = true
		below, err = upper-stride*int64(len(at)+1), nil
	}
	if err != nil {
		return err
	}
	return spread(upper, below, at)
}

// placeAbove puts entries right above a position, below all that is above it.
func (m *merge) placeAbove(lower int64, at []int64) error {
	above, err := m.neighbour("SELECT position FROM timeline_entries WHERE timeline_id = ? AND position > ? ORDER BY position LIMIT 1", lower)
	if sqlite.IsNoRows(err) {
		above, err = lower+stride*int64(len(at)+1), nil
	}
	if err != nil {
		return err
	}
	return spread(above, lower, at)
}

func (m *merge) neighbour(query string, position int64) (int64, error) {
	return sqlite.One(m.tx, sqlite.Int, query, m.id, position)
}

// spread fills at with falling positions between two taken ones, close to the
// upper one where there is much room: more may follow below.
func spread(upper, below int64, at []int64) error {
	step := min(stride, (upper-below)/int64(len(at)+1))
	if step < 1 {
		return errNoRoom
	}
	for k := range at {
		at[k] = upper - step*int64(k+1)
	}
	return nil
}

// respread gives all entries new positions, far apart and above the old ones.
func (m *merge) respread() error {
	all, err := sqlite.Query(m.tx, sqlite.Int,
		"SELECT position FROM timeline_entries WHERE timeline_id = ? ORDER BY position DESC", m.id)
	if err != nil {
		return err
	}
	moves := make([][2]int64, len(all))
	for i, p := range all {
		moves[i] = [2]int64{p, m.top + stride*int64(len(all)-i)}
	}
	_, err = m.tx.Exec(`UPDATE timeline_entries SET position = j.value ->> 1 FROM json_each(?) AS j
		WHERE timeline_id = ? AND position = j.value ->> 0`, jsonText(moves), m.id)
	return err
}
