package activities_test

import (
	"fmt"
	"slices"
	"testing"

	"github.com/google/go-cmp/cmp"

	"personal-workspace/activities"
	"personal-workspace/internal/fault"
)

// walk reads the whole context, and does something between the pages.
func walk(t *testing.T, w *world, q activities.ContextQuery, between func(page int)) (list []string) {
	t.Helper()
	for page := range 100 {
		p, err := w.Context(w.caller, q)
		if err != nil {
			t.Fatal(err)
		}
		for _, a := range p.Activities {
			list = append(list, a.ID)
		}
		if q.Cursor = p.NextCursor; q.Cursor == "" {
			return list
		}
		between(page)
	}
	t.Fatal("the context has no end")
	return nil
}

func TestTheContextStaysRightWhileThingsChange(t *testing.T) {
	w := newWorld(t)
	var list []activities.Proposal
	for i := range 10 {
		list = append(list, task(fmt.Sprint("task ", i)))
	}
	want := ids(w.publish(t, list...))
	slices.Reverse(want)

	got := walk(t, w, activities.ContextQuery{Limit: 3}, func(page int) {
		switch page {
		case 0:
			w.decide(t, activities.VerbDone, "act_10", "act_5", "act_1")
			w.publish(t, task("new"))
		case 1:
			w.decide(t, activities.VerbReopen, "act_10", "act_5")
			w.decide(t, activities.VerbDismiss, "act_2")
		}
	})

	if diff := cmp.Diff(want, got); diff != "" {
		t.Errorf("context (-want +got):\n%s", diff)
	}
}

func TestAContextPageCanBeContinuedInTheMiddle(t *testing.T) {
	w := newWorld(t)
	w.publish(t, task("a"), task("b"), task("c"))
	for name, q := range map[string]activities.ContextQuery{
		"all":    {},
		"by ids": {IDs: []string{"act_3", "act_2", "act_1"}},
	} {
		t.Run(name, func(t *testing.T) {
			p, err := w.Context(w.caller, q)
			if err != nil || p.NextCursor != "" || len(p.Activities) != 3 || p.Revision != 1 {
				t.Fatalf("page = %+v, %v", p, err)
			}
			q.Cursor = p.CursorAfter(0)
			p, err = w.Context(w.caller, q)
			if err != nil || len(p.Activities) != 2 || p.Activities[0].ID != "act_2" {
				t.Errorf("behind the first = %+v, %v, want act_2 and act_1", p, err)
			}
		})
	}
}

func TestTheContextTellsWhatWasDecided(t *testing.T) {
	w := newWorld(t)
	w.publish(t, task("a"), reply("draft"))
	if _, err := w.Decide(w.person, activities.Decide{IDs: []string{"act_1"}, Verb: activities.VerbDismiss, Reason: "not mine"}); err != nil {
		t.Fatal(err)
	}
	edit(t, w, activities.Edit{ID: "act_2", Body: new("my words")})

	p, err := w.Context(w.caller, activities.ContextQuery{})

	if err != nil || p.Revision != 3 {
		t.Fatalf("revision = %d, %v, want 3", p.Revision, err)
	}
	if got, want := words(p.Activities[1].Decision), "dismissed: not mine (12:00)"; got != want {
		t.Errorf("decision = %q, want %q", got, want)
	}
	if _, body, _ := p.Activities[0].Effective(); body != "my words" {
		t.Errorf("body = %q", body)
	}
}

func TestContextsThatAreRefused(t *testing.T) {
	w := newWorld(t)
	w.publish(t, task("a"))
	for name, tc := range map[string]struct {
		in    activities.ContextQuery
		code  fault.Code
		field any
	}{
		"too many":                {activities.ContextQuery{Limit: 101}, "invalid_arguments", "limit"},
		"less than none":          {activities.ContextQuery{Limit: -1}, "invalid_arguments", "limit"},
		"too many ids":            {activities.ContextQuery{IDs: make([]string, 101)}, "limit_exceeded", "activityIds"},
		"an id that is not there": {activities.ContextQuery{IDs: []string{"act_1", "act_9"}}, "not_found", "activityIds[1]"},
		"no cursor":               {activities.ContextQuery{Cursor: "x"}, "invalid_cursor", "cursor"},
	} {
		t.Run(name, func(t *testing.T) {
			_, err := w.Context(w.caller, tc.in)
			if f := fault.From(err); f == nil || f.Code != tc.code || f.Details["field"] != tc.field {
				t.Errorf("fault = %v, want %s of %v", err, tc.code, tc.field)
			}
		})
	}
}

func FuzzContextCursor(f *testing.F) {
	w := newWorld(f)
	w.publish(f, task("a"), task("b"))
	p, err := w.Context(w.caller, activities.ContextQuery{Limit: 1})
	if err != nil {
		f.Fatal(err)
	}
	f.Add(p.NextCursor)
	f.Add("")
	f.Add("Y29udGV4dC4wLjAuMA")
	f.Fuzz(func(t *testing.T, cursor string) {
		for _, q := range []activities.ContextQuery{{Cursor: cursor}, {Cursor: cursor, IDs: []string{"act_1"}}} {
			if _, err := w.Context(w.caller, q); err != nil && fault.CodeOf(err) != fault.InvalidCursor {
				t.Errorf("Context(%q) = %v, want an invalid_cursor fault", cursor, err)
			}
		}
		for _, v := range []activities.View{activities.ViewTodo, activities.ViewSnoozed, activities.ViewDone, activities.ViewAll} {
			if _, err := w.List(w.person, activities.Query{View: v, After: cursor}); err != nil && fault.CodeOf(err) != fault.InvalidCursor {
				t.Errorf("List(%q) = %v, want an invalid_cursor fault", cursor, err)
			}
		}
	})
}
