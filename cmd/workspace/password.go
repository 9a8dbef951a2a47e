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
		summary: "Removes a forgotten password, signs every browser out and prints the link to set a new one.",
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
				in.print("Removed the password and signed out every browser.\nSet your password: %s\n", placeOf(c)+path)
				in.print("The link works once, while the workspace runs; its next start prints another.\n")
				return nil
			})
		},
	}
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
