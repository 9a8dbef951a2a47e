package main

import (
	"bufio"
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"net/http"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"strings"
	"sync"
	"syscall"
	"testing"
	"time"
)

// waitLimit bounds every wait of these tests; it is long because the machine
// may be busy, and a test that passes never comes near it.
const waitLimit = 60 * time.Second

// binary builds the program once, as make build does: the same flags, so that
// the compiler's cache serves both.
var binary = sync.OnceValues(func() (string, error) {
	path := filepath.Join(binaryDir, "workspace")
	cmd := exec.Command("go", "build", "-o", path, ".")
	cmd.Env = append(os.Environ(), "CGO_ENABLED=0")
	if out, err := cmd.CombinedOutput(); err != nil {
		return "", fmt.Errorf("build the program: %w\n%s", err, out)
	}
	return path, nil
})

func builtProgram(t *testing.T) string {
	t.Helper()
	path, err := binary()
	if err != nil {
		t.Fatal(err)
	}
	return path
}

// process is a running workspace.
type process struct {
	cmd  *exec.Cmd
	base string // http://127.0.0.1:PORT, "" when it listens elsewhere
	// readyLine is what it printed first.
	readyLine string
	// stdout and stderr are all that it printed.
	stdout, stderr *lockedBuffer
	lines          chan string
	ended          chan error
}

type lockedBuffer struct {
	mu sync.Mutex
	b  bytes.Buffer
}

func (l *lockedBuffer) Write(p []byte) (int, error) {
	l.mu.Lock()
	defer l.mu.Unlock()
	return l.b.Write(p)
}

func (l *lockedBuffer) String() string {
	l.mu.Lock()
	defer l.mu.Unlock()
	return l.b.String()
}

var readyPattern = regexp.MustCompile(`is ready after (\d+) ms: (http://[^/ ]+)?`)

// start runs the command and waits until it says that it is ready. What still
// runs at the end of the test is killed.
func start(t *testing.T, cmd *exec.Cmd) *process {
	t.Helper()
	p := &process{cmd: cmd, stdout: &lockedBuffer{}, stderr: &lockedBuffer{}, lines: make(chan string, 100), ended: make(chan error, 1)}
	cmd.Stderr = p.stderr
	out, err := cmd.StdoutPipe()
	if err != nil {
		t.Fatal(err)
	}
	if err := cmd.Start(); err != nil {
		t.Fatal(err)
	}
	go func() {
		for s := bufio.NewScanner(io.TeeReader(out, p.stdout)); s.Scan(); {
			p.lines <- s.Text()
		}
		close(p.lines)
		p.ended <- cmd.Wait()
	}()
	t.Cleanup(func() {
		if cmd.ProcessState == nil {
			p.kill(t)
		}
	})
	p.readyLine = p.line(t)
	m := readyPattern.FindStringSubmatch(p.readyLine)
	if m == nil {
		t.Fatalf("first line = %q, want that it is ready", p.readyLine)
	}
	p.base = m[2]
	return p
}

// line returns the next line of standard output.
func (p *process) line(t *testing.T) string {
	t.Helper()
	select {
	case l, ok := <-p.lines:
		if !ok {
			t.Fatalf("the process ended; standard error:\n%s", p.stderr)
		}
		return l
	case <-time.After(waitLimit):
		t.Fatalf("no line within %v; standard error:\n%s", waitLimit, p.stderr)
	}
	return ""
}

func (p *process) kill(t *testing.T) {
	t.Helper()
	if err := p.cmd.Process.Kill(); err != nil && !errors.Is(err, os.ErrProcessDone) {
		t.Fatal(err)
	}
	p.wait(t)
}

// wait returns how the process ended, nil for exit code 0.
func (p *process) wait(t *testing.T) error {
	t.Helper()
	for {
		select {
		case err := <-p.ended:
			return err
		case <-p.lines:
		case <-time.After(waitLimit):
			t.Fatalf("the process did not end within %v", waitLimit)
		}
	}
}

// stop asks the process to stop and returns how long that took.
func (p *process) stop(t *testing.T) time.Duration {
	t.Helper()
	asked := time.Now()
	if err := p.cmd.Process.Signal(syscall.SIGTERM); err != nil {
		t.Fatal(err)
	}
	if err := p.wait(t); err != nil {
		t.Fatalf("after SIGTERM: %v; standard error:\n%s", err, p.stderr)
	}
	return time.Since(asked)
}

// until waits for what others bring about.
func until(t *testing.T, what string, ok func() bool) {
	t.Helper()
	tick := time.NewTicker(10 * time.Millisecond)
	defer tick.Stop()
	late := time.After(waitLimit)
	for !ok() {
		select {
		case <-tick.C:
		case <-late:
			t.Fatalf("%s did not come within %v", what, waitLimit)
		}
	}
}

// environ is a clean environment with the settings.
func environ(settings ...string) []string {
	return append([]string{"PATH=" + os.Getenv("PATH"), "HOME=/nonexistent"}, settings...)
}

// serveCmd is "workspace serve" on a free port without sign-in.
func serveCmd(t *testing.T, dataDir string, settings ...string) *exec.Cmd {
	t.Helper()
	cmd := exec.Command(builtProgram(t), "serve")
	cmd.Env = environ(append([]string{"WORKSPACE_DATA_DIR=" + dataDir, "WORKSPACE_LISTEN=127.0.0.1:0", "WORKSPACE_AUTH=none"}, settings...)...)
	return cmd
}

// runCLI runs a command to its end and returns its standard output.
func runCLI(ctx context.Context, t *testing.T, dataDir string, args ...string) (string, error) {
	t.Helper()
	cmd := exec.CommandContext(ctx, builtProgram(t), args...)
	cmd.Env = environ("WORKSPACE_DATA_DIR=" + dataDir)
	var out, errs bytes.Buffer
	cmd.Stdout, cmd.Stderr = &out, &errs
	if err := cmd.Run(); err != nil {
		return "", fmt.Errorf("workspace %s: %w\n%s", strings.Join(args, " "), err, errs.String())
	}
	return out.String(), nil
}

// client is what curl would be: no cookies, no Origin, its own connections.
type client struct {
	http *http.Client
	base string
}

func newClient(base string) *client {
	return &client{http: &http.Client{Timeout: waitLimit, Transport: &http.Transport{}}, base: base}
}

// do sends a request and returns status, header and body.
func (c *client) do(ctx context.Context, method, path string, header map[string]string, body string) (int, http.Header, string, error) {
	req, err := http.NewRequestWithContext(ctx, method, c.base+path, strings.NewReader(body))
	if err != nil {
		return 0, nil, "", err
	}
	for k, v := range header {
		req.Header.Set(k, v)
	}
	res, err := c.http.Do(req)
	if err != nil {
		return 0, nil, "", err
	}
	defer res.Body.Close()
	b, err := io.ReadAll(res.Body)
	return res.StatusCode, res.Header, string(b), err
}

// get is do for a page that must be there.
func (c *client) get(t *testing.T, path string) string {
	t.Helper()
	status, _, body, err := c.do(t.Context(), http.MethodGet, path, nil, "")
	if err != nil || status != http.StatusOK {
		t.Fatalf("GET %s: status %d, %v\n%s", path, status, err, body)
	}
	return body
}

// call calls a tool at protocol 2026-07-28, as ChatGPT does, and decodes the
// result into out. The error is the transport's or the tool's.
func (c *client) call(ctx context.Context, tool string, args, out any) error {
	params := map[string]any{
		"name": tool, "arguments": args,
		"_meta": map[string]any{
			"io.modelcontextprotocol/protocolVersion":    "2026-07-28",
			"io.modelcontextprotocol/clientInfo":         map[string]any{"name": "process-test", "version": "1"},
			"io.modelcontextprotocol/clientCapabilities": map[string]any{},
		},
	}
	body, err := json.Marshal(map[string]any{"jsonrpc": "2.0", "id": 1, "method": "tools/call", "params": params})
	if err != nil {
		return err
	}
	status, _, answer, err := c.do(ctx, http.MethodPost, "/mcp", map[string]string{
		"Content-Type": "application/json", "Accept": "application/json, text/event-stream",
		"MCP-Protocol-Version": "2026-07-28", "Mcp-Method": "tools/call", "Mcp-Name": tool,
	}, string(body))
	if err != nil {
		return err
	}
	var reply struct {
		Error  json.RawMessage
		Result struct {
			IsError           bool
			StructuredContent json.RawMessage
			Content           []struct{ Text string }
		}
	}
	if err := json.Unmarshal([]byte(answer), &reply); err != nil {
		return fmt.Errorf("%s: status %d: %w: %.300s", tool, status, err, answer)
	}
	if reply.Error != nil || reply.Result.IsError {
		return fmt.Errorf("%s: status %d: %.600s", tool, status, answer)
	}
	return json.Unmarshal(reply.Result.StructuredContent, out)
}
