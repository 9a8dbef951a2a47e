package main

import (
	"context"
	"fmt"
	"io"
	"net"
	"net/http"
	"strings"
	"time"

	"personal-workspace/internal/app/config"
	"personal-workspace/internal/fault"
)

// healthTimeout is longer than a server takes to find out that its database
// does not answer.
const healthTimeout = 3 * time.Second

func healthcheck() command {
	return command{
		name: "healthcheck", settings: allSettings,
		summary: "Asks the running server whether it is ready; for containers and monitoring.",
		run: func(ctx context.Context, in *invocation) error {
			c, err := in.config()
			if err != nil {
				return err
			}
			answer, err := askReady(ctx, c.Listen[0])
			if err != nil {
				return err
			}
			in.print("%s\n", answer)
			return nil
		},
	}
}

// askReady asks /readyz at the address and returns the answer's text.
func askReady(ctx context.Context, a config.Address) (string, error) {
	network, addr, err := dialable(a)
	if err != nil {
		return "", err
	}
	ctx, cancel := context.WithTimeout(ctx, healthTimeout)
	defer cancel()
	client := &http.Client{Transport: &http.Transport{
		DisableKeepAlives: true,
		DialContext: func(ctx context.Context, _, _ string) (net.Conn, error) {
			return new(net.Dialer).DialContext(ctx, network, addr)
		},
	}}
	req, err := http.NewRequestWithContext(ctx, http.MethodGet, "http://localhost/readyz", nil)
	if err != nil {
		return "", err
	}
	res, err := client.Do(req)
	if err != nil {
		return "", fault.New(fault.UpstreamUnavailable, "No workspace answers at %s; start it, or set WORKSPACE_LISTEN as the server has it.", a).Wrap(err)
	}
	defer res.Body.Close()
	body, err := io.ReadAll(io.LimitReader(res.Body, 4096))
	if err != nil {
		return "", fmt.Errorf("read the answer of %s: %w", a, err)
	}
	text := strings.TrimSpace(string(body))
	if res.StatusCode != http.StatusOK {
		return "", fault.New(fault.UpstreamUnavailable, "The workspace at %s is not ready (status %d); its log has the reason.", a, res.StatusCode)
	}
	return text, nil
}

// dialable is where a client on this machine reaches the listener.
func dialable(a config.Address) (network, addr string, err error) {
	if a.Network == "systemd" {
		return "", "", fault.Invalid("listen", "The address of a socket that systemd passes is not known here; say where to ask, for example --listen %s.", config.DefaultListen)
	}
	if a.Network == "unix" {
		return "unix", a.Addr, nil
	}
	host, port, err := net.SplitHostPort(a.Addr)
	if err != nil {
		return "", "", err
	}
	if ip := net.ParseIP(host); host == "" || ip != nil && ip.IsUnspecified() {
		host = "localhost"
	}
	return "tcp", net.JoinHostPort(host, port), nil
}
