package pool

import (
	"context"
	"fmt"
	"runtime"
	"time"

	"github.com/rouse-go/rouse/chaos/verdict"
	hookstime "github.com/rouse-go/rouse/hooks/time"
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

// trickleWorkload is noop of rayon's demos: a pool that has next to nothing
// to do.
var trickleWorkload = workload{
	name:     "trickle",
	about:    "A trickle of small jobs (noop): an outsider posts one, sleeps for just the pause, and posts the next, so that each meets a pool that has come to rest.",
	uses:     []string{"jobs", "pause"},
	defaults: sizes{jobs: 100, pause: 10 * time.Millisecond}, // as noop's
	small:    sizes{jobs: 2, pause: 10 * time.Millisecond},   // virtual: it passes when no task can continue
	run: func(x *execution) {
		p := x.newPool(x.workers)
		x.trickle(p.Go)
		x.finish(p)
	},
}

// trickle posts jobs by calling post.
func (x *execution) trickle(post func(f func(w *pool.Worker)) error) {
	jobs := x.open("outsider", x.sizes.jobs)
	for i := range jobs {
		e := &jobs[i]
		if err := post(func(*pool.Worker) { e.ran() }); err != nil {
			x.Fail(verdict.WrongResult, "%s: Go: %v", e.name, err)
		}
		hookstime.Sleep(x.sizes.pause)
		x.sample()
	}
}

// crowdProcessors is the number of processors of a crowd, whatever the machine has.
const crowdProcessors = 2

// crowdWorkload: with more workers than processors, one that is preempted stays so while all
// others take their turns, at whatever step of a protocol that happens.
var crowdWorkload = workload{
	name:     "crowd",
	about:    "Oversubscription: all workers of a large pool share two processors (under control there is one anyway). In turns they have to meet, which needs every one of them awake, and join 2^depth leaves.",
	uses:     []string{"depth", "repeat", "pause"},
	defaults: sizes{depth: 7, repeat: 2, pause: defaultPause},
	small:    sizes{depth: 2, repeat: 1},
	bound:    sizes{depth: maxJoinDepth},
	boundWhy: "has 2^depth leaves",
	run: func(x *execution) {
		if before := runtime.GOMAXPROCS(0); !x.Controlled() && before > crowdProcessors {
			runtime.GOMAXPROCS(crowdProcessors)
			defer runtime.GOMAXPROCS(before)
		}
		p := x.newPool(x.workers)
		x.crowd(p, p.Go, joinLeaves)
		x.finish(p)
	},
}

func (x *execution) crowd(p *pool.Pool, post func(f func(w *pool.Worker)) error, count func(w *pool.Worker, leaves []entry) int) {
	r := x.Rand("crowd")
	for i := range x.sizes.repeat {
		x.pause(r)
		x.meet(i, post)
		x.joinAll(p, count)
	}
}

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
