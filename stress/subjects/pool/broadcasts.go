package pool

import (
	"context"
	"errors"
	"fmt"
	"slices"
	gosync "sync"

	"github.com/rouse-go/rouse/chaos/verdict"
	"github.com/rouse-go/rouse/hooks/sync"
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

// broadcastsWorkload: broadcasts of all kinds overlap, and their bodies yield, so that the next begins on top
// of one that has not ended.
var broadcastsWorkload = workload{
	name: "broadcasts",
	about: "Broadcasts of all kinds, some of which nothing waits for, from outside, from jobs, from scopes and from another pool, by several goroutines " +
		"at once. Their bodies yield and start jobs. Every worker runs each once, and all workers begin them in the same order, those of one broadcaster in the order in which it started them. Then " +
		"isolated jobs broadcast, one after the other.",
	uses:     []string{"jobs", "injectors", "pause"},
	defaults: sizes{jobs: 8, injectors: 2, pause: defaultPause},
	small:    sizes{jobs: 3, injectors: 1},
	spares:   func(sizes) int { return sparesOfOne },
	run: func(x *execution) {
		p, other := x.newPool(x.workers), x.newPool(1)
		x.broadcasts(p, other, broadcastWays)
		x.broadcastIsolated(p)
		x.close(other)
		x.finish(p)
	},
}

// A broadcastWay runs f once on every worker of p.
type broadcastWay struct {
	name  string
	waits bool // all are done when it returns
	// isolated: its shares run isolated.
	isolated bool
	start    func(p, other *pool.Pool, f func(w *pool.Worker)) error
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
	order := broadcastOrder{begun: make([][]broadcastName, p.Workers())}
	var over sync.WaitGroup
	var broadcasters subject.Crew
	for i := range x.sizes.injectors {
		name := fmt.Sprint("broadcaster ", i)
		broadcasters.Start(name, func() {
			r := x.Rand(name)
			for j := range x.sizes.jobs {
				x.pause(r)
				way := &ways[r.IntN(len(ways))]
				x.broadcastBy(p, other, way, broadcastName{i, j, way.name}, &order, &over)
			}
		})
	}
	broadcasters.Wait()
	over.Wait()
	order.judge(x)
}

// broadcastBy broadcasts once.
func (x *execution) broadcastBy(p, other *pool.Pool, way *broadcastWay, name broadcastName, order *broadcastOrder, over *sync.WaitGroup) {
	shares := x.open(name.String(), p.Workers())
	children := x.open(name.String()+", started by its share", p.Workers())
	over.Add(2 * p.Workers())
	err := way.start(p, other, func(w *pool.Worker) {
		i := w.Index()
		order.begin(i, name)
		w.Go(func(*pool.Worker) { children[i].ran(); over.Done() })
		if x.workers == 1 && !way.isolated && !w.HasPendingTasks() {
			x.Fail(verdict.WrongResult, "%s: the only worker has no pending task after a Go", name)
		}
		if ran := w.YieldLocal(); x.workers == 1 && ran == way.isolated {
			x.Fail(verdict.WrongResult, "%s: YieldLocal of the only worker after a Go reports %t, want %t", name, ran, !ran)
		}
		w.YieldNow()
		shares[i].ran()
		over.Done()
	})
	if err != nil {
		x.Fail(verdict.WrongResult, "%s: %v", name, err)
	}
	x.report(brokenState(p.State(), x.sizes.jobs*x.sizes.injectors+len(isolatedWays)))
	for i := range shares {
		if way.waits && shares[i].runs.Load() == 0 {
			x.Fail(verdict.LostTask, "%s: the broadcast returned before it had run", shares[i].name)
		}
	}
}

// isolatedWays lists ways to broadcast in a job that waits isolated. No two such jobs may wait at the same time,
// since each would wait for the other's worker.
var isolatedWays = []broadcastWay{
	{name: "Worker.Broadcast, isolated", waits: true, isolated: true, start: func(p, _ *pool.Pool, f func(w *pool.Worker)) (err error) {
		outer := p.Run(context.Background(), func(w *pool.Worker) error {
			w.Isolated(func(w *pool.Worker) { err = w.Broadcast(p, f) })
			return nil
		})
		return errors.Join(err, outer)
	}},
	{name: "Scope.GoBroadcast, isolated", waits: true, isolated: true, start: func(p, _ *pool.Pool, f func(w *pool.Worker)) error {
		return p.Run(context.Background(), func(w *pool.Worker) error {
			w.Isolated(func(w *pool.Worker) { w.Scope(func(s *pool.Scope) { s.GoBroadcast(f) }) })
			return nil
		})
	}},
}

// broadcastIsolated broadcasts in each of isolatedWays, with its own broadcastOrder: a worker that waits isolated
// takes its share before older ones.
func (x *execution) broadcastIsolated(p *pool.Pool) {
	order := broadcastOrder{begun: make([][]broadcastName, p.Workers())}
	var over sync.WaitGroup
	for i := range isolatedWays {
		x.broadcastBy(p, nil, &isolatedWays[i], broadcastName{0, i, isolatedWays[i].name}, &order, &over)
	}
	over.Wait()
}

// A broadcastName identifies a broadcast by its broadcaster and number.
type broadcastName struct {
	broadcaster, number int
	way                 string
}

func (n broadcastName) String() string {
	return fmt.Sprintf("%s of broadcaster %d, number %d", n.way, n.broadcaster, n.number)
}

// broadcastOrder is the order in which each worker begins its shares.
type broadcastOrder struct {
	mu    gosync.Mutex      // never held over an operation of package hooks
	begun [][]broadcastName // by worker
}

func (o *broadcastOrder) begin(worker int, name broadcastName) {
	o.mu.Lock()
	defer o.mu.Unlock()
	o.begun[worker] = append(o.begun[worker], name)
}

// judge compares the orders of all workers, and the first with the order in which each broadcaster started its own.
func (o *broadcastOrder) judge(x *execution) {
	o.mu.Lock()
	defer o.mu.Unlock()
	for i, begun := range o.begun {
		if !slices.Equal(begun, o.begun[0]) {
			x.Fail(verdict.WrongResult, "worker %d begins broadcasts in the order %q, worker 0 in the order %q", i, begun, o.begun[0])
			return
		}
	}
	last := map[int]int{}
	for _, name := range o.begun[0] {
		if before, ok := last[name.broadcaster]; ok && name.number < before {
			x.Fail(verdict.WrongResult, "worker 0 begins a broadcast before one that came earlier: %q", o.begun[0])
			return
		}
		last[name.broadcaster] = name.number
	}
}
