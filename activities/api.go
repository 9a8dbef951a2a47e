package activities

import (
	"context"
	"errors"
)

var errLater = errors.New("not there yet")

// Run wakes snoozed activities by the clock and removes old receipts, until ctx
// ends.
func (s *Service) Run(ctx context.Context) error { <-ctx.Done(); return ctx.Err() }

// Publish stores what an assistant proposes, all of it or nothing.
func (s *Service) Publish(ctx context.Context, p Publication) (Receipt, error) {
	return Receipt{}, errLater
}

// Context returns activities for an assistant.
func (s *Service) Context(ctx context.Context, q ContextQuery) (ContextPage, error) {
	return ContextPage{}, errLater
}

// Get returns one activity, or a not_found fault.
func (s *Service) Get(ctx context.Context, id string) (Activity, error) { return Activity{}, errLater }

// Revision returns the workspace's activity revision.
func (s *Service) Revision(ctx context.Context) (int64, error) { return 0, errLater }

// Counts returns how many activities there are.
func (s *Service) Counts(ctx context.Context) (Counts, error) { return Counts{}, nil }

// List returns a page of a view.
func (s *Service) List(ctx context.Context, q Query) (Page, error) { return Page{}, errLater }

// Proposers returns the names that Query.Proposer can have.
func (s *Service) Proposers(ctx context.Context) ([]string, error) { return nil, errLater }

// Conversations returns conversations, newest evidence first.
func (s *Service) Conversations(ctx context.Context, q ConversationQuery) ([]Conversation, error) {
	return nil, errLater
}

// Conversation returns one conversation, or a not_found fault.
func (s *Service) Conversation(ctx context.Context, id string) (Conversation, error) {
	return Conversation{}, errLater
}

// Decide makes one decision about one or more activities, all or none.
func (s *Service) Decide(ctx context.Context, d Decide) (Result, error) { return Result{}, errLater }

// Edit saves the person's words.
func (s *Service) Edit(ctx context.Context, e Edit) (Activity, error) { return Activity{}, errLater }

// SaveDraft keeps what the person is typing.
func (s *Service) SaveDraft(ctx context.Context, id string, d Draft) error { return errLater }

// Draft returns what the person was typing, and whether there is something.
func (s *Service) Draft(ctx context.Context, id string) (Draft, bool, error) {
	return Draft{}, false, errLater
}

// DiscardDraft forgets what the person was typing.
func (s *Service) DiscardDraft(ctx context.Context, id string) error { return errLater }

// Undo takes back the person's last decision or edit that is not taken back yet.
func (s *Service) Undo(ctx context.Context) (Result, error) { return Result{}, errLater }

// UndoDecision takes back one change of an activity's history.
func (s *Service) UndoDecision(ctx context.Context, changeID string) (Activity, error) {
	return Activity{}, errLater
}

// History returns an activity's changes, newest first.
func (s *Service) History(ctx context.Context, id string) ([]Change, error) { return nil, errLater }

// Create makes an activity of the person's own.
func (s *Service) Create(ctx context.Context, o Own) (Activity, error) { return Activity{}, errLater }

// Erase removes an activity's text for good.
func (s *Service) Erase(ctx context.Context, id string) error { return errLater }
