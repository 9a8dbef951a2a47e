package main

import (
	"errors"
	"flag"
	"fmt"
	"io"
	"slices"
	"strings"

	"personal-workspace/internal/app/config"
)

// parse reads the flags of c and leaves the operands in in. Flags and operands
// may come in any order. help reports that the usage text was asked for.
func (in *invocation) parse(c command, args []string) (help bool, err error) {
	in.given = map[string][]string{}
	set := c.flagSet(in.given)
	for {
		if err := set.Parse(args); errors.Is(err, flag.ErrHelp) {
			return true, nil
		} else if err != nil {
			return false, &usageError{flagMessage(set, err), "run: workspace help " + c.name}
		}
		if set.NArg() == 0 {
			break
		}
		in.operands = append(in.operands, set.Arg(0))
		args = set.Args()[1:]
	}
	if c.want >= 0 && len(in.operands) != c.want {
		return false, &usageError{operandMessage(c, in.operands), "usage: " + c.line()}
	}
	return false, nil
}

// flagSet returns the flags of c; the settings among them go to given.
func (c command) flagSet(given map[string][]string) *flag.FlagSet {
	set := flag.NewFlagSet(c.name, flag.ContinueOnError)
	set.SetOutput(io.Discard)
	set.Usage = func() {}
	if c.flags != nil {
		c.flags(set)
	}
	for _, s := range config.Settings() {
		if c.settings == allSettings || c.settings == storeSettings && s.Store {
			set.Var(settingFlag{s, given}, s.Flag(), "")
		}
	}
	return set
}

// settingFlag collects the values of one setting.
type settingFlag struct {
	setting config.Setting
	given   map[string][]string
}

// String is empty: defaults are in the usage text of the settings.
func (f settingFlag) String() string { return "" }

// Set takes one value: of a list the next one, else the last one counts.
func (f settingFlag) Set(v string) error {
	if f.setting.Kind != config.List {
		f.given[f.setting.Flag()] = nil
	}
	f.given[f.setting.Flag()] = append(f.given[f.setting.Flag()], v)
	return nil
}

// IsBoolFlag lets a bool setting stand without a value.
func (f settingFlag) IsBoolFlag() bool { return f.setting.Kind == config.Bool }

// flagMessage says what is wrong with a flag. The flag package has no types for
// its errors.
func flagMessage(set *flag.FlagSet, err error) string {
	if name, ok := strings.CutPrefix(err.Error(), "flag provided but not defined: -"); ok {
		name = strings.TrimPrefix(name, "-")
		var known []string
		set.VisitAll(func(f *flag.Flag) { known = append(known, f.Name) })
		if len(known) == 0 {
			return fmt.Sprintf("%s takes no flags, but there is --%s.", set.Name(), name)
		}
		if near := config.Near(name, known); near != "" {
			return fmt.Sprintf("%s has no flag --%s; the nearest one is --%s.", set.Name(), name, near)
		}
		return fmt.Sprintf("%s has no flag --%s.", set.Name(), name)
	}
	if name, ok := strings.CutPrefix(err.Error(), "flag needs an argument: -"); ok {
		return fmt.Sprintf("the flag --%s needs a value behind it.", strings.TrimPrefix(name, "-"))
	}
	return err.Error()
}

func operandMessage(c command, have []string) string {
	if len(have) > c.want {
		return fmt.Sprintf("%s does not know what to do with %q.", c.name, have[c.want])
	}
	return fmt.Sprintf("%s needs %s.", c.name, c.operands)
}

// line is the one-line usage.
func (c command) line() string {
	parts := []string{"workspace", c.name, c.operands}
	set := c.flagSet(map[string][]string{})
	set.VisitAll(func(f *flag.Flag) {
		if _, setting := f.Value.(settingFlag); !setting {
			parts = append(parts, "["+flagUsage(f)+"]")
		}
	})
	if c.settings != noSettings {
		parts = append(parts, "[settings]")
	}
	return strings.Join(slices.DeleteFunc(parts, func(s string) bool { return s == "" }), " ")
}

func flagUsage(f *flag.Flag) string {
	name, _ := flag.UnquoteUsage(f)
	return strings.TrimSpace("--" + f.Name + " " + name)
}

// usage is the whole usage text.
func (c command) usage() string {
	var b strings.Builder
	fmt.Fprintf(&b, "%s\n\n%s\n", c.line(), c.summary)
	set := c.flagSet(map[string][]string{})
	var own []*flag.Flag
	set.VisitAll(func(f *flag.Flag) {
		if _, setting := f.Value.(settingFlag); !setting {
			own = append(own, f)
		}
	})
	if len(own) > 0 {
		b.WriteString("\nFlags:\n")
	}
	for _, f := range own {
		_, text := flag.UnquoteUsage(f)
		fmt.Fprintf(&b, "  %s\n        %s\n", flagUsage(f), text)
	}
	if c.settings != noSettings {
		b.WriteString("\nSettings, each as a flag, a variable or a key of the --config file:\n")
		b.WriteString(config.Usage(c.settings == storeSettings))
	}
	return b.String()
}
