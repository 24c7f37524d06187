package main

import (
	"context"
	"errors"
	"fmt"
	"io"

	"github.com/spf13/cobra"

	"github.com/rouse-go/rouse/stress"
	"github.com/rouse-go/rouse/stress/mutants"
)

type mutantsFlags struct {
	only              []string
	seeds, executions count
	procs             count
	long              bool
	dir, json         path
}

func newMutants() *cobra.Command {
	f := mutantsFlags{seeds: 20, dir: path{".", "folder"}, json: path{what: "file"}}
	c := &cobra.Command{
		Use:   "mutants",
		Short: "Plant defects in sleep and pool, and say which are seen: the mutation score",
		Long: `Plant defects in sleep and pool, one at a time, and say which are seen: the
mutation score. Nothing in the source changes: each mutant is built with an overlay.
That needs the go command, and a checkout of this version's source.

Each of a mutant's programs is run under control, by several strategies, a number of
times from other seeds. What is printed is how many executions it took to the first
that was convicted: the median. A number behind > did not do in half of the series,
and "all" is an exhaustive search that has convicted nothing. PUBLISHED is the best
median of a prototype, RATIO the best one here as a multiple of it.

Exit code 1 if a program came to another verdict than is expected of it.`,
		Args: noArgs,
		RunE: func(c *cobra.Command, _ []string) error { return f.run(c) },
	}
	flags := c.Flags()
	flags.StringArrayVar(&f.only, "only", nil, "name of a mutant, instead of all; may be given several times")
	flags.Var(&f.seeds, "seeds", "series of executions for each strategy")
	flags.Var(&f.executions, "executions", "executions of a series, at most (default: as each mutant says)")
	flags.BoolVar(&f.long, "long", false, "also what takes minutes")
	flags.Var(&f.procs, "procs", "processes at once (default: one for each processor)")
	flags.Var(&f.dir, "dir", "root of the checkout")
	flags.Var(&f.json, "json", "file for a report in JSON lines, - for standard output")
	return c
}

func (f *mutantsFlags) run(c *cobra.Command) error {
	all, err := mutants.All()
	if err != nil {
		return failed(err)
	}
	chosen, err := mutants.Choose(all, f.only)
	if err != nil {
		return usage("--only: %w", err)
	}
	checkout, err := mutants.OpenCheckout(f.dir.name)
	switch {
	case errors.Is(err, mutants.ErrNoGo):
		return failed(err)
	case err != nil:
		return usage("--dir: %w", err)
	}
	if err := checkout.Check(chosen); err != nil {
		return usage("%w", err)
	}
	out, report := c.OutOrStdout(), &mutants.JSONLines{Out: io.Discard}
	var file *stress.File
	switch f.json.name {
	case "":
	case "-":
		report.Out, out = out, c.ErrOrStderr()
	default:
		if file, err = stress.CreateFile(f.json.name); err != nil {
			return usage("--json %w", err)
		}
		report.Out = file
	}
	score, err := f.plant(c.Context(), checkout, chosen, &mutants.Table{Out: out}, report)
	if file != nil {
		err = errors.Join(err, file.Close())
	}
	switch {
	case err != nil:
		return failed(err)
	case !score.AsExpected():
		return &exitError{exitConvicted, nil}
	}
	return nil
}

func (f *mutantsFlags) plant(ctx context.Context, checkout mutants.Checkout, chosen []mutants.Mutant,
	table *mutants.Table, report *mutants.JSONLines) (mutants.Score, error) {
	table.Head()
	score, err := mutants.Run(ctx, checkout, chosen, mutants.Options{
		Seeds: int(f.seeds), Executions: int(f.executions), Long: f.long, Procs: int(f.procs),
	}, func(o mutants.Outcome) {
		table.Row(o)
		report.Trial(o)
	})
	if err != nil {
		return score, err
	}
	table.End(score)
	report.End(score)
	if report.Err != nil {
		return score, fmt.Errorf("--json: %w", report.Err)
	}
	return score, table.Err
}
