package sns_test

import (
	"context"
	"slices"
	"strconv"
	"sync"
	"testing"
	"testing/synctest"
	"time"

	"personal-workspace/internal/fault"
	"personal-workspace/sns"
)

// hang makes the servers leave the requests of some connections without an
// answer, and serve the others.
func hang(w *world, slow ...sns.Connection) {
	w.net.answer(func(ctx context.Context, r request) (sns.UpstreamPage, error) {
		if slices.ContainsFunc(slow, func(c sns.Connection) bool { return c.ID == r.Account.ConnectionID }) {
			<-ctx.Done()
			return sns.UpstreamPage{}, ctx.Err()
		}
		return page(3, 2, 1), nil
	})
}

func list(n int) sns.Source { return sns.Source{Kind: sns.KindList, ListID: strconv.Itoa(n + 1)} }

func TestHangingServerLeavesWorkersToOthers(t *testing.T) {
	bubble(t, func(t *testing.T, w *world) {
		slow, quick := w.login("slow"), w.login("quick")
		hang(w, slow)
		for i := range 40 {
			w.sns.RefreshLater(slow.ID, list(i))
		}
		synctest.Wait()
		w.sns.RefreshLater(quick.ID, home)
		synctest.Wait() // no time passes
		if n := len(w.stored(quick, home).Posts); n != 3 {
			t.Errorf("%d posts of the other connection are stored, want 3", n)
		}
		if n := w.net.asked(); n != 3+1 {
			t.Errorf("%d requests, want 3 that hang and 1 that does not", n)
		}
	})
}

// TestHeldBackRefreshesAreMadeUpFor: what waited for its own connection's
// workers is done when they are free.
func TestHeldBackRefreshesAreMadeUpFor(t *testing.T) {
	bubble(t, func(t *testing.T, w *world) {
		c := w.login("ann")
		w.net.answer(func(context.Context, request) (sns.UpstreamPage, error) {
			sleep(time.Second)
			return page(1), nil
		})
		for i := range 10 {
			w.sns.RefreshLater(c.ID, sns.Source{Kind: sns.KindHashtag, Tag: "tag" + strconv.Itoa(i)})
		}
		sleep(4 * time.Second) // ten, three at a time
		synctest.Wait()
		if n := w.count("SELECT count(*) FROM timelines WHERE fetched_at > 0"); n != 10 {
			t.Errorf("%d sources are stored after 4 s, want 10", n)
		}
	})
}

func TestHangingServerLeavesTurnsToOthers(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		w := newWorld(t, func(c *sns.Config) { c.Now = time.Now })
		slow, quick := w.login("slow"), w.login("quick")
		hang(w, slow)
		var wg sync.WaitGroup
		for i := range 40 {
			wg.Go(func() {
				_, err := w.sns.FetchPosts(t.Context(), slow.ID, list(i), "")
				if fault.CodeOf(err) != fault.Timeout {
					t.Errorf("the hanging server: %v", err)
				}
			})
		}
		synctest.Wait()
		started := time.Now()
		if n := len(w.fetch(quick, home, "").Posts); n != 3 || time.Since(started) != 0 {
			t.Errorf("%d posts after %v, want 3 at once", n, time.Since(started))
		}
		wg.Wait()
		sleep(time.Minute)
		synctest.Wait()
		if n := sns.ConnectionsWithTurns(w.sns); n != 0 {
			t.Errorf("%d connections still have turns", n)
		}
	})
}

// TestManyHangingServersHoldUpNobody: eight with all the columns there can be,
// and more than there are turns.
func TestManyHangingServersHoldUpNobody(t *testing.T) {
	for _, n := range []int{8, 60} {
		t.Run(strconv.Itoa(n)+" servers", func(t *testing.T) {
			bubble(t, func(t *testing.T, w *world) {
				slow := make([]sns.Connection, n)
				for i := range slow {
					slow[i] = w.login("slow" + strconv.Itoa(i))
				}
				quick := w.login("quick")
				hang(w, slow...)
				ctx, leave := context.WithCancel(t.Context())
				var wg sync.WaitGroup
				for i := range 4 {
					for _, c := range slow {
						w.sns.RefreshLater(c.ID, list(i))
						wg.Go(func() { w.sns.Refresh(ctx, c.ID, list(10+i)) })
					}
				}
				synctest.Wait()
				started := time.Now()
				w.sns.RefreshLater(quick.ID, home)
				synctest.Wait()
				if got := len(w.stored(quick, home).Posts); got != 3 {
					t.Errorf("%d posts in the background, want 3", got)
				}
				if got := len(w.fetch(quick, tagged, "").Posts); got != 3 || time.Since(started) != 0 {
					t.Errorf("%d posts after %v, want 3 at once", got, time.Since(started))
				}
				leave()
				wg.Wait()
			})
		})
	}
}
