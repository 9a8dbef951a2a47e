package web

import (
	"net/http"
	"strings"
	"time"

	"personal-workspace/internal/fault"
	"personal-workspace/sns"
	"personal-workspace/web/view"
)

// loginEnds is how long a sign-in with a server may take; the service forgets it
// at the same time.
const loginEnds = 10 * time.Minute

// pendingLogin is the sign-in that the cookie of a browser names: its state, and
// the secret that proves that this browser began it. The state is in no address
// of ours; a server's own callback has it.
type pendingLogin struct{ state, browser string }

// forLogins is the form of the cookie that binds a sign-in with a server to the
// browser that began it, with sign-in to the workspace and without.
func (f cookieForm) forLogins() cookieForm {
	f.name = strings.TrimSuffix(f.name, "session") + "login"
	return f
}

func (h *Handler) pendingLogin(r *http.Request) pendingLogin {
	value := h.sessions.cookie.forLogins().read(r)
	i := strings.LastIndexByte(value, '.')
	if i < 0 {
		return pendingLogin{}
	}
	return pendingLogin{value[:i], value[i+1:]}
}

func (h *Handler) rememberLogin(w http.ResponseWriter, p pendingLogin) {
	h.sessions.cookie.forLogins().set(w, p.state+"."+p.browser, loginEnds)
}

func (h *Handler) forgetLogin(w http.ResponseWriter) {
	h.sessions.cookie.forLogins().set(w, "", 0)
}

// callbackURL is where a server sends the browser back to: to the public address
// of the workspace, unless the browser says that it uses another of its names,
// where the cookies are. Host is one of the allow-list.
func (h *Handler) callbackURL(r *http.Request) string {
	scheme := "http"
	if r.TLS != nil {
		scheme = "https"
	}
	base := scheme + "://" + r.Host
	if h.origin != nil {
		base = h.origin.Scheme + "://" + h.origin.Host
	}
	if own := r.Header.Get("Origin"); own == "https://"+r.Host || own == "http://"+r.Host {
		base = own
	}
	return base + h.site.LoginCallback()
}

// beginLogin starts a sign-in with a server, with a code to paste or without, and
// leads to the page between. Two that a browser has begun can both come to their
// end.
func (h *Handler) beginLogin(w http.ResponseWriter, r *http.Request, in sns.BeginLogin, code bool) error {
	if !code {
		in.RedirectURI = h.callbackURL(r)
	}
	p := h.pendingLogin(r)
	if fresh, _ := token(); len(p.browser) != len(fresh) {
		p.browser = fresh
	}
	in.Browser = p.browser
	login, err := h.connections.BeginLogin(r.Context(), in)
	if err != nil {
		return err
	}

	p.state = login.State
	h.rememberLogin(w, p)
	http.Redirect(w, r, h.site.PendingLogin(), http.StatusSeeOther)
	return nil
}

func (h *Handler) loginWait(w http.ResponseWriter, r *http.Request) error {
	p := h.pendingLogin(r)
	login, err := h.connections.PendingLogin(r.Context(), p.state, p.browser)
	if fault.CodeOf(err) == fault.NotFound {
		return h.loginFailed(w, r, sns.Login{}, fault.Invalid("state", "No sign-in is under way in this browser: it came to its end, or took longer than ten minutes."))
	}
	if err != nil {
		return err
	}
	return h.showLoginWait(w, r, http.StatusOK, login, "")
}

// showLoginWait prints the page between, with what is wrong with the code.
func (h *Handler) showLoginWait(w http.ResponseWriter, r *http.Request, status int, l sns.Login, problem string) error {
	host := hostIn(l.Origin)
	p := view.LoginWaitPage{
		Page: h.page(r, "Sign in with "+host, "connections"), Host: host, Authorize: l.AuthorizeURL, Code: l.OutOfBand,
		Restart: h.site.NewConnection(), Origin: l.Origin, Callback: h.callbackURL(r), Until: h.clock(r.Context()).hour(l.ExpiresAt),
		Cancel: h.site.Connections(), State: l.State, Problem: problem,
	}
	if l.ConnectionID != "" {
		p.Restart, p.Cancel = h.site.SignInAgain(l.ConnectionID), h.site.Connection(l.ConnectionID)
	}
	return h.render(w, r, status, view.LoginWait(p))
}

func hostIn(origin string) string {
	_, host, _ := strings.Cut(origin, "://")
	return host
}

// loginCode takes the code that a server has shown.
func (h *Handler) loginCode(w http.ResponseWriter, r *http.Request) error {
	if err := readForm(r); err != nil {
		return err
	}
	in := sns.FinishLogin{
		State: r.PostForm.Get("state"), Code: strings.TrimSpace(r.PostForm.Get("code")), Browser: h.pendingLogin(r).browser, Pasted: true,
	}
	// An error is told by FinishLogin, which looks for the same sign-in.
	login, err := h.connections.PendingLogin(r.Context(), in.State, in.Browser)
	if err == nil && in.Code == "" {
		return h.showLoginWait(w, r, http.StatusUnprocessableEntity, login, "Paste the code that "+hostIn(login.Origin)+" has shown you.")
	}
	return h.finishLogin(w, r, login, in)
}

// loginCallback is where a server sends the person back to.
func (h *Handler) loginCallback(w http.ResponseWriter, r *http.Request) error {
	q := r.URL.Query()
	in := sns.FinishLogin{
		State: q.Get("state"), Code: q.Get("code"), Denied: q.Get("error"), Browser: h.pendingLogin(r).browser,
	}
	// An error is told by FinishLogin, which looks for the same sign-in.
	login, err := h.connections.PendingLogin(r.Context(), in.State, in.Browser)
	if err == nil && in.Code == "" && in.Denied == "" {
		return h.loginFailed(w, r, login, fault.Invalid("code", "%s sent you back without a code, so the workspace cannot sign in.", hostIn(login.Origin)))
	}
	return h.finishLogin(w, r, login, in)
}

func (h *Handler) finishLogin(w http.ResponseWriter, r *http.Request, login sns.Login, in sns.FinishLogin) error {
	c, err := h.connections.FinishLogin(r.Context(), in)
	if ours(err) {
		return err
	}
	if again, lookErr := h.connections.PendingLogin(r.Context(), in.State, in.Browser); lookErr == nil {
		login = again // of two that were sent at once the second did not find it before
	}
	if f := fault.From(err); err != nil && login.OutOfBand && f.Details[fault.DetailField] == "code" {
		return h.showLoginWait(w, r, http.StatusUnprocessableEntity, login, f.Message) // it may be pasted again
	}
	if err != nil {
		return h.loginFailed(w, r, login, fault.From(err))
	}

	if h.pendingLogin(r).state == in.State {
		h.forgetLogin(w)
	}
	done := "connected"
	if login.ConnectionID != "" {
		done = "signed-in"
	}
	http.Redirect(w, r, h.site.ConnectionAfter(c.ID, done), http.StatusSeeOther)
	return nil
}

// loginFailed says why a sign-in did not come to its end; login is what is known
// of it.
func (h *Handler) loginFailed(w http.ResponseWriter, r *http.Request, login sns.Login, f *fault.Error) error {
	p := view.LoginFailedPage{
		Page: h.page(r, "Not signed in", "connections"), Text: f.Message, Again: h.site.NewConnection(),
	}
	if login.ConnectionID != "" {
		p.Again = h.site.SignInAgain(login.ConnectionID)
	}
	status, known := statuses[f.Code]
	if !known || status >= http.StatusInternalServerError {
		status = http.StatusUnprocessableEntity
	}
	return h.render(w, r, status, view.LoginFailed(p))
}
