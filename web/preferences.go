package web

import (
	"context"
	"time"

	"personal-workspace/activities"
)

// preferences are what the person has chosen for all browsers. The zero value
// is what holds before anything was chosen.
type preferences struct {
	// TimeZone is a name of the IANA database; "" is the server's own zone.
	TimeZone string
	// WarningsOpen shows posts behind a content warning at once.
	WarningsOpen bool
	// MediaAtOnce loads pictures with the page instead of at a click, which
	// tells their servers that they are looked at.
	MediaAtOnce bool
	// CountsHidden leaves out how often posts were answered, boosted and liked.
	CountsHidden bool
	// KeysOff switches the keyboard commands off that are a single character.
	KeysOff bool
	// Snooze are the hours at which snoozed activities come back.
	Snooze activities.SnoozeHours
	// SampleClosed: the sample of a proposal on Home was dismissed.
	SampleClosed bool
}

// location is the zone that pages show times in.
func (p preferences) location(server *time.Location) *time.Location {
	if p.TimeZone == "" {
		return server
	}
	// A name that was stored is known, unless another build stored it.
	zone, err := time.LoadLocation(p.TimeZone)
	if err != nil {
		return server
	}
	return zone
}

type preferencesKey struct{}

// withPreferences returns a context that carries the person's preferences.
func withPreferences(ctx context.Context, p preferences) context.Context {
	return context.WithValue(ctx, preferencesKey{}, p)
}

// preferences are those of the person whose request has the context; the
// defaults where nobody is signed in.
func (h *Handler) preferences(ctx context.Context) preferences {
	p, _ := ctx.Value(preferencesKey{}).(preferences)
	return p
}
