package mcp_test

import (
	"encoding/json"
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
	t.Run("members of answers", func(t *testing.T) {
		_, told, _ := strings.Cut(string(page), "## Proposals and decisions")
		told, _, _ = strings.Cut(told, "## Errors")
		deck := outputOf(t, "get_deck")
		pages := outputOf(t, "fetch_posts")
		posts := pages["posts"].(map[string]any)["items"].(map[string]any)["properties"].(map[string]any)
		context, receipt := outputOf(t, "get_activity_context"), outputOf(t, "publish_activities")
		for _, members := range []map[string]any{deck, pages, posts, context, itemsOf(context), receipt, itemsOf(receipt)} {
			for name := range members {
				if name == "deck" || name == "posts" {
					continue // the answers themselves
				}
				if !regexp.MustCompile("`" + name + "(`|\\?`|: )").MatchString(told) {
					t.Errorf("the page does not say what %s is", name)
				}
			}
		}
		_, table, _ := strings.Cut(told, "### What a post holds")
		for _, row := range regexp.MustCompile(`(?m)^\| ([^|]+) \|`).FindAllStringSubmatch(table, -1) {
			for _, m := range regexp.MustCompile("`([A-Za-z]+)").FindAllStringSubmatch(row[1], -1) {
				if posts[m[1]] == nil {
					t.Errorf("the page tells of %s, which no post has", m[1])
				}
			}
		}
	})
}

// itemsOf are the members of an answer's activities.
func itemsOf(answer map[string]any) map[string]any {
	return answer["activities"].(map[string]any)["items"].(map[string]any)["properties"].(map[string]any)
}

// outputOf are the members of a tool's answer.
func outputOf(t *testing.T, tool string) map[string]any {
	t.Helper()
	for _, d := range descriptors(t) {
		if d.Name == tool {
			return objectOf(t, d.OutputSchema.(json.RawMessage))["properties"].(map[string]any)
		}
	}
	t.Fatalf("there is no tool %s", tool)
	return nil
}
