//go:build chaos

package pool

import (
	"context"
	"errors"
	"fmt"
	"iter"
	"slices"
	"strings"
	"testing"

	"github.com/rouse-go/rouse/chaos/verdict"
	"github.com/rouse-go/rouse/hooks"
	"github.com/rouse-go/rouse/hooks/sync"
	"github.com/rouse-go/rouse/pool"
	"github.com/rouse-go/rouse/sleep"
)

// Positive controls, as in workloads_chaos_test.go, of the workloads that call the pool's rarer entries.

func TestOrderSeesJobsOutOfOrder(t *testing.T) {
	plain := orderedStart{name: "planted", start: startInside(func(w *pool.Worker, n int, job func(w *pool.Worker, i int)) {
		w.Scope(func(s *pool.Scope) { startEach(s, w, n, job) })
	})}
	withDefect(t, orderWorkload, func(x *execution, p *pool.Pool) { x.inOrder(p, []orderedStart{plain}) },
		verdict.WrongResult, "planted: ")
}

// TestOrderSeesEachWay: a worker that begins a job after a later one, and one that leaves earlier jobs to
// nobody.
func TestOrderSeesEachWay(t *testing.T) {
	for _, c := range []struct {
		says   string
		newest bool
		order  []int
	}{
		{"worker 0 began job 1 of 3 after a job that comes later", false, []int{0, 2, 1}},
		{"job 2 of 3 began before 1 earlier ones, want at most 0", false, []int{0, 2, 1}},
		{"worker 0 began job 1 of 3 after a job that comes later", true, []int{2, 0, 1}},
		{"", false, []int{0, 1, 2}},
		{"", true, []int{2, 1, 0}},
	} {
		x := prepared(parallel(t, orderWorkload, 1), orderWorkload)
		x.sizes.jobs, x.sizes.repeat, x.sizes.pause = 3, 1, 0
		p := x.newPool(1)
		x.inOrder(p, []orderedStart{{name: "planted", newest: c.newest, start: startInside(func(w *pool.Worker, _ int, job func(w *pool.Worker, i int)) {
			for _, i := range c.order {
				job(w, i)
			}
		})}})
		x.close(p)
		said := fmt.Sprint(x.Findings())
		if c.says == "" && said != "[]" || !strings.Contains(said, c.says) {
			t.Errorf("%v: %s, want %q", c.order, said, c.says)
		}
	}
}

// TestDefaultSeesItsPools: each goroutine gets a pool of its own, and all get one that has been closed.
func TestDefaultSeesItsPools(t *testing.T) {
	var closed *pool.Pool
	for _, c := range []struct {
		ask  func(x *execution) *pool.Pool
		want verdict.Verdict
		says string
	}{
		{func(x *execution) *pool.Pool { return x.newPool(1) }, verdict.WrongResult, "asked at the same time and got different pools"},
		{func(x *execution) *pool.Pool {
			x.mu.Lock()
			defer x.mu.Unlock()
			if closed == nil {
				closed = pool.Default()
			}
			return closed
		}, verdict.LostTask, "of pool 1, job 0 never ran"},
	} {
		w := defaultWorkload
		w.run = func(x *execution) { x.defaultPools(func() *pool.Pool { return c.ask(x) }) }
		sc := parallel(t, w, 1)
		wantVerdict(t, executed(&sc, w, 0), c.want, c.says)
	}
}

// TestDefaultIsNative: the loader refuses a controlled scenario of it.
func TestDefaultIsNative(t *testing.T) {
	sc := tiny(defaultWorkload, "random", 1)
	s := target([]workload{defaultWorkload}).Subject()
	if err := defaultWorkload.check(sc.Values(&s, 0)); err == nil || !strings.Contains(err.Error(), "the workload default is for native scenarios") {
		t.Errorf("%v", err)
	}
}

func TestTypedSeesItsLeaves(t *testing.T) {
	type fn = pool.Fn[[]entry, int]
	only := func(x *execution, p *pool.Pool, join func(*fn, *pool.Worker, []entry, []entry) (int, int)) {
		x.typed(p, &typedForks{}, join)
	}
	withDefect(t, typedWorkload, func(x *execution, p *pool.Pool) {
		only(x, p, func(fn *fn, w *pool.Worker, a, b []entry) (int, int) { return fn.Call(w, a), len(b) })
	}, verdict.LostTask, "its join returned before it had run")
	withDefect(t, typedWorkload, func(x *execution, p *pool.Pool) {
		only(x, p, func(fn *fn, w *pool.Worker, a, b []entry) (int, int) { fn.Join(w, a, b); return fn.Join(w, a, b) })
	}, verdict.DuplicateTask, "times")
	withDefect(t, typedWorkload, func(x *execution, p *pool.Pool) {
		only(x, p, func(fn *fn, w *pool.Worker, a, b []entry) (int, int) { n, _ := fn.Join(w, a, b); return n, n + 1 })
	}, verdict.WrongResult, "leaves, there are")
	withDefect(t, typedWorkload, func(x *execution, p *pool.Pool) {
		var first *fn
		only(x, p, func(fn *fn, w *pool.Worker, a, b []entry) (int, int) {
			if first == nil {
				first = fn
			}
			return first.Call(w, a), fn.Call(w, b)
		})
	}, verdict.WrongResult, "a typed join called another Fn")
}

func TestBroadcastsSeeTheirOrder(t *testing.T) {
	for says, numbers := range map[string][][]int{
		`worker 1 begins broadcasts in the order ["planted of broadcaster 0, number 1" "planted of broadcaster 0, number 0"], ` +
			`worker 0 in the order ["planted of broadcaster 0, number 0" "planted of broadcaster 0, number 1"]`: {{0, 1}, {1, 0}},
		"worker 0 begins a broadcast before one that came earlier: ": {{1, 0}, {1, 0}},
	} {
		withDefect(t, broadcastsWorkload, func(x *execution, p *pool.Pool) {
			order := broadcastOrder{begun: make([][]broadcastName, len(numbers))}
			for worker := range numbers {
				for _, number := range numbers[worker] {
					order.begin(worker, broadcastName{0, number, "planted"})
				}
			}
			order.judge(x)
		}, verdict.WrongResult, says)
	}
}

// TestBroadcastsSeeTheirShares: a broadcast reports its end, and one worker runs late.
func TestBroadcastsSeeTheirShares(t *testing.T) {
	late := broadcastWay{name: "planted", waits: true, start: func(p, _ *pool.Pool, f func(w *pool.Worker)) error {
		return p.GoBroadcast(func(w *pool.Worker) {
			for range 50 {
				hooks.Gosched()
			}
			f(w)
		})
	}}
	withDefect(t, broadcastsWorkload, func(x *execution, p *pool.Pool) { x.broadcasts(p, p, []broadcastWay{late}) },
		verdict.LostTask, "returned before it had run")
}

func TestBoundedSeesRoom(t *testing.T) {
	for says, room := range map[string]int{"want pool: full": 3, "and there is room for 2": 1} {
		withDefect(t, boundedWorkload, func(x *execution, _ *pool.Pool) {
			p := x.newPool(x.workers, pool.WithMaxInjected(room))
			x.fill(p, 2, p.TryGo, "planted")
			x.close(p)
		}, verdict.WrongResult, says)
	}
}

// TestBoundedSeesTheLine: the poster that came last is the first to get room.
func TestBoundedSeesTheLine(t *testing.T) {
	w := boundedWorkload
	w.run = func(x *execution) {
		p := x.newPool(1)
		var mu sync.Mutex
		var came []func(w *pool.Worker)
		wait := x.lineUp("planted", func(f func(w *pool.Worker)) (err error) {
			mu.Lock()
			defer mu.Unlock()
			if came = append(came, f); len(came) < inLine {
				return nil
			}
			for _, f := range slices.Backward(came) {
				err = errors.Join(err, p.Go(f))
			}
			return err
		})
		wait()
		x.close(p)
	}
	sc := tiny(w, "random", 1)
	wantVerdict(t, explored(t, &sc, w, 100), verdict.WrongResult, "waiting for room: job 2 of 3 began before 2 earlier ones")
}

func TestPostsSeeWhatBecomesOfThem(t *testing.T) {
	for _, c := range []struct {
		verdict verdict.Verdict
		says    string
		post    func(p *pool.Pool, f func(w *pool.Worker, i int)) error
	}{
		{verdict.WrongResult, "the pool refused it", func(p *pool.Pool, f func(w *pool.Worker, i int)) error {
			return firstOf(pool.ErrFull, p.Go(func(w *pool.Worker) { f(w, 0) }))
		}},
		{verdict.LostTask, "the pool took it, and it never ran", func(p *pool.Pool, f func(w *pool.Worker, i int)) error { return nil }},
		{verdict.DuplicateTask, "ran 2 times", func(p *pool.Pool, f func(w *pool.Worker, i int)) error {
			return p.Go(func(w *pool.Worker) { f(w, 0); f(w, 0) })
		}},
		{verdict.WrongResult, "job 0 by planted: pool: nil", func(p *pool.Pool, f func(w *pool.Worker, i int)) error { return p.Go(nil) }},
	} {
		w := closingWorkload
		w.run = func(x *execution) {
			p := x.newPool(x.workers)
			var posted posts
			posted.post(x, p, &postWay{name: "planted", jobs: one, post: c.post}, "job 0")
			x.close(p)
			posted.judge(x)
		}
		fails(t, w, c.verdict, c.says)
	}
}

// firstOf returns the first of two answers.
func firstOf(err, _ error) error { return err }

// TestClosingSeesALateJob: a pool takes a job after it has refused one, of whatever poster.
func TestClosingSeesALateJob(t *testing.T) {
	w := closingWorkload
	w.small.jobs = 3
	w.run = func(x *execution) {
		p := x.newPool(x.workers)
		answers := []error{pool.ErrClosed, nil, pool.ErrClosed}
		var posted posts
		x.postUntilClosed(p, "poster 0", &posted, []postWay{{name: "planted", jobs: func(int) int { return 0 },
			post: func(*pool.Pool, func(w *pool.Worker, i int)) error {
				if len(answers) == 0 {
					return nil
				}
				err := answers[0]
				answers = answers[1:]
				return err
			}}})
		x.close(p)
	}
	fails(t, w, verdict.WrongResult, "was taken after the pool had refused one")
}

func TestQueuedSeesAJobThatRuns(t *testing.T) {
	for _, c := range []struct {
		says  string
		start func(p *pool.Pool, ctx context.Context, end func(), f func()) error
	}{
		{"ran, and its context ended before it could begin", func(_ *pool.Pool, _ context.Context, _ func(), f func()) error {
			f()
			return context.Canceled
		}},
		{"planted, job 0: <nil>, want context canceled", func(*pool.Pool, context.Context, func(), func()) error { return nil }},
	} {
		withDefect(t, queuedWorkload, func(x *execution, p *pool.Pool) {
			x.queued(p, &queuedWay{name: "planted", start: c.start}, "round 0")
		}, verdict.WrongResult, c.says)
	}
	for says, start := range map[string]func(p *pool.Pool, ctx context.Context, f func()) (wait func() error){
		"the job ran, and its context had ended before a worker was free": func(p *pool.Pool, _ context.Context, f func()) func() error {
			future := pool.Submit(context.Background(), p, func(*pool.Worker) (int, error) { f(); return 0, context.Canceled })
			return func() error { _, err := future.Wait(context.Background()); return err }
		},
		"planted with a context that had ended before a worker was free: <nil>": func(*pool.Pool, context.Context, func()) func() error {
			return func() error { return nil }
		},
	} {
		withDefect(t, queuedWorkload, func(x *execution, p *pool.Pool) {
			x.cancelledAndReleased(p, []lateWay{{name: "planted", start: start}}, "round 0", x.occupy(p, x.workers, "occupying"))
		}, verdict.WrongResult, says)
	}
	withDefect(t, queuedWorkload, func(x *execution, p *pool.Pool) {
		shares := make([]entry, 2)
		shares[1].ran()
		x.allOrNone(shares)
	}, verdict.WrongResult, "an abandoned broadcast ran 1 times on worker 1")
}

func TestCrossingSeesItsPools(t *testing.T) {
	run := func(open scopeElsewhere) func(x *execution, p *pool.Pool) {
		return func(x *execution, p *pool.Pool) {
			other := x.newPool(x.workers)
			if err := p.Run(context.Background(), func(w *pool.Worker) error {
				x.crossScope(w, other, "planted", 1, open)
				return nil
			}); err != nil {
				x.Fail(verdict.WrongResult, "Run: %v", err)
			}
			x.close(other)
		}
	}
	withDefect(t, crossingWorkload, run(func(w *pool.Worker, _ *pool.Pool, body func(s *pool.Scope)) error {
		w.Scope(body)
		return nil
	}), verdict.WrongResult, "runs in ")
	withDefect(t, crossingWorkload, run(func(w *pool.Worker, other *pool.Pool, body func(s *pool.Scope)) error { return nil }),
		verdict.LostTask, "its scope ended before it had run")
}

// TestDataSeesALoopThatIsNotCancelled: each leaf begins, although the context has ended.
func TestDataSeesALoopThatIsNotCancelled(t *testing.T) {
	deaf := func(w *pool.Worker, n int, body func(w *pool.Worker, lo, hi int), _ ...pool.LoopOption) {
		for i := range n {
			body(w, i, i+1)
		}
	}
	w := dataWorkload
	w.small.jobs = 6
	withDefect(t, w, func(x *execution, p *pool.Pool) { x.data(p, []computation{{"planted", cancelledLoop(deaf)}}) },
		verdict.WrongResult, "leaves began after the context had ended, want at most 1")
}

func TestDataIsCompared(t *testing.T) {
	withDefect(t, dataWorkload, func(x *execution, p *pool.Pool) {
		x.data(p, []computation{{"planted", func(w *pool.Worker, s []int, opts ...pool.LoopOption) string {
			sum := pool.Reduce(w, s, 1, func(_ *pool.Worker, a, b int) int { return a + b }, opts...)
			return differs(sum, pool.Reduce(w, s, 0, func(_ *pool.Worker, a, b int) int { return a + b }, opts...))
		}}})
	}, verdict.WrongResult, "planted of ")
}

func TestDataSeesWhenElementsAreDone(t *testing.T) {
	planted := func(run func(w *pool.Worker) string) func(x *execution, p *pool.Pool) {
		return func(x *execution, p *pool.Pool) {
			x.data(p, []computation{{"planted", func(w *pool.Worker, _ []int, _ ...pool.LoopOption) string { return run(w) }}})
		}
	}
	withDefect(t, dataWorkload, planted(func(w *pool.Worker) string {
		return findsFirst(w, 2, func(w *pool.Worker, _ []int, is func(w *pool.Worker, e int) bool, _ ...pool.LoopOption) (int, bool) {
			is(w, 0)
			err := w.Broadcast(w.Pool(), func(on *pool.Worker) {
				if on != w {
					is(on, 1)
				}
			})
			return 1, err == nil
		}, nil)
	}), verdict.WrongResult, "it is 1, which was found after another")
	withDefect(t, dataWorkload, planted(func(w *pool.Worker) string {
		return findsLeftmost(w, 2, func(w *pool.Worker, s []int, is func(w *pool.Worker, e int) bool, _ ...pool.LoopOption) (int, bool) {
			return 1, is(w, s[1])
		}, nil)
	}), verdict.WrongResult, "each of 2 elements will do, and the first is 1, want 0")
	withDefect(t, dataWorkload, planted(func(w *pool.Worker) string {
		return handsOut(w, func(w *pool.Worker, seq iter.Seq[int], f func(w *pool.Worker, v int) int, _ ...pool.LoopOption) []int {
			for v := range seq {
				if v%2 == 1 {
					f(w, v-1)
					f(w, v)
				}
			}
			return nil
		})
	}), verdict.WrongResult, "no two in a row were done")
}

func TestStorySeesItsWaits(t *testing.T) {
	withDefect(t, storyWorkload, func(x *execution, p *pool.Pool) {
		e := &storyExecution{x: x, p: p, jobs: x.open("the story", 4)}
		err := p.Run(context.Background(), func(w *pool.Worker) error {
			e.cycle(w, func(*pool.Worker, pool.Awaitable) error { return nil })
			return nil
		})
		e.notInCycle("Run's", err)
	}, verdict.WrongResult, "neither wait returned a DeadlockError")
	withDefect(t, storyWorkload, func(x *execution, p *pool.Pool) {
		e := &storyExecution{x: x, p: p, jobs: x.open("the story", 4)}
		err := p.Run(context.Background(), func(a *pool.Worker) error {
			return e.tellFutures(a, func(_, _ *pool.Worker) {}, func(b *pool.Worker) { e.notInCycle("planted", b.Wait(e.future)) })
		})
		e.notInCycle("Run's", err)
	}, verdict.WrongResult, "planted wait for a future, which is part of no cycle of waits: pool: Worker.Wait in ")
}

func TestIsolatedSeesABroadcast(t *testing.T) {
	withDefect(t, isolatedWorkload, func(x *execution, p *pool.Pool) {
		var waiter *pool.Worker
		err := p.Run(context.Background(), func(w *pool.Worker) error {
			err := w.Broadcast(p, func(on *pool.Worker) {
				if on != w {
					waiter = on // it does not wait
				}
			})
			x.refusesBroadcast(w, waiter)
			return err
		})
		if err != nil {
			x.Fail(verdict.WrongResult, "Run: %v", err)
		}
	}, verdict.WrongResult, "a broadcast runs, and ")
}

func TestHandlersSeeEachGoroutine(t *testing.T) {
	for says, plant := range map[string]func(x *execution, l *lives, w *pool.Worker){
		"on a goroutine while it runs on another": func(x *execution, l *lives, w *pool.Worker) { l.start(x, w); l.start(x, w) },
		"ends more often than it has started":     func(x *execution, l *lives, w *pool.Worker) { l.exit(x, w) },
		"less than its start handler": func(x *execution, l *lives, w *pool.Worker) {
			l.start(x, w)
			l.starts = x.workers
		},
		"New returned when 1 start handlers had run, want 2": func(x *execution, l *lives, _ *pool.Worker) {
			l.starts = 1
			l.begun(x)
		},
		"want at least": func(*execution, *lives, *pool.Worker) {},
	} {
		withDefect(t, handlersWorkload, func(x *execution, p *pool.Pool) {
			l := lives{alive: map[int]int{}}
			if err := p.Run(context.Background(), func(w *pool.Worker) error { plant(x, &l, w); return nil }); err != nil {
				x.Fail(verdict.WrongResult, "Run: %v", err)
			}
			l.judge(x)
		}, verdict.WrongResult, says)
	}
	withDefect(t, handlersWorkload, func(x *execution, p *pool.Pool) { x.counted(pool.Stats{Sleeps: 1}) }, verdict.WrongResult, "ran 0 jobs by its statistics")
}

// Positive controls of the workload latches.

// TestLatchesSeeTheirWaiters: a latch is set and its owner not notified, or never set.
func TestLatchesSeeTheirWaiters(t *testing.T) {
	setAll, setOne := (*sleep.LockLatch).Set, (*sleep.SpinLatch).Set
	for _, c := range []struct {
		setAll func(l *sleep.LockLatch)
		setOne func(l *sleep.SpinLatch)
		want   verdict.Verdict
		says   string
	}{
		{setAll, func(l *sleep.SpinLatch) { l.CoreLatch.Set() }, verdict.LostWakeup, "sleeps although its latch is set: it waits for its latch"},
		{func(*sleep.LockLatch) {}, setOne, verdict.Deadlock, "in sleep.(*LockLatch).Wait"},
	} {
		w := latchesWorkload
		w.run = func(x *execution) { x.newLatches(c.setAll, c.setOne).run() }
		sc := tiny(w, "random", 2)
		wantVerdict(t, explored(t, &sc, w, 100), c.want, c.says)
	}
}

// TestLatchesSeeWhoIsCounted: a worker that does not say that its wait is over.
func TestLatchesSeeWhoIsCounted(t *testing.T) {
	l := prepared(parallel(t, latchesWorkload, 2), latchesWorkload).newLatches((*sleep.LockLatch).Set, (*sleep.SpinLatch).Set)
	l.run()
	if wrong := l.judge(); len(wrong) > 0 {
		t.Errorf("as it should be: %v", wrong)
	}
	var idle sleep.IdleState
	l.sleep.StartLooking(1, &idle)
	if wrong := l.judge(); len(wrong) != 1 || wrong[0].Verdict != verdict.Invariant {
		t.Errorf("%v, want one finding", wrong)
	}
}
