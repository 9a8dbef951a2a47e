package sns_test

import (
	"context"
	"slices"
	"strconv"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"
	"pgregory.net/rapid"

	"personal-workspace/sns"
)

func TestStoredOrderAndGaps(t *testing.T) {
	bookmarks := sns.Source{Kind: sns.KindBookmarks}
	conversations := sns.Source{Kind: sns.KindConversations}
	search := sns.Source{Kind: sns.KindSearch, Query: "x"}
	partial := page(9, 7)
	partial.Partial = true
	skipped := page(9, 7)
	skipped.Skipped = 1
	tests := []struct {
		name string
		src  sns.Source
		// refreshed are the newest pages in turn.
		refreshed []sns.UpstreamPage
		want      []string
		gaps      []string
	}{
		{"a first page", home, []sns.UpstreamPage{page(3, 2, 1)}, []string{"3", "2", "1"}, []string{"1"}},
		{"a first page that is all", home, []sns.UpstreamPage{ended(3, 2, 1)}, []string{"3", "2", "1"}, nil},
		{"an empty page", home, []sns.UpstreamPage{{}}, []string{}, nil},
		{"new posts on top", home, []sns.UpstreamPage{page(3, 2, 1), page(5, 4, 3)}, []string{"5", "4", "3", "2", "1"}, []string{"1"}},
		{"the same again", home, []sns.UpstreamPage{page(3, 2, 1), page(3, 2, 1)}, []string{"3", "2", "1"}, []string{"1"}},
		{"nothing in common", home, []sns.UpstreamPage{page(3, 2, 1), page(9, 8, 7)}, []string{"9", "8", "7", "3", "2", "1"}, []string{"7", "1"}},
		{"a gap that closed by itself", home, []sns.UpstreamPage{page(3, 2), page(6, 5), page(6, 5, 4, 3)}, []string{"6", "5", "4", "3", "2"}, []string{"2"}},
		{"a late post in the middle", home, []sns.UpstreamPage{page(9, 7, 5), page(9, 8, 7)}, []string{"9", "8", "7", "5"}, []string{"5"}},
		{"a late post at the end of the page", home, []sns.UpstreamPage{page(9, 7, 5), page(9, 8)}, []string{"9", "8", "7", "5"}, []string{"5"}},
		{"a deleted post", home, []sns.UpstreamPage{page(9, 8, 7), page(9, 7)}, []string{"9", "7"}, []string{"7"}},
		{"the newest post deleted", home, []sns.UpstreamPage{page(9, 8, 7), page(8, 7)}, []string{"8", "7"}, []string{"7"}},
		{"deleted and shown again", home, []sns.UpstreamPage{page(9, 8, 7), page(9, 7), page(9, 8, 7)}, []string{"9", "8", "7"}, []string{"7"}},
		{"an incomplete page removes nothing", home, []sns.UpstreamPage{page(9, 8, 7), partial}, []string{"9", "8", "7"}, []string{"7"}},
		{"a page with an unreadable post removes nothing", home, []sns.UpstreamPage{page(9, 8, 7), skipped}, []string{"9", "8", "7"}, []string{"7"}},
		{"an empty answer removes nothing", home, []sns.UpstreamPage{page(9, 8, 7), {}}, []string{"9", "8", "7"}, []string{"7"}},
		{"search removes nothing", search, []sns.UpstreamPage{page(9, 8, 7), page(9, 7)}, []string{"9", "8", "7"}, []string{"7"}},
		{"bookmarks keep the network's order", bookmarks, []sns.UpstreamPage{ended(1, 9, 5)}, []string{"1", "9", "5"}, nil},
		{"a new bookmark of an old post", bookmarks, []sns.UpstreamPage{ended(1, 9), ended(4, 1, 9)}, []string{"4", "1", "9"}, nil},
		{"a bookmark set again", bookmarks, []sns.UpstreamPage{ended(4, 1, 9), ended(9, 4, 1)}, []string{"9", "4", "1"}, nil},
		{"the last bookmark removed", bookmarks, []sns.UpstreamPage{ended(4, 1, 9), ended(4, 1)}, []string{"4", "1"}, nil},
		{"all bookmarks removed", bookmarks, []sns.UpstreamPage{ended(4, 1), {}}, []string{}, nil},
		{"all bookmarks replaced", bookmarks, []sns.UpstreamPage{ended(4, 1), ended(5)}, []string{"5"}, nil},
		{"two moved up", bookmarks, []sns.UpstreamPage{page(5, 4, 3, 2, 1), page(1, 3, 5, 4, 2)}, []string{"1", "3", "5", "4", "2"}, []string{"2"}},
		{"one moved up past what is not shown", bookmarks, []sns.UpstreamPage{page(5, 4, 3, 2, 1), page(1, 5)}, []string{"1", "5", "4", "3", "2"}, []string{"2"}},
		{"one moved up, and the page ends above its old neighbour", bookmarks, []sns.UpstreamPage{page(10, 5, 4, 3), page(10, 3, 5)}, []string{"10", "3", "5", "4"}, []string{"4"}},
		{"most of the page moved up", bookmarks, []sns.UpstreamPage{page(5, 4, 3, 2, 1), page(2, 1, 5)}, []string{"2", "1", "5", "4", "3"}, []string{"3"}},
		{"a network out of order", home, []sns.UpstreamPage{page(9, 8, 7, 6), page(8, 7, 9, 6)}, []string{"8", "7", "9", "6"}, []string{"6"}},
		{"one set again and nothing else in common", bookmarks, []sns.UpstreamPage{page(5, 4, 3, 2, 1), page(1, 9)}, []string{"5", "4", "3", "2", "1", "9"}, []string{"9"}},
		{"older posts below a former end", home, []sns.UpstreamPage{ended(3), page(5, 3, 2)}, []string{"5", "3", "2"}, []string{"2"}},
		{"conversations", conversations, []sns.UpstreamPage{page(3, 2, 1), page(2, 3)}, []string{"2", "3", "1"}, []string{"1"}},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			w := newWorld(t)
			c := w.login("ann")
			w.pages(tt.refreshed...)
			for range tt.refreshed {
				w.refresh(c, tt.src)
			}
			s := w.stored(c, tt.src)
			if diff := cmp.Diff(tt.want, ids(s.Posts)); diff != "" {
				t.Errorf("stored (-want +got):\n%s", diff)
			}
			if diff := cmp.Diff(tt.gaps, gapsOf(s)); diff != "" {
				t.Errorf("gaps (-want +got):\n%s", diff)
			}
		})
	}
}

// gapsOf are the entries below which something may be missing, in order.
func gapsOf(s sns.StoredPage) (list []string) {
	for _, p := range s.Posts {
		if _, ok := s.Gaps[p.EntryID]; ok {
			list = append(list, p.EntryID)
		}
	}
	return list
}

// TestConversationWithANewAnswerMovesUp: its entry stays the same and shows
// another post; all other entries of the page are new.
func TestConversationWithANewAnswerMovesUp(t *testing.T) {
	w := newWorld(t)
	c := w.login("ann")
	src := sns.Source{Kind: sns.KindConversations}
	answered := post(50)
	answered.EntryID = "1"
	w.pages(page(3, 2, 1), sns.UpstreamPage{Posts: []sns.Post{answered, post(9), post(8)}, Next: "8"})
	w.refresh(c, src)
	w.refresh(c, src)
	s := w.stored(c, src)
	if diff := cmp.Diff([]string{"1", "9", "8", "3", "2"}, ids(s.Posts)); diff != "" {
		t.Errorf("stored (-want +got):\n%s", diff)
	}
	if s.Posts[0].ID != "50" {
		t.Errorf("the conversation shows post %s", s.Posts[0].ID)
	}
}

func TestGapIsFilledPageByPage(t *testing.T) {
	w := newWorld(t)
	c := w.login("ann")
	w.net.feed.size = 4
	w.net.feed.add(6)
	w.refresh(c, home) // 6 5 4 3
	w.net.feed.add(10)
	w.refresh(c, home) // 16 15 14 13
	s := w.stored(c, home)
	if diff := cmp.Diff([]string{"13", "3"}, gapsOf(s)); diff != "" {
		t.Fatalf("gaps (-want +got):\n%s", diff)
	}
	p := w.fetch(c, home, s.Gaps["13"])
	if diff := cmp.Diff([]string{"12", "11", "10", "9"}, ids(p.Posts)); diff != "" {
		t.Errorf("the gap's first page (-want +got):\n%s", diff)
	}
	s = w.stored(c, home)
	if diff := cmp.Diff([]string{"9", "3"}, gapsOf(s)); diff != "" {
		t.Errorf("gaps (-want +got):\n%s", diff)
	}
	w.fetch(c, home, s.Gaps["9"]) // 8 7 6 5
	s = w.stored(c, home)
	if diff := cmp.Diff(numbers(16, 3), ids(s.Posts)); diff != "" {
		t.Errorf("stored (-want +got):\n%s", diff)
	}
	if diff := cmp.Diff([]string{"3"}, gapsOf(s)); diff != "" {
		t.Errorf("gaps at the end (-want +got):\n%s", diff)
	}
	w.fetch(c, home, s.Gaps["3"]) // 2 1
	s = w.stored(c, home)
	w.fetch(c, home, s.Gaps["1"]) // nothing more
	if s = w.stored(c, home); len(s.Posts) != 16 || s.Gaps != nil {
		t.Errorf("%d posts, gaps %v; want 16 and none", len(s.Posts), s.Gaps)
	}
}

// TestEmptyPageDoesNotCloseAGap: all of its posts were hidden by the account's
// filters, and the network goes on behind it.
func TestEmptyPageDoesNotCloseAGap(t *testing.T) {
	w := newWorld(t)
	c := w.login("ann")
	w.pages(page(3, 2), page(9, 8), sns.UpstreamPage{Next: "6"}, page(5, 4, 3))
	w.refresh(c, home)
	w.refresh(c, home)
	w.fetch(c, home, w.stored(c, home).Gaps["8"])
	s := w.stored(c, home)
	if diff := cmp.Diff([]string{"8", "2"}, gapsOf(s)); diff != "" {
		t.Fatalf("gaps (-want +got):\n%s", diff)
	}
	w.fetch(c, home, s.Gaps["8"])
	if got := w.net.requests[len(w.net.requests)-1].Cursor; got != "6" {
		t.Errorf("the network was asked at %q, want behind the empty page", got)
	}
	s = w.stored(c, home)
	if diff := cmp.Diff([]string{"9", "8", "5", "4", "3", "2"}, ids(s.Posts)); diff != "" {
		t.Errorf("stored (-want +got):\n%s", diff)
	}
	if diff := cmp.Diff([]string{"2"}, gapsOf(s)); diff != "" {
		t.Errorf("gaps at the end (-want +got):\n%s", diff)
	}
}

// TestOlderPageWithoutAPlaceLeavesTheTimelineAlone: its cursor was made before
// the timeline was lost.
func TestOlderPageWithoutAPlaceLeavesTheTimelineAlone(t *testing.T) {
	w := newWorld(t)
	c := w.login("ann")
	w.net.feed.add(60)
	next := w.fetch(c, home, "").NextCursor
	if err := w.exec("DELETE FROM timelines"); err != nil {
		t.Fatal(err)
	}
	if p := w.fetch(c, home, next); len(p.Posts) != 20 {
		t.Errorf("%d posts", len(p.Posts))
	}
	if s := w.stored(c, home); len(s.Posts) != 0 || !s.FetchedAt.IsZero() {
		t.Errorf("%d posts stored, fetched %v", len(s.Posts), s.FetchedAt)
	}
}

// TestManyInsertionsAtOnePlace spends the room between two positions.
func TestManyInsertionsAtOnePlace(t *testing.T) {
	w := newWorld(t)
	c := w.login("ann")
	want := []int{1000, 1}
	w.pages(page(want...))
	w.refresh(c, home)
	for n := 999; n > 900; n-- {
		want = slices.Insert(want, len(want)-1, n)
		w.pages(page(want[len(want)-3:]...))
		if n%2 == 0 {
			want = slices.Delete(want, 1, len(want)-1) // and the others are deleted
			want = slices.Insert(want, 1, n)
			w.pages(page(want...))
		}
		w.refresh(c, home)
	}
	for range 60 { // always between the two newest
		n := 2000 - len(want)
		want = slices.Insert(want, 1, n)
		w.pages(page(want...))
		w.refresh(c, home)
	}
	var texts []string
	for _, n := range want {
		texts = append(texts, strconv.Itoa(n))
	}
	if diff := cmp.Diff(texts, ids(w.stored(c, home).Posts)); diff != "" {
		t.Errorf("stored (-want +got):\n%s", diff)
	}
}

// TestStoredTimelineFollowsItsNetwork runs random histories: posts come and are
// deleted, the newest page is refreshed, gaps are filled from anywhere.
func TestStoredTimelineFollowsItsNetwork(t *testing.T) {
	w := newWorld(t)
	rapid.Check(t, func(t *rapid.T) {
		w.net.feed = feed{size: rapid.IntRange(2, 6).Draw(t, "page")}
		c := w.login("ann")
		defer w.remove(c)
		w.net.feed.add(rapid.IntRange(0, 12).Draw(t, "posts"))
		for range rapid.IntRange(1, 12).Draw(t, "steps") {
			switch rapid.IntRange(0, 3).Draw(t, "step") {
			case 0:
				w.net.feed.add(rapid.IntRange(1, 12).Draw(t, "new"))
			case 1:
				if n := len(w.net.feed.entries); n > 0 {
					w.net.feed.remove(w.net.feed.entries[rapid.IntRange(0, n-1).Draw(t, "deleted")].EntryID)
				}
			case 2:
				w.refresh(c, home)
			case 3:
				s := w.stored(c, home)
				if gaps := gapsOf(s); len(gaps) > 0 {
					w.clock.add(time.Minute)
					w.fetch(c, home, s.Gaps[rapid.SampledFrom(gaps).Draw(t, "gap")])
				}
			}
			w.checkStored(t, c)
		}
		w.fillAll(t, c)
		// What a network no longer has below its end stays stored.
		stored := ids(w.stored(c, home).Posts)
		if diff := cmp.Diff(ids(w.net.feed.entries), stored[:min(len(w.net.feed.entries), len(stored))]); diff != "" {
			t.Fatalf("after reading everything (-network +stored):\n%s", diff)
		}
	})
}

// checkStored: what the network still has stands in its order, and where no gap
// is told nothing of it is missing.
func (w *world) checkStored(t *rapid.T, c sns.Connection) {
	s := w.stored(c, home)
	upper, gap := 1<<40, true
	for _, p := range s.Posts {
		_, below := s.Gaps[p.EntryID]
		n := number(p.EntryID)
		if !w.net.feed.has(n) {
			gap = gap || below
			continue
		}
		if n >= upper {
			t.Fatalf("%d stands below %d in %v", n, upper, ids(s.Posts))
		}
		for _, p := range w.net.feed.entries {
			if m := number(p.EntryID); m < upper && m > n && !gap {
				t.Fatalf("%d is missing between %d and %d, and no gap says so", m, upper, n)
			}
		}
		upper, gap = n, below
	}
}

func (f *feed) has(n int) bool {
	return slices.ContainsFunc(f.entries, func(p sns.Post) bool { return number(p.EntryID) == n })
}

// fillAll reads the newest page and everything below, from the top.
func (w *world) fillAll(t *rapid.T, c sns.Connection) {
	w.clock.add(time.Minute)
	cursor := ""
	for range 100 {
		p, err := w.sns.FetchPosts(context.Background(), c.ID, home, cursor)
		if err != nil {
			t.Fatalf("FetchPosts: %v", err)
		}
		if cursor = p.NextCursor; cursor == "" {
			break
		}
	}
	s := w.stored(c, home)
	for _, p := range w.net.feed.entries {
		if _, gap := s.Gaps[p.EntryID]; gap {
			t.Fatalf("a gap is left below %s in %v", p.EntryID, ids(s.Posts))
		}
	}
}
