package main

import (
	"context"
	"crypto/rand"
	"encoding/binary"
	"fmt"
	"io"
	"os"
	"time"

	"github.com/spf13/cobra"
	"golang.org/x/term"

	"github.com/rouse-go/rouse/stress"
)

// seedEnv gives the campaign seed where no flag can be added.
const seedEnv = "CHAOS_SEED"

// mostProcs is more than any machine has processors for.
const mostProcs = 1024

type runFlags struct {
	span       span
	executions count
	seed       seed
	procs      count
	out        path
	json       path
	file       path
	sleep      strategies
}

func newRun() *cobra.Command {
	f := runFlags{
		span: span(stress.DefaultFor), procs: 1,
		out: path{stress.DefaultOut, "folder"}, json: path{what: "file"}, file: path{what: "file"},
	}
	c := &cobra.Command{
		Use:   "run [SCENARIO...]",
		Short: "Run the scenarios, all if none is named, and say what was convicted",
		Long: `Run the scenarios, all if none is named, each in a process of its own.

A native scenario runs truly parallel, in one process after the other. A controlled one
(mode: control) runs one task at a time, under one schedule after the other, in --procs
processes at a time with one processor each.

The time is divided over the scenarios; one that ends early leaves its time to
those that follow. A conviction that was not expected is recorded in the folder
--out; given explicitly, it receives expected convictions as well.

With --sleep, each scenario is run with each of these strategies of sleep, instead of
its own (sleep.Variants; all is all of them). What is expected of it then, and which of
its faults do not concern that strategy, says the scenario (except) or the file (absent).
A scenario that names a strategy itself is about that one, and is run as it is.`,
		RunE: func(c *cobra.Command, args []string) error { return f.run(c, args) },
	}
	flags := c.Flags()
	flags.Var(&f.span, "for", "how long the campaign is to take")
	flags.Var(&f.executions, "executions", "executions of each scenario, instead of a time; each of its pool sizes runs once at least")
	flags.Var(&f.seed, "seed", "campaign seed, decimal or 0x...; else $"+seedEnv+", else random")
	flags.Var(&f.procs, "procs", "processes that explore a controlled scenario at a time; what is found does not depend on it")
	flags.Var(&f.out, "out", "folder for recordings, created when there is one")
	flags.Var(&f.json, "json", "file for a report in JSON lines, - for standard output")
	flags.Var(&f.sleep, "sleep", "strategies of sleep, by name, separated by commas, or all, instead of the scenarios' own")
	flags.Var(&f.file, "file", "scenario file (default: the campaign in the binary)")
	return c
}

func (f *runFlags) run(c *cobra.Command, args []string) error {
	if c.Flags().Changed("for") && c.Flags().Changed("executions") {
		return usage("--for and --executions exclude each other, want one of them")
	}
	if f.procs > mostProcs {
		return usage("invalid argument %q for \"--procs\" flag: want a whole number from 1 to %d", f.procs.String(), mostProcs)
	}
	if !c.Flags().Changed("seed") {
		if err := f.defaultSeed(); err != nil {
			return err
		}
	}
	all, err := loadScenarios(f.file.name)
	if err != nil {
		return err
	}
	scenarios, err := choose(all, args)
	if err != nil {
		return err
	}
	if len(f.sleep) > 0 {
		scenarios = stress.WithEach(scenarios, f.sleep)
	}
	if err := stress.CheckOut(f.out.name); err != nil {
		return usage("--out %w", err)
	}
	report, err := f.openReport(c.OutOrStdout())
	if err != nil {
		return err
	}
	return f.campaign(c.Context(), scenarios, stress.Options{
		Seed: uint64(f.seed), For: time.Duration(f.span), Executions: int(f.executions), Procs: int(f.procs),
		Out: f.out.name, RecordExpected: c.Flags().Changed("out"),
	}, newConsole(c.OutOrStdout(), c.ErrOrStderr(), f.json.name == "-"), report)
}

// defaultSeed takes the seed from the environment, or draws one.
func (f *runFlags) defaultSeed() error {
	if text := os.Getenv(seedEnv); text != "" {
		if err := f.seed.Set(text); err != nil {
			return usage("invalid value %q of $%s: %w", text, seedEnv, err)
		}
		return nil
	}
	var b [8]byte
	rand.Read(b[:]) //nolint:errcheck // it never fails
	f.seed = seed(binary.LittleEndian.Uint64(b[:]))
	return nil
}

// A jsonReport is where the report for machines goes, if anywhere.
type jsonReport struct {
	lines *stress.JSONLines
	file  *stress.File
}

func (f *runFlags) openReport(out io.Writer) (r jsonReport, err error) {
	switch f.json.name {
	case "":
	case "-":
		r.lines = stress.NewJSONLines(out)
	default:
		if r.file, err = stress.CreateFile(f.json.name); err != nil {
			return r, usage("--json %w", err)
		}
		r.lines = stress.NewJSONLines(r.file)
	}
	return r, nil
}

// close puts the report in its place and returns what went wrong with it.
func (r jsonReport) close() error {
	if r.lines == nil {
		return nil
	}
	err := r.lines.Err()
	if r.file != nil {
		err = r.file.Close() // it has the error of the lines, too
	}
	if err != nil {
		return fmt.Errorf("--json: %w", err)
	}
	return nil
}

func newConsole(out, errs io.Writer, jsonOnOut bool) *stress.Console {
	if jsonOnOut {
		out = errs
	}
	return &stress.Console{
		Out: out, OutWidth: terminalWidth(out),
		Status: errs, StatusWidth: terminalWidth(errs),
		Command: called(),
	}
}

// terminalWidth returns what asks for the width of the terminal that is written
// to, or nil if it is none.
func terminalWidth(w io.Writer) func() int {
	if s, ok := w.(*sink); ok {
		w = s.Writer
	}
	f, ok := w.(*os.File)
	if !ok || !term.IsTerminal(int(f.Fd())) {
		return nil
	}
	return func() int {
		if width, _, err := term.GetSize(int(f.Fd())); err == nil && width > 0 {
			return width
		}
		return 80
	}
}

func (f *runFlags) campaign(ctx context.Context, scenarios []stress.Scenario, o stress.Options,
	console *stress.Console, report jsonReport) error {
	o.Observers = []stress.Observer{console}
	if report.lines != nil {
		o.Observers = append(o.Observers, report.lines)
	}
	result, err := stress.Run(ctx, scenarios, o)
	closed := report.close()
	switch {
	case err != nil:
		return failed(err)
	case closed != nil:
		return failed(closed)
	case console.Err() != nil:
		return failed(console.Err())
	case !result.AsExpected():
		return &exitError{exitConvicted, nil}
	}
	return nil
}
