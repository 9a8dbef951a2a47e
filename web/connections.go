package web

import (
	"net/http"

	"personal-workspace/internal/fault"
	"personal-workspace/sns"
	"personal-workspace/web/view"
)

// connectionRoutes add, show and change accounts.
func (h *Handler) connectionRoutes(rt router) {
	rt.person("GET /connections", h.connectionList)
	rt.person("GET /connections/new", h.newConnection)
	rt.person("POST /connections/new", h.addConnection)
	rt.person("GET /connections/login", h.loginWait)
	rt.person("POST /connections/login", h.loginCode)
	rt.person("GET /connections/callback", h.loginCallback)
	rt.person("GET /connections/{connection}", h.connection)
	rt.person("POST /connections/{connection}/test", h.testConnection)
	rt.person("POST /connections/{connection}/pause", h.pauseConnection)
	rt.person("POST /connections/{connection}/resume", h.resumeConnection)
	rt.person("POST /connections/{connection}/rename", h.renameConnection)
	rt.person("GET /connections/{connection}/login", h.signInAgain)
	rt.person("POST /connections/{connection}/login", h.signedInAgain)
	rt.person("GET /connections/{connection}/disconnect", h.askDisconnect)
	rt.person("POST /connections/{connection}/disconnect", h.disconnect)
}

func (h *Handler) connectionList(w http.ResponseWriter, r *http.Request) error {
	b, err := h.cardBuilder(r)
	if err != nil {
		return err
	}

	p := view.ConnectionsPage{Page: h.page(r, "Connections", "connections"), Notice: b.notice()}
	for i := range b.list {
		p.Accounts = append(p.Accounts, b.card(i))
	}
	return h.render(w, r, http.StatusOK, view.Connections(p))
}

func (h *Handler) connection(w http.ResponseWriter, r *http.Request) error {
	return h.showConnection(w, r, http.StatusOK, "", nil)
}

// showConnection prints the page of an account; label is the new name that was
// refused because of problem.
func (h *Handler) showConnection(w http.ResponseWriter, r *http.Request, status int, label string, problem *fault.Error) error {
	_, c, err := h.cardOf(r)
	if err != nil {
		return err
	}

	p := view.ConnectionPage{Page: h.page(r, c.Label, "connections"), Account: c, Label: c.Label}
	if problem != nil {
		p.Label, p.Problem = label, problem.Message
	}
	return h.render(w, r, status, view.ConnectionAlone(p))
}

// changedConnection leads back to where the change was asked for.
func (h *Handler) changedConnection(w http.ResponseWriter, r *http.Request, done string) {
	id := r.PathValue("connection")
	to := h.site.ConnectionAfter(id, done)
	if r.PostFormValue("back") == "list" {
		to = h.site.ConnectionsAfter(done, id)
	}
	http.Redirect(w, r, to, http.StatusSeeOther)
}

// accountFault says in the words of these pages that an account is not there.
func accountFault(err error) error {
	if fault.CodeOf(err) == fault.NotFound {
		return errNoAccount
	}
	return err
}

// ours reports whether a failure is of the workspace or of the request, and not
// something that the person should read beside an account.
func ours(err error) bool {
	code := fault.CodeOf(err)
	return code == fault.Internal || code == fault.Canceled
}

// testConnection asks the account's server now. What it answers is stored with
// the account and shown there.
func (h *Handler) testConnection(w http.ResponseWriter, r *http.Request) error {
	status, err := h.connections.TestConnection(r.Context(), r.PathValue("connection"))
	if fault.CodeOf(err) == fault.NotFound || ours(err) {
		return accountFault(err)
	}

	done := "works"
	if err != nil || status.Failing() {
		done = "fails"
	}
	h.changedConnection(w, r, done)
	return nil
}

func (h *Handler) pauseConnection(w http.ResponseWriter, r *http.Request) error {
	if err := h.connections.PauseConnection(r.Context(), r.PathValue("connection")); err != nil {
		return accountFault(err)
	}

	h.changedConnection(w, r, "paused")
	return nil
}

func (h *Handler) resumeConnection(w http.ResponseWriter, r *http.Request) error {
	if err := h.connections.ResumeConnection(r.Context(), r.PathValue("connection")); err != nil {
		return accountFault(err)
	}

	h.changedConnection(w, r, "resumed")
	return nil
}

func (h *Handler) renameConnection(w http.ResponseWriter, r *http.Request) error {
	if err := readForm(r); err != nil {
		return err
	}
	label := r.PostForm.Get("label")

	_, err := h.connections.RenameConnection(r.Context(), r.PathValue("connection"), label)
	if f := fault.From(err); err != nil && f.Code == fault.InvalidArguments {
		return h.showConnection(w, r, http.StatusUnprocessableEntity, cutEcho(label), f)
	}
	if err != nil {
		return accountFault(err)
	}
	h.changedConnection(w, r, "renamed")
	return nil
}

func (h *Handler) askDisconnect(w http.ResponseWriter, r *http.Request) error {
	c, card, err := h.cardOf(r)
	if err != nil {
		return err
	}

	p := view.DisconnectPage{Page: h.page(r, "Disconnect "+card.Label, "connections"), Account: card}
	if c.Network == sns.Twitter {
		p.Revoke = "The relay’s browser stays signed in: sign out there if nobody is to read through it any more."
	}
	if signsIn(c.Connection) {
		p.Revoke = card.Host + " is asked to revoke the token, so that it is of no use to anybody. A token that you pasted here may have to be revoked there by yourself; the next page says so."
	}
	return h.render(w, r, http.StatusOK, view.Disconnect(p))
}

// disconnect removes the account. A form that is sent twice, or again after
// going back, finds it gone.
func (h *Handler) disconnect(w http.ResponseWriter, r *http.Request) error {
	id := r.PathValue("connection")
	c, err := h.connections.GetConnection(r.Context(), id)
	revoked := false
	if err == nil {
		revoked, err = h.connections.Disconnect(r.Context(), id)
	}
	gone := fault.CodeOf(err) == fault.NotFound
	if err != nil && !gone {
		return err
	}

	done := "unrevoked"
	switch {
	case gone:
		done = "gone"
	case !signsIn(c):
		done = "public-off"
	case revoked:
		done = "revoked"
	}
	http.Redirect(w, r, h.site.ConnectionsAfter(done, ""), http.StatusSeeOther)
	return nil
}
