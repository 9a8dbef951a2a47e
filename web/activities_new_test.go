package web_test

import (
	"net/http"
	"net/url"
	"strings"
	"testing"
	"time"

	"personal-workspace/activities"
)

// newTask is the form as the page has it.
func (w *workspace) newTask() url.Values {
	w.t.Helper()
	page := document(w.t, w.get("/activities/new").body)
	return url.Values{"id": {attr(one(w.t, page, with("name", "id")), "value")}}
}

func TestANewTaskIsMadeOnce(t *testing.T) {
	w := newWorkspace(t, nil)
	form := w.newTask()
	form.Set("title", " Buy bread 🍞 ")
	form.Set("body", "Rye,\r\n  not wheat\n")
	form.Set("due", "2026-12-24T09:30")

	a := w.post("/activities/new", form)
	again := w.post("/activities/new", form)

	own := w.own()
	if len(own) != 1 || a.Header.Get("Location") != again.Header.Get("Location") {
		t.Fatalf("the form sent twice made %d tasks", len(own))
	}
	p := own[0].Proposal
	if p.Title != "Buy bread 🍞" || p.Body != "Rye,\n  not wheat\n" || !p.DueAt.Equal(time.Date(2026, 12, 24, 8, 30, 0, 0, time.UTC)) {
		t.Errorf("the task is %+v", p)
	}
	page := document(t, w.get(a.Header.Get("Location")).body)
	if got := text(one(t, page, class("decided"))); !strings.HasPrefix(got, "Buy bread 🍞 Task made Undo") {
		t.Errorf("its page says %q", got)
	}
}

func TestANewTaskThatIsRefusedKeepsItsText(t *testing.T) {
	long := strings.Repeat("🐈", activities.MaxTitle)
	for name, c := range map[string]struct {
		title, body, due string
		// field is the one that is marked, "" for none.
		field string
	}{
		"no title":         {" ", "Rye", "2026-12-24T09:30", "title"},
		"a long title":     {long + "x", "Rye", "", "title"},
		"long notes":       {"Bread", strings.Repeat("字", activities.MaxBody+1), "", "body"},
		"no date":          {"Bread", "Rye", "soon", "due"},
		"a far date":       {"Bread", "Rye", "1066-10-14T09:00", "due"},
		"a sign too many":  {"Bread", "a\x07b", "", "body"},
		"a turning letter": {"Br\u202Eead", "Rye", "", "title"},
	} {
		t.Run(name, func(t *testing.T) {
			w := newWorkspace(t, nil)
			form := w.newTask()
			form.Set("title", c.title)
			form.Set("body", c.body)
			form.Set("due", c.due)

			a := w.post("/activities/new", form)

			if a.StatusCode != http.StatusUnprocessableEntity || len(w.own()) != 0 {
				t.Fatalf("answered %d with %d tasks, want 422 and none", a.StatusCode, len(w.own()))
			}
			page := document(t, a.body)
			for field, want := range map[string]string{"title": c.title, "due": c.due, "id": form.Get("id")} {
				if got := attr(one(t, page, with("name", field)), "value"); got != want {
					t.Errorf("%s is %q again, want %q", field, got, want)
				}
			}
			area := one(t, page, with("name", "body"))
			if got := area.FirstChild.Data; got != c.body {
				t.Errorf("the notes are %q again, want %q", got, c.body)
			}
			bad := one(t, page, with("aria-invalid", "true"))
			if attr(bad, "name") != c.field || !has(bad, "autofocus") || text(one(t, page, class("problem"))) == "" {
				t.Errorf("%s is marked, want %s with the cursor and what is wrong", attr(bad, "name"), c.field)
			}
		})
	}
}

func TestATitleAtItsLimitIsTaken(t *testing.T) {
	w := newWorkspace(t, nil)
	form := w.newTask()
	form.Set("title", strings.Repeat("🐈", activities.MaxTitle))
	if a := w.post("/activities/new", form); a.StatusCode != http.StatusSeeOther {
		t.Errorf("answered %d, want it made", a.StatusCode)
	}
}

func TestAFormThatWasSentAndChangedMakesAnother(t *testing.T) {
	w := newWorkspace(t, nil)
	form := w.newTask()
	form.Set("title", "Buy bread")
	w.post("/activities/new", form)
	form.Set("title", "Buy rolls")

	a := w.post("/activities/new", form)

	page := document(t, a.body)
	if a.StatusCode != http.StatusConflict || attr(one(t, page, with("name", "title")), "value") != "Buy rolls" {
		t.Fatalf("answered %d", a.StatusCode)
	}
	if got := text(one(t, page, with("role", "alert"))); !strings.Contains(got, "has made a task already") {
		t.Errorf("the page says %q", got)
	}
	form.Set("id", attr(one(t, page, with("name", "id")), "value"))
	if a := w.post("/activities/new", form); a.StatusCode != http.StatusSeeOther || len(w.own()) != 2 {
		t.Errorf("pressed again: %d with %d tasks, want two", a.StatusCode, len(w.own()))
	}
}

// TestAnActivityMayBeCalledNew has an assistant choose the id of a page.
func TestAnActivityMayBeCalledNew(t *testing.T) {
	w := newWorkspace(t, nil)
	w.publish(task("new", "Buy bread"))
	card := one(t, document(t, w.get("/").body), class("act"))
	link := attr(all(one(t, card, tag("h3")), tag("a"))[0], "href")

	if got := text(one(t, document(t, w.get(link).body), tag("h1"))); got != "Buy bread" {
		t.Errorf("%s shows %q", link, got)
	}
}
