package explore

import (
	"slices"
	"strings"

	"github.com/rouse-go/rouse/chaos/strategy"
)

// Batches choose the schedules of executions that several processes share. Each batch begins with
// new strategies, which learn from its executions only: what an execution does then depends on its
// number and its seed, and not on the process that runs it or on what has run before. Executions of
// several variants of the subject take turns, and each variant has a strategy of its own.
//
// An exhaustive strategy is never replaced: all executions are one batch.
type Batches struct {
	new        func() strategy.Strategy
	size       int
	exhaustive bool
	observes   bool

	number   int // the next execution
	batch    int // the batch of the current strategies; -1 before the first
	variants []variant
	current  *variant
}

// A variant is the strategy of one variant of the subject.
type variant struct {
	strategy.Strategy
	observer   strategy.Observer // nil if the strategy is no Observer
	executions int
	exhausted  bool
}

// NewBatches returns batches of the given size. create returns a new strategy, of the same kind each time.
func NewBatches(create func() strategy.Strategy, size, variants int) *Batches {
	first := create()
	b := &Batches{new: create, size: size, batch: -1, variants: make([]variant, variants)}
	_, b.exhaustive = first.(strategy.Exhaustive)
	_, b.observes = first.(strategy.Observer)
	return b
}

// Exhaustive reports whether all executions are one batch.
func (b *Batches) Exhaustive() bool { return b.exhaustive }

// Of returns the batch of execution n.
func (b *Batches) Of(n int) int {
	if b.exhaustive {
		return 0
	}
	return n / b.size
}

// setting returns the number of the variant that is next or has run last, or 0 without batches.
func (b *Batches) setting() int {
	if b == nil {
		return 0
	}
	return b.number % len(b.variants)
}

// Bounded describes what exhaustive strategies have left out, as strategy.Bounded does, or returns "".
func (b *Batches) Bounded() string {
	var all []string
	for i := range b.variants {
		if text := strategy.Bounded(b.variants[i].Strategy); text != "" && !slices.Contains(all, text) {
			all = append(all, text)
		}
	}
	return strings.Join(all, "; ")
}

// done reports whether no variant has anything left to explore.
func (b *Batches) done() bool {
	return !slices.ContainsFunc(b.variants, func(v variant) bool { return !v.exhausted })
}

// BeginAt begins execution n of a search in another process.
func (b *Batches) BeginAt(n int, x strategy.Execution) bool {
	b.number = n
	return b.Begin(x)
}

// Strategy returns the strategy for the engine. It is an Observer only if the strategies of the batches are.
func (b *Batches) Strategy() strategy.Strategy { return b.strategy() }

// strategy returns the strategy for the engine: an Observer only if the strategies of the batches are, as observing
// costs time.
func (b *Batches) strategy() strategy.Strategy {
	if b.observes {
		return observingBatches{b}
	}
	return b
}

// Name implements strategy.Strategy.
func (b *Batches) Name() string { return b.new().Name() }

// Begin implements strategy.Strategy. It returns false if this variant has nothing left to explore.
func (b *Batches) Begin(x strategy.Execution) bool {
	if batch := b.Of(b.number); batch != b.batch {
		b.batch = batch
		for i := range b.variants {
			b.variants[i] = variant{Strategy: b.new()}
			b.variants[i].observer, _ = b.variants[i].Strategy.(strategy.Observer)
		}
	}
	b.current = &b.variants[b.setting()]
	if b.current.exhausted {
		return false
	}
	x.Number = b.current.executions
	b.current.executions++
	b.current.exhausted = !b.current.Begin(x)
	return !b.current.exhausted
}

// Chooser implements strategy.Delegator.
func (b *Batches) Chooser() strategy.Strategy { return b.current.Strategy }

// Next implements strategy.Strategy.
func (b *Batches) Next(c *strategy.Choice) int { return b.current.Next(c) }

// Pick implements strategy.Strategy.
func (b *Batches) Pick(c *strategy.Choice, n int) int { return b.current.Pick(c, n) }

// End implements strategy.Strategy.
func (b *Batches) End(r strategy.Result) { b.current.End(r) }

// SkipsForced implements strategy.Skipper.
func (b *Batches) SkipsForced() bool {
	skipper, ok := b.current.Strategy.(strategy.Skipper)
	return ok && skipper.SkipsForced()
}

// SwitchesAfter implements strategy.AfterSwitcher.
func (b *Batches) SwitchesAfter() bool {
	s, ok := b.current.Strategy.(strategy.AfterSwitcher)
	return ok && s.SwitchesAfter()
}

// ObservesAsides implements strategy.AsideObserver.
func (b *Batches) ObservesAsides() bool {
	o, ok := b.current.Strategy.(strategy.AsideObserver)
	return ok && o.ObservesAsides()
}

// observingBatches is Batches for strategies that observe every event.
type observingBatches struct{ *Batches }

func (b observingBatches) Happened(e strategy.Event) { b.current.observer.Happened(e) }

// OnlySpawns implements strategy.SpawnObserver.
func (b observingBatches) OnlySpawns() bool {
	o, ok := b.current.observer.(strategy.SpawnObserver)
	return ok && o.OnlySpawns()
}

// Known implements strategy.Rerunner.
func (b observingBatches) Known() int {
	if r, ok := b.current.Strategy.(strategy.Rerunner); ok {
		return r.Known()
	}
	return 0
}
