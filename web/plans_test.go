package web_test

import (
	"go/ast"
	"go/parser"
	"go/token"
	"strconv"
	"strings"
	"testing"

	"personal-workspace/internal/sqlite"
	"personal-workspace/internal/sqlite/sqlitetest"
)

// wholeTables are the steps of a plan that read a whole table, and why they may.
var wholeTables = map[string]string{
	"SCAN owner_password": "at most one row",
	"SCAN setup_link":     "at most one row",
	"SCAN sessions":       "all are deleted",
	"SCAN preferences":    "at most one row",
	"SCAN sessions USING INDEX sqlite_autoindex_sessions_2": "the few browsers of one person",
	"SCAN CONSTANT ROW": "no table",
}

func TestEveryStatementUsesAnIndex(t *testing.T) {
	db := sqlitetest.Open(t)
	var statements []string
	for _, file := range []string{"store.go", "store_preferences.go", "store_sessions.go"} {
		statements = append(statements, statementsOf(t, file)...)
	}
	if len(statements) < 14 {
		t.Fatalf("only %d statements were found: %q", len(statements), statements)
	}
	for _, s := range statements {
		for _, step := range planOf(t, db, s) {
			bad := strings.HasPrefix(step, "SCAN") || strings.Contains(step, "TEMP B-TREE")
			if _, ok := wholeTables[step]; bad && !ok {
				t.Errorf("%s\n\t%s", s, step)
			}
		}
	}
}

func statementsOf(t *testing.T, file string) (list []string) {
	t.Helper()
	parsed, err := parser.ParseFile(token.NewFileSet(), file, nil, 0)
	if err != nil {
		t.Fatal(err)
	}
	ast.Inspect(parsed, func(n ast.Node) bool {
		lit, ok := n.(*ast.BasicLit)
		if !ok || lit.Kind != token.STRING {
			return true
		}
		s, err := strconv.Unquote(lit.Value)
		if err != nil {
			t.Fatal(err)
		}
		switch word, _, _ := strings.Cut(s, " "); word {
		case "SELECT", "INSERT", "UPDATE", "DELETE":
			list = append(list, s)
		}
		return true
	})
	return list
}

func planOf(t *testing.T, db *sqlite.DB, statement string) (steps []string) {
	t.Helper()
	err := db.Write(t.Context(), func(tx *sqlite.Tx) (err error) {
		steps, err = sqlite.Query(tx, func(r sqlite.Row) (detail string, err error) {
			var id, parent, unused int64
			err = r.Scan(&id, &parent, &unused, &detail)
			return detail, err
		}, "EXPLAIN QUERY PLAN "+statement, make([]any, strings.Count(statement, "?"))...)
		return err
	})
	if err != nil {
		t.Fatalf("explain %s: %v", statement, err)
	}
	return steps
}
