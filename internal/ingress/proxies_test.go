package ingress_test

import (
	"net/http"
	"net/http/httptest"
	"net/netip"
	"testing"

	"personal-workspace/internal/fault"
	"personal-workspace/internal/ingress"
)

func TestProxiesWrap(t *testing.T) {
	tests := []struct {
		name    string
		trusted []string
		peer    string
		header  []string
		want    string
	}{
		{"nobody is trusted", nil, "10.0.0.2:4711", []string{"203.0.113.9"}, "10.0.0.2:4711"},
		{"peer is not the proxy", []string{"10.0.0.2"}, "10.0.0.3:4711", []string{"203.0.113.9"}, "10.0.0.3:4711"},
		{"proxy names the visitor", []string{"10.0.0.2"}, "10.0.0.2:4711", []string{"203.0.113.9"}, "203.0.113.9:0"},
		{"visitor's own header comes first", []string{"10.0.0.2"}, "10.0.0.2:4711", []string{"198.51.100.1, 203.0.113.9"}, "203.0.113.9:0"},
		{"header on two lines", []string{"10.0.0.2"}, "10.0.0.2:4711", []string{"198.51.100.1", "203.0.113.9"}, "203.0.113.9:0"},
		{"two proxies", []string{"10.0.0.0/24"}, "10.0.0.2:4711", []string{"203.0.113.9, 10.0.0.7"}, "203.0.113.9:0"},
		{"only proxies", []string{"10.0.0.0/24"}, "10.0.0.2:4711", []string{"10.0.0.7"}, "10.0.0.7:0"},
		{"hop with a port", []string{"10.0.0.2"}, "10.0.0.2:4711", []string{"203.0.113.9:5555"}, "203.0.113.9:0"},
		{"IPv6 visitor", []string{"10.0.0.2"}, "10.0.0.2:4711", []string{"2001:db8::9"}, "[2001:db8::9]:0"},
		{"IPv4 in IPv6 peer", []string{"10.0.0.2"}, "[::ffff:10.0.0.2]:4711", []string{"203.0.113.9"}, "203.0.113.9:0"},
		{"no header", []string{"10.0.0.2"}, "10.0.0.2:4711", nil, "10.0.0.2:4711"},
		{"nonsense in the header", []string{"10.0.0.2"}, "10.0.0.2:4711", []string{"unknown"}, "10.0.0.2:4711"},
		{"Unix socket, trusted", []string{"unix"}, "@", []string{"203.0.113.9"}, "203.0.113.9:0"},
		{"Unix socket, not trusted", []string{"10.0.0.2"}, "@", []string{"203.0.113.9"}, "@"},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			p, err := ingress.ParseProxies(tt.trusted)
			if err != nil {
				t.Fatal(err)
			}
			r := httptest.NewRequest(http.MethodGet, "/", nil)
			r.RemoteAddr = tt.peer
			r.Header["X-Forwarded-For"] = tt.header
			var got string
			p.Wrap(http.HandlerFunc(func(_ http.ResponseWriter, r *http.Request) { got = r.RemoteAddr })).
				ServeHTTP(httptest.NewRecorder(), r)
			if got != tt.want {
				t.Errorf("RemoteAddr = %q, want %q", got, tt.want)
			}
		})
	}
}

func TestParseProxiesRefusesNonsense(t *testing.T) {
	for _, e := range []string{"", "proxy.lan", "10.0.0.0/99", "10.0.0.2:80"} {
		if _, err := ingress.ParseProxies([]string{e}); fault.CodeOf(err) != fault.InvalidArguments {
			t.Errorf("ParseProxies(%q) = %v, want invalid_arguments", e, err)
		}
	}
}

func FuzzForwardedFor(f *testing.F) {
	for _, seed := range []string{
		"203.0.113.9", "198.51.100.1, 203.0.113.9, 10.0.0.7", "203.0.113.9:5555", "[2001:db8::9]:1", "[2001:db8::9]", "::ffff:10.0.0.2",
		"fe80::1%eth0", "unknown", ",", "", "10.0.0.7, unknown", "[[::1]]",
	} {
		f.Add(seed)
	}
	p, err := ingress.ParseProxies([]string{"10.0.0.0/24"})
	if err != nil {
		f.Fatal(err)
	}
	f.Fuzz(func(t *testing.T, header string) {
		visitor := func(peer string, lines ...string) (got string) {
			r := httptest.NewRequest(http.MethodGet, "/", nil)
			r.RemoteAddr = peer
			r.Header["X-Forwarded-For"] = lines
			p.Wrap(http.HandlerFunc(func(_ http.ResponseWriter, r *http.Request) { got = r.RemoteAddr })).
				ServeHTTP(httptest.NewRecorder(), r)
			return got
		}
		if got := visitor("192.0.2.1:1", header); got != "192.0.2.1:1" {
			t.Errorf("a stranger with the header %q is %q, want its own address", header, got)
		}
		if got := visitor("10.0.0.2:1", header); got != "10.0.0.2:1" {
			if ap, err := netip.ParseAddrPort(got); err != nil || ap.Port() != 0 || ap.Addr().Is4In6() {
				t.Errorf("the header %q gives %q, want an address with port 0", header, got)
			}
		}
		// What the visitor writes stands before what the proxy adds.
		if got := visitor("10.0.0.2:1", header+", 203.0.113.9"); got != "203.0.113.9:0" {
			t.Errorf("the header %q before the proxy's own gives %q, want 203.0.113.9:0", header, got)
		}
	})
}
