package web

// connectionRoutes add, show and change accounts.
func (h *Handler) connectionRoutes(router) {}
