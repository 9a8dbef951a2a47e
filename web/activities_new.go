package web

import (
	"net/http"
	"strconv"
	"unicode/utf8"

	"personal-workspace/activities"
	"personal-workspace/internal/fault"
	"personal-workspace/web/view"
)

// newActivity is the form that makes a task of the person's own.
func (h *Handler) newActivity(w http.ResponseWriter, r *http.Request) error {
	return h.showNewActivity(w, r, http.StatusOK, h.newID("act"), typedText{}, nil)
}

// makeActivity makes the task and shows it, with the way to take it back.
func (h *Handler) makeActivity(w http.ResponseWriter, r *http.Request) error {
	if err := readForm(r); err != nil {
		return err
	}
	t := readTyped(r.PostForm)
	a, err := h.createOwn(r, t)
	if err != nil {
		return h.refuseNewActivity(w, r, t, err)
	}

	http.Redirect(w, r, h.site.MadeActivity(a.ID), http.StatusSeeOther)
	return nil
}

func (h *Handler) createOwn(r *http.Request, t typedText) (activities.Activity, error) {
	in := activities.Own{ID: r.PostForm.Get("id"), Title: t.title, Body: t.body}
	if t.due != "" {
		c := h.clock(r.Context())
		at, err := activities.ParseLocal(fieldDue, t.due, c.now.Location(), c.now)
		if err != nil {
			return activities.Activity{}, err
		}
		in.DueAt = &at
	}
	return h.activities.Create(r.Context(), in)
}

// refuseNewActivity shows the form again with what was typed and what is wrong
// with it.
func (h *Handler) refuseNewActivity(w http.ResponseWriter, r *http.Request, t typedText, err error) error {
	f := fault.From(err)
	status, known := statuses[f.Code]
	if !known || f.Code == fault.Canceled {
		return err
	}
	markFault(w, f)
	id := r.PostForm.Get("id")
	if field := fieldOf(f); f.Code == fault.RequestConflict || field == "id" {
		// The form was sent before and changed since: it may make a second task.
		id = h.newID("act")
		f = fault.New(f.Code, "This form has made a task already, with another text; it is on Home. Press the button again to make another one.")
	}
	return h.showNewActivity(w, r, status, id, t, f)
}

// fieldDue is the name of the field with the date, and of it in the form.
const fieldDue = "due"

func (h *Handler) showNewActivity(w http.ResponseWriter, r *http.Request, status int, id string, t typedText, problem *fault.Error) error {
	p := view.NewActivityPage{
		Page: h.page(r, "New task", "home"), ID: id,
		Title: view.Field{Name: "title", Label: "Title", Value: t.title, Required: true, Focus: problem == nil},
		Body:  t.body, Count: strconv.Itoa(utf8.RuneCountInString(t.body)), Limit: strconv.Itoa(activities.MaxBody),
		Due: view.Field{Name: fieldDue, Label: "Due", Kind: "time", Value: t.due},
	}
	if problem == nil {
		return h.render(w, r, status, view.NewActivity(p))
	}
	switch fieldOf(problem) {
	case "title":
		p.Title.Problem, p.Title.Focus = problem.Message, true
	case "body":
		p.BodyProblem = problem.Message
	case fieldDue, "dueAt":
		p.Due.Problem, p.Due.Focus = problem.Message, true
	default:
		p.Problem = problem.Message
	}
	return h.render(w, r, status, view.NewActivity(p))
}
