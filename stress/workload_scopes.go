package stress

import (
	"context"
	"fmt"

	"github.com/rouse-go/rouse/pool"
)

// scopesWorkload: a scope whose jobs open scopes, to some depth, beside jobs that
// nobody waits for.
var scopesWorkload = Workload{
	Name:     "scopes",
	About:    "Nested scopes: each job of a scope opens one of its own, to the depth given; when a scope ends, all of its jobs have run.",
	Uses:     []string{"jobs", "depth", "repeat", "pause"},
	defaults: Sizes{Jobs: 3, Depth: 3, Repeat: 2, Pause: defaultPause},
	small:    Sizes{Jobs: 2, Depth: 1, Repeat: 1},
	run: func(x *execution) {
		p := x.newPool(x.workers)
		r := x.rand("scopes")
		for range x.sizes.Repeat {
			x.pause(r)
			err := p.Run(context.Background(), func(w *pool.Worker) error {
				x.scope(w, x.sizes.Depth)
				return nil
			})
			if err != nil {
				x.convict(WrongResult, "Run: %v", err)
			}
		}
		x.finish(p)
	},
}

// scope opens one scope, of that depth, and waits for it.
func (x *execution) scope(w *pool.Worker, depth int) {
	name := fmt.Sprintf("scope of depth %d on worker %d", depth, w.Index())
	jobs := x.jobs.open(name, x.sizes.Jobs)
	detached := x.jobs.open(name+", detached", 1)
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
			x.convict(LostTask, "%s: the scope ended before it had run", jobs[i].name)
		}
	}
}
