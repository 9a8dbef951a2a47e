package activities

import "context"

// Tick does what Run does when its timer fires.
func Tick(ctx context.Context, s *Service) error { return s.wakeDue(ctx) }

// Forget does what Run does about erased texts.
func Forget(ctx context.Context, s *Service) { s.forget(ctx) }
