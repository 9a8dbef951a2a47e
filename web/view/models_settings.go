package view

// Look is how the pages look in one browser. The empty value of each is what
// the browser's system says.
type Look struct {
	// Theme is "", light or dark; Contrast is "" or more; Text is "", small,
	// large or larger.
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
	TextSizes = []Choice{{"small", "Small"}, {"", "Normal"}, {"large", "Large"}, {"larger", "Larger"}}
)
