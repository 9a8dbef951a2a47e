package mcp

import (
	"bytes"
	"context"
	"encoding/base64"
	"encoding/json"
	"errors"
	"io"
	"net/http"
	"net/url"
	"strings"
	"sync/atomic"

	"github.com/modelcontextprotocol/go-sdk/jsonrpc"
	sdk "github.com/modelcontextprotocol/go-sdk/mcp"

	"personal-workspace/internal/fault"
)

// maxBody is the largest request, in bytes.
const maxBody = 1 << 20

// wrap builds the chain of wrappers, outermost first: Host, Origin, research
// registration, body, headers, SDK. Everything before the SDK refuses with a
// JSON-RPC error body, because a tunnel replaces any other body by its own.
func (h *Handler) wrap() http.Handler {
	options := sdk.StreamableHTTPOptions{
		Stateless: true,
		// Our own cap comes first; this one only has to be no smaller.
		MaxRequestBodyBytes: maxBody + 1,
		// The SDK's check of Host works on loopback alone; ours is everywhere.
		DisableLocalhostProtection: true,
		// The call ends when its client is gone.
		PropagateRequestCancellation: true,
	}
	stream := sdk.NewStreamableHTTPHandler(h.find, &options)
	options.JSONResponse = true
	plain := sdk.NewStreamableHTTPHandler(h.find, &options)

	origin := http.NewCrossOriginProtection()
	origin.SetDenyHandler(http.HandlerFunc(h.foreignOrigin))
	return h.allowedHost(origin.Handler(h.registered(h.dispatch(plain, stream))))
}

// find is the SDK's lookup of the server; it calls it more than once.
func (h *Handler) find(r *http.Request) *sdk.Server {
	id, ok, err := registration(r)
	switch {
	case err != nil:
		return nil
	case ok:
		return h.research.Find(id)
	}
	return h.workspace
}

func (h *Handler) allowedHost(next http.Handler) http.Handler {
	return http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		if !h.hosts.Allows(r) {
			h.refuseStranger(w, r, h.hosts.Explain(r.Host))
			return
		}
		next.ServeHTTP(w, r)
	})
}

func (h *Handler) foreignOrigin(w http.ResponseWriter, r *http.Request) {
	h.refuseStranger(w, r, "Pages of another origin may not call the workspace; use an MCP client, which sends no Origin.")
}

// refuseStranger answers those who may not call at all.
func (h *Handler) refuseStranger(w http.ResponseWriter, r *http.Request, message string) {
	m := readOutline(r)
	h.recordStranger(r, m)
	refuse(w, http.StatusForbidden, validID(m.ID), jsonrpc.CodeInvalidRequest, message)
}

// registered refuses a research id that is unknown, ended or empty. It never
// falls through to the workspace's tools.
func (h *Handler) registered(next http.Handler) http.Handler {
	return http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		if h.find(r) == nil {
			m := readOutline(r)
			h.recordRefused(r, m, fault.NotFound)
			refuse(w, http.StatusNotFound, validID(m.ID), jsonrpc.CodeInvalidRequest,
				"This research turn is unknown or has ended; start the turn again on the Research page.")
			return
		}
		next.ServeHTTP(w, r)
	})
}

// registration reads the research parameter. A query that cannot be read is an
// error: it must not hide the parameter.
func registration(r *http.Request) (id string, ok bool, err error) {
	if r.URL.RawQuery == "" {
		return "", false, nil
	}
	q, err := url.ParseQuery(r.URL.RawQuery)
	if err != nil || len(q["research"]) > 1 {
		return "", false, errors.Join(err, errors.New("the query cannot be read"))
	}
	return q.Get("research"), q.Has("research"), nil
}

// exchange is what the wrappers and the middlewares know of one HTTP request.
type exchange struct {
	// recorded: a tool run was made of it.
	recorded atomic.Bool
	// arguments are those of its tool call when the SDK did not get them; else nil.
	arguments json.RawMessage
}

type exchangeKey struct{}

func exchangeOf(ctx context.Context) *exchange {
	if e, ok := ctx.Value(exchangeKey{}).(*exchange); ok {
		return e
	}
	return &exchange{}
}

// dispatch reads the body, chooses the form of the answer and hands the request
// to the SDK.
func (h *Handler) dispatch(plain, stream http.Handler) http.Handler {
	return http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		// Proxies must not hold back an event stream; on JSON it is harmless.
		w.Header().Set("X-Accel-Buffering", "no")
		if r.Method != http.MethodPost {
			plain.ServeHTTP(&answer{ResponseWriter: w, r: r}, r)
			return
		}
		body, err := readBody(w, r)
		if err != nil {
			h.refuseBody(w, r, outline(body), err)
			return
		}
		e := &exchange{}
		if h.find(r) == h.workspace {
			body, e.arguments = hold(body, minHeld)
		}
		ctx := context.WithValue(r.Context(), exchangeKey{}, e)
		if bytes.Contains(body, []byte("subscriptions/listen")) {
			var cancel context.CancelFunc
			ctx, cancel = context.WithCancel(ctx)
			defer cancel()
			defer context.AfterFunc(h.streams, cancel)()
		}
		r = r.WithContext(ctx)
		r.Body = io.NopCloser(bytes.NewReader(body))
		if !decodeName(r.Header) || !sameTask(r.Header, body) {
			refuse(w, http.StatusBadRequest, idOf(body), sdk.CodeHeaderMismatch, "The header Mcp-Name does not match the request's body.")
		} else if code, why := misread(body); why != "" {
			refuse(w, http.StatusBadRequest, idOf(body), code, why)
		} else if wantsStream(body) {
			stream.ServeHTTP(&answer{ResponseWriter: w, r: r, body: body}, r)
		} else {
			plain.ServeHTTP(&answer{ResponseWriter: w, r: r, body: body}, r)
		}
		if !e.recorded.Load() {
			h.recordRefused(r, outline(body), fault.InvalidArguments)
		}
	})
}

// readBody reads at most maxBody bytes. On an error it returns what was read.
func readBody(w http.ResponseWriter, r *http.Request) ([]byte, error) {
	var b bytes.Buffer
	b.Grow(int(min(max(r.ContentLength, 0), maxBody)) + bytes.MinRead)
	_, err := b.ReadFrom(http.MaxBytesReader(w, r.Body, maxBody))
	return b.Bytes(), err
}

// refuseBody answers a request whose body is too large or did not come whole; m
// is what could be read of it.
func (h *Handler) refuseBody(w http.ResponseWriter, r *http.Request, m message, err error) {
	if _, ok := errors.AsType[*http.MaxBytesError](err); ok {
		h.recordRefused(r, m, fault.LimitExceeded)
		refuse(w, http.StatusRequestEntityTooLarge, validID(m.ID), jsonrpc.CodeInvalidRequest, "The request is larger than 1 MiB; send less at a time.")
		return
	}
	h.recordRefused(r, m, fault.InvalidArguments)
	refuse(w, http.StatusBadRequest, validID(m.ID), jsonrpc.CodeParseError, "The request's body did not arrive whole; send it again.")
}

const (
	nameHeader   = "Mcp-Name"
	base64Prefix = "=?base64?"
	base64Suffix = "?="
)

// decodeName replaces the Base64 form of Mcp-Name, in which clients send names
// that do not fit a header: the SDK compares the header as it stands. It
// reports whether the header can be read.
func decodeName(header http.Header) bool {
	text, ok := strings.CutPrefix(header.Get(nameHeader), base64Prefix)
	if !ok {
		return true
	}
	text, ok = strings.CutSuffix(text, base64Suffix)
	name, err := base64.StdEncoding.DecodeString(text)
	if !ok || err != nil {
		return false
	}
	header.Set(nameHeader, string(name))
	return true
}

// sameTask checks Mcp-Name for the methods of tasks, which the SDK does not
// know: there it must be the task's id.
func sameTask(header http.Header, body []byte) bool {
	if !strings.HasPrefix(header.Get("Mcp-Method"), "tasks/") {
		return true
	}
	m, ok := peek(body)
	return !ok || !strings.HasPrefix(m.Method, "tasks/") || header.Get(nameHeader) == m.Params.TaskID
}
