package twitter_test

import (
	"net/http"
	"testing"
	"time"

	"personal-workspace/internal/fault"
	"personal-workspace/sns/snstest"
)

// What stands before a relay, such as a proxy, may say when to come back: the
// relay is left alone until then, and no longer.
func TestRetryAfterOfAProxyIsKept(t *testing.T) {
	limited := func(value string) snstest.Fault {
		return snstest.RateLimitedBy(http.Header{"Retry-After": {value}})
	}
	for name, c := range map[string]struct {
		fault snstest.Fault
		code  fault.Code
		wait  time.Duration
	}{
		"limited for seconds":        {limited("40"), fault.RateLimited, 40 * time.Second},
		"limited until a time":       {limited(epoch.Add(2 * time.Minute).Format(http.TimeFormat)), fault.RateLimited, 2 * time.Minute},
		"limited without a time":     {snstest.Fail(http.StatusTooManyRequests, "slow down"), fault.RateLimited, 15 * time.Minute},
		"limited for no time":        {limited("0"), fault.RateLimited, time.Second},
		"limited for a year":         {limited("31536000"), fault.RateLimited, time.Hour},
		"limited for what is unread": {limited("soon"), fault.RateLimited, time.Minute},
		"away, of two the later":     {snstest.Starting(20, epoch.Add(3*time.Minute)), fault.UpstreamUnavailable, 3 * time.Minute},
		"away, before the usual":     {snstest.Starting(5, epoch), fault.UpstreamUnavailable, 5 * time.Second},
	} {
		t.Run(name, func(t *testing.T) {
			w := newWorld(t, snstest.RelayQuirks{Lean: true})
			w.relay.Inject("HomeLatestTimeline", 1, c.fault)
			_, err := w.fetch(home, "")
			wantFault(t, err, c.code, nil)
			if got := mayRead(t, err); !got.Equal(epoch.Add(c.wait)) {
				t.Errorf("retryAt = %s, want %s after the answer", got, c.wait)
			}

			w.clock.add(c.wait - time.Millisecond)
			if _, err := w.fetch(home, ""); err == nil {
				t.Error("it is asked before that")
			}
			if n := len(w.relay.Calls()); n != 1 {
				t.Errorf("%d requests before that, want 1", n)
			}
			w.clock.add(time.Millisecond)
			if _, err := w.fetch(home, ""); err != nil {
				t.Errorf("then: %v", err)
			}
		})
	}
}
