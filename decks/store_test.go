package decks

import (
	"strings"
	"testing"

	"personal-workspace/internal/sqlite"
	"personal-workspace/internal/sqlite/sqlitetest"
)

// TestListQueriesUseTheirIndex fails when a query reads a whole table or sorts
// by a temporary tree.
func TestListQueriesUseTheirIndex(t *testing.T) {
	db := sqlitetest.Open(t)
	for name, query := range map[string]string{
		"list decks":     listDecksSQL,
		"find deck":      findDeckSQL,
		"list revisions": listRevisionsSQL,
		"find revision":  findRevisionSQL,
		"list states":    listStatesSQL,
		"list the order": orderSQL,
		"list titles":    titlesSQL,
		"read all decks": allDecksSQL,
		"list columns":   listColumnsSQL,
		"list seen":      listSeenSQL,
		"last seen":      lastSeenSQL,
	} {
		t.Run(name, func(t *testing.T) {
			plan := explain(t, db, query)
			// The partial index holds exactly the rows of the list, in order.
			plan = strings.ReplaceAll(plan, "SCAN decks USING INDEX decks_order", "")
			// Read from its end, to the first deck that is there.
			plan = strings.ReplaceAll(plan, "SCAN s USING INDEX column_state_seen", "")
			if strings.Contains(plan, "SCAN") || strings.Contains(plan, "TEMP B-TREE") {
				t.Errorf("plan:\n%s", plan)
			}
		})
	}
}

func explain(t *testing.T, db *sqlite.DB, query string) string {
	t.Helper()
	var lines []string
	err := db.Read(t.Context(), func(tx *sqlite.Tx) (err error) {
		lines, err = sqlite.Query(tx, func(r sqlite.Row) (detail string, err error) {
			var a, b, c int
			err = r.Scan(&a, &b, &c, &detail)
			return detail, err
		}, "EXPLAIN QUERY PLAN "+query, make([]any, strings.Count(query, "?"))...)
		return err
	})
	if err != nil {
		t.Fatal(err)
	}
	return strings.Join(lines, "\n")
}
