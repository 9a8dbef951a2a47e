package egress_test

import (
	"context"
	"errors"
	"testing"
	"testing/synctest"
	"time"

	"personal-workspace/internal/egress"
)

func TestPauseEndsWithItsContext(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		start := time.Now()
		if err := egress.Pause(t.Context(), 2*time.Second); err != nil || time.Since(start) != 2*time.Second {
			t.Errorf("Pause(2s) = %v after %s", err, time.Since(start))
		}

		ctx, cancel := context.WithTimeout(t.Context(), time.Second)
		defer cancel()
		start = time.Now()
		if err := egress.Pause(ctx, time.Hour); !errors.Is(err, context.DeadlineExceeded) || time.Since(start) != time.Second {
			t.Errorf("Pause(1h) = %v after %s, want its context's end after 1s", err, time.Since(start))
		}
	})
}
