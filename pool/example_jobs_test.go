package pool_test

import (
	"context"
	"errors"
	"fmt"
	"runtime"
	"sync"
	"sync/atomic"

	"github.com/rouse-go/rouse/pool"
)

// example runs f as a job in a pool of that many workers.
func example(workers int, f func(w *pool.Worker), options ...pool.Option) {
	p, err := pool.New(workers, options...)
	if err != nil {
		panic(err)
	}
	if err := p.Run(context.Background(), func(w *pool.Worker) error { f(w); return nil }); err != nil {
		panic(err)
	}
	if err := p.Close(context.Background()); err != nil { // waits also for jobs that nothing else waits for
		panic(err)
	}
}

// A program's packages share the default pool.
func ExampleDefault() {
	p := pool.Default()
	fmt.Println(p.Workers() == runtime.GOMAXPROCS(0))
	fmt.Println(p == pool.Default())
	fmt.Println(p.Close(context.Background())) // not needed; the next call starts another
	// Output:
	// true
	// true
	// <nil>
}

// Join calls one function with two arguments, possibly at the same time.
func ExampleJoin() {
	example(2, func(w *pool.Worker) {
		double := func(_ *pool.Worker, n int) int { return 2 * n }
		a, b := pool.Join(w, double, 20, 1)
		fmt.Println(a, b)
	})
	// Output: 40 2
}

// A Fn gets itself as its first argument, so that it can be a package variable.
func ExampleNewFn() {
	type tree struct {
		value       int
		left, right *tree
	}
	sum := pool.NewFn(func(sum *pool.Fn[*tree, int], w *pool.Worker, t *tree) int {
		if t == nil {
			return 0
		}
		left, right := sum.Join(w, t.left, t.right)
		return t.value + left + right
	})
	example(2, func(w *pool.Worker) {
		fmt.Println(sum.Call(w, &tree{1, &tree{2, nil, nil}, &tree{3, &tree{4, nil, nil}, nil}}))
	})
	// Output: 10
}

func ExampleFn_Call() {
	length := pool.NewFn(func(_ *pool.Fn[string, int], _ *pool.Worker, s string) int { return len(s) })
	example(1, func(w *pool.Worker) { fmt.Println(length.Call(w, "wake")) })
	// Output: 4
}

func ExampleFn_Join() {
	fib := pool.NewFn(func(fib *pool.Fn[int, int], w *pool.Worker, n int) int {
		if n < 2 {
			return n
		}
		x, y := fib.Join(w, n-1, n-2)
		return x + y
	})
	example(2, func(w *pool.Worker) { fmt.Println(fib.Call(w, 20)) })
	// Output: 6765
}

// JoinContext reports to b whether it was stolen. In a pool of one nothing is stolen.
func ExampleWorker_JoinContext() {
	example(1, func(w *pool.Worker) {
		w.JoinContext(
			func(_ *pool.Worker, migrated bool) { fmt.Println("a has migrated:", migrated) },
			func(_ *pool.Worker, migrated bool) { fmt.Println("b has migrated:", migrated) })
	})
	// Output:
	// a has migrated: false
	// b has migrated: false
}

// Code that forks through closures need not fork where no worker would take the fork.
func ExampleWorker_Saturated() {
	var sum func(w *pool.Worker, numbers []int) int
	sum = func(w *pool.Worker, numbers []int) int {
		if len(numbers) == 1 {
			return numbers[0]
		}
		left, right := numbers[:len(numbers)/2], numbers[len(numbers)/2:]
		if w.Saturated() {
			return sum(w, left) + sum(w, right)
		}
		var x, y int
		w.Join(
			func(w *pool.Worker) { x = sum(w, left) },
			func(w *pool.Worker) { y = sum(w, right) })
		return x + y
	}
	example(2, func(w *pool.Worker) {
		fmt.Println(sum(w, []int{1, 2, 3, 4, 5, 6, 7, 8, 9, 10}))
	})
	// Output:
	// 55
}

// In a pool of one, a scope's newest job comes first; in a FIFO scope the oldest.
func ExampleWorker_ScopeFIFO() {
	example(1, func(w *pool.Worker) {
		w.ScopeFIFO(func(s *pool.Scope) {
			for i := range 3 {
				s.Go(w, func(*pool.Worker) { fmt.Println(i) })
			}
		})
	})
	// Output:
	// 0
	// 1
	// 2
}

// What has not begun when the context ends is dropped.
func ExampleWorker_ScopeContext() {
	example(1, func(w *pool.Worker) {
		ctx, cancel := context.WithCancel(context.Background())
		err := w.ScopeContext(ctx, func(s *pool.Scope) {
			s.Go(w, func(*pool.Worker) { fmt.Println("never runs") })
			cancel()
		})
		fmt.Println(err)
	})
	// Output: context canceled
}

// A job of a scope may start others.
func ExampleScope_Go() {
	example(2, func(w *pool.Worker) {
		var visited atomic.Int32
		w.Scope(func(s *pool.Scope) {
			var visit func(w *pool.Worker, depth int)
			visit = func(w *pool.Worker, depth int) {
				visited.Add(1)
				for range depth {
					s.Go(w, func(w *pool.Worker) { visit(w, depth-1) })
				}
			}
			visit(w, 3)
		})
		fmt.Println(visited.Load())
	})
	// Output: 16
}

func ExampleScope_GoN() {
	example(2, func(w *pool.Worker) {
		squares := make([]int, 5)
		w.Scope(func(s *pool.Scope) {
			s.GoN(w, len(squares), func(_ *pool.Worker, i int) { squares[i] = i * i })
		})
		fmt.Println(squares)
	})
	// Output: [0 1 4 9 16]
}

func ExampleScope_GoBroadcast() {
	example(3, func(w *pool.Worker) {
		caches := make([]string, w.Pool().Workers())
		w.Scope(func(s *pool.Scope) {
			s.GoBroadcast(func(w *pool.Worker) { caches[w.Index()] = "warm" })
		})
		fmt.Println(caches)
	})
	// Output: [warm warm warm]
}

// The body of an in-place scope stays on its goroutine.
func ExamplePool_InPlaceScope() {
	p, _ := pool.New(2)
	defer p.Close(context.Background())

	var sum atomic.Int64
	err := p.InPlaceScope(func(s *pool.Scope) {
		for n := range 5 { // reads, say, from a connection
			s.Go(nil, func(*pool.Worker) { sum.Add(int64(n)) })
		}
	})
	fmt.Println(sum.Load(), err)
	// Output: 10 <nil>
}

func ExamplePool_InPlaceScopeFIFO() {
	p, _ := pool.New(1)
	defer p.Close(context.Background())

	_ = p.InPlaceScopeFIFO(func(s *pool.Scope) {
		s.Go(nil, func(*pool.Worker) { fmt.Println("first") })
		s.Go(nil, func(*pool.Worker) { fmt.Println("second") })
	})
	// Output:
	// first
	// second
}

// A job feeds another pool, and works for its own while it waits.
func ExampleWorker_InPlaceScope() {
	other, _ := pool.New(2)
	defer other.Close(context.Background())

	example(1, func(w *pool.Worker) {
		var n atomic.Int32
		err := w.InPlaceScope(other, func(s *pool.Scope) {
			s.GoN(nil, 10, func(*pool.Worker, int) { n.Add(1) })
		})
		fmt.Println(n.Load(), err)
	})
	// Output: 10 <nil>
}

// Go starts a job that nothing waits for, on the worker's own deque.
func ExampleWorker_Go() {
	example(1, func(w *pool.Worker) {
		w.Go(func(*pool.Worker) { fmt.Println("later") })
		fmt.Println("now")
	})
	// Output:
	// now
	// later
}

func ExampleWorker_GoFIFO() {
	example(1, func(w *pool.Worker) {
		w.GoFIFO(func(*pool.Worker) { fmt.Println("first") })
		w.GoFIFO(func(*pool.Worker) { fmt.Println("second") })
	})
	// Output:
	// first
	// second
}

// A batch wakes as many workers as it has jobs, at once.
func ExampleWorker_GoN() {
	var n atomic.Int32
	example(2, func(w *pool.Worker) { w.GoN(100, func(*pool.Worker, int) { n.Add(1) }) })
	fmt.Println(n.Load())
	// Output: 100
}

func ExamplePool_GoN() {
	p, _ := pool.New(2)
	var n atomic.Int32
	err := p.GoN(100, func(*pool.Worker, int) { n.Add(1) })
	_ = p.Close(context.Background())
	fmt.Println(n.Load(), err)
	// Output: 100 <nil>
}

// GoContext waits for room until its context ends; TryGo does not wait.
func ExamplePool_GoContext() {
	p, _ := pool.New(1, pool.WithMaxInjected(1))
	goOn := make(chan struct{})
	begun := make(chan struct{})
	_ = p.Go(func(*pool.Worker) { close(begun); <-goOn })
	<-begun
	_ = p.Go(func(*pool.Worker) {}) // waits for the worker: there is no more room

	ctx, cancel := context.WithCancel(context.Background())
	cancel()
	fmt.Println(p.GoContext(ctx, func(*pool.Worker) {}))
	close(goOn)
	fmt.Println(p.Close(context.Background()))
	// Output:
	// context canceled
	// <nil>
}

func ExamplePool_TryGo() {
	p, _ := pool.New(1, pool.WithMaxInjected(1))
	goOn := make(chan struct{})
	begun := make(chan struct{})
	_ = p.Go(func(*pool.Worker) { close(begun); <-goOn })
	<-begun
	fmt.Println(p.TryGo(func(*pool.Worker) {}))
	fmt.Println(errors.Is(p.TryGo(func(*pool.Worker) {}), pool.ErrFull))
	close(goOn)
	_ = p.Close(context.Background())
	// Output:
	// <nil>
	// true
}

func ExamplePool_GoBroadcast() {
	p, _ := pool.New(3)
	var n atomic.Int32
	_ = p.GoBroadcast(func(*pool.Worker) { n.Add(1) })
	_ = p.Close(context.Background())
	fmt.Println(n.Load())
	// Output: 3
}

func ExampleWorker_GoBroadcast() {
	var n atomic.Int32
	example(3, func(w *pool.Worker) { w.GoBroadcast(func(*pool.Worker) { n.Add(1) }) })
	fmt.Println(n.Load())
	// Output: 3
}

func ExampleWorker_Broadcast() {
	example(3, func(w *pool.Worker) {
		var n atomic.Int32
		err := w.Broadcast(w.Pool(), func(*pool.Worker) { n.Add(1) })
		fmt.Println(n.Load(), err)
	})
	// Output: 3 <nil>
}

// A run in another pool: here and there may run into each other.
func ExampleWorker_Run() {
	other, _ := pool.New(1, pool.WithName("other"))
	defer other.Close(context.Background())

	example(1, func(w *pool.Worker) {
		home := w.Pool()
		_ = w.Run(other, func(w *pool.Worker) error {
			fmt.Println("in", w.Pool().Name())
			return w.Run(home, func(w *pool.Worker) error {
				fmt.Println("and back:", w.Pool() == home)
				return nil
			})
		})
	})
	// Output:
	// in other
	// and back: true
}

// A job that locks a lock over a Join waits isolated: no other job that wants the
// lock can end up on top of it.
func ExampleWorker_Isolated() {
	var mu sync.Mutex
	n := 0
	example(2, func(w *pool.Worker) {
		w.Scope(func(s *pool.Scope) {
			for range 10 {
				s.Go(w, func(w *pool.Worker) {
					mu.Lock()
					defer mu.Unlock()
					w.Isolated(func(w *pool.Worker) {
						w.Join(func(*pool.Worker) { n++ }, func(*pool.Worker) {})
					})
				})
			}
		})
	})
	fmt.Println(n)
	// Output: 10
}

// A job that blocks does not cost the pool its worker.
func ExampleWorker_Blocking() {
	example(1, func(w *pool.Worker) {
		answer := make(chan string)
		w.Go(func(*pool.Worker) { answer <- "from the spare worker" })
		w.Blocking(func() { fmt.Println(<-answer) })
	})
	// Output: from the spare worker
}

// A job that waits for something the pool does not know of lets others run.
func ExampleWorker_YieldNow() {
	example(1, func(w *pool.Worker) {
		ready := false
		w.Go(func(*pool.Worker) { ready = true })
		for !ready {
			w.YieldNow()
		}
		fmt.Println(w.YieldNow())
	})
	// Output: false
}

func ExampleWorker_YieldLocal() {
	example(1, func(w *pool.Worker) {
		w.Go(func(*pool.Worker) { fmt.Println("ran") })
		fmt.Println(w.YieldLocal(), w.YieldLocal())
	})
	// Output:
	// ran
	// true false
}

func ExampleWorker_HasPendingTasks() {
	example(1, func(w *pool.Worker) {
		fmt.Println(w.HasPendingTasks())
		w.Go(func(*pool.Worker) {})
		fmt.Println(w.HasPendingTasks())
	})
	// Output:
	// false
	// true
}

// A job closes another pool, and works while it waits for that.
func ExampleWorker_Close() {
	example(1, func(w *pool.Worker) {
		temporary, _ := pool.New(1)
		_ = temporary.Go(func(*pool.Worker) { fmt.Println("drained") })
		fmt.Println(w.Close(context.Background(), temporary))
		fmt.Println(errors.Is(w.Pool().Close(context.Background()), pool.ErrInsideJob))
	})
	// Output:
	// drained
	// <nil>
	// true
}
