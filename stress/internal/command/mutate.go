package command

import (
	"errors"
	"fmt"
	"os"
	"regexp"
	"runtime"
	"slices"
	"strconv"
	"strings"
	"time"

	"github.com/spf13/cobra"

	"github.com/rouse-go/rouse/internal/nearest"
	"github.com/rouse-go/rouse/stress/internal/mutate"
	"github.com/rouse-go/rouse/stress/internal/prose"
	"github.com/rouse-go/rouse/stress/internal/suite"
)

type mutateFlags struct {
	ways       namesFlag
	operators  namesFlag
	ids        []string
	command    string
	budget     spanFlag
	executions Count
	count      Count
	procs      Count
	memory     sizeFlag
	sample     Count
	seed       seedFlag
	since      string
	score      scoreFlag
	out        Path
	outputs    outputFlags
	list       bool
	diff       string
	verbose    bool

	// Flags of go test.
	run, dir string
	build    suite.Build
}

func newMutate() *cobra.Command {
	f := mutateFlags{
		ways: namesFlag{have: mutate.Ways}, operators: namesFlag{have: mutate.OperatorNames()},
		budget: spanFlag(mutate.DefaultBudget), executions: mutate.DefaultExecutions, count: 1, procs: Count(runtime.NumCPU()), seed: mutate.DefaultSeed,
		out: Path{What: "folder"}, outputs: newOutputFlags(),
	}
	c := &cobra.Command{
		Use:   "mutate [PACKAGE...]",
		Short: "Plant concurrency defects in any package, and report which its tests do not detect",
		Long: `Plant concurrency defects in packages, those of the current folder by default, one at a time, and
report which of them the packages' own tests do not detect. Each defect is a mutant: a call of Unlock or
Signal that is deleted, a compare-and-swap that became a store, a condition that is negated. Nothing is
changed in the module: a mutant is a build overlay.

Each mutant is tested in several ways: plain (go test), race (go test -race), stress (stress test
--leaks), stress-race (the same with -race), and by a command of yours. The tests run without a mutant
first, and those that fail are left out. Under stress test, goroutines that a test leaves behind are a
failure, unless it leaves some without a mutant, too. Coverage says which tests see which mutant. The
table shows which way killed how many. A survivor is shown with its place, its change, and the tests
that ran over it. A mutant is dropped if it does not compile, or if the compiler makes the same
instructions of it as of the original.

The score is the share of mutants that were killed, of those that were not dropped.

The flags of go test that are listed below mean what they mean there, with one dash or two.

Exit code 1 if the score is below --score, 2 if a package does not compile or has no tests that
pass.`,
		Example: `  # all mutants of a package, in all ways
  stress mutate ./queue
  # in a pull request: the lines that it changes, 80 % must be killed
  stress mutate ./... --since origin/main --score 0.8
  # a hundred mutants, and the same command goes on where it was stopped
  stress mutate ./... --sample 100 --out mutants
  # with a command of your own: exit code 1 if it detects the mutant
  stress mutate ./queue --way command --command "go test ./integration"
  # only show what could be planted
  stress mutate ./queue --list`,
		Annotations:       map[string]string{anyBuild: ""},
		ValidArgsFunction: cobra.FixedCompletions(nil, cobra.ShellCompDirectiveFilterDirs),
		RunE:              func(c *cobra.Command, args []string) error { return f.mutate(c, args) },
	}
	f.define(c)
	return c
}

func (f *mutateFlags) define(c *cobra.Command) {
	flags := c.Flags()
	flags.Var(&f.ways, "way", "how mutants are tested, separated by commas: "+strings.Join(mutate.Ways, ", ")+" (default "+strings.Join(mutate.DefaultWays, ",")+", and command with --command)")
	flags.StringVar(&f.command, "command", "", "also test by this shell `command`, run with the mutant in GOFLAGS: exit code 0 if it survives, 1 if it is detected")
	flags.Var(&f.budget, "budget", "how long a mutant is tested in each way, without its build")
	flags.Var(&f.executions, "executions", "executions of each test under stress test")
	flags.Var(&f.count, "count", "how often each test runs plainly and with the race detector")
	flags.Var(&f.procs, "procs", "mutants that are tested at a time, by default one for each processor")
	flags.Var(&f.memory, "memory", memoryUsage)
	flags.Var(&f.sample, "sample", "test only so many mutants, drawn by the seed, operators in turn; a larger sample has those of a smaller one (default all)")
	flags.Var(&f.seed, "seed", "seed of the sample and of stress test, decimal or 0x...")
	flags.Lookup("seed").DefValue = strconv.Itoa(mutate.DefaultSeed)
	flags.StringVar(&f.since, "since", "", "only mutants of lines that have changed since this `commit`, and of what is not committed")
	flags.Var(&f.operators, "operator", "only mutants of these operators, separated by commas (default all)")
	flags.StringSliceVar(&f.ids, "id", nil, "only the mutants with these IDs, separated by commas (default all)")
	flags.Var(&f.score, "score", "least score, from 0 to 1: exit code 1 if it is below")
	flags.Var(&f.out, "out", "folder for a journal: the same command goes on where it was stopped")
	flags.BoolVar(&f.list, "list", false, "only list the mutants, with their IDs")
	flags.StringVar(&f.diff, "diff", "", "only show the change of the mutant with this `ID`")
	f.outputs.defineProgress(flags)
	f.outputs.defineMachines(c)
	flags.Var(&f.outputs.markdown, "markdown", "file for a report in Markdown")
	flags.StringVar(&f.run, "run", "", "run the top-level tests that match this `regexp`")
	flags.BoolVar(&f.build.Short, "short", false, "tests may take less time, as testing.Short reports")
	flags.StringVar(&f.build.Tags, "tags", "", "build `tags`, separated by commas")
	for name, usage := range passedToGo {
		flags.Var(&goFlag{name, &f.build.More}, name, usage)
	}
	flags.BoolVar(&f.verbose, "v", false, "mutants that were dropped, too")
	flags.StringVar(&f.dir, "C", "", "change to this `folder` first")
	completeFlag(c, "way", cobra.FixedCompletions(mutate.Ways, cobra.ShellCompDirectiveNoFileComp))
	completeFlag(c, "operator", cobra.FixedCompletions(mutate.OperatorNames(), cobra.ShellCompDirectiveNoFileComp))
	completeFlag(c, "markdown", filesWith("md"))
}

// A namesFlag is a flag: some of the names in have.
type namesFlag struct{ names, have []string }

func (n *namesFlag) String() string { return strings.Join(n.names, ",") }
func (n *namesFlag) Type() string   { return "list" }
func (n *namesFlag) Set(text string) error {
	var names []string
	for name := range strings.SplitSeq(text, ",") {
		if name = strings.TrimSpace(name); !slices.Contains(n.have, name) {
			return fmt.Errorf("unknown name %q; %s", nearest.Clip(name), nearest.Hint(name, n.have))
		}
		names = append(names, name)
	}
	n.names = append(n.names, names...)
	return nil
}

// A scoreFlag is a flag: a share.
type scoreFlag float64

func (s *scoreFlag) String() string { return strconv.FormatFloat(float64(*s), 'g', -1, 64) }
func (s *scoreFlag) Type() string   { return "share" }
func (s *scoreFlag) Set(text string) error {
	share, err := strconv.ParseFloat(text, 64)
	if err != nil || !(share >= 0 && share <= 1) {
		return errors.New("want a number from 0 to 1, such as 0.8")
	}
	*s = scoreFlag(share)
	return nil
}

func (f *mutateFlags) mutate(c *cobra.Command, args []string) error {
	if err := f.check(c); err != nil {
		return err
	}
	if f.dir != "" {
		if err := os.Chdir(f.dir); err != nil {
			return Usage("-C: %w", err)
		}
	}
	o := f.options(args)
	if f.list || f.diff != "" {
		return f.show(c, o)
	}
	reports, err := f.outputs.open(c, f.verbose, files{})
	if err != nil {
		return err
	}
	o.Observers, o.Doing = reports.observers(), reports.console.Doing
	result, err := mutate.Run(c.Context(), o)
	return reports.finished(result.Failed(), result.Broken() > 0, err)
}

// check reports flags that exclude each other or are not valid, before anything is read.
func (f *mutateFlags) check(c *cobra.Command) error {
	switch {
	case f.procs > mostProcs:
		return Usage("invalid argument %q for \"--procs\" flag: want a whole number from 1 to %d", f.procs.String(), mostProcs)
	case f.outputs.plain && f.outputs.quiet:
		return Usage("--plain and --quiet exclude each other, want one of them")
	case f.list && f.diff != "":
		return Usage("--list and --diff exclude each other, want one of them")
	case c.Flags().Changed("command") && f.command == "":
		return Usage("--command: want a command for the shell")
	case c.Flags().Changed("since") && f.since == "":
		return Usage("--since: want a commit, such as origin/main")
	}
	if _, err := regexp.Compile(f.run); err != nil {
		return Usage("-run: %w", err)
	}
	return nil
}

func (f *mutateFlags) options(args []string) mutate.Options {
	return mutate.Options{
		Packages: args, Build: f.build, Run: f.run, Ways: f.ways.names, Command: f.command, Budget: time.Duration(f.budget),
		Executions: int(f.executions), Count: int(f.count), Seed: uint64(f.seed), Sample: int(f.sample), Since: f.since,
		Operators: f.operators.names, IDs: f.ids, Score: float64(f.score), Procs: int(f.procs), Memory: int64(f.memory), Out: f.out.Name,
	}
}

// show lists the mutants, or shows the change of one.
func (f *mutateFlags) show(c *cobra.Command, o mutate.Options) error {
	all, err := mutate.Find(c.Context(), o)
	if err != nil {
		return failedTests(err)
	}
	out, shown := newPrinter(c), 0
	for i := range all {
		m := &all[i]
		switch {
		case f.list:
			out.line("%s\n      %s", m.Title(), m.ID)
		case m.ID == f.diff:
			out.line("%s\n%s", m.Title(), strings.TrimRight(m.Diff, "\n"))
			shown++
		}
	}
	if f.list {
		out.line("%s", prose.Plural(len(all), "mutant"))
	} else if shown == 0 {
		return Usage("--diff: no mutant has the ID %q; --list lists them", nearest.Clip(f.diff))
	}
	return out.end()
}
