package strategy

import "slices"

// Replay repeats a schedule: the decisions listed, and otherwise the canonical
// policy's. An entry that never applies, because the task does not come so far or
// the one to be chosen is not enabled there, is left out; Unused tells which.
type Replay struct {
	// Schedule is what to repeat. Its order does not matter.
	Schedule []Deviation

	used    []bool
	repeats []repeat // by task ID; the first is the beginning's
	// byTask lists the entries of a task, by their place in Schedule.
	byTask map[uint64][]int
}

// A repeat counts decisions made while a task had done so many operations.
type repeat struct {
	ops, n int32
	after  bool
}

// Name is "replay".
func (*Replay) Name() string { return "replay" }

// Begin prepares one more repetition.
func (r *Replay) Begin(Execution) bool {
	r.used = make([]bool, len(r.Schedule))
	r.repeats = r.repeats[:0]
	if r.byTask == nil {
		r.byTask = make(map[uint64][]int)
		for i, d := range r.Schedule {
			r.byTask[d.Task] = append(r.byTask[d.Task], i)
		}
	}
	return true
}

// Next repeats a choice of task.
func (r *Replay) Next(c *Choice) int {
	d := r.entry(c)
	if d == nil || d.Pick != 0 {
		return c.Default
	}
	for i, t := range c.Enabled {
		if t.Key == d.To {
			return i
		}
	}
	r.unuse(d)
	return c.Default
}

// Pick repeats the choice of an outcome.
func (r *Replay) Pick(c *Choice, n int) int {
	d := r.entry(c)
	if d == nil || d.Pick == 0 {
		return 0
	}
	if int(d.Pick) >= n {
		r.unuse(d)
		return 0
	}
	return int(d.Pick)
}

// SwitchesAfter reports whether the schedule has a decision of that kind.
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

// entry returns what the schedule says of this decision, or nil.
func (r *Replay) entry(c *Choice) *Deviation {
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
	if at.ops != ops || at.after != after {
		*at = repeat{ops: ops, after: after}
	}
	n := at.n
	at.n++
	for _, i := range r.byTask[key] {
		if d := &r.Schedule[i]; !r.used[i] && d.at(key, ops, after, n) {
			r.used[i] = true
			return d
		}
	}
	return nil
}

func (r *Replay) unuse(d *Deviation) {
	for i := range r.Schedule {
		if &r.Schedule[i] == d {
			r.used[i] = false
		}
	}
}
