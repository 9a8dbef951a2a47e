package mcp_test

import (
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"net/http"
	"net/http/httptest"
	"strings"
	"sync"
	"sync/atomic"
	"syscall"
	"testing"
	"time"

	sdk "github.com/modelcontextprotocol/go-sdk/mcp"
)

// The benchmarks measure whole calls over keep-alive loopback. The floor is the
// SDK's own handler with a raw tool that does nothing, as the SDK is used
// without this package.
//
//	go test -run '^$' -bench . -benchmem ./mcp

func BenchmarkListDecks(b *testing.B) { forConns(b, deckEndpoint(b), "list_decks") }

func BenchmarkRawNoop(b *testing.B) { forConns(b, rawEndpoint(b), "noop") }

// BenchmarkListDecksRatio alternates short rounds of both, so that whatever else
// the machine does hits both alike, and reports how many times the floor a call
// costs.
func BenchmarkListDecksRatio(b *testing.B) {
	ours, floor := deckEndpoint(b), rawEndpoint(b)
	for _, conns := range []int{1, 8} {
		b.Run(fmt.Sprintf("conns=%d", conns), func(b *testing.B) {
			const round = 200
			client := newClient(b, conns)
			var tOurs, tFloor, cpuOurs, cpuFloor time.Duration
			rounds := 0
			for b.Loop() {
				at := cpuTime(b)
				tOurs += calls(b, client, conns, round, ours, "list_decks")
				between := cpuTime(b)
				tFloor += calls(b, client, conns, round, floor, "noop")
				cpuOurs += between - at
				cpuFloor += cpuTime(b) - between
				rounds++
			}
			n := float64(rounds * round)
			b.ReportMetric(float64(tOurs.Microseconds())/n, "ours-µs/call")
			b.ReportMetric(float64(tFloor.Microseconds())/n, "floor-µs/call")
			b.ReportMetric(float64(tOurs)/float64(tFloor), "ratio")
			b.ReportMetric(float64(cpuOurs)/float64(cpuFloor), "cpu-ratio")
		})
	}
}

// cpuTime is what the process has used, client and server together.
func cpuTime(b *testing.B) time.Duration {
	var u syscall.Rusage
	if err := syscall.Getrusage(syscall.RUSAGE_SELF, &u); err != nil {
		b.Fatal(err)
	}
	return time.Duration(u.Utime.Nano() + u.Stime.Nano())
}

func deckEndpoint(b *testing.B) string {
	w := newWorld(b)
	for _, title := range []string{"Main", "仕事", "Lists"} {
		w.deck(b, title)
	}
	w.recordRuns(b)
	return w.serve(b) + "/mcp"
}

// recordRuns writes the tool runs as the program does, until the benchmark ends.
func (w *world) recordRuns(b *testing.B) {
	ctx, cancel := context.WithCancel(b.Context())
	done := make(chan struct{})
	go func() {
		defer close(done)
		if err := w.runs.Run(ctx); err != nil && !errors.Is(err, context.Canceled) {
			b.Error(err)
		}
	}()
	b.Cleanup(func() { cancel(); <-done })
}

func rawEndpoint(b *testing.B) string {
	s := sdk.NewServer(&sdk.Implementation{Name: "floor", Version: "1"}, nil)
	s.AddTool(&sdk.Tool{Name: "noop", InputSchema: json.RawMessage(`{"type":"object"}`)},
		func(context.Context, *sdk.CallToolRequest) (*sdk.CallToolResult, error) {
			return &sdk.CallToolResult{Content: []sdk.Content{&sdk.TextContent{Text: "{}"}}}, nil
		})
	srv := httptest.NewServer(sdk.NewStreamableHTTPHandler(func(*http.Request) *sdk.Server { return s },
		&sdk.StreamableHTTPOptions{Stateless: true, JSONResponse: true}))
	b.Cleanup(srv.Close)
	return srv.URL
}

func forConns(b *testing.B, url, tool string) {
	for _, conns := range []int{1, 8} {
		b.Run(fmt.Sprintf("conns=%d", conns), func(b *testing.B) {
			client := newClient(b, conns)
			calls(b, client, conns, 10*conns, url, tool)
			b.ReportAllocs()
			b.ResetTimer()
			calls(b, client, conns, b.N, url, tool)
		})
	}
}

func newClient(b *testing.B, conns int) *http.Client {
	c := &http.Client{Transport: &http.Transport{MaxIdleConnsPerHost: conns, DisableCompression: true}}
	b.Cleanup(c.CloseIdleConnections)
	return c
}

// calls makes n calls over conns connections and returns how long they took.
func calls(b *testing.B, client *http.Client, conns, n int, url, tool string) time.Duration {
	began := time.Now()
	var left atomic.Int64
	left.Store(int64(n))
	var wg sync.WaitGroup
	for range conns {
		wg.Go(func() {
			for left.Add(-1) >= 0 {
				benchmarkCall(b, client, url, tool)
			}
		})
	}
	wg.Wait()
	return time.Since(began)
}

func benchmarkCall(b *testing.B, client *http.Client, url, tool string) {
	body := `{"jsonrpc":"2.0","id":1,"method":"tools/call","params":{"name":"` + tool + `","arguments":{},"_meta":{` +
		`"io.modelcontextprotocol/protocolVersion":"2026-07-28","io.modelcontextprotocol/clientCapabilities":{},` +
		`"io.modelcontextprotocol/clientInfo":{"name":"bench","version":"1"}}}}`
	req, err := http.NewRequestWithContext(b.Context(), http.MethodPost, url, strings.NewReader(body))
	if err != nil {
		b.Error(err)
		return
	}
	for name, value := range headersOf("tools/call", tool) {
		req.Header.Set(name, value)
	}
	res, err := client.Do(req)
	if err != nil {
		b.Error(err)
		return
	}
	defer res.Body.Close()
	text, err := io.ReadAll(res.Body)
	if err != nil || res.StatusCode != http.StatusOK || bytes.Contains(text, []byte(`"isError":true`)) {
		b.Errorf("%s answered %d %s, %v", tool, res.StatusCode, text, err)
	}
}
