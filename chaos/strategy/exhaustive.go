package strategy

import "fmt"

// An Exhaustive strategy comes to an end: it has then seen all that it promises to
// see, and its Begin returns false. DFS and DPOR return such strategies. They run
// the same prefix of a schedule many times, and panic with a *DivergenceError, from
// Next, Pick or End, if it turns out differently. Those two are Resumable as well.
type Exhaustive interface {
	Strategy
	// Complete reports whether nothing is left to explore, and no execution was cut
	// short.
	Complete() bool
	// Schedules is the number of executions that have ended so far.
	Schedules() int
	// Share estimates how much of what there is has been explored, from 0 to 1: a
	// guess from what the nearest branches of the search were like.
	Share() float64
}

// A DivergenceError says that the same choices led to a different state: the
// subject depends on something besides the schedule. Exhaustive search means
// nothing then.
type DivergenceError struct {
	Strategy string
	Step     int    // that differs, from 0
	Was, Is  string // what there was to choose when the prefix was run before, and now
}

func (e *DivergenceError) Error() string {
	return fmt.Sprintf("%s: step %d has %s after the same choices that led to %s before: the subject depends on something besides "+
		"the schedule (a clock, an address, the order of a map, a goroutine that is not controlled)", e.Strategy, e.Step, e.Is, e.Was)
}

// The ways to name what a step had to offer.
func tasksToChoose(n int) string { return count(n, "task to choose from", "tasks to choose from") }
func picksToMake(n int) string   { return fmt.Sprintf("a pick among %d", n) }

const (
	otherTasks = "other tasks, or tasks about to do something else"
	theseTasks = "some tasks"
	noStep     = "no such step"
)

func count(n int, one, many string) string {
	if n == 1 {
		return "1 " + one
	}
	return fmt.Sprintf("%d %s", n, many)
}
