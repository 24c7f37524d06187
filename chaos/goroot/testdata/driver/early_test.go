package driver

import (
	"context"
	"errors"
	"io"
	"reflect"
	"slices"
	"sort"
	"strings"
	"sync"
	"sync/atomic"
	"testing"
	"time"
)

// The names begin with Early: the table in early_test.go of package goroot has the verdict of each.

func nothing() {}

func timeout() { panic("it takes too long") }

func TestEarlyWatchdog(t *testing.T) { closeAll(10*time.Second, timeout, nothing, nothing) }

func TestEarlyWatchdogOfTest(t *testing.T) {
	dog := time.AfterFunc(10*time.Second, timeout)
	defer dog.Stop()
	var wg sync.WaitGroup
	wg.Go(nothing)
	wg.Wait()
}

func TestEarlyFatal(t *testing.T) {
	within(5*time.Second, func() { t.Error("it takes too long") }, func() { closeAll(time.Hour, timeout, nothing) })
}

func TestEarlyPanic(t *testing.T) {
	within(5*time.Second, timeout, func() { closeAll(time.Hour, timeout, nothing) })
}

func TestEarlyExit(t *testing.T) {
	within(5*time.Second, exit, func() { closeAll(time.Hour, timeout, nothing) })
}

func TestEarlyLogFatal(t *testing.T) {
	within(5*time.Second, fatal, func() { closeAll(time.Hour, timeout, nothing) })
}

func TestEarlyMust(t *testing.T) {
	ctx, cancel := context.WithTimeout(t.Context(), 2*time.Second)
	defer cancel()
	c := make(chan int, 1)
	go func() { c <- 1 }()
	if err := call(ctx, c); err != nil {
		panic(err)
	}
}

// asked has a context of two seconds and a channel that gets a value.
func asked(t *testing.T, f func(context.Context, chan int)) {
	ctx, cancel := context.WithTimeout(t.Context(), 2*time.Second)
	defer cancel()
	c := make(chan int, 1)
	go func() { c <- 1 }()
	f(ctx, c)
}

func TestEarlyType(t *testing.T) {
	asked(t, func(ctx context.Context, c chan int) {
		v, _ := ask(ctx, c)
		t.Log(*v.(*int))
	})
}

func TestEarlyNil(t *testing.T) {
	asked(t, func(ctx context.Context, c chan int) {
		v, _ := ask(ctx, c)
		n, _ := v.(*int)
		t.Log(*n)
	})
}

func TestEarlyNilBeside(t *testing.T) {
	asked(t, func(ctx context.Context, c chan int) {
		v, _ := ask(ctx, c)
		n, _ := v.(*int)
		done := make(chan bool)
		go func() {
			t.Log(*n)
			close(done)
		}()
		<-done
	})
}

func TestEarlyIndex(t *testing.T) {
	asked(t, func(ctx context.Context, c chan int) {
		var values []int
		if v, _ := ask(ctx, c); v != nil {
			values = append(values, 1)
		}
		t.Log(values[0])
	})
}

func TestEarlyReader(t *testing.T) {
	asked(t, func(ctx context.Context, c chan int) {
		r, _ := askReader(ctx, c)
		io.ReadAll(r)
	})
}

func TestEarlyRange(t *testing.T) {
	asked(t, func(ctx context.Context, c chan int) {
		values := []int{1, 2}
		if call(ctx, c) != nil {
			values = nil
		}
		t.Log(slices.Delete(values, 0, 1))
	})
}

func TestEarlyTimer(t *testing.T) {
	asked(t, func(ctx context.Context, c chan int) {
		var timer *time.Timer
		if call(ctx, c) == nil {
			timer = time.NewTimer(time.Hour)
		}
		timer.Stop()
	})
}

func TestEarlyCount(t *testing.T) {
	asked(t, func(ctx context.Context, c chan int) {
		room := 0
		if call(ctx, c) != nil {
			room--
		}
		t.Log(strings.Repeat("x", room))
	})
}

func TestEarlyValue(t *testing.T) {
	asked(t, func(ctx context.Context, c chan int) {
		v, _ := ask(ctx, c)
		t.Log(reflect.ValueOf(v).Type())
	})
}

func TestEarlyReadAll(t *testing.T) {
	asked(t, func(ctx context.Context, c chan int) { readAll(ctx, c) })
}

func TestEarlyFill(t *testing.T) {
	asked(t, func(ctx context.Context, c chan int) { fill(ctx, c) })
}

// What sorts is a callback of the code under test.
func TestEarlyCallback(t *testing.T) {
	asked(t, func(ctx context.Context, c chan int) {
		sort.Slice([]int{1, 2}, func(int, int) bool { return use(ctx, c) > 0 })
	})
}

func TestEarlyUse(t *testing.T) {
	asked(t, func(ctx context.Context, c chan int) { use(ctx, c) })
}

func TestEarlyTwice(t *testing.T) {
	asked(t, func(ctx context.Context, c chan int) {
		if v, _ := ask(ctx, c); v == nil {
			close(c)
		}
		close(c)
	})
}

func TestEarlyConsequence(t *testing.T) {
	c := make(chan int)
	var wg sync.WaitGroup
	defer wg.Wait()
	wg.Go(func() { c <- 1 })
	receive(t, c)
}

func TestEarlyConsequenceOfTest(t *testing.T) {
	c := make(chan int)
	var wg sync.WaitGroup
	defer wg.Wait()
	wg.Go(func() { c <- 1 })
	select {
	case <-c:
	case <-time.After(2 * time.Second):
		t.Log("timeout")
	}
}

func TestEarlyRead(t *testing.T) {
	request, answer := make(chan int), make(chan int)
	go func() {
		if _, ok := <-request; ok {
			answer <- 1
		}
	}()
	ctx, cancel := context.WithTimeout(t.Context(), 2*time.Second)
	defer cancel()
	select {
	case request <- 1:
	case <-ctx.Done():
		t.Error(ctx.Err())
	}
	<-answer // nothing asks for one after a time-out
}

func TestEarlySleepHang(t *testing.T) {
	c := make(chan int)
	go func() { <-c }()
	time.Sleep(30 * time.Millisecond)
	select {
	case c <- 1:
	default:
		<-c
	}
}

func TestEarlyEventually(t *testing.T) {
	var done atomic.Bool
	go func() { done.Store(true) }()
	eventually(t, done.Load)
}

func TestEarlyRetry(t *testing.T) {
	var busy atomic.Bool
	busy.Store(true)
	go busy.Store(false)
	if err := retry(func() error {
		if busy.Load() {
			return errBusy
		}
		return nil
	}); err != nil {
		t.Error(err)
	}
}

func TestEarlyHeart(t *testing.T) {
	stop := make(chan bool)
	var wg sync.WaitGroup
	wg.Go(func() { beats(stop, func() { t.Error("the heart has stopped") }) })
	closeAll(time.Hour, timeout, nothing)
	close(stop)
	wg.Wait()
}

func TestEarlyTickerOfTest(t *testing.T) {
	ticker := time.NewTicker(time.Second)
	defer ticker.Stop()
	c := make(chan int, 1)
	go func() { c <- 1 }()
	select {
	case <-c:
	case <-ticker.C:
		<-ticker.C
		select {}
	}
}

func TestEarlyIdle(*testing.T) { newCache(2*time.Second, 1).put(1, 2, 3) }

func TestEarlyIdleTwice(*testing.T) {
	c := newCache(2*time.Second, 2)
	time.Sleep(3 * time.Second)
	c.put(1, 2, 3)
}

func TestEarlyIdleInSubtest(t *testing.T) {
	c := newCache(2*time.Second, 1)
	t.Run("", func(*testing.T) { c.put(1, 2, 3) })
	t.Run("parallel", func(t *testing.T) {
		t.Parallel()
		c.put(4, 5)
	})
}

func TestEarlyIdleBeside(*testing.T) {
	var wg sync.WaitGroup
	c := newCache(2*time.Second, 1)
	wg.Go(func() { c.put(1, 2, 3) })
	wg.Wait()
}

func TestEarlyIdleForAWhile(*testing.T) { newCache(300*time.Millisecond, 1).put(1, 2, 3) }

// The batch may be sent while the test closes what it is sent to.
func TestEarlyBatch(*testing.T) {
	var mu sync.Mutex
	out, closed := make(chan int, 1), false
	flush(time.Second, func() {
		mu.Lock()
		was := closed
		mu.Unlock()
		if !was {
			out <- 1
		}
	})
	mu.Lock()
	closed = true
	mu.Unlock()
	close(out)
}

func TestEarlyPhase(t *testing.T) { newFlusher(byTicker).Stop() }

func later(loop func(f *flusher)) {
	f := newFlusher(loop)
	time.Sleep(flushInterval + time.Second)
	f.Stop()
}

func TestEarlyReset(t *testing.T)  { later(byReset) }
func TestEarlyAfter(t *testing.T)  { later(byAfter) }
func TestEarlySleeps(t *testing.T) { later(bySleep) }
func TestEarlyItself(t *testing.T) { later(byItself) }

func TestEarlyTickers(t *testing.T) {
	stop := make(chan bool)
	var wg sync.WaitGroup
	wg.Go(func() { transfer(stop) })
	time.Sleep(time.Minute)
	close(stop)
	wg.Wait()
}

func TestEarlyExpiry(t *testing.T) {
	expire(5*time.Second, func() { closeAll(time.Hour, timeout, nothing) })
}
func TestEarlyNegative(t *testing.T) {
	finish(5*time.Second, func() { closeAll(time.Hour, timeout, nothing) })
}

func TestEarlyNegativeBeside(t *testing.T) {
	done := make(chan bool)
	go func() {
		finish(5*time.Second, func() { closeAll(time.Hour, timeout, nothing) })
		close(done)
	}()
	<-done
}

func TestEarlyDrain(t *testing.T) {
	c := make(chan int, 1)
	go func() { c <- 1 }()
	drain(c)
}

func TestEarlyCompletion(t *testing.T) {
	ctx, cancel := context.WithTimeout(t.Context(), 2*time.Second)
	defer cancel()
	give(ctx)
}

func TestEarlyGuard(t *testing.T) {
	ctx, cancel := context.WithDeadlineCause(t.Context(), time.Now().Add(5*time.Second), errors.New("the test takes too long"))
	defer cancel()
	give(ctx)
}

func TestEarlyLimit(*testing.T) { giveFor(5 * time.Second) }

// TestEarlyMiddle stops in the middle of the work.
func TestEarlyMiddle(t *testing.T) {
	c := make(chan int)
	stop := make(chan bool)
	go func() {
		for range 3 {
			select {
			case <-stop:
				return
			default:
				c <- 1
			}
		}
		close(c)
	}()
	go func() {
		time.Sleep(10 * time.Millisecond)
		close(stop)
	}()
	for range c { // nothing closes c then
	}
}
