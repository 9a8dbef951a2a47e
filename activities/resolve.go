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

// finder finds what the proposals of a publication are about.
type finder struct {
	tx *sqlite.Tx
	// read are the records about the keys that were looked for: there may be
	// thousands about one, and a hundred proposals of it.
	read map[string][]record
}

// resolve finds what a proposal is about. Without an id that is the open activity
// of its key, else the one that was closed last.
func (f finder) resolve(a checked) (target, error) {
	if a.ID == "" {
		return f.resolveKey(a)
	}
	r, ok, err := findOrNone(f.tx, a.ID)
	if err != nil {
		return target{}, err
	}
	if !ok {
		return f.resolveNewID(a)
	}
	if r.own {
		return target{record: r, act: keep}, nil
	}
	if r, err = follow(f.tx, r); err != nil {
		return target{}, err
	}
	if r.open() && !r.own && r.key != a.key {
		// It may not become what the person dismissed elsewhere.
		if t, err := f.resolveNewID(a); err != nil || t.act == keep {
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

func (f finder) resolveKey(a checked) (target, error) {
	list, err := f.spoken(a.key)
	if err != nil || len(list) == 0 {
		return target{}, err
	}
	return f.about(best(list), a)
}

// about is what a proposal does to a record of a key, which is without its text.
func (f finder) about(r record, a checked) (target, error) {
	t := about(r, a)
	if t.act != update {
		return t, nil
	}
	whole, err := find(f.tx, r.id)
	t.record = whole
	return t, err
}

// spoken are the records about one thing that say something about it, without
// their texts: a task that the person made and took back is no word against
// proposing it.
func (f finder) spoken(key string) ([]record, error) {
	if list, ok := f.read[key]; ok {
		return list, nil
	}
	list, err := findKey(f.tx, key)
	if err != nil {
		return nil, err
	}
	f.read[key] = slices.DeleteFunc(list, record.takenBack)
	return f.read[key], nil
}

// forget is for a record that was about one thing and is about another now.
func (f finder) forget(keys ...string) {
	for _, key := range keys {
		delete(f.read, key)
	}
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
func (f finder) resolveNewID(a checked) (target, error) {
	all, err := f.spoken(a.key)
	if err != nil {
		return target{}, err
	}
	dismissed := map[string]bool{}
	for _, r := range all {
		if r.erased || r.decision.Status == Dismissed {
			dismissed[r.first()] = true
		}
	}
	var list []record
	for _, r := range all {
		if dismissed[r.first()] {
			list = append(list, r)
		}
	}
	if len(list) == 0 {
		return target{newID: a.ID}, nil
	}
	t, err := f.about(best(list), a)
	t.newID = a.ID
	return t, err
}
