package main

import (
	"context"
	"runtime"

	"personal-workspace/internal/sqlite"
)

func showVersion() command {
	return command{
		name:    "version",
		summary: "Prints the version of the program and of its database schema.",
		run: func(_ context.Context, in *invocation) error {
			in.print("workspace %s (schema %d, %s)\n", version, sqlite.SchemaVersion(), runtime.Version())
			return nil
		},
	}
}
