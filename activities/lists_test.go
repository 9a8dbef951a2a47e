package activities_test

import (
	"fmt"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"

	"personal-workspace/activities"
	"personal-workspace/internal/fault"
	"personal-workspace/internal/ledger"
)

// titles are those of a page with their groups.
func titles(p activities.Page) (list []string) {
	for _, i := range p.Items {
		title, _, _ := i.Effective()
		list = append(list, strings.TrimSpace(fmt.Sprint(i.Group, " ", title)))
	}
	return list
}

// pages reads a list to its end, a few activities at a time.
func pages(t *testing.T, w *world, q activities.Query, between func()) (list []string) {
	t.Helper()
	for range 100 {
		p, err := w.List(w.person, q)
		if err != nil {
			t.Fatal(err)
		}
		list = append(list, titles(p)...)
		if q.After = p.Next; q.After == "" {
			return list
		}
		between()
	}
	t.Fatal("the list has no end")
	return nil
}

// publishDay publishes what a day of the person may hold.
func publishDay(t *testing.T, w *world) {
	t.Helper()
	at := func(h int) *time.Time { return new(noon.Add(time.Duration(h) * time.Hour)) }
	answer := func(title string, p activities.Priority) activities.Proposal {
		return activities.Proposal{Kind: activities.KindReply, Title: title, Priority: p, Source: &activities.Source{ConnectionID: "conn_b", ConversationKey: title}}
	}
	w.publish(t,
		activities.Proposal{Kind: "task", Title: "low", Priority: "low"},
		activities.Proposal{Kind: "task", Title: "normal"},
		activities.Proposal{Kind: "task", Title: "high", Priority: "high"},
		activities.Proposal{Kind: "task", Title: "tomorrow and high", Priority: "high", DueAt: at(20)},
		activities.Proposal{Kind: "task", Title: "tonight", DueAt: at(9)},
		activities.Proposal{Kind: "task", Title: "soon", DueAt: at(1)},
		activities.Proposal{Kind: "task", Title: "late", DueAt: at(-1)},
		activities.Proposal{Kind: "task", Title: "very late", DueAt: at(-48)},
		answer("answer", ""), answer("answer first", "high"),
		activities.Proposal{Kind: "reply", Title: "answer today", DueAt: at(2)},
	)
}

func TestWhatNeedsThePersonComesByItsNeed(t *testing.T) {
	want := []string{
		"overdue very late", "overdue late", "today soon", "today answer today", "today tonight",
		"waiting answer first", "waiting answer", "rest high", "rest tomorrow and high", "rest normal", "rest low",
	}
	for _, limit := range []int{1, 2, 3, 5, 11, 50} {
		t.Run(fmt.Sprint(limit, " a page"), func(t *testing.T) {
			w := newWorld(t)
			publishDay(t, w)
			if diff := cmp.Diff(want, pages(t, w, activities.Query{Limit: limit}, func() {})); diff != "" {
				t.Errorf("list (-want +got):\n%s", diff)
			}
		})
	}
}

func TestTheOrderIsThatOfTheList(t *testing.T) {
	w := newWorld(t)
	publishDay(t, w)
	w.decide(t, activities.VerbDone, "act_1")
	w.decide(t, activities.VerbDone, "act_2")
	w.decide(t, activities.VerbSnooze, "act_3")
	for _, q := range []activities.Query{
		{}, {Kind: activities.KindReply}, {View: activities.ViewSnoozed}, {View: activities.ViewDone}, {View: activities.ViewAll},
	} {
		p, err := w.List(w.person, q)
		if err != nil {
			t.Fatal(err)
		}
		var want []activities.Ordered
		for _, i := range p.Items {
			want = append(want, activities.Ordered{ID: i.ID, Group: i.Group})
		}
		got, err := w.Order(w.person, q)
		if err != nil || len(want) == 0 {
			t.Fatalf("Order(%+v) = %v; the list has %d", q, err, len(want))
		}
		if diff := cmp.Diff(want, got); diff != "" {
			t.Errorf("Order(%+v) (-list +order):\n%s", q, diff)
		}
	}
}

func TestTheDayEndsInThePersonsZone(t *testing.T) {
	w := newWorld(t)
	p := task("at 23:30 UTC")
	p.DueAt = new(noon.Add(11*time.Hour + 30*time.Minute))
	w.publish(t, p)
	for zone, want := range map[*time.Location]string{time.UTC: "today", time.FixedZone("JST", 9*3600): "rest", time.FixedZone("EST", -5*3600): "today"} {
		got, err := w.List(w.person, activities.Query{Zone: zone})
		if err != nil || string(got.Items[0].Group) != want {
			t.Errorf("group in %v = %v, %v, want %s", zone, got.Items, err, want)
		}
	}
}

func TestAnEditedDateMovesAnActivity(t *testing.T) {
	w := newWorld(t)
	w.publish(t, task("a"))
	edit(t, w, activities.Edit{ID: "act_1", DueAt: &activities.Due{At: new(noon.Add(-time.Hour))}})
	if got, want := pages(t, w, activities.Query{}, nil), []string{"overdue a"}; !slices.Equal(got, want) {
		t.Errorf("list = %v, want %v", got, want)
	}
}

func TestViews(t *testing.T) {
	w := newWorld(t)
	w.publish(t, task("a"), task("b"), task("c"), task("d"), task("e"), task("f"), task("g"), task("h"), task("erased"))
	snooze(t, w, activities.VerbSnooze, "act_1", new(noon.Add(3*time.Hour)), false)
	snooze(t, w, activities.VerbSnooze, "act_2", new(noon.Add(2*time.Hour)), false)
	snooze(t, w, activities.VerbWait, "act_3", nil, true)
	for _, d := range []struct {
		verb activities.Verb
		id   string
	}{{activities.VerbDone, "act_4"}, {activities.VerbDone, "act_5"}, {activities.VerbDismiss, "act_6"}, {activities.VerbAccept, "act_7"}} {
		w.pass(time.Minute)
		w.decide(t, d.verb, d.id)
	}
	if err := w.Erase(w.person, "act_9"); err != nil {
		t.Fatal(err)
	}
	for view, want := range map[activities.View][]string{
		"":                       {"rest g", "rest h"},
		activities.ViewSnoozed:   {"b", "a", "c"},
		activities.ViewDone:      {"e", "d"},
		activities.ViewDismissed: {"f"},
		activities.ViewAll:       {"h", "g", "f", "e", "d", "c", "b", "a"},
	} {
		t.Run("view "+string(view), func(t *testing.T) {
			for _, limit := range []int{1, 2, 50} {
				if diff := cmp.Diff(want, pages(t, w, activities.Query{View: view, Limit: limit}, func() {})); diff != "" {
					t.Errorf("list by %d (-want +got):\n%s", limit, diff)
				}
			}
			p, err := w.List(w.person, activities.Query{View: view, Limit: 1})
			if err != nil || p.Total != len(want) {
				t.Errorf("total = %d, %v, want %d", p.Total, err, len(want))
			}
		})
	}
	got, err := w.Counts(w.person)
	want := activities.Counts{NeedsYou: 2, Tasks: 2, Snoozed: 3, Done: 2, Dismissed: 1}
	if got != want || err != nil {
		t.Errorf("counts = %+v, %v, want %+v", got, err, want)
	}
}

func TestFilters(t *testing.T) {
	w := newWorld(t)
	publishDay(t, w)
	other := ledger.WithActor(t.Context(), ledger.Actor{Kind: ledger.Caller, ID: "tok_1"})
	if _, err := w.Publish(other, activities.Publication{RequestID: "x", ExpectedRevision: 1, Activities: []activities.Proposal{task("theirs")}}); err != nil {
		t.Fatal(err)
	}
	for _, tc := range []struct {
		name string
		in   activities.Query
		want []string
	}{
		{"replies", activities.Query{Kind: activities.KindReply}, []string{"today answer today", "waiting answer first", "waiting answer"}},
		{"an account", activities.Query{ConnectionID: "conn_b"}, []string{"waiting answer first", "waiting answer"}},
		{"a proposer", activities.Query{Proposer: "tok_1"}, []string{"rest theirs"}},
		{"all of them", activities.Query{Proposer: "tok_1", Kind: activities.KindReply}, nil},
		{"all views", activities.Query{View: activities.ViewAll, ConnectionID: "conn_b"}, []string{"answer first", "answer"}},
	} {
		t.Run(tc.name, func(t *testing.T) {
			if diff := cmp.Diff(tc.want, pages(t, w, tc.in, nil)); diff != "" {
				t.Errorf("list (-want +got):\n%s", diff)
			}
			if p, err := w.List(w.person, tc.in); p.Total != len(tc.want) || err != nil {
				t.Errorf("total = %d, %v, want %d", p.Total, err, len(tc.want))
			}
		})
	}
	if got, err := w.Proposers(w.person); !slices.Equal(got, []string{"anonymous", "tok_1"}) || err != nil {
		t.Errorf("proposers = %v, %v", got, err)
	}
}

func TestGroupsAreCounted(t *testing.T) {
	w := newWorld(t)
	publishDay(t, w)
	p, err := w.List(w.person, activities.Query{Limit: 1})
	want := map[activities.Group]int{"overdue": 2, "today": 3, "waiting": 2, "rest": 4}
	if diff := cmp.Diff(want, p.Groups); diff != "" || err != nil {
		t.Errorf("groups = %v (-want +got):\n%s", err, diff)
	}
}

func TestListsThatAreRefused(t *testing.T) {
	w := newWorld(t)
	publishDay(t, w)
	todo, err := w.List(w.person, activities.Query{Limit: 1})
	if err != nil {
		t.Fatal(err)
	}
	for name, tc := range map[string]struct {
		in   activities.Query
		want fault.Code
	}{
		"no such view":      {activities.Query{View: "x"}, "invalid_arguments"},
		"too many":          {activities.Query{Limit: 201}, "invalid_arguments"},
		"less than none":    {activities.Query{Limit: -1}, "invalid_arguments"},
		"no cursor":         {activities.Query{After: "x"}, "invalid_cursor"},
		"another's cursor":  {activities.Query{View: activities.ViewAll, After: todo.Next}, "invalid_cursor"},
		"a very long one":   {activities.Query{After: strings.Repeat("a", 10_000)}, "invalid_cursor"},
		"one of a bad form": {activities.Query{After: "cmVzdC4x"}, "invalid_cursor"},
	} {
		t.Run(name, func(t *testing.T) {
			if _, err := w.List(w.person, tc.in); fault.CodeOf(err) != tc.want {
				t.Errorf("fault = %v, want %s", err, tc.want)
			}
		})
	}
}

func TestAnActivityIsStaleWhenItsAccountIsGone(t *testing.T) {
	w := newWorld(t)
	w.publish(t, about(page, noon), activities.Proposal{Kind: "task", Title: "withdrawn", Withdrawn: true}, task("fresh"))
	w.accounts.list = nil
	for id, want := range map[string]bool{"act_1": true, "act_2": true, "act_3": false} {
		if got := w.get(t, id).Stale; got != want {
			t.Errorf("%s stale = %v, want %v", id, got, want)
		}
	}
}
