//go:build chaos

package control_test

import (
	"testing"

	"github.com/rouse-go/rouse/chaos/control"
	"github.com/rouse-go/rouse/chaos/strategy"
	"github.com/rouse-go/rouse/chaos/verdict"
	"github.com/rouse-go/rouse/hooks/atomic"
	"github.com/rouse-go/rouse/hooks/channel"
	"github.com/rouse-go/rouse/hooks/context"
	"github.com/rouse-go/rouse/hooks/sync"
	"github.com/rouse-go/rouse/internal/racing"
)

// A publication is a way to notify another task that a plain variable has been written.
type publication struct {
	name string
	// make returns what publishes, and what reports whether that has been seen.
	make func() (publish func(), seen func() bool)
}

var publications = []publication{
	{"store", func() (func(), func() bool) {
		x := new(atomic.Bool)
		return func() { x.Store(true) }, x.Load
	}},
	{"store function", func() (func(), func() bool) {
		x := new(int32)
		return func() { atomic.StoreInt32(x, 1) }, func() bool { return atomic.LoadInt32(x) == 1 }
	}},
	{"swap", func() (func(), func() bool) {
		x := new(atomic.Pointer[int])
		return func() { x.Swap(new(int)) }, func() bool { return x.Load() != nil }
	}},
	{"add", func() (func(), func() bool) {
		x := new(atomic.Int64)
		return func() { x.Add(1) }, func() bool { return x.Load() > 0 }
	}},
	{"compare-and-swap", func() (func(), func() bool) {
		x := new(atomic.Uint32)
		return func() { x.CompareAndSwap(0, 1) }, func() bool { return x.Load() > 0 }
	}},
	{"mutex", func() (func(), func() bool) {
		var m sync.Mutex
		set := false
		return func() {
				m.Lock()
				set = true
				m.Unlock()
			}, func() bool {
				m.Lock()
				defer m.Unlock()
				return set
			}
	}},
	{"read-write mutex", func() (func(), func() bool) {
		var m sync.RWMutex
		set := false
		return func() {
				m.Lock()
				set = true
				m.Unlock()
			}, func() bool {
				m.RLock()
				defer m.RUnlock()
				return set
			}
	}},
	{"condition", func() (func(), func() bool) {
		var m sync.Mutex
		c := sync.NewCond(&m)
		set := false
		return func() {
				m.Lock()
				defer m.Unlock()
				set = true
				c.Signal()
			}, func() bool {
				m.Lock()
				defer m.Unlock()
				for !set {
					c.Wait()
				}
				return true
			}
	}},
	{"wait group", func() (func(), func() bool) {
		wg := new(sync.WaitGroup)
		wg.Add(1)
		return wg.Done, func() bool { wg.Wait(); return true }
	}},
	{"once", func() (func(), func() bool) {
		var once sync.Once
		set := false
		return func() { once.Do(func() { set = true }) }, func() bool { once.Do(func() {}); return set }
	}},
	{"pool", func() (func(), func() bool) {
		p := new(sync.Pool)
		return func() { p.Put(1) }, func() bool { return p.Get() != nil }
	}},
	{"map", func() (func(), func() bool) {
		m := new(sync.Map)
		return func() { m.Store(1, 1) }, func() bool { _, ok := m.Load(1); return ok }
	}},
	{"send", func() (func(), func() bool) {
		c := make(chan int, 1)
		return func() { channel.Send(c, 1) }, func() bool { channel.Receive(c); return true }
	}},
	{"close", func() (func(), func() bool) {
		c := make(chan int)
		return func() { channel.Close(c) }, func() bool { channel.Receive(c); return true }
	}},
	{"select", func() (func(), func() bool) {
		c := make(chan int, 1)
		return func() { channel.Select(channel.OnSend(c, 1)) }, func() bool { channel.Receive(c); return true }
	}},
	{"cancel", func() (func(), func() bool) {
		ctx, cancel := context.WithCancel(context.Background())
		return cancel, func() bool { return ctx.Err() != nil }
	}},
}

// publishing has one task publish, and write after it (or before, if it is right) what
// the other reads when it has seen that. The variable is plain, so the wrong one is a
// data race too.
func publishing(e *control.Engine, p publication, right bool) func() {
	return func() {
		publish, seen := p.make()
		written := false
		e.Go(func() {
			if right {
				written = true
			}
			publish()
			written = true
		})
		if seen() && !written {
			e.Fail(verdict.WrongResult, "published before it was written")
		}
	}
}

// A strategy that samples enters the window between a publication and the plain write
// that should have come first; its recording repeats that; and where there is none it
// sees none.
func TestPlainWriteAfterPublication(t *testing.T) {
	if racing.Detector {
		return // it reports the race itself, as it should, and fails the test
	}
	for _, by := range []func() strategy.Strategy{strategy.Random, strategy.PCTCycle, strategy.POS, strategy.URW, strategy.SURW,
		func() strategy.Strategy { return strategy.Portfolio() }} {
		for _, p := range publications {
			t.Run(by().Name()+"/"+p.name, func(t *testing.T) {
				if found := find(t, by(), p, false); found.Verdict != verdict.WrongResult {
					t.Errorf("not found in 2,000 executions")
				}
				if found := find(t, by(), p, true); found.Verdict != verdict.Pass {
					t.Errorf("%s: %s, where nothing is wrong", found.Verdict, found.Summary)
				}
			})
		}
	}
}

// find runs up to 2,000 executions and returns the first that fails, which it also
// repeats, or the last.
func find(t *testing.T, by strategy.Strategy, p publication, right bool) (result control.Result) {
	t.Helper()
	e := begin(t, control.Options{Strategy: by})
	defer e.Close()
	body := publishing(e, p, right)
	for n := range 2000 {
		if result, _ = e.Run(strategy.ChildKey(1, n), body); result.Verdict == verdict.Pass {
			continue
		}
		result.Schedule = result.Schedule.Clone()
		again, unused := e.Repeat(result.Schedule, body)
		if again.Verdict != result.Verdict || again.Hash != result.Hash || unused.Len() > 0 {
			t.Errorf("execution %d repeated: %s, hash %x, %d unused entries; want %s, %x, none", n, again.Verdict, again.Hash, unused.Len(), result.Verdict, result.Hash)
		}
		return result
	}
	return result
}

// Catches: decisions after a second cancel, which is no operation, under the numbers of those after the
// operation before: the repetition takes one for the other.
func TestDecisionsAfterNoOperation(t *testing.T) {
	e, err := control.New(control.Options{Strategy: strategy.Random()})
	if err != nil {
		t.Fatal(err)
	}
	defer e.Close()
	body := func() {
		var m sync.Mutex
		n := 0
		_, cancel := context.WithCancel(context.Background())
		for range 2 {
			e.Go(func() {
				for range 3 {
					m.Lock()
					n++
					m.Unlock()
					cancel()
					cancel()
				}
			})
		}
	}
	for seed := range uint64(200) {
		r, _ := e.Run(seed, body)
		r.Schedule = r.Schedule.Clone()
		if again, unused := e.Repeat(r.Schedule, body); again.Hash != r.Hash || unused.Len() > 0 {
			t.Fatalf("seed %d: another execution when it is repeated, and %d of %d decisions did not apply", seed, unused.Len(), r.Schedule.Len())
		}
	}
}
