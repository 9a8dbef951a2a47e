package sns_test

import (
	"context"
	"encoding/json"
	"slices"
	"strconv"
	"strings"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"
	"pgregory.net/rapid"

	"personal-workspace/internal/fault"
	"personal-workspace/sns"
)

// pages lets the network answer with these entries, one page after the other.
func (w *world) pages(list ...sns.UpstreamPage) {
	w.net.answer(func(context.Context, request) (sns.UpstreamPage, error) {
		p := list[0]
		if len(list) > 1 {
			list = list[1:]
		}
		return p, nil
	})
}

// page has the posts with these numbers and a continuation behind the last.
func page(numbers ...int) sns.UpstreamPage {
	var p sns.UpstreamPage
	for _, n := range numbers {
		p.Posts = append(p.Posts, post(n))
		p.Next = strconv.Itoa(n)
	}
	return p
}

// ended is a page without a continuation.
func ended(numbers ...int) sns.UpstreamPage {
	p := page(numbers...)
	p.Next = ""
	return p
}

// refresh brings the newest page into the store.
func (w *world) refresh(c sns.Connection, src sns.Source) {
	w.t.Helper()
	w.clock.add(time.Minute)
	if err := w.sns.Refresh(context.Background(), c.ID, src); err != nil {
		w.t.Fatalf("Refresh: %v", err)
	}
}

func TestStoredPostIsWhatWasFetched(t *testing.T) {
	w := newWorld(t)
	c := w.login("ann")
	at, votes := epoch, int64(3)
	full := post(1)
	full.EntryID = "77"
	full.EditedAt, full.ContentWarning, full.Sensitive, full.Language = &at, "cw <b>", true, "ja"
	full.ReplyTo = &sns.ReplyTo{ID: "0", AuthorHandle: "@bob@x"}
	full.BoostedBy = &sns.Boost{ID: "77", Author: sns.Author{Handle: "@bob@x"}, At: &at}
	full.Quote = &sns.Quote{State: sns.QuoteAvailable, Post: &sns.Post{ID: "5", EntryID: "5", Text: "quoted"}}
	full.Media = []sns.Media{{Type: "image", URL: "https://x/y.png", Alt: "猫", Width: 640}}
	full.Poll = &sns.Poll{Options: []sns.PollOption{{Title: "a", Votes: &votes}, {Title: "b"}}}
	full.Filter = &sns.Filter{Action: "warn", Titles: []string{"politics"}}
	full.Counts = &sns.Counts{Boosts: &votes}
	full.Text = "\u2028 \"quoted\" \\ & <i> 🎉\n"
	w.pages(sns.UpstreamPage{Posts: []sns.Post{full}})
	w.refresh(c, home)
	want := full
	want.ConnectionID, want.Network = c.ID, sns.Mastodon
	if diff := cmp.Diff([]sns.Post{want}, w.stored(c, home).Posts); diff != "" {
		t.Errorf("stored (-want +got):\n%s", diff)
	}
}

// TestOnePostInSeveralEntries: a boost, the post itself and a notification about
// it share the stored post and keep what is their own.
func TestOnePostInSeveralEntries(t *testing.T) {
	w := newWorld(t)
	c := w.login("ann")
	plain, boost, liked, follow := post(5), post(5), post(5), sns.Post{EntryID: "5"}
	boost.EntryID, boost.BoostedBy = "9", &sns.Boost{ID: "9", Author: sns.Author{Handle: "@bob@x"}}
	liked.EntryID, liked.Notification = "8", &sns.Notification{Type: "like"}
	follow.Notification = &sns.Notification{Type: "follow"}
	w.pages(sns.UpstreamPage{Posts: []sns.Post{boost, plain}}, sns.UpstreamPage{Posts: []sns.Post{liked, follow}})
	w.refresh(c, home)
	w.refresh(c, sns.Source{Kind: sns.KindNotifications})
	if n := w.count("SELECT count(*) FROM posts"); n != 2 {
		t.Errorf("%d posts are stored, want the post and the follow", n)
	}
	got := w.stored(c, home).Posts
	if got[0].EntryID != "9" || got[0].ID != "5" || got[0].BoostedBy == nil || got[1].BoostedBy != nil || got[1].Text != plain.Text {
		t.Errorf("home = %+v", got)
	}
	got = w.stored(c, sns.Source{Kind: sns.KindNotifications}).Posts
	if got[0].Notification.Type != "like" || got[0].Text != plain.Text || got[1].Notification.Type != "follow" || got[1].ID != "5" || got[1].Text != "" {
		t.Errorf("notifications = %+v", got)
	}
}

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

func TestStoredPostsPageByPage(t *testing.T) {
	w := newWorld(t)
	c := w.login("ann")
	w.net.feed.add(60)
	w.readAll(c, home)
	var got []string
	q := sns.StoredQuery{Limit: 25}
	pages := 0
	for {
		s, err := w.sns.StoredPosts(t.Context(), c.ID, home, q)
		if err != nil {
			t.Fatal(err)
		}
		got, pages = append(got, ids(s.Posts)...), pages+1
		if q.Before = s.Older; q.Before == "" {
			break
		}
	}
	if diff := cmp.Diff(numbers(60, 1), got); diff != "" || pages != 3 {
		t.Errorf("%d pages (-want +got):\n%s", pages, diff)
	}
}

func TestOlderSurvivesADeletedPost(t *testing.T) {
	w := newWorld(t)
	c := w.login("ann")
	w.pages(page(9, 8, 7, 6), page(9, 7, 6))
	w.refresh(c, home)
	s, err := w.sns.StoredPosts(t.Context(), c.ID, home, sns.StoredQuery{Limit: 2})
	if err != nil {
		t.Fatal(err)
	}
	w.refresh(c, home) // 8, at which the reader stands, is gone
	s, err = w.sns.StoredPosts(t.Context(), c.ID, home, sns.StoredQuery{Before: s.Older})
	if err != nil {
		t.Fatal(err)
	}
	if diff := cmp.Diff([]string{"7", "6"}, ids(s.Posts)); diff != "" {
		t.Errorf("older (-want +got):\n%s", diff)
	}
}

func TestStoredLimitAndBefore(t *testing.T) {
	w := newWorld(t)
	c := w.login("ann")
	w.net.feed.add(150)
	w.readAll(c, home)
	for limit, want := range map[int]int{0: 20, -5: 20, 1: 1, 100: 100, 1000: 100} {
		s, err := w.sns.StoredPosts(t.Context(), c.ID, home, sns.StoredQuery{Limit: limit})
		if err != nil || len(s.Posts) != want {
			t.Errorf("limit %d: %d posts, %v; want %d", limit, len(s.Posts), err, want)
		}
	}
	for _, before := range []string{"x", "1", ".1", "1.", "zzzzzzzzzzzzzzzzzz.1", "1.a/b", "' OR 1=1"} {
		_, err := w.sns.StoredPosts(t.Context(), c.ID, home, sns.StoredQuery{Before: before})
		wantFault(t, err, fault.InvalidCursor, map[string]any{"reason": "malformed"})
	}
}

func TestStoredColumns(t *testing.T) {
	w := newWorld(t)
	w.net.feed.add(30)
	ann, bob := w.login("ann"), w.login("bob")
	w.refresh(ann, home)
	w.refresh(bob, tagged)
	removed := w.login("eve")
	w.remove(removed)
	pages, err := w.sns.StoredColumns(t.Context(), []sns.ColumnRef{
		{ConnectionID: bob.ID, Source: tagged},
		{ConnectionID: ann.ID, Source: home},
		{ConnectionID: ann.ID, Source: tagged},
		{ConnectionID: removed.ID, Source: home},
		{ConnectionID: ann.ID, Source: sns.Source{Kind: "nonsense"}},
	}, 5)
	if err != nil {
		t.Fatal(err)
	}
	var got []int
	for _, p := range pages {
		got = append(got, len(p.Posts))
	}
	if diff := cmp.Diff([]int{5, 5, 0, 0, 0}, got); diff != "" {
		t.Errorf("posts (-want +got):\n%s", diff)
	}
	if pages[0].Posts[0].ConnectionID != bob.ID || pages[0].Older == "" || pages[0].FetchedAt.IsZero() {
		t.Errorf("bob's column = %+v", pages[0])
	}
	if f := pages[3].Failure; f == nil || f.Code != fault.NotFound {
		t.Errorf("the removed connection's failure = %+v", f)
	}
	if pages[2].Failure != nil || !pages[2].FetchedAt.IsZero() {
		t.Errorf("a column that was never fetched = %+v", pages[2])
	}
	if pages, err := w.sns.StoredColumns(t.Context(), nil, 20); err != nil || len(pages) != 0 {
		t.Errorf("no columns: %v, %v", pages, err)
	}
}

func TestTimelineKeepsItsNewestEntries(t *testing.T) {
	w := newWorld(t)
	sns.Limit(w.sns, 50, 500_000, 500)
	w.net.feed.add(120)
	c := w.login("ann")
	w.refresh(c, home)
	got, _ := w.readAll(c, home)
	if diff := cmp.Diff(numbers(120, 1), got); diff != "" {
		t.Errorf("paging below the limit (-want +got):\n%s", diff)
	}
	if diff := cmp.Diff(numbers(120, 71), ids(w.stored(c, home).Posts)); diff != "" {
		t.Errorf("stored (-want +got):\n%s", diff)
	}
	w.net.feed.add(10)
	w.refresh(c, home)
	if diff := cmp.Diff(numbers(130, 81), ids(w.stored(c, home).Posts)); diff != "" {
		t.Errorf("stored after more (-want +got):\n%s", diff)
	}
}

func TestRefreshWithoutNewsWritesOnlyItsTime(t *testing.T) {
	w := newWorld(t)
	w.net.feed.add(40)
	c := w.login("ann")
	w.refresh(c, home)
	before := w.dump()
	sub := w.ledger.Subscribe()
	defer sub.Close()
	w.refresh(c, home)
	if diff := cmp.Diff(before, w.dump()); diff != "" {
		t.Errorf("posts and entries (-before +after):\n%s", diff)
	}
	if s := w.stored(c, home); !s.FetchedAt.Equal(epoch.Add(2 * time.Minute)) {
		t.Errorf("fetched at %v", s.FetchedAt)
	}
	select {
	case <-sub.C:
		t.Error("watchers were woken for nothing")
	default:
	}
	w.net.feed.add(1)
	w.refresh(c, home)
	select {
	case <-sub.C:
	default:
		t.Error("watchers were not woken for a new post")
	}
}

func TestOnlyChangedPostsAreRewritten(t *testing.T) {
	w := newWorld(t)
	c := w.login("ann")
	edited := post(2)
	edited.Text = "edited"
	w.pages(page(3, 2, 1), sns.UpstreamPage{Posts: []sns.Post{post(3), edited, post(1)}, Next: "1"})
	w.refresh(c, home)
	w.refresh(c, home)
	if n := w.count("SELECT count(*) FROM posts WHERE stored_at = ?", epoch.Add(2*time.Minute).UnixMilli()); n != 1 {
		t.Errorf("%d posts were rewritten, want 1", n)
	}
	if got := w.stored(c, home).Posts[1].Text; got != "edited" {
		t.Errorf("text = %q", got)
	}
}

func TestFailureIsForgottenAfterASuccess(t *testing.T) {
	w := newWorld(t)
	c := w.login("ann")
	sub := w.ledger.Subscribe()
	defer sub.Close()
	w.net.fail(fault.New(fault.UpstreamUnavailable, "Down."))
	w.sns.Refresh(t.Context(), c.ID, home)
	if f := w.stored(c, home).Failure; f == nil || f.Code != fault.UpstreamUnavailable || !f.RetryAt.IsZero() {
		t.Fatalf("failure = %+v", f)
	}
	<-sub.C
	w.net.answer(nil)
	w.refresh(c, home)
	if f := w.stored(c, home).Failure; f != nil {
		t.Errorf("failure = %+v", f)
	}
	<-sub.C // the page no longer shows the failure
}

func TestFailureOfAnOlderPageIsNotTheTimelines(t *testing.T) {
	w := newWorld(t)
	w.net.feed.add(40)
	c := w.login("ann")
	next := w.fetch(c, home, "").NextCursor
	w.net.fail(fault.New(fault.UpstreamUnavailable, "Down."))
	_, err := w.sns.FetchPosts(t.Context(), c.ID, home, next)
	wantFault(t, err, fault.UpstreamUnavailable, nil)
	if f := w.stored(c, home).Failure; f != nil {
		t.Errorf("failure = %+v", f)
	}
}

// TestOvertakenAnswerChangesNothing: of two processes the one whose answer is
// older stores it last.
func TestOvertakenAnswerChangesNothing(t *testing.T) {
	w := newWorld(t)
	c := w.login("ann")
	w.pages(page(9, 8, 7))
	w.refresh(c, home)
	config := w.config
	config.Now = func() time.Time { return w.clock.Now().Add(-time.Second) }
	slow, err := sns.New(config)
	if err != nil {
		t.Fatal(err)
	}
	defer slow.Close()
	w.pages(page(7, 6))
	if err := slow.Refresh(t.Context(), c.ID, home); err != nil {
		t.Fatal(err)
	}
	s := w.stored(c, home)
	if diff := cmp.Diff([]string{"9", "8", "7"}, ids(s.Posts)); diff != "" {
		t.Errorf("stored (-want +got):\n%s", diff)
	}
	if want := epoch.Add(time.Minute); !s.FetchedAt.Equal(want) {
		t.Errorf("fetched at %v, want %v", s.FetchedAt, want)
	}
}

func TestStoredPostsSurviveARestart(t *testing.T) {
	w := newWorld(t)
	w.net.feed.add(30)
	c := w.login("ann")
	next := w.fetch(c, home, "").NextCursor
	want := w.stored(c, home)
	w.restart()
	if diff := cmp.Diff(want, w.stored(c, home)); diff != "" {
		t.Errorf("after a restart (-want +got):\n%s", diff)
	}
	if p := w.fetch(c, home, next); len(p.Posts) != 10 {
		t.Errorf("the cursor gives %d posts, want 10", len(p.Posts))
	}
}

func TestPruneByAge(t *testing.T) {
	w := newWorld(t)
	sns.Limit(w.sns, 2000, 500_000, 7)
	w.net.feed.add(20)
	c := w.login("ann")
	w.refresh(c, home)
	left := sns.Source{Kind: sns.KindLocal}
	w.refresh(c, left)
	w.clock.add(200 * 24 * time.Hour)
	w.net.feed.add(5)
	w.refresh(c, home) // 16 to 20 are still shown, unchanged
	w.refresh(c, tagged)
	w.clock.add(201 * 24 * time.Hour)
	if err := w.sns.Prune(t.Context()); err != nil {
		t.Fatalf("Prune: %v", err)
	}
	if diff := cmp.Diff(numbers(25, 6), ids(w.stored(c, home).Posts)); diff != "" {
		t.Errorf("stored (-want +got):\n%s", diff)
	}
	// A timeline that nobody fetches any more keeps the posts that others show.
	if diff := cmp.Diff(numbers(20, 6), ids(w.stored(c, left).Posts)); diff != "" {
		t.Errorf("the timeline that was left (-want +got):\n%s", diff)
	}
	w.clock.add(200 * 24 * time.Hour)
	if err := w.sns.Prune(t.Context()); err != nil {
		t.Fatalf("Prune: %v", err)
	}
	for _, table := range []string{"posts", "timelines", "timeline_entries"} {
		if n := w.count("SELECT count(*) FROM " + table); n != 0 {
			t.Errorf("%s has %d rows", table, n)
		}
	}
}

func TestPruneByNumber(t *testing.T) {
	w := newWorld(t)
	sns.Limit(w.sns, 2000, 30, 4)
	c := w.login("ann")
	for range 5 {
		w.net.feed.add(10)
		w.refresh(c, home)
	}
	if err := w.sns.Prune(t.Context()); err != nil {
		t.Fatalf("Prune: %v", err)
	}
	if diff := cmp.Diff(numbers(50, 21), ids(w.stored(c, home).Posts)); diff != "" {
		t.Errorf("stored (-want +got):\n%s", diff)
	}
	if n := w.count("SELECT count(*) FROM posts"); n != 30 {
		t.Errorf("%d posts", n)
	}
}

// TestHostileTextIsOnlyText goes through the JSON functions of the database.
func TestHostileTextIsOnlyText(t *testing.T) {
	w := newWorld(t)
	c := w.login("ann")
	texts := []string{
		`"]}'); DROP TABLE posts; --`, "\x00 nul", "\u2028\u2029", "\ud7ff\U0010ffff", `\u0000 \" \\`, strings.Repeat("[", 5000),
		strings.Repeat("語", 10_000), "\xff\xfe broken",
	}
	var p sns.UpstreamPage
	for i, text := range texts {
		one := post(100 - i)
		one.Text = text
		p.Posts = append(p.Posts, one)
	}
	w.pages(p)
	w.refresh(c, home)
	for i, got := range w.stored(c, home).Posts {
		want := strings.ToValidUTF8(texts[i], "\ufffd")
		if i == len(texts)-1 {
			want = "\ufffd\ufffd broken"
		}
		if got.Text != want {
			t.Errorf("text %d = %.40q, want %.40q", i, got.Text, want)
		}
	}
}

// dump is the content of posts and entries.
func (w *world) dump() string {
	w.t.Helper()
	var b strings.Builder
	for _, q := range []string{
		"SELECT json_array(seq, connection_id, id, doc, hash, stored_at) FROM posts ORDER BY seq",
		"SELECT json_array(timeline_id, position, entry_id, post_seq, wrap, gap, gone) FROM timeline_entries ORDER BY timeline_id, position",
	} {
		for _, row := range w.rows(q) {
			if !json.Valid([]byte(row)) {
				w.t.Fatalf("row %s", row)
			}
			b.WriteString(row + "\n")
		}
	}
	return b.String()
}
