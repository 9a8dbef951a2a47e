package main

import (
	"context"
	"errors"
	"fmt"
	"net"
	"os"
	"os/exec"
	"path/filepath"
	"strconv"
	"testing"
	"time"

	"github.com/rogpeppe/go-internal/testscript"

	"personal-workspace/sns/snstest"
)

// binaryDir holds the program that the process tests build.
var binaryDir string

func TestMain(m *testing.M) {
	testscript.Main(withBinaryDir{m}, map[string]func(){"workspace": main})
}

type withBinaryDir struct{ m *testing.M }

// Run runs the tests and removes what they built.
func (w withBinaryDir) Run() int {
	dir, err := os.MkdirTemp("", "workspace-binary-")
	if err != nil {
		fmt.Fprintln(os.Stderr, err)
		return 1
	}
	defer os.RemoveAll(dir)
	binaryDir = dir
	return w.m.Run()
}

// Each script of testdata runs the commands as a person at a shell does.
func TestScripts(t *testing.T) {
	testscript.Run(t, testscript.Params{
		Dir:                 "testdata",
		Setup:               setUpScript,
		RequireExplicitExec: true,
		RequireUniqueNames:  true,
		Cmds: map[string]func(*testscript.TestScript, bool, []string){
			"code":  codeCommand,
			"ready": readyCommand,
			"kept":  keptCommand,
		},
	})
}

// setUpScript gives a script a data directory that does not exist yet, a mock
// relay with the profiles a1 and a2 ($RELAY), a mock server with three accounts ($ORIGIN; the files token, token2 and writing, the
// last of which may write), a port that is taken ($TAKEN) and a data directory
// of somebody else ($FOREIGN of $FOREIGNER).
func setUpScript(env *testscript.Env) error {
	m := snstest.NewMastodon(snstest.Options{})
	origin, err := m.StartLoopback(context.Background())
	if err != nil {
		return err
	}
	env.Defer(func() { m.Close() })
	relay := snstest.NewRelay(snstest.RelayOptions{})
	relayOrigin, err := relay.StartLoopback(context.Background())
	if err != nil {
		return err
	}
	env.Defer(func() { relay.Close() })
	taken, err := new(net.ListenConfig).Listen(context.Background(), "tcp", "127.0.0.1:0")
	if err != nil {
		return err
	}
	env.Defer(func() { taken.Close() })
	foreign, foreigner, err := foreignDir(env.WorkDir)
	if err != nil {
		return err
	}
	for name, value := range map[string]string{
		"WORKSPACE_DATA_DIR": filepath.Join(env.WorkDir, "data"),
		"ORIGIN":             origin,
		"RELAY":              relayOrigin,
		"TOKEN":              m.Token(),
		"TAKEN":              taken.Addr().String(),
		"FOREIGN":            foreign,
		"FOREIGNER":          foreigner,
	} {
		env.Setenv(name, value)
	}
	m.AddAccount(snstest.Account{Acct: "bob"})
	m.AddAccount(snstest.Account{Acct: "dora"})
	return errors.Join(
		os.WriteFile(filepath.Join(env.WorkDir, "token"), []byte("  "+m.Token()+"\n"), 0o600),
		os.WriteFile(filepath.Join(env.WorkDir, "token2"), []byte(m.IssueToken("bob")), 0o600),
		os.WriteFile(filepath.Join(env.WorkDir, "writing"), []byte(m.IssueToken("dora", "read", "write", "push")), 0o600),
	)
}

// foreignDir is a directory of another user. Only root can make one; for
// anybody else /usr is one.
func foreignDir(work string) (dir, owner string, err error) {
	if os.Geteuid() != 0 {
		return "/usr", "root", nil
	}
	dir = filepath.Join(work, "foreign")
	if err := os.Mkdir(dir, 0o700); err != nil {
		return "", "", err
	}
	return dir, "nobody", os.Chown(dir, 65534, 65534)
}

// codeCommand is "code N command…": the command must end with exit code N.
func codeCommand(ts *testscript.TestScript, neg bool, args []string) {
	if neg || len(args) < 2 {
		ts.Fatalf("usage: code N command [args...]")
	}
	want, err := strconv.Atoi(args[0])
	ts.Check(err)
	got := 0
	if err := ts.Exec(args[1], args[2:]...); err != nil {
		exit, ok := errors.AsType[*exec.ExitError](err)
		if !ok {
			ts.Fatalf("run %s: %v", args[1], err)
		}
		got = exit.ExitCode()
	}
	if got != want {
		ts.Fatalf("exit code %d, want %d", got, want)
	}
}

// keptCommand is "kept FILE PATTERN": exactly one file matches the pattern, and
// it holds what FILE holds.
func keptCommand(ts *testscript.TestScript, neg bool, args []string) {
	if neg || len(args) != 2 {
		ts.Fatalf("usage: kept file pattern")
	}
	found, err := filepath.Glob(ts.MkAbs(args[1]))
	ts.Check(err)
	if len(found) != 1 || ts.ReadFile(found[0]) != ts.ReadFile(args[0]) {
		ts.Fatalf("%v match %s, want one file that holds %s", found, args[1], args[0])
	}
}

// readyCommand is "ready SOCKET": it waits until a server answers there.
func readyCommand(ts *testscript.TestScript, _ bool, args []string) {
	tick := time.NewTicker(20 * time.Millisecond)
	defer tick.Stop()
	late := time.After(waitLimit)
	for {
		if ts.Exec("workspace", "healthcheck", "--listen", "unix:"+ts.MkAbs(args[0])) == nil {
			return
		}
		select {
		case <-tick.C:
		case <-late:
			ts.Fatalf("no server answers at %s", args[0])
		}
	}
}
