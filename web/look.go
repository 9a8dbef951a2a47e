package web

import (
	"net/http"
	"slices"
	"strings"
	"time"

	"personal-workspace/web/view"
)

// lookLives is the longest that browsers keep a cookie.
const lookLives = 400 * 24 * time.Hour

// lookCookie is the cookie of how pages look in one browser. It is a cookie, and
// not stored with the other preferences, because a phone may want another look
// than a desk, and because the sign-in page has it too.
func (h *Handler) lookCookie() cookieForm {
	c := h.sessions.cookie
	c.name = strings.TrimSuffix(c.name, "session") + "look"
	return c
}

// look is how this browser wants pages to look; what it does not know is left
// to the system.
func (h *Handler) look(r *http.Request) view.Look {
	return parseLook(h.lookCookie().read(r))
}

// parseLook reads "theme.contrast.text", each "" or one of its choices.
func parseLook(s string) (l view.Look) {
	part := strings.Split(s, ".")
	if len(part) != 3 {
		return view.Look{}
	}
	return view.Look{
		Theme:    oneOf(part[0], view.Themes),
		Contrast: oneOf(part[1], view.Contrasts),
		Text:     oneOf(part[2], view.TextSizes),
	}
}

func formatLook(l view.Look) string {
	return l.Theme + "." + l.Contrast + "." + l.Text
}

// oneOf is v when it is one of the choices, else "", the system's own.
func oneOf(v string, choices []view.Choice) string {
	if slices.ContainsFunc(choices, func(c view.Choice) bool { return c.Value == v }) {
		return v
	}
	return ""
}
