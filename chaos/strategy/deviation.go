package strategy

// A Deviation is a decision other than the canonical policy's (Choice.Default, or
// alternative 0 of a pick). It is identified by the current task and the number of
// operations that it had done, not by its position in the schedule, so that it survives
// changes elsewhere.
type Deviation struct {
	Task   uint64 // key of the current task; 0 at the beginning
	To     uint64 // key of the task chosen; 0 for a pick
	Ops    int32  // that the current task had done
	After  bool   // directly after operation Ops, and not before it: see Kind After
	Repeat int32  // decisions there before this one
	Pick   int32  // the outcome picked, above 0; 0 for a choice of task
}
