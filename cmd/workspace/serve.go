package main

import (
	"context"
	"flag"
	"fmt"
	"net"
	"runtime/debug"
	"slices"
	"strings"
	"time"

	"personal-workspace/internal/app"
	"personal-workspace/internal/app/config"
)

func serve() command {
	var demo bool
	return command{
		name: "serve", settings: allSettings,
		summary: "Serves the pages and /mcp until it is told to stop.",
		flags: func(f *flag.FlagSet) {
			f.BoolVar(&demo, "demo", false, "show built-in sample accounts on "+demoListen+"; nothing is kept")
		},
		run: func(ctx context.Context, in *invocation) error {
			started := time.Now()
			c, err := in.config()
			if err != nil {
				return err
			}
			if demo {
				return in.serveDemo(ctx, c, started)
			}
			return in.serve(ctx, serving{listen: c.Listen, passed: c.ListenDefault, app: in.appConfig(c), started: started})
		},
	}
}

// serving is what is to be served.
type serving struct {
	// listen is where; passed: sockets that systemd passes come first.
	listen []config.Address
	passed bool
	// example says how to choose another address, with a place for it; "" is
	// the normal way.
	example string
	app     app.Config
	// prepare fills the workspace before the first request; nil does nothing.
	prepare func(context.Context, *app.App) error
	// beside runs as long as the server; nil is nothing.
	beside  func(context.Context) error
	started time.Time
}

// serve takes the lock first, so that a second server learns of the first one
// and not of a taken port, then the listeners, then opens the store.
func (in *invocation) serve(ctx context.Context, v serving) (err error) {
	tuneMemory(in.environ)
	if v.app.Lock, err = app.LockServe(v.app.DataDir); err != nil {
		return err
	}
	defer v.app.Lock.Release()
	listeners, err := listen(v)
	if err != nil {
		return err
	}
	defer closeAll(listeners)
	for _, l := range listeners {
		v.app.Listen = append(v.app.Listen, l.Addr())
	}
	a, err := app.New(ctx, v.app)
	if err != nil {
		return err
	}
	err = v.app.Lock.Announce(a.BaseURL())
	if err == nil && v.prepare != nil {
		err = v.prepare(ctx, a)
	}
	if err == nil {
		s := &server{app: a, listeners: listeners, beside: v.beside, answerTimeout: answerTimeout, log: v.app.Log}
		err = s.run(ctx, func() error { return in.announce(ctx, a, v) })
	}
	if closed := a.Close(); err == nil {
		err = closed
	}
	return err
}

// The garbage collector's settings for a server: running it at a quarter of the
// default rate was measured to be worth 1.6 to 2.3 times the throughput for a
// dozen megabytes; near the soft limit it runs as often as it must.
const (
	gcPercent   = 400
	memoryLimit = 96 << 20
)

// tuneMemory leaves alone what GOGC and GOMEMLIMIT set.
func tuneMemory(environ []string) {
	set := func(name string) bool {
		return slices.ContainsFunc(environ, func(e string) bool { return strings.HasPrefix(e, name+"=") })
	}
	if !set("GOGC") {
		debug.SetGCPercent(gcPercent)
	}
	if !set("GOMEMLIMIT") {
		debug.SetMemoryLimit(memoryLimit)
	}
}

// announce prints where the workspace is and, until a password is set, the
// one-time link to set it. The link goes to standard output only, never into
// the log.
func (in *invocation) announce(ctx context.Context, a *app.App, v serving) error {
	c := v.app
	in.print("Personal Workspace %s is ready after %d ms: %s\n", version, time.Since(v.started).Milliseconds(), strings.Join(places(a, c.Listen), ", "))
	setup, err := a.SetupURL(ctx)
	if err != nil {
		return err
	}
	if setup != "" {
		in.print("Set your password: %s\n", setup)
	}
	if mode := app.LooseMode(c.DataDir); mode != 0 {
		c.Log.WarnContext(ctx, "others may enter the data directory; run chmod 700 on it", "directory", c.DataDir, "mode", mode.String())
	}
	if reachesFurther(c) {
		c.Log.WarnContext(ctx, "/mcp asks for no login and may be reachable from other machines; let only a private network or a tunnel reach it, and leave it out of a public reverse proxy")
	}
	if onlyWildcards(c.Listen) && c.Origin == nil && len(c.Hosts) == 0 {
		c.Log.WarnContext(ctx, "requests from other machines are refused until WORKSPACE_HOSTS or WORKSPACE_ORIGIN has the name they use")
	}
	return nil
}

// places are the addresses for people: the public one, else each listener's.
func places(a *app.App, listen []net.Addr) (list []string) {
	if !strings.HasPrefix(a.BaseURL(), "http://localhost") || len(listen) == 0 {
		list = append(list, a.BaseURL()+"/")
	}
	for _, l := range listen {
		place := fmt.Sprintf("%s:%s", l.Network(), l)
		if tcp, ok := l.(*net.TCPAddr); ok {
			place = app.LocalURL(tcp) + "/"
		}
		if !slices.Contains(list, place) {
			list = append(list, place)
		}
	}
	return list
}

// reachesFurther reports whether more than this machine may be able to ask: a
// public address is configured, or a listener is not on loopback.
func reachesFurther(c app.Config) bool {
	return c.Origin != nil || slices.ContainsFunc(c.Listen, func(a net.Addr) bool {
		tcp, ok := a.(*net.TCPAddr)
		return ok && !tcp.IP.IsLoopback()
	})
}

func onlyWildcards(listen []net.Addr) bool {
	return len(listen) > 0 && !slices.ContainsFunc(listen, func(a net.Addr) bool {
		tcp, ok := a.(*net.TCPAddr)
		return !ok || !tcp.IP.IsUnspecified()
	})
}
