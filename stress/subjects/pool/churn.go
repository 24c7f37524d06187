package pool

import (
	"context"
	"errors"
	"fmt"

	"github.com/rouse-go/rouse/chaos/verdict"
	"github.com/rouse-go/rouse/pool"
	"github.com/rouse-go/rouse/stress/subject"
)

// churnWorkload opens and closes pools, with and without work in them.
var churnWorkload = workload{
	name:     "churn",
	about:    "Open and close: pools are started, given some jobs, and closed by two goroutines at once while the jobs run; all that was taken is run, nothing is taken afterwards, every worker ends.",
	uses:     []string{"jobs", "repeat", "pause"},
	defaults: sizes{jobs: 4, repeat: 4, pause: defaultPause},
	small:    sizes{jobs: 1, repeat: 1},
	run:      func(x *execution) { x.churn((*pool.Pool).Go, (*pool.Pool).Run, (*pool.Pool).Close) },
}

// churn opens pools, and closes them with end.
func (x *execution) churn(
	post func(p *pool.Pool, f func(w *pool.Worker)) error,
	run func(p *pool.Pool, ctx context.Context, f func(w *pool.Worker) error) error,
	end func(p *pool.Pool, ctx context.Context) error,
) {
	r := x.Rand("churn")
	for i := range x.sizes.repeat {
		p := x.newPool(x.workers)
		if r.IntN(2) == 0 {
			x.pause(r)
		}
		jobs := x.open(fmt.Sprint("pool ", i), 2*r.IntN(x.sizes.jobs+1))
		for j := 0; j < len(jobs); j += 2 {
			first, second := &jobs[j], &jobs[j+1]
			err := post(p, func(w *pool.Worker) {
				first.ran()
				w.Go(func(*pool.Worker) { second.ran() })
			})
			if err != nil {
				x.Fail(verdict.WrongResult, "%s: Go: %v", first.name, err)
			}
		}
		if r.IntN(2) == 0 {
			x.pause(r)
		}
		var closers subject.Crew
		for c := range 2 {
			closers.Start(fmt.Sprint("closer ", c), func() { x.closeBy(p, end) })
		}
		closers.Wait()
		if err := post(p, func(*pool.Worker) {}); !errors.Is(err, pool.ErrClosed) {
			x.Fail(verdict.WrongResult, "Go on a closed pool: %v, want %v", err, pool.ErrClosed)
		}
		err := run(p, context.Background(), func(*pool.Worker) error { return nil })
		if !errors.Is(err, pool.ErrClosed) {
			x.Fail(verdict.WrongResult, "Run on a closed pool: %v, want %v", err, pool.ErrClosed)
		}
	}
}
