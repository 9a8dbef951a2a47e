package fault_test

import (
	"errors"
	"fmt"
	"io/fs"
	"testing"

	"personal-workspace/internal/fault"
)

func TestFileReasonHasNoPath(t *testing.T) {
	for name, tc := range map[string]struct {
		err  error
		want string
	}{
		"a file's error":     {fmt.Errorf("read key: %w", &fs.PathError{Op: "open", Path: "/srv/key", Err: fs.ErrPermission}), "permission denied"},
		"another one's text": {errors.New("is a directory"), "is a directory"},
	} {
		t.Run(name, func(t *testing.T) {
			if got := fault.FileReason(tc.err); got != tc.want {
				t.Errorf("FileReason = %q, want %q", got, tc.want)
			}
		})
	}
}
