package activities_test

import (
	"cmp"
	"fmt"
	"slices"
	"testing"
	"time"

	gocmp "github.com/google/go-cmp/cmp"
	"pgregory.net/rapid"

	"personal-workspace/activities"
)

// arranged is the order of need written down once more, the plain way.
func arranged(list []activities.Activity, now time.Time, zone *time.Location) []activities.Item {
	day := func(t time.Time) string { return t.In(zone).Format(time.DateOnly) }
	group := func(a activities.Activity) activities.Group {
		switch _, _, due := a.Effective(); {
		case due != nil && due.Before(now):
			return activities.GroupOverdue
		case due != nil && day(*due) == day(now):
			return activities.GroupToday
		case a.Proposal.Kind == activities.KindReply:
			return activities.GroupWaiting
		}
		return activities.GroupRest
	}
	var items []activities.Item
	for _, a := range list {
		items = append(items, activities.Item{Activity: a, Group: group(a)})
	}
	groups := []activities.Group{activities.GroupOverdue, activities.GroupToday, activities.GroupWaiting, activities.GroupRest}
	priorities := []activities.Priority{activities.PriorityHigh, activities.PriorityNormal, activities.PriorityLow}
	slices.SortStableFunc(items, func(a, b activities.Item) int {
		byDate := 0
		if a.Group == b.Group && a.Group != activities.GroupWaiting && a.Group != activities.GroupRest {
			_, _, dueA := a.Effective()
			_, _, dueB := b.Effective()
			byDate = dueA.Compare(*dueB)
		}
		return cmp.Or(
			cmp.Compare(slices.Index(groups, a.Group), slices.Index(groups, b.Group)),
			byDate,
			cmp.Compare(slices.Index(priorities, cmp.Or(a.Proposal.Priority, activities.PriorityNormal)),
				slices.Index(priorities, cmp.Or(b.Proposal.Priority, activities.PriorityNormal))),
		)
	})
	return items
}

// Whatever was proposed and decided, on days that the clocks change too, the
// pages of the list are one after the other the order of need.
func TestPagesAreInTheOrderOfNeed(t *testing.T) {
	w := newWorld(t) // one database for all runs; each reads what it proposed itself
	run := 0
	moments := []time.Time{at(t, "2026-03-29T00:30+01:00"), at(t, "2026-10-25T02:15+02:00"), at(t, "2026-10-03T16:00+00:00"), noon}
	rapid.Check(t, func(rt *rapid.T) {
		run++
		z := zone(t, rapid.SampledFrom([]string{"Europe/Berlin", "America/St_Johns", "Australia/Lord_Howe", "UTC"}).Draw(rt, "zone"))
		w.now = rapid.SampledFrom(moments).Draw(rt, "now")
		w.caller = w.as(t, fmt.Sprint("tok_", run))
		open := proposeAny(t, rt, w)

		var got []activities.Item
		q := activities.Query{Proposer: fmt.Sprint("tok_", run), Zone: z, Limit: rapid.IntRange(1, 5).Draw(rt, "limit")}
		for first := true; first || q.After != ""; first = false {
			p, err := w.List(w.person, q)
			if err != nil {
				rt.Fatal(err)
			}
			got, q.After = append(got, p.Items...), p.Next
		}

		if diff := gocmp.Diff(arranged(open, w.now, z), got); diff != "" {
			rt.Fatalf("items (-want +got):\n%s", diff)
		}
	})
}

// proposeAny proposes some activities, lets the person decide about some of them
// and returns those that still need the person, oldest first.
func proposeAny(t *testing.T, rt *rapid.T, w *world) (open []activities.Activity) {
	dates := rapid.Custom(func(rt *rapid.T) *time.Time {
		minutes := rapid.IntRange(-30*60, 50*60).Draw(rt, "minutes")
		if minutes%3 == 0 {
			return nil
		}
		return new(w.now.Add(time.Duration(minutes) * time.Minute))
	})
	var list []activities.Proposal
	for i := range rapid.IntRange(1, 8).Draw(rt, "count") {
		list = append(list, activities.Proposal{
			Kind: rapid.SampledFrom([]activities.Kind{"task", "reply"}).Draw(rt, "kind"), Title: fmt.Sprint("activity ", i),
			Priority: rapid.SampledFrom([]activities.Priority{"", "low", "normal", "high"}).Draw(rt, "priority"), DueAt: dates.Draw(rt, "due"),
		})
	}
	for _, id := range ids(w.publish(t, list...)) {
		switch rapid.IntRange(0, 6).Draw(rt, "decision") {
		case 0:
			w.decide(t, activities.VerbSnooze, id)
		case 1:
			w.decide(t, activities.VerbDone, id)
		case 2:
			w.decide(t, activities.VerbAccept, id)
		case 3:
			edit(t, w, activities.Edit{ID: id, DueAt: &activities.Due{At: dates.Draw(rt, "edited due")}})
		}
		if a := w.get(t, id); a.Decision.Status == activities.Proposed || a.Decision.Status == activities.Accepted {
			open = append(open, a)
		}
	}
	return open
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
			w := newWorld(t)
			w.now = at(t, tc.now)
			last, first := task("last minute"), task("first moment")
			last.DueAt, first.DueAt = new(at(t, tc.end).Add(-time.Minute)), new(at(t, tc.end))
			w.publish(t, last, first)

			got := pages(t, w, activities.Query{Zone: zone(t, tc.zone)}, nil)

			if diff := gocmp.Diff([]string{"today last minute", "rest first moment"}, got); diff != "" {
				t.Errorf("both sides of the end (-want +got):\n%s", diff)
			}
		})
	}
}
