package activities_test

import (
	"context"
	"fmt"
	"slices"
	"strings"
	"testing"
	"time"

	"personal-workspace/activities"
)

// japanese is a reply as an assistant writes one.
func japanese(i int) activities.Proposal {
	at := noon.Add(-time.Duration(i) * time.Minute)
	return activities.Proposal{
		Kind: activities.KindReply, Title: fmt.Sprintf("アンさんへの返事 %d", i),
		Body:   strings.Repeat("ご連絡ありがとうございます。明日の午後に確認します。", 6),
		Reason: strings.Repeat("質問が未回答のままです。", 3),
		Source: &activities.Source{
			ConnectionID: "conn_a", Network: "mastodon", URL: fmt.Sprintf("https://a.example/@ann/%d", 109_000_000_000_000_000+i),
			ConversationKey: fmt.Sprint("c", i), Author: &activities.Author{Name: "アン", Handle: "@ann@a.example"},
			Excerpts: []activities.Excerpt{{Text: strings.Repeat("明日の会議は何時からでしょうか。", 4), Author: "アン", At: &at}},
		},
	}
}

// fill publishes n activities of which all but the last open ones are done.
func fill(b *testing.B, w *world, n, open int) {
	b.Helper()
	for from := 0; from < n; from += 100 {
		var list []activities.Proposal
		for i := range min(100, n-from) {
			list = append(list, japanese(1_000_000+from+i))
		}
		got := ids(w.publish(b, list...))
		if n-from > open {
			if _, err := w.Decide(w.person, activities.Decide{IDs: got, Verb: activities.VerbDone}); err != nil {
				b.Fatal(err)
			}
		}
	}
}

// timed reports the median and the 95th percentile of what f takes.
func timed(b *testing.B, f func() error) {
	b.Helper()
	var times []time.Duration
	for b.Loop() {
		start := time.Now()
		if err := f(); err != nil {
			b.Fatal(err)
		}
		times = append(times, time.Since(start))
	}
	slices.Sort(times)
	b.ReportMetric(float64(times[len(times)/2].Microseconds()), "p50-µs")
	b.ReportMetric(float64(times[len(times)*95/100].Microseconds()), "p95-µs")
}

func BenchmarkPublishTwentyInJapanese(b *testing.B) {
	for _, stored := range []int{0, 1_000, 100_000} {
		b.Run(fmt.Sprint(stored, " stored"), func(b *testing.B) {
			w := newWorld(b)
			fill(b, w, stored, 100)
			n, revision := 0, w.revision(b)
			timed(b, func() error {
				list := make([]activities.Proposal, 20)
				for i := range list {
					n++
					list[i] = japanese(n)
				}
				r, err := w.Publish(w.caller, activities.Publication{RequestID: fmt.Sprint("b", n), ExpectedRevision: revision, Activities: list})
				revision = r.Revision
				return err
			})
		})
	}
}

func BenchmarkReads(b *testing.B) {
	for _, stored := range []int{1_000, 100_000} {
		w := newWorld(b)
		fill(b, w, stored, 1_000)
		for name, f := range map[string]func(context.Context) error{
			"context of 50": func(ctx context.Context) error {
				_, err := w.Context(ctx, activities.ContextQuery{Limit: 50})
				return err
			},
			"home": func(ctx context.Context) error {
				w.ledger.Wake()
				_, err := w.List(ctx, activities.Query{})
				return err
			},
			"messages": func(ctx context.Context) error {
				_, err := w.Conversations(ctx, activities.ConversationQuery{})
				return err
			},
		} {
			b.Run(fmt.Sprint(name, ", ", stored, " stored"), func(b *testing.B) {
				timed(b, func() error { return f(w.person) })
			})
		}
	}
}
