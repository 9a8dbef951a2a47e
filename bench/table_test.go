package bench_test

import (
	"fmt"
	"os"
	"slices"
	"strings"
	"sync"
	"testing"
	"text/tabwriter"
	"time"
)

// figure is one row of the table.
type figure struct {
	name string
	// value and baseline are printed; from says what the baseline is.
	value, baseline, from string
	// ratio is of value to baseline, 0 for none.
	ratio float64
	// budget is printed; within is whether the figure keeps it. A figure
	// without a budget only informs.
	budget string
	within bool
}

// table collects the figures of a run; TestMain prints it.
type table struct {
	mu   sync.Mutex
	rows []figure
}

var results table

func TestMain(m *testing.M) {
	code := m.Run()
	results.print()
	programs.remove()
	os.Exit(code)
}

// add keeps the newest figure of a name: the benchmark runner may repeat one.
func (t *table) add(f figure) {
	t.mu.Lock()
	defer t.mu.Unlock()
	t.rows = slices.DeleteFunc(t.rows, func(r figure) bool { return r.name == f.name })
	t.rows = append(t.rows, f)
}

func (t *table) print() {
	if len(t.rows) == 0 {
		return
	}
	w := tabwriter.NewWriter(os.Stdout, 0, 0, 2, ' ', 0)
	fmt.Fprintln(w, "\nname\tfigure\tbaseline\tratio\tbudget\twithin?")
	over := 0
	for _, r := range t.rows {
		ratio, within := "", ""
		if r.ratio != 0 {
			ratio = fmt.Sprintf("%.2f", r.ratio)
		}
		if r.budget != "" {
			within = "yes"
			if !r.within {
				within = "NO"
				over++
			}
		}
		fmt.Fprintln(w, strings.Join([]string{r.name, r.value, r.baseline + " " + r.from, ratio, r.budget, within}, "\t"))
	}
	w.Flush()
	fmt.Printf("\n%d of %d figures are over their budget.\n", over, len(t.rows))
}

// timesBaseline is a figure whose budget is a multiple of its baseline; most 0
// is none.
func timesBaseline(name string, value, baseline time.Duration, from string, most float64) {
	f := figure{name: name, value: short(value), baseline: short(baseline), from: from, ratio: float64(value) / float64(baseline)}
	if most != 0 {
		f.budget, f.within = fmt.Sprintf("≤ %.1f×", most), f.ratio <= most
	}
	results.add(f)
}

// atMost is a figure whose budget is a time.
func atMost(name string, value, baseline time.Duration, from string, most time.Duration) {
	results.add(figure{
		name: name, value: short(value), baseline: short(baseline), from: from, ratio: float64(value) / float64(baseline),
		budget: "≤ " + short(most), within: value <= most,
	})
}

// bytesAtMost is a figure in bytes; 0 is no baseline.
func bytesAtMost(name string, value, baseline int64, from string, most int64) {
	f := figure{name: name, value: kilobytes(value), budget: "≤ " + kilobytes(most), within: value <= most}
	if baseline != 0 {
		f.baseline, f.from, f.ratio = kilobytes(baseline), from, float64(value)/float64(baseline)
	}
	results.add(f)
}

func kilobytes(n int64) string {
	if n >= 1e6 {
		return fmt.Sprintf("%.1f MB", float64(n)/1e6)
	}
	return fmt.Sprintf("%.1f kB", float64(n)/1e3)
}

// short prints three digits of a time.
func short(d time.Duration) string {
	switch {
	case d >= 100*time.Millisecond:
		return d.Round(time.Millisecond).String()
	case d >= time.Millisecond:
		return d.Round(10 * time.Microsecond).String()
	}
	return d.Round(100 * time.Nanosecond).String()
}

// quantile returns the value that a share q of the times does not exceed.
func quantile(times []time.Duration, q float64) time.Duration {
	sorted := slices.Sorted(slices.Values(times))
	return sorted[min(int(q*float64(len(sorted))), len(sorted)-1)]
}

// quiet is the first quartile: what the rounds took that nothing else on the
// machine got in the way of.
func quiet(times []time.Duration) time.Duration { return quantile(times, 0.25) }

func median(times []time.Duration) time.Duration { return quantile(times, 0.5) }

// informative is a size without a budget.
func informative(name string, n int64) { results.add(figure{name: name, value: kilobytes(n)}) }
