package app

import (
	"net"
	"net/netip"

	"personal-workspace/internal/app/config"
	"personal-workspace/internal/fault"
)

// tailnet is the shared address space that overlay networks use.
var tailnet = netip.MustParsePrefix("100.64.0.0/10")

// checkAccess refuses a workspace without sign-in on addresses that others
// reach: loopback addresses and Unix sockets are the person's own, private ones
// only when the person says so, all addresses never.
func (c Config) checkAccess() error {
	if c.Auth != config.AuthNone {
		return nil
	}
	for _, a := range c.Listen {
		tcp, ok := a.(*net.TCPAddr)
		if !ok {
			continue
		}
		ip := tcp.AddrPort().Addr().Unmap()
		switch private := ip.IsPrivate() || tailnet.Contains(ip); {
		case ip.IsLoopback(), private && c.AuthNonePrivate:
		case private:
			return fault.Invalid("auth", "WORKSPACE_AUTH=none does not serve %s: everybody on that network could read and change everything. Use WORKSPACE_AUTH=password, or say that you want this: WORKSPACE_AUTH_NONE_PRIVATE=true.", a)
		case ip.IsUnspecified():
			return fault.Invalid("auth", "WORKSPACE_AUTH=none never serves all addresses (%s); use WORKSPACE_AUTH=password, or name the private address in WORKSPACE_LISTEN.", a)
		default:
			return fault.Invalid("auth", "WORKSPACE_AUTH=none does not serve %s, which is not a private address; use WORKSPACE_AUTH=password.", a)
		}
	}
	return nil
}
