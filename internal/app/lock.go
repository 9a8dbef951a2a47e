package app

import (
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"strconv"
	"strings"

	"golang.org/x/sys/unix"

	"personal-workspace/internal/fault"
)

// The lock files in the data directory. The kernel drops the locks when the
// process ends, however it ends; a file that is left behind means nothing.
const (
	// serveLockName is held by the one process that serves.
	serveLockName = "serve.lock"
	// storeLockName is shared by all that have the database open and held
	// alone by a restore, which replaces the file under them.
	storeLockName = "store.lock"
)

// Lock is a held lock on a data directory.
type Lock struct{ files []*os.File }

// LockServe makes the data directory when it is missing and takes the lock of
// the one serving process. When another process has it, the fault names its
// process id.
func LockServe(dataDir string) (*Lock, error) {
	if err := ensureDataDir(dataDir); err != nil {
		return nil, err
	}
	return lockServe(dataDir, "Another workspace%s serves the data directory %s already; stop it first, or set WORKSPACE_DATA_DIR to another directory.")
}

// lockServe takes the serve lock; busy gets the other's process and the
// directory.
func lockServe(dataDir, busy string) (*Lock, error) {
	f, err := lockFile(filepath.Join(dataDir, serveLockName), unix.LOCK_EX)
	if errors.Is(err, unix.EWOULDBLOCK) {
		return nil, fault.New(fault.Forbidden, busy, holder(dataDir, serveLockName), dataDir).Wrap(err)
	}
	if err != nil {
		return nil, cannotLock(dataDir, serveLockName, err)
	}
	if err := writeHolder(f, ""); err != nil {
		f.Close()
		return nil, cannotLock(dataDir, serveLockName, err)
	}
	return &Lock{files: []*os.File{f}}, nil
}

// cannotLock is for a lock file that cannot be opened or written.
func cannotLock(dataDir, name string, err error) error {
	return fault.Invalid("data-dir", "The lock file %s cannot be used: %s. Make room, or correct its owner and mode, or set WORKSPACE_DATA_DIR to another directory.", filepath.Join(dataDir, name), fault.FileReason(err)).Wrap(err)
}

// Announce writes the address at which the holder of the serve lock is reached
// beside its process id, for commands that print links; see Serving.
func (l *Lock) Announce(baseURL string) error {
	if err := writeHolder(l.files[0], baseURL); err != nil {
		return fmt.Errorf("write the address into %s: %w", serveLockName, err)
	}
	return nil
}

// Serving reports whether a workspace serves the data directory now, and the
// address that it announced, without a trailing slash; "" when it has not yet.
// What an ended process left behind does not count.
func Serving(dataDir string) (baseURL string, running bool, err error) {
	f, err := os.Open(filepath.Join(dataDir, serveLockName))
	if errors.Is(err, fs.ErrNotExist) {
		return "", false, nil
	}
	if err != nil {
		return "", false, fmt.Errorf("look for a running workspace: %w", err)
	}
	defer f.Close()
	err = unix.Flock(int(f.Fd()), unix.LOCK_SH|unix.LOCK_NB)
	if err == nil {
		return "", false, nil // closing the file gives the lock back
	}
	if !errors.Is(err, unix.EWOULDBLOCK) {
		return "", false, fmt.Errorf("look for a running workspace: %w", err)
	}
	_, baseURL = readHolder(dataDir, serveLockName)
	return baseURL, true, nil
}

// lockStore takes a share of the store lock: the database may be opened.
func lockStore(dataDir string) (*Lock, error) {
	f, err := lockFile(filepath.Join(dataDir, storeLockName), unix.LOCK_SH)
	if errors.Is(err, unix.EWOULDBLOCK) {
		return nil, fault.New(fault.Forbidden, "A restore%s is replacing the database in %s; try again when it is done.", holder(dataDir, storeLockName), dataDir).Wrap(err)
	}
	if err != nil {
		return nil, cannotLock(dataDir, storeLockName, err)
	}
	return &Lock{files: []*os.File{f}}, nil
}

// lockRestore takes both locks alone: nothing may have the database open.
func lockRestore(dataDir string) (*Lock, error) {
	l, err := lockServe(dataDir, "The workspace%s is serving the data directory %s; stop it, restore, and start it again.")
	if err != nil {
		return nil, err
	}
	f, err := lockFile(filepath.Join(dataDir, storeLockName), unix.LOCK_EX)
	if err == nil {
		l.files = append(l.files, f)
		err = writeHolder(f, "")
	}
	if err != nil {
		l.Release()
	}
	if errors.Is(err, unix.EWOULDBLOCK) {
		return nil, fault.New(fault.Forbidden, "Another workspace command is using the data directory %s; try again when it is done.", dataDir).Wrap(err)
	}
	if err != nil {
		return nil, cannotLock(dataDir, storeLockName, err)
	}
	return l, nil
}

// Release gives the lock back. It may be called more than once, also on nil.
func (l *Lock) Release() {
	if l == nil {
		return
	}
	for _, f := range l.files {
		f.Close()
	}
	l.files = nil
}

func lockFile(path string, how int) (*os.File, error) {
	f, err := os.OpenFile(path, os.O_RDWR|os.O_CREATE, 0o600)
	if err != nil {
		return nil, err
	}
	if err := unix.Flock(int(f.Fd()), how|unix.LOCK_NB); err != nil {
		f.Close()
		return nil, err
	}
	return f, nil
}

// writeHolder writes who holds the lock, a process id and where it is reached,
// a line each. One write brings the whole text: who reads sees all or nothing.
func writeHolder(f *os.File, baseURL string) error {
	if err := f.Truncate(0); err != nil {
		return err
	}
	_, err := f.WriteAt([]byte(strconv.Itoa(os.Getpid())+"\n"+baseURL+"\n"), 0)
	return err
}

// readHolder returns what writeHolder wrote, "" for what the file does not tell,
// as in the moment between locking and writing.
func readHolder(dataDir, name string) (pid, baseURL string) {
	b, err := os.ReadFile(filepath.Join(dataDir, name))
	if err != nil {
		return "", ""
	}
	pid, baseURL, _ = strings.Cut(string(b), "\n")
	return pid, strings.TrimSpace(baseURL)
}

// holder returns " (process 123)" for who holds the lock, "" when the file does
// not tell.
func holder(dataDir, name string) string {
	pid, _ := readHolder(dataDir, name)
	if _, err := strconv.Atoi(pid); err != nil {
		return ""
	}
	return " (process " + pid + ")"
}
