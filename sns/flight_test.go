package sns_test

import (
	"context"
	"errors"
	"strconv"
	"sync"
	"testing"
	"testing/synctest"
	"time"

	"personal-workspace/internal/fault"
	"personal-workspace/sns"
)

func TestAnswersAreSharedFor15Seconds(t *testing.T) {
	w := newWorld(t)
	w.net.feed.add(50)
	ann, bob := w.login("ann"), w.login("bob")
	next := w.fetch(ann, home, "").NextCursor
	tests := []struct {
		name   string
		after  time.Duration
		c      sns.Connection
		src    sns.Source
		cursor string
		asks   int
	}{
		{"the same", 0, ann, home, "", 0},
		{"the same after 14 s", 14 * time.Second, ann, home, "", 0},
		{"another source", 0, ann, tagged, "", 1},
		{"another account", 0, bob, home, "", 1},
		{"another page", 0, ann, home, next, 1},
		{"the same after 15 s", time.Second, ann, home, "", 1},
	}
	for _, tt := range tests {
		w.clock.add(tt.after)
		before := w.net.asked()
		w.fetch(tt.c, tt.src, tt.cursor)
		if got := w.net.asked() - before; got != tt.asks {
			t.Errorf("%s: %d upstream requests, want %d", tt.name, got, tt.asks)
		}
	}
}

func TestFailuresAreNotShared(t *testing.T) {
	w := newWorld(t)
	c := w.login("ann")
	w.net.fail(fault.New(fault.UpstreamUnavailable, "Down."))
	w.sns.Refresh(t.Context(), c.ID, home)
	w.net.answer(nil)
	w.fetch(c, home, "")
}

func TestConcurrentReadersShareOneRequest(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		w := newWorld(t)
		w.net.feed.add(20)
		c := w.login("ann")
		answer := make(chan struct{})
		w.net.answer(func(context.Context, request) (sns.UpstreamPage, error) {
			<-answer
			return w.net.feed.page(""), nil
		})
		var wg sync.WaitGroup
		for i := range 50 {
			wg.Go(func() {
				var err error
				if i%2 == 0 {
					_, err = w.sns.FetchPosts(t.Context(), c.ID, home, "")
				} else {
					err = w.sns.Refresh(t.Context(), c.ID, home)
				}
				if err != nil {
					t.Errorf("reader %d: %v", i, err)
				}
			})
		}
		synctest.Wait()
		close(answer)
		wg.Wait()
		if n := w.net.asked(); n != 1 {
			t.Errorf("%d upstream requests, want 1", n)
		}
	})
}

// TestSlowFetchGoesOnAfterItsCaller: the caller is told after 20 s, the answer
// goes into the store and to the next call.
func TestSlowFetchGoesOnAfterItsCaller(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		w := newWorld(t, func(c *sns.Config) { c.Now = time.Now })
		w.net.feed.add(20)
		c := w.login("ann")
		w.net.answer(func(ctx context.Context, _ request) (sns.UpstreamPage, error) {
			select {
			case <-time.After(25 * time.Second):
				return w.net.feed.page(""), nil
			case <-ctx.Done():
				return sns.UpstreamPage{}, ctx.Err()
			}
		})
		started := time.Now()
		_, err := w.sns.FetchPosts(t.Context(), c.ID, home, "")
		wantFault(t, err, fault.Timeout, map[string]any{"connectionId": c.ID})
		if got := time.Since(started); got != 20*time.Second {
			t.Errorf("the caller waited %v", got)
		}
		if at, _ := fault.From(err).Details["retryAt"].(string); at == "" || !fault.CodeOf(err).Retryable() {
			t.Errorf("details = %v", fault.From(err).Details)
		}
		sleep(10 * time.Second)
		if n := len(w.stored(c, home).Posts); n != 20 {
			t.Errorf("%d posts are stored, want 20", n)
		}
		sleep(30 * time.Second)
		if p := w.fetch(c, home, ""); len(p.Posts) != 20 || w.net.asked() != 1 {
			t.Errorf("%d posts after %d requests, want 20 after 1", len(p.Posts), w.net.asked())
		}
		sleep(15 * time.Second) // from then on it is shared like any other
		w.sns.FetchPosts(t.Context(), c.ID, home, "")
		if n := w.net.asked(); n != 2 {
			t.Errorf("%d requests, want a second one", n)
		}
	})
}

// sleep moves the clock of a synctest bubble.
func sleep(d time.Duration) { <-time.After(d) }

func TestCallersOwnDeadlineIsATimeoutToo(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		w := newWorld(t, func(c *sns.Config) { c.Now = time.Now })
		w.net.feed.add(1)
		c := w.login("ann")
		w.net.answer(func(context.Context, request) (sns.UpstreamPage, error) {
			sleep(3 * time.Second)
			return w.net.feed.page(""), nil
		})
		ctx, cancel := context.WithTimeout(t.Context(), time.Second)
		defer cancel()
		wantFault(t, w.sns.Refresh(ctx, c.ID, home), fault.Timeout, nil)
		sleep(3 * time.Second)
		if n := len(w.stored(c, home).Posts); n != 1 {
			t.Errorf("%d posts are stored, want 1", n)
		}
	})
}

func TestFetchThatNeverEndsIsBounded(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		w := newWorld(t, func(c *sns.Config) { c.Now = time.Now })
		c := w.login("ann")
		ended := make(chan time.Time, 1)
		w.net.answer(func(ctx context.Context, _ request) (sns.UpstreamPage, error) {
			<-ctx.Done()
			ended <- time.Now()
			return sns.UpstreamPage{}, ctx.Err()
		})
		started := time.Now()
		w.sns.FetchPosts(t.Context(), c.ID, home, "")
		if got := (<-ended).Sub(started); got != time.Minute {
			t.Errorf("the fetch ended after %v, want a minute", got)
		}
		synctest.Wait()
		if f := w.stored(c, home).Failure; f == nil || f.Code != fault.Timeout {
			t.Errorf("failure = %+v", f)
		}
	})
}

// TestCancellationReturnsAtOnce: nobody waits for the answer any more, so the
// request ends. That no goroutine is left is a rule of synctest itself.
func TestCancellationReturnsAtOnce(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		w := newWorld(t, func(c *sns.Config) { c.Now = time.Now })
		c := w.login("ann")
		var cause error
		w.net.answer(func(ctx context.Context, _ request) (sns.UpstreamPage, error) {
			<-ctx.Done()
			cause = ctx.Err()
			return sns.UpstreamPage{}, ctx.Err()
		})
		ctx, cancel := context.WithCancel(t.Context())
		got := make(chan error, 1)
		go func() { _, err := w.sns.FetchPosts(ctx, c.ID, home, ""); got <- err }()
		synctest.Wait()
		started := time.Now()
		cancel()
		wantFault(t, <-got, fault.Canceled, nil)
		if d := time.Since(started); d != 0 {
			t.Errorf("the caller waited %v", d)
		}
		synctest.Wait()
		if !errors.Is(cause, context.Canceled) {
			t.Errorf("the request ended with %v", cause)
		}
		if f := w.stored(c, home).Failure; f != nil {
			t.Errorf("a cancellation was stored as a failure: %+v", f)
		}
	})
}

func TestOneCallersCancellationDoesNotHurtOthers(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		w := newWorld(t, func(c *sns.Config) { c.Now = time.Now })
		w.net.feed.add(3)
		c := w.login("ann")
		w.net.answer(func(ctx context.Context, _ request) (sns.UpstreamPage, error) {
			select {
			case <-time.After(time.Second):
				return w.net.feed.page(""), nil
			case <-ctx.Done():
				return sns.UpstreamPage{}, ctx.Err()
			}
		})
		ctx, cancel := context.WithCancel(t.Context())
		first, second := make(chan error, 1), make(chan error, 1)
		go func() { first <- w.sns.Refresh(ctx, c.ID, home) }()
		go func() { second <- w.sns.Refresh(t.Context(), c.ID, home) }()
		synctest.Wait()
		cancel()
		wantFault(t, <-first, fault.Canceled, nil)
		if err := <-second; err != nil {
			t.Errorf("the other caller: %v", err)
		}
	})
}

// TestEndOfACancelledFetchDoesNotDisturbTheNext: the request that nobody wants
// any more ends while another one for the same is under way.
func TestEndOfACancelledFetchDoesNotDisturbTheNext(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		w := newWorld(t, func(c *sns.Config) { c.Now = time.Now })
		w.net.feed.add(3)
		c := w.login("ann")
		w.net.answer(func(ctx context.Context, _ request) (sns.UpstreamPage, error) {
			sleep(5 * time.Second)
			return w.net.feed.page(""), ctx.Err()
		})
		ctx, cancel := context.WithCancel(t.Context())
		go w.sns.Refresh(ctx, c.ID, home)
		synctest.Wait()
		cancel()
		synctest.Wait()
		sleep(2 * time.Second)
		done := make(chan error, 2)
		go func() { done <- w.sns.Refresh(t.Context(), c.ID, home) }()
		sleep(4 * time.Second) // the first one has ended
		go func() { done <- w.sns.Refresh(t.Context(), c.ID, home) }()
		for range 2 {
			if err := <-done; err != nil {
				t.Errorf("Refresh: %v", err)
			}
		}
		if n := w.net.asked(); n != 2 {
			t.Errorf("%d requests, want 2", n)
		}
	})
}

func TestCloseWaitsForFetchesAndRefusesNewOnes(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		w := newWorld(t, func(c *sns.Config) { c.Now = time.Now })
		w.net.feed.add(3)
		c := w.login("ann")
		w.net.answer(func(ctx context.Context, _ request) (sns.UpstreamPage, error) {
			<-ctx.Done()
			sleep(2 * time.Second) // a slow end
			return w.net.feed.page(""), nil
		})
		go w.sns.Refresh(t.Context(), c.ID, home)
		synctest.Wait()
		started := time.Now()
		w.sns.Close()
		if d := time.Since(started); d != 2*time.Second {
			t.Errorf("Close waited %v, want 2 s", d)
		}
		if n := len(w.stored(c, home).Posts); n != 3 {
			t.Errorf("%d posts are stored: an answer that had come was lost", n)
		}
		_, err := w.sns.FetchPosts(t.Context(), c.ID, tagged, "")
		wantFault(t, err, fault.Canceled, nil)
	})
}

func TestConnectionsDoNotShareABudget(t *testing.T) {
	w := newWorld(t)
	ann, bob := w.login("ann"), w.login("bob")
	w.net.answer(func(ctx context.Context, r request) (sns.UpstreamPage, error) {
		release, err := r.Account.Gate.Acquire(ctx, r.Cursor != "")
		if err != nil {
			return sns.UpstreamPage{}, err
		}
		release()
		return sns.UpstreamPage{Posts: []sns.Post{post(1)}}, nil
	})
	for i := range 200 {
		w.fetch(ann, sns.Source{Kind: sns.KindList, ListID: strconv.Itoa(i + 1)}, "")
	}
	_, err := w.sns.FetchPosts(t.Context(), ann.ID, home, "")
	wantFault(t, err, fault.BudgetExhausted, map[string]any{"connectionId": ann.ID, "retryAt": "2026-11-30T12:05:00Z"})
	w.fetch(bob, home, "")
	if f := w.stored(ann, home).Failure; f == nil || f.Code != fault.BudgetExhausted || !f.RetryAt.Equal(epoch.Add(5*time.Minute)) {
		t.Errorf("failure = %+v", f)
	}
}

func TestMemoryOfPagesIsBounded(t *testing.T) {
	w := newWorld(t)
	w.net.feed.add(40)
	w.net.feed.size = 40
	c := w.login("ann")
	for i := range 3 * sns.MaxResults {
		w.fetch(c, sns.Source{Kind: sns.KindList, ListID: strconv.Itoa(i + 1)}, "")
	}
	if n := sns.Remembered(w.sns); n > sns.MaxResults {
		t.Errorf("%d pages are remembered", n)
	}
	w.clock.add(time.Hour)
	w.fetch(c, home, "")
	if n := sns.Remembered(w.sns); n != 1 {
		t.Errorf("%d pages are remembered after an hour", n)
	}
}
