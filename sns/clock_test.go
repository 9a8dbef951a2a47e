package sns_test

import (
	"context"
	"testing"
	"testing/synctest"
	"time"

	"github.com/google/go-cmp/cmp"

	"personal-workspace/internal/fault"
	"personal-workspace/sns"
)

const ahead = 400 * 24 * time.Hour

// TestAnswerAfterTheClockWasAheadIsStored: the times of the wrong clock do not
// make newer answers look overtaken.
func TestAnswerAfterTheClockWasAheadIsStored(t *testing.T) {
	w := newWorld(t)
	c := w.login("ann")
	w.net.feed.add(2)
	w.clock.add(ahead)
	w.fetch(c, home, "")
	w.clock.add(-ahead)
	w.restart()
	w.net.feed.add(1)
	w.fetch(c, home, "")
	p := w.stored(c, home)
	if diff := cmp.Diff([]string{"3", "2", "1"}, ids(p.Posts)); diff != "" || !p.FetchedAt.Equal(epoch) {
		t.Errorf("fetched at %v, want %v; posts (-want +got):\n%s", p.FetchedAt, epoch, diff)
	}
}

// TestAnswersOfASlightlySlowClockKeepTheirOrder: less than a minute is what
// answers overtake each other by.
func TestAnswersOfASlightlySlowClockKeepTheirOrder(t *testing.T) {
	w := newWorld(t)
	c := w.login("ann")
	w.net.feed.add(2)
	w.fetch(c, home, "")
	w.clock.add(-30 * time.Second)
	w.restart()
	w.net.feed.add(1)
	w.fetch(c, home, "")
	p := w.stored(c, home)
	if diff := cmp.Diff([]string{"2", "1"}, ids(p.Posts)); diff != "" || !p.FetchedAt.Equal(epoch) {
		t.Errorf("fetched at %v, want %v; posts (-want +got):\n%s", p.FetchedAt, epoch, diff)
	}
}

func TestRefreshIsDueAfterTheClockWasAhead(t *testing.T) {
	tests := []struct {
		name string
		err  error
	}{
		{"after a refresh", nil},
		{"after a failure", fault.New(fault.UpstreamUnavailable, "Down.")},
		{"after a failure that named a time", fault.New(fault.RateLimited, "Too many.").RetryAt(epoch.Add(ahead + time.Hour))},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			synctest.Test(t, func(t *testing.T) {
				w := newWorld(t)
				c := w.login("ann")
				w.clock.add(ahead)
				w.net.answer(func(context.Context, request) (sns.UpstreamPage, error) { return page(1), tt.err })
				w.sns.Refresh(t.Context(), c.ID, home)
				w.clock.add(-ahead)
				w.restart()
				w.run()
				if p := w.stored(c, home); !p.FetchedAt.IsZero() || p.Failure != nil {
					t.Errorf("before the refresh: fetched at %v, failure %+v; want neither", p.FetchedAt, p.Failure)
				}
				w.net.answer(nil)
				w.net.feed.add(2)
				w.sns.RefreshLater(c.ID, home)
				synctest.Wait()
				p := w.stored(c, home)
				if diff := cmp.Diff([]string{"2", "1"}, ids(p.Posts)); diff != "" || p.Failure != nil {
					t.Errorf("failure %+v, posts (-want +got):\n%s", p.Failure, diff)
				}
			})
		})
	}
}

func TestTitleIsDueAfterTheClockWasAhead(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		w := newWorld(t)
		c := w.login("ann")
		w.fetch(c, friends, "")
		asked := 0
		titled(w, &asked, sns.List{ID: "7", Title: "Friends"})
		w.clock.add(ahead)
		if _, err := w.sns.ListLists(t.Context(), c.ID); err != nil {
			t.Fatalf("ListLists: %v", err)
		}
		w.clock.add(-ahead)
		w.restart()
		w.run()
		w.sns.RefreshLater(c.ID, friends)
		synctest.Wait()
		if asked != 2 {
			t.Errorf("asked %d times what lists are called, want a second time", asked)
		}
	})
}
