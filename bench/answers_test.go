package bench_test

import (
	"encoding/json"
	"fmt"
	"testing"

	"personal-workspace/sns"
	"personal-workspace/sns/snstest"
)

// answerBudget is the most bytes that twenty ordinary posts may have as JSON.
const answerBudget = 20_000

// fetchPosts returns the structured content of one fetch_posts answer and how
// many posts it has.
func fetchPosts(tb testing.TB, w *world, connectionID string, s sns.Source) (content json.RawMessage, posts int) {
	tb.Helper()
	arguments, err := json.Marshal(map[string]any{"connectionId": connectionID, "source": s})
	if err != nil {
		tb.Fatal(err)
	}
	body, err := call(tb.Context(), newClient(tb, 1), w.url, "fetch_posts", string(arguments))
	if err != nil {
		tb.Fatal(err)
	}
	var answer struct {
		Result struct {
			Content json.RawMessage `json:"structuredContent"`
		}
	}
	var page struct{ Posts []json.RawMessage }
	if err := json.Unmarshal(body, &answer); err != nil {
		tb.Fatal(err)
	}
	if err := json.Unmarshal(answer.Result.Content, &page); err != nil {
		tb.Fatal(err)
	}
	return answer.Result.Content, len(page.Posts)
}

// ordinaryAnswer is a page of twenty ordinary posts, and what the upstream sent
// for it.
func ordinaryAnswer(tb testing.TB) (content json.RawMessage, upstream int64) {
	tb.Helper()
	m := snstest.NewMastodon(snstest.Options{})
	w := newWorld(tb)
	c := w.connect(tb, snstest.Serve(tb, m), m.Token())
	fill(tb, m, "", 0)
	content, posts := fetchPosts(tb, w, c.ID, sns.Source{Kind: sns.KindHome})
	if posts != sns.MaxPage {
		tb.Fatalf("%d posts, want %d", posts, sns.MaxPage)
	}
	return content, m.RequestsTo("/api/v1/timelines/home")[0].Bytes
}

func TestTwentyOrdinaryPostsAreASmallAnswer(t *testing.T) {
	content, _ := ordinaryAnswer(t)
	if len(content) > answerBudget {
		t.Errorf("the answer has %d bytes, want at most %d\n%.600s…", len(content), answerBudget, content)
	}
}

// BenchmarkFetchPostsSize prints the size of answers beside the size of what the
// upstream sent.
func BenchmarkFetchPostsSize(b *testing.B) {
	content, upstream := ordinaryAnswer(b)
	bytesAtMost("fetch_posts, 20 ordinary posts", int64(len(content)), upstream, "what Mastodon sent", answerBudget)
	b.ReportMetric(float64(len(content)), "bytes")

	d, err := snstest.StartDemo(b.Context(), snstest.DemoConfig{})
	if err != nil {
		b.Fatal(err)
	}
	b.Cleanup(func() { d.Close() })
	w := newWorld(b)
	for i, s := range d.Servers() {
		c := d.Connections()[i]
		added := w.connect(b, c.Origin, c.Token)
		content, posts := fetchPosts(b, w, added.ID, sns.Source{Kind: sns.KindHome})
		informative(fmt.Sprintf("fetch_posts, %d demo posts of %s", posts, s.Domain()), int64(len(content)))
	}
}
