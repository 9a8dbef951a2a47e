package activities

import (
	"encoding/json"
	"fmt"
	"slices"
	"strings"

	"personal-workspace/internal/fault"
	"personal-workspace/internal/sqlite"
)

// columns are those of a record, in the order of scanRecord.
const columns = `seq, id, own, proposal, decision, source_key, conversation, evidence_at, root, dismissed_before,
	actor_kind, actor_id, run_id, client_name, client_version,
	created_at, proposed_at, confirmed_at, updated_at, proposal_revision, touched_revision, revision, place = 'erased'`

const (
	revisionSQL = "SELECT revision FROM activity_state WHERE id = 1"
	findSQL     = "SELECT " + columns + " FROM activities WHERE id = ?"
	byRootSQL   = "SELECT " + columns + " FROM activities WHERE root = ? AND root <> '' ORDER BY seq DESC LIMIT 1"
	presentSQL  = `SELECT 'id ' || value FROM json_each(?) WHERE EXISTS (SELECT 1 FROM activities WHERE id = value)
		UNION ALL SELECT 'key ' || value FROM json_each(?) WHERE EXISTS (SELECT 1 FROM activities WHERE source_key = value AND source_key <> '')`
	lastSeqSQL  = "SELECT coalesce(max(seq), 0) FROM activities"
	byIDsSQL    = "SELECT " + columns + " FROM (SELECT value AS wanted FROM json_each(?)) CROSS JOIN activities ON activities.id = wanted"
	ownTasksSQL = `SELECT source_key, id FROM (SELECT value AS wanted FROM json_each(?)) CROSS JOIN activities ON source_key = wanted AND source_key <> ''
		WHERE own = 1 AND place IN ('todo', 'snoozed')`
)

// byKeySQL leaves the texts of proposals out: there may be thousands about one
// thing.
var byKeySQL = "SELECT " + strings.Replace(columns, "proposal,", "'{}',", 1) + " FROM activities WHERE source_key = ? AND source_key <> '' ORDER BY seq DESC"

func readRevision(tx *sqlite.Tx) (int64, error) { return sqlite.One(tx, sqlite.Int, revisionSQL) }

func writeRevision(tx *sqlite.Tx, revision int64) error {
	_, err := tx.Exec("UPDATE activity_state SET revision = ? WHERE id = 1", revision)
	return err
}

// find returns a record, or a not_found fault.
func find(tx *sqlite.Tx, id string) (record, error) {
	r, err := sqlite.One(tx, scanRecord, findSQL, id)
	if sqlite.IsNoRows(err) {
		return r, notFound()
	}
	if err != nil {
		return r, fmt.Errorf("read activity %s: %w", id, err)
	}
	return r, nil
}

// findOrNone returns a record and whether there is one.
func findOrNone(tx *sqlite.Tx, id string) (record, bool, error) {
	r, err := sqlite.One(tx, scanRecord, findSQL, id)
	if sqlite.IsNoRows(err) {
		return r, false, nil
	}
	return r, err == nil, err
}

// findMany returns the records of the ids in their order, or a not_found fault.
func findMany(tx *sqlite.Tx, ids []string) ([]record, error) {
	wanted, err := json.Marshal(ids)
	if err != nil {
		return nil, err
	}
	list, err := sqlite.Query(tx, scanRecord, byIDsSQL, string(wanted))
	if err != nil {
		return nil, err
	}
	if len(list) != len(ids) {
		return nil, notFound()
	}
	nth := make(map[string]int, len(ids))
	for i, id := range ids {
		nth[id] = i
	}
	slices.SortFunc(list, func(a, b record) int { return nth[a.id] - nth[b.id] })
	return list, nil
}

// findKey returns the records about one thing without their proposals, newest
// first.
func findKey(tx *sqlite.Tx, key string) ([]record, error) {
	if key == "" {
		return nil, nil
	}
	return sqlite.Query(tx, scanRecord, byKeySQL, key)
}

// findOwnTasks returns the ids of the person's own open activities by their keys,
// of those that are asked for.
func findOwnTasks(tx *sqlite.Tx, keys []string) (map[string]string, error) {
	wanted, err := json.Marshal(keys)
	if err != nil {
		return nil, err
	}
	list, err := sqlite.Query(tx, func(r sqlite.Row) (pair [2]string, err error) {
		err = r.Scan(&pair[0], &pair[1])
		return pair, err
	}, ownTasksSQL, string(wanted))
	m := make(map[string]string, len(list))
	for _, pair := range list {
		m[pair[0]] = pair[1]
	}
	return m, err
}

// newestOf returns the newest record that followed a closed one, and whether
// there is one.
func newestOf(tx *sqlite.Tx, first string) (record, bool, error) {
	r, err := sqlite.One(tx, scanRecord, byRootSQL, first)
	if sqlite.IsNoRows(err) {
		return r, false, nil
	}
	return r, err == nil, err
}

func notFound() error {
	return fault.Missing("activity", "There is no such activity; it may have been erased.")
}

func scanRecord(row sqlite.Row) (r record, err error) {
	var d string
	if err := row.Scan(&r.seq, &r.id, &r.own, &r.doc, &d, &r.key, &r.conversation, &r.evidenceAt, &r.root, &r.dismissedBefore,
		&r.by.Kind, &r.by.ID, &r.by.RunID, &r.by.ClientName, &r.by.ClientVersion,
		&r.createdAt, &r.proposedAt, &r.confirmedAt, &r.updatedAt, &r.proposalRevision, &r.touchedRevision, &r.revision, &r.erased); err != nil {
		return r, err
	}
	if err := json.Unmarshal([]byte(d), &r.decision); err != nil {
		return r, fmt.Errorf("read the decision about %s: %w", r.id, err)
	}
	if err := json.Unmarshal([]byte(r.doc), &r.proposal); err != nil {
		return r, fmt.Errorf("read the proposal %s: %w", r.id, err)
	}
	return r, nil
}

// written are the columns of putRecord behind seq, in the order of its values.
var written = []string{
	"id", "own", "kind", "proposal", "decision", "source_key", "conversation", "connection_id", "evidence_at", "root", "dismissed_before",
	"actor_kind", "actor_id", "run_id", "client_name", "client_version",
	"created_at", "proposed_at", "confirmed_at", "updated_at", "proposal_revision", "touched_revision", "revision",
	"place", "urgency", "due_at", "place_at", "waiting",
}

// rowsAtOnce is how many rows one statement writes: a row then costs less than
// alone.
const rowsAtOnce = 10

var (
	insertOneSQL  = insertActivities(1)
	insertManySQL = insertActivities(rowsAtOnce)
	updateSQL     = "UPDATE activities SET " + strings.Join(written, " = ?, ") + " = ? WHERE seq = ?"
)

func insertActivities(rows int) string {
	row := "(?" + strings.Repeat(", ?", len(written)) + ")"
	return "INSERT INTO activities (seq, " + strings.Join(written, ", ") + ") VALUES " + row + strings.Repeat(", "+row, rows-1)
}

// put stores a record that is there.
func put(tx *sqlite.Tx, r record) error {
	values, err := r.values()
	if err != nil {
		return err
	}
	if _, err := tx.Exec(updateSQL, append(values, r.seq)...); err != nil {
		return fmt.Errorf("store activity %s: %w", r.id, err)
	}
	return nil
}

// insertRecords stores new records and gives them their seqs, in order.
func insertRecords(tx *sqlite.Tx, list []record) error {
	last, err := sqlite.One(tx, sqlite.Int, lastSeqSQL)
	if err != nil {
		return err
	}
	for i := range list {
		list[i].seq = last + int64(i) + 1
	}
	for len(list) > 0 {
		n, query := 1, insertOneSQL
		if len(list) >= rowsAtOnce {
			n, query = rowsAtOnce, insertManySQL
		}
		var values []any
		for _, r := range list[:n] {
			v, err := r.values()
			if err != nil {
				return err
			}
			values = append(append(values, r.seq), v...)
		}
		if _, err := tx.Exec(query, values...); err != nil {
			return fmt.Errorf("store activities: %w", err)
		}
		list = list[n:]
	}
	return nil
}

// present returns which ids and keys of a publication activities have, as
// "id x" and "key x".
func present(tx *sqlite.Tx, list []checked) (map[string]bool, error) {
	var ids, keys []string
	for _, a := range list {
		if a.ID != "" {
			ids = append(ids, a.ID)
		}
		if a.key != "" {
			keys = append(keys, a.key)
		}
	}
	i, err := json.Marshal(ids)
	if err != nil {
		return nil, err
	}
	k, err := json.Marshal(keys)
	if err != nil {
		return nil, err
	}
	found, err := sqlite.Query(tx, sqlite.String, presentSQL, string(i), string(k))
	m := make(map[string]bool, len(found))
	for _, f := range found {
		m[f] = true
	}
	return m, err
}

// values are those of the columns written.
func (r record) values() ([]any, error) {
	d, err := json.Marshal(r.decision)
	if err != nil {
		return nil, err
	}
	_, _, due := effective(r.proposal, r.decision.edits())
	var dueAt any
	if due != nil {
		dueAt = due.UnixMilli()
	}
	place, placeAt := r.place()
	return []any{
		r.id, r.own, r.proposal.Kind, r.doc, string(d), r.key, r.conversation, r.proposal.connectionID(), r.evidenceAt, r.root, r.dismissedBefore,
		r.by.Kind, r.by.ID, r.by.RunID, r.by.ClientName, r.by.ClientVersion,
		r.createdAt, r.proposedAt, r.confirmedAt, r.updatedAt, r.proposalRevision, r.touchedRevision, r.revision,
		place, r.proposal.urgency(), dueAt, placeAt, r.decision.Waiting,
	}, nil
}

// confirm marks records as published again without a change.
func confirm(tx *sqlite.Tx, seq, at int64) error {
	_, err := tx.Exec("UPDATE activities SET confirmed_at = ? WHERE seq = ?", at, seq)
	return err
}
