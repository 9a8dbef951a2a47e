package bench_test

import (
	"context"
	"encoding/json"
	"fmt"
	"net/http"
	"strings"
	"testing"
	"time"

	"personal-workspace/activities"
	"personal-workspace/internal/app"
	"personal-workspace/internal/ledger"
)

const (
	// published is how many activities the measured publications have, inContext
	// how many the measured answers.
	published, inContext = 20, 50
	fewActivities        = 1000
	manyActivities       = 100_000
)

// japanese is the n-th of many activities as an assistant writes them: a reply
// with its reason and two excerpts.
func japanese(n int) activities.Proposal {
	at := time.Date(2026, 11, 29, 9, 0, 0, 0, time.UTC)
	return activities.Proposal{
		Kind: activities.KindReply, Title: fmt.Sprintf("製本教室の日程について返事をする（%d）", n),
		Body:   "お誘いありがとうございます。土曜日の午前なら伺えます。前回の続きの折りから始められるとうれしいです。道具は一式持っていきますので、糊だけ貸していただけますか。",
		Reason: "金曜日までに人数を知りたいと書かれていて、まだ返事をしていません。",
		Source: &activities.Source{
			URL: fmt.Sprintf("https://yunagi.example/@haruka/%d", 100_000_000_000+n), ConversationKey: fmt.Sprint("thread-", n),
			Author: &activities.Author{Name: "はるか", Handle: "@haruka@yunagi.example"},
			Excerpts: []activities.Excerpt{
				{Text: "製本の教室で、隣の席の人がずっと同じページの紙を折っていた。聞いたら「この折り目がいちばん気持ちいい」とのこと。よくわかります。", Author: "はるか", At: &at},
				{Text: "次の教室、土曜か日曜のどちらがよいでしょうか。金曜までに教えてください。", Author: "はるか", At: &at},
			},
		},
	}
}

// brief is the n-th of many activities of which fifty fit an answer.
func brief(n int) activities.Proposal {
	p := japanese(n)
	p.Reason, p.Source.Excerpts = "", nil
	return p
}

// publicationOf is the arguments of a publication of activities that nobody has
// published.
func publicationOf(tb testing.TB, revision int64, first int) string {
	tb.Helper()
	list := make([]activities.Proposal, published)
	for i := range list {
		list[i] = japanese(first + i)
	}
	text, err := json.Marshal(map[string]any{"requestId": fmt.Sprint("request-", revision), "expectedRevision": revision, "activities": list})
	if err != nil {
		tb.Fatal(err)
	}
	return string(text)
}

// fillActivities makes a data directory with n activities and returns its
// revision.
func fillActivities(tb testing.TB, dir string, n int, one func(int) activities.Proposal) int64 {
	tb.Helper()
	ctx := ledger.WithActor(tb.Context(), ledger.Actor{Kind: ledger.Caller, ID: "bench"})
	st, err := app.OpenStore(ctx, app.Config{DataDir: dir})
	if err != nil {
		tb.Fatal(err)
	}
	defer st.Close()
	s := activities.New(activities.Config{DB: st.DB, Ledger: st.Ledger, Connections: st.Posts})
	revision := int64(0)
	for n > 0 {
		list := make([]activities.Proposal, min(n, activities.MaxPublication))
		for i := range list {
			list[i] = one(1_000_000 + n - i)
		}
		r, err := s.Publish(ctx, activities.Publication{RequestID: fmt.Sprint("fill-", n), ExpectedRevision: revision, Activities: list})
		if err != nil {
			tb.Fatal(err)
		}
		n, revision = n-len(list), r.Revision
	}
	return revision
}

// publishing publishes new activities at an address, one publication after
// another.
type publishing struct {
	client   *http.Client
	address  string
	revision int64
	first    int
}

func (p *publishing) publish(tb testing.TB) time.Duration {
	tb.Helper()
	arguments := publicationOf(tb, p.revision, p.first)
	p.first += published
	p.revision++
	return timed(func() {
		if _, err := callAt(tb.Context(), p.client, p.address, "publish_activities", arguments); err != nil {
			tb.Fatal(err)
		}
	})
}

// BenchmarkPublish publishes twenty activities in Japanese and waits for the
// commit: to the program, to the bare handler and to a program with many stored
// activities in turn, so that whatever else the machine does hits all alike.
func BenchmarkPublish(b *testing.B) {
	const rounds, round, budget = 3, 60, 20 * time.Millisecond
	few, many := b.TempDir(), b.TempDir()
	revision := fillActivities(b, many, manyActivities, japanese)
	ours := &publishing{client: newClient(b, 1), address: runWorkspace(b, few).url + "/mcp"}
	full := &publishing{client: newClient(b, 1), address: runWorkspace(b, many).url + "/mcp", revision: revision}
	bare := &publishing{client: newClient(b, 1), address: runFloor(b).url + "/publish"}
	var all, bareAll, fullMedians, ourMedians []time.Duration
	for range rounds {
		var a, f []time.Duration
		for range round {
			a = append(a, ours.publish(b))
			bareAll = append(bareAll, bare.publish(b))
			f = append(f, full.publish(b))
		}
		all = append(all, a...)
		ourMedians, fullMedians = append(ourMedians, median(a)), append(fullMedians, median(f))
	}
	size := kilobytes(int64(len(publicationOf(b, 1, 1))))
	atMost("publish_activities, 20 in Japanese ("+size+"), p95", quantile(all, 0.95), quantile(bareAll, 0.95), "a bare handler with the same commit", budget)
	timesBaseline("publish_activities, 20 in Japanese, median", median(all), median(bareAll), "the same", 1.7)
	timesBaseline("publish_activities with 100,000 stored, median of 3 rounds", median(fullMedians), median(ourMedians), "the same in an empty workspace", 1.5)
	b.ReportMetric(float64(median(all))/float64(median(bareAll)), "ratio")
}

// BenchmarkContext reads fifty activities out of few and out of many.
func BenchmarkContext(b *testing.B) {
	const rounds, budget = 200, 1.5
	var address [2]string
	for i, n := range []int{fewActivities, manyActivities} {
		dir := b.TempDir()
		fillActivities(b, dir, n, brief)
		address[i] = runWorkspace(b, dir).url
	}
	client := newClient(b, 1)
	var times [2][]time.Duration
	for range rounds {
		for i := range address {
			times[i] = append(times[i], timed(func() { readContext(b.Context(), b, client, address[i]) }))
		}
	}
	timesBaseline("get_activity_context, 50 of 100,000", median(times[1]), median(times[0]), "50 of 1,000", budget)
	b.ReportMetric(float64(median(times[1]))/float64(median(times[0])), "ratio")
}

func readContext(ctx context.Context, tb testing.TB, client *http.Client, url string) {
	body, err := call(ctx, client, url, "get_activity_context", fmt.Sprintf(`{"limit":%d}`, inContext))
	if err != nil || strings.Count(string(body), `"createdAt"`) != inContext {
		tb.Fatalf("%.300s, %v", body, err)
	}
}
