package egress

import (
	"context"
	"time"
)

// Pause waits for d between two requests. It returns early with ctx's error when
// that ends.
func Pause(ctx context.Context, d time.Duration) error {
	t := time.NewTimer(d)
	defer t.Stop()
	select {
	case <-t.C:
		return nil
	case <-ctx.Done():
		return ctx.Err()
	}
}
