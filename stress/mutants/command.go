package mutants

import (
	"errors"
	"fmt"
	"io"

	"github.com/spf13/cobra"

	"github.com/rouse-go/rouse/internal/stdout"
	"github.com/rouse-go/rouse/stress/internal/command"
	"github.com/rouse-go/rouse/stress/internal/report"
)

type flags struct {
	only              []string
	seeds, executions command.Count
	procs             command.Count
	long              bool
	dir, json         command.Path
}

// Command returns the command "mutants".
func Command() *cobra.Command {
	f := flags{seeds: 20, dir: command.Path{Name: ".", What: "folder"}, json: command.Path{What: "file"}}
	c := &cobra.Command{
		Use:   "mutants",
		Short: "Plant defects in sleep and pool, and report which are detected: the mutation score",
		Long: `Plant defects in sleep and pool, one at a time, and report which are detected: the
mutation score. The source is not changed: each mutant is built with an overlay, which
needs the go command and a checkout of this version's source.

Each mutant has programs. Each of them runs under control, by several strategies, in
several series of executions with different seeds. A row of the table has the median
number of executions to the first that detected the mutant. >N: N executions did not
suffice in half of the series. all: an exhaustive search ended and found nothing;
bounded: so did one that left something out. PUBLISHED is the best median of a
prototype, RATIO the best one here as a multiple of it.

The exit code is 1 if a program ended with another verdict than the mutant expects.`,
		Example: `  stress mutants --only no-final-check --only jec-not-moved --seeds 3
  stress mutants --long --json mutants.jsonl`,
		Args: command.NoArgs,
		RunE: func(c *cobra.Command, _ []string) error { return f.command(c) },
	}
	flags := c.Flags()
	flags.StringArrayVar(&f.only, "only", nil, "name of a mutant, instead of all; may be repeated")
	flags.Var(&f.seeds, "seeds", "series of executions for each strategy")
	flags.Var(&f.executions, "executions", "executions of a series, at most (default: of each mutant)")
	flags.BoolVar(&f.long, "long", false, "also what takes minutes")
	flags.Var(&f.procs, "procs", "processes at once (default: one for each processor)")
	flags.Var(&f.dir, "dir", "root of the checkout")
	flags.Var(&f.json, "json", "file for a report in JSON lines, - for standard output")
	if err := c.RegisterFlagCompletionFunc("only", completeNames); err != nil {
		panic(err) // the flag does not exist
	}
	return c
}

func completeNames(*cobra.Command, []string, string) (names []cobra.Completion, _ cobra.ShellCompDirective) {
	all, err := all()
	if err != nil {
		return nil, cobra.ShellCompDirectiveNoFileComp
	}
	for _, m := range all {
		names = append(names, cobra.CompletionWithDesc(m.name, m.about))
	}
	return names, cobra.ShellCompDirectiveNoFileComp
}

func (f *flags) command(c *cobra.Command) error {
	all, err := all()
	if err != nil {
		return command.Failed(err)
	}
	chosen, err := choose(all, f.only)
	if err != nil {
		return command.Usage("--only: %w", err)
	}
	checkout, err := openCheckout(f.dir.Name)
	switch {
	case errors.Is(err, errNoGo):
		return command.Failed(err)
	case err != nil:
		return command.Usage("--dir: %w", err)
	}
	if err := checkout.check(chosen); err != nil {
		return command.Usage("%w", err)
	}
	out, lines, closed := c.OutOrStdout(), io.Discard, func() error { return nil }
	switch f.json.Name {
	case "":
	case "-":
		if err := stdout.Replaced(); err != nil {
			return command.Failed(fmt.Errorf("--json -: %w", err))
		}
		lines, out = out, c.ErrOrStderr()
	default:
		file, err := report.CreateFile(f.json.Name)
		if err != nil {
			return command.Usage("--json %w", err)
		}
		lines, closed = file, file.Close
	}
	score, err := f.plant(c, checkout, chosen, table{out: out}, lines)
	err = errors.Join(err, closed())
	switch {
	case err != nil:
		return command.Failed(err)
	case !score.asExpected():
		return &command.ExitError{Code: command.ExitFailed}
	}
	return nil
}

func (f *flags) plant(c *cobra.Command, checkout checkout, chosen []mutant, t table, report io.Writer) (score, error) {
	if err := t.head(); err != nil {
		return score{}, err
	}
	s, err := f.run(c.Context(), checkout, chosen, func(o outcome) error {
		return errors.Join(t.row(o), jsonError(writeTrial(report, o)))
	})
	if err != nil {
		return s, err
	}
	return s, errors.Join(t.end(s), jsonError(writeScore(report, s)))
}

func jsonError(err error) error {
	if err != nil {
		return fmt.Errorf("--json: %w", err)
	}
	return nil
}
