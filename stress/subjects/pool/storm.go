package pool

import (
	"fmt"

	"github.com/rouse-go/rouse/chaos/verdict"
	"github.com/rouse-go/rouse/pool"
	"github.com/rouse-go/rouse/stress/subject"
)

// stormWorkload: producers compete for the injector, the counters, and the sleepers to wake.
var stormWorkload = workload{
	name:     "storm",
	about:    "A spawn storm: that many producers (injectors) begin together and post without a pause, one by one, in batches, through jobs that post the rest from inside, and by scopes in place; each job runs once.",
	uses:     []string{"jobs", "injectors"},
	defaults: sizes{jobs: 200, injectors: 8},
	small:    sizes{jobs: 2, injectors: 2},
	run: func(x *execution) {
		p := x.newPool(x.workers)
		x.storm(p, waysToPost)
		x.finish(p)
	},
}

// A wayToPost posts a job for each entry.
type wayToPost struct {
	name string
	// waits: all have run when it returns.
	waits bool
	post  func(p *pool.Pool, batch []entry) error
}

var waysToPost = []wayToPost{
	{name: "Go", post: func(p *pool.Pool, batch []entry) error {
		for i := range batch {
			if err := p.Go(func(*pool.Worker) { batch[i].ran() }); err != nil {
				return err
			}
		}
		return nil
	}},
	{name: "GoN", post: func(p *pool.Pool, batch []entry) error {
		return p.GoN(len(batch), func(_ *pool.Worker, i int) { batch[i].ran() })
	}},
	{name: "Worker.Go", post: func(p *pool.Pool, batch []entry) error {
		return p.Go(func(w *pool.Worker) {
			for i := range batch[1:] {
				w.Go(func(*pool.Worker) { batch[1+i].ran() })
			}
			batch[0].ran()
		})
	}},
	{name: "InPlaceScope", waits: true, post: func(p *pool.Pool, batch []entry) error {
		return p.InPlaceScope(func(s *pool.Scope) {
			for i := range batch {
				s.Go(nil, func(*pool.Worker) { batch[i].ran() })
			}
		})
	}},
}

// maxBatch is the maximum number of jobs that a producer posts in one way.
const maxBatch = 8

func (x *execution) storm(p *pool.Pool, ways []wayToPost) {
	var producers subject.Crew
	var m meeting
	m.expect(x.sizes.injectors)
	for i := range x.sizes.injectors {
		name := fmt.Sprint("producer ", i)
		producers.Start(name, func() {
			r := x.Rand(name)
			jobs := x.open(name, x.sizes.jobs)
			m.attend()
			for len(jobs) > 0 {
				n := min(len(jobs), 1+r.IntN(maxBatch))
				way, batch := ways[r.IntN(len(ways))], jobs[:n]
				jobs = jobs[n:]
				if err := way.post(p, batch); err != nil {
					x.Fail(verdict.WrongResult, "%s: %s: %v", batch[0].name, way.name, err)
				}
				for j := range batch {
					if way.waits && batch[j].runs.Load() == 0 {
						x.Fail(verdict.LostTask, "%s: %s returned before it had run", batch[j].name, way.name)
					}
				}
				x.sample()
			}
		})
	}
	producers.Wait()
}
