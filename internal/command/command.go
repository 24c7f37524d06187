package command

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
	"github.com/rouse-go/rouse/internal/stdout"
	"github.com/spf13/cobra"
	"github.com/spf13/pflag"
)

// Exit codes; an interruption adds 128 to the number of its signal.
const (
	ExitFound = 1
	ExitUsage = 2
	ExitTool  = 3
)

// Main runs the program and ends it. SIGINT and SIGTERM end the context of its commands.
func Main(root *cobra.Command) {
	ctx, stop := untilSignalled()
	code := Run(ctx, root, os.Args[1:], os.Stdout, os.Stderr)
	stop()
	os.Exit(code)
}

// Run executes the command line and returns the exit code.
func Run(ctx context.Context, root *cobra.Command, args []string, out, errs io.Writer) int {
	root.SetArgs(args)
	kept := &stdout.Sink{Writer: out}
	root.SetOut(kept)
	root.SetErr(errs)
	err := root.ExecuteContext(ctx)
	if err == nil {
		err = Trouble(kept.Err) // commands do not check the errors of printing
	}
	var s Signalled
	var trouble *toolError
	var found *foundError
	switch {
	case err == nil:
		return 0
	case errors.As(err, &found):
		fmt.Fprintf(errs, "%s: %v\n", root.Name(), err)
		return ExitFound
	case errors.As(err, &s):
		return 128 + int(s.Signal.(syscall.Signal))
	case errors.As(err, &trouble):
		fmt.Fprintf(errs, "%s: %v\n", root.Name(), err)
		return ExitTool
	default:
		fmt.Fprintf(errs, "%s: %v\n", root.Name(), err)
		return ExitUsage
	}
}

// A toolError is an error that the user did not cause.
type toolError struct{ error }

func (e *toolError) Unwrap() error { return e.error }

// Trouble marks an error as not caused by the user: the exit code is ExitTool. Nil stays nil.
func Trouble(err error) error {
	if err == nil {
		return nil
	}
	return &toolError{err}
}

// A foundError reports something that the command looks for.
type foundError struct{ error }

func (e *foundError) Unwrap() error { return e.error }

// Found marks an error as a finding of the command: the exit code is ExitFound.
func Found(err error) error { return &foundError{err} }

// NewRoot makes the root of all commands.
func NewRoot(name, short string, commands ...*cobra.Command) *cobra.Command {
	root := &cobra.Command{
		Use:           name,
		Short:         short,
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
				return fmt.Errorf("no command; %s; %s --help says more", nearest.Hint("", names), name)
			}
			return fmt.Errorf("unknown command %q; %s", nearest.Clip(args[0]), nearest.Hint(args[0], names))
		},
		RunE: func(*cobra.Command, []string) error { return nil }, // or cobra would not look at Args
	}
	root.CompletionOptions.DisableDefaultCmd = true
	root.SetHelpCommand(&cobra.Command{Use: "no-help", Hidden: true})
	root.SetFlagErrorFunc(flagError)
	root.AddCommand(commands...)
	return root
}

// NoArguments is for commands that take nothing but flags.
func NoArguments(c *cobra.Command, args []string) error {
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

// Signalled is the cause of a context that a signal ended.
type Signalled struct{ os.Signal }

func (s Signalled) Error() string { return "interrupted: " + s.Signal.String() }

// untilSignalled returns a context that SIGINT or SIGTERM ends. The second of them ends
// the process.
func untilSignalled() (context.Context, func()) {
	ctx, cancel := context.WithCancelCause(context.Background())
	signals := make(chan os.Signal, 1)
	signal.Notify(signals, os.Interrupt, syscall.SIGTERM)
	go func() {
		s := <-signals
		signal.Stop(signals)
		cancel(Signalled{s})
	}()
	return ctx, func() { signal.Stop(signals) }
}
