package sns_test

import (
	"context"
	"encoding/json"
	"strconv"
	"strings"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"

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
	slow, err := sns.New(t.Context(), config)
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
