package activities_test

import (
	"fmt"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"
	"pgregory.net/rapid"

	"personal-workspace/activities"
)

// due makes a task with this date.
func due(id string, t time.Time) activities.Activity {
	return activities.Activity{ID: id, Proposal: activities.Proposal{Kind: activities.KindTask, DueAt: &t}}
}

// ranked makes a task without a date.
func ranked(id string, p activities.Priority, created time.Time) activities.Activity {
	return activities.Activity{ID: id, CreatedAt: created, Proposal: activities.Proposal{Kind: activities.KindTask, Priority: p}}
}

func TestGroupOf(t *testing.T) {
	now := at(t, "2026-11-25T14:05+01:00")
	later, yesterday := now.Add(time.Hour), now.Add(-24*time.Hour)
	reply := activities.Activity{Proposal: activities.Proposal{Kind: activities.KindReply}}
	dueReply := activities.Activity{Proposal: activities.Proposal{Kind: activities.KindReply, DueAt: &yesterday}}
	moved := due("", yesterday)
	moved.Decision.Edits.DueAt = &activities.Due{At: &later}
	removed := due("", yesterday)
	removed.Decision.Edits.DueAt = &activities.Due{}
	for _, tc := range []struct {
		name string
		a    activities.Activity
		want activities.Group
	}{
		{"a date of yesterday", due("", yesterday), activities.GroupOverdue},
		{"a time of today that has passed", due("", now.Add(-time.Millisecond)), activities.GroupOverdue},
		{"due now", due("", now), activities.GroupToday},
		{"the last minute of today", due("", at(t, "2026-11-25T23:59+01:00")), activities.GroupToday},
		{"midnight is tomorrow", due("", at(t, "2026-11-26T00:00+01:00")), activities.GroupRest},
		{"today in Greenwich, tomorrow here", due("", at(t, "2026-11-25T23:30+00:00")), activities.GroupRest},
		{"no date", ranked("", "", now), activities.GroupRest},
		{"a reply", reply, activities.GroupWaiting},
		{"an overdue reply", dueReply, activities.GroupOverdue},
		{"a date that the person moved", moved, activities.GroupToday},
		{"a date that the person removed", removed, activities.GroupRest},
	} {
		t.Run(tc.name, func(t *testing.T) {
			if got := activities.GroupOf(tc.a, now, zone(t, "Europe/Berlin")); got != tc.want {
				t.Errorf("GroupOf = %s, want %s", got, tc.want)
			}
		})
	}
}

func TestTheDayEndsByTheClockOfTheZone(t *testing.T) {
	for _, tc := range []struct{ name, zone, now, end string }{
		{"a day of 23 hours", "Europe/Berlin", "2026-03-29T00:30+01:00", "2026-03-30T00:00+02:00"},
		{"a day of 25 hours", "Europe/Berlin", "2026-10-25T00:30+02:00", "2026-10-26T00:00+01:00"},
		{"a day of 23 hours", "America/St_Johns", "2026-03-08T00:30-03:30", "2026-03-09T00:00-02:30"},
		{"a day of 25 hours", "America/St_Johns", "2026-11-01T00:30-02:30", "2026-11-02T00:00-03:30"},
		{"a day of 23 and a half hours", "Australia/Lord_Howe", "2026-10-04T00:30+10:30", "2026-10-05T00:00+11:00"},
		{"a day of 24 and a half hours", "Australia/Lord_Howe", "2026-04-05T00:30+11:00", "2026-04-06T00:00+10:30"},
		{"before a day without midnight", "Africa/Cairo", "2026-04-23T12:00+02:00", "2026-04-24T01:00+03:00"},
	} {
		t.Run(tc.zone+", "+tc.name, func(t *testing.T) {
			now, end, z := at(t, tc.now), at(t, tc.end), zone(t, tc.zone)
			got := []activities.Group{
				activities.GroupOf(due("", end.Add(-time.Minute)), now, z),
				activities.GroupOf(due("", end), now, z),
			}
			if diff := cmp.Diff([]activities.Group{activities.GroupToday, activities.GroupRest}, got); diff != "" {
				t.Errorf("groups on both sides of the end (-want +got):\n%s", diff)
			}
		})
	}
}

func TestArrange(t *testing.T) {
	now := at(t, "2026-11-25T14:05+01:00")
	reply := ranked("low reply", activities.PriorityLow, now)
	reply.Proposal.Kind = activities.KindReply
	urgent := due("today, high", at(t, "2026-11-25T20:00+01:00"))
	urgent.Proposal.Priority = activities.PriorityHigh
	far := due("high, due in a month", now.AddDate(0, 1, 0))
	far.Proposal.Priority, far.CreatedAt = activities.PriorityHigh, now

	got := activities.Arrange([]activities.Activity{
		ranked("low, old", activities.PriorityLow, now.Add(-9*time.Hour)),
		ranked("normal, young", activities.PriorityNormal, now),
		ranked("none said, old", "", now.Add(-time.Hour)),
		ranked("high, old", activities.PriorityHigh, now.Add(-time.Hour)),
		far, reply,
		due("today, late", at(t, "2026-11-25T20:00+01:00")),
		urgent,
		due("today, soon", at(t, "2026-11-25T15:00+01:00")),
		due("overdue by an hour", now.Add(-time.Hour)),
		due("overdue by a day", now.Add(-24*time.Hour)),
	}, now, zone(t, "Europe/Berlin"))

	var names []string
	for _, i := range got {
		names = append(names, fmt.Sprintf("%s: %s", i.Group, i.ID))
	}
	want := []string{
		"overdue: overdue by a day", "overdue: overdue by an hour",
		"today: today, soon", "today: today, high", "today: today, late",
		"waiting: low reply",
		"rest: high, old", "rest: high, due in a month", "rest: none said, old", "rest: normal, young", "rest: low, old",
	}
	if diff := cmp.Diff(want, names); diff != "" {
		t.Errorf("order (-want +got):\n%s", diff)
	}
}

// However the activities come, they are arranged in one way.
func TestArrangeDoesNotDependOnTheOrderBefore(t *testing.T) {
	now, z := at(t, "2026-11-25T14:05+01:00"), zone(t, "Europe/Berlin")
	rapid.Check(t, func(rt *rapid.T) {
		var list []activities.Activity
		for i := range rapid.IntRange(0, 12).Draw(rt, "count") {
			a := ranked(fmt.Sprint(i), rapid.SampledFrom([]activities.Priority{"", "low", "normal", "high"}).Draw(rt, "priority"), now.Add(time.Duration(i%3)*time.Minute))
			a.Proposal.Kind = rapid.SampledFrom([]activities.Kind{activities.KindTask, activities.KindReply}).Draw(rt, "kind")
			if hours := rapid.IntRange(-30, 30).Draw(rt, "due"); hours%3 != 0 {
				d := now.Add(time.Duration(hours) * time.Hour)
				a.Proposal.DueAt = &d
			}
			list = append(list, a)
		}
		one := activities.Arrange(list, now, z)
		other := activities.Arrange(rapid.Permutation(list).Draw(rt, "other"), now, z)
		if diff := cmp.Diff(one, other); diff != "" {
			rt.Fatalf("two orders:\n%s", diff)
		}
	})
}
