package bench_test

import (
	"context"
	"net/http"
	"net/url"
	"strings"
	"sync"
	"testing"
	"time"

	"personal-workspace/decks"
	"personal-workspace/sns"
	"personal-workspace/sns/snstest"
)

// upstreamDelay is how long each mock server takes to answer a timeline, about
// what public servers do.
const upstreamDelay = 300 * time.Millisecond

// target is one column of the measured deck, as the workspace and as a bare
// client reads it.
type target struct {
	column  decks.Column
	address string
	token   string
}

// BenchmarkRefresh refreshes six columns by the page's own form, against the
// slowest of the same six requests made by a bare client in the same round.
func BenchmarkRefresh(b *testing.B) {
	b.Run("six connections", func(b *testing.B) {
		w := newWorld(b)
		var targets []target
		for range 6 {
			m := slowServer(b, "")
			c := w.connect(b, m.Origin(), m.Token())
			targets = append(targets, target{decks.Column{ConnectionID: c.ID, Source: sns.Source{Kind: sns.KindHome}}, m.Origin() + "/api/v1/timelines/home?limit=20", m.Token()})
		}
		refreshRounds(b, w, targets, "six columns refreshed, six connections", 1.1)
	})
	b.Run("one connection", func(b *testing.B) {
		w := newWorld(b)
		m := slowServer(b, "tag5")
		c := w.connect(b, m.Origin(), m.Token())
		targets := []target{
			{decks.Column{Source: sns.Source{Kind: sns.KindHome}}, "/api/v1/timelines/home?limit=20", ""},
			{decks.Column{Source: sns.Source{Kind: sns.KindLocal}}, "/api/v1/timelines/public?local=true&limit=20", ""},
			{decks.Column{Source: sns.Source{Kind: sns.KindFederated}}, "/api/v1/timelines/public?limit=20", ""},
		}
		for _, tag := range []string{"maps", "repair", "tag5"} {
			targets = append(targets, target{decks.Column{Source: sns.Source{Kind: sns.KindHashtag, Tag: tag}}, "/api/v1/timelines/tag/" + tag + "?limit=20", ""})
		}
		for i := range targets {
			targets[i].column.ConnectionID, targets[i].address, targets[i].token = c.ID, m.Origin()+targets[i].address, m.Token()
		}
		refreshRounds(b, w, targets, "six columns refreshed, one connection", 2.3)
	})
}

// slowServer is a mock with ordinary posts whose timelines take their time.
func slowServer(b *testing.B, tag string) *snstest.Mastodon {
	b.Helper()
	m := snstest.NewMastodon(snstest.Options{RateLimit: snstest.RateLimit{Off: true}})
	snstest.Serve(b, m)
	fill(b, m, tag, 0)
	m.Inject("/api/v1/timelines/*", 0, snstest.Delay(upstreamDelay))
	return m
}

func refreshRounds(b *testing.B, w *world, targets []target, name string, most float64) {
	const rounds = 16
	in := decks.CreateDeck{Title: "Measured"}
	for _, t := range targets {
		in.Columns = append(in.Columns, t.column)
	}
	d := w.createDeck(b, in)
	client := newClient(b, len(targets))
	var ours, slowest []time.Duration
	for range rounds {
		slowest = append(slowest, slowestOf(b, client, targets))
		w.clock.advance(time.Minute) // past what is shared between callers
		ours = append(ours, refreshOnce(b, w, d))
	}
	timesBaseline(name, quiet(ours), quiet(slowest), "the slowest of the same six, bare client", most)
	b.ReportMetric(float64(quiet(ours))/float64(quiet(slowest)), "ratio")
}

// refreshOnce sends the Refresh form of the deck and waits for its redirect.
func refreshOnce(b *testing.B, w *world, d decks.Deck) time.Duration {
	b.Helper()
	client := &http.Client{CheckRedirect: func(*http.Request, []*http.Request) error { return http.ErrUseLastResponse }}
	form := strings.NewReader(url.Values{}.Encode())
	req, err := http.NewRequestWithContext(b.Context(), http.MethodPost, w.url+"/decks/"+d.ID+"/refresh", form)
	if err != nil {
		b.Fatal(err)
	}
	req.Header.Set("Content-Type", "application/x-www-form-urlencoded")
	req.Header.Set("Origin", w.url)
	began := time.Now()
	res, err := client.Do(req)
	took := time.Since(began)
	if err != nil {
		b.Fatal(err)
	}
	res.Body.Close()
	if res.StatusCode != http.StatusSeeOther {
		b.Fatalf("refresh = %d, want 303", res.StatusCode)
	}
	return took
}

// slowestOf asks for all targets at once and returns how long the last took.
func slowestOf(b *testing.B, client *http.Client, targets []target) time.Duration {
	b.Helper()
	times := make([]time.Duration, len(targets))
	var wg sync.WaitGroup
	for i, t := range targets {
		wg.Go(func() {
			began := time.Now()
			if err := bareGet(b.Context(), client, t.address, t.token); err != nil {
				b.Error(err)
			}
			times[i] = time.Since(began)
		})
	}
	wg.Wait()
	return quantile(times, 1)
}

func bareGet(ctx context.Context, client *http.Client, address, token string) error {
	req, err := http.NewRequestWithContext(ctx, http.MethodGet, address, nil)
	if err != nil {
		return err
	}
	req.Header.Set("Accept", "application/json")
	if token != "" {
		req.Header.Set("Authorization", "Bearer "+token)
	}
	_, err = readAll(client, req)
	return err
}
