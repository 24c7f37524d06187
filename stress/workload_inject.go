package stress

import (
	"context"
	"fmt"

	"github.com/rouse-go/rouse/pool"
)

// injectWorkload: outsiders post to a pool that has time to fall asleep between
// any two posts. Every other job is waited for.
var injectWorkload = Workload{
	Name:     "inject",
	About:    "Injectors against idle workers: posts from outside, some waited for, with pauses in which workers fall asleep.",
	Uses:     []string{"jobs", "injectors", "pause"},
	defaults: Sizes{Jobs: 20, Injectors: 2, Pause: defaultPause},
	small:    Sizes{Jobs: 2, Injectors: 1},
	run: func(x *execution) {
		p := x.newPool(x.workers)
		var injectors crew
		for i := range x.sizes.Injectors {
			name := fmt.Sprint("injector ", i)
			injectors.start(name, func() { x.inject(p, name) })
		}
		injectors.Wait()
		x.finish(p)
	},
}

// inject posts the jobs of one injector.
func (x *execution) inject(p *pool.Pool, name string) {
	r := x.rand(name)
	jobs := x.jobs.open(name, x.sizes.Jobs)
	for i := range jobs {
		x.pause(r)
		e := &jobs[i]
		if i%2 == 0 {
			if err := p.Go(func(*pool.Worker) { e.ran() }); err != nil {
				x.convict(WrongResult, "%s: Go: %v", e.name, err)
			}
			continue
		}
		err := p.Run(context.Background(), func(*pool.Worker) error { e.ran(); return nil })
		if err != nil {
			x.convict(WrongResult, "%s: Run: %v", e.name, err)
		}
		if e.runs.Load() == 0 {
			x.convict(LostTask, "%s: Run returned before the job had run", e.name)
		}
	}
}

// finish ends a workload: one time in four the pool comes to rest first, so that
// what it looks like then is seen.
func (x *execution) finish(p *pool.Pool) {
	if x.rand("finish").IntN(4) == 0 {
		x.rest(p)
	}
	x.close(p)
}
