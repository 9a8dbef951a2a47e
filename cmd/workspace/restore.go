package main

import (
	"context"
	"path/filepath"

	"personal-workspace/internal/app"
)

func restore() command {
	return command{
		name: "restore", operands: "FILE", want: 1, settings: storeSettings,
		summary: "Replaces the database by a backup and keeps the replaced one; the server must be stopped.",
		run: func(ctx context.Context, in *invocation) error {
			c, err := in.config()
			if err != nil {
				return err
			}
			path, err := filepath.Abs(in.operands[0])
			if err != nil {
				return err
			}
			kept, err := app.Restore(ctx, in.appConfig(c), path)
			if err != nil {
				return err
			}
			in.print("Restored %s.\n", path)
			if kept != "" {
				in.print("The replaced database is kept as %s.\n", kept)
			}
			return nil
		},
	}
}
