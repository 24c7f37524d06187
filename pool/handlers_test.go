package pool_test

import (
	"errors"
	"fmt"
	"runtime"
	"strings"
	"sync"
	"sync/atomic"
	"testing"

	"github.com/rouse-go/rouse/pool"
)

// A roll says for which workers a handler was called.
type roll struct {
	mu    sync.Mutex
	calls map[int]int
}

func (r *roll) call(w *pool.Worker) {
	r.mu.Lock()
	defer r.mu.Unlock()
	if r.calls == nil {
		r.calls = map[int]int{}
	}
	r.calls[w.Index()]++
}

func (r *roll) String() string {
	r.mu.Lock()
	defer r.mu.Unlock()
	return fmt.Sprint(r.calls)
}

// Catches: a handler that is not called, or twice, or too late.
func TestHandlers(t *testing.T) {
	var starts, exits roll
	p, err := pool.New(3,
		pool.WithStartHandler(func(w *pool.Worker) error { starts.call(w); return nil }),
		pool.WithExitHandler(exits.call))
	if err != nil {
		t.Fatal(err)
	}
	if got := starts.String(); got != "map[0:1 1:1 2:1]" {
		t.Errorf("started when New returned: %s", got)
	}
	var gone int
	if err := p.Run(background, func(w *pool.Worker) error { gone = w.Index(); runtime.Goexit(); return nil }); err != pool.ErrGoexit {
		t.Error(err)
	}
	run(t, p, func(w *pool.Worker) {
		done := newGate()
		if err := p.Go(func(*pool.Worker) { done.open() }); err != nil {
			t.Error(err)
		}
		w.Blocking(done.wait)
	})
	if err := p.Close(background); err != nil {
		t.Error(err)
	}
	want := map[int]int{0: 1, 1: 1, 2: 1, 3: 1}
	want[gone]++
	if got := exits.String(); got != fmt.Sprint(want) || starts.String() != got {
		t.Errorf("starts %s, exits %s, want %v", starts.String(), got, want)
	}
}

// Catches: workers left behind by a New that fails (goleak sees them), an exit
// handler for a worker that never started, an error that does not say which.
func TestFailingStartOfWorkerK(t *testing.T) {
	for k := range 4 {
		for how, fail := range map[string]func() error{
			"error":  func() error { return errTest },
			"panic":  func() error { panic(errTest) },
			"Goexit": func() error { runtime.Goexit(); return nil },
		} {
			t.Run(fmt.Sprint(how, " in worker ", k), func(t *testing.T) {
				var started, exited atomic.Int32
				p, err := pool.New(4,
					pool.WithStartHandler(func(w *pool.Worker) error {
						if w.Index() == k {
							return fail()
						}
						started.Add(1)
						return nil
					}),
					pool.WithExitHandler(func(*pool.Worker) { exited.Add(1) }))
				want := errTest
				if how == "Goexit" {
					want = pool.ErrGoexit
				}
				if p != nil || !errors.Is(err, want) || !strings.Contains(err.Error(), fmt.Sprintf("pool: New(4): start handler of worker %d: ", k)) {
					t.Errorf("%v, %v", p, err)
				}
				if started.Load() != 3 || exited.Load() != 3 {
					t.Errorf("%d have started, %d exited", started.Load(), exited.Load())
				}
			})
		}
	}
}

// Catches: a restart, after a Goexit, whose start handler fails and takes the
// worker with it, or is tried for ever.
func TestFailingRestart(t *testing.T) {
	for how, fail := range map[string]func() error{
		"error":  func() error { return errTest },
		"panic":  func() error { panic(errTest) },
		"Goexit": func() error { runtime.Goexit(); return nil },
	} {
		t.Run(how, func(t *testing.T) {
			var calls, handled, exits atomic.Int32
			p := newPool(t, 1,
				pool.WithExitHandler(func(*pool.Worker) { exits.Add(1) }),
				pool.WithPanicHandler(func(e *pool.PanicError) {
					if !strings.Contains(fmt.Sprint(e.Value), "start handler of worker 0: ") {
						t.Error(e.Value)
					}
					handled.Add(1)
				}),
				pool.WithStartHandler(func(*pool.Worker) error {
					if calls.Add(1) == 1 {
						return nil
					}
					return fail()
				}))
			for range 3 {
				if err := p.Run(background, func(*pool.Worker) error { runtime.Goexit(); return nil }); err != pool.ErrGoexit {
					t.Error(err)
				}
			}
			works(t, p)
			if calls.Load() != 2 || handled.Load() != 1 || exits.Load() != 1 {
				t.Errorf("%d calls, %d handled, %d exits", calls.Load(), handled.Load(), exits.Load())
			}
		})
	}
}

// Catches: a spare that a failing start handler keeps from taking the place of the
// worker that blocks (this hangs), and an exit handler called for it.
func TestFailingStartOfASpare(t *testing.T) {
	for how, fail := range map[string]func() error{
		"error":  func() error { return errTest },
		"panic":  func() error { panic(errTest) },
		"Goexit": func() error { runtime.Goexit(); return nil },
	} {
		t.Run(how, func(t *testing.T) {
			var calls, handled atomic.Int32
			var exits roll
			p, err := pool.New(1,
				pool.WithPanicHandler(func(*pool.PanicError) { handled.Add(1) }),
				pool.WithStartHandler(func(w *pool.Worker) error {
					if w.Index() == 0 {
						return nil
					}
					calls.Add(1)
					return fail()
				}),
				pool.WithExitHandler(exits.call))
			if err != nil {
				t.Fatal(err)
			}
			run(t, p, func(w *pool.Worker) {
				done := newGate()
				w.Go(func(*pool.Worker) { done.open() })
				w.Blocking(done.wait)
			})
			if err := p.Close(background); err != nil {
				t.Error(err)
			}
			if calls.Load() != 1 || handled.Load() != 1 || exits.String() != "map[0:1]" {
				t.Errorf("%d calls, %d handled, exits %s", calls.Load(), handled.Load(), exits.String())
			}
		})
	}
}

// Catches: an exit handler in trouble that keeps the pool from ending.
func TestFailingExit(t *testing.T) {
	for how, fail := range map[string]func(*pool.Worker){
		"panic":  func(*pool.Worker) { panic(errTest) },
		"Goexit": func(*pool.Worker) { runtime.Goexit() },
	} {
		t.Run(how, func(t *testing.T) {
			var handled atomic.Int32
			p, err := pool.New(2, pool.WithExitHandler(fail), pool.WithPanicHandler(func(e *pool.PanicError) {
				if !strings.Contains(fmt.Sprint(e.Value), "exit handler of worker ") {
					t.Error(e.Value)
				}
				handled.Add(1)
			}))
			if err != nil {
				t.Fatal(err)
			}
			if err := p.Close(background); err != nil || handled.Load() != 2 {
				t.Errorf("%v, %d handled", err, handled.Load())
			}
		})
	}
}

func TestDefault(t *testing.T) {
	p := pool.Default()
	if p.Workers() != runtime.GOMAXPROCS(0) || p.Name() != "default" || pool.Default() != p {
		t.Errorf("%d workers, named %q", p.Workers(), p.Name())
	}
	works(t, p)
	if err := p.Close(background); err != nil {
		t.Error(err)
	}
	q := pool.Default()
	if q == p {
		t.Error("the default pool is closed")
	}
	works(t, q)
	if err := q.Close(background); err != nil {
		t.Error(err)
	}
}
