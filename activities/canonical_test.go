package activities_test

import (
	"strings"
	"testing"

	"personal-workspace/activities"
	"personal-workspace/internal/fault"
)

func TestAddressesOfOneThingHaveOneSpelling(t *testing.T) {
	for _, tc := range []struct {
		name string
		want string
		same []string
	}{
		{"scheme, case of the host, default port, trailing slash", "https://example.org/Path", []string{
			"https://example.org/Path", "HTTPS://Example.ORG/Path", "https://example.org:443/Path", "http://example.org/Path",
			"http://example.org:80/Path", "https://example.org/Path/", "https://example.org./Path", " https://example.org/Path\n",
		}},
		{"the root, with and without its slash", "https://example.org/", []string{"https://example.org", "https://example.org/", "https://example.org//", "http://example.org?"}},
		{"another port is another place", "https://example.org:8080/a", []string{"https://example.org:8080/a", "http://example.org:8080/a"}},
		{"a port that is the other scheme's default", "https://example.org/a", []string{"http://example.org:443/a"}},
		{"an address in numbers", "https://[2001:db8::1]/a", []string{"https://[2001:DB8:0::1]:443/a"}},
		{"a name in another script", "https://xn--bcher-kva.example/caf%C3%A9", []string{"https://Bücher.example/café", "https://xn--bcher-kva.example/caf%c3%a9/"}},
		{"escapes that need not be", "https://example.org/~ann/a%2Fb", []string{"https://example.org/%7Eann/a%2fb", "https://example.org/~ann/a%2Fb"}},
		{"dots and empty parts of a path", "https://example.org/a/c", []string{"https://example.org/a/./b/../c", "https://example.org//a//c", "https://example.org/a/b/%2e%2e/c"}},
		{"parameters that only track", "https://example.org/a?id=7", []string{
			"https://example.org/a?id=7", "https://example.org/a?utm_source=x&id=7&utm_medium=y", "https://example.org/a?fbclid=1&gclid=2&id=7&UTM_Campaign=z",
			"https://example.org/a/?igshid=1&mc_cid=2&mc_eid=3&msclkid=4&ref_src=5&id=7&",
		}},
		{"nothing but tracking", "https://example.org/a", []string{"https://example.org/a?utm_source=x"}},
		{"the order of parameters", "https://example.org/a?a=1&b=2&b=1", []string{"https://example.org/a?b=2&a=1&b=1", "https://example.org/a?a=1&b=2&b=1"}},
		{"escapes in parameters", "https://example.org/a?q=%E6%9D%B1%E4%BA%AC+1", []string{"https://example.org/a?q=東京%201", "https://example.org/a?q=%e6%9d%b1%e4%ba%ac+1"}},
		{"a broken escape in a parameter", "https://example.org/a?q=100%25", []string{"https://example.org/a?q=100%", "https://example.org/a?q=100%25"}},
		{"a place on the page", "https://example.org/a", []string{"https://example.org/a#comments", "https://example.org/a#"}},
		{"a page within the page", "https://matrix.to/#/%21room:example.org/$event", []string{"https://matrix.to/#/%21room:example.org/$event"}},

		{"a post of X", "https://x.com/i/status/1790000000000000001", []string{
			"https://x.com/ann/status/1790000000000000001", "https://twitter.com/Ann/status/1790000000000000001?s=20&t=abc",
			"https://mobile.twitter.com/ann/status/1790000000000000001/photo/1", "https://www.x.com/i/web/status/1790000000000000001",
			"http://m.twitter.com/ann/statuses/1790000000000000001#m", "https://mobile.x.com/renamed/status/1790000000000000001/",
			"https://twitter.com/#!/ann/status/1790000000000000001",
		}},
		{"an account of X", "https://x.com/ann", []string{"https://x.com/Ann", "https://twitter.com/ANN/", "https://mobile.twitter.com/ann?ref_src=x"}},
		{"a search on X", "https://x.com/search?q=Bread", []string{"https://twitter.com/search?q=Bread", "https://x.com/Search?q=Bread&ref_url=y"}},

		{"a post of Mastodon", "https://m.example/statuses/113579862398745612", []string{
			"https://m.example/@ann/113579862398745612", "https://m.example/users/ann/statuses/113579862398745612", "https://m.example/@Ann/113579862398745612/",
			"https://m.example/users/ann/statuses/113579862398745612/activity", "https://m.example/ap/users/116000000000000001/statuses/113579862398745612",
			"https://m.example/web/@ann/113579862398745612", "https://m.example/deck/@ann@other.example/113579862398745612", "https://m.example/web/statuses/113579862398745612",
			"https://m.example/@ann/113579862398745612/embed?utm_source=x", "https://m.example/@ann/113579862398745612?kjy=spring#reply",
		}},
		{"an early post of Mastodon", "https://m.example/@ann/1", []string{"https://m.example/@Ann/1", "https://m.example/users/ann/statuses/1"}},
		{"a post of GoToSocial", "https://g.example/statuses/01HXYZ0ABCDEFGHJKMNPQRSTVW", []string{
			"https://g.example/@ann/statuses/01HXYZ0ABCDEFGHJKMNPQRSTVW", "https://g.example/users/ann/statuses/01HXYZ0ABCDEFGHJKMNPQRSTVW",
		}},
	} {
		t.Run(tc.name, func(t *testing.T) {
			for _, raw := range tc.same {
				if got, err := activities.CanonicalURL(raw); got != tc.want || err != nil {
					t.Errorf("CanonicalURL(%q) = %q, %v, want %q", raw, got, err, tc.want)
				}
			}
		})
	}
}

func TestDifferentThingsKeepDifferentAddresses(t *testing.T) {
	for _, tc := range []struct{ name, a, b string }{
		{"the case of a path", "https://example.org/Path", "https://example.org/path"},
		{"a parameter's value", "https://example.org/a?id=7", "https://example.org/a?id=8"},
		{"the order of one parameter's values", "https://example.org/a?b=1&b=2", "https://example.org/a?b=2&b=1"},
		{"a name that looks like the one of X", "https://x.com/ann", "https://x.com.example/ann"},
		{"two posts of X", "https://x.com/ann/status/1790000000000000001", "https://x.com/ann/status/1790000000000000002"},
		{"a post and an account named status", "https://x.com/ann/status/17", "https://x.com/status"},
		{"two servers", "https://a.example/@ann/113579862398745612", "https://b.example/@ann/113579862398745612"},
		{"two authors of short numbers", "https://m.example/@ann/1", "https://m.example/@ben/1"},
		{"an author's page and a post", "https://m.example/@ann", "https://m.example/@ann/1"},
		{"an article under an author", "https://blog.example/@ann/bread-3f2a", "https://blog.example/@ann/cake-3f2b"},
		{"an escaped slash", "https://example.org/a%2Fb", "https://example.org/a/b"},
	} {
		t.Run(tc.name, func(t *testing.T) {
			a, err := activities.CanonicalURL(tc.a)
			if err != nil {
				t.Fatal(err)
			}
			b, err := activities.CanonicalURL(tc.b)
			if a == b || err != nil {
				t.Errorf("both are %q, %v, want two", a, err)
			}
		})
	}
}

func TestWhatIsNoAddressOfTheWeb(t *testing.T) {
	for _, tc := range []struct {
		name, raw string
		code      fault.Code
	}{
		{"nothing", "", fault.InvalidArguments},
		{"no scheme", "example.org/a", fault.InvalidArguments},
		{"a script", "javascript:alert(1)", fault.InvalidArguments},
		{"a file", "file:///etc/passwd", fault.InvalidArguments},
		{"no host", "https:///a", fault.InvalidArguments},
		{"a scheme and no slashes", "https:example.org", fault.InvalidArguments},
		{"a password", "https://ann:secret@example.org/", fault.InvalidArguments},
		{"a control character", "https://example.org/a\x00", fault.InvalidArguments},
		{"a host that is none", "https://exa mple.org/", fault.InvalidArguments},
		{"a port that is none", "https://example.org:99999/", fault.InvalidArguments},
		{"too long", "https://example.org/" + strings.Repeat("a", activities.MaxURL), fault.LimitExceeded},
		{"too long once escaped", "https://example.org/" + strings.Repeat("あ", activities.MaxURL/9), fault.LimitExceeded},
	} {
		t.Run(tc.name, func(t *testing.T) {
			got, err := activities.CanonicalURL(tc.raw)
			f := fault.From(err)
			if f == nil || f.Code != tc.code || f.Details["field"] != "url" {
				t.Errorf("CanonicalURL = %q, %+v, want %s for url", got, f, tc.code)
			}
			if f != nil && (strings.Contains(f.Message, "secret") || strings.Contains(f.Message, "alert")) {
				t.Errorf("the message repeats the address: %s", f.Message)
			}
		})
	}
}

func FuzzCanonicalURL(f *testing.F) {
	for _, s := range []string{
		"https://example.org/a/../b?utm_x=1&q=%zz&a=;#!/x", "http://[::1]:443//%2e%2e/%2F", "https://twitter.com/#!/Ann/status/1",
		"https://m.example/web/@ann@b.example/113579862398745612/embed", "https://Bücher.example./?=&&=1", "https://x.com/%41nn?q=+%20",
	} {
		f.Add(s)
	}
	f.Fuzz(func(t *testing.T, raw string) {
		once, err := activities.CanonicalURL(raw)
		if err != nil {
			return
		}
		twice, err := activities.CanonicalURL(once)
		if once != twice || err != nil {
			t.Errorf("CanonicalURL(%q) = %q, and of that %q, %v", raw, once, twice, err)
		}
		if !strings.HasPrefix(once, "https://") || len(once) > activities.MaxURL {
			t.Errorf("CanonicalURL(%q) = %q", raw, once)
		}
	})
}
