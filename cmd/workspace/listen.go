package main

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"io/fs"
	"net"
	"net/netip"
	"os"
	"strconv"
	"syscall"
	"time"

	"github.com/coreos/go-systemd/v22/activation"

	"personal-workspace/internal/app/config"
	"personal-workspace/internal/fault"
)

// listen opens every listener, or none. When nothing is configured, the sockets
// that systemd passes come before the default address.
func listen(v serving) (list []net.Listener, err error) {
	passed, err := passedListeners()
	if err != nil {
		return nil, err
	}
	if v.passed && len(passed) > 0 {
		return passed, nil
	}
	defer func() {
		if err != nil {
			closeAll(list)
		}
	}()
	for _, a := range v.listen {
		switch a.Network {
		case "systemd":
			if len(passed) == 0 {
				return list, fault.Invalid("listen", "WORKSPACE_LISTEN has systemd:, but systemd passes no socket; start the workspace by its socket unit or set an address.")
			}
			list = append(list, passed...)
		case "unix":
			l, err := listenUnix(a.Addr)
			if err != nil {
				return list, err
			}
			list = append(list, l)
		default:
			l, err := listenTCP(a.Addr, cmp.Or(v.example, "WORKSPACE_LISTEN=%s (or --listen)"))
			if err != nil {
				return list, err
			}
			list = append(list, l)
		}
	}
	return list, nil
}

// passedListeners are the sockets of systemd's socket activation.
func passedListeners() (list []net.Listener, err error) {
	all, err := activation.Listeners()
	if err != nil {
		return nil, fmt.Errorf("take the sockets of systemd: %w", err)
	}
	for _, l := range all {
		if l == nil {
			closeAll(list)
			return nil, fault.Invalid("listen", "systemd passes a socket that is not a stream socket; use ListenStream= in the socket unit.")
		}
		list = append(list, l)
	}
	return list, nil
}

func listenTCP(addr, example string) (net.Listener, error) {
	network := "tcp"
	if ap, err := netip.ParseAddrPort(addr); err == nil && ap.Addr().Is4() {
		network = "tcp4" // else 0.0.0.0 would take IPv6 as well
	}
	l, err := new(net.ListenConfig).Listen(context.Background(), network, addr)
	if err != nil {
		if errors.Is(err, syscall.EADDRINUSE) {
			return nil, fault.Invalid("listen", "Another program listens on %s already; stop it, or choose another address, for example %s.", addr, fmt.Sprintf(example, otherPort(addr))).Wrap(err)
		}
		return nil, cannotListen(addr, err)
	}
	return l, nil
}

func cannotListen(addr string, err error) error {
	switch {
	case errors.Is(err, syscall.EADDRNOTAVAIL):
		return fault.Invalid("listen", "This machine has no address %s; correct WORKSPACE_LISTEN, or wait until the network that has it is up.", addr).Wrap(err)
	case errors.Is(err, fs.ErrPermission):
		return fault.Invalid("listen", "This user may not listen on %s; choose a port from 1024 up, for example WORKSPACE_LISTEN=%s.", addr, config.DefaultListen).Wrap(err)
	}
	return fault.Invalid("listen", "The workspace cannot listen on %s; correct WORKSPACE_LISTEN.", addr).Wrap(err)
}

// otherPort suggests a port near the taken one.
func otherPort(addr string) string {
	host, port, err := net.SplitHostPort(addr)
	if err != nil {
		return config.DefaultListen
	}
	n, err := strconv.Atoi(port)
	if err != nil || n >= 65535 {
		return config.DefaultListen
	}
	return net.JoinHostPort(host, fmt.Sprint(n+1))
}

// listenUnix replaces the socket that a killed server left behind, but not one
// that somebody listens on.
func listenUnix(path string) (net.Listener, error) {
	l, err := new(net.ListenConfig).Listen(context.Background(), "unix", path)
	if errors.Is(err, syscall.EADDRINUSE) && abandoned(path) {
		if err := os.Remove(path); err != nil {
			return nil, cannotListen("unix:"+path, err)
		}
		l, err = new(net.ListenConfig).Listen(context.Background(), "unix", path)
	}
	switch {
	case err == nil:
		return l, nil
	case errors.Is(err, syscall.EADDRINUSE):
		return nil, fault.Invalid("listen", "Another program listens on unix:%s already, or it is no socket; stop it, or choose another path with WORKSPACE_LISTEN.", path).Wrap(err)
	case errors.Is(err, fs.ErrNotExist), errors.Is(err, fs.ErrPermission):
		return nil, fault.Invalid("listen", "The socket %s cannot be made: its directory is missing or closed to this user; make the directory or correct WORKSPACE_LISTEN.", path).Wrap(err)
	}
	return nil, cannotListen("unix:"+path, err)
}

// abandoned reports whether path is a socket that nobody listens on.
func abandoned(path string) bool {
	st, err := os.Lstat(path)
	if err != nil || st.Mode()&fs.ModeSocket == 0 {
		return false
	}
	ctx, cancel := context.WithTimeout(context.Background(), time.Second)
	defer cancel()
	c, err := new(net.Dialer).DialContext(ctx, "unix", path)
	if err != nil {
		return errors.Is(err, syscall.ECONNREFUSED)
	}
	c.Close() //nolint:errcheck // it was only to see whether somebody answers
	return false
}

func closeAll(list []net.Listener) {
	for _, l := range list {
		l.Close() //nolint:errcheck // the server closes its listeners itself; closing again does no harm
	}
}
