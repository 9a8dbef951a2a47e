package activities_test

import (
	"testing"
	"time"
	_ "time/tzdata" // the tests name zones of several countries

	"github.com/google/go-cmp/cmp"

	"personal-workspace/activities"
	"personal-workspace/internal/fault"
)

func zone(tb testing.TB, name string) *time.Location {
	tb.Helper()
	z, err := time.LoadLocation(name)
	if err != nil {
		tb.Fatal(err)
	}
	return z
}

// at is a moment with its distance from Greenwich, which tells the two sides of
// a change of the clocks apart.
func at(tb testing.TB, s string) time.Time {
	tb.Helper()
	t, err := time.Parse("2006-01-02T15:04-07:00", s)
	if err != nil {
		tb.Fatal(err)
	}
	return t
}

// offered is a choice as the tests write it.
type offered struct{ name, label, until string }

func offers(list []activities.SnoozeChoice) (out []offered) {
	for _, c := range list {
		out = append(out, offered{c.Name, c.Label, c.Until.Format("Mon 2006-01-02T15:04-07:00")})
	}
	return out
}

func TestSnoozeChoices(t *testing.T) {
	for _, tc := range []struct {
		name, zone, now string
		hours           activities.SnoozeHours
		want            []offered
	}{
		{"in the week", "Europe/Berlin", "2026-11-25T14:05+01:00", activities.SnoozeHours{}, []offered{
			{"evening", "Today 18:00", "Wed 2026-11-25T18:00+01:00"},
			{"tomorrow", "Tomorrow 09:00", "Thu 2026-11-26T09:00+01:00"},
			{"monday", "Monday 09:00", "Mon 2026-11-30T09:00+01:00"},
			{"week", "In 1 week", "Wed 2026-12-02T14:05+01:00"},
		}},
		{"the evening has begun", "Europe/Berlin", "2026-11-25T18:00+01:00", activities.SnoozeHours{}, []offered{
			{"tomorrow", "Tomorrow 09:00", "Thu 2026-11-26T09:00+01:00"},
			{"monday", "Monday 09:00", "Mon 2026-11-30T09:00+01:00"},
			{"week", "In 1 week", "Wed 2026-12-02T18:00+01:00"},
		}},
		{"tomorrow is Monday", "Europe/Berlin", "2026-11-29T20:00+01:00", activities.SnoozeHours{}, []offered{
			{"tomorrow", "Tomorrow 09:00", "Mon 2026-11-30T09:00+01:00"},
			{"week", "In 1 week", "Sun 2026-12-06T20:00+01:00"},
		}},
		{"early on a Monday", "Europe/Berlin", "2026-11-30T07:00+01:00", activities.SnoozeHours{}, []offered{
			{"evening", "Today 18:00", "Mon 2026-11-30T18:00+01:00"},
			{"tomorrow", "Tomorrow 09:00", "Tue 2026-12-01T09:00+01:00"},
			{"week", "In 1 week", "Mon 2026-12-07T07:00+01:00"},
			{"monday", "Monday 09:00", "Mon 2026-12-07T09:00+01:00"},
		}},
		{"hours of one's own", "Europe/Berlin", "2026-11-25T21:00+01:00", activities.SnoozeHours{Morning: 5, Evening: 22}, []offered{
			{"evening", "Today 22:00", "Wed 2026-11-25T22:00+01:00"},
			{"tomorrow", "Tomorrow 05:00", "Thu 2026-11-26T05:00+01:00"},
			{"monday", "Monday 05:00", "Mon 2026-11-30T05:00+01:00"},
			{"week", "In 1 week", "Wed 2026-12-02T21:00+01:00"},
		}},
		{"the day of the person, not of Greenwich", "America/St_Johns", "2026-12-31T23:30-03:30", activities.SnoozeHours{}, []offered{
			{"tomorrow", "Tomorrow 09:00", "Fri 2027-01-01T09:00-03:30"},
			{"monday", "Monday 09:00", "Mon 2027-01-04T09:00-03:30"},
			{"week", "In 1 week", "Thu 2027-01-07T23:30-03:30"},
		}},
		{"the day before the clocks go forward", "Europe/Berlin", "2026-03-28T14:00+01:00", activities.SnoozeHours{}, []offered{
			{"evening", "Today 18:00", "Sat 2026-03-28T18:00+01:00"},
			{"tomorrow", "Tomorrow 09:00", "Sun 2026-03-29T09:00+02:00"},
			{"monday", "Monday 09:00", "Mon 2026-03-30T09:00+02:00"},
			{"week", "In 1 week", "Sat 2026-04-04T14:00+02:00"},
		}},
		{"the night before the clocks go back", "America/St_Johns", "2026-10-31T23:00-02:30", activities.SnoozeHours{}, []offered{
			{"tomorrow", "Tomorrow 09:00", "Sun 2026-11-01T09:00-03:30"},
			{"monday", "Monday 09:00", "Mon 2026-11-02T09:00-03:30"},
			{"week", "In 1 week", "Sat 2026-11-07T23:00-03:30"},
		}},
		{"between the two passes of an hour", "America/St_Johns", "2026-11-01T01:15-03:30", activities.SnoozeHours{Morning: 1, Evening: 2}, []offered{
			{"evening", "Today 02:00", "Sun 2026-11-01T02:00-03:30"},
			{"tomorrow", "Tomorrow 01:00", "Mon 2026-11-02T01:00-03:30"},
			{"week", "In 1 week", "Sun 2026-11-08T01:15-03:30"},
		}},
		{"half an hour forward", "Australia/Lord_Howe", "2026-10-03T12:00+10:30", activities.SnoozeHours{Morning: 2, Evening: 18}, []offered{
			{"evening", "Today 18:00", "Sat 2026-10-03T18:00+10:30"},
			{"tomorrow", "Tomorrow 02:00", "Sun 2026-10-04T02:30+11:00"},
			{"monday", "Monday 02:00", "Mon 2026-10-05T02:00+11:00"},
			{"week", "In 1 week", "Sat 2026-10-10T12:00+11:00"},
		}},
		{"half an hour back", "Australia/Lord_Howe", "2026-04-04T12:00+11:00", activities.SnoozeHours{}, []offered{
			{"evening", "Today 18:00", "Sat 2026-04-04T18:00+11:00"},
			{"tomorrow", "Tomorrow 09:00", "Sun 2026-04-05T09:00+10:30"},
			{"monday", "Monday 09:00", "Mon 2026-04-06T09:00+10:30"},
			{"week", "In 1 week", "Sat 2026-04-11T12:00+10:30"},
		}},
	} {
		t.Run(tc.name, func(t *testing.T) {
			got := offers(activities.SnoozeChoices(at(t, tc.now), zone(t, tc.zone), tc.hours))
			if diff := cmp.Diff(tc.want, got, cmp.AllowUnexported(offered{})); diff != "" {
				t.Errorf("choices (-want +got):\n%s", diff)
			}
		})
	}
}

func TestParseSnoozeUntilReadsTheClockOfTheZone(t *testing.T) {
	for _, tc := range []struct{ name, zone, now, value, want string }{
		{"an ordinary day", "Europe/Berlin", "2026-11-25T14:05+01:00", "2026-11-26T08:30", "2026-11-26T08:30+01:00"},
		{"with seconds", "Europe/Berlin", "2026-11-25T14:05+01:00", "2026-11-26T08:30:00", "2026-11-26T08:30+01:00"},
		{"typed with a space", "Europe/Berlin", "2026-11-25T14:05+01:00", "2026-11-26 08:30", "2026-11-26T08:30+01:00"},
		{"summer from winter", "Europe/Berlin", "2026-02-01T12:00+01:00", "2026-07-01T12:00", "2026-07-01T12:00+02:00"},

		{"Berlin, before the gap", "Europe/Berlin", "2026-03-28T12:00+01:00", "2026-03-29T01:59", "2026-03-29T01:59+01:00"},
		{"Berlin, in the gap", "Europe/Berlin", "2026-03-28T12:00+01:00", "2026-03-29T02:30", "2026-03-29T03:00+02:00"},
		{"Berlin, behind the gap", "Europe/Berlin", "2026-03-28T12:00+01:00", "2026-03-29T03:00", "2026-03-29T03:00+02:00"},
		{"Berlin, in the overlap", "Europe/Berlin", "2026-10-24T12:00+02:00", "2026-10-25T02:30", "2026-10-25T02:30+02:00"},
		{"Berlin, in the overlap when the first has passed", "Europe/Berlin", "2026-10-25T02:45+02:00", "2026-10-25T02:30", "2026-10-25T02:30+01:00"},
		{"Berlin, in the overlap at its first", "Europe/Berlin", "2026-10-25T02:30+02:00", "2026-10-25T02:30", "2026-10-25T02:30+01:00"},
		{"Berlin, behind the overlap", "Europe/Berlin", "2026-10-24T12:00+02:00", "2026-10-25T03:00", "2026-10-25T03:00+01:00"},

		{"St John's, in the gap", "America/St_Johns", "2026-03-07T12:00-03:30", "2026-03-08T02:15", "2026-03-08T03:00-02:30"},
		{"St John's, in the overlap", "America/St_Johns", "2026-10-31T12:00-02:30", "2026-11-01T01:15", "2026-11-01T01:15-02:30"},
		{"St John's, in the overlap when the first has passed", "America/St_Johns", "2026-11-01T01:30-02:30", "2026-11-01T01:15", "2026-11-01T01:15-03:30"},
		{"St John's, a gap a minute behind midnight", "America/St_Johns", "2006-04-01T12:00-03:30", "2006-04-02T00:30", "2006-04-02T01:01-02:30"},

		{"Lord Howe, in the gap of half an hour", "Australia/Lord_Howe", "2026-10-03T12:00+10:30", "2026-10-04T02:15", "2026-10-04T02:30+11:00"},
		{"Lord Howe, in the overlap of half an hour", "Australia/Lord_Howe", "2026-04-04T12:00+11:00", "2026-04-05T01:45", "2026-04-05T01:45+11:00"},
		{"Lord Howe, in the overlap when the first has passed", "Australia/Lord_Howe", "2026-04-05T01:50+11:00", "2026-04-05T01:45", "2026-04-05T01:45+10:30"},

		{"a day that has no midnight", "Africa/Cairo", "2026-04-23T12:00+02:00", "2026-04-24T00:00", "2026-04-24T01:00+03:00"},
		{"a day that never was", "Pacific/Apia", "2011-12-29T12:00-10:00", "2011-12-30T12:00", "2011-12-31T00:00+14:00"},
		{"a zone that never changes", "UTC", "2026-11-25T14:05+00:00", "2026-11-26T08:30", "2026-11-26T08:30+00:00"},
	} {
		t.Run(tc.name, func(t *testing.T) {
			got, err := activities.ParseSnoozeUntil(tc.value, zone(t, tc.zone), at(t, tc.now))
			if err != nil || !got.Equal(at(t, tc.want)) {
				t.Errorf("ParseSnoozeUntil(%s) = %v, %v, want %s", tc.value, got, err, tc.want)
			}
		})
	}
}

func TestParseSnoozeUntilRefuses(t *testing.T) {
	for _, tc := range []struct{ name, value string }{
		{"nothing", ""},
		{"a date alone", "2026-11-26"},
		{"a day that no month has", "2026-02-30T09:00"},
		{"an hour that no day has", "2026-11-26T25:00"},
		{"a year of five digits", "12026-11-26T09:00"},
		{"the year nought", "0000-11-26T09:00"},
		{"a zone of its own", "2026-11-26T09:00Z"},
		{"words", "tomorrow"},
		{"the past", "2026-11-25T14:04"},
		{"now", "2026-11-25T14:05"},
		{"a mistyped year", "2226-11-26T09:00"},
	} {
		t.Run(tc.name, func(t *testing.T) {
			got, err := activities.ParseSnoozeUntil(tc.value, zone(t, "Europe/Berlin"), at(t, "2026-11-25T14:05+01:00"))
			f := fault.From(err)
			if f == nil || f.Code != fault.InvalidArguments || f.Details["field"] != "snoozedUntil" || !got.IsZero() {
				t.Errorf("ParseSnoozeUntil = %v, %+v, want invalid_arguments for snoozedUntil", got, f)
			}
		})
	}
}

// Whatever is typed, what is read is what the clocks of the zone show then, or
// the moment at which they skip it.
func FuzzParseLocal(f *testing.F) {
	for _, s := range []string{"2026-03-29T02:30", "2026-10-25T02:30", "2026-10-04T02:15", "2011-12-30T12:00", "1883-11-18T12:03"} {
		for i := range fuzzZones {
			f.Add(s, uint8(i))
		}
	}
	f.Fuzz(func(t *testing.T, value string, i uint8) {
		z := zone(t, fuzzZones[int(i)%len(fuzzZones)])
		got, err := activities.ParseLocal("dueAt", value, z, time.Unix(0, 0))
		if err != nil {
			return
		}
		typed, err := time.ParseInLocation(activities.LocalLayout, value[:min(len(value), len(activities.LocalLayout))], time.UTC)
		if err != nil {
			return // another spelling
		}
		shown := got.In(z).Format("2006-01-02T15:04:05")
		begin, _ := got.In(z).ZoneBounds()
		if shown != typed.Format("2006-01-02T15:04:05") && !begin.Equal(got) {
			t.Errorf("ParseLocal(%q) in %s = %v, which shows %s", value, z, got, shown)
		}
	})
}

var fuzzZones = []string{"Europe/Berlin", "America/St_Johns", "Australia/Lord_Howe", "Pacific/Apia", "Africa/Cairo", "America/New_York", "UTC"}
