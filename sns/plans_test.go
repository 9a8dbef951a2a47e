package sns_test

import (
	"go/ast"
	"go/parser"
	"go/token"
	"path/filepath"
	"regexp"
	"slices"
	"strconv"
	"strings"
	"testing"

	"personal-workspace/internal/sqlite"
	"personal-workspace/internal/sqlite/sqlitetest"
)

// allowedScans are the steps of a plan that read a whole table, and why they may.
var allowedScans = map[string]string{
	"SCAN json_each VIRTUAL TABLE INDEX 1:": "the ids of one page",
	"SCAN j VIRTUAL TABLE INDEX 1:":         "the positions of one timeline",

	"SCAN connections USING INDEX connections_created":                     "at most 100 rows",
	"SCAN connections USING COVERING INDEX sqlite_autoindex_connections_1": "at most 100 rows",
	"SCAN removed_connections USING INDEX removed_connections_age":         "at most 500 rows",
	"SCAN connection_secrets":                                              "at most 100 rows",
	"SCAN oauth_logins USING COVERING INDEX oauth_logins_expires":          "at most 50 rows",
	"SCAN oauth_apps":   "a few rows, once the key is lost",
	"SCAN CONSTANT ROW": "no table",
	"SCAN (subquery-1)": "at most 100 rows",
	"SCAN posts USING COVERING INDEX posts_stored": "counts the posts once an hour",
}

func TestEveryStatementUsesAnIndex(t *testing.T) {
	db := sqlitetest.Open(t)
	statements := statementsOf(t)
	if len(statements) < 30 {
		t.Fatalf("only %d statements were found", len(statements))
	}
	for _, s := range statements {
		for _, step := range planOf(t, db, s) {
			bad := strings.HasPrefix(step, "SCAN") || strings.Contains(step, "TEMP B-TREE")
			if _, ok := allowedScans[step]; bad && !ok {
				t.Errorf("%s\n\t%s", s, step)
			}
		}
	}
}

// statementsOf returns the statements in the package's store files.
func statementsOf(t *testing.T) (list []string) {
	files, err := filepath.Glob("store_*.go")
	if err != nil {
		t.Fatal(err)
	}
	files = append(files, "store.go")
	isSQL := regexp.MustCompile(`^(SELECT|INSERT|UPDATE|DELETE|WITH)\s`)
	for _, f := range files {
		parsed, err := parser.ParseFile(token.NewFileSet(), f, nil, 0)
		if err != nil {
			t.Fatal(err)
		}
		ast.Inspect(parsed, func(n ast.Node) bool {
			lit, ok := n.(*ast.BasicLit)
			if !ok || lit.Kind != token.STRING {
				return true
			}
			if s, err := strconv.Unquote(lit.Value); err == nil && isSQL.MatchString(s) {
				list = append(list, s)
			}
			return true
		})
	}
	return list
}

func planOf(t *testing.T, db *sqlite.DB, statement string) (steps []string) {
	t.Helper()
	args := make([]any, parameters(statement))
	err := db.Write(t.Context(), func(tx *sqlite.Tx) (err error) {
		steps, err = sqlite.Query(tx, func(r sqlite.Row) (detail string, err error) {
			var id, parent, unused int64
			err = r.Scan(&id, &parent, &unused, &detail)
			return detail, err
		}, "EXPLAIN QUERY PLAN "+statement, args...)
		return err
	})
	if err != nil {
		t.Fatalf("explain %s: %v", statement, err)
	}
	return steps
}

// parameters counts the values a statement wants.
func parameters(statement string) int {
	named := map[string]bool{}
	for _, m := range regexp.MustCompile(`\?\d*`).FindAllString(statement, -1) {
		if m == "?" {
			m = "?" + strconv.Itoa(len(named)+1)
		}
		named[m] = true
	}
	return len(named)
}

func TestNoOtherFileNamesTheTables(t *testing.T) {
	files, err := filepath.Glob("*.go")
	if err != nil {
		t.Fatal(err)
	}
	for _, f := range files {
		if f == "store.go" || strings.HasPrefix(f, "store_") || strings.HasSuffix(f, "_test.go") {
			continue
		}
		parsed, err := parser.ParseFile(token.NewFileSet(), f, nil, 0)
		if err != nil {
			t.Fatal(err)
		}
		ast.Inspect(parsed, func(n ast.Node) bool {
			if lit, ok := n.(*ast.BasicLit); ok && lit.Kind == token.STRING && slices.ContainsFunc(
				[]string{"SELECT ", "INSERT INTO", "UPDATE ", "DELETE FROM"},
				func(word string) bool { return strings.Contains(lit.Value, word) }) {
				t.Errorf("%s has SQL: %s", f, lit.Value)
			}
			return true
		})
	}
}
