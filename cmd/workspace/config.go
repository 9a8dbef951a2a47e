package main

import (
	"context"
	"encoding/json"
)

func configPrint() command {
	return command{
		name: "config print", settings: allSettings,
		summary: "Prints the settings in force as JSON that --config reads. It holds no secret.",
		run: func(_ context.Context, in *invocation) error {
			c, err := in.config()
			if err != nil {
				return err
			}
			e := json.NewEncoder(in.stdout)
			e.SetEscapeHTML(false)
			e.SetIndent("", "  ")
			return e.Encode(c.Effective())
		},
	}
}
