package web

import (
	"net/http"
	"strings"

	"personal-workspace/internal/fault"
	"personal-workspace/sns"
	"personal-workspace/web/view"
)

// connectForm is what the person filled in to connect an account.
type connectForm struct {
	origin, token, way string
	code               bool
}

func readConnectForm(r *http.Request) (connectForm, error) {
	if err := readForm(r); err != nil {
		return connectForm{}, err
	}
	f := connectForm{
		origin: r.PostForm.Get("origin"), token: r.PostForm.Get("token"),
		way: r.PostForm.Get("way"), code: r.PostForm.Get("code") != "",
	}
	return f, nil
}

// serverAddress is the origin that a person means who types a server's name or
// a handle. Whether it is one is the service's to say.
func serverAddress(typed string) string {
	s := strings.TrimSpace(typed)
	if s == "" || strings.Contains(s, "://") {
		return s
	}
	return "https://" + s[strings.LastIndexByte(s, '@')+1:]
}

func (h *Handler) newConnection(w http.ResponseWriter, r *http.Request) error {
	return h.showConnect(w, r, http.StatusOK, connectForm{way: view.ByToken}, nil)
}

// maxEcho is the longest address that is sent back to be corrected, in bytes.
const maxEcho = 1024

// showConnect prints the form that adds an account, with what was typed and why
// it was refused.
func (h *Handler) showConnect(w http.ResponseWriter, r *http.Request, status int, f connectForm, problem *fault.Error) error {
	list, err := h.connections.ListConnections(r.Context())
	if err != nil {
		return err
	}
	p := view.ConnectPage{
		Page: h.page(r, "Connect an account", "connections"), Action: h.site.NewConnection(),
		Way: f.way, Code: f.code, Teach: len(list) == 0,
	}
	if len(f.origin) <= maxEcho {
		p.Origin = f.origin
	}
	if problem != nil {
		p.Field, p.Problem = connectField(problem), problem.Message
	}
	return h.render(w, r, status, view.Connect(p))
}

// connectField is the input that a fault is about: what goes wrong on the way
// to the server is about its address.
func connectField(f *fault.Error) string {
	switch field, _ := f.Details[fault.DetailField].(string); field {
	case "origin", "token":
		return field
	}
	switch f.Code {
	case fault.Unauthorized, fault.Forbidden:
		return "token"
	case fault.InvalidArguments, fault.LimitExceeded, fault.RequestConflict:
		return ""
	}
	return "origin"
}

func (h *Handler) addConnection(w http.ResponseWriter, r *http.Request) error {
	f, err := readConnectForm(r)
	if err != nil {
		return err
	}
	in := sns.AddMastodon{Origin: serverAddress(f.origin)}
	if f.way == view.ByToken {
		in.Token = f.token
	}
	switch {
	case f.way != view.ByToken && f.way != view.ByPublic:
		f.way = view.ByToken
		err = fault.Invalid("way", "Choose how the account is read.")
	case f.way == view.ByToken && strings.TrimSpace(f.token) == "":
		err = fault.Invalid("token", "There is no token.")
	}
	if err != nil {
		return h.showConnect(w, r, http.StatusUnprocessableEntity, f, fault.From(err))
	}

	c, err := h.connections.AddMastodon(r.Context(), in)
	switch problem := fault.From(err); {
	case err == nil:
		http.Redirect(w, r, h.site.ConnectionAfter(c.ID, "connected"), http.StatusSeeOther)
		return nil
	case problem.Code == fault.Internal || problem.Code == fault.Canceled:
		return err
	case knownConnection(problem) != "":
		http.Redirect(w, r, h.site.ConnectionAfter(knownConnection(problem), "known"), http.StatusSeeOther)
		return nil
	default:
		return h.showConnect(w, r, http.StatusUnprocessableEntity, f, problem)
	}
}

// knownConnection is the account that a request_conflict says is there already.
func knownConnection(f *fault.Error) string {
	id, _ := f.Details[fault.DetailConnectionID].(string)
	if f.Code != fault.RequestConflict {
		return ""
	}
	return id
}
