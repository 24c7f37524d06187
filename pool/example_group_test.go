package pool_test

import (
	"context"
	"errors"
	"fmt"
	"sync"
	"sync/atomic"

	"github.com/rouse-go/rouse/pool"
)

// The zero Group runs on the default pool.
func ExampleGroup() {
	var g pool.Group
	lengths := make([]int, 3)
	for i, s := range []string{"a", "bb", "ccc"} {
		g.Go(func(*pool.Worker) error { lengths[i] = len(s); return nil })
	}
	fmt.Println(g.Wait(), lengths)
	// Output: <nil> [1 2 3]
}

// The first error ends what looks at the context.
func ExampleWithContext() {
	g, ctx := pool.WithContext(context.Background())
	g.Go(func(*pool.Worker) error { return errors.New("no such file") })
	<-ctx.Done()
	fmt.Println(context.Cause(ctx))
	fmt.Println(g.Wait())
	// Output:
	// no such file
	// no such file
}

// In a pool of one, a job waits for the jobs of a group of its own.
func ExamplePool_Group() {
	p, _ := pool.New(1)
	defer p.Close(context.Background())

	var count func(depth int) (int64, error)
	count = func(depth int) (int64, error) {
		if depth == 0 {
			return 1, nil
		}
		var leaves atomic.Int64
		g, _ := p.Group(context.Background())
		for range 2 {
			g.Go(func(*pool.Worker) error {
				n, err := count(depth - 1)
				leaves.Add(n)
				return err
			})
		}
		err := g.Wait()
		return leaves.Load(), err
	}
	fmt.Println(count(5))
	// Output: 32 <nil>
}

// A job may start further ones.
func ExampleGroup_Go() {
	var g pool.Group
	var leaves atomic.Int32
	var visit func(depth int) error
	visit = func(depth int) error {
		if depth == 0 {
			leaves.Add(1)
			return nil
		}
		for range 2 {
			g.Go(func(*pool.Worker) error { return visit(depth - 1) })
		}
		return nil
	}
	g.Go(func(*pool.Worker) error { return visit(4) })
	fmt.Println(g.Wait(), leaves.Load())
	// Output: <nil> 16
}

// TryGo leaves to the caller what has no place.
func ExampleGroup_TryGo() {
	var g pool.Group
	g.SetLimit(1)
	end := make(chan struct{})
	fmt.Println(g.TryGo(func(*pool.Worker) error { <-end; return nil }))
	fmt.Println(g.TryGo(func(*pool.Worker) error { return nil }))
	close(end)
	fmt.Println(g.Wait())
	// Output:
	// true
	// false
	// <nil>
}

func ExampleGroup_SetLimit() {
	var g pool.Group
	g.SetLimit(2)
	var running, most atomic.Int32
	for range 100 {
		g.Go(func(*pool.Worker) error {
			n := running.Add(1)
			defer running.Add(-1)
			for m := most.Load(); n > m && !most.CompareAndSwap(m, n); m = most.Load() {
			}
			return nil
		})
	}
	fmt.Println(g.Wait(), most.Load() <= 2)
	// Output: <nil> true
}

// Four jobs wait for each other, in a pool of one: each has a worker while it blocks.
func ExampleGroup_SetBlocking() {
	p, _ := pool.New(1)
	defer p.Close(context.Background())

	g, _ := p.Group(context.Background())
	g.SetBlocking(true)
	var meeting sync.WaitGroup
	meeting.Add(4)
	for range 4 {
		g.Go(func(*pool.Worker) error {
			meeting.Done()
			meeting.Wait()
			return nil
		})
	}
	fmt.Println(g.Wait())
	// Output: <nil>
}

// A panic comes out of Wait.
func ExampleGroup_Wait() {
	var g pool.Group
	g.Go(func(*pool.Worker) error { panic("out of range") })
	defer func() {
		var e *pool.PanicError
		if err, ok := recover().(error); ok && errors.As(err, &e) {
			fmt.Println(e.Value)
		}
	}()
	fmt.Println(g.Wait())
	// Output: out of range
}
