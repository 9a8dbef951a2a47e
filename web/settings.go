package web

import (
	"context"
	"fmt"
	"net/http"
	"strconv"

	"personal-workspace/internal/fault"
	"personal-workspace/internal/ledger"
	"personal-workspace/internal/sqlite"
	"personal-workspace/web/view"
)

// settingsRoutes show and change what the person prefers.
func (h *Handler) settingsRoutes(rt router) {
	rt.person("GET /settings", h.settings)
	rt.person("GET /settings/keys", h.keys)
	rt.person("POST /settings/"+view.PartAppearance, h.saveAppearance)
	rt.person("POST /settings/"+view.PartZone, h.saveZone)
	rt.person("POST /settings/"+view.PartSnooze, h.saveSnooze)
	rt.person("POST /settings/"+view.PartReading, h.saveReading)
	rt.person("POST /settings/"+view.PartKeyboard, h.saveKeyboard)
	rt.person("POST /settings/"+view.PartPassword, h.savePassword)
	rt.person("POST /settings/sessions/{session}/end", h.endSession)
	rt.person("POST /settings/sessions/end-others", h.endOtherSessions)
}

func (h *Handler) settings(w http.ResponseWriter, r *http.Request) error {
	return h.showSettings(w, r, http.StatusOK, settingsTrouble{zone: h.preferences(r.Context()).TimeZone})
}

// settingsTrouble is what is wrong with what was sent from the settings page.
type settingsTrouble struct {
	// zone is what the time zone's field has, zoneProblem what is wrong with it.
	zone, zoneProblem string
	// snooze is what the snooze hours' form has, if there is a problem with it.
	snooze   view.SnoozeForm
	password view.PasswordForm
}

// showSettings prints the page.
func (h *Handler) showSettings(w http.ResponseWriter, r *http.Request, status int, t settingsTrouble) error {
	ctx := r.Context()
	list, err := h.sessions.store.listSessions(ctx, h.now())
	if err != nil {
		return err
	}
	about, err := h.about(ctx)
	if err != nil {
		return err
	}
	c, prefs := h.clock(ctx), h.preferences(ctx)
	p := view.SettingsPage{
		Page: h.page(r, "Settings", "settings"), Saved: r.URL.Query().Get("saved"), Zone: h.zoneForm(c, t.zone),
		WarningsOpen: prefs.WarningsOpen, MediaAtOnce: prefs.MediaAtOnce, CountsHidden: prefs.CountsHidden, KeysOff: prefs.KeysOff,
		NoSignIn: h.sessions.mode == AuthNone, Password: t.password, About: about,
	}
	p.Zone.Problem = t.zoneProblem
	if p.Snooze = t.snooze; p.Snooze.Problem == "" {
		hours := prefs.Snooze.OrDefault()
		p.Snooze.Morning, p.Snooze.Evening = hours.Morning, hours.Evening
	}
	if !p.NoSignIn {
		p.Sessions = h.sessionItems(c, list, ledger.ActorFrom(ctx).ID)
	}
	return h.render(w, r, status, view.Settings(p))
}

func (h *Handler) zoneForm(c clock, value string) view.ZoneForm {
	_, offset := c.now.Zone()
	return view.ZoneForm{
		Value: value, Now: c.now.Format("15:04"), Offset: strconv.Itoa(offset / 60), Server: h.now().Format("UTC-07:00"),
	}
}

func (h *Handler) sessionItems(c clock, list []session, current string) (items []view.Session) {
	for _, s := range list {
		item := view.Session{
			EndURL: h.site.EndSession(s.ID), Label: s.Label,
			SignedIn: c.ago(s.CreatedAt), Seen: c.ago(s.SeenAt), Current: s.ID == current,
		}
		if item.Label == "" {
			item.Label = "Some browser"
		}
		items = append(items, item)
	}
	return items
}

// about asks how the workspace does; that it cannot serve is part of the answer.
func (h *Handler) about(ctx context.Context) (view.About, error) {
	size, err := h.sessions.store.db.Size()
	if err != nil {
		return view.About{}, err
	}
	a := view.About{Version: h.site.Version, Schema: strconv.Itoa(sqlite.SchemaVersion()), Size: bytesText(size)}
	check, cancel := context.WithTimeout(ctx, readyWithin)
	defer cancel()
	a.Warnings, err = h.ready(check)
	if err != nil {
		h.log.WarnContext(ctx, "not ready", "err", err)
		a.Trouble = "The workspace cannot work as it should; the server's log has the reason."
	}
	return a, nil
}

// bytesText writes a size as people do.
func bytesText(n int64) string {
	const step = 1000
	switch {
	case n < step*step:
		return fmt.Sprintf("%d kB", (n+step-1)/step)
	case n < step*step*step:
		return fmt.Sprintf("%.1f MB", float64(n)/step/step)
	}
	return fmt.Sprintf("%.1f GB", float64(n)/step/step/step)
}

func (h *Handler) saved(w http.ResponseWriter, r *http.Request, part string) error {
	http.Redirect(w, r, h.site.Saved(part), http.StatusSeeOther)
	return nil
}

func (h *Handler) saveAppearance(w http.ResponseWriter, r *http.Request) error {
	if err := readForm(r); err != nil {
		return err
	}
	look := view.Look{
		Theme:    oneOf(r.PostForm.Get("theme"), view.Themes),
		Contrast: oneOf(r.PostForm.Get("contrast"), view.Contrasts),
		Text:     oneOf(r.PostForm.Get("text"), view.TextSizes),
	}

	h.lookCookie().set(w, formatLook(look), lookLives)
	return h.saved(w, r, view.PartAppearance)
}

func (h *Handler) saveZone(w http.ResponseWriter, r *http.Request) error {
	if err := readForm(r); err != nil {
		return err
	}
	typed := r.PostForm.Get("zone")
	zone, err := parseZone(typed)
	if err != nil {
		return h.showSettings(w, r, http.StatusUnprocessableEntity, settingsTrouble{zone: typed, zoneProblem: fault.From(err).Message})
	}

	if err := h.sessions.store.changePreferences(r.Context(), func(p *preferences) { p.TimeZone = zone }); err != nil {
		return err
	}
	return h.saved(w, r, view.PartZone)
}

func (h *Handler) saveReading(w http.ResponseWriter, r *http.Request) error {
	if err := readForm(r); err != nil {
		return err
	}
	f := r.PostForm

	err := h.sessions.store.changePreferences(r.Context(), func(p *preferences) {
		p.WarningsOpen = f.Get("warnings") == "open"
		p.MediaAtOnce = f.Get("media") == "at-once"
		p.CountsHidden = f.Get("counts") == "hidden"
	})
	if err != nil {
		return err
	}
	return h.saved(w, r, view.PartReading)
}

func (h *Handler) saveKeyboard(w http.ResponseWriter, r *http.Request) error {
	if err := readForm(r); err != nil {
		return err
	}
	off := r.PostForm.Get("keys") != "on"

	if err := h.sessions.store.changePreferences(r.Context(), func(p *preferences) { p.KeysOff = off }); err != nil {
		return err
	}
	return h.saved(w, r, view.PartKeyboard)
}

// endSession signs a browser out; the one that asks is led to the sign-in.
func (h *Handler) endSession(w http.ResponseWriter, r *http.Request) error {
	id := r.PathValue("session")
	if id == ledger.ActorFrom(r.Context()).ID {
		return h.logout(w, r)
	}

	if err := h.sessions.store.endSession(r.Context(), id); err != nil {
		return err
	}
	h.streams.lookAgain()
	return h.saved(w, r, view.PartSessions)
}

func (h *Handler) endOtherSessions(w http.ResponseWriter, r *http.Request) error {
	if err := h.sessions.store.endOtherSessions(r.Context(), ledger.ActorFrom(r.Context()).ID); err != nil {
		return err
	}
	h.streams.lookAgain()
	return h.saved(w, r, view.PartSessions)
}
