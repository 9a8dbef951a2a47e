package mcp

import (
	"strings"

	"personal-workspace/internal/fault"
)

// nextCall says by what is wrong with a call of tool which one comes next. The services say what is
// wrong and name no tool: their words are for people too.
func nextCall(tool string, f *fault.Error) string {
	what, _ := f.Details[fault.DetailWhat].(string)
	field, _ := f.Details[fault.DetailField].(string)
	switch {
	case f.Code == fault.NotFound:
		return whereToLook[what]
	case f.Code == fault.StaleRevision && tool == publishTool:
		return "Call get_activity_context to read them."
	case f.Code == fault.RequestConflict && tool == publishTool:
		return "" // the service says it all
	case f.Code == fault.InvalidCursor && tool == contextTool:
		return "Call get_activity_context without a cursor."
	case f.Code == fault.StaleRevision:
		return "Call get_deck and send the revision it gives."
	case f.Code == fault.RequestConflict:
		return "Call get_deck for it, and replace_deck to change it."
	case f.Code == fault.InvalidSource && strings.HasSuffix(field, ".listId"):
		return whereToLook["list"]
	}
	return ""
}

// whereToLook has the tools that give the ids, by what they are the ids of.
var whereToLook = map[string]string{
	"activity":   "Call get_activity_context for the ids.",
	"deck":       "Call list_decks for the ids.",
	"column":     "Call get_deck for its columns.",
	"connection": "Call list_connections for the ids.",
	"list":       "Call list_lists for the ids.",
}
