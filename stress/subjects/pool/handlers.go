package pool

import (
	"context"
	"errors"
	"fmt"
	"runtime"
	gosync "sync"

	"github.com/rouse-go/rouse/chaos/verdict"
	"github.com/rouse-go/rouse/hooks"
	"github.com/rouse-go/rouse/pool"
	"github.com/rouse-go/rouse/stress/subject"
)

// handlersWorkload: each goroutine of a pool starts and ends with its handlers, however it ends.
var handlersWorkload = workload{
	name: "handlers",
	about: "Handlers and rare options: workers and spares start and end by their handlers, in pools whose forks are shared and whose spares are few, while jobs " +
		"fork, block, call Goexit, or fail without a waiter. Each goroutine runs its start handler once, and its exit handler after it. A worker that waits isolated, " +
		"and no spare takes its place, runs the jobs that it waits for.",
	uses:     []string{"jobs", "repeat", "pause"},
	defaults: sizes{jobs: 6, repeat: 3, pause: defaultPause},
	small:    sizes{jobs: 2, repeat: 1},
	spares:   func(sizes) int { return maxFewSpares },
	run: func(x *execution) {
		r := x.Rand("handlers")
		for i := range x.sizes.repeat {
			if x.workers > 1 && r.IntN(4) == 0 {
				x.isolatedWithoutSpares(fmt.Sprint("isolation ", i))
			}
			l := lives{alive: map[int]int{}}
			var handled handler
			options := []pool.Option{
				pool.WithStartHandler(func(w *pool.Worker) error { l.start(x, w); return nil }),
				pool.WithExitHandler(func(w *pool.Worker) { l.exit(x, w) }),
				pool.WithPanicHandler(handled.panicked), pool.WithSpares(r.IntN(maxFewSpares + 1)),
			}
			if r.IntN(2) == 0 {
				options = append(options, pool.WithSharedForks())
			}
			p := x.newPool(x.workers, options...)
			l.begun(x)
			x.pause(r)
			x.handlers(p, &handled, fmt.Sprint("pool ", i))
			x.close(p)
			handled.judge(x)
			l.judge(x)
			x.counted(p.Stats())
		}
	},
}

// maxFewSpares is the maximum number of spares of those pools.
const maxFewSpares = 2

// handlers has jobs end in every way.
func (x *execution) handlers(p *pool.Pool, handled *handler, name string) {
	r := x.Rand("handlers of " + name)
	for i := range x.sizes.jobs {
		jobs := x.open(fmt.Sprint(name, ", round ", i), 4)
		draw := r.IntN(4)
		err := p.Run(context.Background(), func(w *pool.Worker) error {
			w.Join(func(*pool.Worker) { jobs[0].ran() }, func(*pool.Worker) { jobs[1].ran() })
			switch jobs[2].ran(); draw {
			case 0:
				runtime.Goexit()
			case 1:
				var others subject.Crew
				others.Start(fmt.Sprint(name, ", waited for"), hooks.Gosched)
				w.Blocking(others.Wait)
			}
			return nil
		})
		if draw == 0 && !errors.Is(err, pool.ErrGoexit) || draw > 0 && err != nil {
			x.Fail(verdict.WrongResult, "%s, round %d: Run: %v", name, i, err)
		}
		token := &panicToken{fmt.Sprint(name, ", round ", i)}
		if draw == 2 {
			handled.expect(token)
		}
		if err := p.Go(func(*pool.Worker) {
			if jobs[3].ran(); draw == 2 {
				panic(token)
			}
		}); err != nil {
			x.Fail(verdict.WrongResult, "%s: Go: %v", jobs[3].name, err)
		}
	}
	x.working(p)
}

// counted checks the statistics of a closed pool.
func (x *execution) counted(s pool.Stats) {
	if least := uint64(2 * x.sizes.jobs); s.Jobs < least {
		x.Fail(verdict.WrongResult, "the pool's workers ran %d jobs by its statistics, want at least %d", s.Jobs, least)
	}
}

// lives counts the goroutines of a pool, by the index of their workers.
type lives struct {
	mu     gosync.Mutex // never held over an operation of package hooks
	alive  map[int]int
	starts int
}

func (l *lives) start(x *execution, w *pool.Worker) {
	l.mu.Lock()
	defer l.mu.Unlock()
	l.starts++
	if l.alive[w.Index()]++; l.alive[w.Index()] > 1 {
		x.Fail(verdict.WrongResult, "worker %d starts on a goroutine while it runs on another", w.Index())
	}
}

func (l *lives) exit(x *execution, w *pool.Worker) {
	l.mu.Lock()
	defer l.mu.Unlock()
	if l.alive[w.Index()]--; l.alive[w.Index()] < 0 {
		x.Fail(verdict.WrongResult, "worker %d ends more often than it has started", w.Index())
	}
}

// begun checks, when New has returned, that each worker has started.
func (l *lives) begun(x *execution) {
	l.mu.Lock()
	defer l.mu.Unlock()
	if l.starts != x.workers {
		x.Fail(verdict.WrongResult, "New returned when %d start handlers had run, want %d", l.starts, x.workers)
	}
}

// judge checks that all have ended.
func (l *lives) judge(x *execution) {
	l.mu.Lock()
	defer l.mu.Unlock()
	if l.starts < x.workers {
		x.Fail(verdict.WrongResult, "%d goroutines ran the start handler, want at least %d", l.starts, x.workers)
	}
	for worker, n := range l.alive {
		if n != 0 {
			x.Fail(verdict.WrongResult, "worker %d has ended, and its exit handler ran %d times less than its start handler", worker, n)
		}
	}
}
