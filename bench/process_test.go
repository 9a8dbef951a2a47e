package bench_test

import (
	"bufio"
	"bytes"
	"fmt"
	"io"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"strconv"
	"strings"
	"sync"
	"testing"
	"time"
)

// builds makes the two programs once for a run.
type builds struct {
	once sync.Once
	dir  string
	err  error
}

var programs builds

// get returns the path of workspace or floor.
func (b *builds) get(tb testing.TB, name string) string {
	tb.Helper()
	b.once.Do(func() {
		if b.dir, b.err = os.MkdirTemp("", "workspace-bench-"); b.err != nil {
			return
		}
		for _, pkg := range []string{"../cmd/workspace", "./floor"} {
			cmd := exec.Command("go", "build", "-o", filepath.Join(b.dir, filepath.Base(pkg)), pkg)
			cmd.Env = append(os.Environ(), "CGO_ENABLED=0")
			if out, err := cmd.CombinedOutput(); err != nil {
				b.err = fmt.Errorf("build %s: %w\n%s", pkg, err, out)
				return
			}
		}
	})
	if b.err != nil {
		tb.Fatal(b.err)
	}
	return filepath.Join(b.dir, name)
}

func (b *builds) remove() {
	if b.dir != "" {
		os.RemoveAll(b.dir)
	}
}

// process is a program that has said where it listens.
type process struct {
	pid int
	url string
	// ready is how long it took from the start of the process until its line.
	ready time.Duration
	stop  func()
}

var address = regexp.MustCompile(`http://[0-9.:]+`)

// runWorkspace starts the program over a data directory, without a login.
func runWorkspace(tb testing.TB, dir string, more ...string) *process {
	tb.Helper()
	cmd := exec.Command(programs.get(tb, "workspace"), append([]string{"serve"}, more...)...)
	cmd.Env = []string{"HOME=" + dir, "WORKSPACE_DATA_DIR=" + dir, "WORKSPACE_LISTEN=127.0.0.1:0", "WORKSPACE_AUTH=none"}
	return run(tb, cmd)
}

func runFloor(tb testing.TB) *process {
	tb.Helper()
	return run(tb, exec.Command(programs.get(tb, "floor"), tb.TempDir()))
}

// run starts a program, waits for its first line and ends it with the benchmark
// or when stop is called.
func run(tb testing.TB, cmd *exec.Cmd) *process {
	tb.Helper()
	var stderr bytes.Buffer
	cmd.Stderr = &stderr
	stdin, err := cmd.StdinPipe()
	if err != nil {
		tb.Fatal(err)
	}
	stdout, err := cmd.StdoutPipe()
	if err != nil {
		tb.Fatal(err)
	}
	began := time.Now()
	if err := cmd.Start(); err != nil {
		tb.Fatal(err)
	}
	lines := bufio.NewReader(stdout)
	line, err := lines.ReadString('\n')
	p := &process{pid: cmd.Process.Pid, url: address.FindString(line), ready: time.Since(began)}
	var once sync.Once
	p.stop = func() {
		once.Do(func() {
			stdin.Close()
			cmd.Process.Signal(os.Interrupt)
			io.Copy(io.Discard, lines)
			cmd.Wait()
		})
	}
	tb.Cleanup(p.stop)
	if p.url == "" {
		p.stop()
		tb.Fatalf("%s said %q, %v and %s", cmd.Path, line, err, stderr.String())
	}
	return p
}

// resident is the memory the process has in RAM, in bytes.
func (p *process) resident(tb testing.TB) int64 {
	tb.Helper()
	raw, err := os.ReadFile(fmt.Sprintf("/proc/%d/status", p.pid))
	if err != nil {
		tb.Fatal(err)
	}
	for line := range strings.Lines(string(raw)) {
		if rest, ok := strings.CutPrefix(line, "VmRSS:"); ok {
			kb, err := strconv.ParseInt(strings.Fields(rest)[0], 10, 64)
			if err != nil {
				tb.Fatal(err)
			}
			return kb * 1024
		}
	}
	tb.Fatal("the process has no VmRSS")
	return 0
}

// cpu is the processor time the process has used so far.
func (p *process) cpu(tb testing.TB) time.Duration {
	tb.Helper()
	raw, err := os.ReadFile(fmt.Sprintf("/proc/%d/stat", p.pid))
	if err != nil {
		tb.Fatal(err)
	}
	// Fields 14 and 15 after the name in brackets, in hundredths of a second.
	fields := strings.Fields(string(raw[bytes.LastIndexByte(raw, ')')+1:]))
	var ticks int64
	for _, f := range fields[11:13] {
		n, err := strconv.ParseInt(f, 10, 64)
		if err != nil {
			tb.Fatal(err)
		}
		ticks += n
	}
	return time.Duration(ticks) * 10 * time.Millisecond
}
