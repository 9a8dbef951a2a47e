package web

// postRoutes show one post with its thread.
func (h *Handler) postRoutes(router) {}
