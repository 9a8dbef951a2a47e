package activitiestest

import (
	"context"
	"testing"

	"personal-workspace/activities"
	"personal-workspace/internal/fault"
	"personal-workspace/internal/ledger"
)

// Outcome is how an operation ended: the code and the field of its fault, both
// "" for success.
type Outcome struct {
	Code  fault.Code
	Field string
}

// OutcomeOf is the outcome of an error.
func OutcomeOf(err error) Outcome {
	f := fault.From(err)
	if f == nil {
		return Outcome{}
	}
	field, _ := f.Details[fault.DetailField].(string)
	return Outcome{f.Code, field}
}

// State is what can be known of an activity from outside. Times are left out but
// for whether there is one.
type State struct {
	ID string
	// Title and Body are what the person sees.
	Title, Body string
	Kind        activities.Kind
	Status      activities.Status
	// Reason is that of a dismissal.
	Reason                                       string
	Own, Edited, Waiting, Changed, Stale, Erased bool
	// Again: it was dismissed once and newer evidence brought it back.
	Again bool
}

// Client is one way in, to a workspace of its own.
type Client interface {
	Publish(t *testing.T, p activities.Publication) (activities.Receipt, Outcome)
	Decide(t *testing.T, d activities.Decide) Outcome
	Edit(t *testing.T, e activities.Edit) Outcome
	Create(t *testing.T, o activities.Own) Outcome
	CreateFromPost(t *testing.T, ref activities.PostRef) Outcome
	Undo(t *testing.T) Outcome
	Erase(t *testing.T, id string) Outcome
	// Read returns the revision and all activities in any order.
	Read(t *testing.T) (revision int64, list []State)
}

// Service is the way in of the service itself: assistants publish and read, the
// person does all else. A front end that has only some of the operations embeds
// it for the others.
func Service(s *activities.Service) Client { return service{s} }

type service struct{ s *activities.Service }

func (c service) Publish(t *testing.T, p activities.Publication) (activities.Receipt, Outcome) {
	t.Helper()
	r, err := c.s.Publish(as(t, ledger.Caller), p)
	return r, OutcomeOf(err)
}

func (c service) Decide(t *testing.T, d activities.Decide) Outcome {
	t.Helper()
	_, err := c.s.Decide(as(t, ledger.Person), d)
	return OutcomeOf(err)
}

func (c service) Edit(t *testing.T, e activities.Edit) Outcome {
	t.Helper()
	_, err := c.s.Edit(as(t, ledger.Person), e)
	return OutcomeOf(err)
}

func (c service) Create(t *testing.T, o activities.Own) Outcome {
	t.Helper()
	_, err := c.s.Create(as(t, ledger.Person), o)
	return OutcomeOf(err)
}

func (c service) CreateFromPost(t *testing.T, ref activities.PostRef) Outcome {
	t.Helper()
	_, err := c.s.CreateFromPost(as(t, ledger.Person), ref)
	return OutcomeOf(err)
}

func (c service) Undo(t *testing.T) Outcome {
	t.Helper()
	_, err := c.s.Undo(as(t, ledger.Person))
	return OutcomeOf(err)
}

func (c service) Erase(t *testing.T, id string) Outcome {
	t.Helper()
	return OutcomeOf(c.s.Erase(as(t, ledger.Person), id))
}

func (c service) Read(t *testing.T) (int64, []State) {
	t.Helper()
	p, err := c.s.Context(as(t, ledger.Caller), activities.ContextQuery{})
	if err != nil {
		t.Fatalf("Context: %v", err)
	}
	if p.NextCursor != "" {
		t.Fatal("the cases fit one page, but there is a second")
	}
	list := make([]State, len(p.Activities))
	for i, a := range p.Activities {
		list[i] = stateOf(a)
	}
	return p.Revision, list
}

func stateOf(a activities.Activity) State {
	title, body, _ := a.Effective()
	return State{
		ID: a.ID, Title: title, Body: body, Kind: a.Proposal.Kind, Status: a.Decision.Status, Reason: a.Decision.DismissReason,
		Own: a.Own, Edited: !a.Decision.Edits.Empty(), Waiting: a.Decision.Waiting, Changed: a.ChangedSinceDecision,
		Stale: a.Stale, Erased: a.Erased, Again: a.DismissedBefore != nil,
	}
}

func as(t *testing.T, kind ledger.ActorKind) context.Context {
	return ledger.WithActor(t.Context(), ledger.Actor{Kind: kind, ID: "test"})
}
