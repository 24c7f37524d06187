package stress

import (
	"context"
	"fmt"

	"github.com/rouse-go/rouse/pool"
)

// broadcastWorkload: broadcasts meet workers at every stage of falling asleep.
var broadcastWorkload = Workload{
	Name:     "broadcast",
	About:    "Broadcasts against sleepers: several goroutines broadcast at once, with pauses in which workers fall asleep; every worker runs every broadcast once.",
	Uses:     []string{"jobs", "injectors", "pause"},
	defaults: Sizes{Jobs: 8, Injectors: 2, Pause: defaultPause},
	small:    Sizes{Jobs: 1, Injectors: 1},
	run: func(x *execution) {
		p := x.newPool(x.workers)
		var broadcasters crew
		for i := range x.sizes.Injectors {
			name := fmt.Sprint("broadcaster ", i)
			broadcasters.start(name, func() { x.broadcast(p, name) })
		}
		broadcasters.Wait()
		x.finish(p)
	},
}

func (x *execution) broadcast(p *pool.Pool, name string) {
	r := x.rand(name)
	for range x.sizes.Jobs {
		x.pause(r)
		jobs := x.jobs.open(name, p.Workers())
		err := p.Broadcast(context.Background(), func(w *pool.Worker) { jobs[w.Index()].ran() })
		if err != nil {
			x.convict(WrongResult, "%s: Broadcast: %v", name, err)
		}
	}
}

// mutualWorkload: two pools run into each other, and back.
var mutualWorkload = Workload{
	Name:     "mutual",
	About:    "Mutual runs: a job of pool A runs one in B, which runs one in A, while both pools sleep or are busy with the same from the other side.",
	Uses:     []string{"jobs", "depth", "pause"},
	defaults: Sizes{Jobs: 6, Depth: 4, Pause: defaultPause},
	small:    Sizes{Jobs: 1, Depth: 2},
	run: func(x *execution) {
		a, b := x.newPool(x.workers), x.newPool(x.workers)
		var outsiders crew
		for i, p := range []*pool.Pool{a, b} {
			other := []*pool.Pool{b, a}[i]
			name := fmt.Sprint("outsider ", i)
			outsiders.start(name, func() { x.mutual(p, other, name) })
		}
		outsiders.Wait()
		x.close(b)
		x.finish(a)
	},
}

func (x *execution) mutual(p, other *pool.Pool, name string) {
	r := x.rand(name)
	for range x.sizes.Jobs {
		x.pause(r)
		hops := x.jobs.open(name, x.sizes.Depth)
		err := p.Run(context.Background(), func(w *pool.Worker) error { return hop(w, other, p, hops) })
		if err != nil {
			x.convict(WrongResult, "%s: Run: %v", name, err)
		}
	}
}

// hop runs one hop here and the rest from the other pool on.
func hop(w *pool.Worker, other, here *pool.Pool, hops []entry) error {
	if len(hops) == 0 {
		return nil
	}
	err := w.Run(other, func(w *pool.Worker) error { return hop(w, here, other, hops[1:]) })
	hops[0].ran()
	return err
}
