package activities

import (
	"encoding/json"
	"fmt"
	"strconv"

	"personal-workspace/internal/fault"
	"personal-workspace/internal/sqlite"
)

// Whether a row of the history can be taken back.
const (
	undoNever = iota
	undoable
	undone
)

// row is a row of the history.
type row struct {
	seq         int64
	activitySeq int64
	activityID  string
	revision    int64
	at          int64
	by          Proposer
	what        string
	was, became Status
	// before and after are nil where the decision stayed.
	before, after *decision
	undo          int
}

const (
	rowColumns = `c.seq, c.activity_seq, a.id, c.revision, c.at, c.actor_kind, c.actor_id, c.client_name, c.what, c.was, c.became, c.before, c.after, c.undo`

	historySQL  = "SELECT " + rowColumns + " FROM activities a CROSS JOIN activity_changes c ON c.activity_seq = a.seq WHERE a.id = ? ORDER BY c.seq DESC LIMIT ?"
	findRowSQL  = "SELECT " + rowColumns + " FROM activity_changes c CROSS JOIN activities a ON a.seq = c.activity_seq WHERE c.seq = ?"
	lastUndoSQL = "SELECT " + rowColumns + " FROM activity_changes c CROSS JOIN activities a ON a.seq = c.activity_seq WHERE c.undo = 1 AND c.seq > (SELECT seq FROM activity_changes WHERE undo = 1 ORDER BY seq DESC LIMIT 1) - ? AND c.revision = (SELECT revision FROM activity_changes WHERE undo = 1 ORDER BY seq DESC LIMIT 1) ORDER BY c.seq DESC"
	lastSQL     = "SELECT seq FROM activity_changes WHERE undo = 1 ORDER BY seq DESC LIMIT 1"
	// The rows of one commit stand one after the other.
	togetherSQL = "SELECT " + rowColumns + " FROM activity_changes c CROSS JOIN activities a ON a.seq = c.activity_seq WHERE c.seq > ?1 - ?2 AND c.seq < ?1 + ?2 AND c.revision = ?3 ORDER BY c.seq"
	laterSQL    = "SELECT count(*) FROM activity_changes WHERE activity_seq = ? AND seq > ? AND undo = 1"
	ownUndoSQL  = "SELECT " + rowColumns + " FROM activity_changes c CROSS JOIN activities a ON a.seq = c.activity_seq WHERE c.activity_seq = ? AND c.undo = 1 ORDER BY c.seq DESC LIMIT 1"
)

// insert adds a row about a record to the history and returns its seq.
func (c *change) insert(r record, w row) (int64, error) {
	before, err := encodeDecision(w.before)
	if err != nil {
		return 0, err
	}
	after, err := encodeDecision(w.after)
	if err != nil {
		return 0, err
	}
	seq, err := sqlite.One(c.tx, sqlite.Int, `INSERT INTO activity_changes
		(activity_seq, revision, at, actor_kind, actor_id, client_name, what, was, became, before, after, undo)
		VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?) RETURNING seq`,
		r.seq, c.revision, c.at, c.by.Kind, c.by.ID, c.by.ClientName, w.what, w.was, r.decision.Status, before, after, w.undo)
	if err != nil {
		return 0, fmt.Errorf("add to the history of %s: %w", r.id, err)
	}
	return seq, nil
}

// insertCreated writes what a publication made, with its history.
func (p *publishing) insertCreated() error {
	if len(p.created) == 0 {
		return nil
	}
	if err := insertRecords(p.tx, p.created); err != nil {
		return err
	}
	_, err := p.tx.Exec(`INSERT INTO activity_changes
		(activity_seq, revision, at, actor_kind, actor_id, client_name, what, was, became, undo)
		SELECT seq, ?, ?, ?, ?, ?, ?, ?, ?, ? FROM activities WHERE seq >= ? ORDER BY seq`,
		p.revision, p.at, p.by.Kind, p.by.ID, p.by.ClientName, whatPublished, Proposed, Proposed, undoNever, p.created[0].seq)
	return err
}

// encodeDecision is a decision's JSON, NULL for none.
func encodeDecision(d *decision) (any, error) {
	if d == nil {
		return nil, nil
	}
	b, err := json.Marshal(d)
	return string(b), err
}

func scanRow(s sqlite.Row) (w row, err error) {
	var before, after *string
	if err := s.Scan(&w.seq, &w.activitySeq, &w.activityID, &w.revision, &w.at, &w.by.Kind, &w.by.ID, &w.by.ClientName,
		&w.what, &w.was, &w.became, &before, &after, &w.undo); err != nil {
		return w, err
	}
	if w.before, err = decodeDecision(before); err != nil {
		return w, err
	}
	w.after, err = decodeDecision(after)
	return w, err
}

func decodeDecision(s *string) (*decision, error) {
	if s == nil {
		return nil, nil
	}
	d := new(decision)
	return d, json.Unmarshal([]byte(*s), d)
}

// maxHistory is how many rows of an activity's history are shown.
const maxHistory = 500

func listHistory(tx *sqlite.Tx, id string) ([]row, error) {
	return sqlite.Query(tx, scanRow, historySQL, id, maxHistory)
}

// findChange returns a row by its public id, or a not_found fault.
func findChange(tx *sqlite.Tx, id string) (row, error) {
	seq, err := strconv.ParseInt(id, 10, 64)
	if err != nil {
		return row{}, noChange()
	}
	w, err := sqlite.One(tx, scanRow, findRowSQL, seq)
	if sqlite.IsNoRows(err) {
		return w, noChange()
	}
	return w, err
}

func noChange() error {
	return fault.Missing("change", "There is no such change in the history.")
}

// lastChanges returns the rows of the last commit that can be taken back.
func lastChanges(tx *sqlite.Tx) ([]row, error) {
	return sqlite.Query(tx, scanRow, lastUndoSQL, MaxBatch)
}

// listTogether returns the rows of the commit of one.
func listTogether(tx *sqlite.Tx, w row) ([]row, error) {
	return sqlite.Query(tx, scanRow, togetherSQL, w.seq, MaxBatch, w.revision)
}

// lastOf returns the last row of an activity that can be taken back, and whether
// there is one.
func lastOf(tx *sqlite.Tx, activitySeq int64) (row, bool, error) {
	w, err := sqlite.One(tx, scanRow, ownUndoSQL, activitySeq)
	if sqlite.IsNoRows(err) {
		return w, false, nil
	}
	return w, err == nil, err
}

// laterChanges counts the rows of an activity behind one that are not taken back.
func laterChanges(tx *sqlite.Tx, activitySeq, seq int64) (int64, error) {
	return sqlite.One(tx, sqlite.Int, laterSQL, activitySeq, seq)
}

func markUndo(tx *sqlite.Tx, seq int64, undo int) error {
	_, err := tx.Exec("UPDATE activity_changes SET undo = ? WHERE seq = ?", undo, seq)
	return err
}

// eraseHistory removes the texts of an activity's history.
func eraseHistory(tx *sqlite.Tx, activitySeq int64) error {
	_, err := tx.Exec("UPDATE activity_changes SET before = NULL, after = NULL, undo = iif(undo = 1, 0, undo) WHERE activity_seq = ?", activitySeq)
	return err
}
