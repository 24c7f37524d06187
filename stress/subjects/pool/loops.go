package pool

import (
	"errors"
	"fmt"
	"slices"

	"github.com/rouse-go/rouse/chaos/verdict"
	"github.com/rouse-go/rouse/pool"
	"github.com/rouse-go/rouse/stress/subject"
)

// loopsWorkload: when a leaf does not return, others are left in the deque, with a thief, or with the worker
// that it ran on; all of them must be done.
var loopsWorkload = workload{
	name: "loops",
	about: "Parallel loops over up to that many elements (jobs) in leaves of up to that many, alone, in joins and in scopes, some of whose elements panic, " +
		"call Goexit, or loop in turn, to the depth given: each element is done once, but those behind a failing one in its leaf, " +
		"before the loop ends; it ends with the panic of the lowest element, or as by Goexit; and the pool keeps working.",
	uses:     []string{"jobs", "injectors", "depth", "leaf", "repeat", "pause"},
	defaults: sizes{jobs: 200, injectors: 2, depth: 2, leaf: 4, repeat: 5, pause: defaultPause},
	small:    sizes{jobs: 4, injectors: 1, depth: 1, leaf: 2, repeat: 1},
	bound:    sizes{depth: 4},
	boundWhy: "starts up to four loops within each",
	run: func(x *execution) {
		p := x.newPool(x.workers)
		x.loops(p, loopKinds)
		x.finish(p)
	},
}

// A loopKind is one of the pool's loops.
type loopKind struct {
	name string
	// first: it ends with the panic that happened first, and then goes no further; others end with the panic
	// of the lowest element, and do all others.
	first bool
	run   func(w *pool.Worker, l *failingLoop, opts ...pool.LoopOption)
}

var loopKinds = []loopKind{
	{name: "For", run: func(w *pool.Worker, l *failingLoop, opts ...pool.LoopOption) {
		pool.For(w, len(l.done), l.element, opts...)
	}},
	{name: "ForRange", run: func(w *pool.Worker, l *failingLoop, opts ...pool.LoopOption) {
		pool.ForRange(w, len(l.done), l.elements, opts...)
	}},
	{name: "ForEach", run: func(w *pool.Worker, l *failingLoop, opts ...pool.LoopOption) {
		pool.ForEach(w, l.indices(), func(w *pool.Worker, i *int) { l.element(w, *i) }, opts...)
	}},
	{name: "Map", run: func(w *pool.Worker, l *failingLoop, opts ...pool.LoopOption) {
		pool.Map(w, l.indices(), func(w *pool.Worker, i int) int { l.element(w, i); return i }, opts...)
	}},
	{name: "Filter", run: func(w *pool.Worker, l *failingLoop, opts ...pool.LoopOption) {
		pool.Filter(w, l.indices(), func(w *pool.Worker, i int) bool { l.element(w, i); return i%2 == 0 }, opts...)
	}},
	{name: "FoldRange", run: func(w *pool.Worker, l *failingLoop, opts ...pool.LoopOption) {
		pool.FoldRange(w, len(l.done), func() int { return 0 },
			func(w *pool.Worker, n, lo, hi int) int { l.elements(w, lo, hi); return n + hi - lo },
			func(_ *pool.Worker, a, b int) int { return a + b }, opts...)
	}},
	{name: "ForEachSeq", first: true, run: func(w *pool.Worker, l *failingLoop, opts ...pool.LoopOption) {
		l.given = 0
		pool.ForEachSeq(w, func(yield func(int) bool) {
			for i := range l.done {
				l.given = i + 1
				if !yield(i) {
					return
				}
			}
		}, l.element, opts...)
	}},
}

// loops has outsiders run loops.
func (x *execution) loops(p *pool.Pool, kinds []loopKind) {
	g := &loopGrower{x: x, kinds: kinds, failures: x.failures("loops")}
	var outsiders subject.Crew
	for i := range x.sizes.injectors {
		name := fmt.Sprint("outsider ", i)
		outsiders.Start(name, func() {
			r := x.Rand(name)
			for j := range x.sizes.repeat {
				x.pause(r)
				x.loop(p, g.loops(r, fmt.Sprintf("%s, loop %d", name, j), x.sizes.jobs, x.sizes.depth))
			}
		})
	}
	outsiders.Wait()
	x.working(p)
}

// loop runs loops, and checks what arrives outside.
func (x *execution) loop(p *pool.Pool, ls *failingLoops) {
	job := &x.open(ls.name, 1)[0]
	panicked, err := runIn(p, func(w *pool.Worker) { job.ran(); ls.call(w) })
	if err != nil && !errors.Is(err, pool.ErrGoexit) {
		x.Fail(verdict.WrongResult, "%s: Run: %v", ls.name, err)
	}
	ls.arrived(panicked, err != nil)
	ls.audit()
}

// arrived checks the panic or Goexit with which loops ended. Where jobs call Goexit, another one may have run
// on top of a wait, which then ends as if it had called Goexit.
func (ls *failingLoops) arrived(v any, goexit bool) {
	x := ls.grown.x
	if caught, ok := v.(*pool.PanicError); ok {
		v = caught.Value
		if len(caught.Stack) == 0 {
			x.Fail(verdict.WrongResult, "%s: a panic arrived without its stack", ls.name)
		}
	}
	tokens, fails := ls.ends()
	token, _ := v.(*panicToken)
	switch {
	case v == nil && goexit:
		if !ls.grown.goexits {
			x.Fail(verdict.WrongResult, "%s: it ended as by Goexit, which no element calls", ls.name)
		}
	case v == nil && fails:
		x.Fail(verdict.WrongResult, "%s: it returned, although an element fails", ls.name)
	case v != nil && !slices.Contains(tokens, token):
		x.Fail(verdict.WrongResult, "%s: it ended with the panic %v, want %v", ls.name, v, tokens)
	}
}

// audit checks the elements when the loops have ended.
func (ls *failingLoops) audit() {
	for _, l := range ls.all {
		l.audit()
		for _, within := range l.within {
			within.audit()
		}
	}
}

func (l *failingLoop) audit() {
	for i := range l.given {
		switch n := l.done[i]; {
		case n > 1:
			l.x.Fail(verdict.DuplicateTask, "%s: element %d of %d was done %d times", l.name, i, len(l.done), n)
			return
		case n == 0 && !l.behindAFailure(i):
			l.x.Fail(verdict.LostTask, "%s: element %d of %d was not done when the loop was over, and none before it in a leaf of %d has failed", l.name, i, len(l.done), l.leaf)
			return
		}
	}
}

// behindAFailure reports whether the leaf of an element that was not done may have ended before it.
func (l *failingLoop) behindAFailure(i int) bool {
	for j := i - 1; j >= 0 && i-j < l.leaf; j-- {
		if l.done[j] > 0 {
			return l.broke[j]
		}
	}
	return false
}
