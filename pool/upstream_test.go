package pool_test

import (
	"context"
	"errors"
	"fmt"
	"runtime"
	"sync/atomic"
	"testing"
	"time"

	"github.com/rouse-go/rouse/pool"
)

// rayon's regression tests, under its names. The others are next to what they
// test: mutual_install (TestPoolARunsIntoBWhichRunsIntoA), mutual_install_sleepy
// (...WhileBothSleep), failed_thread_stack and panic_thread_name
// (TestFailingStartOfWorkerK), in_place_scope_no_deadlock (TestInPlaceScopeNoDeadlock),
// yield_now_to_spawn (TestYieldNowToSpawn), the _order tests (TestOrder, TestOrderMixed),
// spawn_broadcast_barrier and _nested (TestScopeBroadcast), par_bridge_recursion
// (TestParBridgeRecursion).

// workers_stop: the pool's goroutines end when it is closed. (TestMain sees those
// that do not.)
func TestWorkersStop(t *testing.T) {
	p := openPool(t, 22)
	run(t, p, func(*pool.Worker) {})
	if err := p.Close(background); err != nil {
		t.Error(err)
	}
	for _, w := range p.State().Workers {
		if !w.Ended {
			t.Errorf("%s has not ended", w.Name)
		}
	}
}

// sleeper_stop: workers that sleep end, too.
func TestSleeperStop(t *testing.T) {
	p := openPool(t, 22)
	quiet(p)
	if err := p.Close(background); err != nil {
		t.Error(err)
	}
}

// self_install: a run in the pool that one is in.
func TestSelfInstall(t *testing.T) {
	p := newPool(t, 1)
	run(t, p, func(w *pool.Worker) {
		if err := w.Run(p, func(inner *pool.Worker) error {
			if inner != w {
				t.Error("on another worker")
			}
			return errTest
		}); err != errTest {
			t.Error(err)
		}
	})
}

// broadcast_sleep_race (BUG-31): a broadcast comes as workers fall asleep.
func TestBroadcastSleepRace(t *testing.T) {
	p := newPool(t, 7)
	for range 2000 {
		if err := p.Broadcast(background, func(*pool.Worker) {}); err != nil {
			t.Fatal(err)
		}
	}
}

// broadcast_mutual: each worker of a pool broadcasts in another.
func TestBroadcastMutual(t *testing.T) {
	a, b := newPool(t, 3), newPool(t, 7)
	var n atomic.Int32
	run(t, a, func(w *pool.Worker) {
		if err := w.Broadcast(b, func(w *pool.Worker) {
			if err := w.Broadcast(a, func(*pool.Worker) { n.Add(1) }); err != nil {
				t.Error(err)
			}
		}); err != nil {
			t.Error(err)
		}
	})
	if n.Load() != 3*7 {
		t.Errorf("%d, want %d", n.Load(), 3*7)
	}
}

// broadcast_mutual_sleepy: the same, and all have fallen asleep in between.
func TestBroadcastMutualSleepy(t *testing.T) {
	a, b := newPool(t, 3), newPool(t, 7)
	var n atomic.Int32
	run(t, a, func(w *pool.Worker) {
		for a.Counters().Sleeping < 2 {
			runtime.Gosched()
		}
		if err := w.Broadcast(b, func(w *pool.Worker) {
			for a.Counters().Sleeping < 3 {
				runtime.Gosched()
			}
			if err := w.Broadcast(a, func(*pool.Worker) { n.Add(1) }); err != nil {
				t.Error(err)
			}
		}); err != nil {
			t.Error(err)
		}
	})
	if n.Load() != 3*7 {
		t.Errorf("%d, want %d", n.Load(), 3*7)
	}
}

// broadcast_after_spawn: a worker comes to a broadcast after its own jobs.
func TestBroadcastAfterSpawn(t *testing.T) {
	p := newPool(t, 1)
	var order []string
	run(t, p, func(w *pool.Worker) {
		w.Go(func(*pool.Worker) { order = append(order, "spawn") })
		if err := w.Broadcast(p, func(*pool.Worker) { order = append(order, "broadcast") }); err != nil {
			t.Error(err)
		}
	})
	if fmt.Sprint(order) != "[spawn broadcast]" {
		t.Error(order)
	}
}

// broadcast_after_spawn_broadcast: broadcasts come in the order in which they were
// started.
func TestBroadcastAfterSpawnBroadcast(t *testing.T) {
	each(t, func(t *testing.T, p *pool.Pool) {
		var first atomic.Int32
		run(t, p, func(w *pool.Worker) {
			w.GoBroadcast(func(*pool.Worker) { first.Add(1) })
			if err := w.Broadcast(p, func(*pool.Worker) {}); err != nil {
				t.Error(err)
			}
		})
		if int(first.Load()) != p.Workers() {
			t.Errorf("%d shares of the first when the second was over", first.Load())
		}
	})
}

// broadcast's panic_one and panic_many: all shares are run, and one panic arrives.
func TestBroadcastPanicOneAndMany(t *testing.T) {
	p := newPool(t, 7)
	for _, which := range []func(i int) bool{func(i int) bool { return i == 3 }, func(i int) bool { return i%2 == 0 }} {
		var n atomic.Int32
		run(t, p, func(w *pool.Worker) {
			wantPanic(t, panicOf(func() {
				_ = w.Broadcast(p, func(w *pool.Worker) {
					n.Add(1)
					if which(w.Index()) {
						panic("share")
					}
				})
			}), "share")
		})
		if n.Load() != 7 {
			t.Errorf("%d of 7 shares", n.Load())
		}
	}
}

// join_counter_overflow: so many joins that a narrow JEC goes round many times.
func TestJoinCounterOverflow(t *testing.T) {
	p := newPool(t, 2, narrow...)
	run(t, p, func(w *pool.Worker) {
		for i := range 200_000 {
			if i%1000 == 0 {
				runtime.Gosched()
			}
			w.Join(func(*pool.Worker) {}, func(*pool.Worker) {})
		}
	})
}

// panic_b_still_executes: b is run although a has panicked.
func TestPanicBStillExecutes(t *testing.T) {
	each(t, func(t *testing.T, p *pool.Pool) {
		ran := false
		wantPanic(t, panicOf(func() {
			run(t, p, func(w *pool.Worker) {
				w.Join(func(*pool.Worker) { panic("a") }, func(*pool.Worker) { ran = true })
			})
		}), "a")
		if !ran {
			t.Error("b did not run")
		}
	})
}

// scope's panic_propagate_still_execute_1 to 4: everything else of a scope is run,
// whichever panics.
func TestPanicPropagateStillExecute(t *testing.T) {
	boom := func(*pool.Worker) { panic("boom") }
	each(t, func(t *testing.T, p *pool.Pool) {
		for i, body := range []func(w *pool.Worker, s *pool.Scope, mark func(*pool.Worker)){
			func(w *pool.Worker, s *pool.Scope, mark func(*pool.Worker)) { s.Go(w, boom); s.Go(w, mark) },
			func(w *pool.Worker, s *pool.Scope, mark func(*pool.Worker)) { s.Go(w, mark); s.Go(w, boom) },
			func(w *pool.Worker, s *pool.Scope, mark func(*pool.Worker)) { s.Go(w, mark); panic("boom") },
			func(w *pool.Worker, s *pool.Scope, mark func(*pool.Worker)) {
				s.Go(w, func(w *pool.Worker) { s.Go(w, mark); panic("boom") })
			},
		} {
			var ran atomic.Bool
			wantPanic(t, panicOf(func() {
				run(t, p, func(w *pool.Worker) {
					w.Scope(func(s *pool.Scope) { body(w, s, func(*pool.Worker) { ran.Store(true) }) })
				})
			}), "boom")
			if !ran.Load() {
				t.Errorf("%d: the other job did not run", i+1)
			}
		}
	})
}

// linear_stack_growth: jobs of a scope that start the next one of the same scope
// do not pile up.
func TestLinearStackGrowth(t *testing.T) {
	p := newPool(t, 1)
	run(t, p, func(w *pool.Worker) {
		frames := make([]uintptr, 10_000) // counted: the stack itself moves when it grows, or shrinks in a collection
		deepest := func(n int) (most int) {
			w.Scope(func(s *pool.Scope) {
				var next func(w *pool.Worker, left int)
				next = func(w *pool.Worker, left int) {
					most = max(most, runtime.Callers(0, frames))
					if left > 0 {
						s.Go(w, func(w *pool.Worker) { next(w, left-1) })
					}
				}
				s.Go(w, func(w *pool.Worker) { next(w, n) })
			})
			return most
		}
		if few, many := deepest(5), deepest(5000); many > few {
			t.Errorf("%d frames deep for 5 jobs, %d for 5000", few, many)
		}
	})
}

// termination_while_things_are_executing: a pool that is closing runs what its
// jobs still start.
func TestTerminationWhileThingsAreExecuting(t *testing.T) {
	p := openPool(t, 2)
	begun, goOn := newGate(), newGate()
	var ran atomic.Int32
	if err := p.Go(func(w *pool.Worker) {
		begun.open()
		goOn.wait()
		w.Go(func(w *pool.Worker) { w.Go(func(*pool.Worker) { ran.Add(1) }) })
	}); err != nil {
		t.Fatal(err)
	}
	begun.wait()
	ended, cancel := context.WithCancel(background)
	cancel()
	if err := p.Close(ended); !errors.Is(err, context.Canceled) || err.Error() != "pool: Close: context canceled: 1 jobs are not done" {
		t.Error(err)
	}
	goOn.open()
	if err := p.Close(background); err != nil || ran.Load() != 1 {
		t.Errorf("%d ran, %v", ran.Load(), err)
	}
}

// custom_panic_handler_and_nested_spawn: the handler itself uses the pool.
func TestCustomPanicHandlerAndNestedSpawn(t *testing.T) {
	var p *pool.Pool
	done := make(chan struct{})
	p = newPool(t, 1, pool.WithPanicHandler(func(*pool.PanicError) {
		if err := p.Go(func(*pool.Worker) { close(done) }); err != nil {
			t.Error(err)
		}
	}))
	if err := p.Go(func(*pool.Worker) { panic("hello, world") }); err != nil {
		t.Error(err)
	}
	<-done
}

// tests/cross-pool.rs: each item of a loop in one pool runs in another, and both
// have one worker.
func TestCrossPool(t *testing.T) {
	a, b := newPool(t, 1), newPool(t, 1)
	items := make([]int, 100)
	for i := range items {
		items[i] = i
	}
	run(t, a, func(w *pool.Worker) {
		results := pool.Map(w, items, func(w *pool.Worker, i int) (square int) {
			if err := w.Run(b, func(*pool.Worker) error {
				if i%10 == 0 {
					time.Sleep(100 * time.Microsecond) // the other one falls asleep now and then
				}
				square = i * i
				return nil
			}); err != nil {
				t.Error(err)
			}
			return square
		}, pool.MaxLen(1))
		for i, n := range results {
			if n != i*i {
				t.Errorf("item %d: %d", i, n)
			}
		}
	})
}
