package main

import (
	"context"
	"net"
	"strings"

	"personal-workspace/internal/app"
	"personal-workspace/internal/app/config"
	"personal-workspace/internal/fault"
)

func resetPassword() command {
	return command{
		name: "reset-password", settings: allSettings,
		summary: "Removes a forgotten password, signs every browser out and says how to set a new one.",
		run: func(ctx context.Context, in *invocation) error {
			c, err := in.config()
			if err != nil {
				return err
			}
			if c.Auth != config.AuthPassword {
				return fault.New(fault.Unsupported, "WORKSPACE_AUTH is %s: nobody signs in with a password, so there is none to reset.", c.Auth)
			}
			return in.withStore(ctx, app.OpenKeyless, func(ctx context.Context, s *app.Store) error {
				path, err := s.ResetPassword(ctx)
				if err != nil {
					return err
				}
				in.print("Removed the password and signed out every browser.\n")
				return in.sayNextPassword(c, path)
			})
		},
	}
}

// sayNextPassword prints how to set a password: by the link with this path while
// the workspace runs, at the running one's own address. A start makes the link
// void and prints its own, so without a running workspace there is none to print.
func (in *invocation) sayNextPassword(c *config.Config, path string) error {
	base, running, err := app.Serving(c.DataDir)
	switch {
	case err != nil:
		return err
	case !running:
		in.print("The workspace is not running. Start it: it prints a link to set the password, by these settings at %s\n", placeOf(c))
		return nil
	case base == "":
		in.print("Set your password: %s\nThe workspace is starting, and its address is not known yet; the link has the one of these settings.\n", placeOf(c)+path)
		return nil
	}
	in.print("Set your password: %s\nThe link leads to the running workspace and works once; the next start makes it void and prints another.\n", base+path)
	return nil
}

// placeOf is where a browser reaches the workspace by its settings: the public
// address, else the first TCP address, else the name of this machine to itself.
func placeOf(c *config.Config) string {
	if c.Origin != nil {
		return strings.TrimSuffix(c.Origin.String(), "/")
	}
	for _, a := range c.Listen {
		if a.Network != "tcp" {
			continue
		}
		if tcp, err := net.ResolveTCPAddr("tcp", a.Addr); err == nil {
			return app.LocalURL(tcp)
		}
	}
	return "http://localhost"
}
