package activities

import "personal-workspace/internal/sqlite"

// Statements of the lists of Messages. Each reads the rows of an index, not of
// all activities, and no more than anybody looks at.
const (
	headColumns = "conversation, coalesce(nullif(evidence_at, 0), created_at), waiting"

	todoHeadsSQL    = "SELECT " + headColumns + " FROM activities WHERE place = 'todo' AND kind = 'reply' LIMIT 5000"
	snoozedHeadsSQL = "SELECT " + headColumns + " FROM activities WHERE place = 'snoozed' AND kind = 'reply' LIMIT 5000"
	doneHeadsSQL    = "SELECT " + headColumns + " FROM activities WHERE place = 'done' AND place_at > 0 AND kind = 'reply' ORDER BY place_at DESC, seq DESC LIMIT 1000"

	conversationSQL = "SELECT " + columns + " FROM activities WHERE conversation = ? AND conversation <> '' ORDER BY seq DESC LIMIT ?"
)

// head is one reply of a conversation.
type head struct {
	conversation string
	at           int64
	waiting      bool
}

func listHeads(tx *sqlite.Tx, query string) ([]head, error) {
	return sqlite.Query(tx, func(r sqlite.Row) (h head, err error) {
		err = r.Scan(&h.conversation, &h.at, &h.waiting)
		return h, err
	}, query)
}

// listConversation returns the newest replies of a conversation.
func listConversation(tx *sqlite.Tx, id string, limit int) ([]record, error) {
	return sqlite.Query(tx, scanRecord, conversationSQL, id, limit)
}
