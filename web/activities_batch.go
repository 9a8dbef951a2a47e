package web

import (
	"context"
	"net/http"
	"slices"
	"strconv"
	"strings"

	"personal-workspace/activities"
	"personal-workspace/internal/fault"
	"personal-workspace/web/view"
)

// decideActivities takes one decision about all that are selected. A line about
// all of them says so; htmx gets the list with it.
func (h *Handler) decideActivities(w http.ResponseWriter, r *http.Request) error {
	if err := readForm(r); err != nil {
		return err
	}
	ids, expected := readSelected(r.PostForm["id"])
	if len(ids) == 0 {
		return h.refuseBatch(w, r, fault.Invalid("id", "Nothing is selected. Tick the boxes of the cards, then choose what to do with them."))
	}
	d, err := h.readDecision(r.Context(), r.PostForm)
	if err != nil {
		return h.refuseBatch(w, r, err)
	}
	d.IDs, d.Expected = ids, expected
	s := stateOf(r.PostForm)
	next, err := h.beside(r.Context(), s, ids)
	if err != nil {
		return err
	}
	res, err := h.activities.Decide(r.Context(), d)
	if err != nil {
		return h.refuseBatch(w, r, err)
	}

	s = s.page(s.after)
	s.at = next
	for _, id := range ids {
		if change := res.ChangeIDs[id]; change != "" {
			s.batch = decidedPart{len(res.ChangeIDs), change, id}
			break
		}
	}
	return h.backToInbox(w, r, s, res.Revision)
}

// beside is the card to go on with when some of a list are decided, by their ids
// in order: the one behind the last of them, else the one before; "" for none.
func (h *Handler) beside(ctx context.Context, s homeState, ids []string) (string, error) {
	order, err := h.activities.Order(ctx, s.asks(h.clock(ctx).now.Location()))
	if err != nil {
		return "", err
	}
	chosen := func(at int) bool {
		_, ok := slices.BinarySearch(ids, order[at].ID)
		return ok
	}
	last := len(order) - 1
	for last >= 0 && !chosen(last) {
		last--
	}
	if last+1 < len(order) {
		return order[last+1].ID, nil
	}
	for last >= 0 && chosen(last) {
		last--
	}
	if last < 0 {
		return "", nil
	}
	return order[last].ID, nil
}

// readSelected reads the boxes that are ticked, each of an id and the revision that
// the person saw, as "act_x.12"; no id has a dot.
func readSelected(values []string) (ids []string, expected map[string]int64) {
	expected = map[string]int64{}
	for _, v := range values {
		id, revision, _ := strings.Cut(v, ".")
		ids = append(ids, id)
		if n, err := strconv.ParseInt(revision, 10, 64); err == nil {
			expected[id] = n
		}
	}
	return slices.Compact(slices.Sorted(slices.Values(ids))), expected
}

// undoLast takes back what was decided last, wherever that was, or all that was
// decided in one go with a change.
func (h *Handler) undoLast(w http.ResponseWriter, r *http.Request) error {
	if err := readForm(r); err != nil {
		return err
	}
	var res activities.Result
	var err error
	if change := r.PostForm.Get("change"); change != "" {
		res, err = h.activities.UndoTogether(r.Context(), change)
	} else {
		res, err = h.activities.Undo(r.Context())
	}
	if err != nil {
		return h.refuseBatch(w, r, err)
	}

	s, err := h.returned(r.Context(), stateOf(r.PostForm), res.Activities)
	if err != nil {
		return err
	}
	for _, a := range res.Activities {
		s = s.without(a.ID)
		if s.filter != "" && a.ConversationID != "" {
			s = s.beside(a.ConversationID)
		}
	}
	if s.at, err = h.firstOf(r.Context(), s, res.Activities); err != nil {
		return err
	}
	s.batch = decidedPart{place: res.Undone, id: s.at}
	return h.backToInbox(w, r, s, res.Revision)
}

// firstOf is the one that comes first in a list, of at least one.
func (h *Handler) firstOf(ctx context.Context, s homeState, list []activities.Activity) (string, error) {
	if len(list) == 1 {
		return list[0].ID, nil
	}
	order, err := h.activities.Order(ctx, s.asks(h.clock(ctx).now.Location()))
	if err != nil {
		return "", err
	}
	for _, o := range order {
		if slices.ContainsFunc(list, func(a activities.Activity) bool { return a.ID == o.ID }) {
			return o.ID, nil
		}
	}
	return list[0].ID, nil
}

// backToInbox shows a list anew after a change of it.
func (h *Handler) backToInbox(w http.ResponseWriter, r *http.Request, s homeState, revision int64) error {
	if !isFragment(r) {
		http.Redirect(w, r, s.url(h.site), http.StatusSeeOther)
		return nil
	}
	in, _, err := h.inbox(r.Context(), s)
	if err != nil {
		return err
	}
	said := ""
	if in.Batch != nil {
		said = in.Batch.Text
	}
	tell(w, revision, said)
	return h.render(w, r, http.StatusOK, view.InboxPart(in))
}

// refuseBatch says above the list why a form was not taken. A page without script
// gets a page that says so.
func (h *Handler) refuseBatch(w http.ResponseWriter, r *http.Request, err error) error {
	f, status, ok := refusedInPlace(w, r, err)
	if !ok {
		return err
	}
	in, _, err := h.inbox(r.Context(), stateOf(r.PostForm))
	if err != nil {
		return err
	}
	in.Problem = f.Message
	return h.render(w, r, status, view.InboxPart(in))
}

// batch is the line about several that were decided in one go, taken back or
// erased; nil when there is nothing to say any more.
func (b *activityCards) batch(ctx context.Context) (*view.BatchLine, error) {
	d := b.state.batch
	if d.id == "" {
		return nil, nil
	}
	a, err := b.h.activities.Get(ctx, d.id)
	if fault.CodeOf(err) == fault.NotFound {
		return nil, nil
	}
	if err != nil || a.Erased && d.change != "" {
		return nil, err
	}
	line := &view.BatchLine{Site: b.site, Change: d.change, From: b.from(-1), Focus: !b.focused}
	switch {
	case a.Erased:
		line.Text = "A " + lowerFirst(kindNames[a.Proposal.Kind]) + " was erased for good"
		return line, nil
	case d.change != "":
		line.Text = strconv.Itoa(d.place) + " " + lowerFirst(b.clock.said(a))
	case d.place == 0:
		line.Text = "This was taken back already; nothing more is changed"
	case d.place == 1:
		line.Text, line.URL = "Taken back", b.site.ActivityFrom(a.ID, b.state.list().query())
		line.Title, _, _ = a.Effective()
	default:
		line.Text = strconv.Itoa(d.place) + " taken back"
	}
	if to := viewOf(a.Decision.Status); to != b.state.view && !b.state.has(a) {
		line.URL = b.site.Inbox(homeState{view: to}.query())
	}
	return line, nil
}

// viewOf is the list in which activities of a status are.
func viewOf(s activities.Status) activities.View {
	if s == activities.Proposed || s == activities.Accepted {
		return activities.ViewTodo
	}
	return activities.View(s)
}
