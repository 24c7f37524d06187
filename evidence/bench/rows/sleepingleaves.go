package rows

import (
	"fmt"
	"sync"
	"sync/atomic"
	"time"

	"github.com/rouse-go/rouse/evidence/bench/peers"
	"github.com/rouse-go/rouse/pool"
)

// sleepingLeaves measures whether all workers get jobs when each job takes long: 16 workers, leaves
// that sleep, so that two processors are enough. The ideal is as many rounds of sleep as the leaves
// fill. A job that stays with its owner, which sleeps, costs another round: that may happen once. A
// tenth of a round is for timers and for the start. (1,000 joins in a chain take 0.15 to
// 0.35 rounds more to end, one after the other, each on another worker than the one before: 2 us.)
func (s *Setup) sleepingLeaves() (rows []peers.Row) {
	const (
		workers = 16
		worst   = "rounds-over"
	)
	metrics := []string{worst}
	for _, n := range s.Leaves {
		metrics = append(metrics, overAt(n))
	}
	for _, warm := range []bool{false, true} {
		row := peers.Row{
			Name:    "sleeping-leaves/fresh",
			About:   fmt.Sprintf("Leaves that sleep %v in a pool of %d: how many rounds of sleep more than the ideal it takes; at worst, and for each number of leaves.", s.Leaf, workers),
			Metrics: metrics,
		}
		if warm {
			row.Name = "sleeping-leaves/warmed"
			row.About = fmt.Sprintf("The same after a fib(%d) without a cutoff in the same job, which makes workers keep as much to themselves as they ever do.", s.WarmFib)
		}
		for _, way := range waysToSleep {
			row.Contestants = append(row.Contestants, peers.Contestant{Name: way.name, Turn: inPool(workers, func(p *pool.Pool) (peers.Figures, error) {
				figures := peers.Figures{}
				for i, n := range s.Leaves {
					over, err := s.roundsOver(p, warm, workers, n, way.start)
					if err != nil {
						return nil, err
					}
					figures[overAt(n)] = over
					if i == 0 || over > figures[worst] {
						figures[worst] = over
					}
				}
				return figures, nil
			})})
			row.Bounds = append(row.Bounds, peers.Bound{What: row.Name + ", " + way.name + ", worst", Of: way.name, Metric: worst, Limit: 1.1})
		}
		rows = append(rows, row)
	}
	return rows
}

func overAt(leaves int) string { return fmt.Sprintf("over/%d", leaves) }

// roundsOver returns how many rounds more than the ideal it takes until n leaves have slept. A
// round is the mean sleep of the leaves, which is a little longer than requested.
func (s *Setup) roundsOver(p *pool.Pool, warm bool, workers, n int, start func(w *pool.Worker, n int, leaf func())) (float64, error) {
	var pending sync.WaitGroup
	var slept atomic.Int64
	pending.Add(n)
	leaf := func() {
		defer pending.Done()
		begin := time.Now()
		time.Sleep(s.Leaf)
		slept.Add(int64(time.Since(begin)))
	}
	var begin time.Time
	err := run(p, func(w *pool.Worker) {
		if warm {
			typedFib.Call(w, s.WarmFib)
		}
		begin = time.Now()
		start(w, n, leaf)
	})
	if err != nil {
		return 0, err
	}
	pending.Wait() // for some ways to start jobs; one more than n would be a panic
	took := time.Since(begin)
	round := float64(slept.Load()) / float64(n)
	ideal := (n + workers - 1) / workers
	return float64(took)/round - float64(ideal), nil
}

// waysToSleep lists the ways to start n jobs. Some return when all are done, some before.
var waysToSleep = []struct {
	name  string
	start func(w *pool.Worker, n int, leaf func())
}{
	{"Join, balanced", func(w *pool.Worker, n int, leaf func()) { joinLeaves(w, n, leaf, func(n int) int { return n / 2 }) }},
	{"Join, left-deep", func(w *pool.Worker, n int, leaf func()) { joinLeaves(w, n, leaf, func(n int) int { return n - 1 }) }},
	{"Join, right-deep", func(w *pool.Worker, n int, leaf func()) { joinLeaves(w, n, leaf, func(int) int { return 1 }) }},
	{"Fn.Join, balanced", func(w *pool.Worker, n int, leaf func()) { sleepingTree.Call(w, sleepers{n, leaf}) }},
	{"For", func(w *pool.Worker, n int, leaf func()) {
		pool.For(w, n, func(*pool.Worker, int) { leaf() }, pool.MaxLen(1))
	}},
	{"Scope", func(w *pool.Worker, n int, leaf func()) {
		w.Scope(func(s *pool.Scope) {
			for range n {
				s.Go(w, func(*pool.Worker) { leaf() })
			}
		})
	}},
	{"Worker.Go", func(w *pool.Worker, n int, leaf func()) {
		for range n {
			w.Go(func(*pool.Worker) { leaf() })
		}
	}},
	{"Pool.Go", func(w *pool.Worker, n int, leaf func()) {
		for range n {
			if err := w.Pool().Go(func(*pool.Worker) { leaf() }); err != nil {
				panic(err) // the pool was closed: no row does that
			}
		}
	}},
}

// joinLeaves makes a tree of joins by closures; split returns the number of leaves in the first half.
func joinLeaves(w *pool.Worker, n int, leaf func(), split func(n int) int) {
	if n == 1 {
		leaf()
		return
	}
	left := split(n)
	w.Join(
		func(w *pool.Worker) { joinLeaves(w, left, leaf, split) },
		func(w *pool.Worker) { joinLeaves(w, n-left, leaf, split) },
	)
}

type sleepers struct {
	n    int
	leaf func()
}

var sleepingTree = pool.NewFn(func(sleeping *pool.Fn[sleepers, struct{}], w *pool.Worker, s sleepers) (nothing struct{}) {
	if s.n == 1 {
		s.leaf()
		return nothing
	}
	sleeping.Join(w, sleepers{s.n / 2, s.leaf}, sleepers{s.n - s.n/2, s.leaf})
	return nothing
})
