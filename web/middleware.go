package web

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"io"
	"net/http"
	"net/url"
	"runtime/debug"
	"strings"

	"personal-workspace/internal/fault"
)

const (
	// maxForm is the largest body of a form, in bytes.
	maxForm = 1 << 20
	// strangersForm is the largest one of a browser that is nobody's: enough to
	// sign in with, and little to hold for whoever can reach the workspace.
	strangersForm = 16 << 10
)

// contentPolicy allows our own files, pictures the reader asked for, and
// nothing else: no inline script or style can run, whatever a post contains.
const contentPolicy = "default-src 'none'; script-src 'self'; style-src 'self'; img-src 'self' data: https:; media-src https:; " +
	"connect-src 'self'; form-action 'self'; base-uri 'none'; frame-ancestors 'none'"

// policy is contentPolicy, and in the demo also the sounds and films that the
// workspace itself hands out there.
func (h *Handler) policy() string {
	if len(h.local.servers) == 0 {
		return contentPolicy
	}
	return strings.Replace(contentPolicy, "media-src", "media-src 'self'", 1)
}

// protect wraps the routes in what guards all of them.
func (h *Handler) protect(next http.Handler, origin *url.URL) http.Handler {
	next = h.wholeBody(next)
	next = h.sameOrigin(next, origin)
	next = stripBase(h.site.Base(), next)
	next = h.allowedHost(next)
	next = h.recovered(next)
	return securityHeaders(next, h.policy())
}

func securityHeaders(next http.Handler, policy string) http.Handler {
	return http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		head := w.Header()
		head.Set("Content-Security-Policy", policy)
		head.Set("Referrer-Policy", "same-origin")
		head.Set("X-Content-Type-Options", "nosniff")
		head.Set("Cross-Origin-Opener-Policy", "same-origin")
		head.Set("Cache-Control", "no-store")
		r.Body = http.MaxBytesReader(w, r.Body, maxForm)
		next.ServeHTTP(w, r)
	})
}

// recovered keeps the process alive when a handler panics, and tells the log
// where.
func (h *Handler) recovered(next http.Handler) http.Handler {
	return http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		defer func() {
			v := recover()
			if v == nil {
				return
			}
			if v == http.ErrAbortHandler { //nolint:errorlint // net/http panics with this very value
				panic(v)
			}
			h.fail(w, r, fmt.Errorf("panic: %v\n%s", v, debug.Stack()))
		}()
		next.ServeHTTP(w, r)
	})
}

// stripBase removes the base path from the request when it is there. A reverse
// proxy may have removed it already, and health checks come without.
func stripBase(base string, next http.Handler) http.Handler {
	if base == "" {
		return next
	}
	stripped := http.StripPrefix(base, next)
	return http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		switch {
		case r.URL.Path == base:
			http.Redirect(w, r, base+"/", http.StatusPermanentRedirect)
		case strings.HasPrefix(r.URL.Path, base+"/"):
			stripped.ServeHTTP(w, r)
		default:
			next.ServeHTTP(w, r)
		}
	})
}

// allowedHost refuses names the workspace does not have: the defence against
// DNS rebinding.
func (h *Handler) allowedHost(next http.Handler) http.Handler {
	return http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		if h.hosts.Allows(r) {
			next.ServeHTTP(w, r)
			return
		}
		h.problem(w, r, http.StatusMisdirectedRequest, "Unknown name", h.hosts.Explain(r.Host))
	})
}

// sameOrigin refuses changes that another site's page asks for.
func (h *Handler) sameOrigin(next http.Handler, origin *url.URL) http.Handler {
	guard := http.NewCrossOriginProtection()
	if origin != nil {
		// Behind a proxy that rewrites Host the public origin is the only
		// right one; an origin that cannot be added was refused at the start.
		if err := guard.AddTrustedOrigin(origin.Scheme + "://" + origin.Host); err != nil {
			h.log.Warn("the public origin cannot be trusted for forms", "err", err)
		}
	}
	guard.SetDenyHandler(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		h.problem(w, r, http.StatusForbidden, "Not from this page",
			"The request came from another site's page, so nothing was done. Open the workspace itself and try there; behind a proxy, set WORKSPACE_ORIGIN to the public address.")
	}))
	return guard.Handler(next)
}

// wholeBody reads what a form sends before anything is done with it: one that is
// too large, or that breaks off, changes nothing, whether its route looks at it
// or not. A stranger's is not kept when it is large.
func (h *Handler) wholeBody(next http.Handler) http.Handler {
	return http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		if r.Method == http.MethodGet || r.Method == http.MethodHead {
			next.ServeHTTP(w, r)
			return
		}
		b, err := io.ReadAll(io.LimitReader(r.Body, strangersForm+1))
		if err == nil && len(b) > strangersForm {
			if known, err := h.sessions.lasts(r.Context(), r); err != nil || !known {
				h.refuseStranger(w, r, err)
				return
			}
			var rest []byte
			rest, err = io.ReadAll(r.Body)
			b = append(b, rest...)
		}
		if _, ok := errors.AsType[*http.MaxBytesError](err); ok {
			h.fail(w, r, fault.Limit("body", maxForm, "The form is larger than %d bytes; send less at once.", maxForm).Wrap(err))
			return
		}
		if err != nil {
			h.fail(w, r, badForm(err))
			return
		}
		c := *r
		c.Body = io.NopCloser(bytes.NewReader(b))
		next.ServeHTTP(w, &c)
	})
}

// refuseStranger answers a large form of a browser that is not signed in, or of
// which that could not be found out. Its rest is let go by: a browser that is
// answered while it sends may say that the connection broke.
func (h *Handler) refuseStranger(w http.ResponseWriter, r *http.Request, err error) {
	io.Copy(io.Discard, r.Body) //nolint:errcheck // what does not come is not missed
	if err == nil {
		err = h.askToSignIn(w, r)
	}
	if err != nil {
		h.fail(w, r, err)
	}
}

// signedIn lets only the person through and makes them the actor. Others are
// sent to sign in, and from there back.
func (h *Handler) signedIn(next handlerFunc) handlerFunc {
	return func(w http.ResponseWriter, r *http.Request) error {
		ctx, ok, err := h.sessions.person(w, r)
		if err != nil {
			return err
		}
		if !ok {
			return h.askToSignIn(w, r)
		}
		p, err := h.sessions.store.findPreferences(ctx)
		if err != nil {
			return err
		}
		return next(w, r.WithContext(withPreferences(ctx, p)))
	}
}

// personOfScript is sessions.person for what only a page's script asks for; ok is
// false when that has its answer: a sign-in page would be no use to it.
func (h *Handler) personOfScript(w http.ResponseWriter, r *http.Request) (ctx context.Context, ok bool, err error) {
	ctx, ok, err = h.sessions.person(w, r)
	if err == nil && !ok {
		plain(w, http.StatusUnauthorized, "Signed out: sign in.")
	}
	return ctx, ok && err == nil, err
}

func (h *Handler) askToSignIn(w http.ResponseWriter, r *http.Request) error {
	if isFragment(r) {
		w.Header().Set("HX-Redirect", h.site.Login(h.pageBehind(r)))
		return fault.New(fault.Unauthorized, "You are signed out; sign in again.")
	}
	http.Redirect(w, r, h.site.Login(h.comeBackTo(r)), http.StatusSeeOther)
	return nil
}

// comeBackTo is where to go on to after the sign-in: the page that was asked for
// or, of a form that was not taken, the one it is on, where the script has kept
// what was typed. It is "" for the first page.
func (h *Handler) comeBackTo(r *http.Request) string {
	if r.Method != http.MethodGet {
		return h.pageAt(r.Referer())
	}
	if r.URL.Path == "/" {
		return ""
	}
	return r.URL.RequestURI()
}

// isFragment reports whether htmx asks, which wants a part of a page.
func isFragment(r *http.Request) bool { return r.Header.Get("HX-Request") == "true" }

// pageBehind is the page whose script asks, see pageAt.
func (h *Handler) pageBehind(r *http.Request) string {
	return h.pageAt(r.Header.Get("HX-Current-URL"))
}

// pageAt is the path with the query, without the base path, of the page at a
// URL of the workspace; "" when it is the first page or none that can be opened.
func (h *Handler) pageAt(rawURL string) string {
	u, err := url.Parse(rawURL)
	if err != nil {
		return ""
	}
	path, ok := strings.CutPrefix(u.RequestURI(), h.site.Base()+"/")
	next := safeNext("/" + path)
	if !ok || next == "/" || !h.opens(next) {
		return ""
	}
	return next
}

// opens reports whether there is a page at a path: a form may have been shown
// again at the address that only takes it.
func (h *Handler) opens(next string) bool {
	page, err := http.NewRequest(http.MethodGet, next, http.NoBody) //nolint:noctx // it is only looked up
	if err != nil {
		return false
	}
	_, pattern := h.mux.Handler(page)
	return pattern != ""
}
