package mcp_test

import (
	"strings"
	"testing"
)

// TestFaultsNameTheNextTool: the services name none, since people read them too.
func TestFaultsNameTheNextTool(t *testing.T) {
	w := newWorld(t)
	w.connect(t, "ann")
	w.call(t, "create_deck", `{"deckId":"main","title":"Main","columns":[]}`)
	w.call(t, "publish_activities", `{"requestId":"used","expectedRevision":0,"activities":[{"kind":"task","title":"T"}]}`)
	for _, tc := range []struct{ name, tool, arguments, next string }{
		{"a deck that is not there", "get_deck", `{"deckId":"gone"}`, "Call list_decks for the ids."},
		{"a column that is not there", "fetch_column_posts", `{"deckId":"main","columnId":"gone"}`, "Call get_deck for its columns."},
		{"a connection that is not there", "fetch_posts", `{"connectionId":"gone","source":{"kind":"home"}}`, "Call list_connections for the ids."},
		{"a column of a connection that is not there", "create_deck", `{"title":"x","columns":[{"connectionId":"gone","source":{"kind":"home"}}]}`, "Call list_connections for the ids."},
		{"a list that cannot be", "fetch_posts", `{"connectionId":"conn_1","source":{"kind":"list","listId":"../1"}}`, "Call list_lists for the ids."},
		{"an old revision", "delete_deck", `{"deckId":"main","expectedRevision":7}`, "Call get_deck and send the revision it gives."},
		{"a deckId in use", "create_deck", `{"deckId":"main","title":"Other","columns":[]}`, "Call get_deck for it, and replace_deck to change it."},
		{"an activity that is not there", "get_activity_context", `{"activityIds":["gone"]}`, "Call get_activity_context for the ids."},
		{"a cursor of another list", "get_activity_context", `{"cursor":"x"}`, "Call get_activity_context without a cursor."},
		{"an old revision of the activities", "publish_activities", `{"requestId":"r","expectedRevision":7,"activities":[{"kind":"task","title":"T"}]}`, "Call get_activity_context to read them."},
		{
			"an account of an activity that is not there", "publish_activities", `{"requestId":"r","expectedRevision":1,"activities":[{"kind":"task","title":"T","source":{"connectionId":"gone"}}]}`,
			"Call list_connections for the ids.",
		},
	} {
		t.Run(tc.name, func(t *testing.T) {
			f := w.call(t, tc.tool, tc.arguments).fault(t)
			text, named := strings.CutSuffix(f.Message, " "+tc.next)
			if !named || strings.Contains(text, "_") {
				t.Errorf("the message is %q, want one that ends in %q and names no other tool", f.Message, tc.next)
			}
		})
	}
}
