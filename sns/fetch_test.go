package sns_test

import (
	"context"
	"slices"
	"strings"
	"testing"
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

// TestEqualStateGivesEqualCursors: answers of other times too, whose bytes an
// assistant's cache compares.
func TestEqualStateGivesEqualCursors(t *testing.T) {
	w := newWorld(t)
	w.net.feed.add(60)
	w.net.feed.size = 30
	c := w.login("ann")
	read := func() (cursors []string) {
		first := w.fetch(c, home, "")
		second := w.fetch(c, home, first.NextCursor)
		return []string{first.NextCursor, first.CursorAfter(4), second.NextCursor}
	}
	before := read()
	w.clock.add(time.Hour)
	if diff := cmp.Diff(before, read()); diff != "" {
		t.Errorf("cursors an hour later (-before +after):\n%s", diff)
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
