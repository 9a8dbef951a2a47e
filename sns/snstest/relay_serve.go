package snstest

import (
	"encoding/json"
	"fmt"
	"io"
	"maps"
	"math/rand/v2"
	"net/http"
	"slices"
	"strings"
)

// profileHeader names the browser profile that a request is for.
const profileHeader = "x-profile-name"

// question is one request for an operation, with the relay's lock held.
type question struct {
	*Relay
	p    *Profile
	op   operation
	name string
	vars map[string]json.RawMessage
	// base is the mock's own origin as the request named it: pictures are there.
	base string
}

// result is what X answers: the data and errors beside it.
type result struct {
	data   any
	errors []xError
}

// xError is an error of X's GraphQL.
type xError struct {
	Message    string         `json:"message"`
	Locations  []any          `json:"locations,omitempty"`
	Path       []string       `json:"path,omitempty"`
	Extensions map[string]any `json:"extensions,omitempty"`
	Code       int            `json:"code,omitempty"`
	Kind       string         `json:"kind,omitempty"`
	Name       string         `json:"name,omitempty"`
	Source     string         `json:"source,omitempty"`
}

// ServeHTTP answers one request as the relay's routes do, and records it unless
// it is for a picture or a page that a person looks at.
func (r *Relay) ServeHTTP(w http.ResponseWriter, req *http.Request) {
	path := req.URL.EscapedPath()
	if req.Method == http.MethodGet && strings.HasPrefix(path, "/pictures/") {
		r.picture(w, req)
		return
	}
	if r.page(w, req) {
		return
	}
	c := r.record(req)
	rec := &recorder{ResponseWriter: w}
	defer func() { r.log.end(c, rec.status, rec.bytes) }()
	switch {
	case req.Method == http.MethodGet && path == "/health":
		sendJSON(rec, http.StatusOK, object{"status": "ok", "profiles": r.profileNames()})
	case req.Method == http.MethodGet && path == "/profiles":
		sendJSON(rec, http.StatusOK, object{"profiles": r.profileNames()})
	case strings.HasPrefix(path, "/i/api/graphql/"), strings.HasPrefix(path, "/1.1/"), strings.HasPrefix(path, "/2/"):
		r.relayed(rec, req, c)
	default:
		if strings.HasPrefix(path, "/api/") {
			r.log.violate("%s %s steers the relay", req.Method, path)
		}
		sendText(rec, http.StatusNotFound, "404 Not Found")
	}
}

// relayed answers what the relay hands on to X.
func (r *Relay) relayed(w http.ResponseWriter, req *http.Request, c *Call) {
	r.check(req, c)
	name, ok := r.choose(c.Profile)
	if !ok {
		sendJSON(w, http.StatusBadRequest, object{"error": fmt.Sprintf("Unknown profile: %q", c.Profile), "available": r.profileNames()})
		return
	}
	if c.Method == http.MethodGet && c.Path == typeaheadPath {
		r.typeahead(w, req)
		return
	}
	op, allowed := operations()[c.Operation]
	if !allowed {
		r.log.violate("%s %s is none of the reads", c.Method, c.Path)
		opaque(w)
		return
	}
	route := http.HandlerFunc(func(w http.ResponseWriter, req *http.Request) { r.answer(w, req, c, op, name) })
	if f := r.faults.match(c.Operation, name+"/"+c.Operation); f != nil {
		f(w, req, route)
		return
	}
	route.ServeHTTP(w, req)
}

// typeaheadPath is the one read that is not GraphQL.
const typeaheadPath = "/1.1/search/typeahead.json"

// typeahead finds people by how their names begin.
func (r *Relay) typeahead(w http.ResponseWriter, req *http.Request) {
	r.mu.RLock()
	defer r.mu.RUnlock()
	begins := strings.ToLower(strings.TrimPrefix(req.URL.Query().Get("q"), "@"))
	users := []any{}
	for _, key := range slices.Sorted(maps.Keys(r.people)) {
		if who := r.people[key]; strings.HasPrefix(key, begins) || strings.HasPrefix(strings.ToLower(who.Name), begins) {
			users = append(users, object{"id_str": who.id, "name": who.Name, "screen_name": who.Handle, "verified": who.Verified})
		}
	}
	sendJSON(w, http.StatusOK, object{"num_results": len(users), "users": users, "topics": []any{}, "query": req.URL.Query().Get("q")})
}

// record notes a request, with the parameters where they belong.
func (r *Relay) record(req *http.Request) *Call {
	c := &Call{
		At: r.now(), Method: req.Method, Path: req.URL.EscapedPath(), Profile: req.Header.Get(profileHeader),
		Accept: req.Header.Get("Accept"), UserAgent: req.UserAgent(),
	}
	if rest, ok := strings.CutPrefix(c.Path, "/i/api/graphql/"); ok {
		c.QueryID, c.Operation, _ = strings.Cut(rest, "/")
	}
	if req.Method == http.MethodGet {
		args := req.URL.Query() // Get takes the first of several, as the relay does
		c.Variables, c.Features, c.FieldToggles = rawOf(args.Get("variables")), rawOf(args.Get("features")), rawOf(args.Get("fieldToggles"))
	} else {
		r.readBody(req, c)
	}
	r.log.begin(c)
	return c
}

// readBody takes the parameters of a POST. A body that is not what the relay
// expects leaves Variables nil.
func (r *Relay) readBody(req *http.Request, c *Call) {
	raw, err := io.ReadAll(io.LimitReader(req.Body, 1<<20))
	var body struct {
		QueryID                           string
		Variables, Features, FieldToggles json.RawMessage
	}
	if err != nil || json.Unmarshal(raw, &body) != nil || body.QueryID != c.QueryID {
		return
	}
	c.Variables, c.Features, c.FieldToggles = body.Variables, body.Features, body.FieldToggles
}

func rawOf(s string) json.RawMessage {
	if s == "" {
		return nil
	}
	return json.RawMessage(s)
}

// choose returns the profile to answer for: the one that the header names, or
// any when there is no header.
func (r *Relay) choose(header string) (name string, ok bool) {
	names := r.profileNames()
	if header == "" {
		return names[rand.IntN(len(names))], true
	}
	return header, slices.Contains(names, header)
}

func (r *Relay) profileNames() []string {
	r.mu.RLock()
	defer r.mu.RUnlock()
	names := make([]string, len(r.profiles))
	for i, p := range r.profiles {
		names[i] = p.name
	}
	return names
}

// answer asks X. Whatever X answers with an HTTP error, such as for a query id
// that is no more, the relay turns into its opaque 500.
func (r *Relay) answer(w http.ResponseWriter, req *http.Request, c *Call, op operation, profile string) {
	r.mu.RLock()
	body := r.ask(req, c, op, profile)
	var encoded []byte
	var err error
	if body != nil {
		encoded, err = json.Marshal(body)
	}
	r.mu.RUnlock()
	if body == nil || err != nil {
		opaque(w)
		return
	}
	w.Header().Set("Content-Type", "application/json")
	_, _ = w.Write(encoded)
}

// ask returns what X answers, nil for an HTTP error.
func (r *Relay) ask(req *http.Request, c *Call, op operation, profile string) any {
	q := &question{Relay: r, p: r.profile(profile), op: op, name: c.Operation, base: "http://" + req.Host}
	if q.p == nil || !slices.Contains(op.methods, c.Method) || !r.serves(c.Operation, op, c.QueryID) {
		return nil
	}
	if r.quirks.SearchByPOST && c.Operation == "SearchTimeline" && c.Method == http.MethodGet {
		return nil
	}
	if json.Unmarshal(c.Variables, &q.vars) != nil || q.vars == nil {
		return nil
	}
	for _, name := range op.vars {
		if _, ok := q.vars[name]; !ok {
			return nil
		}
	}
	if missing := r.missingFeatures(c.Features); missing != "" {
		return envelope(result{errors: []xError{newXError(336, "The following features cannot be null: "+missing)}})
	}
	return envelope(op.read(q))
}

func (r *Relay) serves(name string, op operation, id string) bool {
	if only, ok := r.queryIDs[name]; ok {
		return id == only
	}
	return slices.Contains(op.ids, id)
}

// missingFeatures names the flags that X wants and the request lacks.
func (r *Relay) missingFeatures(raw json.RawMessage) string {
	var flags map[string]bool
	if json.Unmarshal(raw, &flags) != nil || len(flags) == 0 {
		return "responsive_web_graphql_timeline_navigation_enabled, longform_notetweets_consumption_enabled"
	}
	var missing []string
	for _, name := range r.features {
		if _, ok := flags[name]; !ok {
			missing = append(missing, name)
		}
	}
	return strings.Join(missing, ", ")
}

// envelope is the body of a GraphQL answer.
func envelope(res result) any {
	out := object{"data": res.data}
	if res.data == nil {
		out["data"] = object{}
	}
	if len(res.errors) > 0 {
		out["errors"] = res.errors
	}
	return out
}

func opaque(w http.ResponseWriter) {
	sendText(w, http.StatusInternalServerError, "Internal Server Error")
}

func sendText(w http.ResponseWriter, status int, text string) {
	w.Header().Set("Content-Type", "text/plain; charset=UTF-8")
	w.WriteHeader(status)
	_, _ = io.WriteString(w, text)
}

func sendJSON(w http.ResponseWriter, status int, body any) {
	raw, err := json.Marshal(body)
	if err != nil {
		panic(err) // the bodies above always encode
	}
	w.Header().Set("Content-Type", "application/json")
	w.WriteHeader(status)
	_, _ = w.Write(raw)
}
