package egress

import (
	"net/http"
	"strconv"
	"strings"
	"time"
)

// What a server may say of how long to wait is kept between these; what cannot be
// read is unclearWait.
const (
	minWait     = time.Second
	maxWait     = time.Hour
	unclearWait = time.Minute
)

// RetryAfter reads the Retry-After headers, each a number of seconds or an HTTP
// date; of several the latest counts, within the bounds of BoundWait. ok is false
// when there is none.
func RetryAfter(h http.Header, now time.Time) (at time.Time, ok bool) {
	values := h.Values("Retry-After")
	if len(values) == 0 {
		return time.Time{}, false
	}
	for _, v := range values {
		v = strings.TrimSpace(v)
		one, err := http.ParseTime(v)
		if seconds, numErr := strconv.ParseInt(v, 10, 64); numErr == nil {
			one, err = AfterSeconds(now, seconds), nil
		}
		if err == nil && one.After(at) {
			at = one
		}
	}
	return BoundWait(at, now), true
}

// AfterSeconds is n seconds after now, without overflow.
func AfterSeconds(now time.Time, n int64) time.Time {
	limit := int64(2 * maxWait / time.Second)
	return now.Add(time.Duration(min(max(n, -limit), limit)) * time.Second)
}

// BoundWait keeps at between one second and one hour from now; the zero time is a
// minute from now. Clocks differ, so a time in the past is no error.
func BoundWait(at, now time.Time) time.Time {
	switch {
	case at.IsZero():
		return now.Add(unclearWait)
	case at.Before(now.Add(minWait)):
		return now.Add(minWait)
	case at.After(now.Add(maxWait)):
		return now.Add(maxWait)
	}
	return at
}
