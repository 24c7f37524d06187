package strategy

import "slices"

// Replay repeats a schedule: the decisions listed, and otherwise the canonical policy's. An
// entry does not apply if the task never gets that far, or if the task to be chosen is not
// enabled there; Unused returns those.
type Replay struct {
	// Schedule is what to repeat. Its order does not matter.
	Schedule []Deviation

	used    []bool
	repeats []repeat // by task ID; the first is the beginning's
	// at is the index in Schedule of each decision. Of two entries for one decision the first
	// counts: a decision is made once in an execution.
	at map[decision]int32
}

// A decision identifies a place in an execution where a Deviation applies.
type decision struct {
	task        uint64
	ops, repeat int32
	after       bool
}

// A repeat counts the decisions made while a task had done ops operations: those before the next one,
// and those directly after it.
type repeat struct {
	ops, before, after int32
}

// Name is "replay".
func (*Replay) Name() string { return "replay" }

// Begin prepares one more repetition.
func (r *Replay) Begin(Execution) bool {
	r.used = make([]bool, len(r.Schedule))
	r.repeats = r.repeats[:0]
	if r.at == nil {
		r.at = make(map[decision]int32, len(r.Schedule))
		for i, d := range r.Schedule {
			at := decision{d.Task, d.Ops, d.Repeat, d.After}
			if _, ok := r.at[at]; !ok {
				r.at[at] = int32(i)
			}
		}
	}
	return true
}

// Next repeats a choice of task.
func (r *Replay) Next(c *Choice) int {
	d, at := r.entry(c)
	if d == nil || d.Pick != 0 {
		return c.Default
	}
	for i, t := range c.Enabled {
		if t.Key == d.To {
			return i
		}
	}
	r.used[at] = false
	return c.Default
}

// Pick repeats the choice of an outcome.
func (r *Replay) Pick(c *Choice, n int) int {
	d, at := r.entry(c)
	if d == nil || d.Pick == 0 {
		return 0
	}
	if int(d.Pick) >= n {
		r.used[at] = false
		return 0
	}
	return int(d.Pick)
}

// SwitchesAfter reports whether the schedule has a decision directly after an operation.
func (r *Replay) SwitchesAfter() bool {
	return slices.ContainsFunc(r.Schedule, func(d Deviation) bool { return d.After })
}

// End does nothing.
func (*Replay) End(Result) {}

// Unused returns the entries that have not applied in the last repetition.
func (r *Replay) Unused() []Deviation {
	var unused []Deviation
	for i, d := range r.Schedule {
		if i >= len(r.used) || !r.used[i] {
			unused = append(unused, d)
		}
	}
	return unused
}

// entry returns the entry of this decision and its index in the schedule, or nil.
func (r *Replay) entry(c *Choice) (*Deviation, int) {
	key, id, ops, after := uint64(0), 0, int32(0), false
	if t := c.Current; t != nil {
		key, id, ops = t.Key, t.ID+1, int32(t.Ops)
		if after = t.Op.Kind == After; after {
			ops--
		}
	}
	for len(r.repeats) <= id {
		r.repeats = append(r.repeats, repeat{})
	}
	at := &r.repeats[id]
	if at.ops != ops {
		*at = repeat{ops: ops}
	}
	count := &at.before
	if after {
		count = &at.after
	}
	n := *count
	*count++
	i, ok := r.at[decision{key, ops, n, after}]
	if !ok || r.used[i] {
		return nil, 0
	}
	r.used[i] = true
	return &r.Schedule[i], int(i)
}
