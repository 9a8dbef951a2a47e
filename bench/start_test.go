package bench_test

import (
	"os/exec"
	"testing"
	"time"
)

const storedPosts = 100_000

// BenchmarkStart measures from the start of the process until it says that it
// answers; the floor does no more than open a database and listen.
func BenchmarkStart(b *testing.B) {
	const rounds = 15
	var floor []time.Duration
	for range rounds {
		p := runFloor(b)
		floor = append(floor, p.ready)
		p.stop()
	}
	for _, c := range []struct {
		name  string
		posts int
		most  time.Duration
	}{
		{"start to ready, empty", 0, 60 * time.Millisecond},
		{"start to ready, 100,000 stored posts", storedPosts, 500 * time.Millisecond},
	} {
		b.Run(c.name, func(b *testing.B) {
			var times []time.Duration
			dir := b.TempDir()
			if c.posts > 0 {
				fillStore(b, dir, c.posts)
			}
			for range rounds {
				if c.posts == 0 {
					dir = b.TempDir() // the first start of all: key and schema too
				}
				p := runWorkspace(b, dir)
				times = append(times, p.ready)
				p.stop()
			}
			atMost(c.name, median(times), median(floor), "a bare server that opens a database", c.most)
			b.ReportMetric(float64(median(times).Microseconds())/1000, "ms")
		})
	}
	var version []time.Duration
	for range rounds {
		version = append(version, timed(func() {
			if err := exec.Command(programs.get(b, "workspace"), "version").Run(); err != nil {
				b.Error(err)
			}
		}))
	}
	timesBaseline("workspace version, for comparison", median(version), median(floor), "the same", 0)
}

// BenchmarkIdleMemory reads what the program has in RAM after its start and
// after one page of a store with 100,000 posts.
func BenchmarkIdleMemory(b *testing.B) {
	const most = 45_000_000
	floor := runFloor(b).resident(b)
	empty := runWorkspace(b, b.TempDir())
	bytesAtMost("memory, idle, empty", empty.resident(b), floor, "a bare server that opens a database", most)

	dir := b.TempDir()
	d := fillStore(b, dir, storedPosts)
	full := runWorkspace(b, dir)
	getPage(b, newClient(b, 1), full.url+"/decks/"+d.ID)
	bytesAtMost("memory, idle, after a page of 100,000 posts", full.resident(b), floor, "the same", most)
	b.ReportMetric(float64(empty.resident(b))/1e6, "MB")
}
