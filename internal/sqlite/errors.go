package sqlite

import (
	"errors"

	driver "modernc.org/sqlite"

	"personal-workspace/internal/fault"
)

// Extended result codes of SQLite that callers tell apart.
const (
	codeBusy       = 5
	codeReadOnly   = 8
	codeCorrupt    = 11
	codeFull       = 13
	codeCantOpen   = 14
	codeNotADB     = 26
	codeUnique     = 2067
	codePrimaryKey = 1555
	codeForeignKey = 787
)

func code(err error) int {
	if e, ok := errors.AsType[*driver.Error](err); ok {
		return e.Code()
	}
	return 0
}

// IsUnique reports whether a UNIQUE or PRIMARY KEY rule refused the change.
func IsUnique(err error) bool {
	c := code(err)
	return c == codeUnique || c == codePrimaryKey
}

// IsForeignKey reports whether a row that is referred to is missing.
func IsForeignKey(err error) bool { return code(err) == codeForeignKey }

// explain turns what keeps the database at path from being opened into a fault
// that says what to do about it. Other errors pass.
func explain(path string, err error) error {
	var f *fault.Error
	switch code(err) & 0xff {
	case codeCorrupt, codeNotADB:
		f = fault.New(fault.Internal, "The database %s is damaged; stop the workspace and run: workspace restore FILE, with the newest backup.", path)
	case codeFull:
		f = fault.New(fault.LimitExceeded, "The disk of the database %s is full; make room and try again.", path)
	case codeReadOnly, codeCantOpen:
		f = fault.New(fault.Forbidden, "The database %s cannot be written; correct its owner and mode, or set WORKSPACE_DATA_DIR to another directory.", path)
	case codeBusy:
		f = fault.New(fault.Timeout, "Another program has held the database %s locked for too long; stop it and try again.", path)
	default:
		return err
	}
	return f.Wrap(err)
}
