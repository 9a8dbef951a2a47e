package main

import (
	"log/slog"
	"slices"
	"strings"
)

// logger writes to standard error: JSON when asked for or when the journal
// reads it, else text.
func (in *invocation) logger(format string) *slog.Logger {
	underSystemd := slices.ContainsFunc(in.environ, func(e string) bool { return strings.HasPrefix(e, "JOURNAL_STREAM=") })
	if format == "json" || format == "auto" && underSystemd {
		return slog.New(slog.NewJSONHandler(in.stderr, nil))
	}
	return slog.New(slog.NewTextHandler(in.stderr, nil))
}
