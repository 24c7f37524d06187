package pool

import (
	"fmt"
	"math/rand/v2"

	"github.com/rouse-go/rouse/pool"
)

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
