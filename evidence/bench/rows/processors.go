package rows

import (
	"context"
	"fmt"
	"runtime"
	"time"

	"github.com/rouse-go/rouse/evidence/bench/peers"
	"github.com/rouse-go/rouse/pool"
)

// processors measures pools with more workers, or fewer, than they have processors.
func (s *Setup) processors() []peers.Row {
	return []peers.Row{s.asleep(), s.procsBelow(), s.procsAbove(), s.quota()}
}

const perTree = "ns/tree"

// hundred returns a tree with leaves of 100us.
func (s *Setup) hundred(leaves int) tree {
	return tree{golden, max(8, leaves/s.Coarse), int(100_000 * stepsPerNanosecond())}
}

// right returns a check of the result of a tree, whose leaves are all the same.
func (t tree) right() func(float64) error {
	return func(got float64) error {
		return exactly(float64(uint64(t.leaves) * compute(t.steps) >> 11))(got)
	}
}

// asleep has a worker that sleeps in a system call without announcing it to the pool (Blocking).
func (s *Setup) asleep() peers.Row {
	const (
		workers = 3
		alone   = "rouse, 2 workers"
		asleep  = "rouse, one of 3 workers asleep"
	)
	all := s.hundred(1000)
	right := all.right()
	turn := func(p *pool.Pool) (peers.Figures, error) {
		return timed(perTree, 1, func() error { return treeIn(p, all, right) })
	}
	return peers.Row{
		Name:    "processors/asleep",
		About:   fmt.Sprintf("%d leaves of some 100us, in a tree of joins, on at most 2 processors, while one of %d workers sleeps in a system call.", all.leaves, workers),
		Metrics: []string{perTree},
		Contestants: []peers.Contestant{
			{Name: alone, Turn: inPool(2, turn)},
			{Name: asleep, Missing: noSleep, Turn: procs(2, workers, func(p *pool.Pool) (peers.Figures, error) {
				wake, err := sleepInSystemCall(p)
				if err != nil {
					return nil, err
				}
				figures, err := turn(p)
				if woken := wake(); err == nil {
					err = woken
				}
				return figures, err
			})},
			s.Rayon.turn("rayon, one of 3 threads asleep", right, perTree, 1, "coarse-asleep", workers, all.shape, all.leaves, all.steps),
		},
		Bounds: []peers.Bound{{What: "a worker asleep in a system call", Of: asleep, Metric: perTree, Over: []string{alone}, Limit: 1.1}},
	}
}

// procsBelow has fewer Ps than workers.
func (s *Setup) procsBelow() peers.Row {
	const one, four = "rouse, 1 worker", "rouse, 4 workers"
	return peers.Row{
		Name:        "processors/below",
		About:       fmt.Sprintf("fib(%d) without a cutoff, Fn.Join, with GOMAXPROCS=1.", s.Fib),
		Metrics:     []string{perJoin},
		Contestants: []peers.Contestant{s.forking(one, 1, 1), s.forking(four, 1, 4)},
		Bounds:      []peers.Bound{{What: "GOMAXPROCS below the workers", Of: four, Metric: perJoin, Over: []string{one}, Limit: 1.1}},
	}
}

// procsAbove has more Ps than workers, and than processors.
func (s *Setup) procsAbove() peers.Row {
	const same, above = "rouse, GOMAXPROCS=2", "rouse, GOMAXPROCS=8"
	return peers.Row{
		Name:        "processors/above",
		About:       fmt.Sprintf("fib(%d) without a cutoff, Fn.Join, 2 workers.", s.Fib),
		Metrics:     []string{perJoin},
		Contestants: []peers.Contestant{s.forking(same, 2, 2), s.forking(above, 8, 2)},
		Bounds:      []peers.Bound{{What: "GOMAXPROCS above the workers", Of: above, Metric: perJoin, Over: []string{same}, Limit: 1.1}},
	}
}

// forking returns a contestant that computes fib by typed joins.
func (s *Setup) forking(name string, gomaxprocs, workers int) peers.Contestant {
	return peers.Contestant{Name: name, Turn: procs(gomaxprocs, workers, func(p *pool.Pool) (peers.Figures, error) {
		got := 0
		fib := func(n int) error { return run(p, func(w *pool.Worker) { got = typedFib.Call(w, n) }) }
		if err := fib(min(s.Fib, 20)); err != nil {
			return nil, err
		}
		figures, err := timed(perJoin, joinsOf(s.Fib), func() error { return fib(s.Fib) })
		if err == nil {
			err = exactly(float64(fibonacci(s.Fib)))(float64(got))
		}
		return figures, err
	})}
}

// procs is like inPool, with another GOMAXPROCS, which may exceed the number of processors.
func procs(gomaxprocs, workers int, turn func(p *pool.Pool) (peers.Figures, error)) func(context.Context) (peers.Figures, error) {
	return func(ctx context.Context) (peers.Figures, error) {
		defer runtime.GOMAXPROCS(runtime.GOMAXPROCS(gomaxprocs))
		p, err := pool.New(workers)
		if err != nil {
			return nil, err
		}
		figures, err := turn(p)
		if closed := p.Close(ctx); err == nil {
			err = closed
		}
		return figures, err
	}
}

// quotaCPUs is the quota of the row, in processors.
const quotaCPUs = 1.5

// quota has a container's CPU quota: the kernel stops all threads of a process that has used it up,
// until the next tenth of a second. The work takes about ten of these.
func (s *Setup) quota() peers.Row {
	const (
		workers = 2
		ideal   = "the sequential time by 1.5"
		ours    = "rouse Fn.Join"
	)
	all := s.hundred(12_000)
	right := all.right()
	args := func(workers int) []int { return []int{workers, all.shape, all.leaves, all.steps} }
	within := func(f Foreign) Foreign {
		if f.Missing == "" {
			f.Missing = s.Quota.Missing
		}
		if f.Program != nil {
			f.Program = f.Program.In(s.Quota.enter)
		}
		return f
	}
	return peers.Row{
		Name:    "processors/quota",
		About:   fmt.Sprintf("%d leaves of some 100us, in a tree of joins, %d workers, in a process of its own that may use %v processors (cgroup).", all.leaves, workers, quotaCPUs),
		Metrics: []string{perTree},
		Contestants: []peers.Contestant{
			s.Self.fresh(ideal, right, figuresIn(perTree, quotaCPUs), "coarse", args(0)...),
			within(s.Self).fresh(ours, right, figuresIn(perTree, 1), "coarse", args(workers)...),
			within(s.Rayon).fresh("rayon", right, figuresIn(perTree, 1), "coarse", args(workers)...),
		},
		Bounds: []peers.Bound{{What: "a CPU quota of 1.5", Of: ours, Metric: perTree, Over: []string{ideal}, Limit: 1.1}},
	}
}

// figuresIn returns a function that converts one figure in ns, for n things.
func figuresIn(metric string, n float64) func([]float64) (peers.Figures, error) {
	return func(figures []float64) (peers.Figures, error) {
		if len(figures) != 1 {
			return nil, fmt.Errorf("%d figures, want 1", len(figures))
		}
		return peers.Figures{metric: figures[0] / n}, nil
	}
}

// coarseTurn is the turn of a child: a tree in a pool, or its leaves without workers.
func coarseTurn(workers int, all tree) (sum float64, figures []float64, err error) {
	if workers == 0 {
		start := time.Now()
		sum = sequentially(all)
		return sum, []float64{float64(time.Since(start))}, nil
	}
	got, err := inPool(workers, func(p *pool.Pool) (peers.Figures, error) {
		keep := func(got float64) error { sum = got; return nil }
		if err := treeIn(p, tree{all.shape, min(8, all.leaves), all.steps}, keep); err != nil {
			return nil, err
		}
		return timed(perTree, 1, func() error { return treeIn(p, all, keep) })
	})(context.Background())
	return sum, []float64{got[perTree]}, err
}

// treeIn computes the leaves of a tree in a pool.
func treeIn(p *pool.Pool, all tree, right func(float64) error) error {
	var got float64
	if err := run(p, func(w *pool.Worker) { got = float64(coarseTree.Call(w, all) >> 11) }); err != nil {
		return err
	}
	return right(got)
}
