package web

import (
	"net/http"

	"personal-workspace/web/view"
)

// page is the frame of a page for this request: its title, the section of the
// navigation it belongs to ("" for none), and how the person wants it to look.
func (h *Handler) page(r *http.Request, title, section string) view.Page {
	p, signedIn := r.Context().Value(preferencesKey{}).(preferences)
	v := view.Page{
		Site: h.site, Title: title, Section: section,
		Look: h.look(r), Keys: signedIn && !p.KeysOff,
	}
	if signedIn {
		// A page without the count is better than none.
		if c, err := h.activities.Counts(r.Context()); err == nil {
			v.NeedsYou = c.NeedsYou
		}
	}
	return v
}
