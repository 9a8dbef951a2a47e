package main

import (
	"net"
	"net/url"
	"testing"

	"personal-workspace/internal/app"
)

func TestReachesFurther(t *testing.T) {
	tcp := func(ip string) net.Addr { return &net.TCPAddr{IP: net.ParseIP(ip), Port: 3000} }
	public := &url.URL{Scheme: "https", Host: "workspace.example.org"}
	for _, tc := range []struct {
		name string
		c    app.Config
		want bool
	}{
		{"loopback", app.Config{Listen: []net.Addr{tcp("127.0.0.1"), tcp("::1")}}, false},
		{"a Unix socket", app.Config{Listen: []net.Addr{&net.UnixAddr{Name: "/run/w.sock", Net: "unix"}}}, false},
		{"a private address", app.Config{Listen: []net.Addr{tcp("127.0.0.1"), tcp("192.168.1.4")}}, true},
		{"all addresses", app.Config{Listen: []net.Addr{tcp("0.0.0.0")}}, true},
		{"loopback behind a proxy", app.Config{Listen: []net.Addr{tcp("127.0.0.1")}, Origin: public}, true},
	} {
		t.Run(tc.name, func(t *testing.T) {
			if got := reachesFurther(tc.c); got != tc.want {
				t.Errorf("reachesFurther = %v, want %v", got, tc.want)
			}
		})
	}
}
