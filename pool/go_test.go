package pool_test

import (
	"os"
	"os/exec"
	"runtime"
	"strings"
	"sync"
	"sync/atomic"
	"testing"

	"github.com/rouse-go/rouse/pool"
)

// Catches: a job that is lost or runs twice, and a job's own job that the pool
// closes over.
func TestGo(t *testing.T) {
	for workers := 1; workers <= 3; workers++ {
		p, err := pool.New(workers)
		if err != nil {
			t.Fatal(err)
		}
		const jobs = 500
		ran := make([]atomic.Int32, 2*jobs)
		for i := range jobs {
			err := p.Go(func(w *pool.Worker) {
				ran[i].Add(1)
				w.Go(func(w *pool.Worker) {
					if w.Pool() != p {
						t.Error("another pool's worker")
					}
					ran[jobs+i].Add(1)
				})
			})
			if err != nil {
				t.Error(err)
			}
		}
		if err := p.Close(background); err != nil {
			t.Error(err)
		}
		for i := range ran {
			if n := ran[i].Load(); n != 1 {
				t.Fatalf("%d workers: job %d ran %d times", workers, i, n)
			}
		}
	}
}

// Catches: a worker's own job that blocks the worker, or jobs that are not run
// newest first, as a deque's owner does.
func TestWorkerGoIsLIFO(t *testing.T) {
	p := newPool(t, 1)
	var order []int
	var done sync.WaitGroup
	done.Add(3)
	run(t, p, func(w *pool.Worker) {
		for i := range 3 {
			w.Go(func(*pool.Worker) { order = append(order, i); done.Done() })
		}
		if len(order) != 0 {
			t.Error("Go has run a job")
		}
	})
	done.Wait()
	if len(order) != 3 || order[0] != 2 || order[1] != 1 || order[2] != 0 {
		t.Errorf("ran in order %v, want newest first", order)
	}
}

// Catches: a nil job that is found out only by the worker.
func TestGoRefusesNil(t *testing.T) {
	p := newPool(t, 1)
	if err := p.Go(nil); err != pool.ErrNoFunction {
		t.Error(err)
	}
	run(t, p, func(w *pool.Worker) {
		if v := panicOf(func() { w.Go(nil) }); v != pool.ErrNoFunction {
			t.Errorf("panicked with %v", v)
		}
	})
}

// Catches: a handler that is not called, is called twice, or with something else;
// a worker that does not survive.
func TestPanicHandler(t *testing.T) {
	for workers := 1; workers <= 3; workers++ {
		handled := make(chan *pool.PanicError, 10)
		p := newPool(t, workers, pool.WithPanicHandler(func(e *pool.PanicError) { handled <- e }))
		if err := p.Go(func(*pool.Worker) { explode() }); err != nil {
			t.Error(err)
		}
		e := wantPanic(t, <-handled, errTest)
		if !strings.Contains(string(e.Stack), "pool_test.explode") {
			t.Errorf("stack:\n%s", e.Stack)
		}
		run(t, p, func(w *pool.Worker) { w.Go(func(*pool.Worker) { panic("own") }) })
		wantPanic(t, <-handled, "own")
		works(t, p)
		if len(handled) != 0 {
			t.Errorf("and %v", <-handled)
		}
	}
}

// Catches: a job that ends by Goexit and takes a worker, or a reference to the
// pool, with it: Close would hang.
func TestGoGoexit(t *testing.T) {
	each(t, func(t *testing.T, p *pool.Pool) {
		const n = 20
		var jobs sync.WaitGroup
		jobs.Add(2 * n)
		for range n {
			if err := p.Go(func(w *pool.Worker) {
				defer jobs.Done()
				w.Go(func(*pool.Worker) { defer jobs.Done(); runtime.Goexit() })
				runtime.Goexit()
			}); err != nil {
				t.Error(err)
			}
		}
		jobs.Wait() // one that ran on top of a wait within works would end that, too
		works(t, p)
	})
}

// crashes are the ways to crash a process, by name. Each is run in a process of
// its own.
var crashes = map[string]func(p *pool.Pool){
	"no handler": func(p *pool.Pool) {
		_ = p.Go(func(*pool.Worker) { explode() })
	},
	"below a recover": func(p *pool.Pool) { // which is not meant for it
		_ = p.Run(background, func(w *pool.Worker) error {
			defer func() { _ = recover() }()
			w.Scope(func(s *pool.Scope) {
				s.Go(w, func(*pool.Worker) {})
				w.Go(func(*pool.Worker) { explode() }) // runs first, inside of Scope
			})
			return nil
		})
	},
}

// Catches: a panic that nothing waits for and that is swallowed, or that a recover
// of some other job gets; a message without the job's stack.
func TestUnhandledPanicCrashes(t *testing.T) {
	const variable = "POOL_TEST_CRASH"
	if name := os.Getenv(variable); name != "" {
		p, err := pool.New(1)
		if err != nil {
			t.Fatal(err)
		}
		crashes[name](p)
		_ = p.Close(background)
		os.Exit(0) // it ought not to come to this
	}
	for name := range crashes {
		wantCrash(t, "^TestUnhandledPanicCrashes$", variable+"="+name, errTest.Error(), "pool_test.explode")
	}
}

// Catches: a handler whose own panic is swallowed.
func TestPanicOfTheHandlerCrashes(t *testing.T) {
	const variable = "POOL_TEST_CRASH_HANDLER"
	if os.Getenv(variable) != "" {
		handlers := map[string]func(*pool.PanicError){
			"panics": func(*pool.PanicError) { panic("the handler's own") },
			"exits":  func(*pool.PanicError) { runtime.Goexit() },
		}
		p, err := pool.New(1, pool.WithPanicHandler(handlers[os.Getenv(variable)]))
		if err != nil {
			t.Fatal(err)
		}
		_ = p.Go(func(*pool.Worker) { explode() })
		_ = p.Close(background)
		os.Exit(0)
	}
	// The job's own panic must be reported in both cases, with its stack.
	wantCrash(t, "^TestPanicOfTheHandlerCrashes$", variable+"=panics", "the handler's own", "explode")
	wantCrash(t, "^TestPanicOfTheHandlerCrashes$", variable+"=exits", "explode")
}

// wantCrash runs this test binary again - by the emulator, if the environment names one - and fails
// the test unless it crashes with that text.
func wantCrash(t *testing.T, test, environment string, texts ...string) {
	t.Helper()
	again := append(strings.Fields(os.Getenv("ROUSE_EMULATOR")), os.Args[0], "-test.run="+test)
	cmd := exec.Command(again[0], again[1:]...)
	cmd.Env = append(os.Environ(), environment)
	out, err := cmd.CombinedOutput()
	if cmd.ProcessState == nil {
		t.Fatal(err)
	}
	if code := cmd.ProcessState.ExitCode(); code != 2 {
		t.Errorf("%s: exit code %d, want 2:\n%s", environment, code, out)
	}
	for _, text := range append(texts, "panic: ") {
		if !strings.Contains(string(out), text) {
			t.Errorf("%s: %q is missing:\n%s", environment, text, out)
		}
	}
}
