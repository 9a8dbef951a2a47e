package web

import (
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
	// "Local" would be the server's zone under a name that no browser knows.
	if len(s) > maxZone || s == "Local" {
		return "", errNoZone
	}
	zone, err := time.LoadLocation(s)
	if err != nil {
		return "", errNoZone
	}
	return zone.String(), nil
}

var errNoZone = fault.Invalid("zone", "There is no such time zone. Write its name as in “Europe/Berlin” or “Asia/Tokyo”, or leave the field empty.")
