package strategy

import (
	"cmp"
	"slices"
)

// Replay repeats a schedule: the decisions listed, and otherwise the canonical policy's. An
// entry does not apply if the task never gets that far, or if the task to be chosen is not
// enabled there; Unused returns those.
type Replay struct {
	// Schedule is what to repeat. Its order does not matter.
	Schedule []Deviation

	used []bool
	// tasks is indexed by task ID, plus 1; the first is for the beginning.
	tasks []replayed
	// entries are the indexes in Schedule of the decisions of a task, by its key and in their order.
	entries map[uint64][]int32
}

// replayed holds the state of a repetition for a task.
type replayed struct {
	entries []int32
	known   bool // entries have been looked up
	at      int  // the first entry that is not before the last decision
	// The decisions made while the task had done ops operations: those before the next one, and those
	// directly after it.
	ops, before, after int32
}

// Name returns "replay".
func (*Replay) Name() string { return "replay" }

// Begin prepares one more repetition.
func (r *Replay) Begin(Execution) bool {
	r.used = make([]bool, len(r.Schedule))
	r.tasks = r.tasks[:0]
	if r.entries == nil {
		r.sort()
	}
	return true
}

// sort finds the entries of each task. Of two entries for one decision the first counts: a decision is made
// once in an execution.
func (r *Replay) sort() {
	r.entries = make(map[uint64][]int32)
	for i := range r.Schedule {
		task := r.Schedule[i].Task
		r.entries[task] = append(r.entries[task], int32(i))
	}
	for _, all := range r.entries {
		slices.SortStableFunc(all, func(a, b int32) int { return r.Schedule[a].compare(&r.Schedule[b]) })
	}
}

// compare orders the decisions of one task.
func (d *Deviation) compare(o *Deviation) int {
	switch {
	case d.Ops != o.Ops:
		return cmp.Compare(d.Ops, o.Ops)
	case d.After != o.After && o.After:
		return -1
	case d.After != o.After:
		return 1
	}
	return cmp.Compare(d.Repeat, o.Repeat)
}

// Next repeats a choice of task.
func (r *Replay) Next(c *Choice) int {
	d, at := r.entry(c)
	if d == nil || d.Pick != 0 {
		return c.Default
	}
	if i := c.IndexOf(d.To); i >= 0 {
		return i
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
	key, id, now := uint64(0), 0, Deviation{}
	if t := c.Current; t != nil {
		key, id, now.Ops, now.After = t.Key, t.ID+1, int32(t.Ops), t.Op.Kind == After
		if now.After {
			now.Ops--
		}
	}
	r.tasks = grow(r.tasks, id)
	t := &r.tasks[id]
	if !t.known {
		t.entries, t.known = r.entries[key], true
	}
	if t.ops != now.Ops {
		t.ops, t.before, t.after = now.Ops, 0, 0
	}
	count := &t.before
	if now.After {
		count = &t.after
	}
	now.Repeat = *count
	*count++
	for t.at < len(t.entries) && r.Schedule[t.entries[t.at]].compare(&now) < 0 {
		t.at++
	}
	for t.at > 0 && r.Schedule[t.entries[t.at-1]].compare(&now) >= 0 { // a task that waits repeats decisions
		t.at--
	}
	if t.at == len(t.entries) {
		return nil, 0
	}
	i := t.entries[t.at]
	if r.used[i] || r.Schedule[i].compare(&now) != 0 {
		return nil, 0
	}
	r.used[i] = true
	return &r.Schedule[i], int(i)
}
