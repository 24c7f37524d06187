package spinners

import (
	"container/list"
	"context"
	"io"
	"net"
	"runtime"
	"sync"
	"sync/atomic"
	"testing"
	"time"
)

// within reports an error if work is not done within a while of virtual time.
func within(t *testing.T, limit time.Duration, work func()) {
	t.Helper()
	done := make(chan bool)
	go func() {
		defer close(done)
		work()
	}()
	select {
	case <-done:
	case <-time.After(limit):
		t.Error("timed out")
	}
}

// decode does something that others can see, looks at the time once, and then only reads for long.
func decode(rounds int, round func()) func() {
	return func() {
		progress := make(chan int, 1)
		for i := range 20 {
			progress <- i
			<-progress
			_ = time.Now()
			for range rounds {
				round()
			}
		}
	}
}

// many fails if a short time-out is hit over many loops, and long over a long one.
func many(t *testing.T, round func()) {
	t.Helper()
	within(t, 200*time.Millisecond, decode(300, round))
}

func long(t *testing.T, rounds int, round func()) {
	t.Helper()
	within(t, 200*time.Millisecond, func() {
		for range rounds {
			round()
		}
	})
}

// Bounded loops that only read are no waiting: no time-out is hit over them, however many there are.
func TestManyLoops(t *testing.T) {
	many(t, func() { log("step") })
}

func TestManyLoopsThatLook(t *testing.T) {
	many(t, func() { log("step"); _ = time.Now() })
}

func TestManyLoopsThatYield(t *testing.T) {
	many(t, func() { log("step"); runtime.Gosched() })
}

func TestManyLoopsThatOnlyYield(t *testing.T) {
	many(t, runtime.Gosched)
}

func TestManyLoopsThatLookAndYield(t *testing.T) {
	many(t, func() { log("step"); _ = time.Now(); runtime.Gosched() })
}

func TestManyLoopsThatLock(t *testing.T) {
	var mu sync.Mutex
	many(t, func() { mu.Lock(); _ = time.Now(); mu.Unlock() })
}

func TestManyLoopsThatPool(t *testing.T) {
	p := sync.Pool{New: func() any { return new(int) }}
	many(t, func() { p.Put(p.Get()) })
}

func TestManyLoopsThatTry(t *testing.T) {
	var x atomic.Int32
	many(t, func() { x.CompareAndSwap(1, 2); _ = time.Now() })
}

func TestManyLoopsThatPoll(t *testing.T) {
	never := make(chan bool)
	many(t, func() {
		select {
		case <-never:
		default:
		}
	})
}

// A long loop that looks at the time may be work, too.
func TestLongLoopThatLooks(t *testing.T) {
	long(t, 5_000, func() { log("step"); _ = time.Now() })
}

// Beside a time-out that is far away, a loop until a time ends in time.
func TestUntilATime(t *testing.T) {
	var done atomic.Bool
	within(t, time.Second, func() {
		for start := time.Now(); !done.Load() && time.Since(start) < 5*time.Millisecond; {
		}
	})
}

func TestUntilATimeThatYields(t *testing.T) {
	var done atomic.Bool
	within(t, time.Second, func() {
		for start := time.Now(); !done.Load() && time.Since(start) < 5*time.Millisecond; {
			runtime.Gosched()
		}
	})
}

func TestUntilATimeThatPolls(t *testing.T) {
	never := make(chan bool)
	within(t, time.Second, func() {
		for start := time.Now(); time.Since(start) < 5*time.Millisecond; {
			select {
			case <-never:
			default:
			}
		}
	})
}

func TestLongLoop(t *testing.T) {
	long(t, 20_000, func() { log("step") })
}

func TestLongLoopThatYields(t *testing.T) {
	long(t, 5_000, runtime.Gosched)
}

func TestLongLoopThatOnlyLooks(t *testing.T) {
	long(t, 20_000, func() { _ = time.Now() })
}

func TestLongLoopThatLocks(t *testing.T) {
	var mu sync.Mutex
	long(t, 20_000, func() { mu.Lock(); mu.Unlock() })
}

func TestLongLoopThatLocksTwo(t *testing.T) {
	var mu sync.Mutex
	within(t, 200*time.Millisecond, func() {
		var both sync.WaitGroup
		for range 2 {
			both.Go(func() {
				for range 10_000 {
					mu.Lock()
					mu.Unlock()
				}
			})
		}
		both.Wait()
	})
}

// The end of a sleep does not come over them, either, nor a deadline of a context or of a pipe.
func TestManyLoopsBesideASleep(t *testing.T) {
	var done atomic.Bool
	work := decode(300, func() { log("step"); runtime.Gosched() })
	go func() { work(); done.Store(true) }()
	time.Sleep(200 * time.Millisecond)
	if !done.Load() {
		t.Error("slept too little")
	}
}

func TestLongLoopBesideASleep(t *testing.T) {
	var done atomic.Bool
	go func() {
		for range 20_000 {
			log("step")
		}
		done.Store(true)
	}()
	time.Sleep(200 * time.Millisecond)
	if !done.Load() {
		t.Error("slept too little")
	}
}

func TestLongLoopThatLocksBesideASleep(t *testing.T) {
	var mu sync.Mutex
	done := false
	go func() {
		for range 200_000 {
			mu.Lock()
			mu.Unlock()
		}
		mu.Lock()
		defer mu.Unlock()
		done = true
	}()
	time.Sleep(200 * time.Millisecond)
	mu.Lock()
	defer mu.Unlock()
	if !done {
		t.Error("slept too little")
	}
}

func TestManyLoopsBesideADeadline(t *testing.T) {
	a, b := net.Pipe()
	defer a.Close()
	work := decode(300, func() { log("step"); _ = time.Now() })
	go func() { work(); b.Close() }()
	a.SetReadDeadline(time.Now().Add(200 * time.Millisecond))
	if _, err := a.Read(make([]byte, 1)); err != io.EOF {
		t.Error(err)
	}
}

func TestTwoLoopsBesideAContext(t *testing.T) {
	ctx, cancel := context.WithTimeout(t.Context(), 200*time.Millisecond)
	defer cancel()
	var both sync.WaitGroup
	both.Go(decode(300, func() { log("step") }))
	both.Go(decode(300, func() { log("step"); _ = time.Now() }))
	both.Wait()
	if err := ctx.Err(); err != nil {
		t.Error(err)
	}
}

// How far a loop has come may be on the heap, behind pointers to pointers.
type walk struct{ rest *chain }

type chain struct{ items *list.List }

func walkOf(n int) *walk {
	w := &walk{&chain{list.New()}}
	for i := range n {
		w.rest.items.PushBack(i)
	}
	return w
}

func (w *walk) next() bool {
	first := w.rest.items.Front()
	if first == nil {
		return false
	}
	w.rest.items.Remove(first)
	return true
}

func TestWalkThatYields(t *testing.T) {
	w := walkOf(1_000)
	within(t, time.Second, func() {
		for w.next() {
			runtime.Gosched()
		}
	})
}

func TestWalkThatLocksAndYields(t *testing.T) {
	w := walkOf(1_000)
	var mu sync.Mutex
	step := func() bool {
		mu.Lock()
		defer mu.Unlock()
		return w.next()
	}
	within(t, time.Second, func() {
		var both sync.WaitGroup
		for range 2 {
			both.Go(func() {
				for step() {
					runtime.Gosched()
				}
			})
		}
		both.Wait()
	})
}

func TestWalkThatReads(t *testing.T) {
	w := walkOf(3_000)
	var closed atomic.Bool
	within(t, time.Second, func() {
		for !closed.Load() && w.next() {
		}
	})
}

func TestLongLoopOfAContext(t *testing.T) {
	ctx, cancel := context.WithTimeout(t.Context(), 100*time.Millisecond)
	defer cancel()
	for i := range 100_000 {
		if ctx.Err() != nil {
			t.Fatalf("over after %d", i)
		}
	}
}

func TestFourLoopsThatYield(t *testing.T) {
	within(t, 300*time.Millisecond, func() {
		var all sync.WaitGroup
		for range 4 {
			all.Go(func() {
				for range 10_000 {
					runtime.Gosched()
				}
			})
		}
		all.Wait()
	})
}

// To poll the channel of a timer is to look at the time.
func TestPollsATimer(t *testing.T) {
	for timer := time.After(time.Hour); ; {
		select {
		case <-timer:
			return
		default:
		}
	}
}

// A loop that counts and waits for a timer ends.
func TestCountsUntilATimer(t *testing.T) {
	var done atomic.Bool
	time.AfterFunc(time.Hour, func() { done.Store(true) })
	n := 0
	for ; !done.Load(); n++ {
	}
	if n == 0 {
		t.Error("no round")
	}
}

func TestCountsYieldsUntilATimer(t *testing.T) {
	var done atomic.Bool
	time.AfterFunc(time.Hour, func() { done.Store(true) })
	n := 0
	for ; !done.Load(); n++ {
		runtime.Gosched()
	}
}

func TestCountsUntilATime(t *testing.T) {
	n := 0
	for start := time.Now(); time.Since(start) < time.Second; n++ {
		log("step")
	}
	if n == 0 {
		t.Error("no round")
	}
}
