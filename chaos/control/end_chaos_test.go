//go:build chaos

package control

import (
	"errors"
	"runtime"
	"strings"
	"testing"

	"github.com/rouse-go/rouse/chaos/internal/hooked"
	"github.com/rouse-go/rouse/chaos/plan"
	"github.com/rouse-go/rouse/chaos/strategy"
	"github.com/rouse-go/rouse/chaos/verdict"
	"github.com/rouse-go/rouse/hooks"
	"github.com/rouse-go/rouse/hooks/atomic"
	"github.com/rouse-go/rouse/hooks/sync"
	"github.com/rouse-go/rouse/internal/seam"
)

// An abandoned execution runs the deferred calls of all its tasks, and leaves
// nothing locked for the next.
func TestAbandonedTasksUnwind(t *testing.T) {
	bySwitch(t, func(t *testing.T, how Switch) {
		e := start(t, Options{Switch: how})
		var shared sync.Mutex // outlives the executions
		for n := range 200 {
			deferred := 0
			r, _ := e.Run(uint64(n), func() {
				var mu sync.Mutex
				c := sync.NewCond(&mu)
				for range 3 {
					tasks(func() {
						defer func() { deferred++ }()
						mu.Lock()
						defer mu.Unlock()
						c.Wait() // for ever
					})
				}
				defer func() { deferred++ }()
				shared.Lock()
				defer shared.Unlock()
				var wg sync.WaitGroup
				wg.Add(1)
				wg.Wait()
			})
			if r.Verdict != verdict.Deadlock || len(r.Tasks) != 4 {
				t.Fatalf("execution %d: %s with %d tasks, want a deadlock of 4", n, r.Verdict, len(r.Tasks))
			}
			if deferred != 4 {
				t.Fatalf("execution %d: %d deferred calls ran, want 4", n, deferred)
			}
		}
		if !shared.TryLock() {
			t.Error("the mutex that outlives the executions is locked")
		}
	})
}

// Code that recovers whatever it meets cannot keep an execution alive.
func TestRecoveringTasksEnd(t *testing.T) {
	bySwitch(t, func(t *testing.T, how Switch) {
		e := start(t, Options{Switch: how})
		recovered := 0
		r, _ := e.Run(1, func() {
			var mu sync.Mutex
			mu.Lock()
			for {
				func() {
					defer func() {
						if recover() != nil {
							recovered++
						}
					}()
					mu.Lock()
				}()
			}
		})
		if r.Verdict != verdict.Deadlock || recovered < 2 {
			t.Errorf("%s, %d times recovered; want a deadlock, and several", r.Verdict, recovered)
		}
		r, _ = e.Run(1, func() {
			var x atomic.Int64
			defer func() {
				for { // passes hooks for ever
					x.Load()
				}
			}()
			panic("to begin with")
		})
		if r.Verdict != verdict.Livelock && r.Verdict != verdict.Panicked {
			t.Errorf("%s, want the panic, or the livelock before it", r.Verdict)
		}
	})
}

func TestUnwindingIsToldFromOtherPanics(t *testing.T) {
	e := start(t, Options{})
	unwinding := 0
	e.Run(1, func() {
		defer func() {
			v := recover()
			if hooks.Unwinding(v) && !hooks.Unwinding("something else") {
				unwinding++
			}
			panic(v)
		}()
		var mu sync.Mutex
		mu.Lock()
		mu.Lock()
	})
	if unwinding != 1 {
		t.Error("the engine's panic was not distinguished from others")
	}
}

// A task that leaves by Goexit is an ended task; the goroutine that ran it serves
// on, and ends with the engine.
func TestGoexit(t *testing.T) {
	bySwitch(t, func(t *testing.T, how Switch) {
		e := start(t, Options{Switch: how})
		for n := range 50 {
			var x atomic.Int64
			r, _ := e.Run(uint64(n), func() {
				var wg sync.WaitGroup
				for range 3 {
					wg.Add(1)
					tasks(func() {
						defer wg.Done()
						x.Add(1)
						runtime.Goexit()
					})
				}
				wg.Wait()
			})
			if r.Verdict != verdict.Pass || x.Load() != 3 {
				t.Fatalf("execution %d: %s, %d tasks ran", n, r.Verdict, x.Load())
			}
		}
		// Of the first task, it ends the execution.
		r, _ := e.Run(1, func() {
			var mu sync.Mutex
			mu.Lock()
			tasks(func() { mu.Lock() })
			runtime.Goexit()
		})
		if r.Verdict != verdict.Pass {
			t.Errorf("%s: %s", r.Verdict, r.Summary)
		}
	})
}

func TestPanicKeepsItsStack(t *testing.T) {
	bySwitch(t, func(t *testing.T, how Switch) {
		e := start(t, Options{Switch: how})
		r, _ := e.Run(1, func() {
			var mu sync.Mutex
			mu.Lock()
			tasks(func() { hooks.Name("blockedTask"); explode() })
			mu.Lock()
		})
		if r.Verdict != verdict.Panicked || !strings.Contains(r.Summary, "main/0 (blockedTask)") || !strings.Contains(r.Summary, "bang") {
			t.Errorf("%s: %s", r.Verdict, r.Summary)
		}
		if !strings.Contains(r.Detail, "control.explode") {
			t.Errorf("the stack does not show where:\n%s", r.Detail)
		}
	})
}

//go:noinline
func explode() { panic(errors.New("bang")) }

// A deadlock names each task, what it waits for, and where.
func TestDeadlockSaysWhoWaitsWhere(t *testing.T) {
	bySwitch(t, func(t *testing.T, how Switch) {
		e := start(t, Options{Switch: how})
		r, _ := e.Run(1, func() {
			var mu sync.Mutex
			mu.Lock()
			tasks(func() { hooks.Name("second"); waitFor(&mu) })
			waitFor(&mu)
		})
		if r.Verdict != verdict.Deadlock || len(r.Tasks) != 2 {
			t.Fatalf("%s: %s", r.Verdict, r.Summary)
		}
		if s := r.Tasks[1]; s.Path != "main/0" || s.Name != "second" || !strings.Contains(s.Waits, "waits for a lock") ||
			len(s.Stack) < 2 || !strings.HasSuffix(s.Stack[0].Function, "control.waitFor") {
			t.Errorf("task 1 is shown as\n%s", s)
		}
	})
}

//go:noinline
func waitFor(mu *sync.Mutex) { mu.Lock() }

func TestTenThousandTasks(t *testing.T) {
	bySwitch(t, func(t *testing.T, how Switch) {
		e := start(t, Options{Switch: how})
		var x atomic.Int64
		r, _ := e.Run(1, func() {
			var mu sync.Mutex
			var wg sync.WaitGroup
			for range 10_000 {
				wg.Go(func() { mu.Lock(); x.Add(1); mu.Unlock() })
			}
			wg.Wait()
		})
		if r.Verdict != verdict.Pass || x.Load() != 10_000 {
			t.Errorf("%s: %s; %d tasks ran", r.Verdict, r.Summary, x.Load())
		}
	})
}

func TestStepsAreBounded(t *testing.T) {
	e := start(t, Options{MaxSteps: 1000})
	r, _ := e.Run(1, func() {
		var x atomic.Int64
		for {
			x.Add(1)
		}
	})
	if r.Verdict != verdict.Timeout || r.Steps != 1000 {
		t.Errorf("%s after %d steps, want a timeout after 1000", r.Verdict, r.Steps)
	}
	if r, _ := e.Run(1, func() {}); r.Verdict != verdict.Pass {
		t.Errorf("the next execution: %s", r.Verdict)
	}
}

// A goroutine that is no task ends the execution, and continues without the engine.
func TestOutsidersGoOn(t *testing.T) {
	e := start(t, Options{})
	var x atomic.Int64
	var mu sync.Mutex
	r, _ := e.Run(1, func() {
		done := make(chan struct{})
		go func() {
			defer close(done)
			for range 100 {
				mu.Lock()
				x.Add(1)
				mu.Unlock()
				hooks.At(pointOpen)
			}
		}()
		<-done // outside the hooks
	})
	if r.Verdict != verdict.Uncontrolled || x.Load() != 100 || r.Steps > 2 {
		t.Errorf("%s, %d additions, %d steps", r.Verdict, x.Load(), r.Steps)
	}
}

func TestOneEngineAtATime(t *testing.T) {
	e := start(t, Options{})
	if _, err := New(Options{}); !errors.Is(err, hooked.ErrInstalled) {
		t.Errorf("a second engine: %v, want ErrInstalled", err)
	}
	e.Close()
	e.Close() // does nothing
	again, err := New(Options{})
	if err != nil {
		t.Fatal(err)
	}
	again.Close()
	if seam.Installed() != nil {
		t.Error("a closed engine is installed")
	}
}

func TestBadPlanIsRefused(t *testing.T) {
	_, err := New(Options{Plan: plan.Plan{Faults: []plan.Fault{{At: "control-test/opne", Kind: hooks.Yields}}}})
	var e *plan.PlanError
	if !errors.As(err, &e) || !strings.Contains(err.Error(), "control-test/open") {
		t.Errorf("got %v, want a PlanError that says what was meant", err)
	}
}

// A strategy that panics ends the execution, wherever it was asked, and no more.
func TestStrategyThatPanics(t *testing.T) {
	bySwitch(t, func(t *testing.T, how Switch) {
		for at := range 4 {
			e := start(t, Options{Switch: how, Strategy: &panicky{Strategy: strategy.Random(), at: at}})
			r, _ := e.Run(1, func() {
				var x atomic.Int64
				tasks(func() { x.Add(1) })
				x.Add(1)
			})
			if r.Verdict != verdict.Panicked || !strings.Contains(r.Summary, "as it likes") {
				t.Errorf("in step %d: %s: %s", at, r.Verdict, r.Summary)
			}
			if r, _ := e.Run(1, func() {}); r.Verdict != verdict.Pass {
				t.Errorf("after step %d: %s: %s", at, r.Verdict, r.Summary)
			}
			e.Close()
		}
	})
}

type panicky struct {
	strategy.Strategy
	at int
}

func (p *panicky) Next(c *strategy.Choice) int {
	if p.at--; p.at == -1 {
		panic("as it likes")
	}
	return p.Strategy.Next(c)
}

// A strategy that explores systematically sees that the subject is not a function of
// its schedule.
func TestDivergenceIsNondeterminism(t *testing.T) {
	bySwitch(t, func(t *testing.T, how Switch) {
		e := start(t, Options{Switch: how, Strategy: strategy.DFS(-1)})
		found := false
		for n := range 20 {
			r, more := e.Run(uint64(n), func() {
				var x atomic.Int64
				tasks(func() { x.Add(1); x.Add(1) })
				for range 1 + n%3 {
					x.Add(1)
				}
			})
			if r.Verdict == verdict.Nondeterminism {
				found = true
			}
			if !more || found {
				break
			}
		}
		if !found {
			t.Error("not seen")
		}
	})
}

// What speaks for a task of the execution under way says so if it is called by
// another task.
func TestCallsFromOutsideAreRefused(t *testing.T) {
	e := start(t, Options{})
	for name, call := range map[string]func(){
		"Go":        func() { e.Go(func() {}) },
		"Fail":      func() { e.Fail(verdict.Panicked, "") },
		"Choose":    func() { e.Choose(2) },
		"OnStuck":   func() { e.OnStuck(nil) },
		"Task":      func() { e.Task() },
		"Recovered": func() { e.Recovered(nil) },
	} {
		func() {
			defer func() {
				if v, ok := recover().(string); !ok || !strings.Contains(v, name+" is called by") {
					t.Errorf("%s from outside panicked with %v", name, v)
				}
			}()
			call()
		}()
	}
}
