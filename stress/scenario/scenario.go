package scenario

import (
	"cmp"
	"maps"
	"slices"
	"strings"

	"github.com/rouse-go/rouse/chaos"
	"github.com/rouse-go/rouse/chaos/control"
	"github.com/rouse-go/rouse/chaos/strategy"
	"github.com/rouse-go/rouse/chaos/verdict"
	"github.com/rouse-go/rouse/stress/subject"
)

// A Scenario is a subject, a workload, a plan, and the expected verdict. A scenario
// that expects a failure is a positive control: it proves that the oracle can detect
// the failure.
type Scenario struct {
	Name  string
	Group string // the group that it belongs to; "" is none
	About string // what it shows, one or two sentences
	// Mode is how it is run. Under control, Strategy chooses the schedules, by a name
	// that strategy.Parse takes ("" is DefaultStrategy), an execution is cut after
	// MaxSteps decisions (0 is DefaultMaxSteps), and Clock decides when timers fire.
	Mode     Mode
	Strategy string
	MaxSteps int
	Clock    control.Clock
	// Subject is the name of its subject, and Variant the name of a variant: "" is the default,
	// and leaves the choice to With. Setup holds the parameters of the subject, and Sizes those of
	// the workload, by name, in the form of scenario files: 3, 20us, a name, true, [1, 2, 3].
	Subject  string
	Variant  string
	Setup    map[string]string
	Workload string
	Sizes    map[string]string
	Plan     []chaos.Fault
	Expect   verdict.Verdict
	// May lists verdicts as good as the expected one: chance decides. Why is the reason for the
	// expectation, if that is not what the scenario is about.
	May []verdict.Verdict
	Why string
	// Except holds the expectations with other variants; see With.
	Except []Exception
	// Executions bounds the executions of one campaign; 0 is no bound but time. A scenario
	// that expects a failure, but is stopped before that many executions without one, is left open.
	Executions int
	// Share is how many shares of a campaign's time it gets, while other scenarios get one;
	// 0 is 1.
	Share int
}

// A Mode is how a scenario is run.
type Mode string

// The modes.
const (
	// Native: goroutines run truly parallel, in real time, and faults strike them.
	Native Mode = ""
	// Control: one task runs at a time, a strategy chooses which, and time is virtual.
	// What is found repeats exactly.
	Control Mode = "control"
)

// String returns the mode's name in scenario files.
func (m Mode) String() string {
	if m == Native {
		return "native"
	}
	return string(m)
}

// Defaults of a controlled scenario.
const (
	DefaultStrategy = strategy.Recommended
	DefaultMaxSteps = 100_000
)

// StrategyName returns the name of the strategy of a controlled scenario.
func (sc *Scenario) StrategyName() string { return cmp.Or(sc.Strategy, DefaultStrategy) }

// ListSeparator separates the elements of a List in Setup.
const ListSeparator = ", "

// elements returns the elements of a List, or the value itself.
func elements(value string) []string {
	list, ok := strings.CutPrefix(value, "[")
	if !ok {
		return []string{value}
	}
	return strings.Split(strings.TrimSuffix(list, "]"), ListSeparator)
}

// Settings returns how many combinations the Lists among the parameters have. Executions go through them in turn.
func (sc *Scenario) Settings() int {
	n := 1
	for _, value := range sc.Setup {
		n *= len(elements(value))
	}
	return n
}

// chosen returns the elements of the Lists for execution n, by the names of the parameters, which are in
// ascending order. They vary like the digits of a counter: the last fastest.
func (sc *Scenario) chosen(n int) (names []string, index map[string]int) {
	index = map[string]int{}
	for name, value := range sc.Setup {
		if strings.HasPrefix(value, "[") {
			names = append(names, name)
		}
	}
	slices.Sort(names)
	for _, name := range slices.Backward(names) {
		count := len(elements(sc.Setup[name]))
		index[name] = n % count
		n /= count
	}
	return names, index
}

// Setting returns the values of the Lists for execution n, with their names: "jec-bits 1, workers 2". It
// returns "" if there is no List.
func (sc *Scenario) Setting(n int) string {
	var all []string
	names, index := sc.chosen(n)
	for _, name := range names {
		all = append(all, name+" "+elements(sc.Setup[name])[index[name]])
	}
	return strings.Join(all, ", ")
}

// SetupOf returns the Setup with only the element for execution n in each List.
func (sc *Scenario) SetupOf(n int) map[string]string {
	setup := maps.Clone(sc.Setup)
	names, index := sc.chosen(n)
	for _, name := range names {
		setup[name] = "[" + elements(sc.Setup[name])[index[name]] + "]"
	}
	return setup
}

// NativeSizes returns the native sizes of the workload, including those that the scenario does not set.
func (sc *Scenario) NativeSizes(w *subject.Workload) map[string]string {
	sizes := map[string]string{}
	for _, p := range w.Params {
		if text := subject.Default(p, false); text != "" {
			sizes[subject.Label(p)] = text
		}
	}
	maps.Copy(sizes, sc.Sizes)
	return sizes
}

// Values returns the parameters of execution n, for the given subject.
func (sc *Scenario) Values(s *subject.Subject, n int) subject.Values {
	params, set := s.Params, map[string]string{}
	if w, ok := s.Workload(sc.Workload); ok {
		params = slices.Concat(params, w.Params)
	}
	maps.Copy(set, sc.Sizes)
	_, index := sc.chosen(n)
	for name, value := range sc.Setup {
		set[name] = elements(value)[index[name]]
	}
	return subject.NewValues(params, set, s.Variant(sc.Variant).Name, sc.Mode == Control)
}
