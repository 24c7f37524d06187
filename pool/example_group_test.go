package pool_test

import (
	"context"
	"errors"
	"fmt"
	"slices"
	"strconv"
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

// The first error ends the loop.
func ExampleForErr() {
	example(2, func(w *pool.Worker) {
		files := []string{"a.txt", "", "c.txt"}
		err := pool.ForErr(w, len(files), func(_ *pool.Worker, i int) error {
			if files[i] == "" {
				return fmt.Errorf("file %d has no name", i)
			}
			return nil
		})
		fmt.Println(err)
	})
	// Output: file 1 has no name
}

func ExampleMapErr() {
	example(2, func(w *pool.Worker) {
		fmt.Println(pool.MapErr(w, []string{"1", "2", "3"}, func(_ *pool.Worker, s string) (int, error) { return strconv.Atoi(s) }))
	})
	// Output: [1 2 3] <nil>
}

// Results come in the order of the values, while later ones are still computed.
func ExampleResults() {
	var g pool.Group
	numbers := slices.Values([]string{"1", "two", "3"})
	for n, err := range pool.Results(&g, numbers, func(_ *pool.Worker, s string) (int, error) { return strconv.Atoi(s) }) {
		if err != nil {
			fmt.Println(err)
			break
		}
		fmt.Println(n)
	}
	// Output:
	// 1
	// strconv.Atoi: parsing "two": invalid syntax
}

func ExampleResultsUnordered() {
	var g pool.Group
	sum := 0
	for n := range pool.ResultsUnordered(&g, slices.Values([]int{1, 2, 3}), func(_ *pool.Worker, n int) (int, error) { return n * n, nil }) {
		sum += n // one at a time
	}
	fmt.Println(sum)
	// Output: 14
}
