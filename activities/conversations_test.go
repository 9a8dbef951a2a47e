package activities_test

import (
	"slices"
	"strconv"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"

	"personal-workspace/activities"
	"personal-workspace/internal/fault"
)

// answer is a reply in a conversation with one excerpt.
func answer(key, text string, at time.Time) activities.Proposal {
	return activities.Proposal{Kind: activities.KindReply, Title: "Answer " + text, Body: "…", Source: &activities.Source{
		ConnectionID: "conn_a", Network: "mastodon", ConversationKey: key, ConversationTitle: "About " + key,
		Author:   &activities.Author{Name: "Ann"},
		Excerpts: []activities.Excerpt{{Text: text, Author: "Ann", At: &at}},
	}}
}

func conversations(t *testing.T, w *world, f activities.ConversationFilter) (list []string) {
	t.Helper()
	all, err := w.Conversations(w.person, activities.ConversationQuery{Filter: f})
	if err != nil {
		t.Fatal(err)
	}
	for _, c := range all.Conversations {
		list = append(list, c.Title)
	}
	return list
}

func TestConversationsComeByTheirNewestEvidence(t *testing.T) {
	w := newWorld(t)
	at := func(h int) time.Time { return noon.Add(time.Duration(h-24) * time.Hour) }
	w.publish(t,
		answer("bread", "one", at(1)), answer("rolls", "two", at(5)), answer("bread", "three", at(9)),
		answer("tea", "four", at(3)), answer("milk", "five", at(4)), answer("done", "six", at(6)), task("no reply"))
	snooze(t, w, activities.VerbWait, "act_4", nil, true)
	snooze(t, w, activities.VerbSnooze, "act_5", nil, true)
	w.decide(t, activities.VerbDone, "act_1", "act_6")

	for filter, want := range map[activities.ConversationFilter][]string{
		"":                        {"About bread", "About rolls"},
		activities.WaitingForThem: {"About tea"},
		activities.SnoozedReplies: {"About milk"},
		activities.DoneReplies:    {"About done"},
	} {
		if got := conversations(t, w, filter); !slices.Equal(got, want) {
			t.Errorf("%q = %v, want %v", filter, got, want)
		}
	}
	if _, err := w.Conversations(w.person, activities.ConversationQuery{Filter: "x"}); fault.CodeOf(err) != fault.InvalidArguments {
		t.Errorf("another filter = %v, want invalid_arguments", err)
	}
}

func TestConversationsInPagesStayInOrderWhileDecisionsHappen(t *testing.T) {
	w := newWorld(t)
	var want []string
	for i := range 5 {
		at := noon.Add(-time.Duration(i+1) * time.Hour)
		key := string(rune('a' + i))
		w.publish(t, answer(key, "old", at.Add(-time.Minute)), answer(key, "new", at))
		want = append(want, "About "+key)
	}
	page := func(after string) (activities.ConversationPage, []string) {
		t.Helper()
		p, err := w.Conversations(w.person, activities.ConversationQuery{After: after, Limit: 2})
		if err != nil {
			t.Fatal(err)
		}
		var list []string
		for _, c := range p.Conversations {
			list = append(list, c.Title)
		}
		return p, list
	}

	first, list := page("")
	w.decide(t, activities.VerbDone, "act_1", "act_2", "act_6") // all of a, the newer one of c
	second, more := page(first.Next)
	third, rest := page(second.Next)

	if diff := cmp.Diff(want, slices.Concat(list, more, rest)); diff != "" {
		t.Errorf("the pages (-want +got):\n%s", diff)
	}
	if first.Total != 5 || second.Total != 4 || third.Next != "" {
		t.Errorf("totals %d and %d, behind the last %q", first.Total, second.Total, third.Next)
	}
	if _, again := page(""); !slices.Equal(again, want[1:3]) {
		t.Errorf("the first page is %v by now, want %v", again, want[1:3])
	}
	for _, cursor := range []string{"x", "1", "x.y"} {
		if _, err := w.Conversations(w.person, activities.ConversationQuery{After: cursor}); fault.CodeOf(err) != fault.InvalidCursor {
			t.Errorf("cursor %q = %v, want invalid_cursor", cursor, err)
		}
	}
}

func TestNextConversation(t *testing.T) {
	w := newWorld(t)
	at := func(h int) time.Time { return noon.Add(time.Duration(h-24) * time.Hour) }
	w.publish(t, answer("new", "1", at(9)), answer("mid", "2", at(8)), answer("mid", "3", at(2)), answer("old", "4", at(7)))
	next := func(id string) (title string, listed bool) {
		t.Helper()
		c, listed, err := w.NextConversation(w.person, activities.NeedsReply, w.get(t, id).ConversationID)
		if err != nil {
			t.Fatal(err)
		}
		return c.Title, listed
	}

	w.decide(t, activities.VerbDone, "act_2")
	if title, listed := next("act_2"); title != "About old" || !listed {
		t.Errorf("with one more reply %q comes next, listed %v", title, listed)
	}
	w.decide(t, activities.VerbDone, "act_3")
	if title, listed := next("act_2"); title != "About old" || listed {
		t.Errorf("after the last reply %q comes next, listed %v", title, listed)
	}
	w.decide(t, activities.VerbDone, "act_4")
	if title, listed := next("act_4"); title != "About new" || listed {
		t.Errorf("after the last conversation %q comes next, listed %v", title, listed)
	}
	w.decide(t, activities.VerbDone, "act_1")
	if title, listed := next("act_1"); title != "" || listed {
		t.Errorf("after all %q comes next, listed %v", title, listed)
	}
}

func TestAnOldReplyThatNeedsThePersonIsAmongTheFirst(t *testing.T) {
	w := newWorld(t)
	var list []activities.Proposal
	for i := range 60 {
		list = append(list, answer("long", strconv.Itoa(i), noon.Add(-time.Hour)))
	}
	receipt := ids(w.publish(t, list...))
	w.decide(t, activities.VerbDone, receipt[1:]...)
	id := w.get(t, receipt[0]).ConversationID

	first, err := w.Conversation(w.person, id, "")
	if err != nil {
		t.Fatal(err)
	}
	second, err := w.Conversation(w.person, id, first.NextReplies)
	if err != nil {
		t.Fatal(err)
	}

	if first.Activities[0].ID != receipt[0] {
		t.Errorf("%s comes first, want %s", first.Activities[0].ID, receipt[0])
	}
	if n, m := len(first.Activities), len(second.Activities); n != 50 || m != 10 || second.NextReplies != "" {
		t.Errorf("pages of %d and %d, then %q", n, m, second.NextReplies)
	}
	if a := second.Activities[9].ID; a != receipt[1] {
		t.Errorf("the last is %s, want %s", a, receipt[1])
	}
}

func TestAConversationHasAllItsRepliesAndExcerpts(t *testing.T) {
	w := newWorld(t)
	first, second := answer("bread", "one", noon.Add(-3*time.Hour)), answer("bread", "two", noon.Add(-2*time.Hour))
	second.Source.Excerpts = append(second.Source.Excerpts, first.Source.Excerpts[0], activities.Excerpt{Text: "undated"})
	w.publish(t, first, second)
	w.decide(t, activities.VerbDone, "act_2")

	c, err := w.Conversation(w.person, w.get(t, "act_1").ConversationID, "")

	if err != nil || c.Title != "About bread" || c.ConnectionID != "conn_a" || c.Network != "mastodon" || c.Author.Name != "Ann" {
		t.Fatalf("conversation = %+v, %v", c, err)
	}
	var excerpts, replies []string
	for _, e := range c.Excerpts {
		excerpts = append(excerpts, e.Text)
	}
	for _, a := range c.Activities {
		replies = append(replies, a.ID)
	}
	if diff := cmp.Diff([][]string{{"undated", "one", "two"}, {"act_1", "act_2"}}, [][]string{excerpts, replies}); diff != "" {
		t.Errorf("excerpts and replies (-want +got):\n%s", diff)
	}
	if want := noon.Add(-2 * time.Hour); !c.NewestAt.Equal(want) {
		t.Errorf("newest = %v, want %v", c.NewestAt, want)
	}
	if _, err := w.Conversation(w.person, "x", ""); fault.CodeOf(err) != fault.NotFound {
		t.Errorf("another = %v, want not_found", err)
	}
}

func TestWhatMakesAConversation(t *testing.T) {
	with := func(s activities.Source) activities.Proposal {
		return activities.Proposal{Kind: activities.KindReply, Title: "x", Source: &s}
	}
	for _, tc := range []struct {
		name string
		a, b activities.Proposal
		same bool
	}{
		{"the same key", with(activities.Source{ConversationKey: "k", URL: "https://a.example/1"}), with(activities.Source{ConversationKey: "k", URL: "https://a.example/2"}), true},
		{"the key of another account", with(activities.Source{ConversationKey: "k", ConnectionID: "conn_a"}), with(activities.Source{ConversationKey: "k", ConnectionID: "conn_b"}), false},
		{"two addresses of one page", activities.Proposal{ID: "a", Kind: activities.KindReply, Title: "x", Source: &activities.Source{URL: "https://twitter.com/ann/status/1"}}, activities.Proposal{ID: "b", Kind: activities.KindReply, Title: "x", Source: &activities.Source{URL: "https://x.com/ann/status/1?s=20"}}, true},
		{"nothing", with(activities.Source{}), with(activities.Source{}), false},
	} {
		t.Run(tc.name, func(t *testing.T) {
			w := newWorld(t)
			list := ids(w.publish(t, tc.a, tc.b))
			a, b := w.get(t, list[0]).ConversationID, w.get(t, list[1]).ConversationID
			if a == "" || b == "" || (a == b) != tc.same {
				t.Errorf("conversations %q and %q, want same: %v", a, b, tc.same)
			}
		})
	}
}
