// Package ingress decides which requests may come in at all: it owns the
// allow-list of Host names and the list of trusted reverse proxies.
//
// The Host allow-list is the defence against DNS rebinding: a hostile page can
// point its own name at this machine, but it cannot make the browser send
// another name than its own. The list therefore guards every route, also those
// without a session.
package ingress

import (
	"fmt"
	"net"
	"net/http"
	"net/netip"
	"net/url"
	"slices"
	"strconv"
	"strings"

	"golang.org/x/net/idna"

	"personal-workspace/internal/fault"
)

// Hosts is the allow-list of Host names. It is immutable and safe for
// concurrent use.
type Hosts struct {
	// ports maps a canonical host to the ports it is allowed with; an empty
	// list allows any port.
	ports map[string][]string
}

// NewHosts makes the allow-list: the loopback names, the concrete addresses of
// the listeners (a wildcard address such as 0.0.0.0 and a Unix socket add
// none), the host of the public origin (nil means none) and the extra entries,
// each "name" or "name:port". A name stands for all ports, an entry with a port
// only for that one. An entry that is no host is an invalid_arguments fault of
// the field "hosts".
func NewHosts(listen []net.Addr, origin *url.URL, extra []string) (*Hosts, error) {
	h := &Hosts{ports: map[string][]string{}}
	for _, a := range listen {
		if tcp, ok := a.(*net.TCPAddr); ok && !tcp.IP.IsUnspecified() {
			h.add(canonicalIP(tcp.AddrPort().Addr()), "")
		}
	}
	if origin != nil {
		host, _, ok := ParseHost(origin.Host)
		if !ok {
			return nil, fault.Invalid("origin", "WORKSPACE_ORIGIN needs a host, for example https://workspace.example.org; %q has none.", origin.Redacted())
		}
		h.add(host, "")
	}
	for _, e := range extra {
		host, port, ok := ParseHost(e)
		if !ok {
			return nil, fault.Invalid("hosts", "WORKSPACE_HOSTS holds %q, which is no host; write a name such as workspace.example.org or an address, with a port or without.", e)
		}
		h.add(host, port)
	}
	return h, nil
}

func (h *Hosts) add(host, port string) {
	known, ok := h.ports[host]
	switch {
	case ok && len(known) == 0: // any port is allowed already
	case port == "":
		h.ports[host] = nil
	default:
		h.ports[host] = append(known, port)
	}
}

// Allows reports whether the request's Host is on the list. Loopback names are
// always on it, over a Unix socket too: no hostile page can own them.
func (h *Hosts) Allows(r *http.Request) bool {
	host, port, ok := ParseHost(r.Host)
	if !ok {
		return false
	}
	if isLoopback(host) {
		return true
	}
	ports, ok := h.ports[host]
	if !ok {
		return false
	}
	return len(ports) == 0 || slices.Contains(ports, port)
}

// Explain returns the sentence for a refused Host: what to set so that it is
// allowed. It is safe to show to a stranger.
func (h *Hosts) Explain(host string) string {
	if name, port, ok := ParseHost(host); ok {
		if len(h.ports[name]) > 0 && port != "" {
			name = net.JoinHostPort(strings.Trim(name, "[]"), port)
		}
		return fmt.Sprintf("The workspace does not answer to the name %s. If it is yours, add it on the server: WORKSPACE_HOSTS=%s", name, name)
	}
	return "The request names no host that the workspace answers to. Use the address that the server prints at its start, or add yours on the server with WORKSPACE_HOSTS."
}

// ParseHost splits the value of a Host header, or an allow-list entry, into a
// canonical host and its port ("" when absent). Names are lower case, in their
// ASCII form and without the root dot; addresses are in their shortest form,
// IPv6 in brackets and IPv4-mapped ones as IPv4. ok is false for anything that
// is neither a name nor an address.
func ParseHost(s string) (host, port string, ok bool) {
	host = s
	if i := strings.LastIndexByte(s, ':'); i >= 0 && !strings.HasSuffix(s, "]") && (s[0] == '[' || strings.Count(s, ":") == 1) {
		host, port = s[:i], s[i+1:]
		if !isPort(port) {
			return "", "", false
		}
	}
	if inner, bracketed := strings.CutPrefix(host, "["); bracketed {
		inner, closed := strings.CutSuffix(inner, "]")
		ip, err := netip.ParseAddr(inner)
		if !closed || err != nil || !ip.Is6() || ip.Zone() != "" {
			return "", "", false
		}
		return canonicalIP(ip), port, true
	}
	if ip, err := netip.ParseAddr(host); err == nil {
		// A bare IPv6 address has no place in a Host header, but people write
		// it in settings; it cannot have a port.
		if ip.Zone() != "" {
			return "", "", false
		}
		return canonicalIP(ip), port, true
	}
	host, ok = canonicalName(host)
	if !ok {
		return "", "", false
	}
	return host, port, true
}

func isPort(s string) bool {
	n, err := strconv.ParseUint(s, 10, 16)
	return err == nil && n > 0 && s[0] != '0' && s[0] != '+'
}

func canonicalIP(ip netip.Addr) string {
	ip = ip.Unmap().WithZone("")
	if ip.Is6() {
		return "[" + ip.String() + "]"
	}
	return ip.String()
}

// maxName is the longest host name of the DNS, in bytes.
const maxName = 253

func canonicalName(s string) (string, bool) {
	name := strings.TrimSuffix(s, ".")
	if !isASCII(name) {
		var err error
		if name, err = idna.Lookup.ToASCII(name); err != nil {
			return "", false
		}
	}
	name = strings.ToLower(name)
	if len(name) > maxName {
		return "", false
	}
	// What ends in a number is an IPv4 address to browsers (127.1, 0x7f000001);
	// they send its canonical form, so any other is not a name.
	last := name[strings.LastIndexByte(name, '.')+1:]
	if last == "" || last[0] >= '0' && last[0] <= '9' {
		return "", false
	}
	for label := range strings.SplitSeq(name, ".") {
		if !isLabel(label) {
			return "", false
		}
	}
	return name, true
}

func isASCII(s string) bool {
	for _, c := range []byte(s) {
		if c >= 0x80 {
			return false
		}
	}
	return true
}

// isLabel allows the underscore, which names inside container networks use.
func isLabel(s string) bool {
	if s == "" || len(s) > 63 {
		return false
	}
	for _, c := range []byte(s) {
		letter := c >= 'a' && c <= 'z' || c >= '0' && c <= '9'
		if !letter && c != '-' && c != '_' {
			return false
		}
	}
	return true
}

func isLoopback(host string) bool {
	if host == "localhost" {
		return true
	}
	ip, err := netip.ParseAddr(strings.Trim(host, "[]"))
	return err == nil && ip.IsLoopback()
}
