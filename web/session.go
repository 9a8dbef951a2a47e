package web

import (
	"context"
	"crypto/rand"
	"crypto/sha256"
	"net/http"
	"net/url"
	"strings"
	"time"

	"personal-workspace/internal/ledger"
)

const (
	// idleEnd and absoluteEnd are when a session ends without use, and however
	// much it is used.
	idleEnd     = 30 * 24 * time.Hour
	absoluteEnd = 365 * 24 * time.Hour
	// touchEvery bounds the writes that a session's last use and idle end cost;
	// it is also how exactly the person is told of that use.
	touchEvery = 5 * time.Minute
)

// sessions knows which browsers are the person's.
type sessions struct {
	store  store
	mode   AuthMode
	cookie cookieForm
	now    func() time.Time
	newID  func(string) string
}

func newSessions(s store, c Config) *sessions {
	return &sessions{store: s, mode: c.Auth, cookie: cookieFor(c.Origin), now: c.Now, newID: c.NewID}
}

// cookieForm is how the session cookie is set: the strictest form that the
// public URL allows.
type cookieForm struct {
	name, path string
	secure     bool
}

func cookieFor(origin *url.URL) cookieForm {
	if origin == nil {
		return cookieForm{name: "workspace_session", path: "/"}
	}
	base := strings.TrimSuffix(origin.Path, "/")
	switch {
	case origin.Scheme != "https":
		return cookieForm{name: "workspace_session", path: base + "/"}
	case base == "":
		return cookieForm{name: "__Host-workspace_session", path: "/", secure: true}
	}
	return cookieForm{name: "__Secure-workspace_session", path: base + "/", secure: true}
}

func (f cookieForm) set(w http.ResponseWriter, value string, lives time.Duration) {
	age := int(lives / time.Second)
	if age <= 0 {
		age = -1 // delete
	}
	http.SetCookie(w, &http.Cookie{
		Name: f.name, Value: value, Path: f.path, MaxAge: age,
		Secure: f.secure, HttpOnly: true, SameSite: http.SameSiteLaxMode,
	})
}

// read returns the secret that the browser sent, "" for none.
func (f cookieForm) read(r *http.Request) string {
	c, err := r.Cookie(f.name)
	if err != nil {
		return ""
	}
	return c.Value
}

// token returns a fresh secret of 128 bits and the hash that is stored of it.
func token() (secret string, hash []byte) {
	secret = rand.Text()
	return secret, hashOf(secret)
}

func hashOf(secret string) []byte {
	sum := sha256.Sum256([]byte(secret))
	return sum[:]
}

// fresh returns a session of the request's browser that begins now, with its
// secret and its hash.
func (s *sessions) fresh(r *http.Request) (ses session, secret string, hash []byte) {
	now := s.now()
	secret, hash = token()
	return session{
		ID: s.newID("ses"), CreatedAt: now, SeenAt: now,
		IdleUntil: now.Add(idleEnd), EndsAt: now.Add(absoluteEnd), Label: browserLabel(r.UserAgent()),
	}, secret, hash
}

// begin signs the browser in and ends the session it had.
func (s *sessions) begin(w http.ResponseWriter, r *http.Request) error {
	if old := s.cookie.read(r); old != "" {
		if err := s.store.deleteSession(r.Context(), hashOf(old)); err != nil {
			return err
		}
	}
	ses, secret, hash := s.fresh(r)
	if err := s.store.putSession(r.Context(), hash, ses); err != nil {
		return err
	}
	s.cookie.set(w, secret, idleEnd)
	return nil
}

// end signs the browser out.
func (s *sessions) end(w http.ResponseWriter, r *http.Request) error {
	secret := s.cookie.read(r)
	if secret == "" {
		return nil
	}
	s.cookie.set(w, "", 0)
	return s.store.deleteSession(r.Context(), hashOf(secret))
}

// person returns the request's context with the person as the actor, and false
// when the browser is nobody's. It moves the end of a session that is in use.
func (s *sessions) person(w http.ResponseWriter, r *http.Request) (ctx context.Context, ok bool, err error) {
	ctx = r.Context()
	if s.mode == AuthNone {
		return ledger.WithActor(ctx, ledger.Actor{Kind: ledger.Person, ID: "local"}), true, nil
	}
	secret := s.cookie.read(r)
	if secret == "" {
		return ctx, false, nil
	}
	now := s.now()
	ses, ok, err := s.store.findSession(ctx, hashOf(secret), now)
	if err != nil || !ok {
		return ctx, false, err
	}
	if now.Sub(ses.SeenAt) >= touchEvery {
		if err := s.store.touchSession(ctx, hashOf(secret), now, now.Add(idleEnd)); err != nil {
			return ctx, false, err
		}
		s.cookie.set(w, secret, min(idleEnd, ses.EndsAt.Sub(now)))
	}
	return ledger.WithActor(ctx, ledger.Actor{Kind: ledger.Person, ID: ses.ID}), true, nil
}

// lasts reports whether the session that a request came with is still one. Being
// looked at is no use of it.
func (s *sessions) lasts(ctx context.Context, r *http.Request) (bool, error) {
	if s.mode == AuthNone {
		return true, nil
	}
	_, ok, err := s.store.findSession(ctx, hashOf(s.cookie.read(r)), s.now())
	return ok, err
}
