package main

import (
	"bytes"
	"context"
	"errors"
	"flag"
	"fmt"
	"io"
	"maps"
	"os"
	"os/signal"
	"slices"
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
	tags := flags.String("tags", "", "build `tags` of the tree that has the hooks; with chaos, the proof must fail")
	keep := flags.String("keep", "", "leave the stripped tree and the binaries in `folder`")
	flags.Usage = func() {
		fmt.Fprintln(stderr, "usage: zerocost [-tags tags] [-keep folder] [package pattern ...]")
		flags.PrintDefaults()
	}
	if err := flags.Parse(args); err != nil {
		return exitUsage
	}
	patterns := flags.Args()
	if len(patterns) == 0 {
		patterns = []string{"./pool", "./pool/burst", "./sleep"}
	}
	r, err := proveIn(ctx, *keep, *tags, patterns)
	var by signalled
	if errors.As(err, &by) {
		return 128 + int(by)
	}
	if err != nil {
		fmt.Fprintln(stderr, "zerocost:", err)
		return exitTrouble
	}
	var text bytes.Buffer
	r.print(&text)
	if _, err := out.Write(text.Bytes()); err != nil {
		fmt.Fprintln(stderr, "zerocost:", err)
		return exitTrouble
	}
	if !r.free() {
		return exitCosts
	}
	return exitFree
}

func proveIn(ctx context.Context, keep, tags string, patterns []string) (*report, error) {
	scratch := keep
	if scratch == "" {
		dir, remove, err := private.Temporary("zerocost")
		if err != nil {
			return nil, err
		}
		defer remove() //nolint:errcheck // the next run tries again
		scratch = dir
	}
	t, err := openTree(ctx, ".", scratch)
	if err != nil {
		return nil, err
	}
	return prove(t, tags, patterns...)
}

// print writes a line per package, and what was found below it.
func (r *report) print(w io.Writer) {
	for _, v := range r.packages {
		fmt.Fprintf(w, "%s: %d hooked functions of %d, %s\n", v.path, len(v.hooked), v.total, outcome(v.findings, "identical"))
		printFindings(w, v.findings)
		for _, symbol := range slices.Sorted(maps.Keys(v.noops)) {
			fmt.Fprintf(w, "\t(%s: %+d no-ops, with which the compiler marks inlined calls and aligns branches)\n", symbol, v.noops[symbol])
		}
	}
	fmt.Fprintf(w, "the binary: %s\n", outcome(r.binary, "nothing in it because of hooks"))
	printFindings(w, r.binary)
}

func outcome(findings []finding, free string) string {
	if len(findings) == 0 {
		return free
	}
	return fmt.Sprintf("NOT FREE, findings: %d", len(findings))
}

// shown bounds the findings that are printed of a package, or of the binary: in a
// chaos build there are hundreds.
const shown = 40

func printFindings(w io.Writer, findings []finding) {
	for i, f := range findings {
		if i == shown {
			fmt.Fprintf(w, "\t... and %d more\n", len(findings)-shown)
			return
		}
		fmt.Fprintf(w, "\t%s: %s\n", f.fn, f.what)
		for _, line := range f.detail {
			fmt.Fprintf(w, "\t\t%s\n", line)
		}
	}
}
