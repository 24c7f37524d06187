package mutants

import (
	"context"
	"errors"
	"fmt"
	"io"

	"github.com/spf13/cobra"

	"github.com/rouse-go/rouse/internal/stdout"
	"github.com/rouse-go/rouse/stress"
	"github.com/rouse-go/rouse/stress/internal/command"
)

type mutantsFlags struct {
	only              []string
	seeds, executions command.Count
	procs             command.Count
	long              bool
	dir, json         command.Path
}

// Command is the command that plants the mutants.
func Command() *cobra.Command {
	f := mutantsFlags{seeds: 20, dir: command.Path{Name: ".", What: "folder"}, json: command.Path{What: "file"}}
	c := &cobra.Command{
		Use:   "mutants",
		Short: "Plant defects in sleep and pool, and say which are seen: the mutation score",
		Long: `Plant defects in sleep and pool, one at a time, and say which are seen: the
mutation score. Nothing in the source changes: each mutant is built with an overlay.
That needs the go command, and a checkout of this version's source.

Each of a mutant's programs is run under control, by several strategies, a number of
times from other seeds. What is printed is how many executions it took to the first
that was convicted: the median. A number behind > did not do in half of the series,
"all" is an exhaustive search that has convicted nothing, and
"bounded" one that has left something out. PUBLISHED is the best
median of a prototype, RATIO the best one here as a multiple of it.

Exit code 1 if a program came to another verdict than is expected of it.`,
		Args: command.NoArgs,
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
	all, err := All()
	if err != nil {
		return command.Failed(err)
	}
	chosen, err := Choose(all, f.only)
	if err != nil {
		return command.Usage("--only: %w", err)
	}
	checkout, err := OpenCheckout(f.dir.Name)
	switch {
	case errors.Is(err, ErrNoGo):
		return command.Failed(err)
	case err != nil:
		return command.Usage("--dir: %w", err)
	}
	if err := checkout.Check(chosen); err != nil {
		return command.Usage("%w", err)
	}
	out, report := c.OutOrStdout(), &JSONLines{Out: io.Discard}
	var file *stress.File
	switch f.json.Name {
	case "":
	case "-":
		if err := stdout.Replaced(); err != nil {
			return command.Failed(fmt.Errorf("--json -: %w", err))
		}
		report.Out, out = out, c.ErrOrStderr()
	default:
		if file, err = stress.CreateFile(f.json.Name); err != nil {
			return command.Usage("--json %w", err)
		}
		report.Out = file
	}
	score, err := f.plant(c.Context(), checkout, chosen, &Table{Out: out}, report)
	if file != nil {
		err = errors.Join(err, file.Close())
	}
	switch {
	case err != nil:
		return command.Failed(err)
	case !score.AsExpected():
		return &command.ExitError{Code: command.ExitConvicted}
	}
	return nil
}

func (f *mutantsFlags) plant(ctx context.Context, checkout Checkout, chosen []Mutant,
	table *Table, report *JSONLines) (Score, error) {
	table.Head()
	score, err := Run(ctx, checkout, chosen, Options{
		Seeds: int(f.seeds), Executions: int(f.executions), Long: f.long, Procs: int(f.procs),
	}, func(o Outcome) {
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
