package app_test

import (
	"context"
	"os"
	"path/filepath"
	"strings"
	"sync"
	"testing"

	"personal-workspace/internal/app"
	"personal-workspace/internal/secret"
)

func open(ctx context.Context, t *testing.T, dir string) {
	t.Helper()
	s, err := app.OpenStore(ctx, app.Config{DataDir: dir})
	if err != nil {
		t.Errorf("OpenStore: %v", err)
		return
	}
	if err := s.Close(); err != nil {
		t.Errorf("close: %v", err)
	}
}

func replaced(t *testing.T, dir string) []string {
	t.Helper()
	found, err := filepath.Glob(filepath.Join(dir, "credential-key.replaced-*"))
	if err != nil {
		t.Fatal(err)
	}
	return found
}

func TestUselessKeyIsReplacedOnceByStartsAtTheSameTime(t *testing.T) {
	dir := t.TempDir()
	open(t.Context(), t, dir)
	path := filepath.Join(dir, "credential-key")
	if err := os.WriteFile(path, []byte("no key"), 0o600); err != nil {
		t.Fatal(err)
	}
	var starts sync.WaitGroup
	for range 6 {
		starts.Go(func() { open(context.Background(), t, dir) })
	}
	starts.Wait()
	if found := replaced(t, dir); len(found) != 1 {
		t.Errorf("kept files = %v, want one", found)
	}
	if _, err := secret.LoadKey(path); err != nil {
		t.Errorf("the new key: %v", err)
	}
}

func TestUnreadableKeyIsKeptAside(t *testing.T) {
	dir := t.TempDir()
	// A directory is what not even root can read as a file.
	if err := os.MkdirAll(filepath.Join(dir, "credential-key", "inside"), 0o700); err != nil {
		t.Fatal(err)
	}
	open(t.Context(), t, dir)
	found := replaced(t, dir)
	if len(found) != 1 {
		t.Fatalf("kept files = %v, want one", found)
	}
	if _, err := os.Stat(filepath.Join(found[0], "inside")); err != nil {
		t.Errorf("what was kept is not whole: %v", err)
	}
}

func TestKeyThatOthersCanReadStays(t *testing.T) {
	dir := t.TempDir()
	path := filepath.Join(dir, "credential-key")
	if err := os.WriteFile(path, []byte("no key"), 0o644); err != nil {
		t.Fatal(err)
	}
	_, err := app.OpenStore(t.Context(), app.Config{DataDir: dir})
	if err == nil || !strings.Contains(err.Error(), "chmod 600") {
		t.Errorf("OpenStore = %v, want a refusal that says chmod 600", err)
	}
	if found := replaced(t, dir); len(found) != 0 {
		t.Errorf("kept files = %v, want none", found)
	}
}
