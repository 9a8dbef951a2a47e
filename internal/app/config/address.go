package config

import (
	"net"
	"path/filepath"
	"strconv"
	"strings"
)

// DefaultListen is where the workspace listens when nothing is set.
const DefaultListen = "127.0.0.1:3000"

// Address is one place to listen.
type Address struct {
	// Network is "tcp", "unix" or "systemd".
	Network string
	// Addr is host:port for tcp, the socket's absolute path for unix and ""
	// for systemd.
	Addr string
}

// String returns the address as it is written in the setting.
func (a Address) String() string {
	if a.Network == "tcp" {
		return a.Addr
	}
	return a.Network + ":" + a.Addr
}

// ParseAddress reads host:port, unix:PATH or systemd:. The host may be empty
// for all addresses, the port may be 0 for a free one. The error is a clause
// that follows the setting's name.
func ParseAddress(s string) (Address, error) {
	if s == "systemd:" {
		return Address{Network: "systemd"}, nil
	}
	if path, ok := strings.CutPrefix(s, "unix:"); ok {
		abs, err := filepath.Abs(path)
		if path == "" || err != nil {
			return Address{}, clause("needs the socket's path behind unix:, not %q", s)
		}
		return Address{Network: "unix", Addr: abs}, nil
	}
	host, port, err := net.SplitHostPort(s)
	if err != nil || strings.Contains(host, "/") {
		return Address{}, clause("needs host:port such as %s, unix:PATH or systemd:, not %q", DefaultListen, s)
	}
	if _, err := strconv.ParseUint(port, 10, 16); err != nil {
		return Address{}, clause("needs a port from 0 to 65535, not %q", s)
	}
	return Address{Network: "tcp", Addr: s}, nil
}
