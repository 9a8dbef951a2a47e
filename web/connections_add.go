package web

import (
	"context"
	"net/http"
	"strings"

	"personal-workspace/internal/fault"
	"personal-workspace/sns"
	"personal-workspace/web/view"
)

// connectForm is what the person filled in to connect an account, or to sign in
// to one again.
type connectForm struct {
	origin, token, way string
	relay, profile     string
	code               bool
}

// readConnectForm reads the form and finds what is missing in it.
func readConnectForm(r *http.Request) (f connectForm, problem *fault.Error, err error) {
	if err := readForm(r); err != nil {
		return f, nil, err
	}
	f = connectForm{
		origin: r.PostForm.Get("origin"), token: r.PostForm.Get("token"),
		way: r.PostForm.Get("way"), code: r.PostForm.Get("code") != "",
		relay: r.PostForm.Get("relay"), profile: r.PostForm.Get("profile"),
	}
	switch {
	case f.way == view.ByRelay:
	case f.way == view.ByToken && strings.TrimSpace(f.token) == "":
		problem = fault.Invalid("token", "There is no token.")
	case f.way != view.ByLogin && f.way != view.ByToken && f.way != view.ByPublic:
		f.way, problem = view.ByLogin, fault.Invalid("way", "Choose how the account is read.")
	}
	return f, problem, nil
}

// withScheme is the origin that a person means who types a server's name or a
// handle, over https unless they say otherwise. Whether it is one is the
// service's to say.
func withScheme(typed string) string {
	s := strings.TrimSpace(typed)
	if s == "" || strings.Contains(s, "://") {
		return s
	}
	return "https://" + s[strings.LastIndexByte(s, '@')+1:]
}

// serverAddress is the address that a person means: without encryption only where
// the operator has listed the server so.
func (h *Handler) serverAddress(typed string) string {
	address := withScheme(typed)
	if host, ok := strings.CutPrefix(address, "https://"); ok && !strings.Contains(typed, "://") && h.connections.AllowsHTTP(host) {
		return "http://" + host
	}
	return address
}

// maxEcho is the longest text of a field that is sent back to be corrected, in
// bytes: more is no mistake in typing.
const maxEcho = 1024

func cutEcho(typed string) string {
	if len(typed) > maxEcho {
		return ""
	}
	return typed
}

func (h *Handler) newConnection(w http.ResponseWriter, r *http.Request) error {
	return h.showConnect(w, r, http.StatusOK, connectForm{way: view.ByLogin}, nil)
}

// showConnect prints the form that adds an account, with what was typed and why
// it was refused.
func (h *Handler) showConnect(w http.ResponseWriter, r *http.Request, status int, f connectForm, problem *fault.Error) error {
	list, err := h.connections.ListConnections(r.Context())
	if err != nil {
		return err
	}
	p := view.ConnectPage{
		Page: h.page(r, "Connect an account", "connections"), Action: h.site.NewConnection(), Teach: len(list) == 0,
	}
	h.fillConnect(r, &p, f, problem)
	h.offerProfiles(r.Context(), &p)
	return h.render(w, r, status, view.Connect(p))
}

// fillConnect puts into a form what was typed, but for the token.
func (h *Handler) fillConnect(r *http.Request, p *view.ConnectPage, f connectForm, problem *fault.Error) {
	p.Origin, p.Way, p.Code, p.Callback = cutEcho(f.origin), f.way, f.code, h.callbackURL(r)
	p.Profile = cutEcho(f.profile)
	for _, relay := range h.connections.Relays() {
		_, host, _ := strings.Cut(relay, "://")
		p.Relays = append(p.Relays, view.Option{Value: relay, Label: host, Chosen: relay == f.relay})
	}
	if f.way == view.ByRelay {
		p.Way = view.ByLogin // of the other form
	}
	if problem != nil {
		p.Field, p.Problem = connectField(problem, f.way), h.clock(r.Context()).explain(problem)
	}
	if p.Field == "origin" && p.Again != nil {
		p.Field = "" // its address is not asked for
	}
}

// connectField is the input that a fault is about: what goes wrong on the way
// to the server is about its address.
func connectField(f *fault.Error, way string) string {
	field, _ := f.Details[fault.DetailField].(string)
	if way == view.ByRelay {
		if field == "profile" || f.Code == fault.Unauthorized {
			return "profile"
		}
		return "relay"
	}
	switch field {
	case "origin", "token":
		return field
	}
	switch f.Code {
	case fault.Unauthorized, fault.Forbidden:
		if way == view.ByToken {
			return "token"
		}
		return "origin"
	case fault.InvalidArguments, fault.LimitExceeded, fault.RequestConflict:
		return ""
	}
	return "origin"
}

func (h *Handler) addConnection(w http.ResponseWriter, r *http.Request) error {
	f, problem, err := readConnectForm(r)
	if err != nil {
		return err
	}

	if problem == nil && f.way == view.ByLogin {
		err = h.beginLogin(w, r, sns.BeginLogin{Origin: h.serverAddress(f.origin)}, f.code)
	} else if problem == nil {
		err = h.addNow(w, r, f)
	}
	if ours(err) {
		return err
	}
	if err != nil {
		problem = fault.From(err)
	}
	if problem != nil {
		return h.showConnect(w, r, http.StatusUnprocessableEntity, f, problem)
	}
	return nil
}

// addNow adds an account by its token, or a server without one, and leads to its
// page. A form that is sent twice leads there as well.
func (h *Handler) addNow(w http.ResponseWriter, r *http.Request, f connectForm) error {
	c, err := h.add(r.Context(), f)
	id, done := c.ID, "connected"
	if problem := fault.From(err); err != nil && problem.Code == fault.RequestConflict {
		id, _ = problem.Details[fault.DetailConnectionID].(string)
		done = "known"
	}
	if id == "" {
		return err
	}
	http.Redirect(w, r, h.site.ConnectionAfter(id, done), http.StatusSeeOther)
	return nil
}

func (h *Handler) add(ctx context.Context, f connectForm) (sns.Connection, error) {
	if f.way == view.ByRelay {
		return h.connections.AddTwitter(ctx, sns.AddTwitter{Relay: f.relay, Profile: f.profile})
	}
	in := sns.AddMastodon{Origin: h.serverAddress(f.origin)}
	if f.way == view.ByToken {
		in.Token = f.token
	}
	return h.connections.AddMastodon(ctx, in)
}

func (h *Handler) signInAgain(w http.ResponseWriter, r *http.Request) error {
	return h.showSignInAgain(w, r, http.StatusOK, connectForm{way: view.ByLogin}, nil)
}

// showSignInAgain prints the form that gives an account a new credential.
func (h *Handler) showSignInAgain(w http.ResponseWriter, r *http.Request, status int, f connectForm, problem *fault.Error) error {
	c, card, err := h.cardOf(r)
	if err != nil {
		return err
	}
	if !signsIn(c.Connection) {
		return errNoAccount
	}
	p := view.ConnectPage{
		Page: h.page(r, "Sign in again to "+card.Label, "connections"), Action: h.site.SignInAgain(c.ID), Again: &card,
	}
	h.fillConnect(r, &p, f, problem)
	return h.render(w, r, status, view.Connect(p))
}

func (h *Handler) signedInAgain(w http.ResponseWriter, r *http.Request) error {
	f, problem, err := readConnectForm(r)
	if err != nil {
		return err
	}

	id := r.PathValue("connection")
	if f.way == view.ByRelay {
		f.way, problem = view.ByLogin, fault.Invalid("way", "Choose how the account is read.")
	}
	if problem == nil && f.way == view.ByToken {
		err = h.renewNow(w, r, id, f.token)
	} else if problem == nil {
		err = h.beginLogin(w, r, sns.BeginLogin{ConnectionID: id}, f.code)
	}
	if ours(err) || fault.CodeOf(err) == fault.NotFound {
		return accountFault(err)
	}
	if err != nil {
		problem = fault.From(err)
	}
	if problem != nil {
		return h.showSignInAgain(w, r, http.StatusUnprocessableEntity, f, problem)
	}
	return nil
}

// renewNow gives an account another token and leads to its page.
func (h *Handler) renewNow(w http.ResponseWriter, r *http.Request, id, token string) error {
	if _, err := h.connections.RenewToken(r.Context(), id, token); err != nil {
		return err
	}
	http.Redirect(w, r, h.site.ConnectionAfter(id, "signed-in"), http.StatusSeeOther)
	return nil
}
