package app_test

import (
	"context"
	"errors"
	"strings"
	"sync"
	"testing"
	"testing/synctest"
	"time"

	"github.com/google/go-cmp/cmp"

	"personal-workspace/internal/app"
)

// journal notes in which order owners stop.
type journal struct {
	mu   sync.Mutex
	list []string
}

func (j *journal) add(s string) {
	j.mu.Lock()
	defer j.mu.Unlock()
	j.list = append(j.list, s)
}

func (j *journal) steady(name string) app.Owner {
	return app.Owner{Name: name, Run: func(ctx context.Context) error {
		<-ctx.Done()
		j.add(name)
		return ctx.Err()
	}}
}

func TestOwnersStopInReverseOrder(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		var j journal
		ctx, cancel := context.WithCancel(t.Context())
		time.AfterFunc(time.Second, cancel)
		if err := app.RunOwners(ctx, j.steady("first"), j.steady("second"), j.steady("third")); err != nil {
			t.Errorf("RunOwners = %v, want nil", err)
		}
		if diff := cmp.Diff([]string{"third", "second", "first"}, j.list); diff != "" {
			t.Errorf("order of stopping (-want +got):\n%s", diff)
		}
	})
}

func TestOwnerThatFailsStopsTheOthers(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		var j journal
		broken := app.Owner{Name: "broken", Run: func(context.Context) error { return errors.New("disk full") }}
		err := app.RunOwners(t.Context(), j.steady("first"), broken, j.steady("last"))
		if err == nil || !strings.Contains(err.Error(), "broken: disk full") {
			t.Errorf("RunOwners = %v, want it to name the broken owner and its cause", err)
		}
		if diff := cmp.Diff([]string{"last", "first"}, j.list); diff != "" {
			t.Errorf("stopped (-want +got):\n%s", diff)
		}
	})
}

func TestOwnerThatEndsEarlyIsAFailure(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		short := app.Owner{Name: "short", Run: func(context.Context) error { return nil }}
		if err := app.RunOwners(t.Context(), short); err == nil || !strings.Contains(err.Error(), "short") {
			t.Errorf("RunOwners = %v, want it to name the owner", err)
		}
	})
}

func TestOwnerThatHangsIsLeftAfterTheGrace(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		var j journal
		release := make(chan struct{})
		hung := app.Owner{Name: "hung", Run: func(context.Context) error { <-release; return nil }}
		ctx, cancel := context.WithCancel(t.Context())
		cancel()
		started := time.Now()
		err := app.RunOwners(ctx, j.steady("first"), hung)
		if err == nil || !strings.Contains(err.Error(), "hung did not stop in time") {
			t.Errorf("RunOwners = %v, want it to name the owner that hangs", err)
		}
		if took := time.Since(started); took > 10*time.Second {
			t.Errorf("RunOwners took %v, want at most 10 s", took)
		}
		close(release)
	})
}

func TestEvery(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		ctx, cancel := context.WithTimeout(t.Context(), 49*time.Hour)
		defer cancel()
		n := 0
		err := app.Every(ctx, 24*time.Hour, func(context.Context) { n++ })
		if !errors.Is(err, context.DeadlineExceeded) || n != 3 {
			t.Errorf("Every = %v after %d calls, want the context's end after 3", err, n)
		}
	})
}
