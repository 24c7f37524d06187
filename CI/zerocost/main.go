package main

import (
	"context"
	"errors"
	"flag"
	"fmt"
	"io"
	"os"
	"os/signal"
	"slices"
	"strings"
	"syscall"

	"github.com/rouse-go/rouse/internal/private"
)

// Exit codes, as those of stress; a signal adds 128 to its number.
const (
	exitFree    = 0
	exitCosts   = 1
	exitUsage   = 2
	exitTrouble = 3
)

func main() {
	ctx, end := context.WithCancelCause(context.Background())
	signals := make(chan os.Signal, 1)
	signal.Notify(signals, os.Interrupt, syscall.SIGTERM)
	go func() {
		s := <-signals
		signal.Stop(signals) // a second one ends the process
		end(signalled(s.(syscall.Signal)))
	}()
	os.Exit(run(ctx, os.Args[1:], os.Stdout, os.Stderr))
}

// signalled is the cause of a context that a signal has ended.
type signalled syscall.Signal

func (s signalled) Error() string { return "interrupted: " + syscall.Signal(s).String() }

func run(ctx context.Context, args []string, out, stderr io.Writer) int {
	flags := flag.NewFlagSet("zerocost", flag.ContinueOnError)
	flags.SetOutput(stderr)
	flags.Usage = func() { fmt.Fprintln(stderr, "usage: zerocost [package pattern ...]") }
	if err := flags.Parse(args); err != nil {
		return exitUsage
	}
	patterns := flags.Args()
	if len(patterns) == 0 {
		patterns = []string{"./pool", "./pool/burst", "./sleep"}
	}
	results, err := proveIn(ctx, patterns)
	var by signalled
	if errors.As(err, &by) {
		return 128 + int(by)
	}
	if err == nil {
		_, err = io.WriteString(out, describe(results))
	}
	if err != nil {
		fmt.Fprintln(stderr, "zerocost:", err)
		return exitTrouble
	}
	if !free(results) {
		return exitCosts
	}
	return exitFree
}

// proveIn proves the packages of the module around the current folder.
func proveIn(ctx context.Context, patterns []string) ([]*result, error) {
	scratch, remove, err := private.Temporary("zerocost")
	if err != nil {
		return nil, err
	}
	defer remove() //nolint:errcheck // the next run tries again
	m, err := openModule(ctx, scratch)
	if err != nil {
		return nil, err
	}
	return prove(m, "", patterns)
}

func free(results []*result) bool {
	return !slices.ContainsFunc(results, func(r *result) bool { return len(r.findings) > 0 })
}

// describe returns a line per package, and its findings.
func describe(results []*result) string {
	var b strings.Builder
	for _, r := range results {
		outcome := "identical"
		if n := len(r.findings); n > 0 {
			outcome = fmt.Sprintf("NOT FREE, findings: %d", n)
		}
		fmt.Fprintf(&b, "%s: %d hooked functions of %d, %s\n", r.path, len(r.hooked), len(r.functions), outcome)
		for _, f := range r.findings {
			fmt.Fprintf(&b, "\t%s: %s\n", f.where, f.what)
		}
	}
	return b.String()
}
