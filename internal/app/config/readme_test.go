package config_test

import (
	"flag"
	"os"
	"strings"
	"testing"

	"personal-workspace/internal/app/config"
)

var update = flag.Bool("update", false, "write the table of settings into the README")

const (
	readme     = "../../../README.md"
	tableBegin = "<!-- settings: written by `go test ./internal/app/config -update` -->\n"
	tableEnd   = "<!-- /settings -->"
)

// The README shows the settings as the program knows them.
func TestReadmeHasTheSettings(t *testing.T) {
	b, err := os.ReadFile(readme)
	if err != nil {
		t.Fatal(err)
	}
	before, rest, ok := strings.Cut(string(b), tableBegin)
	have, after, ok2 := strings.Cut(rest, tableEnd)
	if !ok || !ok2 {
		t.Fatalf("the README has no place for the table between %q and %q", tableBegin, tableEnd)
	}
	want := config.Markdown()
	if have == want {
		return
	}
	if !*update {
		t.Fatalf("the README's table of settings is stale; run: go test ./internal/app/config -update\nwant:\n%s", want)
	}
	if err := os.WriteFile(readme, []byte(before+tableBegin+want+tableEnd+after), 0o644); err != nil {
		t.Fatal(err)
	}
}
