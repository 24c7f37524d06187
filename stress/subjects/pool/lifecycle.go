package pool

import (
	"context"
	"errors"
	"fmt"
	"slices"

	"github.com/rouse-go/rouse/chaos/verdict"
	"github.com/rouse-go/rouse/pool"
	"github.com/rouse-go/rouse/stress/subject"
)

// defaultWorkload: the packages of a program share one pool, whichever asks for it first. Its size depends on
// the machine, and an abandoned execution would leave it to the next one of the process:
// neither is allowed under control.
var defaultWorkload = workload{
	name: "default",
	about: "The default pool: goroutines (injectors) that ask for it at the same time get the same one, which runs their jobs and is then closed. " +
		"The next that ask get another. It has as many workers as the process has processors, whatever the scenario says.",
	uses:       []string{"jobs", "injectors", "repeat", "pause"},
	defaults:   sizes{jobs: 3, injectors: 3, repeat: 4, pause: defaultPause},
	most:       1,
	nativeOnly: "the default pool has as many workers as the machine has processors, and outlives the execution",
	run:        func(x *execution) { x.defaultPools(pool.Default) },
}

// defaultPools asks for pools by calling ask.
func (x *execution) defaultPools(ask func() *pool.Pool) {
	r := x.Rand("default")
	for i := range x.sizes.repeat {
		x.pause(r)
		got := make([]*pool.Pool, x.sizes.injectors)
		var askers subject.Crew
		for j := range got {
			name := fmt.Sprintf("asker %d of pool %d", j, i)
			askers.Start(name, func() {
				p := ask()
				got[j] = p
				x.knows(p)
				jobs := x.open(name, x.sizes.jobs)
				for k := range jobs {
					if err := p.Run(context.Background(), func(*pool.Worker) error { jobs[k].ran(); return nil }); err != nil {
						x.Fail(verdict.WrongResult, "%s: Run: %v", jobs[k].name, err)
					}
				}
			})
		}
		askers.Wait()
		for j, p := range got {
			if p == got[0] && j > 0 {
				continue
			}
			if j > 0 {
				x.Fail(verdict.WrongResult, "askers 0 and %d of pool %d asked at the same time and got different pools", j, i)
			}
			x.close(p)
		}
	}
}

// closingWorkload: whether a job comes before the close or after it is decided while both are under way.
var closingWorkload = workload{
	name: "closing",
	about: "Posts while a pool closes: several posters (injectors) start jobs by all entries, each of which starts another, until the pool refuses them. An " +
		"outsider closes it meanwhile, and so does a job of another pool (Worker.Close), while jobs of a third one have runs, scopes and broadcasts there. What was taken runs once, with what it starts; what was refused does not run, and nothing is taken after a refusal.",
	uses:     []string{"jobs", "injectors", "repeat", "pause"},
	defaults: sizes{jobs: 12, injectors: 3, repeat: 3, pause: defaultPause},
	small:    sizes{jobs: 3, injectors: 1, repeat: 1},
	run: func(x *execution) {
		r := x.Rand("closing")
		other, third := x.newPool(1), x.newPool(1)
		ways := slices.Concat(postWays, postsFrom(third))
		for range x.sizes.repeat {
			p := x.newPool(x.workers)
			var posted posts
			var all subject.Crew
			for i := range x.sizes.injectors {
				name := fmt.Sprint("poster ", i)
				all.Start(name, func() { x.postUntilClosed(p, name, &posted, ways) })
			}
			x.pause(r)
			all.Start("closer", func() { x.close(p) })
			all.Start("caller of the closer", func() {
				err := other.Run(context.Background(), func(w *pool.Worker) error { return w.Close(context.Background(), p) })
				if err != nil {
					x.Fail(verdict.WrongResult, "Worker.Close: %v", err)
				}
				x.closed(p)
			})
			all.Wait()
			posted.judge(x)
		}
		x.close(third)
		x.finish(other)
	},
}

// postUntilClosed starts jobs in these ways, and some more once the pool has refused one.
func (x *execution) postUntilClosed(p *pool.Pool, name string, posted *posts, ways []postWay) {
	r := x.Rand(name)
	for i := range x.sizes.jobs {
		way := &ways[r.IntN(len(ways))]
		if r.IntN(2) == 0 {
			way = &ways[0] // Go, for which the pool takes references for others in advance
		}
		closed := posted.refused.Load() // one of any poster
		err := posted.post(x, p, way, fmt.Sprintf("%s, post %d", name, i))
		if closed && err == nil {
			x.Fail(verdict.WrongResult, "%s, post %d: %s was taken after the pool had refused one with %v", name, i, way.name, pool.ErrClosed)
		}
		if errors.Is(err, pool.ErrClosed) {
			posted.refused.Store(true)
		}
	}
}

// churnWorkload opens and closes pools, with and without work in them.
var churnWorkload = workload{
	name:     "churn",
	about:    "Open and close: pools are started, given some jobs, and closed by two goroutines at once while the jobs run; all that was taken is run, nothing is taken afterwards, every worker ends.",
	uses:     []string{"jobs", "repeat", "pause"},
	defaults: sizes{jobs: 4, repeat: 4, pause: defaultPause},
	small:    sizes{jobs: 1, repeat: 1},
	run:      func(x *execution) { x.churn((*pool.Pool).Go, (*pool.Pool).Run, (*pool.Pool).Close) },
}

// churn opens pools, and closes them with end.
func (x *execution) churn(
	post func(p *pool.Pool, f func(w *pool.Worker)) error,
	run func(p *pool.Pool, ctx context.Context, f func(w *pool.Worker) error) error,
	end func(p *pool.Pool, ctx context.Context) error,
) {
	r := x.Rand("churn")
	for i := range x.sizes.repeat {
		p := x.newPool(x.workers)
		if r.IntN(2) == 0 {
			x.pause(r)
		}
		jobs := x.open(fmt.Sprint("pool ", i), 2*r.IntN(x.sizes.jobs+1))
		for j := 0; j < len(jobs); j += 2 {
			first, second := &jobs[j], &jobs[j+1]
			err := post(p, func(w *pool.Worker) {
				first.ran()
				w.Go(func(*pool.Worker) { second.ran() })
			})
			if err != nil {
				x.Fail(verdict.WrongResult, "%s: Go: %v", first.name, err)
			}
		}
		if r.IntN(2) == 0 {
			x.pause(r)
		}
		var closers subject.Crew
		for c := range 2 {
			closers.Start(fmt.Sprint("closer ", c), func() { x.closeBy(p, end) })
		}
		closers.Wait()
		if err := post(p, func(*pool.Worker) {}); !errors.Is(err, pool.ErrClosed) {
			x.Fail(verdict.WrongResult, "Go on a closed pool: %v, want %v", err, pool.ErrClosed)
		}
		err := run(p, context.Background(), func(*pool.Worker) error { return nil })
		if !errors.Is(err, pool.ErrClosed) {
			x.Fail(verdict.WrongResult, "Run on a closed pool: %v, want %v", err, pool.ErrClosed)
		}
	}
}
