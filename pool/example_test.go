package pool_test

import (
	"context"
	"errors"
	"fmt"
	"runtime"
	"sync/atomic"

	"github.com/rouse-go/rouse/pool"
	"github.com/rouse-go/rouse/sleep"
)

// A pool runs jobs until it is closed.
func ExampleNew() {
	p, err := pool.New(2)
	if err != nil {
		fmt.Println(err)
		return
	}
	fmt.Println(p.Workers(), "workers")
	fmt.Println(p.Close(context.Background()))

	_, err = pool.New(0)
	fmt.Println(err)
	// Output:
	// 2 workers
	// <nil>
	// pool: New(0): sleep: 0 workers: want 1 to 65535 (the widths of the counters allow no more)
}

// Run waits for its job and returns its error.
func ExamplePool_Run() {
	p, _ := pool.New(1)
	defer p.Close(context.Background())

	err := p.Run(context.Background(), func(w *pool.Worker) error {
		fmt.Println("on worker", w.Index())
		return errors.New("no luck")
	})
	fmt.Println(err)
	// Output:
	// on worker 0
	// no luck
}

// A wait for a job that panics, panics: with the value, and with the stack
// of the job.
func ExamplePool_Run_panic() {
	p, _ := pool.New(1)
	defer p.Close(context.Background())

	defer func() {
		e := recover().(*pool.PanicError)
		fmt.Println("recovered:", e.Value)
	}()
	_ = p.Run(context.Background(), func(*pool.Worker) error { panic("oh") })
	// Output:
	// recovered: oh
}

// Join forks and waits; it takes the handle of the worker that it runs on.
func ExampleWorker_Join() {
	var sum func(w *pool.Worker, list []int) int
	sum = func(w *pool.Worker, list []int) int {
		if len(list) < 1000 {
			total := 0
			for _, n := range list {
				total += n
			}
			return total
		}
		var left, right int
		middle := len(list) / 2
		w.Join(
			func(w *pool.Worker) { left = sum(w, list[:middle]) },
			func(w *pool.Worker) { right = sum(w, list[middle:]) },
		)
		return left + right
	}

	list := make([]int, 10_000)
	for i := range list {
		list[i] = i
	}
	p, _ := pool.New(2)
	defer p.Close(context.Background())
	_ = p.Run(context.Background(), func(w *pool.Worker) error {
		fmt.Println(sum(w, list))
		return nil
	})
	// Output:
	// 49995000
}

// Scope waits for any number of jobs, and for those that they start in turn.
func ExampleWorker_Scope() {
	p, _ := pool.New(2)
	defer p.Close(context.Background())

	var visited atomic.Int32
	_ = p.Run(context.Background(), func(w *pool.Worker) error {
		w.Scope(func(s *pool.Scope) {
			for range 10 {
				s.Go(w, func(w *pool.Worker) {
					visited.Add(1)
					s.Go(w, func(*pool.Worker) { visited.Add(1) })
				})
			}
		})
		fmt.Println("visited", visited.Load())
		return nil
	})
	// Output:
	// visited 20
}

// Go does not wait for its job; Close does.
func ExamplePool_Go() {
	p, _ := pool.New(1)
	_ = p.Go(func(w *pool.Worker) {
		fmt.Println("first")
		w.Go(func(*pool.Worker) { fmt.Println("second, started by the first") })
	})
	_ = p.Close(context.Background())
	fmt.Println(p.Go(func(*pool.Worker) {}))
	// Output:
	// first
	// second, started by the first
	// pool: closed
}

// Broadcast runs a function once on every worker.
func ExamplePool_Broadcast() {
	p, _ := pool.New(3)
	defer p.Close(context.Background())

	seen := make([]string, p.Workers())
	_ = p.Broadcast(context.Background(), func(w *pool.Worker) {
		seen[w.Index()] = fmt.Sprint("hello from ", w.Index())
	})
	for _, s := range seen {
		fmt.Println(s)
	}
	// Output:
	// hello from 0
	// hello from 1
	// hello from 2
}

// A context bounds how long Close waits; the pool continues to close.
func ExamplePool_Close() {
	p, _ := pool.New(1)
	release := make(chan struct{})
	_ = p.Go(func(*pool.Worker) { <-release })

	ctx, cancel := context.WithCancel(context.Background())
	cancel()
	fmt.Println(p.Close(ctx))

	close(release)
	fmt.Println(p.Close(context.Background()))
	// Output:
	// pool: Close: context canceled: 1 jobs are not done
	// <nil>
}

// The handler gets the panics of jobs that nothing waits for. Without one they
// crash the process.
func ExampleWithPanicHandler() {
	p, _ := pool.New(1, pool.WithPanicHandler(func(e *pool.PanicError) {
		fmt.Println("handled:", e.Value)
	}))
	_ = p.Go(func(*pool.Worker) { panic("nothing waits for me") })
	_ = p.Close(context.Background())
	// Output:
	// handled: nothing waits for me
}

func ExampleWithName() {
	p, _ := pool.New(1, pool.WithName("thumbnails"))
	defer p.Close(context.Background())
	fmt.Println(p.Name(), p.State().Workers[0].Name)
	// Output: thumbnails worker 0 of thumbnails
}

// A test makes the counters so narrow that they go round all the time.
func ExampleWithSleep() {
	p, _ := pool.New(2, pool.WithSleep(sleep.WithWidths(sleep.Widths{Sleeping: 2, Inactive: 2, JEC: 1})))
	defer p.Close(context.Background())
	fmt.Println(p.Counters().JEC < 2)
	// Output: true
}

func ExampleWithDequeCapacity() {
	_, err := pool.New(1, pool.WithDequeCapacity(3))
	fmt.Println(err)
	// Output: pool: WithDequeCapacity(3): want a power of two from 1 to 1048576
}

// Without spares, Blocking is a mere call.
func ExampleWithSpares() {
	example(1, func(w *pool.Worker) {
		w.Blocking(func() { fmt.Println(w.Pool().Stats().Spares, "spares") })
	}, pool.WithSpares(0))
	// Output: 0 spares
}

// Back-pressure: Go waits when too many jobs do.
func ExampleWithMaxInjected() {
	p, _ := pool.New(2, pool.WithMaxInjected(100))
	for range 1000 {
		if err := p.Go(func(*pool.Worker) {}); err != nil {
			fmt.Println(err)
		}
	}
	fmt.Println(p.Close(context.Background()))
	// Output: <nil>
}

// Each worker stays on a thread of its own. A worker that can't start fails New.
func ExampleWithStartHandler() {
	p, err := pool.New(2,
		pool.WithStartHandler(func(*pool.Worker) error { runtime.LockOSThread(); return nil }),
		pool.WithExitHandler(func(*pool.Worker) { runtime.UnlockOSThread() }))
	fmt.Println(err)
	_ = p.Close(context.Background())

	_, err = pool.New(2, pool.WithStartHandler(func(w *pool.Worker) error {
		if w.Index() == 1 {
			return errors.New("no GPU")
		}
		return nil
	}))
	fmt.Println(err)
	// Output:
	// <nil>
	// pool: New(2): start handler of worker 1: no GPU
}

func ExampleWithExitHandler() {
	p, _ := pool.New(1, pool.WithExitHandler(func(w *pool.Worker) { fmt.Println("worker", w.Index(), "leaves") }))
	_ = p.Close(context.Background())
	// Output: worker 0 leaves
}

// Counters are published when a worker runs out of work.
func ExamplePool_Stats() {
	p, _ := pool.New(1)
	_ = p.Run(context.Background(), func(w *pool.Worker) error {
		w.Join(func(*pool.Worker) {}, func(*pool.Worker) {})
		return nil
	})
	_ = p.Close(context.Background())
	s := p.Stats()
	fmt.Println(s.Jobs, "job,", s.Injected, "injected,", s.Joins, "join")
	// Output: 1 job, 1 injected, 1 join
}

func ExamplePool_Counters() {
	p, _ := pool.New(2)
	_ = p.Run(context.Background(), func(*pool.Worker) error {
		c := p.Counters()
		fmt.Println(c.Sleeping <= c.Inactive && c.Inactive < 2)
		return nil
	})
	_ = p.Close(context.Background())
	// Output: true
}

// A state shows what each worker does.
func ExamplePool_State() {
	p, _ := pool.New(1)
	_ = p.Run(context.Background(), func(*pool.Worker) error {
		for _, w := range p.State().Workers {
			fmt.Printf("%s: waits for %q, %d jobs in its deque\n", w.Name, w.WaitsFor, w.Jobs)
		}
		return nil
	})
	_ = p.Close(context.Background())
	// Output: worker 0: waits for "", 0 jobs in its deque
}

// For leaves that take long: a worker that becomes idle finds the other halves.
func ExampleWithSharedForks() {
	p, _ := pool.New(2, pool.WithSharedForks())
	defer p.Close(context.Background())
	_ = p.Run(context.Background(), func(w *pool.Worker) error {
		a, b := pool.Join(w, func(_ *pool.Worker, n int) int { return n * n }, 3, 4)
		fmt.Println(a + b)
		return nil
	})
	// Output: 25
}

// A future is waited for outside by Wait.
func ExampleSubmit() {
	p, _ := pool.New(2)
	defer p.Close(context.Background())

	length := pool.Submit(context.Background(), p, func(*pool.Worker) (int, error) { return len("lost wakeup"), nil })
	fmt.Println(length.Wait(context.Background()))
	// Output: 11 <nil>
}

// Inside a job, futures are started with Spawn and waited for with Await.
func ExampleSpawn() {
	example(1, func(w *pool.Worker) {
		half := pool.Spawn(w, func(*pool.Worker) (int, error) { return 21, nil })
		n, err := half.Await(w)
		fmt.Println(2*n, err)
	})
	// Output: 42 <nil>
}

func ExampleFuture_Wait() {
	p, _ := pool.New(1)
	defer p.Close(context.Background())

	ctx, cancel := context.WithCancel(context.Background())
	goOn := make(chan struct{})
	f := pool.Submit(context.Background(), p, func(*pool.Worker) (string, error) { <-goOn; return "done", nil })
	cancel()
	_, err := f.Wait(ctx) // gives up; the job continues
	fmt.Println(err)
	close(goOn)
	fmt.Println(f.Wait(context.Background()))
	// Output:
	// context canceled
	// done <nil>
}

// In a pool of one: the waiter runs the job itself.
func ExampleFuture_Await() {
	example(1, func(w *pool.Worker) {
		f := pool.Submit(context.Background(), w.Pool(), func(*pool.Worker) (string, error) { return "", errors.New("no luck") })
		_, err := f.Await(w)
		fmt.Println(err)
	})
	// Output: no luck
}

// Wait waits for futures of any type.
func ExampleWorker_Wait() {
	example(2, func(w *pool.Worker) {
		n := pool.Spawn(w, func(*pool.Worker) (int, error) { return 1, nil })
		s := pool.Spawn(w, func(*pool.Worker) (string, error) { return "", errors.New("bad") })
		for _, f := range []pool.Awaitable{n, s} {
			fmt.Println(w.Wait(f))
		}
	})
	// Output:
	// <nil>
	// bad
}
