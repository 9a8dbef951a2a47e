package sns

import (
	"maps"
	"slices"
)

// Warner is a Provider that can know of something wrong in how it is set up.
type Warner interface {
	// Warnings are sentences for the person; none says that all is well.
	Warnings() []string
}

// Warnings returns what is wrong in how the networks are set up, beside what is
// wrong with their connections.
func (s *Service) Warnings() []string {
	var out []string
	for _, n := range slices.Sorted(maps.Keys(s.providers)) {
		if w, ok := s.providers[n].(Warner); ok {
			out = append(out, w.Warnings()...)
		}
	}
	return out
}
