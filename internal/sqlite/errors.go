package sqlite

import (
	"errors"

	driver "modernc.org/sqlite"
)

// Extended result codes of SQLite that callers tell apart.
const (
	codeBusy       = 5
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

// IsBusy reports whether another process held the database for longer than the
// busy timeout. The same call can succeed later.
func IsBusy(err error) bool { return code(err)&0xff == codeBusy }
