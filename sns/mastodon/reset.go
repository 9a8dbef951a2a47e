package mastodon

import (
	"net/http"
	"strconv"
	"strings"
	"time"

	"personal-workspace/internal/egress"
)

// defaultWait is how long a 429 lasts that says nothing of it.
const defaultWait = time.Minute

// limitedUntil returns when a 429 ends: Retry-After, else X-RateLimit-Reset,
// else in a minute.
func limitedUntil(h http.Header, now time.Time) time.Time {
	if at, ok := egress.RetryAfter(h, now); ok {
		return at
	}
	if at, ok := rateReset(h, now); ok {
		return at
	}
	return now.Add(defaultWait)
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
	return egress.BoundWait(at, now), true
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
	return egress.AfterSeconds(now, n)
}

func later(a, b time.Time) time.Time {
	if b.After(a) {
		return b
	}
	return a
}
