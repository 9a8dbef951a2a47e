package decks

import (
	"reflect"
	"slices"
)

// Difference says what a version of a deck did to a column.
type Difference string

// The differences.
const (
	Same    Difference = "same"
	Changed Difference = "changed"
	Added   Difference = "added"
	Removed Difference = "removed"
	// Moved: the column is as it was, in another place.
	Moved Difference = "moved"
	// Absent: the column is neither in this version nor was it before.
	Absent Difference = "absent"
)

// ColumnDiff is one column in three versions of a deck.
type ColumnDiff struct {
	// ID is "" for a new column that has none yet.
	ID string
	// Before, Mine and Theirs are the column in each version; nil where it is
	// not there.
	Before, Mine, Theirs *Column
	// MineAt and TheirsAt are its places, counted from 1; 0 where it is not there.
	MineAt, TheirsAt int
	// MineDid and TheirsDid say what each version did to the column of before.
	MineDid, TheirsDid Difference
}

// Agree reports whether both versions have the column alike; its place aside.
func (d ColumnDiff) Agree() bool { return reflect.DeepEqual(d.Mine, d.Theirs) }

// Compare lists the columns of two versions that were both made from before:
// those of theirs in their order, then those of mine alone, then those that
// neither has any more. Two columns are the same when their ids are; one without
// an id is always new. What was both changed and moved counts as changed.
func Compare(before, mine, theirs []Column) []ColumnDiff {
	var list []ColumnDiff
	seen := map[string]bool{}
	mineMoved, theirsMoved := moved(before, mine), moved(before, theirs)
	for _, version := range [][]Column{theirs, mine, before} {
		for i, c := range version {
			if c.ID != "" && seen[c.ID] {
				continue
			}
			seen[c.ID] = true
			d := ColumnDiff{ID: c.ID}
			d.Before, _ = columnAt(before, c.ID)
			d.Mine, d.MineAt = columnAt(mine, c.ID)
			d.Theirs, d.TheirsAt = columnAt(theirs, c.ID)
			if c.ID == "" {
				d.Mine, d.MineAt = &version[i], i+1
			}
			d.MineDid = did(d.Before, d.Mine, mineMoved[c.ID])
			d.TheirsDid = did(d.Before, d.Theirs, theirsMoved[c.ID])
			list = append(list, d)
		}
	}
	return list
}

func columnAt(columns []Column, id string) (*Column, int) {
	i := slices.IndexFunc(columns, hasID(id))
	if id == "" || i < 0 {
		return nil, 0
	}
	return &columns[i], i + 1
}

func did(before, now *Column, moved bool) Difference {
	switch {
	case before == nil && now == nil:
		return Absent
	case before == nil:
		return Added
	case now == nil:
		return Removed
	case !reflect.DeepEqual(before, now):
		return Changed
	case moved:
		return Moved
	}
	return Same
}

// moved returns the fewest columns whose moves explain the order of now: those
// of both that are not in their longest common order.
func moved(before, now []Column) map[string]bool {
	kept := map[string]bool{}
	for _, c := range commonOrder(before, now) {
		kept[c.ID] = true
	}
	out := map[string]bool{}
	for _, c := range now {
		if _, i := columnAt(before, c.ID); i > 0 && !kept[c.ID] {
			out[c.ID] = true
		}
	}
	return out
}

// commonOrder is the longest common subsequence; a deck's columns are few.
func commonOrder(a, b []Column) []Column {
	if len(a) == 0 || len(b) == 0 {
		return nil
	}
	if a[0].ID == b[0].ID && a[0].ID != "" {
		return append([]Column{a[0]}, commonOrder(a[1:], b[1:])...)
	}
	x, y := commonOrder(a, b[1:]), commonOrder(a[1:], b)
	if len(y) > len(x) {
		return y
	}
	return x
}
