package mastodon

import (
	"net/http"
	"strconv"
	"strings"
	"time"
)

const (
	minWait     = time.Second
	maxWait     = time.Hour
	defaultWait = time.Minute
)

// limitedUntil returns when a 429 ends: Retry-After, else X-RateLimit-Reset,
// else in a minute.
func limitedUntil(h http.Header, now time.Time) time.Time {
	if at, ok := retryAfter(h, now); ok {
		return at
	}
	if at, ok := rateReset(h, now); ok {
		return at
	}
	return now.Add(defaultWait)
}

// retryAfter reads the Retry-After headers, each a number of seconds or an HTTP
// date; of several the latest counts. ok is false when there is none; one that
// cannot be read is a minute.
func retryAfter(h http.Header, now time.Time) (at time.Time, ok bool) {
	values := h.Values("Retry-After")
	if len(values) == 0 {
		return time.Time{}, false
	}
	for _, v := range values {
		v = strings.TrimSpace(v)
		if seconds, err := strconv.ParseInt(v, 10, 64); err == nil {
			at = later(at, afterSeconds(now, seconds))
		} else if date, err := http.ParseTime(v); err == nil {
			at = later(at, date)
		}
	}
	return bounded(at, now), true
}

// rateReset reads X-RateLimit-Reset: an ISO 8601 time on Mastodon, elsewhere
// seconds or milliseconds since 1970, or seconds from now.
func rateReset(h http.Header, now time.Time) (at time.Time, ok bool) {
	values := h.Values("X-RateLimit-Reset")
	if len(values) == 0 {
		return time.Time{}, false
	}
	for _, v := range values {
		at = later(at, parseReset(strings.TrimSpace(v), now))
	}
	return bounded(at, now), true
}

// parseReset returns the zero time when v cannot be read.
func parseReset(v string, now time.Time) time.Time {
	if t, err := time.Parse(time.RFC3339, v); err == nil {
		return t
	}
	n, err := strconv.ParseInt(v, 10, 64)
	if err != nil {
		return time.Time{}
	}
	switch len(v) {
	case 10:
		return time.Unix(n, 0)
	case 13:
		return time.UnixMilli(n)
	}
	return afterSeconds(now, n)
}

// afterSeconds is n seconds after now, without overflow.
func afterSeconds(now time.Time, n int64) time.Time {
	limit := int64(2 * maxWait / time.Second)
	return now.Add(time.Duration(min(max(n, -limit), limit)) * time.Second)
}

func later(a, b time.Time) time.Time {
	if b.After(a) {
		return b
	}
	return a
}

// bounded keeps at between one second and one hour from now; the zero time is a
// minute from now. Clocks differ, so a time in the past is no error.
func bounded(at, now time.Time) time.Time {
	switch {
	case at.IsZero():
		return now.Add(defaultWait)
	case at.Before(now.Add(minWait)):
		return now.Add(minWait)
	case at.After(now.Add(maxWait)):
		return now.Add(maxWait)
	}
	return at
}
