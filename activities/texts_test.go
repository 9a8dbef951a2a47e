package activities_test

import (
	"strings"
	"testing"

	"personal-workspace/internal/sqlite"
)

// texts returns what of the tables of activities has a text in it.
func texts(t *testing.T, w *world, text string) (found []string) {
	t.Helper()
	err := w.db.Read(t.Context(), func(tx *sqlite.Tx) error {
		tables, err := sqlite.Query(tx, sqlite.String, "SELECT name FROM sqlite_schema WHERE type = 'table' AND (name LIKE 'activit%' OR name IN ('ledger', 'tool_runs'))")
		if err != nil {
			return err
		}
		for _, table := range tables {
			columns, err := sqlite.Query(tx, sqlite.String, "SELECT name FROM pragma_table_info(?)", table)
			if err != nil {
				return err
			}
			values, err := sqlite.Query(tx, sqlite.String, "SELECT coalesce(concat_ws(' | ', "+strings.Join(columns, ", ")+"), '') FROM "+table)
			if err != nil {
				return err
			}
			for _, v := range values {
				if strings.Contains(v, text) {
					found = append(found, table+": "+v)
				}
			}
		}
		return nil
	})
	if err != nil {
		t.Fatal(err)
	}
	return found
}
