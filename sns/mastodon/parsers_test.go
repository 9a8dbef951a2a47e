package mastodon_test

import (
	"net/http"
	"strings"
	"testing"
	"time"

	"personal-workspace/sns/mastodon"
)

func TestNextID(t *testing.T) {
	for _, tc := range []struct {
		name    string
		headers []string
		id      string
		said    bool
	}{
		{"none", nil, "", false},
		{"Mastodon's form", []string{`<https://ex.org/api/v1/timelines/home?limit=20&max_id=5>; rel="next", <https://ex.org/api/v1/timelines/home?min_id=9>; rel="prev"`}, "5", true},
		{"prev first", []string{`<https://ex.org/?min_id=9>; rel="prev", <https://ex.org/?max_id=5>; rel="next"`}, "5", true},
		{"two headers", []string{`<https://ex.org/?min_id=9>; rel="prev"`, `<https://ex.org/?max_id=5>; rel="next"`}, "5", true},
		{"unquoted", []string{`<https://ex.org/?max_id=5>; rel=next`}, "5", true},
		{"upper case", []string{`<https://ex.org/?max_id=5>; REL="NEXT"`}, "5", true},
		{"several relations", []string{`<https://ex.org/?max_id=5>; rel="last next"`}, "5", true},
		{"a relative address", []string{`</api/v1/timelines/home?max_id=5>; rel="next"`}, "5", true},
		{"only a query", []string{`<?max_id=5>; rel="next"`}, "5", true},
		{"commas in the address", []string{`<https://ex.org/?any[]=a,b&max_id=5>; rel="next"`}, "5", true},
		{"a trailing semicolon", []string{`<https://ex.org/?max_id=5>; rel="next";`}, "5", true},
		{"a semicolon and another link", []string{`<https://ex.org/?min_id=9>; rel="prev";, <https://ex.org/?max_id=5>; rel="next";`}, "5", true},
		{"other parameters", []string{`<https://ex.org/?max_id=5>; title="a, b; <c>"; rel="next"; x`}, "5", true},
		{"a separator in quotes before another link", []string{`<https://ex.org/?min_id=9>; title="a,<?max_id=6>;rel=next"; rel="prev", <https://ex.org/?max_id=5>; rel="next"`}, "5", true},
		{"spaces", []string{`  <https://ex.org/?max_id=5>  ;  rel = "next"  `}, "5", true},
		{"an escaped id", []string{`<https://ex.org/?max_id=note%3Aabc>; rel="next"`}, "note:abc", true},
		{"a limit that is no number", []string{`<https://ex.org/?limit=abc&max_id=5>; rel="next"`}, "5", true},
		{"a query that is partly broken", []string{`<https://ex.org/?x=%zz&max_id=5>; rel="next"`}, "5", true},
		{"a fragment", []string{`<https://ex.org/?max_id=5#x>; rel="next"`}, "5", true},
		{"only prev", []string{`<https://ex.org/?min_id=9>; rel="prev"`}, "", false},
		{"an offset", []string{`<https://ex.org/?offset=20>; rel="next"`}, "", true},
		{"no relation", []string{`<https://ex.org/?max_id=5>`}, "", false},
		{"a relation that begins alike", []string{`<https://ex.org/?max_id=5>; rel="nextish"`}, "", false},
		{"an address that never ends", []string{`<https://ex.org/?max_id=5; rel="next"`}, "", false},
		{"no address", []string{`rel="next"`}, "", false},
		{"more than is read", []string{strings.Repeat(`<https://ex.org/?min_id=9>; rel="prev", `, 1000) + `<https://ex.org/?max_id=5>; rel="next"`}, "", false},
	} {
		t.Run(tc.name, func(t *testing.T) {
			id, said := mastodon.NextID(tc.headers...)
			if id != tc.id || said != tc.said {
				t.Errorf("NextID(%.80q) = %q, %v; want %q, %v", tc.headers, id, said, tc.id, tc.said)
			}
		})
	}
}

func FuzzNextID(f *testing.F) {
	f.Add(`<https://ex.org/?max_id=5>; rel="next", <https://ex.org/?min_id=9>; rel="prev";`, `<?a,b&max_id=x>;REL=next`)
	f.Add(`<>;;,=,"<`, `<a>;rel="next`)
	f.Fuzz(func(t *testing.T, a, b string) {
		if id, said := mastodon.NextID(a, b); id != "" && !said {
			t.Errorf("NextID(%q, %q) = %q without a next link", a, b, id)
		}
	})
}

func TestLimitedUntil(t *testing.T) {
	at := func(s string) time.Time {
		parsed, err := time.Parse(time.RFC3339, s)
		if err != nil {
			t.Fatal(err)
		}
		return parsed
	}
	for _, tc := range []struct {
		name   string
		header http.Header
		want   time.Time
	}{
		{"nothing is a minute", http.Header{}, at("2026-11-30T12:45:00Z")},
		{"Retry-After in seconds", header("Retry-After", "90"), at("2026-11-30T12:45:30Z")},
		{"Retry-After as a date", header("Retry-After", "Mon, 30 Nov 2026 12:45:43 GMT"), at("2026-11-30T12:45:43Z")},
		{"Retry-After before the reset", header("Retry-After", "90", "X-Ratelimit-Reset", "2026-11-30T12:50:00Z"), at("2026-11-30T12:45:30Z")},
		{"the latest of several", header("Retry-After", "90", "Retry-After", "120", "Retry-After", "x"), at("2026-11-30T12:46:00Z")},
		{"Retry-After that cannot be read is a minute", header("Retry-After", "soon"), at("2026-11-30T12:45:00Z")},
		{"Retry-After in the past is a second", header("Retry-After", "-5"), at("2026-11-30T12:44:01Z")},
		{"Retry-After of 0 is a second", header("Retry-After", "0"), at("2026-11-30T12:44:01Z")},
		{"a day is an hour", header("Retry-After", "86400"), at("2026-11-30T13:44:00Z")},
		{"an endless number is an hour", header("Retry-After", "9223372036854775807"), at("2026-11-30T13:44:00Z")},
		{"an ISO reset", header("X-Ratelimit-Reset", "2026-11-30T12:50:01.000Z"), at("2026-11-30T12:50:01Z")},
		{"an ISO reset in another zone", header("X-Ratelimit-Reset", "2026-11-30T13:50:01+01:00"), at("2026-11-30T12:50:01Z")},
		{"a reset in Unix seconds", header("X-Ratelimit-Reset", "1796043001"), at("2026-11-30T12:50:01Z")},
		{"a reset in milliseconds", header("X-Ratelimit-Reset", "1796043001000"), at("2026-11-30T12:50:01Z")},
		{"a reset in seconds from now", header("X-Ratelimit-Reset", "300"), at("2026-11-30T12:49:00Z")},
		{"a reset that cannot be read is a minute", header("X-Ratelimit-Reset", "later"), at("2026-11-30T12:45:00Z")},
		{"a reset in the past is a second", header("X-Ratelimit-Reset", "2026-11-30T12:00:00Z"), at("2026-11-30T12:44:01Z")},
	} {
		t.Run(tc.name, func(t *testing.T) {
			if got := mastodon.LimitedUntil(tc.header, now); !got.Equal(tc.want) {
				t.Errorf("LimitedUntil(%v) = %v, want %v", tc.header, got, tc.want)
			}
		})
	}
}

func TestRetryAfterIsOptional(t *testing.T) {
	if at, ok := mastodon.RetryAfter(header("X-Ratelimit-Reset", "300"), now); ok {
		t.Errorf("RetryAfter = %v, want none: a reset says nothing about a server that is down", at)
	}
}

func header(pairs ...string) http.Header {
	h := http.Header{}
	for i := 0; i < len(pairs); i += 2 {
		h.Add(pairs[i], pairs[i+1])
	}
	return h
}

func FuzzLimitedUntil(f *testing.F) {
	f.Add("90", "2026-11-30T12:50:01.000Z")
	f.Add("Mon, 30 Nov 2026 12:45:43 GMT", "1796043001")
	f.Add("-9223372036854775808", "9999999999999")
	f.Fuzz(func(t *testing.T, after, reset string) {
		for _, h := range []http.Header{header("Retry-After", after), header("X-RateLimit-Reset", reset), header("Retry-After", after, "Retry-After", reset)} {
			got := mastodon.LimitedUntil(h, now)
			if got.Before(now.Add(time.Second)) || got.After(now.Add(time.Hour)) {
				t.Errorf("LimitedUntil(%v) = %v, not within a second and an hour of %v", h, got, now)
			}
		}
	})
}

func FuzzParsePosition(f *testing.F) {
	for _, s := range []string{"", "max_id=5", "offset=20", "offset=20,max_id=5", "max_id=5,offset=20", "offset=20,max_id=../x", "max_id=5,offset=0", "max_id=../x", "offset=-1", "x"} {
		f.Add(s)
	}
	f.Fuzz(func(t *testing.T, s string) {
		once, err := mastodon.ParsePosition(s)
		if err != nil {
			return
		}
		if twice, err := mastodon.ParsePosition(once); err != nil || twice != once {
			t.Errorf("ParsePosition(%q) = %q, then %q, %v", s, once, twice, err)
		}
	})
}
