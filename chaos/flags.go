package chaos

import (
	"cmp"
	"errors"
	"flag"
	"fmt"
	"os"
	"regexp"
	"strconv"
	"strings"
	"testing"

	"github.com/rouse-go/rouse/chaos/control"
	"github.com/rouse-go/rouse/chaos/recording"
	"github.com/rouse-go/rouse/chaos/strategy"
	"github.com/rouse-go/rouse/chaos/verdict"
	"github.com/rouse-go/rouse/hooks"
	"github.com/rouse-go/rouse/internal/racing"
	"github.com/rouse-go/rouse/internal/shell"
)

// flags are the flags of a test binary. In any other program they are never set: its command line
// is its own.
var flags = func() *flag.FlagSet {
	if testing.Testing() {
		return flag.CommandLine
	}
	return flag.NewFlagSet("chaos", flag.ContinueOnError)
}()

// The flags exist in both builds, and override the options. The environment variable of the same name
// counts if a flag is not given.
var (
	flagExecutions = flags.Int("chaos.executions", 0, "schedules that chaos.Explore tries; 0 is what the test says")
	flagExecution  = flags.String("chaos.execution", "", "the `number` of the only execution that chaos.Explore judges; \"\" is all")
	flagSeed       = shared("chaos.seed", "seed of chaos.Explore; \"\" is what the test says")
	flagStrategy   = flags.String("chaos.strategy", "", "strategy of chaos.Explore; \"\" is what the test says")
	flagMemory     = flags.String("chaos.memory", "", "memory of chaos.Explore: sc, tso or views; \"\" is what the test says")
	flagClock      = flags.String("chaos.clock", "", "clock of chaos.Explore: lazy, or racy as with WithRacyTime; \"\" is what the test says")
	flagStop       = flags.String("chaos.stop", "", "with -chaos.replay: stop for a debugger, by a trap, before the step of this `number`; 0 is the decisive one")
	flagReplay     replayFlag
)

func init() {
	flags.Var(&flagReplay, "chaos.replay", "`recording` that chaos.Explore repeats, instead of exploring; the test fails whether that reproduces the failure or not")
}

// shared defines a flag that another package of the binary may have defined, with the same meaning.
func shared(name, usage string) func() string {
	if flags.Lookup(name) == nil {
		flags.String(name, "", usage)
	}
	return func() string { return flags.Lookup(name).Value.String() }
}

// given returns the value of a flag or, without it, of an environment variable.
func given(ofFlag, variable string) string { return cmp.Or(ofFlag, os.Getenv(variable)) }

// overrule applies the flags and the environment.
func (s *settings) overrule() error {
	var problems []error
	wrong := func(format string, args ...any) { problems = append(problems, fmt.Errorf(format, args...)) }
	if n := *flagExecutions; n != 0 {
		s.executions = n
	} else if text := os.Getenv("CHAOS_EXECUTIONS"); text != "" {
		n, err := strconv.Atoi(text)
		if err != nil {
			wrong("CHAOS_EXECUTIONS: found %q, want a number", text)
		}
		s.executions = n
	}
	if text := given(*flagExecution, "CHAOS_EXECUTION"); text != "" {
		n, err := strconv.ParseUint(text, 10, 31)
		if err != nil {
			wrong("-chaos.execution: found %q, want the number of an execution, from 0", text)
		} else if !hooks.Enabled {
			wrong("-chaos.execution=%s %s", text, needsTag)
		}
		s.only = int(n)
	}
	if text := given(flagSeed(), "CHAOS_SEED"); text != "" {
		n, err := strconv.ParseUint(text, 0, 64)
		if err != nil {
			wrong("-chaos.seed: found %q, want a number such as 17 or 0x11", text)
		}
		s.seed = n
	}
	if text := given(*flagStrategy, "CHAOS_STRATEGY"); text != "" {
		by, err := strategy.Parse(text)
		if err != nil {
			wrong("-chaos.strategy: %w", err)
		}
		s.strategy = by
		s.overruled += shell.Quote("-chaos.strategy="+text) + " "
	}
	if text := given(*flagMemory, "CHAOS_MEMORY"); text != "" {
		m, ok := control.ParseMemory(text)
		if !ok {
			wrong("-chaos.memory: found %q, want sc, tso or views", text)
		}
		s.memory = m
		s.overruled += "-chaos.memory=" + text + " "
	}
	if text := given(*flagClock, "CHAOS_CLOCK"); text != "" {
		c, ok := control.ParseClock(text)
		if !ok || c == control.Mixed { // a recording says which of the two it was
			wrong("-chaos.clock: found %q, want lazy or racy", text)
		}
		s.clock = c
		s.overruled += "-chaos.clock=" + text + " "
	}
	if file := given(flagReplay.file, "CHAOS_REPLAY"); file != "" {
		s.replay, s.asked = file, true
		if _, err := replayable(file); err != nil {
			wrong("-chaos.replay=%s: %w", file, err)
		}
	}
	if text := *flagStop; text != "" {
		n, err := strconv.ParseUint(text, 10, 31)
		switch {
		case err != nil:
			wrong("-chaos.stop: found %q, want the number of a step, or 0", text)
		case !s.asked:
			wrong("-chaos.stop=%s: want -chaos.replay, too", text)
		}
		s.stops, s.stop = true, int(n)
	}
	return errors.Join(problems...)
}

// upTo returns the flags that repeat the exploration, except the number of the execution.
func (s *settings) upTo() string {
	return fmt.Sprintf("%s-chaos.seed=%#x -chaos.execution=", s.overruled, s.seed)
}

// again returns the flags that repeat execution n.
func (s *settings) again(n int) string { return s.upTo() + strconv.Itoa(n) }

// needsTag is the error of a flag that only the chaos build can follow.
const needsTag = "needs a binary built with -tags chaos: this one runs each test once, on ordinary goroutines"

// A replayFlag is refused when it is parsed if no test would repeat the recording: perhaps no
// test that reads the flag is selected.
type replayFlag struct{ file string }

func (f *replayFlag) String() string { return f.file }

func (f *replayFlag) Set(file string) error {
	f.file = file
	if file == "" {
		return nil
	}
	r, err := replayable(file)
	if err != nil {
		return err
	}
	_, test, _ := r.Test() // replayable has checked it
	run, skip := argument("test.run"), argument("test.skip")
	if !strings.HasPrefix(test, "Benchmark") && (run != "" && !selects(run, test, false) || skip != "" && selects(skip, test, true)) {
		return fmt.Errorf("it is a recording of %s, which -run and -skip do not select", test)
	}
	return nil
}

// replayable reads a recording, and returns why no test of this binary can repeat it.
func replayable(file string) (*recording.Recording, error) {
	if !hooks.Enabled {
		return nil, errors.New(needsTag)
	}
	r, err := recording.Read(file)
	if err != nil {
		return nil, err
	}
	switch r.Origin() {
	case recording.OfStressTest:
		return nil, errors.New("it is a recording of stress test, which repeats it: stress test --replay")
	case recording.OfScenario:
		return nil, fmt.Errorf("it is a recording of %s, not of a test: stress replay repeats it", r.Subject)
	}
	pkg, _, err := r.Test()
	if err != nil {
		return nil, err
	}
	if here := binaryPackage(); here != "" && here != pkg {
		return nil, fmt.Errorf("it is a recording of package %s, and these are the tests of %s", pkg, here)
	}
	if r.Verdict == verdict.DataRace && r.Race() && !racing.Detector {
		return nil, errors.New("it is a data race, and this binary has no race detector: add -race")
	}
	return r, nil
}

// argument returns the value of a flag on the command line, which may not be parsed yet.
func argument(name string) string {
	for i, arg := range os.Args {
		given, value, ok := strings.Cut(strings.TrimPrefix(strings.TrimPrefix(arg, "-"), "-"), "=")
		if given != name || given == arg {
			continue
		}
		if !ok && i+1 < len(os.Args) {
			value = os.Args[i+1]
		}
		return value
	}
	return ""
}

// selects reports whether a pattern of -test.run selects the test: one that is as deep as
// the pattern if it must be whole. A pattern that go test would refuse selects all.
func selects(pattern, test string, whole bool) bool {
	names := strings.Split(test, "/")
	for _, alternative := range splitOutside(pattern, '|') {
		elements := splitOutside(alternative, '/')
		matches := !whole || len(elements) <= len(names)
		for i, e := range elements[:min(len(elements), len(names))] {
			re, err := regexp.Compile(strings.ReplaceAll(e, " ", "_"))
			matches = matches && (err != nil || re.MatchString(names[i]))
		}
		if matches {
			return true
		}
	}
	return false
}

// splitOutside splits a pattern at a separator outside of brackets and parentheses, as
// package testing does.
func splitOutside(pattern string, separator byte) (parts []string) {
	depth, class, start := 0, false, 0
	for i := 0; i < len(pattern); i++ {
		switch c := pattern[i]; {
		case c == '\\':
			i++
		case class:
			class = c != ']'
		case c == '[':
			class = true
		case c == '(':
			depth++
		case c == ')':
			depth--
		case c == separator && depth <= 0:
			parts = append(parts, pattern[start:i])
			start = i + 1
		}
	}
	return append(parts, pattern[start:])
}
