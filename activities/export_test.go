package activities

import "context"

// Tick does what Run does when its timer fires.
func Tick(ctx context.Context, s *Service) error {
	_, err := s.wakeDue(ctx)
	return err
}
