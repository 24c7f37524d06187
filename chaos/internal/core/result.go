package core

import (
	"slices"
	"strings"

	"github.com/rouse-go/rouse/chaos/internal/splitmix"
	"github.com/rouse-go/rouse/chaos/strategy"
	"github.com/rouse-go/rouse/chaos/verdict"
)

// A Result describes how an execution ended.
type Result struct {
	Seed    uint64
	Verdict verdict.Verdict
	// Effect is the verdict, or what it would be if it were not relies-on-sc.
	Effect verdict.Verdict
	// Cause is what the memory did that a sequentially consistent one does not, with file and
	// line, if the verdict is relies-on-sc.
	Cause string
	// Summary describes the verdict in one line; "" for a pass.
	Summary string
	// Detail is further text, such as a panic's stack or the detail of a failed check.
	Detail string
	// Tasks are the tasks that had not ended, if they are part of the verdict.
	Tasks []TaskState

	NumTasks int // goroutines of the subject

	Steps  int // decisions
	Timers int // armed by the subject
	Sleeps int // sleeps of its tasks until a time
	// Firings counts the timers that fired, also where no task could continue.
	Firings int
	// TracedFrom is the step that the events of a trace begin with; 0 is the beginning.
	TracedFrom int
	// Hash is the hash of the trace: the operations in their order, each with its task.
	Hash uint64
	// Order is the hash of the partial order: equal for schedules that differ only in the order
	// of operations that commute.
	Order uint64
	// Schedule repeats the execution. The next Run overwrites it.
	Schedule strategy.Schedule
	// Faults counts the plan's faults, in its order. The next Run overwrites it.
	Faults []FaultCount
	// Early counts the timers that fired though a task could continue: steps of the clock, or on account of loops that may
	// have been work.
	// Late, of a Runtime, counts those of them for which a machine must have kept a task waiting for long.
	Early, Late int
	// Far, of a Runtime: the clock was mixed, and a timer did not fire early because it was too far ahead of a task that could continue.
	Far bool
	// Noted: the execution has failed in a way that does not count, and so passes.
	Noted bool
	// Deliberate: code of the subject has ended the execution, by a panic of its own or by os.Exit.
	Deliberate bool
	// Forced counts what the engine decided without asking the strategy, although there was a choice.
	Forced int
	// Outside and Tainted are set for tasks of a Runtime. Tainted is why the process should run
	// no more executions; "" if there is no reason.
	Outside Outsiders
	Tainted string
}

// Outsiders counts how often something outside has woken a task of a Runtime: an execution in which
// that happens need not repeat.
type Outsiders struct {
	Wakes int
	First string // what the task that was woken first had waited for, and where
}

// Site returns where a failure shows, to compare two failures: the places of the tasks that are part
// of the verdict, or the text of a panic or the first line of the summary, without numbers and
// addresses. A text that was shortened is cut further, since the length of an address decides where
// it ends. "" for a pass.
func (r Result) Site() string {
	var places []string
	for _, t := range r.Tasks {
		places = append(places, t.Place())
	}
	if len(places) > 0 {
		slices.Sort(places)
		return strings.Join(slices.Compact(places), "; ")
	}
	first, rest, _ := strings.Cut(r.Summary, "\n")
	if _, text, ok := strings.Cut(first, "panic: "); ok { // the task named before it differs between schedules
		if text == "" {
			text, _, _ = strings.Cut(strings.TrimLeft(rest, "\n"), "\n")
		}
		first = text
	}
	site := withoutNumbers(first)
	if text, cut := strings.CutSuffix(site, "..."); cut && len(text) > mostOfSite {
		return strings.ToValidUTF8(text[:mostOfSite], "") + "..."
	}
	return site
}

// mostOfSite bounds the site of a message that has been shortened, in bytes.
const mostOfSite = 100

// withoutNumbers replaces each number except the line numbers of files by #. A hexadecimal one begins
// with 0x.
func withoutNumbers(text string) string {
	var b strings.Builder
	number, line, address := false, false, false
	for i, c := range []byte(text) {
		address = number && !line && (address && isHexadecimal(c) || c == 'x' && isZero(text[:i]))
		digit := '0' <= c && c <= '9' || address
		if digit && !number {
			line = strings.HasSuffix(text[:i], ".go:")
			if !line {
				b.WriteByte('#')
			}
		}
		if !digit || line {
			b.WriteByte(c)
		}
		number = digit
		line = line && digit
	}
	return b.String()
}

func isHexadecimal(c byte) bool {
	return '0' <= c && c <= '9' || 'a' <= c && c <= 'f' || 'A' <= c && c <= 'F'
}

// isZero reports whether a text ends in the number 0.
func isZero(text string) bool {
	before, is := strings.CutSuffix(text, "0")
	return is && (before == "" || before[len(before)-1] < '0' || before[len(before)-1] > '9')
}

// An Outcome is a result in progress: the first verdict stays.
type Outcome struct {
	Verdict verdict.Verdict
	Summary string
	Detail  string
	Tasks   []TaskState
	Cut     bool
	expired bool // by the wall clock
	Partial bool // other tasks than these could continue
	Test    bool // the body is a test of a Runtime
	// Deliberate: as in Result.
	Deliberate bool
	steps      int // when it was cut
	// recurring is the number of steps in which all tasks returned to the same states, if that is
	// why it was cut.
	recurring int
}

// FailWith ends the execution with a verdict, unless it has one.
//
//go:norace
func (e *Engine) FailWith(v verdict.Verdict, summary, detail string) {
	if e.Outcome.Verdict == "" {
		e.Outcome.Verdict, e.Outcome.Summary, e.Outcome.Detail = v, summary, detail
	}
	e.Stopping = true
}

// result returns the Result of the execution.
func (e *Engine) result() Result {
	o := &e.Outcome
	if o.Verdict == "" {
		o.Verdict = verdict.Pass
	}
	r := Result{
		Seed: e.Seed, Verdict: o.Verdict, Effect: o.Verdict, Summary: o.Summary, Detail: o.Detail, Tasks: o.Tasks,
		Steps: e.Step, Hash: e.Hash, Order: e.order(),
		Schedule: strategy.Schedule{Deviations: e.deviations, Fires: e.Faults.Fires}, Faults: e.Faults.Counts,
		Early: max(e.Early, e.Late), Late: e.Late, // a firing on account of loops is not a step of the clock
		Firings: e.Firings, Forced: e.Forced, Deliberate: o.Deliberate,
	}
	for _, t := range e.execution.Tasks[:e.NumTasks] {
		if !t.Pseudo {
			r.NumTasks++
		}
	}
	return e.Front.Complete(r)
}

// order returns the hash of the partial order: the operations on each object, in their order.
// Objects have no names here, hence the sum.
//
//go:norace
func (e *Engine) order() uint64 {
	var sum uint64
	for _, o := range e.Objects.List[:e.Objects.Used] {
		sum += splitmix.Mix(o.Order+o.Since, 1)
	}
	return sum
}
