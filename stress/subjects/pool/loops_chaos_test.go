//go:build chaos

package pool

import (
	"strings"
	"testing"

	"github.com/rouse-go/rouse/chaos/verdict"
	"github.com/rouse-go/rouse/pool"
)

// leafAfterLeaf is a loop that is none of the pool's: leaf after leaf, each of which may end early. It ends
// with the first panic.
func leafAfterLeaf(w *pool.Worker, l *failingLoop, leaf func(lo, hi int)) {
	var first any
	for lo := 0; lo < len(l.done); lo += l.leaf {
		if v, _ := arrived(func() error { leaf(lo, min(lo+l.leaf, len(l.done))); return nil }); first == nil {
			first = v
		}
	}
	if first != nil {
		panic(first)
	}
}

func TestLoopsSeeWhatBecomesOfElements(t *testing.T) {
	for _, c := range []struct {
		name    string
		verdict verdict.Verdict
		says    string
		loop    func(w *pool.Worker, l *failingLoop)
	}{
		{"as it should be", verdict.Pass, "", func(w *pool.Worker, l *failingLoop) {
			leafAfterLeaf(w, l, func(lo, hi int) { l.elements(w, lo, hi) })
		}},
		{"the last element is left out", verdict.LostTask, "was not done when the loop was over", func(w *pool.Worker, l *failingLoop) {
			leafAfterLeaf(w, l, func(lo, hi int) { l.elements(w, lo, min(hi, len(l.done)-1)) })
		}},
		{"the first element is done twice", verdict.DuplicateTask, "was done 2 times", func(w *pool.Worker, l *failingLoop) {
			leafAfterLeaf(w, l, func(lo, hi int) {
				if lo == 0 && l.within[0] == nil {
					l.done[0]++
				}
				l.elements(w, lo, hi)
			})
		}},
		{"one that fails takes all others with it", verdict.LostTask, "and none before it in a leaf of", func(w *pool.Worker, l *failingLoop) {
			l.elements(w, 0, len(l.done))
		}},
		{"a panic is swallowed", verdict.WrongResult, "it returned, although an element fails", func(w *pool.Worker, l *failingLoop) {
			arrived(func() error { leafAfterLeaf(w, l, func(lo, hi int) { l.elements(w, lo, hi) }); return nil })
		}},
		{"the last panic arrives", verdict.WrongResult, "it ended with the panic ", func(w *pool.Worker, l *failingLoop) {
			var last any
			for lo := 0; lo < len(l.done); lo += l.leaf {
				if v, _ := arrived(func() error { l.elements(w, lo, min(lo+l.leaf, len(l.done))); return nil }); v != nil {
					last = v
				}
			}
			if last != nil {
				panic(last)
			}
		}},
		{"another panic arrives", verdict.WrongResult, "it ended with the panic ", func(w *pool.Worker, l *failingLoop) {
			if v, _ := arrived(func() error { leafAfterLeaf(w, l, func(lo, hi int) { l.elements(w, lo, hi) }); return nil }); v != nil {
				panic(&panicToken{"no element"})
			}
		}},
		{"a Goexit that no element calls", verdict.WrongResult, "it ended as by Goexit, which no element calls", func(w *pool.Worker, l *failingLoop) {
			leafAfterLeaf(w, l, func(lo, hi int) { l.elements(w, lo, hi) })
			(&failingJob{}).fail()
		}},
	} {
		t.Run(c.name, func(t *testing.T) {
			w := loopsWorkload
			kinds := []loopKind{{name: "planted", run: func(w *pool.Worker, l *failingLoop, _ ...pool.LoopOption) { c.loop(w, l) }}}
			w.defaults.repeat, w.defaults.depth = 2, 1
			w.small.depth, w.small.jobs = 1, 6
			w.run = func(x *execution) {
				p := x.newPool(x.workers)
				g := &loopGrower{x: x, kinds: kinds, failures: failures{panics: true}} // a loop that is none of the pool's does not survive a Goexit
				r := x.Rand("planted")
				for range x.sizes.repeat {
					x.loop(p, g.loops(r, "planted", x.sizes.jobs, x.sizes.depth))
				}
				x.finish(p)
			}
			said := false
			for n := range 30 { // in some, nothing fails
				sc := parallel(t, w, 2)
				switch r := executed(&sc, w, n); {
				case r.Verdict == c.verdict && strings.Contains(r.Summary, c.says):
					said = true
				case r.Verdict != verdict.Pass:
					t.Errorf("execution %d: %s: %s", n, r.Verdict, r.Summary)
				}
			}
			if !said {
				t.Errorf("no execution came to %s, %q", c.verdict, c.says)
			}
			controlled := tiny(w, "random", 2)
			wantVerdict(t, explored(t, &controlled, w, 100), c.verdict, c.says)
		})
	}
}

// TestLoopsSeeAStackThatIsMissing: what others panic with arrives with its stack.
func TestLoopsSeeAStackThatIsMissing(t *testing.T) {
	x := prepared(parallel(t, loopsWorkload, 1), loopsWorkload)
	token := &panicToken{"x"}
	g := &loopGrower{x: x}
	l := &failingLoop{x: x, kind: &loopKinds[0], grown: g, done: make([]int, 1), fails: map[int]*panicToken{0: token}}
	(&failingLoops{grown: g, all: []*failingLoop{l}}).arrived(&pool.PanicError{Value: token}, false)
	if f := x.Findings(); len(f) != 1 || f[0].Verdict != verdict.WrongResult || !strings.Contains(f[0].Summary, "without its stack") {
		t.Errorf("found %v", f)
	}
}
