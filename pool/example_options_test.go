package pool_test

import (
	"context"
	"errors"
	"fmt"
	"runtime"

	"github.com/rouse-go/rouse/pool"
	"github.com/rouse-go/rouse/sleep"
)

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
