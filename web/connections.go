package web

import (
	"net/http"

	"personal-workspace/web/view"
)

// connectionRoutes add, show and change accounts.
func (h *Handler) connectionRoutes(rt router) {
	rt.person("GET /connections", h.connectionList)
	rt.person("GET /connections/new", h.newConnection)
	rt.person("POST /connections/new", h.addConnection)
	rt.person("GET /connections/{connection}", h.connection)
	rt.person("GET /connections/{connection}/disconnect", h.askDisconnect)
	rt.person("POST /connections/{connection}/disconnect", h.disconnect)
}

func (h *Handler) connectionList(w http.ResponseWriter, r *http.Request) error {
	b, err := h.cardBuilder(r.Context())
	if err != nil {
		return err
	}

	p := view.ConnectionsPage{Page: h.page(r, "Connections", "connections"), Notice: b.notice(r)}
	for i := range b.list {
		p.Accounts = append(p.Accounts, b.card(i))
	}
	return h.render(w, r, http.StatusOK, view.Connections(p))
}

func (h *Handler) connection(w http.ResponseWriter, r *http.Request) error {
	b, err := h.cardBuilder(r.Context())
	if err != nil {
		return err
	}
	c, err := b.find(r.PathValue("connection"))
	if err != nil {
		return err
	}

	return h.render(w, r, http.StatusOK, view.ConnectionAlone(view.ConnectionPage{
		Page: h.page(r, c.Label, "connections"), Notice: b.notice(r), Account: c, Label: c.Label,
	}))
}

func (h *Handler) askDisconnect(w http.ResponseWriter, r *http.Request) error {
	b, err := h.cardBuilder(r.Context())
	if err != nil {
		return err
	}
	c, err := b.find(r.PathValue("connection"))
	if err != nil {
		return err
	}

	return h.render(w, r, http.StatusOK, view.Disconnect(view.DisconnectPage{
		Page: h.page(r, "Disconnect "+c.Label, "connections"), Account: c,
	}))
}

func (h *Handler) disconnect(w http.ResponseWriter, r *http.Request) error {
	if err := h.connections.RemoveConnection(r.Context(), r.PathValue("connection")); err != nil {
		return err
	}

	http.Redirect(w, r, h.site.ConnectionsAfter("disconnected", ""), http.StatusSeeOther)
	return nil
}
