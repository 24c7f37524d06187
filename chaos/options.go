package chaos

import (
	"cmp"
	"errors"
	"fmt"
	"net/url"
	"path/filepath"
	"runtime"
	"runtime/debug"
	"slices"
	"strings"
	"time"

	"github.com/rouse-go/rouse/chaos/control"
	"github.com/rouse-go/rouse/chaos/plan"
	"github.com/rouse-go/rouse/chaos/strategy"
	"github.com/rouse-go/rouse/hooks"
)

// An Option changes what Explore does. A nil Option is ignored.
type Option func(*settings)

// WithExecutions sets how many schedules are tried; default 1,000.
func WithExecutions(n int) Option { return func(s *settings) { s.executions = n } }

// WithSeed sets the seed of all choices; default 1. Execution i draws from a hash of the
// seed and i.
func WithSeed(seed uint64) Option { return func(s *settings) { s.seed = seed } }

// WithStrategy sets the strategy; default strategy.Portfolio(), which tries several in
// turn.
func WithStrategy(by strategy.Strategy) Option { return func(s *settings) { s.strategy = by } }

// WithSchedule makes Explore run a single execution, whose choices are the bytes of data (see
// strategy.Bytes), so that a fuzz target searches for inputs and schedules together:
//
//	func FuzzQueue(f *testing.F) {
//		f.Add([]byte(nil), 3)
//		f.Fuzz(func(t *testing.T, schedule []byte, capacity int) {
//			chaos.Explore(t, func(c *chaos.C) {
//				// a queue of this capacity
//			}, chaos.WithSchedule(schedule))
//		})
//	}
//
// No bytes are the schedule that preempts nothing, and more bytes do no harm. What fails is shown with a
// schedule that has been shrunk, but not recorded: the fuzzer keeps the input, which go test then runs each
// time. One input in 64 is run twice, to see whether it does the same. Strategy, seed and number of
// executions, by options or flags, have no effect then. Nor has the schedule without the build tag, or
// under stress test, which has decisions of its own.
func WithSchedule(data []byte) Option {
	return func(s *settings) { s.bytes, s.single = data, true }
}

// WithPlan sets the faults to inject; default none. Delays are in virtual time.
func WithPlan(p Plan) Option { return func(s *settings) { s.plan = p } }

// WithPoints lets tasks be switched at each hook point, and not only at each operation: for
// code whose windows lie between plain statements.
func WithPoints() Option { return func(s *settings) { s.points = true } }

// WithRacyTime lets timers fire at any step, as a choice of the strategy, and not only when
// no task can continue: timeouts are explored against running code. It is neither the default
// nor part of the portfolio: a test that sleeps until others are done, or gives them a
// second, fails. A test that passes without it logs whether timers were armed.
func WithRacyTime() Option { return func(s *settings) { s.clock = control.Racy } }

// WithMemory sets how weak the memory is: with control.TSO or control.Views, the code is
// tested against no more than the orders that it declares (hooks/memory); the default is
// control.SC, Go's. A failure that needs the weak memory has the verdict relies-on-sc.
func WithMemory(m control.Memory) Option { return func(s *settings) { s.memory = m } }

// WithoutFences makes a weak memory leave out fences of hooks/memory, to find out which are
// needed: each by the function that holds it, "sleep.PushFence", or by its place, "deque.go:81".
func WithoutFences(sites ...string) Option {
	return func(s *settings) { s.withoutFences = append(s.withoutFences, sites...) }
}

// WithMaxSteps sets after how many decisions an execution is cut; default 1,000,000.
func WithMaxSteps(n int) Option { return func(s *settings) { s.maxSteps = n } }

// WithMaxSpins sets how often in a row all tasks may spin, each repeating reads of what no
// task writes meanwhile, before that is a livelock; default 5,000, which is some 60,000
// turns of a loop that polls one variable. Bounded loops that are longer need more.
func WithMaxSpins(n int) Option { return func(s *settings) { s.maxSpins = n } }

// WithDir sets where recordings are kept; default testdata/chaos.
func WithDir(name string) Option { return func(s *settings) { s.dir = name } }

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
	shrinks       int // attempts
	// single: there is one execution, by the bytes.
	single bool
	bytes  []byte

	only      int    // the execution to judge, or all
	overruled string // the flags for strategy and memory, a space after each
	replay    string // a recording
	// stops: the replay stops for a debugger before this step; 0 is the decisive one.
	stops bool
	stop  int
	// asked: the replay is the flag's, and must reproduce the failure. One of Replay's
	// need not.
	asked bool
}

// all stands for every execution.
const all = -1

// settingsOf applies the options, and then the flags and the environment.
func settingsOf(options []Option) (settings, error) {
	s := settings{executions: 1000, only: all, seed: 1, strategy: strategy.Portfolio(), dir: filepath.Join("testdata", "chaos"), shrinks: 2000}
	for _, o := range options {
		if o != nil {
			o(&s)
		}
	}
	problems := []error{s.overrule()}
	if s.executions < 1 {
		problems = append(problems, fmt.Errorf("%d executions: want 1 or more", s.executions))
	}
	for _, site := range s.withoutFences {
		if site == "" || strings.ContainsAny(site, " \t\r\n") {
			problems = append(problems, fmt.Errorf("WithoutFences: found %q, want a function such as \"sleep.PushFence\", or a place such as \"deque.go:81\"", site))
		}
	}
	if s.strategy == nil {
		s.strategy = strategy.Portfolio()
	}
	if s.single {
		s.strategy, s.only = strategy.Bytes(s.bytes), all
	}
	return s, errors.Join(problems...)
}

func (s *settings) engine() control.Options {
	patience := time.Duration(0)
	if s.stops {
		patience = -1 // a person who thinks is slower than any execution
	}
	return control.Options{
		Patience: patience,
		Strategy: s.strategy, Plan: s.plan, Points: s.points, Clock: s.clock, Memory: s.memory, WithoutFences: s.withoutFences,
		MaxSteps: s.maxSteps, MaxSpins: s.maxSpins, Switch: s.how,
	}
}

// recorded returns the settings that a schedule depends on. With those a recording is repeated,
// whatever the test says by then.
func (s *settings) recorded() []string {
	var o []string
	if s.memory != control.SC {
		o = append(o, recordedMemory+s.memory.String())
		for _, site := range s.withoutFences {
			o = append(o, recordedFence+site)
		}
	}
	if s.points {
		o = append(o, recordedPoints)
	}
	if s.clock == control.Racy {
		o = append(o, recordedRacy)
	}
	return o
}

// What these settings are recorded as.
const (
	recordedMemory = "memory="
	recordedFence  = "without-fence="
	recordedPoints = "points"
	recordedRacy   = "racy-time"
	// recordedNumber is which Explore of its test it was, if not the first.
	recordedNumber = "explore="
)

// remembered returns the settings with those of a recording.
func (s settings) remembered(options []string) (settings, error) {
	s.memory, s.withoutFences, s.points, s.clock = control.SC, nil, false, control.Lazy
	for _, o := range options {
		switch o {
		case recordedPoints:
			s.points = true
		case recordedRacy:
			s.clock = control.Racy
		}
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

// dir returns the folder of the test's recordings.
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
	names = slices.DeleteFunc(names, func(name string) bool { return strings.HasPrefix(filepath.Base(name), ".") }) // lock files of editors
	slices.Sort(names)
	return names
}

// pkg returns the package of the test.
func (x *exploration) pkg() string { return cmp.Or(binaryPackage(), x.caller) }

// binaryPackage returns the package whose tests the binary holds, or "" if it does not say.
func binaryPackage() string {
	info, ok := debug.ReadBuildInfo()
	if !ok {
		return ""
	}
	pkg, ok := strings.CutSuffix(info.Path, ".test")
	if !ok {
		return ""
	}
	return pkg
}

// caller finds the package of the caller's caller.
func caller() string {
	pc, _, _, _ := runtime.Caller(2)
	function := runtime.FuncForPC(pc).Name()
	base := strings.LastIndexByte(function, '/') + 1
	name, _, _ := strings.Cut(function[base:], ".")
	pkg := strings.TrimSuffix(function[:base]+name, "_test")
	if plain, err := url.PathUnescape(pkg); err == nil { // a dot in the last element is %2e there
		pkg = plain
	}
	return pkg
}

// The parts of a plan: see package plan.
type (
	// A Plan lists the faults to inject, and the seed.
	Plan = plan.Plan
	// A Fault is one line of a plan: a kind of fault at one hook point.
	Fault = plan.Fault
	// A Shape is how the lengths of a delay are distributed.
	Shape = plan.Shape
	// A PlanError is one problem of one fault of a plan.
	PlanError = plan.PlanError
	// A Point describes a hook point of this binary.
	Point = plan.Point
)

// The shapes of delays: see package plan.
const (
	Uniform     = plan.Uniform
	Exponential = plan.Exponential
	Pareto      = plan.Pareto
)

// Points lists the hook points of this binary, by name: those of every package
// linked into it. Without the build tag chaos there are none.
func Points() []Point { return plan.Points() }

// Kinds lists all kinds of fault.
func Kinds() []hooks.FaultKind { return plan.Kinds() }
