package main

import (
	"crypto/sha256"
	"encoding/json"
	"fmt"
	"net/http"
	"time"

	"personal-workspace/internal/sqlite"
)

// publisher is the bare handler that publish_activities is measured against: it
// decodes the same request, writes the same rows in one commit and answers with
// the same receipt. It checks nothing.
type publisher struct{ db *sqlite.DB }

type publication struct {
	Params struct {
		Arguments struct {
			RequestID        string     `json:"requestId"`
			ExpectedRevision int64      `json:"expectedRevision"`
			Activities       []activity `json:"activities"`
		} `json:"arguments"`
	} `json:"params"`
}

type activity struct {
	ID     string  `json:"id,omitempty"`
	Kind   string  `json:"kind"`
	Title  string  `json:"title"`
	Body   string  `json:"body,omitempty"`
	Reason string  `json:"reason,omitempty"`
	Source *source `json:"source,omitempty"`
}

type source struct {
	URL             string    `json:"url,omitempty"`
	ConversationKey string    `json:"conversationKey,omitempty"`
	Author          *author   `json:"author,omitempty"`
	Excerpts        []excerpt `json:"excerpts,omitempty"`
}

type author struct {
	Name   string `json:"name,omitempty"`
	Handle string `json:"handle,omitempty"`
}

type excerpt struct {
	Text   string     `json:"text"`
	Author string     `json:"author,omitempty"`
	At     *time.Time `json:"at,omitempty"`
}

type receipt struct {
	RequestID  string    `json:"requestId"`
	Revision   int64     `json:"revision"`
	Activities []outcome `json:"activities"`
}

type outcome struct {
	ID      string `json:"id"`
	Outcome string `json:"outcome"`
}

func (p publisher) ServeHTTP(w http.ResponseWriter, r *http.Request) {
	var in publication
	err := json.NewDecoder(r.Body).Decode(&in)
	var out receipt
	if err == nil {
		err = p.db.Write(r.Context(), func(tx *sqlite.Tx) (err error) {
			out, err = in.write(tx)
			return err
		})
	}
	if err != nil {
		http.Error(w, err.Error(), http.StatusInternalServerError)
		return
	}
	w.Header().Set("Content-Type", "application/json")
	_ = json.NewEncoder(w).Encode(map[string]any{"jsonrpc": "2.0", "id": 1, "result": out})
}

// write is the one commit of a publication: its activities, their history, the
// receipt, the revision, the entry in the ledger and the record of the call.
func (p publication) write(tx *sqlite.Tx) (receipt, error) {
	in := p.Params.Arguments
	now := time.Now().UnixMilli()
	revision, err := sqlite.One(tx, sqlite.Int, "UPDATE activity_state SET revision = revision + 1 WHERE id = 1 RETURNING revision")
	if err != nil {
		return receipt{}, err
	}
	out := receipt{RequestID: in.RequestID, Revision: revision}
	for i, a := range in.Activities {
		id := fmt.Sprintf("act_%d_%d", revision, i)
		if err := a.write(tx, id, revision, now); err != nil {
			return receipt{}, err
		}
		out.Activities = append(out.Activities, outcome{id, "created"})
	}
	text, err := json.Marshal(out)
	if err != nil {
		return receipt{}, err
	}
	digest := sha256.Sum256(text)
	for _, statement := range []struct {
		query string
		args  []any
	}{
		{"INSERT INTO activity_receipts (request_id, digest, receipt, at) VALUES (?, ?, ?, ?)", []any{in.RequestID, digest[:], string(text), now}},
		{`INSERT INTO ledger (id, at, actor_kind, actor_id, name, resource_type, resource_id, data)
			VALUES (?, ?, 'caller', 'anonymous', 'activity.published', 'activity', ?, '{"count":20}')`, []any{fmt.Sprint("evt_", revision), now, out.Activities[0].ID}},
		{`INSERT INTO tool_runs (id, at, caller, client_name, client_version, tool, outcome, duration_us)
			VALUES (?, ?, 'anonymous', 'bench', '1', 'publish_activities', 'ok', 0)`, []any{fmt.Sprint("run_", revision), now}},
	} {
		if _, err := tx.Exec(statement.query, statement.args...); err != nil {
			return receipt{}, err
		}
	}
	return out, nil
}

const (
	insertActivity = `INSERT INTO activities
		(id, own, kind, proposal, decision, source_key, conversation, connection_id, evidence_at, root, dismissed_before,
		actor_kind, actor_id, run_id, client_name, client_version, created_at, proposed_at, confirmed_at, updated_at,
		proposal_revision, touched_revision, revision, place, urgency, due_at, place_at, waiting)
		VALUES (?, 0, ?, ?, '{"status":"proposed"}', ?, ?, '', 0, '', 0, 'caller', 'anonymous', '', 'bench', '1', ?, ?, ?, ?, ?, 0, ?, 'todo', 1, NULL, 0, 0)
		RETURNING seq`
	insertChange = `INSERT INTO activity_changes
		(activity_seq, revision, at, actor_kind, actor_id, client_name, what, was, became, before, after, undo)
		VALUES (?, ?, ?, 'caller', 'anonymous', 'bench', 'published', '', 'proposed', NULL, NULL, 0)`
)

func (a activity) write(tx *sqlite.Tx, id string, revision, now int64) error {
	text, err := json.Marshal(a)
	if err != nil {
		return err
	}
	seq, err := sqlite.One(tx, sqlite.Int, insertActivity, id, a.Kind, string(text), id, id, now, now, now, now, revision, revision)
	if err != nil {
		return err
	}
	_, err = tx.Exec(insertChange, seq, revision, now)
	return err
}
