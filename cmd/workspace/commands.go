package main

import (
	"context"
	"errors"
	"flag"
	"fmt"
	"io"
	"slices"
	"strings"

	"golang.org/x/sys/unix"

	"personal-workspace/internal/app"
	"personal-workspace/internal/app/config"
)

// command is one row of the table of commands. A new value is made for each
// run, so its flags can be variables of the function that makes it.
type command struct {
	// name is one or two words.
	name string
	// operands is the usage of what follows the flags, "" for nothing.
	operands string
	// want is how many operands there must be, -1 for any number.
	want int
	// summary is one line for the list of commands.
	summary string
	// settings says which settings the command takes as flags.
	settings settings
	// flags adds the command's own flags; nil means none.
	flags func(*flag.FlagSet)
	run   func(context.Context, *invocation) error
}

// settings is a choice of rows of the table of settings.
type settings int

const (
	noSettings settings = iota
	storeSettings
	allSettings
)

func commands() []command {
	return []command{
		serve(),
		resetPassword(),
		connectionsAdd(),
		connectionsList(),
		connectionsRemove(),
		connectionsForgetSecrets(),
		backup(),
		restore(),
		healthcheck(),
		configPrint(),
		showVersion(),
		help(),
	}
}

// invocation is the world of one run of the program.
type invocation struct {
	// args are the arguments without the program's name; once the command is
	// known, operands are what is left of them.
	args, operands []string
	// environ is the environment as os.Environ gives it.
	environ        []string
	stdin          io.Reader
	stdout, stderr io.Writer

	// given are the settings set by flags.
	given map[string][]string
}

// usageError is a mistake in how the program was called.
type usageError struct{ message, hint string }

func (e *usageError) Error() string { return e.message }

// The exit codes.
const (
	exitOK    = 0
	exitFault = 1
	exitUsage = 2
)

// run runs the command that in names and returns the exit code.
func run(ctx context.Context, in *invocation) int {
	// Nobody else may read what the workspace writes.
	unix.Umask(0o077)
	err := dispatch(ctx, in)
	if err == nil {
		return exitOK
	}
	return in.report(err)
}

func dispatch(ctx context.Context, in *invocation) error {
	c, rest, err := find(in.args)
	if err != nil {
		return err
	}
	asked, err := in.parse(c, rest)
	if err != nil {
		return err
	}
	if asked {
		in.print("%s", c.usage())
		return nil
	}
	return c.run(ctx, in)
}

// find takes the command's name off the arguments; without one, or with a flag
// first, the command is serve.
func find(args []string) (command, []string, error) {
	list := commands()
	if len(args) == 0 || strings.HasPrefix(args[0], "-") && !asksForHelp(args[0]) && !asksForVersion(args[0]) {
		return list[0], args, nil
	}
	switch {
	case asksForHelp(args[0]):
		args = append([]string{"help"}, args[1:]...)
	case asksForVersion(args[0]):
		args = append([]string{"version"}, args[1:]...)
	case len(args) > 1 && asksForHelp(args[1]) && isGroup(args[0], list):
		args = []string{"help", args[0]}
	}
	for _, words := range []int{2, 1} {
		if len(args) < words {
			continue
		}
		name := strings.Join(args[:words], " ")
		i := slices.IndexFunc(list, func(c command) bool { return c.name == name })
		if i >= 0 {
			return list[i], args[words:], nil
		}
	}
	return command{}, nil, unknownCommand(args, list)
}

func asksForHelp(arg string) bool { return arg == "-h" || arg == "-help" || arg == "--help" }

func asksForVersion(arg string) bool { return arg == "-version" || arg == "--version" }

// isGroup reports whether word is the first of several commands' two words.
func isGroup(word string, list []command) bool { return len(groupOf(word, list)) > 0 }

func groupOf(word string, list []command) []command {
	var group []command
	for _, c := range list {
		if strings.HasPrefix(c.name, word+" ") {
			group = append(group, c)
		}
	}
	return group
}

func unknownCommand(args []string, list []command) error {
	var known, group []string
	for _, c := range list {
		known = append(known, c.name)
		if first, rest, ok := strings.Cut(c.name, " "); ok && first == args[0] {
			group = append(group, rest)
		}
	}
	if len(group) > 0 && (len(args) == 1 || strings.HasPrefix(args[1], "-")) {
		return &usageError{fmt.Sprintf("%s needs a command behind it: %s.", args[0], strings.Join(group, ", ")), "run: workspace help"}
	}
	name := args[0]
	if len(args) > 1 && !strings.HasPrefix(args[1], "-") && len(group) > 0 {
		name += " " + args[1]
	}
	message := fmt.Sprintf("there is no command %q.", name)
	if near := config.Near(name, known); near != "" {
		message = fmt.Sprintf("there is no command %q; the nearest one is %q.", name, near)
	}
	return &usageError{message, "run: workspace help"}
}

// config loads the configuration with the flags of this run.
func (in *invocation) config() (*config.Config, error) {
	c, err := config.Load(in.given, in.environ)
	if err != nil {
		return nil, &usageError{message: messageOf(err)}
	}
	return c, nil
}

// withStore opens the store beside the server, does the work for the person and
// closes it again.
func (in *invocation) withStore(ctx context.Context, open storeOpener, work func(context.Context, *app.Store) error) error {
	c, err := in.config()
	if err != nil {
		return err
	}
	s, err := open(ctx, in.appConfig(c))
	if err != nil {
		return err
	}
	return errors.Join(work(asPerson(ctx), s), s.Close())
}

// storeOpener is app.OpenStore, or app.OpenKeyless for what must work without
// the key.
type storeOpener func(context.Context, app.Config) (*app.Store, error)

// print writes to standard output.
func (in *invocation) print(format string, args ...any) { fmt.Fprintf(in.stdout, format, args...) }
