package web_test

import (
	"fmt"
	"net/http"
	"net/url"
	"slices"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
	"golang.org/x/net/html"

	"personal-workspace/activities"
)

// many are tasks with the ids t1, t2 and so on.
func many(n int) (list []activities.Proposal, ids []string) {
	for i := range n {
		id := fmt.Sprint("t", i+1)
		list, ids = append(list, task(id, "Task "+id)), append(ids, id)
	}
	return list, ids
}

// batchLine is the line about several that were decided in one go.
func batchLine(t *testing.T, page *html.Node) *html.Node { return one(t, page, class("batch-line")) }

func TestBatchLeavesOneLineThatUndoesIt(t *testing.T) {
	for verb, says := range map[string]string{"dismiss": "12 dismissed", "done": "12 done", "accept": "12 accepted", "snooze": "12 snoozed until something new happens"} {
		t.Run(verb, func(t *testing.T) {
			w := newWorkspace(t, nil)
			list, ids := many(13)
			w.publish(list...)

			a := w.post("/activities/decide", url.Values{"id": ids[:12], "verb": {verb}, "until": {"activity"}, "from": {""}})

			page := document(t, w.get(a.Header.Get("Location")).body)
			if got := text(all(batchLine(t, page), tag("strong"))[0]); got != says {
				t.Errorf("the line says %q, want %q", got, says)
			}
			if got := len(all(page, class("decided"))); got != 0 {
				t.Errorf("%d lines besides", got)
			}
			a = w.post("/activities/undo", fieldsIn(all(batchLine(t, page), tag("form"))[0]))
			page = document(t, w.get(a.Header.Get("Location")).body)
			if got := len(all(page, tag("article"))); got != 13 {
				t.Errorf("after the undo there are %d cards, want 13", got)
			}
			if got := text(all(batchLine(t, page), tag("strong"))[0]); got != "12 taken back" {
				t.Errorf("after the undo the line says %q", got)
			}
			if got, err := w.activities.Revision(t.Context()); err != nil || got != 3 {
				t.Errorf("the revision is %d (%v), want 3: one commit each", got, err)
			}
		})
	}
}

// TestBatchGoesOnToTheNextCard puts the cursor where the person goes on, and on the
// line only when no card is left.
func TestBatchGoesOnToTheNextCard(t *testing.T) {
	for name, tc := range map[string]struct {
		verb string
		ids  []string
		want string
	}{
		"the next":                {"dismiss", []string{"t2", "t3"}, "activity-t4"},
		"behind the last of them": {"done", []string{"t1", "t3"}, "activity-t4"},
		"they stay":               {"accept", []string{"t2", "t3"}, "activity-t4"},
		"the one before":          {"done", []string{"t3", "t4", "t5"}, "activity-t2"},
		"none":                    {"done", []string{"t1", "t2", "t3", "t4", "t5"}, ""},
	} {
		for _, headers := range [][]string{nil, {"HX-Request", "true"}} {
			t.Run(fmt.Sprint(name, len(headers)), func(t *testing.T) {
				w := newWorkspace(t, nil)
				list, _ := many(5)
				w.publish(list...)

				a := w.post("/activities/decide", url.Values{"id": tc.ids, "verb": {tc.verb}, "from": {""}}, headers...)
				if headers == nil {
					a = w.get(a.Header.Get("Location"))
				}

				page := document(t, a.body)
				var got []string
				for _, n := range all(page, func(n *html.Node) bool { return has(n, "autofocus") }) {
					got = append(got, attr(n, "id"))
				}
				if diff := cmp.Diff([]string{tc.want}, got); diff != "" {
					t.Errorf("with the cursor (-want +got):\n%s", diff)
				}
				if tc.want == "" && !has(batchLine(t, page), "autofocus") {
					t.Error("the line has not the cursor")
				}
			})
		}
	}
}

func TestBatchWithScriptBringsTheList(t *testing.T) {
	w := newWorkspace(t, nil)
	w.publish(task("a", "One"), task("b", "Two"), task("c", "Three"))

	a := w.post("/activities/decide", url.Values{"id": {"a", "c"}, "verb": {"dismiss"}, "from": {"kind=task"}}, "HX-Request", "true")

	page := document(t, a.body)
	if a.StatusCode != http.StatusOK || a.Header.Get("Activities-Revision") != "2" {
		t.Errorf("the answer is %d, of revision %q", a.StatusCode, a.Header.Get("Activities-Revision"))
	}
	batchLine(t, page)
	if diff := cmp.Diff(map[string][]string{"The rest 1": {"Two"}}, cards(page)); diff != "" {
		t.Errorf("the cards (-want +got):\n%s", diff)
	}
}

// TestBatchKnowsWhatWasDecidedElsewhere: the boxes say what the person saw.
func TestBatchKnowsWhatWasDecidedElsewhere(t *testing.T) {
	w := newWorkspace(t, nil)
	w.publish(task("a", "One"), task("b", "Two"))
	var boxes []string
	for _, box := range all(document(t, w.get("/").body), class("pick")) {
		boxes = append(boxes, attr(box, "value"))
	}
	w.decide("a", url.Values{"verb": {"accept"}})

	a := w.post("/activities/decide", url.Values{"id": boxes, "verb": {"dismiss"}, "from": {""}})

	if a.StatusCode != http.StatusConflict || len(boxes) != 2 {
		t.Errorf("the answer for %v is %d: %s", boxes, a.StatusCode, a.body)
	}
	if got, err := w.activities.Get(t.Context(), "b"); err != nil || got.Decision.Status != activities.Proposed {
		t.Errorf("the other is %s (%v), want proposed", got.Decision.Status, err)
	}
}

func TestBatchThatIsRefused(t *testing.T) {
	for name, tc := range map[string]struct {
		form url.Values
		says string
	}{
		"nothing is selected": {url.Values{"verb": {"dismiss"}}, "Nothing is selected"},
		"no verb":             {url.Values{"id": {"a"}, "verb": {"burn"}}, "There is no such decision"},
		"no time":             {url.Values{"id": {"a"}, "verb": {"snooze"}, "until": {"soon"}}, "choose one"},
	} {
		for _, headers := range [][]string{nil, {"HX-Request", "true"}} {
			t.Run(fmt.Sprint(name, len(headers)), func(t *testing.T) {
				w := newWorkspace(t, nil)
				w.publish(task("a", "One"))

				a := w.post("/activities/decide", tc.form, headers...)

				if a.StatusCode != http.StatusUnprocessableEntity || !strings.Contains(a.body, tc.says) {
					t.Errorf("the answer is %d: %s", a.StatusCode, a.body)
				}
				if headers != nil && len(all(document(t, a.body), with("id", "activity-a"))) != 1 {
					t.Error("the list is not there any more")
				}
			})
		}
	}
}

// walk presses what next finds on each page of the focus mode, and returns how
// far each page says one is.
func walk(t *testing.T, w *workspace, steps int, next func(page *html.Node) string) (progress []string) {
	t.Helper()
	path := "/?focus=1"
	for range steps {
		page := document(t, w.get(path).body)
		progress = append(progress, text(all(one(t, page, class("progress")), tag("strong"))[0]))
		path = next(page)
	}
	return progress
}

// press sends the form of the one card with a verb, and returns where that leads.
func press(t *testing.T, w *workspace, page *html.Node, verb string) string {
	t.Helper()
	id := strings.TrimPrefix(attr(one(t, page, tag("article")), "id"), "activity-")
	form := fieldsIn(all(page, with("action", "/activities/"+id+"/decide"))[0])
	form.Set("verb", verb)
	return w.decide(id, form).Header.Get("Location")
}

func TestFocusModeCountsWhatIsDecided(t *testing.T) {
	for verb, want := range map[string][]string{
		"done":    {"1 of 3", "2 of 3", "3 of 3"},
		"dismiss": {"1 of 3", "2 of 3", "3 of 3"},
		// What is accepted stays to be done.
		"accept": {"1 of 3", "2 of 3", "3 of 3"},
	} {
		t.Run(verb, func(t *testing.T) {
			w := newWorkspace(t, nil)
			list, _ := many(3)
			w.publish(list...)
			var seen []string

			got := walk(t, w, 3, func(page *html.Node) string {
				seen = append(seen, attr(one(t, page, tag("article")), "id"))
				return press(t, w, page, verb)
			})

			if diff := cmp.Diff(want, got); diff != "" {
				t.Errorf("progress (-want +got):\n%s", diff)
			}
			if slices.Sort(seen); len(slices.Compact(seen)) != 3 {
				t.Errorf("the cards are %q, want three", seen)
			}
		})
	}
}

func TestFocusModeGoesOnFromWhatWasLeft(t *testing.T) {
	w := newWorkspace(t, nil)
	list, _ := many(4)
	w.publish(list...)
	link := func(page *html.Node, name string) string {
		for _, a := range all(page, tag("a")) {
			if text(a) == name {
				return attr(a, "href")
			}
		}
		t.Fatalf("there is no link %s", name)
		return ""
	}

	got := walk(t, w, 2, func(page *html.Node) string { return link(page, "Next") })
	page := document(t, w.get("/?focus=1&at=t3&spot=2").body)
	w.decide("t3", url.Values{"verb": {"done"}}) // on another page
	again := document(t, w.get("/?focus=1&at=t3&spot=2").body)

	if diff := cmp.Diff([]string{"1 of 4", "2 of 4"}, got); diff != "" {
		t.Errorf("progress (-want +got):\n%s", diff)
	}
	if id := attr(one(t, page, tag("article")), "id"); id != "activity-t3" {
		t.Errorf("the third is %s", id)
	}
	if id := attr(one(t, again, tag("article")), "id"); id != "activity-t4" {
		t.Errorf("in the place of what was decided elsewhere is %s, want the next", id)
	}
}

func TestUndoInFocusModeTakesItsStepBack(t *testing.T) {
	for verb := range map[string]bool{"done": true, "accept": true} {
		t.Run(verb, func(t *testing.T) {
			w := newWorkspace(t, nil)
			list, _ := many(3)
			w.publish(list...)
			page := document(t, w.get("/?focus=1").body)
			page = document(t, w.get(press(t, w, page, verb)).body)

			a := w.post("/activities/undo", fieldsIn(all(page, with("action", "/activities/undo"))[0]))

			page = document(t, w.get(a.Header.Get("Location")).body)
			if got := text(all(one(t, page, class("progress")), tag("strong"))[0]); got != "1 of 3" {
				t.Errorf("progress = %q, want 1 of 3", got)
			}
			if id := attr(one(t, page, tag("article")), "id"); id != "activity-t1" {
				t.Errorf("the card is %s, want what was taken back", id)
			}
		})
	}
}

func TestFocusModeStaysOnAReplyToSend(t *testing.T) {
	w := newWorkspace(t, nil)
	w.publish(reply("r", "Answer Ana", "At four."), reply("s", "Answer Ben", "At five."))
	page := document(t, w.get("/?focus=1").body)

	page = document(t, w.get(press(t, w, page, "accept")).body)

	if id := attr(one(t, page, tag("article")), "id"); id != "activity-r" {
		t.Errorf("the card is %s, want the reply whose text is needed", id)
	}
}

func TestFocusModeReachesTheLastOfManyCards(t *testing.T) {
	w := newWorkspace(t, nil)
	list, ids := many(100)
	w.publish(list...)
	for i := range list {
		list[i].ID = fmt.Sprint("u", i+1)
	}
	w.publish(list...)
	for i := range list {
		list[i].ID = fmt.Sprint("v", i+1)
	}
	w.publish(list...)

	page := document(t, w.get("/?focus=1&at=v100&spot=299").body)

	if got := text(all(one(t, page, class("progress")), tag("strong"))[0]); got != "300 of 300" {
		t.Errorf("progress = %q, want 300 of 300 (there are three times %d)", got, len(ids))
	}
}
