package pool

import (
	gocontext "context"
	"errors"
	"fmt"
	"slices"

	"github.com/rouse-go/rouse/chaos/verdict"
	"github.com/rouse-go/rouse/hooks/context"
	"github.com/rouse-go/rouse/hooks/time"
	"github.com/rouse-go/rouse/pool"
	"github.com/rouse-go/rouse/stress/subject"
)

// boundedWorkload: injection is bounded. Room that is lost blocks the last poster; room that is invented shows
// while no worker takes a job.
var boundedWorkload = workload{
	name: "bounded",
	about: "Bounded injection (WithMaxInjected): while all workers are occupied the pool takes as many jobs as it has room for, and no more. Then several " +
		"posters (injectors) compete for the room by all entries, and jobs of another pool do, some giving up. What was taken runs once; what was refused or given up does not. No more jobs wait than there is room, which goes to the poster that came first.",
	uses:     []string{"jobs", "injectors", "repeat", "pause"},
	defaults: sizes{jobs: 12, injectors: 3, repeat: 2, pause: defaultPause},
	small:    sizes{jobs: 2, injectors: 2, repeat: 2},
	run: func(x *execution) {
		r := x.Rand("bounded")
		room := 1 + r.IntN(3)
		p, other := x.newPool(x.workers, pool.WithMaxInjected(room)), x.newPool(1)
		ways := boundedOf(slices.Concat(postWays, postsFrom(other)))
		var posted posts
		for i := range x.sizes.repeat {
			x.pause(r)
			x.fill(p, room, p.TryGo, fmt.Sprint("round ", i))
			x.compete(p, room, ways, &posted)
		}
		x.close(other)
		x.finish(p)
		posted.judge(x)
	},
}

// fill occupies all workers, and posts with try until the pool is full.
func (x *execution) fill(p *pool.Pool, room int, try func(f func(w *pool.Worker)) error, name string) {
	release := x.occupy(p, x.workers, name+", occupying")
	jobs := x.open(name+", filling", room)
	for i := range jobs {
		post := try
		if i%2 == 0 { // a context that ends later does not matter
			ctx, end := context.WithCancel(gocontext.Background())
			defer end()
			post = func(f func(w *pool.Worker)) error { return p.GoContext(ctx, f) }
		}
		if err := post(func(*pool.Worker) { jobs[i].ran() }); err != nil {
			x.Fail(verdict.WrongResult, "%s: %v, and there is room for %d", jobs[i].name, err, room)
			jobs[i].ran() // it is not lost
		}
	}
	refused := func(*pool.Worker) { x.Fail(verdict.WrongResult, "%s: a job ran that had been refused", name) }
	if err := try(refused); !errors.Is(err, pool.ErrFull) {
		x.Fail(verdict.WrongResult, "%s: TryGo with %d jobs waiting: %v, want %v", name, room, err, pool.ErrFull)
	}
	ctx, end := context.WithCancel(gocontext.Background())
	if err := ending(end, func() error { return p.GoContext(ctx, refused) }); !errors.Is(err, gocontext.Canceled) {
		x.Fail(verdict.WrongResult, "%s: GoContext with %d jobs waiting: %v, want %v", name, room, err, gocontext.Canceled)
	}
	wait := func() {}
	if room == 1 && x.Controlled() {
		wait = x.lineUp(name, p.Go)
	}
	release()
	wait()
}

// inLine is the number of posters that wait for room one behind the other.
const inLine = 3

// lineUp has posters call post while there is no room, one after the other, and checks that they get room in that
// order. It is for controlled executions, where a sleep ends when all others are blocked: natively, nothing
// shows that a poster already waits.
func (x *execution) lineUp(name string, post func(f func(w *pool.Worker)) error) (wait func()) {
	jobs := x.open(name+", in line", inLine)
	order := beginnings{x: x, way: &orderedStart{name: "waiting for room"}, others: x.workers - 1, began: make([]bool, len(jobs)), last: map[int]int{}}
	var posters subject.Crew
	for i := range jobs {
		posters.Start(jobs[i].name, func() {
			if err := post(func(w *pool.Worker) { order.begin(w, i); jobs[i].ran() }); err != nil {
				x.Fail(verdict.WrongResult, "%s: Go: %v", jobs[i].name, err)
			}
		})
		time.Sleep(time.Millisecond)
	}
	return posters.Wait
}

// compete has several goroutines post in these ways.
func (x *execution) compete(p *pool.Pool, room int, ways []postWay, posted *posts) {
	var posters subject.Crew
	for i := range x.sizes.injectors {
		name := fmt.Sprint("poster ", i)
		posters.Start(name, func() {
			r := x.Rand(name)
			for j := range x.sizes.jobs {
				posted.post(x, p, &ways[r.IntN(len(ways))], fmt.Sprintf("%s, job %d", name, j))
				if n := p.State().Injected; n > room {
					x.Fail(verdict.Invariant, "%d jobs wait for a worker, want at most %d", n, room)
				}
			}
		})
	}
	posters.Wait()
}
