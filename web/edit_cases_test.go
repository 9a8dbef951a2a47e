package web_test

import (
	"cmp"
	"fmt"
	"net/http"
	"net/url"
	"strconv"
	"strings"
	"testing"

	"personal-workspace/decks"
	"personal-workspace/decks/deckstest"
	"personal-workspace/internal/fault"
)

// TestDeckOperations runs the shared cases through the forms.
func TestDeckOperations(t *testing.T) {
	deckstest.Run(t, func(t *testing.T) (deckstest.Client, string) {
		w := newWorkspace(t, nil)
		return person{w}, w.login("social.example").ID
	})
}

// person changes decks through the forms.
type person struct{ *workspace }

func (w person) Do(t *testing.T, op deckstest.Operation) deckstest.Outcome {
	t.Helper()
	a := w.send(t, op)
	o := deckstest.Outcome{Code: fault.Code(a.Header.Get("Workspace-Fault")), Field: a.Header.Get("Workspace-Fault-Field")}
	if want := statusOf(o); a.StatusCode != want && !(want == http.StatusNotFound && a.StatusCode == http.StatusGone) {
		t.Errorf("%s: status %d for %+v, want %d: %s", op.Do, a.StatusCode, o, want, text(document(t, a.body)))
	}
	w.checkWords(t, a, o)
	return o
}

func (w person) List(t *testing.T) []decks.Summary {
	t.Helper()
	list, err := w.decks.ListDecks(t.Context())
	if err != nil {
		t.Fatal(err)
	}
	return list
}

func (w person) Deck(t *testing.T, id string) decks.Deck {
	t.Helper()
	d, err := w.decks.GetDeck(t.Context(), id)
	if err != nil {
		t.Fatal(err)
	}
	return d
}

// statusOf is how a page answers: a form that is refused comes back.
func statusOf(o deckstest.Outcome) int {
	switch o.Code {
	case "":
		return http.StatusSeeOther
	case fault.StaleRevision, fault.RequestConflict:
		return http.StatusConflict
	case fault.NotFound:
		if o.Field == "" {
			return http.StatusNotFound
		}
	}
	return http.StatusUnprocessableEntity
}

// checkWords reports a page that does not say what is wrong, or that does not
// mark the input that a fault is about.
func (w person) checkWords(t *testing.T, a answer, o deckstest.Outcome) {
	t.Helper()
	if o.Code == "" {
		return
	}
	page := document(t, a.body)
	if i := strings.LastIndexByte(o.Field, '['); i > 0 && strings.HasSuffix(o.Field, "]") {
		o.Field = o.Field[:i]
	}
	for _, input := range all(page, with("name", cmp.Or(o.Field, "none"))) {
		if attr(input, "type") != "hidden" && attr(input, "aria-invalid") != "true" {
			t.Errorf("the input %s is not marked", o.Field)
		}
	}
	if !strings.ContainsAny(text(one(t, page, tag("main"))), ".") {
		t.Errorf("the page does not say what is wrong: %s", text(page))
	}
}

func (w person) send(t *testing.T, op deckstest.Operation) answer {
	t.Helper()
	revision := strconv.FormatInt(op.ExpectedRevision, 10)
	deck := "/decks/" + op.DeckID
	column := deck + "/columns/" + op.Column.ID
	form := url.Values{"revision": {revision}}
	switch op.Do {
	case deckstest.Create:
		form = definitionForm(op)
		form.Set("deckId", op.DeckID)
		return w.post("/decks/new", form)
	case deckstest.Replace:
		form = definitionForm(op)
		form.Set("expectedRevision", revision)
		return w.post(deck+"/edit", form)
	case deckstest.Delete:
		return w.post(deck+"/delete", form)
	case deckstest.Rename:
		form.Set("title", op.Title)
		return w.post(deck+"/rename", form)
	case deckstest.Duplicate:
		return w.post(deck+"/duplicate", url.Values{"newId": {op.NewID}})
	case deckstest.Undo:
		return w.post(deck+"/undo", url.Values{"undo": {revision}})
	case deckstest.Add:
		columnInputs(form, "", op.Column)
		form.Set("position", strconv.Itoa(op.Position))
		return w.post(deck+"/add", form)
	case deckstest.Change:
		columnInputs(form, "", op.Column)
		return w.post(column+"/edit", form)
	case deckstest.Move:
		form.Set("position", strconv.Itoa(op.Position))
		return w.post(column+"/move", form)
	case deckstest.Remove:
		return w.post(column+"/remove", form)
	}
	t.Fatalf("the forms cannot %s", op.Do)
	return answer{}
}

func definitionForm(op deckstest.Operation) url.Values {
	form := url.Values{"title": {op.Title}}
	for i, c := range op.Columns {
		columnInputs(form, fmt.Sprintf("columns[%d].", i), c)
	}
	return form
}

// columnInputs are those that the columns of the cases have.
func columnInputs(form url.Values, prefix string, c decks.Column) {
	set := func(name, value string) {
		if value != "" {
			form.Set(prefix+name, value)
		}
	}
	f := *cmp.Or(c.Filters, &decks.Filters{})
	set("id", c.ID)
	set("title", c.Title)
	set("connectionId", c.ConnectionID)
	set("source.kind", string(c.Source.Kind))
	set("source.tag", c.Source.Tag)
	set("source.listId", c.Source.ListID)
	set("filters.include", strings.Join(f.Include, "\n"))
	set("filters.exclude", strings.Join(f.Exclude, "\n"))
	if f.HideBoosts {
		set("filters.hideBoosts", "on")
	}
	if f.HideReplies {
		set("filters.hideReplies", "on")
	}
}
