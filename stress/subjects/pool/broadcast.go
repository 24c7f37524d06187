package pool

import (
	"context"
	"errors"
	"fmt"

	"github.com/rouse-go/rouse/chaos/verdict"
	"github.com/rouse-go/rouse/pool"
	"github.com/rouse-go/rouse/stress/subject"
)

// broadcastWorkload: broadcasts meet workers at every stage of falling asleep.
var broadcastWorkload = workload{
	name:     "broadcast",
	about:    "Broadcasts against sleepers: several goroutines broadcast at once, with pauses in which workers fall asleep; every worker runs every broadcast once.",
	uses:     []string{"jobs", "injectors", "pause"},
	defaults: sizes{jobs: 8, injectors: 2, pause: defaultPause},
	small:    sizes{jobs: 1, injectors: 1},
	run: func(x *execution) {
		p := x.newPool(x.workers)
		var broadcasters subject.Crew
		for i := range x.sizes.injectors {
			name := fmt.Sprint("broadcaster ", i)
			broadcasters.Start(name, func() { x.broadcast(p, name) })
		}
		broadcasters.Wait()
		x.finish(p)
	},
}

func (x *execution) broadcast(p *pool.Pool, name string) {
	r := x.Rand(name)
	for range x.sizes.jobs {
		x.pause(r)
		jobs := x.open(name, p.Workers())
		err := p.Broadcast(context.Background(), func(w *pool.Worker) { jobs[w.Index()].ran() })
		if err != nil {
			x.Fail(verdict.WrongResult, "%s: Broadcast: %v", name, err)
		}
	}
}

// mutualWorkload: two pools run into each other, and back.
var mutualWorkload = workload{
	name:     "mutual",
	about:    "Mutual runs: a job of pool A runs one in B, which runs one in A, while both pools sleep or are busy with the same from the other side. Of the goroutines that start them (injectors) every other one begins in B.",
	uses:     []string{"jobs", "injectors", "depth", "pause"},
	defaults: sizes{jobs: 6, injectors: 2, depth: 4, pause: defaultPause},
	small:    sizes{jobs: 1, injectors: 2, depth: 2},
	run: func(x *execution) {
		a, b := x.newPool(x.workers), x.newPool(x.workers)
		x.fromBothSides(a, b, func(p, other *pool.Pool, name string) { x.mutual(p, other, name, (*pool.Worker).Run) })
		x.close(b)
		x.finish(a)
	},
}

// fromBothSides starts outsiders that call do; every other one begins in b.
func (x *execution) fromBothSides(a, b *pool.Pool, do func(p, other *pool.Pool, name string)) {
	var outsiders subject.Crew
	for i := range x.sizes.injectors {
		p, other := a, b
		if i%2 == 1 {
			p, other = b, a
		}
		name := fmt.Sprint("outsider ", i)
		outsiders.Start(name, func() { do(p, other, name) })
	}
	outsiders.Wait()
}

// A crossing runs f in another pool, and waits for it: (*pool.Worker).Run.
type crossing func(w *pool.Worker, other *pool.Pool, f func(w *pool.Worker) error) error

// errLastHop comes back from the last hop, by way of all others.
var errLastHop = errors.New("the last hop")

// mutual runs jobs in p, each of which crosses over to the other pool, and back.
func (x *execution) mutual(p, other *pool.Pool, name string, cross crossing) {
	r := x.Rand(name)
	for range x.sizes.jobs {
		x.pause(r)
		hops := x.open(name, x.sizes.depth)
		err := p.Run(context.Background(), func(w *pool.Worker) error { return x.hop(w, other, p, hops, cross) })
		if err != errLastHop {
			x.Fail(verdict.WrongResult, "%s: Run: %v, want %v", name, err, errLastHop)
		}
		for i := range hops {
			if hops[i].runs.Load() == 0 {
				x.Fail(verdict.LostTask, "%s: Run returned before the hop had run", hops[i].name)
			}
		}
	}
}

// hop runs one hop here and the others from the other pool on.
func (x *execution) hop(w *pool.Worker, other, here *pool.Pool, hops []entry, cross crossing) error {
	if w.Pool() != here {
		x.Fail(verdict.WrongResult, "a hop into %s runs in %s", here.Name(), w.Pool().Name())
	}
	if len(hops) == 0 {
		return errLastHop
	}
	err := cross(w, other, func(w *pool.Worker) error { return x.hop(w, here, other, hops[1:], cross) })
	hops[0].ran()
	return err
}
