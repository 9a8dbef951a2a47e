package sns_test

import (
	"context"
	"fmt"
	"path/filepath"
	"strconv"
	"strings"
	"testing"
	"time"

	"personal-workspace/internal/ledger"
	"personal-workspace/internal/sqlite"
	"personal-workspace/sns"
)

// richPost is an ordinary post as networks give it: two sentences of Japanese, a
// picture with a description, links, counts.
func richPost(n int) sns.Post {
	p := post(n)
	p.Text = strings.Repeat(fmt.Sprintf("投稿%d：今日は港まで歩いて、新しい船を見てきました。", n), 3)
	one := int64(1)
	p.Counts = &sns.Counts{Replies: &one, Boosts: &one, Likes: &one}
	p.Author.AvatarURL, p.Author.URL = "https://social.example/avatars/ann.png", "https://social.example/@ann"
	p.Media = []sns.Media{{Type: "image", URL: "https://social.example/m/" + p.ID + ".jpg", Alt: "港に停まっている白い船", Width: 1600, Height: 900}}
	p.Hashtags = []string{"港", "船"}
	p.Viewer = &sns.Viewer{}
	if n%4 == 0 {
		p.BoostedBy = &sns.Boost{ID: p.ID, Author: sns.Author{Handle: "@bob@social.example"}}
	}
	return p
}

// fill stores n posts: timelines of 2,000, and the first six of those that are
// left short.
func (w *world) fill(n int) (sns.Connection, []sns.ColumnRef) {
	w.t.Helper()
	c := w.login("ann")
	per := min(2000, n/6)
	var refs []sns.ColumnRef
	for i := range n / per {
		w.net.answer(func(context.Context, request) (sns.UpstreamPage, error) {
			var p sns.UpstreamPage
			for k := per; k > 0; k-- {
				p.Posts = append(p.Posts, richPost(1_000_000+i*per+k))
			}
			p.Next = p.Posts[per-1].EntryID
			return p, nil
		})
		ref := sns.ColumnRef{ConnectionID: c.ID, Source: sns.Source{Kind: sns.KindList, ListID: strconv.Itoa(i + 1)}}
		w.refresh(c, ref.Source)
		refs = append(refs, ref)
	}
	return c, refs[:6]
}

func sizes(b *testing.B, bench func(b *testing.B, w *world, c sns.Connection, refs []sns.ColumnRef)) {
	for _, n := range []int{1_000, 100_000} {
		b.Run(fmt.Sprintf("posts=%d", n), func(b *testing.B) {
			w := newWorld(b)
			c, refs := w.fill(n)
			b.ReportAllocs()
			b.ResetTimer()
			bench(b, w, c, refs)
		})
	}
}

// BenchmarkStoredColumns paints a deck: six columns of twenty posts.
func BenchmarkStoredColumns(b *testing.B) {
	sizes(b, func(b *testing.B, w *world, _ sns.Connection, refs []sns.ColumnRef) {
		for b.Loop() {
			pages, err := w.sns.StoredColumns(b.Context(), refs, 20)
			if err != nil || len(pages[5].Posts) != 20 {
				b.Fatalf("%d posts, %v", len(pages[5].Posts), err)
			}
		}
	})
}

// BenchmarkStoredPostsOlder reads twenty posts in the middle of a timeline.
func BenchmarkStoredPostsOlder(b *testing.B) {
	sizes(b, func(b *testing.B, w *world, c sns.Connection, refs []sns.ColumnRef) {
		first, err := w.sns.StoredPosts(b.Context(), c.ID, refs[0].Source, sns.StoredQuery{Limit: 100})
		if err != nil {
			b.Fatal(err)
		}
		for b.Loop() {
			p, err := w.sns.StoredPosts(b.Context(), c.ID, refs[0].Source, sns.StoredQuery{Before: first.Older})
			if err != nil || len(p.Posts) != 20 {
				b.Fatalf("%d posts, %v", len(p.Posts), err)
			}
		}
	})
}

// BenchmarkRefresh stores newest pages of twenty posts; news of them are new.
func BenchmarkRefresh(b *testing.B) {
	for _, news := range []int{0, 1, 20} {
		b.Run(fmt.Sprintf("news=%d", news), func(b *testing.B) {
			sizes(b, func(b *testing.B, w *world, c sns.Connection, refs []sns.ColumnRef) {
				newest := 10_000_000
				w.net.answer(func(context.Context, request) (sns.UpstreamPage, error) {
					newest += news
					var p sns.UpstreamPage
					for k := range 20 {
						p.Posts = append(p.Posts, richPost(newest-k))
					}
					p.Next = p.Posts[19].EntryID
					return p, nil
				})
				w.refresh(c, refs[0].Source)
				for b.Loop() {
					w.refresh(c, refs[0].Source)
				}
			})
		})
	}
}

// BenchmarkStart opens the database and makes the service.
func BenchmarkStart(b *testing.B) {
	sizes(b, func(b *testing.B, w *world, _ sns.Connection, refs []sns.ColumnRef) {
		for b.Loop() {
			db, err := sqlite.Open(b.Context(), sqlite.Config{Path: filepath.Join(w.dir, "workspace.sqlite")})
			if err != nil {
				b.Fatal(err)
			}
			s, err := sns.New(b.Context(), sns.Config{DB: db, Ledger: ledger.New(ledger.Config{DB: db}), Now: time.Now})
			if err != nil {
				b.Fatal(err)
			}
			s.Close()
			if err := db.Close(); err != nil {
				b.Fatal(err)
			}
		}
	})
}

// BenchmarkPrune looks for what is too old and finds nothing.
func BenchmarkPrune(b *testing.B) {
	sizes(b, func(b *testing.B, w *world, _ sns.Connection, _ []sns.ColumnRef) {
		for b.Loop() {
			if err := w.sns.Prune(b.Context()); err != nil {
				b.Fatal(err)
			}
		}
	})
}

// BenchmarkRemoveConnection removes a connection with all its posts.
func BenchmarkRemoveConnection(b *testing.B) {
	for b.Loop() {
		b.StopTimer()
		w := newWorld(b)
		c, _ := w.fill(20_000)
		b.StartTimer()
		w.remove(c)
	}
}
