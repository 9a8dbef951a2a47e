package web

import (
	"net/http"

	"personal-workspace/sns"
)

// refreshColumn asks the network for one column's news, unless it is known that
// it must not be asked now, and leads back to the column.
func (h *Handler) refreshColumn(w http.ResponseWriter, r *http.Request) error {
	d, c, err := h.findColumn(r)
	if err != nil {
		return err
	}
	b, err := h.builder(r.Context())
	if err != nil {
		return err
	}
	stored, err := h.storedNewest(r.Context(), d.ID, c, sns.MaxPage)
	if err != nil {
		return err
	}

	if b.canAsk(stored) {
		if _, err := h.fetchNews(r.Context(), c, submitWait); err != nil {
			return err
		}
	}
	http.Redirect(w, r, h.site.Column(d.ID, c.ID), http.StatusSeeOther)
	return nil
}
