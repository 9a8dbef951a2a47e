// Command workspace is Personal Workspace: the server and the commands around
// it. Everything it can do is in the table of commands.go; what a command does
// is in the packages below.
package main

import (
	"context"
	"os"
	"os/signal"
	"syscall"
)

// version is set by the linker.
var version = "dev"

func main() {
	signals := []os.Signal{os.Interrupt, syscall.SIGTERM}
	if !signal.Ignored(syscall.SIGHUP) { // nohup ignores it
		signals = append(signals, syscall.SIGHUP)
	}
	// The first signal asks to stop in order, the second one stops at once.
	ctx, stop := signal.NotifyContext(context.Background(), signals...)
	context.AfterFunc(ctx, stop)
	os.Exit(run(ctx, &invocation{
		args: os.Args[1:], environ: os.Environ(),
		stdin: os.Stdin, stdout: os.Stdout, stderr: os.Stderr,
	}))
}
