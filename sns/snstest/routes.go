package snstest

import (
	"encoding/json"
	"net/http"
	"strings"
)

// answer is what a route says: a status (0 is 200) and a body to encode.
type answer struct {
	status int
	body   any
	// header members are set besides.
	header map[string]string
}

func errorBody(text string) map[string]string { return map[string]string{"error": text} }

// access says who may use a route.
type access struct {
	// scopes: a token needs one of them; none means any.
	scopes []string
	// login: a request without a token is refused.
	login bool
	// public: a timeline that a server can close to strangers.
	public bool
	// open: it can be read without a token where reading needs one.
	open bool
	// keep names the parameters that stand in Link again.
	keep []string
}

var (
	readStatuses = []string{"read:statuses"}
	keepPublic   = []string{"local", "remote", "only_media"}
	keepTag      = []string{"local", "only_media"}
	keepAccount  = []string{"only_media", "exclude_replies", "exclude_reblogs", "pinned", "tagged"}
	keepNotes    = []string{"types[]", "exclude_types[]", "account_id"}
)

// routes is the table of what the server answers.
func (m *Mastodon) routes() http.Handler {
	mux := http.NewServeMux()
	get := func(path string, a access, f func(*query) answer) {
		mux.HandleFunc("GET "+path, func(w http.ResponseWriter, r *http.Request) { m.read(w, r, a, f) })
	}
	login := func(scope string, keep ...string) access {
		return access{scopes: []string{scope}, login: true, keep: keep}
	}

	get("/api/v1/accounts/lookup", access{scopes: []string{"read:accounts"}}, (*query).lookup)
	get("/api/v1/accounts/verify_credentials", access{scopes: []string{"profile", "read:accounts"}, login: true}, (*query).me)
	get("/api/v1/accounts/{id}", access{scopes: []string{"read:accounts"}}, (*query).oneAccount)
	get("/api/v1/accounts/{id}/statuses", access{scopes: readStatuses, keep: keepAccount}, (*query).accountStatuses)
	get("/api/v1/apps/verify_credentials", access{login: true}, (*query).application)
	get("/api/v1/bookmarks", login("read:bookmarks"), (*query).bookmarks)
	get("/api/v1/conversations", login("read:statuses"), (*query).conversations)
	get("/api/v1/favourites", login("read:favourites"), (*query).favourites)
	get("/api/v1/followed_tags", login("read:follows"), (*query).followedTags)
	get("/api/v1/instance", access{open: true}, (*query).instanceV1)
	get("/api/v1/lists", login("read:lists"), (*query).lists)
	get("/api/v1/notifications", login("read:notifications", keepNotes...), (*query).notifications)
	get("/api/v1/statuses/{id}", access{scopes: readStatuses}, (*query).oneStatus)
	get("/api/v1/statuses/{id}/context", access{scopes: readStatuses}, (*query).context)
	get("/api/v1/timelines/home", login("read:statuses"), (*query).home)
	get("/api/v1/timelines/list/{id}", login("read:lists"), (*query).listTimeline)
	get("/api/v1/timelines/public", access{scopes: readStatuses, public: true, open: true, keep: keepPublic}, (*query).public)
	get("/api/v1/timelines/tag/{name}", access{scopes: readStatuses, public: true, keep: keepTag}, (*query).hashtag)
	get("/api/v1/trends/statuses", access{open: true}, (*query).trends)
	get("/api/v2/instance", access{open: true}, (*query).instanceV2)
	get("/api/v2/notifications", login("read:notifications", keepNotes...), (*query).grouped)
	get("/api/v2/search", access{scopes: []string{"read:search"}}, (*query).search)

	mux.HandleFunc("POST /api/v1/apps", m.registerApp)
	mux.HandleFunc("GET /.well-known/oauth-authorization-server", m.metadata)
	mux.HandleFunc("GET /oauth/authorize", m.authorizePage)
	mux.HandleFunc("POST /oauth/authorize", m.authorize)
	mux.HandleFunc("POST /oauth/token", m.exchange)
	mux.HandleFunc("POST /oauth/revoke", m.revoke)

	mux.HandleFunc("GET /pictures/{kind}/{name}", m.picture)
	mux.HandleFunc("GET /pictures/chime.wav", chime)
	mux.HandleFunc("/", m.page)
	mux.HandleFunc("/api/", func(w http.ResponseWriter, _ *http.Request) { writeJSON(w, m.currentQuirks().notFound("")) })
	return mux
}

// ServeHTTP answers one request: it is recorded, checked, counted, and may run
// into an injected fault before its route sees it.
func (m *Mastodon) ServeHTTP(w http.ResponseWriter, r *http.Request) {
	rec := &recorder{ResponseWriter: w}
	defer func() {
		m.log.add(Request{
			At: m.now(), Method: r.Method, Path: r.URL.EscapedPath(), Query: r.URL.Query(), Status: rec.status, Bytes: rec.bytes,
			Authorization: r.Header.Get("Authorization"), Accept: r.Header.Get("Accept"), UserAgent: r.UserAgent(), Account: m.tokenAccount(r),
		})
	}()
	if !m.check(r) {
		writeJSON(rec, answer{status: http.StatusMethodNotAllowed, body: errorBody("This mock server lets nobody write.")})
		return
	}
	if strings.HasPrefix(r.URL.Path, "/api/") && !m.limits.take(rec, r) {
		return
	}
	if f := m.faults.match(r.URL.EscapedPath()); f != nil {
		f(rec, r, m.handler)
		return
	}
	if m.currentQuirks().HTML406 && strings.HasPrefix(r.URL.Path, "/api/") && !acceptsJSON(r.Header.Get("Accept")) {
		writeHTML(rec, http.StatusNotAcceptable, "Not Acceptable", "")
		return
	}
	m.handler.ServeHTTP(rec, r)
}

// read answers a route from a snapshot that no other request changes.
func (m *Mastodon) read(w http.ResponseWriter, r *http.Request, a access, f func(*query) answer) {
	m.mu.RLock()
	out, link := m.answer(r, a, f)
	body, err := json.Marshal(out.body)
	m.mu.RUnlock()
	if err != nil {
		http.Error(w, err.Error(), http.StatusInternalServerError)
		return
	}
	for _, l := range link {
		w.Header().Add("Link", l)
	}
	out.send(w, body)
}

func (m *Mastodon) answer(r *http.Request, a access, f func(*query) answer) (out answer, link []string) {
	viewer, refusal := m.admit(r, a)
	if refusal != nil {
		return *refusal, nil
	}
	base := "http://" + r.Host
	q := &query{r: r, args: r.URL.Query(), view: view{store: &m.store, viewer: viewer, quirks: m.quirks, base: base, domain: m.opts.Domain, title: m.opts.Title, now: m.now()}}
	q.pages = base
	if !m.opts.LinkToSelf {
		q.pages = "https://" + m.opts.Domain
	}
	q.scopes = m.scopesOf(r)
	out = f(q)
	if q.bad {
		return answer{status: http.StatusBadRequest, body: errorBody("Bad Request: bad integer limit value")}, nil
	}
	return out, q.linkValues(a.keep)
}

func writeJSON(w http.ResponseWriter, a answer) {
	body, err := json.Marshal(a.body)
	if err != nil {
		http.Error(w, err.Error(), http.StatusInternalServerError)
		return
	}
	a.send(w, body)
}

// send answers with the encoded body.
func (a answer) send(w http.ResponseWriter, body []byte) {
	for name, value := range a.header {
		w.Header().Set(name, value)
	}
	w.Header().Set("Content-Type", "application/json; charset=utf-8")
	if a.status != 0 {
		w.WriteHeader(a.status)
	}
	// A client that is gone is no concern of the mock.
	_, _ = w.Write(body)
}

// recorder remembers the status and the size for the log.
type recorder struct {
	http.ResponseWriter
	status int
	bytes  int64
}

func (r *recorder) WriteHeader(status int) {
	if r.status == 0 {
		r.status = status
	}
	r.ResponseWriter.WriteHeader(status)
}

func (r *recorder) Write(b []byte) (int, error) {
	if r.status == 0 {
		r.status = http.StatusOK
	}
	n, err := r.ResponseWriter.Write(b)
	r.bytes += int64(n)
	return n, err
}

// Unwrap lets http.ResponseController reach the connection.
func (r *recorder) Unwrap() http.ResponseWriter { return r.ResponseWriter }
