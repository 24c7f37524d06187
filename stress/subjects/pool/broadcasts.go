package pool

import (
	"context"
	"fmt"
	"slices"
	gosync "sync"

	"github.com/rouse-go/rouse/chaos/verdict"
	"github.com/rouse-go/rouse/hooks/sync"
	"github.com/rouse-go/rouse/pool"
	"github.com/rouse-go/rouse/stress/subject"
)

// broadcastsWorkload: broadcasts of all kinds overlap, and their bodies yield, so that the next begins on top
// of one that has not ended.
var broadcastsWorkload = workload{
	name: "broadcasts",
	about: "Broadcasts of all kinds, some of which nothing waits for, from outside, from jobs, from scopes and from another pool, by several goroutines " +
		"at once. Their bodies yield and start jobs. Every worker runs each once, and all workers begin them in the same order.",
	uses:     []string{"jobs", "injectors", "pause"},
	defaults: sizes{jobs: 8, injectors: 2, pause: defaultPause},
	small:    sizes{jobs: 2, injectors: 1},
	run: func(x *execution) {
		p, other := x.newPool(x.workers), x.newPool(1)
		x.broadcasts(p, other, broadcastWays)
		x.close(other)
		x.finish(p)
	},
}

// A broadcastWay runs f once on every worker of p.
type broadcastWay struct {
	name  string
	waits bool // all are done when it returns
	start func(p, other *pool.Pool, f func(w *pool.Worker)) error
}

var broadcastWays = []broadcastWay{
	{name: "Pool.GoBroadcast", start: func(p, _ *pool.Pool, f func(w *pool.Worker)) error { return p.GoBroadcast(f) }},
	{name: "Worker.GoBroadcast", start: func(p, _ *pool.Pool, f func(w *pool.Worker)) error {
		return p.Run(context.Background(), func(w *pool.Worker) error { w.GoBroadcast(f); return nil })
	}},
	{name: "Scope.GoBroadcast", waits: true, start: func(p, _ *pool.Pool, f func(w *pool.Worker)) error {
		return p.Run(context.Background(), func(w *pool.Worker) error {
			w.Scope(func(s *pool.Scope) { s.GoBroadcast(f) })
			return nil
		})
	}},
	{name: "Scope.GoBroadcast in place", waits: true, start: func(p, _ *pool.Pool, f func(w *pool.Worker)) error {
		return p.InPlaceScope(func(s *pool.Scope) { s.GoBroadcast(f) })
	}},
	{name: "Pool.Broadcast", waits: true, start: func(p, _ *pool.Pool, f func(w *pool.Worker)) error {
		return p.Broadcast(context.Background(), f)
	}},
	{name: "Worker.Broadcast", waits: true, start: func(p, _ *pool.Pool, f func(w *pool.Worker)) error {
		return p.Run(context.Background(), func(w *pool.Worker) error { return w.Broadcast(p, f) })
	}},
	{name: "Worker.Broadcast of another pool", waits: true, start: func(p, other *pool.Pool, f func(w *pool.Worker)) error {
		return other.Run(context.Background(), func(w *pool.Worker) error { return w.Broadcast(p, f) })
	}},
}

// broadcasts has several goroutines broadcast in these ways.
func (x *execution) broadcasts(p, other *pool.Pool, ways []broadcastWay) {
	order := broadcastOrder{begun: make([][]string, p.Workers())}
	var over sync.WaitGroup
	var broadcasters subject.Crew
	for i := range x.sizes.injectors {
		name := fmt.Sprint("broadcaster ", i)
		broadcasters.Start(name, func() {
			r := x.Rand(name)
			for j := range x.sizes.jobs {
				x.pause(r)
				way := &ways[r.IntN(len(ways))]
				x.broadcastBy(p, other, way, fmt.Sprintf("%s of %s, number %d", way.name, name, j), &order, &over)
			}
		})
	}
	broadcasters.Wait()
	over.Wait()
	order.judge(x)
}

// broadcastBy broadcasts once.
func (x *execution) broadcastBy(p, other *pool.Pool, way *broadcastWay, name string, order *broadcastOrder, over *sync.WaitGroup) {
	shares := x.open(name, p.Workers())
	children := x.open(name+", started by its share", p.Workers())
	over.Add(2 * p.Workers())
	err := way.start(p, other, func(w *pool.Worker) {
		i := w.Index()
		order.begin(i, name)
		w.Go(func(*pool.Worker) { children[i].ran(); over.Done() })
		if w.HasPendingTasks() {
			w.YieldLocal()
		}
		w.YieldNow()
		shares[i].ran()
		over.Done()
	})
	if err != nil {
		x.Fail(verdict.WrongResult, "%s: %v", name, err)
	}
	for i := range shares {
		if way.waits && shares[i].runs.Load() == 0 {
			x.Fail(verdict.LostTask, "%s: the broadcast returned before it had run", shares[i].name)
		}
	}
}

// broadcastOrder is the order in which each worker begins its shares.
type broadcastOrder struct {
	mu    gosync.Mutex // never held over an operation of package hooks
	begun [][]string   // by worker
}

func (o *broadcastOrder) begin(worker int, name string) {
	o.mu.Lock()
	defer o.mu.Unlock()
	o.begun[worker] = append(o.begun[worker], name)
}

// judge compares the orders of all workers.
func (o *broadcastOrder) judge(x *execution) {
	o.mu.Lock()
	defer o.mu.Unlock()
	for i, begun := range o.begun {
		if !slices.Equal(begun, o.begun[0]) {
			x.Fail(verdict.WrongResult, "worker %d begins broadcasts in the order %q, worker 0 in the order %q", i, begun, o.begun[0])
			return
		}
	}
}
