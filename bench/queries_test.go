package bench_test

import (
	"context"
	"testing"
	"time"

	"personal-workspace/decks"
	"personal-workspace/internal/app"
	"personal-workspace/internal/app/config"
	"personal-workspace/sns"
)

// hot is a question that the workspace asks its store all the time.
type hot struct {
	name string
	ask  func(context.Context) error
}

// BenchmarkHotQueries asks the same of a store with 1,000 posts and of one with
// 100,000, in turn.
func BenchmarkHotQueries(b *testing.B) {
	const rounds, round = 60, 10
	small, large := hotQueries(b, 1000), hotQueries(b, storedPosts)
	for i := range small {
		b.Run(small[i].name, func(b *testing.B) {
			var few, many []time.Duration
			ask(b, small[i], round)
			ask(b, large[i], round)
			for range rounds {
				few = append(few, ask(b, small[i], round))
				many = append(many, ask(b, large[i], round))
			}
			timesBaseline("query: "+small[i].name+", 100,000 posts", quiet(many)/round, quiet(few)/round, "1,000 posts", 1.5)
			b.ReportMetric(float64(quiet(many))/float64(quiet(few)), "ratio")
		})
	}
}

func ask(b *testing.B, q hot, n int) time.Duration {
	b.Helper()
	return timed(func() {
		for range n {
			if err := q.ask(b.Context()); err != nil {
				b.Fatalf("%s: %v", q.name, err)
			}
		}
	})
}

func hotQueries(b *testing.B, posts int) []hot {
	b.Helper()
	dir := b.TempDir()
	d := fillStore(b, dir, posts)
	now := time.Now()
	a, err := app.New(b.Context(), app.Config{DataDir: dir, Auth: config.AuthNone, Now: func() time.Time { return now }})
	if err != nil {
		b.Fatal(err)
	}
	b.Cleanup(func() { a.Close() })
	column := d.Columns[5]
	middle := storedMiddle(b, a, column)
	return []hot{
		// The list is kept until a commit: a wake-up makes it be read again.
		{"list decks", func(ctx context.Context) error {
			a.Store.Ledger.Wake()
			_, err := a.Decks.ListDecks(ctx)
			return err
		}},
		{"list connections", func(ctx context.Context) error { _, err := a.Store.Posts.ListConnections(ctx); return err }},
		{"a deck page, 6×20", func(ctx context.Context) error { _, _, err := a.Decks.StoredDeck(ctx, d.ID, sns.MaxPage); return err }},
		{"older posts of a column", func(ctx context.Context) error {
			_, err := a.Store.Posts.StoredPosts(ctx, column.ConnectionID, column.Source, sns.StoredQuery{Limit: sns.MaxPage, Before: middle})
			return err
		}},
	}
}

// storedMiddle is a place some pages into a column.
func storedMiddle(b *testing.B, a *app.App, c decks.Column) string {
	b.Helper()
	before := ""
	for range 4 {
		page, err := a.Store.Posts.StoredPosts(b.Context(), c.ConnectionID, c.Source, sns.StoredQuery{Limit: sns.MaxPage, Before: before})
		if err != nil || page.Older == "" {
			b.Fatalf("StoredPosts = %d posts, older %q, %v", len(page.Posts), page.Older, err)
		}
		before = page.Older
	}
	return before
}
