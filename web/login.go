package web

import (
	"context"
	"fmt"
	"net/http"
	"net/url"
	"slices"
	"strings"
	"time"

	"personal-workspace/internal/fault"
	"personal-workspace/web/view"
)

// SetupLink makes a new set-up link and returns its path, with the base path;
// a link made before is not valid any more. It returns "" when no link is
// needed: a password is set, or nobody has to sign in.
func (h *Handler) SetupLink(ctx context.Context) (path string, err error) {
	if h.sessions.mode == AuthNone {
		return "", nil
	}
	secret, hash := token()
	needed, err := h.passwords.store.putSetupLink(ctx, hash, h.now())
	if err != nil || !needed {
		return "", err
	}
	return h.site.Setup(secret), nil
}

func (h *Handler) loginForm(w http.ResponseWriter, r *http.Request) error {
	next := safeNext(r.URL.Query().Get("next"))
	_, ok, err := h.sessions.person(w, r)
	if err != nil {
		return err
	}
	if ok {
		http.Redirect(w, r, h.site.Path(next), http.StatusSeeOther)
		return nil
	}
	return h.showLogin(w, r, http.StatusOK, next, "")
}

func (h *Handler) showLogin(w http.ResponseWriter, r *http.Request, status int, next, problem string) error {
	hash, err := h.passwords.store.passwordHash(r.Context())
	if err != nil {
		return err
	}
	return h.render(w, r, status, view.Login(view.LoginPage{
		Page: h.page(r, "Sign in", ""), Next: next, Problem: problem, NoPassword: hash == "",
	}))
}

func (h *Handler) login(w http.ResponseWriter, r *http.Request) error {
	if h.sessions.mode == AuthNone {
		http.Redirect(w, r, h.site.Home(), http.StatusSeeOther)
		return nil
	}
	if err := readForm(r); err != nil {
		return err
	}
	next := safeNext(r.PostForm.Get("next"))
	peer := peerOf(r.RemoteAddr)
	if retryAt, allowed := h.throttle.begin(peer); !allowed {
		return h.loginPaused(w, r, next, retryAt)
	}

	right, err := h.passwords.matches(r.Context(), r.PostForm.Get("password"))
	if err != nil {
		return err
	}
	if !right {
		h.log.WarnContext(r.Context(), "a sign-in failed", "peer", peer)
		return h.showLogin(w, r, http.StatusUnprocessableEntity, next, "That is not the password. Try again.")
	}
	h.throttle.succeeded(peer)
	if err := h.sessions.begin(w, r); err != nil {
		return err
	}

	http.Redirect(w, r, h.site.Path(next), http.StatusSeeOther)
	return nil
}

func (h *Handler) loginPaused(w http.ResponseWriter, r *http.Request, next string, retryAt time.Time) error {
	return h.showLogin(w, r, http.StatusTooManyRequests, next, tooMany(h.pause(w, retryAt)))
}

// pause tells the browser, and returns, the seconds until the next attempt.
func (h *Handler) pause(w http.ResponseWriter, retryAt time.Time) int {
	wait := max(retryAt.Sub(h.now()), 0)
	seconds := int((wait + time.Second - 1) / time.Second)
	w.Header().Set("Retry-After", fmt.Sprint(seconds))
	return seconds
}

func (h *Handler) logout(w http.ResponseWriter, r *http.Request) error {
	if err := h.sessions.end(w, r); err != nil {
		return err
	}
	h.streams.lookAgain()
	http.Redirect(w, r, h.site.Login(""), http.StatusSeeOther)
	return nil
}

func (h *Handler) setupForm(w http.ResponseWriter, r *http.Request) error {
	token := r.PathValue("token")
	valid, err := h.passwords.store.setupLinkValid(r.Context(), hashOf(token))
	if err != nil {
		return err
	}
	if !valid {
		return errLinkUsed
	}
	return h.showSetup(w, r, http.StatusOK, token, nil)
}

func (h *Handler) showSetup(w http.ResponseWriter, r *http.Request, status int, token string, problem *fault.Error) error {
	p := view.SetupPage{Page: h.page(r, "Set a password", ""), Token: token}
	if problem != nil {
		p.Field, _ = problem.Details[fault.DetailField].(string)
		p.Problem = problem.Message
	}
	return h.render(w, r, status, view.Setup(p))
}

func (h *Handler) setup(w http.ResponseWriter, r *http.Request) error {
	if err := readForm(r); err != nil {
		return err
	}
	link := r.PathValue("token")
	password := r.PostForm.Get("password")
	valid, err := h.passwords.store.setupLinkValid(r.Context(), hashOf(link))
	if err != nil {
		return err
	}
	if !valid {
		return errLinkUsed
	}
	if err := checkNew(password, r.PostForm.Get("again")); err != nil {
		return h.showSetup(w, r, http.StatusUnprocessableEntity, link, fault.From(err))
	}

	hash, err := h.passwords.hash(r.Context(), password)
	if err != nil {
		return err
	}
	ses, secret, cookieHash := h.sessions.fresh(r)
	if err := h.passwords.store.setPassword(r.Context(), hashOf(link), hash, cookieHash, ses); err != nil {
		return err
	}

	h.sessions.cookie.set(w, secret, idleEnd)
	http.Redirect(w, r, h.site.Home(), http.StatusSeeOther)
	return nil
}

// readForm parses a form's body, which is not too large: wholeBody has seen it.
func readForm(r *http.Request) error {
	if err := r.ParseForm(); err != nil {
		return badForm(err)
	}
	return nil
}

func badForm(err error) error {
	return fault.Invalid("body", "The form cannot be read; go back, reload the page and send it again.").Wrap(err)
}

// safeNext returns a path within the workspace to go on to after signing in:
// the given one when it cannot lead anywhere else, else "/".
func safeNext(next string) string {
	u, err := url.Parse(next)
	if err != nil || u.IsAbs() || u.Host != "" || u.User != nil || u.Opaque != "" ||
		!strings.HasPrefix(next, "/") || strings.HasPrefix(next, "//") ||
		strings.ContainsAny(next, "\\\t\r\n") || slices.Contains(strings.Split(u.Path, "/"), "..") || strings.HasPrefix(u.Path, "/login") {
		return "/"
	}
	return next
}
