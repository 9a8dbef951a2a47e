package web_test

import (
	"net/http"
	"net/url"
	"strings"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"
	"golang.org/x/net/html"

	"personal-workspace/activities"
)

// undoLastIn are the fields of a page's form that takes back the last decision.
func undoLastIn(t *testing.T, page *html.Node) url.Values {
	t.Helper()
	return fieldsIn(one(t, one(t, page, with("id", "undo-last")), tag("form")))
}

// statuses are what was decided about activities.
func (w *workspace) statuses(ids ...string) (list []activities.Status) {
	w.t.Helper()
	for _, id := range ids {
		a, err := w.activities.Get(w.t.Context(), id)
		if err != nil {
			w.t.Fatal(err)
		}
		list = append(list, a.Decision.Status)
	}
	return list
}

// TestUndoingTwiceFromOnePageTakesOneStepBack sends the form of one page twice, as
// a double press does; only the second answer is seen.
func TestUndoingTwiceFromOnePageTakesOneStepBack(t *testing.T) {
	for name, path := range map[string]string{"home": "/", "focus": "/?focus=1", "messages": "/messages"} {
		t.Run(name, func(t *testing.T) {
			w := newWorkspace(t, nil)
			w.publish(said("a", "bread", "Rye?", time.Minute), said("b", "boats", "Nine?", time.Hour))
			w.decide("a", url.Values{"verb": {"done"}})
			w.decide("b", url.Values{"verb": {"dismiss"}})
			form := undoLastIn(t, document(t, w.get(path).body))

			var says []string
			for range 2 {
				a := w.post("/activities/undo", form)
				page := document(t, w.get(a.Header.Get("Location")).body)
				says = append(says, text(all(batchLine(t, page), with("data-said", ""))[0]))
				if card := one(t, page, with("id", "activity-b")); !has(card, "autofocus") || has(batchLine(t, page), "autofocus") {
					t.Error("the card that came back has not the focus")
				}
			}

			if diff := cmp.Diff([]string{"Taken back: Answer b", "This was taken back already; nothing more is changed"}, says); diff != "" {
				t.Errorf("the lines (-want +got):\n%s", diff)
			}
			if diff := cmp.Diff([]activities.Status{"done", "proposed"}, w.statuses("a", "b")); diff != "" {
				t.Errorf("afterwards (-want +got):\n%s", diff)
			}
		})
	}
}

// TestUndoWhatIsNotInTheList says what came back where it cannot be seen.
func TestUndoWhatIsNotInTheList(t *testing.T) {
	w := newWorkspace(t, nil)
	w.publish(task("a", "One"), said("b", "bread", "Rye?", time.Hour))
	w.decide("a", url.Values{"verb": {"done"}})

	a := w.post("/activities/undo", undoLastIn(t, document(t, w.get("/messages").body)))

	line := batchLine(t, document(t, w.get(a.Header.Get("Location")).body))
	if got := text(all(line, tag("strong"))[0]); got != "Taken back: One" || !has(line, "autofocus") {
		t.Errorf("the line is %q, with the focus: %v", got, has(line, "autofocus"))
	}
	if got := attr(one(t, line, tag("a")), "href"); !strings.HasPrefix(got, "/activities/a") {
		t.Errorf("the line leads to %q", got)
	}
}

// TestTheFormNamesTheNewestDecision: an answer to a decision brings the form that
// takes it back along.
func TestTheFormNamesTheNewestDecision(t *testing.T) {
	for _, from := range []string{"", "filter=needs-reply"} {
		w := newWorkspace(t, nil)
		w.publish(said("a", "bread", "Rye?", time.Hour), said("b", "bread", "Oat?", time.Hour))

		a := w.decide("a", url.Values{"verb": {"done"}, "from": {from}}, "HX-Request", "true")
		w.post("/activities/undo", undoLastIn(t, document(t, a.body)))

		if diff := cmp.Diff([]activities.Status{"proposed"}, w.statuses("a")); diff != "" {
			t.Errorf("from %q (-want +got):\n%s", from, diff)
		}
	}
}

func TestNothingToUndoHasNoForm(t *testing.T) {
	w := newWorkspace(t, nil)
	w.publish(task("a", "One"))

	if forms := all(document(t, w.get("/").body), with("action", "/activities/undo")); len(forms) != 0 {
		t.Error("there is a form to undo nothing")
	}
	if a := w.post("/activities/undo", nil); a.StatusCode != http.StatusNotFound {
		t.Errorf("undo of nothing is answered %d", a.StatusCode)
	}
}

// TestWhatIsDoneIsSaid: the page's script tells a screen reader what the answer to
// a form says was done.
func TestWhatIsDoneIsSaid(t *testing.T) {
	for name, tc := range map[string]struct {
		path string
		form url.Values
		want string
	}{
		"a decision":            {"/activities/a/decide", url.Values{"verb": {"done"}}, "Done"},
		"a reply to send":       {"/activities/r/decide", url.Values{"verb": {"accept"}}, "Accepted"},
		"several decided":       {"/activities/decide", url.Values{"verb": {"dismiss"}, "id": {"a", "r"}}, "2 dismissed"},
		"a decision taken back": {"/activities/b/undo", url.Values{}, "Taken back"},
		"in another talk":       {"/activities/b/undo", url.Values{"from": {"filter=needs-reply&conversation=x"}}, "Taken back"},
		"several taken back":    {"/activities/undo", url.Values{}, "Taken back"},
		"the last of a talk":    {"/activities/r/decide", url.Values{"verb": {"done"}, "from": {"filter=needs-reply"}}, "Done"},
	} {
		t.Run(name, func(t *testing.T) {
			w := newWorkspace(t, nil)
			w.publish(task("a", "One"), task("b", "Two"), reply("r", "Answer Ana", "At four."))
			w.decide("b", url.Values{"verb": {"done"}})
			last, err := w.activities.LastChange(t.Context())
			if err != nil {
				t.Fatal(err)
			}
			tc.form.Set("change", last)

			a := w.post(tc.path, tc.form, "HX-Request", "true")

			if got := a.Header.Get("Activities-Said"); got != tc.want {
				t.Errorf("it is said %q, want %q", got, tc.want)
			}
		})
	}
}

func TestErasingIsSaid(t *testing.T) {
	for name, from := range map[string]string{"home": "", "another list": "view=done", "messages": "filter=needs-reply", "its conversation": "filter=needs-reply&conversation="} {
		t.Run(name, func(t *testing.T) {
			w := newWorkspace(t, nil)
			w.publish(task("a", "One"), said("b", "bread", "Rye?", time.Hour))
			if b, err := w.activities.Get(t.Context(), "b"); err != nil {
				t.Fatal(err)
			} else if name == "its conversation" {
				from += b.ConversationID
			}

			location := w.post("/activities/b/erase?"+url.Values{"from": {from}}.Encode(), nil).Header.Get("Location")

			a := w.get(location)
			line := batchLine(t, document(t, a.body))
			if q, _ := url.Parse(location); q.Query().Get("view") != map[string]string{"another list": "done"}[name] {
				t.Errorf("erasing leads to %s", location)
			}
			if got := text(all(line, tag("strong"))[0]); got != "A reply was erased for good" || !has(line, "autofocus") {
				t.Errorf("the line is %q, with the focus: %v", got, has(line, "autofocus"))
			}
			if len(all(line, tag("form"))) != 0 {
				t.Error("the line offers to undo it")
			}
			if a.StatusCode != http.StatusOK {
				t.Errorf("erasing leads to a page of status %d", a.StatusCode)
			}
		})
	}
}
