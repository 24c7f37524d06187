package pool

import (
	"context"
	"fmt"

	"github.com/rouse-go/rouse/chaos/verdict"
	"github.com/rouse-go/rouse/pool"
)

// scopesWorkload: a scope whose jobs open scopes, to some depth, and start detached jobs.
var scopesWorkload = workload{
	name:     "scopes",
	about:    "Nested scopes: each job of a scope opens one of its own, to the depth given; when a scope ends, all of its jobs have run.",
	uses:     []string{"jobs", "depth", "repeat", "pause"},
	defaults: sizes{jobs: 3, depth: 3, repeat: 2, pause: defaultPause},
	small:    sizes{jobs: 2, depth: 1, repeat: 1},
	run: func(x *execution) {
		p := x.newPool(x.workers)
		r := x.Rand("scopes")
		for range x.sizes.repeat {
			x.pause(r)
			err := p.Run(context.Background(), func(w *pool.Worker) error {
				x.scope(w, x.sizes.depth)
				return nil
			})
			if err != nil {
				x.Fail(verdict.WrongResult, "Run: %v", err)
			}
		}
		x.finish(p)
	},
}

// scope opens one scope of the given depth, and waits for it.
func (x *execution) scope(w *pool.Worker, depth int) {
	name := fmt.Sprintf("scope of depth %d on worker %d", depth, w.Index())
	jobs := x.open(name, x.sizes.jobs)
	detached := x.open(name+", detached", 1)
	w.Scope(func(s *pool.Scope) {
		for i := range jobs {
			e := &jobs[i]
			s.Go(w, func(w *pool.Worker) {
				if depth > 1 {
					x.scope(w, depth-1)
				}
				e.ran()
			})
		}
		w.Go(func(*pool.Worker) { detached[0].ran() })
	})
	for i := range jobs {
		if jobs[i].runs.Load() == 0 {
			x.Fail(verdict.LostTask, "%s: the scope ended before it had run", jobs[i].name)
		}
	}
}
