package web

// editRoutes change decks: make, edit, duplicate, delete, export and import.
func (h *Handler) editRoutes(router) {}
