package web

import (
	"context"
	"net/http"
	"net/url"
	"strings"

	"personal-workspace/activities"
	"personal-workspace/sns"
	"personal-workspace/web/view"
)

// makeTask makes a task from a post. htmx gets the line about it in the button's
// place; a page without script is shown again with that line.
func (h *Handler) makeTask(w http.ResponseWriter, r *http.Request) error {
	if err := readForm(r); err != nil {
		return err
	}
	p := madePart{column: r.PostForm.Get("column"), post: r.PostForm.Get("post")}
	if undo := r.PostForm.Get("undo"); undo != "" {
		return h.unmakeTask(w, r, p, undo)
	}
	ctx, cancel := context.WithTimeout(r.Context(), h.refreshWait)
	defer cancel()

	made, err := h.activities.CreateFromPost(ctx, activities.PostRef{ConnectionID: r.PathValue("connection"), PostID: p.post})
	if err != nil {
		return h.refuseTask(w, r, p, noPost(err))
	}

	p.activity, p.change = made.Activity.ID, made.ChangeID
	if isFragment(r) {
		return h.render(w, r, http.StatusOK, view.PostTaskPlace(p.line(h.site)))
	}
	h.backToPost(w, r, p)
	return nil
}

// unmakeTask takes back what makeTask has made.
func (h *Handler) unmakeTask(w http.ResponseWriter, r *http.Request, p madePart, undo string) error {
	p.change, p.post, _ = strings.Cut(undo, " ")
	a, err := h.activities.UndoDecision(r.Context(), p.change)
	if err != nil {
		return h.refuseTask(w, r, p, err)
	}

	if isFragment(r) {
		return h.render(w, r, http.StatusOK, view.PostTaskPlace(p.offer()))
	}
	p.activity = a.ID
	h.backToPost(w, r, p)
	return nil
}

// refuseTask says in the button's place why there is no task, and offers it again.
// A page without script gets a page that says so.
func (h *Handler) refuseTask(w http.ResponseWriter, r *http.Request, p madePart, err error) error {
	f, status, ok := refusedInPlace(w, r, err)
	if !ok {
		return err
	}
	t := p.offer()
	t.Problem = f.Message
	return h.render(w, r, status, view.PostTaskPlace(t))
}

// backToPost shows the page again that the form came from, with a line at the
// post; when that is not known, the task.
func (h *Handler) backToPost(w http.ResponseWriter, r *http.Request, p madePart) {
	to := h.site.ActivityAfter(p.activity, "", p.change)
	if u, err := url.Parse(h.pageAt(r.Referer())); err == nil && u.Path != "" {
		q := u.Query()
		q.Set("made", p.String())
		u.RawQuery = q.Encode()
		to = h.site.Path(u.String())
	}
	http.Redirect(w, r, to, http.StatusSeeOther)
}

// madePart says of which post in which column a task was made, and by which change
// of the activities; "" when it was there.
type madePart struct{ column, change, activity, post string }

// parseMade reads "col_x.12.act_y.115"; of these only a post may have a dot.
func parseMade(v string) (p madePart) {
	if parts := strings.SplitN(v, ".", 4); len(parts) == 4 {
		p = madePart{parts[0], parts[1], parts[2], parts[3]}
	}
	return p
}

func (p madePart) String() string { return p.column + "." + p.change + "." + p.activity + "." + p.post }

// offer is the button that makes a task.
func (p madePart) offer() view.PostTask {
	return view.PostTask{Form: view.TaskForm(p.column), Post: p.post}
}

// line is what stands in its place once it was pressed.
func (p madePart) line(site view.Site) view.PostTask {
	t := p.offer()
	t.URL, t.Said = site.Activity(p.activity), "You have a task for this"
	if p.change != "" {
		t.Said, t.Undo = "Task made", p.change+" "+p.post
	}
	return t
}

// tasksOf finds the tasks of posts. A page is shown without them when they cannot
// be read: the service makes no second one.
func (h *Handler) tasksOf(ctx context.Context) func(string, []sns.Post) map[string]string {
	return func(connectionID string, posts []sns.Post) map[string]string {
		tasks, err := h.activities.TasksOfPosts(ctx, connectionID, posts)
		if err != nil && ctx.Err() == nil {
			h.log.WarnContext(ctx, "the tasks of posts cannot be read", "err", err)
		}
		return tasks
	}
}

// task is what stands at a post about a task from it; nil where there is nothing
// to make one from.
func (p postPrinter) task(in sns.Post) *view.PostTask {
	if in.Unavailable != nil || p.page(in) == "" {
		return nil
	}
	m := madePart{column: p.from.Column, post: in.ID}
	t := m.offer()
	here := p.made.post == in.ID && p.made.column == p.from.Column
	id := p.tasks[in.ID]
	switch {
	case id != "" && here && p.made.activity == id:
		t = p.made.line(p.local.site)
	case id != "":
		t.URL = p.local.site.Activity(id)
	}
	t.Focus = here
	return &t
}
