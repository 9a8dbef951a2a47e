package activities

import (
	"fmt"
	"slices"
	"time"

	"personal-workspace/internal/fault"
)

// SnoozeHours are the hours of the day at which snoozed activities come back.
// The zero value stands for 9 and 18.
type SnoozeHours struct {
	// Morning and Evening are full hours from 0 to 23.
	Morning, Evening int
}

// The hours that hold until the person chooses others.
const (
	defaultMorning = 9
	defaultEvening = 18
)

// Check returns an invalid_arguments fault for hours that are none, and for an
// evening that does not come after the morning.
func (h SnoozeHours) Check() error {
	if h.Morning < 0 || h.Morning > 23 {
		return fault.Invalid("morning", "The morning begins at an hour from 0 to 23; choose one.")
	}
	if h.Evening <= h.Morning || h.Evening > 23 {
		return fault.Invalid("evening", "The evening is a later hour than the morning, up to 23; choose one.")
	}
	return nil
}

// OrDefault are the hours, or those that hold until the person chooses.
func (h SnoozeHours) OrDefault() SnoozeHours {
	if h == (SnoozeHours{}) {
		return SnoozeHours{Morning: defaultMorning, Evening: defaultEvening}
	}
	return h
}

// SnoozeChoice is a time that a snooze can be set to by its name.
type SnoozeChoice struct {
	// Name is "evening", "tomorrow", "monday" or "week".
	Name string
	// Label is what the person reads, with the time of day.
	Label string
	// Until is when the activity comes back, later than now.
	Until time.Time
}

// SnoozeChoices returns the times on offer at now, soonest first: this evening
// unless it has begun, tomorrow morning, Monday morning unless that is tomorrow,
// and the same time in a week. Days and hours are those of the zone.
func SnoozeChoices(now time.Time, zone *time.Location, hours SnoozeHours) []SnoozeChoice {
	hours, local := hours.OrDefault(), now.In(zone)
	in := func(days, hour, minute int) time.Time {
		return onTheClock(local.Year(), local.Month(), local.Day()+days, hour, minute, zone, now)
	}
	toMonday := (int(time.Monday)-int(local.Weekday())+6)%7 + 1
	list := make([]SnoozeChoice, 0, 4)
	if t := in(0, hours.Evening, 0); t.After(now) {
		list = append(list, SnoozeChoice{"evening", clockLabel("Today", hours.Evening), t})
	}
	list = append(list, SnoozeChoice{"tomorrow", clockLabel("Tomorrow", hours.Morning), in(1, hours.Morning, 0)})
	if toMonday > 1 {
		list = append(list, SnoozeChoice{"monday", clockLabel("Monday", hours.Morning), in(toMonday, hours.Morning, 0)})
	}
	week := SnoozeChoice{"week", "In 1 week", in(7, local.Hour(), local.Minute())}
	if last := len(list) - 1; list[last].Until.After(week.Until) {
		return append(list[:last], week, list[last])
	}
	return append(list, week)
}

func clockLabel(day string, hour int) string { return fmt.Sprintf("%s %02d:00", day, hour) }

// LocalLayout is how a datetime-local field of a page writes a time.
const LocalLayout = "2006-01-02T15:04"

// localLayouts are the spellings that browsers send.
var localLayouts = []string{LocalLayout, "2006-01-02T15:04:05", "2006-01-02 15:04"}

// ParseLocal reads the value of a datetime-local field as a time in the zone.
// Where the clocks are put back and a time comes twice it is the first, or the
// second once the first has passed; where they are put forward and there is no
// such time it is the moment of the change. Anything else is an invalid_arguments
// fault for the field.
func ParseLocal(field, value string, zone *time.Location, now time.Time) (time.Time, error) {
	for _, layout := range localLayouts {
		if t, err := time.Parse(layout, value); err == nil && t.Year() > 0 {
			return onTheClock(t.Year(), t.Month(), t.Day(), t.Hour(), t.Minute(), zone, now), nil
		}
	}
	return time.Time{}, fault.Invalid(field, "This is not a date and a time; write it as in %s.", now.In(zone).Format(LocalLayout))
}

// longestSnooze keeps a mistyped year from hiding an activity for good.
const longestSnooze = 10

// ParseSnoozeUntil reads the time that the person gave a snooze, which must be
// later than now and within ten years. The fault names the field snoozedUntil.
func ParseSnoozeUntil(value string, zone *time.Location, now time.Time) (time.Time, error) {
	const field = "snoozedUntil"
	t, err := ParseLocal(field, value, zone, now)
	switch {
	case err != nil:
		return time.Time{}, err
	case !t.After(now):
		return time.Time{}, fault.Invalid(field, "This time has passed; choose a later one.")
	case t.After(now.AddDate(longestSnooze, 0, 0)):
		return time.Time{}, fault.Invalid(field, "This is more than %d years away; choose an earlier time.", longestSnooze)
	}
	return t, nil
}

// onTheClock returns when clocks of the zone show this time on this day, which
// may lie outside its month. If they show it twice it is the first, or the second
// once the first has passed; if they never do, it is the moment at which they skip
// it.
func onTheClock(year int, month time.Month, day, hour, minute int, zone *time.Location, now time.Time) time.Time {
	face := time.Date(year, month, day, hour, minute, 0, 0, time.UTC)
	near := time.Date(year, month, day, hour, minute, 0, 0, zone)
	begin, end := near.ZoneBounds()
	var shown []time.Time
	for _, t := range []time.Time{begin.Add(-1), near, end} {
		_, offset := t.Zone()
		at := face.Add(-time.Duration(offset) * time.Second).In(zone)
		if faceOf(at).Equal(face) {
			shown = append(shown, at)
		}
	}
	slices.SortFunc(shown, time.Time.Compare)
	for _, t := range shown {
		if t.After(now) {
			return t
		}
	}
	switch {
	case len(shown) > 0:
		return shown[0]
	case faceOf(near).After(face):
		return begin
	}
	return end
}

// faceOf is what clocks show at t, as a time of UTC.
func faceOf(t time.Time) time.Time {
	return time.Date(t.Year(), t.Month(), t.Day(), t.Hour(), t.Minute(), t.Second(), 0, time.UTC)
}
