package sns_test

import (
	"context"
	"errors"
	"fmt"
	"slices"
	"strconv"
	"strings"
	"sync"
	"testing"
	"testing/synctest"
	"time"

	"github.com/google/go-cmp/cmp"
	"github.com/google/go-cmp/cmp/cmpopts"
	"pgregory.net/rapid"

	"personal-workspace/internal/fault"
	"personal-workspace/sns"
)

func TestFetchPostsGivesTwentyNewestFirst(t *testing.T) {
	w := newWorld(t)
	w.net.feed.add(50)
	c := w.login("ann")
	p := w.fetch(c, home, "")
	if diff := cmp.Diff(numbers(50, 31), ids(p.Posts)); diff != "" {
		t.Errorf("posts (-want +got):\n%s", diff)
	}
	want := post(50)
	want.Network, want.ConnectionID = sns.Mastodon, c.ID
	if diff := cmp.Diff(want, p.Posts[0]); diff != "" {
		t.Errorf("the first post (-want +got):\n%s", diff)
	}
	if !p.FetchedAt.Equal(epoch) || p.NextCursor == "" {
		t.Errorf("fetched at %v, next %q", p.FetchedAt, p.NextCursor)
	}
}

func TestPagingReachesTheEnd(t *testing.T) {
	w := newWorld(t)
	w.net.feed.add(45)
	c := w.login("ann")
	got, pages := w.readAll(c, home)
	if diff := cmp.Diff(numbers(45, 1), got); diff != "" {
		t.Errorf("posts (-want +got):\n%s", diff)
	}
	// The server names a continuation on its last page too, and then has nothing.
	if pages != 4 {
		t.Errorf("%d pages, want 4", pages)
	}
}

// readAll pages a source to its end.
func (w *world) readAll(c sns.Connection, src sns.Source) (got []string, pages int) {
	w.t.Helper()
	cursor := ""
	for {
		p := w.fetch(c, src, cursor)
		got, pages = append(got, ids(p.Posts)...), pages+1
		if cursor = p.NextCursor; cursor == "" {
			return got, pages
		}
		if pages > 1000 {
			w.t.Fatal("paging does not end")
		}
	}
}

func TestSameCursorTwiceGivesTheSamePage(t *testing.T) {
	w := newWorld(t)
	w.net.feed.add(60)
	c := w.login("ann")
	first := w.fetch(c, home, "")
	a := w.fetch(c, home, first.NextCursor)
	w.clock.add(time.Hour)
	b := w.fetch(c, home, first.NextCursor)
	if diff := cmp.Diff(ids(a.Posts), ids(b.Posts)); diff != "" {
		t.Errorf("the second read (-first +second):\n%s", diff)
	}
}

func TestEqualStateGivesEqualAnswers(t *testing.T) {
	w := newWorld(t)
	w.net.feed.add(60)
	c := w.login("ann")
	a := w.fetch(c, home, "")
	w.clock.add(5 * time.Second)
	b := w.fetch(c, home, "")
	if diff := cmp.Diff(a, b, cmpopts.IgnoreUnexported(sns.Page{})); diff != "" {
		t.Errorf("the second answer (-first +second):\n%s", diff)
	}
}

// TestLongPagesAreHandedOutInParts: a server that ignores the limit loses and
// repeats nothing, and is not asked again while its page is remembered.
func TestLongPagesAreHandedOutInParts(t *testing.T) {
	w := newWorld(t)
	w.net.feed.add(98)
	w.net.feed.size = 98
	c := w.login("ann")
	p := w.fetch(c, home, "")
	if len(p.Posts) != 20 {
		t.Fatalf("%d posts in the first part", len(p.Posts))
	}
	got := ids(p.Posts)
	for range 4 {
		w.clock.add(time.Minute)
		p = w.fetch(c, home, p.NextCursor)
		got = append(got, ids(p.Posts)...)
	}
	if diff := cmp.Diff(numbers(98, 1), got); diff != "" {
		t.Errorf("posts (-want +got):\n%s", diff)
	}
	if n := w.net.asked(); n != 1 {
		t.Errorf("%d upstream requests, want 1", n)
	}
}

func TestPartsGoOnAfterARestart(t *testing.T) {
	w := newWorld(t)
	w.net.feed.add(60)
	w.net.feed.size = 40
	c := w.login("ann")
	p := w.fetch(c, home, "")
	w.net.feed.add(5)
	w.restart()
	got := ids(p.Posts)
	for p.NextCursor != "" {
		p = w.fetch(c, home, p.NextCursor)
		got = append(got, ids(p.Posts)...)
	}
	if diff := cmp.Diff(numbers(60, 1), got); diff != "" {
		t.Errorf("posts (-want +got):\n%s", diff)
	}
}

// TestPartWhosePageMovedOnIsFoundFurtherDown: many new posts came in above.
func TestPartWhosePageMovedOnIsFoundFurtherDown(t *testing.T) {
	w := newWorld(t)
	w.net.feed.add(60)
	w.net.feed.size = 40
	c := w.login("ann")
	p := w.fetch(c, home, "")
	w.net.feed.add(130)
	w.restart()
	p = w.fetch(c, home, p.NextCursor)
	if diff := cmp.Diff(numbers(40, 31), ids(p.Posts)); diff != "" {
		t.Errorf("posts (-want +got):\n%s", diff)
	}
}

func TestPartThatCannotBeFoundExpires(t *testing.T) {
	w := newWorld(t)
	w.net.feed.add(60)
	w.net.feed.size = 40
	c := w.login("ann")
	p := w.fetch(c, home, "")
	w.net.feed.add(1000)
	w.restart()
	_, err := w.sns.FetchPosts(t.Context(), c.ID, home, p.NextCursor)
	wantFault(t, err, fault.InvalidCursor, map[string]any{"reason": "expired"})
	if n := w.net.asked(); n > 8 {
		t.Errorf("%d upstream requests", n)
	}
}

func TestPartGoesOnWhenItsLastPostsWereDeleted(t *testing.T) {
	w := newWorld(t)
	w.net.feed.add(60)
	w.net.feed.size = 40
	c := w.login("ann")
	p := w.fetch(c, home, "") // 60 to 41
	w.net.feed.remove("41")
	w.net.feed.remove("42")
	w.restart()
	p = w.fetch(c, home, p.NextCursor)
	// The server's page now reaches two posts further down.
	if diff := cmp.Diff(numbers(40, 21), ids(p.Posts)); diff != "" {
		t.Errorf("posts (-want +got):\n%s", diff)
	}
}

func TestPagingLosesAndRepeatsNothing(t *testing.T) {
	w := newWorld(t)
	rapid.Check(t, func(t *rapid.T) {
		w.net.feed = feed{size: 20}
		total := rapid.IntRange(0, 120).Draw(t, "posts")
		w.net.feed.add(total)
		c := w.login("ann")
		defer w.remove(c)
		var got []string
		cursor := ""
		for range 400 {
			w.net.feed.size = rapid.IntRange(10, 60).Draw(t, "upstream page")
			p, err := w.sns.FetchPosts(context.Background(), c.ID, home, cursor)
			if err != nil {
				t.Fatalf("FetchPosts: %v", err)
			}
			if len(p.Posts) > sns.MaxPage {
				t.Fatalf("a page of %d", len(p.Posts))
			}
			got = append(got, ids(p.Posts)...)
			if cursor = p.NextCursor; cursor == "" {
				break
			}
			switch rapid.SampledFrom([]int{0, 0, 0, 1, 1, 2, 2, 3}).Draw(t, "meanwhile") {
			case 1:
				w.net.feed.add(rapid.IntRange(1, 15).Draw(t, "new"))
			case 2:
				w.clock.add(time.Hour) // nothing is remembered any more
			case 3:
				w.restart()
			}
		}
		if diff := cmp.Diff(numbers(total, 1), append([]string{}, got...)); diff != "" {
			t.Fatalf("posts (-want +got):\n%s", diff)
		}
	})
}

func (w *world) remove(c sns.Connection) {
	if err := w.sns.RemoveConnection(context.Background(), c.ID); err != nil {
		w.t.Fatalf("RemoveConnection: %v", err)
	}
}

// TestReaderMayStopBeforeTheEndOfAPage: an answer with a size limit leaves posts
// for the next call, however late that comes.
func TestReaderMayStopBeforeTheEndOfAPage(t *testing.T) {
	tests := []struct {
		name      string
		meanwhile func(w *world)
	}{
		{"at once", func(*world) {}},
		{"when new posts came", func(w *world) { w.net.feed.add(30); w.clock.add(time.Minute) }},
		{"after a restart with new posts", func(w *world) { w.net.feed.add(30); w.restart() }},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			w := newWorld(t)
			w.net.feed.add(45)
			c := w.login("ann")
			var got []string
			cursor := ""
			for range 20 {
				p := w.fetch(c, home, cursor)
				n := min(7, len(p.Posts))
				got = append(got, ids(p.Posts[:n])...)
				if cursor = p.CursorAfter(n - 1); cursor == "" {
					break
				}
				tt.meanwhile(w)
			}
			if diff := cmp.Diff(numbers(45, 1), got); diff != "" {
				t.Errorf("posts (-want +got):\n%s", diff)
			}
		})
	}
}

func TestRepeatedEntriesAreShownOnce(t *testing.T) {
	w := newWorld(t)
	c := w.login("ann")
	w.net.answer(func(_ context.Context, r request) (sns.UpstreamPage, error) {
		if r.Cursor == "" {
			return sns.UpstreamPage{Posts: []sns.Post{post(9), post(8), post(9), post(9), post(7)}, Next: "7"}, nil
		}
		return sns.UpstreamPage{Posts: []sns.Post{post(8), post(6), post(7), post(5)}}, nil
	})
	got, _ := w.readAll(c, home)
	if diff := cmp.Diff([]string{"9", "8", "7", "6", "5"}, got); diff != "" {
		t.Errorf("posts (-want +got):\n%s", diff)
	}
	if diff := cmp.Diff([]string{"9", "8", "7", "6", "5"}, ids(w.stored(c, home).Posts)); diff != "" {
		t.Errorf("stored (-want +got):\n%s", diff)
	}
}

// TestRepeatAtTheEndOfALongPage: what an earlier page had already must not hide
// the rest of this one.
func TestRepeatAtTheEndOfALongPage(t *testing.T) {
	w := newWorld(t)
	c := w.login("ann")
	w.net.answer(func(_ context.Context, r request) (sns.UpstreamPage, error) {
		var p sns.UpstreamPage
		if r.Cursor == "" {
			for n := 60; n > 40; n-- {
				p.Posts = append(p.Posts, post(n))
			}
			p.Next = "41"
			return p, nil
		}
		for n := 40; n > 10; n-- {
			p.Posts = append(p.Posts, post(n))
		}
		p.Posts = append(p.Posts, post(45))
		return p, nil
	})
	got, _ := w.readAll(c, home)
	if diff := cmp.Diff(numbers(60, 11), got); diff != "" {
		t.Errorf("posts (-want +got):\n%s", diff)
	}
}

func TestThreeEmptyPagesEndASource(t *testing.T) {
	w := newWorld(t)
	c := w.login("ann")
	w.net.answer(func(_ context.Context, r request) (sns.UpstreamPage, error) {
		return sns.UpstreamPage{Next: r.Cursor + "x"}, nil
	})
	got, pages := w.readAll(c, home)
	if len(got) != 0 || pages != 3 {
		t.Errorf("%d posts on %d pages, want none on 3", len(got), pages)
	}
}

func TestEmptyPagesAreCountedInARow(t *testing.T) {
	w := newWorld(t)
	c := w.login("ann")
	w.net.answer(func(_ context.Context, r request) (sns.UpstreamPage, error) {
		p := sns.UpstreamPage{Next: r.Cursor + "x"}
		if len(r.Cursor)%3 == 2 && len(r.Cursor) < 9 {
			p.Posts = []sns.Post{post(100 - len(r.Cursor))}
		}
		return p, nil
	})
	got, pages := w.readAll(c, home)
	if len(got) != 3 || pages != 12 {
		t.Errorf("%d posts on %d pages, want 3 on 12", len(got), pages)
	}
}

func TestServerThatRepeatsItsCursorEnds(t *testing.T) {
	w := newWorld(t)
	c := w.login("ann")
	w.net.answer(func(context.Context, request) (sns.UpstreamPage, error) {
		return sns.UpstreamPage{Posts: []sns.Post{post(1)}, Next: "same"}, nil
	})
	if _, pages := w.readAll(c, home); pages != 2 {
		t.Errorf("%d pages, want 2", pages)
	}
}

func TestForeignCursorsAskNothing(t *testing.T) {
	w := newWorld(t)
	w.net.feed.add(50)
	ann, bob := w.login("ann"), w.login("bob")
	next := w.fetch(ann, home, "").NextCursor
	asked := w.net.asked()
	tests := []struct {
		name       string
		connection string
		source     sns.Source
		cursor     string
		reason     string
	}{
		{"another source", ann.ID, tagged, next, "source_mismatch"},
		{"another account", bob.ID, home, next, "source_mismatch"},
		{"a flipped byte", ann.ID, home, next[:10] + "~" + next[11:], "malformed"},
		{"a max_id", ann.ID, home, "110503322889311999", "malformed"},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			_, err := w.sns.FetchPosts(t.Context(), tt.connection, tt.source, tt.cursor)
			wantFault(t, err, fault.InvalidCursor, map[string]any{"reason": tt.reason, "connectionId": tt.connection})
		})
	}
	if got := w.net.asked(); got != asked {
		t.Errorf("%d upstream requests were made", got-asked)
	}
}

func TestCursorWorksForAnEqualSource(t *testing.T) {
	w := newWorld(t)
	w.net.feed.add(50)
	c := w.login("ann")
	next := w.fetch(c, sns.Source{Kind: sns.KindHashtag, Tag: "#CAFÉ"}, "").NextCursor
	p := w.fetch(c, sns.Source{Kind: sns.KindHashtag, Tag: "cafe\u0301"}, next)
	if diff := cmp.Diff(numbers(30, 11), ids(p.Posts)); diff != "" {
		t.Errorf("posts (-want +got):\n%s", diff)
	}
}

func TestUnusableIDsAreSkipped(t *testing.T) {
	w := newWorld(t)
	c := w.login("ann")
	bad := []sns.Post{{ID: "a/b", EntryID: "1"}, {ID: "1", EntryID: ".."}, {ID: "", EntryID: "1"}, {ID: strings.Repeat("1", 129)}}
	w.net.answer(func(context.Context, request) (sns.UpstreamPage, error) {
		return sns.UpstreamPage{Posts: append(bad, post(1)), Skipped: 2, Partial: true, Warnings: slices.Repeat([]string{"Odd."}, 9)}, nil
	})
	p := w.fetch(c, home, "")
	if diff := cmp.Diff([]string{"1"}, ids(p.Posts)); diff != "" {
		t.Errorf("posts (-want +got):\n%s", diff)
	}
	if p.Skipped != 6 || !p.Partial || len(p.Warnings) != 5 {
		t.Errorf("skipped %d, partial %v, %d warnings; want 6, true, 5", p.Skipped, p.Partial, len(p.Warnings))
	}
}

func TestUpstreamFailureIsNeverStalePosts(t *testing.T) {
	w := newWorld(t)
	w.net.feed.add(5)
	c := w.login("ann")
	w.fetch(c, home, "")
	w.clock.add(time.Minute)
	w.net.fail(fault.New(fault.RateLimited, "Too many.").RetryAt(epoch.Add(5 * time.Minute)))
	p, err := w.sns.FetchPosts(t.Context(), c.ID, home, "")
	wantFault(t, err, fault.RateLimited, map[string]any{"connectionId": c.ID, "retryAt": "2026-11-30T12:05:00Z"})
	if len(p.Posts) != 0 {
		t.Errorf("%d posts came with the error", len(p.Posts))
	}
	s := w.stored(c, home)
	if diff := cmp.Diff(numbers(5, 1), ids(s.Posts)); diff != "" {
		t.Errorf("stored (-want +got):\n%s", diff)
	}
	want := &sns.Failure{Code: fault.RateLimited, Message: "Too many.", At: epoch.Add(time.Minute), Since: epoch.Add(time.Minute), RetryAt: epoch.Add(5 * time.Minute)}
	if diff := cmp.Diff(want, s.Failure); diff != "" {
		t.Errorf("failure (-want +got):\n%s", diff)
	}
}

func TestRevokedTokenMarksTheConnectionAndKeepsItsPosts(t *testing.T) {
	w := newWorld(t)
	w.net.feed.add(30)
	c := w.login("ann")
	next := w.fetch(c, home, "").NextCursor
	w.net.fail(fault.New(fault.Unauthorized, "Revoked."))
	_, err := w.sns.FetchPosts(t.Context(), c.ID, home, next)
	wantFault(t, err, fault.Unauthorized, map[string]any{"connectionId": c.ID, "reconnect": true})
	if got := w.connection(c.ID); got.State != sns.ReauthRequired || got.StateCode != sns.CodeTokenRevoked {
		t.Errorf("state = %s (%s)", got.State, got.StateCode)
	}
	if n := len(w.stored(c, home).Posts); n != 20 {
		t.Errorf("%d posts are stored, want 20", n)
	}
	w.net.answer(nil)
	w.fetch(c, home, next)
	if got := w.connection(c.ID); got.State != sns.Ready || got.StateCode != "" {
		t.Errorf("after a success: %s (%s)", got.State, got.StateCode)
	}
}

func TestLateRefusalDoesNotMarkANewCredential(t *testing.T) {
	w := newWorld(t)
	c := w.login("ann")
	w.net.answer(func(context.Context, request) (sns.UpstreamPage, error) {
		// While the old token is on its way the person signs in again.
		if _, err := w.sns.ForgetSecrets(t.Context()); err != nil {
			t.Error(err)
		}
		w.login("ann")
		return sns.UpstreamPage{}, fault.New(fault.Unauthorized, "Revoked.")
	})
	_, err := w.sns.FetchPosts(t.Context(), c.ID, home, "")
	wantFault(t, err, fault.Unauthorized, nil)
	if got := w.connection(c.ID).State; got != sns.Ready {
		t.Errorf("state = %s, want ready", got)
	}
}

func TestForbiddenDoesNotAskToSignInAgain(t *testing.T) {
	w := newWorld(t)
	c := w.login("ann")
	w.net.fail(fault.New(fault.Forbidden, "The token lacks read:notifications."))
	_, err := w.sns.FetchPosts(t.Context(), c.ID, sns.Source{Kind: sns.KindNotifications}, "")
	wantFault(t, err, fault.Forbidden, map[string]any{"connectionId": c.ID, "reconnect": nil})
	if got := w.connection(c.ID).State; got != sns.Ready {
		t.Errorf("state = %s", got)
	}
}

func TestRemovedDuringAFetch(t *testing.T) {
	w := newWorld(t)
	c := w.login("ann")
	w.net.answer(func(context.Context, request) (sns.UpstreamPage, error) {
		if err := w.sns.RemoveConnection(t.Context(), c.ID); err != nil {
			t.Error(err)
		}
		return sns.UpstreamPage{Posts: []sns.Post{post(1)}}, nil
	})
	_, err := w.sns.FetchPosts(t.Context(), c.ID, home, "")
	wantFault(t, err, fault.NotFound, map[string]any{"what": "connection"})
	if n := w.count("SELECT count(*) FROM posts"); n != 0 {
		t.Errorf("%d posts of a removed connection are stored", n)
	}
}

func TestPanicInAProviderFailsTheCallOnly(t *testing.T) {
	w := newWorld(t)
	w.net.feed.add(1)
	c := w.login("ann")
	w.net.answer(func(context.Context, request) (sns.UpstreamPage, error) { panic("a bug with a token-ann in it") })
	_, err := w.sns.FetchPosts(t.Context(), c.ID, home, "")
	wantFault(t, err, fault.Internal, map[string]any{"connectionId": c.ID})
	if m := fault.From(err).Message; strings.Contains(m, "token") {
		t.Errorf("message %q tells about the panic", m)
	}
	w.net.answer(nil)
	w.fetch(c, home, "")
}

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

func TestFetchOnlyKinds(t *testing.T) {
	w := newWorld(t)
	c := w.login("ann")
	w.net.feed.add(3)
	if p := w.fetch(c, sns.Source{Kind: sns.KindThread, PostID: "2"}, ""); len(p.Posts) != 3 {
		t.Errorf("a thread has %d posts", len(p.Posts))
	}
	w.fetch(c, sns.Source{Kind: sns.KindPost, PostID: "2"}, "")
}

func TestFetchPostsRefusesABadSource(t *testing.T) {
	w := newWorld(t)
	c := w.login("ann")
	_, err := w.sns.FetchPosts(t.Context(), c.ID, sns.Source{Kind: sns.KindHashtag, Tag: "a-b"}, "")
	wantFault(t, err, fault.InvalidSource, map[string]any{"field": "source.tag", "connectionId": c.ID})
	if w.net.asked() != 0 {
		t.Error("the server was asked")
	}
}

func TestListLists(t *testing.T) {
	w := newWorld(t)
	c := w.login("ann")
	asked := 0
	w.net.listing = func(_ context.Context, a sns.Account) ([]sns.List, error) {
		asked++
		return []sns.List{{ID: "2", Title: "Zoo"}, {ID: "a/b", Title: "Bad"}, {ID: "1", Title: "A\nB " + a.Token}}, nil
	}
	got, err := w.sns.ListLists(t.Context(), c.ID)
	if err != nil {
		t.Fatalf("ListLists: %v", err)
	}
	if diff := cmp.Diff([]sns.List{{ID: "2", Title: "Zoo"}, {ID: "1", Title: "A B token-ann"}}, got); diff != "" {
		t.Errorf("lists (-want +got):\n%s", diff)
	}
	got[0].Title = "changed by the caller"
	again, err := w.sns.ListLists(t.Context(), c.ID)
	if err != nil || again[0].Title != "Zoo" || asked != 1 {
		t.Errorf("again: %v, %v after %d requests", again, err, asked)
	}
}

func TestListListsWithoutLogin(t *testing.T) {
	w := newWorld(t)
	c, err := w.sns.AddMastodon(t.Context(), sns.AddMastodon{Origin: "https://open.example"})
	if err != nil {
		t.Fatal(err)
	}
	_, err = w.sns.ListLists(t.Context(), c.ID)
	wantFault(t, err, fault.Unsupported, map[string]any{"capability": "lists", "connectionId": c.ID})
}

func TestListListsRefused(t *testing.T) {
	w := newWorld(t)
	c := w.login("ann")
	w.net.listing = func(context.Context, sns.Account) ([]sns.List, error) {
		return nil, fault.New(fault.Unauthorized, "No.")
	}
	_, err := w.sns.ListLists(t.Context(), c.ID)
	wantFault(t, err, fault.Unauthorized, map[string]any{"connectionId": c.ID, "reconnect": true})
	if got := w.connection(c.ID).State; got != sns.ReauthRequired {
		t.Errorf("state = %s", got)
	}
}

func TestGetThread(t *testing.T) {
	w := newWorld(t)
	c := w.login("ann")
	w.net.thread = func(_ context.Context, _ sns.Account, id string) (sns.Thread, error) {
		n := number(id)
		return sns.Thread{
			Ancestors:   []sns.Post{post(n - 1), {ID: "a/b"}},
			Post:        post(n),
			Descendants: []sns.Post{post(n + 1), post(n + 2), post(n + 1)},
		}, nil
	}
	got, err := w.sns.GetThread(t.Context(), c.ID, "5")
	if err != nil {
		t.Fatalf("GetThread: %v", err)
	}
	if s := fmt.Sprint(ids(got.Ancestors), ids([]sns.Post{got.Post}), ids(got.Descendants)); s != "[4] [5] [6 7]" {
		t.Errorf("thread = %s", s)
	}
	if got.Post.ConnectionID != c.ID || got.Descendants[0].ConnectionID != c.ID {
		t.Error("the posts do not name their connection")
	}
	if n := w.count("SELECT count(*) FROM posts WHERE connection_id = ?", c.ID); n != 4 {
		t.Errorf("%d posts are stored, want 4", n)
	}
	_, err = w.sns.GetThread(t.Context(), c.ID, "../5")
	wantFault(t, err, fault.InvalidSource, map[string]any{"field": "source.postId"})
}
