package strategy

// A Deviation is a decision other than the canonical policy's (Choice.Default, or
// alternative 0 of a pick). It is named by the task that was current and the number
// of operations that it had done, not by its place in the whole schedule, so that
// it survives changes elsewhere.
type Deviation struct {
	Task   uint64 // key of the current task; 0 at the beginning
	Ops    int    // that it had done
	Repeat int    // decisions there before this one
	// To is the key of the task chosen. Pick is the outcome picked; it is above 0
	// for a pick, and 0 for a choice of task.
	To   uint64
	Pick int
}

// at reports whether the deviation is the decision of that name.
func (d Deviation) at(task uint64, ops, repeat int) bool {
	return d.Task == task && d.Ops == ops && d.Repeat == repeat
}
