package egress_test

import (
	"strings"
	"testing"

	"personal-workspace/internal/egress"
	"personal-workspace/internal/fault"
)

func TestCanonicalOrigin(t *testing.T) {
	for _, tc := range []struct{ name, raw, want string }{
		{"plain", "https://ex.org", "https://ex.org"},
		{"row 64: default port and slash are dropped", "https://ex.org:443/", "https://ex.org"},
		{"row 64: upper case is lowered", "HTTPS://EX.org", "https://ex.org"},
		{"row 64: an international name becomes punycode", "https://Bücher.example", "https://xn--bcher-kva.example"},
		{"row 64: Japanese", "https://例え.テスト:8443", "https://xn--r8jz45g.xn--zckzah:8443"},
		{"full-width letters are the same name", "https://ｅｘ．org", "https://ex.org"},
		{"another port stays", "https://ex.org:8443", "https://ex.org:8443"},
		{"a default port with a leading zero is dropped", "https://ex.org:0443", "https://ex.org"},
		{"an empty port is dropped", "https://ex.org:", "https://ex.org"},
		{"plain http keeps its scheme", "http://127.0.0.1:3000/", "http://127.0.0.1:3000"},
		{"http default port is dropped", "http://nas.home:80", "http://nas.home"},
		{"a final dot is dropped", "https://ex.org.", "https://ex.org"},
		{"spaces around it are dropped", "  https://ex.org\n", "https://ex.org"},
		{"an IPv6 address is shortened", "http://[0:0:0:0:0:0:0:1]:3000", "http://[::1]:3000"},
		{"an underscore of a container network stays", "http://mastodon_web:3000", "http://mastodon_web:3000"},
	} {
		t.Run(tc.name, func(t *testing.T) {
			got, err := egress.CanonicalOrigin(tc.raw)
			if err != nil {
				t.Fatal(err)
			}
			if got != tc.want {
				t.Errorf("CanonicalOrigin(%q) = %q, want %q", tc.raw, got, tc.want)
			}
		})
	}
}

func TestCanonicalOriginRefuses(t *testing.T) {
	for _, tc := range []struct{ name, raw string }{
		{"nothing", ""},
		{"a bare host", "ex.org"},
		{"another scheme", "ftp://ex.org"},
		{"a script", "javascript:alert(1)"},
		{"a path", "https://ex.org/web"},
		{"a user", "https://me:secret@ex.org"},
		{"a query", "https://ex.org?x=1"},
		{"an empty query", "https://ex.org?"},
		{"a fragment", "https://ex.org#x"},
		{"an empty fragment", "https://ex.org/#"},
		{"no host", "https://:443"},
		{"port 0", "https://ex.org:0"},
		{"port 65536", "https://ex.org:65536"},
		{"a port that is no number", "https://ex.org:https"},
		{"a space in the host", "https://ex org"},
		{"an empty label", "https://ex..org"},
		{"an escaped slash in the host", "https://ex%2forg"},
		{"an interface zone", "http://[fe80::1%25eth0]"},
		{"a label that is too long", "https://" + strings.Repeat("a", 64) + ".org"},
		{"an address that is too long", "https://" + strings.Repeat("a.", 300) + "org"},
	} {
		t.Run(tc.name, func(t *testing.T) {
			got, err := egress.CanonicalOrigin(tc.raw)
			if code := fault.CodeOf(err); code != fault.InvalidArguments {
				t.Fatalf("CanonicalOrigin(%q) = %q, %v; want %s", tc.raw, got, err, fault.InvalidArguments)
			}
			if field := fault.From(err).Details[fault.DetailField]; field != "origin" {
				t.Errorf("field = %v, want origin", field)
			}
			if strings.Contains(err.Error(), "secret") {
				t.Errorf("the message repeats the input: %v", err)
			}
		})
	}
}

func FuzzCanonicalOrigin(f *testing.F) {
	for _, s := range []string{"https://ex.org:443/", "HTTPS://EX.org", "https://Bücher.example", "http://[::1]:3000", "https://ex.org."} {
		f.Add(s)
	}
	f.Fuzz(func(t *testing.T, raw string) {
		once, err := egress.CanonicalOrigin(raw)
		if err != nil {
			return
		}
		twice, err := egress.CanonicalOrigin(once)
		if err != nil || twice != once {
			t.Errorf("CanonicalOrigin(%q) = %q, then %q, %v", raw, once, twice, err)
		}
	})
}
