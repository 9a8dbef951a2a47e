package web

import (
	"context"
	"io"
	"net/http"
	"time"
)

// readyWithin bounds a readiness check: what takes longer is not ready.
const readyWithin = time.Second

func (h *Handler) live(w http.ResponseWriter, _ *http.Request) error {
	plain(w, http.StatusOK, "ok")
	return nil
}

// readiness tells everyone that the workspace serves, and whether the person
// should look at its settings; the reasons are for the person alone.
func (h *Handler) readiness(w http.ResponseWriter, r *http.Request) error {
	ctx, cancel := context.WithTimeout(r.Context(), readyWithin)
	defer cancel()
	warnings, err := h.ready(ctx)
	switch {
	case err != nil:
		h.log.WarnContext(r.Context(), "not ready", "err", err)
		w.Header().Set("Retry-After", "5")
		plain(w, http.StatusServiceUnavailable, "not ready")
	case len(warnings) > 0:
		plain(w, http.StatusOK, "ok, warnings")
	default:
		plain(w, http.StatusOK, "ok")
	}
	return nil
}

func plain(w http.ResponseWriter, status int, text string) {
	w.Header().Set("Content-Type", "text/plain; charset=utf-8")
	w.WriteHeader(status)
	io.WriteString(w, text+"\n")
}
