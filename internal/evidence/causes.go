package evidence

import "strings"

// Causes of what is out of control, beside those of the runtime (RouseSources), whose words these are.
const (
	// SystemCall: each was a point, so its order among the operations was chosen. What it returns was not.
	SystemCall = "system call"
	Pointless  = "system call without a point"
	Iteration  = "map iteration by addresses"
	Collection = "garbage collection"
	Background = "timer of a goroutine outside"
	ProcessID  = "process id"
	Mapping    = "shared mapping"
	// Woken: something outside has woken a task.
	Woken = "wake from outside"
)

// Withdraws reports whether a cause takes away what the executions are evidence of: the bounds of PCT, the chance of a
// new order, and that an exhausted search has explored all there is. They hold for the orders that a strategy chooses,
// of executions that do not depend on anything else. Of a cause that is not known that is not sure.
func Withdraws(cause string) bool { return cause != SystemCall }

// Withdrawn lists the causes that withdraw what these executions are evidence of; "" is none.
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

// What follows the name of a strategy that has nothing left to explore, before how many executions that took.
const (
	All   = " has explored all there is: "
	Ended = " has nothing left to explore after "
)

// Complete qualifies the result of an exhausted search of the executions that have been counted. race: the race
// detector reports the plain accesses to memory that are no operations. shared: executions of a test have shared a process,
// of which not all is looked at.
func (c *Counts) Complete(exhausted string, race, shared bool) string {
	if exhausted == "" {
		return ""
	}
	but := []string{"len of a channel is no operation"}
	if !race {
		but[0] += ", nor are plain memory accesses: -race reports their races"
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
	return exhausted + " (" + strings.Join(but, "; ") + ")"
}
