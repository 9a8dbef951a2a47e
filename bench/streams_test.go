package bench_test

import (
	"bufio"
	"context"
	"fmt"
	"net/http"
	"net/http/httptest"
	"strconv"
	"strings"
	"sync"
	"testing"
	"time"

	"personal-workspace/decks"
)

const (
	openStreams = 100
	// streamRounds changes reach every stream: each is a sample per stream.
	streamRounds = 100
	streamBudget = 50 * time.Millisecond
)

// arrivals are how long after it was sent the streams had something.
type arrivals struct {
	times []time.Duration

	mu    sync.Mutex
	heard []time.Time
	round sync.WaitGroup
}

// send runs one round: do returns when that was sent which all streams hear of.
func (a *arrivals) send(do func() time.Time) {
	a.round.Add(openStreams)
	sent := do()
	a.round.Wait()
	for _, at := range a.heard {
		a.times = append(a.times, max(at.Sub(sent), 0))
	}
	a.heard = a.heard[:0]
}

// hear notes that one stream has it.
func (a *arrivals) hear() {
	a.mu.Lock()
	a.heard = append(a.heard, time.Now())
	a.mu.Unlock()
	a.round.Done()
}

// BenchmarkStreams changes a deck while a hundred pages are open. The time is
// from the commit of the change until a page has it. The floor is a bare loop
// that writes the same bytes to as many connections.
func BenchmarkStreams(b *testing.B) {
	ours := committedToStreams(b)
	bare := bareLoopToStreams(b)
	atMost("commit → 100 open streams, p99", quantile(ours, 0.99), quantile(bare, 0.99), "a bare loop over 100 connections", streamBudget)
	timesBaseline("the same, median", median(ours), median(bare), "the same", 0)
	b.ReportMetric(float64(quantile(ours, 0.99).Microseconds())/1000, "ms")
}

func committedToStreams(b *testing.B) []time.Duration {
	w := newWorld(b)
	d := sixColumns(b, w)
	var a arrivals
	for range openStreams {
		first := listen(b, w.url+"/api/activities/events?deck="+d.ID, func(name, data string) {
			if name == "deck" && !strings.Contains(data, `"revision":1}`) {
				a.hear()
			}
		})
		<-first
	}
	for i := range streamRounds {
		a.send(func() time.Time {
			var err error
			d, err = w.app.Decks.ReplaceDeck(asPerson(b.Context()), decks.ReplaceDeck{
				ID: d.ID, ExpectedRevision: d.Revision, Title: "Round " + strconv.Itoa(i), Columns: d.Columns,
			})
			if err != nil {
				b.Fatalf("ReplaceDeck: %v", err)
			}
			return time.Now()
		})
	}
	return a.times
}

// bareLoopToStreams is what remains without a workspace: the connections, the
// bytes and their readers.
func bareLoopToStreams(b *testing.B) []time.Duration {
	var mu sync.Mutex
	var writers []http.ResponseWriter
	ended := make(chan struct{})
	srv := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, _ *http.Request) {
		w.Header().Set("Content-Type", "text/event-stream")
		mu.Lock()
		writers = append(writers, w)
		fmt.Fprint(w, "event: hello\ndata: {}\n\n")
		w.(http.Flusher).Flush()
		mu.Unlock()
		<-ended
	}))
	b.Cleanup(srv.Close)
	b.Cleanup(func() { close(ended) })
	var a arrivals
	for range openStreams {
		<-listen(b, srv.URL, func(name, _ string) {
			if name == "deck" {
				a.hear()
			}
		})
	}
	mu.Lock()
	defer mu.Unlock()
	for i := range streamRounds {
		a.send(func() time.Time {
			began := time.Now()
			for _, w := range writers {
				fmt.Fprintf(w, "id: %d\nevent: deck\ndata: {\"deckId\":\"deck_06h2rbsbahrgh4jmlsi908mt18\",\"revision\":%d}\n\n", i, i)
				w.(http.Flusher).Flush()
			}
			return began
		})
	}
	return a.times
}

// listen opens a stream until the benchmark ends and calls heard with each
// event. The channel is closed at the first.
func listen(b *testing.B, url string, heard func(name, data string)) <-chan struct{} {
	b.Helper()
	ctx, cancel := context.WithCancel(context.WithoutCancel(b.Context()))
	req, err := http.NewRequestWithContext(ctx, http.MethodGet, url, nil)
	if err != nil {
		b.Fatal(err)
	}
	client := newClient(b, 1)
	res, err := client.Do(req)
	if err != nil {
		b.Fatal(err)
	}
	if res.StatusCode != http.StatusOK {
		b.Fatalf("the stream answers %d", res.StatusCode)
	}
	var reading sync.WaitGroup
	b.Cleanup(func() {
		cancel()
		res.Body.Close()
		reading.Wait()
	})
	begun := make(chan struct{})
	reading.Go(func() {
		var once sync.Once
		name := ""
		lines := bufio.NewScanner(res.Body)
		for lines.Scan() {
			if v, ok := strings.CutPrefix(lines.Text(), "event: "); ok {
				name = v
			}
			if v, ok := strings.CutPrefix(lines.Text(), "data: "); ok {
				once.Do(func() { close(begun) })
				heard(name, v)
			}
		}
	})
	return begun
}

// BenchmarkLiveMemory reads what the program has in RAM while ten pages of a
// deck of six live columns are open and every column has been asked for news.
func BenchmarkLiveMemory(b *testing.B) {
	const most, pages = 120_000_000, 10
	floor := runFloor(b).resident(b)
	w := newWorld(b)
	begin := make(chan struct{}) // what came before a page is open is no news for it
	d := sixUnread(b, w, begin)
	w.close(b)
	p := runWorkspace(b, w.dir)
	client := newClient(b, 1)

	var news sync.WaitGroup
	news.Add(pages * len(d.Columns))
	for range pages {
		var mu sync.Mutex
		told := map[string]bool{}
		<-listen(b, p.url+"/api/activities/events?deck="+d.ID, func(name, data string) {
			mu.Lock()
			defer mu.Unlock()
			if name == "column" && !told[data] {
				told[data] = true
				news.Done()
			}
		})
	}
	close(begin)
	news.Wait()
	for range pages {
		getPage(b, client, p.url+"/decks/"+d.ID)
	}
	live := p.resident(b)
	bytesAtMost("memory, six live columns and ten streams", live, floor, "a bare server that opens a database", most)
	b.ReportMetric(float64(live)/1e6, "MB")
}
