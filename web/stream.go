package web

// streamRoutes carry the hints about changes to open pages.
func (h *Handler) streamRoutes(router) {}
