package core

import (
	"github.com/rouse-go/rouse/chaos/internal/splitmix"
	"github.com/rouse-go/rouse/chaos/strategy"
	"github.com/rouse-go/rouse/chaos/verdict"
)

// Experiments repeat an execution up to some event, and then let one task run alone: they show
// what an event has meant to that task. What the task does alone is returned; a task that cannot
// continue, for example because another holds a lock, does nothing more.
type Experiments struct {
	engine   *Engine
	schedule strategy.Schedule
	body     func()
}

// Experiments implements control.Engine.Experiments.
func (e *Engine) Experiments(s strategy.Schedule, body func()) Experiments {
	return Experiments{e, s, body}
}

// Nudge wakes the task of that path, a waiter of a condition, after the n-th event of the
// execution. It returns nothing if the task does not wait for a condition there.
func (x Experiments) Nudge(path string, n int) []Event {
	return x.run(&solo{path: path, event: n, begins: (*solo).nudges})
}

// Postpone keeps the task of that path from its operation op until another task has made
// the operation until, as Event.Op numbers them. It returns nothing if that never happens.
func (x Experiments) Postpone(path string, op int, other string, until int) []Event {
	return x.run(&solo{path: path, keeps: true, op: op, other: other, until: until, begins: (*solo).postponed})
}

func (x Experiments) run(a *solo) []Event {
	e := x.engine
	a.Replay, a.engine = strategy.Replay{Schedule: x.schedule.Deviations}, e
	defer e.beginTrace(0)()
	e.Causes.solo = a
	e.runUnder(a, x.schedule, x.body)
	if a.task == nil {
		return nil
	}
	var own []Event
	for _, event := range e.Traced[a.after:] {
		if event.Task == a.path {
			own = append(own, event)
		}
	}
	return own
}

// maxSolo bounds the steps that a task makes alone.
const maxSolo = 100

// A solo is a strategy: a replay up to an event, and then one task alone.
type solo struct {
	strategy.Replay
	engine *Engine
	path   string
	keeps  bool // whether the task is kept from its operation op until it runs alone
	op     int
	event  int    // for nudges: the number of events after which it begins
	other  string // for postponed: the task after whose operation until it begins
	until  int
	begins func(a *solo, e *Engine, t *Task) bool // after the last event; t is the task
	task   *Task                                  // once it runs alone
	after  int                                    // events before that
	steps  int
}

// nudges and all functions below run on the goroutines of tasks, which may never end.
//
//go:norace
func (a *solo) nudges(e *Engine, t *Task) bool {
	if len(e.Traced) != a.event {
		return false
	}
	return e.Front.Nudge(t)
}

//go:norace
func (a *solo) postponed(e *Engine, _ *Task) bool {
	last := e.LastTraced()
	return last.Task == a.other && last.Op == a.until
}

// recorded is called after each event.
//
//go:norace
func (a *solo) recorded(e *Engine) {
	if a.task != nil {
		return
	}
	for _, t := range e.Tasks[:e.NumTasks] {
		if !t.Ended && !t.Pseudo && t.Path() == a.path {
			if a.begins(a, e, t) {
				a.task, a.after = t, len(e.Traced)
			}
			return
		}
	}
}

//go:norace
func (a *solo) Next(c *strategy.Choice) int {
	if a.task == nil {
		return a.others(c, a.Replay.Next(c))
	}
	a.steps++
	i := c.Index(&a.task.Task)
	if i < 0 || a.steps > maxSolo {
		return a.end(c)
	}
	return i
}

// others returns i or, if that is the task that is kept, another one.
//
//go:norace
func (a *solo) others(c *strategy.Choice, i int) int {
	kept := func(s *strategy.Task) bool { return a.keeps && s.Ops == a.op && TaskOf(s).Path() == a.path }
	if !kept(c.At(i)) {
		return i
	}
	best := -1
	for j, s := range c.All() {
		if !s.Pseudo && !kept(s) && (best < 0 || s.ID < c.At(best).ID) {
			best = j
		}
	}
	if best < 0 {
		return a.end(c)
	}
	return best
}

//go:norace
func (a *solo) end(c *strategy.Choice) int {
	a.engine.FailWith(verdict.Timeout, "a task that is to run alone cannot continue", "")
	return c.Default
}

//go:norace
func (a *solo) Pick(c *strategy.Choice, n int) int {
	if a.task != nil {
		return 0
	}
	return a.Replay.Pick(c, n)
}

// A Swap changes one operation of an execution: a task is kept from it until another task has made one of its own, or it
// has another outcome. What follows may vary.
type Swap struct {
	// Task is the path of the task that is kept, and Op its operation, as Event.Op numbers them. The timers
	// are the task "clock", and Op is the number of a firing.
	Task string
	Op   int
	// Until is the path of the other task, and UntilOp its operation. With "" the task is kept until no other
	// task can continue.
	Until   string
	UntilOp int
	// Along: others continue as they do if the task is kept for as long as possible. Otherwise the one that is waited for
	// goes first.
	Along bool
	// After: the task is kept directly after the operation, or after the wait that the operation ends in, before what
	// follows it.
	After bool
	// Other, if not 0, is added to the number of the outcome that the operation has had, of which there are several. The
	// task is not kept.
	Other int
	// Stays: the task is not kept from the operation, and its outcome is the one that it was.
	Stays bool
	// Vary, if not 0, is a seed by which some decisions differ at random, once both operations have been made: not when
	// timers fire.
	Vary uint64
}

// Swap implements control.Engine.Swap.
func (e *Engine) Swap(s strategy.Schedule, swap Swap, body func()) (Result, bool) {
	k := &keeper{Replay: strategy.Replay{Schedule: s.Deviations}, engine: e, swap: swap}
	k.key, _ = strategy.Key(swap.Task)
	k.until, _ = strategy.Key(swap.Until)
	r, _, _ := e.runUnder(k, s, body)
	switch {
	case swap.Stays: // up to the operation, it is the execution of the schedule
		return r, true
	case swap.Other != 0:
		return r, k.kept
	}
	return r, k.kept && (k.passed && !k.stuck || swap.Until == "")
}

// A keeper is a strategy: a replay, except for what a Swap changes.
type keeper struct {
	strategy.Replay
	engine *Engine
	swap   Swap

	key, until uint64
	kept       bool // the task was kept, or its operation had another outcome
	passed     bool // the other task has made its operation
	stuck      bool // the operation has been made before the other one: no other task could continue
	made       bool // the operations have been made, after which decisions may vary
	draws      uint64
}

func (k *keeper) Begin(x strategy.Execution) bool {
	k.kept, k.passed, k.stuck, k.made, k.draws = false, false, false, false, 0
	return k.Replay.Begin(x)
}

//go:norace
func (k *keeper) Next(c *strategy.Choice) int {
	i := k.Replay.Next(c)
	k.look()
	switch {
	case k.made:
		if k.varies(c.Len()) {
			if j := int(k.draw() % uint64(c.Len())); !c.At(j).Pseudo && !c.At(i).Pseudo {
				i = j
			}
		}
	case !k.swap.isSwap() || k.stuck:
	case k.passed: // nothing else comes first
		if j := c.IndexOf(k.key); j >= 0 {
			i = j
		}
	case k.keeps(c.At(i)):
		i = k.other(c, i)
	}
	return i
}

//go:norace
func (k *keeper) Pick(c *strategy.Choice, n int) int {
	i := k.Replay.Pick(c, n)
	switch t := c.Current; {
	case k.made && k.varies(n):
		i = int(k.draw() % uint64(n))
	case !k.made && k.swap.Other != 0 && t != nil && t.Key == k.key && t.Ops == k.swap.Op:
		i = (i + k.swap.Other) % n
		k.kept = true
	}
	return i
}

// varies reports whether a decision among n differs at random: in some executions many do, in others few.
//
//go:norace
func (k *keeper) varies(n int) bool {
	return n > 1 && k.swap.Vary != 0 && k.draw()%(4<<(2*(k.swap.Vary%3))) == 0
}

//go:norace
func (k *keeper) draw() uint64 {
	k.draws++
	return splitmix.Mix(k.swap.Vary, k.draws)
}

// SwitchesAfter reports whether there are decisions directly after operations.
func (k *keeper) SwitchesAfter() bool {
	return k.swap.After || k.swap.Vary != 0 || k.Replay.SwitchesAfter()
}

// isSwap reports whether one operation is to come after another.
func (s *Swap) isSwap() bool { return !s.Stays && s.Other == 0 }

// look notes which operations have been made.
//
//go:norace
func (k *keeper) look() {
	if k.made {
		return
	}
	if passed := k.swap.Until != "" && k.begun(); passed && !k.passed {
		k.passed = true
		k.stuck = k.stuck || k.has(k.key, k.swap.Op, k.swap.After) && !k.firesAfter()
	} else if !k.passed && k.swap.Until != "" && k.has(k.key, k.swap.Op, k.swap.After) {
		k.stuck = true
	}
	k.made = (k.passed || !k.swap.isSwap() || k.swap.Until == "") && k.has(k.key, k.swap.Op, k.swap.After)
}

// firesAfter reports whether the operation is that a timer has fired, after the other task has made its last one.
//
//go:norace
func (k *keeper) firesAfter() bool {
	if k.key != strategy.ClockKey || k.engine.Firings != k.swap.Op+1 {
		return false
	}
	t := k.engine.keyed(k.until)
	return t != nil && t.Moved <= k.engine.FiredAt
}

// begun reports whether the other task has made its operation, or has waited in it.
//
//go:norace
func (k *keeper) begun() bool {
	if k.has(k.until, k.swap.UntilOp, false) {
		return true
	}
	t := k.engine.keyed(k.until) // of the clock, which has no other operations, the kind is another
	return t != nil && t.Ops == k.swap.UntilOp && t.Op.Kind == strategy.Resume
}

// has reports whether a task has made an operation and, with after, what follows it up to the next one.
//
//go:norace
func (k *keeper) has(key uint64, op int, after bool) bool {
	if key == strategy.ClockKey {
		return k.engine.Firings > op
	}
	t := k.engine.keyed(key)
	return t != nil && (t.Ops > op+1 || t.Ops == op+1 && !(after && !t.Ended && t.Op.Kind == strategy.After))
}

//go:norace
func (k *keeper) keeps(t *strategy.Task) bool {
	if t.Key != k.key {
		return false
	}
	switch {
	case k.key == strategy.ClockKey:
		return k.engine.Firings == k.swap.Op
	case k.swap.After:
		return t.Ops == k.swap.Op+1 && t.Op.Kind == strategy.After || t.Ops == k.swap.Op && t.Op.Kind == strategy.Resume
	}
	return t.Ops == k.swap.Op
}

// other returns the task that continues instead of the one that is kept: the one that is waited for, or the
// first one, and timers only if there is no other. If there is none at all, it returns i, the kept one.
//
//go:norace
func (k *keeper) other(c *strategy.Choice, i int) int {
	best := -1
	for j, t := range c.All() {
		switch {
		case k.keeps(t):
		case best < 0, k.isAwaited(t), !k.isAwaited(c.At(best)) && k.before(t, c.At(best)):
			best = j
		}
	}
	k.kept = true
	if best < 0 {
		k.stuck = true
		return i
	}
	return best
}

//go:norace
func (k *keeper) isAwaited(t *strategy.Task) bool { return t.Key == k.until && !k.swap.Along }

//go:norace
func (k *keeper) before(a, b *strategy.Task) bool {
	if a.Pseudo != b.Pseudo {
		return b.Pseudo
	}
	return a.ID < b.ID
}
