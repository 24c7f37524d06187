package strategy

import "math/bits"

// DPOR explores at least one schedule of every set of schedules that differ only in the
// order of operations that do not interact: source-DPOR with sleep sets (Abdulla et
// al., Optimal Dynamic Partial Order Reduction, POPL 2014), and all picks. It ends, as an
// Exhaustive strategy, when every final state, deadlock and failed assertion that any
// schedule leads to has been seen. Loops that repeat reads are treated as by DFS.
//
// It requires of the engine that each operation that others may observe is an Event, with
// its objects; that Wakes names the tasks that an event has enabled if its objects do not
// imply them; and that the Op of a blocked task can be read until the end of the
// execution. An execution that turns out to be redundant is run to its end by the
// canonical policy.
func DPOR() Strategy { return &dpor{} }

// The search is a stack: one dporStep for each step of the execution, with the tasks
// that were enabled before it as its options, and all that is known of what it did.
// The arrays hold what belongs to the steps, in their order, so that going back to a
// step cuts all of them.
//
// Steps before fresh are replayed, and already known. Step fresh, the top of the stack
// when an execution begins, takes another option or other picks.
type dpor struct {
	steps    []dporStep
	options  []option
	picks    []dporPick
	accesses []access
	wakes    []wake
	clocks   []int32
	feet     []access // footprints: see option

	tasks   []dporTask // by ID
	objects []int32    // by object number: its last access, plus 1
	globals int32      // the last access that interacts with everything, plus 1

	// Of the execution.
	fresh     int
	now       int // the step that is being made, -1 before the first
	pick      int // the next pick
	hash      uint64
	highest   int  // object number seen so far
	redundant bool // all enabled tasks are asleep: nothing new can follow

	// Scratch.
	own, clock, ordered []int32
	initials            initials
	blocked             []bool // by task ID

	begun, exhausted bool
	leftOut          leftOut
	redundants       int // executions that were redundant: for tests
	plant            plant
}

// A plant is a planted defect that makes DPOR miss states: with it the tests must fail.
type plant uint8

const (
	stopAtOwn plant = 1 + iota // no races beyond the task's own access
	addRacing                  // the racing task comes first, whatever it depends on
)

type dporStep struct {
	hash    uint32
	highest int32 // object number that was known before
	task    int32 // ID
	prev    int32 // the task's step before, plus 1
	seq     int32 // of the task, from 1
	chosen  int32 // among its options
	kind    Kind  // of the chosen operation
	// Where its part of the arrays begins. The options are complete then, the others
	// grow while it is made, the footprints after it.
	options, width, picks, accesses, wakes, feet int32
	clock, tasks                                 int32 // clocks[clock:clock+tasks], once it is made
}

// An option is a task that was enabled at a step.
type option struct {
	task  int32 // ID
	state optionState
	// feet[foot:foot+feet] is what its next step does, by all its picks, if the step
	// is explored already (state explored or asleep).
	foot, feet int32
}

type optionState uint8

const (
	unwanted optionState = iota // so far no race asks for it
	wanted                      // to be explored, or being explored
	explored
	asleep // explored before, and nothing has interacted with it since
)

type dporPick struct{ step, n, alt int32 }

// A dporTask is a task of the execution. Only last is part of the stack.
type dporTask struct {
	task  *Task
	spawn int32 // the step that spawned it, plus 1
	last  int32 // its last step, plus 1
	woken int32 // the last wake, plus 1
	ended int32 // the step in which it ended, plus 1
}

// A wake says that a step enabled a task.
type wake struct{ step, task, prev int32 }

func (*dpor) Name() string { return "dpor" }

func (d *dpor) Begin(Execution) bool {
	if d.begun && !d.exhausted {
		d.exhausted = !d.advance()
	}
	d.begun = true
	d.fresh = max(0, len(d.steps)-1)
	d.now, d.pick, d.hash, d.highest, d.redundant = -1, 0, 0, 0, false
	for i := range d.tasks {
		t := &d.tasks[i]
		t.task = nil
		if int(t.ended) > d.fresh {
			t.ended = 0
		}
	}
	return !d.exhausted
}

// Known implements Rerunner: the replayed steps are known.
func (d *dpor) Known() int { return d.fresh }

// advance moves to the next schedule: the deepest step that has another pick or a wanted
// option takes it.
func (d *dpor) advance() bool {
	for len(d.steps) > 0 {
		top := len(d.steps) - 1
		s := &d.steps[top]
		d.leaveFootprint(s)
		for last := len(d.picks) - 1; last >= int(s.picks); last-- {
			if p := &d.picks[last]; p.alt+1 < p.n {
				p.alt++
				d.picks = d.picks[:last+1]
				d.undo(s)
				d.enter(s, s.chosen)
				return true
			}
		}
		d.picks = d.picks[:s.picks]
		d.undo(s)
		options := d.options[s.options : s.options+s.width]
		options[s.chosen].state = explored
		for i := range options {
			if options[i].state == wanted {
				d.enter(s, int32(i))
				return true
			}
		}
		d.options, d.feet = d.options[:s.options], d.feet[:s.feet]
		d.steps = d.steps[:top]
	}
	return false
}

// enter makes an option of the top of the stack the step to make.
func (d *dpor) enter(s *dporStep, chosen int32) {
	s.chosen = chosen
	o := &d.options[s.options+chosen]
	if o.state == unwanted {
		o.state = wanted
	}
	t := &d.tasks[o.task]
	s.task, s.prev, s.seq = o.task, t.last, 1
	if t.last > 0 {
		s.seq = d.steps[t.last-1].seq + 1
	}
	t.last = int32(len(d.steps))
}

// undo removes what the step at the top of the stack did.
func (d *dpor) undo(s *dporStep) {
	d.tasks[s.task].last = s.prev
	for i := len(d.accesses) - 1; i >= int(s.accesses); i-- {
		*d.head(d.accesses[i].object) = d.accesses[i].prev
	}
	d.accesses = d.accesses[:s.accesses]
	for i := len(d.wakes) - 1; i >= int(s.wakes); i-- {
		d.tasks[d.wakes[i].task].woken = d.wakes[i].prev
	}
	d.wakes = d.wakes[:s.wakes]
	if s.tasks > 0 {
		d.clocks = d.clocks[:s.clock]
		s.tasks = 0
	}
}

func (d *dpor) Next(c *Choice) int {
	if d.now >= d.fresh {
		d.settle()
	}
	d.now++
	hash := d.hash
	for _, t := range c.All() {
		hash = (bits.RotateLeft64(hash, 23) ^ (uint64(t.ID)<<8 | uint64(t.Op.Kind))) * stream
		if t.ID >= len(d.tasks) || d.tasks[t.ID].task != t {
			d.know(t)
		}
	}
	d.hash = hash
	if d.now < len(d.steps) && !d.redundant {
		return d.replay(c)
	}
	for _, t := range c.All() {
		d.meet(t)
	}
	if d.redundant {
		return c.Default
	}
	return d.extend(c)
}

// meet notes the objects of a task that is enabled.
func (d *dpor) meet(t *Task) {
	d.highest = max(d.highest, t.Op.Object)
	for _, object := range t.Op.Others {
		d.highest = max(d.highest, object)
	}
}

func (d *dpor) know(t *Task) *dporTask {
	if t.ID >= len(d.tasks) {
		d.tasks = grow(d.tasks, t.ID)
	}
	known := &d.tasks[t.ID]
	if known.task != t {
		*known = dporTask{task: t, last: known.last, woken: known.woken, spawn: known.spawn, ended: known.ended}
		if t.Parent == nil {
			known.spawn = 0
		}
	}
	return known
}

// replay repeats the choice of the execution before.
func (d *dpor) replay(c *Choice) int {
	s := &d.steps[d.now]
	if s.hash == uint32(d.hash>>32) && int(s.width) == c.Len() && int(s.picks) == d.pick {
		if d.now == d.fresh {
			s.kind, d.highest = c.At(int(s.chosen)).Op.Kind, int(s.highest)
		}
		return int(s.chosen)
	}
	was, is := tasksToChoose(int(s.width)), tasksToChoose(c.Len())
	if was == is {
		was, is = theseTasks, otherTasks
	}
	panic(&DivergenceError{Strategy: d.Name(), Step: d.now, Was: was, Is: is})
}

// extend adds a step that no execution has made after these choices.
func (d *dpor) extend(c *Choice) int {
	s := dporStep{
		hash: uint32(d.hash >> 32), highest: int32(d.highest),
		options: int32(len(d.options)), width: int32(c.Len()), picks: int32(len(d.picks)),
		accesses: int32(len(d.accesses)), wakes: int32(len(d.wakes)), feet: int32(len(d.feet)),
	}
	for _, t := range c.All() {
		d.options = append(d.options, option{task: int32(t.ID)})
	}
	d.inheritSleep(&s)
	chosen := d.awake(&s, c.Default)
	if chosen < 0 {
		d.options = d.options[:s.options]
		d.racePending(c.All()) // a new step may be what blocks the others
		d.redundant = true
		return c.Default
	}
	s.kind = c.At(chosen).Op.Kind
	d.steps = append(d.steps, s)
	d.enter(&d.steps[len(d.steps)-1], int32(chosen))
	return chosen
}

// awake returns the option to begin with, the canonical one if possible; -1 if all sleep.
func (d *dpor) awake(s *dporStep, canonical int) int {
	options := d.options[s.options:]
	if options[canonical].state != asleep {
		return canonical
	}
	for i := range options {
		if options[i].state != asleep {
			return i
		}
	}
	return -1
}

// Pick enumerates the alternatives: it returns that of the stack, and beyond it 0.
func (d *dpor) Pick(c *Choice, n int) int {
	if d.redundant || c.Asks == RunOn { // the first rounds are explored one by one
		return 0
	}
	if d.pick == len(d.picks) {
		d.picks = append(d.picks, dporPick{step: int32(d.now), n: int32(n)})
	}
	p := &d.picks[d.pick]
	if int(p.step) != d.now || int(p.n) != n {
		was := noStep
		if int(p.step) == d.now {
			was = picksToMake(int(p.n))
		}
		panic(&DivergenceError{Strategy: d.Name(), Step: d.now, Was: was, Is: picksToMake(n)})
	}
	d.pick++
	return int(p.alt)
}

func (d *dpor) End(r Result) {
	d.settle()
	if d.now+1 < len(d.steps) || d.pick < len(d.picks) {
		panic(&DivergenceError{Strategy: d.Name(), Step: d.now + 1, Was: theseTasks, Is: noStep})
	}
	d.leftOut.note(r)
	if d.redundant {
		d.redundants++
		return
	}
	d.noteAsides(r.Asides)
	d.racePending(nil)
	if (r.Failed || r.Cut) && len(d.steps) > 0 {
		d.abort()
	}
}

// Complete implements Exhaustive.
func (d *dpor) Complete() bool { return d.exhausted && d.Bounded() == "" }

// Bounded implements Exhaustive.
func (d *dpor) Bounded() string { return d.leftOut.text("") }

// grow returns s with an element i: missing ones are zero. Tables that are indexed by task or
// object grow that way, since neither is counted beforehand.
func grow[T any](s []T, i int) []T {
	var zero T
	for len(s) <= i {
		s = append(s, zero)
	}
	return s
}
