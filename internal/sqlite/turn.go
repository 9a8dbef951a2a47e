package sqlite

import (
	"context"
	"errors"
	"os"
	"time"

	"golang.org/x/sys/unix"
)

// turnPoll is how often a process that waits for its turn asks again.
const turnPoll = 10 * time.Millisecond

// takeTurn waits until no other process, and no other caller in this one, holds
// the turn of the folder. The lock is on the folder itself: a file of its own
// would be one more thing in it, and opening the database file to lock it would
// drop SQLite's own locks. The kernel drops it when the process ends.
func takeTurn(ctx context.Context, dir string) (release func(), err error) {
	f, err := os.Open(dir)
	if err != nil {
		return nil, err
	}
	tick := time.NewTicker(turnPoll)
	defer tick.Stop()
	for {
		err := unix.Flock(int(f.Fd()), unix.LOCK_EX|unix.LOCK_NB)
		if err == nil {
			return func() { f.Close() }, nil
		}
		if !errors.Is(err, unix.EWOULDBLOCK) && !errors.Is(err, unix.EINTR) {
			return nil, errors.Join(err, f.Close())
		}
		select {
		case <-ctx.Done():
			return nil, errors.Join(ctx.Err(), f.Close())
		case <-tick.C:
		}
	}
}
