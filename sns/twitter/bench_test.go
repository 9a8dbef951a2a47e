package twitter_test

import (
	"encoding/json"
	"testing"
	"time"

	"personal-workspace/sns"
	"personal-workspace/sns/snstest"
	"personal-workspace/sns/twitter"
)

// largePage is an answer of a list with 98 tweets, of the size that X sends.
func largePage(tb testing.TB) []byte {
	tb.Helper()
	r := snstest.NewRelay(snstest.RelayOptions{})
	p := r.Profile("a1")
	for i := range 98 {
		p.Add(snstest.Tweet{At: r.Now().Add(time.Duration(i-200) * time.Minute), Text: "今日は良い天気です & https://example.org/ #tea @ann", Media: []snstest.Media{{Scene: "tea"}}})
	}
	p.AddList(snstest.TweetList{ID: "1", Title: "L", Members: []string{"ben"}})
	return answerOf(tb, r, "ListLatestTweetsTimeline")
}

// maxParse is how much a page of 98 tweets may cost besides its own bytes.
const maxParse = 12 << 20

func TestParsingALargePageAllocatesLittle(t *testing.T) {
	body := largePage(t)
	got := testing.Benchmark(func(b *testing.B) {
		b.ReportAllocs()
		for b.Loop() {
			twitter.ParsePage("ListLatestTweetsTimeline", body, epoch)
		}
	})
	page, ok := twitter.ParsePage("ListLatestTweetsTimeline", body, epoch)
	if !ok || len(page.Posts) != 98 || len(body) < 1_000_000 {
		t.Fatalf("%d posts of %d bytes, want 98 of over a million", len(page.Posts), len(body))
	}
	if got.AllocedBytesPerOp() > maxParse {
		t.Errorf("parsing takes %d bytes, want at most %d", got.AllocedBytesPerOp(), maxParse)
	}
}

func BenchmarkParse98Tweets(b *testing.B) {
	body := largePage(b)
	b.Run("index and posts", func(b *testing.B) {
		b.SetBytes(int64(len(body)))
		b.ReportAllocs()
		for b.Loop() {
			if page, _ := twitter.ParsePage("ListLatestTweetsTimeline", body, epoch); len(page.Posts) != 98 {
				b.Fatal("posts are missing")
			}
		}
	})
	b.Run("encoding/json into any", func(b *testing.B) {
		b.SetBytes(int64(len(body)))
		b.ReportAllocs()
		for b.Loop() {
			var v any
			if err := json.Unmarshal(body, &v); err != nil {
				b.Fatal(err)
			}
		}
	})
}

// BenchmarkCachedPage is a page of 20 of an answer that is remembered.
func BenchmarkCachedPage(b *testing.B) {
	s := serviceOver(b, snstest.RelayQuirks{Terminate: true})
	s.a1.AddMany(98)
	list := s.a1.AddList(snstest.TweetList{Title: "L", Members: []string{"ben"}})
	src := sns.Source{Kind: sns.KindList, ListID: list}
	first, err := s.FetchPosts(b.Context(), s.conn.ID, src, "")
	if err != nil {
		b.Fatal(err)
	}
	b.ReportAllocs()
	for b.Loop() {
		page, err := s.FetchPosts(b.Context(), s.conn.ID, src, first.NextCursor)
		if err != nil || len(page.Posts) != 20 {
			b.Fatalf("%d posts, %v", len(page.Posts), err)
		}
	}
	if n := len(s.relay.CallsOf("ListLatestTweetsTimeline")); n != 1 {
		b.Errorf("%d requests, want 1", n)
	}
}
