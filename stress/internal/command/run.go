package command

import (
	"crypto/rand"
	"encoding/binary"
	"fmt"
	"os"
	"path/filepath"
	"time"

	"github.com/spf13/cobra"

	"github.com/rouse-go/rouse/internal/shell"
	"github.com/rouse-go/rouse/stress/internal/campaign"
	"github.com/rouse-go/rouse/stress/internal/report"
	"github.com/rouse-go/rouse/stress/internal/run"
	"github.com/rouse-go/rouse/stress/scenario"
)

// seedEnv is the variable with the campaign seed, for places where no flag can be added.
const seedEnv = "CHAOS_SEED"

// mostProcs is more than any machine has processors for.
const mostProcs = 1024

type runFlags struct {
	program    *program
	span       spanFlag
	executions Count
	seed       seedFlag
	procs      Count
	out        Path
	outputs    outputFlags
	file       Path
	variant    variantsFlag
	group      string
	resume     bool
	keep       bool
	shard      shardFlag
	search     searchFlag
}

func newRun(m *program) *cobra.Command {
	f := runFlags{
		program: m, span: spanFlag(campaign.DefaultFor), procs: 1,
		out: Path{Name: campaign.DefaultOut, What: "folder"}, outputs: newOutputFlags(), file: Path{What: "file"}, search: newSearch(),
	}
	c := &cobra.Command{
		Use:   "run [SCENARIO...]",
		Short: "Run the scenarios, all if none is named, and report what fails",
		Example: `  # all scenarios, for a minute; then for four hours, with a journal and reports
  stress run
  stress run --for 4h --out recordings --junit junit.xml --report report.html
  # continue after an interruption
  stress run --resume --out recordings
  # the scenarios of your own file, 200 executions of each, from a fixed seed
  stress run --file mine.yaml --group ours --executions 200 --seed 7
  # the second of four machines
  stress run --seed 7 --for 1h --shard 1/4 --json shard1.jsonl
  # with every variant of the subjects
  stress run --variant all`,
		Long: `Run the scenarios, all if none is named, each in a process of its own, and report what fails.

A native scenario runs in parallel, in one process after the other. A controlled scenario
(mode: control) runs one task at a time, under one schedule after the other, in --procs
processes of one processor each.

--for divides the time among the scenarios; what one does not use goes to those after it. A
failure that is not expected is recorded in the folder --out; with --keep-controls, those that
controls expect as well.

An unexpected failure of a native scenario starts a search: the same subject, workload and plan
under control, one schedule after the other, for as long as --search says. What it finds is shrunk
and recorded beside the native execution, and repeats exactly.

If --out is given, the folder also gets a journal: the number of each execution before it runs,
and its result after. --resume continues the campaign after any interruption, with the same
seed, the remaining time or executions, and all results so far. What was in progress runs
again. Name the scenarios as before; the seed, --for, --executions, --search and
--keep-controls come from the journal. Without a journal --resume begins a campaign, so that a job can always pass it.

--shard i/n runs part i, from 0, of a campaign that n machines share. The numbers of the
executions decide which these are, so all shards together run what one campaign with the same
seed runs, except that each searches for an expected failure by itself. What one shard cannot
decide is reported as open, which is no failure; stress merge decides.

--variant runs each scenario with each of these variants of its subject instead of the default.
The scenario (except) or the file (absent) says what is expected then. A scenario that names a
variant itself runs with that one.`,
		RunE: func(c *cobra.Command, args []string) error { return f.run(c, args) },
	}
	f.define(c)
	return c
}

func (f *runFlags) define(c *cobra.Command) {
	flags := c.Flags()
	flags.Var(&f.span, "for", "duration of the campaign")
	flags.Var(&f.executions, "executions", "executions of each scenario, instead of a duration; each of its settings runs at least once")
	flags.Var(&f.seed, "seed", "campaign seed, decimal or 0x...; else $"+seedEnv+", else random")
	flags.Var(&f.procs, "procs", "processes that explore a controlled scenario at a time; they do not change what is found")
	flags.Var(&f.out, "out", "folder for recordings and the journal, created when needed")
	flags.Var(&f.shard, "shard", "run part i, from 0, of n of the campaign; needs --seed, the same for all")
	flags.BoolVar(&f.resume, "resume", false, "continue where the journal in --out stops; begin if there is none")
	flags.Var(&f.search, "search", searchUsage+"; of --for, at most a quarter for all of them")
	flags.BoolVar(&f.keep, "keep-controls", false, "also record the failures that controls expect")
	f.outputs.defineReports(c)
	f.outputs.defineProgress(flags)
	f.variant.have = variantsOf("", f.program.subjects)
	flags.Var(&f.variant, "variant", "variants of the subjects instead of the default, separated by commas, or all")
	flags.Var(&f.file, "file", "scenario file, which may extend the campaign in the binary (default: that campaign)")
	flags.StringVar(&f.group, "group", "", "run the scenarios of this `group`")
	f.completeNames(c)
}

func (f *runFlags) run(c *cobra.Command, args []string) error {
	if err := f.check(c); err != nil {
		return err
	}
	scenarios, err := f.scenarios(args)
	if err != nil {
		return err
	}
	if err := report.CheckOut(f.out.Name); err != nil {
		return unopened("--out", err)
	}
	journal := f.resume || c.Flags().Changed("out")
	resume, err := f.readJournal(c, scenarios, journal)
	if err != nil {
		return err
	}
	if resume == nil {
		if err := f.chooseSeed(c); err != nil {
			return err
		}
	}
	if err := f.reportsApart(); err != nil {
		return err
	}
	reports, err := f.outputs.open(c, false, f.files())
	if err != nil {
		return err
	}
	result, err := campaign.Run(c.Context(), scenarios, campaign.Options{
		Seed: uint64(f.seed), For: time.Duration(f.span), Executions: int(f.executions), Procs: int(f.procs),
		Out: f.out.Name, RecordExpected: f.keep, Journal: journal, Resume: resume, Shard: scenario.Shard(f.shard),
		Search: f.search.SearchBudget, Subjects: f.program.subjects,
		Observers: f.program.campaignObservers(c.Context(), reports),
	})
	err = reports.finished(!result.AsExpected(), false, err)
	if result.Interrupted && journal {
		fmt.Fprintf(c.ErrOrStderr(), "to continue: the same command with --resume and --out %s\n", shell.Quote(f.out.Name)) //nolint:errcheck // the campaign has ended
	}
	return err
}

// check reports flags that exclude each other, before anything is read.
func (f *runFlags) check(c *cobra.Command) error {
	switch {
	case c.Flags().Changed("for") && c.Flags().Changed("executions"):
		return Usage("--for and --executions exclude each other, want one of them")
	case f.procs > mostProcs:
		return Usage("invalid argument %q for \"--procs\" flag: want a whole number from 1 to %d", f.procs.String(), mostProcs)
	case f.outputs.plain && f.outputs.quiet:
		return Usage("--plain and --quiet exclude each other, want one of them")
	}
	return nil
}

// scenarios returns the scenarios that the arguments and flags choose.
func (f *runFlags) scenarios(names []string) ([]scenario.Scenario, error) {
	all, err := f.program.loadScenarios(f.file.Name)
	if err != nil {
		return nil, err
	}
	if f.group != "" && len(names) > 0 {
		return nil, Usage("--group and names of scenarios exclude each other, want one of them")
	}
	if all, err = ofGroup(all, f.group); err != nil {
		return nil, err
	}
	chosen, err := choose(all, names)
	if err != nil {
		return nil, err
	}
	if len(f.variant.chosen) > 0 {
		chosen = scenario.WithEach(chosen, f.variant.chosen, f.program.subjects)
	}
	return chosen, nil
}

// chooseSeed sets the seed of a new campaign, unless the flag has set it.
func (f *runFlags) chooseSeed(c *cobra.Command) error {
	if err := f.seed.choose(c); err != nil {
		return err
	}
	if f.shard.Of > 1 && !c.Flags().Changed("seed") && os.Getenv(seedEnv) == "" {
		return Usage("--shard needs --seed, the same for all shards, or $%s", seedEnv)
	}
	return nil
}

// files returns the files that the command reads and writes, without its reports.
func (f *runFlags) files() files {
	journal := filepath.Join(f.out.Name, campaign.JournalName)
	all := files{scenarios: f.file.Name, write: []namedFile{{as: "the journal " + journal, path: journal}}}
	if f.file.Name != "" {
		all.reads = []namedFile{{as: "--file " + f.file.Name, path: f.file.Name}}
	}
	return all
}

// reportsApart reports outputs that could replace a recording of the same campaign.
func (f *runFlags) reportsApart() error {
	for _, w := range f.outputs.wanted() {
		path := resolved(w.path)
		if filepath.Dir(path) == resolved(f.out.Name) && run.IsOfRecording(path) {
			return Usage("%s: recordings are written there under such names: want another ending, or another folder", w.as)
		}
	}
	return nil
}

// choose sets the seed from the environment, or draws one, unless the flag has set it.
func (s *seedFlag) choose(c *cobra.Command) error {
	if c.Flags().Changed("seed") {
		return nil
	}
	if text := os.Getenv(seedEnv); text != "" {
		if err := s.Set(text); err != nil {
			return Usage("invalid value %q of $%s: %w", text, seedEnv, err)
		}
		return nil
	}
	var b [8]byte
	rand.Read(b[:]) //nolint:errcheck // it never fails
	*s = seedFlag(binary.LittleEndian.Uint64(b[:]))
	return nil
}
