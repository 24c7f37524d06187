//go:build chaos

package sync_test

import (
	"slices"
	"strings"
	"testing"
	"testing/synctest"

	"github.com/rouse-go/rouse/hooks/sync"
	"github.com/rouse-go/rouse/internal/recorder"
	"github.com/rouse-go/rouse/internal/seam"
)

// operations lists every operation with the points that it passes, in order. What
// needs two goroutines (Wait of a Cond) is in faults_chaos_test.go.
func operations() []struct {
	name   string
	do     func()
	points string
} {
	var m sync.Mutex
	var held sync.Mutex
	held.Lock()
	var rw sync.RWMutex
	var heldRW sync.RWMutex
	heldRW.Lock()
	c := sync.NewCond(&m)
	var wg sync.WaitGroup
	var once sync.Once
	onceFunc := sync.OnceFunc(func() {})
	onceValue := sync.OnceValue(func() int { return 1 })
	onceValues := sync.OnceValues(func() (int, int) { return 1, 2 })
	var sm sync.Map
	sm.Store(0, 0)
	sm.Store(1, 0)
	var p sync.Pool
	return []struct {
		name   string
		do     func()
		points string
	}{
		{"Mutex.Lock", m.Lock, "mutex-lock mutex-locked"},
		{"Mutex.Unlock", m.Unlock, "mutex-unlock mutex-unlocked"},
		{"Mutex.TryLock", func() { m.TryLock() }, "mutex-try-lock mutex-locked"},
		{"Mutex.TryLock of a held one", func() { held.TryLock() }, "mutex-try-lock"},

		{"RWMutex.Lock", rw.Lock, "rwmutex-lock rwmutex-locked"},
		{"RWMutex.Unlock", rw.Unlock, "rwmutex-unlock rwmutex-unlocked"},
		{"RWMutex.TryLock", func() { rw.TryLock() }, "rwmutex-try-lock rwmutex-locked"},
		{"RWMutex.TryLock of a held one", func() { heldRW.TryLock() }, "rwmutex-try-lock"},
		{"RWMutex.Unlock", rw.Unlock, "rwmutex-unlock rwmutex-unlocked"},
		{"RWMutex.RLock", rw.RLock, "rwmutex-rlock rwmutex-rlocked"},
		{"RWMutex.RUnlock", rw.RUnlock, "rwmutex-runlock rwmutex-runlocked"},
		{"RWMutex.TryRLock", func() { rw.TryRLock() }, "rwmutex-try-rlock rwmutex-rlocked"},
		{"RWMutex.TryRLock of a held one", func() { heldRW.TryRLock() }, "rwmutex-try-rlock"},
		{"RWMutex.RLocker, Lock", func() { rw.RLocker().Lock() }, "rwmutex-rlock rwmutex-rlocked"},
		{"RWMutex.RLocker, Unlock", func() { rw.RLocker().Unlock() }, "rwmutex-runlock rwmutex-runlocked"},

		{"Cond.Signal", c.Signal, "cond-signal"},
		{"Cond.Broadcast", c.Broadcast, "cond-broadcast"},

		{"WaitGroup.Add", func() { wg.Add(1) }, "waitgroup-add"},
		{"WaitGroup.Done", wg.Done, "waitgroup-done"},
		{"WaitGroup.Wait", wg.Wait, "waitgroup-wait waitgroup-waited"},

		{"Once.Do", func() { once.Do(func() {}) }, "once-do once-run once-done"},
		{"Once.Do again", func() { once.Do(func() {}) }, "once-do once-done"},
		{"OnceFunc", onceFunc, "once-do once-run once-done"},
		{"OnceFunc again", onceFunc, "once-do once-done"},
		{"OnceValue", func() { onceValue() }, "once-do once-run once-done"},
		{"OnceValue again", func() { onceValue() }, "once-do once-done"},
		{"OnceValues", func() { onceValues() }, "once-do once-run once-done"},
		{"OnceValues again", func() { onceValues() }, "once-do once-done"},

		{"Map.Load", func() { sm.Load(0) }, "map-load"},
		{"Map.Store", func() { sm.Store(0, 1) }, "map-store"},
		{"Map.LoadOrStore", func() { sm.LoadOrStore(0, 2) }, "map-load-or-store"},
		{"Map.Swap", func() { sm.Swap(0, 2) }, "map-swap"},
		{"Map.CompareAndSwap", func() { sm.CompareAndSwap(0, 2, 3) }, "map-compare-and-swap"},
		{"Map.CompareAndDelete", func() { sm.CompareAndDelete(0, 2) }, "map-compare-and-delete"},
		{"Map.Range", func() { sm.Range(func(_, _ any) bool { return true }) }, "map-range map-range-entry map-range-entry"},
		{"Map.Range of one", func() { sm.Range(func(_, _ any) bool { return false }) }, "map-range map-range-entry"},
		{"Map.LoadAndDelete", func() { sm.LoadAndDelete(0) }, "map-load-and-delete"},
		{"Map.Delete", func() { sm.Delete(0) }, "map-delete"},
		{"Map.Clear", sm.Clear, "map-clear"},

		{"Pool.Put", func() { p.Put(1) }, "pool-put"},
		{"Pool.Get", func() { p.Get() }, "pool-get"},
	}
}

func TestOperationsPassTheirPoints(t *testing.T) {
	ops := operations()
	r := install(t)
	for _, op := range ops {
		op.do()
		if got, want := r.Take(), points(op.points); !slices.Equal(got, want) {
			t.Errorf("%s passes %q, want %q", op.name, got, want)
		}
	}
}

// points writes the names out.
func points(names string) []string {
	list := strings.Fields(names)
	for i, name := range list {
		list[i] = "sync/" + name
	}
	return list
}

// A declared point that nothing passes would be offered to plans, and armed there without
// effect.
func TestNoPointIsDead(t *testing.T) {
	passed := map[string]bool{
		"sync/cond-wait": true, "sync/cond-woken": true, // TestWaitPassesItsPoints
		"sync/waitgroup-go": true, // TestGoMakesATask
	}
	for _, op := range operations() {
		for _, name := range points(op.points) {
			passed[name] = true
		}
	}
	declared := 0
	for _, p := range seam.Points() {
		if strings.HasPrefix(p.Name, "sync/") {
			declared++
			if !passed[p.Name] {
				t.Errorf("%s is declared, and no operation passes it", p.Name)
			}
		}
	}
	if declared != len(passed) {
		t.Errorf("%d points are declared, %d are passed", declared, len(passed))
	}
}

// install makes a recorder the engine until the test ends.
func install(t *testing.T) *recorder.Recorder {
	t.Helper()
	return faulty(recorder.Install(t))
}

// faulty declares that the points of this package can do more than disturb.
func faulty(r *recorder.Recorder) *recorder.Recorder {
	r.Faulty = true
	return r
}

// A point is on the side of its operation that its window says: these tests
// look around while they are there.

// at looks, during op, whether cond holds at the point.
func at(t *testing.T, r *recorder.Recorder, point string, op func(), what string, cond func() bool) {
	t.Helper()
	looked := false
	r.When(point, func() {
		looked = true
		if !cond() {
			t.Errorf("at %s, not so: %s", point, what)
		}
	})
	op()
	if !looked {
		t.Errorf("%s was not passed", point)
	}
}

func TestPlacesAroundLocks(t *testing.T) {
	r := install(t)
	var m sync.Mutex
	free := func() bool {
		ok := m.TryLock()
		if ok {
			m.Unlock()
		}
		return ok
	}
	held := func() bool { return !free() }
	at(t, r, "sync/mutex-lock", m.Lock, "free", free)
	at(t, r, "sync/mutex-unlock", m.Unlock, "held", held)
	at(t, r, "sync/mutex-locked", m.Lock, "held", held)
	at(t, r, "sync/mutex-unlocked", m.Unlock, "free", free)

	var rw sync.RWMutex
	free = func() bool {
		ok := rw.TryLock()
		if ok {
			rw.Unlock()
		}
		return ok
	}
	held = func() bool { return !free() }
	at(t, r, "sync/rwmutex-lock", rw.Lock, "free", free)
	at(t, r, "sync/rwmutex-unlock", rw.Unlock, "held", held)
	at(t, r, "sync/rwmutex-locked", rw.Lock, "held", held)
	at(t, r, "sync/rwmutex-unlocked", rw.Unlock, "free", free)
	at(t, r, "sync/rwmutex-rlock", rw.RLock, "free", free)
	at(t, r, "sync/rwmutex-runlock", rw.RUnlock, "held", held)
	at(t, r, "sync/rwmutex-rlocked", rw.RLock, "held", held)
	at(t, r, "sync/rwmutex-runlocked", rw.RUnlock, "free", free)
}

func TestPlacesAroundOnce(t *testing.T) {
	r := install(t)
	for name, do := range map[string]func(f func()){
		"Do":         func(f func()) { new(sync.Once).Do(f) },
		"OnceFunc":   func(f func()) { sync.OnceFunc(f)() },
		"OnceValue":  func(f func()) { sync.OnceValue(func() int { f(); return 1 })() },
		"OnceValues": func(f func()) { sync.OnceValues(func() (int, int) { f(); return 1, 2 })() },
	} {
		for point, want := range map[string]bool{"once-do": false, "once-run": false, "once-done": true} {
			ran := false
			at(t, r, "sync/"+point, func() { do(func() { ran = true }) }, name+": whether the function has run", func() bool { return ran == want })
		}
	}
}

func TestPlacesBeforeMapAndPool(t *testing.T) {
	r := install(t)
	var m sync.Map
	in := func() bool { _, ok := m.Load(1); return ok }
	out := func() bool { return !in() }
	at(t, r, "sync/map-store", func() { m.Store(1, 1) }, "no entry", out)
	at(t, r, "sync/map-delete", func() { m.Delete(1) }, "an entry", in)
	m.Store(1, 1)
	at(t, r, "sync/map-clear", m.Clear, "an entry", in)

	for range 50 { // under -race a pool loses some
		var p sync.Pool
		at(t, r, "sync/pool-put", func() { p.Put(1) }, "nothing put", func() bool { return p.Get() == nil })
	}
}

func TestPlacesAroundWaitGroup(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		r := install(t)
		// Each with a WaitGroup of its own: one that was waited for may not be
		// counted up before Wait has returned.
		var wg *sync.WaitGroup
		count := func(n int) {
			synctest.Wait() // until the last one's waiters are through with their points
			wg = new(sync.WaitGroup)
			wg.Add(n)
		}
		over := func() bool { // whether Wait returns
			waited := make(chan bool, 1)
			go func(wg *sync.WaitGroup) {
				wg.Wait()
				waited <- true
			}(wg)
			synctest.Wait()
			return len(waited) == 1
		}
		counting := func() bool { return !over() }

		count(0)
		at(t, r, "sync/waitgroup-add", func() { wg.Add(1) }, "not counted", over)
		count(1)
		at(t, r, "sync/waitgroup-done", func() { wg.Done() }, "counted", counting)
		count(1)
		at(t, r, "sync/waitgroup-wait", func() { wg.Wait() }, "still time for Done", func() bool { wg.Done(); return true })
		count(0)
		at(t, r, "sync/waitgroup-waited", func() { wg.Wait() }, "the count is zero", over)

		count(0)
		began := false
		at(t, r, "sync/waitgroup-go", func() { wg.Go(func() { began = true }) }, "counted, not begun", func() bool { return counting() && !began })
		wg.Wait()
		if !began {
			t.Error("the function did not run")
		}
	})
}
