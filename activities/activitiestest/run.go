package activitiestest

import (
	"cmp"
	"slices"
	"strings"
	"testing"
	"time"

	gocmp "github.com/google/go-cmp/cmp"

	"personal-workspace/activities"
)

// Operation is one request; the one member that is set says what.
type Operation struct {
	Publish *activities.Publication
	Decide  *activities.Decide
	Edit    *activities.Edit
	Create  *activities.Own
	// FromPost makes a task from a post.
	FromPost *activities.PostRef
	// Undo takes back the person's last decision or edit.
	Undo bool
	// Erase is an activity's id.
	Erase string
}

// Case is an operation with its outcome.
type Case struct {
	Name string
	// Given are operations that succeed, in this order, before Op.
	Given []Operation
	Op    Operation
	Outcome
	// Receipt is what a successful publication did, "outcome id" of each
	// activity; an id that the workspace made is left out.
	Receipt []string
	// Revision is the workspace's afterwards.
	Revision int64
	// Want are the activities afterwards, by id. One whose id the workspace made
	// has "" and comes first.
	Want []State
}

// World is what the cases are made for.
type World struct {
	// ConnectionID is a connection that is there, to Mastodon. It shows Post.
	ConnectionID string
	// Now is the time of the workspace's clock.
	Now time.Time
}

// Run runs the whole table through a way in. open makes a client of an empty
// workspace.
func Run(t *testing.T, open func(t *testing.T) (Client, World)) {
	for i, c := range Cases(World{}) {
		t.Run(c.Name, func(t *testing.T) {
			client, w := open(t)
			Cases(w)[i].run(t, client)
		})
	}
}

// Cases returns the table.
func Cases(w World) []Case {
	return slices.Concat(w.publications(), w.keptDecisions(), w.refusedPublications(), w.refusedTexts(), w.decisions(), w.refusedDecisions(), w.fromPosts())
}

func (c Case) run(t *testing.T, client Client) {
	t.Helper()
	for _, op := range c.Given {
		if _, o := do(t, client, op); o != (Outcome{}) {
			t.Fatalf("given %+v: %+v", op, o)
		}
	}

	r, o := do(t, client, c.Op)

	if o != c.Outcome {
		t.Errorf("outcome %+v, want %+v", o, c.Outcome)
	}
	if diff := gocmp.Diff(c.Receipt, linesOf(r, c.Want)); diff != "" {
		t.Errorf("receipt (-want +got):\n%s", diff)
	}
	revision, list := client.Read(t)
	if revision != c.Revision {
		t.Errorf("revision %d, want %d", revision, c.Revision)
	}
	if diff := gocmp.Diff(c.Want, named(list, c.Want)); diff != "" {
		t.Errorf("activities afterwards (-want +got):\n%s", diff)
	}
}

func do(t *testing.T, c Client, op Operation) (r activities.Receipt, o Outcome) {
	t.Helper()
	switch {
	case op.Publish != nil:
		return c.Publish(t, *op.Publish)
	case op.Decide != nil:
		o = c.Decide(t, *op.Decide)
	case op.Edit != nil:
		o = c.Edit(t, *op.Edit)
	case op.Create != nil:
		o = c.Create(t, *op.Create)
	case op.FromPost != nil:
		o = c.CreateFromPost(t, *op.FromPost)
	case op.Undo:
		o = c.Undo(t)
	default:
		o = c.Erase(t, op.Erase)
	}
	return r, o
}

// linesOf is a receipt for reading.
func linesOf(r activities.Receipt, want []State) (lines []string) {
	for _, o := range r.Activities {
		lines = append(lines, strings.TrimSpace(o.Outcome+" "+nameOf(o.ID, want)))
	}
	return lines
}

// nameOf is an id, or "" for one that no case chose.
func nameOf(id string, want []State) string {
	if slices.ContainsFunc(want, func(s State) bool { return s.ID == id }) {
		return id
	}
	return ""
}

// named is a list by id, without the ids that no case chose.
func named(list, want []State) []State {
	if len(list) == 0 {
		return nil
	}
	list = slices.Clone(list)
	for i := range list {
		list[i].ID = nameOf(list[i].ID, want)
	}
	slices.SortFunc(list, func(a, b State) int { return cmp.Or(cmp.Compare(a.ID, b.ID), cmp.Compare(a.Title, b.Title)) })
	return list
}
