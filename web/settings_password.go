package web

import (
	"fmt"
	"net/http"

	"personal-workspace/internal/fault"
	"personal-workspace/internal/ledger"
	"personal-workspace/web/view"
)

// savePassword changes the password for who knows the current one, and signs
// all other browsers out. Guesses are slowed down as those of the sign-in are,
// and count together with them.
func (h *Handler) savePassword(w http.ResponseWriter, r *http.Request) error {
	if h.sessions.mode == AuthNone {
		http.Redirect(w, r, h.site.Settings(), http.StatusSeeOther)
		return nil
	}
	if err := readForm(r); err != nil {
		return err
	}
	ctx, password := r.Context(), r.PostForm.Get("password")
	if err := checkNew(password, r.PostForm.Get("again")); err != nil {
		return h.passwordRefused(w, r, http.StatusUnprocessableEntity, fault.From(err))
	}
	peer := peerOf(r.RemoteAddr)
	if retryAt, allowed := h.throttle.begin(peer); !allowed {
		return h.passwordRefused(w, r, http.StatusTooManyRequests, fault.Invalid("current", "%s", tooMany(h.pause(w, retryAt))))
	}
	right, err := h.passwords.matches(ctx, r.PostForm.Get("current"))
	if err != nil {
		return err
	}
	if !right {
		h.log.WarnContext(ctx, "a change of the password failed", "peer", peer)
		return h.passwordRefused(w, r, http.StatusUnprocessableEntity, fault.Invalid("current", "That is not the current password; type it again."))
	}
	h.throttle.succeeded(peer)

	hash, err := h.passwords.hash(ctx, password)
	if err != nil {
		return err
	}
	if err := h.passwords.store.changePassword(ctx, hash, ledger.ActorFrom(ctx).ID, h.now()); err != nil {
		return err
	}
	h.streams.lookAgain()
	return h.saved(w, r, view.PartPassword)
}

// passwordRefused shows the settings again. No password is sent back.
func (h *Handler) passwordRefused(w http.ResponseWriter, r *http.Request, status int, problem *fault.Error) error {
	field, _ := problem.Details[fault.DetailField].(string)
	return h.showSettings(w, r, status, settingsTrouble{
		zone:     h.preferences(r.Context()).TimeZone,
		password: view.PasswordForm{Field: field, Problem: problem.Message},
	})
}

func tooMany(seconds int) string {
	return fmt.Sprintf("Too many sign-ins failed. Wait %d seconds, then try again.", seconds)
}
