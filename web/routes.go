package web

import "net/http"

// router registers the routes of one area of the workspace.
type router struct {
	mux *http.ServeMux
	h   *Handler
}

// open is a route for everyone.
func (rt router) open(pattern string, f handlerFunc) { rt.mux.Handle(pattern, rt.h.adapt(f)) }

// person is a route for whoever is signed in.
func (rt router) person(pattern string, f handlerFunc) {
	rt.mux.Handle(pattern, rt.h.adapt(rt.h.signedIn(f)))
}

// routes is everything that can be asked for; each area lists its own beside
// its handlers.
func (h *Handler) routes() http.Handler {
	mux := http.NewServeMux()
	h.mux = mux
	rt := router{mux, h}
	h.activityRoutes(rt)
	h.deckRoutes(rt)
	h.editRoutes(rt)
	h.postRoutes(rt)
	h.connectionRoutes(rt)
	h.settingsRoutes(rt)
	h.streamRoutes(rt)
	h.accessRoutes(rt)

	rt.open("GET /livez", h.live)
	rt.open("GET /readyz", h.readiness)
	rt.open("GET /static/", h.static.serve)
	return h.unmatched(mux)
}

// deckRoutes show decks.
func (h *Handler) deckRoutes(rt router) {
	rt.person("GET /decks", h.deckList)
	rt.person("GET /decks/{deck}", h.deck)
	rt.person("GET /decks/{deck}/columns/{column}", h.column)
	rt.person("POST /decks/{deck}/refresh", h.refresh)
	rt.person("POST /decks/{deck}/columns/{column}/refresh", h.refreshColumn)
	if len(h.local.servers) > 0 {
		rt.person("GET /demo/media/{server}/{path...}", h.local.serve)
	}
}

// accessRoutes let the person in and out.
func (h *Handler) accessRoutes(rt router) {
	rt.open("GET /login", h.loginForm)
	rt.open("POST /login", h.login)
	rt.open("POST /logout", h.logout)
	rt.open("GET /setup/{token}", h.setupForm)
	rt.open("POST /setup/{token}", h.setup)
}
