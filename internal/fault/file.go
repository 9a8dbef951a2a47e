package fault

import (
	"errors"
	"io/fs"
)

// FileReason is the part of a file's error that a reader needs: without the path,
// which a message names in its own words or not at all.
func FileReason(err error) string {
	if e, ok := errors.AsType[*fs.PathError](err); ok {
		return e.Err.Error()
	}
	return err.Error()
}
