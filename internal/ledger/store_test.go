package ledger

import (
	"strings"
	"testing"

	"personal-workspace/internal/sqlite"
	"personal-workspace/internal/sqlite/sqlitetest"
)

// TestQueriesUseTheirIndex fails when a query reads a whole table or sorts by a
// temporary tree.
func TestQueriesUseTheirIndex(t *testing.T) {
	db := sqlitetest.Open(t)
	for _, tc := range []struct{ name, query, want string }{
		{"entries after a seq", listEntriesSQL, "SEARCH ledger USING INTEGER PRIMARY KEY (rowid>?)"},
		// The index is walked backwards as far as the limit.
		{"newest runs", listRunsSQL, "SCAN tool_runs USING INDEX tool_runs_at"},
		{"old entries", pruneEntriesSQL, "SEARCH ledger USING INDEX ledger_at (at<?)"},
		{"old runs", pruneRunsSQL, "SEARCH tool_runs USING INDEX tool_runs_at (at<?)"},
	} {
		t.Run(tc.name, func(t *testing.T) {
			var plan []string
			err := db.Write(t.Context(), func(tx *sqlite.Tx) (err error) {
				plan, err = sqlite.Query(tx, func(r sqlite.Row) (detail string, err error) {
					var a, b, c int
					err = r.Scan(&a, &b, &c, &detail)
					return detail, err
				}, "EXPLAIN QUERY PLAN "+tc.query, make([]any, strings.Count(tc.query, "?"))...)
				return err
			})
			if err != nil {
				t.Fatal(err)
			}
			if got := strings.Join(plan, "\n"); got != tc.want {
				t.Errorf("plan = %s, want %s", got, tc.want)
			}
		})
	}
}
