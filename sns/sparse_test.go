package sns_test

import (
	"context"
	"strconv"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"

	"personal-workspace/internal/fault"
	"personal-workspace/sns"
)

// thin is an answer that had entries and shows the given ones of them.
func thin(next string, numbers ...int) sns.UpstreamPage {
	p := page(numbers...)
	p.Received, p.Next = []string{"x" + next}, next
	return p
}

// sparse is an answer with the 20 entries from top down that shows some of them.
func sparse(top int, shown ...int) sns.UpstreamPage {
	p := thin(strconv.Itoa(top-19), shown...)
	p.Received = numbers(top, top-19)
	return p
}

func TestPagesThatShowNothingDoNotEndASource(t *testing.T) {
	w := newWorld(t)
	c := w.login("ann")
	w.net.answer(func(_ context.Context, r request) (sns.UpstreamPage, error) {
		n := number(r.Cursor)
		switch {
		case n == 30:
			return sns.UpstreamPage{}, nil
		case n%10 == 9:
			return thin(strconv.Itoa(n+1), 100-n), nil
		}
		return thin(strconv.Itoa(n + 1)), nil
	})
	got, pages := w.readAll(c, home)
	if diff := cmp.Diff([]string{"91", "81", "71"}, got); diff != "" {
		t.Errorf("posts (-want +got):\n%s", diff)
	}
	if pages != 31 {
		t.Errorf("%d pages, want 31", pages)
	}
}

func TestPagesThatShowNothingEndASourceAtLast(t *testing.T) {
	for name, received := range map[string]int{"nothing shown": 20, "now nothing sent, now nothing shown": -20} {
		t.Run(name, func(t *testing.T) {
			w := newWorld(t)
			c := w.login("ann")
			w.net.answer(func(_ context.Context, r request) (sns.UpstreamPage, error) {
				p := sns.UpstreamPage{Next: strconv.Itoa(number(r.Cursor) + 1), Received: []string{"x"}}
				if received < 0 && number(r.Cursor)%2 == 1 {
					p.Received = nil
				}
				return p, nil
			})
			cursor, pages := "", 0
			var last sns.Page
			for {
				last = w.fetch(c, home, cursor)
				pages++
				if cursor = last.NextCursor; cursor == "" {
					break
				}
			}
			if pages > sns.MaxThin {
				t.Errorf("%d pages, want at most %d", pages, sns.MaxThin)
			}
			if received > 0 && len(last.Warnings) != 1 {
				t.Errorf("warnings of the last page = %v, want one", last.Warnings)
			}
		})
	}
}

func TestAPostEndsTheCountOfPagesThatShowNothing(t *testing.T) {
	w := newWorld(t)
	c := w.login("ann")
	end := 3 * (sns.MaxThin - 1)
	w.net.answer(func(_ context.Context, r request) (sns.UpstreamPage, error) {
		n := number(r.Cursor)
		switch {
		case n == end:
			return sns.UpstreamPage{}, nil
		case n%(sns.MaxThin-1) == sns.MaxThin-2:
			return thin(strconv.Itoa(n+1), 1000-n), nil
		}
		return thin(strconv.Itoa(n + 1)), nil
	})
	if got, pages := w.readAll(c, home); len(got) != 3 || pages != end+1 {
		t.Errorf("%d posts on %d pages, want 3 on %d", len(got), pages, end+1)
	}
}

// TestNewestPageThatShowsNothing: what stands below it finds its place above all
// that is stored.
func TestNewestPageThatShowsNothing(t *testing.T) {
	w := newWorld(t)
	c := w.login("ann")
	w.pages(thin("90"))
	w.refresh(c, home)
	s := w.stored(c, home)
	if len(s.Posts) != 0 || s.Head == "" || s.End {
		t.Fatalf("%d posts, head %q, end %v; want a head alone", len(s.Posts), s.Head, s.End)
	}
	w.pages(thin("80"), thin("70", 75, 72))
	next := w.fetch(c, home, s.Head).NextCursor
	if s = w.stored(c, home); len(s.Posts) != 0 || s.Head == "" {
		t.Fatalf("%d posts, head %q after a second page that shows nothing", len(s.Posts), s.Head)
	}
	w.fetch(c, home, next)
	s = w.stored(c, home)
	if diff := cmp.Diff([]string{"75", "72"}, ids(s.Posts)); diff != "" || s.Head != "" {
		t.Errorf("head %q, stored (-want +got):\n%s", s.Head, diff)
	}
	if diff := cmp.Diff([]string{"72"}, gapsOf(s)); diff != "" {
		t.Errorf("gaps (-want +got):\n%s", diff)
	}
	w.pages(thin("190"), thin("100", 110), thin("", 75))
	w.refresh(c, home)
	s = w.stored(c, home)
	if len(s.Posts) != 2 || s.Head == "" {
		t.Fatalf("%d posts, head %q; want the stored ones below a head", len(s.Posts), s.Head)
	}
	w.fetch(c, home, s.Head)
	s = w.stored(c, home)
	if diff := cmp.Diff([]string{"110", "75", "72"}, ids(s.Posts)); diff != "" || s.Head != "" {
		t.Errorf("head %q, stored (-want +got):\n%s", s.Head, diff)
	}
	if diff := cmp.Diff([]string{"110", "72"}, gapsOf(s)); diff != "" {
		t.Errorf("gaps (-want +got):\n%s", diff)
	}
}

// TestHeadThatWasOvertaken: newer posts came before its page was read.
func TestHeadThatWasOvertaken(t *testing.T) {
	w := newWorld(t)
	c := w.login("ann")
	w.pages(page(5, 4), thin("90"), thin("290", 300), thin("80", 85))
	w.refresh(c, home)
	w.refresh(c, home)
	head := w.stored(c, home).Head
	w.refresh(c, home)
	if s := w.stored(c, home); s.Head != "" {
		t.Errorf("head = %q below a newer post", s.Head)
	}
	if got := ids(w.fetch(c, home, head).Posts); !cmp.Equal(got, []string{"85"}) {
		t.Errorf("the page at the old head has %v", got)
	}
	if diff := cmp.Diff([]string{"300", "5", "4"}, ids(w.stored(c, home).Posts)); diff != "" {
		t.Errorf("stored (-want +got):\n%s", diff)
	}
}

// TestSparseTimelineHasGapsOnlyWhereSomethingIsMissing: what is shown of two
// pages need not meet, when what the network sent does.
func TestSparseTimelineHasGapsOnlyWhereSomethingIsMissing(t *testing.T) {
	w := newWorld(t)
	c := w.login("ann")
	for _, step := range []struct {
		name   string
		page   sns.UpstreamPage
		stored []string
		gaps   []string
		head   bool
	}{
		{"the first page", sparse(100, 90), []string{"90"}, []string{"90"}, false},
		{"a page that meets a stored entry", sparse(105, 103, 90), []string{"103", "90"}, []string{"90"}, false},
		{"a page that meets what was sent before", sparse(118, 117), []string{"117", "103", "90"}, []string{"90"}, false},
		{"one that shows nothing", sparse(125), []string{"117", "103", "90"}, []string{"90"}, false},
		{"one that shows nothing and meets nothing", sparse(150), []string{"117", "103", "90"}, []string{"90"}, true},
		{"one that shows nothing and meets the former", sparse(152), []string{"117", "103", "90"}, []string{"90"}, true},
		{"one that shows an entry and meets the former", sparse(160, 155), []string{"155", "117", "103", "90"}, []string{"155", "90"}, false},
		{"one that meets nothing", sparse(200, 199), []string{"199", "155", "117", "103", "90"}, []string{"199", "155", "90"}, false},
	} {
		w.pages(step.page)
		w.refresh(c, home)
		s := w.stored(c, home)
		if diff := cmp.Diff(step.stored, ids(s.Posts)); diff != "" {
			t.Errorf("%s: stored (-want +got):\n%s", step.name, diff)
		}
		if diff := cmp.Diff(step.gaps, gapsOf(s)); diff != "" || (s.Head != "") != step.head {
			t.Errorf("%s: head %q, gaps (-want +got):\n%s", step.name, s.Head, diff)
		}
	}
	w.pages(sparse(130, 117))
	w.fetch(c, home, w.stored(c, home).Gaps["155"])
	if got := w.net.requests[len(w.net.requests)-1].Cursor; got != "131" {
		t.Errorf("the gap below 155 is read at %s, want 131: what stands above was read already", got)
	}
	if diff := cmp.Diff([]string{"199", "90"}, gapsOf(w.stored(c, home))); diff != "" {
		t.Errorf("gaps at the end (-want +got):\n%s", diff)
	}
}

func TestMeetingWhatWasSentProvesNothingInASearch(t *testing.T) {
	w := newWorld(t)
	c := w.login("ann")
	search := sns.Source{Kind: sns.KindSearch, Query: "x"}
	w.pages(sparse(105, 103), sparse(118, 117))
	w.refresh(c, search)
	w.refresh(c, search)
	if diff := cmp.Diff([]string{"117", "103"}, gapsOf(w.stored(c, search))); diff != "" {
		t.Errorf("gaps (-want +got):\n%s", diff)
	}
}

func TestMeetingWhatWasSentProvesNothingOnceThePostsAreRemoved(t *testing.T) {
	w := newWorld(t)
	sns.Limit(w.sns, 2000, 0, 500)
	c := w.login("ann")
	w.pages(sparse(105, 103), sparse(118, 117))
	w.refresh(c, home)
	if err := w.sns.Prune(t.Context()); err != nil {
		t.Fatal(err)
	}
	w.refresh(c, home)
	if diff := cmp.Diff([]string{"117"}, gapsOf(w.stored(c, home))); diff != "" {
		t.Errorf("gaps (-want +got):\n%s", diff)
	}
}

func TestEndOfASourceIsStored(t *testing.T) {
	w := newWorld(t)
	w.net.feed.add(45)
	c := w.login("ann")
	w.refresh(c, home)
	if w.stored(c, home).End {
		t.Error("the end is known after one page of three")
	}
	w.readAll(c, home)
	s := w.stored(c, home)
	if !s.End || len(s.Gaps) != 0 || len(s.Posts) != 45 {
		t.Errorf("end %v, gaps %v, %d posts; want the end of all 45", s.End, s.Gaps, len(s.Posts))
	}
	part, err := w.sns.StoredPosts(t.Context(), c.ID, home, sns.StoredQuery{Limit: 20})
	if err != nil || part.End {
		t.Errorf("the first part: end %v, %v", part.End, err)
	}
	w.restart()
	if !w.stored(c, home).End {
		t.Error("a restart forgot the end")
	}
	w.net.feed.add(30)
	w.refresh(c, home)
	if s := w.stored(c, home); !s.End || len(gapsOf(s)) != 1 {
		t.Errorf("end %v, gaps %v; want the old end below one gap", s.End, gapsOf(s))
	}
}

func TestEndOfAnEmptySource(t *testing.T) {
	w := newWorld(t)
	c := w.login("ann")
	w.refresh(c, home)
	if s := w.stored(c, home); !s.End || len(s.Posts) != 0 {
		t.Errorf("end %v, %d posts; want the end of nothing", s.End, len(s.Posts))
	}
}

func TestEndIsNotBelievedOfAPartialPage(t *testing.T) {
	w := newWorld(t)
	c := w.login("ann")
	p := thin("", 3, 2)
	p.Partial = true
	w.pages(p)
	w.refresh(c, home)
	if w.stored(c, home).End {
		t.Error("the end of a timeline that is still being prepared is believed")
	}
}

func TestEndIsForgottenWithTheOldestPosts(t *testing.T) {
	for _, tt := range []struct {
		name string
		lose func(w *world, c sns.Connection)
	}{
		{"for their number in the timeline", func(w *world, c sns.Connection) {
			sns.Limit(w.sns, 10, 500_000, 500)
			w.net.feed.add(3)
			w.refresh(c, home)
		}},
		{"for their age", func(w *world, _ sns.Connection) {
			sns.LimitAge(w.sns, time.Hour)
			w.clock.add(2 * time.Hour)
			if err := w.sns.Prune(context.Background()); err != nil {
				w.t.Fatal(err)
			}
		}},
		{"for their number in all", func(w *world, _ sns.Connection) {
			sns.Limit(w.sns, 2000, 3, 500)
			if err := w.sns.Prune(context.Background()); err != nil {
				w.t.Fatal(err)
			}
		}},
	} {
		t.Run(tt.name, func(t *testing.T) {
			w := newWorld(t)
			w.net.feed.add(10)
			c := w.login("ann")
			w.readAll(c, home)
			if !w.stored(c, home).End {
				t.Fatal("the end is not known")
			}
			tt.lose(w, c)
			if w.stored(c, home).End {
				t.Error("the end is still known")
			}
		})
	}
}

func TestFailuresInARowHaveABeginning(t *testing.T) {
	w := newWorld(t)
	c := w.login("ann")
	w.net.fail(fault.New(fault.UpstreamUnavailable, "Down."))
	fail := func() *sns.Failure {
		w.clock.add(time.Minute)
		w.sns.Refresh(t.Context(), c.ID, home)
		return w.stored(c, home).Failure
	}
	fail()
	w.net.fail(fault.New(fault.RateLimited, "Too many."))
	f := fail()
	if want := epoch.Add(time.Minute); !f.Since.Equal(want) || !f.At.Equal(want.Add(time.Minute)) {
		t.Errorf("since %v, at %v; want %v and a minute later", f.Since, f.At, want)
	}
	w.net.answer(nil)
	w.refresh(c, home)
	w.net.fail(fault.New(fault.UpstreamUnavailable, "Down."))
	if f := fail(); !f.Since.Equal(f.At) {
		t.Errorf("since %v after a success, want %v", f.Since, f.At)
	}
}

func TestSharedAnswersOutliveOlderPages(t *testing.T) {
	w := newWorld(t)
	w.net.feed.add(40)
	c := w.login("ann")
	list := func(i int) sns.Source { return sns.Source{Kind: sns.KindList, ListID: strconv.Itoa(i + 1)} }
	for i := range sns.MaxResults {
		w.fetch(c, list(i), "")
	}
	w.clock.add(time.Minute)
	single := sns.Source{Kind: sns.KindPost, PostID: "40"}
	w.net.answer(func(context.Context, request) (sns.UpstreamPage, error) { return page(40), nil })
	w.fetch(c, single, "")
	w.net.answer(nil)
	for i := range sns.MaxResults / 2 {
		w.fetch(c, list(1000+i), "")
	}
	before := w.net.asked()
	w.fetch(c, single, "")
	if n := w.net.asked() - before; n != 0 {
		t.Errorf("%d upstream requests for an answer of the same second, want none", n)
	}
}

func TestTokensThatMayDoMoreAreNamed(t *testing.T) {
	for _, tt := range []struct {
		name   string
		scopes []string
		want   []string
	}{
		{"not told", nil, nil},
		{"reading", []string{"read", "profile", "read:statuses"}, nil},
		{"a word that begins alike", []string{"writer", "pushed"}, nil},
		{
			"everything",
			[]string{"read", "follow", "write:statuses", "write", "admin:read:accounts", "push"},
			[]string{"The token may do more than read (write, follow, push, admin), which the workspace never uses; a token with the scope read alone is safer."},
		},
	} {
		t.Run(tt.name, func(t *testing.T) {
			w := newWorld(t)
			w.net.verify = func(context.Context, sns.Account) (sns.Identity, error) {
				return sns.Identity{Account: "@ann@social.example", AccountID: "1", Scopes: tt.scopes}, nil
			}
			c := w.login("ann")
			if diff := cmp.Diff(tt.want, c.Warnings); diff != "" {
				t.Errorf("warnings (-want +got):\n%s", diff)
			}
			if got := w.connection(c.ID).Warnings; got != nil {
				t.Errorf("the stored connection has warnings %v", got)
			}
		})
	}
}
