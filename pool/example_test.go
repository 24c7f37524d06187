package pool_test

import (
	"context"
	"errors"
	"fmt"
	"sync/atomic"

	"github.com/rouse-go/rouse/pool"
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
