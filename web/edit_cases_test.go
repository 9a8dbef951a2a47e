package web_test

import (
	"fmt"
	"net/http"
	"net/url"
	"strconv"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"personal-workspace/decks"
	"personal-workspace/decks/deckstest"
	"personal-workspace/internal/fault"
)

// TestDeckOperations runs the shared cases through the forms.
func TestDeckOperations(t *testing.T) {
	for _, c := range deckstest.Cases("conn_1") {
		t.Run(c.Name, func(t *testing.T) {
			w := newWorkspace(t, nil)
			w.login("social.example")
			for _, op := range c.Given {
				if a := w.operate(op); a.StatusCode != http.StatusSeeOther {
					t.Fatalf("given %+v: %d %s", op, a.StatusCode, text(document(t, a.body)))
				}
			}

			a := w.operate(c.Op)

			if want := statusOf(c.Code, c.Field, c.Given); a.StatusCode != want {
				t.Errorf("status %d, want %d for %q: %s", a.StatusCode, want, c.Code, text(document(t, a.body)))
			}
			w.checkField(a, c.Field)
			if diff := cmp.Diff(c.Want, w.summaries(c.Want)); diff != "" {
				t.Errorf("decks afterwards (-want +got):\n%s", diff)
			}
		})
	}
}

// statusOf is how a page answers a fault.
func statusOf(code fault.Code, field string, given []deckstest.Operation) int {
	switch code {
	case "":
		return http.StatusSeeOther
	case fault.StaleRevision, fault.RequestConflict:
		return http.StatusConflict
	case fault.NotFound:
		switch {
		case field != "":
			return http.StatusUnprocessableEntity
		case len(given) > 0 && given[len(given)-1].Do == deckstest.Delete:
			return http.StatusGone
		}
		return http.StatusNotFound
	}
	return http.StatusUnprocessableEntity
}

// checkField reports an input that the fault is about and that does not say so;
// a fault without an input stands above the form.
func (w *workspace) checkField(a answer, field string) {
	w.t.Helper()
	if field == "" {
		return
	}
	page := document(w.t, a.body)
	if i := strings.LastIndexByte(field, '['); i > 0 && strings.HasSuffix(field, "]") {
		field = field[:i]
	}
	for _, input := range all(page, with("name", field)) {
		if attr(input, "type") == "hidden" {
			continue
		}
		if attr(input, "aria-invalid") != "true" {
			w.t.Errorf("the input %s is not marked", field)
		}
		return
	}
	if len(all(page, with("role", "alert")))+len(all(page, class("problem"))) == 0 && !strings.Contains(a.body, "at most 6 columns") {
		w.t.Errorf("nothing on the page says what is wrong: %s", text(page))
	}
}

func (w *workspace) operate(op deckstest.Operation) answer {
	w.t.Helper()
	revision := strconv.FormatInt(op.ExpectedRevision, 10)
	form := url.Values{"title": {op.Title}}
	for i, c := range op.Columns {
		w.columnInputs(form, i, c)
	}
	switch op.Do {
	case deckstest.Create:
		form.Set("deckId", op.DeckID)
		return w.post("/decks/new", form)
	case deckstest.Replace:
		form.Set("expectedRevision", revision)
		return w.post("/decks/"+op.DeckID+"/edit", form)
	case deckstest.Delete:
		return w.post("/decks/"+op.DeckID+"/delete", url.Values{"revision": {revision}})
	}
	w.t.Fatalf("the forms cannot %s", op.Do)
	return answer{}
}

// columnInputs are those of the cases' columns.
func (w *workspace) columnInputs(form url.Values, i int, c decks.Column) {
	set := func(name, value string) {
		if value != "" {
			form.Set(fmt.Sprintf("columns[%d].%s", i, name), value)
		}
	}
	set("id", c.ID)
	set("title", c.Title)
	set("connectionId", c.ConnectionID)
	set("source.kind", string(c.Source.Kind))
	set("source.tag", c.Source.Tag)
	set("source.listId", c.Source.ListID)
	if c.Filters != nil {
		set("filters.exclude", strings.Join(c.Filters.Exclude, "\n"))
	}
}

// summaries are the decks there are, without the ids that the workspace made.
func (w *workspace) summaries(want []decks.Summary) []decks.Summary {
	w.t.Helper()
	list, err := w.decks.ListDecks(w.t.Context())
	if err != nil {
		w.t.Fatal(err)
	}
	var got []decks.Summary
	for i, d := range list {
		if i < len(want) && want[i].ID == "" {
			d.ID = ""
		}
		got = append(got, d)
	}
	return got
}
