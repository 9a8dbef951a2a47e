package web

import "net/http"

// routes is the list of everything that can be asked for.
func (h *Handler) routes() http.Handler {
	mux := http.NewServeMux()
	open := func(pattern string, f handlerFunc) { mux.Handle(pattern, h.adapt(f)) }
	person := func(pattern string, f handlerFunc) { mux.Handle(pattern, h.adapt(h.signedIn(f))) }

	person("GET /{$}", h.home)
	person("GET /decks", h.deckList)
	person("GET /decks/{deck}", h.deck)
	person("GET /decks/{deck}/columns/{column}", h.column)
	person("POST /decks/{deck}/refresh", h.refresh)
	if len(h.local.servers) > 0 {
		person("GET /demo/media/{server}/{path...}", h.local.serve)
	}

	open("GET /login", h.loginForm)
	open("POST /login", h.login)
	open("POST /logout", h.logout)
	open("GET /setup/{token}", h.setupForm)
	open("POST /setup/{token}", h.setup)

	open("GET /livez", h.live)
	open("GET /readyz", h.readiness)
	open("GET /static/", h.static.serve)

	return h.unmatched(mux)
}
