package web

import (
	"path"
	"slices"
	"strings"
	"time"
	_ "time/tzdata" // a server in a container may have no zones of its own

	"personal-workspace/internal/fault"
)

// maxZone is the longest name of a time zone, in bytes.
const maxZone = 64

// parseZone checks the name of a time zone; "" is the server's own.
func parseZone(s string) (string, error) {
	s = strings.TrimSpace(s)
	if s == "" {
		return "", nil
	}
	if len(s) > maxZone || !isZoneName(s) {
		return "", errNoZone
	}
	zone, err := time.LoadLocation(s)
	if err != nil {
		return "", errNoZone
	}
	return zone.String(), nil
}

// isZoneName leaves out what loads as a zone and is none that browsers know: the
// server's own, other ways to write a file's name, and what some systems keep
// beside the zones. Those of "right" count leap seconds.
func isZoneName(s string) bool {
	first, _, _ := strings.Cut(s, "/")
	return path.Clean(s) == s && !slices.Contains([]string{"Local", "Factory", "localtime", "posixrules", "posix", "right"}, first)
}

var errNoZone = fault.Invalid("zone", "There is no such time zone. Write its name as in “Europe/Berlin” or “Asia/Tokyo”, or leave the field empty.")
