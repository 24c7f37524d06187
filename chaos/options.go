package chaos

import (
	"cmp"
	"errors"
	"flag"
	"fmt"
	"net/url"
	"os"
	"path/filepath"
	"runtime"
	"slices"
	"strconv"
	"strings"
	"testing"

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

// Memory sets how weak the memory is: control.TSO or control.Views ask whether the
// code would stand with no more than the orders that it declares (hooks/memory); the
// default is control.SC, Go's. What fails only because of the memory has the verdict
// relies-on-sc.
func Memory(m control.Memory) Option { return func(s *settings) { s.memory = m } }

// WithoutFences has a weak memory leave out fences of hooks/memory, to see who needs
// them: each by the function that holds it, "sleep.PushFence", or by its place,
// "deque.go:81".
func WithoutFences(sites ...string) Option {
	return func(s *settings) { s.withoutFences = append(s.withoutFences, sites...) }
}

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
	memory     control.Memory
	// withoutFences are left out.
	withoutFences []string
	maxSteps      int
	maxSpins      int
	dir           string
	how           control.Switch
	replay        string
	shrinks       int // attempts
}

// flags are those of a test binary. In any other program that imports this package nothing
// sets them: its command line is its own.
var flags = func() *flag.FlagSet {
	if testing.Testing() {
		return flag.CommandLine
	}
	return flag.NewFlagSet("chaos", flag.ContinueOnError)
}()

// The flags, which overrule the options, and are overruled by nothing.
var (
	flagExecutions = flags.Int("chaos.executions", 0, "schedules that chaos.Explore tries; 0 is what the test says")
	flagSeed       = shared("chaos.seed", "seed of chaos.Explore; \"\" is what the test says")
	flagStrategy   = flags.String("chaos.strategy", "", "strategy of chaos.Explore; \"\" is what the test says")
	flagMemory     = flags.String("chaos.memory", "", "memory of chaos.Explore: sc, tso or views; \"\" is what the test says")
	flagReplay     = flags.String("chaos.replay", "", "recording that chaos.Explore repeats, instead of exploring")
)

// shared defines a flag that another package of the same binary may have defined
// already, with the same meaning: which of the two comes first is not ours to say.
func shared(name, usage string) func() string {
	if flags.Lookup(name) == nil {
		flags.String(name, "", usage)
	}
	return func() string { return flags.Lookup(name).Value.String() }
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
	if text := cmp.Or(*flagMemory, os.Getenv("CHAOS_MEMORY")); text != "" {
		m, ok := control.ParseMemory(text)
		if !ok {
			problems = append(problems, fmt.Errorf("-chaos.memory: found %q, want sc, tso or views", text))
		}
		s.memory = m
	}
	for _, site := range s.withoutFences {
		if site == "" || strings.ContainsAny(site, " \t\r\n") {
			problems = append(problems, fmt.Errorf("WithoutFences: found %q, want a function such as \"sleep.PushFence\", or a place such as \"deque.go:81\"", site))
		}
	}
	s.replay = cmp.Or(*flagReplay, os.Getenv("CHAOS_REPLAY"), s.replay)
	if s.strategy == nil {
		s.strategy = strategy.Portfolio()
	}
	return s, errors.Join(problems...)
}

func (s *settings) engine() control.Options {
	return control.Options{
		Strategy: s.strategy, Plan: s.plan, Points: s.points, Clock: s.clock, Memory: s.memory, WithoutFences: s.withoutFences,
		MaxSteps: s.maxSteps, MaxSpins: s.maxSpins, Switch: s.how,
	}
}

// recorded are the settings that a schedule depends on. The memory's are those with
// which a recording is repeated, whatever the test says by then.
func (s *settings) recorded() []string {
	var o []string
	if s.memory != control.SC {
		o = append(o, recordedMemory+s.memory.String())
		for _, site := range s.withoutFences {
			o = append(o, recordedFence+site)
		}
	}
	if s.points {
		o = append(o, "points")
	}
	if s.clock == control.Racy {
		o = append(o, "racy-time")
	}
	return o
}

// What these settings are recorded as.
const (
	recordedMemory = "memory="
	recordedFence  = "without-fence="
)

// remembered are the settings with the memory of a recording.
func (s settings) remembered(options []string) (settings, error) {
	s.memory, s.withoutFences = control.SC, nil
	for _, o := range options {
		if name, ok := strings.CutPrefix(o, recordedMemory); ok {
			if s.memory, ok = control.ParseMemory(name); !ok {
				return s, fmt.Errorf("options: found %q, want %[2]ssc, %[2]stso or %[2]sviews", o, recordedMemory)
			}
		}
		if site, ok := strings.CutPrefix(o, recordedFence); ok {
			s.withoutFences = append(s.withoutFences, site)
		}
	}
	return s, nil
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
	pkg := strings.TrimSuffix(function[:base]+name, "_test")
	if plain, err := url.PathUnescape(pkg); err == nil { // a dot in the last element is %2e there
		pkg = plain
	}
	return where{pkg}
}
