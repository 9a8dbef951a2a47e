package activities

import (
	"cmp"
	"slices"
	"time"
)

// Groups returns the groups of ViewTodo in their order.
func Groups() []Group { return slices.Clone(groups) }

var groups = []Group{GroupOverdue, GroupToday, GroupWaiting, GroupRest}

// GroupOf returns the group of an activity that needs the person, by the date
// that the person sees. A date is over as soon as its time is; until then it is
// today's when it lies before the end of the zone's day.
func GroupOf(a Activity, now time.Time, zone *time.Location) Group {
	switch _, _, due := a.Effective(); {
	case due != nil && due.Before(now):
		return GroupOverdue
	case due != nil && due.Before(endOfDay(now, zone)):
		return GroupToday
	case a.Proposal.Kind == KindReply:
		return GroupWaiting
	}
	return GroupRest
}

// endOfDay is the first moment of the zone's next day.
func endOfDay(now time.Time, zone *time.Location) time.Time {
	local := now.In(zone)
	return onTheClock(local.Year(), local.Month(), local.Day()+1, 0, 0, zone, now)
}

// Arrange returns the activities with their groups in the order of Home: the
// groups one after the other; what is overdue or due today by its date; then the
// higher priority first, and of one priority the older.
func Arrange(list []Activity, now time.Time, zone *time.Location) []Item {
	items := make([]Item, len(list))
	for i, a := range list {
		items[i] = Item{Activity: a, Group: GroupOf(a, now, zone)}
	}
	slices.SortFunc(items, compareItems)
	return items
}

func compareItems(a, b Item) int {
	return cmp.Or(
		cmp.Compare(slices.Index(groups, a.Group), slices.Index(groups, b.Group)),
		compareDue(a, b),
		cmp.Compare(rank(b.Proposal.Priority), rank(a.Proposal.Priority)),
		a.CreatedAt.Compare(b.CreatedAt),
		cmp.Compare(a.ID, b.ID),
	)
}

// compareDue orders two of one group; in the later groups dates are further away
// than the matter of the day.
func compareDue(a, b Item) int {
	if a.Group != b.Group || a.Group != GroupOverdue && a.Group != GroupToday {
		return 0
	}
	_, _, dueA := a.Effective()
	_, _, dueB := b.Effective()
	return dueA.Compare(*dueB)
}

// rank is the higher the more a priority matters.
func rank(p Priority) int {
	switch p {
	case PriorityLow:
		return 0
	case PriorityHigh:
		return 2
	}
	return 1
}
