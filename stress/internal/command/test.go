package command

import (
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"regexp"
	"runtime"
	"slices"
	"strings"
	"time"

	"github.com/spf13/cobra"

	"github.com/rouse-go/rouse/chaos/goroot/wire"
	"github.com/rouse-go/rouse/chaos/strategy"
	"github.com/rouse-go/rouse/internal/nearest"
	"github.com/rouse-go/rouse/internal/shell"
	"github.com/rouse-go/rouse/stress/internal/called"
	"github.com/rouse-go/rouse/stress/internal/report"
	"github.com/rouse-go/rouse/stress/internal/suite"
)

type testFlags struct {
	span         spanFlag
	executions   Count
	seed         seedFlag
	strategy     string
	clock        clockFlag
	leaks        bool
	uncontrolled uncontrolledFlag
	memory       sizeFlag
	native       bool
	maxSteps     Count
	procs        Count
	timeout      spanFlag
	out          Path
	outputs      outputFlags
	replay       Path
	search       searchFlag

	// Flags of go test.
	run, skip, dir string
	since          string
	count          againFlag
	verbose        bool
	build          suite.Build
}

// anyBuild is the annotation of commands that need no hook points.
const anyBuild = "any build"

func newTest() *cobra.Command {
	f := testFlags{
		uncontrolled: uncontrolledFlag(uncontrolledValues[0]), strategy: suite.DefaultStrategy, clock: suite.DefaultClock, procs: Count(runtime.NumCPU()),
		timeout: spanFlag(suite.DefaultTimeout), out: Path{What: "folder"}, outputs: newOutputFlags(), replay: Path{What: "file"}, search: newSearch(),
	}
	c := &cobra.Command{
		Use:   "test [PACKAGE...]",
		Short: "Run a module's own tests, each under many schedules, with nothing changed",
		Long: `Run the tests of packages, those of the current folder by default, each under many schedules.
Neither the module nor its dependencies are changed: the Go runtime and the standard library are built
with an overlay in which one goroutine runs at a time and every operation that others could see is a
decision. The first run builds the standard library once more, which takes half a minute and is cached.

A test fails if it fails or panics under some schedule, on a fatal error, if goroutines wait for each
other, even while others continue, on a data race with -race, and with --leaks if it leaves goroutines
behind. The schedule is shrunk, recorded in testdata/chaos/TEST of the package, and repeated first the
next time. A test that does not do the same each time that the schedule is the same, because it uses the
network for example, is reported as uncontrolled, which is neither a pass nor a failure; --uncontrolled
fail is for CI, and fails as well if the TestMain of a package does not run its tests.

By default a test has at most 1,000 executions. It has fewer if a few are all there are, such as one of
a test that starts no goroutine; if 256 have had each of their partial orders at least twice; or if its
share of the time is up: all tests together take at most 10 s and a quarter of a second for each, or
three minutes, after they are built.

A package that is named and has passed is not tested again until its test binary, the flags, or files and
variables that the tests have read have changed: (cached), as go test says it. --since leaves out packages
that have not changed since a commit.

The flags of go test that are listed below mean what they mean there, with one dash or two; arguments
for the tests follow -args. -timeout is how long an execution may make no progress before its process
is ended.

Exit code 1 if a test failed, or with --uncontrolled fail is uncontrolled or not run by its TestMain,
2 if a package does not compile, its tests cannot be listed, or no test has run. With --replay, 1
whether the failure came back or not.`,
		Example: `  # every test of the module, each under up to 1,000 schedules
  stress test ./...
  # one test for ten minutes, with the race detector
  stress test ./queue -run TestClose --for 10m --strategy 'pct(3)' -race
  # what a branch changes, and what depends on it
  stress test ./... --since origin/main
  # a page of each failure, and an index
  stress test ./... --report failures/
  # repeat a failure exactly
  stress test ./queue -run '^TestClose$' --replay queue/testdata/chaos/TestClose/5be0cd19137e2179.rouse`,
		Annotations:       map[string]string{anyBuild: ""},
		ValidArgsFunction: cobra.FixedCompletions(nil, cobra.ShellCompDirectiveFilterDirs),
		RunE:              func(c *cobra.Command, args []string) error { return f.test(c, args) },
	}
	f.define(c)
	return c
}

func (f *testFlags) define(c *cobra.Command) {
	flags := c.Flags()
	flags.Var(&f.executions, "executions", fmt.Sprintf("executions of each test, exactly (default %d, or fewer: see above)", suite.DefaultExecutions))
	flags.Var(&f.span, "for", "duration of the run, divided among the tests, instead of a number of executions")
	flags.Var(&f.seed, "seed", "seed of the run, decimal or 0x...; else $"+seedEnv+", else random")
	flags.StringVar(&f.strategy, "strategy", f.strategy, "`name` of the strategy: "+strings.Join(strategy.Names(), ", "))
	flags.Var(&f.clock, "clock", "lazy: time passes when nothing else can happen; racy: timers may fire early; mixed: racy in every fourth execution, and by half a millisecond in another fourth")
	flags.BoolVar(&f.leaks, "leaks", false, "a test that leaves goroutines behind fails")
	flags.Var(&f.uncontrolled, "uncontrolled", "what a test that is uncontrolled does to the exit code: pass or fail")
	flags.BoolVar(&f.native, "native", false, "goroutines run in parallel, with random delays, for what cannot be controlled; a failure has no schedule, and is searched for under control")
	flags.Var(&f.search, "search", "with --native: "+searchUsage+"; of --for, at most a quarter for all of them")
	flags.Var(&f.maxSteps, "max-steps", fmt.Sprintf("operations after which an execution is cut (default %d)", wire.DefaultMaxSteps))
	flags.Var(&f.procs, "procs", "processes at a time, by default one for each processor, with --native one for two; they do not change what is found")
	flags.Var(&f.memory, "memory", memoryUsage)
	flags.StringVar(&f.since, "since", "", "test the packages that have changed since this `commit` of git, or whose dependencies have")
	flags.Var(&f.out, "out", "folder for recordings (default: testdata/chaos in the folder of the package)")
	flags.Var(&f.replay, "replay", "repeat this recording exactly, instead of exploring")
	f.outputs.defineProgress(flags)
	f.outputs.defineReports(c)
	flags.StringVar(&f.run, "run", "", "run the tests that match this `regexp`")
	flags.StringVar(&f.skip, "skip", "", "leave out the tests that match this `regexp`")
	flags.BoolVar(&f.build.Race, "race", false, "build with the race detector: a data race fails the test")
	flags.BoolVar(&f.build.Short, "short", false, "tests may take less time, as testing.Short reports")
	flags.StringVar(&f.build.Exec, "exec", "", "`program` that runs the test binaries, with its arguments: an emulator, for another GOARCH")
	flags.StringVar(&f.build.Tags, "tags", "", "build `tags`, separated by commas")
	for name, usage := range passedToGo {
		flags.Var(&goFlag{name, &f.build.More}, name, usage)
	}
	flags.BoolVar(&f.verbose, "v", false, "notes on tests that pass, too")
	flags.Var(&f.timeout, "timeout", "longest time that an execution may make no progress before its process is ended")
	flags.Var(&f.count, "count", "1: test packages again that have passed, instead of reporting them as (cached)")
	flags.StringVar(&f.dir, "C", "", "change to this `folder` first")
	completeFlag(c, "strategy", cobra.FixedCompletions(strategy.Names(), cobra.ShellCompDirectiveNoFileComp))
	completeFlag(c, "clock", cobra.FixedCompletions(clocks, cobra.ShellCompDirectiveNoFileComp))
	completeFlag(c, "replay", filesWith("rouse"))
}

// An againFlag is the flag -count of go test, of which only the value is known that turns its cache off.
type againFlag bool

func (a *againFlag) String() string { return "" }
func (a *againFlag) Type() string   { return "1" }
func (a *againFlag) Set(text string) error {
	if text != "1" {
		return errors.New("want 1: a test runs --executions times")
	}
	*a = true
	return nil
}

// resultsEnv names the folder of results of packages that have passed; resultsOff means none.
const (
	resultsEnv = "ROUSE_RESULTS"
	resultsOff = "off"
)

// cached returns the cache of the run; nil if there is none.
func (f *testFlags) cached(c *cobra.Command) (*suite.Cache, error) {
	dir := os.Getenv(resultsEnv)
	switch {
	case dir == resultsOff:
		return nil, nil
	case dir != "" && !filepath.IsAbs(dir):
		return nil, Usage("$%s: found %q, want an absolute path, or %s", resultsEnv, nearest.Clip(dir), resultsOff)
	}
	return &suite.Cache{Dir: dir, AnySeed: !c.Flags().Changed("seed") && os.Getenv(seedEnv) == "", Again: bool(f.count)}, nil
}

// clocks lists the clocks of a test.
var clocks = []string{"lazy", "racy", "mixed"}

// An uncontrolledFlag is a flag: whether an uncontrolled test fails the run.
type uncontrolledFlag string

const uncontrolledFails = "fail"

var uncontrolledValues = []string{"pass", uncontrolledFails}

func (u *uncontrolledFlag) String() string { return string(*u) }
func (u *uncontrolledFlag) Type() string   { return strings.Join(uncontrolledValues, "|") }
func (u *uncontrolledFlag) Set(text string) error {
	if !slices.Contains(uncontrolledValues, text) {
		return fmt.Errorf("want %s", strings.Join(uncontrolledValues, " or "))
	}
	*u = uncontrolledFlag(text)
	return nil
}

// A clockFlag is a flag: when timers fire.
type clockFlag string

func (k *clockFlag) String() string { return string(*k) }
func (k *clockFlag) Type() string   { return strings.Join(clocks, "|") }
func (k *clockFlag) Set(text string) error {
	for _, name := range clocks {
		if text == name {
			*k = clockFlag(text)
			return nil
		}
	}
	return errors.New("want lazy, racy or mixed")
}

func (f *testFlags) test(c *cobra.Command, args []string) (err error) {
	if err := f.check(c); err != nil {
		return err
	}
	if f.dir != "" {
		if err := os.Chdir(f.dir); err != nil {
			return Usage("-C: %w", err)
		}
	}
	if err := f.seed.choose(c); err != nil {
		return err
	}
	o := f.options(c, args)
	if f.replay.Name != "" {
		return f.repeat(c, o)
	}
	if o.Cache, err = f.cached(c); err != nil {
		return err
	}
	if f.out.Name != "" {
		if err := report.CheckOut(f.out.Name); err != nil {
			return unopened("--out", err)
		}
	}
	reports, err := f.outputs.open(c, f.verbose, files{})
	if err != nil {
		return err
	}
	o.Observers, o.Doing, o.Timelines = reports.observers(), reports.console.Doing, reports.pages != nil
	result, err := suite.Run(c.Context(), o)
	return reports.finished(result.Failed()+result.Unrun() > 0, result.Broken() > 0, err)
}

// check reports flags that exclude each other or are not valid, before anything is read.
func (f *testFlags) check(c *cobra.Command) error {
	changed := c.Flags().Changed
	switch {
	case changed("for") && changed("executions"):
		return Usage("--for and --executions exclude each other, want one of them")
	case f.procs > mostProcs:
		return Usage("invalid argument %q for \"--procs\" flag: want a whole number from 1 to %d", f.procs.String(), mostProcs)
	case f.outputs.plain && f.outputs.quiet:
		return Usage("--plain and --quiet exclude each other, want one of them")
	case changed("replay") && (changed("executions") || changed("for")):
		return Usage("--replay: want no --executions or --for: it runs once; stress replay %s --times N repeats it", shell.File(f.replay.Name))
	case changed("since") && strings.TrimSpace(f.since) == "":
		return Usage("--since: want a commit, such as main or HEAD~3")
	case changed("replay") && changed("since"):
		return Usage("--replay and --since exclude each other: a recording is of one package")
	case changed("replay") && changed("count"):
		return Usage("--replay: want no -count: it always repeats the recording")
	case changed("replay") && changed("report"):
		return Usage("--replay and --report exclude each other; stress explain %s --html writes the page", shell.File(f.replay.Name))
	case changed("search") && !f.native:
		return Usage("--search: what fails is under control already; want --native")
	case f.native && (changed("strategy") || changed("clock") || changed("max-steps")):
		return Usage("--native: want no --strategy, --clock or --max-steps: the machine decides")
	}
	if _, err := strategy.Parse(f.strategy); err != nil {
		base, _, _ := strings.Cut(f.strategy, "(")
		for _, name := range strategy.Names() {
			if base == name {
				return Usage("--strategy: %w", err)
			}
		}
		return Usage("unknown strategy %q; %s", nearest.Clip(f.strategy), nearest.Hint(f.strategy, strategy.Names()))
	}
	for flag, pattern := range map[string]string{"-run": f.run, "-skip": f.skip} {
		for part := range strings.SplitSeq(pattern, "/") {
			if strings.Contains(pattern, "[") {
				part = pattern // a slash in brackets separates nothing
			}
			if _, err := regexp.Compile(part); err != nil {
				return Usage("%s: %w", flag, err)
			}
		}
	}
	return nil
}

// options returns the options of the run.
func (f *testFlags) options(c *cobra.Command, args []string) suite.Options {
	var rest []string
	if at := c.ArgsLenAtDash(); at >= 0 {
		args, rest = args[:at], args[at:]
	}
	o := suite.Options{
		Packages: args, Build: f.build, Run: f.run, Skip: f.skip, Args: rest, Since: f.since,
		Settings: wire.Settings{
			Seed: uint64(f.seed), Strategy: f.strategy, Clock: string(f.clock), MaxSteps: int(f.maxSteps), Leaks: f.leaks,
		},
		Native: f.native, Search: f.search.SearchBudget, Executions: int(f.executions), Procs: int(f.procs), Memory: int64(f.memory), Timeout: time.Duration(f.timeout), Out: f.out.Name,
		Command: called.Command(false), UncontrolledFails: f.uncontrolled == uncontrolledFails,
	}
	if f.native && !c.Flags().Changed("procs") {
		o.Procs = max(o.Procs/2, 1) // each uses several processors
	}
	if f.span > 0 {
		o.For = time.Duration(f.span)
	}
	return o
}
