package egress

import "net/http"

// Guard is the guarded client's hook, for tests of single addresses.
var Guard = guard()

// Proxies reports whether a client would use a proxy.
func Proxies(c *http.Client) bool {
	if g, ok := c.Transport.(*guarded); ok {
		return g.next.Proxy != nil
	}
	return c.Transport.(*http.Transport).Proxy != nil
}
