package app_test

import (
	"net"
	"strings"
	"testing"

	"personal-workspace/internal/app"
	"personal-workspace/internal/app/config"
	"personal-workspace/internal/fault"
)

func TestAccessWithoutSignIn(t *testing.T) {
	socket := &net.UnixAddr{Name: "/run/ws.sock", Net: "unix"}
	tests := []struct {
		name    string
		auth    config.Auth
		private bool
		addr    net.Addr
		// refusal is what the message holds, "" when it is allowed
		refusal string
	}{
		{"loopback", config.AuthNone, false, tcp("127.0.0.1"), ""},
		{"loopback IPv6", config.AuthNone, false, tcp("::1"), ""},
		{"Unix socket", config.AuthNone, false, socket, ""},
		{"private", config.AuthNone, false, tcp("192.168.1.2"), "WORKSPACE_AUTH_NONE_PRIVATE=true"},
		{"private, wanted", config.AuthNone, true, tcp("10.1.2.3"), ""},
		{"ULA, wanted", config.AuthNone, true, tcp("fd00::1"), ""},
		{"tailnet", config.AuthNone, false, tcp("100.64.0.1"), "WORKSPACE_AUTH_NONE_PRIVATE=true"},
		{"tailnet, wanted", config.AuthNone, true, tcp("100.127.255.1"), ""},
		{"beyond the tailnet", config.AuthNone, true, tcp("100.128.0.1"), "not a private address"},
		{"all addresses", config.AuthNone, false, tcp("0.0.0.0"), "never serves all addresses"},
		{"all addresses, private wanted", config.AuthNone, true, tcp("::"), "never serves all addresses"},
		{"public, private wanted", config.AuthNone, true, tcp("203.0.113.5"), "not a private address"},
		{"link-local, private wanted", config.AuthNone, true, tcp("169.254.0.1"), "not a private address"},
		{"password on all addresses", config.AuthPassword, false, tcp("0.0.0.0"), ""},
		{"password is the default", "", false, tcp("203.0.113.5"), ""},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			err := app.CheckAccess(app.Config{Auth: tt.auth, AuthNonePrivate: tt.private, Listen: []net.Addr{tcp("127.0.0.1"), tt.addr}})
			if tt.refusal == "" {
				if err != nil {
					t.Fatalf("refused: %v", err)
				}
				return
			}
			if fault.CodeOf(err) != fault.InvalidArguments || !strings.Contains(err.Error(), tt.refusal) {
				t.Errorf("error = %v, want invalid_arguments that holds %q", err, tt.refusal)
			}
		})
	}
}

func tcp(ip string) net.Addr { return &net.TCPAddr{IP: net.ParseIP(ip), Port: 3000} }
