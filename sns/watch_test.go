package sns_test

import (
	"context"
	"slices"
	"sync"
	"testing"
	"testing/synctest"
	"time"

	"github.com/google/go-cmp/cmp"

	"personal-workspace/internal/fault"
	"personal-workspace/sns"
)

// watch watches sources of a connection until the test ends.
func (w *world) watch(c sns.Connection, sources ...sns.Source) *sns.Watch {
	w.t.Helper()
	watch := w.sns.Watch()
	w.t.Cleanup(watch.Close)
	watch.Set(refs(c, sources...))
	return watch
}

func refs(c sns.Connection, sources ...sns.Source) []sns.ColumnRef {
	var list []sns.ColumnRef
	for _, s := range sources {
		list = append(list, sns.ColumnRef{ConnectionID: c.ID, Source: s})
	}
	return list
}

// grow puts n new posts on top while the service may be asking.
func (n *network) grow(by int) {
	n.mu.Lock()
	defer n.mu.Unlock()
	n.feed.add(by)
}

// heard reports whether a watch was woken, and of what it heard.
func heard(w *sns.Watch) (woken bool, kinds []sns.Kind) {
	select {
	case <-w.C:
		woken = true
	default:
	}
	for _, r := range w.Changed() {
		kinds = append(kinds, r.Source.Kind)
	}
	slices.Sort(kinds)
	return woken, kinds
}

func TestWatchedSourcesAreAskedEveryMinute(t *testing.T) {
	bubble(t, func(t *testing.T, w *world) {
		w.net.grow(1)
		c := w.login("ann")
		w.watch(c, home)
		sleep(10*time.Minute + time.Second)
		if n := w.net.asked(); n != 11 {
			t.Errorf("%d requests in ten minutes, want 11", n)
		}
	})
}

func TestWhatManyWatchIsAskedOnce(t *testing.T) {
	bubble(t, func(t *testing.T, w *world) {
		w.net.grow(1)
		c := w.login("ann")
		for range 10 {
			w.watch(c, home, home)
		}
		sleep(5*time.Minute + time.Second)
		if n := w.net.asked(); n != 6 {
			t.Errorf("%d requests in five minutes, want 6", n)
		}
	})
}

func TestWatchedSourcesAreStaggered(t *testing.T) {
	bubble(t, func(t *testing.T, w *world) {
		var mu sync.Mutex
		var at []time.Duration
		begin := time.Now()
		w.net.answer(func(context.Context, request) (sns.UpstreamPage, error) {
			mu.Lock()
			defer mu.Unlock()
			at = append(at, time.Since(begin))
			return sns.UpstreamPage{}, nil
		})
		w.watch(w.login("ann"), home, tagged)
		w.watch(w.login("ben"), home, tagged)
		sleep(time.Second)
		mu.Lock()
		defer mu.Unlock()
		want := []time.Duration{0, 150 * time.Millisecond, 300 * time.Millisecond, 450 * time.Millisecond}
		if diff := cmp.Diff(want, at); diff != "" {
			t.Errorf("the requests came at (-want +got):\n%s", diff)
		}
	})
}

func TestClosedWatchesAskNothing(t *testing.T) {
	bubble(t, func(t *testing.T, w *world) {
		w.net.grow(1)
		watch := w.watch(w.login("ann"), home)
		sleep(time.Second)
		watch.Close()
		sleep(time.Hour)
		if n := w.net.asked(); n != 1 {
			t.Errorf("%d requests, want the one before it was closed", n)
		}
	})
}

func TestWatchHearsOfWhatIsNew(t *testing.T) {
	steps := []struct {
		name string
		do   func(w *world)
		want []sns.Kind
	}{
		{"at first", func(w *world) {}, []sns.Kind{sns.KindHome}},
		{"nothing new", func(w *world) {}, nil},
		{"a new post", func(w *world) { w.net.grow(1) }, []sns.Kind{sns.KindHome}},
		{"a failure", func(w *world) { w.net.fail(fault.New(fault.UpstreamUnavailable, "Down.")) }, []sns.Kind{sns.KindHome}},
		{"the end of the failure", func(w *world) { w.net.answer(nil) }, []sns.Kind{sns.KindHome}},
	}
	bubble(t, func(t *testing.T, w *world) {
		w.net.grow(1)
		c := w.login("ann")
		watch := w.watch(c, home)
		for _, s := range steps {
			s.do(w)
			sleep(time.Minute + time.Second)
			woken, got := heard(watch)
			if diff := cmp.Diff(s.want, got); diff != "" || woken != (len(s.want) > 0) {
				t.Errorf("%s: woken %v, heard (-want +got):\n%s", s.name, woken, diff)
			}
		}
	})
}

// Of a source without posts the page says when it was looked at last.
func TestWatchHearsOfEveryLookAtNothing(t *testing.T) {
	bubble(t, func(t *testing.T, w *world) {
		watch := w.watch(w.login("ann"), home)
		for range 3 {
			sleep(time.Minute + time.Second)
			if _, got := heard(watch); len(got) != 1 {
				t.Errorf("heard %v, want the source", got)
			}
		}
	})
}

func TestWatchHoldsBack(t *testing.T) {
	tests := []struct {
		name    string
		prepare func(w *world, c sns.Connection)
		// asks are the requests of the hour after.
		asks int
	}{
		{"a limited source until its time", func(w *world, c sns.Connection) {
			w.net.fail(fault.New(fault.RateLimited, "Too many.").RetryAt(time.Now().Add(55 * time.Minute)))
			w.sns.Refresh(context.Background(), c.ID, home)
			w.net.answer(nil)
		}, 5},
		{"a connection that needs a sign-in", func(w *world, c sns.Connection) {
			w.net.fail(fault.New(fault.Unauthorized, "No."))
			w.sns.Refresh(context.Background(), c.ID, home)
		}, 0},
		{"a server that is down, ever longer", func(w *world, c sns.Connection) {
			w.net.fail(fault.New(fault.UpstreamUnavailable, "Down."))
		}, 6},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			bubble(t, func(t *testing.T, w *world) {
				w.net.grow(1)
				c := w.login("ann")
				tt.prepare(w, c)
				before := w.net.asked()
				w.watch(c, home)
				sleep(time.Hour - time.Second)
				if n := w.net.asked() - before; n != tt.asks {
					t.Errorf("%d requests in an hour, want %d", n, tt.asks)
				}
			})
		})
	}
}

func TestWatchAsksAtOnceAfterTheSignIn(t *testing.T) {
	bubble(t, func(t *testing.T, w *world) {
		w.net.grow(1)
		c := w.login("ann")
		watch := w.watch(c, home)
		sleep(time.Second)
		w.net.fail(fault.New(fault.Unauthorized, "No."))
		sleep(10 * time.Minute)
		if p := w.stored(c, home); p.Failure == nil {
			t.Fatal("the source did not fail")
		}
		heard(watch)
		w.net.answer(nil)
		w.net.grow(1)

		w.login("ann")
		if p := w.stored(c, home); p.Failure != nil {
			t.Errorf("after the sign-in there is still the failure %+v", p.Failure)
		}
		sleep(time.Second)

		if _, got := heard(watch); len(got) != 1 || len(w.stored(c, home).Posts) != 2 {
			t.Errorf("heard %v, and %d posts are stored, want the source and both", got, len(w.stored(c, home).Posts))
		}
	})
}

func TestWatchAsksThreeAtATimeOfAConnection(t *testing.T) {
	bubble(t, func(t *testing.T, w *world) {
		release := make(chan struct{})
		w.net.answer(func(ctx context.Context, _ request) (sns.UpstreamPage, error) {
			select {
			case <-release:
			case <-ctx.Done():
			}
			return sns.UpstreamPage{}, ctx.Err()
		})
		var sources []sns.Source
		for _, k := range []sns.Kind{sns.KindHome, sns.KindLocal, sns.KindFederated, sns.KindFavourites, sns.KindBookmarks} {
			sources = append(sources, sns.Source{Kind: k})
		}
		w.watch(w.login("ann"), sources...)
		sleep(10 * time.Second)
		if n := w.net.asked(); n != 3 {
			t.Errorf("%d requests at once, want 3", n)
		}
		close(release)
		sleep(time.Second)
		if n := w.net.asked(); n != 5 {
			t.Errorf("%d requests in all, want 5", n)
		}
	})
}

// A watch that nobody reads holds up nothing and keeps no more than its sources.
func TestUnreadWatch(t *testing.T) {
	bubble(t, func(t *testing.T, w *world) {
		c := w.login("ann")
		unread, read := w.watch(c, home), w.watch(c, home)
		for i := range 5 {
			w.net.grow(1)
			sleep(time.Minute + time.Second)
			if woken, _ := heard(read); !woken {
				t.Errorf("round %d: the other watch heard nothing", i)
			}
		}
		if _, got := heard(unread); len(got) != 1 {
			t.Errorf("the unread watch has %v, want its source once", got)
		}
	})
}

func TestWatchOfAnotherSet(t *testing.T) {
	bubble(t, func(t *testing.T, w *world) {
		w.net.grow(1)
		c := w.login("ann")
		watch := w.watch(c, home)
		sleep(time.Second)
		watch.Set(refs(c, tagged))
		synctest.Wait()
		heard(watch)
		w.net.grow(1)
		w.sns.Refresh(t.Context(), c.ID, home)
		synctest.Wait()
		if _, got := heard(watch); slices.Contains(got, sns.KindHome) {
			t.Errorf("heard %v, want nothing of a source that is not watched any more", got)
		}
	})
}
