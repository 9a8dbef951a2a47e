package web

// settingsRoutes show and change what the person prefers.
func (h *Handler) settingsRoutes(router) {}
