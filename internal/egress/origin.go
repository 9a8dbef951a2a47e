package egress

import (
	"net/netip"
	"net/url"
	"strconv"
	"strings"

	"golang.org/x/net/idna"

	"personal-workspace/internal/fault"
)

const maxOrigin = 512

// hostNames maps a host to the form DNS asks for. It is idna.Lookup without its
// STD3 rule, which refuses the underscores that container networks use.
var hostNames = idna.New(idna.MapForLookup(), idna.Transitional(false), idna.BidiRule(), idna.StrictDomainName(false))

// CanonicalOrigin returns the one spelling of a server's address,
// scheme://host[:port]: lower case, international names in punycode, without
// the default port, a final dot or slash. Anything else in raw (a path, a query,
// a user) is an invalid_arguments fault for the field origin.
//
// Both http and https are origins; that a chosen address must be https is the
// guarded client's rule.
func CanonicalOrigin(raw string) (string, error) {
	u, err := url.Parse(strings.TrimSpace(raw))
	if err != nil || len(raw) > maxOrigin || u.Host == "" || u.Opaque != "" {
		return "", badOrigin("The server's address is not readable; give it as https://host.")
	}
	if u.Scheme != "https" && u.Scheme != "http" {
		return "", badOrigin("The server's address must begin with https://; give it as https://host.")
	}
	if u.User != nil || (u.Path != "" && u.Path != "/") || u.RawQuery != "" || u.ForceQuery || strings.Contains(raw, "#") {
		return "", badOrigin("The server's address has more than a host and a port; give it as https://host.")
	}
	host, err := canonicalHost(u.Hostname())
	if err != nil {
		return "", err
	}
	port, err := canonicalPort(u.Scheme, u.Port())
	if err != nil {
		return "", err
	}
	return u.Scheme + "://" + host + port, nil
}

func canonicalHost(host string) (string, error) {
	if ip, err := netip.ParseAddr(host); err == nil {
		if ip.Zone() != "" {
			return "", badOrigin("The server's address has an interface zone; give it without one.")
		}
		if ip.Is6() {
			return "[" + ip.String() + "]", nil
		}
		return ip.String(), nil
	}
	ascii, err := hostNames.ToASCII(strings.TrimSuffix(host, "."))
	if err != nil || !plainHost(ascii) || !stable(ascii) {
		return "", badOrigin("The server's host name is not a valid one; check its spelling.")
	}
	return ascii, nil
}

// stable reports whether mapping host again changes nothing: names made of bytes
// that are no text map to punycode that is not valid itself.
func stable(host string) bool {
	again, err := hostNames.ToASCII(host)
	return err == nil && again == host
}

// plainHost reports whether host has only letters, digits, '-', '_' and dots
// between non-empty labels.
func plainHost(host string) bool {
	if host == "" || len(host) > 253 {
		return false
	}
	for label := range strings.SplitSeq(host, ".") {
		if label == "" || len(label) > 63 {
			return false
		}
		for _, r := range label {
			if !strings.ContainsRune("abcdefghijklmnopqrstuvwxyz0123456789-_", r) {
				return false
			}
		}
	}
	return true
}

func canonicalPort(scheme, port string) (string, error) {
	if port == "" {
		return "", nil
	}
	n, err := strconv.ParseUint(port, 10, 16)
	if err != nil || n == 0 {
		return "", badOrigin("The server's port must be a number from 1 to 65535.")
	}
	if scheme == "https" && n == 443 || scheme == "http" && n == 80 {
		return "", nil
	}
	return ":" + strconv.FormatUint(n, 10), nil
}

func badOrigin(message string) error { return fault.Invalid("origin", "%s", message) }
