package app

import (
	"errors"
	"fmt"
	"io/fs"
	"os"
	"os/user"
	"path/filepath"
	"strconv"
	"syscall"

	"personal-workspace/internal/fault"
)

// The names in the data directory. The credential key may be elsewhere.
const (
	databaseName = "workspace.sqlite"
	backupsName  = "backups"
)

// NotOwner is the cause of the fault that refuses a data directory of another
// user: files made there by the wrong user would lock out the right one.
type NotOwner struct {
	// Dir is the data directory.
	Dir string
	// User is the owner's name, or #NUMBER when the number has no name; both
	// are what sudo -u takes.
	User string
}

// Error says whose the directory is.
func (e *NotOwner) Error() string { return e.Dir + " belongs to " + e.User }

// ensureDataDir makes the data directory, for its owner alone, or checks that
// the existing one belongs to the user of this process.
func ensureDataDir(dir string) error {
	if err := os.MkdirAll(dir, 0o700); err != nil {
		return unreachable(dir, err)
	}
	st, err := os.Stat(dir)
	if err != nil {
		return unreachable(dir, err)
	}
	return checkOwner(dir, st)
}

func checkOwner(dir string, st fs.FileInfo) error {
	sys, ok := st.Sys().(*syscall.Stat_t)
	if !ok || int(sys.Uid) == os.Geteuid() {
		return nil
	}
	owner := userName(sys.Uid)
	return fault.New(fault.Forbidden, "The data directory %s belongs to the user %s; run the command as that user.", dir, owner).
		Wrap(&NotOwner{Dir: dir, User: owner})
}

// unreachable explains why the directory cannot be made or entered. Without
// permission the nearest directory that can be seen tells whose it is.
func unreachable(dir string, err error) error {
	if errors.Is(err, fs.ErrPermission) {
		for up := filepath.Dir(dir); ; up = filepath.Dir(up) {
			if st, statErr := os.Stat(up); statErr == nil {
				if owned := checkOwner(dir, st); owned != nil {
					return owned
				}
			}
			if up == filepath.Dir(up) {
				break
			}
		}
	}
	return fault.Invalid("data-dir", "The data directory %s cannot be used: %s. Set WORKSPACE_DATA_DIR to a directory that this user may write.", dir, fault.FileReason(err)).Wrap(err)
}

func userName(uid uint32) string {
	id := strconv.FormatUint(uint64(uid), 10)
	if u, err := user.LookupId(id); err == nil {
		return u.Username
	}
	return "#" + id
}

// LooseMode returns the mode of a data directory that others can enter, or 0.
// The files in it are private all the same.
func LooseMode(dir string) fs.FileMode {
	st, err := os.Stat(dir)
	if err != nil || st.Mode().Perm()&0o077 == 0 {
		return 0
	}
	return st.Mode().Perm()
}

func (c Config) databasePath() string { return filepath.Join(c.DataDir, databaseName) }

func (c Config) backupDir() string { return filepath.Join(c.DataDir, backupsName) }

// replacedName is where a restore keeps the replaced database.
func (c Config) replacedName() string {
	return filepath.Join(c.backupDir(), fmt.Sprintf("replaced-%s.sqlite", c.Now().UTC().Format("20060102T150405.000Z")))
}
