package main

import (
	"context"
	"iter"
	"rousecore"
	"runtime"
	"sync"
	"sync/atomic"
	"time"
)

// subjects are repeated: with timers, randomness of select, and polls.
var subjects = []func(){
	func() {
		ctx, cancel := context.WithTimeout(context.Background(), time.Second)
		defer cancel()
		c := make(chan int)
		for i := range 3 {
			go func() {
				select {
				case c <- i:
				case <-ctx.Done():
				}
			}()
		}
		t := time.NewTicker(300 * time.Millisecond)
		defer t.Stop()
		for range 4 {
			select {
			case <-c:
			case <-t.C:
			case <-ctx.Done():
			}
		}
	},
	func() {
		var once sync.Once
		var n atomic.Int32
		var wg sync.WaitGroup
		for range 3 {
			wg.Go(func() {
				once.Do(func() { n.Add(10) })
				for n.Load() < 10 {
					runtime.Gosched()
				}
				time.Sleep(time.Second)
				n.CompareAndSwap(10, 11)
			})
		}
		wg.Wait()
	},
}

// checkRepeats repeats executions of all strategies by their schedules, with each clock.
func checkRepeats() {
	for _, strategy := range []string{"random", "pct(3)", "pos", "surw", "portfolio"} {
		for _, o := range []rousecore.Options{{Clock: rousecore.Lazy}, {Clock: rousecore.Racy}, {Clock: rousecore.Mixed}} {
			e := engine(strategy, o)
			for i, body := range subjects {
				e.Run(0, body) // what is done once in a process
				repeat(e, strategy, i, body)
			}
			for n := range uint64(20) {
				p := generate(7, n, everything[n%uint64(len(everything))], 3, 3, 2)
				repeat(e, strategy, int(n)+100, func() { p.run(make([]string, len(p.tasks))) })
			}
			e.Close()
		}
	}
}

func repeat(e *rousecore.Engine, strategy string, number int, body func()) {
	for n := range uint64(60) {
		r, _ := e.Run(n, body)
		s := r.Schedule.Clone()
		again, unused := e.Repeat(s, body)
		if again.Hash != r.Hash || again.Order != r.Order || again.Verdict != r.Verdict || unused.Len() > 0 {
			fail("%s, subject %d, seed %d: %s %x, repeated %s %x, %d decisions did not apply", strategy, number, n, r.Verdict, r.Hash, again.Verdict, again.Hash, unused.Len())
			return
		}
	}
}

// shared keeps its objects off the stack: operations on what one task alone can see are no points.
var shared *state

// checkSteps: a point is one step, and so is an operation that consists of several, and a wait does not
// change the number of an operation.
func checkSteps() {
	e := engine("random", rousecore.Options{})
	defer e.Close()
	operations := []func(s *state){
		func(s *state) { s.x[0].Add(1) },
		func(s *state) { s.mu[0].Lock() },
		func(s *state) { s.x[0].Load() },
		func(s *state) { s.mu[0].Unlock() },
		func(s *state) { s.rw[0].Lock() },
		func(s *state) { s.rw[0].TryLock() },
		func(s *state) { s.rw[0].TryRLock() },
		func(s *state) { s.rw[0].Unlock() },
		func(s *state) { s.rw[0].RLock() },
		func(s *state) { s.rw[0].TryLock() },
		func(s *state) { s.rw[0].RUnlock() },
		func(s *state) { s.m.Store(1, 1) },
		func(s *state) { s.m.Load(1) },
		func(s *state) { s.m.Swap(1, 2) },
		func(s *state) { s.m.LoadOrStore(2, 1) },
		func(s *state) { s.m.Range(func(any, any) bool { return true }) },
		func(s *state) { s.m.CompareAndSwap(2, 1, 2) },
		func(s *state) { s.m.CompareAndDelete(2, 2) },
		func(s *state) { s.m.LoadAndDelete(1) },
		func(s *state) { s.m.Store(1, 1) },
		func(s *state) { s.m.Delete(1) },
		func(s *state) { s.m.Clear() },
		func(s *state) { s.v.Store(1) },
		func(s *state) { s.v.Load() },
		func(s *state) { s.v.Swap(2) },
		func(s *state) { s.v.CompareAndSwap(2, 3) },
	}
	const rounds = 100
	for i := range 2 { // the first allocates
		r, _ := e.Run(1, func() {
			shared = new(state)
			for range rounds {
				for _, operate := range operations {
					operate(shared)
				}
			}
		})
		if want := 1 + rounds*len(operations); r.Steps != want && i == 1 {
			fail("%d steps, want %d", r.Steps, want)
		}
	}
}

// checkMemory: executions leave nothing behind.
func checkMemory() {
	e := engine("random", rousecore.Options{AllowLeaks: true})
	defer e.Close()
	body := func() {
		c, never := make(chan int), make(chan int)
		var mu sync.Mutex
		go func() { c <- 1; <-never }()
		go func() { time.Sleep(time.Hour) }()
		go func() {
			mu.Lock()
			<-never
		}()
		go func() { mu.Lock() }()
		<-c
		var wg sync.WaitGroup
		wg.Add(1)
		go wg.Wait()
		go wg.Wait()
		cond := sync.NewCond(new(sync.Mutex))
		go func() { cond.L.Lock(); cond.Wait() }()
		next, _ := iter.Pull(func(yield func(int) bool) { yield(1) })
		next()
		go func() {
			next, _ := iter.Pull(func(func(int) bool) { <-never })
			next()
		}()
	}
	measure := func(executions int) (heap uint64, goroutines int) {
		for n := range executions {
			if r, _ := e.Run(uint64(n), body); r.Verdict != "pass" {
				fail("%s: %s", r.Verdict, r.Summary)
				break
			}
		}
		runtime.GC()
		runtime.GC()
		var m runtime.MemStats
		runtime.ReadMemStats(&m)
		return m.HeapAlloc + m.StackInuse, runtime.NumGoroutine()
	}
	before, goroutines := measure(5_000)
	after, now := measure(60_000)
	if after > before+1<<20 || now > goroutines {
		fail("%d bytes and %d goroutines, and %d executions later %d and %d", before, goroutines, 60_000, after, now)
	}
}
