package bench_test

import (
	"bytes"
	"compress/gzip"
	"fmt"
	"io"
	"net/http"
	"testing"
	"time"

	"personal-workspace/decks"
	"personal-workspace/sns"
	"personal-workspace/sns/snstest"
)

const (
	pageBudget     = 60_000
	pageTimeBudget = 40 * time.Millisecond
)

// sixColumns makes a deck of six accounts with twenty stored posts each.
func sixColumns(tb testing.TB, w *world) decks.Deck {
	tb.Helper()
	now := make(chan struct{})
	close(now)
	d := sixUnread(tb, w, now)
	w.refresh(tb, d)
	return d
}

// sixUnread is the same with nothing stored yet: the servers tell what they have
// only once begin is closed.
func sixUnread(tb testing.TB, w *world, begin <-chan struct{}) decks.Deck {
	tb.Helper()
	in := decks.CreateDeck{Title: "Measured"}
	for variant := range rune(6) {
		m := snstest.NewMastodon(snstest.Options{})
		c := w.connect(tb, snstest.Serve(tb, m), m.Token())
		fill(tb, m, "", variant)
		m.Inject("/api/v1/timelines/*", 0, after(begin))
		in.Columns = append(in.Columns, decks.Column{ConnectionID: c.ID, Source: sns.Source{Kind: sns.KindHome}})
	}
	return w.createDeck(tb, in)
}

// after lets a route answer only once begin is closed.
func after(begin <-chan struct{}) snstest.Fault {
	return func(w http.ResponseWriter, r *http.Request, route http.Handler) {
		select {
		case <-begin:
			route.ServeHTTP(w, r)
		case <-r.Context().Done():
		}
	}
}

func TestADeckPageOfSixColumnsIsSmall(t *testing.T) {
	w := newWorld(t)
	d := sixColumns(t, w)

	page := getPage(t, newClient(t, 1), w.url+"/decks/"+d.ID)

	if n := bytes.Count(page, []byte("<article")); n != 6*sns.MaxPage {
		t.Errorf("the page has %d articles, want %d", n, 6*sns.MaxPage)
	}
	if n := zipped(t, page); n > pageBudget {
		t.Errorf("the page has %d bytes compressed, want at most %d", n, pageBudget)
	}
}

// BenchmarkDeckPage asks the real program for a page of 6×20 stored posts; the
// floor is the health check of the same program.
func BenchmarkDeckPage(b *testing.B) {
	const rounds = 200
	w := newWorld(b)
	d := sixColumns(b, w)
	w.close(b)
	p := runWorkspace(b, w.dir)
	client := newClient(b, 1)
	page := getPage(b, client, p.url+"/decks/"+d.ID)
	var ours, floor []time.Duration
	for range rounds {
		floor = append(floor, timed(func() { getPage(b, client, p.url+"/livez") }))
		ours = append(ours, timed(func() { getPage(b, client, p.url+"/decks/"+d.ID) }))
	}
	atMost("deck page from the store, 6×20, p95", quantile(ours, 0.95), quantile(floor, 0.95), "/livez, p95", pageTimeBudget)
	atMost("deck page from the store, 6×20, p50", median(ours), median(floor), "/livez, p50", pageTimeBudget)
	bytesAtMost("deck page, 6×20, gzip", int64(zipped(b, page)), int64(len(page)), "uncompressed", pageBudget)
	b.ReportMetric(float64(quantile(ours, 0.95).Microseconds())/1000, "p95-ms")
}

func timed(do func()) time.Duration {
	began := time.Now()
	do()
	return time.Since(began)
}

func getPage(tb testing.TB, client *http.Client, address string) []byte {
	tb.Helper()
	req, err := http.NewRequestWithContext(tb.Context(), http.MethodGet, address, nil)
	if err != nil {
		tb.Fatal(err)
	}
	req.Header.Set("Accept", "text/html")
	page, err := readAll(client, req)
	if err != nil {
		tb.Fatal(err)
	}
	return page
}

func readAll(client *http.Client, req *http.Request) ([]byte, error) {
	res, err := client.Do(req)
	if err != nil {
		return nil, err
	}
	defer res.Body.Close()
	body, err := io.ReadAll(res.Body)
	if err == nil && res.StatusCode != http.StatusOK {
		err = fmt.Errorf("%s = %d %.200s", req.URL, res.StatusCode, body)
	}
	return body, err
}

// zipped is the size at gzip's default level.
func zipped(tb testing.TB, page []byte) int {
	tb.Helper()
	var out bytes.Buffer
	z := gzip.NewWriter(&out)
	if _, err := z.Write(page); err != nil {
		tb.Fatal(err)
	}
	if err := z.Close(); err != nil {
		tb.Fatal(err)
	}
	return out.Len()
}
