package web

import "strings"

// mark is what a user agent's text has when it is of something.
type mark struct{ text, name string }

// Browsers name the ones that they descend from too: the first mark that is
// there counts.
var (
	browsers = []mark{
		{"Edg/", "Edge"},
		{"EdgA/", "Edge"},
		{"EdgiOS/", "Edge"},
		{"OPR/", "Opera"},
		{"Vivaldi/", "Vivaldi"},
		{"SamsungBrowser/", "Samsung Internet"},
		{"FxiOS/", "Firefox"},
		{"Firefox/", "Firefox"},
		{"CriOS/", "Chrome"},
		{"Chrome/", "Chrome"},
		{"Chromium/", "Chromium"},
		{"Safari/", "Safari"},
	}
	systems = []mark{
		{"iPhone", "iPhone"},
		{"iPad", "iPad"},
		{"Android", "Android"},
		{"Windows", "Windows"},
		{"Macintosh", "Mac"},
		{"CrOS", "ChromeOS"},
		{"FreeBSD", "FreeBSD"},
		{"Linux", "Linux"},
	}
)

// browserLabel says in words which browser a user agent is of, such as "Firefox
// on Linux". Nothing of the text itself is in it.
func browserLabel(userAgent string) string {
	label := first(browsers, userAgent)
	if label == "" {
		label = "Some browser"
	}
	if system := first(systems, userAgent); system != "" {
		label += " on " + system
	}
	return label
}

func first(marks []mark, text string) string {
	for _, m := range marks {
		if strings.Contains(text, m.text) {
			return m.name
		}
	}
	return ""
}
