package sns

import "time"

// Cost is what reading a source takes of a limit that the workspace keeps so that
// the network does not lock the account.
type Cost struct {
	// Requests is how many one look at the newest page takes.
	Requests int
	// Limit is how many there may be Per this time, for all sources that are read
	// in the same way.
	Limit int
	Per   time.Duration
}

// Coster is a Provider that keeps limits for each way of reading.
type Coster interface {
	// Cost is false for a source without a limit of its own.
	Cost(s Source) (Cost, bool)
}

// SourceCost returns what reading a source of the connection takes, and false where
// nothing needs to be said about it.
func (s *Service) SourceCost(c Connection, src Source) (Cost, bool) {
	p, ok := s.providers[c.Network].(Coster)
	if !ok {
		return Cost{}, false
	}
	return p.Cost(src)
}
