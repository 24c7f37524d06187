package pool

import (
	"context"
	"errors"
	"fmt"
	"math/rand/v2"
	"slices"

	"github.com/rouse-go/rouse/chaos/verdict"
	"github.com/rouse-go/rouse/pool"
	"github.com/rouse-go/rouse/stress/subject"
)

// incrementWorkload writes to memory that no worker owns. The elements are plain, so that the race
// detector sees two jobs with the same element, and a loop whose end does not publish the writes of its
// leaves.
var incrementWorkload = workload{
	name:     "increment-all",
	about:    "Increment all: each round adds one to each element of an array of that many (jobs), in leaves of no more elements than that; each element has to come to the number of rounds.",
	uses:     []string{"jobs", "leaf", "repeat", "pause"},
	defaults: sizes{jobs: 4096, leaf: 64, repeat: 3, pause: defaultPause},
	small:    sizes{jobs: 4, leaf: 1, repeat: 1},
	run: func(x *execution) {
		p := x.newPool(x.workers)
		x.incrementAll(p, pool.ForRange)
		x.finish(p)
	},
}

// A rangeLoop is pool.ForRange.
type rangeLoop func(w *pool.Worker, n int, body func(w *pool.Worker, lo, hi int), opts ...pool.LoopOption)

func (x *execution) incrementAll(p *pool.Pool, loop rangeLoop) {
	r := x.Rand("increment-all")
	elements := make([]int, x.sizes.jobs)
	for round := range x.sizes.repeat {
		x.pause(r)
		err := p.Run(context.Background(), func(w *pool.Worker) error {
			loop(w, len(elements), func(_ *pool.Worker, lo, hi int) {
				if n := hi - lo; n > x.sizes.leaf {
					x.Fail(verdict.WrongResult, "a leaf has %d elements, want at most %d", n, x.sizes.leaf)
				}
				for i := range elements[lo:hi] {
					elements[lo+i]++
				}
			}, pool.MaxLen(x.sizes.leaf))
			return nil
		})
		if err != nil {
			x.Fail(verdict.WrongResult, "Run: %v", err)
		}
		for i, n := range elements {
			switch want := round + 1; {
			case n < want:
				x.Fail(verdict.LostTask, "element %d of %d was incremented %d times in %d rounds", i, len(elements), n, want)
				return
			case n > want:
				x.Fail(verdict.DuplicateTask, "element %d of %d was incremented %d times in %d rounds", i, len(elements), n, want)
				return
			}
		}
	}
}

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

// failingLoops holds one loop, or two in a join or in a scope. Their failures are drawn before they
// begin.
type failingLoops struct {
	name   string
	form   loopForm
	all    []*failingLoop
	caught bool // the element that runs them recovers from their panic
	grown  *loopGrower
}

type loopForm int

const (
	alone loopForm = iota
	inJoin
	inScope
	loopForms
)

func (ls *failingLoops) call(w *pool.Worker) {
	switch ls.form {
	case alone:
		ls.all[0].run(w)
	case inJoin:
		w.Join(ls.all[0].run, ls.all[1].run)
	case inScope:
		w.Scope(func(s *pool.Scope) {
			s.Go(w, ls.all[0].run)
			s.Go(w, ls.all[1].run)
		})
	}
}

// run runs the loops in an element of another loop.
func (ls *failingLoops) run(w *pool.Worker) {
	if !ls.caught {
		ls.call(w)
		return
	}
	v, _ := arrived(func() error { ls.call(w); return nil })
	ls.arrived(v, false)
	if ls.form != inJoin || v == nil { // the other half of a join may be over later
		ls.audit()
	}
}

// ends returns the panics that may arrive, and whether the loops must not return. Where jobs call
// Goexit, any of the panics may arrive, or none.
func (ls *failingLoops) ends() (tokens []*panicToken, fails bool) {
	for _, l := range ls.all {
		t, f := l.ends()
		tokens, fails = append(tokens, t...), fails || f
		if f && ls.form == inJoin && !ls.grown.goexits {
			break // the first half's
		}
	}
	return tokens, fails
}

// A failingLoop is a loop of which some elements do not return. Its elements are plain memory, so
// that the race detector sees a loop that ends before they are done.
type failingLoop struct {
	x      *execution
	name   string
	kind   *loopKind
	leaf   int                   // maximum number of elements in a leaf
	fails  map[int]*panicToken   // by element, the value with which it panics; nil: it calls Goexit
	within map[int]*failingLoops // by element, the loops that it runs in turn
	grown  *loopGrower

	given int    // number of elements, from the first, that must be done
	done  []int  // by element, how often it was begun
	broke []bool // by element, whether it has not returned
}

func (l *failingLoop) run(w *pool.Worker) {
	l.given = len(l.done)
	l.kind.run(w, l, pool.MaxLen(l.leaf))
}

// indices returns the elements as a slice.
func (l *failingLoop) indices() []int {
	s := make([]int, len(l.done))
	for i := range s {
		s[i] = i
	}
	return s
}

// elements is the body of a loop that calls its body for each leaf.
func (l *failingLoop) elements(w *pool.Worker, lo, hi int) {
	for i := lo; i < hi; i++ {
		l.element(w, i)
	}
}

// element is the body of all other loops.
func (l *failingLoop) element(w *pool.Worker, i int) {
	l.done[i]++
	l.broke[i] = true
	if token, fails := l.fails[i]; fails {
		(&failingJob{token: token}).fail()
	}
	if ls := l.within[i]; ls != nil {
		ls.run(w)
	}
	l.broke[i] = false
}

// ends is like failingLoops.ends, for one loop.
func (l *failingLoop) ends() (tokens []*panicToken, fails bool) {
	for i := range l.done {
		token, f := l.fails[i]
		if token != nil {
			tokens = append(tokens, token)
		}
		if ls := l.within[i]; ls != nil && !ls.caught {
			var inner []*panicToken
			inner, f = ls.ends()
			tokens = append(tokens, inner...)
		}
		fails = fails || f
		if f && !l.kind.first && !l.grown.goexits {
			break // the lowest element's
		}
	}
	return tokens, fails
}

// A loopGrower makes loops at random.
type loopGrower struct {
	x     *execution
	kinds []loopKind
	failures
}

// mostOfEach is the maximum number of elements of a loop that fail, and of those that run loops.
const mostOfEach = 2

// loops makes loops of up to n elements each.
func (g *loopGrower) loops(r *rand.Rand, name string, n, depth int) *failingLoops {
	ls := &failingLoops{name: name, form: loopForm(r.IntN(int(loopForms))), caught: r.IntN(2) == 0, grown: g}
	if ls.form == alone {
		ls.all = append(ls.all, g.loop(r, name, n, depth))
		return ls
	}
	for _, half := range []string{"first half", "second half"} {
		ls.all = append(ls.all, g.loop(r, name+", "+half, n, depth))
	}
	return ls
}

func (g *loopGrower) loop(r *rand.Rand, name string, n, depth int) *failingLoop {
	kind := &g.kinds[r.IntN(len(g.kinds))]
	l := &failingLoop{x: g.x, name: name + ", " + kind.name, kind: kind, leaf: 1 + r.IntN(g.x.sizes.leaf), grown: g,
		fails: map[int]*panicToken{}, within: map[int]*failingLoops{}}
	elements := 1 + r.IntN(n)
	l.done, l.broke = make([]int, elements), make([]bool, elements)
	for range r.IntN(mostOfEach + 1) {
		i := r.IntN(elements)
		if l.fails[i] = nil; g.drawPanic(r) {
			l.fails[i] = &panicToken{fmt.Sprintf("%s, element %d", l.name, i)}
		}
	}
	for range r.IntN(mostOfEach + 1) {
		i := r.IntN(elements)
		if _, fails := l.fails[i]; depth > 1 && !fails {
			l.within[i] = g.loops(r, fmt.Sprintf("%s, element %d", l.name, i), max(1, n/4), depth-1)
		}
	}
	return l
}
