package web

// For the tests of what reads a browser's words, and of texts.
var (
	BrowserLabel = browserLabel
	ParseLook    = parseLook
	ParseZone    = parseZone
	Compare      = compare
	Sides        = sides
	CountText    = countText
)
