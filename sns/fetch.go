package sns

import "context"

// FetchPosts asks the upstream for one page of a source and stores it. cursor
// is "" for the newest page, or the NextCursor of an earlier page of the same
// connection and source. Answers younger than 15 s are shared. When the
// upstream fails the fault says why; stored posts are never returned instead.
func (s *Service) FetchPosts(ctx context.Context, connectionID string, src Source, cursor string) (Page, error) {
	panic("not yet")
}

// ListLists returns the lists of the connection's account.
func (s *Service) ListLists(ctx context.Context, connectionID string) ([]List, error) {
	panic("not yet")
}

// GetThread reads the conversation around a post from the upstream.
func (s *Service) GetThread(ctx context.Context, connectionID, postID string) (Thread, error) {
	panic("not yet")
}

// Refresh brings the newest page of a source into the store.
func (s *Service) Refresh(ctx context.Context, connectionID string, src Source) error {
	panic("not yet")
}

// RefreshLater asks Run to refresh a source in the background. It never waits;
// a source that is already queued or was fetched within a minute is left alone.
func (s *Service) RefreshLater(connectionID string, src Source) {
	panic("not yet")
}
