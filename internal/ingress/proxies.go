package ingress

import (
	"net/http"
	"net/netip"
	"slices"
	"strings"

	"personal-workspace/internal/fault"
)

// Proxies is the list of reverse proxies whose word about a visitor's address
// is taken. The zero value trusts none.
type Proxies struct {
	ranges []netip.Prefix
	unix   bool
}

// ParseProxies reads the entries of WORKSPACE_TRUSTED_PROXIES: an address, a
// range in CIDR form, or "unix" for whoever connects over a Unix socket.
// Anything else is an invalid_arguments fault of the field "trusted-proxies".
func ParseProxies(entries []string) (Proxies, error) {
	var p Proxies
	for _, e := range entries {
		if e == "unix" {
			p.unix = true
			continue
		}
		r, err := parseRange(e)
		if err != nil {
			return Proxies{}, fault.Invalid("trusted-proxies", "WORKSPACE_TRUSTED_PROXIES holds %q; write an address such as 10.0.0.2, a range such as 10.0.0.0/24, or unix.", e).Wrap(err)
		}
		p.ranges = append(p.ranges, r)
	}
	return p, nil
}

func parseRange(s string) (netip.Prefix, error) {
	if strings.Contains(s, "/") {
		r, err := netip.ParsePrefix(s)
		return r.Masked(), err
	}
	ip, err := netip.ParseAddr(s)
	if err != nil {
		return netip.Prefix{}, err
	}
	return ip.Unmap().Prefix(ip.Unmap().BitLen())
}

// Wrap returns a handler that gives next the visitor's own address as
// Request.RemoteAddr when the request came through trusted proxies: the last
// address in X-Forwarded-For that is not itself a trusted proxy. Without a
// trusted proxy the header means nothing and the request is passed unchanged.
func (p Proxies) Wrap(next http.Handler) http.Handler {
	if len(p.ranges) == 0 && !p.unix {
		return next
	}
	return http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		if ip, ok := p.visitor(r); ok {
			c := *r
			c.RemoteAddr = netip.AddrPortFrom(ip, 0).String()
			r = &c
		}
		next.ServeHTTP(w, r)
	})
}

func (p Proxies) visitor(r *http.Request) (ip netip.Addr, ok bool) {
	if !p.trustsPeer(r.RemoteAddr) {
		return ip, false
	}
	hops := strings.Split(strings.Join(r.Header.Values("X-Forwarded-For"), ","), ",")
	for _, text := range slices.Backward(hops) {
		hop, err := parseHop(strings.TrimSpace(text))
		if err != nil {
			return ip, ok
		}
		ip, ok = hop, true
		if !p.trusts(hop) {
			return ip, ok
		}
	}
	return ip, ok
}

// parseHop reads an address with or without a port; some proxies add one.
func parseHop(s string) (netip.Addr, error) {
	if ap, err := netip.ParseAddrPort(s); err == nil {
		return ap.Addr().Unmap(), nil
	}
	ip, err := netip.ParseAddr(strings.Trim(s, "[]"))
	return ip.Unmap(), err
}

func (p Proxies) trustsPeer(remote string) bool {
	ap, err := netip.ParseAddrPort(remote)
	if err != nil { // the peer of a Unix socket has no address
		return p.unix
	}
	return p.trusts(ap.Addr().Unmap())
}

func (p Proxies) trusts(ip netip.Addr) bool {
	for _, r := range p.ranges {
		if r.Contains(ip) {
			return true
		}
	}
	return false
}
