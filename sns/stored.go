package sns

import (
	"context"
	"time"

	"personal-workspace/internal/fault"
)

// StoredQuery says which part of a stored timeline is wanted.
type StoredQuery struct {
	// Limit is the most posts, at most MaxStored; 0 means MaxPage.
	Limit int
	// Before continues an earlier StoredPage: its Older. "" is the newest post.
	Before string
}

// MaxStored is the most posts a StoredPage has.
const MaxStored = 100

// StoredPage is a part of a stored timeline, newest first.
type StoredPage struct {
	Posts []Post
	// FetchedAt is when the newest page was last read from the upstream; zero
	// means never.
	FetchedAt time.Time
	// Older is the Before of the next part, "" when nothing older is stored.
	Older string
	// Gaps has, by the EntryID of a post here, the FetchPosts cursor that reads
	// what the workspace has not seen between that post and the one below it.
	Gaps map[string]string
	// Failure says why the newest page could not be read the last time; nil
	// when it could.
	Failure *Failure
}

// Failure is why the last refresh of a source failed.
type Failure struct {
	Code fault.Code
	// Message is one sentence for the reader.
	Message string
	At      time.Time
	// RetryAt is when to try again; zero means the failure named no time.
	RetryAt time.Time
}

// ColumnRef names a source of a connection.
type ColumnRef struct {
	ConnectionID string
	Source       Source
}

// StoredPosts returns what is stored of a source. It never waits for a network.
func (s *Service) StoredPosts(ctx context.Context, connectionID string, src Source, q StoredQuery) (StoredPage, error) {
	panic("not yet")
}

// StoredColumns returns the newest limit stored posts of each source, in the
// order of refs and from one snapshot of the database. A removed connection is
// a page with a not_found Failure.
func (s *Service) StoredColumns(ctx context.Context, refs []ColumnRef, limit int) ([]StoredPage, error) {
	panic("not yet")
}
