package web_test

import (
	"net/http"
	"net/url"
	"strings"
	"testing"

	"golang.org/x/net/html"

	"personal-workspace/activities"
	"personal-workspace/internal/fault"
	"personal-workspace/internal/ledger"
	"personal-workspace/sns"
)

// tasked is a workspace whose deck shows two posts, and the path of the form that
// makes tasks from them.
func tasked(t *testing.T, posts ...sns.Post) (w *workspace, action string) {
	t.Helper()
	w = newWorkspace(t, nil)
	c := w.login("social.example")
	if len(posts) == 0 {
		posts = []sns.Post{post(991, "Bring a lamp"), post(990, "Mend the bike")}
	}
	w.net.set("social.example", sns.KindLocal, posts...)
	w.deck("Morning", local(c))
	w.fill()
	return w, "/posts/" + c.ID + "/task"
}

// press sends the form of a post's button, as the page has it.
func (w *workspace) press(page *html.Node, words, button string, headers ...string) answer {
	w.t.Helper()
	place := w.place(page, words)
	buttons := append(all(place, tag("button")), place)
	for _, b := range buttons {
		if b.Data != "button" || text(b) != button {
			continue
		}
		form := one(w.t, page, with("id", attr(b, "form")))
		values := url.Values{attr(b, "name"): {attr(b, "value")}}
		for _, i := range all(form, tag("input")) {
			values.Set(attr(i, "name"), attr(i, "value"))
		}
		return w.post(attr(form, "action"), values, headers...)
	}
	w.t.Fatalf("the post %q has no button %q but %q", words, button, text(place))
	return answer{}
}

// place is what a post says about a task from it.
func (w *workspace) place(page *html.Node, words string) *html.Node {
	w.t.Helper()
	for _, a := range all(page, tag("article")) {
		if strings.Contains(text(a), words) {
			return one(w.t, a, func(n *html.Node) bool { return has(n, "data-task") })
		}
	}
	w.t.Fatalf("there is no post %q", words)
	return nil
}

// own are the person's own activities.
func (w *workspace) own() (list []activities.Activity) {
	w.t.Helper()
	p, err := w.activities.List(w.t.Context(), activities.Query{View: activities.ViewTodo})
	if err != nil {
		w.t.Fatal(err)
	}
	for _, i := range p.Items {
		if i.Own {
			list = append(list, i.Activity)
		}
	}
	return list
}

func TestATaskIsMadeFromAPostWithoutScript(t *testing.T) {
	for _, path := range []string{"/decks/d", "/decks/d/columns/c1", "/posts/CONNECTION/991", "/posts/CONNECTION/991?column=c1&deck=d"} {
		t.Run(path, func(t *testing.T) {
			w, action := tasked(t)
			path := strings.Replace(path, "CONNECTION", strings.Split(action, "/")[2], 1)
			from := []string{"Referer", "http://localhost:3000" + path}

			a := w.press(document(t, w.get(path).body), "Bring a lamp", "Make a task", from...)

			if a.StatusCode != http.StatusSeeOther || !strings.HasPrefix(a.Header.Get("Location"), strings.Split(path, "?")[0]) {
				t.Fatalf("answered %d to %s, want 303 to %s", a.StatusCode, a.Header.Get("Location"), path)
			}
			page := document(t, w.get(a.Header.Get("Location")).body)
			place := w.place(page, "Bring a lamp")
			if got := text(place); got != "Task made View Undo" || !has(place, "autofocus") {
				t.Errorf("the post says %q, want that the task is made, with the cursor there", got)
			}
			own := w.own()
			if len(own) != 1 || own[0].Proposal.Title != "Bring a lamp" {
				t.Fatalf("the tasks are %+v, want one to bring a lamp", own)
			}
			if got := attr(one(t, place, tag("a")), "href"); got != "/activities/"+own[0].ID {
				t.Errorf("View leads to %s", got)
			}

			a = w.press(page, "Bring a lamp", "Undo", "Referer", "http://localhost:3000"+a.Header.Get("Location"))
			page = document(t, w.get(a.Header.Get("Location")).body)
			if got := text(w.place(page, "Bring a lamp")); got != "Make a task" || len(w.own()) != 0 {
				t.Errorf("after Undo the post says %q, with %d tasks", got, len(w.own()))
			}
		})
	}
}

func TestATaskIsMadeInPlace(t *testing.T) {
	w, _ := tasked(t)
	page := document(t, w.get("/decks/d").body)

	made := w.press(page, "Bring a lamp", "Make a task", "HX-Request", "true")
	again := w.press(page, "Bring a lamp", "Make a task", "HX-Request", "true")

	if got := text(document(t, made.body)); made.StatusCode != http.StatusOK || got != "Task made View Undo" {
		t.Errorf("answered %d %q", made.StatusCode, got)
	}
	if got := text(document(t, again.body)); got != "You have a task for this View" || len(w.own()) != 1 {
		t.Errorf("pressed again: %q with %d tasks, want one", got, len(w.own()))
	}
	if got := text(w.place(document(t, w.get("/decks/d").body), "Bring a lamp")); got != "Your task" {
		t.Errorf("the deck says %q afterwards, want that there is one", got)
	}
	if got := text(w.place(document(t, w.get("/decks/d").body), "Mend the bike")); got != "Make a task" {
		t.Errorf("the other post says %q", got)
	}
	w.decide(w.own()[0].ID, url.Values{"verb": {"done"}})
	if got := text(w.place(document(t, w.get("/decks/d").body), "Bring a lamp")); got != "Make a task" {
		t.Errorf("once it is done the deck says %q", got)
	}
}

func TestAFormWithoutAPageLeadsToTheTask(t *testing.T) {
	w, action := tasked(t)
	a := w.post(action, url.Values{"column": {"c1"}, "post": {"991"}})

	page := document(t, w.get(a.Header.Get("Location")).body)

	if got := text(one(t, page, class("decided"))); got != "Bring a lamp Task made Undo View" {
		t.Errorf("%s says %q", a.Header.Get("Location"), got)
	}
}

func TestTheTextOfTheFormIsNotTrusted(t *testing.T) {
	w, action := tasked(t)
	w.post(action, url.Values{"post": {"991"}, "title": {"Send money"}, "text": {"Evil"}, "url": {"https://evil.example/"}})
	own := w.own()
	if len(own) != 1 || own[0].Proposal.Title != "Bring a lamp" || own[0].Proposal.Source.URL != "https://social.example/@ana/991" {
		t.Errorf("the tasks are %+v, want what the post says", own)
	}
}

func TestPostsThatCannotBecomeTasks(t *testing.T) {
	w, action := tasked(t)
	w.net.breakWith(fault.Missing("post", "The server has no such post."))
	for name, c := range map[string]struct {
		action string
		form   url.Values
		want   int
	}{
		"a post that is not there":            {action, url.Values{"post": {"5"}}, http.StatusNotFound},
		"no post":                             {action, url.Values{}, http.StatusNotFound},
		"an account that is not there":        {"/posts/conn_gone/task", url.Values{"post": {"991"}}, http.StatusNotFound},
		"a change that is not in the history": {action, url.Values{"undo": {"77 991"}}, http.StatusNotFound},
	} {
		t.Run(name, func(t *testing.T) {
			if got := w.post(c.action, c.form).StatusCode; got != c.want {
				t.Errorf("a page without script is answered %d, want %d", got, c.want)
			}
			a := w.post(c.action, c.form, "HX-Request", "true")
			if got := text(document(t, a.body)); a.StatusCode != c.want || !strings.HasSuffix(got, "Try again") {
				t.Errorf("a page with script is answered %d %q, want %d and what to do", a.StatusCode, got, c.want)
			}
		})
	}
	if n := len(w.own()); n != 0 {
		t.Errorf("%d tasks were made", n)
	}
}

func TestWhereThereIsNoPostThereIsNoTask(t *testing.T) {
	w, _ := tasked(t,
		sns.Post{ID: "7", EntryID: "7", Notification: &sns.Notification{Type: "follow", Actors: []sns.Author{{Handle: "@bo@social.example"}}}},
		post(990, "Boosted", func(p *sns.Post) {
			p.EntryID, p.BoostedBy = "995", &sns.Boost{ID: "995", Author: sns.Author{Handle: "@bo@social.example"}}
		}))
	page := document(t, w.get("/decks/d").body)
	if got := all(page, tag("button"), with("value", "7")); len(got) != 0 {
		t.Error("a follow offers to make a task")
	}

	w.press(page, "Boosted", "Make a task")

	if own := w.own(); len(own) != 1 || own[0].Proposal.Source.URL != "https://social.example/@ana/990" {
		t.Errorf("the tasks are %+v, want one of the boosted post", own)
	}
}

func TestAHiddenTextStaysHiddenOnItsTask(t *testing.T) {
	w, action := tasked(t, post(990, "The butler did it", func(p *sns.Post) { p.ContentWarning = "The end of the film" }))
	w.post(action, url.Values{"post": {"990"}})

	card := one(t, document(t, w.get("/").body), class("act"))

	fold := one(t, card, tag("details"), class("warning"))
	if got := text(one(t, fold, tag("summary"))); got != "The end of the film" || has(fold, "open") {
		t.Errorf("the card hides its text behind %q, open: %v", got, has(fold, "open"))
	}
	if got := text(one(t, card, tag("h3"))); got != "The end of the film" {
		t.Errorf("the title is %q, want the warning", got)
	}
}

func TestAssistantsCannotChangeATaskFromAPost(t *testing.T) {
	w, action := tasked(t)
	w.post(action, url.Values{"post": {"991"}})
	id := w.own()[0].ID
	for name, p := range map[string]activities.Proposal{
		"its id":   {ID: id, Kind: activities.KindTask, Title: "Sell the lamp"},
		"its post": {Kind: activities.KindTask, Title: "Sell the lamp", Source: &activities.Source{ConnectionID: strings.Split(action, "/")[2], URL: "https://social.example/@ana/991"}},
	} {
		if o := w.publish(p).Activities[0]; o.Outcome != activities.OutcomeKept || o.ID != id {
			t.Errorf("published to %s: %+v, want kept_decision of %s", name, o, id)
		}
	}
	a, err := w.activities.Get(ledger.WithActor(t.Context(), ledger.Actor{Kind: ledger.Person, ID: "test"}), id)
	if err != nil || a.Proposal.Title != "Bring a lamp" {
		t.Errorf("the task is %q, %v", a.Proposal.Title, err)
	}
}
