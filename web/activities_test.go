package web_test

import (
	"fmt"
	"net/http"
	"net/url"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"
	"golang.org/x/net/html"

	"personal-workspace/activities"
	"personal-workspace/internal/ledger"
)

// publish proposes as an assistant does.
func (w *workspace) publish(list ...activities.Proposal) activities.Receipt {
	w.t.Helper()
	ctx := ledger.WithActor(w.t.Context(), ledger.Actor{Kind: ledger.Caller, ID: "anonymous"})
	revision, err := w.activities.Revision(ctx)
	if err != nil {
		w.t.Fatalf("Revision: %v", err)
	}
	r, err := w.activities.Publish(ctx, activities.Publication{RequestID: w.newID("req"), ExpectedRevision: revision, Activities: list})
	if err != nil {
		w.t.Fatalf("Publish: %v", err)
	}
	return r
}

// task is an ordinary proposal.
func task(id, title string, change ...func(*activities.Proposal)) activities.Proposal {
	p := activities.Proposal{ID: id, Kind: activities.KindTask, Title: title}
	for _, f := range change {
		f(&p)
	}
	return p
}

// reply is one with a draft for the author of a post.
func reply(id, title, text string) activities.Proposal {
	return activities.Proposal{ID: id, Kind: activities.KindReply, Title: title, Body: text, Source: &activities.Source{
		Network: "mastodon", URL: "https://social.example/@ana/" + id,
		Excerpts: []activities.Excerpt{{Text: "When do you come?", Author: "Ana Lima", URL: "https://social.example/@ana/" + id}},
	}}
}

func due(at time.Time) func(*activities.Proposal) {
	return func(p *activities.Proposal) { p.DueAt = &at }
}

// cards are the titles on a page by the headings of their groups.
func cards(page *html.Node) map[string][]string {
	out := map[string][]string{}
	for _, g := range all(page, tag("section"), class("group")) {
		name := text(all(g, tag("h2"))[0])
		out[name] = texts(all(g, tag("h3")))
	}
	return out
}

func TestHomeOrdersByNeed(t *testing.T) {
	w := newWorkspace(t, nil)
	w.publish(
		task("low", "Low", func(p *activities.Proposal) { p.Priority = activities.PriorityLow }),
		task("high", "High", func(p *activities.Proposal) { p.Priority = activities.PriorityHigh }),
		task("late", "Late", due(start.Add(-time.Hour))),
		task("today", "Today", due(start.Add(time.Hour))),
		reply("r", "Answer Ana", "At four."),
	)

	got := cards(document(t, w.get("/").body))

	want := map[string][]string{
		"Overdue 1": {"Late"}, "Due today 1": {"Today"}, "Waiting for you 1": {"Answer Ana"}, "The rest 2": {"High", "Low"},
	}
	if diff := cmp.Diff(want, got); diff != "" {
		t.Errorf("the groups (-want +got):\n%s", diff)
	}
}

func TestHeadingSaysWhichListItIs(t *testing.T) {
	w := newWorkspace(t, nil)
	w.publish(task("a", "One"), task("b", "Two"), task("c", "Three"))
	w.decide("a", url.Values{"verb": {"done"}})
	w.decide("b", url.Values{"verb": {"snooze"}, "until": {"activity"}})

	for view, want := range map[string]map[string][]string{
		"done":    {"Done 1": {"One"}},
		"snoozed": {"Snoozed 1": {"Two"}},
		"all":     {"All 3": {"Three", "Two", "One"}},
	} {
		if diff := cmp.Diff(want, cards(document(t, w.get("/?view="+view).body))); diff != "" {
			t.Errorf("%s (-want +got):\n%s", view, diff)
		}
	}
}

func TestHomeOfANewcomerTeaches(t *testing.T) {
	w := newWorkspace(t, nil)

	page := document(t, w.get("/").body)

	if got := text(one(t, page, with("id", "mcp-address"))); got != "http://127.0.0.1:3000/mcp" {
		t.Errorf("the address for assistants is %q", got)
	}
	if got := texts(all(page, tag("h2"))); len(got) != 3 {
		t.Errorf("the headings are %q, want the account, what is proposed and the sample", got)
	}
}

func TestTitleCountsWhatNeedsThePerson(t *testing.T) {
	w := newWorkspace(t, nil)
	w.publish(task("a", "One"), task("b", "Two"))
	w.decide("a", url.Values{"verb": {"snooze"}, "until": {"activity"}})

	for path, want := range map[string]string{"/": "(1) Home – Personal Workspace", "/decks": "(1) Decks – Personal Workspace"} {
		if got := text(one(t, document(t, w.get(path).body), tag("title"))); got != want {
			t.Errorf("%s has the title %q, want %q", path, got, want)
		}
	}
}

// decide sends a decision as the form of a card on Home does.
func (w *workspace) decide(id string, form url.Values, headers ...string) answer {
	w.t.Helper()
	return w.post("/activities/"+id+"/decide", form, headers...)
}

func TestVerbsWithoutScript(t *testing.T) {
	for name, c := range map[string]struct {
		form      url.Values
		row, view string
	}{
		"done":                {url.Values{"verb": {"done"}}, "One Done", "done"},
		"dismiss":             {url.Values{"verb": {"dismiss"}}, "One Dismissed", "dismissed"},
		"snooze to a time":    {url.Values{"verb": {"snooze"}, "until": {"2026-12-01T08:00:00Z"}}, "One Snoozed until tomorrow 09:00", "snoozed"},
		"snooze to own time":  {url.Values{"verb": {"snooze"}, "at": {"2026-12-07T07:30"}}, "One Snoozed until Mon 7 Dec 07:30", "snoozed"},
		"snooze until news":   {url.Values{"verb": {"snooze"}, "until": {"activity"}}, "One Snoozed until something new happens", "snoozed"},
		"accept keeps a task": {url.Values{"verb": {"accept"}}, "One Accepted", "todo"},
	} {
		t.Run(name, func(t *testing.T) {
			w := newWorkspace(t, nil)
			w.publish(task("a", "One"), task("b", "Two"))
			c.form.Set("from", "")
			c.form.Set("place", "0")
			c.form.Set("next", "b")

			a := w.decide("a", c.form)

			if a.StatusCode != http.StatusSeeOther {
				t.Fatalf("the answer is %d: %s", a.StatusCode, a.body)
			}
			page := document(t, w.get(a.Header.Get("Location")).body)
			if got := text(all(one(t, page, class("decided")), tag("p"))[0]); got != c.row {
				t.Errorf("the line is %q, want %q", got, c.row)
			}
			if got := attr(one(t, page, tag("article"), with("autofocus", "")), "id"); !strings.Contains(got, "activity-") {
				t.Errorf("the focus is on %q, want the next card", got)
			}
			list := document(t, w.get("/?view="+c.view).body)
			if len(all(list, tag("article"), with("id", "activity-a"))) != 1 {
				t.Errorf("the view %s does not have the card", c.view)
			}
		})
	}
}

func TestDecisionWithScriptLeavesALine(t *testing.T) {
	w := newWorkspace(t, nil)
	w.publish(task("a", "One"), task("b", "Two"))

	a := w.decide("a", url.Values{"verb": {"done"}}, "HX-Request", "true")

	page := document(t, a.body)
	if got := attr(one(t, page, class("decided")), "id"); got != "activity-a" {
		t.Errorf("the line has the id %q, want the card's", got)
	}
	if got := a.Header.Get("Activities-Revision"); got != "2" {
		t.Errorf("the revision is %q, want 2", got)
	}
	var along []string
	for _, part := range all(page, tag("hx-partial")) {
		along = append(along, attr(part, "hx-target"))
	}
	if diff := cmp.Diff([]string{"#views", "#undo-last"}, along); diff != "" {
		t.Errorf("what comes along (-want +got):\n%s", diff)
	}
}

func TestAcceptedReplyKeepsItsTextToSendIt(t *testing.T) {
	w := newWorkspace(t, nil)
	w.publish(reply("r", "Answer Ana", "At four."))

	page := document(t, w.decide("r", url.Values{"verb": {"accept"}}, "HX-Request", "true").body)

	card := one(t, page, tag("article"))
	for _, want := range []string{"At four.", "Copy text and open at source", "Sent? Mark done", "Accepted"} {
		if !strings.Contains(text(card), want) {
			t.Errorf("the card has no %q: %s", want, text(card))
		}
	}
}

// TestACardHasOnePrimaryButton: what one most likely does with it as it stands.
func TestACardHasOnePrimaryButton(t *testing.T) {
	for name, tc := range map[string]struct {
		kind activities.Kind
		form url.Values
		view string
		want []string
	}{
		"a task":            {activities.KindTask, nil, "", []string{"Accept"}},
		"a reply":           {activities.KindReply, nil, "", []string{"Copy text and open at source"}},
		"nowhere to send":   {activities.KindReply, nil, "", []string{"I will send this"}},
		"an accepted reply": {activities.KindReply, url.Values{"verb": {"accept"}}, "", []string{"Copy text and open at source"}},
		"waiting for them":  {activities.KindReply, url.Values{"verb": {"wait"}}, "snoozed", []string{"Reopen"}},
		"a done reply":      {activities.KindReply, url.Values{"verb": {"done"}}, "done", []string{"Reopen"}},
	} {
		t.Run(name, func(t *testing.T) {
			w := newWorkspace(t, nil)
			p := reply("r", "Answer Ana", "At four.")
			p.Kind = tc.kind
			if name == "nowhere to send" {
				p.Source = nil
			}
			w.publish(p)
			if tc.form != nil {
				w.decide("r", tc.form)
			}

			card := one(t, document(t, w.get("/?view="+tc.view).body), tag("article"))

			var got []string
			for _, b := range all(card, class("primary")) {
				if !slices.Contains(strings.Fields(attr(b, "class")), "unscripted") {
					got = append(got, text(b))
				}
			}
			if diff := cmp.Diff(tc.want, got); diff != "" {
				t.Errorf("primary buttons (-want +got):\n%s", diff)
			}
		})
	}
}

func TestUndoFromALine(t *testing.T) {
	w := newWorkspace(t, nil)
	w.publish(task("a", "One"))
	a := w.decide("a", url.Values{"verb": {"dismiss"}, "from": {""}})
	form := one(t, document(t, w.get(a.Header.Get("Location")).body), with("action", "/activities/a/undo"))

	w.restart()
	a = w.post("/activities/a/undo", fieldsIn(form))

	page := document(t, w.get(a.Header.Get("Location")).body)
	if got := cards(page); len(got["The rest 1"]) != 1 {
		t.Errorf("the cards are %v, want the one that is back", got)
	}
	if len(all(page, class("decided"))) != 0 {
		t.Error("the line is still there")
	}
}

// fieldsIn are the hidden fields of a form.
func fieldsIn(form *html.Node) url.Values {
	v := url.Values{}
	for _, in := range all(form, tag("input"), with("type", "hidden")) {
		v.Add(attr(in, "name"), attr(in, "value"))
	}
	return v
}

func TestUndoTheLastDecisionAfterAReload(t *testing.T) {
	w := newWorkspace(t, nil)
	w.publish(task("a", "One"), task("b", "Two"))
	w.decide("a", url.Values{"verb": {"done"}})
	w.decide("b", url.Values{"verb": {"done"}})

	w.post("/activities/undo", nil)

	if diff := cmp.Diff(map[string][]string{"The rest 1": {"Two"}}, cards(document(t, w.get("/").body))); diff != "" {
		t.Errorf("the cards (-want +got):\n%s", diff)
	}
}

func TestFiltersOfHome(t *testing.T) {
	w := newWorkspace(t, nil)
	c := w.connect("social.example")
	own := reply("r", "Answer Ana", "At four.")
	own.Source.ConnectionID = c.ID
	w.publish(task("a", "One"), own)

	for query, want := range map[string][]string{
		"kind=task": {"One"}, "kind=reply": {"Answer Ana"}, "account=" + c.ID: {"Answer Ana"}, "by=nobody": nil,
	} {
		var got []string
		for _, titles := range cards(document(t, w.get("/?"+query).body)) {
			got = append(got, titles...)
		}
		if diff := cmp.Diff(want, got); diff != "" {
			t.Errorf("%s (-want +got):\n%s", query, diff)
		}
	}
}

func TestDecisionThatIsRefused(t *testing.T) {
	for name, c := range map[string]struct {
		id     string
		form   url.Values
		status int
		says   string
	}{
		"no such activity": {"x", url.Values{"verb": {"done"}}, http.StatusNotFound, ""},
		"no verb":          {"a", url.Values{"verb": {"burn"}}, http.StatusUnprocessableEntity, ""},
		"a time that passed": {
			"a", url.Values{"verb": {"snooze"}, "at": {"2026-11-30T10:00"}}, http.StatusUnprocessableEntity, "This time has passed",
		},
		"no time": {"a", url.Values{"verb": {"snooze"}, "at": {"soon"}}, http.StatusUnprocessableEntity, "not a date"},
	} {
		t.Run(name, func(t *testing.T) {
			w := newWorkspace(t, nil)
			w.publish(task("a", "One"))

			for _, header := range [][]string{nil, {"HX-Request", "true"}} {
				if a := w.decide(c.id, c.form, header...); a.StatusCode != c.status || !strings.Contains(a.body, c.says) {
					t.Errorf("the answer is %d, want %d with %q: %s", a.StatusCode, c.status, c.says, a.body)
				}
			}
			if got, err := w.activities.Revision(t.Context()); err != nil || got != 1 {
				t.Errorf("the revision is %d (%v), want 1", got, err)
			}
		})
	}
}

func TestHostileEvidenceIsText(t *testing.T) {
	w := newWorkspace(t, nil)
	p := reply("r", "<script>alert(1)</script>", `"><img src=x onerror=alert(1)>`)
	p.Source.URL, p.Source.Excerpts[0].URL = "https://social.example/1", "https://social.example/2"
	p.Source.Excerpts[0].Text = "<b>bold</b>"
	w.publish(p)

	for _, path := range []string{"/", "/activities/r", "/activities/r/edit"} {
		page := document(t, w.get(path).body)
		if n := len(all(page, tag("img"))) + len(all(page, tag("b"))); n != 0 {
			t.Errorf("%s has %d elements of the evidence", path, n)
		}
	}
}

func TestCountForHiddenTabs(t *testing.T) {
	w := newWorkspace(t, nil)
	w.publish(task("a", "One"), task("b", "Two"))

	if got := strings.TrimSpace(w.get("/api/activities/count").body); got != `{"needsYou":2,"revision":1}` {
		t.Errorf("the count is %s", got)
	}
}

func TestStreamTellsOfActivities(t *testing.T) {
	w := newWorkspace(t, nil)
	l := w.listen(w.serve(), events)
	l.next()

	w.publish(task("a", "One"))

	l.want("activities", `{"revision":1}`)
}

func TestReasonOfADismissalIsKept(t *testing.T) {
	w := newWorkspace(t, nil)
	w.publish(task("a", "One"))
	line := document(t, w.decide("a", url.Values{"verb": {"dismiss"}}, "HX-Request", "true").body)
	form := fieldsIn(one(t, line, class("reason")))
	form.Set("reason", "Not mine")

	a := w.decide("a", form, "HX-Request", "true")

	if a.StatusCode != http.StatusOK {
		t.Fatalf("the answer is %d: %s", a.StatusCode, a.body)
	}
	got, err := w.activities.Get(t.Context(), "a")
	if err != nil || got.Decision.DismissReason != "Not mine" {
		t.Errorf("the reason is %q (%v), want Not mine", got.Decision.DismissReason, err)
	}
}

func TestEmptyHomeSaysWhatCameLast(t *testing.T) {
	w := newWorkspace(t, nil)
	w.publish(task("a", "One"))
	w.decide("a", url.Values{"verb": {"done"}})

	if got := text(one(t, document(t, w.get("/").body), class("empty"))); got != "Nothing needs you. Last update 13:50 by anonymous." {
		t.Errorf("the page says %q", got)
	}
}

func TestLaterPagesOfHome(t *testing.T) {
	w := newWorkspace(t, nil)
	var list []activities.Proposal
	for i := range 60 {
		list = append(list, task(fmt.Sprintf("a%d", i), fmt.Sprintf("Task %d", i)))
	}
	w.publish(list...)

	page := document(t, w.get("/").body)
	next := document(t, w.get(linkTo(page, "Show more")).body)

	if got := len(all(page, tag("article"))) + len(all(next, tag("article"))); got != 60 {
		t.Errorf("two pages have %d cards, want 60", got)
	}
	if got := linkTo(next, "Back to the first"); got != "/" {
		t.Errorf("the way back leads to %q, want /", got)
	}
}

func TestLastDecisionLeavesItsLineInAnEmptyList(t *testing.T) {
	w := newWorkspace(t, nil)
	w.publish(task("a", "One"))

	for _, from := range []string{"", "focus=1"} {
		a := w.decide("a", url.Values{"verb": {"done"}, "from": {from}})
		page := document(t, w.get(a.Header.Get("Location")).body)

		if got := texts(all(page, tag("h2"))); !cmp.Equal(got, []string{"Just decided 1"}) {
			t.Errorf("from %q: the headings are %q", from, got)
		}
		w.post("/activities/undo", nil)
	}
}
