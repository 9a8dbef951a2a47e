package web

// For the tests of what reads a browser's words.
var (
	BrowserLabel = browserLabel
	ParseLook    = parseLook
	ParseZone    = parseZone
)
