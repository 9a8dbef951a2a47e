package bench_test

import (
	"bytes"
	"context"
	"fmt"
	"io"
	"net/http"
	"strings"
	"sync"
	"sync/atomic"
	"testing"
	"time"

	"personal-workspace/decks"
)

// BenchmarkListDecks calls list_decks of the real program and the floor's no-op
// tool in turn, in many short rounds, so that whatever else the machine does
// hits both alike. The client is in this process, for both.
func BenchmarkListDecks(b *testing.B) {
	const rounds, round = 200, 40
	w := newWorld(b)
	for _, title := range []string{"Every morning", "仕事", "Slow evening"} {
		w.createDeck(b, decks.CreateDeck{Title: title})
	}
	w.close(b)
	ours, floor := runWorkspace(b, w.dir), runFloor(b)
	for _, conns := range []int{1, 8} {
		b.Run(fmt.Sprintf("conns=%d", conns), func(b *testing.B) {
			client := newClient(b, conns)
			calls(b, client, conns, 2*round, ours.url, "list_decks")
			calls(b, client, conns, 2*round, floor.url, "noop")
			oursCPU, floorCPU := ours.cpu(b), floor.cpu(b)
			var oursTimes, floorTimes []time.Duration
			for range rounds {
				oursTimes = append(oursTimes, calls(b, client, conns, round, ours.url, "list_decks"))
				floorTimes = append(floorTimes, calls(b, client, conns, round, floor.url, "noop"))
			}
			name := fmt.Sprintf("list_decks, %d connection(s)", conns)
			timesBaseline(name, quiet(oursTimes)/round, quiet(floorTimes)/round, "SDK's raw no-op tool", 1.3)
			timesBaseline(name+", server's CPU only", (ours.cpu(b)-oursCPU)/(rounds*round), (floor.cpu(b)-floorCPU)/(rounds*round), "the same", 0)
			b.ReportMetric(float64(quiet(oursTimes))/float64(quiet(floorTimes)), "ratio")
		})
	}
}

func newClient(tb testing.TB, conns int) *http.Client {
	c := &http.Client{Transport: &http.Transport{MaxIdleConnsPerHost: conns, DisableCompression: true}}
	tb.Cleanup(c.CloseIdleConnections)
	return c
}

// calls makes n calls over conns connections and returns how long they took.
func calls(tb testing.TB, client *http.Client, conns, n int, url, tool string) time.Duration {
	tb.Helper()
	var left atomic.Int64
	left.Store(int64(n))
	var wg sync.WaitGroup
	began := time.Now()
	for range conns {
		wg.Go(func() {
			for left.Add(-1) >= 0 {
				if _, err := call(tb.Context(), client, url, tool, "{}"); err != nil {
					tb.Error(err)
					return
				}
			}
		})
	}
	wg.Wait()
	return time.Since(began)
}

// call makes one tools/call of the protocol of 2026-07-28 and returns the
// answer's body.
func call(ctx context.Context, client *http.Client, url, tool, arguments string) ([]byte, error) {
	return callAt(ctx, client, url+"/mcp", tool, arguments)
}

// callAt is call at an address that need not be /mcp.
func callAt(ctx context.Context, client *http.Client, address, tool, arguments string) ([]byte, error) {
	body := `{"jsonrpc":"2.0","id":1,"method":"tools/call","params":{"name":"` + tool + `","arguments":` + arguments + `,"_meta":{` +
		`"io.modelcontextprotocol/protocolVersion":"2026-07-28","io.modelcontextprotocol/clientCapabilities":{},` +
		`"io.modelcontextprotocol/clientInfo":{"name":"bench","version":"1"}}}}`
	req, err := http.NewRequestWithContext(ctx, http.MethodPost, address, strings.NewReader(body))
	if err != nil {
		return nil, err
	}
	for name, value := range map[string]string{
		"Content-Type": "application/json", "Accept": "application/json, text/event-stream",
		"Mcp-Protocol-Version": "2026-07-28", "Mcp-Method": "tools/call", "Mcp-Name": tool,
	} {
		req.Header.Set(name, value)
	}
	res, err := client.Do(req)
	if err != nil {
		return nil, err
	}
	defer res.Body.Close()
	text, err := io.ReadAll(res.Body)
	if err != nil {
		return nil, err
	}
	if res.StatusCode != http.StatusOK || bytes.Contains(text, []byte(`"isError":true`)) {
		return nil, fmt.Errorf("%s answered %d %s", tool, res.StatusCode, text)
	}
	return text, nil
}
