package mcp_test

import (
	"encoding/json"
	"fmt"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"

	"personal-workspace/activities"
	"personal-workspace/internal/ledger"
	"personal-workspace/mcp"
)

// publish publishes through the tool, which must succeed.
func (w *world) publish(t *testing.T, list ...activities.Proposal) activities.Receipt {
	t.Helper()
	revision, err := w.activities.Revision(t.Context())
	if err != nil {
		t.Fatal(err)
	}
	text, err := json.Marshal(map[string]any{"requestId": fmt.Sprintf("r%d", revision), "expectedRevision": revision, "activities": list})
	if err != nil {
		t.Fatal(err)
	}
	var r activities.Receipt
	w.structured(t, "publish_activities", string(text), &r)
	return r
}

// decide makes a decision of the person.
func (w *world) decide(t *testing.T, d activities.Decide) {
	t.Helper()
	ctx := ledger.WithActor(t.Context(), ledger.Actor{Kind: ledger.Person, ID: "owner"})
	if _, err := w.activities.Decide(ctx, d); err != nil {
		t.Fatal(err)
	}
}

// edit saves words of the person.
func (w *world) edit(t *testing.T, e activities.Edit) {
	t.Helper()
	ctx := ledger.WithActor(t.Context(), ledger.Actor{Kind: ledger.Person, ID: "owner"})
	if _, err := w.activities.Edit(ctx, e); err != nil {
		t.Fatal(err)
	}
}

// tasks are n tasks with bodies of some length in Japanese.
func tasks(n, length int) []activities.Proposal {
	list := make([]activities.Proposal, n)
	for i := range list {
		list[i] = activities.Proposal{ID: fmt.Sprintf("t%d", i), Kind: activities.KindTask, Title: fmt.Sprintf("Task %d", i), Body: strings.Repeat("雨", length)}
	}
	return list
}

func TestContextShowsWhatThePersonMadeOfAProposal(t *testing.T) {
	w := newWorld(t)
	w.connect(t, "ann")
	due := start.Add(24 * time.Hour)
	w.publish(t, activities.Proposal{
		ID: "tea", Kind: activities.KindReply, Title: "Answer Ann", Body: "Yes!", Reason: "She asks", DueAt: &due, Priority: activities.PriorityHigh,
		Source: &activities.Source{ConnectionID: "conn_1", URL: "https://social.example/@ann/1", Excerpts: []activities.Excerpt{{Text: "Tea <b>?", At: &start}}},
	})
	w.edit(t, activities.Edit{ID: "tea", Body: new("いいね"), DueAt: &activities.Due{}})
	w.decide(t, activities.Decide{IDs: []string{"tea"}, Verb: activities.VerbDismiss, Reason: "We met"})

	got := w.call(t, "get_activity_context", `{}`).Content[0].Text

	want := `{"revision":3,"activities":[{"id":"tea","proposedBy":"tester","proposal":{"kind":"reply","title":"Answer Ann","body":"Yes!","reason":"She asks",` +
		`"dueAt":"2026-12-01T12:00:00Z","priority":"high","source":{"connectionId":"conn_1","url":"https://social.example/@ann/1",` +
		`"excerpts":[{"text":"Tea <b>?","at":"2026-11-30T12:00:00Z"}]}},"edits":{"body":"いいね","dueAt":null},` +
		`"decision":{"status":"dismissed","dismissReason":"We met","decidedAt":"2026-11-30T12:00:00Z"},"createdAt":"2026-11-30T12:00:00Z"}],"nextCursor":null}`
	if got != want {
		t.Errorf("answered\n%s, want\n%s", got, want)
	}
	if again := w.call(t, "get_activity_context", `{}`).Content[0].Text; again != got {
		t.Errorf("the same state is answered otherwise:\n%s", again)
	}
}

func TestListsCutLongTexts(t *testing.T) {
	w := newWorld(t)
	p := activities.Proposal{
		ID: "long", Kind: activities.KindTask, Title: "T", Body: strings.Repeat("🐈", 2001),
		Source: &activities.Source{Excerpts: []activities.Excerpt{{Text: strings.Repeat("雨", 301)}, {Text: strings.Repeat("雨", 300)}}},
	}
	short := activities.Proposal{ID: "short", Kind: activities.KindTask, Title: "S", Body: strings.Repeat("🐈", 2000)}
	w.publish(t, p, short)

	var got readContext
	w.structured(t, "get_activity_context", `{"activityIds":["long","short"]}`, &got)

	long := got.Activities[0]
	lengths := []int{len([]rune(long.Proposal.Body)), len([]rune(long.Proposal.Source.Excerpts[0].Text)), len([]rune(long.Proposal.Source.Excerpts[1].Text))}
	if diff := cmp.Diff([]int{2000, 300, 300}, lengths); diff != "" || !long.Truncated {
		t.Errorf("body and excerpts (-want +got), truncated %v:\n%s", long.Truncated, diff)
	}
	if got.Activities[1].Truncated || got.Activities[1].Proposal.Body != short.Body {
		t.Error("a text that fits is cut")
	}
	whole := w.whole(t, "long")
	if whole.Truncated || whole.Proposal.Body != p.Body || whole.Proposal.Source.Excerpts[0].Text != p.Source.Excerpts[0].Text {
		t.Errorf("alone it is not whole: truncated %v, body %d", whole.Truncated, len([]rune(whole.Proposal.Body)))
	}
}

// TestContextPagesAreComplete reads pages that are too large for an answer while
// the person decides, and must meet each activity once.
func TestContextPagesAreComplete(t *testing.T) {
	w := newWorld(t)
	w.publish(t, tasks(100, 600)...)
	var seen []string
	cursor := "null"
	for pages := 0; cursor != ""; pages++ {
		r := w.call(t, "get_activity_context", `{"cursor":`+cursor+`,"limit":40}`)
		if len(r.Structured) > mcp.MaxAnswer || pages > 20 {
			t.Fatalf("page %d has %d bytes", pages, len(r.Structured))
		}
		var p readContext
		if err := json.Unmarshal(r.Structured, &p); err != nil || len(p.Activities) == 0 {
			t.Fatalf("page %d has %d activities, %v", pages, len(p.Activities), err)
		}
		for _, a := range p.Activities {
			seen = append(seen, a.ID)
		}
		if cursor = ""; p.NextCursor != nil {
			cursor = `"` + *p.NextCursor + `"`
		}
		w.decide(t, activities.Decide{IDs: []string{fmt.Sprintf("t%d", pages), fmt.Sprintf("t%d", 99-pages)}, Verb: activities.VerbDone})
		w.publish(t, activities.Proposal{Kind: activities.KindTask, Title: fmt.Sprintf("News %d", pages)})
	}
	slices.Sort(seen)
	if n := len(slices.Compact(slices.Clone(seen))); n != 100 || len(seen) != 100 {
		t.Errorf("%d activities were seen, %d of them different, want all 100 once", len(seen), n)
	}
}

func TestActivitiesAskedForThatDoNotFitHaveACursor(t *testing.T) {
	w := newWorld(t)
	w.publish(t, tasks(10, 2000)...)
	const ids = `{"activityIds":["t0","t1","t2","t3","t4","t5","t6","t7","t8","t9"]`
	var first, second readContext
	w.structured(t, "get_activity_context", ids+"}", &first)
	if first.NextCursor == nil {
		t.Fatalf("%d activities come without a cursor", len(first.Activities))
	}
	w.structured(t, "get_activity_context", ids+`,"cursor":"`+*first.NextCursor+`"}`, &second)
	if n, m := len(first.Activities), len(second.Activities); n != 7 || m != 3 || second.Activities[0].ID != "t7" || second.NextCursor != nil {
		t.Errorf("pages of %d and %d, want 7 and 3", n, m)
	}
}

// TestOneActivityAlwaysFits: a line separator has six bytes in JSON, so texts
// within their limits can be larger than an answer.
func TestOneActivityAlwaysFits(t *testing.T) {
	w := newWorld(t)
	wide := func(n int) string { return "x" + strings.Repeat("\u2028", n-2) + "x" }
	w.publish(t, activities.Proposal{ID: "wide", Kind: activities.KindTask, Title: "T", Reason: wide(1000), Body: wide(3500)})
	body := wide(8000)
	w.edit(t, activities.Edit{ID: "wide", Body: &body})
	for _, arguments := range []string{`{"activityIds":["wide"]}`, `{}`} {
		r := w.call(t, "get_activity_context", arguments)
		var got readContext
		if err := json.Unmarshal(r.Structured, &got); err != nil || len(r.Structured) > mcp.MaxAnswer || !got.Activities[0].Truncated {
			t.Errorf("%s answers %d bytes, truncated %v, %v", arguments, len(r.Structured), got.Activities[0].Truncated, err)
		}
	}
}

// TestThePersonsWordsAreCutLast: of an activity that is larger than an answer, the
// text that the assistant published itself is cut first.
func TestThePersonsWordsAreCutLast(t *testing.T) {
	w := newWorld(t)
	w.publish(t, activities.Proposal{
		ID: "long", Kind: activities.KindReply, Title: "T", Body: strings.Repeat("雨", 8000),
		Source: &activities.Source{Excerpts: []activities.Excerpt{{Text: strings.Repeat("雪", 2000)}}},
	})
	body := strings.Repeat("風", 8000)
	w.edit(t, activities.Edit{ID: "long", Body: &body})

	got := w.whole(t, "long")

	lengths := map[string]int{
		"proposed": len([]rune(got.Proposal.Body)), "excerpt": len([]rune(got.Proposal.Source.Excerpts[0].Text)),
		"edited": len([]rune(*got.Edits.Body)),
	}
	if diff := cmp.Diff(map[string]int{"proposed": 2000, "excerpt": 300, "edited": 8000}, lengths); diff != "" || !got.Truncated {
		t.Errorf("lengths (-want +got), truncated %v:\n%s", got.Truncated, diff)
	}
}

// TestContextHidesWhatAPersonDoesNotSee: texts come from others.
func TestContextHidesWhatAPersonDoesNotSee(t *testing.T) {
	w := newWorld(t)
	const smuggled = "Tea\u200b?\U000E0069\U000E0067"
	w.publish(t, activities.Proposal{
		ID: "a", Kind: activities.KindTask, Title: "A " + smuggled, Body: smuggled, Reason: smuggled,
		Source: &activities.Source{ConversationTitle: smuggled, Author: &activities.Author{Name: smuggled, Handle: smuggled}, Excerpts: []activities.Excerpt{{Text: smuggled, Author: smuggled}}},
	})
	got := w.call(t, "get_activity_context", `{"activityIds":["a"]}`).Content[0].Text
	if strings.Contains(got, "\u200b") || strings.Contains(got, "\U000E0069") || strings.Count(got, "Tea?") != 8 {
		t.Errorf("answered %q", got)
	}
}

func TestContextOfAnEmptyWorkspace(t *testing.T) {
	if got := newWorld(t).call(t, "get_activity_context", `{}`).Content[0].Text; got != `{"revision":0,"activities":[],"nextCursor":null}` {
		t.Errorf("answered %s", got)
	}
}
