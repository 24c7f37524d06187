package pool_test

import (
	"errors"
	"runtime"
	"runtime/debug"
	"slices"
	"strings"
	"sync/atomic"
	"testing"
	"unsafe"

	"github.com/rouse-go/rouse/pool"
)

// The corners in which pools are known to break. A test of each has its name:
//
//	a parent waits for its child, in a pool of one    below
//	pools run into each other, also asleep            TestPoolARunsIntoB..., cross_pool_test.go
//	a worker calls an outsiders' entry                TestWorkerCallsTheEntryForOutsiders, misuse_chaos_test.go
//	Goexit in a job                                   below, and TestGoexitOnTopOfOtherJobs, join_test.go
//	panics everywhere                                 below, and go_test.go: TestPanicOfTheHandlerCrashes
//	contexts that end                                 run_test.go, future_test.go
//	Close, in every way                               close_test.go
//	a failing start of worker k                       TestFailingStartOfWorkerK, handlers_test.go
//	bad arguments                                     TestNewRefuses, TestZeroPool, and Test...Refuses...
//	16 sleepers on 16 workers                         below
//	a million nested joins, recursion by stealing     below

// Catches: a wait that blocks the only worker. So it goes in ants, pond, conc,
// workerpool and gopool.
func TestParentWaitsForAChildInAPoolOfOne(t *testing.T) {
	other := newPool(t, 1)
	p := newPool(t, 1)
	nothing := func(*pool.Worker) {}
	fails := func(err error) {
		if err != nil {
			t.Error(err)
		}
	}
	type wait = func(w *pool.Worker, child func(w *pool.Worker))
	waits := map[string]wait{
		"Join, a": func(w *pool.Worker, child func(*pool.Worker)) { w.Join(child, nothing) },
		"Join, b": func(w *pool.Worker, child func(*pool.Worker)) { w.Join(nothing, child) },
		"JoinContext": func(w *pool.Worker, child func(*pool.Worker)) {
			w.JoinContext(func(*pool.Worker, bool) {}, func(w *pool.Worker, _ bool) { child(w) })
		},
		"typed Join": func(w *pool.Worker, child func(*pool.Worker)) {
			pool.Join(w, func(w *pool.Worker, second bool) (none struct{}) {
				if second {
					child(w)
				}
				return none
			}, false, true)
		},
		"Scope":           func(w *pool.Worker, child func(*pool.Worker)) { w.Scope(func(s *pool.Scope) { s.Go(w, child) }) },
		"Scope, injected": func(w *pool.Worker, child func(*pool.Worker)) { w.Scope(func(s *pool.Scope) { s.Go(nil, child) }) },
		"ScopeFIFO":       func(w *pool.Worker, child func(*pool.Worker)) { w.ScopeFIFO(func(s *pool.Scope) { s.Go(w, child) }) },
		"ScopeContext": func(w *pool.Worker, child func(*pool.Worker)) {
			fails(w.ScopeContext(background, func(s *pool.Scope) { s.Go(w, child) }))
		},
		"Spawn": func(w *pool.Worker, child func(*pool.Worker)) {
			fails(w.Wait(pool.Spawn(w, func(w *pool.Worker) (int, error) { child(w); return 0, nil })))
		},
		"Submit": func(w *pool.Worker, child func(*pool.Worker)) {
			fails(w.Wait(pool.Submit(background, w.Pool(), func(w *pool.Worker) (int, error) { child(w); return 0, nil })))
		},
		"Run": func(w *pool.Worker, child func(*pool.Worker)) {
			fails(w.Run(w.Pool(), func(w *pool.Worker) error { child(w); return nil }))
		},
		"Run, blocking": func(w *pool.Worker, child func(*pool.Worker)) {
			w.Blocking(func() { fails(w.Pool().Run(background, func(w *pool.Worker) error { child(w); return nil })) })
		},
		"Broadcast": func(w *pool.Worker, child func(*pool.Worker)) { fails(w.Broadcast(w.Pool(), child)) },
		"another pool": func(w *pool.Worker, child func(*pool.Worker)) {
			fails(w.Run(other, func(o *pool.Worker) error {
				return o.Run(p, func(w *pool.Worker) error { child(w); return nil })
			}))
		},
		"another pool's Submit": func(w *pool.Worker, child func(*pool.Worker)) {
			fails(w.Wait(pool.Submit(background, other, func(o *pool.Worker) (int, error) {
				return 0, o.Run(p, func(w *pool.Worker) error { child(w); return nil })
			})))
		},
		"another pool's Broadcast": func(w *pool.Worker, child func(*pool.Worker)) {
			fails(w.Broadcast(other, func(o *pool.Worker) {
				fails(o.Run(p, func(w *pool.Worker) error { child(w); return nil }))
			}))
		},
		"InPlaceScope": func(w *pool.Worker, child func(*pool.Worker)) {
			fails(w.InPlaceScope(other, func(s *pool.Scope) {
				s.Go(nil, func(o *pool.Worker) {
					fails(o.Run(p, func(w *pool.Worker) error { child(w); return nil }))
				})
			}))
		},
		"For": func(w *pool.Worker, child func(*pool.Worker)) {
			pool.For(w, 1, func(w *pool.Worker, _ int) { child(w) })
		},
		"Isolated": func(w *pool.Worker, child func(*pool.Worker)) {
			w.Isolated(func(w *pool.Worker) { w.Join(nothing, child) })
		},
		"YieldLocal": func(w *pool.Worker, child func(*pool.Worker)) { w.Go(child); w.YieldLocal() },
	}
	for name, outer := range waits {
		t.Run(name, func(t *testing.T) {
			for within, inner := range waits {
				ran := 0
				run(t, p, func(w *pool.Worker) {
					outer(w, func(w *pool.Worker) {
						if w.Pool() == p && w.Index() > 0 && within == "Broadcast" {
							inner = waits["Join, b"] // only worker 0 could run its share, and it is blocked
						}
						if name == "Isolated" && within == "YieldLocal" {
							inner = waits["Join, a"] // does nothing while isolated
						}
						inner(w, func(*pool.Worker) { ran++ })
					})
				})
				inner = waits[within]
				if ran != 1 {
					t.Errorf("%s within it: the grandchild ran %d times", within, ran)
				}
			}
		})
	}
}

// Catches: a job on the stack that does not end with ErrGoexit, a worker that is
// lost. So it goes in workerpool and gopool.
func TestGoexitInAJob(t *testing.T) {
	each(t, func(t *testing.T, p *pool.Pool) {
		for range 20 {
			// Three jobs of three waiters, one on top of the other, if there is one worker.
			outer := pool.Submit(background, p, func(w *pool.Worker) (int, error) {
				middle := pool.Spawn(w, func(w *pool.Worker) (int, error) {
					inner := pool.Spawn(w, func(*pool.Worker) (int, error) { runtime.Goexit(); return 1, nil })
					_, err := inner.Await(w)
					return 2, err
				})
				_, err := middle.Await(w)
				return 3, err
			})
			if _, err := outer.Wait(background); !errors.Is(err, pool.ErrGoexit) {
				t.Errorf("outer: %v", err)
			}
			works(t, p)
		}
	})
	// In a pool of one nothing of them returns: all three are on that stack.
	p := newPool(t, 1)
	returned := false
	err := p.Run(background, func(w *pool.Worker) error {
		w.Join(
			func(w *pool.Worker) {
				w.Scope(func(s *pool.Scope) {
					s.Go(w, func(*pool.Worker) { runtime.Goexit() })
				})
				returned = true
			},
			func(*pool.Worker) {})
		returned = true
		return nil
	})
	if err != pool.ErrGoexit || returned {
		t.Errorf("%v, returned: %t", err, returned)
	}
	works(t, p)
}

// explodes panics with its argument, from a function that a stack names.
//
//go:noinline
func explodes(v any) { panic(v) }

// Catches: a panic that is lost, one that loses its stack, work that is not done
// because something else has panicked.
func TestPanics(t *testing.T) {
	each(t, func(t *testing.T, p *pool.Pool) {
		var done atomic.Int32
		bang := func(*pool.Worker) { done.Add(1); explodes("bang") }
		fine := func(*pool.Worker) { done.Add(1) }
		two := func(*pool.Worker) { done.Add(1); explodes("second") }
		for name, c := range map[string]struct {
			f     func(w *pool.Worker)
			jobs  int32  // that run nevertheless
			value string // "": either
		}{
			"a of a Join":    {func(w *pool.Worker) { w.Join(bang, fine) }, 2, "bang"},
			"b of a Join":    {func(w *pool.Worker) { w.Join(fine, bang) }, 2, "bang"},
			"both of a Join": {func(w *pool.Worker) { w.Join(bang, two) }, 2, "bang"}, // a's wins
			"spawns of a scope": {func(w *pool.Worker) {
				w.Scope(func(s *pool.Scope) { s.Go(w, bang); s.Go(w, fine); s.Go(w, two); s.Go(w, fine) })
			}, 4, ""},
			"a FIFO scope": {func(w *pool.Worker) {
				w.ScopeFIFO(func(s *pool.Scope) { s.Go(w, bang); s.Go(w, fine) })
			}, 2, "bang"},
			"a broadcast": {func(w *pool.Worker) {
				if err := w.Broadcast(p, bang); err != nil {
					t.Error(err)
				}
			}, int32(p.Workers()), "bang"},
			"a broadcast of a scope": {func(w *pool.Worker) {
				w.Scope(func(s *pool.Scope) { s.GoBroadcast(bang) })
			}, int32(p.Workers()), "bang"},
			"a batch": {func(w *pool.Worker) {
				w.Scope(func(s *pool.Scope) { s.GoN(w, 3, func(w *pool.Worker, _ int) { bang(w) }) })
			}, 3, "bang"},
		} {
			done.Store(0)
			v := panicOf(func() { run(t, p, c.f) })
			e, ok := v.(*pool.PanicError)
			if !ok || e.Value != "bang" && (c.value != "" || e.Value != "second") {
				t.Errorf("%s: panicked with %v", name, v)
				continue
			}
			if !strings.Contains(string(e.Stack), "pool_test.explodes") {
				t.Errorf("%s: the stack is not the panic's:\n%s", name, e.Stack)
			}
			if n := done.Load(); n != c.jobs {
				t.Errorf("%s: %d of %d jobs ran", name, n, c.jobs)
			}
		}
		works(t, p)
	})
}

// Catches: parallelism that is lost although workers sleep: 16 jobs that sleep on
// 16 workers must all run at once, whichever worker spawned them.
func TestSixteenSleepersOnSixteenWorkers(t *testing.T) {
	const n = 16
	p := newPool(t, n)
	for name, spawn := range map[string]func(w *pool.Worker, sleeper func()){
		"Scope": func(w *pool.Worker, sleeper func()) {
			w.Scope(func(s *pool.Scope) {
				for range n {
					s.Go(w, func(*pool.Worker) { sleeper() })
				}
			})
		},
		"GoN": func(w *pool.Worker, sleeper func()) {
			w.Scope(func(s *pool.Scope) { s.GoN(w, n, func(*pool.Worker, int) { sleeper() }) })
		},
		"For": func(w *pool.Worker, sleeper func()) {
			pool.For(w, n, func(*pool.Worker, int) { sleeper() })
		},
		"nested Joins": func(w *pool.Worker, sleeper func()) {
			var halve func(w *pool.Worker, n int)
			halve = func(w *pool.Worker, n int) {
				if n == 1 {
					sleeper()
					return
				}
				w.Join(func(w *pool.Worker) { halve(w, n/2) }, func(w *pool.Worker) { halve(w, n-n/2) })
			}
			halve(w, n)
		},
	} {
		t.Run(name, func(t *testing.T) {
			for range 10 {
				quiet(p)
				var running, most atomic.Int64
				all := newMeeting(n)
				run(t, p, func(w *pool.Worker) {
					spawn(w, func() {
						r := running.Add(1)
						for m := most.Load(); r > m && !most.CompareAndSwap(m, r); m = most.Load() {
						}
						all.attend() // asleep until all are
						running.Add(-1)
					})
				})
				if most.Load() != n {
					t.Errorf("at most %d ran at once", most.Load())
				}
			}
		})
	}
}

// raceDetector reports whether the test was built with it.
func raceDetector() bool {
	info, ok := debug.ReadBuildInfo()
	return ok && slices.Contains(info.Settings, debug.BuildSetting{Key: "-race", Value: "true"})
}

// here is an address on the stack of the caller, near its frame.
//
//go:noinline
func here() uintptr {
	var x byte
	return uintptr(unsafe.Pointer(&x))
}

// perLevel calls nest, which recurses that deep and hands bottom to the deepest call,
// twice: the second time the stack has grown already, and does not move. It returns
// the bytes of stack that a level takes.
func perLevel(depth int, nest func(depth int, bottom func())) int {
	var bytes uintptr
	for range 2 {
		top := here()
		nest(depth, func() { bytes = top - here() })
	}
	return int(bytes) / depth
}

// The figures are in doc.go, "Stack".
func TestAMillionNestedJoins(t *testing.T) {
	depth := 1_000_000
	if unsafe.Sizeof(depth) == 4 || raceDetector() {
		depth = 100_000 // a stack may have 250 MB on 32 bits, and the detector takes its time
	}
	p := newPool(t, 1)
	run(t, p, func(w *pool.Worker) {
		left := 0
		t.Logf("closures: %d bytes of stack for a level of Join", perLevel(depth, func(depth int, bottom func()) {
			var nest func(w *pool.Worker, n int)
			nest = func(w *pool.Worker, n int) {
				if n == 0 {
					bottom()
					return
				}
				w.Join(func(w *pool.Worker) { nest(w, n-1) }, func(*pool.Worker) { left++ })
			}
			nest(w, depth)
		}))
		if left != 2*depth {
			t.Errorf("%d of %d right sides", left, 2*depth)
		}
		sum := 0
		t.Logf("typed: %d bytes of stack for a level of Fn.Join", perLevel(depth, func(depth int, bottom func()) {
			fn := pool.NewFn(func(fn *pool.Fn[int, int], w *pool.Worker, n int) int {
				switch n {
				case -1:
					return 1
				case 0:
					bottom()
					return 0
				}
				a, b := fn.Join(w, n-1, -1)
				return a + b
			})
			sum += fn.Call(w, depth)
		}))
		if sum != 2*depth {
			t.Errorf("the sum is %d, want %d", sum, 2*depth)
		}
	})
}

// Jobs that wait run others on top: here each runs the next one, as a thief does
// that steals while it waits.
func TestDeepRecursionByStealing(t *testing.T) {
	const depth = 50_000
	p := newPool(t, 1)
	run(t, p, func(w *pool.Worker) {
		t.Logf("scopes: %d bytes of stack for a level", perLevel(depth, func(depth int, bottom func()) {
			var nest func(w *pool.Worker, n int)
			nest = func(w *pool.Worker, n int) {
				if n == 0 {
					bottom()
					return
				}
				w.Scope(func(s *pool.Scope) { s.Go(w, func(w *pool.Worker) { nest(w, n-1) }) })
			}
			nest(w, depth)
		}))
		t.Logf("yields: %d bytes of stack for a level", perLevel(depth, func(depth int, bottom func()) {
			var nest func(w *pool.Worker, n int)
			nest = func(w *pool.Worker, n int) {
				if n == 0 {
					bottom()
					return
				}
				w.Go(func(w *pool.Worker) { nest(w, n-1) })
				w.YieldNow()
			}
			nest(w, depth)
		}))
	})
	// Two workers that really steal from each other while they wait.
	two := newPool(t, 2)
	var leaves atomic.Int64
	run(t, two, func(w *pool.Worker) {
		var nest func(w *pool.Worker, n int)
		nest = func(w *pool.Worker, n int) {
			if n == 0 {
				leaves.Add(1)
				return
			}
			w.Join(func(w *pool.Worker) { runtime.Gosched(); nest(w, n-1) }, func(w *pool.Worker) { nest(w, n-1) })
		}
		nest(w, 14)
	})
	if leaves.Load() != 1<<14 {
		t.Errorf("%d leaves", leaves.Load())
	}
}
