package bench_test

import (
	"context"
	"net/http"
	"net/url"
	"regexp"
	"strings"
	"testing"
	"time"
)

const (
	homeBudget = 20 * time.Millisecond
	verbBudget = 30 * time.Millisecond
)

// formOf finds the forms of the cards on Home.
var formOf = regexp.MustCompile(`id="verbs-([^"]+)"`)

// BenchmarkHome asks the real program for Home with a thousand open activities,
// and decides about those on it; the floor is the health check of the same
// program.
func BenchmarkHome(b *testing.B) {
	const rounds = 200
	dir := b.TempDir()
	fillActivities(b, dir, fewActivities, japanese)
	p := runWorkspace(b, dir)
	client := newClient(b, 1)
	page := getPage(b, client, p.url+"/")
	cards := formOf.FindAllSubmatch(page, -1)
	if len(cards) != 50 {
		b.Fatalf("Home has %d cards, want 50", len(cards))
	}
	var home, verb, floor []time.Duration
	for range rounds {
		floor = append(floor, timed(func() { getPage(b, client, p.url+"/livez") }))
		home = append(home, timed(func() { getPage(b, client, p.url+"/") }))
	}
	for _, card := range cards {
		verb = append(verb, timed(func() { decideOnce(b.Context(), b, client, p.url, string(card[1])) }))
	}
	atMost("Home with 1,000 open, p95", quantile(home, 0.95), quantile(floor, 0.95), "/livez, p95", homeBudget)
	atMost("a decision on Home, p95", quantile(verb, 0.95), quantile(floor, 0.95), "/livez, p95", verbBudget)
	b.ReportMetric(float64(quantile(home, 0.95).Microseconds())/1000, "p95-ms")
}

// decideOnce dismisses an activity as the script of the page does.
func decideOnce(ctx context.Context, tb testing.TB, client *http.Client, base, id string) {
	form := url.Values{"verb": {"dismiss"}}
	r, err := http.NewRequestWithContext(ctx, http.MethodPost, base+"/activities/"+id+"/decide", strings.NewReader(form.Encode()))
	if err != nil {
		tb.Fatal(err)
	}
	r.Header.Set("Content-Type", "application/x-www-form-urlencoded")
	r.Header.Set("HX-Request", "true")
	res, err := client.Do(r)
	if err != nil {
		tb.Fatal(err)
	}
	defer res.Body.Close()
	if res.StatusCode != http.StatusOK {
		tb.Fatalf("the decision is answered %d", res.StatusCode)
	}
}
