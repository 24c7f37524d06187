//go:build chaos

package pool_test

import (
	"context"
	"errors"
	"flag"
	"fmt"
	"os"
	"sync/atomic"
	"testing"

	"github.com/rouse-go/rouse/chaos/control"
	"github.com/rouse-go/rouse/chaos/verdict"
	"github.com/rouse-go/rouse/hooks/sync"
	"github.com/rouse-go/rouse/pool"
	"github.com/rouse-go/rouse/sleep"
	"github.com/rouse-go/rouse/stress/mutants/kill"
)

var killing = kill.Flags(flag.CommandLine)

// A killer is a pool with a use that mutants don't survive.
type killer struct {
	workers, jobs, jec int
	internal           bool   // the first job posts the others
	meet               bool   // all jobs wait for each other
	variant            string // of sleep; "": the default
}

// program reads the words of a killer. use is what is done to the pool before it is
// closed; it says which jobs have begun.
func (k killer) program(use func(k killer, p *pool.Pool, began func())) func(words string) (kill.Program, error) {
	return func(words string) (kill.Program, error) {
		k := k
		bools := map[string]*bool{"internal": &k.internal, "meet": &k.meet}
		for _, v := range sleep.Variants()[1:] {
			bools[v.Name] = new(bool)
		}
		err := kill.Words(words, map[string]*int{"workers": &k.workers, "jobs": &k.jobs, "jec": &k.jec}, bools)
		for _, v := range sleep.Variants()[1:] {
			if *bools[v.Name] {
				k.variant = v.Name
			}
		}
		switch {
		case err != nil:
			return kill.Program{}, err
		case k.workers < 1 || k.workers > 7 || k.jec < 1 || k.jec > 32:
			return kill.Program{}, fmt.Errorf("%d workers, a JEC of %d bits: want 1 to 7, and 1 to 32", k.workers, k.jec)
		case k.meet && k.jobs > k.workers:
			return kill.Program{}, errors.New("more jobs are to meet than there are workers")
		}
		var p *pool.Pool
		var begun atomic.Int64 // not the drop-in: this is the oracle's
		return kill.Program{
			Body: func(e *control.Engine) {
				begun.Store(0)
				var err error
				p, err = pool.New(k.workers, pool.WithDequeCapacity(2), pool.WithSpares(0), pool.WithSleep(atOnce(k.variant, k.jec)...))
				if err != nil {
					panic(err)
				}
				e.OnStuck(func(control.Result) (verdict.Verdict, string) { return k.judge(p, int(begun.Load())) })
				use(k, p, func() { begun.Add(1) })
				closed(p)
			},
			After: func() (verdict.Verdict, string) {
				if c := p.Counters(); c.Sleeping != 0 || c.Inactive != 0 {
					return verdict.Invariant, fmt.Sprintf("the pool is closed; the counters say %d sleeping, %d inactive", c.Sleeping, c.Inactive)
				}
				return verdict.Pass, ""
			},
		}, nil
	}
}

// atOnce are the options of a variant, "" is the default, whose workers sleep as soon as
// they may.
func atOnce(variant string, jec int) []sleep.Option {
	v, _ := sleep.VariantNamed(variant)
	return append(v.Options, sleep.WithWidths(sleep.Widths{Sleeping: 4, Inactive: 4, JEC: jec}), sleep.WithRoundsUntilSleepy(0))
}

// judge says what an execution that is stuck is about, if workers sleep.
func (k killer) judge(p *pool.Pool, begun int) (verdict.Verdict, string) {
	asleep := 0
	for _, w := range p.State().Workers {
		if w.Asleep {
			asleep++
		}
	}
	v := verdict.LostWakeup
	switch {
	case asleep == 0:
		return "", ""
	case k.internal && begun > 0 && begun < k.jobs:
		v = verdict.LostParallelism
	}
	return v, fmt.Sprintf("%d of %d jobs have begun; workers asleep: %d", begun, k.jobs, asleep)
}

// posts are jobs from outside, or one that posts the others.
func posts(k killer, p *pool.Pool, began func()) {
	var met sync.WaitGroup
	met.Add(k.jobs)
	job := func(*pool.Worker) {
		began()
		if k.meet {
			met.Done()
			met.Wait()
		}
	}
	if !k.internal {
		for range k.jobs {
			start(p, job)
		}
		return
	}
	start(p, func(w *pool.Worker) {
		for range k.jobs - 1 {
			w.Go(job)
		}
		job(w)
	})
}

func start(p *pool.Pool, job func(w *pool.Worker)) {
	if err := p.Go(job); err != nil {
		panic(err)
	}
}

// allWorkers has broadcasts, which go to all workers.
func allWorkers(k killer, p *pool.Pool, began func()) {
	for range k.jobs / k.workers {
		if err := p.Broadcast(context.Background(), func(*pool.Worker) { began() }); err != nil {
			panic(err)
		}
	}
}

// blockers block for the sake of a job in their own deques.
func blockers(k killer, p *pool.Pool, began func()) {
	var first, second sync.WaitGroup
	first.Add(1)
	second.Add(1)
	start(p, func(w *pool.Worker) {
		began()
		w.Go(func(w *pool.Worker) {
			began()
			w.Blocking(second.Wait)
			first.Done()
		})
		w.Go(func(*pool.Worker) { began(); second.Done() })
		w.Blocking(first.Wait)
	})
}

// isolated has an isolated scope whose first job, if a thief runs it, blocks for the sake
// of a second one: only the waiter of the scope can run that.
func isolated(k killer, p *pool.Pool, began func()) {
	enter(p, func(w *pool.Worker) {
		w.Isolated(func(w *pool.Worker) {
			w.Scope(func(s *pool.Scope) {
				s.Go(w, func(w *pool.Worker) {
					began()
					var second sync.WaitGroup
					second.Add(1)
					s.Go(w, func(*pool.Worker) { began(); second.Done() })
					w.Blocking(second.Wait)
				})
			})
		})
	})
}

// leavers are workers that wait for the other half of a join, and so leave the idle
// state because a latch is set; then comes a job.
func leavers(k killer, p *pool.Pool, began func()) {
	enter(p, func(w *pool.Worker) { w.Join(func(*pool.Worker) {}, func(*pool.Worker) {}) })
	for range k.jobs {
		start(p, func(*pool.Worker) { began() })
	}
}

// What `stress mutants` runs around each mutant. Without its flags: the pool, as it
// ships, survives.
func TestKill(t *testing.T) {
	k := killer{workers: 2, jobs: 2, jec: 1}
	kill.Programs{
		"posts":      k.program(posts),
		"broadcasts": k.program(allWorkers),
		"leavers":    k.program(leavers),
		"blockers":   killer{workers: 3, jobs: 3, jec: 1}.program(blockers),
		"isolated":   k.program(isolated),
		"forks":      forker{workers: 2, depth: 3, keep: 32, jec: 8}.program,
		"loops":      ranger{workers: 2, leaves: 4, keep: 32, jec: 8}.program,
		"thieves":    thieves,
		"futures":    futures,
		"bounded":    boundedRuns,
		"groups":     groups,
	}.Test(t, killing, os.Stdout, "posts meet", "posts internal meet jec=8", "broadcasts", "leavers", "blockers", "isolated",
		"posts tickle meet", "posts tickle workers=1 jobs=1", "posts tickle internal meet", "broadcasts tickle", "leavers tickle", "blockers tickle",
		"forks", "forks keep=0", "forks workers=3 keep=1", "forks workers=3 depth=2 keep=1 meet", "forks blocking", "forks blocking within", "forks elsewhere", "forks yields", "forks rounds=2 keep=1",
		"loops", "loops workers=3", "loops panics", "thieves", "futures", "futures workers=3", "bounded", "bounded workers=2 room=2",
		"groups errors", "groups limit", "groups blocking", "groups panics", "groups isolated", "groups loops", "groups results", "groups breaks",
		"groups spares", "groups meet", "groups timer", "groups retires")
}

// futures has a job await another, which panics and is isolated, as the job that spawns
// it is: the panic must reach it, and a thief must run it isolated.
func futures(words string) (kill.Program, error) {
	workers := 2
	if err := kill.Words(words, map[string]*int{"workers": &workers}, nil); err != nil {
		return kill.Program{}, err
	}
	return kill.Program{Body: func(e *control.Engine) {
		p, err := pool.New(workers, pool.WithDequeCapacity(2), pool.WithSpares(0), pool.WithSleep(atOnce("", 8)...))
		if err != nil {
			panic(err)
		}
		enter(p, func(w *pool.Worker) {
			w.Isolated(func(w *pool.Worker) {
				f := pool.Spawn(w, func(w *pool.Worker) (int, error) {
					if !pool.IsIsolated(w) {
						e.Fail(verdict.WrongResult, "a job that was spawned isolated runs as if it were not")
					}
					panic("planned")
				})
				defer func() {
					if v, ok := recover().(*pool.PanicError); !ok || v.Value != "planned" {
						e.Fail(verdict.WrongResult, fmt.Sprintf("the panic of a job reaches its waiter as %v", v))
					}
				}()
				f.Await(w)
			})
		})
		closed(p)
	}}, nil
}

// thieves is a worker that shares one job and keeps one, and two that steal, once each.
// A thief that finds nothing has asked for what is kept: the other one has won the shared job.
func thieves(words string) (kill.Program, error) {
	if words != "" {
		return kill.Program{}, errors.New("there are no words")
	}
	return kill.Program{Body: func(e *control.Engine) {
		w := pool.Unstarted(3, 2)
		pool.Keep(w[0])
		pool.Keep(w[0])
		pool.Share(w[0])
		var done sync.WaitGroup
		done.Add(2)
		found := make([]bool, len(w))
		for _, i := range []int{1, 2} {
			e.Go(func() {
				found[i] = pool.Steal(w[i])
				done.Done()
			})
		}
		done.Wait()
		if !pool.Asked(w[0]) || found[1] == found[2] || pool.Private(w[0]) != 1 {
			e.Fail(verdict.Invariant, "a thief has found nothing, and has not asked for the job that is kept")
		}
	}}, nil
}
