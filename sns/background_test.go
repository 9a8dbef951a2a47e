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

// bubble runs a test with the clock of synctest and a running service.
func bubble(t *testing.T, test func(t *testing.T, w *world)) {
	synctest.Test(t, func(t *testing.T) {
		w := newWorld(t, func(c *sns.Config) { c.Now = time.Now })
		w.run()
		test(t, w)
	})
}

func TestRefreshLater(t *testing.T) {
	bubble(t, func(t *testing.T, w *world) {
		w.net.feed.add(5)
		c := w.login("ann")
		sub := w.ledger.Subscribe()
		defer sub.Close()
		for range 10 {
			w.sns.RefreshLater(c.ID, home)
		}
		synctest.Wait()
		if n := len(w.stored(c, home).Posts); n != 5 {
			t.Errorf("%d posts are stored, want 5", n)
		}
		if n := w.net.asked(); n != 1 {
			t.Errorf("%d upstream requests, want 1", n)
		}
		select {
		case <-sub.C:
		default:
			t.Error("watchers were not woken")
		}
	})
}

// failInBackground lets n refreshes in the background fail in a row.
func (w *world) failInBackground(c sns.Connection, n int) {
	for range n {
		before := w.net.asked()
		for w.net.asked() == before {
			sleep(10 * time.Second)
			w.sns.RefreshLater(c.ID, home)
			synctest.Wait()
		}
	}
}

func TestRefreshLaterIsPatient(t *testing.T) {
	unavailable := fault.New(fault.UpstreamUnavailable, "Down.")
	tests := []struct {
		name string
		// prepare makes the past; asks says when the next background refresh
		// that was asked for every 10 s asks the network.
		prepare func(w *world, c sns.Connection)
		asks    time.Duration
	}{
		{"after a refresh", func(w *world, c sns.Connection) { w.sns.Refresh(context.Background(), c.ID, home) }, time.Minute},
		{"after a tool's fetch", func(w *world, c sns.Connection) { w.fetch(c, home, "") }, time.Minute},
		{"after a failure", func(w *world, c sns.Connection) {
			w.net.fail(unavailable)
			w.sns.Refresh(context.Background(), c.ID, home)
		}, time.Minute},
		{"after three failures", func(w *world, c sns.Connection) {
			w.net.fail(unavailable)
			w.failInBackground(c, 3)
		}, 4 * time.Minute},
		{"after thirty failures", func(w *world, c sns.Connection) {
			w.net.fail(unavailable)
			w.failInBackground(c, 30)
		}, 30 * time.Minute},
		{"after three failures and a press of Refresh", func(w *world, c sns.Connection) {
			w.net.fail(unavailable)
			w.failInBackground(c, 3)
			sleep(time.Minute)
			w.sns.Refresh(context.Background(), c.ID, home)
		}, 3 * time.Minute},
		{"after a first failure that is a press of Refresh", func(w *world, c sns.Connection) {
			w.net.fail(unavailable)
			for range 5 {
				w.sns.Refresh(context.Background(), c.ID, home)
			}
		}, time.Minute},
		{"when the server named a time", func(w *world, c sns.Connection) {
			w.net.fail(fault.New(fault.RateLimited, "Too many.").RetryAt(time.Now().Add(7 * time.Minute)))
			w.sns.Refresh(context.Background(), c.ID, home)
		}, 7 * time.Minute},
		{"when a server that is not there named two minutes", func(w *world, c sns.Connection) {
			w.net.fail(fault.New(fault.UpstreamUnavailable, "Starting.").RetryAt(time.Now().Add(2 * time.Minute)))
			w.sns.Refresh(context.Background(), c.ID, home)
		}, time.Minute},
		{"when the server is near its limit", func(w *world, c sns.Connection) {
			sns.GateOf(w.sns, c.ID).Observe(3, time.Now().Add(3*time.Minute))
		}, 3 * time.Minute},
		{"after a revoked token", func(w *world, c sns.Connection) {
			w.net.fail(fault.New(fault.Unauthorized, "No."))
			w.sns.Refresh(context.Background(), c.ID, home)
		}, 30 * time.Minute},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			bubble(t, func(t *testing.T, w *world) {
				w.net.feed.add(1)
				c := w.login("ann")
				tt.prepare(w, c)
				started, before := time.Now(), w.net.asked()
				for w.net.asked() == before && time.Since(started) < time.Hour {
					sleep(10 * time.Second)
					w.sns.RefreshLater(c.ID, home)
					synctest.Wait()
				}
				if got := time.Since(started); got != tt.asks {
					t.Errorf("asked again after %v, want %v", got, tt.asks)
				}
			})
		})
	}
}

func TestPauseDoesNotHoldBackWhatIsAskedFor(t *testing.T) {
	bubble(t, func(t *testing.T, w *world) {
		w.net.feed.add(1)
		c := w.login("ann")
		sns.GateOf(w.sns, c.ID).Observe(0, time.Now().Add(time.Hour))
		w.fetch(c, home, "")
		if err := w.sns.Refresh(t.Context(), c.ID, tagged); err != nil {
			t.Errorf("Refresh: %v", err)
		}
	})
}

func TestRefreshLaterOfNonsenseIsHarmless(t *testing.T) {
	bubble(t, func(t *testing.T, w *world) {
		c := w.login("ann")
		w.sns.RefreshLater("conn_none", home)
		w.sns.RefreshLater(c.ID, sns.Source{Kind: "nonsense"})
		w.sns.RefreshLater(c.ID, sns.Source{Kind: sns.KindSeen, Query: "x"})
		synctest.Wait()
		if n := w.net.asked(); n != 0 {
			t.Errorf("%d upstream requests", n)
		}
		// The page can say why the column stays empty.
		if f := w.stored(c, sns.Source{Kind: sns.KindSeen, Query: "x"}).Failure; f == nil || f.Code != fault.Unsupported {
			t.Errorf("failure = %+v", f)
		}
	})
}

func TestQueueOfRefreshesIsBounded(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		w := newWorld(t, func(c *sns.Config) { c.Now = time.Now })
		c := w.login("ann")
		for i := range 2 * sns.MaxQueue {
			w.sns.RefreshLater(c.ID, sns.Source{Kind: sns.KindList, ListID: strconv.Itoa(i + 1)})
		}
		w.run()
		synctest.Wait()
		if n := w.net.asked(); n != sns.MaxQueue {
			t.Errorf("%d upstream requests, want %d", n, sns.MaxQueue)
		}
	})
}

// TestSixColumnsAreRefreshedAtOnce: the slowest decides, not the sum.
func TestSixColumnsAreRefreshedAtOnce(t *testing.T) {
	bubble(t, func(t *testing.T, w *world) {
		w.net.answer(func(context.Context, request) (sns.UpstreamPage, error) {
			sleep(time.Second)
			return page(3, 2, 1), nil
		})
		var list []sns.Connection
		for i := range 6 {
			list = append(list, w.login("u"+strconv.Itoa(i)))
		}
		started := time.Now()
		for _, c := range list {
			w.sns.RefreshLater(c.ID, home)
		}
		sleep(time.Second)
		synctest.Wait()
		for _, c := range list {
			if n := len(w.stored(c, home).Posts); n != 3 {
				t.Errorf("%s has %d posts after %v", c.Account, n, time.Since(started))
			}
		}
	})
}

func TestRunEndsWithItsContext(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		w := newWorld(t, func(c *sns.Config) { c.Now = time.Now })
		c := w.login("ann")
		w.net.answer(func(ctx context.Context, _ request) (sns.UpstreamPage, error) {
			<-ctx.Done()
			return sns.UpstreamPage{}, ctx.Err()
		})
		ctx, cancel := context.WithCancel(t.Context())
		ended := make(chan error, 1)
		go func() { ended <- w.sns.Run(ctx) }()
		w.sns.RefreshLater(c.ID, home)
		synctest.Wait()
		cancel()
		if err := <-ended; !errors.Is(err, context.Canceled) {
			t.Errorf("Run = %v", err)
		}
		w.sns.RefreshLater(c.ID, home) // after the end: nothing happens
	})
}

func TestRunRemovesOldPosts(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		w := newWorld(t, func(c *sns.Config) { c.Now = time.Now })
		sns.LimitAge(w.sns, 48*time.Hour)
		w.run()
		w.net.feed.add(3)
		c := w.login("ann")
		w.fetch(c, home, "")
		sleep(47 * time.Hour)
		synctest.Wait()
		if n := len(w.stored(c, home).Posts); n != 3 {
			t.Errorf("%d posts before their time", n)
		}
		sleep(2 * time.Hour)
		synctest.Wait()
		if n := len(w.stored(c, home).Posts); n != 0 {
			t.Errorf("%d posts after their time", n)
		}
	})
}

// TestEverythingAtOnce is for the race detector: readers, refreshes, sign-ins
// and removals over one store.
func TestEverythingAtOnce(t *testing.T) {
	w := newWorld(t, func(c *sns.Config) { c.Now = time.Now })
	w.run()
	w.net.feed.add(100)
	keep := w.login("keep")
	ctx := t.Context()
	var wg sync.WaitGroup
	for i := range 4 {
		wg.Go(func() {
			for j := range 10 {
				src := sns.Source{Kind: sns.KindList, ListID: strconv.Itoa(j%3 + 1)}
				if _, err := w.sns.FetchPosts(ctx, keep.ID, src, ""); err != nil {
					t.Errorf("FetchPosts: %v", err)
				}
				w.sns.RefreshLater(keep.ID, home)
				if _, err := w.sns.StoredColumns(ctx, []sns.ColumnRef{{ConnectionID: keep.ID, Source: src}, {ConnectionID: "gone", Source: home}}, 20); err != nil {
					t.Errorf("StoredColumns: %v", err)
				}
				c, err := w.sns.AddMastodon(ctx, sns.AddMastodon{Origin: "https://social.example", Token: "token-" + strconv.Itoa(i)})
				if err != nil {
					t.Errorf("AddMastodon: %v", err)
					continue
				}
				if err := w.sns.Refresh(ctx, c.ID, home); err != nil {
					t.Errorf("Refresh: %v", err)
				}
				if err := w.sns.RemoveConnection(ctx, c.ID); err != nil {
					t.Errorf("RemoveConnection: %v", err)
				}
			}
		})
	}
	wg.Wait()
	if n := w.count("SELECT count(*) FROM connections"); n != 1 {
		t.Errorf("%d connections", n)
	}
}
