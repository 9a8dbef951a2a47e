package mcp_test

import (
	"encoding/json"
	"testing"
	"time"

	"personal-workspace/activities"
	"personal-workspace/activities/activitiestest"
	"personal-workspace/internal/fault"
	"personal-workspace/internal/sqlite"
	"personal-workspace/sns"
)

// TestActivityOperations runs the shared cases through the tools, all on one
// world that is emptied between them.
func TestActivityOperations(t *testing.T) {
	w := newWorld(t)
	connection := w.connect(t, "ann")
	w.net.posts = []sns.Post{activitiestest.Post(start)}
	activitiestest.Run(t, func(t *testing.T) (activitiestest.Client, activitiestest.World) {
		w.forgetActivities(t)
		return proposer{activitiestest.Service(w.activities), w}, activitiestest.World{ConnectionID: connection.ID, Now: start}
	})
}

// forgetActivities makes the workspace's activities those of an empty one.
func (w *world) forgetActivities(tb testing.TB) {
	tb.Helper()
	err := w.db.Write(tb.Context(), func(tx *sqlite.Tx) error {
		for _, statement := range []string{"DELETE FROM activities", "DELETE FROM activity_receipts", "UPDATE activity_state SET revision = 0"} {
			if _, err := tx.Exec(statement); err != nil {
				return err
			}
		}
		return nil
	})
	if err != nil {
		tb.Fatal(err)
	}
}

// proposer is an assistant that publishes and reads through the tools. What only
// the person can do comes from the service.
type proposer struct {
	activitiestest.Client
	*world
}

func (p proposer) Publish(t *testing.T, in activities.Publication) (r activities.Receipt, o activitiestest.Outcome) {
	t.Helper()
	if in.Activities == nil {
		in.Activities = []activities.Proposal{}
	}
	text, err := json.Marshal(map[string]any{"requestId": in.RequestID, "expectedRevision": in.ExpectedRevision, "activities": in.Activities})
	if err != nil {
		t.Fatal(err)
	}
	res := p.call(t, "publish_activities", string(text))
	if res.IsError {
		f := res.fault(t)
		field, _ := f.Details[fault.DetailField].(string)
		return r, activitiestest.Outcome{Code: fault.Code(f.Code), Field: field}
	}
	if err := json.Unmarshal(res.Structured, &r); err != nil {
		t.Fatal(err)
	}
	return r, o
}

// readActivity is an activity as clients decode it.
type readActivity struct {
	ID       string
	Own      bool
	Proposal activities.Proposal
	Edits    *struct {
		Title, Body *string
		DueAt       json.RawMessage
	}
	Decision struct {
		Status        activities.Status
		Waiting       bool
		DismissReason string
	}
	ChangedSinceDecision, Stale, Erased, Truncated bool
	DismissedBefore                                *time.Time
}

// readContext is an answer of get_activity_context.
type readContext struct {
	Revision   int64
	Activities []readActivity
	NextCursor *string
}

func (a readActivity) state() activitiestest.State {
	s := activitiestest.State{
		ID: a.ID, Title: a.Proposal.Title, Body: a.Proposal.Body, Kind: a.Proposal.Kind, Status: a.Decision.Status, Reason: a.Decision.DismissReason,
		Own: a.Own, Edited: a.Edits != nil, Waiting: a.Decision.Waiting, Changed: a.ChangedSinceDecision, Stale: a.Stale, Erased: a.Erased,
		Again: a.DismissedBefore != nil,
	}
	if a.Edits != nil && a.Edits.Title != nil {
		s.Title = *a.Edits.Title
	}
	if a.Edits != nil && a.Edits.Body != nil {
		s.Body = *a.Edits.Body
	}
	return s
}

// Read lists the activities, and reads the whole of those whose texts a list
// cuts.
func (p proposer) Read(t *testing.T) (revision int64, list []activitiestest.State) {
	t.Helper()
	var all readContext
	p.structured(t, "get_activity_context", "{}", &all)
	if all.NextCursor != nil {
		t.Fatal("the cases fit one page, but there is a second")
	}
	for _, a := range all.Activities {
		if a.Truncated {
			a = p.whole(t, a.ID)
		}
		list = append(list, a.state())
	}
	return all.Revision, list
}

// whole reads one activity alone.
func (w *world) whole(t *testing.T, id string) readActivity {
	t.Helper()
	var one readContext
	w.structured(t, "get_activity_context", `{"activityIds":["`+id+`"]}`, &one)
	if len(one.Activities) != 1 {
		t.Fatalf("%d activities have the id %s", len(one.Activities), id)
	}
	return one.Activities[0]
}
