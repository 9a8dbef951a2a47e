package main

import (
	"context"
	"errors"
	"fmt"
	"os"
	"slices"
	"strings"

	"personal-workspace/internal/app"
	"personal-workspace/internal/app/config"
	"personal-workspace/internal/fault"
	"personal-workspace/internal/ledger"
)

// asPerson returns a context in which the owner at the host's shell acts.
func asPerson(ctx context.Context) context.Context {
	return ledger.WithActor(ctx, ledger.Actor{Kind: ledger.Person, ID: "shell"})
}

// appConfig is the wiring's configuration of c.
func (in *invocation) appConfig(c *config.Config) app.Config {
	return app.Config{
		DataDir: c.DataDir, KeyFile: c.KeyFile, Origin: c.Origin, Hosts: c.Hosts, Proxies: c.Proxies,
		Auth: c.Auth, AuthNonePrivate: c.AuthNonePrivate, MastodonOrigins: c.MastodonOrigins, MastodonOnly: c.MastodonOnly,
		TwitterRelays: c.TwitterRelays, TwitterCatalog: c.TwitterCatalog,
		Version: version, Log: in.logger(c.LogFormat),
	}
}

// report writes the error as one line, and what to do as further lines, and
// returns the exit code.
func (in *invocation) report(err error) int {
	message := messageOf(err)
	fmt.Fprintf(in.stderr, "workspace: %s\n", message)
	if strings.Contains(message, "run: workspace ") {
		in.printPlace()
	}
	if e, ok := errors.AsType[*usageError](err); ok {
		if e.hint != "" {
			fmt.Fprintln(in.stderr, e.hint)
		}
		return exitUsage
	}
	if e, ok := errors.AsType[*app.NotOwner](err); ok {
		fmt.Fprintf(in.stderr, "run: %s\n", in.asUser(e))
	}
	return exitFault
}

// messageOf is what the person at the shell reads: a fault's message without
// its cause, which follows on a line of its own when the fault is ours, but all of
// an error that nobody foresaw.
func messageOf(err error) string {
	switch f, ok := errors.AsType[*fault.Error](err); {
	case ok && f.Code == fault.Internal && f.Err != nil:
		return fmt.Sprintf("%s\nreason: %v", f.Message, f.Err)
	case ok:
		return f.Message
	}
	if errors.Is(err, context.Canceled) {
		return "interrupted"
	}
	return err.Error()
}

// printPlace writes the flag without which a command that was proposed would work
// on another data directory, and nothing where it needs none. What this process
// has in its environment, a service for instance, the person's shell may not have.
func (in *invocation) printPlace() {
	here, err := config.Load(in.given, in.environ)
	if err != nil {
		return
	}
	shell := slices.DeleteFunc(slices.Clone(in.environ), func(variable string) bool {
		return strings.HasPrefix(variable, "WORKSPACE_") || strings.HasPrefix(variable, "STATE_DIRECTORY=")
	})
	if plain, err := config.Load(nil, shell); err != nil || plain.DataDir != here.DataDir {
		fmt.Fprintf(in.stderr, "with: --data-dir %s\n", shellWord(here.DataDir))
	}
}

// asUser is the line that repeats this command as the user who owns the data
// directory. sudo clears the environment, so the directory is named.
func (in *invocation) asUser(e *app.NotOwner) string {
	args := slices.Clone(in.args)
	if _, ok := in.given["data-dir"]; !ok {
		args = append(args, "--data-dir", e.Dir)
	}
	words := []string{"sudo", "-u", shellWord(e.User), program()}
	for _, a := range args {
		words = append(words, shellWord(a))
	}
	return strings.Join(words, " ")
}

// program is how this program was called.
func program() string {
	if len(os.Args) > 0 && strings.Contains(os.Args[0], "/") {
		return shellWord(os.Args[0])
	}
	return "workspace"
}

// shellWord quotes s for a POSIX shell when it needs it.
func shellWord(s string) string {
	plain := func(r rune) bool {
		return r >= 'a' && r <= 'z' || r >= 'A' && r <= 'Z' || r >= '0' && r <= '9' || strings.ContainsRune("@%+=:,./_-", r)
	}
	if s != "" && strings.IndexFunc(s, func(r rune) bool { return !plain(r) }) < 0 {
		return s
	}
	return "'" + strings.ReplaceAll(s, "'", `'\''`) + "'"
}
