//go:build chaos

package control

import (
	"fmt"
	"slices"
	"strings"
	"testing"
	stdtime "time"

	"github.com/rouse-go/rouse/chaos/plan"
	"github.com/rouse-go/rouse/chaos/verdict"
	"github.com/rouse-go/rouse/hooks"
	"github.com/rouse-go/rouse/hooks/atomic"
	"github.com/rouse-go/rouse/hooks/sync"
	"github.com/rouse-go/rouse/hooks/time"
	"github.com/rouse-go/rouse/internal/racing"
)

// passThrough takes the lock and gives it up.
func passThrough(l sync.Locker) {
	l.Lock()
	defer l.Unlock()
}

// A modelled program, and what it can come to: what it says, or its verdict.
type modelled struct {
	name    string
	subject func(say func(string))
	want    []string
}

// A model is right if what can happen does, and nothing else.
func TestModels(t *testing.T) { testModels(t, syncModels) }

func testModels(t *testing.T, models []modelled) {
	executions := 300
	if testing.Short() {
		executions = 60
	}
	for _, m := range models {
		t.Run(m.name, func(t *testing.T) {
			if racing.Detector && slices.Contains(m.want, "panic") && strings.Contains(m.name, "close") {
				t.Skip("to the detector, a close and a send are a race, as they are")
			}
			bySwitch(t, func(t *testing.T, how Switch) {
				want(t, outcomes(t, how, executions, m.subject), m.want...)
			})
		})
	}
}

var syncModels = []modelled{
	{"two increments that are not atomic", func(say func(string)) {
		var x atomic.Int64
		var wg sync.WaitGroup
		for range 2 {
			wg.Go(func() { x.Store(x.Load() + 1) })
		}
		wg.Wait()
		say(fmt.Sprint(x.Load()))
	}, []string{"1", "2"}},

	{"two increments under a mutex", func(say func(string)) {
		var x atomic.Int64
		var mu sync.Mutex
		var wg sync.WaitGroup
		for range 2 {
			wg.Go(func() { mu.Lock(); x.Store(x.Load() + 1); mu.Unlock() })
		}
		wg.Wait()
		say(fmt.Sprint(x.Load()))
	}, []string{"2"}},

	{"store buffering is not seen", func(say func(string)) {
		var x, y, a, b atomic.Int64
		var wg sync.WaitGroup
		wg.Go(func() { x.Store(1); a.Store(y.Load()) })
		wg.Go(func() { y.Store(1); b.Store(x.Load()) })
		wg.Wait()
		say(fmt.Sprint(a.Load(), b.Load()))
	}, []string{"0 1", "1 0", "1 1"}},

	{"a try-lock sees the lock held", func(say func(string)) {
		var mu sync.Mutex
		tasks(func() { passThrough(&mu) })
		if mu.TryLock() {
			say("free")
			mu.Unlock()
		} else {
			say("held")
		}
	}, []string{"free", "held"}},

	{"locks in two orders", func(say func(string)) {
		var a, b sync.Mutex
		tasks(func() { a.Lock(); passThrough(&b); a.Unlock() })
		b.Lock()
		passThrough(&a)
		b.Unlock()
	}, []string{"", "deadlock"}},

	{"readers together", func(say func(string)) {
		var rw sync.RWMutex
		var in, most atomic.Int64
		var wg sync.WaitGroup
		for range 2 {
			wg.Go(func() {
				rw.RLock()
				most.Store(max(most.Load(), in.Add(1)))
				in.Add(-1)
				rw.RUnlock()
			})
		}
		wg.Wait()
		say(fmt.Sprint(most.Load()))
	}, []string{"1", "2"}},

	{"a reader that reads again behind a writer", func(say func(string)) {
		var rw sync.RWMutex
		tasks(func() { passThrough(&rw) })
		rw.RLock()
		passThrough(rw.RLocker())
		rw.RUnlock()
	}, []string{"", "deadlock"}},

	{"a writer alone", func(say func(string)) {
		var rw sync.RWMutex
		var x atomic.Int64
		tasks(func() { rw.RLock(); x.Load(); rw.RUnlock() })
		rw.Lock()
		if rw.TryRLock() || rw.TryLock() {
			say("together")
		}
		rw.Unlock()
		if rw.TryLock() {
			say("writes")
			rw.Unlock()
		} else {
			say("is read")
		}
	}, []string{"is read", "writes"}},

	{"waiting readers come before the next writer", func(say func(string)) {
		var rw sync.RWMutex
		var order atomic.Int64
		var wg sync.WaitGroup
		rw.Lock()
		wg.Go(func() { rw.RLock(); order.CompareAndSwap(0, 1); rw.RUnlock() })
		wg.Go(func() { rw.Lock(); order.CompareAndSwap(0, 2); rw.Unlock() })
		rw.Unlock()
		wg.Wait()
		say(fmt.Sprint(order.Load()))
	}, []string{"1", "2"}},

	{"a signal before the wait", func(say func(string)) {
		var mu sync.Mutex
		c := sync.NewCond(&mu)
		tasks(func() { c.Signal() })
		mu.Lock()
		c.Wait()
		mu.Unlock()
	}, []string{"", "deadlock"}},

	{"one signal, two waiters", func(say func(string)) {
		var mu sync.Mutex
		c := sync.NewCond(&mu)
		waiting := 0
		for range 2 {
			tasks(func() { mu.Lock(); waiting++; c.Wait(); mu.Unlock() })
		}
		for {
			mu.Lock()
			if waiting == 2 {
				break
			}
			mu.Unlock()
			hooks.Gosched()
		}
		c.Signal()
		mu.Unlock()
	}, []string{"leak"}},

	{"a broadcast, two waiters", func(say func(string)) {
		var mu sync.Mutex
		c := sync.NewCond(&mu)
		ready := false
		for range 2 {
			tasks(func() {
				mu.Lock()
				for !ready {
					c.Wait()
				}
				mu.Unlock()
			})
		}
		mu.Lock()
		ready = true
		c.Broadcast()
		mu.Unlock()
	}, []string{""}},

	{"a wait group that is waited for twice", func(say func(string)) {
		var wg sync.WaitGroup
		var x atomic.Int64
		wg.Add(1)
		tasks(func() { x.Add(1); wg.Done() }, func() { wg.Wait(); x.Add(1) })
		wg.Wait()
		say(fmt.Sprint(x.Load()))
	}, []string{"1", "2"}},

	{"a once, and its second caller", func(say func(string)) {
		var once sync.Once
		var x atomic.Int64
		var wg sync.WaitGroup
		for range 2 {
			wg.Go(func() {
				once.Do(func() { x.Add(1); x.Add(1) })
				if x.Load() != 2 {
					say("half done")
				}
			})
		}
		wg.Wait()
	}, []string{""}},

	{"a once within itself", func(say func(string)) {
		var once sync.Once
		once.Do(func() { once.Do(func() {}) })
	}, []string{"deadlock"}},

	{"a once value", func(say func(string)) {
		var x atomic.Int64
		value := sync.OnceValue(func() int64 { return x.Add(1) })
		var wg sync.WaitGroup
		for range 2 {
			wg.Go(func() { say(fmt.Sprint(value())) })
		}
		wg.Wait()
	}, []string{"1 1"}},

	{"a pool gives back what was put last", func(say func(string)) {
		p := sync.Pool{New: func() any { return 0 }}
		p.Put(1)
		p.Put(2)
		say(fmt.Sprint(p.Get(), p.Get(), p.Get()))
	}, []string{"2 1 0"}},

	{"sleeps in order", func(say func(string)) {
		tasks(func() { time.Sleep(2 * time.Second); say("two") }, func() { time.Sleep(time.Second); say("one") })
		time.Sleep(3 * time.Second)
		say(time.Now().UTC().Format(stdtime.RFC3339))
	}, []string{"one two 2000-01-01T00:00:03Z"}},

	{"a timer's function", func(say func(string)) {
		var wg sync.WaitGroup
		wg.Add(1)
		begin := time.Now()
		time.AfterFunc(time.Hour, func() { say(time.Since(begin).String()); wg.Done() })
		wg.Wait()
	}, []string{"1h0m0s"}},

	{"a timer stopped in time or too late", func(say func(string)) {
		var fired atomic.Bool
		timer := time.AfterFunc(time.Second, func() { fired.Store(true) })
		tasks(func() { time.Sleep(time.Second) })
		time.Sleep(time.Second)
		if timer.Stop() {
			say("stopped")
		} else {
			time.Sleep(time.Second)
			say(fmt.Sprint(fired.Load()))
		}
	}, []string{"true"}},

	{"a loop that polls", func(say func(string)) {
		var stop atomic.Bool
		tasks(func() { stop.Store(true) })
		for !stop.Load() {
			hooks.Gosched()
		}
	}, []string{""}},

	{"a loop that polls without success", func(say func(string)) {
		var stop atomic.Bool
		for !stop.Load() {
		}
	}, []string{"livelock"}},

	{"two that poll each other", func(say func(string)) {
		var a, b atomic.Bool
		tasks(func() {
			for !a.Load() {
			}
			b.Store(true)
		})
		for !b.Load() {
		}
		a.Store(true)
	}, []string{"livelock"}},

	{"a loop that polls the clock", func(say func(string)) {
		var x atomic.Int64
		for begin := time.Now(); time.Since(begin) < time.Second; {
			x.Load()
		}
	}, []string{""}},

	{"a task that is left", func(say func(string)) {
		var mu sync.Mutex
		mu.Lock()
		tasks(func() { mu.Lock() })
	}, []string{"leak"}},

	{"a panic", func(say func(string)) {
		tasks(func() { panic("so it is") })
		time.Sleep(time.Second)
	}, []string{"panic"}},
}

// Racy time explores what lazy time leaves out: a timer that fires while others
// could still continue.
func TestRacyTime(t *testing.T) {
	subject := func(say func(string)) {
		var x atomic.Int64
		timer := time.AfterFunc(time.Second, func() { x.Store(x.Load() * 2) })
		x.Store(5)
		if timer.Stop() {
			say("stopped")
		} else {
			time.Sleep(time.Second) // the function is done by then, if time is lazy
			say(fmt.Sprint(x.Load()))
		}
	}
	want(t, outcomes(t, Coroutines, 300, subject), "stopped")
	e := start(t, Options{Clock: Racy})
	all := make(map[string]int)
	for n := range 500 {
		said := ""
		r, _ := e.Run(uint64(n), func() { subject(func(s string) { said = s }) })
		if r.Verdict != verdict.Pass {
			t.Fatalf("%s: %s", r.Verdict, r.Summary)
		}
		all[said]++
		again, unused := e.Repeat(r.Schedule.Clone(), func() { subject(func(string) {}) })
		if again.Hash != r.Hash || unused.Len() > 0 {
			t.Fatalf("seed %d does not repeat", n)
		}
	}
	want(t, all, "stopped", "5", "10", "0")
}

// A slowLocker takes another lock in its Unlock.
type slowLocker struct{ mu, inner sync.Mutex }

func (l *slowLocker) Lock() { l.mu.Lock() }

func (l *slowLocker) Unlock() {
	passThrough(&l.inner)
	l.mu.Unlock()
}

// A waiter of a condition that is signalled before it waits, while it gives up its
// lock, is woken all the same: whatever its lock does, and whatever delays it.
func TestSignalWhileTheLockIsGivenUp(t *testing.T) {
	bySwitch(t, func(t *testing.T, how Switch) {
		e := start(t, Options{Switch: how, Plan: plan.Plan{Faults: []plan.Fault{
			{At: "sync/mutex-unlock", Kind: hooks.Delays, Max: time.Second, Probability: 0.5},
			{At: "sync/mutex-unlocked", Kind: hooks.Delays, Max: time.Second, Probability: 0.5},
		}}})
		for n := range 2000 {
			r, _ := e.Run(uint64(n), func() {
				l := new(slowLocker)
				c := sync.NewCond(l)
				ready := false
				for range 2 {
					tasks(func() { passThrough(&l.inner) })
				}
				tasks(func() {
					l.mu.Lock()
					ready = true
					l.mu.Unlock()
					c.Signal()
				})
				l.Lock()
				for !ready {
					c.Wait()
				}
				l.Unlock()
			})
			if r.Verdict != verdict.Pass {
				t.Fatalf("execution %d: %s: %s", n, r.Verdict, r.Summary)
			}
		}
	})
}
