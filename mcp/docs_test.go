package mcp_test

import (
	"os"
	"regexp"
	"slices"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"personal-workspace/internal/fault"
	"personal-workspace/mcp"
)

// TestTheToolsPageIsTrue keeps docs/mcp.md at the tools and the codes there are.
func TestTheToolsPageIsTrue(t *testing.T) {
	page, err := os.ReadFile("../docs/mcp.md")
	if err != nil {
		t.Fatal(err)
	}
	t.Run("tools", func(t *testing.T) {
		tools, err := mcp.Catalogue(mcp.Config{})
		if err != nil {
			t.Fatal(err)
		}
		var want []string
		for _, tool := range tools {
			want = append(want, tool.Name)
		}
		var got []string
		_, table, _ := strings.Cut(string(page), "## The tools")
		table, _, _ = strings.Cut(table, "## ")
		for _, m := range regexp.MustCompile("(?m)^\\| `([a-z_]+)` \\|").FindAllStringSubmatch(table, -1) {
			got = append(got, m[1])
		}
		slices.Sort(want)
		slices.Sort(got)
		if diff := cmp.Diff(want, got); diff != "" {
			t.Errorf("tools on the page (-want +got):\n%s", diff)
		}
	})
	t.Run("codes", func(t *testing.T) {
		for _, code := range []fault.Code{
			fault.InvalidArguments, fault.InvalidSource, fault.InvalidCursor, fault.NotFound, fault.StaleRevision,
			fault.RequestConflict, fault.LimitExceeded, fault.BudgetExhausted, fault.Unauthorized, fault.Forbidden,
			fault.Unsupported, fault.RateLimited, fault.UpstreamUnavailable, fault.UpstreamChanged,
			fault.ResponseTooLarge, fault.BlockedOrigin, fault.Timeout, fault.Canceled, fault.Internal,
		} {
			if !regexp.MustCompile("(?m)^\\|.*`" + string(code) + "`").Match(page) {
				t.Errorf("the page does not say what to do about %s", code)
			}
		}
	})
}
