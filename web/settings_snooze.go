package web

import (
	"context"
	"net/http"
	"strconv"

	"personal-workspace/activities"
	"personal-workspace/internal/fault"
	"personal-workspace/web/view"
)

// snoozeHours are the hours at which snoozed activities come back.
func (h *Handler) snoozeHours(ctx context.Context) activities.SnoozeHours {
	return h.preferences(ctx).Snooze
}

// saveSnooze keeps the hours that the person chose.
func (h *Handler) saveSnooze(w http.ResponseWriter, r *http.Request) error {
	if err := readForm(r); err != nil {
		return err
	}
	hours := activities.SnoozeHours{Morning: readHour(r.PostForm.Get("morning")), Evening: readHour(r.PostForm.Get("evening"))}
	if err := hours.Check(); err != nil {
		return h.showSettings(w, r, http.StatusUnprocessableEntity, settingsTrouble{
			zone:   h.preferences(r.Context()).TimeZone,
			snooze: view.SnoozeForm{Morning: hours.Morning, Evening: hours.Evening, Problem: fault.From(err).Message},
		})
	}

	if err := h.sessions.store.changePreferences(r.Context(), func(p *preferences) { p.Snooze = hours }); err != nil {
		return err
	}
	return h.saved(w, r, view.PartSnooze)
}

// readHour is the hour of a field, -1 when it has none.
func readHour(s string) int {
	n, err := strconv.Atoi(s)
	if err != nil {
		return -1
	}
	return n
}
