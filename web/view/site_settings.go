package view

// Settings is the page of what the person prefers.
func (s Site) Settings() string { return s.join("settings") }

// Saved is the settings page again, at the part that was saved.
func (s Site) Saved(part string) string {
	return query(s.Settings(), "saved", part) + "#" + part
}

// SettingsPart takes the form of a part of the settings page.
func (s Site) SettingsPart(part string) string { return s.join("settings", part) }

// Keys is the page of the keyboard commands.
func (s Site) Keys() string { return s.join("settings", "keys") }

// EndSession takes the form that signs one browser out.
func (s Site) EndSession(id string) string { return s.join("settings", "sessions", id, "end") }

// EndOtherSessions takes the form that signs all other browsers out.
func (s Site) EndOtherSessions() string { return s.join("settings", "sessions", "end-others") }
