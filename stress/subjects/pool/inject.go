package pool

import (
	"context"
	"fmt"

	"github.com/rouse-go/rouse/chaos/verdict"
	"github.com/rouse-go/rouse/pool"
	"github.com/rouse-go/rouse/stress/subject"
)

// injectWorkload: outsiders post to a pool that has time to fall asleep between
// any two posts. Every other job is waited for.
var injectWorkload = workload{
	name:     "inject",
	about:    "Injectors against idle workers: posts from outside, some waited for, with pauses in which workers fall asleep.",
	uses:     []string{"jobs", "injectors", "pause"},
	defaults: sizes{jobs: 20, injectors: 2, pause: defaultPause},
	small:    sizes{jobs: 2, injectors: 1},
	run: func(x *execution) {
		p := x.newPool(x.workers)
		var injectors subject.Crew
		for i := range x.sizes.injectors {
			name := fmt.Sprint("injector ", i)
			injectors.Start(name, func() { x.inject(p, name) })
		}
		injectors.Wait()
		x.finish(p)
	},
}

// inject posts the jobs of one injector.
func (x *execution) inject(p *pool.Pool, name string) {
	r := x.Rand(name)
	jobs := x.open(name, x.sizes.jobs)
	for i := range jobs {
		x.pause(r)
		e := &jobs[i]
		if i%2 == 0 {
			if err := p.Go(func(*pool.Worker) { e.ran() }); err != nil {
				x.Fail(verdict.WrongResult, "%s: Go: %v", e.name, err)
			}
			continue
		}
		err := p.Run(context.Background(), func(*pool.Worker) error { e.ran(); return nil })
		if err != nil {
			x.Fail(verdict.WrongResult, "%s: Run: %v", e.name, err)
		}
		if e.runs.Load() == 0 {
			x.Fail(verdict.LostTask, "%s: Run returned before the job had run", e.name)
		}
	}
}

// finish ends a workload: one time in four it lets the pool come to rest first,
// to check its state then.
func (x *execution) finish(p *pool.Pool) {
	if x.Rand("finish").IntN(4) == 0 {
		x.rest(p)
	}
	x.close(p)
}
