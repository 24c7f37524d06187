package core

import "github.com/rouse-go/rouse/chaos/strategy"

// A Swap keeps a task from one of its operations until another task has made one of its own.
type Swap struct {
	// Task is the path of the task that is kept, and Op its operation, as Event.Op numbers them. The timers
	// are the task "clock", and Op is the number of a firing.
	Task string
	Op   int
	// Until is the path of the other task, and UntilOp its operation. With "" the task is kept until no other
	// task can continue.
	Until   string
	UntilOp int
}

// Swap implements control.Engine.Swap.
func (e *Engine) Swap(s strategy.Schedule, swap Swap, body func()) (Result, bool) {
	k := &keeper{Replay: strategy.Replay{Schedule: s.Deviations}, engine: e, swap: swap}
	k.key, _ = strategy.Key(swap.Task)
	k.until, _ = strategy.Key(swap.Until)
	r, _ := e.runUnder(k, s, body)
	return r, k.kept && (k.reached || swap.Until == "")
}

// A keeper is a strategy: a replay, except that it keeps a task from an operation.
type keeper struct {
	strategy.Replay
	engine *Engine
	swap   Swap

	key, until uint64
	fired      int  // timers
	kept       bool // the task was kept
	reached    bool // the other task has made its operation
	stuck      bool // there was no other task
}

func (k *keeper) Begin(x strategy.Execution) bool {
	k.fired, k.kept, k.reached, k.stuck = 0, false, false, false
	return k.Replay.Begin(x)
}

//go:norace
func (k *keeper) Next(c *strategy.Choice) int {
	i := k.Replay.Next(c)
	if !k.reached && !k.stuck {
		if k.reached = k.passed(); !k.reached && k.keeps(c.Enabled[i]) {
			i = k.other(c, i)
		}
	}
	if c.Enabled[i].Key == strategy.ClockKey {
		k.fired++
	}
	return i
}

//go:norace
func (k *keeper) keeps(t *strategy.Task) bool {
	if t.Key != k.key {
		return false
	}
	if k.key == strategy.ClockKey {
		return k.fired == k.swap.Op
	}
	return t.Ops == k.swap.Op
}

// passed reports whether the other task has made its operation.
//
//go:norace
func (k *keeper) passed() bool {
	switch {
	case k.swap.Until == "":
		return false
	case k.until == strategy.ClockKey:
		return k.fired > k.swap.UntilOp
	}
	for _, t := range k.engine.Tasks[:k.engine.NumTasks] {
		if t.Key == k.until {
			return t.Ops > k.swap.UntilOp
		}
	}
	return false
}

// other returns the task that continues instead of the one that is kept: the one that is waited for, or the
// first one, and timers only if there is no other. If there is none at all, it returns i, the kept one.
//
//go:norace
func (k *keeper) other(c *strategy.Choice, i int) int {
	best := -1
	for j, t := range c.Enabled {
		switch {
		case k.keeps(t):
		case best < 0, t.Key == k.until, c.Enabled[best].Key != k.until && k.before(t, c.Enabled[best]):
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
func (k *keeper) before(a, b *strategy.Task) bool {
	if a.Pseudo != b.Pseudo {
		return b.Pseudo
	}
	return a.ID < b.ID
}
