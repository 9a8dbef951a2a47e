package twitter

import (
	"context"
	"crypto/rand"
	"crypto/sha256"
	"encoding/hex"
	"errors"
	"os"
	"path/filepath"
	"strconv"
	"strings"
	"time"

	"golang.org/x/sys/unix"

	"personal-workspace/internal/fault"
	"personal-workspace/sns"
)

// lookAgain is how long a process waits before it looks again whether another one
// has ended its request.
const lookAgain = 100 * time.Millisecond

// turns are the turns of profiles among the processes of one workspace, such as a
// server and a command that connects an account beside it. The kernel ends the
// turn of a process that ends, however it ends. The zero value is for a process
// that reads alone.
type turns struct {
	dir string
	// owner tells this process's turns from those of others.
	owner string
}

func newTurns(dir string) turns { return turns{dir, rand.Text()} }

// held is a turn that a process has; the zero value is one of a process that reads
// alone.
type held struct{ file *os.File }

// hold waits for the profile's turn among the processes.
func (t turns) hold(ctx context.Context, a sns.Account, wait func(context.Context, time.Duration) error) (held, error) {
	if t.dir == "" {
		return held{}, nil
	}
	sum := sha256.Sum256([]byte(a.Origin + "\n" + a.Profile))
	f, err := os.OpenFile(filepath.Join(t.dir, "relay-"+hex.EncodeToString(sum[:8])+".lock"), os.O_RDWR|os.O_CREATE, 0o600)
	if err != nil {
		return held{}, uncounted(err)
	}
	for {
		err := unix.Flock(int(f.Fd()), unix.LOCK_EX|unix.LOCK_NB)
		if err == nil {
			return held{f}, nil
		}
		if errors.Is(err, unix.EWOULDBLOCK) || errors.Is(err, unix.EINTR) {
			err = wait(ctx, lookAgain)
		}
		if err != nil {
			f.Close()
			return held{}, turnFault(err)
		}
	}
}

// turnFault is the fault of a turn that did not come.
func turnFault(err error) error {
	if errors.Is(err, context.Canceled) || errors.Is(err, context.DeadlineExceeded) {
		return fault.From(err)
	}
	return uncounted(err)
}

// lastOf is when the last request of the profile began, if it was another
// process's.
func (h held) lastOf(t turns) (at time.Time, others bool) {
	if h.file == nil {
		return at, false
	}
	text := make([]byte, 100)
	n, _ := h.file.ReadAt(text, 0) // what cannot be read tells nothing
	ms, owner, _ := strings.Cut(string(text[:n]), " ")
	began, err := strconv.ParseInt(ms, 10, 64)
	if err != nil || strings.TrimSpace(owner) == t.owner {
		return at, false
	}
	return time.UnixMilli(began), true
}

// began notes for the others when a request began.
func (h held) began(t turns, at time.Time) error {
	if h.file == nil {
		return nil
	}
	if err := h.file.Truncate(0); err != nil {
		return uncounted(err)
	}
	if _, err := h.file.WriteAt([]byte(strconv.FormatInt(at.UnixMilli(), 10)+" "+t.owner+"\n"), 0); err != nil {
		return uncounted(err)
	}
	return nil
}

// end lets the next process have its turn.
func (h held) end() {
	if h.file != nil {
		h.file.Close()
	}
}
