package bench_test

import (
	"bytes"
	"context"
	"encoding/json"
	"io"
	"net/http"
	"net/http/httptest"
	"runtime"
	"testing"
	"time"

	"personal-workspace/sns"
	"personal-workspace/sns/snstest"
	"personal-workspace/sns/twitter"
)

const (
	// answerTime and answerMemory are the most that reading an answer of X with 98
	// posts may take, and partTime a page of 20 of one that is remembered.
	answerTime   = 15 * time.Millisecond
	answerMemory = 12 << 20
	partTime     = 2 * time.Millisecond
)

// withList is a relay with a list of 98 posts, as long as those of X.
func withList(tb testing.TB) (r *snstest.Relay, list sns.Source) {
	tb.Helper()
	r = snstest.NewRelay(snstest.RelayOptions{})
	p := r.Profile("a1")
	for i := range 98 {
		p.Add(snstest.Tweet{
			At: r.Now().Add(time.Duration(i-200) * time.Minute), Text: "今日は良い天気です & https://example.org/ #tea @ann",
			Media: []snstest.Media{{Scene: "tea"}},
		})
	}
	return r, sns.Source{Kind: sns.KindList, ListID: p.AddList(snstest.TweetList{Title: "L", Members: []string{"ben"}})}
}

// memory is a transport that gives what a relay answered, without a network.
type memory struct {
	relay http.Handler
	body  []byte
}

func (m *memory) RoundTrip(r *http.Request) (*http.Response, error) {
	if m.body == nil {
		rec := httptest.NewRecorder()
		m.relay.ServeHTTP(rec, r)
		m.body = rec.Body.Bytes()
	}
	return &http.Response{
		StatusCode: http.StatusOK, Header: http.Header{"Content-Type": {"application/json"}}, ContentLength: int64(len(m.body)),
		Body: io.NopCloser(bytes.NewReader(m.body)), Request: r,
	}, nil
}

// open lets every request through.
type open struct{}

func (open) Acquire(context.Context, bool) (func(), error) { return func() {}, nil }

func (open) Observe(int, time.Time) {}

// answers reads the same answer of X again and again.
type answers struct {
	*memory
	provider *twitter.Provider
	list     sns.Source
}

func newAnswers(tb testing.TB) *answers {
	tb.Helper()
	r, list := withList(tb)
	a, c := &answers{memory: &memory{relay: r}, list: list}, &clock{now: r.Now()}
	a.provider = twitter.New(twitter.Config{
		Transport: a.memory,
		Now:       func() time.Time { c.advance(time.Minute); return c.Now() }, // so that no budget ends
		Wait:      func(ctx context.Context, _ time.Duration) error { return ctx.Err() },
	})
	a.read(tb)
	if len(a.body) < 1_000_000 {
		tb.Fatalf("the answer has %d bytes, want over a million", len(a.body))
	}
	return a
}

func (a *answers) read(tb testing.TB) {
	page, err := a.provider.Fetch(tb.Context(), sns.Account{Origin: "http://relay.test", Operator: true, Profile: "a1", Gate: open{}}, a.list, "")
	if err != nil || len(page.Posts) != 98 {
		tb.Fatalf("%d posts, %v", len(page.Posts), err)
	}
}

func (a *answers) decode(tb testing.TB) {
	var v any
	if err := json.Unmarshal(a.body, &v); err != nil {
		tb.Fatal(err)
	}
}

// memoryOf is how much one call allocates, in bytes.
func memoryOf(tb testing.TB, do func(testing.TB)) int64 {
	const calls = 10
	var before, after runtime.MemStats
	runtime.ReadMemStats(&before)
	for range calls {
		do(tb)
	}
	runtime.ReadMemStats(&after)
	return int64(after.TotalAlloc-before.TotalAlloc) / calls
}

// The index and the posts of an answer take little memory, whatever else runs.
func TestAnAnswerOfXTakesLittleMemory(t *testing.T) {
	if n := memoryOf(t, newAnswers(t).read); n > answerMemory {
		t.Errorf("an answer of 98 posts takes %d bytes, want at most %d", n, answerMemory)
	}
}

// BenchmarkReadX reads an answer of X with 98 posts beside encoding/json on the same
// bytes, and pages of 20 of one that the service remembers.
func BenchmarkReadX(b *testing.B) {
	const rounds = 60
	a := newAnswers(b)
	var ours, standard []time.Duration
	for range rounds {
		ours = append(ours, timed(func() { a.read(b) }))
		standard = append(standard, timed(func() { a.decode(b) }))
	}
	atMost("answer of X with 98 posts, 1.2 MB", quiet(ours), quiet(standard), "encoding/json into any", answerTime)
	bytesAtMost("answer of X with 98 posts, allocated", memoryOf(b, a.read), memoryOf(b, a.decode), "encoding/json into any", answerMemory)

	w, relay := newWorld(b), a.relay.(*snstest.Relay)
	c, err := w.app.Store.Posts.AddTwitter(asPerson(b.Context()), sns.AddTwitter{Relay: snstest.Serve(b, relay), Profile: "a1", Operator: true})
	if err != nil {
		b.Fatal(err)
	}
	first, err := w.app.Store.Posts.FetchPosts(b.Context(), c.ID, a.list, "")
	if err != nil {
		b.Fatal(err)
	}
	var parts []time.Duration
	for range rounds {
		parts = append(parts, timed(func() {
			page, err := w.app.Store.Posts.FetchPosts(b.Context(), c.ID, a.list, first.NextCursor)
			if err != nil || len(page.Posts) != sns.MaxPage {
				b.Fatalf("%d posts, %v", len(page.Posts), err)
			}
		}))
	}
	if n := len(relay.CallsOf("ListLatestTweetsTimeline")); n != 2 { // the one kept in memory, and the service's
		b.Errorf("%d requests, want 2", n)
	}
	atMost("page of 20 of a remembered answer", quiet(parts), quiet(ours), "reading the answer", partTime)
	b.ReportMetric(float64(quiet(ours).Microseconds())/1000, "quiet-ms")
}
