package snstest

import (
	"fmt"
	"hash/fnv"
	"net/http"
)

func (m *Mastodon) picture(w http.ResponseWriter, r *http.Request) {
	h := fnv.New32a()
	_, _ = h.Write([]byte(r.URL.Path))
	w.Header().Set("Content-Type", "image/svg+xml")
	_, _ = fmt.Fprintf(w, `<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 120 80"><rect width="120" height="80" fill="hsl(%d 40%% 50%%)"/></svg>`, h.Sum32()%360)
}

func chime(w http.ResponseWriter, _ *http.Request) { w.WriteHeader(http.StatusNotFound) }

func (m *Mastodon) page(w http.ResponseWriter, _ *http.Request) { writeJSON(w, notFound) }
