package e2e_test

import (
	"encoding/json"
	"net"
	"regexp"
	"strings"
	"sync"
	"testing"

	"github.com/google/go-cmp/cmp"
	"github.com/mxschmitt/playwright-go"

	"personal-workspace/activities"
	"personal-workspace/internal/ledger"
)

// contextOf is what an assistant reads of some activities.
type contextOf struct {
	Revision   int64
	Activities []struct {
		ID       string
		Proposal struct{ Title string }
		Decision struct{ Status activities.Status }
		Edits    map[string]string
	}
}

func (w *workspace) context(t *testing.T, ids ...string) (c contextOf) {
	t.Helper()
	arguments := map[string]any{}
	if len(ids) > 0 {
		arguments["activityIds"] = ids
	}
	got := w.ask(t, "get_activity_context", arguments)
	if got.IsError {
		t.Fatalf("the context is refused: %v", got.Content)
	}
	must(t, json.Unmarshal(got.StructuredContent, &c))
	return c
}

func publication(requestID string, revision int64, list ...activities.Proposal) map[string]any {
	return map[string]any{"requestId": requestID, "expectedRevision": revision, "activities": list}
}

// propose publishes proposals as an assistant does.
func (w *workspace) propose(t *testing.T, list ...activities.Proposal) (r activities.Receipt) {
	t.Helper()
	got := w.ask(t, "publish_activities", publication(ledger.NewID("req"), w.context(t).Revision, list...))
	if got.IsError {
		t.Fatalf("the publication is refused: %v", got.Content)
	}
	must(t, json.Unmarshal(got.StructuredContent, &r))
	return r
}

// firstSecondThird are three tasks with ids of the assistant's own.
func firstSecondThird() []activities.Proposal {
	list := tasks("First", "Second", "Third")
	for i := range list {
		list[i].ID = strings.ToLower(list[i].Title)
	}
	return list
}

// TestProposalsReachAnOpenHome follows one publication from the assistant to the
// person and back.
func TestProposalsReachAnOpenHome(t *testing.T) {
	for _, look := range []window{desktop, phone} {
		t.Run(look.String(), func(t *testing.T) {
			w := start(t, options{demo: true})
			p := open(t, w, look, "/")
			p.live()

			w.propose(t, firstSecondThird()...)

			must(t, check.Locator(p.card("Third")).ToBeVisible())
			must(t, check.Page(p).ToHaveTitle(regexp.MustCompile(`^\(11\) Home`)))
			p.decideOnThree()
			w.isDecided(t)
			for _, o := range w.propose(t, firstSecondThird()...).Activities {
				if o.Outcome == "updated" || o.Outcome == "created" {
					t.Errorf("the same proposal of %s is %s", o.ID, o.Outcome)
				}
			}
			w.isDecided(t)
			p.reload()
			must(t, check.Locator(p.card("First, in my words")).ToBeVisible())
			must(t, check.Locator(p.card("Second")).ToHaveCount(0))
			must(t, check.Locator(p.card("Third")).ToHaveCount(0))
		})
	}
}

// decideOnThree edits the first, dismisses the second and snoozes the third.
func (p *tab) decideOnThree() {
	p.t.Helper()
	must(p.t, p.card("First").GetByRole("link", playwright.LocatorGetByRoleOptions{Name: "Edit"}).Click())
	must(p.t, p.field("Title").Fill("First, in my words"))
	must(p.t, p.button("Save").Click())
	must(p.t, check.Locator(p.card("First, in my words")).ToBeFocused())
	must(p.t, inCard(p.card("Second"), "Dismiss").Click())
	must(p.t, check.Locator(p.decidedLine("Second")).ToContainText("Dismissed"))
	must(p.t, p.card("Third").Locator(".snooze > summary").Click())
	must(p.t, p.card("Third").GetByRole("button", playwright.LocatorGetByRoleOptions{Name: "Tomorrow"}).Click())
	must(p.t, check.Locator(p.decidedLine("Third")).ToContainText("Snoozed until tomorrow 09:00"))
}

// isDecided compares what an assistant reads with what decideOnThree did.
func (w *workspace) isDecided(t *testing.T) {
	t.Helper()
	got := map[string]string{}
	for _, a := range w.context(t, "first", "second", "third").Activities {
		got[a.ID] = a.Proposal.Title + ": " + string(a.Decision.Status) + " " + a.Edits["title"]
	}
	want := map[string]string{"first": "First: proposed First, in my words", "second": "Second: dismissed ", "third": "Third: snoozed "}
	if diff := cmp.Diff(want, got); diff != "" {
		t.Errorf("the context (-want +got):\n%s", diff)
	}
}

// TestTwoAssistantsAtTheSameRevision lets two publish at once while Home is open.
func TestTwoAssistantsAtTheSameRevision(t *testing.T) {
	for _, look := range []window{desktop, phone} {
		t.Run(look.String(), func(t *testing.T) {
			w := start(t, options{})
			p := open(t, w, look, "/")
			p.live()
			names := []string{"Ada", "Ben"}
			answers := make([]toolAnswer, len(names))
			var both sync.WaitGroup
			for i, name := range names {
				both.Go(func() { answers[i] = w.ask(t, "publish_activities", publication(name, 0, tasks("From "+name)...)) })
			}
			both.Wait()

			won, lost := 0, 1
			if answers[0].IsError {
				won, lost = 1, 0
			}
			if answers[won].IsError || !answers[lost].IsError {
				t.Fatalf("both published, or none: %v", answers)
			}
			if text := answers[lost].Content[0].Text; !strings.Contains(text, "stale_revision") || !strings.Contains(text, "get_activity_context") {
				t.Errorf("the other one is told %q, want stale_revision and to read get_activity_context", text)
			}
			must(t, check.Locator(p.card("From "+names[won])).ToBeVisible())
			must(t, check.Locator(p.card("From "+names[lost])).ToHaveCount(0))
		})
	}
}

// TestLostAnswerIsGivenAgain loses the answer to a publication and asks for it
// after the person and others have gone on.
func TestLostAnswerIsGivenAgain(t *testing.T) {
	for _, look := range []window{desktop, phone} {
		t.Run(look.String(), func(t *testing.T) {
			w := start(t, options{})
			p := open(t, w, look, "/")
			p.live()
			lost := publication("lost", 0, tasks("From Ada")...)
			w.hangUpOn(t, lost, func() { must(t, check.Locator(p.card("From Ada")).ToBeVisible()) })
			w.propose(t, tasks("From Ben")...)
			must(t, inCard(p.card("From Ada"), "Done").Click())
			must(t, check.Locator(p.decidedLine("From Ada")).ToContainText("Done"))

			again, once := w.ask(t, "publish_activities", lost), w.ask(t, "publish_activities", lost)

			var r activities.Receipt
			must(t, json.Unmarshal(again.StructuredContent, &r))
			if r.RequestID != "lost" || r.Revision != 1 || len(r.Activities) != 1 || r.Activities[0].Outcome != "created" {
				t.Errorf("the receipt is %s, want that of revision 1 with one created", again.StructuredContent)
			}
			if diff := cmp.Diff(string(again.StructuredContent), string(once.StructuredContent)); diff != "" {
				t.Errorf("the receipt differs the next time:\n%s", diff)
			}
			p.reload()
			must(t, check.Locator(p.card("From Ben")).ToBeVisible())
			must(t, check.Locator(p.card("From Ada")).ToHaveCount(0))
		})
	}
}

// hangUpOn publishes and, when committed says that it is done, leaves without
// the answer.
func (w *workspace) hangUpOn(t *testing.T, p map[string]any, committed func()) {
	t.Helper()
	connection, err := (&net.Dialer{}).DialContext(t.Context(), "tcp", strings.TrimPrefix(w.url, "http://"))
	must(t, err)
	defer connection.Close()
	must(t, w.toolCall(t, "publish_activities", p).Write(connection))
	committed()
}
