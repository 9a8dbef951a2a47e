package web

import (
	"context"
	"regexp"
	"strconv"
	"time"

	"personal-workspace/internal/fault"
	"personal-workspace/web/view"
)

// clock writes times as they are seen at one moment, in its location.
type clock struct{ now time.Time }

// clock is the present moment in the person's time zone.
func (h *Handler) clock(ctx context.Context) clock {
	now := h.now()
	return clock{now.In(h.preferences(ctx).location(now.Location()))}
}

// moment writes when something happened, relative to now. The script of the
// page goes on with the same words.
func (c clock) moment(t *time.Time) *view.Time {
	if t == nil || t.IsZero() {
		return nil
	}
	return &view.Time{ISO: c.iso(*t), Short: c.relative(*t), Full: c.full(*t)}
}

// ago is moment in a sentence: "5 min ago", but "now" and "12 Nov".
func (c clock) ago(t time.Time) *view.Time {
	m := c.moment(&t)
	if age := c.now.Sub(t); m != nil && age >= time.Minute && age < 7*day {
		m.Short += " ago"
	}
	return m
}

// hour writes a time of day, with the date when it is not today's.
func (c clock) hour(t time.Time) *view.Time {
	if t.IsZero() {
		return nil
	}
	local := t.In(c.now.Location())
	form := "15:04"
	if local.YearDay() != c.now.YearDay() || local.Year() != c.now.Year() {
		form = "2 Jan 15:04"
	}
	return &view.Time{ISO: c.iso(t), Short: local.Format(form), Full: c.full(t)}
}

var timeInUTC = regexp.MustCompile(`\b\d\d:\d\d:\d\d UTC\b`)

// inZone writes the times in a message as the page writes times; in the message
// they are in UTC, because that is for assistants too. near is less than twelve
// hours away from them.
func (c clock) inZone(message string, near time.Time) string {
	return timeInUTC.ReplaceAllStringFunc(message, func(text string) string {
		t, err := time.Parse("15:04:05 UTC", text)
		if err != nil {
			return text
		}
		year, month, date := near.UTC().Date()
		t = t.AddDate(year, int(month)-1, date-1)
		switch away := t.Sub(near); {
		case away > 12*time.Hour:
			t = t.Add(-day)
		case away < -12*time.Hour:
			t = t.Add(day)
		}
		return c.hour(t).Short
	})
}

// explain is the message of a fault of this moment with its times in the person's
// zone.
func (c clock) explain(f *fault.Error) string { return c.inZone(f.Message, c.now) }

// iso is for the page's script too, which takes the offset of the person's zone
// from it: a browser may be in another zone, and know the server's by no name.
func (c clock) iso(t time.Time) string {
	return t.In(c.now.Location()).Format(time.RFC3339)
}

func (c clock) full(t time.Time) string {
	return t.In(c.now.Location()).Format("Mon 2 Jan 2006, 15:04")
}

const day = 24 * time.Hour

func (c clock) relative(t time.Time) string {
	age := c.now.Sub(t)
	local := t.In(c.now.Location())
	switch {
	case age < time.Minute: // a server's clock may be ahead of ours
		return "now"
	case age < time.Hour:
		return strconv.Itoa(int(age/time.Minute)) + " min"
	case age < day:
		return strconv.Itoa(int(age/time.Hour)) + " h"
	case age < 7*day:
		return strconv.Itoa(int(age/day)) + " d"
	case local.Year() == c.now.Year():
		return local.Format("2 Jan")
	}
	return local.Format("2 Jan 2006")
}
