// Package races has programs for a build with -race: without a race, and with one (TestRace...).
package races

import (
	"context"
	"errors"
	"fmt"
	"sync"
	"sync/atomic"
	"testing"
	"time"
)

var global, guarded int
var globalMu sync.Mutex

func TestChannels(t *testing.T) {
	c, d := make(chan *int), make(chan *int, 2)
	done := make(chan struct{})
	go func() {
		defer close(done)
		for p := range c {
			*p++
			d <- p
		}
		close(d)
	}()
	go func() {
		for i := range 3 {
			x := i
			c <- &x
		}
		close(c)
	}()
	sum := 0
	for p := range d {
		sum += *p
	}
	<-done
	if sum != 6 {
		t.Error(sum)
	}
	global++ // by one execution after the other
}

func TestSelect(t *testing.T) {
	a, b, quit := make(chan *int, 1), make(chan *int), make(chan bool)
	var wg sync.WaitGroup
	wg.Go(func() {
		x := 1
		a <- &x
		y := 2
		select {
		case b <- &y:
		case <-quit:
		}
	})
	got := 0
	for got < 2 {
		select {
		case p := <-a:
			*p = 0
		case p := <-b:
			*p = 0
		case <-time.After(time.Second):
		}
		got++
	}
	close(quit)
	wg.Wait()
}

func TestLocks(t *testing.T) {
	var mu sync.Mutex
	var rw sync.RWMutex
	c := sync.NewCond(&mu)
	x, y, turn := 0, 0, 0
	var wg sync.WaitGroup
	for i := range 3 {
		wg.Go(func() {
			mu.Lock()
			for turn != i {
				c.Wait()
			}
			turn++
			x++
			c.Broadcast()
			mu.Unlock()
			rw.RLock()
			_ = y
			rw.RUnlock()
			rw.Lock()
			y++
			rw.Unlock()
			globalMu.Lock()
			guarded++
			globalMu.Unlock()
			if mu.TryLock() {
				x++
				mu.Unlock()
			}
			if rw.TryRLock() {
				_ = y
				rw.RUnlock()
			}
		})
	}
	wg.Wait()
	if y != 3 || turn != 3 {
		t.Error(x, y, turn)
	}
}

func TestAtomics(t *testing.T) {
	type box struct{ n int }
	var p atomic.Pointer[box]
	var v atomic.Value
	var flag atomic.Bool
	var n int32
	plain := 0
	go func() {
		plain = 1
		flag.Store(true)
		p.Store(&box{1})
		v.Store(&box{2})
		atomic.AddInt32(&n, 1)
	}()
	if flag.Load() && plain != 1 {
		t.Error("plain")
	}
	if b := p.Load(); b != nil && b.n != 1 {
		t.Error("pointer")
	}
	if b, ok := v.Load().(*box); ok && b.n != 2 {
		t.Error("value")
	}
	for !atomic.CompareAndSwapInt32(&n, 1, 2) {
		time.Sleep(time.Millisecond)
	}
	plain++
}

func TestOnceAndMap(t *testing.T) {
	var once sync.Once
	var m sync.Map
	x := 0
	value := sync.OnceValues(func() (*int, error) { y := 1; return &y, nil })
	var wg sync.WaitGroup
	for i := range 3 {
		wg.Go(func() {
			once.Do(func() { x = 1 })
			if p, err := value(); x != 1 || *p != 1 || err != nil {
				t.Error(x)
			}
			mine := &[1]int{i}
			if other, loaded := m.LoadOrStore(i%2, mine); loaded {
				_ = other.(*[1]int)[0]
			}
			m.Range(func(k, v any) bool { return v.(*[1]int)[0] >= 0 })
			m.CompareAndSwap(0, nil, mine)
			m.Delete(1)
		})
	}
	wg.Wait()
}

func TestPool(t *testing.T) {
	var wg sync.WaitGroup
	for range 3 {
		wg.Go(func() {
			for range 2 {
				b := buffers.Get().(*[]byte)
				*b = fmt.Appendf((*b)[:0], "%d", len(*b))
				buffers.Put(b)
			}
		})
	}
	wg.Wait()
}

var buffers = sync.Pool{New: func() any { return new([]byte) }}

func TestTimers(t *testing.T) {
	x := 0
	done := make(chan bool)
	x++
	time.AfterFunc(time.Second, func() { x++; close(done) })
	<-done
	x++
	timer := time.NewTimer(time.Second)
	go func() { timer.Reset(time.Minute) }()
	<-timer.C
	ticker := time.NewTicker(time.Second)
	<-ticker.C
	go func() { time.Sleep(3 * time.Second); ticker.Stop(); close(stop(t)) }()
}

func stop(t *testing.T) chan bool {
	c := make(chan bool)
	t.Cleanup(func() { <-c })
	return c
}

func TestContext(t *testing.T) {
	ctx, cancel := context.WithCancelCause(context.Background())
	x := 0
	var wg sync.WaitGroup
	for range 2 {
		child, cancel := context.WithTimeout(ctx, time.Minute)
		wg.Go(func() {
			defer cancel()
			<-child.Done()
			if context.Cause(child) != context.DeadlineExceeded {
				_ = x
			}
		})
	}
	ran := make(chan bool)
	context.AfterFunc(ctx, func() { _ = x; close(ran) })
	x = 1
	cancel(errors.New("enough"))
	<-ran
	wg.Wait()
	x = 2
}

// Goroutines that are left do not race with the next execution.
func TestLeft(t *testing.T) {
	block := make(chan bool)
	for range 2 {
		go func() { globalMu.Lock(); guarded++; globalMu.Unlock(); <-block }()
	}
	globalMu.Lock()
	guarded++
	globalMu.Unlock()
}

func TestRacePlain(t *testing.T) {
	x := 0
	var ready atomic.Bool
	var wg sync.WaitGroup
	wg.Go(func() { x = 1; ready.Store(true) })
	wg.Go(func() {
		if ready.Load() {
			x++
		} else {
			x = 3 // races
		}
	})
	wg.Wait()
}

func TestRaceRLock(t *testing.T) {
	var mu sync.RWMutex
	x := 0
	var wg sync.WaitGroup
	for range 2 {
		wg.Go(func() { mu.RLock(); x++; mu.RUnlock() })
	}
	wg.Wait()
}

func TestRacePool(t *testing.T) {
	var wg sync.WaitGroup
	for range 2 {
		wg.Go(func() {
			b := buffers.Get().(*[]byte)
			buffers.Put(b)
			*b = nil
		})
	}
	wg.Wait()
}

// Two contexts have nothing to do with each other.
func TestRaceContexts(t *testing.T) {
	x := 0
	var wg sync.WaitGroup
	for range 2 {
		wg.Go(func() {
			x++
			ctx, cancel := context.WithCancel(context.Background())
			_, cancelChild := context.WithCancel(ctx)
			cancelChild()
			cancel()
		})
	}
	wg.Wait()
}

func TestRaceTimer(t *testing.T) {
	x := 0
	time.AfterFunc(time.Second, func() { x++ })
	time.Sleep(2 * time.Second)
	x++
}
