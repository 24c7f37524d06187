package evidence

import "strings"

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

// Complete qualifies the result of an exhausted search of the counted executions. race means that the race detector
// reports plain memory accesses, which are not operations. shared means that executions of a test shared a process,
// not all of whose state is checked.
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
