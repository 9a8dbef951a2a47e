package secret

import (
	"io/fs"
	"testing"
)

func TestTooOpen(t *testing.T) {
	const user, root, other = 1000, 0, 1001
	for _, tc := range []struct {
		name        string
		mode        fs.FileMode
		owner, user int
		want        bool
	}{
		{"one's own private file", 0o600, user, user, false},
		{"one's own file that a group reads", 0o640, user, user, true},
		{"one's own file that all read", 0o604, user, user, true},
		{"root's file with an access list for the user", 0o440, root, user, false},
		{"root's file that a group writes", 0o460, root, user, true},
		{"root's file that all read", 0o444, root, user, true},
		{"another user's file that a group reads", 0o440, other, user, true},
		{"root reading a file that a group reads", 0o440, root, root, true},
	} {
		t.Run(tc.name, func(t *testing.T) {
			if got := tooOpen(tc.mode, tc.owner, tc.user); got != tc.want {
				t.Errorf("tooOpen(%v, %d, %d) = %v, want %v", tc.mode, tc.owner, tc.user, got, tc.want)
			}
		})
	}
}
