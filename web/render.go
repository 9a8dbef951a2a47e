package web

import (
	"bytes"
	"compress/gzip"
	"context"
	"errors"
	"fmt"
	"net/http"
	"path"
	"strconv"
	"strings"
	"sync"

	"github.com/a-h/templ"

	"personal-workspace/internal/fault"
	"personal-workspace/web/view"
)

// handlerFunc reads its input, calls one service method and renders. An error
// is answered and logged by adapt.
type handlerFunc func(w http.ResponseWriter, r *http.Request) error

func (h *Handler) adapt(f handlerFunc) http.Handler {
	return http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		if err := f(w, r); err != nil {
			h.fail(w, r, err)
		}
	})
}

// minGzip is the size below which compressing costs more than it saves: one
// network packet.
const minGzip = 1400

// pageLevel is worth its time: a deck of 120 posts takes about 5 ms and is a
// tenth smaller than at the fastest level.
const pageLevel = 5

var (
	buffers = sync.Pool{New: func() any { return new(bytes.Buffer) }}
	zippers = sync.Pool{New: func() any {
		z, err := gzip.NewWriterLevel(nil, pageLevel)
		if err != nil {
			panic(err) // the level is a constant
		}
		return z
	}}
)

// render prints a page. Nothing is sent before all of it is there, so that a
// failure is an error page and not half a page.
func (h *Handler) render(w http.ResponseWriter, r *http.Request, status int, page templ.Component) error {
	b := buffers.Get().(*bytes.Buffer)
	defer buffers.Put(b)
	b.Reset()
	if err := page.Render(r.Context(), b); err != nil {
		return fmt.Errorf("render the page: %w", err)
	}
	head := w.Header()
	head.Set("Content-Type", "text/html; charset=utf-8")
	head.Add("Vary", "Accept-Encoding, HX-Request")
	if b.Len() < minGzip || !acceptsGzip(r) {
		head.Set("Content-Length", strconv.Itoa(b.Len()))
		w.WriteHeader(status)
		w.Write(b.Bytes())
		return nil
	}
	head.Set("Content-Encoding", "gzip")
	w.WriteHeader(status)
	z := zippers.Get().(*gzip.Writer)
	defer zippers.Put(z)
	z.Reset(w)
	z.Write(b.Bytes()) //nolint:errcheck // the browser went away
	z.Close()          //nolint:errcheck // as above
	return nil
}

// acceptsGzip understands the header as browsers write it: a list of codings,
// each with an optional weight of which only 0 means no.
func acceptsGzip(r *http.Request) bool {
	for v := range strings.SplitSeq(r.Header.Get("Accept-Encoding"), ",") {
		coding, weight, _ := strings.Cut(strings.TrimSpace(v), ";")
		if strings.EqualFold(strings.TrimSpace(coding), "gzip") {
			q, weighted := strings.CutPrefix(strings.TrimSpace(weight), "q=")
			return !weighted || strings.Trim(q, "0.") != ""
		}
	}
	return false
}

// statuses maps the codes that are not a bug to HTTP.
var statuses = map[fault.Code]int{
	fault.InvalidArguments:    http.StatusUnprocessableEntity,
	fault.InvalidSource:       http.StatusUnprocessableEntity,
	fault.InvalidCursor:       http.StatusBadRequest,
	fault.NotFound:            http.StatusNotFound,
	fault.StaleRevision:       http.StatusConflict,
	fault.RequestConflict:     http.StatusConflict,
	fault.LimitExceeded:       http.StatusUnprocessableEntity,
	fault.BudgetExhausted:     http.StatusServiceUnavailable,
	fault.Unauthorized:        http.StatusUnauthorized,
	fault.Forbidden:           http.StatusForbidden,
	fault.Unsupported:         http.StatusUnprocessableEntity,
	fault.RateLimited:         http.StatusServiceUnavailable,
	fault.UpstreamUnavailable: http.StatusBadGateway,
	fault.UpstreamChanged:     http.StatusBadGateway,
	fault.ResponseTooLarge:    http.StatusBadGateway,
	fault.BlockedOrigin:       http.StatusForbidden,
	fault.Timeout:             http.StatusGatewayTimeout,
	fault.Canceled:            http.StatusServiceUnavailable,
}

var titles = map[int]string{
	http.StatusBadRequest:            "That address does not work",
	http.StatusUnauthorized:          "Signed out",
	http.StatusForbidden:             "Not allowed",
	http.StatusNotFound:              "Not found",
	http.StatusMethodNotAllowed:      "Not possible here",
	http.StatusConflict:              "Changed in the meantime",
	http.StatusRequestEntityTooLarge: "Too much at once",
	http.StatusUnprocessableEntity:   "That does not fit",
	http.StatusTooManyRequests:       "Wait a moment",
	http.StatusBadGateway:            "The network did not answer",
	http.StatusServiceUnavailable:    "Not now",
	http.StatusGatewayTimeout:        "That took too long",
}

// whatNames are how pages call what a fault did not find.
var whatNames = map[string]string{
	"page": "Page", "deck": "Deck", "column": "Column", "activity": "Task or reply", "conversation": "Conversation",
	"connection": "Account", "account": "Account", "post": "Post",
}

// problemOf says what a fault is, and for what is not found what that was.
func (h *Handler) problemOf(r *http.Request, status int, f *fault.Error) view.Problem {
	title := titles[status]
	what, _ := f.Details[fault.DetailWhat].(string)
	if name := whatNames[what]; name != "" && f.Code == fault.NotFound {
		title = name + " not found"
	}
	return view.Problem{Page: h.page(r, title, ""), Text: f.Message, Decks: what == "deck" || what == "column"}
}

// errNoPage is the answer to an address that nothing has.
var errNoPage = fault.Missing("page", "There is nothing at this address. It may have been deleted, or the link is wrong.")

// fail answers an error, once: a fault as what it is, anything else as internal
// with a number that finds it in the log.
func (h *Handler) fail(w http.ResponseWriter, r *http.Request, err error) {
	f := fault.From(err)
	markFault(w, f)
	status, known := statuses[f.Code]
	if _, ok := errors.AsType[*http.MaxBytesError](err); ok {
		status = http.StatusRequestEntityTooLarge
	}
	switch {
	case f.Code == fault.Canceled && r.Context().Err() != nil:
		return // nobody is there to read an answer
	case h.deletedDeck(w, r, f):
		return
	case known:
		h.showProblem(w, r, status, h.problemOf(r, status, f))
		return
	}
	id := h.newID("err")
	h.log.ErrorContext(r.Context(), "a request failed", "method", r.Method, "path", loggedPath(r.URL.Path), "correlationId", id, "err", err)
	h.problem(w, r, http.StatusInternalServerError, "Something went wrong",
		"Something went wrong in the workspace. Try again; if it stays, the server's log has the reason under "+id+".")
}

// markFault names a fault for programs, as /mcp does: a page says the same in
// words.
func markFault(w http.ResponseWriter, f *fault.Error) {
	w.Header().Set("Workspace-Fault", string(f.Code))
	if field, _ := f.Details[fault.DetailField].(string); field != "" {
		w.Header().Set("Workspace-Fault-Field", field)
	}
}

// loggedPath is a request's path as the log may have it: without the token of a
// set-up link, which lets whoever reads it set the password.
func loggedPath(p string) string {
	const setup = "/setup/"
	if i := strings.Index(p, setup); i >= 0 {
		return p[:i+len(setup)] + "…"
	}
	return p
}

// problem renders a page, or for a fragment a panel, that says what is wrong.
func (h *Handler) problem(w http.ResponseWriter, r *http.Request, status int, title, text string) {
	h.showProblem(w, r, status, view.Problem{Page: h.page(r, title, ""), Text: text})
}

func (h *Handler) showProblem(w http.ResponseWriter, r *http.Request, status int, p view.Problem) {
	page := view.ProblemPage(p)
	switch {
	case strings.HasSuffix(r.Header.Get("HX-Target"), "#deck-notice"):
		page = view.ProblemNotice(p)
	case isFragment(r):
		page = view.ProblemPanel(p)
	}
	// A body that did not come has canceled the request, and still is answered.
	if err := h.render(w, r.WithContext(context.WithoutCancel(r.Context())), status, page); err != nil {
		h.log.ErrorContext(r.Context(), "an error page failed", "err", err)
		plain(w, http.StatusInternalServerError, "Something went wrong in the workspace.")
	}
}

// unmatched answers what no route matches with a page rather than plain text.
func (h *Handler) unmatched(mux *http.ServeMux) http.Handler {
	return http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		if !isClean(r.URL.Path) {
			// The mux would redirect, and does not know the base path.
			h.fail(w, r, errNoPage)
			return
		}
		own, pattern := mux.Handler(r)
		if pattern != "" {
			mux.ServeHTTP(w, r)
			return
		}
		got := refusal{header: http.Header{}}
		own.ServeHTTP(&got, r)
		if allow := got.header.Get("Allow"); allow != "" {
			w.Header().Set("Allow", allow)
			h.problem(w, r, http.StatusMethodNotAllowed, titles[http.StatusMethodNotAllowed],
				"This address does not take that kind of request. Go back and use the buttons of the page.")
			return
		}
		h.fail(w, r, errNoPage)
	})
}

func isClean(p string) bool {
	clean := path.Clean(p)
	return p == clean || p == clean+"/"
}

// refusal keeps the headers of the mux's own answer and drops the rest.
type refusal struct{ header http.Header }

func (r *refusal) Header() http.Header         { return r.header }
func (r *refusal) Write(b []byte) (int, error) { return len(b), nil }
func (r *refusal) WriteHeader(int)             {}
