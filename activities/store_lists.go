package activities

import (
	"math"
	"time"

	"personal-workspace/internal/sqlite"
)

// Statements of the lists. Their first three values are a filter's.
const (
	filterSQL = ` AND (?1 = '' OR kind = ?1) AND (?2 = '' OR connection_id = ?2)
		AND (?3 = '' OR iif(client_name = '', actor_id, client_name) = ?3)`

	// SQLite would rather sort all of what is to do.
	dueSQL  = "SELECT " + columns + dueFrom
	dueFrom = ` FROM activities INDEXED BY activities_due
		WHERE place = 'todo' AND due_at IS NOT NULL AND due_at >= ?4 AND due_at < ?5
		AND (due_at, urgency, seq) > (?6, ?7, ?8)` + filterSQL + " ORDER BY due_at, urgency, seq LIMIT ?9"
	todoSQL  = "SELECT " + columns + todoFrom
	todoFrom = ` FROM activities
		WHERE place = 'todo' AND kind = ?4 AND (due_at IS NULL OR due_at >= ?5)
		AND (urgency, seq) > (?6, ?7)` + filterSQL + " ORDER BY urgency, seq LIMIT ?8"
	snoozedSQL  = "SELECT " + columns + snoozedFrom
	snoozedFrom = ` FROM activities
		WHERE place = 'snoozed' AND place_at > 0 AND (place_at, seq) > (?4, ?5)` + filterSQL + " ORDER BY place_at, seq LIMIT ?6"
	closedSQL  = "SELECT " + columns + closedFrom
	closedFrom = ` FROM activities
		WHERE place = ?4 AND place_at > 0 AND (place_at, seq) < (?5, ?6)` + filterSQL + " ORDER BY place_at DESC, seq DESC LIMIT ?7"
	allSQL  = "SELECT " + columns + allFrom
	allFrom = ` FROM activities
		WHERE seq < ?4 AND place <> 'erased'` + filterSQL + " ORDER BY seq DESC LIMIT ?5"

	// The same lists without what the activities say.
	dueIDsSQL     = "SELECT id" + dueFrom
	todoIDsSQL    = "SELECT id" + todoFrom
	snoozedIDsSQL = "SELECT id" + snoozedFrom
	closedIDsSQL  = "SELECT id" + closedFrom
	allIDsSQL     = "SELECT id" + allFrom

	groupsSQL = `SELECT coalesce(sum(due_at < ?1), 0), coalesce(sum(due_at >= ?1 AND due_at < ?2), 0),
		coalesce(sum((due_at IS NULL OR due_at >= ?2) AND kind = 'reply'), 0), count(*)
		FROM activities WHERE place = 'todo'`
	filteredGroupsSQL = `SELECT coalesce(sum(due_at < ?4), 0), coalesce(sum(due_at >= ?4 AND due_at < ?5), 0),
		coalesce(sum((due_at IS NULL OR due_at >= ?5) AND kind = 'reply'), 0), count(*)
		FROM activities WHERE place = 'todo'` + filterSQL
	filteredCountSQL = "SELECT count(*) FROM activities WHERE place = ?4" + filterSQL

	countsSQL = `SELECT place, kind, count(*) FROM activities GROUP BY place, kind`
	// proposersSQL looks at what is open only: names are for filtering that.
	proposersSQL = `SELECT iif(client_name = '', actor_id, client_name) FROM activities WHERE place IN ('todo', 'snoozed') AND own = 0 LIMIT 2000`

	contextSQL = "SELECT " + columns + " FROM activities WHERE seq < ? AND place <> 'erased' ORDER BY seq DESC LIMIT ?"

	dueNowSQL   = "SELECT " + columns + " FROM activities WHERE place = 'snoozed' AND place_at > 0 AND place_at <= ? ORDER BY place_at, seq LIMIT 1000"
	nextWakeSQL = "SELECT place_at FROM activities WHERE place = 'snoozed' AND place_at > 0 ORDER BY place_at LIMIT 1"
)

// values are the filter's, before others.
func (q Query) values(more ...any) []any {
	return append([]any{string(q.Kind), q.ConnectionID, q.Proposer}, more...)
}

// filtered reports whether the query leaves something out of its view.
func (q Query) filtered() bool { return q.Kind != "" || q.ConnectionID != "" || q.Proposer != "" }

// listGroup returns a group of what needs the person, behind a position.
func listGroup(tx *sqlite.Tx, q Query, g Group, now, tomorrow int64, after position, limit int) ([]record, error) {
	switch g {
	case GroupOverdue:
		return sqlite.Query(tx, scanRecord, dueSQL, q.values(math.MinInt64, now, after.first, after.second, after.seq, limit)...)
	case GroupToday:
		return sqlite.Query(tx, scanRecord, dueSQL, q.values(now, tomorrow, after.first, after.second, after.seq, limit)...)
	case GroupWaiting:
		return sqlite.Query(tx, scanRecord, todoSQL, q.values(KindReply, tomorrow, after.first, after.seq, limit)...)
	}
	return sqlite.Query(tx, scanRecord, todoSQL, q.values(KindTask, tomorrow, after.first, after.seq, limit)...)
}

// listView returns a view other than ViewTodo, behind a position.
func listView(tx *sqlite.Tx, q Query, after position, limit int) ([]record, error) {
	switch q.View {
	case ViewSnoozed:
		return sqlite.Query(tx, scanRecord, snoozedSQL, q.values(after.first, after.seq, limit)...)
	case ViewAll:
		return sqlite.Query(tx, scanRecord, allSQL, q.values(after.seq, limit)...)
	}
	return sqlite.Query(tx, scanRecord, closedSQL, q.values(q.View, after.first, after.seq, limit)...)
}

// listIDs returns the ids of a group of what needs the person, or of another view,
// in the order of the list.
func listIDs(tx *sqlite.Tx, q Query, g Group, now, tomorrow int64) ([]string, error) {
	first, last := top(""), bottom("")
	const all = -1
	switch {
	case g == GroupOverdue:
		return sqlite.Query(tx, sqlite.String, dueIDsSQL, q.values(math.MinInt64, now, first.first, first.second, first.seq, all)...)
	case g == GroupToday:
		return sqlite.Query(tx, sqlite.String, dueIDsSQL, q.values(now, tomorrow, first.first, first.second, first.seq, all)...)
	case g == GroupWaiting:
		return sqlite.Query(tx, sqlite.String, todoIDsSQL, q.values(KindReply, tomorrow, first.first, first.seq, all)...)
	case g == GroupRest:
		return sqlite.Query(tx, sqlite.String, todoIDsSQL, q.values(KindTask, tomorrow, first.first, first.seq, all)...)
	case q.View == ViewSnoozed:
		return sqlite.Query(tx, sqlite.String, snoozedIDsSQL, q.values(first.first, first.seq, all)...)
	case q.View == ViewAll:
		return sqlite.Query(tx, sqlite.String, allIDsSQL, q.values(last.seq, all)...)
	}
	return sqlite.Query(tx, sqlite.String, closedIDsSQL, q.values(q.View, last.first, last.seq, all)...)
}

// countGroups returns how many each group has.
func countGroups(tx *sqlite.Tx, q Query, now, tomorrow int64) (map[Group]int, error) {
	if q.filtered() {
		return sqlite.One(tx, scanGroups, filteredGroupsSQL, q.values(now, tomorrow)...)
	}
	return sqlite.One(tx, scanGroups, groupsSQL, now, tomorrow)
}

func scanGroups(r sqlite.Row) (map[Group]int, error) {
	var overdue, today, waiting, all int
	if err := r.Scan(&overdue, &today, &waiting, &all); err != nil {
		return nil, err
	}
	return map[Group]int{
		GroupOverdue: overdue, GroupToday: today, GroupWaiting: waiting, GroupRest: all - overdue - today - waiting,
	}, nil
}

func countView(tx *sqlite.Tx, q Query) (n int64, err error) {
	views := []View{q.View}
	if q.View == ViewAll {
		views = []View{ViewTodo, ViewSnoozed, ViewDone, ViewDismissed}
	}
	for _, v := range views {
		c, err := sqlite.One(tx, sqlite.Int, filteredCountSQL, q.values(v)...)
		if err != nil {
			return 0, err
		}
		n += c
	}
	return n, nil
}

// readCounts counts everything.
func readCounts(tx *sqlite.Tx) (c Counts, err error) {
	type part struct {
		place View
		kind  Kind
		n     int
	}
	parts, err := sqlite.Query(tx, func(r sqlite.Row) (p part, err error) {
		err = r.Scan(&p.place, &p.kind, &p.n)
		return p, err
	}, countsSQL)
	for _, p := range parts {
		c.add(p.place, p.kind, p.n)
	}
	return c, err
}

func (c *Counts) add(place View, kind Kind, n int) {
	switch place {
	case ViewTodo:
		c.NeedsYou += n
		if kind == KindReply {
			c.Replies += n
		} else {
			c.Tasks += n
		}
	case ViewSnoozed:
		c.Snoozed += n
	case ViewDone:
		c.Done += n
	case ViewDismissed:
		c.Dismissed += n
	}
}

func readProposers(tx *sqlite.Tx) ([]string, error) {
	return sqlite.Query(tx, sqlite.String, proposersSQL)
}

func listContext(tx *sqlite.Tx, before int64, limit int) ([]record, error) {
	return sqlite.Query(tx, scanRecord, contextSQL, before, limit)
}

// listDue returns what a time wakes, those that are due longest first.
func listDue(tx *sqlite.Tx, now int64) ([]record, error) {
	return sqlite.Query(tx, scanRecord, dueNowSQL, now)
}

// tomorrow is the first moment of the zone's next day.
func tomorrow(now time.Time, zone *time.Location) int64 { return endOfDay(now, zone).UnixMilli() }
