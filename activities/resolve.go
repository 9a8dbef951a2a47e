package activities

import (
	"slices"

	"personal-workspace/internal/sqlite"
)

// action is what happens to the record that a proposal is about.
type action int

const (
	// create makes a new activity; the record is the closed one it follows, if any.
	create action = iota
	// update stores the proposal in the record.
	update
	// keep stores nothing.
	keep
)

// target is what a proposal is about and what is to happen.
type target struct {
	record
	act action
	// newID is the id that the proposer chose for a new activity.
	newID string
}

// resolve finds what a proposal is about. Without an id that is the open activity
// of its key, else the one that was closed last.
func resolve(tx *sqlite.Tx, a checked) (target, error) {
	if a.ID == "" {
		return resolveKey(tx, a)
	}
	r, ok, err := findOrNone(tx, a.ID)
	if err != nil {
		return target{}, err
	}
	if !ok {
		return resolveNewID(tx, a)
	}
	if r.own {
		return target{record: r, act: keep}, nil
	}
	if r, err = follow(tx, r); err != nil {
		return target{}, err
	}
	if r.open() && !r.own && r.key != a.key {
		// It may not become what the person dismissed elsewhere.
		if t, err := resolveNewID(tx, a); err != nil || t.act == keep {
			return t, err
		}
	}
	return about(r, a), nil
}

// about is what a proposal does to the record that it is about.
func about(r record, a checked) target {
	switch {
	case r.own && r.open():
		return target{record: r, act: keep}
	case r.open():
		return target{record: r, act: update}
	case a.newestEvidence() > r.decision.At:
		return target{record: r, act: create}
	}
	return target{record: r, act: keep}
}

// follow returns the newest record that newer evidence made of a closed one, or
// the record itself.
func follow(tx *sqlite.Tx, r record) (record, error) {
	if r.open() {
		return r, nil
	}
	next, ok, err := newestOf(tx, r.first())
	if err != nil || !ok || next.seq < r.seq {
		return r, err
	}
	return next, nil
}

func resolveKey(tx *sqlite.Tx, a checked) (target, error) {
	list, err := spoken(tx, a.key)
	if err != nil || len(list) == 0 {
		return target{}, err
	}
	return about(best(list), a), nil
}

// spoken are the records about one thing that say something about it: a task
// that the person made and took back is no word against proposing it.
func spoken(tx *sqlite.Tx, key string) ([]record, error) {
	list, err := findKey(tx, key)
	return slices.DeleteFunc(list, record.takenBack), err
}

// best is the record that a proposal is rather about than the others, of which
// the newer come first.
func best(list []record) record {
	b := list[0]
	for _, r := range list[1:] {
		if preferred(r, b) {
			b = r
		}
	}
	return b
}

// preferred reports whether a proposal without an id is rather about the older
// record r than about s: open ones come before closed ones, the assistants' before
// the person's own, and of closed ones the last decision counts.
func preferred(r, s record) bool {
	switch {
	case r.open() != s.open():
		return r.open()
	case r.open():
		return !r.own && s.own
	}
	return r.decision.At > s.decision.At
}

// resolveNewID looks whether the person dismissed what a proposal under a new id
// is about. If newer evidence brought that back, it is about what came back: it
// returns once. What is done does not stand in its way, the id says it is another.
func resolveNewID(tx *sqlite.Tx, a checked) (target, error) {
	list, err := spoken(tx, a.key)
	if err != nil {
		return target{}, err
	}
	dismissed := map[string]bool{}
	for _, r := range list {
		if r.erased || r.decision.Status == Dismissed {
			dismissed[r.first()] = true
		}
	}
	list = slices.DeleteFunc(list, func(r record) bool { return !dismissed[r.first()] })
	if len(list) == 0 {
		return target{newID: a.ID}, nil
	}
	t := about(best(list), a)
	t.newID = a.ID
	return t, nil
}
