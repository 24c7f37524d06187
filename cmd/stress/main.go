package main

import (
	"context"
	"errors"
	"fmt"
	"io"
	"os"
	"os/signal"
	"syscall"

	"github.com/rouse-go/rouse/hooks"
	"github.com/rouse-go/rouse/stress"
)

func main() {
	stress.ChildMain()
	ctx, stop := untilSignalled()
	code := run(ctx, os.Args[1:], os.Stdout, os.Stderr)
	stop()
	os.Exit(code)
}

// Exit codes; an interruption adds 128 to the number of its signal.
const (
	exitConvicted = 1
	exitUsage     = 2
	exitTool      = 3
)

// run executes the command line and returns the exit code.
func run(ctx context.Context, args []string, out, errs io.Writer) int {
	root := newRoot()
	root.SetArgs(args)
	kept := &sink{Writer: out}
	root.SetOut(kept)
	root.SetErr(errs)
	err := root.ExecuteContext(ctx)
	var exit *exitError
	switch {
	case errors.As(err, &exit):
	case kept.err != nil: // what cobra prints, it does not look after
		exit = failed(kept.err)
	case err == nil:
		return 0
	default:
		exit = usage("%w", err)
	}
	if exit.code == exitUsage && !hooks.Enabled {
		exit.err = stress.ErrNotChaos
	}
	if exit.err != nil {
		fmt.Fprintln(errs, "stress:", exit.err)
	}
	return exit.code
}

// An exitError ends the process with a code, and with a line on standard error
// if it has one.
type exitError struct {
	code int
	err  error
}

func (e *exitError) Error() string { return fmt.Sprintf("exit code %d: %v", e.code, e.err) }

// usage is an error in what the user asked for.
func usage(format string, args ...any) *exitError {
	return &exitError{exitUsage, fmt.Errorf(format, args...)}
}

// failed is an error that stopped the tool while it ran: an interruption, or
// trouble of its own.
func failed(err error) *exitError {
	var s signalled
	if errors.As(err, &s) {
		return &exitError{128 + int(s.Signal.(syscall.Signal)), nil}
	}
	return &exitError{exitTool, err}
}

// A sink keeps the first error that writing met.
type sink struct {
	io.Writer
	err error
}

func (s *sink) Write(p []byte) (int, error) {
	n, err := s.Writer.Write(p)
	if s.err == nil {
		s.err = err
	}
	return n, err
}

// signalled is the cause of a context that a signal ended.
type signalled struct{ os.Signal }

func (s signalled) Error() string { return "interrupted: " + s.Signal.String() }

// untilSignalled returns a context that SIGINT, SIGTERM or SIGHUP ends. A second
// SIGINT or SIGTERM ends the process. A process that was started with nohup does
// not hear SIGHUP.
func untilSignalled() (context.Context, func()) {
	ctx, cancel := context.WithCancelCause(context.Background())
	signals := make(chan os.Signal, 1)
	signal.Notify(signals, os.Interrupt, syscall.SIGTERM)
	if !signal.Ignored(syscall.SIGHUP) {
		signal.Notify(signals, syscall.SIGHUP)
	}
	go func() {
		s := <-signals
		// A terminal that goes may say so twice, and takes with it who reads the
		// output. Neither is to keep the reports from being put in their places: they
		// are heard and passed over. (Ignore has a moment in which they still kill.)
		signal.Notify(make(chan os.Signal, 1), syscall.SIGHUP, syscall.SIGPIPE)
		signal.Reset(os.Interrupt, syscall.SIGTERM)
		cancel(signalled{s})
	}()
	return ctx, func() { signal.Stop(signals) }
}
