package rows

import (
	"context"
	"runtime"

	"github.com/rouse-go/rouse/evidence/bench/measure"
	"github.com/rouse-go/rouse/evidence/bench/peers"
	"github.com/rouse-go/rouse/pool"
)

// inPool returns a turn in a pool of its own. During the turn, GOMAXPROCS is the number of
// workers, if there are as many processors, so that a pool of one has one, as a goroutine
// per job has.
func inPool(workers int, turn func(p *pool.Pool) (peers.Figures, error), options ...pool.Option) func(context.Context) (peers.Figures, error) {
	return on(workers, func() (peers.Figures, error) {
		p, err := pool.New(workers, options...)
		if err != nil {
			return nil, err
		}
		figures, err := turn(p)
		if closed := p.Close(context.Background()); err == nil {
			err = closed
		}
		return figures, err
	})
}

// on returns a turn during which GOMAXPROCS is procs, if there are as many processors.
func on(procs int, turn func() (peers.Figures, error)) func(context.Context) (peers.Figures, error) {
	return func(context.Context) (peers.Figures, error) {
		defer runtime.GOMAXPROCS(runtime.GOMAXPROCS(min(procs, runtime.NumCPU())))
		return turn()
	}
}

// timed runs f, and returns the time per each of n things, in ns, under the name of
// metric.
func timed(metric string, n float64, f func() error) (peers.Figures, error) {
	cost, err := measure.Of(f)
	return peers.Figures{metric: float64(cost.Wall) / n}, err
}

// counted is like timed, with allocations per thing under the name of another metric.
func counted(metric, allocs string, n float64, f func() error) (peers.Figures, error) {
	var before, after runtime.MemStats
	runtime.ReadMemStats(&before)
	figures, err := timed(metric, n, f)
	runtime.ReadMemStats(&after)
	figures[allocs] = float64(after.Mallocs-before.Mallocs) / n
	return figures, err
}

// run runs f in the pool, from outside.
func run(p *pool.Pool, f func(w *pool.Worker)) error {
	return p.Run(context.Background(), func(w *pool.Worker) error {
		f(w)
		return nil
	})
}
