package main

import (
	"context"
	"path/filepath"

	"personal-workspace/internal/app"
)

func backup() command {
	return command{
		name: "backup", operands: "FILE", want: 1, settings: storeSettings,
		summary: "Writes a checked copy of the database to a new file, also beside a running server. The credential key is not in it.",
		run: func(ctx context.Context, in *invocation) error {
			c, err := in.config()
			if err != nil {
				return err
			}
			path, err := filepath.Abs(in.operands[0])
			if err != nil {
				return err
			}
			return in.withStore(ctx, app.OpenKeyless, func(ctx context.Context, s *app.Store) error {
				if err := s.DB.Backup(ctx, path); err != nil {
					return err
				}
				in.print("Wrote %s. Stored credentials in it open only with the key %s: keep a copy of that elsewhere.\n", path, c.KeyFile)
				return nil
			})
		},
	}
}
