package sns_test

import (
	"context"
	"testing"
	"testing/synctest"
	"time"

	"personal-workspace/internal/fault"
	"personal-workspace/sns"
)

// spend takes n requests and ends each at once.
func spend(t *testing.T, g sns.Gate, n int, paging bool) {
	t.Helper()
	for i := range n {
		release, err := g.Acquire(t.Context(), paging)
		if err != nil {
			t.Fatalf("request %d: %v", i+1, err)
		}
		release()
	}
}

func TestBudgetOf200RequestsIn5Minutes(t *testing.T) {
	clock := &testClock{now: epoch}
	g := sns.NewGate(clock.Now)
	spend(t, g, 1, false)
	clock.add(time.Minute)
	spend(t, g, 199, false)

	_, err := g.Acquire(t.Context(), false)
	wantFault(t, err, fault.BudgetExhausted, map[string]any{"retryAt": "2026-11-30T12:05:00Z"})

	clock.add(4 * time.Minute)
	spend(t, g, 1, false)
	_, err = g.Acquire(t.Context(), false)
	wantFault(t, err, fault.BudgetExhausted, map[string]any{"retryAt": "2026-11-30T12:06:00Z"})
}

func TestBudgetOf200PagingRequestsIn15Minutes(t *testing.T) {
	clock := &testClock{now: epoch}
	g := sns.NewGate(clock.Now)
	spend(t, g, 150, true)
	clock.add(5 * time.Minute)
	spend(t, g, 50, true)

	_, err := g.Acquire(t.Context(), true)
	wantFault(t, err, fault.BudgetExhausted, map[string]any{"retryAt": "2026-11-30T12:15:00Z"})
	spend(t, g, 100, false) // the newest page still can be read

	clock.add(10 * time.Minute)
	spend(t, g, 150, true)
	_, err = g.Acquire(t.Context(), true)
	wantFault(t, err, fault.BudgetExhausted, map[string]any{"retryAt": "2026-11-30T12:20:00Z"})
}

func TestRefusedRequestCostsNothing(t *testing.T) {
	clock := &testClock{now: epoch}
	g := sns.NewGate(clock.Now)
	spend(t, g, 200, false)
	for range 1000 {
		if _, err := g.Acquire(t.Context(), false); err == nil {
			t.Fatal("a request over the budget was allowed")
		}
	}
	clock.add(5 * time.Minute)
	spend(t, g, 200, false)
}

func TestRetryAtIsRoundedUp(t *testing.T) {
	clock := &testClock{now: epoch.Add(300 * time.Millisecond)}
	g := sns.NewGate(clock.Now)
	spend(t, g, 200, false)
	_, err := g.Acquire(t.Context(), false)
	wantFault(t, err, fault.BudgetExhausted, map[string]any{"retryAt": "2026-11-30T12:05:01Z"})
}

func TestThreeRequestsInFlight(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		g := sns.NewGate(time.Now)
		var releases []func()
		for range 3 {
			release, err := g.Acquire(t.Context(), false)
			if err != nil {
				t.Fatalf("Acquire: %v", err)
			}
			releases = append(releases, release)
		}
		got := make(chan error, 1)
		go func() {
			release, err := g.Acquire(t.Context(), false)
			if err == nil {
				release()
			}
			got <- err
		}()
		synctest.Wait()
		select {
		case err := <-got:
			t.Fatalf("a fourth request was in flight: %v", err)
		default:
		}
		releases[0]()
		releases[0]() // again: it must not free a second place
		if err := <-got; err != nil {
			t.Fatalf("Acquire after a release: %v", err)
		}
	})
}

func TestWaitForAPlaceEndsWithItsContext(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		g := sns.NewGate(time.Now)
		for range 3 {
			if _, err := g.Acquire(t.Context(), false); err != nil {
				t.Fatalf("Acquire: %v", err)
			}
		}
		ctx, cancel := context.WithTimeout(t.Context(), time.Second)
		defer cancel()
		_, err := g.Acquire(ctx, false)
		wantFault(t, err, fault.Timeout, nil)
	})
}

func TestObserveStopsBackgroundWorkOnly(t *testing.T) {
	clock := &testClock{now: epoch}
	tests := []struct {
		name      string
		remaining int
		reset     time.Time
		after     time.Duration
		want      bool
	}{
		{"plenty left", 6, epoch.Add(time.Minute), 0, false},
		{"five left", 5, epoch.Add(time.Minute), 0, true},
		{"until the reset", 5, epoch.Add(time.Minute), time.Minute, false},
		{"nothing said", -1, epoch.Add(time.Minute), 0, false},
		{"no reset named", 0, time.Time{}, 59 * time.Second, true},
		{"no reset named, a minute later", 0, time.Time{}, time.Minute, false},
		{"a reset in the past holds a second", 0, epoch.Add(-time.Hour), 999 * time.Millisecond, true},
		{"a reset in a year holds an hour", 0, epoch.AddDate(1, 0, 0), time.Hour, false},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			g := sns.NewGate(clock.Now)
			clock.now = epoch
			g.Observe(tt.remaining, tt.reset)
			clock.add(tt.after)
			if got := sns.Paused(g); got != tt.want {
				t.Errorf("paused = %v, want %v", got, tt.want)
			}
			spend(t, g, 1, false)
		})
	}
}

func TestObserveOfANewWindowEndsThePause(t *testing.T) {
	clock := &testClock{now: epoch}
	g := sns.NewGate(clock.Now)
	g.Observe(2, epoch.Add(time.Hour))
	g.Observe(-1, time.Time{})
	if !sns.Paused(g) {
		t.Error("an answer without numbers ended the pause")
	}
	g.Observe(299, epoch.Add(time.Hour))
	if sns.Paused(g) {
		t.Error("the pause did not end with a new window")
	}
}
