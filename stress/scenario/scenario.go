package scenario

import (
	"cmp"
	"maps"
	"slices"
	"strings"

	"github.com/rouse-go/rouse/chaos"
	"github.com/rouse-go/rouse/chaos/control"
	"github.com/rouse-go/rouse/chaos/verdict"
	"github.com/rouse-go/rouse/stress/subject"
)

// A Scenario is a subject, a workload, a plan, and the verdict that is expected.
// One that expects a failure is a positive control: it proves that the oracle
// can see.
type Scenario struct {
	Name  string
	Group string // what it belongs to; "" is nothing
	About string // what it shows, one or two sentences
	// Mode is how it is run; Strategy, under control, who chooses the schedules, by a
	// name that strategy.Parse takes ("" is DefaultStrategy), and MaxSteps after how
	// many decisions an execution is cut (0 is DefaultMaxSteps). Clock says, under control,
	// when timers fire.
	Mode     Mode
	Strategy string
	MaxSteps int
	Clock    control.Clock
	// Subject is the name of what it is about, and Variant of one of its variants: "" is the
	// default, and leaves it to With. Setup are the parameters of the subject, and Sizes those of
	// the workload, by name, as a scenario file has them: 3, 20us, a name, true, [1, 2, 3].
	Subject  string
	Variant  string
	Setup    map[string]string
	Workload string
	Sizes    map[string]string
	Plan     []chaos.Fault
	Expect   verdict.Verdict
	// May are verdicts as good as the expected one: chance decides. Why says why what is
	// expected is, where that is not what the scenario is about.
	May []verdict.Verdict
	Why string
	// Except says what else is expected with other variants; see With.
	Except []Exception
	// Executions bounds the executions of one campaign; 0 is no bound but time. A scenario
	// that expects a failure and is cut short of them without one is left open.
	Executions int
	// Share is how many shares of a campaign's time it gets, beside scenarios that get one;
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

// String is what scenario files say.
func (m Mode) String() string {
	if m == Native {
		return "native"
	}
	return string(m)
}

// What a controlled scenario has that does not say.
const (
	DefaultStrategy = "portfolio"
	DefaultMaxSteps = 100_000
)

// StrategyName is the name of the strategy by which a controlled scenario runs.
func (sc *Scenario) StrategyName() string { return cmp.Or(sc.Strategy, DefaultStrategy) }

// ListSeparator stands between the elements of a List in Setup.
const ListSeparator = ", "

// elements are those of a List, or the value itself.
func elements(value string) []string {
	list, ok := strings.CutPrefix(value, "[")
	if !ok {
		return []string{value}
	}
	return strings.Split(strings.TrimSuffix(list, "]"), ListSeparator)
}

// Settings is how many combinations the Lists among the parameters have: executions go through them in turn.
func (sc *Scenario) Settings() int {
	n := 1
	for _, value := range sc.Setup {
		n *= len(elements(value))
	}
	return n
}

// chosen are the elements of the Lists that execution n has, by the names of the parameters, which are in
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

// Setting is the values of the Lists that execution n has, with their names: "jec-bits 1, workers 2"; ""
// if there is no List.
func (sc *Scenario) Setting(n int) string {
	var all []string
	names, index := sc.chosen(n)
	for _, name := range names {
		all = append(all, name+" "+elements(sc.Setup[name])[index[name]])
	}
	return strings.Join(all, ", ")
}

// SetupOf is the Setup with the element that execution n has of each List, as a List of one.
func (sc *Scenario) SetupOf(n int) map[string]string {
	setup := maps.Clone(sc.Setup)
	names, index := sc.chosen(n)
	for _, name := range names {
		setup[name] = "[" + elements(sc.Setup[name])[index[name]] + "]"
	}
	return setup
}

// NativeSizes are the sizes that the workload has natively, with those that the scenario does not set.
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

// Values are the parameters of execution n, for that subject.
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
