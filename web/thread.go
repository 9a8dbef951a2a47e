package web

import (
	"context"
	"net/http"
	"slices"

	"personal-workspace/decks"
	"personal-workspace/internal/fault"
	"personal-workspace/sns"
	"personal-workspace/web/view"
)

// postRoutes show one post with its thread.
func (h *Handler) postRoutes(rt router) {
	rt.person("GET /posts/{connection}/{post}", h.postPage)
	rt.person("POST /posts/{connection}/task", h.makeTask)
}

// postRef is which post a page is about and where the page was opened from.
type postRef struct {
	connection, post string
	from             view.From
}

func readPostRef(r *http.Request) postRef {
	q := r.URL.Query()
	return postRef{r.PathValue("connection"), r.PathValue("post"), view.From{Deck: q.Get("deck"), Column: q.Get("column")}}
}

// postPage paints a post from the store at once and lets the browser ask for its
// conversation; a browser without script follows a link to the page that waits
// for it.
func (h *Handler) postPage(w http.ResponseWriter, r *http.Request) error {
	ref := readPostRef(r)
	ctx, cancel := context.WithTimeout(r.Context(), h.refreshWait)
	defer cancel()
	post, err := h.connections.GetPost(ctx, ref.connection, ref.post)
	if err != nil {
		return noPost(err)
	}
	b, err := h.builder(r.Context())
	if err != nil {
		return err
	}
	t, err := h.conversation(ctx, r, b, ref, post)
	if err != nil {
		return err
	}

	if isFragment(r) {
		return h.render(w, r, http.StatusOK, view.ThreadPart(t))
	}
	return h.renderPost(w, r, ref, t)
}

// noPost says in words for a person that a post cannot be shown.
func noPost(err error) error {
	f := fault.From(err)
	switch {
	case f.Code == fault.InvalidArguments || f.Code == fault.InvalidSource:
		return errNoPage
	case f.Code != fault.NotFound:
		return err
	case f.Details[fault.DetailWhat] == "connection":
		return fault.Missing("account", "The account that this post was read with is not connected any more.").Wrap(err)
	}
	return fault.Missing("post", "There is no such post, or this account may not see it. It may have been deleted.").Wrap(err)
}

// conversation is the post with what stands around it, or with what asks for
// that.
func (h *Handler) conversation(ctx context.Context, r *http.Request, b *columnBuilder, ref postRef, post sns.Post) (view.Thread, error) {
	print := threadPrinter{postPrinter: b.printer(ref.connection, ref.from), account: b.connections[ref.connection].Account}
	print.made, print.tasks = parseMade(r.URL.Query().Get("made")), b.tasksOf(ref.connection, []sns.Post{post})
	again := h.site.Thread(ref.connection, ref.post, ref.from)
	if !r.URL.Query().Has("thread") {
		t := print.alone(post)
		t.Again, t.Loader = again, &view.Loader{ID: "loader-thread", URL: again}
		return t, nil
	}
	thread, err := h.connections.GetThread(ctx, ref.connection, ref.post)
	f := fault.From(err)
	switch {
	case err == nil:
		print.tasks = b.tasksOf(ref.connection, slices.Concat(thread.Ancestors, []sns.Post{thread.Post}, thread.Descendants))
		return print.thread(thread), nil
	case r.Context().Err() != nil || f.Code == fault.Internal:
		return view.Thread{}, err
	}
	t := print.alone(post)
	t.Panel = noConversation(f, print.clock.explain(f), hostOf(print.account))
	if f.Code != fault.NotFound {
		t.Again = again
	}
	return t, nil
}

// noConversation says why a post stands alone; text is the fault's message.
func noConversation(f *fault.Error, text, host string) *view.Panel {
	p := &view.Panel{Title: "The conversation could not be read", Text: text, Alarm: true}
	switch f.Code {
	case fault.NotFound:
		p.Title = "Not at its source any more"
		p.Text = "The post was deleted at " + host + ", or this account may not see it any more. This is what the workspace has kept of it."
	case fault.Timeout, fault.UpstreamUnavailable:
		p.Title = outage(f.Code, host)
	case fault.RateLimited, fault.BudgetExhausted:
		p.Title, p.Alarm = "Limited", false
	}
	return p
}

func (h *Handler) renderPost(w http.ResponseWriter, r *http.Request, ref postRef, t view.Thread) error {
	back, err := h.backTo(r.Context(), ref.from)
	if err != nil {
		return err
	}
	return h.render(w, r, http.StatusOK, view.PostAlone(view.PostPage{
		Page: h.page(r, "Post by "+t.Name, "decks"), BackURL: back.URL, BackText: back.Title, Thread: t,
		Column: ref.from.Column, Tasks: h.site.MakeTask(ref.connection),
	}))
}

// backTo is the column a post was opened from, or what is left of the way there.
func (h *Handler) backTo(ctx context.Context, from view.From) (view.DeckItem, error) {
	all := view.DeckItem{URL: h.site.Decks(), Title: "your decks"}
	if from.Deck == "" {
		return all, nil
	}
	d, err := h.decks.GetDeck(ctx, from.Deck)
	switch {
	case fault.CodeOf(err) == fault.NotFound:
		return all, nil
	case err != nil:
		return all, err
	}
	back := view.DeckItem{URL: h.site.Deck(d.ID), Title: d.Title}
	if hasColumn(d, from.Column) {
		back.URL += "#column-" + from.Column
	}
	return back, nil
}

func hasColumn(d decks.Deck, id string) bool {
	_, err := d.Column(id)
	return err == nil
}
