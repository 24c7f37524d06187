package strategy

import (
	"fmt"
	"math/rand/v2"
	"slices"
)

const (
	// unfair is how many contested steps an execution is scheduled by priority, at
	// least. A task that waits for another in a loop would run forever if its
	// priority were higher, so what follows is random, and ends.
	unfair = 10_000
	// remembered is the number of executions whose lengths predict that of the next:
	// enough that short ones do not hide the others, and few enough that an outlier is
	// forgotten.
	remembered = 32
	// leastDepth and mostDepth bound the depths of PCTCycle: nearly all known bugs
	// lie between.
	leastDepth, mostDepth = 2, 6
)

// PCT schedules by priority, and lowers the priority of the task that is running at
// d-1 random steps (Burckhardt et al., A Randomized Scheduler with Probabilistic
// Guarantees of Finding Bugs, ASPLOS 2010). It finds a bug of depth d, one that
// needs d ordering constraints, with probability at least 1/(n*k^(d-1)) in an
// execution of n tasks and k steps. Its k is that of the longest of the last
// executions, without the steps before there is a choice; the first execution is
// random, and measures.
func PCT(d int) Strategy {
	if d < 1 {
		panic(fmt.Sprintf("strategy: PCT(%d): a bug's depth is at least 1", d))
	}
	return &pct{name: fmt.Sprintf("pct(%d)", d), least: d, most: d}
}

// PCTCycle is PCT for bugs of unknown depth: d is 2, 3, ... 6 in turn. In every other execution the priority of a
// task is lowered not at random steps but before random operations that it has not done often: where one task
// works for long, nearly all steps are of that work. Such an execution has no guarantee.
func PCTCycle() Strategy {
	return &pct{name: "pct", least: leastDepth, most: mostDepth, landmarks: newLandmarks()}
}

// patienceFor returns for how many steps a strategy is unfair if the first execution, a random one, has that
// many: more than all steps of another task.
func patienceFor(steps int) int { return max(unfair, 4*steps) }

type pct struct {
	name        string
	least, most int // depths
	source      rand.PCG
	after

	// Steps of the last executions, from the first contested one on. Those that are
	// forced later count, too: how many are depends on the schedule, and a search
	// that does not draw from them keeps its executions such that they are.
	lengths [remembered]int
	runs    int // executions so far
	fair    int // length of the first, random one

	landmarks *landmarks // nil if all changes are at steps

	// Of the execution.
	prioritised int        // contested steps that are scheduled by priority
	step        int        // contested steps so far
	first       int        // number of the first of them
	changes     []int      // steps at which the best task's priority becomes the index here, plus 1
	sorted      []int      // the same, ascending
	next        int        // index of the next of them
	marks       []landmark // operations before which the priority of the task becomes the index here, plus 1
	depth       int        // 0 if it is random
	forced      bool       // the engine has given turns
	within      int        // how many steps the changes are drawn from
	met         int        // tasks that have a priority
	priorities  []int64    // by task ID; 0 if not seen yet
	yielded     []int      // by task ID: Ops at the last yield that lowered it, plus 1
	lowest      int64
	top         int // what best returned last, for Choice.Changes to be seen
	seen        int // 0 if nothing is known
	index       index
}

func (p *pct) Name() string { return p.name }

func (p *pct) Begin(x Execution) bool {
	p.source.Seed(x.Seed, stream)
	p.after.draw(x.Seed)
	clear(p.priorities)
	clear(p.yielded)
	p.step, p.first, p.lowest = 0, 0, 0
	p.changes, p.sorted, p.next = p.changes[:0], p.sorted[:0], 0
	p.marks = p.marks[:0]
	p.prioritised, p.seen = 0, 0
	p.index.reset()
	p.depth, p.met, p.forced = 0, 0, false
	if p.runs > 0 {
		p.prioritised = patienceFor(p.fair)
		p.depth = p.least + p.runs%(p.most-p.least+1)
		if p.landmarks != nil && p.runs%2 == 0 {
			p.marks = p.landmarks.draw(&p.source, p.depth-1, p.marks)
		}
		if len(p.marks) == 0 {
			p.drawChanges(p.depth - 1)
		}
	}
	p.runs++
	return true
}

// drawChanges draws n distinct steps of 1..k-1, or all if there are fewer, in
// random order. A change at step 0 would be another permutation only.
func (p *pct) drawChanges(n int) {
	k := slices.Max(p.lengths[:])
	p.within = k
	for n = min(n, k-1); len(p.changes) < n; {
		// The free number x is the one with x free ones below: skip the others.
		step, at := 1+intn(&p.source, k-1-len(p.changes)), 0
		for ; at < len(p.sorted) && p.sorted[at] <= step; at++ {
			step++
		}
		p.sorted = append(p.sorted, 0)
		copy(p.sorted[at+1:], p.sorted[at:])
		p.sorted[at] = step
		p.changes = append(p.changes, step)
	}
}

func (p *pct) Next(c *Choice) int {
	contested := c.Len() > 1
	step := p.step
	if contested {
		if step == 0 {
			p.first = c.Step
		}
		p.step++
	}
	if step >= p.prioritised {
		i := 0
		if contested { // no draw depends on SkipsForced
			i = intn(&p.source, c.Len())
		}
		if p.measures() {
			p.landmarks.add(c.At(i))
		}
		return i
	}
	best := p.best(c)
	if !contested {
		return best
	}
	for len(p.marks) > 0 {
		i := p.marked(c.At(best))
		if i < 0 {
			break
		}
		p.lower(c.At(best), int64(i)+1)
		best = p.best(c)
	}
	if p.next < len(p.sorted) && p.sorted[p.next] == step {
		p.next++
		p.lower(c.At(best), int64(slices.Index(p.changes, step))+1)
		best = p.best(c)
	}
	return best
}

// best returns the index of the task of the highest priority. A task that is about
// to yield has the lowest, from when it would have been chosen.
func (p *pct) best(c *Choice) int {
	if c.HasMany() {
		return p.bestOfMany(c)
	}
	if c.Changes == p.seen && p.seen > 0 && c.Enabled[p.top].Op.Kind != Yield {
		return p.top
	}
	for {
		best, highest := 0, int64(0)
		for i, t := range c.Enabled {
			priority := int64(0)
			if t.ID < len(p.priorities) {
				priority = p.priorities[t.ID]
			}
			if priority == 0 {
				priority = p.meet(t)
			}
			if i == 0 || priority > highest {
				best, highest = i, priority
			}
		}
		t := c.Enabled[best]
		if t.Op.Kind != Yield || p.yielded[t.ID] == t.Ops+1 {
			p.top, p.seen = best, c.Changes
			return best
		}
		p.yielded[t.ID] = t.Ops + 1
		p.lowest--
		p.priorities[t.ID] = p.lowest
	}
}

// bestOfMany is best for an execution with many tasks.
func (p *pct) bestOfMany(c *Choice) int {
	p.index.sync(c, p)
	for {
		t := p.index.highest()
		if t.Op.Kind != Yield || p.yielded[t.ID] == t.Ops+1 {
			return c.Index(t)
		}
		p.yielded[t.ID] = t.Ops + 1
		p.lowest--
		p.priorities[t.ID] = p.lowest
		p.index.update(t, p)
	}
}

// mark implements marker.
func (p *pct) mark(t *Task) mark {
	if t.ID >= len(p.priorities) || p.priorities[t.ID] == 0 {
		p.meet(t)
	}
	return mark{top: p.priorities[t.ID]}
}

// meet gives a new task its priority: a random number, which puts it at a random
// place in the order, above all that a change or a yield has lowered.
func (p *pct) meet(t *Task) int64 {
	if t.ID >= len(p.priorities) {
		p.priorities, p.yielded = grow(p.priorities, t.ID), grow(p.yielded, t.ID)
	}
	priority := int64(p.source.Uint64()>>2 | 1<<62)
	p.priorities[t.ID] = priority
	p.met++
	return priority
}

// marked returns the index of the mark that the task has come to, or -1, and removes the mark.
func (p *pct) marked(t *Task) int {
	for i := range p.marks {
		if m := &p.marks[i]; m.ops == t.Ops && m.key == t.Key {
			m.ops = -1
			return i
		}
	}
	return -1
}

// lower gives a task the priority of a change, or one below all others if its own
// is lower still because it has yielded.
func (p *pct) lower(t *Task, to int64) {
	if p.priorities[t.ID] <= to {
		p.lowest--
		to = p.lowest
	}
	p.priorities[t.ID] = to
	p.seen = 0
	p.index.update(t, p)
}

// Guarantee implements Guarantor. An execution that was scheduled at random or by the engine, in part or as a whole,
// has none, nor has one whose changes are not at random steps.
func (p *pct) Guarantee() (Guarantee, bool) {
	if p.depth == 0 || p.step > p.prioritised || p.forced || len(p.marks) > 0 {
		return Guarantee{}, false
	}
	return Guarantee{Depth: p.depth, Tasks: max(p.met, 1), Steps: max(p.within, 1)}, true
}

func (p *pct) Pick(c *Choice, n int) int { return answer(&p.source, c, n) }

// SkipsForced implements Skipper. What one task does while no other can continue, it does beside others in another
// schedule.
func (p *pct) SkipsForced() bool { return !p.measures() }

// measures reports whether it is the execution that the landmarks are taken from.
func (p *pct) measures() bool { return p.runs == 1 && p.landmarks != nil }

func (p *pct) End(r Result) {
	p.forced = r.Forced > 0
	length := 0
	if p.step > 0 {
		length = r.Steps - p.first
	}
	if p.runs == 1 {
		p.fair = length
	} else if p.step > p.prioritised {
		return // its length is that of the loop that did not end
	}
	p.lengths[p.runs%remembered] = length
}

// often is how many times a task does the same to the same object before that is routine.
const often = 3

// landmarks holds the operations of the first execution that were not routine for their tasks. If a task adds to a
// counter a hundred thousand times and then sets a flag, a step drawn at random is an addition; a landmark is as
// likely the flag.
type landmarks struct {
	tasks [][]landmark // in the order of their first ones
	byKey map[uint64]int
	times map[habit]int // how often it has been done
}

// A landmark is an operation: the task, and how many it has done before.
type landmark struct {
	key uint64
	ops int
}

type habit struct {
	key    uint64
	kind   Kind
	object int
}

func newLandmarks() *landmarks {
	return &landmarks{byKey: map[uint64]int{}, times: map[habit]int{}}
}

// add enters a task's step of the first execution.
func (l *landmarks) add(t *Task) {
	switch t.Op.Kind {
	case Begin, After, Resume: // before the first one a change is another permutation only
		return
	}
	h := habit{t.Key, t.Op.Kind, t.Op.Object}
	times := l.times[h]
	if times == often || len(l.times) == mostUses {
		return
	}
	l.times[h] = times + 1
	i, ok := l.byKey[t.Key]
	if !ok {
		i = len(l.tasks)
		l.byKey[t.Key] = i
		l.tasks = append(l.tasks, nil)
	}
	l.tasks[i] = append(l.tasks[i], landmark{t.Key, t.Ops})
}

// draw appends n of them to list, each of a task drawn at random, if there are any.
func (l *landmarks) draw(source *rand.PCG, n int, list []landmark) []landmark {
	l.times = nil // all are known
	for ; len(l.tasks) > 0 && n > 0; n-- {
		of := l.tasks[intn(source, len(l.tasks))]
		list = append(list, of[intn(source, len(of))])
	}
	return list
}
