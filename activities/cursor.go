package activities

import (
	"encoding/base64"
	"fmt"
	"math"
	"slices"
	"strconv"
	"strings"

	"personal-workspace/internal/fault"
)

// position is a place in a list: behind the activity with these values.
type position struct {
	// list is the view or group.
	list string
	// first and second are what the list is ordered by before seq.
	first, second, seq int64
}

// top is before the first activity of an ascending list, bottom of a descending
// one.
func top(list string) position {
	return position{list, math.MinInt64, math.MinInt64, math.MinInt64}
}

func bottom(list string) position {
	return position{list, math.MaxInt64, math.MaxInt64, math.MaxInt64}
}

// String is the position as a cursor.
func (p position) String() string {
	return base64.RawURLEncoding.EncodeToString(fmt.Appendf(nil, "%s.%d.%d.%d", p.list, p.first, p.second, p.seq))
}

// maxCursor is the longest cursor, in bytes.
const maxCursor = 200

// parsePosition reads a cursor of one of the lists, or returns an invalid_cursor
// fault.
func parsePosition(cursor string, lists ...string) (p position, err error) {
	bad := badCursor()
	if len(cursor) > maxCursor {
		return p, bad
	}
	b, err := base64.RawURLEncoding.DecodeString(cursor)
	if err != nil {
		return p, bad
	}
	parts := strings.Split(string(b), ".")
	if len(parts) != 4 {
		return p, bad
	}
	for i, n := range []*int64{&p.first, &p.second, &p.seq} {
		if *n, err = strconv.ParseInt(parts[i+1], 10, 64); err != nil {
			return p, bad
		}
	}
	p.list = parts[0]
	if !slices.Contains(lists, p.list) {
		return p, bad
	}
	return p, nil
}

func badCursor() error {
	return fault.New(fault.InvalidCursor, "The cursor is not one of this list; begin again without it.").
		With(fault.DetailField, "cursor").With(fault.DetailReason, "malformed")
}
