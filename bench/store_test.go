package bench_test

import (
	"context"
	"fmt"
	"strconv"
	"testing"
	"time"

	"personal-workspace/decks"
	"personal-workspace/internal/app"
	"personal-workspace/sns"
)

// library is a network whose every timeline has the same number of posts, to
// fill a store quickly: each answer is a whole timeline.
type library struct {
	perTimeline int
	now         time.Time
}

func (l library) Verify(_ context.Context, a sns.Account) (sns.Identity, error) {
	return sns.Identity{Account: "library.example", Title: "Library"}, nil
}

func (l library) Lists(context.Context, sns.Account) ([]sns.List, error) { return nil, nil }

func (l library) Supports(sns.Account, sns.Kind) error { return nil }

func (l library) Thread(context.Context, sns.Account, string) (sns.Thread, error) {
	return sns.Thread{}, nil
}

// Fetch answers with posts that no other timeline has.
func (l library) Fetch(_ context.Context, a sns.Account, s sns.Source, _ string) (sns.UpstreamPage, error) {
	texts := ordinary()
	page := sns.UpstreamPage{Posts: make([]sns.Post, l.perTimeline)}
	for i := range page.Posts {
		id := fmt.Sprintf("%s%06d", s.Tag, l.perTimeline-i)
		at := l.now.Add(-time.Duration(i) * time.Minute)
		page.Posts[i] = sns.Post{
			ID: id, EntryID: id, URL: "https://library.example/" + id, CreatedAt: &at, Visibility: sns.Public, Language: "ja",
			Author: sns.Author{ID: strconv.Itoa(i % 50), Handle: "@reader@library.example", DisplayName: "読む人"},
			Text:   texts[i%len(texts)].Text,
		}
	}
	return page, nil
}

// timelineCap is how many entries of a timeline are kept.
const timelineCap = 2000

// fillStore makes a data directory with a connection and posts in timelines of
// timelineCap each, at least six of them, and a deck of the first six.
func fillStore(tb testing.TB, dir string, posts int) decks.Deck {
	tb.Helper()
	ctx := asPerson(tb.Context())
	st, err := app.OpenStore(ctx, app.Config{DataDir: dir})
	if err != nil {
		tb.Fatal(err)
	}
	defer st.Close()
	timelines := max(posts/timelineCap, 6)
	svc, err := sns.New(ctx, sns.Config{
		DB: st.DB, Ledger: st.Ledger,
		Providers: map[sns.Network]sns.Provider{sns.Mastodon: library{posts / timelines, time.Now().UTC()}},
	})
	if err != nil {
		tb.Fatal(err)
	}
	defer svc.Close()
	c, err := svc.AddMastodon(ctx, sns.AddMastodon{Origin: "https://library.example", Operator: true})
	if err != nil {
		tb.Fatal(err)
	}
	in := decks.CreateDeck{Title: "Measured"}
	for i := range timelines {
		src := sns.Source{Kind: sns.KindHashtag, Tag: "t" + strconv.Itoa(i) + "x"}
		if err := svc.Refresh(ctx, c.ID, src); err != nil {
			tb.Fatal(err)
		}
		if i < 6 {
			in.Columns = append(in.Columns, decks.Column{ConnectionID: c.ID, Source: src})
		}
	}
	d, err := decks.New(decks.Config{DB: st.DB, Ledger: st.Ledger, Posts: svc}).CreateDeck(ctx, in)
	if err != nil {
		tb.Fatal(err)
	}
	return d
}
