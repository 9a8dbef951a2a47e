package main

import (
	"context"
	"fmt"
	"strings"
)

func help() command {
	return command{
		name: "help", operands: "[COMMAND]", want: -1,
		summary: "Shows the commands, or the flags of one.",
		run: func(_ context.Context, in *invocation) error {
			if len(in.operands) == 0 {
				in.print("%s", overview())
				return nil
			}
			if group := groupOf(in.operands[0], commands()); len(in.operands) == 1 && len(group) > 0 {
				in.print("%s", list(group))
				return nil
			}
			c, _, err := find(in.operands)
			if err != nil {
				return err
			}
			in.print("%s", c.usage())
			return nil
		},
	}
}

func overview() string {
	var b strings.Builder
	b.WriteString("workspace is Personal Workspace: your timelines on one page and for your assistants.\n\nCommands (serve when none is given):\n")
	b.WriteString(list(commands()))
	b.WriteString("\nworkspace help COMMAND shows its flags and settings.\n")
	return b.String()
}

// list is a line or two for each command.
func list(commands []command) string {
	var b strings.Builder
	for _, c := range commands {
		name := strings.TrimSpace(c.name + " " + c.operands)
		fmt.Fprintf(&b, "  %s\n        %s\n", name, c.summary)
	}
	return b.String()
}
