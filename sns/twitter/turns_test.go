package twitter_test

import (
	"context"
	"os"
	"path/filepath"
	"testing"
	"time"

	"golang.org/x/sys/unix"

	"personal-workspace/internal/fault"
	"personal-workspace/sns"
	"personal-workspace/sns/snstest"
	"personal-workspace/sns/twitter"
)

// twoProcesses are two providers over one workspace.
func twoProcesses(t *testing.T) (w *world, server, command *twitter.Provider) {
	t.Helper()
	w = newWorld(t, snstest.RelayQuirks{Lean: true})
	w.config.Turns = t.TempDir()
	return w, twitter.New(w.config), twitter.New(w.config)
}

// inUse takes the profile's turn as another process does.
func inUse(t *testing.T, dir string) *os.File {
	t.Helper()
	names, err := filepath.Glob(filepath.Join(dir, "relay-*.lock"))
	if err != nil || len(names) != 1 {
		t.Fatalf("files = %v, %v; want one", names, err)
	}
	f, err := os.Open(names[0])
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { f.Close() })
	if err := unix.Flock(int(f.Fd()), unix.LOCK_EX|unix.LOCK_NB); err != nil {
		t.Fatalf("the turn is held after its request: %v", err)
	}
	return f
}

func TestStartsOfTwoProcessesAreApart(t *testing.T) {
	w, server, command := twoProcesses(t)
	for range 3 {
		for _, p := range []*twitter.Provider{server, command} {
			if _, err := p.Verify(t.Context(), w.account()); err != nil {
				t.Fatal(err)
			}
		}
	}
	calls := w.relay.Calls()
	for i := 1; i < len(calls); i++ {
		if d := calls[i].At.Sub(calls[i-1].At); d < 1500*time.Millisecond {
			t.Errorf("request %d came %s after the one before, want at least 1.5 s", i, d)
		}
	}
}

func TestProcessWaitsForAnothersRequest(t *testing.T) {
	w, server, _ := twoProcesses(t)
	if _, err := server.Verify(t.Context(), w.account()); err != nil {
		t.Fatal(err)
	}
	other, looks := inUse(t, w.config.Turns), 0
	w.config.Wait = func(ctx context.Context, d time.Duration) error {
		if d == 100*time.Millisecond {
			if looks++; looks == 3 {
				other.Close()
			}
			if n := len(w.relay.Calls()); n != 1 {
				t.Errorf("%d requests while the other process has the turn, want none but the first", n-1)
			}
		}
		return w.clock.wait(ctx, d)
	}
	if _, err := twitter.New(w.config).Verify(t.Context(), w.account()); err != nil {
		t.Fatal(err)
	}
	if n := len(w.relay.Calls()); n != 2 || looks != 3 {
		t.Errorf("%d requests after %d looks, want 2 after 3", n, looks)
	}
}

func TestWaitForAnotherProcessEndsWithItsCaller(t *testing.T) {
	w, server, command := twoProcesses(t)
	if _, err := server.Verify(t.Context(), w.account()); err != nil {
		t.Fatal(err)
	}
	inUse(t, w.config.Turns)
	ctx, cancel := context.WithCancel(t.Context())
	cancel()
	_, err := command.Verify(ctx, w.account())
	wantFault(t, err, fault.Canceled, nil)
	if n := len(w.relay.Calls()); n != 1 {
		t.Errorf("%d requests, want the first alone", n)
	}
}

// Both processes are one reader to X: what one has used of a budget the other has
// not.
func TestProcessesShareABudget(t *testing.T) {
	w, server, command := twoProcesses(t)
	search := sns.Source{Kind: sns.KindSearch, Query: "tea"}
	a := w.account()
	a.Memory = kept{}
	if _, err := server.Fetch(t.Context(), a, search, ""); err != nil {
		t.Fatal(err)
	}
	for range 29 {
		if _, err := command.Fetch(t.Context(), a, search, ""); err != nil {
			t.Fatal(err)
		}
	}
	_, err := server.Fetch(t.Context(), a, search, "")
	wantFault(t, err, fault.BudgetExhausted, nil)
	if n := len(w.relay.Calls()); n != 30 {
		t.Errorf("%d requests, want 30", n)
	}
}

func TestTurnThatCannotBeTakenSendsNothing(t *testing.T) {
	w := newWorld(t, snstest.RelayQuirks{Lean: true})
	w.config.Turns = filepath.Join(t.TempDir(), "gone")
	_, err := twitter.New(w.config).Verify(t.Context(), w.account())
	wantFault(t, err, fault.Internal, nil)
	if n := len(w.relay.Calls()); n != 0 {
		t.Errorf("%d requests, want none", n)
	}
}

func TestTurnsThatCannotBeReadTellNothing(t *testing.T) {
	w, server, command := twoProcesses(t)
	if _, err := server.Verify(t.Context(), w.account()); err != nil {
		t.Fatal(err)
	}
	for _, odd := range []string{"", "x", "9223372036854775807 other\n", "-5 other", "99999999999999999999 other", "\x00\xff"} {
		f := inUse(t, w.config.Turns)
		if err := os.WriteFile(f.Name(), []byte(odd), 0o600); err != nil {
			t.Fatal(err)
		}
		f.Close()
		before := w.clock.now()
		if _, err := command.Verify(t.Context(), w.account()); err != nil {
			t.Fatalf("%q: %v", odd, err)
		}
		if d := w.clock.now().Sub(before); d > 3*time.Second {
			t.Errorf("%q holds a request up for %s", odd, d)
		}
	}
}
