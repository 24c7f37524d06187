// Command seeds reproduces the tables of the documents that rouse starts from, on the
// machine that it runs on:
//
//	seeds burst   how long a message of a burst is under way (burst-pool's README)
//	seeds sleep   what ways to sleep cost, by run time and processor time (rayon)
//
// Contestants take turns, so that the ratios between them are honest also on a machine
// that does other things. Tables are Markdown on standard output; progress goes to
// standard error. With --out the tables, a line of JSON for each of their rows, and
// pictures are put into a folder.
//
// Exit code: 0; 2 if asked for what there is not; 3 if a measurement or a file failed;
// 130 and 143 if it was interrupted, and then nothing has been written.
package main

import (
	"context"
	"errors"
	"fmt"
	"io"
	"os"
	"os/signal"
	"strings"
	"syscall"

	"github.com/rouse-go/rouse/internal/nearest"
	"github.com/spf13/cobra"
	"github.com/spf13/pflag"
)

func main() {
	ctx, stop := untilSignalled()
	code := run(ctx, os.Args[1:], os.Stdout, os.Stderr)
	stop()
	os.Exit(code)
}

// Exit codes; an interruption adds 128 to the number of its signal.
const (
	exitUsage = 2
	exitTool  = 3
)

// run executes the command line and returns the exit code.
func run(ctx context.Context, args []string, out, errs io.Writer) int {
	root := newRoot()
	root.SetArgs(args)
	root.SetOut(out)
	root.SetErr(errs)
	err := root.ExecuteContext(ctx)
	var s signalled
	var trouble *toolError
	switch {
	case err == nil:
		return 0
	case errors.As(err, &s):
		return 128 + int(s.Signal.(syscall.Signal))
	case errors.As(err, &trouble):
		fmt.Fprintln(errs, "seeds:", err)
		return exitTool
	default:
		fmt.Fprintln(errs, "seeds:", err)
		return exitUsage
	}
}

// A toolError is no fault of the user's.
type toolError struct{ error }

func (e *toolError) Unwrap() error { return e.error }

func newRoot() *cobra.Command {
	root := &cobra.Command{
		Use:           "seeds",
		Short:         "Reproduce the tables of the seed documents on this machine",
		SilenceErrors: true,
		SilenceUsage:  true,
		Args: func(c *cobra.Command, args []string) error {
			var names []string
			for _, sub := range c.Commands() {
				if sub.IsAvailableCommand() {
					names = append(names, sub.Name())
				}
			}
			if len(args) == 0 {
				return fmt.Errorf("no command; %s; seeds --help says more", nearest.Hint("", names))
			}
			return fmt.Errorf("unknown command %q; %s", nearest.Clip(args[0]), nearest.Hint(args[0], names))
		},
		RunE: func(*cobra.Command, []string) error { return nil }, // or cobra would not look at Args
	}
	root.CompletionOptions.DisableDefaultCmd = true
	root.SetHelpCommand(&cobra.Command{Use: "no-help", Hidden: true})
	root.SetFlagErrorFunc(flagError)
	root.AddCommand(newBurst(), newSleep())
	return root
}

// noArguments is for the commands: all that they take is flags.
func noArguments(c *cobra.Command, args []string) error {
	if len(args) > 0 {
		return fmt.Errorf("%s takes flags only, and has got %q", c.CommandPath(), nearest.Clip(args[0]))
	}
	return nil
}

func flagError(c *cobra.Command, err error) error {
	var unknown *pflag.NotExistError
	if !errors.As(err, &unknown) {
		return err
	}
	var have []string
	c.Flags().VisitAll(func(f *pflag.Flag) { have = append(have, "--"+f.Name) })
	name := "--" + strings.TrimLeft(unknown.GetSpecifiedName(), "-")
	return fmt.Errorf("unknown flag %s of %s; %s", nearest.Clip(name), c.CommandPath(), nearest.Hint(name, have))
}

// signalled is the cause of a context that a signal ended.
type signalled struct{ os.Signal }

func (s signalled) Error() string { return "interrupted: " + s.Signal.String() }

// untilSignalled returns a context that SIGINT or SIGTERM ends. The second of them ends
// the process.
func untilSignalled() (context.Context, func()) {
	ctx, cancel := context.WithCancelCause(context.Background())
	signals := make(chan os.Signal, 1)
	signal.Notify(signals, os.Interrupt, syscall.SIGTERM)
	go func() {
		s := <-signals
		signal.Stop(signals)
		cancel(signalled{s})
	}()
	return ctx, func() { signal.Stop(signals) }
}
