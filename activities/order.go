package activities

import "time"

// groups are those of ViewTodo in their order. A date is over as soon as its time
// is; until then it is today's when it lies before the end of the zone's day. What
// is overdue or due today comes by its date, then the higher priority first, and
// of one priority the older; the other groups begin with the priority.
var groups = []Group{GroupOverdue, GroupToday, GroupWaiting, GroupRest}

// endOfDay is the first moment of the zone's next day.
func endOfDay(now time.Time, zone *time.Location) time.Time {
	local := now.In(zone)
	return onTheClock(local.Year(), local.Month(), local.Day()+1, 0, 0, zone, now)
}
