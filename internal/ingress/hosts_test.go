package ingress_test

import (
	"net"
	"net/http"
	"net/url"
	"strings"
	"testing"

	"personal-workspace/internal/fault"
	"personal-workspace/internal/ingress"
)

func newHosts(t *testing.T, listen []net.Addr, origin string, extra ...string) *ingress.Hosts {
	t.Helper()
	var o *url.URL
	if origin != "" {
		var err error
		if o, err = url.Parse(origin); err != nil {
			t.Fatal(err)
		}
	}
	h, err := ingress.NewHosts(listen, o, extra)
	if err != nil {
		t.Fatal(err)
	}
	return h
}

func tcp(ip string) net.Addr { return &net.TCPAddr{IP: net.ParseIP(ip), Port: 3000} }

func TestAllows(t *testing.T) {
	lan := []net.Addr{tcp("192.168.1.5"), tcp("fd00::5")}
	tests := []struct {
		name   string
		listen []net.Addr
		origin string
		extra  []string
		host   string
		want   bool
	}{
		{"loopback address", nil, "", nil, "127.0.0.1:3000", true},
		{"loopback address on another port", nil, "", nil, "127.0.0.1:9", true},
		{"another loopback address", nil, "", nil, "127.8.8.8", true},
		{"loopback name", nil, "", nil, "localhost:3000", true},
		{"loopback name in capitals with the root dot", nil, "", nil, "LOCALHOST.:3000", true},
		{"loopback IPv6", nil, "", nil, "[::1]:3000", true},
		{"loopback IPv6, long form", nil, "", nil, "[0:0:0:0:0:0:0:1]", true},
		{"loopback as IPv4 in IPv6", nil, "", nil, "[::ffff:127.0.0.1]:3000", true},
		{"name that only starts like loopback", nil, "", nil, "localhost.evil.example", false},
		{"name that only ends like loopback", nil, "", nil, "evil.localhost.example", false},
		{"address that browsers read as loopback", nil, "", nil, "127.1", false},
		{"listen address", lan, "", nil, "192.168.1.5:3000", true},
		{"listen address, IPv6", lan, "", nil, "[fd00::5]:3000", true},
		{"address that nobody listens on", lan, "", nil, "192.168.1.6:3000", false},
		{"wildcard address adds nothing", []net.Addr{tcp("0.0.0.0"), tcp("::")}, "", nil, "192.168.1.5:3000", false},
		{"wildcard address itself", []net.Addr{tcp("0.0.0.0")}, "", nil, "0.0.0.0:3000", false},
		{"rebinding name", lan, "https://ws.example.org", []string{"ws.lan"}, "evil.example:3000", false},
		{"host of the origin", nil, "https://ws.example.org/ws", nil, "ws.example.org", true},
		{"host of the origin with the inner port", nil, "https://ws.example.org", nil, "ws.example.org:3000", true},
		{"subdomain of the origin", nil, "https://ws.example.org", nil, "a.ws.example.org", false},
		{"extra name", nil, "", []string{"ws.lan"}, "ws.lan:3000", true},
		{"extra name in other letters", nil, "", []string{"WS.lan."}, "ws.LAN", true},
		{"extra name with its port", nil, "", []string{"ws.lan:8443"}, "ws.lan:8443", true},
		{"extra name with another port", nil, "", []string{"ws.lan:8443"}, "ws.lan:3000", false},
		{"extra name without its port", nil, "", []string{"ws.lan:8443"}, "ws.lan", false},
		{"extra name with two ports", nil, "", []string{"ws.lan:1", "ws.lan:2"}, "ws.lan:2", true},
		{"extra name with and without a port", nil, "", []string{"ws.lan:1", "ws.lan"}, "ws.lan:7", true},
		{"extra name without and with a port", nil, "", []string{"ws.lan", "ws.lan:1"}, "ws.lan:7", true},
		{"international name", nil, "", []string{"bücher.example"}, "xn--bcher-kva.example", true},
		{"extra IPv6 address, bare", nil, "", []string{"fd00::7"}, "[fd00::7]:3000", true},
		{"name of a container network", nil, "", []string{"my_workspace"}, "my_workspace:3000", true},
		{"Unix socket, loopback name", []net.Addr{&net.UnixAddr{Name: "/run/s", Net: "unix"}}, "", nil, "localhost", true},
		{"Unix socket, configured name", []net.Addr{&net.UnixAddr{Name: "/run/s", Net: "unix"}}, "", []string{"ws.lan"}, "ws.lan", true},
		{"Unix socket, other name", []net.Addr{&net.UnixAddr{Name: "/run/s", Net: "unix"}}, "", nil, "evil.example", false},
		{"no host", nil, "", nil, "", false},
		{"port only", nil, "", nil, ":3000", false},
		{"port of letters", nil, "", nil, "localhost:http", false},
		{"port zero", nil, "", nil, "localhost:0", false},
		{"user in front", nil, "", nil, "me@localhost", false},
		{"path behind", nil, "", nil, "localhost/x", false},
		{"open bracket", nil, "", nil, "[::1", false},
		{"zone", nil, "", nil, "[fe80::1%eth0]:3000", false},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			h := newHosts(t, tt.listen, tt.origin, tt.extra...)
			if got := h.Allows(&http.Request{Host: tt.host}); got != tt.want {
				t.Errorf("Allows(%q) = %v, want %v", tt.host, got, tt.want)
			}
		})
	}
}

func TestNewHostsRefusesBadEntry(t *testing.T) {
	for _, e := range []string{"", "https://ws.lan", "ws.lan/x", "ws lan", "ws.lan:", "*", "*.lan", "ws.lan:99999"} {
		t.Run(e, func(t *testing.T) {
			_, err := ingress.NewHosts(nil, nil, []string{e})
			if got := fault.CodeOf(err); got != fault.InvalidArguments {
				t.Fatalf("NewHosts(%q) gives %q (%v), want invalid_arguments", e, got, err)
			}
			if !strings.Contains(err.Error(), "WORKSPACE_HOSTS") {
				t.Errorf("message %q does not name WORKSPACE_HOSTS", err)
			}
		})
	}
}

func TestExplain(t *testing.T) {
	tests := []struct {
		name, host, want string
	}{
		{"name", "Deck.Home:3000", "WORKSPACE_HOSTS=deck.home"},
		{"IPv6", "[fd00:0::1]:3000", "WORKSPACE_HOSTS=[fd00::1]"},
		{"other port of an entry with a port", "ws.lan:3000", "WORKSPACE_HOSTS=ws.lan:3000"},
		{"nonsense is not repeated", "<script>", "WORKSPACE_HOSTS"},
	}
	h := newHosts(t, nil, "", "ws.lan:8443")
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			got := h.Explain(tt.host)
			if !strings.Contains(got, tt.want) || strings.Contains(got, "<") {
				t.Errorf("Explain(%q) = %q, want it to hold %q", tt.host, got, tt.want)
			}
		})
	}
}

func FuzzParseHost(f *testing.F) {
	for _, s := range []string{"localhost:3000", "[::1]:80", "::1", "a.b.", "bücher.example", "127.1", "[::ffff:1.2.3.4]", ":1", "a:b:c", "xn--", "a..b"} {
		f.Add(s)
	}
	f.Fuzz(func(t *testing.T, s string) {
		host, port, ok := ingress.ParseHost(s)
		if !ok {
			if host != "" || port != "" {
				t.Fatalf("ParseHost(%q) = %q, %q although it is no host", s, host, port)
			}
			return
		}
		if strings.ContainsAny(host, "/@\\ \t\r\n\x00<>\"'%") || host != strings.ToLower(host) {
			t.Fatalf("ParseHost(%q) = %q: not canonical", s, host)
		}
		again := host
		if port != "" {
			again += ":" + port
		}
		if h, p, ok := ingress.ParseHost(again); !ok || h != host || p != port {
			t.Fatalf("ParseHost(%q) = %q, %q, %v; want %q, %q: not stable", again, h, p, ok, host, port)
		}
	})
}
