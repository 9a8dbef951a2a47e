package app

import (
	"context"
	"errors"
	"fmt"
	"slices"
	"time"
)

// owner is one part that works in the background until its context ends.
type owner struct {
	name string
	run  func(context.Context) error
}

// stopGrace bounds how long all owners together may take to stop. With the time
// that requests get before and closeGrace, the whole stop stays under ten seconds.
const stopGrace = 3 * time.Second

// runOwners starts the owners in order and, when ctx ends or one of them does,
// stops them one after the other in reverse order: the last of them may still
// use what the earlier ones offer. The error names the owner that failed or
// did not stop; a normal stop is nil.
func runOwners(ctx context.Context, owners []owner) error {
	type ended struct {
		index int
		err   error
	}
	failed := make(chan ended, len(owners))
	stops := make([]context.CancelFunc, len(owners))
	done := make([]chan error, len(owners))
	for i, o := range owners {
		own, cancel := context.WithCancel(context.WithoutCancel(ctx))
		stops[i], done[i] = cancel, make(chan error, 1)
		go func() {
			err := o.run(own)
			if own.Err() == nil {
				failed <- ended{i, errors.Join(err, errors.New("ended before its time"))}
			}
			done[i] <- err
		}()
	}
	var errs []error
	select {
	case <-ctx.Done():
	case e := <-failed:
		errs = append(errs, fmt.Errorf("%s: %w", owners[e.index].name, e.err))
	}
	late := time.NewTimer(stopGrace)
	defer late.Stop()
	for i, o := range slices.Backward(owners) {
		stops[i]()
		select {
		case err := <-done[i]:
			if err != nil && !errors.Is(err, context.Canceled) && len(errs) == 0 {
				errs = append(errs, fmt.Errorf("%s: %w", o.name, err))
			}
		case <-late.C:
			late.Reset(0) // the others get no more time either
			errs = append(errs, fmt.Errorf("%s did not stop in time", o.name))
		}
	}
	return errors.Join(errs...)
}

// every calls f at once and then each interval, until ctx ends.
func every(ctx context.Context, interval time.Duration, f func(context.Context)) error {
	tick := time.NewTicker(interval)
	defer tick.Stop()
	for {
		f(ctx)
		select {
		case <-ctx.Done():
			return ctx.Err()
		case <-tick.C:
		}
	}
}
