package pool_test

import (
	"context"
	"errors"
	"fmt"

	"github.com/rouse-go/rouse/pool"
)

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
