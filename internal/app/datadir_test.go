package app_test

import (
	"errors"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"personal-workspace/internal/app"
	"personal-workspace/internal/fault"
	"personal-workspace/internal/sqlite"
)

const nobody = 65534

func TestLockServeMakesAPrivateDirectory(t *testing.T) {
	dir := filepath.Join(t.TempDir(), "a", "state")
	l, err := app.LockServe(dir)
	if err != nil {
		t.Fatal(err)
	}
	defer l.Release()
	st, err := os.Stat(dir)
	if err != nil {
		t.Fatal(err)
	}
	if got := st.Mode().Perm(); got != 0o700 {
		t.Errorf("mode of the data directory = %o, want 700", got)
	}
	if got := app.LooseMode(dir); got != 0 {
		t.Errorf("LooseMode of a private directory = %v, want 0", got)
	}
}

func TestSecondServerLearnsTheProcess(t *testing.T) {
	dir := t.TempDir()
	first, err := app.LockServe(dir)
	if err != nil {
		t.Fatal(err)
	}
	_, err = app.LockServe(dir)
	if fault.CodeOf(err) != fault.Forbidden || !strings.Contains(err.Error(), "(process "+pid()+")") {
		t.Errorf("second LockServe = %v, want a refusal that names process %s", err, pid())
	}
	first.Release()
	second, err := app.LockServe(dir)
	if err != nil {
		t.Fatalf("LockServe after the release: %v", err)
	}
	second.Release()
}

func TestLockThatCannotBeTakenSaysWhatToDo(t *testing.T) {
	for _, name := range []string{"serve.lock", "store.lock"} {
		t.Run(name, func(t *testing.T) {
			dir := t.TempDir()
			if err := os.Mkdir(filepath.Join(dir, name), 0o700); err != nil {
				t.Fatal(err)
			}

			_, err := app.New(t.Context(), app.Config{DataDir: dir})

			if got := fault.CodeOf(err); got != fault.InvalidArguments || !strings.Contains(err.Error(), "WORKSPACE_DATA_DIR") || !strings.Contains(err.Error(), name) {
				t.Errorf("New = %v (%s), want invalid_arguments that names %s and the setting", err, got, name)
			}
		})
	}
}

func TestServingTellsTheAddressWhileTheLockIsHeld(t *testing.T) {
	dir := t.TempDir()
	serves := func(want string, wantRunning bool) {
		t.Helper()
		base, running, err := app.Serving(dir)
		if err != nil || base != want || running != wantRunning {
			t.Errorf("Serving = %q, %v, %v; want %q, %v", base, running, err, want, wantRunning)
		}
	}

	serves("", false)
	l, err := app.LockServe(dir)
	if err != nil {
		t.Fatal(err)
	}
	serves("", true)
	if err := l.Announce("https://box.example/ws"); err != nil {
		t.Fatal(err)
	}
	serves("https://box.example/ws", true)
	if _, err := app.LockServe(dir); !strings.Contains(err.Error(), "(process "+pid()+")") {
		t.Errorf("second LockServe = %v, want process %s named beside an address too", err, pid())
	}
	l.Release()
	serves("", false)
	again, err := app.LockServe(dir)
	if err != nil {
		t.Fatal(err)
	}
	defer again.Release()
	serves("", true)
}

func TestRestoreIsRefusedWhileServing(t *testing.T) {
	dir := t.TempDir()
	l, err := app.LockServe(dir)
	if err != nil {
		t.Fatal(err)
	}
	defer l.Release()
	_, err = app.Restore(t.Context(), app.Config{DataDir: dir}, "backup.sqlite")
	if fault.CodeOf(err) != fault.Forbidden || !strings.Contains(err.Error(), "(process "+pid()+")") {
		t.Errorf("Restore = %v, want a refusal that names process %s", err, pid())
	}
}

// makeOlder leaves a database in dir as the program before this one had it.
func makeOlder(t *testing.T, dir string) {
	t.Helper()
	s, err := app.OpenStore(t.Context(), app.Config{DataDir: dir})
	if err != nil {
		t.Fatal(err)
	}
	err = s.DB.Write(t.Context(), func(tx *sqlite.Tx) error {
		_, dropped := tx.Exec("DROP TABLE profile_notes")
		_, numbered := tx.Exec("PRAGMA user_version = 11")
		return errors.Join(dropped, numbered)
	})
	if err := errors.Join(err, s.Close()); err != nil {
		t.Fatal(err)
	}
}

func TestCommandDoesNotChangeTheSchemaUnderAServer(t *testing.T) {
	dir := t.TempDir()
	makeOlder(t, dir)
	l, err := app.LockServe(dir)
	if err != nil {
		t.Fatal(err)
	}
	defer l.Release()

	s, err := app.OpenStore(t.Context(), app.Config{DataDir: dir})

	if err == nil {
		s.Close()
	}
	if fault.CodeOf(err) != fault.Forbidden || !strings.Contains(err.Error(), "(process "+pid()+")") {
		t.Errorf("OpenStore = %v, want a refusal that names process %s", err, pid())
	}
	a, err := app.New(t.Context(), app.Config{DataDir: dir, Lock: l})
	if err != nil {
		t.Fatalf("the server itself does not start: %v", err)
	}
	if err := a.Close(); err != nil {
		t.Error(err)
	}
}

func TestCommandMayChangeTheSchemaWithoutAServer(t *testing.T) {
	dir := t.TempDir()
	makeOlder(t, dir)

	s, err := app.OpenStore(t.Context(), app.Config{DataDir: dir})
	if err != nil {
		t.Fatal(err)
	}

	if err := s.Close(); err != nil {
		t.Error(err)
	}
}

func TestForeignDataDirectoryIsRefused(t *testing.T) {
	if os.Geteuid() != 0 {
		t.Log("only root can give a directory away; the file system's root stands in")
		refusesForeign(t, "/", "root")
		return
	}
	dir := t.TempDir()
	if err := os.Chown(dir, nobody, nobody); err != nil {
		t.Fatal(err)
	}
	refusesForeign(t, dir, "nobody")
}

func refusesForeign(t *testing.T, dir, owner string) {
	t.Helper()
	_, err := app.LockServe(dir)
	if fault.CodeOf(err) != fault.Forbidden {
		t.Fatalf("LockServe(%s) = %v, want forbidden", dir, err)
	}
	cause, ok := errors.AsType[*app.NotOwner](err)
	if !ok || cause.User != owner || cause.Dir != dir {
		t.Errorf("cause = %+v, want the directory %s of %s", cause, dir, owner)
	}
}

func TestDataDirectoryThatIsAFile(t *testing.T) {
	path := filepath.Join(t.TempDir(), "file")
	if err := os.WriteFile(path, nil, 0o600); err != nil {
		t.Fatal(err)
	}
	_, err := app.LockServe(path)
	if fault.CodeOf(err) != fault.InvalidArguments || !strings.Contains(err.Error(), "WORKSPACE_DATA_DIR") {
		t.Errorf("LockServe on a file = %v, want invalid_arguments naming WORKSPACE_DATA_DIR", err)
	}
}
