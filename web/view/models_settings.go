package view

// Look is how the pages look in one browser. The empty value of each is what
// the browser's system says.
type Look struct {
	// Theme is "", light or dark; Contrast is "" or more; Text is "" or
	// large.
	Theme, Contrast, Text string
}

// scheme is what browsers paint before the style sheet is there.
func (l Look) scheme() string {
	if l.Theme == "" {
		return "light dark"
	}
	return l.Theme
}

// Choice is one of a few values with its name.
type Choice struct{ Value, Name string }

// The choices of a Look.
var (
	Themes    = []Choice{{"", "As the system"}, {"light", "Light"}, {"dark", "Dark"}}
	Contrasts = []Choice{{"", "As the system"}, {"more", "More"}}
	TextSizes = []Choice{{"", "Normal"}, {"large", "Large"}}
)

// The parts of the settings page that are saved; each is the id of its section
// and the end of its form's URL.
const (
	PartAppearance = "appearance"
	PartZone       = "time-zone"
	PartSnooze     = "snooze"
	PartReading    = "reading"
	PartKeyboard   = "keyboard"
	PartSessions   = "sessions"
	PartPassword   = "password-change"
)

// SettingsPage is everything that the person can prefer.
type SettingsPage struct {
	Page
	// Saved is the part that was saved just now, "" for none.
	Saved string
	Zone  ZoneForm
	// Snooze are the hours at which snoozed activities come back.
	Snooze SnoozeForm
	// WarningsOpen, MediaAtOnce, CountsHidden and KeysOff are the choices of
	// reading and of the keyboard.
	WarningsOpen, MediaAtOnce, CountsHidden, KeysOff bool
	// Sessions are the signed-in browsers; NoSignIn says that nobody signs in.
	Sessions []Session
	NoSignIn bool
	Password PasswordForm
	About    About
}

// others reports whether another browser than this one is signed in.
func (p SettingsPage) others() bool { return len(p.Sessions) > 1 }

// ZoneForm is the choice of a time zone.
type ZoneForm struct {
	// Value is what is written in the field, "" for the server's zone.
	Value string
	// Problem says what is wrong with it, "" for nothing.
	Problem string
	// Now is the time in the zone that pages use, Offset its difference from
	// UTC in minutes, Server the difference of the server's zone, in words.
	Now    string
	Offset string
	Server string
}

// SnoozeForm is the choice of the hours of the morning and of the evening, and
// what is wrong with it, "" for nothing.
type SnoozeForm struct {
	Morning, Evening int
	Problem          string
}

// PasswordForm is what is wrong with the form that changes the password: the
// field, current, password or again, and the problem; both "" for nothing.
type PasswordForm struct{ Field, Problem string }

// Session is a signed-in browser.
type Session struct {
	EndURL string
	// Label is the browser in words.
	Label string
	// SignedIn and Seen are when it signed in and was last used.
	SignedIn, Seen *Time
	// Current: it is the one that asks.
	Current bool
}

// About is what the person may want to know of the workspace itself.
type About struct {
	Version, Schema, Size string
	// Trouble says that the workspace cannot work, "" when it can; Warnings are
	// what else the person should look at.
	Trouble  string
	Warnings []string
}

// Sections are the entries of the main navigation.
var Sections = []string{"home", "messages", "decks", "connections", "settings"}

// KeysPage is the list of the keyboard commands.
type KeysPage struct {
	Page
	Groups []KeyGroup
}

// KeyGroup are the commands of one place.
type KeyGroup struct {
	Name  string
	Lines []KeyLine
}

// KeyLine is one command. Each of Keys does it; one with several parts is a
// sequence.
type KeyLine struct {
	Keys [][]string
	Does string
}
