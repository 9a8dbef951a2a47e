package ledger

import (
	"encoding/json"
	"strings"
	"time"

	"personal-workspace/internal/sqlite"
)

const (
	listEntriesSQL = `SELECT
		seq, id, at, actor_kind, actor_id, coalesce(run_id, ''), name, resource_type, resource_id, data
		FROM ledger WHERE seq > ? ORDER BY seq LIMIT ?`
	listRunsSQL = `SELECT
		id, at, caller, coalesce(client_name, ''), coalesce(client_version, ''), tool,
		coalesce(run_id, ''), coalesce(connection_id, ''), outcome, coalesce(code, ''), duration_us
		FROM tool_runs ORDER BY at DESC LIMIT ?`
	pruneEntriesSQL = "DELETE FROM ledger WHERE at < ?"
	pruneRunsSQL    = "DELETE FROM tool_runs WHERE at < ?"
)

func insertEntry(tx *sqlite.Tx, e Entry, data string) error {
	_, err := tx.Exec(`INSERT INTO ledger
		(id, at, actor_kind, actor_id, run_id, name, resource_type, resource_id, data)
		VALUES (?, ?, ?, ?, nullif(?, ''), ?, ?, ?, ?)`,
		e.ID, e.At.UnixMilli(), e.Actor.Kind, e.Actor.ID, e.Actor.RunID, e.Name, e.ResourceType, e.ResourceID, data)
	return err
}

func listEntries(tx *sqlite.Tx, after int64, limit int) ([]Entry, error) {
	return sqlite.Query(tx, scanEntry, listEntriesSQL, after, limit)
}

func scanEntry(r sqlite.Row) (e Entry, err error) {
	var at int64
	var data string
	if err := r.Scan(&e.Seq, &e.ID, &at, &e.Actor.Kind, &e.Actor.ID, &e.Actor.RunID,
		&e.Name, &e.ResourceType, &e.ResourceID, &data); err != nil {
		return e, err
	}
	e.At = time.UnixMilli(at).UTC()
	return e, json.Unmarshal([]byte(data), &e.Data)
}

func lastSeq(tx *sqlite.Tx) (int64, error) {
	return sqlite.One(tx, sqlite.Int, "SELECT coalesce(max(seq), 0) FROM ledger")
}

// prune removes what is older than a time in Unix milliseconds.
func prune(tx *sqlite.Tx, before int64) error {
	for _, q := range []string{pruneEntriesSQL, pruneRunsSQL} {
		if _, err := tx.Exec(q, before); err != nil {
			return err
		}
	}
	return nil
}

// runsAtOnce is how many runs one statement writes: a row then costs a third of
// what it costs alone.
const runsAtOnce = 25

var (
	insertOneSQL  = insertSQL(1)
	insertManySQL = insertSQL(runsAtOnce)
)

func insertSQL(rows int) string {
	const row = "(?, ?, ?, nullif(?, ''), nullif(?, ''), ?, nullif(?, ''), nullif(?, ''), ?, nullif(?, ''), ?)"
	return `INSERT INTO tool_runs
		(id, at, caller, client_name, client_version, tool, run_id, connection_id, outcome, code, duration_us)
		VALUES ` + row + strings.Repeat(", "+row, rows-1) + ` ON CONFLICT (id) DO NOTHING`
}

// insertRuns writes runs with the statement made for their number.
func insertRuns(tx *sqlite.Tx, query string, runs []ToolRun) error {
	args := make([]any, 0, len(runs)*11)
	for _, r := range runs {
		args = append(args, r.ID, r.At.UnixMilli(), r.Caller, r.ClientName, r.ClientVersion, r.Tool, r.RunID,
			r.ConnectionID, string(r.Outcome), r.Code, r.Duration.Microseconds())
	}
	_, err := tx.Exec(query, args...)
	return err
}

func listRuns(tx *sqlite.Tx, limit int) ([]ToolRun, error) {
	return sqlite.Query(tx, scanRun, listRunsSQL, limit)
}

func scanRun(row sqlite.Row) (run ToolRun, err error) {
	var at, us int64
	err = row.Scan(&run.ID, &at, &run.Caller, &run.ClientName, &run.ClientVersion, &run.Tool,
		&run.RunID, &run.ConnectionID, &run.Outcome, &run.Code, &us)
	run.At, run.Duration = time.UnixMilli(at).UTC(), time.Duration(us)*time.Microsecond
	return run, err
}
