package chaos

import (
	"cmp"
	"errors"
	"flag"
	"fmt"
	"os"
	"path/filepath"
	"runtime"
	"slices"
	"strconv"
	"strings"

	"github.com/rouse-go/rouse/chaos/control"
	"github.com/rouse-go/rouse/chaos/strategy"
)

// An Option changes what Explore does.
type Option func(*settings)

// Executions sets how many schedules are tried; default 1,000.
func Executions(n int) Option { return func(s *settings) { s.executions = n } }

// Seed sets what all choices are drawn from; default 1. Execution i is drawn from a
// hash of the seed and i.
func Seed(seed uint64) Option { return func(s *settings) { s.seed = seed } }

// WithStrategy sets who chooses; default strategy.Portfolio(), which tries several
// in turn.
func WithStrategy(by strategy.Strategy) Option { return func(s *settings) { s.strategy = by } }

// WithPlan sets faults that are to strike; default none. Delays are in virtual time.
func WithPlan(p Plan) Option { return func(s *settings) { s.plan = p } }

// AtPoints makes each hook point a place where tasks can be switched, not only each
// operation: for code whose windows lie between plain statements.
func AtPoints() Option { return func(s *settings) { s.points = true } }

// RacyTime lets timers fire at any step, as a strategy's choice like any other, and
// not only when nobody can go on: timeouts are explored against running code.
func RacyTime() Option { return func(s *settings) { s.clock = control.Racy } }

// MaxSteps sets after how many decisions an execution is cut; default 1,000,000.
func MaxSteps(n int) Option { return func(s *settings) { s.maxSteps = n } }

// MaxSpins sets how often in a row all tasks may spin, each repeating reads that nobody
// writes meanwhile, before that is a livelock; default 5,000, which lets a loop that
// polls one variable go round some 10,000 times. A subject whose bounded loops
// are longer needs more.
func MaxSpins(n int) Option { return func(s *settings) { s.maxSpins = n } }

// Dir sets where recordings are kept; default testdata/chaos.
func Dir(name string) Option { return func(s *settings) { s.dir = name } }

// WithSwitch sets how goroutines are switched; default the fastest.
func WithSwitch(by control.Switch) Option { return func(s *settings) { s.how = by } }

type settings struct {
	executions int
	seed       uint64
	strategy   strategy.Strategy
	plan       Plan
	points     bool
	clock      control.Clock
	maxSteps   int
	maxSpins   int
	dir        string
	how        control.Switch
	replay     string
	shrinks    int // attempts
}

// The flags, which overrule the options, and are overruled by nothing.
var (
	flagExecutions = flag.Int("chaos.executions", 0, "schedules that chaos.Explore tries; 0 is what the test says")
	flagSeed       = shared("chaos.seed", "seed of chaos.Explore; \"\" is what the test says")
	flagStrategy   = flag.String("chaos.strategy", "", "strategy of chaos.Explore; \"\" is what the test says")
	flagReplay     = flag.String("chaos.replay", "", "recording that chaos.Explore repeats, instead of exploring")
)

// shared defines a flag that another package of the same binary may have defined
// already, with the same meaning: which of the two comes first is not ours to say.
func shared(name, usage string) func() string {
	if flag.Lookup(name) == nil {
		flag.String(name, "", usage)
	}
	return func() string { return flag.Lookup(name).Value.String() }
}

// settingsOf applies the options, and then the flags and the environment.
func settingsOf(options []Option) (settings, error) {
	s := settings{executions: 1000, seed: 1, strategy: strategy.Portfolio(), dir: filepath.Join("testdata", "chaos"), shrinks: 2000}
	for _, o := range options {
		if o == nil {
			return s, errors.New("a nil Option: leave it out")
		}
		o(&s)
	}
	var problems []error
	if n := *flagExecutions; n != 0 {
		s.executions = n
	} else if text := os.Getenv("CHAOS_EXECUTIONS"); text != "" {
		n, err := strconv.Atoi(text)
		if err != nil {
			problems = append(problems, fmt.Errorf("CHAOS_EXECUTIONS: found %q, want a number", text))
		}
		s.executions = n
	}
	if s.executions < 1 {
		problems = append(problems, fmt.Errorf("%d executions: want 1 or more", s.executions))
	}
	if text := cmp.Or(flagSeed(), os.Getenv("CHAOS_SEED")); text != "" {
		n, err := strconv.ParseUint(text, 0, 64)
		if err != nil {
			problems = append(problems, fmt.Errorf("-chaos.seed: found %q, want a number such as 17 or 0x11", text))
		}
		s.seed = n
	}
	if text := cmp.Or(*flagStrategy, os.Getenv("CHAOS_STRATEGY")); text != "" {
		by, err := strategy.Parse(text)
		if err != nil {
			problems = append(problems, fmt.Errorf("-chaos.strategy: %w", err))
		}
		s.strategy = by
	}
	s.replay = cmp.Or(*flagReplay, os.Getenv("CHAOS_REPLAY"), s.replay)
	if s.strategy == nil {
		s.strategy = strategy.Portfolio()
	}
	return s, errors.Join(problems...)
}

func (s *settings) engine() control.Options {
	return control.Options{Strategy: s.strategy, Plan: s.plan, Points: s.points, Clock: s.clock, MaxSteps: s.maxSteps, MaxSpins: s.maxSpins, Switch: s.how}
}

// recorded are the settings that a schedule depends on.
func (s *settings) recorded() []string {
	var o []string
	if s.points {
		o = append(o, "points")
	}
	if s.clock == control.Racy {
		o = append(o, "racy-time")
	}
	return o
}

// executionSeed is what execution n is drawn from.
func executionSeed(seed uint64, n int) uint64 {
	return strategy.ChildKey(strategy.ChildKey(seed, 0), n)
}

// dir is where the test's recordings are.
func (x *exploration) dir() string {
	name := strings.Map(func(r rune) rune {
		if strings.ContainsRune(`/\:*?"<>| `, r) {
			return '_'
		}
		return r
	}, x.t.Name())
	return filepath.Join(x.settings.dir, name)
}

// recordings lists the test's recordings, by name.
func (x *exploration) recordings() []string {
	names, _ := filepath.Glob(filepath.Join(x.dir(), "*.rouse"))
	slices.Sort(names)
	return names
}

// where is who calls Explore.
type where struct{ pkg string }

// caller finds the caller's caller.
func caller() where {
	pc, _, _, _ := runtime.Caller(2)
	function := runtime.FuncForPC(pc).Name()
	base := strings.LastIndexByte(function, '/') + 1
	name, _, _ := strings.Cut(function[base:], ".")
	return where{strings.TrimSuffix(function[:base]+name, "_test")}
}
