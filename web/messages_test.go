package web_test

import (
	"context"
	"errors"
	"fmt"
	"net/http"
	"net/url"
	"slices"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"
	"golang.org/x/net/html"

	"personal-workspace/activities"
	"personal-workspace/internal/ledger"
)

// said is a reply in a conversation, with what was said there some time ago.
func said(id, key, text string, ago time.Duration) activities.Proposal {
	at := start.Add(-ago)
	p := reply(id, "Answer "+id, "Draft "+id)
	p.Source.ConversationKey, p.Source.ConversationTitle = key, "About "+key
	p.Source.Excerpts = []activities.Excerpt{{Text: text, Author: "Ana Lima", At: &at, URL: "https://social.example/@ana/" + id}}
	return p
}

// talks are the conversations of the list on a page.
func talks(t *testing.T, page *html.Node) []string {
	t.Helper()
	return texts(all(one(t, page, with("id", "talks")), tag("h3")))
}

func TestMessagesListsConversationsNewestEvidenceFirst(t *testing.T) {
	w := newWorkspace(t, nil)
	w.publish(said("a", "bread", "Rye?", time.Hour), said("b", "boats", "Nine?", time.Minute), said("c", "bread", "Or oat?", 2*time.Hour), task("d", "No reply"))

	page := document(t, w.get("/messages").body)

	if diff := cmp.Diff([]string{"About boats", "About bread"}, talks(t, page)); diff != "" {
		t.Errorf("the list (-want +got):\n%s", diff)
	}
	if got := text(one(t, page, with("id", "talk"))); got != "About boats" {
		t.Errorf("%q is open, want the newest", got)
	}
}

func TestConversationHasExcerptsThenDrafts(t *testing.T) {
	w := newWorkspace(t, nil)
	w.publish(said("a", "bread", "Rye?", time.Hour), said("b", "boats", "Nine?", time.Minute), said("c", "bread", "Or oat?", 2*time.Hour))
	link := all(one(t, document(t, w.get("/messages").body), with("id", "talks")), tag("a"))[1]

	talk := one(t, document(t, w.get(attr(link, "href")).body), class("talk"))

	if got := text(talk); !strings.Contains(got, "Excerpts, not the full conversation") {
		t.Errorf("nothing says that these are excerpts: %s", got)
	}
	if diff := cmp.Diff([]string{"Or oat?", "Rye?"}, texts(all(talk, tag("blockquote")))); diff != "" {
		t.Errorf("the excerpts (-want +got):\n%s", diff)
	}
	if diff := cmp.Diff([]string{"Answer a", "Answer c"}, texts(all(talk, tag("h3")))); diff != "" {
		t.Errorf("the cards (-want +got):\n%s", diff)
	}
	caption := all(talk, tag("figcaption"))[1]
	if got := text(caption); !strings.HasPrefix(got, "Ana Lima") || len(all(caption, tag("time"))) != 1 {
		t.Errorf("the excerpt is by %q, want its author and time", got)
	}
	if got := attr(one(t, caption, tag("a")), "href"); got != "https://social.example/@ana/a" {
		t.Errorf("the excerpt leads to %q", got)
	}
}

func TestMessagesFilters(t *testing.T) {
	w := newWorkspace(t, nil)
	w.publish(said("a", "one", "Hi", time.Hour), said("b", "two", "Hi", time.Hour), said("c", "three", "Hi", time.Hour), said("d", "four", "Hi", time.Hour))
	w.decide("b", url.Values{"verb": {"accept"}})
	w.decide("b", url.Values{"verb": {"wait"}})
	w.decide("c", url.Values{"verb": {"done"}})
	w.decide("d", url.Values{"verb": {"snooze"}, "until": {"activity"}})

	for filter, want := range map[string]string{"": "About one", "needs-reply": "About one", "waiting": "About two", "done": "About three", "snoozed": "About four", "what": "About one"} {
		page := document(t, w.get("/messages?filter="+filter).body)
		if diff := cmp.Diff([]string{want}, talks(t, page)); diff != "" {
			t.Errorf("%q (-want +got):\n%s", filter, diff)
		}
	}
}

// wake lets what is due come back.
func (w *workspace) wake() {
	w.t.Helper()
	changes := w.config.Ledger.Subscribe()
	defer changes.Close()
	ctx, stop := context.WithCancel(w.t.Context())
	var run sync.WaitGroup
	run.Go(func() {
		if err := w.activities.Run(ctx); !errors.Is(err, context.Canceled) {
			w.t.Errorf("Run: %v", err)
		}
	})
	<-changes.C
	stop()
	run.Wait()
}

func TestWaitingReturnsByDateOrNewEvidence(t *testing.T) {
	for name, tc := range map[string]struct {
		form url.Values
		says string
		// news: something new is said; else time goes by.
		news bool
	}{
		"a day, then time":           {url.Values{"until": {"2026-12-02T08:00:00Z"}}, "Waiting for them until Wed 2 Dec 09:00", false},
		"a day, then news":           {url.Values{"until": {"2026-12-02T08:00:00Z"}}, "Waiting for them until Wed 2 Dec 09:00", true},
		"a time of one's own":        {url.Values{"at": {"2026-12-01T07:30"}}, "Waiting for them until tomorrow 07:30", false},
		"without a date, then news":  {url.Values{}, "Waiting for them", true},
		"a date field left as it is": {url.Values{"until": {""}}, "Waiting for them", true},
	} {
		t.Run(name, func(t *testing.T) {
			w := newWorkspace(t, nil)
			w.publish(said("a", "bread", "Rye?", time.Hour))
			tc.form.Set("verb", "wait")
			page := document(t, w.get(w.decide("a", tc.form).Header.Get("Location")).body)
			if got := text(one(t, page, class("decided"))); !strings.HasPrefix(got, "Answer a "+tc.says+" Undo") {
				t.Fatalf("the line is %q", got)
			}
			if list := talks(t, document(t, w.get("/messages?filter=waiting").body)); len(list) != 1 {
				t.Fatalf("waiting are %v", list)
			}

			w.pass(48 * time.Hour)
			if tc.news {
				w.pass(-47 * time.Hour)
				p := said("a", "bread", "Or oat?", 0)
				p.Source.Excerpts[0].At = new(w.now())
				w.publish(p)
			} else {
				w.wake()
			}

			if diff := cmp.Diff([]string{"About bread"}, talks(t, document(t, w.get("/messages").body))); diff != "" {
				t.Errorf("needs a reply (-want +got):\n%s", diff)
			}
			if list := talks(t, document(t, w.get("/messages?filter=waiting").body)); len(list) != 0 {
				t.Errorf("still waiting are %v", list)
			}
		})
	}
}

func TestAWaitUntilAPastTimeIsRefused(t *testing.T) {
	w := newWorkspace(t, nil)
	w.publish(said("a", "bread", "Rye?", time.Hour))

	a := w.decide("a", url.Values{"verb": {"wait"}, "at": {"2026-11-30T13:00"}})

	if a.StatusCode != http.StatusUnprocessableEntity || !strings.Contains(a.body, "This time has passed; choose a later one.") {
		t.Errorf("the answer is %d: %s", a.StatusCode, a.body)
	}
}

func TestMessagesWithNothing(t *testing.T) {
	w := newWorkspace(t, nil)

	page := document(t, w.get("/messages?filter=waiting").body)

	if got := text(one(t, page, class("empty"))); got != "You wait for nobody." {
		t.Errorf("the list says %q", got)
	}
	if len(all(page, class("talk"))) != 0 {
		t.Error("a conversation is open")
	}
}

func TestDecisionLeadsBackToTheConversation(t *testing.T) {
	w := newWorkspace(t, nil)
	w.publish(said("a", "bread", "Rye?", time.Minute), said("b", "boats", "Nine?", time.Hour))
	form := fieldsIn(one(t, document(t, w.get("/messages").body), with("id", "verbs-a")))
	form.Set("verb", "done")

	a := w.decide("a", form)

	page := document(t, w.get(a.Header.Get("Location")).body)
	if got := text(all(one(t, page, class("talk"), tag("section")), class("decided"), tag("div"))[0]); !strings.HasPrefix(got, "Answer a Done") {
		t.Errorf("the line is %q", got)
	}
	if diff := cmp.Diff([]string{"About boats"}, talks(t, page)); diff != "" {
		t.Errorf("the list (-want +got):\n%s", diff)
	}
	undo := fieldsIn(one(t, page, with("action", "/activities/a/undo")))
	page = document(t, w.get(w.post("/activities/a/undo", undo).Header.Get("Location")).body)
	if got := text(one(t, page, with("id", "talk"))); got != "About bread" || len(talks(t, page)) != 2 {
		t.Errorf("after undo %q is open beside %v", got, talks(t, page))
	}
}

func TestMessagesInPages(t *testing.T) {
	w := newWorkspace(t, nil)
	for part := range 3 {
		var list []activities.Proposal
		for i := range 80 {
			n := fmt.Sprintf("%03d", part*80+i)
			list = append(list, said("id"+n, n, "Hi", time.Duration(part*80+i)*time.Minute))
		}
		w.publish(list...)
	}

	var got []string
	address := "/messages"
	for range 5 {
		page := document(t, w.get(address).body)
		list := talks(t, page)
		if open := text(one(t, page, with("id", "talk"))); open != list[0] {
			t.Errorf("%q is open beside the page that begins with %q", open, list[0])
		}
		got = append(got, list...)
		more := all(one(t, page, with("id", "talks")), tag("a"), class("button"))
		address = attr(more[len(more)-1], "href")
	}

	if len(got) != 240 || got[0] != "About 000" || got[239] != "About 239" || !slices.IsSorted(got) {
		t.Errorf("the pages have %d conversations: %v", len(got), got)
	}
	if address != "/messages?filter=needs-reply" {
		t.Errorf("the last page leads to %q, want the first", address)
	}
}

func TestDecisionStaysOnItsPageOfTheList(t *testing.T) {
	w := newWorkspace(t, nil)
	var list []activities.Proposal
	for i := range 52 {
		n := fmt.Sprintf("%03d", i)
		list = append(list, said("id"+n, n, "Hi", time.Duration(i)*time.Minute))
	}
	w.publish(list...)
	links := all(one(t, document(t, w.get("/messages").body), with("id", "talks")), tag("a"))
	page := document(t, w.get(attr(links[len(links)-1], "href")).body)
	decide := func(id string) *html.Node {
		form := fieldsIn(one(t, page, with("id", "verbs-"+id)))
		form.Set("verb", "done")
		return document(t, w.get(w.decide(id, form).Header.Get("Location")).body)
	}

	page = decide("id050")
	if diff := cmp.Diff([]string{"About 051"}, talks(t, page)); diff != "" {
		t.Errorf("the page (-want +got):\n%s", diff)
	}
	page = decide("id051")
	if got := talks(t, page); len(got) != 50 || text(one(t, page, with("id", "talk"))) != "About 000" {
		t.Errorf("after the last the page has %v", got)
	}
}

func TestLastDecisionOfAConversationLeadsToTheNext(t *testing.T) {
	for _, header := range [][]string{nil, {"HX-Request", "true"}} {
		w := newWorkspace(t, nil)
		w.publish(said("a", "bread", "Rye?", time.Minute), said("c", "bread", "Oat?", time.Hour), said("b", "boats", "Nine?", time.Hour))
		page := document(t, w.get("/messages").body)
		decide := func(id string) {
			form := fieldsIn(one(t, page, with("id", "verbs-"+id)))
			form.Set("verb", "done")
			a := w.decide(id, form, header...)
			if header == nil {
				a = w.get(a.Header.Get("Location"))
			}
			page = document(t, a.body)
		}

		decide("a")
		if len(all(page, with("id", "talks"))) != 1 || len(all(page, with("id", "activity-b"))) != 0 {
			t.Error("another conversation is shown before the last reply is decided")
		}
		page = document(t, w.get("/messages").body)
		decide("c")

		if got := text(one(t, page, with("id", "talk"))); got != "About boats" {
			t.Errorf("%q is open, want the next", got)
		}
		if got := text(one(t, page, class("decided"))); !strings.HasPrefix(got, "Answer c Done") {
			t.Errorf("the line is %q", got)
		}
		if card := one(t, page, with("id", "activity-b")); !has(card, "autofocus") {
			t.Error("the card of the next conversation has not the cursor")
		}
	}
}

func TestUndoLeadsBackToTheConversation(t *testing.T) {
	for _, header := range [][]string{nil, {"HX-Request", "true"}} {
		w := newWorkspace(t, nil)
		w.publish(said("a", "bread", "Rye?", time.Minute), said("b", "boats", "Nine?", time.Hour))
		form := fieldsIn(one(t, document(t, w.get("/messages").body), with("id", "verbs-a")))
		form.Set("verb", "done")
		page := document(t, w.get(w.decide("a", form).Header.Get("Location")).body)

		a := w.post("/activities/a/undo", fieldsIn(one(t, page, with("action", "/activities/a/undo"))), header...)
		if header == nil {
			a = w.get(a.Header.Get("Location"))
		}

		page = document(t, a.body)
		if got := text(one(t, page, with("id", "talk"))); got != "About bread" {
			t.Errorf("%q is open", got)
		}
		if card := one(t, page, with("id", "activity-a")); !has(card, "autofocus") {
			t.Error("the card has not the cursor")
		}
	}
}

func TestDecisionWithScriptBringsTheListAlong(t *testing.T) {
	w := newWorkspace(t, nil)
	w.publish(said("a", "bread", "Rye?", time.Minute), said("c", "bread", "Oat?", time.Hour), said("b", "boats", "Nine?", time.Hour))
	form := fieldsIn(one(t, document(t, w.get("/messages").body), with("id", "verbs-a")))
	form.Set("verb", "dismiss")

	page := document(t, w.decide("a", form, "HX-Request", "true").body)

	if got := attr(one(t, page, class("decided")), "id"); got != "activity-a" {
		t.Errorf("the line has the id %q, want the card's", got)
	}
	if diff := cmp.Diff([]string{"About bread", "About boats"}, talks(t, page)); diff != "" {
		t.Errorf("the list (-want +got):\n%s", diff)
	}
}

func TestEditInAConversationLeadsBackToIt(t *testing.T) {
	w := newWorkspace(t, nil)
	w.publish(said("a", "bread", "Rye?", time.Minute), said("b", "boats", "Nine?", time.Second))
	list := one(t, document(t, w.get("/messages").body), with("id", "talks"))
	talk := document(t, w.get(attr(all(list, tag("a"))[1], "href")).body)
	edit := attr(one(t, talk, with("data-verb", "edit")), "href")
	form := fieldsIn(one(t, document(t, w.get(edit).body), tag("form"), class("edit-activity")))
	form.Set("title", "Answer a")
	form.Set("body", "In my words")

	page := document(t, w.get(w.post("/activities/a/edit", form).Header.Get("Location")).body)

	if got := text(one(t, page, with("id", "text-a"))); got != "In my words" {
		t.Errorf("the text is %q", got)
	}
}

func TestNewsDoesNotTakeTheOpenConversationAway(t *testing.T) {
	w := newWorkspace(t, nil)
	w.publish(said("a", "bread", "Rye?", time.Hour))
	renew := attr(one(t, document(t, w.get("/messages").body), with("id", "inbox")), "hx-get")
	w.publish(said("b", "boats", "Nine?", time.Minute))

	part := document(t, w.get(renew, "HX-Request", "true").body)

	if got := text(one(t, part, with("id", "talk"))); got != "About bread" {
		t.Errorf("%q is open, want the one that was", got)
	}
	if got := attr(one(t, part, with("id", "inbox")), "class"); got != "messages" {
		t.Errorf("the part is %q, want a phone to stay at the list", got)
	}
}

func TestConversationThatIsGoneSaysSo(t *testing.T) {
	w := newWorkspace(t, nil)

	a := w.get("/messages?conversation=nothing")

	if a.StatusCode != http.StatusNotFound || !strings.Contains(a.body, "This conversation is gone") {
		t.Errorf("the answer is %d: %s", a.StatusCode, a.body)
	}
}

// TestAListOfMessagesSaysWhereItEnds: it is made of so many replies and no more,
// and leads to where all are.
func TestAListOfMessagesSaysWhereItEnds(t *testing.T) {
	w := newWorkspace(t, nil)
	ctx := ledger.WithActor(t.Context(), ledger.Actor{Kind: ledger.Person, ID: "test"})
	var ids []string
	for range activities.MaxBatch / activities.MaxPublication {
		list := make([]activities.Proposal, activities.MaxPublication)
		for i := range list {
			list[i] = said(w.newID("a"), "bread", "Rye?", time.Hour)
			list[i].Source.URL = ""
			ids = append(ids, list[i].ID)
		}
		w.publish(list...)
	}
	for _, n := range []int{activities.MaxBatch - 1, 1} {
		decision := activities.Decide{IDs: ids[:n], Verb: activities.VerbDone}
		if _, err := w.activities.Decide(ctx, decision); err != nil {
			t.Fatal(err)
		}
		ids = ids[n:]
		list := one(t, document(t, w.get("/messages?filter=done").body), with("id", "talks"))
		ends := all(list, class("ends"))
		if n > 1 && len(ends) != 0 {
			t.Errorf("the list of %d says %q", n, texts(ends))
		}
		if n == 1 && (len(ends) != 1 || text(ends[0]) != "This list is made of 1000 replies at most. All are on Home." || attr(all(ends[0], tag("a"))[0], "href") != "/?kind=reply&view=done") {
			t.Errorf("the full list says %q", texts(ends))
		}
	}
}
