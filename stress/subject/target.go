package subject

import (
	"fmt"
	"regexp"
	"slices"
	"strings"
	"time"

	"github.com/spf13/cobra"

	"github.com/rouse-go/rouse/chaos/verdict"
)

// A Target describes code under test of type S, such as *queue.Queue: how to make one, how
// to use it, and what must be true of it. [Target.Subject] checks the description.
//
// All functions are called truly in parallel in native scenarios, and one task at a time in
// controlled ones. For the latter all synchronisation must go through the drop-ins of
// package hooks, goroutines must be started with [Execution.Go] or with hooks.Task, and random
// numbers must come from [Execution.Rand]: then an execution repeats exactly.
type Target[S any] struct {
	// Name is what scenarios call it: lower-case words joined by hyphens.
	Name string
	// Packages are the first elements of the names of its hook points ("queue" for
	// queue/pushed), or several elements. Its scenarios may name these points only, and the
	// command points lists them. No elements stand for all points of the program.
	Packages []string
	// Scenarios is the text of the campaign that runs if no file is named, in the form
	// that scenario.Load reads.
	Scenarios []byte
	// Commands make the commands that this subject adds to the command line.
	Commands []func() *cobra.Command

	// Params are the parameters of the subject itself. A scenario sets them under a key with the
	// target's name, and those of the workload under sizes. No workload may have a parameter of
	// the same name.
	Params []Param
	// Variants are forms of the subject that every scenario can run with, such as
	// implementations of the same interface; the first is the default. A scenario that names one
	// (variant: NAME) is about that one; the others run with the default, or with the variants that
	// the command line asks for. There must be none, or at least two.
	Variants []Variant
	// Rehearsal holds values of Params, by name, with which the subject reaches its hook
	// points within a few short executions. The command validate uses them for native
	// scenarios.
	Rehearsal map[string]string
	// Grace is how long the engine waits for goroutines that it does not control before it
	// calls an execution stuck; 0 is the engine's default, and less than 0 is not at all.
	Grace time.Duration

	// New makes the subject of one execution. It is called by the task named "workload", which
	// then calls the workload and the oracles.
	New func(x *Execution) S
	// Workloads are the workloads that can be run on it; at least one.
	Workloads []Work[S]
	// Oracles judge an execution when the workload has returned and all goroutines started with
	// Execution.Go have ended. They report with Execution.Fail.
	Oracles []Oracle[S]
	// JudgeFaults, if set, judges an execution that has ended by the faults of its plan that fired. It
	// is called after the oracles, from a goroutine outside its tasks.
	JudgeFaults func(x *Execution, subject S, fired []Fired)

	// State, if set, returns a dump of the subject for people. State and Diagnose are called
	// when an execution is stuck, from a goroutine outside its tasks: reading must be
	// safe then. Under control, a lock that a stuck task holds is waited for two seconds at most.
	State func(S) string
	// Diagnose, if set, says why the subject is stuck; nil means that it does not know.
	Diagnose func(S, Stuck) *Diagnosis
}

// Work is a workload of a Target.
type Work[S any] struct {
	Name, About string
	Params      []Param
	// Check, if set, returns an error if the parameters of a scenario, including those of the
	// subject, do not fit together. A *ParamError names the parameter that it is about.
	Check func(v Values) error
	// Run runs the workload. It must return, unless the subject is broken.
	Run func(x *Execution, subject S)
}

// An Oracle judges an execution that has ended.
type Oracle[S any] struct {
	Name  string
	Judge func(x *Execution, subject S)
}

// A Variant is one form of a subject.
type Variant struct {
	Name, About string
	// Lossy variants fail without any fault: a native scenario may expect a failure of
	// one without a plan.
	Lossy bool
}

// A Subject is a checked Target. It is passed by value; the zero value is of no use.
type Subject struct {
	Name      string
	Packages  []string
	Scenarios []byte
	Commands  []func() *cobra.Command
	Params    []Param
	Variants  []Variant
	Rehearsal map[string]string
	Grace     time.Duration
	Workloads []Workload
}

// A Workload is a workload of a Subject.
type Workload struct {
	Name, About string
	Params      []Param
	Check       func(v Values) error // may be nil
	run         func(x *Execution)
}

// Workload returns the named workload.
func (s *Subject) Workload(name string) (*Workload, bool) {
	i := slices.IndexFunc(s.Workloads, func(w Workload) bool { return w.Name == name })
	if i < 0 {
		return nil, false
	}
	return &s.Workloads[i], true
}

// WorkloadNames lists the workloads.
func (s *Subject) WorkloadNames() (names []string) {
	for _, w := range s.Workloads {
		names = append(names, w.Name)
	}
	return names
}

// VariantNames lists the variants, the default first.
func (s *Subject) VariantNames() (names []string) {
	for _, v := range s.Variants {
		names = append(names, v.Name)
	}
	return names
}

// Variant returns the named variant, the default for "", or the zero Variant if there are no variants.
func (s *Subject) Variant(name string) (v Variant) {
	for i, one := range s.Variants {
		if one.Name == name || name == "" && i == 0 {
			return one
		}
	}
	return Variant{}
}

// Owns reports whether the hook point is one of the subject's.
func (s *Subject) Owns(point string) bool {
	return len(s.Packages) == 0 || slices.ContainsFunc(s.Packages, func(p string) bool { return strings.HasPrefix(point, p+"/") })
}

// Subject checks the target. A target is written in the source of a program, so an error in
// it is a panic.
func (t Target[S]) Subject() Subject {
	if err := t.check(); err != nil {
		panic("stress: " + err.Error())
	}
	s := Subject{
		Name: t.Name, Packages: t.Packages, Scenarios: t.Scenarios, Commands: t.Commands,
		Params: t.Params, Variants: t.Variants, Rehearsal: t.Rehearsal, Grace: t.Grace,
	}
	for _, w := range t.Workloads {
		s.Workloads = append(s.Workloads, Workload{
			Name: w.Name, About: w.About, Params: w.Params, Check: w.Check,
			run: func(x *Execution) { t.run(x, w) },
		})
	}
	return s
}

func (t *Target[S]) run(x *Execution, w Work[S]) {
	subject := t.New(x)
	x.look.Store(&look{
		state: func() string {
			if t.State == nil {
				return ""
			}
			return t.State(subject)
		},
		diagnose: func(s Stuck) *Diagnosis {
			if t.Diagnose == nil {
				return nil
			}
			return t.Diagnose(subject, s)
		},
		judgeFaults: func(fired []Fired) {
			if t.JudgeFaults != nil {
				t.JudgeFaults(x, subject, fired)
			}
		},
	})
	w.Run(x, subject)
	x.Wait()
	for _, o := range t.Oracles {
		o.Judge(x, subject)
	}
}

// Hyphened matches the names of subjects, workloads, parameters and scenarios.
var Hyphened = regexp.MustCompile(`^[a-z0-9]+(-[a-z0-9]+)*$`)

func (t *Target[S]) check() error {
	switch {
	case !Hyphened.MatchString(t.Name):
		return fmt.Errorf("target %q: want a name of lower-case words joined by hyphens", t.Name)
	case t.New == nil:
		return fmt.Errorf("target %s: want New, which makes the subject", t.Name)
	case len(t.Workloads) == 0:
		return fmt.Errorf("target %s: want at least one workload", t.Name)
	}
	if err := checkParams(t.Params); err != nil {
		return fmt.Errorf("target %s: %w", t.Name, err)
	}
	if err := t.checkVariants(); err != nil {
		return fmt.Errorf("target %s: %w", t.Name, err)
	}
	var names []string
	for _, w := range t.Workloads {
		switch {
		case !Hyphened.MatchString(w.Name):
			return fmt.Errorf("target %s: workload %q: want a name of lower-case words joined by hyphens", t.Name, w.Name)
		case slices.Contains(names, w.Name):
			return fmt.Errorf("target %s: two workloads are called %s", t.Name, w.Name)
		case w.Run == nil:
			return fmt.Errorf("target %s: workload %s: want Run", t.Name, w.Name)
		}
		names = append(names, w.Name)
		if err := checkParams(slices.Concat(t.Params, w.Params)); err != nil {
			return fmt.Errorf("target %s: workload %s: %w", t.Name, w.Name, err)
		}
		for _, p := range w.Params {
			if IsList(p) {
				return fmt.Errorf("target %s: workload %s: parameter %s: only a target's own may be a List", t.Name, w.Name, Label(p))
			}
		}
	}
	for _, o := range t.Oracles {
		if o.Judge == nil {
			return fmt.Errorf("target %s: oracle %q: want Judge", t.Name, o.Name)
		}
	}
	return nil
}

func (t *Target[S]) checkVariants() error {
	if len(t.Variants) == 1 {
		return fmt.Errorf("one variant, want none, or at least two")
	}
	var names []string
	for _, v := range t.Variants {
		if !Hyphened.MatchString(v.Name) || slices.Contains(names, v.Name) {
			return fmt.Errorf("variant %q: want different names of lower-case words joined by hyphens", v.Name)
		}
		names = append(names, v.Name)
	}
	for _, p := range t.Params {
		if Label(p) == "variant" {
			return fmt.Errorf("a parameter is called variant, which is the key of the variants")
		}
	}
	return nil
}

// Stuck describes a stuck execution, apart from its subject.
type Stuck struct {
	// Faults are the faults of the plan that fired.
	Faults []Fired
	// Unrun holds the names of some jobs that have not been done, and Lost counts all of them.
	Unrun []string
	Lost  int
	// TimedOut reports whether something in the process still runs: the execution is slow, or
	// goes round in circles.
	TimedOut bool
}

// A Fired says how often a fault of the plan fired.
type Fired struct {
	Point, Kind string // such as queue/put-pushed, drop
	Fires       uint64
}

// Unexplained is the summary of a deadlock that no missing notification explains.
const Unexplained = "all goroutines are blocked, and no missing notification explains it"

// A Diagnosis says why a subject is stuck.
type Diagnosis struct {
	Verdict verdict.Verdict // such as verdict.LostWakeup
	Summary string          // what waits for what, in one line
	// Consequence, if set, is the consequence of Verdict and Summary.
	Consequence string

	// Of a lost wakeup: the name of the task that sleeps, "" if it is no particular task; the
	// hook points that it passes when it checks whether it may sleep, the last first; and the hook
	// points that mark the reason for the notification. The report looks for them in the trace.
	Sleeper       string
	Checks, Posts []string
	// Sleepers lists all sleepers, and Others other problems, a line each.
	Sleepers, Others []string
}
