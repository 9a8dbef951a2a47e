package activities

import (
	"context"
	"time"

	"personal-workspace/internal/ledger"
	"personal-workspace/internal/sqlite"
)

const (
	// lookAgain bounds how late a wake-up can be when the machine slept or its
	// clock was set.
	lookAgain     = time.Minute
	pruneInterval = 24 * time.Hour
)

// Run wakes snoozed activities when their time comes, removes old receipts and what
// is left of erased texts, until ctx ends; it returns ctx's error. What came due while the workspace was
// stopped wakes at once.
func (s *Service) Run(ctx context.Context) error {
	ctx = ledger.WithActor(ctx, ledger.Actor{Kind: ledger.System, ID: "system"})
	changes := s.ledger.Subscribe()
	defer changes.Close()
	timer := time.NewTimer(0)
	defer timer.Stop()
	var pruned time.Time
	for {
		if now := s.now(); now.Sub(pruned) >= pruneInterval {
			pruned = now
			s.warn(ctx, "old receipts were not removed", s.Prune(ctx))
		}
		s.forget(ctx)
		timer.Reset(s.tick(ctx))
		select {
		case <-ctx.Done():
			return ctx.Err()
		case <-timer.C:
		case <-changes.C:
		}
	}
}

// tick wakes what is due and returns when to look again.
func (s *Service) tick(ctx context.Context) time.Duration {
	next, err := s.nextWake(ctx)
	if err == nil && next != nil && !next.After(s.now()) {
		if err = s.wakeDue(ctx); err == nil {
			next, err = s.nextWake(ctx)
		}
	}
	if err != nil {
		s.warn(ctx, "snoozed activities could not wake", err)
		return lookAgain
	}
	if next == nil {
		return lookAgain
	}
	return min(lookAgain, max(time.Millisecond, next.Sub(s.now())))
}

func (s *Service) warn(ctx context.Context, what string, err error) {
	if err != nil && ctx.Err() == nil {
		s.log.WarnContext(ctx, "activities: background work failed", "what", what, "err", err)
	}
}

// Prune removes the receipts that are kept no longer.
func (s *Service) Prune(ctx context.Context) error {
	before := s.now().Add(-receiptsKept).UnixMilli()
	return s.db.Write(ctx, func(tx *sqlite.Tx) error { return pruneReceipts(tx, before) })
}
