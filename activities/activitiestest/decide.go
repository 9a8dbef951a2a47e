package activitiestest

import (
	"strings"
	"time"

	"personal-workspace/activities"
	"personal-workspace/internal/fault"
)

func verb(v activities.Verb, ids ...string) Operation {
	return Operation{Decide: &activities.Decide{IDs: ids, Verb: v}}
}

// own makes the person's task bike.
func own(title string) Operation {
	return Operation{Create: &activities.Own{ID: "bike", Title: title}}
}

func ownState(title string) State {
	return State{ID: "bike", Title: title, Kind: activities.KindTask, Status: activities.Accepted, Own: true}
}

// decisions are the person's, about the tasks milk and tea.
func (w World) decisions() []Case {
	given := []Operation{publication("r1", 0, task("milk", "Buy milk"), task("tea", "Make tea"))}
	tea := proposedTask("tea", "Make tea")
	decided := func(name string, op Operation, change func(milk *State), before ...Operation) Case {
		milk := proposedTask("milk", "Buy milk")
		change(&milk)
		return Case{Name: name, Given: append(given[:1:1], before...), Op: op, Revision: int64(len(before)) + 2, Want: []State{milk, tea}}
	}
	is := func(s activities.Status) func(*State) { return func(milk *State) { milk.Status = s } }
	until := w.Now.Add(time.Hour)
	snooze := Operation{Decide: &activities.Decide{IDs: []string{"milk"}, Verb: activities.VerbSnooze, SnoozedUntil: &until}}
	dismiss := Operation{Decide: &activities.Decide{IDs: []string{"milk"}, Verb: activities.VerbDismiss, Reason: "We have 牛乳"}}
	title := "Buy soy milk"
	edit := Operation{Edit: &activities.Edit{ID: "milk", Title: &title}}
	list := []Case{
		decided("accept", verb(activities.VerbAccept, "milk"), is(activities.Accepted)),
		decided("done", verb(activities.VerbDone, "milk"), is(activities.Done)),
		decided("dismiss", verb(activities.VerbDismiss, "milk"), is(activities.Dismissed)),
		decided("dismiss with a reason", dismiss, func(milk *State) { milk.Status, milk.Reason = activities.Dismissed, "We have 牛乳" }),
		decided("snooze", snooze, is(activities.Snoozed)),
		decided("wait", verb(activities.VerbWait, "milk"), func(milk *State) { milk.Status, milk.Waiting = activities.Snoozed, true }),
		decided("edit", edit, func(milk *State) { milk.Title, milk.Edited = title, true }),
		decided("edit and accept", verb(activities.VerbAccept, "milk"), func(milk *State) { milk.Title, milk.Edited, milk.Status = title, true, activities.Accepted }, edit),
		decided("undo a dismissal", Operation{Undo: true}, is(activities.Accepted), verb(activities.VerbAccept, "milk"), dismiss),
		decided("undo a snooze", Operation{Undo: true}, is(activities.Proposed), snooze),
		decided("undo an edit", Operation{Undo: true}, is(activities.Proposed), edit),
		decided("accept what was dismissed", verb(activities.VerbAccept, "milk"), is(activities.Accepted), dismiss),
	}
	for _, v := range []activities.Verb{activities.VerbDone, activities.VerbDismiss, activities.VerbWait} {
		list = append(list, decided("reopen after "+string(v), verb(activities.VerbReopen, "milk"), is(activities.Proposed), verb(v, "milk")))
	}
	return append(list,
		Case{
			Name: "accept several", Given: given, Op: verb(activities.VerbAccept, "milk", "tea"), Revision: 2,
			Want: []State{
				{ID: "milk", Title: "Buy milk", Kind: activities.KindTask, Status: activities.Accepted},
				{ID: "tea", Title: "Make tea", Kind: activities.KindTask, Status: activities.Accepted},
			},
		},
		Case{Name: "erase", Given: given, Op: Operation{Erase: "milk"}, Revision: 2, Want: []State{tea}},
		Case{Name: "make a task", Op: own("Mend the bike"), Revision: 1, Want: []State{ownState("Mend the bike")}},
		Case{
			Name: "make a task, sent twice", Given: []Operation{own("Mend the bike")}, Op: own("Mend the bike"),
			Revision: 1, Want: []State{ownState("Mend the bike")},
		},
	)
}

// refusedDecisions leave the task milk as it is.
func (w World) refusedDecisions() []Case {
	given := []Operation{publication("r1", 0, task("milk", "Buy milk"))}
	refused := func(name string, op Operation, code fault.Code, field string) Case {
		return Case{Name: name, Given: given, Op: op, Outcome: Outcome{code, field}, Revision: 1, Want: []State{proposedTask("milk", "Buy milk")}}
	}
	past := w.Now.Add(-time.Minute)
	blank, other, long := " ", "Other", strings.Repeat("字", activities.MaxTitle+1)
	late := verb(activities.VerbAccept, "milk")
	late.Decide.Expected = map[string]int64{"milk": 1}
	return []Case{
		{
			Name: "accept an activity that was decided since it was seen", Given: append(given[:1:1], verb(activities.VerbDone, "milk")), Op: late,
			Outcome: Outcome{Code: fault.StaleRevision}, Revision: 2,
			Want: []State{{ID: "milk", Title: "Buy milk", Kind: activities.KindTask, Status: activities.Done}},
		},
		refused("accept what is not there", verb(activities.VerbAccept, "gone"), fault.NotFound, ""),
		refused("accept several of which one is not there", verb(activities.VerbAccept, "milk", "gone"), fault.NotFound, ""),
		refused("snooze until yesterday", Operation{Decide: &activities.Decide{IDs: []string{"milk"}, Verb: activities.VerbSnooze, SnoozedUntil: &past}}, fault.InvalidArguments, "snoozedUntil"),
		refused("dismiss for a long reason", Operation{Decide: &activities.Decide{IDs: []string{"milk"}, Verb: activities.VerbDismiss, Reason: long + long + long + long + long}}, fault.InvalidArguments, "reason"),
		refused("edit to a blank title", Operation{Edit: &activities.Edit{ID: "milk", Title: &blank}}, fault.InvalidArguments, "title"),
		refused("edit to a title of 201", Operation{Edit: &activities.Edit{ID: "milk", Title: &long}}, fault.InvalidArguments, "title"),
		refused("edit what is not there", Operation{Edit: &activities.Edit{ID: "gone", Title: &other}}, fault.NotFound, ""),
		refused("make a task without a title", own(" "), fault.InvalidArguments, "title"),
		refused("undo when nothing was decided", Operation{Undo: true}, fault.NotFound, ""),
		refused("erase what is not there", Operation{Erase: "gone"}, fault.NotFound, ""),
	}
}
