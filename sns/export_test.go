package sns

import (
	"time"
)

// Cursor is the content of a cursor, for tests.
type Cursor = cursor

// SealCursor and OpenCursor make and read cursors under a key.
func SealCursor(key []byte, connectionID string, src Source, c Cursor) string {
	return cursors{key}.seal(connectionID, src, c)
}

func OpenCursor(key []byte, c Connection, src Source, text string, now time.Time) (Cursor, error) {
	return cursors{key}.open(c, src, text, now)
}

// CursorTag is what a cursor remembers of an entry.
func CursorTag(entryID string) []byte { return tagOf(entryID) }

// NewGate makes a connection's gate.
func NewGate(now func() time.Time) Gate { return newGate(now) }

// Paused asks the gate of a connection whether background work pauses.
func Paused(g Gate) bool { return g.(*gate).paused() }

// GateOf is the gate that the service gives a connection.
func GateOf(s *Service, connectionID string) Gate { return s.gates.of(connectionID) }

// Limit lowers the limits of the store.
func Limit(s *Service, entries, posts, batch int) {
	s.limits.entries, s.limits.posts, s.limits.batch = entries, posts, batch
}

// LimitAge lowers the age of posts that are kept.
func LimitAge(s *Service, age time.Duration) { s.limits.age = age }

// Remembered counts the pages the service has in memory.
func Remembered(s *Service) int {
	s.pages.mu.Lock()
	defer s.pages.mu.Unlock()
	return len(s.pages.results)
}

// ConnectionsWithTurns counts the connections that have or want turns.
func ConnectionsWithTurns(s *Service) int {
	s.life.mu.Lock()
	defer s.life.mu.Unlock()
	return len(s.life.own)
}

// Normalize checks a source for a network.
func Normalize(s Source, n Network, field string) (Source, error) { return s.normalize(n, nil, field) }

// MaxResults, MaxQueue and Stride are limits of the implementation.
const (
	MaxResults = maxResults
	MaxThin    = maxThin
	MaxQueue   = maxQueue
	Stride     = stride
)

// MemoryOf is what the service keeps for a provider of a profile.
func MemoryOf(s *Service, origin, profile string) Memory {
	return memory{s, Twitter, origin, profile}
}
