package main

import (
	"context"
	"errors"
	"fmt"
	"os"
	"slices"
	"time"

	"personal-workspace/internal/app"
	"personal-workspace/internal/app/config"
	"personal-workspace/sns/snstest"
)

// demoListen is where the demo is shown, beside a real workspace.
const demoListen = "127.0.0.1:3100"

// demoFlags are the settings that the demo takes; all others are for a
// workspace that is kept, and the environment's are left to that one.
var demoFlags = []string{"listen", "hosts", "auth-none-private", "log-format"}

// serveDemo serves sample accounts from a directory that is removed at the end.
func (in *invocation) serveDemo(ctx context.Context, c *config.Config, started time.Time) (err error) {
	for flag := range in.given {
		if !slices.Contains(demoFlags, flag) {
			return &usageError{fmt.Sprintf("serve --demo takes no --%s: it has sample accounts and keeps nothing.", flag), "run: workspace help serve"}
		}
	}
	dir, err := os.MkdirTemp("", "workspace-demo-")
	if err != nil {
		return fmt.Errorf("make a directory for the demo: %w", err)
	}
	defer os.RemoveAll(dir)
	demo, err := snstest.StartDemo(ctx, snstest.DemoConfig{})
	if err != nil {
		return err
	}
	return errors.Join(in.serve(ctx, serving{
		listen: in.demoAddresses(c), example: "--listen %s", started: started,
		app: app.Config{
			DataDir: dir, Auth: config.AuthNone, AuthNonePrivate: c.AuthNonePrivate, Hosts: c.Hosts,
			MastodonOrigins: demo.Origins(), TwitterRelays: []string{demo.Relay().Origin()}, Demo: true, DemoMedia: demo.Media(), Version: version, Log: in.logger(c.LogFormat),
		},
		prepare: func(ctx context.Context, a *app.App) error { return a.FillDemo(asPerson(ctx), demo) },
		beside:  demo.Run,
	}), demo.Close())
}

// demoAddresses are those of the flag, not of the environment: the demo must
// not take the place of the real workspace.
func (in *invocation) demoAddresses(c *config.Config) []config.Address {
	if _, ok := in.given["listen"]; ok {
		return c.Listen
	}
	return []config.Address{{Network: "tcp", Addr: demoListen}}
}
