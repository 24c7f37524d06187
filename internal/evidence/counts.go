package evidence

import (
	"cmp"
	"slices"
	"strings"

	"github.com/rouse-go/rouse/chaos/strategy"
)

// Counts are added up over executions, in any order and by any number of processes.
type Counts struct {
	// PCT counts the executions by that strategy, ascending by setting and depth.
	PCT []Depth `json:"pct,omitempty"`
	// Tasks is the most goroutines of an execution; 0 if that is not known.
	Tasks int `json:"tasks,omitempty"`
	// Timers counts armed timers, including sleeps. Early counts executions in which a timer fired though a task could
	// continue. Far counts executions in which one did not because it was too far ahead.
	Timers int `json:"timers,omitempty"`
	Early  int `json:"early,omitempty"`
	Far    int `json:"far,omitempty"`
	// Uncounted is how many executions fail after a timer fired early, and therefore do not count.
	Uncounted int `json:"uncounted,omitempty"`
	// Forced counts executions in which the engine decided without asking the strategy, although there was a choice.
	Forced int `json:"forced,omitempty"`
	// Uncontrolled lists what was out of control, ascending by cause.
	Uncontrolled []Cause `json:"uncontrolled,omitempty"`
}

// A Depth counts the executions for bugs of one depth.
type Depth struct {
	Setting    int `json:"setting,omitempty"` // of the subject, from 0
	Depth      int `json:"depth"`
	Executions int `json:"executions"`
	Tasks      int `json:"tasks"`  // the most in an execution
	Steps      int `json:"steps"`  // the most that changes of priority were drawn from
	Within     int `json:"within"` // the fewest
}

// A Cause is something out of control, and how often it happened.
type Cause struct {
	What  string `json:"what"`
	Times int    `json:"times"`
}

// AddExecution adds the execution that a strategy has scheduled in a setting, and that has just ended.
func (c *Counts) AddExecution(setting int, by strategy.Strategy, tasks, timers, early, forced int) {
	if g, ok := strategy.GuaranteeOf(by); ok {
		c.addDepth(Depth{setting, g.Depth, 1, g.Tasks, g.Steps, g.Steps})
	}
	c.Tasks = max(c.Tasks, tasks)
	c.Timers += timers
	if early > 0 {
		c.Early++
	}
	if forced > 0 {
		c.Forced++
	}
}

// AddCause adds something out of control.
func (c *Counts) AddCause(what string, times int) {
	if times == 0 {
		return
	}
	i, found := slices.BinarySearchFunc(c.Uncontrolled, what, func(k Cause, what string) int { return cmp.Compare(k.What, what) })
	if !found {
		c.Uncontrolled = slices.Insert(c.Uncontrolled, i, Cause{What: what})
	}
	c.Uncontrolled[i].Times += times
}

// Add adds the counts of further executions.
func (c *Counts) Add(more *Counts) {
	for _, d := range more.PCT {
		c.addDepth(d)
	}
	for _, k := range more.Uncontrolled {
		c.AddCause(k.What, k.Times)
	}
	c.Tasks = max(c.Tasks, more.Tasks)
	c.Timers += more.Timers
	c.Early += more.Early
	c.Far += more.Far
	c.Uncounted += more.Uncounted
	c.Forced += more.Forced
}

func (c *Counts) addDepth(d Depth) {
	i, found := slices.BinarySearchFunc(c.PCT, d, func(a, b Depth) int {
		return cmp.Or(cmp.Compare(a.Setting, b.Setting), cmp.Compare(a.Depth, b.Depth))
	})
	if !found {
		c.PCT = slices.Insert(c.PCT, i, d)
		return
	}
	sum := &c.PCT[i]
	sum.Executions += d.Executions
	sum.Tasks, sum.Steps, sum.Within = max(sum.Tasks, d.Tasks), max(sum.Steps, d.Steps), min(sum.Within, d.Within)
}

// Causes that are out of control, in addition to those of the runtime (RouseSources), whose words these are.
const (
	// SystemCall is a point, so its order among the operations was chosen. Its results were not.
	SystemCall = "system call"
	Pointless  = "system call without a point"
	Iteration  = "map iteration by addresses"
	Collection = "garbage collection"
	Background = "timer of a goroutine outside"
	ProcessID  = "process id"
	Mapping    = "shared mapping"
	// Woken means that something outside has woken a task.
	Woken = "wake from outside"
)

// Withdraws reports whether a cause invalidates the evidence of the executions: the bounds of PCT, the chance of a new
// order, and that an exhausted search has explored everything. These hold for the orders that a strategy chooses, in
// executions that depend on nothing else, which is not certain with an unknown cause.
func Withdraws(cause string) bool { return cause != SystemCall }

// Withdrawn lists the causes that invalidate the evidence of these executions, or returns "".
func (e *Evidence) Withdrawn() string { return withdrawn(e.Uncontrolled) }

func withdrawn(causes []Cause) string {
	var all []string
	for _, c := range causes {
		if Withdraws(c.What) {
			all = append(all, c.What)
		}
	}
	return strings.Join(all, ", ")
}

// answered reports whether what the executions did depends on what system calls returned.
func (e *Evidence) answered() bool {
	for _, c := range e.Uncontrolled {
		if c.What == SystemCall {
			return true
		}
	}
	return false
}

// Text between the name of a strategy that has nothing left to explore and the number of its executions.
const (
	All   = " has explored all there is: "
	Ended = " has nothing left to explore after "
)

// Complete qualifies the result of an exhausted search of the counted executions. Of one goroutine there is little to
// say. race means that the race detector
// reports plain memory accesses, which are not operations. shared means that executions of a test shared a process,
// not all of whose state is checked.
func (c *Counts) Complete(exhausted string, race, shared bool) string {
	if exhausted == "" {
		return ""
	}
	var but []string
	if c.Tasks != 1 {
		but = append(but, "len of a channel is no operation")
		if !race {
			but[0] += ", nor are plain memory accesses: -race reports their races"
		}
	}
	e := Evidence{Uncontrolled: c.Uncontrolled}
	if e.answered() {
		but = append(but, "system calls returned what they did here")
	}
	if shared {
		but = append(but, "the executions shared a process")
	}
	if causes := e.Withdrawn(); causes != "" {
		exhausted = strings.Replace(exhausted, All, Ended, 1)
		but = append(but, "not all there is, with this out of control: "+causes)
	}
	if len(but) == 0 {
		return exhausted
	}
	return exhausted + " (" + strings.Join(but, "; ") + ")"
}
