package activities

import (
	"cmp"
	"math"
	"slices"
	"strconv"
	"strings"

	"personal-workspace/internal/sqlite"
)

// Statements of the lists of Messages. Each reads the rows of an index, not of
// all activities, and no more than anybody looks at.
const (
	// newestSQL is the newest evidence of a conversation among all of its replies.
	newestSQL   = "(SELECT max(coalesce(nullif(evidence_at, 0), created_at)) FROM activities AS c WHERE c.conversation = a.conversation AND c.conversation <> '')"
	headColumns = newestSQL + ", conversation, waiting"

	todoHeadsSQL    = "SELECT " + headColumns + " FROM activities AS a WHERE place = 'todo' AND kind = 'reply' LIMIT ?"
	snoozedHeadsSQL = "SELECT " + headColumns + " FROM activities AS a WHERE place = 'snoozed' AND kind = 'reply' LIMIT ?"
	doneHeadsSQL    = "SELECT " + headColumns + " FROM activities AS a WHERE place = 'done' AND place_at > 0 AND kind = 'reply' ORDER BY place_at DESC, seq DESC LIMIT ?"
	placeOfSQL      = "SELECT coalesce(max(coalesce(nullif(evidence_at, 0), created_at)), 0) FROM activities WHERE conversation = ? AND conversation <> ''"

	needingSQL = "SELECT " + columns + " FROM activities WHERE conversation = ? AND conversation <> '' AND place = 'todo' AND seq < ? ORDER BY seq DESC LIMIT ?"
	otherSQL   = "SELECT " + columns + " FROM activities WHERE conversation = ? AND conversation <> '' AND place <> 'todo' AND seq < ? ORDER BY seq DESC LIMIT ?"
)

// mostOpen and mostDone are how many replies a list of Messages is made of; of the
// done ones those that were done last. All are in the lists of Home.
const mostOpen, mostDone = 5000, 1000

// listReplies is the list of a cursor within a conversation.
const listReplies = "replies"

// talkPlace is where a conversation stands in a list: newest evidence first.
type talkPlace struct {
	at           int64
	conversation string
}

func (p talkPlace) compare(o talkPlace) int {
	return cmp.Or(cmp.Compare(o.at, p.at), cmp.Compare(o.conversation, p.conversation))
}

// String is the place as a cursor.
func (p talkPlace) String() string { return strconv.FormatInt(p.at, 10) + "." + p.conversation }

// parseTalkPlace reads a cursor, "" for the place before the first, or returns an
// invalid_cursor fault.
func parseTalkPlace(cursor string) (p talkPlace, err error) {
	if cursor == "" {
		return talkPlace{at: math.MaxInt64}, nil
	}
	at, id, ok := strings.Cut(cursor, ".")
	p.conversation = id
	if p.at, err = strconv.ParseInt(at, 10, 64); err != nil || !ok || len(cursor) > maxCursor {
		return p, badCursor()
	}
	return p, nil
}

// behind returns what of an ordered list comes after a place.
func behind(list []talkPlace, at talkPlace) []talkPlace {
	i, found := slices.BinarySearchFunc(list, at, talkPlace.compare)
	if found {
		i++
	}
	return list[i:]
}

// head is one reply of a conversation, at the conversation's place.
type head struct {
	talkPlace
	waiting bool
}

func listHeads(tx *sqlite.Tx, query string, most int) ([]head, error) {
	return sqlite.Query(tx, func(r sqlite.Row) (h head, err error) {
		err = r.Scan(&h.at, &h.conversation, &h.waiting)
		return h, err
	}, query, most)
}

// findTalkPlace returns where a conversation stands, or would stand.
func findTalkPlace(tx *sqlite.Tx, id string) (talkPlace, error) {
	at, err := sqlite.One(tx, sqlite.Int, placeOfSQL, id)
	return talkPlace{at, id}, err
}

// listConversation returns replies of a conversation behind a position: those that
// need the person first, then the newest.
func listConversation(tx *sqlite.Tx, id string, after position, limit int) (list []record, err error) {
	if after.first == 0 {
		if list, err = sqlite.Query(tx, scanRecord, needingSQL, id, after.seq, limit); err != nil || len(list) == limit {
			return list, err
		}
		after.seq = math.MaxInt64
	}
	others, err := sqlite.Query(tx, scanRecord, otherSQL, id, after.seq, limit-len(list))
	return append(list, others...), err
}
